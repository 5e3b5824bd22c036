/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/toy_game.h"
#include "room/room.h"

/*
 * A log from outside, line by line. What the reader accepts must be what the writer writes; what
 * the room then refuses must leave it as it was. The first byte says how far the room has come
 * before, so that the fuzzer need not find two hashes by itself.
 */

#define HASH_1 "1111111111111111111111111111111111111111111111111111111111111111"
#define HASH_2 "2222222222222222222222222222222222222222222222222222222222222222"
#define HASH_3 "3333333333333333333333333333333333333333333333333333333333333333"
#define CREATED "created 1 5 toy " HASH_1 " " HASH_2
#define JOINED "joined 2 6 " HASH_3

static const char *const prologue[] = {
	CREATED,
	JOINED,
	"played 3 7 host a 2",
	"played 4 8 guest a 0",
};

enum { PROLOGUE = sizeof(prologue) / sizeof(prologue[0]) };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_room_event: %s\n", what);
	abort();
}

static void snapshot(const struct room *room, char buffer[ROOM_SNAPSHOT_JSON])
{
	struct text text;

	text_init(&text, buffer, ROOM_SNAPSHOT_JSON);
	room_write_snapshot(room, &text);
	require(!text.overflow, "the snapshot overflows");
}

static void require_exact(
	const struct room *room, const struct room_event *event, const char *line, size_t length)
{
	char buffer[ROOM_EVENT_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	room_event_write(room, event, &text);
	require(!text.overflow && text.length == length && memcmp(buffer, line, length) == 0,
		"an accepted line is written otherwise");
}

static void apply(struct room **room, const struct room_event *event)
{
	char before[ROOM_SNAPSHOT_JSON];
	char after[ROOM_SNAPSHOT_JSON];
	uint64_t rev;

	if (!*room) {
		if (room_create(toy_games, "r00m", event, room) != STATUS_OK)
			require(!*room, "a refused creation made a room");
		return;
	}
	rev = room_rev(*room);
	snapshot(*room, before);
	if (room_apply(*room, event) == STATUS_OK) {
		struct text text;

		require(room_rev(*room) == rev + 1, "an event did not raise the revision by one");
		text_init(&text, after, sizeof(after));
		require(room_write_snapshot_at(*room, rev, &text) == STATUS_OK, "no memory");
	} else {
		snapshot(*room, after);
	}
	require(strcmp(before, after) == 0, "the past or a refused room changed");
}

static void feed(struct room **room, const char *line, size_t length)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct room_event event;
	enum status status = room_event_read(*room, line, length, &error, &event);

	if (status != STATUS_OK) {
		require(error.status == status && error.line == 1 && error.column >= 1 &&
				error.column <= length + 1,
			"an error without its place");
		return;
	}
	require_exact(*room, &event, line, length);
	apply(room, &event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct room *room = NULL;
	size_t start = 1;

	if (size == 0)
		return 0;
	for (size_t i = 0; i < data[0] % (PROLOGUE + 1u); i++)
		feed(&room, prologue[i], strlen(prologue[i]));
	while (start <= size) {
		const uint8_t *end = memchr(data + start, '\n', size - start);
		size_t length = (end ? (size_t)(end - data) : size) - start;
		char *line = malloc(length ? length : 1); /* exact, for the sanitizer */

		require(line != NULL, "no memory");
		memcpy(line, data + start, length);
		feed(&room, line, length);
		free(line);
		start += length + 1;
	}
	room_destroy(room);
	return 0;
}
