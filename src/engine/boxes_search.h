/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>

#include "engine/boxes_set.h"
#include "engine/boxes_strings.h"
#include "engine/boxes_table.h"

/*
 * Exact search of what is left of a graph. Values are boxes still to come, those of who moves less
 * those of the other, under best play. Only "is it worth this much" is ever asked; as a value is
 * odd exactly when the number of open boxes is, the questions step by two.
 */
struct boxes_search {
	const struct boxes_graph *graph;
	struct boxes_table *table;
	struct string_sums *sums; /* one thread's own */

	/*
	 * What the threads that ask the same question are at, each a set of edges in its place;
	 * NULL: there is one. Who finds another at a move tries the next ones first.
	 */
	struct boxes_busy *busy;

	/* Asked every BOXES_NODES_BETWEEN_CHECKS nodes; true ends the search. NULL: never. */
	bool (*should_stop)(void *context);
	void *context;

	uint64_t limit; /* it visits no more nodes than that in all; 0: any number */
	uint64_t nodes;
	uint64_t check_at; /* when it looks at the limit and asks again; 0 in a new one */
	bool stopped;
};

enum {
	BOXES_NODES_BETWEEN_CHECKS = 4096,
	BOXES_BUSY_PLACES = 1 << 14,
	BOXES_BUSY_EDGES = 16, /* with fewer, a position is not worth the word */
};

struct boxes_busy {
	_Atomic uint64_t edges[BOXES_BUSY_PLACES];
};

/* Whether it is worth at least `wanted` to who moves. Means nothing once the search has stopped. */
bool boxes_search_reaches(struct boxes_search *search, const struct coins *coins, int wanted);
