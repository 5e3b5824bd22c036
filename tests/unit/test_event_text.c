/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "room/room.h"
#include "toy_game.h"

/* 32 bytes that count up from 0x0. and 0xa., in hex. */
#define HASH_0 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define HASH_A "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
#define HASH_C "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
#define CREATED "created 1 1764530000000 toy " HASH_0 " " HASH_A
#define JOINED "joined 2 1764530000001 " HASH_C

/* The rooms before a log's first three lines: NULL, waiting, playing. */
enum stage { STAGE_NONE, STAGE_WAITING, STAGE_PLAYING };

/* From an exact heap copy, so that a sanitizer sees any reading past the end. */
static enum status read_bytes(const struct room *room, const char *text, size_t length,
	struct text_error *error, struct room_event *event)
{
	char *copy = malloc(length ? length : 1);
	enum status status;

	assert_non_null(copy);
	memcpy(copy, text, length);
	status = room_event_read(room, copy, length, error, event);
	free(copy);
	return status;
}

static struct room_event read_good(const struct room *room, const char *line)
{
	struct text_error error;
	struct room_event event;

	assert_int_equal(read_bytes(room, line, strlen(line), &error, &event), STATUS_OK);
	return event;
}

static void assert_written(
	const struct room *room, const struct room_event *event, const char *bytes, size_t length)
{
	char buffer[ROOM_EVENT_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	room_event_write(room, event, &text);
	assert_false(text.overflow);
	assert_int_equal(text.length, length);
	assert_memory_equal(buffer, bytes, length);
}

static struct room *room_in(enum stage stage)
{
	struct room *room = NULL;
	struct room_event event;

	if (stage == STAGE_NONE)
		return NULL;
	event = read_good(NULL, CREATED);
	assert_int_equal(room_create(toy_games, "r00m", &event, &room), STATUS_OK);
	if (stage == STAGE_WAITING)
		return room;
	event = read_good(room, JOINED);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	return room;
}

static void test_event_text__reads_a_creation(void **state)
{
	struct room_event event = read_good(NULL, CREATED);

	(void)state;
	assert_int_equal(event.kind, ROOM_CREATED);
	assert_int_equal(event.rev, 1);
	assert_int_equal(event.at_ms, 1764530000000);
	assert_string_equal(event.game, "toy");
	for (int i = 0; i < ROOM_HASH_BYTES; i++) {
		assert_int_equal(event.key.bytes[i], i);
		assert_int_equal(event.invitation.bytes[i], 0xa0 + i);
	}
	assert_written(NULL, &event, CREATED, strlen(CREATED));
}

static void test_event_text__reads_a_join(void **state)
{
	struct room *room = room_in(STAGE_WAITING);
	struct room_event event = read_good(room, JOINED);

	(void)state;
	assert_int_equal(event.kind, ROOM_JOINED);
	assert_int_equal(event.rev, 2);
	assert_int_equal(event.at_ms, 1764530000001);
	assert_int_equal(event.key.bytes[31], 0xdf);
	assert_written(room, &event, JOINED, strlen(JOINED));
	room_destroy(room);
}

static void test_event_text__reads_a_play(void **state)
{
	struct room *room = room_in(STAGE_PLAYING);
	struct room_event event = read_good(room, "played 3 0 guest Z_9f3-1 2");

	(void)state;
	assert_int_equal(event.kind, ROOM_PLAYED);
	assert_int_equal(event.rev, 3);
	assert_int_equal(event.at_ms, 0);
	assert_int_equal(event.seat, ROOM_GUEST);
	assert_string_equal(event.command, "Z_9f3-1");
	assert_int_equal(event.action.code, TOY_TAKE_2);

	event = read_good(room, "played 3 9223372036854775807 host a resign");
	assert_int_equal(event.at_ms, INT64_MAX);
	assert_int_equal(event.seat, ROOM_HOST);
	assert_int_equal(event.action.code, TOY_RESIGN);
	assert_written(room, &event, "played 3 9223372036854775807 host a resign", 42);
	room_destroy(room);
}

static void test_event_text__reads_requests_and_what_becomes_of_them(void **state)
{
	static const struct {
		const char *line;
		enum room_event_kind kind;
		enum room_seat seat;
		enum room_request request;
	} lines[] = {
		{"set 3 5 host a", ROOM_SET, ROOM_HOST, ROOM_UNDO},
		{"asked 3 5 guest a undo", ROOM_ASKED, ROOM_GUEST, ROOM_UNDO},
		{"asked 3 5 host a new-game", ROOM_ASKED, ROOM_HOST, ROOM_NEW_GAME},
		{"accepted 3 5 guest a", ROOM_ACCEPTED, ROOM_GUEST, ROOM_UNDO},
		{"refused 3 5 host a", ROOM_REFUSED, ROOM_HOST, ROOM_UNDO},
		{"withdrawn 3 5 guest a", ROOM_WITHDRAWN, ROOM_GUEST, ROOM_UNDO},
		{"expired 3 5", ROOM_EXPIRED, ROOM_HOST, ROOM_UNDO},
		{"left 3 5 guest a", ROOM_LEFT, ROOM_GUEST, ROOM_UNDO},
		{"invited 3 5 host a " HASH_0, ROOM_INVITED, ROOM_HOST, ROOM_UNDO},
		{"abandoned 3 5 guest", ROOM_ABANDONED, ROOM_GUEST, ROOM_UNDO},
	};
	struct room *room = room_in(STAGE_PLAYING);

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct room_event event = read_good(room, lines[i].line);

		assert_int_equal(event.kind, lines[i].kind);
		assert_int_equal(event.seat, lines[i].seat);
		assert_int_equal(event.request, lines[i].request);
		assert_string_equal(event.command, room_event_is_command(lines[i].kind) ? "a" : "");
		assert_written(room, &event, lines[i].line, strlen(lines[i].line));
	}
	room_destroy(room);
}

