/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

/*
 * Where a parser is in a text of one line: `at` bytes of `length` are read. The text is the
 * caller's, need not end with a zero and may hold any bytes. `line` is the number of that line in
 * the whole text, from 1 on, for errors.
 */
struct reader {
	const char *text;
	size_t length;
	size_t at;
	uint32_t line;
};

static inline struct reader reader_of(const char *text, size_t length)
{
	return (struct reader){text, length, 0, 1};
}

static inline bool reader_done(const struct reader *reader)
{
	return reader->at == reader->length;
}

/* The next character; 0 at the end. A zero byte in the text is no character of ours either way. */
static inline char reader_peek(const struct reader *reader)
{
	return reader->at < reader->length ? reader->text[reader->at] : 0;
}

static inline bool reader_take(struct reader *reader, char c)
{
	if (reader_done(reader) || reader->text[reader->at] != c)
		return false;
	reader->at++;
	return true;
}

/* Steps over `word`, which may be of several bytes a character, if the rest begins with it. */
static inline bool reader_take_word(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if (reader->length - reader->at < length ||
		memcmp(reader->text + reader->at, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

static inline void reader_skip_blanks(struct reader *reader)
{
	while (reader_take(reader, ' ') || reader_take(reader, '\t'))
		;
}

static inline enum status reader_fail(
	const struct reader *reader, enum status status, struct text_error *error)
{
	*error = (struct text_error){status, reader->line, (uint32_t)reader->at + 1};
	return status;
}

/*
 * Cuts the next line off `whole`, a text of several lines that end with LF, CRLF or CR; the line
 * excludes its end. `whole->line` counts the lines read so far and begins at 0. False after the
 * last line; a final end of line begins no further one.
 */
static inline bool reader_next_line(struct reader *whole, struct reader *line)
{
	const char *begin = whole->text + whole->at;
	size_t length = 0;

	if (reader_done(whole))
		return false;
	while (whole->at < whole->length && whole->text[whole->at] != '\n' &&
		whole->text[whole->at] != '\r') {
		whole->at++;
		length++;
	}
	reader_take(whole, '\r');
	reader_take(whole, '\n');
	whole->line++;
	*line = (struct reader){begin, length, 0, whole->line};
	return true;
}

/* The place of byte `at` of a text of several lines, which may be its end. */
static inline enum status reader_fail_at(
	const char *text, size_t length, size_t at, enum status status, struct text_error *error)
{
	uint32_t line = 1;
	size_t begin = 0;

	for (size_t i = 0; i < at; i++) {
		bool half = text[i] == '\r' && i + 1 < length && text[i + 1] == '\n';

		if (text[i] == '\n' || (text[i] == '\r' && !half)) {
			line++;
			begin = i + 1;
		}
	}
	*error = (struct text_error){status, line, (uint32_t)(at - begin) + 1};
	return status;
}
