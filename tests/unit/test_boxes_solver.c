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
#include "cases.h"
#include "engine/boxes_set.h"
#include "engine/boxes_solver.h"

static const struct boxes_limits no_limits;
static const struct boxes_host no_host;

static struct boxes_solver *make_solver(size_t table_bytes, int threads)
{
	struct boxes_solver *solver = NULL;
	struct boxes_solver_settings settings = {table_bytes, threads};

	assert_int_equal(boxes_solver_create(&settings, &solver), STATUS_OK);
	return solver;
}

static int value_of_empty(struct boxes_solver *solver, int rows, int columns)
{
	struct boxes_position empty = boxes_position_of(rows, columns, NULL);
	struct boxes_answer answer;

	boxes_solver_ask(solver, &empty, BOXES_VALUE, &no_limits, &no_host, &answer);
	assert_int_equal(answer.value.low, answer.value.high);
	return answer.value.low;
}

/* The values that are published, and those of rows of boxes, which alternate. */
static void test_boxes_solver__values_of_empty_grids(void **context)
{
	static const struct {
		int rows;
		int columns;
		int value;
	} grids[] = {
		{1, 1, -1},
		{1, 2, 0},
		{1, 3, -1},
		{1, 4, 0},
		{1, 5, -1},
		{1, 6, 0},
		{1, 7, -1},
		{1, 8, 0},
		{2, 2, 2},
		{2, 3, -2},
		{2, 4, 2},
		{2, 5, -2},
		{3, 3, -3},
	};
	struct boxes_solver *solver = make_solver(1 << 24, 1);

	(void)context;
	for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++) {
		assert_int_equal(
			value_of_empty(solver, grids[i].rows, grids[i].columns), grids[i].value);
		assert_int_equal(
			value_of_empty(solver, grids[i].columns, grids[i].rows), grids[i].value);
	}
	boxes_solver_destroy(solver);
}

static struct boxes_solver *row_solver;
static enum boxes_question row_question;

/* rows, columns, bits, value, free, method, optimal, tags */
static void visit_value(const struct case_row *row)
{
	struct boxes_position position =
		boxes_position_of(atoi(row->column[0]), atoi(row->column[1]), row->column[2]);
	struct boxes_answer answer;
	char best[1024] = "";
	size_t length = 0;

	boxes_solver_ask(row_solver, &position, row_question, &no_limits, &no_host, &answer);
	assert_true(answer.best_known);
	for (int edge = 0; edge < boxes_edge_count(position.grid); edge++)
		if (answer.best[edge])
			length += (size_t)snprintf(best + length, sizeof(best) - length, "%s%d",
				length ? "," : "", edge);
	if (answer.value.low != atoi(row->column[3]) || answer.value.high != answer.value.low ||
		strcmp(best, row->column[6]) != 0)
		fail_msg("%s:%d: value %d..%d by %s", row->file, row->line, answer.value.low,
			answer.value.high, best);
}

static void test_boxes_solver__every_case_with_all_its_best_lines(void **context)
{
	(void)context;
	row_question = BOXES_BEST_LINES;
	for (int threads = 1; threads <= 3; threads++) {
		row_solver = make_solver(1 << 20, threads);
		cases_visit("boxes_values.tsv", 8, visit_value);
		boxes_solver_destroy(row_solver);
	}
}

static void test_boxes_solver__a_table_that_forgets_all_changes_no_value(void **context)
{
	(void)context;
	row_question = BOXES_BEST_LINES;
	row_solver = make_solver(0, 1);
	cases_visit("boxes_values.tsv", 8, visit_value);
	boxes_solver_destroy(row_solver);
}

static int value_after(struct boxes_solver *solver, const struct game_state *state, int edge)
{
	struct boxes_answer answer;
	struct game_state next = *state;
	struct game_record record;
	const struct boxes_position *position = boxes_state_position(&next);

	assert_int_equal(
		petits_carres.play(state, NULL, boxes_action(edge), &next, &record), STATUS_OK);
	boxes_solver_ask(solver, position, BOXES_VALUE, &no_limits, &no_host, &answer);
	assert_int_equal(answer.value.low, answer.value.high);
	return position->captured ? position->captured + answer.value.low : -answer.value.low;
}

