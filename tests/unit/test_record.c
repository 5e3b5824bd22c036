/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/record.h"
#include "shogi/shogi.h"
#include "toy_game.h"

static struct game_sheet *read(const char *format, const char *bytes)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;
	enum status status =
		record_read(&mini_shogi, NULL, format, bytes, strlen(bytes), &error, &sheet);

	if (status != STATUS_OK)
		fail_msg("%u:%u: %s", error.line, error.column, status_text(status));
	return sheet;
}

static void expect_refusal(const char *ruleset, const char *format, const char *bytes,
	enum status status, uint32_t line, uint32_t column)
{
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	assert_int_equal(
		record_read(&mini_shogi, ruleset, format, bytes, strlen(bytes), &error, &sheet),
		status);
	assert_null(sheet);
	assert_int_equal(error.status, status);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
}

static void comment(struct game_sheet *sheet, const char *text, size_t length)
{
	assert_int_equal(game_sheet_add_comment(sheet, text, length), STATUS_OK);
}

static void test_record__has_the_formats_of_the_game_and_json(void **context)
{
	size_t count = 0;

	(void)context;
	while (mini_shogi.formats[count]) {
		assert_string_equal(
			record_format_name(&mini_shogi, count), mini_shogi.formats[count]->name);
		assert_true(record_format_exists(&mini_shogi, mini_shogi.formats[count]->name));
		count++;
	}
	assert_string_equal(record_format_name(&mini_shogi, count), "json");
	assert_null(record_format_name(&mini_shogi, count + 1));
	assert_null(record_format_name(&mini_shogi, SIZE_MAX));
	assert_true(record_format_exists(&mini_shogi, "json"));
	assert_false(record_format_exists(&mini_shogi, "jso"));
	assert_false(record_format_exists(&mini_shogi, ""));
	assert_string_equal(record_format_name(&toy_ops, 0), "json");
	assert_null(record_format_name(&toy_ops, 1));
}

static void test_record__refuses_unknown_names_before_it_reads(void **context)
{
	(void)context;
	expect_refusal(NULL, "xls", "\xff", STATUS_FORMAT_UNKNOWN, 1, 1);
	expect_refusal("house", "usi", "\xff", STATUS_RULESET_UNKNOWN, 1, 1);
	expect_refusal("house", "json", "\xff", STATUS_RULESET_UNKNOWN, 1, 1);
}

