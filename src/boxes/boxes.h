/* SPDX-License-Identifier: MIT */
#pragma once

#include "boxes/grid.h"
#include "game/game.h"

/*
 * Petits carrés (Dots and Boxes), as a row of the table of games. One ruleset, "standard": whoever
 * draws the fourth side of one box or two owns them and draws again, once; the most boxes win. The
 * start is the public grid of 6 rows and 7 columns; a set-up has any grid there is.
 *
 * A position as text:
 *
 *      3x4                                     an empty grid: rows, then columns
 *      2x2 100001101100                        lines in the order of their numbers: 0 free, 1 drawn
 *      2x2 a0b000ab0000 1 b000                 lines by owner, who moves, and boxes by owner
 *
 * Here a and b are lines or boxes of player 0 and 1, and 1 are those of nobody, which only a set-up
 * has: they count for no score. A box is 0 until its four lines are drawn. Without the boxes, those
 * that are closed are nobody's; without the player, player 0 moves. A position is written as the
 * shortest of the three that says all of it.
 *
 * A line as text is its number, or a box (letter of the column, number of the row, both from the
 * top left) and a side (T, R, B, L), in either case: A1R is B1L. The number is what is written.
 */
extern const struct game_ops petits_carres;

enum { BOXES_FREE = -1, BOXES_NOBODY = 2 };

/* A position: plain values, written by the rules alone. */
struct boxes_position {
	struct boxes_grid grid;
	int8_t lines[BOXES_EDGES_MAX]; /* BOXES_FREE, or who drew it: 0, 1 or BOXES_NOBODY */
	int8_t owners[BOXES_MAX];      /* likewise of each box, free until it is closed */
	uint8_t scores[2];
	uint8_t player;   /* who moves; after the end, who drew the last line */
	uint8_t captured; /* boxes closed by the last line: 0, 1 or 2 */
	int16_t last;     /* the last line; -1: none */
	uint16_t moves;   /* lines drawn since the start or set-up */
};

/* The typed door beside the table. The pointer lives as long as the state. */
const struct boxes_position *boxes_state_position(const struct game_state *state);

/* Whether the four lines of a box are drawn. */
bool boxes_is_closed(const struct boxes_position *position, int box);

/* How many lines are not drawn yet. */
int boxes_free_lines(const struct boxes_position *position);

/* Whether every line is drawn, and so every box closed. */
bool boxes_is_over(const struct boxes_position *position);

/* Who has more boxes: 0, 1, or -1: nobody. */
int boxes_leader(const struct boxes_position *position);

/* The action of drawing a line, and the line of an action. */
struct game_action boxes_action(int edge);
int boxes_action_edge(struct game_action action);

/* The name of an edge by a box and a side, "A1R": the box above it or to its left, where there is
 * one. */
enum { BOXES_EDGE_NAME = 4 };
void boxes_edge_name(struct boxes_grid grid, int edge, char name[BOXES_EDGE_NAME]);
