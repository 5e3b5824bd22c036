/* SPDX-License-Identifier: MIT */
#pragma once

#include <netinet/in.h>

#include "base/text.h"
#include "server/http_server.h"

/*
 * What the files of the HTTP layer share. One connection is one socket, one timer and one phase:
 *
 *              more requests
 *         .----------------------.
 *         v                      |
 *   IDLE -> HEAD -> BODY -> HANDLED -> REPLY --> LINGER -> CLOSED
 *                              |                 ^
 *                              '-> STREAM -------'
 *
 * A request that is there at once skips HEAD and BODY; refusals go to REPLY from any of the first
 * three; anything may go to CLOSED. Invariants:
 * - `exchange` is set in HANDLED only; in CLOSED it is one that never got its answer.
 * - `output` is set while bytes wait for the socket, in REPLY and STREAM only; there is never more
 *   than one, so answers leave in order and the memory of a slow reader is bounded.
 * - `input` holds bytes that came and are not used up, at most HTTP_INPUT_BYTES; when it is full
 *   nothing more is read. In STREAM and after there is none.
 * - memory is freed in the close callback only, which is also the one place that calls `gone`.
 */
enum phase {
	PHASE_IDLE,    /* between requests */
	PHASE_HEAD,    /* a part of a head is there */
	PHASE_BODY,    /* the head and a part of the body are there */
	PHASE_HANDLED, /* the handler has the exchange */
	PHASE_REPLY,   /* an answer is being written */
	PHASE_STREAM,
	PHASE_LINGER, /* nothing more is written; what comes is thrown away until the peer leaves */
	PHASE_CLOSED, /* waits for the close callbacks */
};

enum {
	HTTP_INPUT_BYTES = HTTP_HEAD_BYTES + HTTP_BODY_BYTES,
	/* Closing a socket with unread bytes resets it, and the peer may lose the answer that tells
	 * it what was wrong: so what it still sends is read first, within these bounds. */
	HTTP_LINGER_MS = 2000,
	HTTP_LINGER_BYTES = 256 * 1024,
	/* A client has nothing to send on a stream. */
	HTTP_STREAM_INPUT_BYTES = 16 * 1024,
	/* Connections over the maximum that are being told so. */
	HTTP_TURNED_AWAY_MAX = 64,
};

struct http_exchange {
	struct connection *connection;
	struct http_request request;
	struct http_note note;
	void (*gone)(void *context);
	void *context;
	char bytes[]; /* what the slices of `request` point into */
};

struct http_stream {
	struct connection *connection;
	void (*gone)(void *context); /* NULL until the connection becomes a stream */
	void *context;
	/* The events to write after `output`, in this order; owned. */
	struct {
		char *event; /* NULL: none */
		size_t length;
	} waiting[HTTP_STREAM_KINDS + 1]; /* the last one is stream_part's */
};

/* Bytes that the socket did not take at once. `bytes` holds all but a lasting body. */
struct output {
	uv_write_t write;
	struct connection *connection;
	char bytes[];
};

struct connection {
	struct http_server *server;
	struct connection *previous;
	struct connection *next;
	uv_tcp_t tcp;
	uv_timer_t timer;  /* fires at the deadline or before, or for nothing */
	uint64_t deadline; /* on the loop's clock */
	bool has_deadline;
	enum phase phase;
	int open_handles;
	bool turned_away; /* over connections_max, or not let in */
	bool admitted;    /* by options.admit */
	bool last;        /* linger after what is being written */
	bool processing;  /* connection_process is on the stack */
	bool reading;
	char *input;
	size_t input_length;
	size_t input_capacity;
	size_t needed; /* no use in looking at fewer bytes: set with a head whose body is not there
			*/
	size_t discarded; /* bytes thrown away in STREAM, then in LINGER */
	struct output *output;
	size_t outstanding;   /* bytes the peer had not taken when it last took some */
	uint64_t progress_at; /* when that was, on the loop's clock */
	struct http_exchange *exchange;
	struct http_stream stream;
	char peer[INET6_ADDRSTRLEN];
};

struct http_server {
	uv_loop_t *loop;
	struct http_options options;
	http_handler *handler;
	void *context;
	uv_tcp_t listener;
	uv_timer_t grace;
	int open_handles;
	int port;
	bool stopping;
	bool deaf; /* a connection waits to be accepted until there is memory */
	struct connection *connections;
	size_t count;
	size_t turned_away;
	size_t streams;
	void (*closed)(void *context);
	void *closed_context;
	int64_t date_second; /* what `date` says */
	char date[30];
	/* Every read goes here first, so that a connection with nothing to keep keeps no memory. */
	char scratch[HTTP_INPUT_BYTES];
};

/* http_server.c */
void http_server_connection_freed(struct http_server *server);

/* http_connection.c */
void connection_open(struct http_server *server);
void connection_enter(struct connection *connection, enum phase phase);
/* In place of the one before; entering a phase ends it. */
void connection_set_deadline(struct connection *connection, unsigned ms);
void connection_linger(struct connection *connection);
void connection_close(struct connection *connection);
void connection_drop_input(struct connection *connection);

/* Reads while there is room for what comes. */
void connection_adjust_reading(struct connection *connection);

/* What was being written in REPLY or STREAM has been handed to the system. */
void connection_written(struct connection *connection);

/* http_write.c. `lasting`: the body outlives the connection; otherwise what cannot be written at
 * once is copied. Calls connection_written or connection_close, at once or later. */
void connection_write(struct connection *connection, struct http_slice head, struct http_slice body,
	bool lasting);

/* Drops a peer that has taken nothing for write_timeout_ms; called by the timer while `output`. */
void connection_check_progress(struct connection *connection);

/* http_reply.c */
enum answer_kind { ANSWER_WHOLE, ANSWER_STREAM };

struct answer {
	int status_code;
	const struct http_header *headers;
	size_t header_count;
	enum answer_kind kind;
	size_t body_length;
	const char *connection; /* value of the field; NULL: none */
};

void connection_tell_answered(
	const struct connection *connection, const struct http_note *note, int status_code);

/* False when it does not fit or a header holds a control character. */
MUST_CHECK bool answer_write_head(
	struct text *text, struct http_server *server, const struct answer *answer);

/* The layer's own answer, and the end of the connection. `problem` is a phrase of
 * up to 120 characters; it is sent as a sentence. */
void connection_refuse(
	struct connection *connection, int status_code, const char *code, const char *problem);

/* http_stream.c */
void stream_written(struct connection *connection);
void stream_ping(struct connection *connection);

/* Ends the stream after what waits, with the event that tells its reader when to come back. */
void stream_part(struct connection *connection, unsigned retry_ms);

/* http_date.c: "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7); `second` counts from 1970. */
void http_date_write(int64_t second, char date[static 30]);
