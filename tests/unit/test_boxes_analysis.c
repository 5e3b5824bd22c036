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
#include "cases.h"
#include "engine/boxes_analysis.h"

enum { NIMBER_NODES = 200 };

static struct boxes_nimber_memory memory;
static struct boxes_analysis analysis;

/* What is seen on the board, with no scores: the answer of a solver that was not asked. */
static void look_at(const struct boxes_position *position)
{
	static const struct boxes_answer nothing;

	boxes_analyse(position, &nothing, NIMBER_NODES, &memory, &analysis);
}

static void look(const char *setup)
{
	struct game_line *line = boxes_begin(setup);

	look_at(boxes_now(line));
	game_line_destroy(line);
}

static void expect_line(int edge, enum boxes_reason reason, int boxes, bool loony)
{
	const struct boxes_line_report *line = &analysis.lines[edge];

	assert_true(line->free);
	assert_string_equal(boxes_reason_code(line->reason), boxes_reason_code(reason));
	assert_int_equal(line->boxes, boxes);
	assert_int_equal(line->loony, loony);
}

static void expect_chain(int number, const char *lines, bool loop, int joints, int open)
{
	const struct boxes_string_report *string = &analysis.string[number];
	char buffer[512];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	for (int i = 0; i < boxes_string_lines(string); i++) {
		if (i)
			text_add_char(&text, ' ');
		text_add_number(&text, string->lines[i]);
	}
	assert_string_equal(buffer, lines);
	assert_int_equal(string->loop, loop);
	assert_int_equal(string->ends_at_joints, joints);
	assert_int_equal(string->ends_open, open);
}

static void test_boxes_analysis__of_the_empty_public_grid(void **context)
{
	(void)context;
	look("6x7");
	assert_int_equal(analysis.free_lines, 97);
	assert_int_equal(analysis.safe_lines, 97);
	assert_int_equal(analysis.strings, 0);
	assert_int_equal(bits_count64(analysis.open), 42);
	assert_int_equal(analysis.takeable, 0);
	assert_int_equal(analysis.nimber, BOXES_NIMBER_UNKNOWN);
	for (int edge = 0; edge < 97; edge++)
		expect_line(edge, BOXES_SAFE, 0, false);
}

static void test_boxes_analysis__of_a_finished_position(void **context)
{
	(void)context;
	look("2x2 111111111111");
	assert_int_equal(analysis.free_lines, 0);
	assert_int_equal(analysis.strings, 0);
	assert_int_equal(analysis.open, 0);
	assert_int_equal(analysis.nimber, 0);
	for (int edge = 0; edge < 12; edge++)
		assert_false(analysis.lines[edge].free);
}

static void test_boxes_analysis__chains_and_handouts_by_their_length(void **context)
{
	(void)context;
	look("1x1 1100");
	assert_int_equal(analysis.strings, 1);
	expect_chain(0, "3 2", false, 0, 0);
	expect_line(2, BOXES_HANDS_OVER, 1, false);
	assert_int_equal(analysis.nimber, 1);

	look("1x2 1111000");
	expect_chain(0, "4 5 6", false, 0, 0);
	expect_line(4, BOXES_HALF_HEARTED, 2, true);
	expect_line(5, BOXES_HARD_HEARTED, 2, false);
	expect_line(6, BOXES_HALF_HEARTED, 2, true);
	assert_int_equal(analysis.nimber, 1);

	look("1x3 1111110000");
	expect_chain(0, "6 7 8 9", false, 0, 0);
	assert_true(boxes_string_is_long(&analysis.string[0]));
	for (int edge = 6; edge < 10; edge++)
		expect_line(edge, BOXES_OPENS_CHAIN, 3, true);
	assert_int_equal(analysis.safe_lines, 0);
	assert_int_equal(analysis.nimber, 0);
}

static void test_boxes_analysis__a_loop_is_followed_once_round(void **context)
{
	(void)context;
	look("2x2 110011101101");
	assert_int_equal(analysis.strings, 1);
	assert_int_equal(analysis.string[0].length, 4);
	expect_chain(0, "7 2 10 3", true, 0, 0);
	expect_line(2, BOXES_OPENS_LOOP, 4, true);
	expect_line(10, BOXES_OPENS_LOOP, 4, true);
}

static void test_boxes_analysis__a_chain_may_end_at_joints(void **context)
{
	(void)context;
	look("2x2 100001101100");
	assert_int_equal(analysis.strings, 1);
	assert_int_equal(analysis.string[0].ends_at_joints, 2);
	assert_int_equal(analysis.string[0].length, 1);
	assert_int_equal(analysis.safe_lines, 5);
}

