/* SPDX-License-Identifier: MIT */
#include "sqlite_fixture.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "store/data_maker.h"
#include "store/data_view.h"

/*
 * Reading a data file beside its server, and making new ones. tests/cli/rooms.test.mjs has what is
 * said of files that are none of ours or damaged.
 */
static bool flush_fails;

/* Takes the C library's place. */
__attribute__((visibility("default"))) int fsync(int fd)
{
	if (!flush_fails)
		return (int)syscall(SYS_fsync, fd);
	errno = EIO;
	return -1;
}

static struct data_view *open_view(struct fixture *f, const char *path)
{
	struct data_view *view = NULL;
	if (data_view_open(path, &view, &f->problem) != STATUS_OK)
		fail_msg("%s", f->problem.text);
	return view;
}

static void expect_view(struct fixture *f, struct data_view *view, uint64_t last)
{
	uint64_t seen = 0;
	assert_int_equal(data_view_load(view, NULL, follow, &seen, &f->problem), STATUS_OK);
	assert_true(seen == last);
}

static void remove_room(struct fixture *f)
{
	const struct store_row row = {.kind = STORE_REMOVAL, .room = "a"};
	enum status status;
	assert_int_equal(store_sqlite.append(f->store, &row, 1, &status, &f->problem), STATUS_OK);
	assert_int_equal(status, STATUS_OK);
}

static void test_data_view__sees_one_moment_while_a_server_writes(void **state)
{
	struct fixture *f = *state;
	open_store(f);
	append_rows(f, 1, 5);
	struct data_view *view = open_view(f, f->file);
	append_rows(f, 6, 9);
	expect_view(f, view, 5);
	remove_room(f);
	expect_view(f, view, 5);
	data_view_close(view);
	view = open_view(f, f->file);
	expect_view(f, view, 0);
	data_view_close(view);
	append_rows(f, 1, 1);
	expect_rows(f, 1);
}

static void test_data_view__reads_one_room(void **state)
{
	struct fixture *f = *state;
	const struct store_row row = {.room = "b", .rev = 7};
	enum status status;
	uint64_t seen = 0;
	open_store(f);
	append_rows(f, 1, 3);
	assert_int_equal(store_sqlite.append(f->store, &row, 1, &status, &f->problem), STATUS_OK);
	struct data_view *view = open_view(f, f->file);
	assert_int_equal(data_view_load(view, "a", follow, &seen, &f->problem), STATUS_OK);
	assert_true(seen == 3);
	assert_int_equal(data_view_load(view, "c", follow, &seen, &f->problem), STATUS_OK);
	assert_true(seen == 3);
	data_view_close(view);
}

static void test_data_view__leaves_an_older_schema_as_it_is(void **state)
{
	struct fixture *f = *state;
	static struct content before, after;
	char copy[SCRATCH_BYTES];
	scratch_path(copy, f->folder, "copy");
	make_store(f, 3);
	run_elsewhere(f->file, "DROP TABLE archive; PRAGMA user_version=1; PRAGMA wal_checkpoint");
	read_file(f->file, &before);
	struct data_view *view = open_view(f, f->file);
	expect_view(f, view, 3);
	assert_int_equal(data_view_backup(view, copy, &f->problem), STATUS_OK);
	data_view_close(view);
	read_file(f->file, &after);
	assert_int_equal(after.length, before.length);
	assert_memory_equal(after.bytes, before.bytes, before.length);
	assert_int_equal(ask_elsewhere(copy, "PRAGMA user_version"), 1);
	strcpy(f->file, copy);
	open_store(f);
	expect_rows(f, 3);
}

static void test_data_view__finds_a_newer_schema_that_is_still_in_the_wal(void **state)
{
	struct fixture *f = *state;
	struct data_view *view = NULL;
	make_store(f, 3);
	run_elsewhere(f->file, "PRAGMA user_version=3");
	assert_int_equal(data_view_open(f->file, &view, &f->problem), STATUS_STORE_SCHEMA);
	assert_null(view);
}

static void test_data_view__copies_the_archive_too(void **state)
{
	struct fixture *f = *state;
	char copy[SCRATCH_BYTES];
	scratch_path(copy, f->folder, "copy");
	make_store(f, 1);
	run_elsewhere(f->file, "INSERT INTO archive(day, text) VALUES(20000, 'a game')");
	struct data_view *view = open_view(f, f->file);
	assert_int_equal(data_view_backup(view, copy, &f->problem), STATUS_OK);
	data_view_close(view);
	assert_int_equal(
		ask_elsewhere(copy, "SELECT count(*) FROM archive WHERE text='a game'"), 1);
}

static void test_data_view__leaves_nothing_of_a_copy_that_cannot_be_flushed(void **state)
{
	struct fixture *f = *state;
	struct stat info;
	char copy[SCRATCH_BYTES];
	scratch_path(copy, f->folder, "copy");
	open_store(f);
	append_rows(f, 1, 3);
	struct data_view *view = open_view(f, f->file);
	size_t files = scratch_count(f->folder);
	flush_fails = true;
	enum status status = data_view_backup(view, copy, &f->problem);
	flush_fails = false;
	data_view_close(view);
	assert_int_equal(status, STATUS_STORE_WRITE);
	assert_non_null(strstr(f->problem.text, "cannot be written (Input/output error)"));
	assert_int_equal(stat(copy, &info), -1);
	assert_int_equal(scratch_count(f->folder), files);
}

static void test_data_maker__overwrites_nothing_that_came_meanwhile(void **state)
{
	struct fixture *f = *state;
	struct data_maker *maker;
	const struct store_row row = {.room = "b", .rev = 1};
	assert_int_equal(data_maker_create(f->file, &maker, &f->problem), STATUS_OK);
	assert_int_equal(data_maker_add(maker, &row, &f->problem), STATUS_OK);
	make_store(f, 3);
	assert_int_equal(data_maker_finish(maker, &f->problem), STATUS_STORE_OPEN);
	assert_non_null(strstr(f->problem.text, "exists already"));
	assert_int_equal(scratch_count(f->folder), 2); /* the file and its lock */
	open_store(f);
	expect_rows(f, 3);
}

static void test_data_maker__refuses_an_event_that_is_there(void **state)
{
	struct fixture *f = *state;
	struct data_maker *maker;
	const struct store_row row = {.room = "b", .rev = 1};
	assert_int_equal(data_maker_create(f->file, &maker, &f->problem), STATUS_OK);
	assert_int_equal(data_maker_add(maker, &row, &f->problem), STATUS_OK);
	assert_int_equal(data_maker_add(maker, &row, &f->problem), STATUS_STORE_WRITE);
	data_maker_abandon(maker);
	assert_int_equal(scratch_count(f->folder), 0);
}

int main(void)
{
#define WITH_FOLDER(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		WITH_FOLDER(test_data_view__sees_one_moment_while_a_server_writes),
		WITH_FOLDER(test_data_view__reads_one_room),
		WITH_FOLDER(test_data_view__leaves_an_older_schema_as_it_is),
		WITH_FOLDER(test_data_view__finds_a_newer_schema_that_is_still_in_the_wal),
		WITH_FOLDER(test_data_view__copies_the_archive_too),
		WITH_FOLDER(test_data_view__leaves_nothing_of_a_copy_that_cannot_be_flushed),
		WITH_FOLDER(test_data_maker__overwrites_nothing_that_came_meanwhile),
		WITH_FOLDER(test_data_maker__refuses_an_event_that_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
