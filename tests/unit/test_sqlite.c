/* SPDX-License-Identifier: MIT */
#include "sqlite_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/*
 * The SQLite store: what else may stand under the file's name, and who else may have it open.
 * test_store.c has what every store must do, test_sqlite_faults.c what disks do to this one.
 */
/* Expects that `location` is refused with a sentence that has `words` and `location` in it. */
static void expect_refused(
	struct fixture *f, const char *location, enum status expected, const char *words)
{
	struct store *store = NULL;
	enum status status = store_sqlite.open(location, &store, &f->problem);
	assert_int_equal(status, expected);
	assert_null(store);
	if (strstr(f->problem.text, words) == NULL || strstr(f->problem.text, location) == NULL)
		fail_msg("\"%s\" lacks \"%s\" or \"%s\"", f->problem.text, words, location);
}

static void expect_file(const char *path, const struct content *expected)
{
	static struct content now;
	read_file(path, &now);
	assert_int_equal(now.length, expected->length);
	assert_memory_equal(now.bytes, expected->bytes, now.length);
}

static void test_sqlite__names_what_stands_where_the_file_should(void **state)
{
	struct fixture *f = *state;
	char path[SCRATCH_BYTES];

	expect_refused(f, "", STATUS_STORE_OPEN, "has no name");
	expect_refused(f, f->folder, STATUS_STORE_OPEN, "is a folder");
	scratch_path(path, f->folder, "missing/log");
	expect_refused(f, path, STATUS_STORE_OPEN, "folder of the data file does not exist");
	scratch_path(path, f->folder, "missing/");
	expect_refused(f, path, STATUS_STORE_OPEN, "Is a directory");
	scratch_path(path, f->folder, "pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_refused(f, path, STATUS_STORE_OPEN, "not an ordinary file");
	expect_refused(f, "/dev/null", STATUS_STORE_OPEN, "not an ordinary file");
	scratch_path(path, f->folder, "pipe/log");
	expect_refused(f, path, STATUS_STORE_OPEN, "Not a directory");
	scratch_path(path, f->folder, "link");
	assert_int_equal(symlink("nowhere", path), 0);
	expect_refused(f, path, STATUS_STORE_OPEN, "cannot be found (No such file");
	assert_int_equal(scratch_count(f->folder), 2);
}

static void test_sqlite__cuts_a_sentence_that_is_too_long(void **state)
{
	struct fixture *f = *state;
	char path[5000];
	struct store *store;
	memset(path, 'p', sizeof path - 1);
	path[sizeof path - 1] = 0;
	assert_int_equal(store_sqlite.open(path, &store, &f->problem), STATUS_STORE_OPEN);
	assert_int_equal(strlen(f->problem.text), STORE_PROBLEM_BYTES - 1);
	assert_non_null(strstr(f->problem.text, "File name too long"));
}

static void test_sqlite__takes_special_names_for_ordinary_files(void **state)
{
	struct fixture *f = *state;
	static const char *const names[] = {":memory:", "file:x?mode=memory", "a%20b#c?d", "-"};
	int here = open(".", O_RDONLY);
	assert_int_equal(chdir(f->folder), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct stat info;
		enum status status = store_sqlite.open(names[i], &f->store, &f->problem);
		if (status == STATUS_OK)
			close_store(f);
		assert_int_equal(status, STATUS_OK);
		assert_int_equal(stat(names[i], &info), 0);
		assert_true(info.st_size > 0);
	}
	assert_int_equal(fchdir(here), 0);
	close(here);
}

static void test_sqlite__keeps_new_data_private(void **state)
{
	struct fixture *f = *state;
	struct stat info;
	mode_t mask = umask(0);
	open_store(f);
	append_rows(f, 1, 1);
	umask(mask);
	assert_int_equal(stat(f->file, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	assert_int_equal(stat(f->wal, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	assert_int_equal(stat(f->lock, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	close_store(f);
	assert_int_equal(scratch_count(f->folder), 2);
}

static void test_sqlite__takes_an_empty_file_for_a_new_one(void **state)
{
	struct fixture *f = *state;
	write_file(f->file, "", 0);
	make_store(f, 3);
	open_store(f);
	expect_rows(f, 3);
}

/* As the power leaves it that fails in the first transaction of all: a length, and the journal. */
static void test_sqlite__makes_a_file_whose_making_was_cut_off(void **state)
{
	struct fixture *f = *state;
	static struct content content;
	char journal[SCRATCH_BYTES];
	static const unsigned char start[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0,
		0, 0,           /* pages that stand in it */
		0, 0, 0, 0,     /* a number for their sums */
		0, 0, 0, 0,     /* pages of the file before */
		0, 0, 0x02, 0,  /* bytes of a sector */
		0, 0, 0x10, 0}; /* and of a page */
	unsigned char sector[512] = {0};

	memset(content.bytes, 0, 8192);
	memcpy(sector, start, sizeof start);
	scratch_path(journal, f->folder, "log-journal");
	write_file(f->file, content.bytes, 8192);
	write_file(journal, sector, sizeof sector);
	make_store(f, 3);
	open_store(f);
	expect_rows(f, 3);
}

static void test_sqlite__leaves_files_of_other_sorts_alone(void **state)
{
	struct fixture *f = *state;
	static struct content content;
	static const size_t lengths[] = {1, 15, 16, 99, 100, 4096, 8192, 100000};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		for (int fill = 0; fill < 3; fill++) {
			content.length = lengths[i];
			memset(content.bytes, fill == 0 ? 0 : 'k', content.length);
			if (fill == 2) /* the beginning of a database, then nonsense */
				memcpy(content.bytes, "SQLite format 3",
					content.length < 16 ? content.length : 16);
			write_file(f->file, content.bytes, content.length);
			expect_refused(f, f->file, STATUS_STORE_OPEN,
				fill == 2 && content.length >= 100 ? "of another program"
								   : "not a data file");
			expect_file(f->file, &content);
			assert_int_equal(scratch_count(f->folder), 1);
		}
	}
}

static void test_sqlite__leaves_databases_of_other_programs_alone(void **state)
{
	struct fixture *f = *state;
	static struct content before, wal;
	run_elsewhere(f->file, "CREATE TABLE event(room, rev, at, text); PRAGMA user_version=1");
	read_file(f->file, &before);
	expect_refused(f, f->file, STATUS_STORE_OPEN, "database of another program");
	expect_file(f->file, &before);
	assert_int_equal(scratch_count(f->folder), 1);

	/* With rows in a WAL that nobody has moved into the file yet. */
	run_elsewhere(f->file, "PRAGMA journal_mode=WAL; INSERT INTO event VALUES(1, 2, 3, 4)");
	read_file(f->file, &before);
	read_file(f->wal, &wal);
	assert_true(wal.length > 0);
	size_t files = scratch_count(f->folder);
	expect_refused(f, f->file, STATUS_STORE_OPEN, "database of another program");
	expect_file(f->file, &before);
	expect_file(f->wal, &wal);
	assert_int_equal(scratch_count(f->folder), files);
}

static void test_sqlite__leaves_a_newer_schema_alone(void **state)
{
	struct fixture *f = *state;
	static const char newer[] = "newer release (schema 99; this one knows 2)";
	static struct content before, wal;
	make_store(f, 3);
	/* Still in the WAL only, then in the file. */
	run_elsewhere(f->file, "PRAGMA user_version=99");
	read_file(f->file, &before);
	read_file(f->wal, &wal);
	expect_refused(f, f->file, STATUS_STORE_SCHEMA, newer);
	expect_file(f->file, &before);
	expect_file(f->wal, &wal);

	char index[SCRATCH_BYTES];
	run_elsewhere(f->file, "PRAGMA wal_checkpoint(TRUNCATE)");
	unlink(f->wal);
	scratch_path(index, f->folder, "log-shm");
	unlink(index);
	unlink(f->lock);
	read_file(f->file, &before);
	expect_refused(f, f->file, STATUS_STORE_SCHEMA, newer);
	expect_file(f->file, &before);
	assert_int_equal(scratch_count(f->folder), 1);

	run_elsewhere(f->file, "PRAGMA user_version=2; PRAGMA wal_checkpoint");
	open_store(f);
	expect_rows(f, 3);
}

static void test_sqlite__brings_an_older_schema_up_to_date(void **state)
{
	struct fixture *f = *state;
	/* As schema 1 was written; the rows are still in the WAL. */
	run_elsewhere(f->file, "BEGIN;"
			       "CREATE TABLE event(room TEXT NOT NULL, rev INTEGER NOT NULL,"
			       " at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(room, rev))"
			       " STRICT;"
			       "PRAGMA application_id=0x4b6f6d61; PRAGMA user_version=1;"
			       "COMMIT; PRAGMA journal_mode=WAL;"
			       "WITH RECURSIVE number(n) AS"
			       " (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 50)"
			       " INSERT INTO event SELECT 'a', n, 1, printf('%.700c', 'x')"
			       " FROM number");
	open_store(f);
	expect_rows(f, 50);
	append_rows(f, 51, 52);
	close_store(f);
	assert_int_equal(ask_elsewhere(f->file, "PRAGMA user_version"), 2);
	assert_int_equal(ask_elsewhere(f->file, "SELECT count(*) FROM archive"), 0);
	open_store(f);
	expect_rows(f, 52);
}

/* The archive's rows, one a line. */
static void expect_archive(struct fixture *f, const char *expected)
{
	sqlite3 *db;
	sqlite3_stmt *select;
	char found[400] = "";
	assert_int_equal(sqlite3_open(f->file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
				 "SELECT id || ' ' || day || ' ' || text || '\n' FROM archive", -1,
				 &select, NULL),
		SQLITE_OK);
	while (sqlite3_step(select) == SQLITE_ROW)
		strncat(found, (const char *)sqlite3_column_text(select, 0),
			sizeof found - 1 - strlen(found));
	sqlite3_finalize(select);
	sqlite3_close(db);
	assert_string_equal(found, expected);
}

static void remove_room(
	struct fixture *f, const char *room, int64_t at_ms, const char *archive, enum status wanted)
{
	struct store_row row = {.kind = STORE_REMOVAL, .at_ms = at_ms, .archive = archive};
	enum status status;
	snprintf(row.room, sizeof row.room, "%s", room);
	assert_int_equal(store_sqlite.append(f->store, &row, 1, &status, &f->problem), STATUS_OK);
	assert_int_equal(status, wanted);
}

static void test_sqlite__keeps_each_line_of_an_archive_with_its_day_and_nothing_else(void **state)
{
	struct fixture *f = *state;
	const int64_t day_ms = 86400000;
	const int64_t days[] = {0, day_ms - 1, day_ms, 20000 * day_ms, -1};
	const char *const archives[] = {"one", "two\nthree", "\n\nfour\n\nfive\n", "", NULL};
	for (size_t i = 0; i < 5; i++) {
		open_store(f);
		append_rows(f, 1, 3);
		remove_room(f, "a", days[i], archives[i], STATUS_OK);
		remove_room(f, "a", 0, "not again", STATUS_STORE_CONFLICT);
		expect_rows(f, 0);
		close_store(f);
	}
	open_store(f);
	append_rows(f, 1, 1);
	remove_room(f, "a", -1, "\xe9\xa7\x92", STATUS_OK);
	close_store(f);
	expect_archive(f, "1 0 one\n2 0 two\n3 0 three\n4 1 four\n5 1 five\n6 -1 \xe9\xa7\x92\n");
}

static void test_sqlite__keeps_a_line_of_any_length(void **state)
{
	struct fixture *f = *state;
	enum { LONG = 3 << 20 };
	char *line = test_malloc(LONG + 1);
	memset(line, 'x', LONG);
	line[LONG] = 0;
	make_store(f, 1);
	open_store(f);
	remove_room(f, "a", 0, line, STATUS_OK);
	close_store(f);
	test_free(line);
	assert_int_equal(ask_elsewhere(f->file, "SELECT length(text) FROM archive"), LONG);
}

static bool file_holds(const char *path, const char *word)
{
	static struct content content;
	read_file(path, &content);
	for (size_t at = 0; at + strlen(word) <= content.length; at++)
		if (memcmp(content.bytes + at, word, strlen(word)) == 0)
			return true;
	return false;
}

static void test_sqlite__leaves_nothing_of_a_removed_room_in_the_file(void **state)
{
	struct fixture *f = *state;
	struct store_row rows[40];
	enum status statuses[40];
	open_store(f);
	for (size_t i = 0; i < 40; i++) {
		rows[i] = (struct store_row){.rev = i};
		strcpy(rows[i].room, i % 2 ? "stays" : "goneroom");
		snprintf(rows[i].text, sizeof rows[i].text, "%0500d secret of %s", 0, rows[i].room);
	}
	assert_int_equal(store_sqlite.append(f->store, rows, 40, statuses, &f->problem), STATUS_OK);
	close_store(f);
	assert_true(file_holds(f->file, "secret of goneroom"));
	open_store(f);
	remove_room(f, "goneroom", 0, NULL, STATUS_OK);
	close_store(f);
	assert_true(file_holds(f->file, "secret of stays"));
	assert_false(file_holds(f->file, "goneroom"));
}

static void test_sqlite__refuses_a_file_of_ours_without_its_table(void **state)
{
	struct fixture *f = *state;
	make_store(f, 1);
	run_elsewhere(f->file, "DROP TABLE event");
	expect_refused(f, f->file, STATUS_STORE_OPEN, "no such table: event");
}

static const char in_use[] = "Another server is using the data file";

static void test_sqlite__keeps_a_second_server_out(void **state)
{
	struct fixture *f = *state;
	struct fixture second = *f;
	int status;
	open_store(f);
	append_rows(f, 1, 2);
	/* From this process, and twice: a refusal must not free the lock. */
	expect_refused(&second, f->file, STATUS_STORE_OPEN, in_use);
	expect_refused(&second, f->file, STATUS_STORE_OPEN, in_use);
	pid_t child = fork();
	if (child == 0) {
		enum status opened = store_sqlite.open(f->file, &second.store, &second.problem);
		_exit(opened == STATUS_STORE_OPEN && strstr(second.problem.text, in_use) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);

	append_rows(f, 3, 4);
	close_store(f);
	open_store(f);
	expect_rows(f, 4);
}

static void test_sqlite__keeps_a_second_server_out_that_knows_the_file_by_another_name(void **state)
{
	struct fixture *f = *state;
	struct fixture second = *f;
	char link[SCRATCH_BYTES];
	scratch_path(link, f->folder, "link");
	assert_int_equal(symlink("log", link), 0);
	open_store(f);
	assert_int_equal(
		store_sqlite.open(link, &second.store, &second.problem), STATUS_STORE_OPEN);
	assert_non_null(strstr(second.problem.text, in_use));
}

static void test_sqlite__leaves_no_lock_behind_that_a_dead_server_held(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t child = fork();
	if (child == 0) {
		open_store(f);
		append_rows(f, 1, 2);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	open_store(f);
	expect_rows(f, 2);
}

static void test_sqlite__lets_other_programs_read(void **state)
{
	struct fixture *f = *state;
	sqlite3 *other;
	sqlite3_stmt *count;
	open_store(f);
	append_rows(f, 1, 2);
	assert_int_equal(sqlite3_open(f->file, &other), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(other, "SELECT count(*) FROM event", -1, &count, NULL),
		SQLITE_OK);
	/* In the middle of its reading, of one moment, the server goes on. */
	assert_int_equal(sqlite3_exec(other, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(sqlite3_step(count), SQLITE_ROW);
		assert_int_equal(sqlite3_column_int(count, 0), 2);
		sqlite3_reset(count);
		append_rows(f, 3 + (uint64_t)i, 3 + (uint64_t)i);
	}
	assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	close_store(f);
	open_store(f); /* while the other one has the file open */
	append_rows(f, 5, 5);
	assert_int_equal(sqlite3_step(count), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(count, 0), 5);
	sqlite3_finalize(count);
	sqlite3_close(other);
	append_rows(f, 6, 6);
	close_store(f);
	open_store(f);
	expect_rows(f, 6);
}

static void test_sqlite__refuses_rows_while_another_program_writes(void **state)
{
	struct fixture *f = *state;
	sqlite3 *other;
	open_store(f);
	append_rows(f, 1, 2);
	assert_int_equal(sqlite3_open(f->file, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(append_row(f, 3), STATUS_STORE_WRITE);
	assert_non_null(strstr(f->problem.text, "locked"));
	expect_rows(f, 2);
	assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	append_rows(f, 3, 4);
	sqlite3_close(other);
	expect_rows(f, 4);
}

/* As the releases of schema 1 held their file. */
static void test_sqlite__is_kept_out_by_a_lock_of_sqlite(void **state)
{
	struct fixture *f = *state;
	sqlite3 *other;
	make_store(f, 2);
	assert_int_equal(sqlite3_open(f->file, &other), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(other, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT", NULL,
			NULL, NULL),
		SQLITE_OK);
	expect_refused(f, f->file, STATUS_STORE_OPEN, "Another server or program is using");
	sqlite3_close(other);
	open_store(f);
	expect_rows(f, 2);
}

static void test_sqlite__says_so_where_the_lock_cannot_be_made(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(mkdir(f->lock, 0700), 0);
	expect_refused(f, f->file, STATUS_STORE_OPEN, "lock beside the data file cannot be opened");
	assert_int_equal(rmdir(f->lock), 0);
	open_store(f);
}

/* In a child without the rights of root, to whom nothing is forbidden. */
static int open_as_nobody(struct fixture *f, const char *words)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(2);
		enum status opened = store_sqlite.open(f->file, &f->store, &f->problem);
		if (opened != STATUS_STORE_OPEN || strstr(f->problem.text, words) == NULL) {
			print_error("%d: %s\n", (int)opened, f->problem.text);
			_exit(1);
		}
		_exit(0);
	}
	return waitpid(child, &status, 0) == child ? status : -1;
}

static void test_sqlite__says_so_where_rights_are_missing(void **state)
{
	struct fixture *f = *state;
	make_store(f, 1);
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_int_equal(chmod(f->file, 0444), 0);
	assert_int_equal(open_as_nobody(f, "may be read but not written"), 0);
	assert_int_equal(chmod(f->file, 0), 0);
	assert_int_equal(open_as_nobody(f, "Permission denied"), 0);
	assert_int_equal(chmod(f->file, 0666), 0);
	assert_int_equal(
		open_as_nobody(f, "lock beside the data file cannot be opened (Permission"), 0);
	assert_int_equal(chmod(f->lock, 0666), 0);
	assert_int_equal(chmod(f->folder, 0555), 0); /* no place for the WAL */
	int status = open_as_nobody(f, "folder of the data file may not be written");
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_int_equal(status, 0);
}

int main(void)
{
#define WITH_FOLDER(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		WITH_FOLDER(test_sqlite__names_what_stands_where_the_file_should),
		WITH_FOLDER(test_sqlite__cuts_a_sentence_that_is_too_long),
		WITH_FOLDER(test_sqlite__takes_special_names_for_ordinary_files),
		WITH_FOLDER(test_sqlite__keeps_new_data_private),
		WITH_FOLDER(test_sqlite__takes_an_empty_file_for_a_new_one),
		WITH_FOLDER(test_sqlite__makes_a_file_whose_making_was_cut_off),
		WITH_FOLDER(test_sqlite__leaves_files_of_other_sorts_alone),
		WITH_FOLDER(test_sqlite__leaves_databases_of_other_programs_alone),
		WITH_FOLDER(test_sqlite__leaves_a_newer_schema_alone),
		WITH_FOLDER(test_sqlite__brings_an_older_schema_up_to_date),
		WITH_FOLDER(
			test_sqlite__keeps_each_line_of_an_archive_with_its_day_and_nothing_else),
		WITH_FOLDER(test_sqlite__keeps_a_line_of_any_length),
		WITH_FOLDER(test_sqlite__leaves_nothing_of_a_removed_room_in_the_file),
		WITH_FOLDER(test_sqlite__refuses_a_file_of_ours_without_its_table),
		WITH_FOLDER(test_sqlite__keeps_a_second_server_out),
		WITH_FOLDER(
			test_sqlite__keeps_a_second_server_out_that_knows_the_file_by_another_name),
		WITH_FOLDER(test_sqlite__leaves_no_lock_behind_that_a_dead_server_held),
		WITH_FOLDER(test_sqlite__lets_other_programs_read),
		WITH_FOLDER(test_sqlite__refuses_rows_while_another_program_writes),
		WITH_FOLDER(test_sqlite__is_kept_out_by_a_lock_of_sqlite),
		WITH_FOLDER(test_sqlite__says_so_where_the_lock_cannot_be_made),
		WITH_FOLDER(test_sqlite__says_so_where_rights_are_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
