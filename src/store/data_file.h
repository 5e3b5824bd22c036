/* SPDX-License-Identifier: MIT */
#pragma once

#include <sqlite3.h>

#include "store/store.h"

/*
 * The data file as sqlite.c, which writes it, and what reads it beside a server both see it: its
 * name, the header that tells it from other files, its lock, its rows, and the sentences that say
 * what is wrong with it. Functions that return a status have said so in `problem` where it is not
 * STATUS_OK.
 */

enum {
	DATA_APPLICATION_ID = 0x4b6f6d61, /* "Koma" */
	DATA_SCHEMA = 2,                  /* the newest that there is */
};

__attribute__((format(printf, 2, 3))) void data_explain(
	struct store_problem *problem, const char *format, ...);

/* "WHAT: PATH", "WHAT (the system's reason): PATH"; STATUS_STORE_OPEN. */
enum status data_refuse(struct store_problem *problem, const char *what, const char *path);
enum status data_refuse_errno(
	struct store_problem *problem, const char *what, const char *path, int error);

/* Why the last call on `db`, which may be NULL, failed with `code`. */
enum status data_refuse_sqlite(
	struct store_problem *problem, sqlite3 *db, int code, const char *path);

/*
 * "WHAT (REASON)", of what could not be written through `db`: the system's reason where SQLite has
 * one, else SQLite's. STATUS_STORE_WRITE.
 */
enum status data_refuse_write(
	struct store_problem *problem, const char *what, sqlite3 *db, int code);

/*
 * Gives the file's absolute path, which the caller frees: SQLite reads a special meaning into names
 * such as ":memory:". Where there is none, `make` makes it, empty and with mode 0600.
 *
 * A file that is there is not opened: closing it again would free the POSIX locks of any other
 * connection of this process.
 */
MUST_CHECK enum status data_find_file(
	const char *location, bool make, char **path, struct store_problem *problem);

/*
 * Takes the lock that one server at a time holds, which is not SQLite's: `file_lock` of PATH-lock.
 */
MUST_CHECK enum status data_lock(const char *path, int *lock, struct store_problem *problem);

/*
 * Sees by the first bytes whether the file is ours, and of a schema that is known; an empty file is
 * a new one. Both numbers stand there before the first switch to WAL, so that they can be read,
 * through SQLite's own descriptor and without a lock, without making SQLite recover, and so change,
 * a file that is not ours. A newer schema may still stand in the WAL: `data_check_schema` is for
 * what the first transaction then says.
 */
MUST_CHECK enum status data_check_header(
	sqlite3 *db, const char *path, struct store_problem *problem);
MUST_CHECK enum status data_check_schema(
	int64_t version, const char *path, struct store_problem *problem);

/* The first column of the first row of `sql`; returns SQLite's code. */
int data_read_number(sqlite3 *db, const char *sql, int64_t *number);

/*
 * Brings a file of schema `from`, 0 for an empty one, to DATA_SCHEMA, within the transaction that
 * is open; returns SQLite's code.
 */
int data_migrate(sqlite3 *db, int64_t from);

/*
 * Steps through `select`, whose columns are DATA_EVENT_COLUMNS by room and revision, as
 * `store_ops.load` promises, and resets it.
 */
#define DATA_EVENT_COLUMNS "room, rev, at, text"
MUST_CHECK enum status data_load(
	sqlite3_stmt *select, store_visit *visit, void *context, struct store_problem *problem);
