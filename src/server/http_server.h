/* SPDX-License-Identifier: MIT */
#pragma once

#include <uv.h>

#include "base/status.h"
#include "server/http_parser.h"

/*
 * Connections of HTTP/1.1 on a libuv loop: reads requests, hands each to one handler, writes
 * replies and event streams. It knows no rooms and no routes. Everything runs on the loop's thread.
 *
 * An exchange is one request and its answer. The handler answers it before it returns or later,
 * with exactly one of `http_reply` and `http_stream`, and must not touch it from then on. While it
 * waits, the exchange may die with its connection: `http_exchange_on_gone` tells, and after that it
 * must not be touched either. Requests of one connection come to the handler one after the other,
 * in order, each when the answer to the one before has left.
 *
 * The handler and the `gone` functions are called from the loop, never from inside a function of
 * this header, so that each of these may be called from anywhere, the handlers included.
 *
 * Requests that are not well-formed are answered here, in the shape of every refusal:
 * {"error":CODE,"message":SENTENCE}, and their connection is closed.
 */
struct http_server;
struct http_exchange;
struct http_stream;

/* About an exchange, for whoever counts answers. All zero at first. */
struct http_note {
	unsigned tag;       /* the handler's, with a meaning of its own */
	const char *error;  /* the word of a refusal, of static lifetime; NULL: it is none */
	const char *reason; /* a finer word beside it, likewise; NULL: none */
};

struct http_options {
	const char *address; /* numeric, IPv4 or IPv6 */
	int port;            /* 0: the system's choice; see http_server_port */
	unsigned connections_max;
	unsigned head_timeout_ms;  /* from the first byte of a request to the end of its head */
	unsigned body_timeout_ms;  /* from there to the end of its body */
	unsigned idle_timeout_ms;  /* between requests */
	unsigned write_timeout_ms; /* a peer that takes no byte of what waits for it */
	unsigned ping_ms;          /* comment lines on streams; they carry no id */
	unsigned silent_ms;        /* a stream's peer that confirms nothing of what was sent */
	/* With the context of the handler: whether another connection of this peer is let in, where
	 * it is not too many for the server; `left` is called once for each that was. NULL: every
	 * one is. Neither may call a function of this header. */
	bool (*admit)(void *context, const char *peer);
	void (*left)(void *context, const char *peer);
	/* Likewise: a request was answered, or refused by this layer. NULL: nobody counts. */
	void (*answered)(void *context, const struct http_note *note, int status_code);
};

/* The numbers of the design, to start from. */
extern const struct http_options http_defaults;

/* Slices in `request` live until the exchange is answered or gone. */
typedef void http_handler(
	void *context, struct http_exchange *exchange, const struct http_request *request);

enum { HTTP_PROBLEM_BYTES = 256 };

/*
 * STATUS_SERVER_LISTEN, STATUS_NO_MEMORY: `problem` (HTTP_PROBLEM_BYTES) then says why in a
 * sentence, and the loop must run once more before it is closed. The process ignores SIGPIPE from
 * here on: a peer that has left is an error of the write.
 */
MUST_CHECK enum status http_server_create(uv_loop_t *loop, const struct http_options *options,
	http_handler *handler, void *context, struct http_server **server, char *problem);
int http_server_port(const struct http_server *server);

/* Without those that were turned away: with 503 past `connections_max`, with 429 by `admit`. */
size_t http_server_connections(const struct http_server *server);

/* Event streams that have not ended. */
size_t http_server_streams(const struct http_server *server);

/*
 * Refuses new connections and new requests (the handler is not called again), ends streams after
 * what waits for them and an event `bye`, which tells each reader after how many milliseconds to
 * come back (half a second to 4.5, evenly spread), closes idle connections, and lets exchanges that
 * wait be answered. What is left after `grace_ms` is cut. `closed` is called, from the loop, when
 * the last is gone; then, or in it, destroy.
 */
void http_server_stop(
	struct http_server *server, unsigned grace_ms, void (*closed)(void *), void *context);
void http_server_destroy(struct http_server *server);

struct http_header {
	const char *name;
	const char *value;
};

enum { HTTP_ANSWER_HEAD_BYTES = 4096 };

/*
 * Answers with `body` (copied). Content-Length, Date and Connection are added here, and left out of
 * `headers`; so are the fields that keep an answer from being stored, framed or used by other
 * sites, where `headers` has none of that name. HEAD gets the head of the answer only. 304 and 204
 * have no body. A head that is over HTTP_ANSWER_HEAD_BYTES or holds a control character is replaced
 * by a 500.
 */
void http_reply(struct http_exchange *exchange, int status_code, const struct http_header *headers,
	size_t header_count, const char *body, size_t length);

/* The same with a body that outlives every connection and is not copied (files held in memory). */
void http_reply_static(struct http_exchange *exchange, int status_code,
	const struct http_header *headers, size_t header_count, const char *body, size_t length);

/* The exchange's own note, to be filled before it is answered. */
struct http_note *http_exchange_note(struct http_exchange *exchange);

void http_exchange_set_context(struct http_exchange *exchange, void *context);
void http_exchange_on_gone(struct http_exchange *exchange, void (*gone)(void *context));

/* The peer's address without port, in numbers: for limits only, never for a log. It lives as long
 * as the exchange. */
const char *http_exchange_peer(const struct http_exchange *exchange);

/*
 * Answers with an event stream (200; Content-Type, Cache-Control and X-Accel-Buffering are added
 * here too), which lives until the peer leaves or the server closes it. HEAD gets the head only,
 * and a stream that is ending already. What the peer sends after its request is thrown away. A
 * stream holds at most one waiting event of each kind: what is offered replaces what waits, so a
 * slow reader skips ahead and no queue grows. `gone` is called exactly once, when the stream has
 * ended for any reason, `http_stream_close` included; after it the stream must not be touched.
 */
struct http_stream *http_stream(struct http_exchange *exchange, const struct http_header *headers,
	size_t header_count, void (*gone)(void *context), void *context);

/*
 * `event` is a whole event with its empty line ("id: …\nevent: …\ndata: …\n\n"), copied. An event
 * that has begun to be written is always finished; of those that wait, the one of the lowest kind
 * comes first. Ignored by a stream that is ending.
 */
enum { HTTP_STREAM_KINDS = 2 };
void http_stream_offer(struct http_stream *stream, unsigned kind, const char *event, size_t length);

/* Ends the stream after what waits. */
void http_stream_close(struct http_stream *stream);
