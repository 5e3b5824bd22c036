/* SPDX-License-Identifier: MIT */
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/http_server.h"

/*
 * A server on a free port of this machine and clients with plain sockets, all on one thread: a
 * client that waits runs the server's loop, so a test reads what the handler saw without locks and
 * every wait ends.
 */
enum { PATIENCE_MS = 5000, LARGE_BYTES = 8 * 1024 * 1024, ANSWER_BYTES = 2048 * 1024 };

struct fixture {
	uv_loop_t loop;
	struct http_options options;
	struct http_server *server;
	char log[64 * 1024]; /* "METHOD target;" of every request handled, the last ones */
	size_t requests;
	struct http_exchange *held;
	int held_gone;
	struct http_stream *stream;
	int stream_gone;
	bool stop_after_next;
	bool stopped;
	char *large;
	char answer[ANSWER_BYTES]; /* what client_read_until last got */
	size_t answer_length;
};

static inline void on_held_gone(void *context)
{
	struct fixture *f = context;

	f->held = NULL;
	f->held_gone++;
}

static inline void on_stream_gone(void *context)
{
	struct fixture *f = context;

	f->stream = NULL;
	f->stream_gone++;
}

static inline void on_stopped(void *context)
{
	struct fixture *f = context;

	f->stopped = true;
}

static inline void log_request(struct fixture *f, const struct http_request *request)
{
	static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS"};
	size_t length = strlen(f->log);
	int added = snprintf(f->log + length, sizeof(f->log) - length, "%s %.*s;",
		methods[request->method], (int)request->target.length, request->target.data);

	assert_true(added > 0 && length + (size_t)added < sizeof(f->log));
	f->requests++;
}

/* The paths that the tests ask for. */
static inline void handle(
	void *context, struct http_exchange *exchange, const struct http_request *request)
{
	static const struct http_header plain[] = {{"Content-Type", "text/plain"}};
	static const struct http_header bad[] = {{"Location", "/\r\nSet-Cookie: a=b"}};
	struct fixture *f = context;

	log_request(f, request);
	if (http_slice_equals(request->path, "/hold")) {
		f->held = exchange;
		http_exchange_set_context(exchange, f);
		http_exchange_on_gone(exchange, on_held_gone);
	} else if (http_slice_equals(request->path, "/stream")) {
		f->stream = http_stream(exchange, NULL, 0, on_stream_gone, f);
	} else if (http_slice_equals(request->path, "/echo")) {
		http_reply(exchange, 200, plain, 1, request->body.data, request->body.length);
	} else if (http_slice_equals(request->path, "/large")) {
		http_reply_static(exchange, 200, NULL, 0, f->large, LARGE_BYTES);
	} else if (http_slice_equals(request->path, "/large-copy")) {
		http_reply(exchange, 200, NULL, 0, f->large, LARGE_BYTES);
	} else if (http_slice_equals(request->path, "/nothing")) {
		http_reply(exchange, 204, NULL, 0, NULL, 0);
	} else if (http_slice_equals(request->path, "/same")) {
		http_reply(exchange, 304, NULL, 0, "ignored", 7);
	} else if (http_slice_equals(request->path, "/bad-header")) {
		http_reply(exchange, 302, bad, 1, "", 0);
	} else if (http_slice_equals(request->path, "/peer")) {
		const char *peer = http_exchange_peer(exchange);
		http_reply(exchange, 200, NULL, 0, peer, strlen(peer));
	} else if (http_slice_equals(request->path, "/answer-held")) {
		http_reply(f->held, 200, NULL, 0, "late", 4);
		http_reply(exchange, 200, NULL, 0, "done", 4);
	} else {
		http_reply(exchange, 200, plain, 1, "hello", 5);
	}
	if (f->stop_after_next) {
		f->stop_after_next = false;
		http_server_stop(f->server, PATIENCE_MS, on_stopped, f);
	}
}

/* Timeouts far beyond any test; a test shortens the one that it is about, then starts. */
static inline struct fixture *fixture_create(void)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->large = malloc(LARGE_BYTES);
	assert_non_null(f->large);
	for (size_t i = 0; i < LARGE_BYTES; i++)
		f->large[i] = (char)('a' + i % 23);
	f->options = http_defaults;
	f->options.port = 0;
	f->options.connections_max = 64;
	assert_int_equal(uv_loop_init(&f->loop), 0);
	return f;
}

static inline void fixture_start(struct fixture *f)
{
	char problem[HTTP_PROBLEM_BYTES];

	assert_int_equal(http_server_create(&f->loop, &f->options, handle, f, &f->server, problem),
		STATUS_OK);
	assert_int_not_equal(http_server_port(f->server), 0);
}

static inline struct fixture *fixture_running(void)
{
	struct fixture *f = fixture_create();

	fixture_start(f);
	return f;
}

static inline void serve(struct fixture *f)
{
	(void)poll(NULL, 0, 1);
	(void)uv_run(&f->loop, UV_RUN_NOWAIT);
}