/* Also with the lines that close a box, and those after which the solver goes on in the same graph.
 */
static void test_boxes_solver__the_score_of_each_line_is_the_value_after_it(void **context)
{
	struct game_state state = boxes_state_of(3, 3, "011101001010010110001101");
	const struct boxes_position *position = boxes_state_position(&state);
	struct boxes_solver *solver = make_solver(1 << 20, 1);
	struct boxes_solver *other = make_solver(1 << 20, 1);
	struct boxes_answer answer;

	(void)context;
	boxes_solver_ask(solver, position, BOXES_ALL_SCORES, &no_limits, &no_host, &answer);
	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++) {
		if (position->lines[edge] != BOXES_FREE)
			continue;
		assert_int_equal(answer.scores[edge].low, value_after(solver, &state, edge));
		assert_int_equal(answer.scores[edge].high, value_after(other, &state, edge));
		assert_int_equal(answer.best[edge], answer.scores[edge].low == answer.value.low);
	}
	boxes_solver_destroy(other);
	boxes_solver_destroy(solver);
}

static void test_boxes_solver__a_finished_position_is_worth_nothing(void **context)
{
	struct boxes_position position = boxes_position_of(1, 2, "1111111");
	struct boxes_solver *solver = make_solver(1 << 16, 1);
	struct boxes_answer answer;

	(void)context;
	boxes_solver_ask(solver, &position, BOXES_ALL_SCORES, &no_limits, &no_host, &answer);
	assert_int_equal(answer.value.low, 0);
	assert_int_equal(answer.value.high, 0);
	assert_true(answer.best_known);
	boxes_solver_destroy(solver);
}

static void test_boxes_solver__what_limits_leave_open_lies_within_the_bounds(void **context)
{
	struct boxes_position empty = boxes_position_of(3, 3, NULL);
	struct boxes_solver *solver = make_solver(1 << 20, 1);

	(void)context;
	for (uint64_t nodes = 1; nodes < 200000; nodes = nodes * 3 + 1) {
		struct boxes_limits limits = {.nodes = nodes};
		struct boxes_answer answer;

		boxes_solver_ask(solver, &empty, BOXES_ALL_SCORES, &limits, &no_host, &answer);
		assert_in_range(answer.nodes, 1, nodes);
		if (answer.value.low < answer.value.high)
			assert_int_equal(answer.nodes, nodes);
		assert_true(answer.value.low <= -3 && answer.value.high >= -3);
		assert_true(answer.value.low < answer.value.high || nodes > 50000);
	}
	boxes_solver_destroy(solver);
}

/* Threads share them, and each has its part. */
static void test_boxes_solver__no_thread_visits_more_nodes_than_the_limit(void **context)
{
	struct boxes_position empty = boxes_position_of(4, 4, NULL);

	(void)context;
	for (int threads = 1; threads <= 4; threads++) {
		struct boxes_solver *solver = make_solver(1 << 20, threads);

		for (uint64_t nodes = 1; nodes < 300000; nodes = nodes * 7 + 1) {
			struct boxes_limits limits = {.nodes = nodes};
			struct boxes_answer answer;

			boxes_solver_ask(solver, &empty, BOXES_VALUE, &limits, &no_host, &answer);
			assert_in_range(answer.nodes, 1, nodes);
		}
		boxes_solver_destroy(solver);
	}
}

static void test_boxes_solver__with_one_thread_it_repeats_itself(void **context)
{
	uint64_t nodes[2];

	(void)context;
	for (int i = 0; i < 2; i++) {
		struct boxes_position empty = boxes_position_of(3, 3, NULL);
		struct boxes_solver *solver = make_solver(1 << 20, 1);
		struct boxes_answer answer;

		boxes_solver_ask(solver, &empty, BOXES_VALUE, &no_limits, &no_host, &answer);
		nodes[i] = answer.nodes;
		boxes_solver_destroy(solver);
	}
	assert_int_equal(nodes[0], nodes[1]);
}

