/* SPDX-License-Identifier: MIT */

/*
 * Petits carrés for the browser: beside the rules, what a page needs to know of a grid in order to
 * draw it and to walk on it. -1 answers for a grid, a box or an edge that there is not.
 */
#include "boxes/boxes.h"
#include "wasm/buffers.h"
#include "wasm/current.h"

EXPORT(edge_count) int wasm_edge_count(int rows, int columns);
EXPORT(box_edge) int wasm_box_edge(int rows, int columns, int box, int side);
EXPORT(edge_row) int wasm_edge_row(int rows, int columns, int edge);
EXPORT(edge_column) int wasm_edge_column(int rows, int columns, int edge);
EXPORT(edge_is_horizontal) int wasm_edge_is_horizontal(int rows, int columns, int edge);
EXPORT(next_edge) int wasm_next_edge(int rows, int columns, int edge, int key);

const struct game_ops *const wasm_game = &petits_carres;

static struct boxes_grid grid_of(int rows, int columns)
{
	return (struct boxes_grid){(uint8_t)rows, (uint8_t)columns};
}

static bool has_edge(int rows, int columns, int edge)
{
	return boxes_grid_is_valid(rows, columns) && edge >= 0 &&
	       edge < boxes_edge_count(grid_of(rows, columns));
}

int wasm_edge_count(int rows, int columns)
{
	return boxes_grid_is_valid(rows, columns) ? boxes_edge_count(grid_of(rows, columns)) : -1;
}

int wasm_box_edge(int rows, int columns, int box, int side)
{
	if (!boxes_grid_is_valid(rows, columns) || box < 0 || box >= rows * columns || side < 0 ||
		side >= BOXES_SIDES)
		return -1;
	return boxes_box_edge(grid_of(rows, columns), box, (enum boxes_side)side);
}

int wasm_edge_row(int rows, int columns, int edge)
{
	if (!has_edge(rows, columns, edge))
		return -1;
	return boxes_edge_segment(grid_of(rows, columns), edge).row;
}

int wasm_edge_column(int rows, int columns, int edge)
{
	if (!has_edge(rows, columns, edge))
		return -1;
	return boxes_edge_segment(grid_of(rows, columns), edge).column;
}

int wasm_edge_is_horizontal(int rows, int columns, int edge)
{
	if (!has_edge(rows, columns, edge))
		return -1;
	return boxes_edge_segment(grid_of(rows, columns), edge).horizontal;
}

int wasm_next_edge(int rows, int columns, int edge, int key)
{
	if (!has_edge(rows, columns, edge) || key < BOXES_KEY_LEFT || key > BOXES_KEY_DOWN)
		return -1;
	return boxes_next_edge(grid_of(rows, columns), edge, (enum boxes_key)key);
}
