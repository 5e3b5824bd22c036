/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/random.h"
#include "boxes_fixture.h"
#include "engine/boxes_ending.h"
#include "engine/boxes_solver.h"

/* A position with some lines drawn at random, and not all. */
static struct boxes_position any_position(struct random *random, int rows, int columns)
{
	struct boxes_position position = boxes_position_of(rows, columns, NULL);
	int edges = boxes_edge_count(position.grid);
	char bits[BOXES_EDGES_MAX + 1] = "";
	uint32_t free_lines = 1 + random_below(random, (uint32_t)edges);

	memset(bits, '1', (size_t)edges);
	while (free_lines > 0) {
		uint32_t edge = random_below(random, (uint32_t)edges);

		free_lines -= bits[edge] == '1';
		bits[edge] = '0';
	}
	return boxes_position_of(rows, columns, bits);
}

static const int grids[][2] = {{1, 5}, {2, 3}, {3, 3}, {4, 4}, {2, 6}, {5, 5}, {3, 7}};

enum { GRIDS = sizeof(grids) / sizeof(grids[0]), ROUNDS = 500 };

/* The turn on sets of boxes is that on the graph of the solver, and leaves the same. */
static void test_boxes_ending__a_turn_is_that_of_the_solver(void **context)
{
	struct random random = {1};

	(void)context;
	for (int i = 0; i < ROUNDS * GRIDS; i++) {
		const int *size = grids[i % GRIDS];
		struct boxes_position position = any_position(&random, size[0], size[1]);
		struct boxes_frame frame = boxes_frame_of(position.grid);
		struct boxes_sides sides = boxes_sides_of(&frame, &position);
		static graph_images images;
		struct boxes_graph graph;
		struct coins coins;
		struct taking expected;
		struct taking taking;

		assert_true(boxes_graph_make(&graph, &images, &position));
		coins = boxes_graph_coins(&graph, boxes_graph_all(&graph));
		expected = coins_take(&graph, &coins);
		taking = boxes_ending_take(&frame, &sides);
		assert_int_equal(taking.taken, expected.taken);
		assert_int_equal(taking.kept, expected.kept);
		assert_int_equal(boxes_sides_open(&sides), coins_open(&coins));
	}
}

static struct boxes_solver *make_solver(void)
{
	struct boxes_solver_settings settings = {1 << 20, 1};
	struct boxes_solver *solver = NULL;

	assert_int_equal(boxes_solver_create(&settings, &solver), STATUS_OK);
	return solver;
}

static struct boxes_answer ask(struct boxes_solver *solver, const struct boxes_position *position)
{
	static const struct boxes_limits no_limits;
	static const struct boxes_host no_host;
	struct boxes_answer answer;

	boxes_solver_ask(solver, position, BOXES_BEST_LINES, &no_limits, &no_host, &answer);
	assert_true(answer.best_known);
	return answer;
}

/* A box that is free to take is never the wrong one; and there is one wherever taking is all there
 * is to do. Where it is not, the best line is one of those that end the turn. */
static void test_boxes_ending__a_free_box_keeps_the_value(void **context)
{
	struct boxes_solver *solver = make_solver();
	struct random random = {2};
	int found = 0;
	int kept = 0;

	(void)context;
	for (int i = 0; i < ROUNDS; i++) {
		const int *size = grids[i % 3];
		struct boxes_position position = any_position(&random, size[0], size[1]);
		struct boxes_frame frame = boxes_frame_of(position.grid);
		struct boxes_sides sides = boxes_sides_of(&frame, &position);
		struct boxes_answer answer = ask(solver, &position);
		int edge = boxes_ending_free_box(&frame, &sides);
		int keeping = boxes_ending_keeping_line(&frame, &sides);

		if (edge >= 0)
			assert_true(answer.best[edge]);
		else if (keeping >= 0)
			kept += answer.best[keeping];
		found += edge >= 0;
	}
	assert_in_range(found, ROUNDS / 4, ROUNDS);
	assert_in_range(kept, 1, ROUNDS);
	boxes_solver_destroy(solver);
}

static struct boxes_sides sides_of(
	struct boxes_frame *frame, int rows, int columns, const char *bits)
{
	struct boxes_position position = boxes_position_of(rows, columns, bits);

	*frame = boxes_frame_of(position.grid);
	return boxes_sides_of(frame, &position);
}

/* Of 3x3, by the lines that are free: 13, 14, 4 and 7 lie between boxes, as do 5, 8, 17 and 18. */
static const struct {
	const char *shape;
	int free[6];
	int count;
	struct taking taking;
} shapes[] = {
	{"one box at the border", {0}, 1, {1, 0}},
	{"a domino", {13}, 1, {2, 0}},
	{"a chain to the border", {13, 0}, 2, {2, 2}},
	{"a closed chain of three", {13, 14}, 2, {3, 0}},
	{"a closed chain of four", {13, 14, 5}, 3, {4, 4}},
	{"three boxes at one", {13, 14, 4}, 3, {4, 0}},
	{"four boxes at one", {4, 7, 17, 18}, 4, {5, 0}},
	{"a closed tree with an arm of two", {13, 14, 4, 7}, 4, {5, 4}},
	{"a tree to the border", {13, 14, 4, 1}, 4, {4, 2}},
	{"two trees, one to the border", {13, 14, 5, 21, 9}, 5, {6, 2}},
	{"a box at a chain", {4, 17, 16, 18, 19}, 5, {1, 0}},
	{"two boxes at a chain", {13, 4, 17, 16, 18, 19}, 6, {2, 2}},
};

enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void test_boxes_ending__what_can_be_kept_of_a_tree(void **context)
{
	(void)context;
	for (int i = 0; i < SHAPES; i++) {
		char bits[25] = "111111111111111111111111";
		struct boxes_frame frame;
		struct boxes_sides sides;
		struct taking taking;

		for (int j = 0; j < shapes[i].count; j++)
			bits[shapes[i].free[j]] = '0';
		sides = sides_of(&frame, 3, 3, bits);
		taking = boxes_ending_take(&frame, &sides);
		if (taking.taken != shapes[i].taking.taken || taking.kept != shapes[i].taking.kept)
			fail_msg("%s: %d taken, %d kept", shapes[i].shape, taking.taken,
				taking.kept);
	}
}

/* One row of three boxes between upright lines, the left ones of which are drawn. */
static void test_boxes_ending__the_line_that_keeps_two_boxes(void **context)
{
	struct boxes_frame frame;
	struct boxes_sides sides;

	(void)context;
	/* All three can be taken: the first is free, the others may be kept. */
	sides = sides_of(&frame, 1, 3, "1111111000");
	assert_int_equal(boxes_ending_free_box(&frame, &sides), 7);
	assert_int_equal(boxes_ending_keeping_line(&frame, &sides), -1);
	sides = sides_of(&frame, 1, 3, "1111111100");
	assert_int_equal(boxes_ending_free_box(&frame, &sides), -1);
	assert_int_equal(boxes_ending_keeping_line(&frame, &sides), 9);
	/* A single box at the border is free: nothing can be kept. */
	sides = sides_of(&frame, 1, 3, "1111111110");
	assert_int_equal(boxes_ending_free_box(&frame, &sides), 9);
	assert_int_equal(boxes_ending_keeping_line(&frame, &sides), -1);
}

static void test_boxes_ending__strings_come_shortest_first(void **context)
{
	struct boxes_ending_string strings[BOXES_MAX];
	struct boxes_frame frame;
	/* Above a loop of four boxes, below a chain of three. */
	struct boxes_sides sides = sides_of(&frame, 3, 3,
		"111"
		"001"
		"111"
		"111"
		"1011"
		"1011"
		"0000");
	int count = boxes_ending_strings(&frame, &sides, strings);

	(void)context;
	assert_int_equal(count, 2);
	assert_int_equal(strings[0].length, 3);
	assert_false(strings[0].loop);
	assert_int_equal(strings[1].length, 4);
	assert_true(strings[1].loop);
}

/* Of strings that have nothing to do with each other, exactly what the solver says. */
static void test_boxes_ending__strings_alone_have_their_exact_value(void **context)
{
	struct boxes_solver *solver = make_solver();
	struct string_sums *sums = calloc(1, sizeof(*sums));
	struct random random = {3};
	int seen = 0;

	(void)context;
	assert_non_null(sums);
	string_sums_init(sums);
	while (seen < ROUNDS) {
		struct boxes_position position = any_position(&random, 3, 3);
		struct boxes_frame frame = boxes_frame_of(position.grid);
		struct boxes_sides sides = boxes_sides_of(&frame, &position);
		struct boxes_degrees degrees = boxes_sides_degrees(&sides);

		if (degrees.one || degrees.more)
			continue;
		seen++;
		assert_int_equal(boxes_ending_value(&frame, &sides, BOXES_DOUBLE_DEALT, sums),
			ask(solver, &position).value.low);
	}
	free(sums);
	boxes_solver_destroy(solver);
}

/* Where all is always taken, each string goes whole to who does not open it: -1 + 2 - 3. */
static void test_boxes_ending__without_double_dealing_strings_alternate(void **context)
{
	struct string_sums *sums = calloc(1, sizeof(*sums));
	struct boxes_frame frame;
	/* A row each of two, three and one box that hang together. */
	struct boxes_sides sides = sides_of(&frame, 3, 3,
		"101"
		"111"
		"111"
		"011"
		"0011"
		"0000"
		"0111");

	(void)context;
	assert_non_null(sums);
	string_sums_init(sums);
	assert_int_equal(boxes_ending_value(&frame, &sides, BOXES_ALL_IS_TAKEN, sums), -2);
	free(sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_ending__a_turn_is_that_of_the_solver),
		cmocka_unit_test(test_boxes_ending__a_free_box_keeps_the_value),
		cmocka_unit_test(test_boxes_ending__what_can_be_kept_of_a_tree),
		cmocka_unit_test(test_boxes_ending__the_line_that_keeps_two_boxes),
		cmocka_unit_test(test_boxes_ending__strings_come_shortest_first),
		cmocka_unit_test(test_boxes_ending__strings_alone_have_their_exact_value),
		cmocka_unit_test(test_boxes_ending__without_double_dealing_strings_alternate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