static void test_boxes_solver__more_lines_than_a_word_holds_are_not_searched(void **context)
{
	struct boxes_position empty = boxes_position_of(6, 7, NULL);
	struct boxes_solver *solver = make_solver(1 << 16, 1);
	struct boxes_answer answer;

	(void)context;
	boxes_solver_ask(solver, &empty, BOXES_BEST_LINES, &no_limits, &no_host, &answer);
	assert_int_equal(answer.value.low, -42);
	assert_int_equal(answer.value.high, 42);
	assert_false(answer.best_known);
	assert_int_equal(answer.nodes, 0);
	boxes_solver_destroy(solver);
}

/* Closed trees with branches once made a search of all their orders, and no end. */
static void test_boxes_solver__what_can_be_taken_is_no_search(void **context)
{
	struct boxes_position position = boxes_position_of(
		7, 4, "1101011101110000011110010001111110100100011101110101100010111101101");
	struct boxes_solver *solver = make_solver(1 << 16, 1);
	struct boxes_answer answer;

	(void)context;
	boxes_solver_ask(solver, &position, BOXES_VALUE, &no_limits, &no_host, &answer);
	assert_int_equal(answer.value.low, 23);
	assert_int_equal(answer.value.high, 23);
	assert_in_range(answer.nodes, 0, 100);
	boxes_solver_destroy(solver);
}

struct patience {
	int asked;
	int allowed;
};

static bool is_over(void *context)
{
	struct patience *patience = context;

	return ++patience->asked > patience->allowed;
}

static void test_boxes_solver__stops_when_it_is_told_to(void **context)
{
	struct boxes_position empty = boxes_position_of(4, 4, NULL);

	(void)context;
	for (int threads = 1; threads <= 2; threads++) {
		struct boxes_solver *solver = make_solver(1 << 20, threads);
		struct patience patience = {0, 3};
		struct boxes_host host = {.context = &patience, .should_stop = is_over};
		struct boxes_answer answer;

		boxes_solver_ask(solver, &empty, BOXES_BEST_LINES, &no_limits, &host, &answer);
		assert_int_equal(patience.asked, 4);
		assert_true(answer.value.low <= 0 && answer.value.high >= 0);
		assert_false(answer.best_known);
		boxes_solver_destroy(solver);
	}
}

static uint64_t tick(void *context)
{
	return (*(uint64_t *)context)++;
}

static void test_boxes_solver__ends_when_its_time_is_over(void **context)
{
	struct boxes_position empty = boxes_position_of(4, 4, NULL);
	struct boxes_solver *solver = make_solver(1 << 20, 1);
	struct boxes_limits limits = {.time_ms = 5};
	uint64_t now = 1000;
	struct boxes_host host = {.context = &now, .clock_ms = tick};
	struct boxes_answer answer;

	(void)context;
	boxes_solver_ask(solver, &empty, BOXES_VALUE, &limits, &host, &answer);
	assert_true(now > 1005 && now < 1010);
	assert_true(answer.value.low < answer.value.high);
	boxes_solver_destroy(solver);
}

/* Memory that is touched for the first time may take as long as the whole search. */
static void test_boxes_solver__in_a_short_time_it_uses_little_of_its_table(void **context)
{
	struct boxes_position empty = boxes_position_of(4, 4, NULL);
	struct boxes_solver *solver = make_solver(64 << 20, 1);
	struct boxes_table *table = boxes_solver_table(solver);
	uint64_t now = 1000;
	struct boxes_host host = {.context = &now, .clock_ms = tick};
	struct boxes_answer answer;

	(void)context;
	for (int asked = 1; asked <= 10; asked++) {
		struct boxes_limits limits = {.time_ms = 16};
		int questions = asked < 2 ? 1 : asked < 4 ? 2 : 4;

		boxes_solver_ask(solver, &empty, BOXES_VALUE, &limits, &host, &answer);
		assert_int_equal(boxes_table_bytes(table), questions << 21);
	}
	empty = boxes_position_of(3, 3, NULL);
	boxes_solver_ask(solver, &empty, BOXES_VALUE, &no_limits, &host, &answer);
	assert_int_equal(boxes_table_bytes(table), 64 << 20);
	assert_int_equal(answer.value.low, -3);
	boxes_solver_destroy(solver);
}

