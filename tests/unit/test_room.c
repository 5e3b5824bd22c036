/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "room_fixture.h"

/* The refusal, from a decision that leaves both the room and the event alone. */
static enum status refused_play(const struct room *room, enum room_seat seat, const char *command,
	uint64_t rev, struct game_action action)
{
	struct snapshot before = snapshot_of(room);
	struct room_event event = {.rev = 77};
	struct room_command play = play_command(room, seat, command, action);
	enum status status;

	play.rev = rev;
	status = room_decide(room, &play, NOW, &event);

	assert_int_not_equal(status, STATUS_OK);
	assert_int_equal(event.rev, 77);
	assert_snapshots_equal(snapshot_of(room), before);
	return status;
}

static enum status refused_join(
	const struct room *room, unsigned char secret, const char *game, unsigned char key)
{
	struct room_hash secret_hash = hash_of(secret);
	struct room_hash key_hash = hash_of(key);
	struct snapshot before = snapshot_of(room);
	struct room_event event = {.rev = 77};
	enum status status = room_decide_join(room, &secret_hash, game, &key_hash, NOW, &event);

	assert_int_not_equal(status, STATUS_OK);
	assert_int_equal(event.rev, 77);
	assert_snapshots_equal(snapshot_of(room), before);
	return status;
}

/* The refusal of an event that does not follow; the room stays as it was. */
static enum status refused_event(struct room *room, struct room_event event)
{
	struct snapshot before = snapshot_of(room);
	int64_t at_ms = room_last_event_ms(room);
	enum status status = room_apply(room, &event);

	assert_int_not_equal(status, STATUS_OK);
	assert_snapshots_equal(snapshot_of(room), before);
	assert_int_equal(room_last_event_ms(room), at_ms);
	return status;
}

static void test_room__is_created_waiting_at_revision_one(void **state)
{
	struct room *room = waiting_room("toy");

	(void)state;
	assert_string_equal(room_id(room), "r00m");
	assert_ptr_equal(room_game(room), &toy_ops);
	assert_int_equal(room_rev(room), 1);
	assert_int_equal(room_last_event_ms(room), NOW);
	assert_int_equal(room_phase(room), ROOM_WAITING);
	assert_int_equal(toy_unpack(room_state(room)).stones, TOY_STONES);
	assert_string_equal(snapshot_of(room).text,
		"{\"room\":\"r00m\",\"game\":\"toy\",\"rev\":1,\"phase\":\"waiting\","
		"\"seats\":{\"host\":true,\"guest\":false},\"games\":1,\"starterRole\":\"host\","
		"\"players\":{\"host\":0,\"guest\":1},\"abandonedBy\":null,\"request\":null,"
		"\"state\":{\"stones\":21,\"player\":0,\"moves\":0,\"over\":false,\"reason\":null},"
		"\"position\":\"21 0\"}");
	room_destroy(room);
}

static void test_room__is_not_created_from_anything_but_a_first_event(void **state)
{
	static const char *const bad_ids[] = {
		"", "a b", "a\"", "caf\xc3\xa9", "a/b", "123456789012345678901234"};
	struct room_event good = creation("toy");
	struct room_event bad;
	struct room *room = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(bad_ids) / sizeof(bad_ids[0]); i++)
		assert_int_equal(room_create(games(), bad_ids[i], &good, &room), STATUS_ROOM_EVENT);
	bad = good;
	bad.rev = 2;
	assert_int_equal(room_create(games(), "r00m", &bad, &room), STATUS_ROOM_EVENT);
	bad = good;
	bad.at_ms = -1;
	assert_int_equal(room_create(games(), "r00m", &bad, &room), STATUS_ROOM_EVENT);
	bad = good;
	bad.kind = ROOM_JOINED;
	assert_int_equal(room_create(games(), "r00m", &bad, &room), STATUS_ROOM_EVENT);
	bad = creation("chess");
	assert_int_equal(room_create(games(), "r00m", &bad, &room), STATUS_GAME_UNKNOWN);
	assert_null(room);

	assert_int_equal(room_create(games(), "12345678901234567890123", &good, &room), STATUS_OK);
	room_destroy(room);
}

