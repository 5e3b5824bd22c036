/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <linux/sockios.h>
#endif

#include "server/http_internal.h"

/* Writing: at once what the socket takes, and the rest when it takes more. */

/* What the peer has not taken: still here, or in the system and not acknowledged. */
static size_t count_outstanding(const struct connection *connection)
{
	size_t here = uv_stream_get_write_queue_size((const uv_stream_t *)&connection->tcp);
	int in_system = 0;
#ifdef SIOCOUTQ
	uv_os_fd_t socket;

	if (uv_fileno((const uv_handle_t *)&connection->tcp, &socket) ||
		ioctl(socket, SIOCOUTQ, &in_system))
		in_system = 0;
#endif
	return here + (size_t)in_system;
}

/* Looked at four times within the timeout: a stuck peer has up to a quarter more. */
static void look_again(struct connection *connection)
{
	connection_set_deadline(connection, connection->server->options.write_timeout_ms / 4 + 1);
}

static void watch_progress(struct connection *connection)
{
	connection->outstanding = count_outstanding(connection);
	connection->progress_at = uv_now(connection->server->loop);
	look_again(connection);
}

void connection_check_progress(struct connection *connection)
{
	uint64_t now = uv_now(connection->server->loop);
	size_t outstanding = count_outstanding(connection);

	if (outstanding < connection->outstanding) {
		connection->outstanding = outstanding;
		connection->progress_at = now;
	} else if (now - connection->progress_at >= connection->server->options.write_timeout_ms) {
		connection_close(connection);
		return;
	}
	look_again(connection);
}

static void on_written(uv_write_t *write, int status)
{
	struct output *output = write->data;
	struct connection *connection = output->connection;

	free(output);
	connection->output = NULL;
	if (connection->phase == PHASE_CLOSED)
		return;
	if (status < 0)
		connection_close(connection);
	else
		connection_written(connection);
}

/* libuv's buffers are not const, but it only reads the ones it writes out. */
static uv_buf_t buffer_of(const char *data, size_t length)
{
	return uv_buf_init((char *)(uintptr_t)data, (unsigned)length);
}

static struct http_slice skip(struct http_slice slice, size_t length)
{
	return (struct http_slice){slice.data + length, slice.length - length};
}

static void write_later(
	struct connection *connection, struct http_slice head, struct http_slice body, bool lasting)
{
	size_t copied = head.length + (lasting ? 0 : body.length);
	struct output *output = malloc(sizeof(*output) + copied);
	uv_buf_t buffers[2];
	unsigned count = 0;

	if (!output) {
		connection_close(connection);
		return;
	}
	output->connection = connection;
	output->write.data = output;
	connection->output = output;
	if (head.length)
		memcpy(output->bytes, head.data, head.length);
	if (!lasting && body.length)
		memcpy(output->bytes + head.length, body.data, body.length);
	if (copied)
		buffers[count++] = buffer_of(output->bytes, copied);
	if (lasting && body.length)
		buffers[count++] = buffer_of(body.data, body.length);
	if (uv_write(&output->write, (uv_stream_t *)&connection->tcp, buffers, count, on_written)) {
		/* It has not been queued, so on_written will not come. */
		free(output);
		connection->output = NULL;
		connection_close(connection);
		return;
	}
	watch_progress(connection);
}

void connection_write(
	struct connection *connection, struct http_slice head, struct http_slice body, bool lasting)
{
	uv_buf_t buffers[] = {buffer_of(head.data, head.length), buffer_of(body.data, body.length)};
	size_t taken = 0;
	int result;

	assert(!connection->output);
	result = uv_try_write((uv_stream_t *)&connection->tcp, buffers, body.length ? 2 : 1);
	if (result < 0 && result != UV_EAGAIN) {
		connection_close(connection);
		return;
	}
	if (result > 0)
		taken = (size_t)result;
	if (taken == head.length + body.length)
		connection_written(connection);
	else if (taken < head.length)
		write_later(connection, skip(head, taken), body, lasting);
	else
		write_later(connection, skip(head, head.length), skip(body, taken - head.length),
			lasting);
}