static void test_event_text__the_longest_event_fits(void **state)
{
	struct room_event event = read_good(NULL,
		"created 1 9223372036854775807 1234567890123456789012345678901 " HASH_0 " " HASH_A);

	(void)state;
	assert_string_equal(event.game, "1234567890123456789012345678901");
}

struct fault {
	enum stage stage;
	const char *text;
	enum status status;
	uint32_t column;
};

static const struct fault faults[] = {
	/* Nothing, or not in order. */
	{STAGE_NONE, "", STATUS_TEXT_EMPTY, 1},
	{STAGE_PLAYING, "", STATUS_TEXT_EMPTY, 1},
	{STAGE_NONE, JOINED, STATUS_ROOM_EVENT, 1},
	{STAGE_NONE, "played 1 5 host a 1", STATUS_ROOM_EVENT, 1},
	{STAGE_WAITING, CREATED, STATUS_ROOM_EVENT, 1},
	{STAGE_WAITING, "created 2 5 toy " HASH_0 " " HASH_A, STATUS_ROOM_EVENT, 1},
	{STAGE_NONE, "Created 1 5 toy " HASH_0 " " HASH_A, STATUS_ROOM_EVENT, 1},
	{STAGE_PLAYING, "play 3 5 host a 1", STATUS_ROOM_EVENT, 1},
	{STAGE_PLAYING, "playedx 3 5 host a 1", STATUS_ROOM_EVENT, 1},

	/* Revisions. */
	{STAGE_NONE, "created 2 5 toy " HASH_0 " " HASH_A, STATUS_ROOM_EVENT, 9},
	{STAGE_NONE, "created 0 5 toy " HASH_0 " " HASH_A, STATUS_ROOM_EVENT, 9},
	{STAGE_PLAYING, "played 2 5 host a 1", STATUS_ROOM_EVENT, 8},
	{STAGE_PLAYING, "played 4 5 host a 1", STATUS_ROOM_EVENT, 8},
	{STAGE_PLAYING, "played 03 5 host a 1", STATUS_ROOM_EVENT, 8},
	{STAGE_PLAYING, "played +3 5 host a 1", STATUS_ROOM_EVENT, 8},
	{STAGE_PLAYING, "played -3 5 host a 1", STATUS_ROOM_EVENT, 8},
	{STAGE_PLAYING, "played 3. 5 host a 1", STATUS_ROOM_EVENT, 9},
	/* 2^64 + 3 */
	{STAGE_PLAYING, "played 18446744073709551619 5 host a 1", STATUS_ROOM_EVENT, 27},

	/* Times. */
	{STAGE_PLAYING, "played 3 05 host a 1", STATUS_ROOM_EVENT, 10},
	{STAGE_PLAYING, "played 3 00 host a 1", STATUS_ROOM_EVENT, 10},
	{STAGE_PLAYING, "played 3 -5 host a 1", STATUS_ROOM_EVENT, 10},
	{STAGE_PLAYING, "played 3 5ms host a 1", STATUS_ROOM_EVENT, 11},
	{STAGE_PLAYING, "played 3 9223372036854775808 host a 1", STATUS_ROOM_EVENT, 28},
	{STAGE_PLAYING, "played 3 99999999999999999999 host a 1", STATUS_ROOM_EVENT, 28},

	/* Blanks and bytes. */
	{STAGE_PLAYING, " played 3 5 host a 1", STATUS_ROOM_EVENT, 1},
	{STAGE_PLAYING, "played  3 5 host a 1", STATUS_ROOM_EVENT, 8},
	{STAGE_PLAYING, "played\t3 5 host a 1", STATUS_ROOM_EVENT, 7},
	{STAGE_PLAYING, "played 3 5 host a  1", STATUS_ROOM_EVENT, 19},
	{STAGE_PLAYING, "played 3 5 host a 1 ", STATUS_TEXT_TRAILING, 20},
	{STAGE_PLAYING, "played 3 5 host a 1\n", STATUS_TEXT_TRAILING, 20},
	{STAGE_PLAYING, "played 3 5 host a 1\r\n", STATUS_TEXT_TRAILING, 20},
	{STAGE_PLAYING, "played 3 5 host a 1 2", STATUS_TEXT_TRAILING, 20},
	{STAGE_PLAYING, "played 3 5 host a\n1", STATUS_ROOM_EVENT, 18},
	{STAGE_PLAYING, "played 3 5 h\xc3\xb4te a 1", STATUS_ROOM_EVENT, 12},
	{STAGE_NONE, "created 1 5 t\x7f " HASH_0 " " HASH_A, STATUS_ROOM_EVENT, 14},
	{STAGE_NONE, "created 1 5 t\xc3\xb4y " HASH_0 " " HASH_A, STATUS_ROOM_EVENT, 14},

	/* Seats, command ids. */
	{STAGE_PLAYING, "played 3 5 Host a 1", STATUS_ROOM_EVENT, 12},
	{STAGE_PLAYING, "played 3 5 hosts a 1", STATUS_ROOM_EVENT, 12},
	{STAGE_PLAYING, "played 3 5 0 a 1", STATUS_ROOM_EVENT, 12},
	{STAGE_PLAYING, "played 3 5 host a.b 1", STATUS_ROOM_EVENT, 17},
	{STAGE_PLAYING,
		"played 3 5 host "
		"12345678901234567890123456789012345678901234567890123456789012345 1",
		STATUS_ROOM_EVENT, 81},

	/* Actions: what the game says, and the one spelling that is written. */
	{STAGE_PLAYING, "played 3 5 host a", STATUS_ROOM_EVENT, 18},
	{STAGE_PLAYING, "played 3 5 host a ", STATUS_ROOM_EVENT, 19},
	{STAGE_PLAYING, "played 3 5 host a 4", STATUS_USI_SYNTAX, 19},
	{STAGE_PLAYING, "played 3 5 host a 12", STATUS_TEXT_TRAILING, 20},
	{STAGE_PLAYING, "asked 3 5 host a", STATUS_ROOM_EVENT, 17},
	{STAGE_PLAYING, "asked 3 5 host a draw", STATUS_ROOM_EVENT, 18},
	{STAGE_PLAYING, "asked 3 5 host undo", STATUS_ROOM_EVENT, 20},
	{STAGE_PLAYING, "asked 3 5 host a undo 1", STATUS_TEXT_TRAILING, 22},
	{STAGE_PLAYING, "accepted 3 5 a", STATUS_ROOM_EVENT, 14},
	{STAGE_PLAYING, "refused 3 5 host", STATUS_ROOM_EVENT, 17},
	{STAGE_PLAYING, "withdrawn 3 5 host a b", STATUS_TEXT_TRAILING, 21},
	{STAGE_PLAYING, "expired 3 5 host a", STATUS_TEXT_TRAILING, 12},
	{STAGE_PLAYING, "left 3 5 host", STATUS_ROOM_EVENT, 14},
	{STAGE_PLAYING, "left 3 5 host a 1", STATUS_TEXT_TRAILING, 16},
	{STAGE_PLAYING, "invited 3 5 host a", STATUS_ROOM_EVENT, 19},
	{STAGE_PLAYING, "invited 3 5 host a 00", STATUS_ROOM_EVENT, 22},
	{STAGE_PLAYING, "abandoned 3 5", STATUS_ROOM_EVENT, 14},
	{STAGE_PLAYING, "abandoned 3 5 me", STATUS_ROOM_EVENT, 15},
	{STAGE_PLAYING, "abandoned 3 5 host a", STATUS_TEXT_TRAILING, 19},
	{STAGE_PLAYING, "set 3 5 host a {}", STATUS_TEXT_TRAILING, 15},
	{STAGE_PLAYING, "played 3 5 host a -", STATUS_ROOM_EVENT, 19},
	{STAGE_PLAYING, "played 3 5 host a r", STATUS_ROOM_EVENT, 19},

	/* Hashes, games. */
	{STAGE_WAITING, "joined 2 5", STATUS_ROOM_EVENT, 11},
	{STAGE_WAITING, "joined 2 5 0", STATUS_ROOM_EVENT, 13},
	{STAGE_WAITING, "joined 2 5 " HASH_0 "0", STATUS_ROOM_EVENT, 76},
	{STAGE_WAITING, "joined 2 5 0A" HASH_0, STATUS_ROOM_EVENT, 13},
	{STAGE_WAITING, "joined 2 5 0g" HASH_0, STATUS_ROOM_EVENT, 13},
	{STAGE_WAITING, "joined 2 5 0x" HASH_0, STATUS_ROOM_EVENT, 13},
	{STAGE_WAITING, "joined 2 5 " HASH_0 " " HASH_A, STATUS_TEXT_TRAILING, 76},
	{STAGE_NONE, "created 1 5 toy " HASH_0, STATUS_ROOM_EVENT, 81},
	{STAGE_NONE, "created 1 5 12345678901234567890123456789012 " HASH_0 " " HASH_A,
		STATUS_ROOM_EVENT, 44},
};