static void test_room__a_join_takes_the_other_seat_and_starts_play(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_event event = join_event(room);

	(void)state;
	assert_int_equal(event.kind, ROOM_JOINED);
	assert_int_equal(event.rev, 2);
	assert_int_equal(event.at_ms, NOW + 1);
	assert_int_equal(room_rev(room), 1);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_int_equal(room_rev(room), 2);
	assert_int_equal(room_last_event_ms(room), NOW + 1);
	assert_int_equal(room_phase(room), ROOM_PLAYING);
	assert_non_null(strstr(snapshot_of(room).text, "\"rev\":2,\"phase\":\"playing\""));
	room_destroy(room);
}

static void test_room__join_refuses_in_the_order_of_its_contract(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	assert_int_equal(refused_join(room, 0x44, "long-toy", 0x55), STATUS_ROOM_INVITATION);
	assert_int_equal(refused_join(room, invitation, "long-toy", 0x55), STATUS_ROOM_WRONG_GAME);
	assert_int_equal(refused_join(room, invitation, "toy", 0x55), STATUS_ROOM_FULL);
	room_destroy(room);
}

static void test_room__a_refused_join_leaves_the_seat_free(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_event event;

	(void)state;
	assert_int_equal(refused_join(room, 0x44, "toy", guest_key), STATUS_ROOM_INVITATION);
	assert_int_equal(
		refused_join(room, invitation, "long-toy", guest_key), STATUS_ROOM_WRONG_GAME);
	assert_int_equal(refused_join(room, invitation, "", guest_key), STATUS_ROOM_WRONG_GAME);
	event = join_event(room);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	room_destroy(room);
}

static void test_room__every_byte_of_a_hash_counts(void **state)
{
	struct room *room = playing_room("toy");
	struct room_hash hash;
	struct room_event event;
	enum room_seat seat;

	(void)state;
	for (size_t i = 0; i < ROOM_HASH_BYTES; i++) {
		for (unsigned char bit = 1; bit; bit = (unsigned char)(bit << 1)) {
			struct room_hash key = hash_of(0x55);

			hash = hash_of(host_key);
			hash.bytes[i] ^= bit;
			assert_false(room_find_seat(room, &hash, &seat));
			hash = hash_of(guest_key);
			hash.bytes[i] ^= bit;
			assert_false(room_find_seat(room, &hash, &seat));
			hash = hash_of(invitation);
			hash.bytes[i] ^= bit;
			assert_int_equal(room_decide_join(room, &hash, "toy", &key, NOW, &event),
				STATUS_ROOM_INVITATION);
		}
	}
	room_destroy(room);
}

static void test_room__finds_the_seat_of_a_key(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_hash host = hash_of(host_key);
	struct room_hash guest = hash_of(guest_key);
	struct room_hash secret = hash_of(invitation);
	struct room_hash zero = hash_of(0);
	struct room_event event = join_event(room);
	enum room_seat seat = ROOM_SEATS;

	(void)state;
	assert_true(room_find_seat(room, &host, &seat));
	assert_int_equal(seat, ROOM_HOST);
	seat = ROOM_SEATS;
	assert_false(room_find_seat(room, &guest, &seat));
	assert_false(room_find_seat(room, &secret, &seat));
	/* A seat that nobody took has no key, not one of zeros. */
	assert_false(room_find_seat(room, &zero, &seat));
	assert_int_equal(seat, ROOM_SEATS);

	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_true(room_find_seat(room, &guest, &seat));
	assert_int_equal(seat, ROOM_GUEST);
	assert_true(room_find_seat(room, &host, &seat));
	assert_int_equal(seat, ROOM_HOST);
	room_destroy(room);
}

static void test_room__the_host_begins_and_turns_follow_the_rules(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_3);
	play(room, ROOM_GUEST, "b", TOY_TAKE_1);
	play(room, ROOM_HOST, "c", TOY_PASS);
	assert_int_equal(room_rev(room), 5);
	assert_int_equal(toy_unpack(room_state(room)).stones, 17);
	assert_int_equal(room_phase(room), ROOM_PLAYING);
	room_destroy(room);
}

