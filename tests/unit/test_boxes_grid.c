/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "boxes/grid.h"

static void each_grid(void (*visit)(struct boxes_grid grid))
{
	for (uint8_t rows = 1; rows <= BOXES_SIDE_MAX; rows++)
		for (uint8_t columns = 1; columns <= BOXES_SIDE_MAX; columns++)
			visit((struct boxes_grid){rows, columns});
}

static void test_grid__has_1_to_8_rows_and_columns(void **context)
{
	(void)context;
	assert_true(boxes_grid_is_valid(1, 1));
	assert_true(boxes_grid_is_valid(8, 8));
	assert_true(boxes_grid_is_valid(1, 8));
	assert_false(boxes_grid_is_valid(0, 7));
	assert_false(boxes_grid_is_valid(6, 0));
	assert_false(boxes_grid_is_valid(9, 7));
	assert_false(boxes_grid_is_valid(6, 9));
	assert_false(boxes_grid_is_valid(-1, 7));
	assert_false(boxes_grid_is_valid(LONG_MAX, LONG_MIN));
}

static void test_grid__public_grid_has_42_boxes_and_97_edges(void **context)
{
	const struct boxes_grid grid = {6, 7};

	(void)context;
	assert_int_equal(boxes_count(grid), 42);
	assert_int_equal(boxes_edge_count(grid), 97);
	assert_int_equal(boxes_count((struct boxes_grid){8, 8}), BOXES_MAX);
	assert_int_equal(boxes_edge_count((struct boxes_grid){8, 8}), BOXES_EDGES_MAX);
}

/* The drawing in grid.h. */
static void test_edges__are_numbered_row_by_row_the_horizontal_ones_first(void **context)
{
	static const struct {
		int edge;
		bool horizontal;
		int row;
		int column;
	} rows[] = {
		{0, true, 0, 0},
		{2, true, 0, 2},
		{3, true, 1, 0},
		{8, true, 2, 2},
		{9, false, 0, 0},
		{12, false, 0, 3},
		{13, false, 1, 0},
		{16, false, 1, 3},
	};
	const struct boxes_grid grid = {2, 3};

	(void)context;
	assert_int_equal(boxes_edge_count(grid), 17);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct boxes_segment segment = boxes_edge_segment(grid, rows[i].edge);

		assert_int_equal(segment.horizontal, rows[i].horizontal);
		assert_int_equal(segment.row, rows[i].row);
		assert_int_equal(segment.column, rows[i].column);
	}
}

static void test_box__has_its_four_edges(void **context)
{
	const struct boxes_grid grid = {6, 7};

	(void)context;
	assert_int_equal(boxes_box_edge(grid, 0, BOXES_TOP), 0);
	assert_int_equal(boxes_box_edge(grid, 0, BOXES_RIGHT), 50);
	assert_int_equal(boxes_box_edge(grid, 0, BOXES_BOTTOM), 7);
	assert_int_equal(boxes_box_edge(grid, 0, BOXES_LEFT), 49);
	assert_int_equal(boxes_box_edge(grid, 41, BOXES_TOP), 41);
	assert_int_equal(boxes_box_edge(grid, 41, BOXES_RIGHT), 96);
	assert_int_equal(boxes_box_edge(grid, 41, BOXES_BOTTOM), 48);
	assert_int_equal(boxes_box_edge(grid, 41, BOXES_LEFT), 95);
}

/* What the sides of all boxes say of each edge, and what the edge says of itself. */
static void visit_shared_edges(struct boxes_grid grid)
{
	int found[BOXES_EDGES_MAX][2];
	int counts[BOXES_EDGES_MAX] = {0};

	for (int box = 0; box < boxes_count(grid); box++) {
		for (int side = BOXES_TOP; side < BOXES_SIDES; side++) {
			int edge = boxes_box_edge(grid, box, (enum boxes_side)side);

			assert_in_range(edge, 0, boxes_edge_count(grid) - 1);
			assert_true(counts[edge] < 2);
			found[edge][counts[edge]++] = box;
		}
	}
	for (int edge = 0; edge < boxes_edge_count(grid); edge++) {
		struct boxes_segment segment = boxes_edge_segment(grid, edge);
		bool border = segment.horizontal
				      ? segment.row == 0 || segment.row == grid.rows
				      : segment.column == 0 || segment.column == grid.columns;
		int boxes[2];

		assert_int_equal(boxes_edge_boxes(grid, edge, boxes), counts[edge]);
		assert_int_equal(counts[edge], border ? 1 : 2);
		for (int i = 0; i < counts[edge]; i++)
			assert_int_equal(boxes[i], found[edge][i]);
	}
}

static void test_edge__belongs_to_one_box_at_the_border_and_to_two_inside(void **context)
{
	(void)context;
	each_grid(visit_shared_edges);
}

