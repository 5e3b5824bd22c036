/* SPDX-License-Identifier: MIT */
#include "store/data_view.h"

#include <stdlib.h>
#include <string.h>

#include "store/data_file.h"
#include "store/new_file.h"

enum { BUSY_MS = 5000 /* for a server that is just recovering or closing the file */ };

struct data_view {
	sqlite3 *db;
	char *path;
};

static enum status connect(struct data_view *view, struct store_problem *problem)
{
	int code = sqlite3_open_v2(view->path, &view->db,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	if (code != SQLITE_OK)
		return data_refuse_sqlite(problem, view->db, code, view->path);
	sqlite3_db_config(view->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_busy_timeout(view->db, BUSY_MS);
	return data_check_header(view->db, view->path, problem);
}

/* Begins the one transaction of the view; it sees one moment from its first reading on. */
static enum status begin(struct data_view *view, struct store_problem *problem)
{
	int64_t version = 0;
	int code = sqlite3_exec(view->db, "BEGIN", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = data_read_number(view->db, "PRAGMA user_version", &version);
	if (code != SQLITE_OK)
		return data_refuse_sqlite(problem, view->db, code, view->path);
	if (version == 0)
		return data_refuse(problem, "The data file is empty", view->path);
	return data_check_schema(version, view->path, problem);
}

enum status data_view_open(
	const char *location, struct data_view **out, struct store_problem *problem)
{
	struct data_view *view = calloc(1, sizeof *view);
	if (view == NULL) {
		data_explain(problem, "There is not enough memory to open the data file");
		return STATUS_NO_MEMORY;
	}
	enum status status = data_find_file(location, false, &view->path, problem);
	if (status != STATUS_OK)
		goto fail;
	status = connect(view, problem);
	if (status != STATUS_OK)
		goto fail;
	status = begin(view, problem);
	if (status != STATUS_OK)
		goto fail;
	*out = view;
	return STATUS_OK;
fail:
	data_view_close(view);
	return status;
}

void data_view_close(struct data_view *view)
{
	sqlite3_close(view->db);
	free(view->path);
	free(view);
}

/* Runs PRAGMA integrity_check, whose one row is "ok" where all is well. */
static enum status check(
	sqlite3 *db, data_view_complaint *complain, void *context, struct store_problem *problem)
{
	sqlite3_stmt *statement = NULL;
	enum status status = STATUS_OK;
	int code = sqlite3_prepare_v2(db, "PRAGMA integrity_check(100)", -1, &statement, NULL);
	while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *sentence = (const char *)sqlite3_column_text(statement, 0);
		code = SQLITE_OK;
		if (sentence != NULL && strcmp(sentence, "ok") == 0)
			continue;
		data_explain(problem, "The data file is damaged (SQLite: %s)",
			sentence != NULL ? sentence : "?");
		status = STATUS_STORE_READ;
		if (sentence == NULL || !complain(context, sentence))
			break;
	}
	if (code != SQLITE_OK && code != SQLITE_DONE) {
		data_explain(
			problem, "The data file cannot be read (SQLite: %s)", sqlite3_errmsg(db));
		status = STATUS_STORE_READ;
	}
	sqlite3_finalize(statement);
	return status;
}

enum status data_view_check(struct data_view *view, data_view_complaint *complain, void *context,
	struct store_problem *problem)
{
	return check(view->db, complain, context, problem);
}

enum status data_view_load(struct data_view *view, const char *room, store_visit *visit,
	void *context, struct store_problem *problem)
{
	sqlite3_stmt *select = NULL;
	int code = sqlite3_prepare_v2(view->db,
		room != NULL ? "SELECT " DATA_EVENT_COLUMNS
			       " FROM event WHERE room = ?1 ORDER BY rev"
			     : "SELECT " DATA_EVENT_COLUMNS " FROM event ORDER BY room, rev",
		-1, &select, NULL);
	if (code == SQLITE_OK && room != NULL)
		code = sqlite3_bind_text(select, 1, room, -1, SQLITE_STATIC);
	enum status status = STATUS_STORE_READ;
	if (code == SQLITE_OK)
		status = data_load(select, visit, context, problem);
	else
		data_explain(problem, "The data file cannot be read (SQLite: %s)",
			sqlite3_errmsg(view->db));
	sqlite3_finalize(select);
	return status;
}

/* The copy is compact: what was deleted has no place in it. */
static enum status copy(struct data_view *view, const char *to, struct store_problem *problem)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_exec(view->db, "COMMIT", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_prepare_v2(view->db, "VACUUM INTO ?1", -1, &statement, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_bind_text(statement, 1, to, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	if (code != SQLITE_DONE)
		(void)data_refuse_write(problem, "The copy cannot be written", view->db, code);
	sqlite3_finalize(statement);
	if (code == SQLITE_DONE)
		return STATUS_OK;
	return (code & 0xff) == SQLITE_CORRUPT ? STATUS_STORE_READ : STATUS_STORE_WRITE;
}

static bool one_is_enough(void *context, const char *sentence)
{
	(void)context;
	(void)sentence;
	return false;
}

static enum status check_copy(const char *path, struct store_problem *problem)
{
	sqlite3 *db = NULL;
	int code = sqlite3_open_v2(path, &db,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	enum status status = code == SQLITE_OK ? check(db, one_is_enough, NULL, problem)
					       : data_refuse_sqlite(problem, db, code, path);
	sqlite3_close(db);
	return status;
}

enum status data_view_backup(struct data_view *view, const char *to, struct store_problem *problem)
{
	struct new_file file;
	enum status status = new_file_begin(to, false, &file, problem);
	if (status != STATUS_OK)
		return status;
	status = copy(view, file.temporary, problem);
	if (status == STATUS_OK)
		status = check_copy(file.temporary, problem);
	if (status == STATUS_OK)
		return new_file_place(&file, problem);
	new_file_abandon(&file);
	return status;
}
