/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/http_internal.h"

/* The life of a connection: accepting, reading, deadlines, closing. */

static void on_timer(uv_timer_t *timer);

static void start_timer(struct connection *connection, uint64_t ms)
{
	/* Fails on a closing handle only, and phase CLOSED sets no timer. */
	(void)uv_timer_start(&connection->timer, on_timer, ms, 0);
}

/*
 * A deadline that moves on, as that of a stream does with each event, leaves the timer where it is:
 * among 10,000 timers it costs more to move one than to write down when it is meant.
 */
void connection_set_deadline(struct connection *connection, unsigned ms)
{
	connection->has_deadline = true;
	connection->deadline = uv_now(connection->server->loop) + ms;
	if (!uv_is_active((uv_handle_t *)&connection->timer) ||
		uv_timer_get_due_in(&connection->timer) > ms)
		start_timer(connection, ms);
}

/* REPLY and STREAM have their deadlines set by what is written. */
void connection_enter(struct connection *connection, enum phase phase)
{
	const struct http_options *options = &connection->server->options;

	connection->phase = phase;
	connection->has_deadline = false;
	switch (phase) {
	case PHASE_IDLE:
		/* Input that waited behind the last exchange is looked at from the loop. */
		connection_set_deadline(
			connection, connection->input_length ? 0 : options->idle_timeout_ms);
		break;
	case PHASE_HEAD:
		connection_set_deadline(connection, options->head_timeout_ms);
		break;
	case PHASE_BODY:
		connection_set_deadline(connection, options->body_timeout_ms);
		break;
	case PHASE_LINGER:
		connection_set_deadline(connection, HTTP_LINGER_MS);
		break;
	case PHASE_HANDLED:
	case PHASE_REPLY:
	case PHASE_STREAM:
	case PHASE_CLOSED:
		break;
	}
}

/* Input. */

static void free_input(struct connection *connection)
{
	free(connection->input);
	connection->input = NULL;
	connection->input_length = connection->input_capacity = 0;
}

void connection_drop_input(struct connection *connection)
{
	/* While it is being processed, connection_process is in the middle of these bytes. */
	if (!connection->processing)
		free_input(connection);
}

/* Bytes are wanted for the next request, and no longer once the connection is to end. */
static bool wants_input(const struct connection *connection)
{
	return connection->phase <= PHASE_HANDLED ||
	       (connection->phase == PHASE_REPLY && !connection->last);
}

static bool append_input(struct connection *connection, const char *data, size_t length)
{
	size_t needed = connection->input_length + length;

	assert(needed <= HTTP_INPUT_BYTES);
	if (needed > connection->input_capacity) {
		size_t capacity = connection->input_capacity ? connection->input_capacity : 512;
		char *input;

		while (capacity < needed)
			capacity *= 2;
		input = realloc(connection->input, capacity);
		if (!input)
			return false;
		connection->input = input;
		connection->input_capacity = capacity;
	}
	memcpy(connection->input + connection->input_length, data, length);
	connection->input_length = needed;
	return true;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
	struct connection *connection = handle->data;

	(void)suggested;
	/* The loop fills it and hands it to on_read before it serves anybody else. */
	*buffer = uv_buf_init(connection->server->scratch,
		(unsigned)(HTTP_INPUT_BYTES - connection->input_length));
}

static void on_read(uv_stream_t *tcp, ssize_t length, const uv_buf_t *buffer);

void connection_adjust_reading(struct connection *connection)
{
	uv_stream_t *tcp = (uv_stream_t *)&connection->tcp;
	bool wanted = connection->input_length < HTTP_INPUT_BYTES;

	if (connection->phase == PHASE_CLOSED || wanted == connection->reading)
		return;
	connection->reading = wanted;
	if (!wanted)
		(void)uv_read_stop(tcp); /* always 0 */
	else if (uv_read_start(tcp, on_alloc, on_read))
		connection_close(connection);
}

static void begin_exchange(struct connection *connection, const char *data, size_t length)
{
	struct http_server *server = connection->server;
	struct http_exchange *exchange = calloc(1, sizeof(*exchange) + length);
	struct http_request *request;
	enum http_parse_result result;

	if (!exchange) {
		connection_close(connection);
		return;
	}
	request = &exchange->request;
	memcpy(exchange->bytes, data, length);
	result = http_parse(exchange->bytes, length, request);
	assert(result == HTTP_PARSE_DONE);
	(void)result;
	request->body.data = exchange->bytes + request->head_length;
	request->body.length = request->body_length;
	exchange->connection = connection;
	connection->exchange = exchange;
	connection->needed = 0;
	connection_enter(connection, PHASE_HANDLED);
	server->handler(server->context, exchange, request);
}

static void await_body(
	struct connection *connection, const struct http_request *request, size_t body)
{
	static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)go_on, sizeof(go_on) - 1);

	connection->needed = request->head_length + request->body_length;
	connection_enter(connection, PHASE_BODY);
	/* Nothing else is being written, so the socket has room for these few bytes, or is broken.
	 */
	if (request->expects_continue && body == 0 &&
		uv_try_write((uv_stream_t *)&connection->tcp, &buffer, 1) != (int)buffer.len)
		connection_close(connection);
}

