/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/toy_game.h"
#include "boxes/boxes.h"
#include "cli/rooms_fold.h"

/*
 * The lines after the first of what `komadai rooms import` reads. What it accepts stands in the
 * line as it was given, and follows the line before: the same room one revision further, or the
 * first event of a later one. What it refuses, it refuses with a place in the line.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct game_ops *const games[] = {&toy_ops, &petits_carres, NULL};

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_rooms_text: %s\n", what);
	abort();
}

static void check_accepted(const struct rooms_fold *fold, const char *before, uint64_t rev,
	const struct room_event *event, const char *line, size_t length)
{
	char buffer[ROOMS_LINE_BYTES];
	struct text text;

	require(fold->room && room_rev(fold->room) == event->rev, "the room is at another event");
	text_init(&text, buffer, sizeof(buffer));
	text_add(&text, fold->id);
	text_add_char(&text, ' ');
	room_event_write(fold->room, event, &text);
	require(!text.overflow && text.length == length && memcmp(buffer, line, length) == 0,
		"an accepted line is written otherwise");
	if (strcmp(before, fold->id) == 0)
		require(event->rev == rev + 1, "a revision is missing");
	else
		require(strcmp(before, fold->id) < 0 && event->rev == 1,
			"a room without its first");
}

/* False: the line is refused, which ends the text. */
static bool feed(struct rooms_fold *fold, const char *line, size_t length)
{
	char before[ROOM_ID_BYTES];
	uint64_t rev = fold->room ? room_rev(fold->room) : 0;
	struct room_event event;
	const char *text = NULL;
	size_t text_length = 0;
	uint32_t column = 0;
	const char *phrase;

	strcpy(before, fold->id);
	phrase = rooms_fold_line(fold, line, length, &event, &text, &text_length, &column);
	if (phrase) {
		require(column >= 1 && column <= length + 1, "an error without its place");
		return false;
	}
	require(text_length < ROOM_EVENT_TEXT && text + text_length == line + length,
		"the text of an event is not the rest of its line");
	check_accepted(fold, before, rev, &event, line, length);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rooms_fold fold = rooms_fold_of(games);
	size_t start = 0;
	bool more = true;

	while (more && start <= size) {
		const uint8_t *end = start < size ? memchr(data + start, '\n', size - start) : NULL;
		size_t length = (end ? (size_t)(end - data) : size) - start;
		char *line = malloc(length ? length : 1); /* exact, for the sanitizer */

		require(line != NULL, "no memory");
		if (length)
			memcpy(line, data + start, length);
		more = feed(&fold, line, length);
		free(line);
		start += length + 1;
	}
	rooms_fold_release(&fold);
	return 0;
}
