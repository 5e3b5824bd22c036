/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "client/event_stream.h"

/* What the stream said: "name|id|data;" an event. */
enum { SAID_BYTES = 4096 };
struct said {
	char text[SAID_BYTES];
	struct text writer;
	size_t count;
	size_t longest;
};

static struct event_stream stream; /* too large for a stack */

static void take_event(void *context, const struct event *event)
{
	struct said *said = context;

	assert_int_equal(event->data[event->length], 0);
	said->count++;
	if (event->length > said->longest)
		said->longest = event->length;
	text_add(&said->writer, event->name);
	text_add_char(&said->writer, '|');
	text_add(&said->writer, event->id);
	text_add_char(&said->writer, '|');
	text_add_bytes(&said->writer, event->data, event->length);
	text_add_char(&said->writer, ';');
}

static void said_init(struct said *said)
{
	memset(said, 0, sizeof(*said));
	text_init(&said->writer, said->text, sizeof(said->text));
	event_stream_init(&stream);
}

/* Reads the bytes whole, one by one, and cut in two at each place: it says the same each time. */
static void expect(const char *bytes, size_t length, const char *expected)
{
	struct said said;

	for (size_t cut = 0; cut <= length; cut++) {
		said_init(&said);
		assert_int_equal(
			event_stream_read(&stream, bytes, cut, take_event, &said), STATUS_OK);
		assert_int_equal(
			event_stream_read(&stream, bytes + cut, length - cut, take_event, &said),
			STATUS_OK);
		assert_string_equal(said.text, expected);
	}
	said_init(&said);
	for (size_t i = 0; i < length; i++)
		assert_int_equal(
			event_stream_read(&stream, bytes + i, 1, take_event, &said), STATUS_OK);
	assert_string_equal(said.text, expected);
}

static void expect_text(const char *bytes, const char *expected)
{
	expect(bytes, strlen(bytes), expected);
}

static void test_event_stream__gives_an_event_at_its_blank_line(void **state)
{
	(void)state;
	expect_text("id: 7-5\nevent: state\ndata: {\"rev\":5}\n\n", "state|7-5|{\"rev\":5};");
	expect_text("event: state\ndata: x\n", "");
	expect_text("data: a\n\ndata: b\n\n", "message||a;message||b;");
}

static void test_event_stream__lines_end_in_lf_crlf_or_cr(void **state)
{
	(void)state;
	expect_text("data: a\r\n\r\ndata: b\r\rdata: c\n\n", "message||a;message||b;message||c;");
	expect_text("data: a\r\ndata: b\r\n\r\n", "message||a\nb;");
}

static void test_event_stream__comments_and_unknown_fields_are_read_over(void **state)
{
	(void)state;
	expect_text(": ping\n\n: ping\n\nretry: 5\nother\ndatas: y\ndata: x\n\n", "message||x;");
}

static void test_event_stream__one_blank_behind_the_colon_is_no_value(void **state)
{
	(void)state;
	expect_text("data:x\ndata:  y\ndata\ndata:\n\n", "message||x\n y\n\n;");
}

static void test_event_stream__an_event_without_data_is_none_but_leaves_its_id(void **state)
{
	(void)state;
	expect_text("id: 1-1\nevent: state\n\ndata: x\n\n", "message|1-1|x;");
	expect_text("data\n\n", "message||;");
	expect_text("id: 1\ndata: a\n\nid\ndata: b\n\n", "message|1|a;message||b;");
}

static void test_event_stream__an_id_with_a_zero_byte_is_read_over(void **state)
{
	static const char bytes[] = "id: 1\nid: 2\0\ndata: a\0b\n\n";
	static const char expected[] = "message|1|a\0b;";
	struct said said;

	(void)state;
	said_init(&said);
	assert_int_equal(
		event_stream_read(&stream, bytes, sizeof(bytes) - 1, take_event, &said), STATUS_OK);
	assert_int_equal(said.writer.length, sizeof(expected) - 1);
	assert_memory_equal(said.text, expected, sizeof(expected));
}

static void test_event_stream__a_byte_order_mark_may_stand_first_only(void **state)
{
	(void)state;
	expect_text("\xef\xbb\xbf"
		    "data: a\n\n",
		"message||a;");
	expect_text("data: a\n\xef\xbb\xbf"
		    "data: b\n\n",
		"message||a;");
}

/* `head`, then `filler` so many times, then `tail`. */
static enum status read_long(
	const char *head, const char *filler, size_t times, const char *tail, struct said *said)
{
	enum status status;

	said_init(said);
	status = event_stream_read(&stream, head, strlen(head), take_event, said);
	for (size_t i = 0; i < times; i++)
		status = event_stream_read(&stream, filler, strlen(filler), take_event, said);
	return tail ? event_stream_read(&stream, tail, strlen(tail), take_event, said) : status;
}

static void test_event_stream__a_line_without_end_is_refused_at_its_limit(void **state)
{
	struct said said;

	(void)state;
	assert_int_equal(read_long("", "x", EVENT_DATA_MAX, "\n", &said), STATUS_OK);
	assert_int_equal(read_long("", "x", EVENT_DATA_MAX + 1, NULL, &said), STATUS_TEXT_TOO_LONG);
	assert_int_equal(read_long(":", "x", EVENT_DATA_MAX, "\n\ndata: a\n\n", &said),
		STATUS_TEXT_TOO_LONG);
	assert_int_equal(said.count, 0);
}

static void test_event_stream__an_event_without_end_is_refused_at_its_limit(void **state)
{
	struct said said;

	(void)state;
	assert_int_equal(read_long("", "data\n", EVENT_DATA_MAX, "\n", &said), STATUS_OK);
	assert_int_equal(said.count, 1);
	assert_int_equal(said.longest, EVENT_DATA_MAX - 1);
	assert_int_equal(
		read_long("", "data\n", EVENT_DATA_MAX + 1, "\n", &said), STATUS_TEXT_TOO_LONG);
	assert_int_equal(said.count, 0);
	assert_int_equal(
		read_long("", "data: 0123456789\n", 10000, NULL, &said), STATUS_TEXT_TOO_LONG);
}

static void test_event_stream__names_and_ids_have_their_limit(void **state)
{
	struct said said;

	(void)state;
	assert_int_equal(
		read_long("id:", "x", EVENT_WORD_BYTES - 1, "\ndata: a\n\n", &said), STATUS_OK);
	assert_int_equal(said.count, 1);
	assert_int_equal(
		read_long("id:", "x", EVENT_WORD_BYTES, "\n", &said), STATUS_TEXT_TOO_LONG);
	assert_int_equal(
		read_long("event:", "x", EVENT_WORD_BYTES, "\n", &said), STATUS_TEXT_TOO_LONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_event_stream__gives_an_event_at_its_blank_line),
		cmocka_unit_test(test_event_stream__lines_end_in_lf_crlf_or_cr),
		cmocka_unit_test(test_event_stream__comments_and_unknown_fields_are_read_over),
		cmocka_unit_test(test_event_stream__one_blank_behind_the_colon_is_no_value),
		cmocka_unit_test(
			test_event_stream__an_event_without_data_is_none_but_leaves_its_id),
		cmocka_unit_test(test_event_stream__an_id_with_a_zero_byte_is_read_over),
		cmocka_unit_test(test_event_stream__a_byte_order_mark_may_stand_first_only),
		cmocka_unit_test(test_event_stream__a_line_without_end_is_refused_at_its_limit),
		cmocka_unit_test(test_event_stream__an_event_without_end_is_refused_at_its_limit),
		cmocka_unit_test(test_event_stream__names_and_ids_have_their_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