static void test_room__play_refuses_in_the_order_of_its_contract(void **state)
{
	struct room *room = waiting_room("toy");
	struct game_action illegal = {99};
	struct room_event event;

	(void)state;
	/* Each time the fault before is mended and all later ones stay. */
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 0, illegal), STATUS_ROOM_STALE);
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 2, illegal), STATUS_ROOM_STALE);
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 1, illegal), STATUS_ROOM_SUSPENDED);
	event = join_event(room);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_int_equal(
		refused_play(room, ROOM_GUEST, "x", 2, illegal), STATUS_ROOM_NOT_YOUR_TURN);
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 2, illegal), STATUS_MOVE_PATTERN);

	play(room, ROOM_HOST, "a", TOY_RESIGN);
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 2, illegal), STATUS_ROOM_STALE);
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 3, illegal), STATUS_GAME_OVER);
	assert_int_equal(refused_play(room, ROOM_GUEST, "x", 3, illegal), STATUS_GAME_OVER);
	room_destroy(room);
}

static void test_room__the_host_waits_for_a_guest(void **state)
{
	struct room *room = waiting_room("toy");

	(void)state;
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 1, toy_action(TOY_TAKE_1)),
		STATUS_ROOM_SUSPENDED);
	assert_int_equal(refused_play(room, ROOM_HOST, "x", 1, toy_action(TOY_RESIGN)),
		STATUS_ROOM_SUSPENDED);
	room_destroy(room);
}

static void test_room__resignation_is_for_the_player_to_move_and_ends_the_game(void **state)
{
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_1);
	assert_int_equal(refused_play(room, ROOM_HOST, "b", 3, toy_action(TOY_RESIGN)),
		STATUS_ROOM_NOT_YOUR_TURN);
	play(room, ROOM_GUEST, "c", TOY_RESIGN);
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_non_null(strstr(snapshot_of(room).text, "\"rev\":4,\"phase\":\"over\""));
	assert_non_null(strstr(snapshot_of(room).text, "\"reason\":\"resignation\""));
	room_destroy(room);
}

static void test_room__a_decision_changes_nothing_until_it_is_applied(void **state)
{
	struct room *room = playing_room("toy");
	struct snapshot before = snapshot_of(room);
	struct room_event first = play_event(room, ROOM_HOST, "a", TOY_TAKE_1);
	struct room_event second = play_event(room, ROOM_HOST, "b", TOY_TAKE_2);

	(void)state;
	assert_snapshots_equal(snapshot_of(room), before);
	assert_int_equal(room_find_command(room, ROOM_HOST, "a"), 0);
	assert_int_equal(first.rev, 3);
	assert_int_equal(second.rev, 3);
	assert_int_equal(room_apply(room, &second), STATUS_OK);
	/* Of two events decided on one revision, only one can follow. */
	assert_int_equal(refused_event(room, first), STATUS_ROOM_EVENT);
	room_destroy(room);
}

static void test_room__finds_a_command_by_seat_and_whole_id(void **state)
{
	char longest[ROOM_COMMAND_BYTES];
	struct room *room = playing_room("toy");

	(void)state;
	memset(longest, 'z', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	play(room, ROOM_HOST, "same", TOY_TAKE_1);
	play(room, ROOM_GUEST, "same", TOY_TAKE_1);
	play(room, ROOM_HOST, longest, TOY_TAKE_1);
	assert_int_equal(room_find_command(room, ROOM_HOST, "same"), 3);
	assert_int_equal(room_find_command(room, ROOM_GUEST, "same"), 4);
	assert_int_equal(room_find_command(room, ROOM_HOST, longest), 5);
	assert_int_equal(room_find_command(room, ROOM_GUEST, longest), 0);
	assert_int_equal(room_find_command(room, ROOM_HOST, "sam"), 0);
	assert_int_equal(room_find_command(room, ROOM_HOST, "samee"), 0);
	assert_int_equal(room_find_command(room, ROOM_HOST, "Same"), 0);
	assert_int_equal(room_find_command(room, ROOM_HOST, ""), 0);
	room_destroy(room);
}

static void test_room__commands_with_one_hash_are_told_apart(void **state)
{
	/* Both are 0x62d4fc8d in 32-bit FNV-1a. */
	static const char *const first = "m0oe1l";
	static const char *const second = "5aum35";
	struct room *room = playing_room("toy");

	(void)state;
	play(room, ROOM_HOST, first, TOY_TAKE_1);
	assert_int_equal(room_find_command(room, ROOM_HOST, second), 0);
	play(room, ROOM_GUEST, "x", TOY_TAKE_1);
	play(room, ROOM_HOST, second, TOY_TAKE_1);
	assert_int_equal(room_find_command(room, ROOM_HOST, first), 3);
	assert_int_equal(room_find_command(room, ROOM_HOST, second), 5);
	room_destroy(room);
}

static void test_room__finds_every_command_of_a_long_room(void **state)
{
	enum { PLAYS = 1000 };
	struct room *room = playing_room("long-toy");
	char id[16];

	(void)state;
	/* Each id twice, once a seat. */
	for (int i = 0; i < PLAYS; i++) {
		snprintf(id, sizeof(id), "c%d", i / 2);
		play(room, i % 2 ? ROOM_GUEST : ROOM_HOST, id, TOY_TAKE_1);
	}
	for (int i = 0; i < PLAYS; i++) {
		snprintf(id, sizeof(id), "c%d", i / 2);
		assert_int_equal(
			room_find_command(room, i % 2 ? ROOM_GUEST : ROOM_HOST, id), 3 + i);
	}
	assert_int_equal(room_find_command(room, ROOM_HOST, "c500"), 0);
	room_destroy(room);
}

static void test_room__knows_the_form_of_a_command_id(void **state)
{
	char word[ROOM_COMMAND_BYTES + 1];

	(void)state;
	assert_true(room_command_valid("a"));
	assert_true(room_command_valid("AZaz09_-"));
	assert_false(room_command_valid(""));
	memset(word, 'a', sizeof(word));
	word[ROOM_COMMAND_BYTES - 1] = 0;
	assert_true(room_command_valid(word));
	word[ROOM_COMMAND_BYTES - 1] = 'a';
	word[ROOM_COMMAND_BYTES] = 0;
	assert_false(room_command_valid(word));
	for (int byte = 1; byte < 256; byte++) {
		bool good =
			strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
				byte) != NULL;

		assert_int_equal(room_command_valid((char[]){'a', (char)byte, 0}), good);
	}
}

