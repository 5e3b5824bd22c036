/* SPDX-License-Identifier: MIT */
#pragma once

#include "disk.h"
#include "server/routes.h"

/*
 * The server's own hub, routes, writer and store, over disk.h, and without a socket: opened as
 * src/server/server.c opens them, driven by the agenda, and ended in every way there is.
 */
struct sim;

enum { ROWS_MAX = 128 };

struct server {
	const char *location; /* of the data file */
	bool up;
	uint64_t life; /* which start this is */
	struct store *store;
	struct writer *writer;
	struct site site;
	uint64_t write_ms; /* how long a write takes at most */
	int checkpoint;    /* pages of the WAL after which it is emptied */
	size_t starts;

	/* What it is told at each start. */
	uint64_t heard_ms;
	uint64_t kept_ms;
	uint64_t room_ms;
	uint64_t unplayed_ms;
	unsigned commands_per_second;

	int64_t day_ms;                  /* at this start, less the time since the run began */
	struct store_row rows[ROWS_MAX]; /* that the writer has, and the hub has not heard of */
	size_t row_count;
};

/* Once a process. */
void server_prepare(void);

/* Opens the store and reads the rooms; where that fails, it is tried again later. */
void server_start(struct sim *sim);

/* Whatever the disk's end was: the server is gone, and starts again after a while. */
void server_fall(struct sim *sim);

/* As SIGTERM: what is on its way is written and told, and the store is closed. */
void server_stop(struct sim *sim);

/* Lets go of all that an open server holds, and of nothing more. */
void server_close(struct sim *sim);
