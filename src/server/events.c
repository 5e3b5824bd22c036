/* SPDX-License-Identifier: MIT */
#include "server/events.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/answer.h"

enum { EVENT_ID = 48, EVENT_BYTES = ROOM_SNAPSHOT_JSON + EVENT_ID + 64 };

/* What waits is sent in this order: who is there, then the state that may depend on it. */
enum { PRESENCE_EVENT, STATE_EVENT };

struct reader {
	struct hub_watcher watcher;
	struct http_stream *stream;
	uint64_t epoch;
};

static void write_id(uint64_t epoch, uint64_t rev, char id[EVENT_ID])
{
	snprintf(id, EVENT_ID, "%" PRIu64 "-%" PRIu64, epoch, rev);
}

static void send_presence(struct reader *reader, const char *json)
{
	char event[PRESENCE_JSON + 64];
	struct text text;

	text_init(&text, event, sizeof(event));
	text_add(&text, "event: presence\ndata: ");
	text_add(&text, json);
	text_add(&text, "\n\n");
	assert(!text.overflow);
	http_stream_offer(reader->stream, PRESENCE_EVENT, event, text.length);
}

static void send_state(struct reader *reader, uint64_t rev, const char *json)
{
	char id[EVENT_ID];
	char event[EVENT_BYTES];
	struct text text;

	write_id(reader->epoch, rev, id);
	text_init(&text, event, sizeof(event));
	text_add(&text, "id: ");
	text_add(&text, id);
	text_add(&text, "\nevent: state\ndata: ");
	text_add(&text, json);
	text_add(&text, "\n\n");
	assert(!text.overflow);
	http_stream_offer(reader->stream, STATE_EVENT, event, text.length);
}

/* A `hub_watch`. */
static void reader_watch(void *context, enum hub_news news, uint64_t rev, const char *json)
{
	struct reader *reader = context;

	switch (news) {
	case HUB_STATE:
		send_state(reader, rev, json);
		break;
	case HUB_PRESENCE:
		send_presence(reader, json);
		break;
	case HUB_END:
		http_stream_close(reader->stream);
		break;
	}
}

static void reader_gone(void *context)
{
	struct reader *reader = context;

	hub_remove_watcher(&reader->watcher);
	free(reader);
}

void events_open(struct http_exchange *exchange, struct hosted *hosted, enum room_seat seat,
	uint64_t epoch, struct http_slice last)
{
	static const struct http_header header = {"X-Content-Type-Options", "nosniff"};
	const struct room *room = hosted_room(hosted);
	struct reader *reader = calloc(1, sizeof(*reader));
	char presence[PRESENCE_JSON];
	char id[EVENT_ID];
	struct text text;
	bool current;

	if (!reader) {
		answer_status(exchange, STATUS_NO_MEMORY, NULL);
		return;
	}
	reader->epoch = epoch;
	reader->watcher = (struct hub_watcher){
		.hosted = hosted,
		.seat = seat,
		.watch = reader_watch,
		.context = reader,
	};
	hub_add_watcher(&reader->watcher);
	/* `last` lies in the request, which goes with the exchange. */
	write_id(epoch, room_rev(room), id);
	current = http_slice_equals(last, id);
	reader->stream = http_stream(exchange, &header, 1, reader_gone, reader);
	text_init(&text, presence, sizeof(presence));
	hosted_write_presence(hosted, &text);
	send_presence(reader, presence);
	if (!current) {
		char json[ROOM_SNAPSHOT_JSON];

		text_init(&text, json, sizeof(json));
		room_write_snapshot(room, &text);
		send_state(reader, room_rev(room), json);
	}
}

struct http_slice query_value(struct http_slice query, const char *name)
{
	size_t length = strlen(name);
	size_t start = 0;

	while (start < query.length) {
		const char *part = query.data + start;
		const char *end = memchr(part, '&', query.length - start);
		size_t size = end ? (size_t)(end - part) : query.length - start;

		if (size > length && part[length] == '=' && memcmp(part, name, length) == 0)
			return (struct http_slice){part + length + 1, size - length - 1};
		start += size + 1;
	}
	return (struct http_slice){NULL, 0};
}
