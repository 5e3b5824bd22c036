/* SPDX-License-Identifier: MIT */
#include "boxes/grid.h"

#include <assert.h>

bool boxes_grid_is_valid(long rows, long columns)
{
	return rows >= 1 && rows <= BOXES_SIDE_MAX && columns >= 1 && columns <= BOXES_SIDE_MAX;
}

int boxes_count(struct boxes_grid grid)
{
	return grid.rows * grid.columns;
}

static int horizontal_count(struct boxes_grid grid)
{
	return (grid.rows + 1) * grid.columns;
}

int boxes_edge_count(struct boxes_grid grid)
{
	return horizontal_count(grid) + grid.rows * (grid.columns + 1);
}

static int horizontal_edge(struct boxes_grid grid, int row, int column)
{
	return row * grid.columns + column;
}

static int vertical_edge(struct boxes_grid grid, int row, int column)
{
	return horizontal_count(grid) + row * (grid.columns + 1) + column;
}

int boxes_box_edge(struct boxes_grid grid, int box, enum boxes_side side)
{
	int row = box / grid.columns;
	int column = box % grid.columns;

	assert(box >= 0 && box < boxes_count(grid));
	switch (side) {
	case BOXES_TOP:
		return horizontal_edge(grid, row, column);
	case BOXES_BOTTOM:
		return horizontal_edge(grid, row + 1, column);
	case BOXES_LEFT:
		return vertical_edge(grid, row, column);
	default:
		return vertical_edge(grid, row, column + 1);
	}
}

struct boxes_segment boxes_edge_segment(struct boxes_grid grid, int edge)
{
	int vertical = edge - horizontal_count(grid);

	assert(edge >= 0 && edge < boxes_edge_count(grid));
	if (vertical < 0)
		return (struct boxes_segment){
			true, (uint8_t)(edge / grid.columns), (uint8_t)(edge % grid.columns)};
	return (struct boxes_segment){false, (uint8_t)(vertical / (grid.columns + 1)),
		(uint8_t)(vertical % (grid.columns + 1))};
}

int boxes_edge_boxes(struct boxes_grid grid, int edge, int boxes[2])
{
	struct boxes_segment segment = boxes_edge_segment(grid, edge);
	int box = segment.row * grid.columns + segment.column;
	int count = 0;

	if (segment.horizontal ? segment.row > 0 : segment.column > 0)
		boxes[count++] = segment.horizontal ? box - grid.columns : box - 1;
	if (segment.horizontal ? segment.row < grid.rows : segment.column < grid.columns)
		boxes[count++] = box;
	return count;
}

int boxes_next_edge(struct boxes_grid grid, int edge, enum boxes_key key)
{
	struct boxes_segment at = boxes_edge_segment(grid, edge);
	int last = at.horizontal ? grid.columns - 1 : grid.columns;

	switch (key) {
	case BOXES_KEY_LEFT:
		return at.column > 0 ? edge - 1 : edge;
	case BOXES_KEY_RIGHT:
		return at.column < last ? edge + 1 : edge;
	case BOXES_KEY_UP:
		if (at.horizontal)
			return at.row > 0 ? vertical_edge(grid, at.row - 1, at.column) : edge;
		break;
	default:
		if (at.horizontal)
			return at.row < grid.rows ? vertical_edge(grid, at.row, at.column) : edge;
		at.row++;
	}
	/* A visual row of vertical segments has one more than those above and below it. */
	return horizontal_edge(
		grid, at.row, at.column < grid.columns ? at.column : grid.columns - 1);
}