static size_t count_entries(const struct boxes_table *table)
{
	struct boxes_table_entry entry;
	size_t count = 0;

	for (size_t place = 0; boxes_table_next(table, &place, &entry);)
		count++;
	return count;
}

static void test_boxes_table__forgets_nothing_when_it_is_widened_or_read_back(void **context)
{
	struct random random = {7};
	struct boxes_table *table;
	struct boxes_table *other;
	struct boxes_table_entry entry;
	size_t count;

	(void)context;
	assert_int_equal(boxes_table_create(1 << 20, &table), STATUS_OK);
	for (int i = 0; i < 2000; i++) {
		struct boxes_table_key key = {random_next(&random), random_next(&random) >> 24};

		boxes_table_store(table, key, (struct boxes_bounds){-2, 3}, i % 60);
	}
	count = count_entries(table);
	assert_in_range(count, 200, 256); /* of 4 KiB */
	for (size_t bytes = 1 << 12; bytes <= 1 << 21; bytes *= 2) {
		boxes_table_widen(table, bytes);
		assert_int_equal(boxes_table_bytes(table), bytes > 1 << 20 ? 1 << 20 : (int)bytes);
		assert_int_equal(count_entries(table), count);
	}
	assert_int_equal(boxes_table_create(1 << 12, &other), STATUS_OK);
	for (size_t place = 0; boxes_table_next(table, &place, &entry);) {
		struct boxes_table_key key = {entry.edges, entry.rest & ((UINT64_C(1) << 40) - 1)};
		struct boxes_bounds bounds = {0, 0};

		assert_true(boxes_table_find(table, key, &bounds));
		assert_int_equal(bounds.low, -2);
		assert_int_equal(boxes_table_add(other, entry), BOXES_ADDED);
	}
	assert_int_equal(count_entries(other), count);
	/* A full table says so, and keeps what it has. */
	for (int i = 0; i < 2000; i++) {
		entry.edges = random_next(&random);
		if (boxes_table_add(other, entry) == BOXES_ADDED)
			count++;
	}
	assert_int_equal(count_entries(other), count);
	assert_int_equal(count, 256);
	assert_int_equal(boxes_table_add(other, (struct boxes_table_entry){1, 0}), BOXES_NO_ENTRY);
	boxes_table_clear(table);
	assert_int_equal(count_entries(table), 0);
	boxes_table_destroy(other);
	boxes_table_destroy(table);
}

