/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "boxes_fixture.h"
#include "engine/boxes_search.h"

/*
 * The search against plain dynamic programming, which knows of no chain: of every set of free edges
 * the value is the best over its edges, in the order of the sets as numbers. A key that once mixed
 * up two counts of chains gave right values of whole grids and wrong ones of a position in a
 * thousand.
 */
struct plain {
	graph_images images;
	struct boxes_graph graph;
	int8_t *values; /* by set of edges */
};

static int closed_by(const struct boxes_graph *graph, uint64_t edges, int edge)
{
	int closed = 0;

	for (uint64_t boxes = graph->edge_boxes[edge]; boxes; boxes &= boxes - 1)
		closed += (graph->box_edges[bits_first64(boxes)] & edges) == bit(edge);
	return closed;
}

static struct plain *plain_make(int rows, int columns)
{
	struct boxes_position empty = boxes_position_of(rows, columns, NULL);
	struct plain *plain = malloc(sizeof(*plain));

	assert_non_null(plain);
	assert_true(boxes_graph_make(&plain->graph, &plain->images, &empty));
	plain->values = malloc((size_t)1 << plain->graph.edges);
	assert_non_null(plain->values);
	plain->values[0] = 0;
	for (uint64_t edges = 1; edges < bit(plain->graph.edges); edges++) {
		int best = -BOXES_MAX;

		for (uint64_t rest = edges; rest; rest &= rest - 1) {
			int edge = bits_first64(rest);
			int after = plain->values[edges & ~bit(edge)];
			int closed = closed_by(&plain->graph, edges, edge);
			int value = closed ? closed + after : -after;

			best = value > best ? value : best;
		}
		plain->values[edges] = (int8_t)best;
	}
	return plain;
}

static void plain_free(struct plain *plain)
{
	free(plain->values);
	free(plain);
}

static void check_value(const struct plain *plain, struct boxes_search *search, uint64_t edges)
{
	struct coins coins = boxes_graph_coins(&plain->graph, edges);
	int value = plain->values[edges];

	if (!boxes_search_reaches(search, &coins, value) ||
		boxes_search_reaches(search, &coins, value + 1))
		fail_msg("%d x %d, edges %llx: the value is %d", plain->graph.grid.rows,
			plain->graph.grid.columns, (unsigned long long)edges, value);
}

/* Every set; or, where `samples` is not 0, so many at random. */
static void check_grid(int rows, int columns, long samples)
{
	struct plain *plain = plain_make(rows, columns);
	struct string_sums *sums = malloc(sizeof(*sums));
	struct random random = {(uint64_t)(16 * rows + columns)};
	uint64_t all = boxes_graph_all(&plain->graph);
	struct boxes_search search = {.graph = &plain->graph, .sums = sums};

	assert_non_null(sums);
	string_sums_init(sums);
	assert_int_equal(boxes_table_create(1 << 24, &search.table), STATUS_OK);
	boxes_table_widen(search.table, 1 << 24);
	for (uint64_t edges = 0; !samples && edges <= all; edges++)
		check_value(plain, &search, edges);
	for (long i = 0; i < samples; i++)
		check_value(plain, &search, random_next(&random) & all);
	boxes_table_destroy(search.table);
	free(sums);
	plain_free(plain);
}

static long samples(void)
{
	const char *given = getenv("KOMADAI_TEST_SUBSETS");

	return given ? strtol(given, NULL, 10) : 1000000;
}

static void test_boxes_search__every_position_of_1_by_5(void **context)
{
	(void)context;
	check_grid(1, 5, 0);
}

static void test_boxes_search__every_position_of_2_by_2(void **context)
{
	(void)context;
	check_grid(2, 2, 0);
}

static void test_boxes_search__every_position_of_2_by_3(void **context)
{
	(void)context;
	check_grid(2, 3, 0);
}

static void test_boxes_search__positions_of_2_by_4(void **context)
{
	(void)context;
	check_grid(2, 4, samples());
}

static void test_boxes_search__positions_of_3_by_3(void **context)
{
	(void)context;
	check_grid(3, 3, samples());
}

static void test_boxes_search__positions_of_2_by_5(void **context)
{
	(void)context;
	check_grid(2, 5, samples());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_search__every_position_of_1_by_5),
		cmocka_unit_test(test_boxes_search__every_position_of_2_by_2),
		cmocka_unit_test(test_boxes_search__every_position_of_2_by_3),
		cmocka_unit_test(test_boxes_search__positions_of_2_by_4),
		cmocka_unit_test(test_boxes_search__positions_of_3_by_3),
		cmocka_unit_test(test_boxes_search__positions_of_2_by_5),
	};

	return cmocka_run_group_tests_name("boxes_search", tests, NULL, NULL);
}