static void test_record__reads_any_encoding_in_any_format(void **context)
{
	static const struct {
		const char *format;
		const char *bytes;
	} rows[] = {
		{"usi", "position startpos moves 5d5c\n"},
		{"usi", "\xef\xbb\xbfposition startpos moves 5d5c\r\n"},
		{"json", "{\"game\":\"mini-shogi\",\"plies\":[{\"move\":\"5d5c\"}]}"},
		{"json", "\xef\xbb\xbf{\"game\":\"mini-shogi\",\"plies\":[{\"move\":\"5d5c\"}]}"},
		{"json", "{\"game\":\"mini-shogi\",\"comment\":\"\x90\xe6\x8e\xe8\","
			 "\"plies\":[{\"move\":\"5d5c\"}]}"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = read(rows[i].format, rows[i].bytes);

		assert_int_equal(game_line_plies(game_sheet_line(sheet)), 1);
		if (game_sheet_comment(sheet, 0))
			assert_string_equal(game_sheet_comment(sheet, 0), "先手");
		game_sheet_destroy(sheet);
	}
}

/* The place of a fault is where it stands in the bytes, not in what was made of them. */
static void test_record__names_places_in_the_bytes_that_were_given(void **context)
{
	(void)context;
	expect_refusal(NULL, "json", "{\"comment\":\n\"\x90\xe6\x8e\xe8\",\"x\":1}",
		STATUS_SHEET_MEMBER_UNKNOWN, 2, 8);
	expect_refusal(NULL, "json", "\xef\xbb\xbf{\"x\":1}", STATUS_SHEET_MEMBER_UNKNOWN, 1, 2);
	expect_refusal(NULL, "json", "{\"comment\":\n\"先手\",\"x\":1}",
		STATUS_SHEET_MEMBER_UNKNOWN, 2, 10);
	expect_refusal(NULL, "usi", "position startpos moves 5d5c \x90\xe6\x8e\xe8",
		STATUS_USI_SYNTAX, 1, 30);
	expect_refusal(NULL, "usi", "startpos\n\xff", STATUS_TEXT_ENCODING, 2, 1);
}

static void test_record__writes_each_format(void **context)
{
	struct game_sheet *sheet = read("usi", "startpos moves 5d5c 1b1c");
	struct record_bytes bytes;
	struct text_error error;

	(void)context;
	assert_int_equal(record_write(sheet, "usi", RECORD_UTF8, &error, &bytes), STATUS_OK);
	assert_string_equal(bytes.data, "position startpos moves 5d5c 1b1c\n");
	assert_int_equal(bytes.length, strlen(bytes.data));
	free(bytes.data);
	assert_int_equal(record_write(sheet, "sfen", RECORD_SHIFT_JIS, &error, &bytes), STATUS_OK);
	assert_string_equal(bytes.data, "rbsgk/5/P3p/5/KGSBR b - 3\n");
	free(bytes.data);
	assert_int_equal(
		record_write(sheet, "xls", RECORD_UTF8, &error, &bytes), STATUS_FORMAT_UNKNOWN);
	assert_int_equal(error.status, STATUS_FORMAT_UNKNOWN);
	game_sheet_destroy(sheet);
}

static void test_record__writes_shift_jis_or_says_which_character_it_lacks(void **context)
{
	struct game_sheet *sheet = read("usi", "startpos");
	struct record_bytes bytes = {NULL, 0};
	struct text_error error;

	(void)context;
	comment(sheet, "先手", strlen("先手"));
	assert_int_equal(record_write(sheet, "json", RECORD_SHIFT_JIS, &error, &bytes), STATUS_OK);
	assert_non_null(strstr(bytes.data, "\"\x90\xe6\x8e\xe8\""));
	assert_int_equal(bytes.length, strlen(bytes.data));
	free(bytes.data);

	comment(sheet, "é", strlen("é"));
	bytes.data = NULL;
	assert_int_equal(
		record_write(sheet, "json", RECORD_SHIFT_JIS, &error, &bytes), STATUS_TEXT_NO_CODE);
	assert_null(bytes.data);
	assert_int_equal(error.status, STATUS_TEXT_NO_CODE);
	assert_int_equal(error.line, 5);
	/* `  "comment":"先手\né` */
	assert_int_equal(error.column, 2 + 10 + 1 + 6 + 2 + 1);
	game_sheet_destroy(sheet);
}

static void test_record__writes_the_longest_game_and_reads_it_again(void **context)
{
	struct game_sheet *sheet;
	struct game_sheet *again;
	struct record_bytes bytes;
	struct record_bytes twice;
	struct text_error error;

	(void)context;
	assert_int_equal(
		game_sheet_setup(&toy_ops, NULL, "999999 0", 8, &error, &sheet), STATUS_OK);
	for (int ply = 0; ply < GAME_PLIES_MAX; ply++) {
		assert_int_equal(game_sheet_play(sheet, toy_action(TOY_TAKE_1)), STATUS_OK);
		game_sheet_set_time(sheet, ply);
		comment(sheet, "a comment", 9);
	}
	assert_int_equal(record_write(sheet, "json", RECORD_UTF8, &error, &bytes), STATUS_OK);
	assert_int_equal(
		record_read(&toy_ops, NULL, "json", bytes.data, bytes.length, &error, &again),
		STATUS_OK);
	assert_int_equal(record_write(again, "json", RECORD_UTF8, &error, &twice), STATUS_OK);
	assert_int_equal(bytes.length, twice.length);
	assert_memory_equal(bytes.data, twice.data, bytes.length);
	free(twice.data);
	free(bytes.data);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

/* A control character in a comment has six bytes in JSON. */
static void test_record__writes_nothing_that_it_would_not_read(void **context)
{
	struct game_sheet *sheet = read("usi", "startpos");
	size_t fits = ENCODING_BYTES_MAX / 6 - 1000;
	char *text = test_malloc(GAME_SHEET_NOTES_MAX);
	struct record_bytes bytes;
	struct text_error error;

	(void)context;
	memset(text, 1, GAME_SHEET_NOTES_MAX);
	comment(sheet, text, fits);
	assert_int_equal(record_write(sheet, "json", RECORD_UTF8, &error, &bytes), STATUS_OK);
	assert_true(bytes.length > ENCODING_BYTES_MAX / 2);
	free(bytes.data);
	comment(sheet, text, 2000);
	assert_int_equal(
		record_write(sheet, "json", RECORD_UTF8, &error, &bytes), STATUS_TEXT_TOO_LONG);
	assert_int_equal(error.status, STATUS_TEXT_TOO_LONG);
	test_free(text);
	game_sheet_destroy(sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record__has_the_formats_of_the_game_and_json),
		cmocka_unit_test(test_record__refuses_unknown_names_before_it_reads),
		cmocka_unit_test(test_record__reads_any_encoding_in_any_format),
		cmocka_unit_test(test_record__names_places_in_the_bytes_that_were_given),
		cmocka_unit_test(test_record__writes_each_format),
		cmocka_unit_test(test_record__writes_shift_jis_or_says_which_character_it_lacks),
		cmocka_unit_test(test_record__writes_the_longest_game_and_reads_it_again),
		cmocka_unit_test(test_record__writes_nothing_that_it_would_not_read),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
