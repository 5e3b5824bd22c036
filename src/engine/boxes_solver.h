/* SPDX-License-Identifier: MIT */
#pragma once

#include "boxes/boxes.h"
#include "engine/boxes_table.h"

/*
 * The solver of Petits carrés: what a position is worth, exactly, and which lines keep it. A value
 * is the number of boxes still to be closed that go to who moves, less those of the other, under
 * best play of both; boxes closed already do not count.
 *
 * A solver shares nothing with another; one is used by one thread at a time, and starts as many
 * more as it is told. It keeps what it has learnt for the next question about the same grid.
 */
struct boxes_solver;

struct boxes_solver_settings {
	size_t table_bytes; /* at most so much for the table, which is nearly all of it */
	int threads;        /* 1 to BOXES_THREADS_MAX, the caller's included */
};

/*
 * Where it ends at the latest; 0 is no limit. With one thread and `nodes` alone it is repeatable.
 * No more nodes are visited than `nodes`, by all threads; the time is looked at every
 * BOXES_NODES_BETWEEN_CHECKS nodes.
 */
struct boxes_limits {
	uint64_t nodes;
	uint64_t time_ms; /* needs a clock */
};

/* What it asks of its caller, from within a question, on the caller's thread; any may be NULL. */
struct boxes_host {
	void *context;
	bool (*should_stop)(void *context);
	uint64_t (*clock_ms)(void *context); /* monotonic, from any beginning */
	/* After each bound that was found: the value lies within them. */
	void (*progress)(void *context, struct boxes_bounds value, uint64_t nodes);
};

/* What was found: bounds that are equal are the value. What a limit left open is between them. */
struct boxes_answer {
	struct boxes_bounds value;
	bool best_known; /* `best` holds all lines that keep the value */
	bool best[BOXES_EDGES_MAX];
	struct boxes_bounds scores[BOXES_EDGES_MAX]; /* of each free line, as the value after it */
	uint64_t nodes;
};

/* How much to find out. */
enum boxes_question { BOXES_VALUE, BOXES_BEST_LINES, BOXES_ALL_SCORES };

/*
 * How many bytes of table a position of so many free lines deserves, where nobody says: 4 MiB to
 * `most`, a power of two, which is BOXES_TABLE_SHARED where others want memory too.
 */
enum { BOXES_TABLE_SHARED = 256 << 20 };
size_t boxes_default_table_bytes(int free_lines, size_t most);

MUST_CHECK enum status boxes_solver_create(
	const struct boxes_solver_settings *settings, struct boxes_solver **solver);
void boxes_solver_destroy(struct boxes_solver *solver);

/*
 * Positions of more than 64 free lines are not searched: their bounds are what the number of open
 * boxes says. Does not change the position.
 */
void boxes_solver_ask(struct boxes_solver *solver, const struct boxes_position *position,
	enum boxes_question question, const struct boxes_limits *limits,
	const struct boxes_host *host, struct boxes_answer *answer);

/*
 * Makes it ready for the grid of a position, as the first question does, so that entries can be
 * added to its table before that. False: more than 64 lines are free.
 */
bool boxes_solver_prepare(struct boxes_solver *solver, const struct boxes_position *position);

/* Its table, to be written to a file and read back. What is added is for the position that it was
 * prepared for. */
struct boxes_table *boxes_solver_table(struct boxes_solver *solver);
