/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "room_fixture.h"

/* Who leaves a seat, and who takes it then. In the toy a player takes 1 to 3 of 21 stones. */

static const unsigned char fresh_invitation = 0x44;
static const unsigned char newcomer_key = 0x55;

static void do_op(struct room *room, enum room_seat seat, const char *id, enum room_op op)
{
	struct room_command command = command_of(room, seat, id, op);
	struct room_event event;

	command.invitation = hash_of(fresh_invitation);
	event = event_of(room, &command);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
}

static void leave(struct room *room, enum room_seat seat)
{
	do_op(room, seat, "leave", ROOM_OP_LEAVE);
}

static void invite(struct room *room, enum room_seat seat)
{
	do_op(room, seat, "invite", ROOM_OP_INVITE);
}

static enum status try_join(struct room *room, unsigned char secret, unsigned char key)
{
	struct room_hash secret_hash = hash_of(secret);
	struct room_hash key_hash = hash_of(key);
	struct room_event event;
	enum status status =
		room_decide_join(room, &secret_hash, room_game(room)->name, &key_hash, NOW, &event);

	if (status == STATUS_OK)
		assert_int_equal(room_apply(room, &event), STATUS_OK);
	return status;
}

static enum status refused(
	const struct room *room, enum room_seat seat, enum room_op op, enum toy_code code)
{
	struct room_command command = command_of(room, seat, "refused", op);
	struct room_event event;

	command.action = toy_action(code);
	return room_decide(room, &command, NOW, &event);
}

static bool opens(const struct room *room, unsigned char key, enum room_seat expected)
{
	struct room_hash hash = hash_of(key);
	enum room_seat seat;

	return room_find_seat(room, &hash, &seat) && seat == expected;
}

static bool shows(const struct room *room, const char *json)
{
	return strstr(snapshot_of(room).text, json) != NULL;
}

static void test_room_seats__leaving_ends_the_game_without_a_winner(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_3);
	leave(room, ROOM_GUEST);
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_true(shows(room, "\"seats\":{\"host\":true,\"guest\":false}"));
	assert_true(shows(room, "\"abandonedBy\":\"guest\""));
	assert_true(shows(room, "\"stones\":18,\"player\":1"));
	assert_false(opens(room, guest_key, ROOM_GUEST));
	assert_true(opens(room, host_key, ROOM_HOST));
	assert_int_equal(refused(room, ROOM_HOST, ROOM_OP_PLAY, TOY_TAKE_1), STATUS_GAME_OVER);
	assert_int_equal(refused(room, ROOM_HOST, ROOM_OP_ASK, TOY_TAKE_1), STATUS_ROOM_SUSPENDED);
	room_destroy(room);
}

static struct room_event abandonment(const struct room *room, enum room_seat seat)
{
	struct room_event event;

	assert_int_equal(room_decide_abandonment(room, seat, NOW, &event), STATUS_OK);
	return event;
}

static enum status refused_abandonment(const struct room *room)
{
	struct room_event event;

	return room_decide_abandonment(room, ROOM_GUEST, NOW, &event);
}

static void test_room_seats__staying_away_ends_the_game_as_leaving_does(void **state)
{
	struct room *room = playing_room("toy");
	struct room_event event;

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_3);
	do_op(room, ROOM_HOST, "b", ROOM_OP_ASK);
	event = abandonment(room, ROOM_GUEST);
	assert_int_equal(event.kind, ROOM_ABANDONED);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_true(shows(room, "\"seats\":{\"host\":true,\"guest\":false}"));
	assert_true(shows(room, "\"abandonedBy\":\"guest\""));
	assert_true(shows(room, "\"stones\":18,\"player\":1"));
	assert_int_equal(room_open_request(room), 0);
	assert_false(opens(room, guest_key, ROOM_GUEST));
	invite(room, ROOM_HOST);
	assert_int_equal(try_join(room, fresh_invitation, newcomer_key), STATUS_OK);
	assert_true(shows(room, "\"games\":2"));
	assert_true(shows(room, "\"abandonedBy\":null"));
	room_destroy(room);
}

static void test_room_seats__only_a_game_under_way_is_abandoned(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_event event = {
		.kind = ROOM_ABANDONED, .rev = 2, .at_ms = NOW, .seat = ROOM_HOST};

	(void)state;
	assert_int_equal(refused_abandonment(room), STATUS_ROOM_SUSPENDED);
	assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	room_destroy(room);

	room = playing_room("toy");
	play(room, ROOM_HOST, "a", TOY_RESIGN);
	assert_int_equal(refused_abandonment(room), STATUS_GAME_OVER);
	event = (struct room_event){.kind = ROOM_ABANDONED, .rev = 4, .at_ms = NOW};
	assert_int_not_equal(room_apply(room, &event), STATUS_OK);
	event.seat = ROOM_SEATS;
	assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	room_destroy(room);
}

/* One is there alone: moves wait, all else goes on. */
static void test_room_seats__play_waits_for_a_player_who_is_away(void **state)
{
	struct room *room = playing_room("toy");
	struct room_command command = play_command(room, ROOM_HOST, "a", toy_action(TOY_TAKE_1));
	struct room_event event;

	(void)state;
	command.alone = true;
	assert_int_equal(room_decide(room, &command, NOW, &event), STATUS_ROOM_SUSPENDED);
	command.seat = ROOM_GUEST; /* suspended comes before the turn */
	assert_int_equal(room_decide(room, &command, NOW, &event), STATUS_ROOM_SUSPENDED);
	command.op = ROOM_OP_ASK;
	command.request = ROOM_NEW_GAME;
	assert_int_equal(room_decide(room, &command, NOW, &event), STATUS_OK);
	play(room, ROOM_HOST, "b", TOY_RESIGN);
	command = play_command(room, ROOM_GUEST, "c", toy_action(TOY_TAKE_1));
	command.alone = true;
	assert_int_equal(room_decide(room, &command, NOW, &event), STATUS_GAME_OVER);
	room_destroy(room);
}

