/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/sheet_json.h"
#include "shogi/shogi.h"
#include "toy_game.h"

static struct game_sheet *read_as(const struct game_ops *ops, const char *ruleset, const char *text)
{
	/* In memory of exactly its size, for the sanitizer. */
	size_t length = strlen(text);
	char *copy = test_malloc(length ? length : 1);
	struct game_sheet *sheet = NULL;
	struct text_error error;
	enum status status;

	memcpy(copy, text, length);
	status = sheet_json_read(ops, ruleset, copy, length, &error, &sheet);
	test_free(copy);
	if (status != STATUS_OK)
		fail_msg("%u:%u: %s", error.line, error.column, status_text(status));
	return sheet;
}

static struct game_sheet *read(const char *text)
{
	return read_as(&mini_shogi, NULL, text);
}

static void expect_refusal_as(
	const char *ruleset, const char *text, enum status status, uint32_t line, uint32_t column)
{
	size_t length = strlen(text);
	char *copy = test_malloc(length ? length : 1);
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};
	enum status found;

	memcpy(copy, text, length);
	found = sheet_json_read(&mini_shogi, ruleset, copy, length, &error, &sheet);
	test_free(copy);
	if (found != status || error.status != status || error.line != line ||
		error.column != column)
		fail_msg("%s\nis %s at %u:%u", text, status_code(found), error.line, error.column);
	assert_null(sheet);
}

static void expect_refusal(const char *text, enum status status, uint32_t line, uint32_t column)
{
	expect_refusal_as(NULL, text, status, line, column);
}

static void expect_written(const struct game_sheet *sheet, const char *expected)
{
	static char buffer[16384];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	sheet_json_write(sheet, &text);
	assert_false(text.overflow);
	assert_string_equal(buffer, expected);
}

static const char whole[] =
	"{\n"
	"  \"game\":\"toy\",\n"
	"  \"rules\":\"last-loses\",\n"
	"  \"start\":\"5 1\",\n"
	"  \"headers\":{\"Second\":\"駒\",\"First\":\"\",\"a \\\"b\\\"\":\"\\\\\"},\n"
	"  \"comment\":\"one\\ntwo\",\n"
	"  \"plies\":[\n"
	"    {\"move\":\"2\",\"action\":{\"take\":2},\"time\":1500,\"comment\":\"\"},\n"
	"    {\"move\":\"0\",\"action\":{\"take\":0}},\n"
	"    {\"move\":\"1\",\"action\":{\"take\":1},\"time\":0}\n"
	"  ],\n"
	"  \"end\":\"time-up\",\n"
	"  \"state\":{\"stones\":2,\"player\":0,\"moves\":3,\"over\":false,\"reason\":null}\n"
	"}\n";

static const char bare[] =
	"{\n"
	"  \"game\":\"toy\",\n"
	"  \"rules\":\"last-wins\",\n"
	"  \"start\":\"21 0\",\n"
	"  \"plies\":[],\n"
	"  \"state\":{\"stones\":21,\"player\":0,\"moves\":0,\"over\":false,\"reason\":null}\n"
	"}\n";

static void test_json__reads_everything_that_a_sheet_holds(void **context)
{
	struct game_sheet *sheet = read_as(&toy_ops, NULL, whole);
	const struct game_line *line = game_sheet_line(sheet);

	(void)context;
	assert_string_equal(game_line_ruleset(line), "last-loses");
	assert_false(game_line_is_from_start(line));
	assert_int_equal(game_line_plies(line), 3);
	assert_int_equal(game_line_action(line, 0).code, TOY_TAKE_2);
	assert_int_equal(game_sheet_header_count(sheet), 3);
	assert_string_equal(game_sheet_header(sheet, 0).name, "Second");
	assert_string_equal(game_sheet_header(sheet, 0).value, "駒");
	assert_string_equal(game_sheet_header(sheet, 1).value, "");
	assert_string_equal(game_sheet_header(sheet, 2).name, "a \"b\"");
	assert_string_equal(game_sheet_comment(sheet, 0), "one\ntwo");
	assert_string_equal(game_sheet_comment(sheet, 1), "");
	assert_null(game_sheet_comment(sheet, 2));
	assert_int_equal(game_sheet_time(sheet, 0), 1500);
	assert_int_equal(game_sheet_time(sheet, 1), -1);
	assert_int_equal(game_sheet_time(sheet, 2), 0);
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_TIME_UP);
	game_sheet_destroy(sheet);
}

