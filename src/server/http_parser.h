/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/*
 * The head of one HTTP/1.1 request, read strictly (RFC 9112, less all it merely tolerates). The
 * reason for a parser of our own, with figures, is in docs/decisions/.
 *
 * The parser works on the bytes received so far and keeps nothing between calls: call it again
 * with more bytes on HTTP_PARSE_MORE. It reads not one byte past `length`, and copies nothing:
 * slices point into the caller's buffer.
 */
enum {
	HTTP_HEAD_BYTES = 8192,  /* request line and header fields with their line ends */
	HTTP_BODY_BYTES = 16384, /* body */
	HTTP_FIELDS_MAX = 64,
};

struct http_slice {
	const char *data;
	size_t length;
};

struct http_field {
	struct http_slice name;
	struct http_slice value; /* without surrounding blanks */
};

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OPTIONS };

struct http_request {
	enum http_method method;
	struct http_slice target; /* as sent; starts with '/', or is "*" for OPTIONS */
	struct http_slice path;   /* up to the first '?' */
	struct http_slice query;  /* behind it; empty when there is none */
	int minor;                /* HTTP/1.x: 0 or 1 */
	struct http_slice host;   /* a name or address with its port if any; nothing else gets in */
	size_t body_length;       /* from Content-Length; 0 when there is none */
	bool keep_alive;
	bool expects_continue; /* the client waits for "100 Continue" before it sends the body */
	struct http_field fields[HTTP_FIELDS_MAX];
	size_t field_count;
	size_t head_length;     /* bytes up to and including the empty line */
	struct http_slice body; /* empty after parsing; set by the connection when it is complete */
	const char *problem;    /* what is wrong, one English sentence of static lifetime */
};

enum http_parse_result {
	HTTP_PARSE_DONE,
	HTTP_PARSE_MORE,
	HTTP_PARSE_BAD,     /* 400 and close */
	HTTP_PARSE_LARGE,   /* 431: the head is over HTTP_HEAD_BYTES or HTTP_FIELDS_MAX */
	HTTP_PARSE_BODY,    /* 413: Content-Length is over HTTP_BODY_BYTES */
	HTTP_PARSE_METHOD,  /* 501: a well-formed method that is none of ours */
	HTTP_PARSE_VERSION, /* 505: neither HTTP/1.0 nor HTTP/1.1 */
};

/*
 * What is wrong is said at the first byte that no more bytes could mend, and more bytes never
 * change an answer other than HTTP_PARSE_MORE. `request` is meaningful on HTTP_PARSE_DONE,
 * `problem` on the refusals (the last five).
 */
MUST_CHECK enum http_parse_result http_parse(
	const char *data, size_t length, struct http_request *request);

/* The value of the field of that name, compared without case; a slice of NULL when there is none.
 * A field that occurs twice is bad where its meaning allows one only (Host, Content-Length,
 * Authorization, Expect, Origin, Last-Event-ID): the parser has refused it. */
struct http_slice http_find_field(const struct http_request *request, const char *name);

bool http_slice_equals(struct http_slice slice, const char *string);
