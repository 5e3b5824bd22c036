/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "boxes/boxes.h"

/*
 * A position as sets of boxes: for each side, those whose line there is free. Any grid there is
 * fits, the empty one too, since a set of boxes is a word; a line between two boxes is in two sets.
 * Slower to search than the graph of boxes_graph.h, which holds 64 free lines.
 */
struct boxes_sides {
	uint64_t free[BOXES_SIDES];
};

/* What all positions of a grid share. */
struct boxes_frame {
	struct boxes_grid grid;
	uint64_t all;
	uint64_t border[BOXES_SIDES]; /* the boxes that have no neighbour on that side */
};

struct boxes_frame boxes_frame_of(struct boxes_grid grid);
struct boxes_sides boxes_sides_of(
	const struct boxes_frame *frame, const struct boxes_position *position);

/* Open boxes by how many lines of theirs are free. */
struct boxes_degrees {
	uint64_t one;  /* can be taken */
	uint64_t two;  /* on a string */
	uint64_t more; /* joints */
};

struct boxes_degrees boxes_sides_degrees(const struct boxes_sides *sides);

static inline uint64_t boxes_sides_open(const struct boxes_sides *sides)
{
	return sides->free[BOXES_TOP] | sides->free[BOXES_RIGHT] | sides->free[BOXES_BOTTOM] |
	       sides->free[BOXES_LEFT];
}

static inline enum boxes_side boxes_side_opposite(enum boxes_side side)
{
	return (enum boxes_side)((side + 2) % BOXES_SIDES);
}

/* The boxes next to those of a set on that side. */
static inline uint64_t boxes_frame_step(
	const struct boxes_frame *frame, uint64_t boxes, enum boxes_side side)
{
	int columns = frame->grid.columns;

	boxes &= ~frame->border[side];
	switch (side) {
	case BOXES_TOP:
		return boxes >> columns;
	case BOXES_RIGHT:
		return boxes << 1;
	case BOXES_BOTTOM:
		return boxes << columns;
	default:
		return boxes >> 1;
	}
}

/* The same through free lines only. */
static inline uint64_t boxes_sides_step(const struct boxes_frame *frame,
	const struct boxes_sides *sides, uint64_t boxes, enum boxes_side side)
{
	return boxes_frame_step(frame, boxes & sides->free[side], side);
}

/* The boxes of `within` that free lines lead to from `boxes` through such boxes, and these. */
uint64_t boxes_sides_reached(const struct boxes_frame *frame, const struct boxes_sides *sides,
	uint64_t boxes, uint64_t within);

/* Draws the line on that side of every box of a set. */
void boxes_sides_draw(const struct boxes_frame *frame, struct boxes_sides *sides, uint64_t boxes,
	enum boxes_side side);

/* Draws a line of the grid. */
void boxes_sides_draw_edge(const struct boxes_frame *frame, struct boxes_sides *sides, int edge);

/* Takes all boxes that can be taken, one after the other; returns them. */
uint64_t boxes_sides_take(const struct boxes_frame *frame, struct boxes_sides *sides);

/*
 * Whether who moves may choose who goes on: a box can be taken whose one free line leads to a box
 * with two, the other of which leads to none that can be taken; or comes to be so when others are
 * taken. Both are taken, or the other line is drawn and they are left to the opponent, who moves
 * next in the same rest. Winning Ways calls such a position loony, and a move to it.
 *
 * Source: E. Berlekamp, J. Conway, R. Guy, Winning Ways, chapter 16.
 */
bool boxes_sides_loony(const struct boxes_frame *frame, const struct boxes_sides *sides);
