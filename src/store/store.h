/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * The log of rooms on disk, as a table of operations: sqlite.c is the first to fill it, and
 * tests/unit/test_store.c is what any other must pass. An event is opaque text under (room, rev).
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

enum store_kind {
	STORE_EVENT,  /* `text` is kept under (room, rev) */
	STORE_REMOVAL /* all events of `room` are deleted, and `archive` is kept instead */
};

/*
 * `room` and `text` end with a zero; `rev` is at most INT64_MAX.
 *
 * `archive`, of a removal only, is what may be kept of the room without saying whose it was: lines
 * of UTF-8 between line feeds, of any length and number, with a zero at the end. Each that is not
 * empty is kept for itself, in this order, with the day of `at_ms` and nothing else: neither the
 * room's name nor its events stay behind, not even in the unused parts of the file. NULL or "":
 * nothing is kept. It belongs to whoever appends the row, and is read until that is answered.
 */
struct store_row {
	enum store_kind kind;
	char room[STORE_ROOM_BYTES];
	uint64_t rev;                /* of an event */
	int64_t at_ms;               /* since 1970 */
	char text[STORE_TEXT_BYTES]; /* of an event */
	const char *archive;         /* of a removal */
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
	 * STATUS_NO_MEMORY. What is refused is left as it was, and `*store` is not written. What
	 * is not refused is on disk as `load` gives it, whoever wrote it and was killed then.
	 */
	MUST_CHECK enum status (*open)(
		const char *location, struct store **store, struct store_problem *problem);
	void (*close)(struct store *store);

	/*
	 * Writes rows in one transaction, one after the other: a removal takes with it what came
	 * before it, not what comes after. `statuses[i]` becomes STATUS_OK or
	 * STATUS_STORE_CONFLICT, and the other rows are still written: there is such a (room, rev)
	 * already, or no event of the room that is to be removed, of which nothing is then kept.
	 * When the transaction as a whole failed, all are STATUS_STORE_WRITE, which is also
	 * returned; the store stays usable.
	 */
	MUST_CHECK enum status (*append)(struct store *store, const struct store_row *rows,
		size_t count, enum status *statuses, struct store_problem *problem);

	/*
	 * Every event, by room (bytewise) and revision. STATUS_STORE_READ: the store is damaged;
	 * some rows may have been visited before that showed.
	 */
	MUST_CHECK enum status (*load)(struct store *store, store_visit *visit, void *context,
		struct store_problem *problem);
};

/*
 * One SQLite file, made with mode 0600, and one server at a time: `open` says STATUS_STORE_OPEN of
 * a file that another store has open, in this process or another. Other programs may read it
 * meanwhile; one that writes holds `append` up, which gives up after half a second.
 */
extern const struct store_ops store_sqlite;
