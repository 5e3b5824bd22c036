/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "server/log.h"

static char line[LOG_LINE_BYTES];

static const char *write_line(const struct log_field *fields, size_t count)
{
	struct text text;

	text_init(&text, line, sizeof(line));
	log_write(&text, INT64_C(1772352000045), LOG_WARN, "limited", fields, count);
	return line;
}

/* The value of a field with that text. */
static const char *value_of(const char *value)
{
	static const char start[] = "time=2026-03-01T08:00:00.045Z level=warn event=limited value=";
	const struct log_field field = {.name = "value", .text = value};

	assert_memory_equal(write_line(&field, 1), start, strlen(start));
	return line + strlen(start);
}

static void test_log__a_line_is_time_level_event_and_fields(void **state)
{
	const struct log_field fields[] = {
		{.name = "kind", .text = "requests"}, {.name = "refused", .number = 17}};

	(void)state;
	assert_string_equal(write_line(fields, 2),
		"time=2026-03-01T08:00:00.045Z level=warn event=limited kind=requests refused=17");
	assert_string_equal(
		write_line(NULL, 0), "time=2026-03-01T08:00:00.045Z level=warn event=limited");
}

static void test_log__more_than_a_word_is_quoted(void **state)
{
	(void)state;
	assert_string_equal(value_of("/var/lib/x.sqlite"), "/var/lib/x.sqlite");
	assert_string_equal(value_of("disk full"), "\"disk full\"");
	assert_string_equal(value_of("a=b"), "\"a=b\"");
	assert_string_equal(value_of(""), "\"\"");
	assert_string_equal(value_of("日本 é 🀄"), "\"日本 é 🀄\"");
}

static void test_log__no_text_ends_its_value_or_its_line(void **state)
{
	(void)state;
	assert_string_equal(value_of("a\" b"), "\"a\\\" b\"");
	assert_string_equal(value_of("a\\"), "\"a\\\\\"");
	assert_string_equal(value_of("a\nlevel=error"), "\"a\\u000alevel=error\"");
	assert_string_equal(value_of("\x1b[2J\x7f\r\t"), "\"\\u001b[2J\\u007f\\u000d\\u0009\"");
	assert_string_equal(value_of("\xff\xc3 \xe6\x97"), "\"?? ??\"");
}

static void test_log__a_long_text_is_cut(void **state)
{
	char text[2 * LOG_VALUE_BYTES];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	assert_int_equal(strlen(value_of(text)), LOG_VALUE_BYTES);
	/* In the middle of a character. */
	for (size_t i = 1; i + 2 < sizeof(text); i += 2)
		memcpy(text + i, "é", 2);
	assert_int_equal(strlen(value_of(text)), LOG_VALUE_BYTES + 2);
	assert_int_equal(line[strlen(line) - 2], '?');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log__a_line_is_time_level_event_and_fields),
		cmocka_unit_test(test_log__more_than_a_word_is_quoted),
		cmocka_unit_test(test_log__no_text_ends_its_value_or_its_line),
		cmocka_unit_test(test_log__a_long_text_is_cut),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
