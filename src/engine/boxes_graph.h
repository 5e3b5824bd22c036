/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "boxes/boxes.h"

/*
 * A position of Petits carrés as strings and coins: the coins are the open boxes, numbered as in
 * the grid, the strings the free edges, each tied to one box and the ground, outside the grid, or
 * to two. To draw an edge is to cut its string. At most 64 of either, so that a set of them is a
 * word; the graph is that of one position, and every later one is a subset of its edges.
 *
 * Edges are numbered in the order in which a search likes to try them, the last one first: those
 * near the middle of the grid. Of all orders tried, a fixed one makes searches meet the same
 * positions most often (docs/engine.md).
 *
 * Two edges of one box that both lead to the ground are twins: which of them is left does not
 * matter. They are numbered 2i and 2i+1, before all others, and the odd one goes first: so
 * positions that differ in this alone are one.
 */
enum { GRAPH_MAX = 64, GRAPH_SYMMETRIES = 8 };

/* What a set becomes under each turn and reflection of the grid, first those that a rectangle has:
 * by byte of the set, and its value. */
typedef uint64_t graph_images[GRAPH_MAX / 8][256][GRAPH_SYMMETRIES];

struct boxes_graph {
	struct boxes_grid grid;
	int edges;
	uint64_t box_edges[GRAPH_MAX];
	uint64_t edge_boxes[GRAPH_MAX];
	uint8_t edge_number[GRAPH_MAX];     /* of the edge in the grid */
	int8_t edge_index[BOXES_EDGES_MAX]; /* of an edge of the grid here; -1: drawn */
	uint64_t edge_right[GRAPH_MAX]; /* the box to whose right it is, if both sides are boxes */
	uint64_t edge_down[GRAPH_MAX];  /* the box below which it is, likewise */
	uint64_t odd_twins;             /* their twins are one bit lower */
	/*
	 * Of a grid whose free edges a symmetry maps to themselves; those that do not stand for
	 * themselves leave all as it is. NULL: none does.
	 */
	const graph_images *images;
};

/* False: more than GRAPH_MAX edges are free. `images` is for the graph to keep. */
bool boxes_graph_make(
	struct boxes_graph *graph, graph_images *images, const struct boxes_position *position);

/*
 * What is left of the graph: its edges; how many of them each box has, 0 to 4, as three planes of
 * bits by box; and which boxes are tied to that on their right, and to that below.
 */
struct coins {
	uint64_t edges;
	uint64_t count0;
	uint64_t count1;
	uint64_t count2;
	uint64_t right;
	uint64_t down;
};

/* All edges of the graph. */
static inline uint64_t boxes_graph_all(const struct boxes_graph *graph)
{
	return graph->edges ? UINT64_MAX >> (GRAPH_MAX - graph->edges) : 0;
}

struct coins boxes_graph_coins(const struct boxes_graph *graph, uint64_t edges);

static ALWAYS_INLINE uint64_t bit(int index)
{
	return UINT64_C(1) << index;
}

/* Boxes with one free edge, which can be taken; with two, on a string; with more, joints. */
static ALWAYS_INLINE uint64_t coins_capturable(const struct coins *coins)
{
	return coins->count0 & ~coins->count1 & ~coins->count2;
}

static ALWAYS_INLINE uint64_t coins_on_string(const struct coins *coins)
{
	return coins->count1 & ~coins->count0;
}

static ALWAYS_INLINE uint64_t coins_open(const struct coins *coins)
{
	return coins->count0 | coins->count1 | coins->count2;
}

static ALWAYS_INLINE uint64_t coins_joints(const struct coins *coins)
{
	return (coins->count0 & coins->count1) | coins->count2;
}

/* The boxes of a set and all that are tied to one of them. */
static ALWAYS_INLINE uint64_t coins_tied(
	const struct boxes_graph *graph, const struct coins *coins, uint64_t boxes)
{
	int columns = graph->grid.columns;

	return boxes | (boxes & coins->right) << 1 | (boxes >> 1 & coins->right) |
	       (boxes & coins->down) << columns | (boxes >> columns & coins->down);
}

/* The boxes of `within` that a way leads to from `boxes` through such boxes, and these. */
static ALWAYS_INLINE uint64_t coins_reached(
	const struct boxes_graph *graph, const struct coins *coins, uint64_t boxes, uint64_t within)
{
	for (;;) {
		uint64_t more = boxes | (coins_tied(graph, coins, boxes) & within);

		if (more == boxes)
			return boxes;
		boxes = more;
	}
}

static ALWAYS_INLINE uint64_t coins_edges_of(
	const struct boxes_graph *graph, const struct coins *coins, uint64_t boxes)
{
	uint64_t edges = 0;

	for (; boxes; boxes &= boxes - 1)
		edges |= graph->box_edges[bits_first64(boxes)];
	return edges & coins->edges;
}

static ALWAYS_INLINE void coins_cut(const struct boxes_graph *graph, struct coins *coins, int edge)
{
	uint64_t boxes = graph->edge_boxes[edge];
	uint64_t borrow = boxes & ~coins->count0;

	coins->edges &= ~bit(edge);
	coins->right &= ~graph->edge_right[edge];
	coins->down &= ~graph->edge_down[edge];
	coins->count0 ^= boxes;
	coins->count2 ^= borrow & ~coins->count1;
	coins->count1 ^= borrow;
}
