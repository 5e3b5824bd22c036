/* SPDX-License-Identifier: MIT */
#include "api/json_place.h"

#include <assert.h>

#include "base/reader.h"

static void skip_space(struct reader *at)
{
	while (reader_take(at, ' ') || reader_take(at, '\t') || reader_take(at, '\n') ||
		reader_take(at, '\r'))
		;
}

static void skip_string(struct reader *at)
{
	assert(reader_peek(at) == '"');
	at->at++;
	while (!reader_done(at) && !reader_take(at, '"')) {
		/* A quotation mark behind a backslash closes nothing. */
		if (reader_take(at, '\\') && reader_done(at))
			return;
		at->at++;
	}
}

/* Over one value of any kind: what it holds need not be understood. */
static void skip_value(struct reader *at)
{
	size_t depth = 0;

	do {
		char c = reader_peek(at);

		if (c == '"') {
			skip_string(at);
		} else if (c == '{' || c == '[') {
			depth++;
			at->at++;
		} else if (c == '}' || c == ']') {
			depth--;
			at->at++;
		} else if (depth) {
			at->at++; /* of a number, a word, or between values */
		} else {
			while (!reader_done(at) && !strchr(",:]} \t\r\n", reader_peek(at)))
				at->at++;
		}
	} while (depth && !reader_done(at));
}

/* From the bracket of an object or list to its member or item of that number. */
static void step(struct reader *at, size_t number, bool name)
{
	bool object = reader_peek(at) == '{';

	at->at++;
	skip_space(at);
	for (size_t i = 0;; i++) {
		if (i == number && (name || !object))
			return;
		if (object) {
			skip_string(at);
			skip_space(at);
			reader_take(at, ':');
			skip_space(at);
		}
		if (i == number)
			return;
		skip_value(at);
		skip_space(at);
		reader_take(at, ',');
		skip_space(at);
		assert(!reader_done(at));
	}
}

size_t json_place(const char *text, size_t length, const struct json_way *way)
{
	struct reader at = reader_of(text, length);

	assert(way->count <= JSON_STEPS_MAX);
	skip_space(&at);
	for (size_t i = 0; i < way->count; i++)
		step(&at, way->steps[i], way->name && i + 1 == way->count);
	return at.at;
}

size_t json_string_bytes(const char *text, size_t length, size_t at)
{
	struct reader reader = {text, length, at, 1};

	skip_string(&reader);
	return reader.at - at;
}

size_t json_values_end(const char *text, size_t length, size_t most)
{
	struct reader at = reader_of(text, length);
	size_t values = 0;

	while (!reader_done(&at)) {
		char c = reader_peek(&at);

		if (c == '"') {
			skip_string(&at);
			continue;
		}
		if ((c == '{' || c == '[' || c == ',') && values++ == most)
			break;
		at.at++;
	}
	return at.at;
}

size_t json_depth_end(const char *text, size_t length, size_t deepest)
{
	struct reader at = reader_of(text, length);
	size_t depth = 0;

	while (!reader_done(&at)) {
		char c = reader_peek(&at);

		if (c == '"') {
			skip_string(&at);
			continue;
		}
		if ((c == '{' || c == '[') && depth++ == deepest)
			break;
		if ((c == '}' || c == ']') && depth)
			depth--;
		at.at++;
	}
	return at.at;
}