static void test_event_text__says_what_is_wrong_and_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		const struct fault *fault = &faults[i];
		struct room *room = room_in(fault->stage);
		struct text_error error = {STATUS_OK, 0, 0};
		struct room_event event = {.rev = 77};
		enum status status =
			read_bytes(room, fault->text, strlen(fault->text), &error, &event);

		if (status != fault->status || error.status != fault->status || error.line != 1 ||
			error.column != fault->column)
			fail_msg("\"%s\": status %d, error %d at %u:%u", fault->text, status,
				error.status, error.line, error.column);
		assert_int_equal(event.rev, 77);
		room_destroy(room);
	}
}

static void test_event_text__a_zero_byte_is_no_end(void **state)
{
	static const char line[] = "played 3 5 host a 1\0 and more";
	static const char inside[] = "played 3 5 ho\0st a 1";
	struct room *room = room_in(STAGE_PLAYING);
	struct room_event event;
	struct text_error error;

	(void)state;
	assert_int_equal(
		read_bytes(room, line, sizeof(line) - 1, &error, &event), STATUS_TEXT_TRAILING);
	assert_int_equal(error.column, 20);
	assert_int_equal(
		read_bytes(room, inside, sizeof(inside) - 1, &error, &event), STATUS_ROOM_EVENT);
	room_destroy(room);
}

