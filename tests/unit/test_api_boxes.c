/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/random.h"
#include "boxes_fixture.h"
#include "engine/boxes_analysis.h"
#include "komadai/komadai.h"

static struct komadai_game *set_up(const char *position)
{
	struct komadai_game *game;
	int status = komadai_game_setup("petits-carres", NULL, position, NULL, &game);

	if (status != KOMADAI_OK)
		fail_msg("%s: %s", position, komadai_status_text(status));
	return game;
}

static struct komadai_boxes_analysis *analyse(
	const char *position, const struct komadai_boxes_limits *limits)
{
	struct komadai_game *game = set_up(position);
	struct komadai_boxes_analysis *analysis;

	assert_int_equal(komadai_boxes_analyse(game, limits, &analysis), KOMADAI_OK);
	/* It does not need the game any more. */
	komadai_game_destroy(game);
	return analysis;
}

static const struct komadai_boxes_summary *summary_of(const struct komadai_boxes_analysis *analysis)
{
	return komadai_boxes_analysis_summary(analysis);
}

static void expect_bounds(struct komadai_boxes_bounds bounds, int low, int high)
{
	assert_int_equal(bounds.low, low);
	assert_int_equal(bounds.high, high);
}

static void expect_worth(const char *position, int value)
{
	struct komadai_boxes_analysis *analysis = analyse(position, NULL);

	expect_bounds(summary_of(analysis)->value, value, value);
	assert_true(summary_of(analysis)->best_known);
	komadai_boxes_analysis_destroy(analysis);
}

/* A free line that closes or leaves so many boxes. */
static void expect_line(const struct komadai_boxes_analysis *analysis, size_t number,
	const char *reason, int boxes, bool loony)
{
	const struct komadai_boxes_line *line = komadai_boxes_analysis_line(analysis, number);

	assert_non_null(line);
	assert_string_equal(line->reason, reason);
	assert_int_equal(line->boxes, boxes);
	assert_int_equal(line->loony, loony);
}

static void expect_numbers(const uint8_t *numbers, size_t count, const char *expected)
{
	char buffer[256];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	for (size_t i = 0; i < count; i++) {
		if (i)
			text_add_char(&text, ' ');
		text_add_number(&text, numbers[i]);
	}
	assert_string_equal(buffer, expected);
}

static void expect_chain(const struct komadai_boxes_analysis *analysis, size_t number,
	const char *ends, const char *boxes, const char *lines)
{
	const struct komadai_boxes_string *string = komadai_boxes_analysis_string(analysis, number);

	assert_non_null(string);
	assert_string_equal(string->ends, ends);
	expect_numbers(string->boxes, string->length, boxes);
	expect_numbers(string->lines, string->line_count, lines);
}

static void test_api_boxes__small_grids_have_their_known_values(void **context)
{
	(void)context;
	expect_worth("1x1", -1);
	expect_worth("2x2", 2);
	expect_worth("3x3", -3);
}

static void test_api_boxes__every_line_has_its_score(void **context)
{
	struct komadai_boxes_analysis *analysis = analyse("2x2 100001101100", NULL);

	(void)context;
	expect_bounds(summary_of(analysis)->value, -2, -2);
	assert_int_equal(summary_of(analysis)->lines, 12);
	assert_int_equal(summary_of(analysis)->free_lines, 7);
	assert_int_equal(summary_of(analysis)->safe_lines, 5);
	for (size_t number = 0; number < 12; number++) {
		const struct komadai_boxes_line *line =
			komadai_boxes_analysis_line(analysis, number);

		if ("100001101100"[number] == '1') {
			assert_null(line);
			continue;
		}
		assert_int_equal(line->best, number == 11);
		expect_bounds(line->score, number == 11 ? -2 : -4, number == 11 ? -2 : -4);
	}
	assert_string_equal(komadai_boxes_analysis_line(analysis, 11)->name, "B2R");
	assert_string_equal(komadai_boxes_analysis_line(analysis, 11)->sentence,
		"it gives no box a third side");
	assert_null(komadai_boxes_analysis_line(analysis, 12));
	assert_null(komadai_boxes_analysis_line(analysis, SIZE_MAX));
	komadai_boxes_analysis_destroy(analysis);
	komadai_boxes_analysis_destroy(NULL);
}