static void test_room__refuses_events_that_do_not_follow(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_event join = join_event(room);
	struct room_event played = {.kind = ROOM_PLAYED,
		.rev = 2,
		.at_ms = NOW,
		.command = "a",
		.action = {TOY_TAKE_1}};
	struct room_event bad;

	(void)state;
	assert_int_equal(refused_event(room, creation("toy")), STATUS_ROOM_EVENT);
	bad = creation("toy");
	bad.rev = 2;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	assert_int_equal(refused_event(room, played), STATUS_ROOM_EVENT);
	bad = join;
	bad.key = hash_of(host_key);
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad = join;
	bad.at_ms = -1;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad = join;
	bad.rev = 1;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad.rev = 3;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad.rev = 0;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad = join;
	bad.kind = (enum room_event_kind)99;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);

	assert_int_equal(room_apply(room, &join), STATUS_OK);
	join.rev = 3;
	join.key = hash_of(0x55);
	assert_int_equal(refused_event(room, join), STATUS_ROOM_EVENT);
	room_destroy(room);
}

static void test_room__refuses_plays_that_do_not_follow(void **state)
{
	struct room *room = playing_room("toy");
	struct room_event good;
	struct room_event bad;

	(void)state;
	play(room, ROOM_HOST, "a", TOY_TAKE_1);
	play(room, ROOM_GUEST, "b", TOY_TAKE_1);
	good = play_event(room, ROOM_HOST, "c", TOY_TAKE_1);

	bad = good;
	bad.seat = ROOM_GUEST;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad.seat = ROOM_SEATS;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad = good;
	strcpy(bad.command, "a");
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	strcpy(bad.command, "");
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	strcpy(bad.command, "c d");
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	memset(bad.command, 'c', sizeof(bad.command));
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	bad = good;
	bad.action.code = 0;
	assert_int_equal(refused_event(room, bad), STATUS_MOVE_PATTERN);
	assert_int_equal(room_find_command(room, ROOM_HOST, "c"), 0);

	/* What was refused left nothing behind that would stop the good one. */
	assert_int_equal(room_apply(room, &good), STATUS_OK);
	bad = play_event(room, ROOM_GUEST, "d", TOY_TAKE_1);
	bad.seat = ROOM_SEATS;
	assert_int_equal(refused_event(room, bad), STATUS_ROOM_EVENT);
	play(room, ROOM_GUEST, "d", TOY_RESIGN);
	bad = good;
	bad.rev = 7;
	strcpy(bad.command, "e");
	assert_int_equal(refused_event(room, bad), STATUS_GAME_OVER);
	room_destroy(room);
}

