/* SPDX-License-Identifier: MIT */
#include "engine/boxes_graph.h"

#include <stdlib.h>
#include <string.h>

/* Turns and reflections of a grid; those that swap rows and columns need a square. */
enum symmetry { MIRROR_ROWS = 1, MIRROR_COLUMNS = 2, TRANSPOSE = 4 };

static int symmetric_box(struct boxes_grid grid, int box, int symmetry)
{
	int row = box / grid.columns;
	int column = box % grid.columns;

	if (symmetry & MIRROR_ROWS)
		row = grid.rows - 1 - row;
	if (symmetry & MIRROR_COLUMNS)
		column = grid.columns - 1 - column;
	return symmetry & TRANSPOSE ? column * grid.columns + row : row * grid.columns + column;
}

static enum boxes_side symmetric_side(enum boxes_side side, int symmetry)
{
	static const enum boxes_side mirrored[] = {
		[BOXES_TOP] = BOXES_BOTTOM,
		[BOXES_RIGHT] = BOXES_LEFT,
		[BOXES_BOTTOM] = BOXES_TOP,
		[BOXES_LEFT] = BOXES_RIGHT,
	};
	static const enum boxes_side transposed[] = {
		[BOXES_TOP] = BOXES_LEFT,
		[BOXES_RIGHT] = BOXES_BOTTOM,
		[BOXES_BOTTOM] = BOXES_RIGHT,
		[BOXES_LEFT] = BOXES_TOP,
	};
	bool horizontal = side == BOXES_TOP || side == BOXES_BOTTOM;

	if (symmetry & (horizontal ? MIRROR_ROWS : MIRROR_COLUMNS))
		side = mirrored[side];
	return symmetry & TRANSPOSE ? transposed[side] : side;
}

static int symmetric_edge(struct boxes_grid grid, int box, enum boxes_side side, int symmetry)
{
	return boxes_box_edge(
		grid, symmetric_box(grid, box, symmetry), symmetric_side(side, symmetry));
}

static bool is_free(const struct boxes_position *position, int edge)
{
	return position->lines[edge] == BOXES_FREE;
}

static bool add_edge(struct boxes_graph *graph, const struct boxes_position *position, int edge)
{
	if (!is_free(position, edge) || graph->edge_index[edge] >= 0)
		return true;
	if (graph->edges == GRAPH_MAX)
		return false;
	graph->edge_index[edge] = (int8_t)graph->edges;
	graph->edge_number[graph->edges++] = (uint8_t)edge;
	return true;
}

/* The two first free edges of a box that lead to the ground; false: there are none, or one. */
static bool find_twins(const struct boxes_position *position, int box, int twins[2])
{
	int count = 0;

	for (int side = 0; side < BOXES_SIDES && count < 2; side++) {
		int edge = boxes_box_edge(position->grid, box, (enum boxes_side)side);
		int boxes[2];

		if (is_free(position, edge) && boxes_edge_boxes(position->grid, edge, boxes) == 1)
			twins[count++] = edge;
	}
	return count == 2;
}

/* How far an edge is from the middle of the grid, in half boxes; then its columns count double. */
static int distance(struct boxes_grid grid, int edge)
{
	struct boxes_segment segment = boxes_edge_segment(grid, edge);
	int row = 2 * segment.row + !segment.horizontal;
	int column = 2 * segment.column + segment.horizontal;

	return abs(row - grid.rows) + 2 * abs(column - grid.columns);
}

/* Twins, which have the lowest numbers, then the others from the border inwards. */
static bool number_edges(struct boxes_graph *graph, const struct boxes_position *position)
{
	struct boxes_grid grid = position->grid;
	int twins[2];

	memset(graph->edge_index, -1, sizeof(graph->edge_index));
	for (int box = 0; box < boxes_count(grid); box++) {
		if (!find_twins(position, box, twins))
			continue;
		if (!add_edge(graph, position, twins[0]) || !add_edge(graph, position, twins[1]))
			return false;
		graph->odd_twins |= bit(graph->edges - 1);
	}
	for (int far = 3 * 2 * BOXES_SIDE_MAX; far >= 0; far--)
		for (int edge = 0; edge < boxes_edge_count(grid); edge++)
			if (distance(grid, edge) == far && !add_edge(graph, position, edge))
				return false;
	return true;
}