/* A row of four boxes, opened; then with two of them left; then with two that one line takes. */
static void test_boxes_analysis__double_dealing_leaves_two_of_a_chain(void **context)
{
	(void)context;
	look("1x4 1111111110000");
	assert_int_equal(analysis.takeable, 1);
	assert_int_equal(analysis.nimber, BOXES_NIMBER_LOONY);
	expect_chain(0, "9 10 11 12", false, 0, 1);
	expect_line(9, BOXES_TAKES, 1, false);
	expect_line(10, BOXES_DECLINES, 4, true);
	expect_line(12, BOXES_DECLINES, 4, true);

	look("1x4 1111111111100");
	expect_line(11, BOXES_TAKES, 1, false);
	expect_line(12, BOXES_DOUBLE_DEALING, 2, false);

	look("1x4 1111111111101");
	expect_line(11, BOXES_TAKES, 2, false);
	assert_int_equal(analysis.nimber, 0);
}

static void test_boxes_analysis__double_dealing_leaves_four_of_a_loop(void **context)
{
	(void)context;
	/* Of the loop of four boxes one line is drawn: the one across from it leaves two pairs. */
	look("2x2 111011101101");
	assert_int_equal(bits_count64(analysis.takeable), 2);
	expect_line(3, BOXES_DOUBLE_DEALING, 4, false);
	expect_line(7, BOXES_TAKES, 1, false);
	expect_line(10, BOXES_TAKES, 1, false);
	assert_int_equal(analysis.nimber, BOXES_NIMBER_LOONY);
}

static void test_boxes_analysis__to_play_elsewhere_is_to_decline(void **context)
{
	(void)context;
	/* In three rows of one box the first can be taken, and the last is a chain. */
	look("3x1 1111011100");
	expect_line(4, BOXES_TAKES, 1, false);
	expect_line(8, BOXES_DECLINES, 2, false);
}

static void test_boxes_analysis__a_pair_left_earlier_is_no_double_dealing(void **context)
{
	(void)context;
	/* One line takes both boxes of the upper row; in the lower one every line is safe. */
	look("2x2 111100101000");
	expect_line(7, BOXES_TAKES, 2, false);
	expect_line(4, BOXES_DECLINES, 2, false);
	expect_line(10, BOXES_DECLINES, 2, false);
	assert_int_equal(analysis.safe_lines, 5);
}

static uint64_t chain_mark(const struct boxes_string_report *string)
{
	return (uint64_t)string->length * 2 + (string->ends_at_joints > 0);
}

/* Takes the strings that a tag names, as "1,2j", out of those that were found. */
static void expect_tagged(const struct case_row *row, const char *tag, bool loop)
{
	const char *names = strstr(row->column[7], tag);
	bool named[BOXES_MAX] = {false};
	int count = 0;
	int found = 0;

	assert_non_null(names);
	for (names += strlen(tag); *names != ';';) {
		char *end;
		uint64_t mark = strtoul(names, &end, 10) * 2;
		int i = 0;

		mark += *end == 'j';
		while (i < analysis.strings && (named[i] || analysis.string[i].loop != loop ||
						       chain_mark(&analysis.string[i]) != mark))
			i++;
		if (i == analysis.strings)
			fail_msg("%s:%d: %s%s is not found", row->file, row->line, tag, names);
		named[i] = true;
		count++;
		names = end + strspn(end, "j,");
	}
	for (int i = 0; i < analysis.strings; i++)
		found += analysis.string[i].loop == loop;
	assert_int_equal(found, count);
}

static int tag_number(const struct case_row *row, const char *tag)
{
	const char *found = strstr(row->column[7], tag);

	return found ? atoi(found + strlen(tag)) : 0;
}

static void check_case(const struct case_row *row)
{
	char setup[BOXES_EDGES_MAX + 8];

	snprintf(setup, sizeof(setup), "%sx%s %s", row->column[0], row->column[1], row->column[2]);
	look(setup);
	assert_int_equal(analysis.free_lines, atoi(row->column[4]));
	assert_int_equal(bits_count64(analysis.takeable), tag_number(row, "capturable="));
	assert_int_equal(analysis.safe_lines, tag_number(row, "safe="));
	if (analysis.takeable)
		return;
	expect_tagged(row, "chains=", false);
	expect_tagged(row, "loops=", true);
}

static void test_boxes_analysis__every_case_has_the_strings_it_names(void **context)
{
	(void)context;
	cases_visit("boxes_values.tsv", 8, check_case);
}

static int sides_between(const struct boxes_position *position, int line, int box)
{
	int boxes[2];
	int count = boxes_edge_boxes(position->grid, line, boxes);

	return boxes[0] == box || (count == 2 && boxes[1] == box);
}

/* Each box of a string is between the lines before and after it. */
static void check_strings(const struct boxes_position *position)
{
	for (int i = 0; i < analysis.strings; i++) {
		const struct boxes_string_report *string = &analysis.string[i];
		int lines = boxes_string_lines(string);

		for (int j = 0; j < string->length; j++) {
			assert_true(sides_between(position, string->lines[j], string->boxes[j]));
			assert_true(sides_between(
				position, string->lines[(j + 1) % lines], string->boxes[j]));
		}
	}
}

