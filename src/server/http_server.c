/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/http_internal.h"

/* The listening socket, and the beginning and end of everything. */

enum { LISTEN_BACKLOG = 1024 };

enum { RETRY_FIRST_MS = 500, RETRY_SPREAD_MS = 4001, RETRY_STEP_MS = 2473 };

const struct http_options http_defaults = {
	.address = "127.0.0.1",
	.port = 8080,
	.connections_max = 12000, /* 10,000 streams, and room for the requests of their readers */
	.head_timeout_ms = 10 * 1000,
	.body_timeout_ms = 10 * 1000,
	.idle_timeout_ms = 60 * 1000,
	.write_timeout_ms = 10 * 1000,
	.ping_ms = 10 * 1000,
	.silent_ms = 15 * 1000,
};

static void on_connection(uv_stream_t *listener, int status)
{
	struct http_server *server = listener->data;

	/* A failure (no descriptor left) concerns a connection that is lost already. */
	if (status == 0 && !server->stopping)
		connection_open(server);
}

static enum status give_problem(char *problem, const struct http_options *options, int error)
{
	(void)snprintf(problem, HTTP_PROBLEM_BYTES, "cannot listen on %s, port %d: %s",
		options->address, options->port, uv_strerror(error));
	return STATUS_SERVER_LISTEN;
}

static int read_address(const struct http_options *options, struct sockaddr_storage *address)
{
	if (options->port < 0 || options->port > 65535)
		return UV_EINVAL;
	if (uv_ip4_addr(options->address, options->port, (struct sockaddr_in *)address) == 0)
		return 0;
	return uv_ip6_addr(options->address, options->port, (struct sockaddr_in6 *)address);
}

static int bind_and_listen(struct http_server *server)
{
	struct sockaddr_storage address = {0};
	int length = sizeof(address);
	int error = read_address(&server->options, &address);

	if (!error)
		error = uv_tcp_bind(&server->listener, (struct sockaddr *)&address, 0);
	if (!error)
		error = uv_listen((uv_stream_t *)&server->listener, LISTEN_BACKLOG, on_connection);
	if (!error)
		error = uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &length);
	if (error)
		return error;
	server->port =
		ntohs(address.ss_family == AF_INET ? ((struct sockaddr_in *)&address)->sin_port
						   : ((struct sockaddr_in6 *)&address)->sin6_port);
	return 0;
}

static void on_failed_handle_closed(uv_handle_t *handle)
{
	struct http_server *server = handle->data;

	if (--server->open_handles == 0)
		free(server);
}

enum status http_server_create(uv_loop_t *loop, const struct http_options *options,
	http_handler *handler, void *context, struct http_server **result, char *problem)
{
	struct http_server *server = calloc(1, sizeof(*server));
	int error;

	if (!server) {
		(void)snprintf(problem, HTTP_PROBLEM_BYTES, "%s", status_text(STATUS_NO_MEMORY));
		return STATUS_NO_MEMORY;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	server->loop = loop;
	server->options = *options;
	server->handler = handler;
	server->context = context;
	server->date_second = -1;
	(void)uv_tcp_init(loop, &server->listener); /* fails for unknown families only */
	(void)uv_timer_init(loop, &server->grace);
	server->open_handles = 2;
	server->listener.data = server->grace.data = server;

	error = bind_and_listen(server);
	if (error)
		goto fail;
	server->options.address = NULL; /* the caller's */
	*result = server;
	return STATUS_OK;
fail:
	uv_close((uv_handle_t *)&server->listener, on_failed_handle_closed);
	uv_close((uv_handle_t *)&server->grace, on_failed_handle_closed);
	return give_problem(problem, options, error);
}

int http_server_port(const struct http_server *server)
{
	return server->port;
}

size_t http_server_connections(const struct http_server *server)
{
	return server->count;
}

size_t http_server_streams(const struct http_server *server)
{
	return server->streams;
}

/* Stopping: first the listener closes, then the connections, and at last the timer. */

static void on_handle_closed(uv_handle_t *handle)
{
	struct http_server *server = handle->data;

	if (--server->open_handles == 0)
		server->closed(server->closed_context);
}

static void close_grace_when_alone(struct http_server *server)
{
	if (server->stopping && !server->connections &&
		!uv_is_closing((uv_handle_t *)&server->grace))
		uv_close((uv_handle_t *)&server->grace, on_handle_closed);
}

void http_server_connection_freed(struct http_server *server)
{
	if (server->deaf && !server->stopping)
		connection_open(server);
	close_grace_when_alone(server);
}

static void on_grace_over(uv_timer_t *timer)
{
	struct http_server *server = timer->data;

	for (struct connection *c = server->connections; c; c = c->next)
		connection_close(c);
}

/*
 * When the reader of the n-th stream is to come back, so that they do not all come at once: steps
 * in the golden ratio spread any number of them evenly.
 */
static unsigned retry_of(size_t n)
{
	return RETRY_FIRST_MS + (unsigned)(n * RETRY_STEP_MS % RETRY_SPREAD_MS);
}

/* `streams` counts those that were told before. */
static void stop_connection(struct connection *connection, size_t *streams)
{
	switch (connection->phase) {
	case PHASE_IDLE:
	case PHASE_HEAD:
	case PHASE_BODY:
		if (connection->processing)
			connection_linger(
				connection); /* its handler answered, then stopped the server */
		else if (connection->input_length)
			connection_refuse(connection, 503, "stopping", "the server is stopping");
		else
			connection_close(connection);
		break;
	case PHASE_REPLY:
		connection->last = true;
		connection_drop_input(connection);
		break;
	case PHASE_STREAM:
		stream_part(connection, retry_of((*streams)++));
		break;
	case PHASE_HANDLED: /* its answer will be the last */
	case PHASE_LINGER:
	case PHASE_CLOSED:
		break;
	}
}

void http_server_stop(
	struct http_server *server, unsigned grace_ms, void (*closed)(void *), void *context)
{
	size_t streams = 0;

	assert(!server->stopping);
	server->stopping = true;
	server->closed = closed;
	server->closed_context = context;
	uv_close((uv_handle_t *)&server->listener, on_handle_closed);
	/* Closing frees nothing before the loop runs, so the list stays as it is. */
	for (struct connection *c = server->connections; c; c = c->next)
		stop_connection(c, &streams);
	(void)uv_timer_start(&server->grace, on_grace_over, grace_ms, 0);
	close_grace_when_alone(server);
}

void http_server_destroy(struct http_server *server)
{
	assert(!server->open_handles && !server->connections);
	free(server);
}
