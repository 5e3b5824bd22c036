/* SPDX-License-Identifier: MIT */
#include "sqlite_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* The SQLite store on disks that fill up, that fail, and that give back something else. */

/* How the machine misbehaves; see `write_or_fail` and `fdatasync`. */
static long writes_left = -1; /* before the disk is full; -1: it never is */
static enum { FLUSH_WORKS, FLUSH_FAILS, FLUSH_SKIPPED /* for speed */ } flush;
static size_t flushes;

/* Takes the C library's place for libsqlite3 too, so as to count the flushes and to fail some. */
__attribute__((visibility("default"))) int fdatasync(int fd)
{
	flushes++;
	if (flush == FLUSH_FAILS) {
		errno = EIO;
		return -1;
	}
	return flush == FLUSH_SKIPPED ? 0 : (int)syscall(SYS_fdatasync, fd);
}

static void test_sqlite_faults__flushes_before_it_answers(void **state)
{
	struct fixture *f = *state;
	open_store(f);
	for (uint64_t rev = 1; rev <= 10; rev++) {
		size_t before = flushes;
		append_rows(f, rev, rev);
		assert_true(flushes > before);
	}
}

static void test_sqlite_faults__refuses_rows_whose_flush_fails(void **state)
{
	struct fixture *f = *state;
	open_store(f);
	append_rows(f, 1, 3);
	flush = FLUSH_FAILS;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(append_row(f, 4), STATUS_STORE_WRITE);
		assert_non_null(strstr(f->problem.text, "disk I/O error"));
		expect_rows(f, 3);
	}
	flush = FLUSH_WORKS;
	append_rows(f, 4, 5);
	close_store(f);
	open_store(f);
	expect_rows(f, 5);
}

/*
 * What a process wrote that was killed before its flush is read at the next start, from the cache
 * of the system, and told to others: so it must be on disk by then.
 */
static void test_sqlite_faults__flushes_what_a_killed_process_wrote(void **state)
{
	struct fixture *f = *state;
	int status;
	make_store(f, 1);
	pid_t child = fork();
	if (child == 0) {
		open_store(f);
		flush = FLUSH_SKIPPED;
		_exit(append_row(f, 2) == STATUS_OK ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	size_t before = flushes;
	open_store(f);
	assert_true(flushes > before);
	expect_rows(f, 2);
	close_store(f);

	flush = FLUSH_FAILS;
	assert_int_equal(store_sqlite.open(f->file, &f->store, &f->problem), STATUS_STORE_OPEN);
	assert_non_null(strstr(f->problem.text, "The disk does not keep the data file"));
}

/* A limit on the size of files, set in a child. */
static int fill_until_refused(struct fixture *f)
{
	const struct rlimit low = {.rlim_cur = 40000, .rlim_max = RLIM_INFINITY};
	const struct rlimit high = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
	uint64_t last = 0;
	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &low) != 0)
		return 2;
	while (append_row(f, last + 1) == STATUS_OK)
		if (++last > 100)
			return 3;
	if (last < 2 || append_row(f, last + 1) != STATUS_STORE_WRITE)
		return 4;
	expect_rows(f, last);
	if (setrlimit(RLIMIT_FSIZE, &high) != 0)
		return 5;
	append_rows(f, last + 1, last + 5);
	close_store(f);
	open_store(f);
	expect_rows(f, last + 5);
	return 0;
}

static void test_sqlite_faults__outlives_a_limit_on_the_size_of_files(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t child = fork();
	if (child == 0) {
		open_store(f);
		_exit(fill_until_refused(f));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* The disk is full after `writes_left` more writes. */
static ssize_t write_or_fail(int fd, const void *bytes, size_t length, off_t offset)
{
	if (writes_left == 0) {
		errno = ENOSPC;
		return -1;
	}
	if (writes_left > 0)
		writes_left--;
	return pwrite(fd, bytes, length, offset);
}

static int watch_writes(void **state)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	if (vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)write_or_fail) != SQLITE_OK)
		return -1;
	/* Where the system has no such call, that is in order. */
	(void)vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)write_or_fail);
	return set_up(state);
}

static int unwatch_writes(void **state)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	vfs->xSetSystemCall(vfs, NULL, NULL);
	writes_left = -1;
	flush = FLUSH_WORKS;
	return tear_down(state);
}

static void test_sqlite_faults__outlives_a_full_disk_at_any_write(void **state)
{
	struct fixture *f = *state;
	static struct store_row rows[40];
	enum status statuses[40];
	uint64_t last = 0;
	size_t refused = 0;
	flush = FLUSH_SKIPPED;
	open_store(f);
	/* Long enough for checkpoints (every 1,000 pages) to meet a full disk too. */
	for (long turn = 0; turn < 300; turn++) {
		for (size_t i = 0; i < 40; i++) {
			rows[i] = (struct store_row){.room = "a", .rev = last + i + 1};
			memset(rows[i].text, 'x', 700);
		}
		writes_left = turn % 40;
		enum status whole = store_sqlite.append(f->store, rows, 40, statuses, &f->problem);
		writes_left = -1;
		for (size_t i = 0; i < 40; i++)
			assert_int_equal(statuses[i], whole);
		if (whole == STATUS_OK) {
			last += 40;
			continue;
		}
		assert_int_equal(whole, STATUS_STORE_WRITE);
		/* Where the index of the WAL cannot grow, SQLite says no more than that. */
		assert_true(strstr(f->problem.text, "full") != NULL ||
			    strstr(f->problem.text, "disk I/O error") != NULL);
		refused++;
		if (turn % 16 == 0)
			expect_rows(f, last);
	}
	assert_true(refused > 50 && last > 1000);
	close_store(f);
	open_store(f);
	expect_rows(f, last);
}

