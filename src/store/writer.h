/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/store.h"

/*
 * One thread that owns a store while it runs, and writes what others hand it in groups: all that
 * waits when it comes round becomes one transaction (two where the ring of rows wraps), so that a
 * busy server pays one disk flush for many rooms (group commit). Rows are written, and reported, in
 * the order they were submitted.
 *
 * All functions are for one thread, the owner's. `wake` is called on the writer's own thread
 * whenever there is something to collect; it must do no more than wake the owner (uv_async_send).
 *
 * When a transaction fails, the rows that wait behind it are refused too (STATUS_STORE_WRITE): they
 * may build on what was lost. For the same reason `submit` takes nothing more until the owner was
 * told of every one of them, that is until the `collect` that reports the failure has returned.
 *
 * A row that meets a conflict does not hold up those behind it, not even in its own room: an owner
 * that shares its store with others keeps one row a room in flight.
 */
struct writer;

enum { WRITER_WAITING_MAX = 8192 /* rows that may wait or be uncollected at one time */ };

typedef void writer_wake(void *context);

/*
 * Receives one finished row. `ticket` is what `submit` was given; `problem` has a sentence where
 * the status is STATUS_STORE_WRITE, else it is empty, and lives until the call returns. May submit,
 * but not collect.
 */
typedef void writer_done(
	void *context, void *ticket, enum status status, const struct store_problem *problem);

/* The store must stay open until `writer_destroy`. STATUS_NO_MEMORY: also where no thread is to be
 * had. */
MUST_CHECK enum status writer_create(const struct store_ops *ops, struct store *store,
	writer_wake *wake, void *context, struct writer **writer);

/* Writes all that waits, stops the thread, and leaves the store to the caller. Collect first or
 * lose the reports. */
void writer_destroy(struct writer *writer);

/* Copies the row, but not its `archive`, which stays as it is until the row is reported. False:
 * nothing was taken, because WRITER_WAITING_MAX rows wait already or because of a failure that is
 * not collected yet. */
MUST_CHECK bool writer_submit(struct writer *writer, const struct store_row *row, void *ticket);

enum { WRITER_BOUNDS = 8 };

/* How many values there were up to each bound, beyond the bound before; the last is beyond all. */
struct writer_histogram {
	uint64_t counts[WRITER_BOUNDS + 1];
	uint64_t sum; /* of the values */
};

extern const uint64_t writer_size_bounds[WRITER_BOUNDS];
extern const uint64_t writer_time_bounds[WRITER_BOUNDS];

/* Of all transactions so far, those that failed included. */
struct writer_stats {
	struct writer_histogram sizes; /* rows of each */
	struct writer_histogram times; /* microseconds that each took, with the flush of the disk */
	uint64_t failed;               /* transactions */
	uint64_t written;              /* rows that are on disk */
};

struct writer_stats writer_read_stats(struct writer *writer);

/* Waits until nothing waits, for an orderly stop; `collect` then reports the last rows. */
void writer_drain(struct writer *writer);

/* Reports every row finished so far, oldest first; returns their number. */
size_t writer_collect(struct writer *writer, writer_done *done, void *context);
