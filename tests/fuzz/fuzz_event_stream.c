/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/event_stream.h"

/*
 * The first byte says how the others are cut. However they are, the same events come of them, each
 * within its limits, and the same end.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that was given, as one number (FNV-1a). */
struct sum {
	uint64_t hash;
	size_t count;
};

static struct event_stream stream;

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void add_bytes(struct sum *sum, const char *bytes, size_t length)
{
	for (size_t i = 0; i <= length; i++)
		sum->hash = (sum->hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
}

static void take_event(void *context, const struct event *event)
{
	struct sum *sum = context;

	require(event->length < EVENT_DATA_MAX && event->data[event->length] == 0);
	require(!memchr(event->data, '\r', event->length));
	require(strlen(event->name) < EVENT_WORD_BYTES && !strpbrk(event->name, "\r\n"));
	require(strlen(event->id) < EVENT_WORD_BYTES && !strpbrk(event->id, "\r\n"));
	add_bytes(sum, event->name, strlen(event->name));
	add_bytes(sum, event->id, strlen(event->id));
	add_bytes(sum, event->data, event->length);
	sum->count++;
}

/* In pieces of `piece` bytes, each a copy of exactly that size, so that the sanitizer sees a read
 * beyond it. */
static enum status read_in_pieces(const uint8_t *data, size_t size, size_t piece, struct sum *sum)
{
	enum status status = STATUS_OK;

	*sum = (struct sum){UINT64_C(0xcbf29ce484222325), 0};
	event_stream_init(&stream);
	for (size_t at = 0; at < size; at += piece) {
		size_t length = size - at < piece ? size - at : piece;
		char *copy = malloc(length);

		require(copy != NULL);
		memcpy(copy, data + at, length);
		status = event_stream_read(&stream, copy, length, take_event, sum);
		free(copy);
	}
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum whole;
	struct sum cut;

	if (size < 2)
		return 0;
	require(read_in_pieces(data + 1, size - 1, size, &whole) ==
		read_in_pieces(data + 1, size - 1, 1 + (size_t)data[0], &cut));
	require(whole.hash == cut.hash && whole.count == cut.count);
	return 0;
}
