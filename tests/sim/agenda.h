/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What is to happen when, in simulated milliseconds. Things of one time happen in the order in
 * which they were entered, so that a run depends on nothing but its seed.
 */
struct sim;

/* `what` and `number` are those that were entered. */
typedef void agenda_act(struct sim *sim, void *what, uint64_t number);

struct agenda_item {
	uint64_t at_ms;
	uint64_t order;
	agenda_act *act;
	void *what;
	uint64_t number;
};

/* A heap: the first item is the next. */
struct agenda {
	struct agenda_item *items;
	size_t count;
	size_t capacity;
	uint64_t entered;
};

void agenda_release(struct agenda *agenda);
void agenda_enter(
	struct agenda *agenda, uint64_t at_ms, agenda_act *act, void *what, uint64_t number);

/* False: nothing is left. */
bool agenda_take(struct agenda *agenda, struct agenda_item *item);