static void test_json__writes_everything_and_leaves_out_what_is_unknown(void **context)
{
	struct game_sheet *sheet = read_as(&toy_ops, NULL, whole);

	(void)context;
	expect_written(sheet, whole);
	game_sheet_destroy(sheet);

	sheet = read_as(&toy_ops, NULL, bare);
	expect_written(sheet, bare);
	game_sheet_destroy(sheet);
}

static void test_json__needs_the_game_and_the_plies_alone(void **context)
{
	struct game_sheet *sheet = read_as(&toy_ops, NULL, "{\"plies\":[],\"game\":\"toy\"}");

	(void)context;
	expect_written(sheet, bare);
	game_sheet_destroy(sheet);

	expect_refusal(" {\"plies\":[]}", STATUS_SHEET_MEMBER_MISSING, 1, 2);
	expect_refusal("\n{\"game\":\"mini-shogi\"}", STATUS_SHEET_MEMBER_MISSING, 2, 1);
	expect_refusal(
		"{\"game\":\"mini-shogi\",\"plies\":[{}]}", STATUS_SHEET_MEMBER_MISSING, 1, 31);
}

static void test_json__is_of_the_game_that_it_says(void **context)
{
	(void)context;
	expect_refusal("{\"game\":\"shogi\",\"plies\":[]}", STATUS_SHEET_OTHER_GAME, 1, 9);
	expect_refusal("{\"game\":\"\",\"plies\":[]}", STATUS_SHEET_OTHER_GAME, 1, 9);
}

