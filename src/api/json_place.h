/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Where a value stands in a text of JSON, which the parser does not tell. The way to it is a list
 * of numbers: at each step, the number of the member of an object or of the item of a list, from 0
 * on, in the order of the text.
 */
enum { JSON_STEPS_MAX = 3 };

struct json_way {
	size_t steps[JSON_STEPS_MAX];
	size_t count;
	bool name; /* the name of the last member rather than its value */
};

/* The offset of the first byte of that name or value. The text is valid JSON and has it. */
size_t json_place(const char *text, size_t length, const struct json_way *way);

/* The bytes of the string whose quotation mark stands at `at`, both marks included. */
size_t json_string_bytes(const char *text, size_t length, size_t at);

/*
 * The offset where more than `most` values of any text begin, counted by brackets and commas, or
 * its length: so that what a parser would build of a text can be bounded beforehand.
 */
size_t json_values_end(const char *text, size_t length, size_t most);

/* Likewise the offset of the first bracket that opens within `deepest` others. */
size_t json_depth_end(const char *text, size_t length, size_t deepest);
