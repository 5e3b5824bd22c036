/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "game/sheet.h"
#include "toy_game.h"

static struct game_sheet *new_sheet(void)
{
	struct game_sheet *sheet = NULL;

	assert_int_equal(game_sheet_create(&toy_ops, NULL, &sheet), STATUS_OK);
	return sheet;
}

static void play(struct game_sheet *sheet, enum toy_code code)
{
	assert_int_equal(game_sheet_play(sheet, toy_action(code)), STATUS_OK);
}

static size_t plies(const struct game_sheet *sheet)
{
	return game_line_plies(game_sheet_line(sheet));
}

static void set_header(struct game_sheet *sheet, const char *name, const char *value)
{
	assert_int_equal(
		game_sheet_set_header(sheet, name, strlen(name), value, strlen(value)), STATUS_OK);
}

static void comment(struct game_sheet *sheet, const char *text)
{
	assert_int_equal(game_sheet_add_comment(sheet, text, strlen(text)), STATUS_OK);
}

static void test_sheet__begins_blank(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	assert_int_equal(plies(sheet), 0);
	assert_ptr_equal(game_line_ops(game_sheet_line(sheet)), &toy_ops);
	assert_true(game_line_is_from_start(game_sheet_line(sheet)));
	assert_int_equal(game_sheet_header_count(sheet), 0);
	assert_null(game_sheet_header_value(sheet, game_header_first));
	assert_null(game_sheet_comment(sheet, 0));
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_OPEN);
	game_sheet_destroy(sheet);
}

static void test_sheet__begins_with_a_set_up_under_its_ruleset(void **context)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;

	(void)context;
	assert_int_equal(
		game_sheet_setup(&toy_ops, "last-loses", "2 1", 3, &error, &sheet), STATUS_OK);
	assert_string_equal(game_line_ruleset(game_sheet_line(sheet)), "last-loses");
	assert_false(game_line_is_from_start(game_sheet_line(sheet)));
	play(sheet, TOY_TAKE_2);
	assert_int_equal(game_line_summary(game_sheet_line(sheet)).winner, 0);
	game_sheet_destroy(sheet);
}

static void test_sheet__a_refusal_makes_no_sheet(void **context)
{
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	(void)context;
	assert_int_equal(game_sheet_create(&toy_ops, "house", &sheet), STATUS_RULESET_UNKNOWN);
	assert_null(sheet);
	assert_int_equal(
		game_sheet_setup(&toy_ops, NULL, "2 x", 3, &error, &sheet), STATUS_SFEN_NUMBER);
	assert_null(sheet);
	assert_int_equal(error.status, STATUS_SFEN_NUMBER);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 2);
}

static void test_sheet__plays_as_its_line_does(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	play(sheet, TOY_TAKE_3);
	assert_int_equal(game_sheet_play(sheet, (struct game_action){99}), STATUS_MOVE_PATTERN);
	assert_int_equal(plies(sheet), 1);
	play(sheet, TOY_RESIGN);
	assert_int_equal(game_sheet_play(sheet, toy_action(TOY_PASS)), STATUS_GAME_OVER);
	assert_int_equal(plies(sheet), 2);
	game_sheet_destroy(sheet);
}

static void test_sheet__keeps_headers_in_their_order(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	set_header(sheet, game_header_second, "Ito");
	set_header(sheet, game_header_first, "先手");
	set_header(sheet, "備考", "");
	assert_int_equal(game_sheet_header_count(sheet), 3);
	assert_string_equal(game_sheet_header(sheet, 0).name, "Second");
	assert_string_equal(game_sheet_header(sheet, 0).value, "Ito");
	assert_string_equal(game_sheet_header(sheet, 1).name, "First");
	assert_string_equal(game_sheet_header(sheet, 2).name, "備考");
	assert_string_equal(game_sheet_header(sheet, 2).value, "");
	assert_string_equal(game_sheet_header_value(sheet, "First"), "先手");
	game_sheet_destroy(sheet);
}

static void test_sheet__a_header_is_replaced_where_it_stands(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	set_header(sheet, "Event", "one");
	set_header(sheet, "Site", "here");
	set_header(sheet, "Event", "another");
	assert_int_equal(game_sheet_header_count(sheet), 2);
	assert_string_equal(game_sheet_header(sheet, 0).name, "Event");
	assert_string_equal(game_sheet_header(sheet, 0).value, "another");
	game_sheet_destroy(sheet);
}