/* Looks for one request at the start of `data`; returns how many bytes it used up. */
static size_t process_one(struct connection *connection, const char *data, size_t length)
{
	struct http_request request;
	size_t whole;

	if (length < connection->needed)
		return 0;
	switch (http_parse(data, length, &request)) {
	case HTTP_PARSE_MORE:
		if (connection->phase == PHASE_IDLE)
			connection_enter(connection, PHASE_HEAD);
		return 0;
	case HTTP_PARSE_BAD:
		connection_refuse(connection, 400, "malformed", request.problem);
		return 0;
	case HTTP_PARSE_LARGE:
		connection_refuse(connection, 431, "head-too-large", request.problem);
		return 0;
	case HTTP_PARSE_BODY:
		connection_refuse(connection, 413, "body-too-large", request.problem);
		return 0;
	case HTTP_PARSE_METHOD:
		connection_refuse(connection, 501, "method", request.problem);
		return 0;
	case HTTP_PARSE_VERSION:
		connection_refuse(connection, 505, "version", request.problem);
		return 0;
	case HTTP_PARSE_DONE:
		break;
	}
	whole = request.head_length + request.body_length;
	if (length < whole) {
		await_body(connection, &request, length - request.head_length);
		return 0;
	}
	begin_exchange(connection, data, whole);
	return whole;
}

/* Serves the requests in `data` until one has to wait; returns how many bytes they took. */
static size_t process(struct connection *connection, const char *data, size_t length)
{
	size_t used = 0;

	connection->processing = true;
	while (connection->phase <= PHASE_BODY && used < length) {
		size_t step = process_one(connection, data + used, length - used);

		if (!step)
			break;
		used += step;
	}
	connection->processing = false;
	return used;
}

static void process_input(struct connection *connection)
{
	size_t used = process(connection, connection->input, connection->input_length);

	connection->input_length -= used;
	if (!wants_input(connection) || !connection->input_length)
		free_input(connection);
	else if (used)
		memmove(connection->input, connection->input + used, connection->input_length);
	if (connection->phase == PHASE_IDLE)
		connection_enter(connection, PHASE_IDLE);
	connection_adjust_reading(connection);
}

static void receive(struct connection *connection, const char *data, size_t length)
{
	if (connection->input_length == 0) {
		/* The common case, whole requests, is served without a copy. */
		size_t used = process(connection, data, length);

		if (wants_input(connection) && used < length &&
			!append_input(connection, data + used, length - used))
			connection_close(connection);
		else if (connection->phase == PHASE_IDLE)
			connection_enter(connection, PHASE_IDLE);
		connection_adjust_reading(connection);
		return;
	}
	if (!append_input(connection, data, length)) {
		connection_close(connection);
		return;
	}
	/* A head ends in a line feed. Without this, one that comes byte by byte would be parsed
	 * 8192 times; with it, once a line. */
	if (connection->phase == PHASE_HEAD && connection->input_length < HTTP_HEAD_BYTES &&
		!memchr(data, '\n', length))
		return;
	process_input(connection);
}

static void discard(struct connection *connection, size_t length)
{
	size_t limit =
		connection->phase == PHASE_STREAM ? HTTP_STREAM_INPUT_BYTES : HTTP_LINGER_BYTES;

	connection->discarded += length;
	if (connection->discarded > limit)
		connection_close(connection);
}

static void on_read(uv_stream_t *tcp, ssize_t length, const uv_buf_t *buffer)
{
	struct connection *connection = tcp->data;

	if (length == UV_EOF && connection->phase == PHASE_REPLY) {
		/* It sent its last request and reads on: it gets what has begun. */
		connection->last = true;
		connection_drop_input(connection);
		connection->reading = false;
		(void)uv_read_stop(tcp);
	} else if (length < 0) {
		connection_close(connection);
	} else if (length > 0) {
		if (wants_input(connection))
			receive(connection, buffer->base, (size_t)length);
		else
			discard(connection, (size_t)length);
	}
}

/* Deadlines. */

static void on_deadline(struct connection *connection)
{
	switch (connection->phase) {
	case PHASE_IDLE:
		if (connection->input_length)
			process_input(connection);
		else
			connection_close(connection);
		break;
	case PHASE_HEAD:
		connection_refuse(
			connection, 408, "timeout", "the head of the request took too long");
		break;
	case PHASE_BODY:
		connection_refuse(
			connection, 408, "timeout", "the body of the request took too long");
		break;
	case PHASE_REPLY:
		connection_check_progress(connection);
		break;
	case PHASE_STREAM:
		if (connection->output)
			connection_check_progress(connection);
		else
			stream_ping(connection);
		break;
	case PHASE_LINGER:
		connection_close(connection);
		break;
	case PHASE_HANDLED:
	case PHASE_CLOSED:
		break;
	}
}

