/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "room_fixture.h"

/* What is kept of the games of a room that is gone. In the toy a player takes 1 to 3 of 21 stones.
 */

static void assert_archive(const struct room *room, const char *expected)
{
	char *archive = NULL;

	assert_int_equal(room_archive(room, &archive), STATUS_OK);
	assert_string_equal(archive, expected);
	free(archive);
}

static void do_op(struct room *room, enum room_seat seat, const char *id, enum room_op op,
	enum room_request request)
{
	struct room_command command = command_of(room, seat, id, op);
	struct room_event event;

	command.request = request;
	command.accept = true;
	command.invitation = hash_of(0x44);
	event = event_of(room, &command);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
}

/* What the host asks for, the guest grants. */
static void agree(struct room *room, const char *id, enum room_request request)
{
	do_op(room, ROOM_HOST, id, ROOM_OP_ASK, request);
	do_op(room, ROOM_GUEST, id, ROOM_OP_ANSWER, request);
}

static void test_room_archive__of_nothing_is_nothing(void **state)
{
	struct room *room = waiting_room("toy");

	(void)state;
	assert_archive(room, "");
	assert_false(room_was_played(room));
	room_destroy(room);
	room = playing_room("toy");
	assert_archive(room, "");
	room_destroy(room);
}

static void test_room_archive__has_a_line_for_each_game(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_1);
	play(room, ROOM_GUEST, "a", TOY_RESIGN);
	assert_archive(room, "toy 0 resignation 1 resign\n");
	agree(room, "b", ROOM_NEW_GAME);
	assert_archive(room, "toy 0 resignation 1 resign\n"); /* the new one has no ply */
	play(room, ROOM_GUEST, "c", TOY_TAKE_3);
	agree(room, "d", ROOM_NEW_GAME);
	play(room, ROOM_HOST, "e", TOY_RESIGN);
	assert_archive(room, "toy 0 resignation 1 resign\ntoy - unfinished 3\n"
			     "toy 1 resignation resign\n");
	assert_true(room_was_played(room));
	room_destroy(room);
}

static void test_room_archive__leaves_out_what_was_taken_back(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_1);
	play(room, ROOM_GUEST, "a", TOY_RESIGN);
	agree(room, "b", ROOM_UNDO);
	assert_archive(room, "toy - unfinished 1\n");
	play(room, ROOM_GUEST, "c", TOY_TAKE_2);
	assert_archive(room, "toy - unfinished 1 2\n");
	agree(room, "d", ROOM_UNDO);
	agree(room, "e", ROOM_UNDO);
	assert_archive(room, "");
	assert_true(room_was_played(room));
	room_destroy(room);
}

static void test_room_archive__tells_an_abandoned_game(void **state)
{
	struct room *room = playing_room("toy");
	struct room_hash secret = hash_of(0x44);
	struct room_hash key = hash_of(0x55);
	struct room_event event;

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_1);
	do_op(room, ROOM_GUEST, "b", ROOM_OP_LEAVE, ROOM_UNDO);
	assert_archive(room, "toy - abandoned 1\n");
	do_op(room, ROOM_HOST, "c", ROOM_OP_INVITE, ROOM_UNDO);
	assert_int_equal(room_decide_join(room, &secret, "toy", &key, NOW, &event), STATUS_OK);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	play(room, ROOM_GUEST, "d", TOY_TAKE_2);
	assert_archive(room, "toy - abandoned 1\ntoy - unfinished 2\n");
	do_op(room, ROOM_HOST, "e", ROOM_OP_LEAVE, ROOM_UNDO);
	do_op(room, ROOM_GUEST, "e", ROOM_OP_LEAVE, ROOM_UNDO);
	assert_archive(room, "toy - abandoned 1\ntoy - abandoned 2\n");
	room_destroy(room);
}

static void test_room_archive__of_the_longest_game_fits(void **state)
{
	struct room *room = playing_room("long-toy");
	char id[ROOM_COMMAND_BYTES];
	char *archive = NULL;

	(void)state;
	for (int ply = 0; ply < GAME_PLIES_MAX; ply++) {
		snprintf(id, sizeof(id), "%d", ply);
		play(room, ply % 2 ? ROOM_GUEST : ROOM_HOST, id, TOY_TAKE_1);
	}
	assert_int_equal(room_archive(room, &archive), STATUS_OK);
	assert_int_equal(
		strlen(archive), strlen("long-toy - unfinished\n") + 2 * (size_t)GAME_PLIES_MAX);
	free(archive);
	room_destroy(room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_archive__of_nothing_is_nothing),
		cmocka_unit_test(test_room_archive__has_a_line_for_each_game),
		cmocka_unit_test(test_room_archive__leaves_out_what_was_taken_back),
		cmocka_unit_test(test_room_archive__tells_an_abandoned_game),
		cmocka_unit_test(test_room_archive__of_the_longest_game_fits),
	};

	return cmocka_run_group_tests_name("room_archive", tests, NULL, NULL);
}