/* A row of four boxes, opened at its left; then with two of them left. */
static void test_api_boxes__an_open_chain_is_taken_or_left(void **context)
{
	struct komadai_boxes_analysis *analysis = analyse("1x4 1111111110000", NULL);

	(void)context;
	expect_bounds(summary_of(analysis)->value, 4, 4);
	assert_int_equal(summary_of(analysis)->nimber, KOMADAI_BOXES_LOONY);
	assert_int_equal(summary_of(analysis)->open_boxes, 4);
	expect_numbers(summary_of(analysis)->takeable, summary_of(analysis)->takeable_count, "0");
	assert_int_equal(summary_of(analysis)->strings, 1);
	expect_chain(analysis, 0, "open", "1 2 3", "9 10 11 12");
	assert_true(komadai_boxes_analysis_string(analysis, 0)->is_long);
	assert_false(komadai_boxes_analysis_string(analysis, 0)->loop);
	assert_null(komadai_boxes_analysis_string(analysis, 1));
	assert_null(komadai_boxes_analysis_string(analysis, SIZE_MAX));
	komadai_boxes_analysis_destroy(analysis);

	analysis = analyse("1x4 1111111111100", NULL);
	expect_line(analysis, 11, "takes", 1, false);
	expect_line(analysis, 12, "double-dealing", 2, false);
	expect_bounds(komadai_boxes_analysis_line(analysis, 12)->score, -2, -2);
	assert_string_equal(komadai_boxes_analysis_line(analysis, 12)->sentence,
		"a double-dealing move: it leaves 2 boxes, whose taker must move next");
	komadai_boxes_analysis_destroy(analysis);
}

static void test_api_boxes__a_loop_is_followed_once_round(void **context)
{
	struct komadai_boxes_analysis *analysis = analyse("2x2 110011101101", NULL);

	(void)context;
	assert_int_equal(summary_of(analysis)->strings, 1);
	expect_chain(analysis, 0, "independent", "0 2 3 1", "7 2 10 3");
	assert_true(komadai_boxes_analysis_string(analysis, 0)->loop);
	assert_true(komadai_boxes_analysis_string(analysis, 0)->is_long);
	expect_line(analysis, 2, "opens-loop", 4, true);
	assert_int_equal(summary_of(analysis)->takeable_count, 0);
	komadai_boxes_analysis_destroy(analysis);
}

static void test_api_boxes__a_short_chain_may_end_at_joints(void **context)
{
	struct komadai_boxes_analysis *analysis = analyse("2x2 100001101100", NULL);

	(void)context;
	expect_chain(analysis, 0, "joints", "0", "7 2");
	assert_false(komadai_boxes_analysis_string(analysis, 0)->is_long);
	komadai_boxes_analysis_destroy(analysis);
}

static void test_api_boxes__more_than_64_free_lines_have_bounds(void **context)
{
	struct komadai_boxes_analysis *analysis = analyse("6x7", NULL);

	(void)context;
	expect_bounds(summary_of(analysis)->value, -42, 42);
	assert_false(summary_of(analysis)->best_known);
	assert_int_equal(summary_of(analysis)->nimber, KOMADAI_BOXES_UNKNOWN);
	assert_int_equal(summary_of(analysis)->nodes, 0);
	assert_int_equal(summary_of(analysis)->free_lines, 97);
	for (size_t number = 0; number < 97; number++) {
		expect_line(analysis, number, "safe", 0, false);
		expect_bounds(komadai_boxes_analysis_line(analysis, number)->score, -42, 42);
		assert_false(komadai_boxes_analysis_line(analysis, number)->best);
	}
	komadai_boxes_analysis_destroy(analysis);
}

