/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"
#include "server/gate.h"
#include "server/hub.h"

/*
 * Numbers for whoever watches over the server, in the text form 0.0.4 of Prometheus. They count
 * kinds of things only: no address, room, key or player is in them, whatever comes in.
 */

/* Addresses by what they are for; each exchange has one as its tag. */
enum metrics_route {
	METRICS_NOTHING, /* no such address, or no request */
	METRICS_HEALTH,
	METRICS_PAGE, /* and the files of pages */
	METRICS_ROOMS,
	METRICS_ROOM,
	METRICS_JOIN,
	METRICS_COMMANDS,
	METRICS_EVENTS,
	METRICS_ROUTES
};

enum {
	METRICS_REFUSALS_MAX = 96,
	METRICS_OPS = ROOM_OP_INVITE + 1,
	METRICS_TEXT_BYTES = 32 * 1024
};

/* What adds up. All zero at first. */
struct metrics {
	uint64_t answers[METRICS_ROUTES][6]; /* by the first digit of the status */
	struct metrics_refusal {
		const char *error;  /* of static lifetime */
		const char *reason; /* NULL: none */
		uint64_t count;
	} refusals[METRICS_REFUSALS_MAX];
	size_t refusal_count;
	uint64_t commands[METRICS_OPS]; /* that were answered 200 */
};

/* What is read at the moment. */
struct metrics_now {
	struct hub_phases rooms;
	size_t connections;
	size_t streams;
	struct writer_stats store;
	uint64_t limited[GATE_KINDS];
	int64_t started_ms; /* since 1970 */
	size_t resident_bytes;
};

/* For `http_options.answered`. Refusals beyond METRICS_REFUSALS_MAX kinds are one kind, "other". */
void metrics_count_answer(struct metrics *metrics, const struct http_note *note, int status_code);

/* `text` has METRICS_TEXT_BYTES. */
void metrics_write(const struct metrics *metrics, const struct metrics_now *now, struct text *text);
