/* SPDX-License-Identifier: MIT */
#pragma once

#include "api/encoding.h"
#include "game/sheet.h"

/*
 * Records as bytes, from and to every format of a game: those of its table, then "json". What the C
 * API and `komadai convert` share. Any thread may call.
 */

/* The name of the format of that number, from 0 on; NULL after the last. */
const char *record_format_name(const struct game_ops *ops, size_t number);

/* Whether the game has a format of that name. */
bool record_format_exists(const struct game_ops *ops, const char *format);

/*
 * Makes `*sheet` of bytes in UTF-8 or Shift_JIS, at most ENCODING_BYTES_MAX of them. `ruleset` NULL
 * is the text's own where it names one, or the default. The place of an error is in the bytes that
 * were given; it is 1, 1 for STATUS_FORMAT_UNKNOWN, STATUS_RULESET_UNKNOWN, and where memory runs
 * out.
 */
MUST_CHECK enum status record_read(const struct game_ops *ops, const char *ruleset,
	const char *format, const char *bytes, size_t length, struct text_error *error,
	struct game_sheet **sheet);

enum record_encoding { RECORD_UTF8, RECORD_SHIFT_JIS };

/* Memory of the caller's, to be freed with free(); a zero byte follows the last one. */
struct record_bytes {
	char *data;
	size_t length;
};

/*
 * Writes a sheet. STATUS_TEXT_TOO_LONG: it has more than ENCODING_BYTES_MAX bytes, so that nothing
 * is written that could not be read. STATUS_TEXT_NO_CODE has its place in the text that would be
 * written.
 */
MUST_CHECK enum status record_write(const struct game_sheet *sheet, const char *format,
	enum record_encoding encoding, struct text_error *error, struct record_bytes *bytes);