static void test_event_text__is_too_long_from_its_512th_byte_on(void **state)
{
	char line[ROOM_EVENT_TEXT + 8];
	struct text_error error;
	struct room_event event;

	(void)state;
	memset(line, 'a', sizeof(line));
	assert_int_equal(
		read_bytes(NULL, line, ROOM_EVENT_TEXT - 1, &error, &event), STATUS_ROOM_EVENT);
	assert_int_equal(
		read_bytes(NULL, line, ROOM_EVENT_TEXT, &error, &event), STATUS_TEXT_TOO_LONG);
	assert_int_equal(error.column, ROOM_EVENT_TEXT);
	assert_int_equal(
		read_bytes(NULL, line, sizeof(line), &error, &event), STATUS_TEXT_TOO_LONG);
}

static const struct {
	enum stage stage;
	const char *line;
} good_lines[] = {
	{STAGE_NONE, CREATED},
	{STAGE_WAITING, JOINED},
	{STAGE_PLAYING, "played 3 1764530000002 host 9f3-1 1"},
	{STAGE_PLAYING, "played 3 1764530000002 guest A_b resign"},
};

/* Refused with a column inside the text or just behind it, or else written back as it stood. */
static void assert_refused_or_exact(const struct room *room, const char *bytes, size_t length)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct room_event event = {.rev = 77};
	enum status status = read_bytes(room, bytes, length, &error, &event);

	if (status == STATUS_OK) {
		assert_written(room, &event, bytes, length);
		return;
	}
	assert_int_equal(event.rev, 77);
	assert_int_equal(error.status, status);
	assert_int_equal(error.line, 1);
	assert_in_range(error.column, 1, length + 1);
}

