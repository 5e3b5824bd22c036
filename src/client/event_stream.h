/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/*
 * Server-sent events, read as the bytes come (HTML, "Server-sent events", parsing an event stream):
 * lines end with LF, CRLF or CR, a blank one ends an event, and what is no field that we know is
 * read over. How the bytes are cut changes nothing. All memory is in the structure: a line, and the
 * data of an event, have at most EVENT_DATA_MAX bytes, and longer ones end the reading.
 */
enum {
	EVENT_DATA_MAX = 64 * 1024,
	EVENT_WORD_BYTES = 128, /* a name or an id, its final zero included */
};

/* One event. The texts live during the call that gives it, and hold no line end; but `data` holds
 * an LF between its lines. */
struct event {
	const char *name; /* "message" where the stream names none */
	const char *id;   /* of this event or the last one before it that had any; "": none */
	const char *data; /* `length` bytes, then a zero */
	size_t length;
};

typedef void event_take(void *context, const struct event *event);

struct event_stream {
	char line[EVENT_DATA_MAX];
	size_t line_length;
	bool first_line;
	bool after_cr; /* an LF that comes now belongs to the line end before it */
	char data[EVENT_DATA_MAX + 1];
	size_t data_length; /* each line with its LF */
	char name[EVENT_WORD_BYTES];
	char id[EVENT_WORD_BYTES];
	enum status status;
};

void event_stream_init(struct event_stream *stream);

/*
 * Reads the next bytes and gives each event that they end. STATUS_TEXT_TOO_LONG, once and for good:
 * a line, an event, a name or an id is longer than there is room for.
 */
MUST_CHECK enum status event_stream_read(struct event_stream *stream, const char *bytes,
	size_t length, event_take *take, void *context);
