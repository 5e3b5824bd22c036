/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/encoding.h"

/* 先手 and ﾃｽﾄ (half-width kana) in code page 932. */
#define SENTE "\x90\xe6\x8e\xe8"
#define HALF "\xc3\xbd\xc4"

static void expect_text(const char *bytes, size_t length, const char *expected)
{
	/* In memory of exactly its size, for the sanitizer. */
	char *copy = test_malloc(length ? length : 1);
	struct encoding_text text;
	struct text_error error;

	memcpy(copy, bytes, length);
	assert_int_equal(encoding_decode(copy, length, &error, &text), STATUS_OK);
	assert_int_equal(text.length, strlen(expected));
	assert_memory_equal(text.text, expected, text.length);
	encoding_release(&text);
	test_free(copy);
}

static void expect_refusal(
	const char *bytes, size_t length, enum status status, uint32_t line, uint32_t column)
{
	char *copy = test_malloc(length ? length : 1);
	struct encoding_text text;
	struct text_error error = {STATUS_OK, 0, 0};

	memcpy(copy, bytes, length);
	assert_int_equal(encoding_decode(copy, length, &error, &text), status);
	assert_int_equal(error.status, status);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
	test_free(copy);
}

static void test_encoding__takes_utf8_as_it_is(void **context)
{
	static const char bytes[] = "先手：駒台\r\n\xf0\x9f\x98\x80\n";
	struct encoding_text text;
	struct text_error error;

	(void)context;
	assert_int_equal(encoding_decode(bytes, strlen(bytes), &error, &text), STATUS_OK);
	assert_ptr_equal(text.text, bytes);
	assert_int_equal(text.length, strlen(bytes));
	assert_null(text.owned);
	encoding_release(&text);
	expect_text("", 0, "");
}

static void test_encoding__keeps_a_byte_order_mark(void **context)
{
	(void)context;
	expect_text("\xef\xbb\xbf"
		    "a",
		4,
		"\xef\xbb\xbf"
		"a");
	expect_text("\xef\xbb\xbf", 3, "\xef\xbb\xbf");
}

static void test_encoding__converts_shift_jis_and_leaves_ends_of_lines(void **context)
{
	(void)context;
	expect_text(SENTE, 4, "先手");
	expect_text("a\r\n" SENTE "\rb\n", 10, "a\r\n先手\rb\n");
	expect_text(HALF SENTE, 7, "ﾃｽﾄ先手");
	/* Of code page 932: 〜 and ①, a backslash where other tables have a yen sign. */
	expect_text("\x81\x60\x87\x40\\~", 6, "～①\\~");
}

static void test_encoding__refuses_at_the_first_byte_that_fits_neither(void **context)
{
	(void)context;
	expect_refusal("\xff", 1, STATUS_TEXT_ENCODING, 1, 1);
	expect_refusal(SENTE "\n" SENTE "\xff", 10, STATUS_TEXT_ENCODING, 2, 5);
	/* A character that the end cuts off. */
	expect_refusal(SENTE "\r\n\x90", 7, STATUS_TEXT_ENCODING, 2, 1);
	/* UTF-8 with one bad byte far behind: not where Shift_JIS would stop. */
	expect_refusal("駒台\n駒台\x80\n", 15, STATUS_TEXT_ENCODING, 2, 7);
}

static void test_encoding__a_byte_order_mark_promises_utf8(void **context)
{
	(void)context;
	expect_refusal("\xef\xbb\xbf" SENTE, 7, STATUS_TEXT_ENCODING, 1, 1);
	expect_refusal("\xef\xbb\xbf"
		       "a\nb\x90\xe6",
		8, STATUS_TEXT_ENCODING, 2, 2);
}

static void test_encoding__a_zero_byte_is_no_text(void **context)
{
	(void)context;
	expect_refusal("a\0b", 3, STATUS_TEXT_ZERO, 1, 2);
	expect_refusal(SENTE "\n\0", 6, STATUS_TEXT_ZERO, 2, 1);
	expect_refusal("\xff\xfe"
		       "a\0",
		4, STATUS_TEXT_ZERO, 1, 4); /* UTF-16 */
}

static void test_encoding__takes_as_much_as_it_says_and_no_more(void **context)
{
	char *bytes = test_malloc(ENCODING_BYTES_MAX + 1);
	struct encoding_text text;
	struct text_error error;

	(void)context;
	memset(bytes, 'a', ENCODING_BYTES_MAX + 1);
	bytes[9] = '\n';
	assert_int_equal(encoding_decode(bytes, ENCODING_BYTES_MAX, &error, &text), STATUS_OK);
	encoding_release(&text);
	assert_int_equal(encoding_decode(bytes, ENCODING_BYTES_MAX + 1, &error, &text),
		STATUS_TEXT_TOO_LONG);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, ENCODING_BYTES_MAX - 10 + 1);

	/* Half-width kana grow most. */
	memset(bytes, 0xc3, ENCODING_BYTES_MAX);
	assert_int_equal(encoding_decode(bytes, ENCODING_BYTES_MAX, &error, &text), STATUS_OK);
	assert_int_equal(text.length, 3 * (size_t)ENCODING_BYTES_MAX);
	encoding_release(&text);
	test_free(bytes);
}

