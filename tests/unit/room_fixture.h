/* SPDX-License-Identifier: MIT */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "room/room.h"
#include "toy_game.h"

/* Rooms of the toy game at their first stages, for tests: each step is checked on the way. */

enum { NOW = 1000 };

struct snapshot {
	char text[ROOM_SNAPSHOT_JSON];
};

/* The toy with a pile that outlasts the greatest length of a game. */
static inline enum status long_toy_start(
	const char *ruleset, struct game_state *state, struct game_record *record)
{
	return toy_begin(ruleset, TOY_STONES_MAX, 0, state, record);
}

/* "toy" and "long-toy". */
static inline const struct game_ops *const *games(void)
{
	static struct game_ops long_toy;
	static const struct game_ops *const list[] = {&toy_ops, &long_toy, NULL};

	long_toy = toy_ops;
	long_toy.name = "long-toy";
	long_toy.start = long_toy_start;
	return list;
}

static inline struct room_hash hash_of(unsigned char byte)
{
	struct room_hash hash;

	memset(&hash, byte, sizeof(hash));
	return hash;
}

static const unsigned char host_key = 0x11;
static const unsigned char guest_key = 0x22;
static const unsigned char invitation = 0x33;

static inline struct room_event creation(const char *game)
{
	struct room_event event = {.kind = ROOM_CREATED,
		.rev = 1,
		.at_ms = NOW,
		.key = hash_of(host_key),
		.invitation = hash_of(invitation)};

	strcpy(event.game, game);
	return event;
}

static inline struct room *waiting_room(const char *game)
{
	struct room_event event = creation(game);
	struct room *room = NULL;

	assert_int_equal(room_create(games(), "r00m", &event, &room), STATUS_OK);
	return room;
}

static inline struct room_event join_event(const struct room *room)
{
	struct room_hash secret = hash_of(invitation);
	struct room_hash key = hash_of(guest_key);
	struct room_event event;

	assert_int_equal(
		room_decide_join(room, &secret, room_game(room)->name, &key, NOW + 1, &event),
		STATUS_OK);
	return event;
}

static inline struct room *playing_room(const char *game)
{
	struct room *room = waiting_room(game);
	struct room_event event = join_event(room);

	assert_int_equal(room_apply(room, &event), STATUS_OK);
	return room;
}

/* A command as a client with the newest revision before its eyes would send it. */
static inline struct room_command command_of(
	const struct room *room, enum room_seat seat, const char *id, enum room_op op)
{
	struct room_command command = {.seat = seat, .rev = room_rev(room), .op = op};

	assert_true(strlen(id) < sizeof(command.id));
	strcpy(command.id, id);
	return command;
}

static inline struct room_command play_command(
	const struct room *room, enum room_seat seat, const char *id, struct game_action action)
{
	struct room_command command = command_of(room, seat, id, ROOM_OP_PLAY);

	command.action = action;
	return command;
}

static inline struct room_event event_of(
	const struct room *room, const struct room_command *command)
{
	struct room_event event;

	assert_int_equal(
		room_decide(room, command, NOW + (int64_t)room_rev(room), &event), STATUS_OK);
	return event;
}

static inline struct room_event play_event(
	const struct room *room, enum room_seat seat, const char *id, enum toy_code code)
{
	struct room_command command = play_command(room, seat, id, toy_action(code));

	return event_of(room, &command);
}

static inline void play(
	struct room *room, enum room_seat seat, const char *command, enum toy_code code)
{
	struct room_event event = play_event(room, seat, command, code);

	assert_int_equal(room_apply(room, &event), STATUS_OK);
}

static inline struct snapshot snapshot_of(const struct room *room)
{
	struct snapshot snapshot;
	struct text text;

	text_init(&text, snapshot.text, sizeof(snapshot.text));
	room_write_snapshot(room, &text);
	assert_false(text.overflow);
	return snapshot;
}

static inline struct snapshot snapshot_at(const struct room *room, uint64_t rev)
{
	struct snapshot snapshot;
	struct text text;

	text_init(&text, snapshot.text, sizeof(snapshot.text));
	assert_int_equal(room_write_snapshot_at(room, rev, &text), STATUS_OK);
	assert_false(text.overflow);
	return snapshot;
}

static inline void assert_snapshots_equal(struct snapshot a, struct snapshot b)
{
	assert_string_equal(a.text, b.text);
}
