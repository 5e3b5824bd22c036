/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/game.h"
#include "server/gate.h"

/* The server as a whole: opens the store, rebuilds the rooms from their log, and serves until it is
 * told to stop (SIGINT, SIGTERM), losing nothing that was answered. */
struct server_options {
	const struct game_ops *const *games;
	const char *address;         /* numeric */
	int port;                    /* 0: the system's choice */
	const char *data;            /* the SQLite file */
	const char *metrics_address; /* numeric, where GET /metrics is answered; NULL: nowhere */
	int metrics_port;            /* 0: the system's choice */
	const char *public_url;
	const char *web; /* folder of the built page; NULL: the interface only */
	unsigned rooms_max;
	unsigned request_seconds; /* for the answer to a request */
	unsigned present_seconds; /* a request with a key shows its player present for so long */
	unsigned absence_seconds; /* until an absent player's seat is lost */
	unsigned room_days;       /* until a room that nobody uses is archived; 0: never */
	struct gate_options gate;
};

/*
 * Runs until stopped; the first line on standard output says where it listens, and the second one
 * where the metrics are. False: it could not start, or the last rows could not be written, as said
 * on standard error.
 */
MUST_CHECK bool server_run(const struct server_options *options);
