/* SPDX-License-Identifier: MIT */
#include "store/data_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/file.h"

enum {
	/* https://www.sqlite.org/fileformat2.html#the_database_header */
	HEADER_BYTES = 100,
	HEADER_USER_VERSION = 60,
	HEADER_APPLICATION_ID = 68,
};
static const char header_magic[16] = "SQLite format 3";

static const char not_ours[] = "The file is not a data file of Komadai";

void data_explain(struct store_problem *problem, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(problem->text, sizeof problem->text, format, arguments);
	va_end(arguments);
}

/* The path comes last in every sentence, so that a long one does not push the reason out. */
enum status data_refuse(struct store_problem *problem, const char *what, const char *path)
{
	data_explain(problem, "%s: %s", what, path);
	return STATUS_STORE_OPEN;
}

enum status data_refuse_errno(
	struct store_problem *problem, const char *what, const char *path, int error)
{
	data_explain(problem, "%s (%s): %s", what, strerror(error), path);
	return STATUS_STORE_OPEN;
}

/*
 * The number of the system's error says more, but only these two codes set it, and of a COMMIT the
 * file alone has it. 0: there is none.
 */
static int system_error(sqlite3 *db, int code)
{
	bool is_set = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_IOERR;
	int error = is_set ? sqlite3_system_errno(db) : 0;
	if (is_set && error == 0)
		(void)sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
	return error;
}

enum status data_refuse_sqlite(
	struct store_problem *problem, sqlite3 *db, int code, const char *path)
{
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		data_explain(problem, "There is not enough memory to open the data file");
		return STATUS_NO_MEMORY;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return data_refuse(problem,
			"Another server or program is using the data file; stop it first", path);
	case SQLITE_NOTADB:
		return data_refuse(problem, not_ours, path);
	case SQLITE_READONLY:
		return data_refuse(problem, "The folder of the data file may not be written", path);
	case SQLITE_CORRUPT:
		return data_refuse(problem, "The data file is damaged", path);
	}
	int error = system_error(db, code);
	if (error != 0)
		return data_refuse_errno(problem, "The data file cannot be used", path, error);
	data_explain(
		problem, "The data file cannot be used (SQLite: %s): %s", sqlite3_errmsg(db), path);
	return STATUS_STORE_OPEN;
}

enum status data_refuse_write(
	struct store_problem *problem, const char *what, sqlite3 *db, int code)
{
	int error = system_error(db, code);
	if (error != 0)
		data_explain(problem, "%s (%s)", what, strerror(error));
	else
		data_explain(problem, "%s (SQLite: %s)", what, sqlite3_errmsg(db));
	return STATUS_STORE_WRITE;
}

