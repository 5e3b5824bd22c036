/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "client/event_stream.h"

/*
 * One request after the other over libcurl's multi interface, and what came of the last: an answer
 * of bounded length, or an event stream, read as it comes. Nothing is followed to another address,
 * and only http and https are spoken. The caller drives the multi handle, and gives each transfer
 * that libcurl says is done to `transfer_finish`.
 */
enum {
	TRANSFER_HEAD_MAX = 32 * 1024,
	TRANSFER_BODY_MAX = 64 * 1024,
};

/* How a request ended. */
enum transfer_end {
	TRANSFER_ANSWERED,    /* with `code` and a body, which may be anything */
	TRANSFER_UNREACHABLE, /* nobody has heard it: no address or no connection */
	TRANSFER_UNTRUSTED,   /* likewise, as the server has not shown who it is */
	TRANSFER_LOST,        /* it may have been heard */
	TRANSFER_NONSENSE,    /* what came is no HTTP, or more than any answer of ours */
};

struct transfer_manners {
	const char *ca_file; /* certificates to trust; NULL: the system's */
	long patience_ms;    /* so long may a connection take, and a whole answer */
};

struct transfer {
	CURLM *multi;
	CURL *easy;
	const struct transfer_manners *manners;
	struct curl_slist *fields;
	bool running;

	event_take *take; /* NULL: no events are asked for */
	void *context;
	bool is_open;      /* it is an event stream: its head has come */
	bool is_bad;       /* set by `take`: an event is nonsense, and the stream ends */
	uint64_t heard_ms; /* when bytes came last, by the clock that never goes back */
	struct event_stream stream;

	size_t head_length;
	bool too_long;
	char body[TRANSFER_BODY_MAX];
	size_t length;

	long code;                     /* of HTTP */
	long retry_after;              /* in seconds; 0: not said */
	char problem[CURL_ERROR_SIZE]; /* what went wrong, unless it was answered */
};

struct transfer_wish {
	const char *url;
	const char *key;     /* NULL: none is needed */
	const char *body;    /* JSON to POST; NULL: a GET */
	const char *last_id; /* of an event stream; NULL: none */
	event_take *take;    /* NULL: an answer is wanted; else an event stream */
	void *context;
};

/* False: there is not enough memory. `multi` and `manners` outlive the transfer. */
bool transfer_init(struct transfer *transfer, CURLM *multi, const struct transfer_manners *manners);
void transfer_release(struct transfer *transfer);

/* Ends what is running first. False: there is not enough memory. */
bool transfer_start(struct transfer *transfer, const struct transfer_wish *wish);

/* Forgets what is running; nothing is to be had of it any more. */
void transfer_stop(struct transfer *transfer);

/* `result` is what libcurl says; the transfer is no longer running. */
enum transfer_end transfer_finish(struct transfer *transfer, CURLcode result);