static void test_event_text__every_shorter_line_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good_lines) / sizeof(good_lines[0]); i++) {
		struct room *room = room_in(good_lines[i].stage);

		for (size_t length = 0; length < strlen(good_lines[i].line); length++) {
			struct text_error error;
			struct room_event event;

			assert_int_not_equal(
				read_bytes(room, good_lines[i].line, length, &error, &event),
				STATUS_OK);
			assert_refused_or_exact(room, good_lines[i].line, length);
		}
		room_destroy(room);
	}
}

static void test_event_text__any_damaged_byte_is_refused_or_read_as_it_stands(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good_lines) / sizeof(good_lines[0]); i++) {
		struct room *room = room_in(good_lines[i].stage);
		size_t length = strlen(good_lines[i].line);
		char damaged[ROOM_EVENT_TEXT];

		for (size_t at = 0; at <= length; at++) {
			for (int byte = 0; byte < 256; byte++) {
				memcpy(damaged, good_lines[i].line, length);
				if (at < length) {
					damaged[at] = (char)byte;
					assert_refused_or_exact(room, damaged, length);
				}
				memcpy(damaged, good_lines[i].line, at);
				damaged[at] = (char)byte;
				memcpy(damaged + at + 1, good_lines[i].line + at, length - at);
				assert_refused_or_exact(room, damaged, length + 1);
			}
			if (at < length) {
				memcpy(damaged, good_lines[i].line, at);
				memcpy(damaged + at, good_lines[i].line + at + 1, length - at - 1);
				assert_refused_or_exact(room, damaged, length - 1);
			}
		}
		room_destroy(room);
	}
}

static void test_event_text__a_buffer_too_small_is_an_overflow(void **state)
{
	struct room_event event = read_good(NULL, CREATED);
	char buffer[sizeof(CREATED)];
	struct text text;

	(void)state;
	text_init(&text, buffer, sizeof(buffer) - 1);
	room_event_write(NULL, &event, &text);
	assert_true(text.overflow);
	text_init(&text, buffer, sizeof(buffer));
	room_event_write(NULL, &event, &text);
	assert_false(text.overflow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_event_text__reads_a_creation),
		cmocka_unit_test(test_event_text__reads_a_join),
		cmocka_unit_test(test_event_text__reads_a_play),
		cmocka_unit_test(test_event_text__reads_requests_and_what_becomes_of_them),
		cmocka_unit_test(test_event_text__the_longest_event_fits),
		cmocka_unit_test(test_event_text__says_what_is_wrong_and_where),
		cmocka_unit_test(test_event_text__a_zero_byte_is_no_end),
		cmocka_unit_test(test_event_text__is_too_long_from_its_512th_byte_on),
		cmocka_unit_test(test_event_text__every_shorter_line_is_refused),
		cmocka_unit_test(test_event_text__any_damaged_byte_is_refused_or_read_as_it_stands),
		cmocka_unit_test(test_event_text__a_buffer_too_small_is_an_overflow),
	};

	return cmocka_run_group_tests_name("event_text", tests, NULL, NULL);
}