static enum status make_file(const char *location, struct store_problem *problem)
{
	int made = open(location, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (made >= 0)
		close(made);
	else if (errno == ENOENT)
		return data_refuse(problem, "The folder of the data file does not exist", location);
	else if (errno != EEXIST) /* another process was faster, or a dead link */
		return data_refuse_errno(problem, "The data file cannot be made", location, errno);
	return STATUS_OK;
}

enum status data_find_file(
	const char *location, bool make, char **path, struct store_problem *problem)
{
	struct stat info;
	enum status status = STATUS_OK;
	if (location[0] == 0) {
		data_explain(problem, "The data file has no name");
		return STATUS_STORE_OPEN;
	}
	if (stat(location, &info) != 0) {
		if (make)
			status = make_file(location, problem);
	} else if (S_ISDIR(info.st_mode)) {
		status = data_refuse(problem, "The data file is a folder", location);
	} else if (!S_ISREG(info.st_mode)) {
		status = data_refuse(problem, "The data file is not an ordinary file", location);
	} else if (info.st_size > 0 && info.st_size < HEADER_BYTES) {
		/* SQLite takes a file of one byte for an empty one, and would overwrite it. */
		status = data_refuse(problem, not_ours, location);
	}
	if (status != STATUS_OK)
		return status;
	*path = realpath(location, NULL);
	if (*path == NULL)
		return data_refuse_errno(problem, "The data file cannot be found", location, errno);
	return STATUS_OK;
}

enum status data_lock(const char *path, int *lock, struct store_problem *problem)
{
	char name[PATH_MAX + sizeof "-lock"]; /* `realpath` gives less than PATH_MAX */
	snprintf(name, sizeof name, "%s-lock", path);
	if (file_lock(name, lock))
		return STATUS_OK;
	if (errno == EWOULDBLOCK)
		return data_refuse(
			problem, "Another server is using the data file; stop it first", path);
	return data_refuse_errno(
		problem, "The lock beside the data file cannot be opened", name, errno);
}

static int32_t header_number(const unsigned char *bytes)
{
	return (int32_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
			 (uint32_t)bytes[2] << 8 | bytes[3]);
}

enum status data_check_schema(int64_t version, const char *path, struct store_problem *problem)
{
	if (version >= 0 && version <= DATA_SCHEMA)
		return STATUS_OK;
	data_explain(problem,
		"The data file was made by a newer release (schema %lld; this one knows %d): %s",
		(long long)version, DATA_SCHEMA, path);
	return STATUS_STORE_SCHEMA;
}

/*
 * When the power fails while a file is first made, it may have a length and no content, beside the
 * journal from which SQLite makes an empty file of it again.
 */
static bool is_unfinished(sqlite3 *db, const char *path, const unsigned char *header)
{
	static const unsigned char zeros[HEADER_BYTES];
	char name[PATH_MAX + sizeof "-journal"];
	sqlite3_vfs *vfs = NULL;
	int exists = 0;

	if (memcmp(header, zeros, sizeof zeros) != 0)
		return false;
	snprintf(name, sizeof name, "%s-journal", path);
	return sqlite3_file_control(db, "main", SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK &&
	       vfs->xAccess(vfs, name, SQLITE_ACCESS_EXISTS, &exists) == SQLITE_OK && exists;
}

enum status data_check_header(sqlite3 *db, const char *path, struct store_problem *problem)
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
	if (code == SQLITE_OK && is_unfinished(db, path, header))
		return STATUS_OK;
	if (code == SQLITE_OK && memcmp(header, header_magic, sizeof header_magic) != 0)
		code = SQLITE_NOTADB;
	if (code != SQLITE_OK)
		return data_refuse_sqlite(problem, db, code, path);
	if (header_number(header + HEADER_APPLICATION_ID) != DATA_APPLICATION_ID)
		return data_refuse(problem, "The file is a database of another program", path);
	return data_check_schema(header_number(header + HEADER_USER_VERSION), path, problem);
}

int data_read_number(sqlite3 *db, const char *sql, int64_t *number)
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
_Static_assert(sizeof migrations / sizeof *migrations == DATA_SCHEMA, "one migration a schema");

int data_migrate(sqlite3 *db, int64_t from)
{
	char numbers[96];
	int code = SQLITE_OK;
	for (int64_t version = from; code == SQLITE_OK && version < DATA_SCHEMA; version++)
		code = sqlite3_exec(db, migrations[version], NULL, NULL, NULL);
	if (code != SQLITE_OK || from == DATA_SCHEMA)
		return code;
	snprintf(numbers, sizeof numbers, "PRAGMA application_id=%d; PRAGMA user_version=%d",
		DATA_APPLICATION_ID, DATA_SCHEMA);
	return sqlite3_exec(db, numbers, NULL, NULL, NULL);
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

enum status data_load(
	sqlite3_stmt *select, store_visit *visit, void *context, struct store_problem *problem)
{
	struct store_row rows[2]; /* this one and the one before, by turns */
	enum status status = STATUS_OK;
	size_t count = 0;
	int code;
	while ((code = sqlite3_step(select)) == SQLITE_ROW) {
		struct store_row *row = &rows[count % 2];
		if (!read_row(select, row) ||
			(count > 0 && !row_follows(row, &rows[(count + 1) % 2]))) {
			data_explain(problem,
				"The data file is damaged: row %zu is not a row of a log",
				count + 1);
			status = STATUS_STORE_READ;
			break;
		}
		count++;
		if (!visit(context, row))
			break;
	}
	if (code != SQLITE_ROW && code != SQLITE_DONE) {
		data_explain(problem, "The data file cannot be read after row %zu (SQLite: %s)",
			count, sqlite3_errmsg(sqlite3_db_handle(select)));
		status = STATUS_STORE_READ;
	}
	sqlite3_reset(select);
	return status;
}
