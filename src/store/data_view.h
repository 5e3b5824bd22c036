/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/store.h"

/*
 * A data file as it was when it was opened, for whoever only reads: a server may run on it
 * meanwhile and write what it likes. Nothing is changed, an older schema neither, though SQLite
 * leaves its `-shm` and an empty `-wal` where no server does. A view that is held long holds up the
 * emptying of the server's WAL.
 *
 * A view belongs to one thread at a time.
 */
struct data_view;

/* STATUS_STORE_OPEN, STATUS_STORE_SCHEMA (a newer one), STATUS_NO_MEMORY. */
MUST_CHECK enum status data_view_open(
	const char *location, struct data_view **view, struct store_problem *problem);
void data_view_close(struct data_view *view);

/* Receives one sentence of SQLite's; false: enough. */
typedef bool data_view_complaint(void *context, const char *sentence);

/*
 * Whether the file is whole as a database; what is not is told, at most 100 times.
 * STATUS_STORE_READ: something was told, or so much is damaged that nothing can be.
 */
MUST_CHECK enum status data_view_check(struct data_view *view, data_view_complaint *complain,
	void *context, struct store_problem *problem);

/* As `store_ops.load`; of one room, where `room` is not NULL. */
MUST_CHECK enum status data_view_load(struct data_view *view, const char *room, store_visit *visit,
	void *context, struct store_problem *problem);

/*
 * Writes a copy to a file that must not exist, as new_file.h does, and looks whether it is whole.
 * It holds what was there when it began, and belongs to no server yet. STATUS_STORE_OPEN,
 * STATUS_STORE_WRITE, STATUS_STORE_READ (damaged; nothing is left). The view is of no use after it
 * but to be closed.
 */
MUST_CHECK enum status data_view_backup(
	struct data_view *view, const char *to, struct store_problem *problem);
