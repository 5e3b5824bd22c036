/* SPDX-License-Identifier: MIT */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "store/store.h"

#include "scratch.h"

/*
 * For tests of the SQLite store: one file in a folder of its own, with numbered rows of room a. The
 * file must not be read here while a store has it open: closing it would free SQLite's locks.
 */
struct fixture {
	char folder[SCRATCH_BYTES];
	char file[SCRATCH_BYTES];
	char wal[SCRATCH_BYTES];
	char lock[SCRATCH_BYTES];
	struct store *store;
	struct store_problem problem;
};

static inline int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	if (f == NULL)
		return -1;
	scratch_make(f->folder);
	scratch_path(f->file, f->folder, "log");
	scratch_path(f->wal, f->folder, "log-wal");
	scratch_path(f->lock, f->folder, "log-lock");
	*state = f;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;
	if (f->store != NULL)
		store_sqlite.close(f->store);
	scratch_remove(f->folder);
	free(f);
	return 0;
}

static inline void open_store(struct fixture *f)
{
	if (store_sqlite.open(f->file, &f->store, &f->problem) != STATUS_OK)
		fail_msg("%s", f->problem.text);
}

static inline void close_store(struct fixture *f)
{
	store_sqlite.close(f->store);
	f->store = NULL;
}

static inline enum status append_row(struct fixture *f, uint64_t rev)
{
	struct store_row row = {.room = "a", .rev = rev, .at_ms = 1};
	enum status status;
	memset(row.text, 'x', 700);
	enum status whole = store_sqlite.append(f->store, &row, 1, &status, &f->problem);
	assert_int_equal(whole, status);
	return whole;
}

static inline void append_rows(struct fixture *f, uint64_t first, uint64_t last)
{
	for (uint64_t rev = first; rev <= last; rev++)
		assert_int_equal(append_row(f, rev), STATUS_OK);
}

static inline bool follow(void *context, const struct store_row *row)
{
	uint64_t *last = context;
	assert_true(row->rev == ++*last);
	assert_int_equal(strlen(row->text), 700);
	return true;
}

/* Expects the rows 1 to `last` of room a. */
static inline void expect_rows(struct fixture *f, uint64_t last)
{
	uint64_t seen = 0;
	assert_int_equal(store_sqlite.load(f->store, follow, &seen, &f->problem), STATUS_OK);
	assert_true(seen == last);
}

struct content {
	size_t length;
	unsigned char bytes[1 << 17];
};

static inline void read_file(const char *path, struct content *content)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	content->length = fread(content->bytes, 1, sizeof content->bytes, file);
	assert_true(content->length < sizeof content->bytes);
	fclose(file);
}

static inline void write_file(const char *path, const void *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* Runs SQL on the file as another program would, and leaves the WAL as a crash would. */
static inline void run_elsewhere(const char *path, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	char *message = NULL;
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	sqlite3_close(db);
}

/* The number that a query of one row and one column gives another program. */
static inline int64_t ask_elsewhere(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *statement;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	int64_t number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return number;
}

static inline void make_store(struct fixture *f, uint64_t rows)
{
	open_store(f);
	append_rows(f, 1, rows);
	close_store(f);
}