/* It may be earlier than the deadline, or the deadline is over. */
static void on_timer(uv_timer_t *timer)
{
	struct connection *connection = timer->data;
	uint64_t now = uv_now(connection->server->loop);

	if (!connection->has_deadline)
		return;
	if (now < connection->deadline) {
		start_timer(connection, connection->deadline - now);
		return;
	}
	connection->has_deadline = false;
	on_deadline(connection);
}

/* Ending. */

void connection_written(struct connection *connection)
{
	if (connection->phase == PHASE_STREAM)
		stream_written(connection);
	else if (connection->last)
		connection_linger(connection);
	else if (connection->processing)
		connection->phase =
			PHASE_IDLE; /* the next request is looked at now, without a timer */
	else
		connection_enter(connection, PHASE_IDLE);
}

void connection_linger(struct connection *connection)
{
	uv_os_fd_t socket;

	assert(!connection->output);
	connection->discarded = 0;
	connection_drop_input(connection);
	/* Without uv_shutdown and its request: there is no queue that it would have to wait for. */
	if (uv_fileno((uv_handle_t *)&connection->tcp, &socket) || shutdown(socket, SHUT_WR)) {
		connection_close(connection);
		return;
	}
	connection_enter(connection, PHASE_LINGER);
	connection_adjust_reading(connection);
}

/* Calls what the owner of the exchange or stream wants to know, when nothing here needs it longer.
 */
static void tell_gone(struct connection *connection)
{
	struct http_exchange *exchange = connection->exchange;

	if (connection->stream.gone) {
		connection->server->streams--;
		connection->stream.gone(connection->stream.context);
	}
	if (exchange && exchange->gone)
		exchange->gone(exchange->context);
	free(exchange);
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct connection *connection = handle->data;
	struct http_server *server = connection->server;

	if (--connection->open_handles)
		return;
	if (connection->previous)
		connection->previous->next = connection->next;
	else
		server->connections = connection->next;
	if (connection->next)
		connection->next->previous = connection->previous;
	if (connection->turned_away)
		server->turned_away--;
	else
		server->count--;
	if (connection->admitted)
		server->options.left(server->context, connection->peer);
	tell_gone(connection);
	for (size_t i = 0; i <= HTTP_STREAM_KINDS; i++)
		free(connection->stream.waiting[i].event);
	free(connection->input);
	free(connection);
	http_server_connection_freed(server);
}

void connection_close(struct connection *connection)
{
	if (connection->phase == PHASE_CLOSED)
		return;
	connection_enter(connection, PHASE_CLOSED);
	uv_close((uv_handle_t *)&connection->tcp, on_handle_closed);
	uv_close((uv_handle_t *)&connection->timer, on_handle_closed);
}

/* Beginning. */

static void read_peer(struct connection *connection)
{
	struct sockaddr_storage address;
	int length = sizeof(address);

	if (uv_tcp_getpeername(&connection->tcp, (struct sockaddr *)&address, &length) == 0)
		(void)uv_ip_name(
			(struct sockaddr *)&address, connection->peer, sizeof(connection->peer));
}

/* Whether its peer may have another connection, where that is not one too many for all. */
static void ask_admission(struct connection *connection)
{
	struct http_server *server = connection->server;

	if (connection->turned_away || !server->options.admit)
		return;
	connection->admitted = server->options.admit(server->context, connection->peer);
	if (connection->admitted)
		return;
	connection->turned_away = true;
	server->count--;
	server->turned_away++;
}

static void start(struct connection *connection)
{
	bool full = connection->turned_away;

	/* It only costs speed where it fails. */
	(void)uv_tcp_nodelay(&connection->tcp, 1);
	read_peer(connection);
	ask_admission(connection);
	if (connection->turned_away && connection->server->turned_away > HTTP_TURNED_AWAY_MAX) {
		connection_close(connection);
		return;
	}
	connection_enter(connection, PHASE_IDLE);
	connection_adjust_reading(connection);
	if (!connection->turned_away || connection->phase != PHASE_IDLE)
		return;
	if (full)
		connection_refuse(connection, 503, "busy", "there are too many connections");
	else
		connection_refuse(connection, 429, "too-many",
			"there are too many connections from your address");
}

void connection_open(struct http_server *server)
{
	struct connection *connection = calloc(1, sizeof(*connection));

	/* Until it is accepted, the loop announces no other. */
	server->deaf = !connection;
	if (!connection)
		return;
	connection->server = server;
	connection->stream.connection = connection;
	connection->turned_away = server->count >= server->options.connections_max;
	if (connection->turned_away)
		server->turned_away++;
	else
		server->count++;
	connection->next = server->connections;
	if (connection->next)
		connection->next->previous = connection;
	server->connections = connection;

	(void)uv_tcp_init(server->loop, &connection->tcp); /* fails for unknown families only */
	(void)uv_timer_init(server->loop, &connection->timer);
	connection->open_handles = 2;
	connection->tcp.data = connection->timer.data = connection;
	if (uv_accept((uv_stream_t *)&server->listener, (uv_stream_t *)&connection->tcp)) {
		connection_close(connection);
		return;
	}
	start(connection);
}