static void test_room__time_may_go_back_as_clocks_do(void **state)
{
	struct room *room = waiting_room("toy");
	struct room_event event = join_event(room);

	(void)state;
	event.at_ms = 0;
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	assert_int_equal(room_last_event_ms(room), 0);
	room_destroy(room);
}

static void test_room__a_game_that_reaches_the_greatest_length_is_refused_more(void **state)
{
	struct room *room = playing_room("long-toy");
	char command[ROOM_COMMAND_BYTES];
	struct snapshot early;
	struct room_event next;

	(void)state;
	for (int ply = 0; ply < GAME_PLIES_MAX; ply++) {
		/* Ids of the full width, so that their list reaches its maximum too. */
		snprintf(command, sizeof(command), "%064d", ply);
		play(room, ply % 2 ? ROOM_GUEST : ROOM_HOST, command, TOY_TAKE_1);
		if (ply == 999)
			early = snapshot_of(room);
	}
	assert_int_equal(room_rev(room), GAME_PLIES_MAX + 2);
	assert_int_equal(
		refused_play(room, ROOM_HOST, "one-more", room_rev(room), toy_action(TOY_TAKE_1)),
		STATUS_GAME_TOO_LONG);
	next = (struct room_event){.kind = ROOM_PLAYED,
		.rev = room_rev(room) + 1,
		.seat = ROOM_HOST,
		.command = "one-more",
		.action = toy_action(TOY_TAKE_1)};
	assert_int_equal(refused_event(room, next), STATUS_GAME_TOO_LONG);
	assert_int_equal(room_phase(room), ROOM_PLAYING);
	snprintf(command, sizeof(command), "%064d", 0);
	assert_int_equal(room_find_command(room, ROOM_HOST, command), 3);
	assert_snapshots_equal(snapshot_at(room, 1002), early);
	/* There is always space for it to end: a request that was open before, and who goes. */
	next = (struct room_event){.kind = ROOM_EXPIRED, .rev = room_rev(room) + 1};
	assert_int_equal(refused_event(room, next), STATUS_ROOM_EVENT); /* none was open */
	for (int seat = 0; seat < ROOM_SEATS; seat++) {
		struct room_command leave =
			command_of(room, (enum room_seat)seat, "leave", ROOM_OP_LEAVE);

		next = event_of(room, &leave);
		assert_int_equal(room_apply(room, &next), STATUS_OK);
	}
	assert_int_equal(room_phase(room), ROOM_CLOSED);
	room_destroy(room);
}

static void test_room__destroys_nothing(void **state)
{
	(void)state;
	room_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room__is_created_waiting_at_revision_one),
		cmocka_unit_test(test_room__is_not_created_from_anything_but_a_first_event),
		cmocka_unit_test(test_room__a_join_takes_the_other_seat_and_starts_play),
		cmocka_unit_test(test_room__join_refuses_in_the_order_of_its_contract),
		cmocka_unit_test(test_room__a_refused_join_leaves_the_seat_free),
		cmocka_unit_test(test_room__every_byte_of_a_hash_counts),
		cmocka_unit_test(test_room__finds_the_seat_of_a_key),
		cmocka_unit_test(test_room__the_host_begins_and_turns_follow_the_rules),
		cmocka_unit_test(test_room__play_refuses_in_the_order_of_its_contract),
		cmocka_unit_test(test_room__the_host_waits_for_a_guest),
		cmocka_unit_test(
			test_room__resignation_is_for_the_player_to_move_and_ends_the_game),
		cmocka_unit_test(test_room__a_decision_changes_nothing_until_it_is_applied),
		cmocka_unit_test(test_room__finds_a_command_by_seat_and_whole_id),
		cmocka_unit_test(test_room__commands_with_one_hash_are_told_apart),
		cmocka_unit_test(test_room__finds_every_command_of_a_long_room),
		cmocka_unit_test(test_room__knows_the_form_of_a_command_id),
		cmocka_unit_test(test_room__refuses_events_that_do_not_follow),
		cmocka_unit_test(test_room__refuses_plays_that_do_not_follow),
		cmocka_unit_test(test_room__time_may_go_back_as_clocks_do),
		cmocka_unit_test(
			test_room__a_game_that_reaches_the_greatest_length_is_refused_more),
		cmocka_unit_test(test_room__destroys_nothing),
	};

	return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
