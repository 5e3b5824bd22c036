/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boxes/boxes.h"
#include "game/sheet.h"

/*
 * Games of Petits carrés as one line. A text of any bytes is refused with a place in it, or read
 * into a sheet, which is written as a text that is read as the same game. Taken back line by line,
 * the game is at its beginning again.
 */

/* Longer than any game, so that a text may be too long. */
enum { INPUT_MAX = 1 << 12 };

enum { OUTPUT_MAX = GAME_SETUP_TEXT + 4 * BOXES_EDGES_MAX + 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *format, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_boxes_moves, %s: %s\n", format, what);
	abort();
}

static enum status read(const char *format, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return game_sheet_read(&petits_carres, game_format_find(&petits_carres, format), NULL, text,
		length, error, sheet);
}

static void write(const char *format, const struct game_sheet *sheet, char buffer[OUTPUT_MAX])
{
	struct text text;

	text_init(&text, buffer, OUTPUT_MAX);
	game_format_find(&petits_carres, format)->write(sheet, &text);
	require(!text.overflow, format, "a sheet outgrows its text");
}

static void write_state(const struct game_state *state, char buffer[GAME_STATE_JSON])
{
	struct text text;

	text_init(&text, buffer, GAME_STATE_JSON);
	petits_carres.state_write_json(state, &text);
	require(!text.overflow, "json", "a state outgrows its text");
}

static void check_again(const char *format, const struct game_sheet *sheet)
{
	char first[OUTPUT_MAX];
	char second[OUTPUT_MAX];
	struct text_error error;
	struct game_sheet *again = NULL;

	write(format, sheet, first);
	require(read(format, first, strlen(first), &error, &again) == STATUS_OK, format,
		"what was written cannot be read");
	write(format, again, second);
	require(strcmp(first, second) == 0, format, "the text changed on its way");
	game_sheet_destroy(again);
}

static void check_undo(struct game_sheet *sheet)
{
	const struct game_line *line = game_sheet_line(sheet);
	char start[GAME_STATE_JSON];
	char now[GAME_STATE_JSON];

	write_state(game_line_start(line), start);
	while (game_sheet_undo(sheet))
		continue;
	write_state(game_line_state(line), now);
	require(strcmp(start, now) == 0, "undo", "another game begins here");
}

static void check(const char *format, const char *text, size_t size)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct game_sheet *sheet = NULL;
	enum status status = read(format, text, size, &error, &sheet);

	if (status != STATUS_OK) {
		require(error.status == status && !sheet && error.line >= 1 &&
				error.line <= size + 1 && error.column >= 1 &&
				error.column <= size + 1,
			format, "an error without its place");
		return;
	}
	check_again("moves", sheet);
	check_again("bits", sheet);
	check_undo(sheet);
	game_sheet_destroy(sheet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy; /* exact, for the sanitizer */

	if (size > INPUT_MAX)
		return 0;
	copy = malloc(size ? size : 1);
	require(copy != NULL, "input", "no memory");
	if (size)
		memcpy(copy, data, size);
	check("moves", copy, size);
	check("bits", copy, size);
	free(copy);
	return 0;
}
