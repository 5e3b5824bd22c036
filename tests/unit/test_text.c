/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"

static void test_text__starts_empty(void **context)
{
	char buffer[4] = "xyz";
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	assert_string_equal(buffer, "");
	assert_int_equal(text.length, 0);
	assert_false(text.overflow);
}

static void test_text__what_does_not_fit_is_dropped_whole_and_for_good(void **context)
{
	char buffer[6];
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	text_add(&text, "abc");
	text_add(&text, "def");
	assert_string_equal(buffer, "abc");
	assert_true(text.overflow);
	text_add(&text, "g");
	assert_string_equal(buffer, "abc");
}

static void test_text__fills_to_the_last_byte(void **context)
{
	char buffer[4];
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	text_add(&text, "abc");
	assert_string_equal(buffer, "abc");
	assert_false(text.overflow);
	text_add_char(&text, 'd');
	assert_true(text.overflow);
}

static void test_text__writes_every_number(void **context)
{
	static const struct {
		int64_t number;
		const char *text;
	} rows[] = {
		{0, "0"},
		{7, "7"},
		{-1, "-1"},
		{1234567890, "1234567890"},
		{INT64_MAX, "9223372036854775807"},
		{INT64_MIN, "-9223372036854775808"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buffer[32];
		struct text text;

		text_init(&text, buffer, sizeof(buffer));
		text_add_number(&text, rows[i].number);
		assert_string_equal(buffer, rows[i].text);
	}
}

static void test_text__escapes_json(void **context)
{
	char buffer[64];
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	text_add_json(&text, "a\"b\\c\n\x1f/\xc3\xa9");
	assert_string_equal(buffer, "\"a\\\"b\\\\c\\n\\u001f/\xc3\xa9\"");
}

static void test_text__makes_a_sentence_of_a_phrase(void **context)
{
	char buffer[64];
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	text_add_sentence(&text, "the game is over");
	text_add_sentence(&text, "Host is missing");
	text_add_sentence(&text, "");
	assert_string_equal(buffer, "The game is over.Host is missing..");
}

static void test_status__every_status_has_its_own_code_and_a_text(void **context)
{
	(void)context;
	for (int i = 0; i < STATUS_COUNT; i++) {
		assert_true(strlen(status_text((enum status)i)) > 3);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(
				status_code((enum status)i), status_code((enum status)k));
	}
}

static void test_random__repeats_from_its_seed_and_stays_below_its_bound(void **context)
{
	struct random a = {5};
	struct random b = {5};
	int seen[6] = {0};

	(void)context;
	for (int i = 0; i < 6000; i++) {
		uint32_t number = random_below(&a, 6);

		assert_true(number < 6);
		assert_int_equal(number, random_below(&b, 6));
		seen[number]++;
	}
	for (int i = 0; i < 6; i++)
		assert_in_range(seen[i], 850, 1150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text__starts_empty),
		cmocka_unit_test(test_text__what_does_not_fit_is_dropped_whole_and_for_good),
		cmocka_unit_test(test_text__fills_to_the_last_byte),
		cmocka_unit_test(test_text__writes_every_number),
		cmocka_unit_test(test_text__escapes_json),
		cmocka_unit_test(test_text__makes_a_sentence_of_a_phrase),
		cmocka_unit_test(test_status__every_status_has_its_own_code_and_a_text),
		cmocka_unit_test(test_random__repeats_from_its_seed_and_stays_below_its_bound),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
