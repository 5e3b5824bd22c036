/* SPDX-License-Identifier: MIT */
#include "api/record.h"

#include <stdlib.h>
#include <string.h>

#include "api/sheet_json.h"
#include "base/utf8.h"

enum { FIRST_CAPACITY = 16384 }; /* a game of 150 plies as JSON; most are shorter */

static const char json_name[] = "json";

const char *record_format_name(const struct game_ops *ops, size_t number)
{
	size_t count = 0;

	while (ops->formats[count]) {
		if (count == number)
			return ops->formats[count]->name;
		count++;
	}
	return number == count ? json_name : NULL;
}

static bool is_json(const char *format)
{
	return strcmp(format, json_name) == 0;
}

bool record_format_exists(const struct game_ops *ops, const char *format)
{
	return is_json(format) || game_format_find(ops, format) != NULL;
}

static enum status fail(enum status status, struct text_error *error)
{
	*error = (struct text_error){status, 1, 1};
	return status;
}

static enum status check_ruleset(const struct game_ops *ops, const char *ruleset)
{
	struct game_state state;
	struct game_record record;

	return ops->start(ruleset, &state, &record);
}

static enum status read_text(const struct game_ops *ops, const char *ruleset, const char *format,
	const struct encoding_text *text, struct text_error *error, struct game_sheet **sheet)
{
	size_t mark = utf8_mark_length(text->text, text->length);

	if (!is_json(format))
		return game_sheet_read(ops, game_format_find(ops, format), ruleset, text->text,
			text->length, error, sheet);
	return sheet_json_read(ops, ruleset, text->text + mark, text->length - mark, error, sheet);
}

enum status record_read(const struct game_ops *ops, const char *ruleset, const char *format,
	const char *bytes, size_t length, struct text_error *error, struct game_sheet **sheet)
{
	struct encoding_text text;
	enum status status;

	if (!record_format_exists(ops, format))
		return fail(STATUS_FORMAT_UNKNOWN, error);
	status = check_ruleset(ops, ruleset);
	if (status != STATUS_OK)
		return fail(status, error);
	status = encoding_decode(bytes, length, error, &text);
	if (status != STATUS_OK)
		return status;
	status = read_text(ops, ruleset, format, &text, error, sheet);
	if (status == STATUS_NO_MEMORY)
		fail(status, error); /* wherever it was that memory ran out */
	else if (status != STATUS_OK)
		encoding_place(&text, error);
	encoding_release(&text);
	return status;
}

static void write_text(const struct game_sheet *sheet, const char *format, struct text *text)
{
	if (is_json(format))
		sheet_json_write(sheet, text);
	else
		game_format_find(game_line_ops(game_sheet_line(sheet)), format)->write(sheet, text);
}

/* A text does not grow, so a larger one is tried until it holds all. */
static enum status write_utf8(
	const struct game_sheet *sheet, const char *format, struct record_bytes *bytes)
{
	for (size_t capacity = FIRST_CAPACITY;; capacity *= 4) {
		char *data = malloc(capacity);
		struct text text;

		if (!data)
			return STATUS_NO_MEMORY;
		text_init(&text, data, capacity);
		write_text(sheet, format, &text);
		if (!text.overflow && text.length <= ENCODING_BYTES_MAX) {
			*bytes = (struct record_bytes){data, text.length};
			return STATUS_OK;
		}
		free(data);
		if (capacity > ENCODING_BYTES_MAX)
			return STATUS_TEXT_TOO_LONG;
	}
}

enum status record_write(const struct game_sheet *sheet, const char *format,
	enum record_encoding encoding, struct text_error *error, struct record_bytes *bytes)
{
	struct record_bytes made;
	struct record_bytes recoded;
	enum status status;

	if (!record_format_exists(game_line_ops(game_sheet_line(sheet)), format))
		return fail(STATUS_FORMAT_UNKNOWN, error);
	status = write_utf8(sheet, format, &made);
	if (status != STATUS_OK)
		return fail(status, error);
	if (encoding == RECORD_UTF8) {
		*bytes = made;
		return STATUS_OK;
	}
	status = encoding_to_shift_jis(
		made.data, made.length, error, &recoded.data, &recoded.length);
	free(made.data);
	if (status == STATUS_OK)
		*bytes = recoded;
	return status;
}
