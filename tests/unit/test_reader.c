/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/reader.h"

static struct reader over(const char *text)
{
	return reader_of(text, strlen(text));
}

static void test_reader__begins_at_the_front_of_line_one(void **context)
{
	struct reader reader = over("ab");

	(void)context;
	assert_int_equal(reader.at, 0);
	assert_int_equal(reader.line, 1);
	assert_false(reader_done(&reader));
	assert_int_equal(reader_peek(&reader), 'a');
}

static void test_reader__takes_a_character_only_where_it_stands(void **context)
{
	struct reader reader = over("ab");

	(void)context;
	assert_false(reader_take(&reader, 'b'));
	assert_true(reader_take(&reader, 'a'));
	assert_false(reader_take(&reader, 'a'));
	assert_true(reader_take(&reader, 'b'));
	assert_true(reader_done(&reader));
	assert_false(reader_take(&reader, 'b'));
	assert_false(reader_take(&reader, 0));
	assert_int_equal(reader.at, 2);
}

/* The text ends where its length says: what stands behind is not looked at. */
static void test_reader__sees_nothing_behind_its_length(void **context)
{
	struct reader reader = reader_of("abc", 1);

	(void)context;
	assert_false(reader_take_word(&reader, "ab"));
	assert_true(reader_take(&reader, 'a'));
	assert_int_equal(reader_peek(&reader), 0);
	assert_false(reader_take(&reader, 'b'));
	reader_skip_blanks(&reader);
	assert_int_equal(reader.at, 1);
}

static void test_reader__a_zero_byte_is_a_byte_of_the_text(void **context)
{
	struct reader reader = reader_of("\0a", 2);

	(void)context;
	assert_int_equal(reader_peek(&reader), 0);
	assert_false(reader_done(&reader));
	assert_true(reader_take(&reader, 0));
	assert_true(reader_take(&reader, 'a'));
}

static void test_reader__takes_whole_words_of_any_bytes(void **context)
{
	struct reader reader = over("手合割：平手");

	(void)context;
	assert_false(reader_take_word(&reader, "手合場"));
	assert_int_equal(reader.at, 0);
	assert_true(reader_take_word(&reader, "手合割"));
	assert_true(reader_take_word(&reader, "："));
	assert_false(reader_take_word(&reader, "平手 "));
	assert_true(reader_take_word(&reader, "平手"));
	assert_true(reader_done(&reader));
}

static void test_reader__skips_blanks_and_tabs_alone(void **context)
{
	struct reader reader = over(" \t \nx");

	(void)context;
	reader_skip_blanks(&reader);
	assert_int_equal(reader.at, 3);
	reader_skip_blanks(&reader);
	assert_int_equal(reader.at, 3);
}

static void test_reader__fails_at_the_byte_that_comes_next(void **context)
{
	struct reader reader = over("abc");
	struct text_error error;

	(void)context;
	reader.line = 7;
	reader_take_word(&reader, "ab");
	assert_int_equal(reader_fail(&reader, STATUS_SFEN_HAND, &error), STATUS_SFEN_HAND);
	assert_int_equal(error.status, STATUS_SFEN_HAND);
	assert_int_equal(error.line, 7);
	assert_int_equal(error.column, 3);
}

/* `expected` holds each line followed by '|'. */
static void expect_lines(const char *text, size_t length, const char *expected)
{
	struct reader whole = {text, length, 0, 0};
	struct reader line;
	uint32_t number = 0;

	while (reader_next_line(&whole, &line)) {
		assert_int_equal(line.line, ++number);
		assert_int_equal(whole.line, number);
		assert_int_equal(line.at, 0);
		assert_memory_equal(line.text, expected, line.length);
		expected += line.length;
		assert_int_equal(*expected++, '|');
	}
	assert_string_equal(expected, "");
	assert_false(reader_next_line(&whole, &line));
}

static void test_reader__cuts_lines_at_each_kind_of_end(void **context)
{
	static const struct {
		const char *text;
		const char *lines;
	} rows[] = {
		{"", ""},
		{"a", "a|"},
		{"a\n", "a|"},
		{"a\r", "a|"},
		{"a\r\n", "a|"},
		{"\n", "|"},
		{"\r\n", "|"},
		{"a\nb\rc\r\nd", "a|b|c|d|"},
		{"a\n\nb", "a||b|"},
		{"a\r\rb", "a||b|"},
		{"a\r\n\r\nb", "a||b|"},
		{"a\n\rb", "a||b|"},
		{"a \n\tb", "a |\tb|"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_lines(rows[i].text, strlen(rows[i].text), rows[i].lines);
	expect_lines("a\r\nb", 2, "a|"); /* the text ends between the two */
}

static void test_reader__names_the_place_of_any_byte(void **context)
{
	static const char text[] = "ab\ncd\r\ne\rf";
	static const struct {
		size_t at;
		uint32_t line;
		uint32_t column;
	} rows[] = {
		{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, /* an end of line belongs to its line */
		{3, 2, 1}, {5, 2, 3}, {6, 2, 4}, {7, 3, 1}, {8, 3, 2}, {9, 4, 1},
		{10, 4, 2}, /* the end of the text */
	};
	struct text_error error;

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(reader_fail_at(text, strlen(text), rows[i].at,
					 STATUS_TEXT_ENCODING, &error),
			STATUS_TEXT_ENCODING);
		assert_int_equal(error.status, STATUS_TEXT_ENCODING);
		assert_int_equal(error.line, rows[i].line);
		assert_int_equal(error.column, rows[i].column);
	}
	reader_fail_at("", 0, 0, STATUS_TEXT_EMPTY, &error);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 1);
	reader_fail_at("a\r", 2, 2, STATUS_TEXT_EMPTY, &error);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reader__begins_at_the_front_of_line_one),
		cmocka_unit_test(test_reader__takes_a_character_only_where_it_stands),
		cmocka_unit_test(test_reader__sees_nothing_behind_its_length),
		cmocka_unit_test(test_reader__a_zero_byte_is_a_byte_of_the_text),
		cmocka_unit_test(test_reader__takes_whole_words_of_any_bytes),
		cmocka_unit_test(test_reader__skips_blanks_and_tabs_alone),
		cmocka_unit_test(test_reader__fails_at_the_byte_that_comes_next),
		cmocka_unit_test(test_reader__cuts_lines_at_each_kind_of_end),
		cmocka_unit_test(test_reader__names_the_place_of_any_byte),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
