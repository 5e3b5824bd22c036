/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "room_fixture.h"

/*
 * What two seats do by consent: taking a ply back, and beginning a new game. In the toy a player
 * takes 1 to 3 of 21 stones, or passes; who begins is player 0.
 */

static unsigned ids;

/* A fresh id, so that no command is taken for one that comes again. */
static struct room_command fresh(const struct room *room, enum room_seat seat, enum room_op op)
{
	char id[ROOM_COMMAND_BYTES];

	snprintf(id, sizeof(id), "c%u", ids++);
	return command_of(room, seat, id, op);
}

static struct room_command ask_command(
	const struct room *room, enum room_seat seat, enum room_request request)
{
	struct room_command command = fresh(room, seat, ROOM_OP_ASK);

	command.request = request;
	return command;
}

static struct room_command answer_command(const struct room *room, enum room_seat seat, bool accept)
{
	struct room_command command = fresh(room, seat, ROOM_OP_ANSWER);

	command.accept = accept;
	return command;
}

static void do_command(struct room *room, struct room_command command)
{
	struct room_event event = event_of(room, &command);
	uint64_t rev = room_rev(room);

	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_int_equal(room_rev(room), rev + 1);
	assert_int_equal(room_find_command(room, command.seat, command.id), rev + 1);
}

static void take(struct room *room, enum room_seat seat, enum toy_code code)
{
	struct room_command command = fresh(room, seat, ROOM_OP_PLAY);

	command.action = toy_action(code);
	do_command(room, command);
}

static void ask(struct room *room, enum room_seat seat, enum room_request request)
{
	do_command(room, ask_command(room, seat, request));
}

static void answer(struct room *room, enum room_seat seat, bool accept)
{
	do_command(room, answer_command(room, seat, accept));
}

static void withdraw(struct room *room, enum room_seat seat)
{
	do_command(room, fresh(room, seat, ROOM_OP_WITHDRAW));
}

static void expire(struct room *room)
{
	struct room_event event;

	assert_int_equal(room_decide_expiry(room, NOW, &event), STATUS_OK);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
}

static enum status refused(const struct room *room, struct room_command command)
{
	struct snapshot before = snapshot_of(room);
	struct room_event event = {.rev = 77};
	enum status status = room_decide(room, &command, NOW, &event);

	assert_int_not_equal(status, STATUS_OK);
	assert_int_equal(event.rev, 77);
	assert_snapshots_equal(snapshot_of(room), before);
	return status;
}

static int stones(const struct room *room)
{
	return toy_unpack(room_state(room)).stones;
}

static int player(const struct room *room)
{
	return toy_unpack(room_state(room)).player;
}

static bool shows(const struct room *room, const char *json)
{
	return strstr(snapshot_of(room).text, json) != NULL;
}

/* Bug case 72: not the asker's own ply goes back, but the one that the request names. */
static void test_room_consent__an_undo_takes_back_the_ply_that_it_names(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	take(room, ROOM_HOST, TOY_TAKE_1);
	take(room, ROOM_GUEST, TOY_TAKE_3);
	ask(room, ROOM_HOST, ROOM_UNDO);
	assert_true(shows(room, "\"request\":{\"what\":\"undo\",\"by\":\"host\",\"at\":1004,"
				"\"ply\":{\"by\":\"guest\",\"action\":\"3\"}}"));
	assert_int_equal(room_open_request(room), 5);
	assert_int_equal(stones(room), 17);
	answer(room, ROOM_GUEST, true);
	assert_true(shows(room, "\"request\":null"));
	assert_int_equal(room_open_request(room), 0);
	assert_int_equal(stones(room), 20);
	assert_int_equal(player(room), 1);
	take(room, ROOM_GUEST, TOY_TAKE_2);
	assert_int_equal(stones(room), 18);
	room_destroy(room);
}

