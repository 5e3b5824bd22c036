/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "base/text.h"

/*
 * The bytes of a record and its text. A record comes in UTF-8, with or without a byte order mark,
 * or in Shift_JIS as Windows writes it (code page 932), which the C library's iconv converts: where
 * it has no converter for that, nothing converts. Ends of lines stay as they are. Any thread may
 * call.
 */

/* The most bytes that a record has, read or written. */
enum { ENCODING_BYTES_MAX = 4 << 20 };

/* `text` is valid UTF-8 without a zero byte, but for a byte order mark in front, which is kept. */
struct encoding_text {
	const char *text; /* `owned`, or the bytes that were given */
	size_t length;
	char *owned; /* NULL: the bytes were UTF-8 */
};

/*
 * Makes `*text` of any bytes, which must live as long: UTF-8 where they are that, or begin with a
 * byte order mark; otherwise Shift_JIS. What is neither is STATUS_TEXT_ENCODING at the first byte
 * that fits neither of the two, more than ENCODING_BYTES_MAX is STATUS_TEXT_TOO_LONG. Released by
 * encoding_release() on STATUS_OK.
 */
MUST_CHECK enum status encoding_decode(
	const char *bytes, size_t length, struct text_error *error, struct encoding_text *text);
void encoding_release(struct encoding_text *text);

/* Turns a place in the text into the place in the bytes that the text was made of. */
void encoding_place(const struct encoding_text *text, struct text_error *error);

/*
 * Makes Shift_JIS of valid UTF-8. `*bytes` is to be freed with free(); a zero byte follows them. A
 * character that has no code is STATUS_TEXT_NO_CODE, with its place in the text.
 */
MUST_CHECK enum status encoding_to_shift_jis(const char *text, size_t length,
	struct text_error *error, char **bytes, size_t *bytes_length);
