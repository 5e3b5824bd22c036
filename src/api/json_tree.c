/* SPDX-License-Identifier: MIT */
#include "api/json_tree.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"

/*
 * jansson (2.14) gathers the bytes of each token in a buffer that doubles when it is full. Where it
 * cannot grow, the byte is left out, and nothing says so: a text that lacks a byte is taken, and
 * after a lost quotation mark jansson reads and writes beyond its memory. errno alone does not
 * tell, since each number sets it to 0.
 *
 * So the text is given with one token more, in front of the others and longer than any of them,
 *
 *      {"game":"mini-shogi"}   ->   {"xxxxxxxxxxxxxxxxxxxxxx":0,"game":"mini-shogi"}
 *
 * in which the buffer grows, or else nowhere; and byte by byte, so that errno is seen before
 * anything that follows can change it.
 */

/*
 * The lengths of the token: this one, doubled as often as is needed. The buffer grows at the byte
 * 16, 32, 64 ..., which is then never the quotation mark at the end.
 */
enum { FRONT_TOKEN = 24 };

/* The text as it is given. The token in front belongs to the bracket before it. */
struct fed_text {
	char *bytes;
	size_t length;
	size_t front;    /* where the bytes in front begin */
	size_t inserted; /* how many they are */
	size_t token;    /* those of the token, both quotation marks included */
};

struct feed {
	struct reader rest;
	bool no_memory;
};

/* Gives jansson one byte: see above. */
static size_t feed_byte(void *buffer, size_t size, void *data)
{
	struct feed *feed = data;

	(void)size;
	feed->no_memory |= errno == ENOMEM;
	if (feed->no_memory || reader_done(&feed->rest))
		return 0;
	*(char *)buffer = feed->rest.text[feed->rest.at++];
	return 1;
}

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
	while (at < length && strchr(" \t\r\n", text[at]))
		at++;
	return at;
}

/* Makes the text that is given of `text`, whose bracket stands at `open`. */
static enum status make_fed_text(const char *text, size_t length, size_t open, struct fed_text *fed)
{
	bool object = text[open] == '{';
	size_t next = skip_blanks(text, length, open + 1);
	bool empty = next < length && text[next] == (object ? '}' : ']');
	const char *behind = object ? (empty ? ":0" : ":0,") : (empty ? "" : ",");
	char *at;

	fed->front = open + 1;
	fed->token = FRONT_TOKEN;
	while (fed->token <= length)
		fed->token *= 2;
	fed->inserted = fed->token + strlen(behind);
	fed->length = length + fed->inserted;
	fed->bytes = malloc(fed->length);
	if (!fed->bytes)
		return STATUS_NO_MEMORY;
	memcpy(fed->bytes, text, fed->front);
	at = fed->bytes + fed->front;
	memset(at, 'x', fed->token);
	at[0] = '"';
	at[fed->token - 1] = '"';
	memcpy(at + fed->token, behind, strlen(behind));
	memcpy(at + fed->inserted, text + fed->front, length - fed->front);
	return STATUS_OK;
}

/* The byte of the text at which jansson stopped: the last character that it read. */
static size_t fault_place(const char *text, const struct fed_text *fed, const json_error_t *error)
{
	size_t read = (size_t)error->position;
	size_t place;

	if (read <= fed->front + fed->inserted)
		return fed->front - 1;
	place = read - fed->inserted - 1;
	while (place > 0 && (text[place] & 0xc0) == 0x80)
		place--;
	return place;
}

static enum status fault_status(const json_error_t *error)
{
	switch (json_error_code(error)) {
	case json_error_duplicate_key:
		return STATUS_JSON_DUPLICATE;
	case json_error_end_of_input_expected:
		return STATUS_TEXT_TRAILING;
	case json_error_numeric_overflow:
	case json_error_null_character:
		return STATUS_SHEET_MEMBER_VALUE;
	default:
		return STATUS_JSON_SYNTAX;
	}
}

static enum status read_fed_text(
	const char *text, const struct fed_text *fed, size_t *fault, json_t **tree)
{
	struct feed feed = {reader_of(fed->bytes, fed->length), false};
	json_error_t error;
	json_t *value;

	errno = 0;
	value = json_load_callback(feed_byte, &feed, JSON_REJECT_DUPLICATES, &error);
	if (feed.no_memory || errno == ENOMEM) {
		json_decref(value);
		return STATUS_NO_MEMORY;
	}
	if (!value) {
		*fault = fault_place(text, fed, &error);
		return fault_status(&error);
	}
	if (!json_is_object(value)) {
		json_decref(value);
		return STATUS_SHEET_MEMBER_VALUE;
	}
	json_object_deln(value, fed->bytes + fed->front + 1, fed->token - 2);
	*tree = value;
	return STATUS_OK;
}

enum status json_tree_read(const char *text, size_t length, size_t *fault, json_t **tree)
{
	struct fed_text fed;
	enum status status;

	*fault = skip_blanks(text, length, 0);
	assert(*fault < length);
	if (!strchr("{[", text[*fault]))
		return strchr("\"-0123456789tfn", text[*fault]) ? STATUS_SHEET_MEMBER_VALUE
								: STATUS_JSON_SYNTAX;
	status = make_fed_text(text, length, *fault, &fed);
	if (status != STATUS_OK)
		return status;
	status = read_fed_text(text, &fed, fault, tree);
	free(fed.bytes);
	return status;
}