static int compare_codes(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a;
	uint64_t other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

struct codes {
	struct string_sums *sums;
	uint64_t *list;
	size_t count;
	size_t most;
};

/* All sets of loops, then of chains, of no more boxes, with parts of at most that length. */
static void list_codes(
	struct codes *codes, struct string_set *set, int boxes, int chain, int loop_half)
{
	assert_true(codes->count < codes->most);
	codes->list[codes->count++] = string_set_code(codes->sums, set);
	for (int half = 2; half <= loop_half && 2 * half <= boxes; half++) {
		string_set_add(&set->loop_halves, set->loops, half);
		list_codes(codes, set, boxes - 2 * half, chain, half);
		string_set_remove(&set->loop_halves, set->loops, half);
	}
	for (int length = 1; length <= chain && length <= boxes; length++) {
		string_set_add(&set->chain_lengths, set->chains, length);
		list_codes(codes, set, boxes - length, length, 0);
		string_set_remove(&set->chain_lengths, set->chains, length);
	}
}

static void test_string_set__no_two_sets_have_one_code(void **context)
{
	enum { BOXES = 26, MOST = 200000 };
	struct codes codes = {
		malloc(sizeof(*codes.sums)), malloc(MOST * sizeof(uint64_t)), 0, MOST};
	struct string_set set;

	(void)context;
	assert_non_null(codes.sums);
	assert_non_null(codes.list);
	string_sums_init(codes.sums);
	string_set_clear(&set);
	list_codes(&codes, &set, BOXES, BOXES, BOXES / 2);
	assert_true(codes.count > 10000);
	qsort(codes.list, codes.count, sizeof(uint64_t), compare_codes);
	assert_int_equal(codes.list[0], 0);
	for (size_t i = 1; i < codes.count; i++)
		assert_true(codes.list[i - 1] < codes.list[i]);
	free(codes.list);
	free(codes.sums);
}

/* The greatest ranks: of one chain, and of one loop, of all boxes there may be. */
static void test_string_set__codes_have_the_bits_that_are_kept(void **context)
{
	struct string_sums *sums = malloc(sizeof(*sums));
	struct string_set set;

	(void)context;
	assert_non_null(sums);
	string_sums_init(sums);
	string_set_clear(&set);
	string_set_add(&set.chain_lengths, set.chains, GRAPH_MAX);
	assert_true(string_set_code(sums, &set) < bit(24));
	string_set_clear(&set);
	string_set_add(&set.loop_halves, set.loops, GRAPH_MAX / 2);
	assert_true(string_set_code(sums, &set) < bit(STRING_CODE_BITS));
	free(sums);
}

/* By hand: a chain of n is worth -n to who must open it; of two of 3 the first gives one back. */
static void test_string_set__values(void **context)
{
	struct string_sums *sums = malloc(sizeof(*sums));
	struct string_set set;

	(void)context;
	assert_non_null(sums);
	string_sums_init(sums);
	string_set_clear(&set);
	assert_int_equal(string_set_value(sums, &set), 0);
	string_set_add(&set.chain_lengths, set.chains, 3);
	assert_int_equal(string_set_value(sums, &set), -3);
	string_set_add(&set.chain_lengths, set.chains, 3);
	assert_int_equal(string_set_value(sums, &set), -2);
	string_set_clear(&set);
	string_set_add(&set.loop_halves, set.loops, 2);
	assert_int_equal(string_set_value(sums, &set), -4);
	string_set_add(&set.chain_lengths, set.chains, 1);
	assert_int_equal(string_set_value(sums, &set), 3);
	free(sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_solver__values_of_empty_grids),
		cmocka_unit_test(test_boxes_solver__every_case_with_all_its_best_lines),
		cmocka_unit_test(test_boxes_solver__a_table_that_forgets_all_changes_no_value),
		cmocka_unit_test(test_boxes_solver__the_score_of_each_line_is_the_value_after_it),
		cmocka_unit_test(test_boxes_solver__a_finished_position_is_worth_nothing),
		cmocka_unit_test(test_boxes_solver__what_limits_leave_open_lies_within_the_bounds),
		cmocka_unit_test(test_boxes_solver__no_thread_visits_more_nodes_than_the_limit),
		cmocka_unit_test(test_boxes_solver__with_one_thread_it_repeats_itself),
		cmocka_unit_test(test_boxes_solver__more_lines_than_a_word_holds_are_not_searched),
		cmocka_unit_test(test_boxes_solver__what_can_be_taken_is_no_search),
		cmocka_unit_test(test_boxes_solver__stops_when_it_is_told_to),
		cmocka_unit_test(test_boxes_solver__ends_when_its_time_is_over),
		cmocka_unit_test(test_boxes_solver__in_a_short_time_it_uses_little_of_its_table),
		cmocka_unit_test(test_boxes_table__forgets_nothing_when_it_is_widened_or_read_back),
		cmocka_unit_test(test_string_set__no_two_sets_have_one_code),
		cmocka_unit_test(test_string_set__codes_have_the_bits_that_are_kept),
		cmocka_unit_test(test_string_set__values),
	};

	return cmocka_run_group_tests_name("boxes_solver", tests, NULL, NULL);
}
