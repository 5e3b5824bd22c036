/* SPDX-License-Identifier: MIT */
#include "api/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/utf8.h"

/* Code page 932 rather than SHIFT_JIS, which has a yen sign for 0x5c and lacks the circled digits.
 */
static const char shift_jis[] = "CP932";
static const char utf8[] = "UTF-8";

/* No byte of Shift_JIS becomes more of UTF-8: one of half-width kana becomes three. */
enum { UTF8_GROWTH = 3 };

struct conversion {
	const char *from;
	const char *to;
	size_t read;    /* bytes converted */
	size_t written; /* bytes they became */
};

/*
 * Converts as far as it goes: `read` falls short of `length` at the first character that does not
 * convert. `room` bytes hold whatever may come of the text.
 */
static enum status convert(
	struct conversion *conversion, const char *bytes, size_t length, char *result, size_t room)
{
	char *in = (char *)(uintptr_t)bytes; /* iconv() lacks a const, and reads only */
	char *out = result;
	size_t in_left = length;
	size_t out_left = room;
	iconv_t descriptor;

	conversion->read = 0;
	conversion->written = 0;
	descriptor = iconv_open(conversion->to, conversion->from);
	if (descriptor == (iconv_t)-1)
		return errno == ENOMEM ? STATUS_NO_MEMORY : STATUS_OK;
	(void)iconv(descriptor, &in, &in_left, &out, &out_left);
	iconv_close(descriptor);
	conversion->read = length - in_left;
	conversion->written = room - out_left;
	return STATUS_OK;
}

static enum status fail(enum status status, struct text_error *error)
{
	*error = (struct text_error){status, 1, 1};
	return status;
}

/* `valid` bytes at the front are UTF-8, and the next one is not. */
static enum status decode_shift_jis(const char *bytes, size_t length, size_t valid,
	struct text_error *error, struct encoding_text *text)
{
	struct conversion conversion = {.from = shift_jis, .to = utf8};
	char *made = malloc(length * UTF8_GROWTH);
	enum status status;

	if (!made)
		return fail(STATUS_NO_MEMORY, error);
	status = convert(&conversion, bytes, length, made, length * UTF8_GROWTH);
	if (status != STATUS_OK) {
		fail(status, error);
		goto fail;
	}
	if (conversion.read < length) {
		status = reader_fail_at(bytes, length,
			conversion.read > valid ? conversion.read : valid, STATUS_TEXT_ENCODING,
			error);
		goto fail;
	}
	*text = (struct encoding_text){made, conversion.written, made};
	return STATUS_OK;
fail:
	free(made);
	return status;
}

enum status encoding_decode(
	const char *bytes, size_t length, struct text_error *error, struct encoding_text *text)
{
	size_t mark = utf8_mark_length(bytes, length);
	const char *zero;
	size_t valid;

	if (length > ENCODING_BYTES_MAX)
		return reader_fail_at(
			bytes, length, ENCODING_BYTES_MAX, STATUS_TEXT_TOO_LONG, error);
	valid = mark + utf8_valid_prefix(bytes + mark, length - mark);
	if (valid == length) {
		*text = (struct encoding_text){bytes, length, NULL};
		return STATUS_OK;
	}
	/* A zero byte is no text in either, though it would convert. */
	zero = memchr(bytes, 0, length);
	if (zero)
		return reader_fail_at(bytes + mark, length - mark, (size_t)(zero - bytes) - mark,
			STATUS_TEXT_ZERO, error);
	if (mark)
		return reader_fail_at(
			bytes + mark, length - mark, valid - mark, STATUS_TEXT_ENCODING, error);
	return decode_shift_jis(bytes, length, valid, error, text);
}

void encoding_release(struct encoding_text *text)
{
	free(text->owned);
}

void encoding_place(const struct encoding_text *text, struct text_error *error)
{
	struct conversion conversion = {.from = utf8, .to = shift_jis};
	struct reader whole = {text->text, text->length, 0, 0};
	struct reader line = reader_of(text->text, 0);
	size_t before = error->column - 1;
	size_t behind;
	char *bytes;

	if (!text->owned)
		return;
	while (whole.line < error->line && reader_next_line(&whole, &line))
		;
	/* A place behind the last line is no place in the text. */
	if (line.line != error->line)
		return;
	/* The end of a line is one or two bytes, the same in either; behind it there is no place.
	 */
	behind = before > line.length ? before - line.length : 0;
	if (behind > 2)
		return;
	before -= behind;
	/* A place within a character is the character's. */
	while (before > 0 && before < line.length && (line.text[before] & 0xc0) == 0x80)
		before--;
	bytes = malloc(before + 1);
	if (!bytes)
		return; /* the place of an error is not worth another error */
	if (convert(&conversion, line.text, before, bytes, before) == STATUS_OK &&
		conversion.read == before)
		error->column = (uint32_t)(conversion.written + behind) + 1;
	free(bytes);
}

enum status encoding_to_shift_jis(const char *text, size_t length, struct text_error *error,
	char **bytes, size_t *bytes_length)
{
	struct conversion conversion = {.from = utf8, .to = shift_jis};
	/* No character has more bytes in Shift_JIS than in UTF-8. */
	char *made = malloc(length + 1);
	enum status status;

	if (!made)
		return fail(STATUS_NO_MEMORY, error);
	status = convert(&conversion, text, length, made, length);
	if (status != STATUS_OK) {
		fail(status, error);
		goto fail;
	}
	if (conversion.read < length) {
		status = reader_fail_at(text, length, conversion.read, STATUS_TEXT_NO_CODE, error);
		goto fail;
	}
	made[conversion.written] = 0;
	*bytes = made;
	*bytes_length = conversion.written;
	return STATUS_OK;
fail:
	free(made);
	return status;
}
