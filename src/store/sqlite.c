/* SPDX-License-Identifier: MIT */
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Two servers that write one file would each miss what the other wrote. So the connection takes
 * SQLite's exclusive lock and keeps it (locking_mode=EXCLUSIVE): the kernel frees it when the
 * process dies, however it dies. It also keeps the index of the WAL in memory instead of in a
 * shared file.
 *
 * Both numbers that tell our files from others stand in the file's header before the first switch
 * to WAL, so that they can be read without making SQLite recover, and so change, a file that is not
 * ours.
 */

enum {
	APPLICATION_ID = 0x4b6f6d61, /* "Koma" */
	BUSY_MS = 500,               /* for a program that is just closing the file */

	/* https://www.sqlite.org/fileformat2.html#the_database_header */
	HEADER_BYTES = 100,
	HEADER_USER_VERSION = 60,
	HEADER_APPLICATION_ID = 68,
};
static const char header_magic[16] = "SQLite format 3";

static const char not_ours[] = "The file is not a data file of Komadai";

/*
 * `migrations[n]` leads from schema n to schema n + 1. A released one is never edited.
 *
 * The table keeps its rowid: groups of 50 to 200 rows over 5,000 rooms are written about 1.7 times
 * as fast as WITHOUT ROWID, since only the narrow index is touched at random. `load` is several
 * times slower for it, but still reads some 300,000 rows a second, and is called once.
 */
static const char *const migrations[] = {
	"CREATE TABLE event("
	"room TEXT NOT NULL, rev INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,"
	"PRIMARY KEY(room, rev)) STRICT",

	/* What is kept of rooms that were removed; `day` counts from 1970. */
	"CREATE TABLE archive("
	"id INTEGER PRIMARY KEY, day INTEGER NOT NULL, text TEXT NOT NULL) STRICT",
};
enum { SCHEMA = sizeof migrations / sizeof *migrations };

struct store {
	sqlite3 *db;
	sqlite3_stmt *begin;
	sqlite3_stmt *insert;
	sqlite3_stmt *remove;
	sqlite3_stmt *keep;
	sqlite3_stmt *commit;
	sqlite3_stmt *rollback;
	sqlite3_stmt *select;
};

__attribute__((format(printf, 2, 3))) static void explain(
	struct store_problem *problem, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(problem->text, sizeof problem->text, format, arguments);
	va_end(arguments);
}

/* The path comes last in every sentence, so that a long one does not push the reason out. */
static enum status refuse(struct store_problem *problem, const char *what, const char *path)
{
	explain(problem, "%s: %s", what, path);
	return STATUS_STORE_OPEN;
}

static enum status refuse_errno(
	struct store_problem *problem, const char *what, const char *path, int error)
{
	explain(problem, "%s (%s): %s", what, strerror(error), path);
	return STATUS_STORE_OPEN;
}

/* Says why the last call on `db`, which may be NULL, failed with `code`. */
static enum status refuse_sqlite(
	struct store_problem *problem, sqlite3 *db, int code, const char *path)
{
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		explain(problem, "There is not enough memory to open the data file");
		return STATUS_NO_MEMORY;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return refuse(problem,
			"Another server or program is using the data file; stop it first", path);
	case SQLITE_NOTADB:
		return refuse(problem, not_ours, path);
	case SQLITE_READONLY:
		return refuse(problem, "The folder of the data file may not be written", path);
	case SQLITE_CORRUPT:
		return refuse(problem, "The data file is damaged", path);
	}
	/* The number of the system's error says more, but only these two codes set it. */
	bool system = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_IOERR;
	int error = system ? sqlite3_system_errno(db) : 0;
	if (error != 0)
		return refuse_errno(problem, "The data file cannot be used", path, error);
	explain(problem, "The data file cannot be used (SQLite: %s): %s", sqlite3_errmsg(db), path);
	return STATUS_STORE_OPEN;
}

/*
 * Makes the file where there is none, and gives its absolute path (SQLite reads a special meaning
 * into names such as ":memory:"), which the caller frees.
 *
 * A file that is there is not opened here: closing it again would free the POSIX locks of any other
 * connection of this process.
 */
