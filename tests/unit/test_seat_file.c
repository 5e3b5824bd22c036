/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/seat_file.h"
#include "scratch.h"

static char folder[SCRATCH_BYTES];
static char path[SCRATCH_BYTES];

static int make_folder(void **state)
{
	(void)state;
	scratch_make(folder);
	scratch_path(path, folder, "seat.json");
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	scratch_remove(folder);
	return 0;
}

static const struct client_seat guest = {
	.server = "https://games.example",
	.game = "mini-shogi",
	.room = "abc123",
	.seat = ROOM_GUEST,
	.secret = "S_e-cret",
	.join = "join-1",
	.key = "Key",
	.invite_url = "https://games.example/rubriques/x#invite=a.b",
};

static void expect_same(const struct client_seat *a, const struct client_seat *b)
{
	assert_string_equal(a->server, b->server);
	assert_string_equal(a->game, b->game);
	assert_string_equal(a->room, b->room);
	assert_string_equal(a->secret, b->secret);
	assert_string_equal(a->join, b->join);
	assert_string_equal(a->key, b->key);
	assert_string_equal(a->invite_url, b->invite_url);
	if (a->key[0])
		assert_int_equal(a->seat, b->seat);
}

static void put(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static void test_seat_file__keeps_a_seat_for_its_owner_alone(void **state)
{
	struct client_seat seat;
	struct stat status;

	(void)state;
	assert_true(seat_file_write(path, &guest));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(seat_file_read(path, &seat), SEAT_FILE_READ);
	expect_same(&seat, &guest);
	assert_int_equal(scratch_count(folder), 1);
}

static void test_seat_file__keeps_a_join_that_has_no_answer_yet(void **state)
{
	struct client_seat before = guest;
	struct client_seat seat;

	(void)state;
	before.key[0] = 0;
	before.invite_url[0] = 0;
	assert_true(seat_file_write(path, &before));
	assert_int_equal(seat_file_read(path, &seat), SEAT_FILE_READ);
	expect_same(&seat, &before);
}

static void test_seat_file__is_replaced_whole_whatever_its_mode_was(void **state)
{
	struct client_seat seat = guest;
	struct client_seat read;
	struct stat status;

	(void)state;
	put("{}");
	assert_int_equal(chmod(path, 0644), 0);
	strcpy(seat.key, "Another");
	assert_true(seat_file_write(path, &seat));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(seat_file_read(path, &read), SEAT_FILE_READ);
	expect_same(&read, &seat);
}

static void test_seat_file__what_is_not_there_or_no_file_is_told_apart(void **state)
{
	struct client_seat seat;

	(void)state;
	assert_int_equal(seat_file_read(path, &seat), SEAT_FILE_NONE);
	assert_int_equal(seat_file_read(folder, &seat), SEAT_FILE_UNREADABLE);
	assert_int_equal(errno, EISDIR);
	assert_false(seat_file_write("/dev/null/seat.json", &guest));
	assert_int_equal(errno, ENOTDIR);
}

static void test_seat_file__a_file_that_is_no_seat_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"[]",
		"nothing",
		"{}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\"}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\"}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\","
		"\"seat\":\"third\"}",
		"{\"server\":\"ftp://a\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\","
		"\"seat\":\"host\"}",
		"{\"server\":\"http://a/b\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\","
		"\"seat\":\"host\"}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"../r\",\"key\":\"k\","
		"\"seat\":\"host\"}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\\r\\nX: y\","
		"\"seat\":\"host\"}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\",\"key\":5,"
		"\"seat\":\"host\"}",
		"{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\","
		"\"seat\":\"host\",\"inviteUrl\":\"\\u001b[2J\"}",
	};
	struct client_seat seat;

	(void)state;
	put("{\"server\":\"http://a\",\"game\":\"g\",\"room\":\"r\",\"key\":\"k\","
	    "\"seat\":\"host\"}");
	assert_int_equal(seat_file_read(path, &seat), SEAT_FILE_READ);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put(texts[i]);
		if (seat_file_read(path, &seat) != SEAT_FILE_BAD)
			fail_msg("read: %s", texts[i]);
	}
}

static void test_seat_file__is_locked_for_one_at_a_time(void **state)
{
	char inner[SCRATCH_BYTES];
	int lock;
	int other;

	(void)state;
	assert_true(seat_file_lock(path, &lock));
	assert_false(seat_file_lock(path, &other));
	assert_int_equal(errno, EWOULDBLOCK);
	seat_file_unlock(path, lock);
	assert_int_equal(scratch_count(folder), 0);

	/* What a process that was killed leaves is no lock. */
	assert_true(seat_file_lock(path, &lock));
	close(lock);
	assert_true(seat_file_lock(path, &lock));
	assert_int_equal(scratch_count(folder), 1);
	seat_file_unlock(path, lock);

	scratch_path(inner, folder, "deep/seat.json");
	assert_true(seat_file_lock(inner, &lock));
	seat_file_unlock(inner, lock);
	scratch_path(inner, folder, "deep");
	assert_int_equal(rmdir(inner), 0);
	assert_false(seat_file_lock("/dev/null/seat.json", &lock));
	assert_int_equal(errno, ENOTDIR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_seat_file__keeps_a_seat_for_its_owner_alone,
			make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_seat_file__keeps_a_join_that_has_no_answer_yet,
			make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			test_seat_file__is_replaced_whole_whatever_its_mode_was, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			test_seat_file__what_is_not_there_or_no_file_is_told_apart, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			test_seat_file__is_locked_for_one_at_a_time, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_seat_file__a_file_that_is_no_seat_is_refused,
			make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
