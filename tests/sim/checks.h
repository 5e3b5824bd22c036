/* SPDX-License-Identifier: MIT */
#pragma once

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

/* An answer leaves it. `failures` says that the store failed while this was asked for. */
void check_reply(struct sim *sim, struct errand *errand, const struct reply *reply, bool failures);

void check_timers(struct sim *sim);
void check_end(struct sim *sim);

/* NULL: nothing is known of such a room. */
struct known_room *room_find(struct sim *sim, const char *id);
