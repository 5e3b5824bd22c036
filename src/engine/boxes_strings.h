/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/boxes_graph.h"

/*
 * What the theory of the game sees in a position: boxes with two free edges hang on strings, which
 * end at the ground or at joints, boxes with more. Who opens a string gives its boxes away, and who
 * takes them may stop short and hand the rest back, so that the other must open the next: the
 * double-dealing move.
 *
 * Source: E. Berlekamp, The Dots and Boxes Game, 2000.
 */

/*
 * A turn that takes every box that can be taken, one after the other, and what lies in the way
 * then. Such a turn is never worse than another but for its end: it may leave `kept` boxes, by a
 * move that takes none. All of them are gone when the other has taken those, so the rest of the
 * position is the same. With v the value of the rest, whoever moves in it, the position is worth
 *
 *      taken - kept + |kept + v|,          or taken + v when nothing can be kept.
 *
 * The boxes that are taken form trees, of which one edge at most leads elsewhere: to the ground or
 * to a box that is not taken. Where it does, and the tree has two boxes or more, 2 can be kept: all
 * others are taken, and that edge is cut. In a tree that is closed the last two edges must be apart
 * and one between them cut, which keeps 4. A tree in which all hang on one box has no such edges.
 */
struct taking {
	int taken;
	int kept; /* 0, 2 or 4 */
};

/* Takes all from `coins`. */
struct taking coins_take(const struct boxes_graph *graph, struct coins *coins);

/* One string of a position in which nothing can be taken. */
struct string {
	uint64_t boxes;
	uint64_t edges;
	int length;  /* boxes */
	int opening; /* the edge by which it is opened best: of two boxes, the one between them */
	bool loop;   /* closed in itself */
};

/* The string on which `box` hangs. */
struct string coins_string(const struct boxes_graph *graph, const struct coins *coins, int box);