static void test_sheet__finds_a_header_by_its_whole_name_only(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	set_header(sheet, "Event", "x");
	assert_null(game_sheet_header_value(sheet, "Even"));
	assert_null(game_sheet_header_value(sheet, "Events"));
	assert_null(game_sheet_header_value(sheet, "event"));
	assert_null(game_sheet_header_value(sheet, ""));
	game_sheet_destroy(sheet);
}

static void test_sheet__copies_as_many_bytes_as_it_is_told(void **context)
{
	struct game_sheet *sheet = new_sheet();
	char name[] = "Name and more";
	char value[] = "value and more";

	(void)context;
	assert_int_equal(game_sheet_set_header(sheet, name, 4, value, 5), STATUS_OK);
	assert_int_equal(game_sheet_add_comment(sheet, value, 5), STATUS_OK);
	memset(name, '?', strlen(name));
	memset(value, '?', strlen(value));
	assert_string_equal(game_sheet_header_value(sheet, "Name"), "value");
	assert_string_equal(game_sheet_comment(sheet, 0), "value");
	game_sheet_destroy(sheet);
}

/* Also while it moves them. */
static void test_sheet__takes_texts_of_its_own(void **context)
{
	static const char text[] = "fifteen letters";
	struct game_sheet *sheet = new_sheet();
	const char *header;

	(void)context;
	comment(sheet, text);
	for (int i = 0; i < 6; i++) {
		const char *own = game_sheet_comment(sheet, 0);
		size_t length = strlen(own);

		comment(sheet, own);
		assert_int_equal(strlen(game_sheet_comment(sheet, 0)), 2 * length + 1);
	}
	for (const char *line = game_sheet_comment(sheet, 0); line; line = strchr(line, '\n')) {
		line += *line == '\n';
		assert_memory_equal(line, text, strlen(text));
	}

	set_header(sheet, "a", text);
	header = game_sheet_header_value(sheet, "a");
	set_header(sheet, "a", header + 8);
	assert_string_equal(game_sheet_header_value(sheet, "a"), "letters");
	for (int i = 0; i < 20; i++) {
		char name[32];

		header = game_sheet_header_value(sheet, "a");
		snprintf(name, sizeof(name), "%s %d", header, i);
		set_header(sheet, name, header);
		set_header(sheet, game_sheet_header(sheet, 0).name, header);
		assert_string_equal(game_sheet_header_value(sheet, name), "letters");
	}
	assert_int_equal(game_sheet_header_count(sheet), 21);
	game_sheet_destroy(sheet);
}

static void test_sheet__holds_so_many_headers_and_no_more(void **context)
{
	struct game_sheet *sheet = new_sheet();
	char name[16];

	(void)context;
	for (int i = 0; i < GAME_SHEET_HEADERS_MAX; i++) {
		snprintf(name, sizeof(name), "h%d", i);
		set_header(sheet, name, name + 1);
	}
	assert_int_equal(game_sheet_set_header(sheet, "x", 1, "", 0), STATUS_TEXT_TOO_LONG);
	set_header(sheet, "h7", "7"); /* replaces one */
	assert_int_equal(game_sheet_header_count(sheet), GAME_SHEET_HEADERS_MAX);
	for (size_t i = 0; i < GAME_SHEET_HEADERS_MAX; i++) {
		snprintf(name, sizeof(name), "h%zu", i);
		assert_string_equal(game_sheet_header(sheet, i).name, name);
		assert_string_equal(game_sheet_header(sheet, i).value, name + 1);
	}
	game_sheet_destroy(sheet);
}

static void test_sheet__comments_stand_beside_positions(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	comment(sheet, "before the game");
	play(sheet, TOY_TAKE_1);
	play(sheet, TOY_TAKE_2);
	comment(sheet, "after two");
	assert_string_equal(game_sheet_comment(sheet, 0), "before the game");
	assert_null(game_sheet_comment(sheet, 1));
	assert_string_equal(game_sheet_comment(sheet, 2), "after two");
	game_sheet_destroy(sheet);
}

static void test_sheet__comments_gather_lines(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	comment(sheet, "one");
	comment(sheet, "");
	comment(sheet, "two\nthree");
	assert_string_equal(game_sheet_comment(sheet, 0), "one\n\ntwo\nthree");
	play(sheet, TOY_TAKE_1);
	comment(sheet, "");
	assert_string_equal(game_sheet_comment(sheet, 1), "");
	comment(sheet, "x");
	assert_string_equal(game_sheet_comment(sheet, 1), "\nx");
	game_sheet_destroy(sheet);
}