static void tie_boxes(struct boxes_graph *graph)
{
	for (int box = 0; box < boxes_count(graph->grid); box++) {
		for (int side = 0; side < BOXES_SIDES; side++) {
			int number = boxes_box_edge(graph->grid, box, (enum boxes_side)side);
			int edge = graph->edge_index[number];
			int ends[2];

			if (edge < 0)
				continue;
			graph->box_edges[box] |= bit(edge);
			graph->edge_boxes[edge] |= bit(box);
			if (boxes_edge_boxes(graph->grid, number, ends) < 2)
				continue;
			if (boxes_edge_segment(graph->grid, number).horizontal)
				graph->edge_down[edge] = bit(ends[0]);
			else
				graph->edge_right[edge] = bit(ends[0]);
		}
	}
}

/* Where each edge goes; false: a free one would become a drawn one. */
static bool find_image(const struct boxes_graph *graph, const struct boxes_position *position,
	int symmetry, uint8_t image[GRAPH_MAX])
{
	struct boxes_grid grid = position->grid;

	for (int box = 0; box < boxes_count(grid); box++) {
		for (int side = 0; side < BOXES_SIDES; side++) {
			int edge = boxes_box_edge(grid, box, (enum boxes_side)side);
			int other = symmetric_edge(grid, box, (enum boxes_side)side, symmetry);

			if (graph->edge_index[edge] < 0)
				continue;
			if (graph->edge_index[other] < 0)
				return false;
			image[graph->edge_index[edge]] = (uint8_t)graph->edge_index[other];
		}
	}
	return true;
}

static void set_image(const struct boxes_graph *graph, graph_images *images, int symmetry,
	const uint8_t image[GRAPH_MAX])
{
	for (int byte = 0; byte < GRAPH_MAX / 8; byte++) {
		(*images)[byte][0][symmetry] = 0;
		for (int value = 1; value < 256; value++) {
			int edge = 8 * byte + bits_first32((uint32_t)value);

			(*images)[byte][value][symmetry] =
				(*images)[byte][value & (value - 1)][symmetry] |
				(edge < graph->edges ? bit(image[edge]) : 0);
		}
	}
}

static void find_symmetries(
	struct boxes_graph *graph, graph_images *images, const struct boxes_position *position)
{
	bool square = position->grid.rows == position->grid.columns;

	for (int symmetry = 0; symmetry < GRAPH_SYMMETRIES; symmetry++) {
		uint8_t image[GRAPH_MAX];
		bool found = (square || !(symmetry & TRANSPOSE)) &&
			     find_image(graph, position, symmetry, image);

		if (found && symmetry)
			graph->images = (const graph_images *)images;
		for (int edge = 0; !found && edge < GRAPH_MAX; edge++)
			image[edge] = (uint8_t)edge;
		set_image(graph, images, symmetry, image);
	}
}

bool boxes_graph_make(
	struct boxes_graph *graph, graph_images *images, const struct boxes_position *position)
{
	*graph = (struct boxes_graph){.grid = position->grid};
	if (!number_edges(graph, position))
		return false;
	tie_boxes(graph);
	find_symmetries(graph, images, position);
	return true;
}

struct coins boxes_graph_coins(const struct boxes_graph *graph, uint64_t edges)
{
	struct coins coins = {.edges = edges};

	for (int box = 0; box < boxes_count(graph->grid); box++) {
		unsigned count = (unsigned)bits_count64(graph->box_edges[box] & edges);

		coins.count0 |= (uint64_t)(count & 1) << box;
		coins.count1 |= (uint64_t)(count >> 1 & 1) << box;
		coins.count2 |= (uint64_t)(count >> 2) << box;
	}
	for (uint64_t rest = edges; rest; rest &= rest - 1) {
		coins.right |= graph->edge_right[bits_first64(rest)];
		coins.down |= graph->edge_down[bits_first64(rest)];
	}
	return coins;
}