static void test_api_boxes__a_game_that_is_over_has_nothing_left(void **context)
{
	struct komadai_boxes_analysis *analysis = analyse("2x2 111111111111", NULL);

	(void)context;
	expect_bounds(summary_of(analysis)->value, 0, 0);
	assert_int_equal(summary_of(analysis)->nimber, 0);
	assert_int_equal(summary_of(analysis)->lines, 12);
	assert_int_equal(summary_of(analysis)->free_lines, 0);
	assert_int_equal(summary_of(analysis)->open_boxes, 0);
	assert_int_equal(summary_of(analysis)->strings, 0);
	for (size_t number = 0; number < 12; number++)
		assert_null(komadai_boxes_analysis_line(analysis, number));
	komadai_boxes_analysis_destroy(analysis);
}

/* True bounds of 3x3, whose value -3 was not found. */
static void expect_unfinished(const struct komadai_boxes_analysis *analysis)
{
	const struct komadai_boxes_summary *summary = summary_of(analysis);

	assert_true(summary->value.low <= -3 && summary->value.high >= -3);
	assert_true(summary->value.low < summary->value.high);
	assert_false(summary->best_known);
	for (size_t number = 0; number < 24; number++) {
		const struct komadai_boxes_line *line =
			komadai_boxes_analysis_line(analysis, number);

		assert_true(line->score.low <= -3 && line->score.high >= -3);
		assert_false(line->best);
	}
}

static void test_api_boxes__limits_leave_true_bounds(void **context)
{
	static const struct komadai_boxes_limits node = {.nodes = 1};
	static const struct komadai_boxes_limits moment = {.milliseconds = 1, .memory = 1 << 20};
	struct komadai_boxes_analysis *analysis = analyse("3x3", &node);

	(void)context;
	expect_unfinished(analysis);
	assert_true(summary_of(analysis)->nodes > 0);
	komadai_boxes_analysis_destroy(analysis);

	/* Without a clock it would take minutes. */
	analysis = analyse("4x4", &moment);
	assert_true(summary_of(analysis)->value.low < summary_of(analysis)->value.high);
	komadai_boxes_analysis_destroy(analysis);
}

struct patience {
	int asked;
	int limit;
};

static bool is_over(void *context)
{
	struct patience *patience = context;

	return ++patience->asked > patience->limit;
}

static void test_api_boxes__the_caller_can_stop_it(void **context)
{
	struct patience none = {0, 0};
	struct patience endless = {0, 1 << 30};
	struct komadai_boxes_limits limits = {.should_stop = is_over, .context = &none};
	struct komadai_boxes_analysis *analysis = analyse("3x3", &limits);

	(void)context;
	expect_unfinished(analysis);
	assert_int_equal(none.asked, 1);
	komadai_boxes_analysis_destroy(analysis);

	limits.context = &endless;
	analysis = analyse("3x3", &limits);
	expect_bounds(summary_of(analysis)->value, -3, -3);
	assert_true(endless.asked > 1);
	komadai_boxes_analysis_destroy(analysis);
}

static void test_api_boxes__memory_and_threads_change_no_value(void **context)
{
	static const struct komadai_boxes_limits limits[] = {
		{.memory = 1}, {.memory = 1 << 16, .threads = 3}};

	(void)context;
	for (size_t i = 0; i < 2; i++) {
		struct komadai_boxes_analysis *analysis = analyse("2x3", &limits[i]);
		struct komadai_boxes_analysis *plain = analyse("2x3", NULL);

		assert_true(summary_of(analysis)->best_known);
		for (size_t number = 0; number < 17; number++) {
			struct komadai_boxes_bounds score =
				komadai_boxes_analysis_line(plain, number)->score;

			expect_bounds(komadai_boxes_analysis_line(analysis, number)->score,
				score.low, score.low);
			assert_int_equal(score.low, score.high);
		}
		komadai_boxes_analysis_destroy(plain);
		komadai_boxes_analysis_destroy(analysis);
	}
}