static void test_sheet__times_belong_to_plies(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	play(sheet, TOY_TAKE_1);
	game_sheet_set_time(sheet, 0);
	play(sheet, TOY_TAKE_1);
	play(sheet, TOY_TAKE_1);
	game_sheet_set_time(sheet, 1);
	game_sheet_set_time(sheet, INT64_MAX);
	assert_int_equal(game_sheet_time(sheet, 0), 0);
	assert_int_equal(game_sheet_time(sheet, 1), -1);
	assert_true(game_sheet_time(sheet, 2) == INT64_MAX);
	game_sheet_destroy(sheet);
}

static void test_sheet__undo_takes_along_what_stood_beside_the_ply(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	comment(sheet, "start");
	set_header(sheet, "Event", "x");
	play(sheet, TOY_TAKE_1);
	comment(sheet, "first");
	game_sheet_set_time(sheet, 10);
	play(sheet, TOY_TAKE_2);
	comment(sheet, "second");
	game_sheet_set_time(sheet, 20);
	game_sheet_set_end(sheet, GAME_SHEET_INTERRUPTED);

	assert_true(game_sheet_undo(sheet));
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_OPEN);
	assert_string_equal(game_sheet_comment(sheet, 1), "first");
	assert_int_equal(game_sheet_time(sheet, 0), 10);
	play(sheet, TOY_TAKE_2);
	assert_null(game_sheet_comment(sheet, 2));
	assert_int_equal(game_sheet_time(sheet, 1), -1);

	assert_true(game_sheet_undo(sheet));
	assert_true(game_sheet_undo(sheet));
	assert_string_equal(game_sheet_comment(sheet, 0), "start");
	assert_string_equal(game_sheet_header_value(sheet, "Event"), "x");
	game_sheet_destroy(sheet);
}

static void test_sheet__undo_of_nothing_changes_nothing(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	comment(sheet, "start");
	game_sheet_set_end(sheet, GAME_SHEET_DRAW);
	assert_false(game_sheet_undo(sheet));
	assert_string_equal(game_sheet_comment(sheet, 0), "start");
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_DRAW);
	game_sheet_destroy(sheet);
}

static void test_sheet__keeps_notes_beside_the_longest_game(void **context)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;

	(void)context;
	assert_int_equal(
		game_sheet_setup(&toy_ops, NULL, "999999 0", 8, &error, &sheet), STATUS_OK);
	for (int64_t ply = 0; ply < GAME_PLIES_MAX; ply++) {
		play(sheet, TOY_TAKE_1);
		game_sheet_set_time(sheet, ply);
		comment(sheet, "c");
	}
	assert_int_equal(game_sheet_play(sheet, toy_action(TOY_TAKE_1)), STATUS_GAME_TOO_LONG);
	assert_string_equal(game_sheet_comment(sheet, GAME_PLIES_MAX), "c");
	assert_null(game_sheet_comment(sheet, 0));
	for (size_t ply = 0; ply < GAME_PLIES_MAX; ply++)
		assert_int_equal(game_sheet_time(sheet, ply), ply);
	game_sheet_destroy(sheet);
}

/* Fills the sheet's notes but for `rest` bytes, with one comment on the position of now. */
static void fill_notes(struct game_sheet *sheet, size_t used, size_t rest)
{
	size_t length = GAME_SHEET_NOTES_MAX - used - rest;
	char *text = test_malloc(length);

	memset(text, 'x', length);
	assert_int_equal(game_sheet_add_comment(sheet, text, length), STATUS_OK);
	test_free(text);
}

static void test_sheet__headers_and_comments_share_one_maximum(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	set_header(sheet, "ab", "cd");
	fill_notes(sheet, 4, 2);
	/* The end of the line before is a byte too. */
	assert_int_equal(game_sheet_add_comment(sheet, "xy", 2), STATUS_TEXT_TOO_LONG);
	assert_int_equal(game_sheet_set_header(sheet, "x", 1, "yz", 2), STATUS_TEXT_TOO_LONG);
	assert_int_equal(game_sheet_set_header(sheet, "ab", 2, "12345", 5), STATUS_TEXT_TOO_LONG);
	assert_int_equal(game_sheet_header_count(sheet), 1);
	assert_string_equal(game_sheet_header_value(sheet, "ab"), "cd");
	assert_int_equal(strlen(game_sheet_comment(sheet, 0)), GAME_SHEET_NOTES_MAX - 6);
	assert_int_equal(game_sheet_add_comment(sheet, "x", 1), STATUS_OK);
	assert_int_equal(game_sheet_add_comment(sheet, "", 0), STATUS_TEXT_TOO_LONG);
	game_sheet_destroy(sheet);
}

