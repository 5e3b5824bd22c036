/* SPDX-License-Identifier: MIT */
#include "client/event_stream.h"

#include <string.h>

void event_stream_init(struct event_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
	stream->first_line = true;
	stream->status = STATUS_OK;
}

static bool is_field(const struct event_stream *stream, size_t name_length, const char *name)
{
	return name_length == strlen(name) && memcmp(stream->line, name, name_length) == 0;
}

static enum status add_data(struct event_stream *stream, const char *value, size_t length)
{
	if (length >= EVENT_DATA_MAX - stream->data_length)
		return STATUS_TEXT_TOO_LONG;
	memcpy(stream->data + stream->data_length, value, length);
	stream->data_length += length;
	stream->data[stream->data_length++] = '\n';
	return STATUS_OK;
}

static enum status set_word(char word[EVENT_WORD_BYTES], const char *value, size_t length)
{
	if (length >= EVENT_WORD_BYTES)
		return STATUS_TEXT_TOO_LONG;
	memcpy(word, value, length);
	word[length] = 0;
	return STATUS_OK;
}

/* "name: value", the blank not needed; a line without a colon is a name with an empty value. */
static enum status take_field(struct event_stream *stream)
{
	const char *colon = memchr(stream->line, ':', stream->line_length);
	size_t name_length = colon ? (size_t)(colon - stream->line) : stream->line_length;
	const char *value = stream->line + name_length;
	size_t length = stream->line_length - name_length;

	if (length > 0) {
		value++;
		length--;
	}
	if (length > 0 && *value == ' ') {
		value++;
		length--;
	}
	if (is_field(stream, name_length, "data"))
		return add_data(stream, value, length);
	if (is_field(stream, name_length, "event"))
		return set_word(stream->name, value, length);
	if (is_field(stream, name_length, "id") && !(length > 0 && memchr(value, 0, length)))
		return set_word(stream->id, value, length);
	return STATUS_OK;
}

/* An event without data is none. */
static void give_event(struct event_stream *stream, event_take *take, void *context)
{
	if (stream->data_length > 0) {
		struct event event = {
			.name = stream->name[0] ? stream->name : "message",
			.id = stream->id,
			.data = stream->data,
			.length = stream->data_length - 1, /* without the last LF */
		};

		stream->data[event.length] = 0;
		take(context, &event);
	}
	stream->data_length = 0;
	stream->name[0] = 0;
}

/* A byte order mark may stand before all. */
static void skip_mark(struct event_stream *stream)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t length = sizeof(mark) - 1;

	if (stream->line_length < length || memcmp(stream->line, mark, length) != 0)
		return;
	stream->line_length -= length;
	memmove(stream->line, stream->line + length, stream->line_length);
}

static enum status end_line(struct event_stream *stream, event_take *take, void *context)
{
	enum status status = STATUS_OK;

	if (stream->first_line)
		skip_mark(stream);
	stream->first_line = false;
	if (stream->line_length == 0)
		give_event(stream, take, context);
	else
		status = take_field(stream);
	stream->line_length = 0;
	return status;
}

enum status event_stream_read(struct event_stream *stream, const char *bytes, size_t length,
	event_take *take, void *context)
{
	for (size_t i = 0; i < length && stream->status == STATUS_OK; i++) {
		char c = bytes[i];
		bool joined = stream->after_cr && c == '\n';

		stream->after_cr = c == '\r';
		if (joined)
			continue;
		if (c == '\n' || c == '\r')
			stream->status = end_line(stream, take, context);
		else if (stream->line_length < sizeof(stream->line))
			stream->line[stream->line_length++] = c;
		else
			stream->status = STATUS_TEXT_TOO_LONG;
	}
	return stream->status;
}
