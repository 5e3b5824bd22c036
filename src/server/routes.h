/* SPDX-License-Identifier: MIT */
#pragma once

#include "server/assets.h"
#include "server/metrics.h"

/*
 * What each address answers: the interface under /api/v1, /health, the pages and their files. It
 * turns requests into calls of the hub and results into answers; it keeps no game and no rule.
 */
struct site {
	struct hub *hub;
	struct gate *gate;
	struct metrics metrics;
	const struct game_ops *const *games;
	const struct assets *assets; /* NULL: the interface only */
	const char *public_url;      /* "https://host", without a final '/'; NULL: from Host */
	uint64_t epoch;              /* of this run: the first part of event ids */
	bool cannot_write;           /* the last attempt to write the log failed */
};

/* An `http_handler`; the context is a `struct site`. */
void routes_handle(void *site, struct http_exchange *exchange, const struct http_request *request);