static void test_room_consent__the_next_undo_names_the_ply_before(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	take(room, ROOM_HOST, TOY_TAKE_1);
	take(room, ROOM_GUEST, TOY_TAKE_2);
	take(room, ROOM_HOST, TOY_TAKE_3);
	for (int code = 3; code >= 1; code--) {
		char ply[64];

		snprintf(ply, sizeof(ply), "\"ply\":{\"by\":\"%s\",\"action\":\"%d\"}}",
			code == 2 ? "guest" : "host", code);
		ask(room, ROOM_GUEST, ROOM_UNDO);
		assert_true(shows(room, ply));
		answer(room, ROOM_HOST, true);
	}
	assert_int_equal(stones(room), TOY_STONES);
	assert_int_equal(
		refused(room, ask_command(room, ROOM_HOST, ROOM_UNDO)), STATUS_ROOM_NO_PLY);
	room_destroy(room);
}

static void test_room_consent__an_undo_reopens_a_game_that_is_over(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	take(room, ROOM_HOST, TOY_RESIGN);
	assert_int_equal(room_phase(room), ROOM_OVER);
	ask(room, ROOM_HOST, ROOM_UNDO);
	assert_true(shows(room, "\"ply\":{\"by\":\"host\",\"action\":\"resign\"}"));
	answer(room, ROOM_GUEST, true);
	assert_int_equal(room_phase(room), ROOM_PLAYING);
	take(room, ROOM_HOST, TOY_TAKE_1);
	room_destroy(room);
}

/* Bug cases 73 and 75, and every other way in which a request ends with nothing done. */
static void test_room_consent__a_request_that_ends_otherwise_does_nothing(void **state)
{
	struct room *room = playing_room("toy");
	struct room_command late;

	(void)state;
	take(room, ROOM_HOST, TOY_TAKE_1);
	for (int request = 0; request < ROOM_REQUESTS; request++) {
		ask(room, ROOM_HOST, (enum room_request)request);
		answer(room, ROOM_GUEST, false);
		assert_true(shows(room, "\"request\":null"));
		ask(room, ROOM_GUEST, (enum room_request)request);
		withdraw(room, ROOM_GUEST);
		assert_true(shows(room, "\"request\":null"));
		ask(room, ROOM_GUEST, (enum room_request)request);
		expire(room);
		assert_true(shows(room, "\"request\":null"));
		/* After one that was done, the next one runs out as well. */
		ask(room, ROOM_GUEST, (enum room_request)request);
		expire(room);
		assert_int_equal(stones(room), 20);
		assert_true(shows(room, "\"games\":1,\"starterRole\":\"host\""));
	}

	ask(room, ROOM_HOST, ROOM_UNDO);
	late = answer_command(room, ROOM_GUEST, true);
	take(room, ROOM_GUEST, TOY_TAKE_2);
	assert_true(shows(room, "\"request\":null"));
	assert_int_equal(refused(room, late), STATUS_ROOM_STALE);
	late.rev = room_rev(room);
	assert_int_equal(refused(room, late), STATUS_ROOM_NO_REQUEST);
	assert_int_equal(stones(room), 18);
	room_destroy(room);
}

static void test_room_consent__an_open_request_stops_another_but_no_play(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	take(room, ROOM_HOST, TOY_TAKE_1);
	ask(room, ROOM_GUEST, ROOM_UNDO);
	for (int seat = 0; seat < ROOM_SEATS; seat++)
		for (int request = 0; request < ROOM_REQUESTS; request++)
			assert_int_equal(refused(room, ask_command(room, (enum room_seat)seat,
							       (enum room_request)request)),
				STATUS_ROOM_PENDING);
	take(room, ROOM_GUEST, TOY_TAKE_1);
	ask(room, ROOM_GUEST, ROOM_NEW_GAME);
	room_destroy(room);
}