static void expect_place(const char *bytes, uint32_t line, uint32_t column, uint32_t expected)
{
	struct encoding_text text;
	struct text_error error;

	assert_int_equal(encoding_decode(bytes, strlen(bytes), &error, &text), STATUS_OK);
	error = (struct text_error){STATUS_SHEET_MOVE, line, column};
	encoding_place(&text, &error);
	assert_int_equal(error.status, STATUS_SHEET_MOVE);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, expected);
	encoding_release(&text);
}

static void test_encoding__finds_a_place_in_the_bytes_again(void **context)
{
	(void)context;
	/* Three bytes of UTF-8 are two of Shift_JIS, or one. */
	expect_place("ab\n" SENTE "x" HALF "y\nc", 1, 2, 2);
	expect_place("ab\n" SENTE "x" HALF "y\nc", 2, 1, 1);
	expect_place("ab\n" SENTE "x" HALF "y\nc", 2, 4, 3);
	expect_place("ab\n" SENTE "x" HALF "y\nc", 2, 7, 5);
	expect_place("ab\n" SENTE "x" HALF "y\nc", 2, 8, 6);
	expect_place("ab\r\n" SENTE "x" HALF "y\r\nc", 2, 17, 9);
	expect_place("ab\r\n" SENTE "x" HALF "y\r\nc", 2, 18, 10);
	/* Between the two bytes that end a line. */
	expect_place(SENTE "\r\nc", 1, 7, 5);
	expect_place(SENTE "\r\nc", 1, 8, 6);
	/* Within a character: it is where the character begins. */
	expect_place("\xc0", 1, 3, 1);
	expect_place("a" SENTE, 1, 6, 4);
	/* UTF-8 was given: the place is right as it is. */
	expect_place("先手x", 1, 7, 7);
	/* Places that no line has stay as they are. */
	expect_place(SENTE "\n", 2, 1, 1);
	expect_place(SENTE "\n", 1, 99, 99);
}

static void expect_bytes(const char *text, const char *expected)
{
	struct text_error error;
	size_t length;
	char *bytes;

	assert_int_equal(
		encoding_to_shift_jis(text, strlen(text), &error, &bytes, &length), STATUS_OK);
	assert_int_equal(length, strlen(expected));
	assert_string_equal(bytes, expected);
	free(bytes);
}

static void test_encoding__writes_shift_jis(void **context)
{
	(void)context;
	expect_bytes("", "");
	expect_bytes("a\r\n先手ﾃｽﾄ\n", "a\r\n" SENTE HALF "\n");
	expect_bytes("～①\\~", "\x81\x60\x87\x40\\~");
}

static void test_encoding__names_the_character_that_has_no_code(void **context)
{
	static const struct {
		const char *text;
		uint32_t line;
		uint32_t column;
	} rows[] = {
		{"\xf0\x9f\x98\x80", 1, 1},
		{"a\n先手é", 2, 7},
		{"\xef\xbb\xbf", 1, 1},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text_error error = {STATUS_OK, 0, 0};
		char *bytes = NULL;
		size_t length;

		assert_int_equal(encoding_to_shift_jis(rows[i].text, strlen(rows[i].text), &error,
					 &bytes, &length),
			STATUS_TEXT_NO_CODE);
		assert_null(bytes);
		assert_int_equal(error.status, STATUS_TEXT_NO_CODE);
		assert_int_equal(error.line, rows[i].line);
		assert_int_equal(error.column, rows[i].column);
	}
}

/* Every byte pair that is a character of Shift_JIS comes back, as itself or as its twin. */
static void test_encoding__what_it_reads_it_can_write(void **context)
{
	(void)context;
	for (unsigned first = 1; first < 0x100; first++) {
		for (unsigned second = 1; second < 0x100; second++) {
			const char bytes[] = {(char)first, (char)second};
			struct encoding_text text;
			struct encoding_text again;
			struct text_error error;
			size_t length;
			char *back;

			if (encoding_decode(bytes, 2, &error, &text) != STATUS_OK)
				continue;
			if (text.owned) {
				assert_int_equal(encoding_to_shift_jis(text.text, text.length,
							 &error, &back, &length),
					STATUS_OK);
				assert_int_equal(length, 2);
				assert_int_equal(
					encoding_decode(back, length, &error, &again), STATUS_OK);
				assert_int_equal(again.length, text.length);
				assert_memory_equal(again.text, text.text, text.length);
				encoding_release(&again);
				free(back);
			}
			encoding_release(&text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_encoding__takes_utf8_as_it_is),
		cmocka_unit_test(test_encoding__keeps_a_byte_order_mark),
		cmocka_unit_test(test_encoding__converts_shift_jis_and_leaves_ends_of_lines),
		cmocka_unit_test(test_encoding__refuses_at_the_first_byte_that_fits_neither),
		cmocka_unit_test(test_encoding__a_byte_order_mark_promises_utf8),
		cmocka_unit_test(test_encoding__a_zero_byte_is_no_text),
		cmocka_unit_test(test_encoding__takes_as_much_as_it_says_and_no_more),
		cmocka_unit_test(test_encoding__finds_a_place_in_the_bytes_again),
		cmocka_unit_test(test_encoding__writes_shift_jis),
		cmocka_unit_test(test_encoding__names_the_character_that_has_no_code),
		cmocka_unit_test(test_encoding__what_it_reads_it_can_write),
	};

	return cmocka_run_group_tests_name("encoding", tests, NULL, NULL);
}
