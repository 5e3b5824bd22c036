/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * One round of fuzzing a format: a text of any bytes is refused with a place in it, or read into a
 * sheet. What is written of that sheet is read again as the same game, and written the same.
 * Included by fuzzers.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/sheet.h"
#include "shogi/shogi.h"

/* Room for what is written of inputs up to libFuzzer's default length, and of longer ones too. */
enum { RECORD_FUZZ_INPUT = 1 << 16, RECORD_FUZZ_OUTPUT = 1 << 21 };

static inline void record_fuzz_require(bool condition, const char *format, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_%s: %s\n", format, what);
	abort();
}

static inline size_t record_fuzz_write(
	const struct game_sheet *sheet, const char *format, char buffer[RECORD_FUZZ_OUTPUT])
{
	struct text text;

	text_init(&text, buffer, RECORD_FUZZ_OUTPUT);
	game_format_find(&mini_shogi, format)->write(sheet, &text);
	record_fuzz_require(!text.overflow, format, "a sheet outgrows its text");
	return text.length;
}

static inline enum status record_fuzz_read(const char *format, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return game_sheet_read(&mini_shogi, game_format_find(&mini_shogi, format), NULL, text,
		length, error, sheet);
}

static inline void record_fuzz_again(const char *format, const struct game_sheet *sheet)
{
	static char first[RECORD_FUZZ_OUTPUT];
	static char second[RECORD_FUZZ_OUTPUT];
	struct text_error error;
	struct game_sheet *again;
	size_t length = record_fuzz_write(sheet, format, first);

	record_fuzz_require(record_fuzz_read(format, first, length, &error, &again) == STATUS_OK,
		format, "what was written cannot be read");
	record_fuzz_write(again, format, second);
	record_fuzz_require(strcmp(first, second) == 0, format, "the text changed on its way");
	record_fuzz_write(sheet, "usi", first);
	record_fuzz_write(again, "usi", second);
	record_fuzz_require(strcmp(first, second) == 0, format, "the game changed on its way");
	record_fuzz_require(game_sheet_end(sheet) == game_sheet_end(again), format,
		"the end changed on its way");
	game_sheet_destroy(again);
}

static inline void record_fuzz(const char *format, const uint8_t *data, size_t size)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct game_sheet *sheet = NULL;
	enum status status;
	char *copy; /* exact, for the sanitizer */

	if (size > RECORD_FUZZ_INPUT)
		return;
	copy = malloc(size ? size : 1);
	record_fuzz_require(copy != NULL, format, "no memory");
	if (size)
		memcpy(copy, data, size);
	status = record_fuzz_read(format, copy, size, &error, &sheet);
	free(copy);
	if (status == STATUS_OK)
		record_fuzz_again(format, sheet);
	else
		record_fuzz_require(error.status == status && !sheet && error.line >= 1 &&
					    error.line <= size + 1 && error.column >= 1 &&
					    error.column <= size + 1,
			format, "an error without its place");
	game_sheet_destroy(sheet);
}
