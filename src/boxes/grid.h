/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The grid of Petits carrés: boxes in rows and columns, and the edges around them, each a number.
 * Boxes are numbered row by row. So are the edges: first the horizontal ones, then the vertical.
 *
 *      2 rows, 3 columns           Visual rows of segments, for the keyboard:
 *
 *      +--0--+--1--+--2--+         0  horizontal, 3 segments
 *      9     10    11    12        1  vertical, 4 segments
 *      +--3--+--4--+--5--+         2
 *      13    14    15    16        3
 *      +--6--+--7--+--8--+         4
 *
 * Functions take grids, boxes and edges that there are.
 */
enum {
	BOXES_SIDE_MAX = 8,
	BOXES_MAX = BOXES_SIDE_MAX * BOXES_SIDE_MAX,
	BOXES_EDGES_MAX = 2 * BOXES_SIDE_MAX * (BOXES_SIDE_MAX + 1),
};

/* 1 to BOXES_SIDE_MAX boxes each way. */
struct boxes_grid {
	uint8_t rows;
	uint8_t columns;
};

enum boxes_side { BOXES_TOP, BOXES_RIGHT, BOXES_BOTTOM, BOXES_LEFT, BOXES_SIDES };

enum boxes_key { BOXES_KEY_LEFT, BOXES_KEY_RIGHT, BOXES_KEY_UP, BOXES_KEY_DOWN };

bool boxes_grid_is_valid(long rows, long columns);
int boxes_count(struct boxes_grid grid);
int boxes_edge_count(struct boxes_grid grid);

/* The edge on one side of a box. */
int boxes_box_edge(struct boxes_grid grid, int box, enum boxes_side side);

/* The boxes on both sides of an edge, the upper or left one first; how many there are, 1 or 2. */
int boxes_edge_boxes(struct boxes_grid grid, int edge, int boxes[2]);

/* Where an edge begins: the dot at its upper or left end. */
struct boxes_segment {
	bool horizontal;
	uint8_t row;
	uint8_t column;
};

struct boxes_segment boxes_edge_segment(struct boxes_grid grid, int edge);

/*
 * Where an arrow key leads: left and right along a visual row of segments, up and down to the next
 * visual row, in the same column where it has one. At the border an edge leads to itself.
 */
int boxes_next_edge(struct boxes_grid grid, int edge, enum boxes_key key);