static void test_room_seats__after_the_end_leaving_changes_no_result(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_RESIGN);
	leave(room, ROOM_HOST);
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_true(shows(room, "\"abandonedBy\":null"));
	assert_true(shows(room, "\"reason\":\"resignation\""));
	room_destroy(room);
}

static void test_room_seats__leaving_closes_an_open_request(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_1);
	do_op(room, ROOM_HOST, "b", ROOM_OP_ASK);
	assert_int_not_equal(room_open_request(room), 0);
	leave(room, ROOM_HOST);
	assert_int_equal(room_open_request(room), 0);
	room_destroy(room);
}

static void test_room_seats__a_room_that_both_have_left_is_closed(void **state)
{
	struct room *waiting = waiting_room("toy");
	struct room *room = playing_room("toy");

	(void)state;
	leave(waiting, ROOM_HOST);
	assert_int_equal(room_phase(waiting), ROOM_CLOSED);
	assert_true(shows(waiting, "\"phase\":\"closed\""));
	assert_int_equal(try_join(waiting, invitation, guest_key), STATUS_ROOM_CLOSED);

	leave(room, ROOM_HOST);
	invite(room, ROOM_GUEST);
	leave(room, ROOM_GUEST);
	assert_int_equal(room_phase(room), ROOM_CLOSED);
	assert_int_equal(try_join(room, fresh_invitation, newcomer_key), STATUS_ROOM_CLOSED);
	room_destroy(waiting);
	room_destroy(room);
}

static void test_room_seats__only_a_fresh_invitation_opens_a_seat_that_was_left(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	leave(room, ROOM_GUEST);
	assert_int_equal(try_join(room, invitation, newcomer_key), STATUS_ROOM_INVITATION);
	invite(room, ROOM_HOST);
	assert_int_equal(try_join(room, invitation, newcomer_key), STATUS_ROOM_INVITATION);
	assert_int_equal(try_join(room, fresh_invitation, newcomer_key), STATUS_OK);
	assert_true(opens(room, newcomer_key, ROOM_GUEST));
	assert_int_equal(try_join(room, fresh_invitation, 0x66), STATUS_ROOM_FULL);
	room_destroy(room);
}

/* The rights of the host go with the seat, not with who took it first. */
static void test_room_seats__who_takes_a_seat_begins_a_new_game_in_its_turn(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_3);
	leave(room, ROOM_HOST);
	invite(room, ROOM_GUEST);
	assert_int_equal(try_join(room, fresh_invitation, newcomer_key), STATUS_OK);
	assert_true(opens(room, newcomer_key, ROOM_HOST));
	assert_int_equal(room_phase(room), ROOM_PLAYING);
	assert_true(shows(room, "\"games\":2,\"starterRole\":\"guest\""));
	assert_true(shows(room, "\"abandonedBy\":null"));
	assert_true(shows(room, "\"stones\":21,\"player\":0,\"moves\":0"));
	play(room, ROOM_GUEST, "b", TOY_TAKE_1);
	room_destroy(room);
}

static void test_room_seats__a_link_that_was_lost_is_replaced(void **state)
{
	struct room *room = waiting_room("toy");

	(void)state;
	invite(room, ROOM_HOST);
	assert_int_equal(try_join(room, invitation, guest_key), STATUS_ROOM_INVITATION);
	assert_int_equal(try_join(room, fresh_invitation, guest_key), STATUS_OK);
	assert_true(shows(room, "\"games\":1,\"starterRole\":\"host\""));
	assert_int_equal(refused(room, ROOM_HOST, ROOM_OP_INVITE, TOY_TAKE_1), STATUS_ROOM_FULL);
	room_destroy(room);
}

/* Of a damaged log. */
static void test_room_seats__events_that_do_not_follow_are_refused(void **state)
{
	struct room *room = playing_room("toy");
	struct room_event event = {.rev = 4, .at_ms = NOW, .command = "x", .seat = ROOM_GUEST};
	struct snapshot before;

	(void)state;
	leave(room, ROOM_GUEST);
	before = snapshot_of(room);
	for (int kind = ROOM_CREATED; kind < ROOM_EVENT_KINDS; kind++) {
		event.kind = (enum room_event_kind)kind;
		assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	}
	assert_snapshots_equal(snapshot_of(room), before);
	room_destroy(room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_seats__leaving_ends_the_game_without_a_winner),
		cmocka_unit_test(test_room_seats__staying_away_ends_the_game_as_leaving_does),
		cmocka_unit_test(test_room_seats__only_a_game_under_way_is_abandoned),
		cmocka_unit_test(test_room_seats__play_waits_for_a_player_who_is_away),
		cmocka_unit_test(test_room_seats__after_the_end_leaving_changes_no_result),
		cmocka_unit_test(test_room_seats__leaving_closes_an_open_request),
		cmocka_unit_test(test_room_seats__a_room_that_both_have_left_is_closed),
		cmocka_unit_test(
			test_room_seats__only_a_fresh_invitation_opens_a_seat_that_was_left),
		cmocka_unit_test(test_room_seats__who_takes_a_seat_begins_a_new_game_in_its_turn),
		cmocka_unit_test(test_room_seats__a_link_that_was_lost_is_replaced),
		cmocka_unit_test(test_room_seats__events_that_do_not_follow_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