static void test_api_boxes__of_another_game_it_says_nothing(void **context)
{
	struct komadai_boxes_analysis *analysis = NULL;
	struct komadai_game *game;

	(void)context;
	assert_int_equal(komadai_game_create("mini-shogi", NULL, &game), KOMADAI_OK);
	assert_string_equal(
		komadai_status_code(komadai_boxes_analyse(game, NULL, &analysis)), "game-other");
	assert_null(analysis);
	komadai_game_destroy(game);
}

static void test_api_boxes__a_number_of_threads_that_is_none_is_refused(void **context)
{
	static const int wrong[] = {-1, KOMADAI_BOXES_THREADS_MAX + 1, INT_MIN, INT_MAX};
	struct komadai_boxes_analysis *analysis = NULL;
	struct komadai_game *game;

	(void)context;
	assert_int_equal(komadai_game_setup("petits-carres", NULL, "2x2", NULL, &game), KOMADAI_OK);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct komadai_boxes_limits limits = {.threads = wrong[i]};

		assert_string_equal(
			komadai_status_code(komadai_boxes_analyse(game, &limits, &analysis)),
			"thread-count");
		assert_null(analysis);
	}
	komadai_game_destroy(game);
}

/* What the engine says of a position. */
static struct boxes_analysis seen;

static void look_at(const struct boxes_position *position)
{
	static const struct boxes_solver_settings settings = {.table_bytes = 1 << 16, .threads = 1};
	static const struct boxes_limits limits;
	static const struct boxes_host host;
	static struct boxes_nimber_memory memory;
	struct boxes_solver *solver;
	struct boxes_answer answer;

	assert_int_equal(boxes_solver_create(&settings, &solver), STATUS_OK);
	boxes_solver_ask(solver, position, BOXES_ALL_SCORES, &limits, &host, &answer);
	boxes_solver_destroy(solver);
	boxes_analyse(position, &answer, BOXES_NIMBER_NODES, &memory, &seen);
}

static void compare_summary(const struct komadai_boxes_summary *summary, int lines)
{
	uint64_t takeable = 0;

	for (size_t i = 0; i < summary->takeable_count; i++)
		takeable |= UINT64_C(1) << summary->takeable[i];
	expect_bounds(summary->value, seen.value.low, seen.value.high);
	assert_int_equal(summary->best_known, seen.best_known);
	assert_int_equal(summary->nimber, seen.nimber);
	assert_int_equal(summary->lines, lines);
	assert_int_equal(summary->free_lines, seen.free_lines);
	assert_int_equal(summary->safe_lines, seen.safe_lines);
	assert_int_equal(summary->open_boxes, bits_count64(seen.open));
	assert_int_equal(summary->takeable_count, bits_count64(seen.takeable));
	assert_true(takeable == seen.takeable);
	assert_int_equal(summary->strings, seen.strings);
}

static void compare_string(
	const struct komadai_boxes_string *string, const struct boxes_string_report *expected)
{
	assert_int_equal(string->loop, expected->loop);
	assert_int_equal(string->is_long, expected->length >= 3);
	assert_string_equal(string->ends, boxes_string_ends_code(expected));
	assert_int_equal(string->length, expected->length);
	assert_int_equal(string->line_count, expected->length + !expected->loop);
	assert_memory_equal(string->boxes, expected->boxes, string->length);
	assert_memory_equal(string->lines, expected->lines, string->line_count);
}

