/* SPDX-License-Identifier: MIT */
#include "store/data_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Two servers that write one file would each miss what the other wrote. So a server holds a lock of
 * its own beside it (`data_lock`), and leaves SQLite's to SQLite: other programs may read the file
 * meanwhile, and one that writes only makes `append` wait.
 */

enum { BUSY_MS = 500 /* for a program that is just writing or closing the file */ };

struct store {
	int lock;
	sqlite3 *db;
	sqlite3_stmt *begin;
	sqlite3_stmt *insert;
	sqlite3_stmt *remove;
	sqlite3_stmt *keep;
	sqlite3_stmt *commit;
	sqlite3_stmt *rollback;
	sqlite3_stmt *select;
};

/* Opens the file, and takes the lock once it is known to be ours. */
static enum status connect(struct store *store, const char *path, struct store_problem *problem)
{
	int code = sqlite3_open_v2(path, &store->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	if (code != SQLITE_OK)
		return data_refuse_sqlite(problem, store->db, code, path);
	if (sqlite3_db_readonly(store->db, "main"))
		return data_refuse(problem, "The data file may be read but not written", path);
	enum status status = data_check_header(store->db, path, problem);
	if (status == STATUS_OK)
		status = data_lock(path, &store->lock, problem);
	if (status != STATUS_OK)
		return status;

	/* Until the file is known to be ours to write, closing it must not move the WAL into it. */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	/* secure_delete: what a removal deletes is overwritten, or its keys' hashes would stay. */
	code = sqlite3_exec(
		store->db, "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON", NULL, NULL, NULL);
	return code == SQLITE_OK ? STATUS_OK : data_refuse_sqlite(problem, store->db, code, path);
}

/*
 * The last rows of a process that was killed while it wrote are in the WAL as the system shows it,
 * and perhaps not on the disk. They are read at this start, so they must not go any more.
 */
static bool flush_wal(sqlite3 *db)
{
	sqlite3_file *wal = NULL;
	int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
	if (code == SQLITE_OK && wal != NULL && wal->pMethods != NULL)
		code = wal->pMethods->xSync(wal, SQLITE_SYNC_NORMAL);
	return code == SQLITE_OK;
}

/*
 * Brings the schema up to date, and switches to WAL, which needs one flush a transaction where a
 * rollback journal needs three, and lets others read meanwhile.
 */
static enum status take_over(struct store *store, const char *path, struct store_problem *problem)
{
	int64_t version = 0;
	int code = sqlite3_exec(store->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
	/* Again, now within a transaction: a newer number may still stand in the WAL. */
	if (code == SQLITE_OK)
		code = data_read_number(store->db, "PRAGMA user_version", &version);
	if (code != SQLITE_OK)
		return data_refuse_sqlite(problem, store->db, code, path);
	enum status status = data_check_schema(version, path, problem);
	if (status != STATUS_OK)
		return status;

	code = data_migrate(store->db, version);
	if (code == SQLITE_OK)
		code = sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	if (code != SQLITE_OK)
		return data_refuse_sqlite(problem, store->db, code, path);
	if (!flush_wal(store->db))
		return data_refuse(problem, "The disk does not keep the data file", path);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	return STATUS_OK;
}

static enum status prepare(struct store *store, const char *path, struct store_problem *problem)
{
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} statements[] = {
		{&store->begin, "BEGIN IMMEDIATE"},
		{&store->insert, "INSERT INTO event(room, rev, at, text) VALUES(?1, ?2, ?3, ?4)"
				 " ON CONFLICT DO NOTHING"},
		{&store->remove, "DELETE FROM event WHERE room = ?1"},
		{&store->keep, "INSERT INTO archive(day, text) VALUES(?1, ?2)"},
		{&store->commit, "COMMIT"},
		{&store->rollback, "ROLLBACK"},
		{&store->select, "SELECT " DATA_EVENT_COLUMNS " FROM event ORDER BY room, rev"},
	};
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		int code = sqlite3_prepare_v3(store->db, statements[i].sql, -1,
			SQLITE_PREPARE_PERSISTENT, statements[i].statement, NULL);
		if (code != SQLITE_OK)
			return data_refuse_sqlite(problem, store->db, code, path);
	}
	return STATUS_OK;
}

static void sqlite_close(struct store *store)
{
	sqlite3_finalize(store->begin);
	sqlite3_finalize(store->insert);
	sqlite3_finalize(store->remove);
	sqlite3_finalize(store->keep);
	sqlite3_finalize(store->commit);
	sqlite3_finalize(store->rollback);
	sqlite3_finalize(store->select);
	sqlite3_close(store->db);
	if (store->lock >= 0)
		close(store->lock);
	free(store);
}

