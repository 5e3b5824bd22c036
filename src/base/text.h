/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * Text is written into a buffer that the caller owns, and never grows. Invariants, after
 * `text_init` and after every call: `length < capacity`, `data[length] == 0`. What does not fit is
 * dropped whole, `overflow` is set and stays set, and every later addition is dropped too: so a
 * writer adds without looking and its caller asks `overflow` once at the end.
 */
struct text {
	char *data;
	size_t length;
	size_t capacity;
	bool overflow;
};

/* `capacity` counts the final zero and is at least 1. */
void text_init(struct text *text, char *data, size_t capacity);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_char(struct text *text, char c);
void text_add_number(struct text *text, int64_t number);

/* Adds a phrase as a sentence: its first letter, which is ASCII, as a capital, and a final stop. */
void text_add_sentence(struct text *text, const char *phrase);

/* Adds `string` between quotation marks, escaped for JSON. The string must be valid UTF-8. */
void text_add_json(struct text *text, const char *string);

/*
 * Where a text from outside is wrong, and why. `line` and `column` count from 1; the column counts
 * bytes. A function that takes one writes it only when it returns something else than STATUS_OK.
 */
struct text_error {
	enum status status;
	uint32_t line;
	uint32_t column;
};
