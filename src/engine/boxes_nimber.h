/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/boxes_sides.h"

/*
 * The value of a position in Nimstring, where nobody counts boxes: closing one obliges to move
 * again, and who cannot move loses. It is the size of the heap of Nim that the position is like, or
 * loony: who moves wins whatever else is there. Parts that hang together by no free line add up as
 * heaps do. Good play of Dots and Boxes mostly aims at 0 after one's own move while no string is
 * open.
 *
 * Source: E. Berlekamp, J. Conway, R. Guy, Winning Ways, chapters 12 (moves that oblige to move
 * again) and 16.
 */
enum { BOXES_NIMBER_LOONY = -1, BOXES_NIMBER_UNKNOWN = -2 };

enum { BOXES_NIMBER_PLACES = 1 << 15 };

/*
 * What is known of parts of positions of one grid: a set of free lines and its value in each place.
 * It is the caller's, about a megabyte, and zero at first; it may be handed in again for any grid.
 */
struct boxes_nimber_memory {
	struct boxes_grid grid;
	struct boxes_nimber_place {
		struct boxes_sides sides; /* without free lines: an empty place */
		int8_t value;
	} places[BOXES_NIMBER_PLACES];
};

/* Unknown when it takes more than so many parts of positions that were not in the memory. */
int boxes_nimber(const struct boxes_frame *frame, const struct boxes_sides *sides, uint64_t nodes,
	struct boxes_nimber_memory *memory);