/* The disk is full at the first write, at the second, and so on until there is room for all. */
static void test_sqlite_faults__removes_a_room_wholly_or_not_at_all(void **state)
{
	struct fixture *f = *state;
	const struct store_row rows[] = {{.room = "b", .rev = 1},
		{.kind = STORE_REMOVAL, .room = "a", .archive = "one\ntwo"},
		{.room = "c", .rev = 1}};
	enum status statuses[3];
	enum status whole;
	long writes = 0;
	flush = FLUSH_SKIPPED;
	make_store(f, 40);
	do {
		assert_true(writes < 100);
		open_store(f);
		writes_left = writes++;
		whole = store_sqlite.append(f->store, rows, 3, statuses, &f->problem);
		writes_left = -1;
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(statuses[i], whole);
		if (whole == STATUS_STORE_WRITE)
			expect_rows(f, 40);
		close_store(f);
		int64_t left = whole == STATUS_OK ? 0 : 40;
		assert_int_equal(
			ask_elsewhere(f->file, "SELECT count(*) FROM event WHERE room = 'a'"),
			left);
		assert_int_equal(
			ask_elsewhere(f->file, "SELECT count(*) FROM event WHERE room <> 'a'"),
			left == 0 ? 2 : 0);
		assert_int_equal(
			ask_elsewhere(f->file, "SELECT count(*) FROM archive"), left == 0 ? 2 : 0);
	} while (whole == STATUS_STORE_WRITE);
	assert_int_equal(whole, STATUS_OK);
	assert_true(writes > 3);
}

static void test_sqlite_faults__leaves_a_room_whose_archive_is_refused(void **state)
{
	struct fixture *f = *state;
	const struct store_row rows[] = {{.room = "a", .rev = 4},
		{.kind = STORE_REMOVAL, .room = "a", .archive = "one\ntwo"}};
	enum status statuses[2];
	make_store(f, 3);
	run_elsewhere(f->file, "CREATE TRIGGER refusal BEFORE INSERT ON archive"
			       " WHEN new.text='two' BEGIN SELECT RAISE(ABORT, 'not two'); END");
	open_store(f);
	assert_int_equal(
		store_sqlite.append(f->store, rows, 2, statuses, &f->problem), STATUS_STORE_WRITE);
	assert_int_equal(statuses[0], STATUS_STORE_WRITE);
	assert_int_equal(statuses[1], STATUS_STORE_WRITE);
	assert_non_null(strstr(f->problem.text, "not two"));
	expect_rows(f, 3);
	append_rows(f, 4, 5);
	close_store(f);
	assert_int_equal(ask_elsewhere(f->file, "SELECT count(*) FROM archive"), 0);
}

static void test_sqlite_faults__refuses_to_open_on_a_full_disk(void **state)
{
	struct fixture *f = *state;
	long writes = 0;
	flush = FLUSH_SKIPPED;
	for (;; writes++) {
		writes_left = writes;
		if (store_sqlite.open(f->file, &f->store, &f->problem) == STATUS_OK)
			break;
		writes_left = -1;
		assert_non_null(strstr(f->problem.text, "full"));
		assert_true(writes < 100);
	}
	writes_left = -1;
	assert_true(writes > 2);
	append_rows(f, 1, 1);
	expect_rows(f, 1);
}

static bool count_row(void *context, const struct store_row *row)
{
	size_t *count = context;
	assert_true(strlen(row->text) < STORE_TEXT_BYTES);
	++*count;
	return true;
}

static void test_sqlite_faults__reports_damage(void **state)
{
	struct fixture *f = *state;
	static struct content content;
	size_t seen = 0;
	make_store(f, 100);
	read_file(f->file, &content);
	memset(content.bytes + content.length / 4, 0xa5, content.length / 2);
	write_file(f->file, content.bytes, content.length);
	open_store(f);
	assert_int_equal(
		store_sqlite.load(f->store, count_row, &seen, &f->problem), STATUS_STORE_READ);
	assert_non_null(strstr(f->problem.text, "malformed"));
	assert_true(seen < 100);
}