static enum status find_file(const char *location, char **path, struct store_problem *problem)
{
	struct stat info;
	if (location[0] == 0) {
		explain(problem, "The data file has no name");
		return STATUS_STORE_OPEN;
	}
	if (stat(location, &info) == 0) {
		if (S_ISDIR(info.st_mode))
			return refuse(problem, "The data file is a folder", location);
		if (!S_ISREG(info.st_mode))
			return refuse(problem, "The data file is not an ordinary file", location);
		/* SQLite takes a file of one byte for an empty one, and would overwrite it. */
		if (info.st_size > 0 && info.st_size < HEADER_BYTES)
			return refuse(problem, not_ours, location);
	} else {
		int made = open(location, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (made >= 0)
			close(made);
		else if (errno == ENOENT)
			return refuse(
				problem, "The folder of the data file does not exist", location);
		else if (errno != EEXIST) /* another process was faster, or a dead link */
			return refuse_errno(
				problem, "The data file cannot be made", location, errno);
	}
	*path = realpath(location, NULL);
	if (*path == NULL)
		return refuse_errno(problem, "The data file cannot be found", location, errno);
	return STATUS_OK;
}

static int32_t header_number(const unsigned char *bytes)
{
	return (int32_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
			 (uint32_t)bytes[2] << 8 | bytes[3]);
}

static enum status check_schema(int64_t version, const char *path, struct store_problem *problem)
{
	if (version >= 0 && version <= SCHEMA)
		return STATUS_OK;
	explain(problem,
		"The data file was made by a newer release (schema %lld; this one knows %d): %s",
		(long long)version, SCHEMA, path);
	return STATUS_STORE_SCHEMA;
}

/* Reads the header through SQLite's own descriptor and without a lock. An empty file is a new one.
 */
static enum status check_header(sqlite3 *db, const char *path, struct store_problem *problem)
{
	sqlite3_file *file = NULL;
	sqlite3_int64 size = 0;
	unsigned char header[HEADER_BYTES];

