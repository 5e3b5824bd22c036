/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/boxes_set.h"
#include "engine/boxes_sides.h"
#include "engine/boxes_strings.h"

/*
 * What the theory of strings says of a position at a glance, on any grid: the turn of who can take,
 * and about what the end is worth once every line opens a string. It is for players that look at
 * many positions; boxes_solver.h says what they are worth.
 */

/* How a player believes that open strings are taken. */
enum boxes_belief {
	BOXES_ALL_IS_TAKEN,
	BOXES_DOUBLE_DEALT, /* but for the boxes that keep the move */
};

/* As coins_take(), which has its formula. */
struct taking boxes_ending_take(const struct boxes_frame *frame, struct boxes_sides *sides);

/*
 * A line that takes a box and leaves all else that the turn could bring, so that it need not be
 * thought about; -1: there is none, as nothing can be taken, or taking it gives up the choice who
 * goes on.
 */
int boxes_ending_free_box(const struct boxes_frame *frame, const struct boxes_sides *sides);

/* A line that takes no box and leaves the other just those that may be kept; -1: not yet. */
int boxes_ending_keeping_line(const struct boxes_frame *frame, const struct boxes_sides *sides);

/* A string of a position in which nothing can be taken. */
struct boxes_ending_string {
	uint64_t boxes;
	int length; /* boxes */
	bool loop;
	int opening; /* the line by which it is opened best: of two boxes, the one between them */
};

struct boxes_ending_string boxes_ending_string(
	const struct boxes_frame *frame, const struct boxes_sides *sides, uint64_t boxes);

/*
 * The strings, shortest first; returns how many. Every box that hangs on one string is in it.
 */
int boxes_ending_strings(const struct boxes_frame *frame, const struct boxes_sides *sides,
	struct boxes_ending_string strings[BOXES_MAX]);

/*
 * About what it is worth to who moves, where nothing can be taken and no line is safe. Exact for
 * strings that hang together with nothing, if double-dealt. Otherwise the shortest is opened first,
 * which may cost a box or two.
 */
int boxes_ending_value(const struct boxes_frame *frame, const struct boxes_sides *sides,
	enum boxes_belief belief, struct string_sums *sums);
