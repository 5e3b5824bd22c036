/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/toy_game.h"
#include "boxes/boxes.h"
#include "room/room.h"

/*
 * A log from outside, line by line. What the reader accepts must be what the writer writes; what
 * the room then refuses must leave it as it was. The first byte says how far the room has come
 * before, so that the fuzzer need not find two hashes by itself, and its highest bit of which game
 * it is: the toy, where players alternate, or Petits carrés, where a capture keeps the turn.
 */

#define HASH_1 "1111111111111111111111111111111111111111111111111111111111111111"
#define HASH_2 "2222222222222222222222222222222222222222222222222222222222222222"
#define HASH_3 "3333333333333333333333333333333333333333333333333333333333333333"
#define CREATED(game) "created 1 5 " game " " HASH_1 " " HASH_2
#define JOINED "joined 2 6 " HASH_3

enum { PROLOGUE = 4, BOXES_PROLOGUE = 6, OF_BOXES = 0x80 };

static const char *const prologue[PROLOGUE] = {
	CREATED("toy"),
	JOINED,
	"played 3 7 host a 2",
	"played 4 8 guest a 0",
};

/* Line 50 of the public grid would close a box then. */
static const char *const boxes_prologue[BOXES_PROLOGUE] = {
	CREATED("petits-carres"),
	JOINED,
	"played 3 7 host a 0",
	"played 4 8 guest a 7",
	"played 5 9 host b 49",
	"played 6 10 guest b 96",
};

static const struct game_ops *const games[] = {&toy_ops, &petits_carres, NULL};

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
		if (room_create(games, "r00m", event, room) != STATUS_OK)
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

/* The room that the first byte stands for. */
static struct room *begin(uint8_t first)
{
	bool of_boxes = first & OF_BOXES;
	const char *const *lines = of_boxes ? boxes_prologue : prologue;
	size_t count =
		of_boxes ? first % OF_BOXES % (BOXES_PROLOGUE + 1u) : first % (PROLOGUE + 1u);
	struct room *room = NULL;

	for (size_t i = 0; i < count; i++)
		feed(&room, lines[i], strlen(lines[i]));
	return room;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct room *room;
	size_t start = 1;

	if (size == 0)
		return 0;
	room = begin(data[0]);
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