static void test_json__is_of_the_ruleset_that_it_says(void **context)
{
	static const char kawu[] = "{\"game\":\"mini-shogi\",\"rules\":\"kawu\",\"plies\":[]}";
	static const char unsaid[] = "{\"game\":\"mini-shogi\",\"plies\":[]}";
	static const struct {
		const char *ruleset;
		const char *text;
		const char *expected;
	} rows[] = {
		{NULL, kawu, "kawu"},
		{"kawu", kawu, "kawu"},
		{NULL, unsaid, "uec"},
		{"kawu", unsaid, "kawu"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = read_as(&mini_shogi, rows[i].ruleset, rows[i].text);

		assert_string_equal(game_line_ruleset(game_sheet_line(sheet)), rows[i].expected);
		assert_true(game_line_is_from_start(game_sheet_line(sheet)));
		game_sheet_destroy(sheet);
	}
	expect_refusal_as("uec", kawu, STATUS_SHEET_OTHER_RULES, 1, 30);
	expect_refusal("{\"game\":\"mini-shogi\",\"rules\":\"x\",\"plies\":[]}",
		STATUS_RULESET_UNKNOWN, 1, 30);
}

static void test_json__names_the_byte_of_a_bad_start(void **context)
{
	(void)context;
	expect_refusal("{\"game\":\"mini-shogi\",\"start\":\"rbsgk/4p/5/P4/KGSBX b - 1\","
		       "\"plies\":[]}",
		STATUS_SFEN_PIECE, 1, 31 + 18);
	/* With escapes the place within is lost, and that of the string is told. */
	expect_refusal("{\"game\":\"mini-shogi\",\"start\":\"rbsgk\\/4p\\/5\\/P4\\/KGSBX b - 1\","
		       "\"plies\":[]}",
		STATUS_SFEN_PIECE, 1, 30);
	expect_refusal(
		"{\"game\":\"mini-shogi\",\"start\":\"\",\"plies\":[]}", STATUS_TEXT_EMPTY, 1, 31);
}

static void test_json__takes_escapes_for_what_they_stand_for(void **context)
{
	struct game_sheet *sheet = read("{\"g\\u0061me\":\"mini-\\u0073hogi\","
					"\"start\":\"4k\\/5\\/5\\/5\\/K4 b G 1\","
					"\"headers\":{\"\\u99d2\":\"\\ud83d\\ude00\"},"
					"\"plies\":[{\"move\":\"G*3c\"}]}");

	(void)context;
	assert_string_equal(game_sheet_header_value(sheet, "駒"), "\xf0\x9f\x98\x80");
	assert_int_equal(game_line_plies(game_sheet_line(sheet)), 1);
	game_sheet_destroy(sheet);
}

static void test_json__refuses_what_is_no_json(void **context)
{
	static const struct {
		const char *text;
		enum status status;
		uint32_t line;
		uint32_t column;
	} rows[] = {
		{"", STATUS_TEXT_EMPTY, 1, 1},
		{" \r\n\t\n", STATUS_TEXT_EMPTY, 1, 1},
		{"x", STATUS_JSON_SYNTAX, 1, 1},
		{"[駒", STATUS_JSON_SYNTAX, 1, 2},
		{"{", STATUS_JSON_SYNTAX, 1, 1},
		{"{\"game\"", STATUS_JSON_SYNTAX, 1, 7},
		{"{\"game\":\"mini-shogi\",}", STATUS_JSON_SYNTAX, 1, 22},
		{"{\n\"駒\" 1}", STATUS_JSON_SYNTAX, 2, 7},
		{"{}\n{}", STATUS_TEXT_TRAILING, 2, 1},
		{"{\"game\":1,\"game\":1}", STATUS_JSON_DUPLICATE, 1, 16},
		{"{\"headers\":{\"a\":\"\",\n\"b\":\"\",\"\\u0061\":\"\"}}", STATUS_JSON_DUPLICATE,
			2, 15},
		{"[1e999]", STATUS_SHEET_MEMBER_VALUE, 1, 6},
		{"[\"\\u0000\"]", STATUS_SHEET_MEMBER_VALUE, 1, 9},
		{"[\"\\ud800\"]", STATUS_JSON_SYNTAX, 1, 9},
		{"null", STATUS_SHEET_MEMBER_VALUE, 1, 1},
		{" []", STATUS_SHEET_MEMBER_VALUE, 1, 2},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_refusal(rows[i].text, rows[i].status, rows[i].line, rows[i].column);
}

static void test_json__refuses_brackets_in_brackets_without_end(void **context)
{
	enum { LENGTH = 1 << 20 };
	static const char string[] = "{\"x\":\n\"[{]\\\"\",";
	static const char closed[] = "[[],[],{},[[]],";
	char *text = test_malloc(LENGTH + 1);

	(void)context;
	memset(text, '[', LENGTH);
	text[LENGTH] = 0;
	expect_refusal(text, STATUS_JSON_NESTING, 1, 65);
	/* Brackets in a string, or closed ones, do not count. */
	memcpy(text, string, strlen(string));
	expect_refusal(text, STATUS_JSON_NESTING, 2, 9 + 63);
	memcpy(text, closed, strlen(closed));
	expect_refusal(text, STATUS_JSON_NESTING, 1, 16 + 63);
	expect_refusal("{\"x\":[[[[[[[[[[[[]]]]]]]]]]]]}", STATUS_SHEET_MEMBER_UNKNOWN, 1, 2);
	test_free(text);
}

/* Each stands behind `{"game":"mini-shogi",` of 21 bytes. */
static void test_json__refuses_members_and_values_that_a_record_has_not(void **context)
{
	static const struct {
		const char *rest;
		enum status status;
		uint32_t column;
	} rows[] = {
		{"\"plies\":[],\"moves\":1}", STATUS_SHEET_MEMBER_UNKNOWN, 12},
		{"\"Plies\":[]}", STATUS_SHEET_MEMBER_UNKNOWN, 1},
		{"\"\":1,\"plies\":[]}", STATUS_SHEET_MEMBER_UNKNOWN, 1},
		{"\"rules\":null,\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 9},
		{"\"start\":1,\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 9},
		{"\"headers\":[],\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 11},
		{"\"headers\":{\"a\":\"\",\"b\":1},\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 23},
		{"\"headers\":{\"a\":\"x\\ny\"},\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 16},
		{"\"headers\":{\"a\":\"x\\ry\"},\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 16},
		{"\"headers\":{\"a\\n\":\"\"},\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 12},
		{"\"headers\":{\"\":\"\"},\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 12},
		{"\"comment\":false,\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 11},
		{"\"comment\":\"a\\rb\",\"plies\":[]}", STATUS_SHEET_MEMBER_VALUE, 11},
		{"\"plies\":{}}", STATUS_SHEET_MEMBER_VALUE, 9},
		{"\"plies\":[\"5d5c\"]}", STATUS_SHEET_MEMBER_VALUE, 10},
		{"\"plies\":[{\"move\":5}]}", STATUS_SHEET_MEMBER_VALUE, 18},
		{"\"plies\":[{\"move\":\"5d5c\",\"from\":1}]}", STATUS_SHEET_MEMBER_UNKNOWN, 25},
		{"\"plies\":[{\"move\":\"5d5c\",\"time\":-1}]}", STATUS_SHEET_MEMBER_VALUE, 32},
		{"\"plies\":[{\"move\":\"5d5c\",\"time\":1.0}]}", STATUS_SHEET_MEMBER_VALUE, 32},
		{"\"plies\":[{\"move\":\"5d5c\",\"time\":\"1\"}]}", STATUS_SHEET_MEMBER_VALUE, 32},
		{"\"plies\":[{\"move\":\"5d5c\",\"comment\":1}]}", STATUS_SHEET_MEMBER_VALUE, 35},
		{"\"plies\":[{\"move\":\"5d5c\",\"action\":\"5d5c\"}]}", STATUS_SHEET_MEMBER_VALUE,
			34},
		{"\"plies\":[],\"end\":\"over\"}", STATUS_SHEET_MEMBER_VALUE, 18},
		{"\"plies\":[],\"end\":null}", STATUS_SHEET_MEMBER_VALUE, 18},
		{"\"plies\":[],\"state\":[]}", STATUS_SHEET_MEMBER_VALUE, 20},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[256] = "{\"game\":\"mini-shogi\",";

		strcat(text, rows[i].rest);
		expect_refusal(text, rows[i].status, 1, 21 + rows[i].column);
	}
}

static void test_json__names_the_place_of_a_move_that_cannot_be(void **context)
{
	(void)context;
	expect_refusal("{\"game\":\"mini-shogi\",\"plies\":[\n"
		       "{\"move\":\"5d5c\"},\n"
		       "{\"move\":\"1b1x\"}\n]}",
		STATUS_USI_SQUARE, 3, 13);
	expect_refusal("{\"game\":\"mini-shogi\",\"plies\":[\n"
		       "{\"move\":\"5d5c\"},\n"
		       "{\"comment\":\"]}\\\"\",\"move\":\"5d5c\"}\n]}",
		STATUS_MOVE_EMPTY_SQUARE, 3, 27);
	expect_refusal("{\"game\":\"mini-shogi\",\"plies\":[\n"
		       "{\"move\":\"resign\"},\n"
		       "{\"move\":\"5d5c\"}\n]}",
		STATUS_GAME_OVER, 3, 10);
}

static void test_json__an_action_must_be_that_of_the_move(void **context)
{
	struct game_sheet *sheet =
		read("{\"game\":\"mini-shogi\",\"plies\":[{\"action\":"
		     "{\"promote\":false,\"to\":10,\"type\":\"move\",\"from\":15},"
		     "\"move\":\"5d5c\"}]}");

	(void)context;
	game_sheet_destroy(sheet);
	expect_refusal("{\"game\":\"mini-shogi\",\"plies\":[{\"move\":\"5d5c\",\n\"action\":"
		       "{\"type\":\"move\",\"from\":15,\"to\":10,\"promote\":true}}]}",
		STATUS_SHEET_DISAGREES, 2, 10);
	expect_refusal("{\"game\":\"mini-shogi\",\"plies\":[{\"move\":\"5d5c\",\n\"action\":"
		       "{\"type\":\"move\",\"from\":15,\"to\":10}}]}",
		STATUS_SHEET_DISAGREES, 2, 10);
	expect_refusal(
		"{\"game\":\"mini-shogi\",\"plies\":[{\"move\":\"resign\",\n\"action\":{}}]}",
		STATUS_SHEET_DISAGREES, 2, 10);
}

static void test_json__a_state_must_be_the_one_that_the_moves_lead_to(void **context)
{
	static const char bad[] =
		"{\"game\":\"toy\",\"plies\":[{\"move\":\"2\"}],\n"
		" \"state\":{\"stones\":19,\"player\":1,\"moves\":0,\"over\":false,"
		"\"reason\":null}}";
	struct game_sheet *sheet = NULL;
	struct text_error error;

	(void)context;
	assert_int_equal(sheet_json_read(&toy_ops, NULL, bad, strlen(bad), &error, &sheet),
		STATUS_SHEET_DISAGREES);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 10);
	assert_null(sheet);
	sheet = read_as(&toy_ops, NULL,
		"{\"state\":{\"reason\":null,\"stones\":19,\"player\":1,\"moves\":1,"
		"\"over\":false},\"plies\":[{\"move\":\"2\"}],\"game\":\"toy\"}");
	game_sheet_destroy(sheet);
}

static void test_json__a_game_that_is_over_has_no_other_end(void **context)
{
	struct game_sheet *sheet =
		read("{\"game\":\"mini-shogi\",\"plies\":[],\"end\":\"interrupted\"}");

	(void)context;
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_INTERRUPTED);
	game_sheet_destroy(sheet);
	expect_refusal("{\"game\":\"mini-shogi\",\"end\":\"draw\",\"plies\":[{\"move\":"
		       "\"resign\"}]}",
		STATUS_SHEET_END, 1, 28);
}

static void test_json__writes_actions_and_states_in_the_published_shape(void **context)
{
	static const char expected[] =
		"{\n"
		"  \"game\":\"mini-shogi\",\n"
		"  \"rules\":\"uec\",\n"
		"  \"start\":\"4k/5/5/5/K4 b G 7\",\n"
		"  \"plies\":[\n"
		"    "
		"{\"move\":\"G*3c\",\"action\":{\"type\":\"drop\",\"piece\":\"G\",\"to\":12}},\n"
		"    {\"move\":\"resign\",\"action\":{\"type\":\"resign\"}}\n"
		"  ],\n"
		"  \"state\":{\"board\":[null,null,null,null,"
		"{\"type\":\"K\",\"owner\":1,\"promoted\":false},"
		"null,null,null,null,null,null,null,"
		"{\"type\":\"G\",\"owner\":0,\"promoted\":false},"
		"null,null,null,null,null,null,null,"
		"{\"type\":\"K\",\"owner\":0,\"promoted\":false},null,null,null,null],"
		"\"hands\":[{\"R\":0,\"B\":0,\"G\":0,\"S\":0,\"P\":0},"
		"{\"R\":0,\"B\":0,\"G\":0,\"S\":0,\"P\":0}],"
		"\"player\":1,\"moves\":1,\"last\":{\"type\":\"resign\"},"
		"\"over\":true,\"winner\":0,\"reason\":\"resignation\"}\n"
		"}\n";
	struct game_sheet *sheet = read(expected);

	(void)context;
	expect_written(sheet, expected);
	game_sheet_destroy(sheet);
}

/* Before they are built: each would take eighty times its bytes. */
static void test_json__refuses_more_values_than_any_game_has(void **context)
{
	size_t length = 1 << 20;
	char *text = test_malloc(length);
	struct game_sheet *sheet;
	struct text_error error;

	(void)context;
	for (size_t i = 0; i < length; i++)
		text[i] = "{},"[i % 3];
	text[1] = '\n';
	assert_int_equal(sheet_json_read(&mini_shogi, NULL, text, length, &error, &sheet),
		STATUS_TEXT_TOO_LONG);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, (1 << 18) / 2 * 3 - 1);
	/* Within a string they are none. */
	memset(text, ',', length);
	text[0] = '"';
	text[length - 1] = '"';
	assert_int_equal(sheet_json_read(&mini_shogi, NULL, text, length, &error, &sheet),
		STATUS_SHEET_MEMBER_VALUE);
	test_free(text);
}

static void test_json__refuses_more_than_a_sheet_holds(void **context)
{
	size_t length = GAME_SHEET_NOTES_MAX + 200;
	char *text = test_malloc(length);
	size_t used = 0;
	struct game_sheet *sheet;
	struct text_error error;

	(void)context;
	used += (size_t)snprintf(
		text, length, "{\"game\":\"mini-shogi\",\"plies\":[],\n \"comment\":\"");
	memset(text + used, 'x', GAME_SHEET_NOTES_MAX + 1);
	used += GAME_SHEET_NOTES_MAX + 1;
	memcpy(text + used, "\"}", 2);
	assert_int_equal(sheet_json_read(&mini_shogi, NULL, text, used + 2, &error, &sheet),
		STATUS_TEXT_TOO_LONG);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 12);
	test_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json__reads_everything_that_a_sheet_holds),
		cmocka_unit_test(test_json__writes_everything_and_leaves_out_what_is_unknown),
		cmocka_unit_test(test_json__needs_the_game_and_the_plies_alone),
		cmocka_unit_test(test_json__is_of_the_game_that_it_says),
		cmocka_unit_test(test_json__is_of_the_ruleset_that_it_says),
		cmocka_unit_test(test_json__names_the_byte_of_a_bad_start),
		cmocka_unit_test(test_json__takes_escapes_for_what_they_stand_for),
		cmocka_unit_test(test_json__refuses_what_is_no_json),
		cmocka_unit_test(test_json__refuses_brackets_in_brackets_without_end),
		cmocka_unit_test(test_json__refuses_members_and_values_that_a_record_has_not),
		cmocka_unit_test(test_json__names_the_place_of_a_move_that_cannot_be),
		cmocka_unit_test(test_json__an_action_must_be_that_of_the_move),
		cmocka_unit_test(test_json__a_state_must_be_the_one_that_the_moves_lead_to),
		cmocka_unit_test(test_json__a_game_that_is_over_has_no_other_end),
		cmocka_unit_test(test_json__writes_actions_and_states_in_the_published_shape),
		cmocka_unit_test(test_json__refuses_more_values_than_any_game_has),
		cmocka_unit_test(test_json__refuses_more_than_a_sheet_holds),
	};

	return cmocka_run_group_tests_name("sheet_json", tests, NULL, NULL);
}