static void test_sheet__what_is_replaced_or_taken_back_makes_room(void **context)
{
	struct game_sheet *sheet = new_sheet();

	(void)context;
	set_header(sheet, "ab", "12345");
	play(sheet, TOY_TAKE_1);
	fill_notes(sheet, 7, 0);
	assert_int_equal(game_sheet_set_header(sheet, "x", 1, "", 0), STATUS_TEXT_TOO_LONG);
	set_header(sheet, "ab", "1234");
	set_header(sheet, "x", "");
	assert_int_equal(game_sheet_set_header(sheet, "x", 1, "y", 1), STATUS_TEXT_TOO_LONG);
	set_header(sheet, "ab", "4321"); /* as long as what it replaces */

	assert_true(game_sheet_undo(sheet));
	fill_notes(sheet, 7, 0);
	assert_int_equal(game_sheet_set_header(sheet, "x", 1, "y", 1), STATUS_TEXT_TOO_LONG);
	game_sheet_destroy(sheet);
}

static void test_sheet__every_end_has_its_word(void **context)
{
	static const struct {
		enum game_sheet_end end;
		const char *name;
	} rows[] = {
		{GAME_SHEET_INTERRUPTED, "interrupted"},
		{GAME_SHEET_TIME_UP, "time-up"},
		{GAME_SHEET_ILLEGAL_MOVE, "illegal-move"},
		{GAME_SHEET_ILLEGAL_BEFORE, "illegal-before"},
		{GAME_SHEET_DRAW, "draw"},
		{GAME_SHEET_REPETITION, "repetition"},
		{GAME_SHEET_DECLARED_WIN, "declared-win"},
		{GAME_SHEET_WIN, "win"},
		{GAME_SHEET_MATE, "mate"},
	};
	enum game_sheet_end end = GAME_SHEET_OPEN;

	(void)context;
	assert_null(game_sheet_end_name(GAME_SHEET_OPEN));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(game_sheet_end_name(rows[i].end), rows[i].name);
		assert_true(game_sheet_end_find(rows[i].name, &end));
		assert_int_equal(end, rows[i].end);
	}
	assert_false(game_sheet_end_find("", &end));
	assert_false(game_sheet_end_find("open", &end));
	assert_false(game_sheet_end_find("Draw", &end));
	assert_int_equal(end, GAME_SHEET_MATE);
}

static void test_sheet__destroys_nothing(void **context)
{
	(void)context;
	game_sheet_destroy(NULL);
}

/* What the format below was given. */
static struct {
	int calls;
	const char *ruleset;
	char text[64];
	size_t length;
} given;

static enum status read_given(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	given.calls++;
	given.ruleset = ruleset;
	given.length = length;
	memcpy(given.text, text, length);
	if (length && text[0] == '!') {
		*error = (struct text_error){STATUS_SHEET_MOVE, 3, 4};
		return STATUS_SHEET_MOVE;
	}
	return game_sheet_create(&toy_ops, ruleset, sheet);
}

static void write_nothing(const struct game_sheet *sheet, struct text *text)
{
	(void)sheet;
	text_add_char(text, '\n');
}

static const struct game_format format_given = {"given", read_given, write_nothing};

static enum status read_text(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	given.calls = 0;
	return game_sheet_read(&toy_ops, &format_given, ruleset, text, length, error, sheet);
}

static void test_format__is_found_by_its_whole_name_only(void **context)
{
	static const struct game_format another = {"other", read_given, write_nothing};
	static const struct game_format *const formats[] = {&another, &format_given, NULL};
	struct game_ops ops = toy_ops;

	(void)context;
	ops.formats = formats;
	assert_ptr_equal(game_format_find(&ops, "given"), &format_given);
	assert_ptr_equal(game_format_find(&ops, "other"), &another);
	assert_null(game_format_find(&ops, "give"));
	assert_null(game_format_find(&ops, "givens"));
	assert_null(game_format_find(&ops, ""));
	assert_null(game_format_find(&toy_ops, "given"));
}