	int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	if (code == SQLITE_OK)
		code = file->pMethods->xFileSize(file, &size);
	if (code == SQLITE_OK && size == 0)
		return STATUS_OK;
	if (code == SQLITE_OK)
		code = file->pMethods->xRead(file, header, sizeof header, 0);
	if (code == SQLITE_OK && memcmp(header, header_magic, sizeof header_magic) != 0)
		code = SQLITE_NOTADB;
	if (code != SQLITE_OK)
		return refuse_sqlite(problem, db, code, path);
	if (header_number(header + HEADER_APPLICATION_ID) != APPLICATION_ID)
		return refuse(problem, "The file is a database of another program", path);
	return check_schema(header_number(header + HEADER_USER_VERSION), path, problem);
}

static enum status connect(struct store *store, const char *path, struct store_problem *problem)
{
	int code = sqlite3_open_v2(path, &store->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	if (code != SQLITE_OK)
		return refuse_sqlite(problem, store->db, code, path);
	if (sqlite3_db_readonly(store->db, "main"))
		return refuse(problem, "The data file may be read but not written", path);
	enum status status = check_header(store->db, path, problem);
	if (status != STATUS_OK)
		return status;

	/* Until the file is known to be ours to write, closing it must not move the WAL into it. */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	/* secure_delete: what a removal deletes is overwritten, or its keys' hashes would stay. */
	code = sqlite3_exec(store->db,
		"PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON",
		NULL, NULL, NULL);
	return code == SQLITE_OK ? STATUS_OK : refuse_sqlite(problem, store->db, code, path);
}

/* The first column of the first row of `sql`. */
static int read_number(sqlite3 *db, const char *sql, int64_t *number)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	if (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
		*number = sqlite3_column_int64(statement, 0);
		code = SQLITE_OK;
	}
	sqlite3_finalize(statement);
	return code;
}

static int migrate(sqlite3 *db, int64_t from)
{
	char numbers[96];
	int code = SQLITE_OK;
	for (int64_t version = from; code == SQLITE_OK && version < SCHEMA; version++)
		code = sqlite3_exec(db, migrations[version], NULL, NULL, NULL);
	if (code != SQLITE_OK || from == SCHEMA)
		return code;
	snprintf(numbers, sizeof numbers, "PRAGMA application_id=%d; PRAGMA user_version=%d",
		APPLICATION_ID, SCHEMA);
	return sqlite3_exec(db, numbers, NULL, NULL, NULL);
}

/*
 * Takes the lock that is kept until `close`, brings the schema up to date, and switches to WAL,
 * which needs one flush a transaction where a rollback journal needs three.
 */
static enum status take_over(struct store *store, const char *path, struct store_problem *problem)
{
	int64_t version = 0;
	int code = sqlite3_exec(store->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
	/* Again, now from within the lock: a newer number may still stand in the WAL. */
	if (code == SQLITE_OK)
		code = read_number(store->db, "PRAGMA user_version", &version);
	if (code != SQLITE_OK)
		return refuse_sqlite(problem, store->db, code, path);
	enum status status = check_schema(version, path, problem);
	if (status != STATUS_OK)
		return status;

	code = migrate(store->db, version);
	if (code == SQLITE_OK)
		code = sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	if (code != SQLITE_OK)
		return refuse_sqlite(problem, store->db, code, path);
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
		{&store->select, "SELECT room, rev, at, text FROM event ORDER BY room, rev"},
	};
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		int code = sqlite3_prepare_v3(store->db, statements[i].sql, -1,
			SQLITE_PREPARE_PERSISTENT, statements[i].statement, NULL);
		if (code != SQLITE_OK)
			return refuse_sqlite(problem, store->db, code, path);
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
	free(store);
}

static enum status sqlite_open(
	const char *location, struct store **out, struct store_problem *problem)
{
	char *path = NULL;
	struct store *store = calloc(1, sizeof *store);
	if (store == NULL) {
		explain(problem, "There is not enough memory to open the data file");
		return STATUS_NO_MEMORY;
	}
	enum status status = find_file(location, &path, problem);
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
	explain(problem, "Nothing could be written to the data file (SQLite: %s)",
		sqlite3_errmsg(store->db));
	/* After some errors SQLite has rolled back by itself. */
	if (!sqlite3_get_autocommit(store->db))
		(void)run(store->rollback);
	for (size_t i = 0; i < count; i++)
		statuses[i] = STATUS_STORE_WRITE;
	return STATUS_STORE_WRITE;
}

/* False: the column holds what no `append` wrote, as a damaged file may. */
static bool read_text(sqlite3_stmt *statement, int column, char *text, size_t capacity)
{
	if (sqlite3_column_type(statement, column) != SQLITE_TEXT)
		return false;
	const unsigned char *bytes = sqlite3_column_text(statement, column);
	size_t length = (size_t)sqlite3_column_bytes(statement, column);
	if (bytes == NULL || length >= capacity || memchr(bytes, 0, length) != NULL)
		return false;
	memcpy(text, bytes, length);
	text[length] = 0;
	return true;
}

static bool read_row(sqlite3_stmt *statement, struct store_row *row)
{
	if (sqlite3_column_type(statement, 1) != SQLITE_INTEGER ||
		sqlite3_column_type(statement, 2) != SQLITE_INTEGER ||
		sqlite3_column_int64(statement, 1) < 0)
		return false;
	row->kind = STORE_EVENT;
	row->archive = NULL;
	row->rev = (uint64_t)sqlite3_column_int64(statement, 1);
	row->at_ms = sqlite3_column_int64(statement, 2);
	return read_text(statement, 0, row->room, sizeof row->room) &&
	       read_text(statement, 3, row->text, sizeof row->text);
}

/* The order that `load` promises; in a damaged file the key may break it without SQLite noticing.
 */
static bool row_follows(const struct store_row *row, const struct store_row *before)
{
	int order = strcmp(before->room, row->room);
	return order < 0 || (order == 0 && before->rev < row->rev);
}

static enum status sqlite_load(
	struct store *store, store_visit *visit, void *context, struct store_problem *problem)
{
	struct store_row rows[2]; /* this one and the one before, by turns */
	enum status status = STATUS_OK;
	size_t count = 0;
	int code;
	while ((code = sqlite3_step(store->select)) == SQLITE_ROW) {
		struct store_row *row = &rows[count % 2];
		if (!read_row(store->select, row) ||
			(count > 0 && !row_follows(row, &rows[(count + 1) % 2]))) {
			explain(problem, "The data file is damaged: row %zu is not a row of a log",
				count + 1);
			status = STATUS_STORE_READ;
			break;
		}
		count++;
		if (!visit(context, row))
			break;
	}
	if (code != SQLITE_ROW && code != SQLITE_DONE) {
		explain(problem, "The data file cannot be read after row %zu (SQLite: %s)", count,
			sqlite3_errmsg(store->db));
		status = STATUS_STORE_READ;
	}
	sqlite3_reset(store->select);
	return status;
}

const struct store_ops store_sqlite = {
	.open = sqlite_open,
	.close = sqlite_close,
	.append = sqlite_append,
	.load = sqlite_load,
};
