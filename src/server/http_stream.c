/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/http_internal.h"

/*
 * Event streams. Without the small buffers 500 readers that never read held over 400 MiB of the
 * system's memory, with them 22. The keep-alive of the page's protocol, a ping, is what the timeout
 * needs to notice a peer that fell silent: together they show it in ping_ms and silent_ms. A ping
 * comes when nothing has been written for ping_ms.
 */
enum { SOCKET_BUFFER_BYTES = 16 * 1024 };

/* Each makes the stream cheaper or quicker to end; it works without. */
static void set_socket_options(uv_tcp_t *tcp, unsigned silent_ms)
{
	int send_bytes = SOCKET_BUFFER_BYTES;
	int receive_bytes = SOCKET_BUFFER_BYTES;

	(void)uv_send_buffer_size((uv_handle_t *)tcp, &send_bytes);
	(void)uv_recv_buffer_size((uv_handle_t *)tcp, &receive_bytes);
#ifdef TCP_USER_TIMEOUT
	uv_os_fd_t socket;

	if (uv_fileno((uv_handle_t *)tcp, &socket) == 0)
		(void)setsockopt(
			socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &silent_ms, sizeof(silent_ms));
#else
	(void)silent_ms;
#endif
}

static bool write_stream_head(struct text *text, struct http_server *server,
	const struct http_header *headers, size_t header_count)
{
	struct http_header all[16] = {
		{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"},
		{"X-Accel-Buffering", "no"}, /* nginx would hold events back */
	};
	struct answer answer = {
		.status_code = 200,
		.headers = all,
		.header_count = 3 + header_count,
		.kind = ANSWER_STREAM,
		.connection = "close", /* its end is the end of the body */
	};

	assert(answer.header_count <= sizeof(all) / sizeof(all[0]));
	if (header_count)
		memcpy(all + 3, headers, header_count * sizeof(all[0]));
	return answer_write_head(text, server, &answer);
}

struct http_stream *http_stream(struct http_exchange *exchange, const struct http_header *headers,
	size_t header_count, void (*gone)(void *context), void *context)
{
	struct connection *connection = exchange->connection;
	struct http_stream *stream = &connection->stream;
	char head_bytes[HTTP_ANSWER_HEAD_BYTES];
	struct text head;

	assert(connection->exchange == exchange);
	connection->exchange = NULL;
	stream->gone = gone;
	stream->context = context;
	connection->server->streams++;
	if (connection->phase == PHASE_CLOSED)
		goto done;
	assert(connection->phase == PHASE_HANDLED);

	text_init(&head, head_bytes, sizeof(head_bytes));
	if (!write_stream_head(&head, connection->server, headers, header_count)) {
		connection_refuse(connection, 500, "internal", "the answer could not be written");
		goto done;
	}
	connection_tell_answered(connection, &exchange->note, 200);
	connection->last = connection->server->stopping || exchange->request.method == HTTP_HEAD;
	connection->discarded = 0;
	connection_enter(connection, PHASE_STREAM);
	connection_drop_input(connection);
	set_socket_options(&connection->tcp, connection->server->options.silent_ms);
	connection_adjust_reading(connection);
	if (connection->phase == PHASE_STREAM)
		connection_write(connection, (struct http_slice){head.data, head.length},
			(struct http_slice){NULL, 0}, false);
done:
	free(exchange);
	return stream;
}

static void write_event(struct connection *connection, const char *event, size_t length)
{
	connection_write(connection, (struct http_slice){event, length},
		(struct http_slice){NULL, 0}, false);
}

static void offer(struct http_stream *stream, unsigned kind, const char *event, size_t length)
{
	struct connection *connection = stream->connection;
	char *copy;

	if (connection->phase != PHASE_STREAM || connection->last)
		return;
	if (!connection->output) {
		write_event(connection, event, length);
		return;
	}
	copy = malloc(length);
	if (!copy) {
		/* The reader comes back and finds the newest; without an event it would never know.
		 */
		connection_close(connection);
		return;
	}
	memcpy(copy, event, length);
	free(stream->waiting[kind].event);
	stream->waiting[kind].event = copy;
	stream->waiting[kind].length = length;
}

void http_stream_offer(struct http_stream *stream, unsigned kind, const char *event, size_t length)
{
	assert(kind < HTTP_STREAM_KINDS);
	offer(stream, kind, event, length);
}

void http_stream_close(struct http_stream *stream)
{
	struct connection *connection = stream->connection;

	if (connection->phase != PHASE_STREAM)
		return;
	connection->last = true;
	if (!connection->output)
		connection_linger(connection);
}

void stream_written(struct connection *connection)
{
	struct http_stream *stream = &connection->stream;

	for (size_t i = 0; i <= HTTP_STREAM_KINDS; i++) {
		char *event = stream->waiting[i].event;

		if (!event)
			continue;
		stream->waiting[i].event = NULL;
		write_event(connection, event, stream->waiting[i].length);
		free(event);
		return;
	}
	if (connection->last) {
		connection_linger(connection);
	} else {
		connection_set_deadline(connection, connection->server->options.ping_ms);
	}
}

void stream_ping(struct connection *connection)
{
	static const char ping[] = ": ping\n\n";

	write_event(connection, ping, sizeof(ping) - 1);
}

void stream_part(struct connection *connection, unsigned retry_ms)
{
	char event[64];
	int length =
		snprintf(event, sizeof(event), "event: bye\ndata: {\"retryMs\":%u}\n\n", retry_ms);

	assert(length > 0 && length < (int)sizeof(event));
	offer(&connection->stream, HTTP_STREAM_KINDS, event, (size_t)length);
	http_stream_close(&connection->stream);
}