static void compare_line(const struct komadai_boxes_line *line, struct boxes_grid grid, int edge)
{
	const struct boxes_line_report *expected = &seen.lines[edge];
	char name[BOXES_EDGE_NAME];
	char buffer[BOXES_REASON_TEXT];
	struct text text;

	if (!expected->free) {
		assert_null(line);
		return;
	}
	boxes_edge_name(grid, edge, name);
	text_init(&text, buffer, sizeof(buffer));
	boxes_reason_write(expected, &text);
	assert_string_equal(line->name, name);
	expect_bounds(line->score, expected->score.low, expected->score.high);
	assert_int_equal(line->best, expected->best);
	assert_int_equal(line->safe, expected->safe);
	assert_int_equal(line->loony, expected->loony);
	assert_int_equal(line->boxes, expected->boxes);
	assert_string_equal(line->reason, boxes_reason_code(expected->reason));
	assert_string_equal(line->sentence, buffer);
}

static void compare(const struct komadai_game *game)
{
	char setup[KOMADAI_POSITION_TEXT];
	struct komadai_boxes_analysis *analysis;
	struct game_line *line;
	struct boxes_grid grid;

	komadai_game_position(game, setup);
	line = boxes_begin(setup);
	grid = boxes_now(line)->grid;
	look_at(boxes_now(line));
	assert_int_equal(komadai_boxes_analyse(game, NULL, &analysis), KOMADAI_OK);
	compare_summary(summary_of(analysis), boxes_edge_count(grid));
	for (int i = 0; i < seen.strings; i++)
		compare_string(komadai_boxes_analysis_string(analysis, (size_t)i), &seen.string[i]);
	for (int edge = 0; edge < boxes_edge_count(grid); edge++)
		compare_line(komadai_boxes_analysis_line(analysis, (size_t)edge), grid, edge);
	komadai_boxes_analysis_destroy(analysis);
	game_line_destroy(line);
}

struct draw {
	size_t left; /* moves to come before the one that is wanted */
	char move[KOMADAI_MOVE_TEXT];
};

static void draw_one(void *context, const char *move)
{
	struct draw *draw = context;

	if (draw->left-- == 0)
		strcpy(draw->move, move);
}

static void test_api_boxes__says_all_that_the_engine_says(void **context)
{
	struct random random = {11};

	(void)context;
	for (int round = 0; round < 25; round++) {
		char setup[8];
		struct komadai_game *game;
		size_t count;

		snprintf(setup, sizeof(setup), "%ux%u", 1 + random_below(&random, 3),
			1 + random_below(&random, 3));
		game = set_up(setup);
		while ((count = komadai_game_legal(game, NULL, NULL)) > 0) {
			struct draw draw = {random_below(&random, (uint32_t)count), ""};

			komadai_game_legal(game, draw_one, &draw);
			assert_int_equal(komadai_game_play(game, draw.move, NULL), KOMADAI_OK);
			/* Before that every line is free alike, and to say so takes long. */
			if (count < 14)
				compare(game);
		}
		komadai_game_destroy(game);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_api_boxes__small_grids_have_their_known_values),
		cmocka_unit_test(test_api_boxes__every_line_has_its_score),
		cmocka_unit_test(test_api_boxes__an_open_chain_is_taken_or_left),
		cmocka_unit_test(test_api_boxes__a_loop_is_followed_once_round),
		cmocka_unit_test(test_api_boxes__a_short_chain_may_end_at_joints),
		cmocka_unit_test(test_api_boxes__more_than_64_free_lines_have_bounds),
		cmocka_unit_test(test_api_boxes__a_game_that_is_over_has_nothing_left),
		cmocka_unit_test(test_api_boxes__limits_leave_true_bounds),
		cmocka_unit_test(test_api_boxes__the_caller_can_stop_it),
		cmocka_unit_test(test_api_boxes__memory_and_threads_change_no_value),
		cmocka_unit_test(test_api_boxes__of_another_game_it_says_nothing),
		cmocka_unit_test(test_api_boxes__a_number_of_threads_that_is_none_is_refused),
		cmocka_unit_test(test_api_boxes__says_all_that_the_engine_says),
	};

	return cmocka_run_group_tests_name("api_boxes", tests, NULL, NULL);
}