/* Damage of many sorts: it may go unnoticed inside a text, but nothing breaks. */
static void test_sqlite_faults__survives_any_damage(void **state)
{
	struct fixture *f = *state;
	static struct content good, bad;
	size_t noticed = 0;
	flush = FLUSH_SKIPPED;
	make_store(f, 60);
	read_file(f->file, &good);
	srand(2);
	for (int turn = 0; turn < 400; turn++) {
		bad = good;
		size_t at = (size_t)rand() % good.length;
		size_t length = 1 + (size_t)rand() % (turn % 2 ? 8 : 3000);
		for (size_t i = at; i < at + length && i < good.length; i++)
			bad.bytes[i] = (unsigned char)rand();
		if (turn % 10 == 0)
			bad.length = at;
		write_file(f->file, bad.bytes, bad.length);

		enum status status = store_sqlite.open(f->file, &f->store, &f->problem);
		if (status == STATUS_OK) {
			size_t seen = 0;
			status = store_sqlite.load(f->store, count_row, &seen, &f->problem);
			(void)append_row(f, 1000);
			close_store(f);
		}
		if (status != STATUS_OK) {
			noticed++;
			assert_true(f->problem.text[0] != 0);
		}
		unlink(f->wal);
	}
	assert_true(noticed > 100);
}

static void test_sqlite_faults__reports_rows_out_of_order(void **state)
{
	struct fixture *f = *state;
	static struct content content;
	size_t seen = 0;
	make_store(f, 2);
	run_elsewhere(f->file, "INSERT INTO event VALUES('bbbbbb', 1, 0, '')");
	open_store(f); /* moves the WAL into the file when closed */
	close_store(f);
	read_file(f->file, &content);
	for (size_t i = 0; i + 6 <= content.length; i++)
		if (memcmp(content.bytes + i, "bbbbbb", 6) == 0)
			memset(content.bytes + i, 'A', 6);
	write_file(f->file, content.bytes, content.length);
	open_store(f);
	assert_int_equal(
		store_sqlite.load(f->store, count_row, &seen, &f->problem), STATUS_STORE_READ);
	assert_non_null(strstr(f->problem.text, "row 3 is not a row of a log"));
}

/* SQLite rolls back by itself after the disk's errors, but not after every one. */
static void test_sqlite_faults__leaves_nothing_of_a_refused_group(void **state)
{
	struct fixture *f = *state;
	const struct store_row rows[] = {{.room = "a", .rev = 2}, {.room = "b", .rev = 1}};
	enum status statuses[2];
	make_store(f, 1);
	run_elsewhere(f->file, "CREATE TRIGGER refusal BEFORE INSERT ON event"
			       " WHEN new.room='b' BEGIN SELECT RAISE(ABORT, 'not b'); END");
	open_store(f);
	assert_int_equal(
		store_sqlite.append(f->store, rows, 2, statuses, &f->problem), STATUS_STORE_WRITE);
	assert_int_equal(statuses[0], STATUS_STORE_WRITE);
	assert_int_equal(statuses[1], STATUS_STORE_WRITE);
	assert_non_null(strstr(f->problem.text, "not b"));
	append_rows(f, 2, 3);
	expect_rows(f, 3);
}

static void test_sqlite_faults__reports_rows_that_no_append_wrote(void **state)
{
	struct fixture *f = *state;
	static const char *const forgeries[] = {
		"INSERT INTO event VALUES('b', -1, 0, '')",
		"INSERT INTO event VALUES('b', 1, 0, char(120, 0, 120))",
		"INSERT INTO event VALUES('b' || char(0), 1, 0, '')",
		"INSERT INTO event VALUES('b', 1, 0, printf('%1024d', 0))",
		"INSERT INTO event VALUES(printf('%24d', 0), 1, 0, '')",
	};
	for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
		uint64_t seen = 0;
		make_store(f, 2);
		run_elsewhere(f->file, forgeries[i]);
		open_store(f);
		assert_int_equal(
			store_sqlite.load(f->store, follow, &seen, &f->problem), STATUS_STORE_READ);
		assert_non_null(strstr(f->problem.text, "is not a row of a log"));
		close_store(f);
		unlink(f->file);
	}
}

int main(void)
{
#define WITH_DISK(f) cmocka_unit_test_setup_teardown(f, watch_writes, unwatch_writes)
	const struct CMUnitTest tests[] = {
		WITH_DISK(test_sqlite_faults__flushes_before_it_answers),
		WITH_DISK(test_sqlite_faults__refuses_rows_whose_flush_fails),
		WITH_DISK(test_sqlite_faults__flushes_what_a_killed_process_wrote),
		WITH_DISK(test_sqlite_faults__outlives_a_limit_on_the_size_of_files),
		WITH_DISK(test_sqlite_faults__outlives_a_full_disk_at_any_write),
		WITH_DISK(test_sqlite_faults__removes_a_room_wholly_or_not_at_all),
		WITH_DISK(test_sqlite_faults__leaves_a_room_whose_archive_is_refused),
		WITH_DISK(test_sqlite_faults__refuses_to_open_on_a_full_disk),
		WITH_DISK(test_sqlite_faults__reports_damage),
		WITH_DISK(test_sqlite_faults__survives_any_damage),
		WITH_DISK(test_sqlite_faults__reports_rows_out_of_order),
		WITH_DISK(test_sqlite_faults__leaves_nothing_of_a_refused_group),
		WITH_DISK(test_sqlite_faults__reports_rows_that_no_append_wrote),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