/* Visual rows as the page shows them, from the top: row `row` has the edges `edges[row]`. */
struct screen {
	int rows;
	int width[2 * BOXES_SIDE_MAX + 1];
	int edges[2 * BOXES_SIDE_MAX + 1][BOXES_SIDE_MAX + 1];
};

static struct screen screen_of(struct boxes_grid grid)
{
	struct screen screen = {.rows = 2 * grid.rows + 1};
	int edge = 0;

	for (int odd = 0; odd < 2; odd++) {
		for (int row = odd; row < screen.rows; row += 2) {
			screen.width[row] = grid.columns + odd;
			for (int column = 0; column < screen.width[row]; column++)
				screen.edges[row][column] = edge++;
		}
	}
	assert_int_equal(edge, boxes_edge_count(grid));
	return screen;
}

/* The edge of that place, or `edge` where the screen ends; the last one of a shorter row. */
static int edge_at(const struct screen *screen, int row, int column, int edge)
{
	if (row < 0 || row >= screen->rows || column < 0)
		return edge;
	return screen->edges[row][column < screen->width[row] ? column : screen->width[row] - 1];
}

static void visit_arrows(struct boxes_grid grid)
{
	struct screen screen = screen_of(grid);

	for (int row = 0; row < screen.rows; row++) {
		for (int column = 0; column < screen.width[row]; column++) {
			int edge = screen.edges[row][column];

			assert_int_equal(boxes_next_edge(grid, edge, BOXES_KEY_LEFT),
				edge_at(&screen, row, column - 1, edge));
			assert_int_equal(boxes_next_edge(grid, edge, BOXES_KEY_RIGHT),
				edge_at(&screen, row, column + 1, edge));
			assert_int_equal(boxes_next_edge(grid, edge, BOXES_KEY_UP),
				edge_at(&screen, row - 1, column, edge));
			assert_int_equal(boxes_next_edge(grid, edge, BOXES_KEY_DOWN),
				edge_at(&screen, row + 1, column, edge));
		}
	}
}

static void test_next_edge__moves_as_the_eye_does_on_every_grid(void **context)
{
	(void)context;
	each_grid(visit_arrows);
}

static void visit_reach(struct boxes_grid grid)
{
	bool reached[BOXES_EDGES_MAX] = {true};
	int queue[BOXES_EDGES_MAX] = {0};
	int count = 1;

	for (int i = 0; i < count; i++) {
		for (int key = BOXES_KEY_LEFT; key <= BOXES_KEY_DOWN; key++) {
			int edge = boxes_next_edge(grid, queue[i], (enum boxes_key)key);

			assert_in_range(edge, 0, boxes_edge_count(grid) - 1);
			if (!reached[edge])
				queue[count++] = edge;
			reached[edge] = true;
		}
	}
	assert_int_equal(count, boxes_edge_count(grid));
}

static void test_next_edge__reaches_every_edge_of_every_grid(void **context)
{
	(void)context;
	each_grid(visit_reach);
}

static void test_next_edge__stays_at_the_borders_of_the_public_grid(void **context)
{
	const struct boxes_grid grid = {6, 7};

	(void)context;
	assert_int_equal(boxes_next_edge(grid, 0, BOXES_KEY_UP), 0);
	assert_int_equal(boxes_next_edge(grid, 0, BOXES_KEY_LEFT), 0);
	assert_int_equal(boxes_next_edge(grid, 6, BOXES_KEY_RIGHT), 6);
	assert_int_equal(boxes_next_edge(grid, 48, BOXES_KEY_DOWN), 48);
	assert_int_equal(boxes_next_edge(grid, 49, BOXES_KEY_LEFT), 49);
	assert_int_equal(boxes_next_edge(grid, 56, BOXES_KEY_RIGHT), 56);
	/* Rows of vertical segments have one more than those around them. */
	assert_int_equal(boxes_next_edge(grid, 56, BOXES_KEY_UP), 6);
	assert_int_equal(boxes_next_edge(grid, 56, BOXES_KEY_DOWN), 13);
	assert_int_equal(boxes_next_edge(grid, 6, BOXES_KEY_DOWN), 55);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grid__has_1_to_8_rows_and_columns),
		cmocka_unit_test(test_grid__public_grid_has_42_boxes_and_97_edges),
		cmocka_unit_test(test_edges__are_numbered_row_by_row_the_horizontal_ones_first),
		cmocka_unit_test(test_box__has_its_four_edges),
		cmocka_unit_test(test_edge__belongs_to_one_box_at_the_border_and_to_two_inside),
		cmocka_unit_test(test_next_edge__moves_as_the_eye_does_on_every_grid),
		cmocka_unit_test(test_next_edge__reaches_every_edge_of_every_grid),
		cmocka_unit_test(test_next_edge__stays_at_the_borders_of_the_public_grid),
	};

	return cmocka_run_group_tests_name("boxes_grid", tests, NULL, NULL);
}