static void test_room_consent__who_asked_cannot_agree_and_the_other_not_withdraw(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	ask(room, ROOM_GUEST, ROOM_NEW_GAME);
	assert_int_equal(
		refused(room, answer_command(room, ROOM_GUEST, true)), STATUS_ROOM_NOT_ALLOWED);
	assert_int_equal(
		refused(room, answer_command(room, ROOM_GUEST, false)), STATUS_ROOM_NOT_ALLOWED);
	assert_int_equal(
		refused(room, fresh(room, ROOM_HOST, ROOM_OP_WITHDRAW)), STATUS_ROOM_NOT_ALLOWED);
	answer(room, ROOM_HOST, true);
	room_destroy(room);
}

static void test_room_consent__there_is_nothing_to_answer_before_a_request(void **state)
{
	struct room *room = playing_room("toy");
	struct room_event event;

	(void)state;
	for (int seat = 0; seat < ROOM_SEATS; seat++) {
		enum room_seat who = (enum room_seat)seat;

		assert_int_equal(
			refused(room, answer_command(room, who, true)), STATUS_ROOM_NO_REQUEST);
		assert_int_equal(
			refused(room, fresh(room, who, ROOM_OP_WITHDRAW)), STATUS_ROOM_NO_REQUEST);
	}
	assert_int_equal(room_decide_expiry(room, NOW, &event), STATUS_ROOM_NO_REQUEST);
	room_destroy(room);
}

static void test_room_consent__nobody_is_asked_in_a_room_with_an_empty_seat(void **state)
{
	struct room *room = waiting_room("toy");

	(void)state;
	assert_int_equal(
		refused(room, ask_command(room, ROOM_HOST, ROOM_UNDO)), STATUS_ROOM_SUSPENDED);
	assert_int_equal(
		refused(room, ask_command(room, ROOM_HOST, ROOM_NEW_GAME)), STATUS_ROOM_SUSPENDED);
	room_destroy(room);
}

static void test_room_consent__the_first_player_alternates_from_game_to_game(void **state)
{
	static const char *const shown[] = {
		"\"games\":2,\"starterRole\":\"guest\",\"players\":{\"host\":1,\"guest\":0}",
		"\"games\":3,\"starterRole\":\"host\",\"players\":{\"host\":0,\"guest\":1}",
		"\"games\":4,\"starterRole\":\"guest\",\"players\":{\"host\":1,\"guest\":0}",
	};
	struct room *room = playing_room("toy");

	(void)state;
	for (int game = 0; game < 3; game++) {
		enum room_seat first = game % 2 ? ROOM_GUEST : ROOM_HOST;
		enum room_seat second = game % 2 ? ROOM_HOST : ROOM_GUEST;
		struct room_command early = fresh(room, second, ROOM_OP_PLAY);

		early.action = toy_action(TOY_TAKE_1);
		assert_int_equal(refused(room, early), STATUS_ROOM_NOT_YOUR_TURN);
		take(room, first, TOY_TAKE_2);
		/* The first is ended by resignation, the others are given up on the way. */
		if (game == 0)
			take(room, second, TOY_RESIGN);
		ask(room, second, ROOM_NEW_GAME);
		assert_true(shows(room, "\"ply\":null"));
		answer(room, first, true);
		assert_int_equal(room_phase(room), ROOM_PLAYING);
		assert_int_equal(stones(room), TOY_STONES);
		assert_true(shows(room, shown[game]));
	}
	room_destroy(room);
}

static void test_room_consent__an_undo_does_not_reach_into_the_game_before(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	take(room, ROOM_HOST, TOY_TAKE_3);
	ask(room, ROOM_HOST, ROOM_NEW_GAME);
	answer(room, ROOM_GUEST, true);
	assert_int_equal(
		refused(room, ask_command(room, ROOM_HOST, ROOM_UNDO)), STATUS_ROOM_NO_PLY);
	take(room, ROOM_GUEST, TOY_TAKE_1);
	ask(room, ROOM_GUEST, ROOM_UNDO);
	assert_true(shows(room, "\"ply\":{\"by\":\"guest\",\"action\":\"1\"}"));
	answer(room, ROOM_HOST, true);
	assert_int_equal(stones(room), TOY_STONES);
	assert_int_equal(
		refused(room, ask_command(room, ROOM_HOST, ROOM_UNDO)), STATUS_ROOM_NO_PLY);
	room_destroy(room);
}