static enum status sqlite_open(
	const char *location, struct store **out, struct store_problem *problem)
{
	char *path = NULL;
	struct store *store = calloc(1, sizeof *store);
	if (store == NULL) {
		data_explain(problem, "There is not enough memory to open the data file");
		return STATUS_NO_MEMORY;
	}
	store->lock = -1;
	enum status status = data_find_file(location, true, &path, problem);
	if (status != STATUS_OK)
		goto fail;
	status = connect(store, path, problem);
	if (status != STATUS_OK)
		goto fail;
	status = take_over(store, path, problem);
	if (status != STATUS_OK)
		goto fail;
	status = prepare(store, path, problem);
	if (status != STATUS_OK)
		goto fail;
	free(path);
	*out = store;
	return STATUS_OK;
fail:
	free(path);
	sqlite_close(store);
	return status;
}

/* For statements that give no row. */
static bool run(sqlite3_stmt *statement)
{
	int code = sqlite3_step(statement);
	sqlite3_reset(statement);
	return code == SQLITE_DONE;
}

static bool insert_event(struct store *store, const struct store_row *row, enum status *status)
{
	size_t room_length = strnlen(row->room, sizeof row->room);
	size_t text_length = strnlen(row->text, sizeof row->text);
	assert(room_length < sizeof row->room && text_length < sizeof row->text);
	assert(row->rev <= INT64_MAX);

	/* The row outlives the step, so nothing is copied; binding to a number in range cannot
	 * fail. */
	sqlite3_bind_text(store->insert, 1, row->room, (int)room_length, SQLITE_STATIC);
	sqlite3_bind_int64(store->insert, 2, (sqlite3_int64)row->rev);
	sqlite3_bind_int64(store->insert, 3, row->at_ms);
	sqlite3_bind_text(store->insert, 4, row->text, (int)text_length, SQLITE_STATIC);
	if (!run(store->insert))
		return false;
	*status = sqlite3_changes(store->db) == 1 ? STATUS_OK : STATUS_STORE_CONFLICT;
	return true;
}

static bool keep_archive(struct store *store, const struct store_row *row)
{
	enum { DAY_MS = 24 * 60 * 60 * 1000 };
	const char *line = row->archive;
	int64_t day = row->at_ms / DAY_MS - (row->at_ms % DAY_MS < 0);

	while (line != NULL && *line != 0) {
		size_t length = strcspn(line, "\n");
		sqlite3_bind_int64(store->keep, 1, day);
		if (length > 0 && (sqlite3_bind_text64(store->keep, 2, line, length, SQLITE_STATIC,
					   SQLITE_UTF8) != SQLITE_OK ||
					  !run(store->keep)))
			return false;
		line += length + (line[length] != 0);
	}
	return true;
}

static bool remove_room(struct store *store, const struct store_row *row, enum status *status)
{
	size_t room_length = strnlen(row->room, sizeof row->room);
	assert(room_length < sizeof row->room);

	sqlite3_bind_text(store->remove, 1, row->room, (int)room_length, SQLITE_STATIC);
	if (!run(store->remove))
		return false;
	*status = sqlite3_changes(store->db) > 0 ? STATUS_OK : STATUS_STORE_CONFLICT;
	return *status != STATUS_OK || keep_archive(store, row);
}

static bool write_row(struct store *store, const struct store_row *row, enum status *status)
{
	return row->kind == STORE_REMOVAL ? remove_room(store, row, status)
					  : insert_event(store, row, status);
}

static enum status sqlite_append(struct store *store, const struct store_row *rows, size_t count,
	enum status *statuses, struct store_problem *problem)
{
	if (count == 0)
		return STATUS_OK;
	if (!run(store->begin))
		goto fail;
	for (size_t i = 0; i < count; i++)
		if (!write_row(store, &rows[i], &statuses[i]))
			goto fail;
	if (!run(store->commit))
		goto fail;
	return STATUS_OK;
fail:
	data_explain(problem, "Nothing could be written to the data file (SQLite: %s)",
		sqlite3_errmsg(store->db));
	/* After some errors SQLite has rolled back by itself. */
	if (!sqlite3_get_autocommit(store->db))
		(void)run(store->rollback);
	for (size_t i = 0; i < count; i++)
		statuses[i] = STATUS_STORE_WRITE;
	return STATUS_STORE_WRITE;
}

static enum status sqlite_load(
	struct store *store, store_visit *visit, void *context, struct store_problem *problem)
{
	return data_load(store->select, visit, context, problem);
}

const struct store_ops store_sqlite = {
	.open = sqlite_open,
	.close = sqlite_close,
	.append = sqlite_append,
	.load = sqlite_load,
};
