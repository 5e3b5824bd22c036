/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/text.h"
#include "server/http_server.h"

/* JSON answers of the interface, in the one shape that docs/api.md describes. The words `error` and
 * `reason` outlive the exchange: they are counted. */
struct answer_error {
	int code;               /* of HTTP */
	const char *error;      /* the word programs compare */
	const char *message;    /* an English sentence */
	const char *reason;     /* a finer word beside it; NULL: none */
	const char *extra;      /* more members as JSON, from the comma on; NULL: none */
	unsigned retry_seconds; /* of 429 and 503: when to try again; 0: RETRY_SECONDS */
};

enum { RETRY_SECONDS = 5 };

/* `json` is copied. */
void answer_json(struct http_exchange *exchange, int code, const char *json, size_t length);
void answer_error(struct http_exchange *exchange, const struct answer_error *error);

/* The refusal that stands for a status of rooms, rules or store. */
void answer_status(struct http_exchange *exchange, enum status status, const char *extra);

/* 405, naming the methods there are. */
void answer_method(struct http_exchange *exchange, const char *allow);