static void test_room_consent__settings_are_the_hosts_before_the_first_ply(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_event event;

	(void)state;
	do_command(room, fresh(room, ROOM_HOST, ROOM_OP_SETTINGS));
	event = join_event(room);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_int_equal(
		refused(room, fresh(room, ROOM_GUEST, ROOM_OP_SETTINGS)), STATUS_ROOM_NOT_ALLOWED);
	do_command(room, fresh(room, ROOM_HOST, ROOM_OP_SETTINGS));
	take(room, ROOM_HOST, TOY_TAKE_1);
	assert_int_equal(
		refused(room, fresh(room, ROOM_HOST, ROOM_OP_SETTINGS)), STATUS_ROOM_BEGUN);
	ask(room, ROOM_HOST, ROOM_UNDO);
	answer(room, ROOM_GUEST, true);
	assert_int_equal(
		refused(room, fresh(room, ROOM_HOST, ROOM_OP_SETTINGS)), STATUS_ROOM_BEGUN);
	room_destroy(room);
}

static void test_room_consent__every_command_is_told_when_it_is_late(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	for (int op = ROOM_OP_PLAY; op <= ROOM_OP_WITHDRAW; op++) {
		struct room_command command = fresh(room, ROOM_GUEST, (enum room_op)op);

		command.rev--;
		assert_int_equal(refused(room, command), STATUS_ROOM_STALE);
	}
	room_destroy(room);
}

/* Of a damaged log. */
static void test_room_consent__events_that_do_not_follow_are_refused(void **state)
{
	struct room *room = playing_room("toy");
	struct room_event event = {.rev = 3, .at_ms = NOW, .command = "x"};
	struct snapshot before = snapshot_of(room);

	(void)state;
	for (int kind = ROOM_ACCEPTED; kind <= ROOM_EXPIRED; kind++) {
		event.kind = (enum room_event_kind)kind;
		assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	}
	event.kind = ROOM_ASKED;
	event.request = ROOM_UNDO; /* of no ply */
	assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	event.request = ROOM_REQUESTS;
	assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	event.kind = ROOM_SET;
	event.seat = ROOM_GUEST;
	assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	assert_snapshots_equal(snapshot_of(room), before);
	room_destroy(room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_consent__an_undo_takes_back_the_ply_that_it_names),
		cmocka_unit_test(test_room_consent__the_next_undo_names_the_ply_before),
		cmocka_unit_test(test_room_consent__an_undo_reopens_a_game_that_is_over),
		cmocka_unit_test(test_room_consent__a_request_that_ends_otherwise_does_nothing),
		cmocka_unit_test(test_room_consent__an_open_request_stops_another_but_no_play),
		cmocka_unit_test(
			test_room_consent__who_asked_cannot_agree_and_the_other_not_withdraw),
		cmocka_unit_test(test_room_consent__there_is_nothing_to_answer_before_a_request),
		cmocka_unit_test(test_room_consent__nobody_is_asked_in_a_room_with_an_empty_seat),
		cmocka_unit_test(test_room_consent__the_first_player_alternates_from_game_to_game),
		cmocka_unit_test(test_room_consent__an_undo_does_not_reach_into_the_game_before),
		cmocka_unit_test(test_room_consent__settings_are_the_hosts_before_the_first_ply),
		cmocka_unit_test(test_room_consent__every_command_is_told_when_it_is_late),
		cmocka_unit_test(test_room_consent__events_that_do_not_follow_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