static void test_format__is_given_the_text_without_its_byte_order_mark(void **context)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;

	(void)context;
	assert_int_equal(read_text("last-loses",
				 "\xef\xbb\xbf"
				 "ab",
				 5, &error, &sheet),
		STATUS_OK);
	assert_int_equal(given.length, 2);
	assert_memory_equal(given.text, "ab", 2);
	assert_string_equal(given.ruleset, "last-loses");
	game_sheet_destroy(sheet);

	assert_int_equal(read_text(NULL, "\xef\xbb\xbf", 3, &error, &sheet), STATUS_OK);
	assert_int_equal(given.length, 0);
	assert_null(given.ruleset);
	game_sheet_destroy(sheet);

	/* One mark: a second is a character of the text. */
	assert_int_equal(read_text(NULL, "\xef\xbb\xbf\xef\xbb\xbf", 6, &error, &sheet), STATUS_OK);
	assert_int_equal(given.length, 3);
	game_sheet_destroy(sheet);
}

static void test_format__is_given_no_bytes_that_are_not_utf8(void **context)
{
	static const struct {
		const char *text;
		size_t length;
		enum status status;
		uint32_t line;
		uint32_t column;
	} rows[] = {
		{"\xff", 1, STATUS_TEXT_ENCODING, 1, 1},
		{"ab\n\xe9\xa7\x92\x80", 7, STATUS_TEXT_ENCODING, 2, 4},
		{"a\r\nb\r\n\xe9", 7, STATUS_TEXT_ENCODING, 3, 1},
		{"a\0b", 3, STATUS_TEXT_ZERO, 1, 2},
		{"\xef\xbb\xbf"
		 "a\xff",
			5, STATUS_TEXT_ENCODING, 1, 2},
		{"\xef\xbb", 2, STATUS_TEXT_ENCODING, 1, 1},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = NULL;
		struct text_error error = {STATUS_OK, 0, 0};

		assert_int_equal(read_text(NULL, rows[i].text, rows[i].length, &error, &sheet),
			rows[i].status);
		assert_int_equal(error.status, rows[i].status);
		assert_int_equal(error.line, rows[i].line);
		assert_int_equal(error.column, rows[i].column);
		assert_int_equal(given.calls, 0);
		assert_null(sheet);
	}
}

static void test_format__is_given_no_unknown_ruleset(void **context)
{
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	(void)context;
	assert_int_equal(read_text("house", "a", 1, &error, &sheet), STATUS_RULESET_UNKNOWN);
	assert_int_equal(error.status, STATUS_RULESET_UNKNOWN);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 1);
	assert_int_equal(given.calls, 0);
	assert_null(sheet);
}

static void test_format__says_itself_what_is_wrong_and_where(void **context)
{
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	(void)context;
	assert_int_equal(read_text(NULL, "!", 1, &error, &sheet), STATUS_SHEET_MOVE);
	assert_int_equal(error.line, 3);
	assert_int_equal(error.column, 4);
	assert_null(sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sheet__begins_blank),
		cmocka_unit_test(test_sheet__begins_with_a_set_up_under_its_ruleset),
		cmocka_unit_test(test_sheet__a_refusal_makes_no_sheet),
		cmocka_unit_test(test_sheet__plays_as_its_line_does),
		cmocka_unit_test(test_sheet__keeps_headers_in_their_order),
		cmocka_unit_test(test_sheet__a_header_is_replaced_where_it_stands),
		cmocka_unit_test(test_sheet__finds_a_header_by_its_whole_name_only),
		cmocka_unit_test(test_sheet__copies_as_many_bytes_as_it_is_told),
		cmocka_unit_test(test_sheet__takes_texts_of_its_own),
		cmocka_unit_test(test_sheet__holds_so_many_headers_and_no_more),
		cmocka_unit_test(test_sheet__comments_stand_beside_positions),
		cmocka_unit_test(test_sheet__comments_gather_lines),
		cmocka_unit_test(test_sheet__times_belong_to_plies),
		cmocka_unit_test(test_sheet__undo_takes_along_what_stood_beside_the_ply),
		cmocka_unit_test(test_sheet__undo_of_nothing_changes_nothing),
		cmocka_unit_test(test_sheet__keeps_notes_beside_the_longest_game),
		cmocka_unit_test(test_sheet__headers_and_comments_share_one_maximum),
		cmocka_unit_test(test_sheet__what_is_replaced_or_taken_back_makes_room),
		cmocka_unit_test(test_sheet__every_end_has_its_word),
		cmocka_unit_test(test_sheet__destroys_nothing),
		cmocka_unit_test(test_format__is_found_by_its_whole_name_only),
		cmocka_unit_test(test_format__is_given_the_text_without_its_byte_order_mark),
		cmocka_unit_test(test_format__is_given_no_bytes_that_are_not_utf8),
		cmocka_unit_test(test_format__is_given_no_unknown_ruleset),
		cmocka_unit_test(test_format__says_itself_what_is_wrong_and_where),
	};

	return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