/* A line that closes nothing is loony when the position after it is. */
static void check_lines(const struct boxes_position *position)
{
	struct boxes_frame frame = boxes_frame_of(position->grid);

	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++) {
		const struct boxes_line_report *line = &analysis.lines[edge];
		struct boxes_sides sides = boxes_sides_of(&frame, position);
		char buffer[128];
		struct text text;
		int nimber;

		assert_int_equal(line->free, position->lines[edge] == BOXES_FREE);
		if (!line->free)
			continue;
		text_init(&text, buffer, sizeof(buffer));
		boxes_reason_write(line, &text);
		assert_false(text.overflow);
		boxes_sides_draw_edge(&frame, &sides, edge);
		nimber = boxes_nimber(&frame, &sides, NIMBER_NODES, &memory);
		if (line->reason != BOXES_TAKES && nimber != BOXES_NIMBER_UNKNOWN)
			assert_int_equal(line->loony, nimber == BOXES_NIMBER_LOONY);
		if (line->reason == BOXES_SAFE)
			assert_int_equal(line->boxes, 0);
		else
			assert_true(line->boxes > 0);
		if (line->reason == BOXES_HARD_HEARTED || line->reason == BOXES_DOUBLE_DEALING ||
			line->reason == BOXES_SAFE)
			assert_false(line->loony);
	}
}

static void test_boxes_analysis__along_games_at_random(void **context)
{
	struct random random = {7};

	(void)context;
	for (int game = 0; game < 40; game++) {
		struct boxes_grid grid = {(uint8_t)(1 + random_below(&random, 4)),
			(uint8_t)(1 + random_below(&random, 5))};
		struct game_line *line = boxes_begin_empty(grid);

		while (!boxes_is_over(boxes_now(line))) {
			struct game_action actions[GAME_ACTIONS_MAX];
			size_t count = petits_carres.legal(game_line_state(line), actions);

			look_at(boxes_now(line));
			assert_int_equal(analysis.free_lines, count);
			check_strings(boxes_now(line));
			check_lines(boxes_now(line));
			assert_int_equal(game_line_play(line,
						 actions[random_below(&random, (uint32_t)count)]),
				STATUS_OK);
		}
		game_line_destroy(line);
	}
}

static void test_boxes_analysis__scores_are_those_of_the_solver(void **context)
{
	static const struct boxes_solver_settings settings = {.table_bytes = 1 << 16, .threads = 1};
	static const struct boxes_limits limits;
	static const struct boxes_host host;
	struct game_line *line = boxes_begin("2x2 100001101100");
	struct boxes_solver *solver;
	struct boxes_answer answer;

	(void)context;
	assert_int_equal(boxes_solver_create(&settings, &solver), STATUS_OK);
	boxes_solver_ask(solver, boxes_now(line), BOXES_ALL_SCORES, &limits, &host, &answer);
	boxes_analyse(boxes_now(line), &answer, NIMBER_NODES, &memory, &analysis);
	assert_int_equal(analysis.value.low, -2);
	assert_int_equal(analysis.value.high, -2);
	for (int edge = 0; edge < 12; edge++) {
		if (!analysis.lines[edge].free)
			continue;
		assert_int_equal(analysis.lines[edge].best, edge == 11);
		assert_int_equal(analysis.lines[edge].score.low, edge == 11 ? -2 : -4);
		assert_int_equal(analysis.lines[edge].score.high, analysis.lines[edge].score.low);
	}
	boxes_solver_destroy(solver);
	game_line_destroy(line);
}

static void test_boxes_analysis__reasons_are_told_in_words(void **context)
{
	struct boxes_line_report line = {.free = true, .reason = BOXES_HANDS_OVER, .boxes = 1};
	char buffer[128];
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	boxes_reason_write(&line, &text);
	assert_string_equal(buffer, "it hands over 1 box");
	line.reason = BOXES_OPENS_CHAIN;
	line.boxes = 12;
	text_init(&text, buffer, sizeof(buffer));
	boxes_reason_write(&line, &text);
	assert_string_equal(buffer,
		"it opens a chain: the other can take 12 boxes, or leave the last "
		"two and the next move");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_analysis__of_the_empty_public_grid),
		cmocka_unit_test(test_boxes_analysis__of_a_finished_position),
		cmocka_unit_test(test_boxes_analysis__chains_and_handouts_by_their_length),
		cmocka_unit_test(test_boxes_analysis__a_loop_is_followed_once_round),
		cmocka_unit_test(test_boxes_analysis__a_chain_may_end_at_joints),
		cmocka_unit_test(test_boxes_analysis__double_dealing_leaves_two_of_a_chain),
		cmocka_unit_test(test_boxes_analysis__double_dealing_leaves_four_of_a_loop),
		cmocka_unit_test(test_boxes_analysis__to_play_elsewhere_is_to_decline),
		cmocka_unit_test(test_boxes_analysis__a_pair_left_earlier_is_no_double_dealing),
		cmocka_unit_test(test_boxes_analysis__every_case_has_the_strings_it_names),
		cmocka_unit_test(test_boxes_analysis__along_games_at_random),
		cmocka_unit_test(test_boxes_analysis__scores_are_those_of_the_solver),
		cmocka_unit_test(test_boxes_analysis__reasons_are_told_in_words),
	};

	return cmocka_run_group_tests_name("boxes_analysis", tests, NULL, NULL);
}
