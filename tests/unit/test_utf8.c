/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

/* `length` bytes in memory of exactly their size, for the sanitizer. */
static size_t valid_prefix(const char *bytes, size_t length)
{
	char *copy = test_malloc(length ? length : 1);
	size_t valid;

	memcpy(copy, bytes, length);
	valid = utf8_valid_prefix(copy, length);
	test_free(copy);
	return valid;
}

/* Writes a number as UTF-8 would write it if every number were a character; the bytes used. */
static size_t write_number(uint32_t number, char bytes[4])
{
	if (number < 0x80) {
		bytes[0] = (char)number;
		return 1;
	}
	if (number < 0x800) {
		bytes[0] = (char)(0xc0 | number >> 6);
		bytes[1] = (char)(0x80 | (number & 0x3f));
		return 2;
	}
	if (number < 0x10000) {
		bytes[0] = (char)(0xe0 | number >> 12);
		bytes[1] = (char)(0x80 | (number >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (number & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | number >> 18);
	bytes[1] = (char)(0x80 | (number >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (number >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (number & 0x3f));
	return 4;
}

static void test_utf8__takes_every_character_of_unicode_but_zero(void **context)
{
	(void)context;
	for (uint32_t number = 0; number <= 0x1fffff; number++) {
		char bytes[4];
		size_t length = write_number(number, bytes);
		bool character =
			number > 0 && number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);

		if (utf8_valid_prefix(bytes, length) != (character ? length : 0))
			fail_msg("U+%04X", number);
		if (character && utf8_length(bytes) != length)
			fail_msg("the length of U+%04X", number);
	}
}

static void test_utf8__refuses_what_is_not_well_formed(void **context)
{
	static const char *const rows[] = {
		"\x80", /* a continuation alone */
		"\xbf",
		"\xc0\x80", /* overlong forms */
		"\xc1\xbf",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xf0\x80\x80\x80",
		"\xf0\x8f\xbf\xbf",
		"\xed\xa0\x80", /* surrogates */
		"\xed\xbf\xbf",
		"\xf4\x90\x80\x80", /* above U+10FFFF */
		"\xf5\x80\x80\x80",
		"\xf8\x88\x80\x80\x80",
		"\xfe",
		"\xff",
		"\xc3(", /* a character broken off by another */
		"\xe3\x81(",
		"\xe3(\x82",
		"\xf0\x9f\x98(",
		"\xe3\xc3\xa9",
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[16] = "a";

		strcat(text, rows[i]);
		assert_int_equal(valid_prefix(rows[i], strlen(rows[i])), 0);
		assert_int_equal(valid_prefix(text, strlen(text)), 1);
	}
}

static void test_utf8__a_character_that_the_text_cuts_off_is_none(void **context)
{
	static const char text[] = "a\xc3\xa9\xe9\xa7\x92\xf0\x9f\x98\x80";
	static const size_t valid[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};

	(void)context;
	for (size_t length = 0; length <= strlen(text); length++)
		assert_int_equal(valid_prefix(text, length), valid[length]);
}

static void test_utf8__stops_at_a_zero_byte(void **context)
{
	(void)context;
	assert_int_equal(valid_prefix("ab\0c", 4), 2);
	assert_int_equal(valid_prefix("\0", 1), 0);
}

static void test_utf8__tells_the_length_of_the_character_in_front(void **context)
{
	(void)context;
	assert_int_equal(utf8_length("ab"), 1);
	assert_int_equal(utf8_length("\xc3\xa9z"), 2);
	assert_int_equal(utf8_length("駒台"), 3);
	assert_int_equal(utf8_length("\xf0\x9f\x98\x80z"), 4);
}

static void test_utf8__knows_a_byte_order_mark_at_the_front_only(void **context)
{
	(void)context;
	assert_int_equal(utf8_mark_length("\xef\xbb\xbfz", 4), 3);
	assert_int_equal(utf8_mark_length("\xef\xbb\xbf", 3), 3);
	assert_int_equal(utf8_mark_length("\xef\xbb\xbf", 2), 0);
	assert_int_equal(utf8_mark_length("z\xef\xbb\xbf", 4), 0);
	assert_int_equal(utf8_mark_length("\xfe\xff", 2), 0);
	assert_int_equal(utf8_mark_length("", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8__takes_every_character_of_unicode_but_zero),
		cmocka_unit_test(test_utf8__refuses_what_is_not_well_formed),
		cmocka_unit_test(test_utf8__a_character_that_the_text_cuts_off_is_none),
		cmocka_unit_test(test_utf8__stops_at_a_zero_byte),
		cmocka_unit_test(test_utf8__tells_the_length_of_the_character_in_front),
		cmocka_unit_test(test_utf8__knows_a_byte_order_mark_at_the_front_only),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
