/* SPDX-License-Identifier: MIT */
#pragma once

#include "server/presence.h"
#include "store/store.h"
#include "wire.h"

/*
 * What must be true of every run. What is not is told to `sim_fail`, by the name of the check:
 *
 *	ahead-of-disk     nobody is told of what is not on disk
 *	committed-lost    no row that the store has accepted is missing at a start
 *	row-invented      a row is what the server gave to the store, once
 *	row-wrong         it follows from those before, and obeys the rules
 *	state             who sees a revision sees the one right state; also after an undo
 *	first-player      who was second begins the next game
 *	command-twice     a command is applied once
 *	command-altered   and as it was sent
 *	stale-applied     and to the revision that its sender saw
 *	refused-applied   and never after it was refused
 *	answer            an answer is of its command, each time
 *	refusal           what is refused is refused for its reason, and nothing else is
 *	key               the key that is given opens the seat
 *	timer-early       time passes before what has its time happens
 *	timer-late        and then it happens
 *	presence          who is there is told as it is, to everybody who watches
 *	suspended         nobody moves while the other is away
 *	seat-early        a seat is lost by who was away so long, in a game under way, and only then
 *	seat-late         and then it is
 *	removal-in-use    no room is removed in which somebody is
 *	removal-early     nor before its time
 *	removal-late      and then it is
 *	removal-half      as a whole, and for good
 *	archive           and its games are kept as they were played
 *	limit             a seat may ask as often as it is said, and no more
 *	stream-order      a stream goes forward
 *	converged         when all is quiet, each tab shows its room as it is
 */

/* The store is given these rows, and has said what `statuses` say. */
void check_given(struct sim *sim, const struct store_row *rows, size_t count);
void check_written(struct sim *sim, const struct store_row *rows, size_t count, enum status result,
	const enum status *statuses);

/* A start reads a row, and has read them all. */
void check_loaded(struct sim *sim, const struct store_row *row);
void check_started(struct sim *sim);

/* A snapshot leaves the server; returns its revision, 0 where it is of no room. */
uint64_t check_snapshot(struct sim *sim, const char *json, size_t length);

/* An answer leaves it. `failures` says that the store failed while this was asked for, and
 * `limited` that the seat had asked too much */
void check_reply(struct sim *sim, struct errand *errand, const struct reply *reply, bool failures,
	bool limited);

/* The hub hands a row to the writer, and is told of it: in the same order. */
void check_submitted(struct sim *sim, const struct store_row *row);
void check_heard(struct sim *sim, enum status status);

void check_timers(struct sim *sim);
void check_end(struct sim *sim);

/* NULL: nothing is known of such a room. */
struct known_room *room_find(struct sim *sim, const char *id);

/* check_people.c: who is there. */

/* A request with this key arrives; NULL: it opens no seat. */
struct known_room *people_hear(
	struct sim *sim, const char *id, const char *key_hex, enum room_seat *seat);
void people_open_stream(struct known_room *room, enum room_seat seat);
void people_close_stream(struct known_room *room, enum room_seat seat);

/* The server has started with this room, and has heard of another row. */
void people_start(struct sim *sim, struct known_room *room);
void people_follow(struct sim *sim, struct known_room *room);

bool people_are_there(const struct known_room *room, enum room_seat seat);
/* Counts a command; false: there are too many. */
bool people_may_command(struct sim *sim, struct known_room *room, enum room_seat seat);
/* A `presence` up to its last member's value. */
void people_write(const struct known_room *room, char text[PRESENCE_JSON]);

/* A `presence` leaves the server. */
void check_presence(struct sim *sim, struct known_room *room, const char *json);
void check_loss_decided(struct sim *sim, const char *id, enum room_seat seat);
void check_move_decided(struct sim *sim, const char *id, enum room_seat seat);
/* The server has just looked around. */
void check_people(struct sim *sim);

/* check_removals.c: rooms that go. */
void removal_given(struct sim *sim, struct known_room *room, const char *archive);
void removal_written(struct sim *sim, struct known_room *room);
void check_removal_decided(struct sim *sim, const char *id);
void check_removals(struct sim *sim);
void check_archive(struct sim *sim);
