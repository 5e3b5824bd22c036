/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * The log of rooms on disk, as a table of operations: sqlite.c is the first to fill it, and
 * tests/unit/test_store.c is what any other must pass. A row is opaque text under (room, rev).
 *
 * A store belongs to one thread at a time. What `append` said STATUS_OK of is on disk and survives
 * kill -9 and loss of power. What it refused is not in the store; only where the process dies right
 * after a flush that the disk refused may such a row still turn up, whole, at the next start.
 */
struct store;

enum {
	STORE_ROOM_BYTES = 24,   /* a room's name, its final zero included */
	STORE_TEXT_BYTES = 1024, /* a row's text, its final zero included */
	STORE_PROBLEM_BYTES = 256,
};

/* `room` and `text` end with a zero; `rev` is at most INT64_MAX. */
struct store_row {
	char room[STORE_ROOM_BYTES];
	uint64_t rev;
	int64_t at_ms;
	char text[STORE_TEXT_BYTES];
};

/*
 * What went wrong, for a log or a command line: a sentence in English, cut where it is too long.
 * Written only by a call that returns something else than STATUS_OK. It may hold a path, so it is
 * for whoever runs the server, never for its visitors.
 */
struct store_problem {
	char text[STORE_PROBLEM_BYTES];
};

/* Returns false to stop the reading. It must not use the store. */
typedef bool store_visit(void *context, const struct store_row *row);

struct store_ops {
	/*
	 * Opens the file or address, makes it where there is none, and brings an older schema up
	 * to date. STATUS_STORE_OPEN; STATUS_STORE_SCHEMA: made by a newer release; or
	 * STATUS_NO_MEMORY. What is refused is left as it was, and `*store` is not written.
	 */
	MUST_CHECK enum status (*open)(
		const char *location, struct store **store, struct store_problem *problem);
	void (*close)(struct store *store);

	/*
	 * Writes rows in one transaction. `statuses[i]` becomes STATUS_OK or STATUS_STORE_CONFLICT
	 * (there is such a (room, rev) already; the other rows are still written). When the
	 * transaction as a whole failed, all are STATUS_STORE_WRITE, which is also returned; the
	 * store stays usable.
	 */
	MUST_CHECK enum status (*append)(struct store *store, const struct store_row *rows,
		size_t count, enum status *statuses, struct store_problem *problem);

	/*
	 * Every row, by room (bytewise) and revision. STATUS_STORE_READ: the store is damaged; some
	 * rows may have been visited before that showed.
	 */
	MUST_CHECK enum status (*load)(struct store *store, store_visit *visit, void *context,
		struct store_problem *problem);
};

/*
 * One SQLite file, made with mode 0600 and held by one process alone: `open` says STATUS_STORE_OPEN
 * of a file that another one has open, whichever program it is.
 */
extern const struct store_ops store_sqlite;