static inline uint64_t now_ms(void)
{
	return uv_hrtime() / 1000000;
}

static inline void serve_for(struct fixture *f, unsigned milliseconds)
{
	uint64_t end = now_ms() + milliseconds;

	do
		serve(f);
	while (now_ms() < end);
}

/* Serves until that is no longer false, or fails. */
static inline void serve_until(struct fixture *f, const bool *wanted)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (!*wanted && now_ms() < end)
		serve(f);
	assert_true(*wanted);
}

static inline void serve_until_count(struct fixture *f, const int *count, int wanted)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (*count != wanted && now_ms() < end)
		serve(f);
	assert_int_equal(*count, wanted);
}

static inline void serve_until_requests(struct fixture *f, size_t wanted)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (f->requests != wanted && now_ms() < end)
		serve(f);
	assert_int_equal(f->requests, wanted);
}

static inline void fixture_stop(struct fixture *f)
{
	http_server_stop(f->server, 0, on_stopped, f);
	serve_until(f, &f->stopped);
}

/* Nothing may be left: no connection, no handle, and every stream told that it is gone. */
static inline void fixture_destroy(struct fixture *f)
{
	if (!f->stopped)
		fixture_stop(f);
	assert_int_equal(http_server_connections(f->server), 0);
	assert_null(f->stream);
	assert_null(f->held);
	http_server_destroy(f->server);
	assert_int_equal(uv_loop_close(&f->loop), 0);
	free(f->large);
	free(f);
}

/* `receive_bytes`: of the socket's buffer; 0 leaves it to the system. */
static inline int client_connect_with(struct fixture *f, int receive_bytes)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons((uint16_t)http_server_port(f->server)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int client = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(client >= 0);
	if (receive_bytes)
		assert_int_equal(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &receive_bytes,
					 sizeof(receive_bytes)),
			0);
	assert_int_equal(connect(client, (struct sockaddr *)&address, sizeof(address)), 0);
	return client;
}

static inline int client_connect(struct fixture *f)
{
	return client_connect_with(f, 0);
}

static inline void client_send_bytes(struct fixture *f, int client, const char *data, size_t length)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (length && now_ms() < end) {
		ssize_t sent = send(client, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent > 0) {
			data += sent;
			length -= (size_t)sent;
		} else {
			assert_int_equal(errno, EAGAIN);
			serve(f);
		}
	}
	assert_int_equal(length, 0);
}

static inline void client_send(struct fixture *f, int client, const char *text)
{
	client_send_bytes(f, client, text, strlen(text));
}

/* Appends what has come to f->answer; 0 at the end, -1 for nothing now. A reset fails the test. */
static inline ssize_t client_read_some(struct fixture *f, int client)
{
	ssize_t got = recv(client, f->answer + f->answer_length,
		ANSWER_BYTES - 1 - f->answer_length, MSG_DONTWAIT);

	assert_true(f->answer_length < ANSWER_BYTES - 1);
	if (got < 0 && errno != EAGAIN)
		fail_msg("the client read: %s", strerror(errno));
	if (got > 0)
		f->answer_length += (size_t)got;
	f->answer[f->answer_length] = 0;
	return got;
}

static inline void client_forget(struct fixture *f)
{
	f->answer_length = 0;
	f->answer[0] = 0;
}

/* Reads on until the answer holds `text`. */
static inline const char *client_await(struct fixture *f, int client, const char *text)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (!strstr(f->answer, text)) {
		if (now_ms() >= end)
			fail_msg("\"%s\" did not come; got \"%s\"", text, f->answer);
		if (client_read_some(f, client) == 0)
			fail_msg("the end came instead of \"%s\"; got \"%s\"", text, f->answer);
		serve(f);
	}
	return strstr(f->answer, text);
}

/* Reads to the end of the connection. */
static inline const char *client_await_end(struct fixture *f, int client)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (client_read_some(f, client) != 0) {
		if (now_ms() >= end)
			fail_msg("the connection did not end; got \"%s\"", f->answer);
		serve(f);
	}
	return f->answer;
}

/* Sends, and reads one answer to the end of the connection. */
static inline const char *client_exchange(struct fixture *f, const char *request)
{
	int client = client_connect(f);

	client_forget(f);
	client_send(f, client, request);
	(void)client_await_end(f, client);
	(void)close(client);
	return f->answer;
}

/* Leaves with a reset. */
static inline void client_reset(int client)
{
	struct linger none = {.l_onoff = 1, .l_linger = 0};

	assert_int_equal(setsockopt(client, SOL_SOCKET, SO_LINGER, &none, sizeof(none)), 0);
	(void)close(client);
}

static inline void assert_starts(const char *text, const char *start)
{
	if (strncmp(text, start, strlen(start)) != 0)
		fail_msg("\"%s\" does not begin with \"%s\"", text, start);
}

static inline void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

static inline void assert_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" contains \"%s\"", text, part);
}
