/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"

/*
 * The computer player: a position goes in, a move comes out. It speaks no protocol, prints nothing,
 * starts no thread and reads no clock; what it needs of the world comes in through `struct
 * engine_host`. An engine shares nothing with another, so a process may hold many; one engine is
 * used by one thread at a time. Only `should_stop` need be ready to hear from other threads.
 *
 * With `depth` or `nodes` alone as its limits, a search is repeatable: the same line gives the same
 * move after the same number of nodes.
 */
struct engine;

enum {
	ENGINE_DEPTH_MAX = 40, /* plies; deeper limits mean this one */
	ENGINE_LINE_MAX = 64,  /* plies of a line that it expects */
	/* `should_stop` is asked, and the clock read, each time so many nodes have passed. */
	ENGINE_NODES_BETWEEN_CHECKS = 1024,
};

/* Where a search ends at the latest; 0 is no limit. */
struct engine_limits {
	int depth;            /* plies */
	uint64_t nodes;       /* positions visited, never exceeded */
	uint64_t movetime_ms; /* needs a clock */
};

/*
 * A value in hundredths of a pawn, as the side to move sees it. `mate_plies` is not 0 when the end
 * of the game is seen: it comes after that many plies, and the side to move wins it (positive) or
 * loses it (negative).
 */
struct engine_score {
	int centipawns;
	int mate_plies;
};

/* What a search knows after each depth that it has searched whole. */
struct engine_info {
	int depth;
	uint64_t nodes;
	struct engine_score score;
	struct game_action line[ENGINE_LINE_MAX];
	size_t line_length;
};

struct engine_result {
	struct game_action move; /* code 0: there is no legal move */
	struct engine_score score;
	int depth; /* searched whole */
	uint64_t nodes;
};

/* What a search asks of its caller, from within engine_search(); any may be NULL. */
struct engine_host {
	void *context;
	void (*info)(void *context, const struct engine_info *info);
	bool (*should_stop)(void *context);
	uint64_t (*clock_ms)(void *context); /* monotonic, from any beginning */
};

/* Makes an engine that stands at the start of Mini Shogi. */
MUST_CHECK enum status engine_create(struct engine **engine);
void engine_destroy(struct engine *engine);

/*
 * Takes a copy of `line`, its past included, for the rules on repetition. STATUS_GAME_UNKNOWN: a
 * game that it does not play. On any refusal the engine stays where it was.
 */
MUST_CHECK enum status engine_set_line(struct engine *engine, const struct game_line *line);

/* A position as text: moves in USI, between blanks, played from a set-up. */
struct engine_text {
	const char *ruleset; /* NULL: the default */
	const char *setup;   /* SFEN; NULL: the start of the ruleset */
	size_t setup_length;
	const char *moves; /* may be NULL when `moves_length` is 0 */
	size_t moves_length;
};

/*
 * The same from text. On a refusal `*at` is the byte at fault, within `setup` or `moves` or right
 * after it; NULL when no place is.
 */
MUST_CHECK enum status engine_set_text(
	struct engine *engine, const struct engine_text *text, const char **at);

/* The line it stands at the end of, until it is set anew. */
const struct game_line *engine_line(const struct engine *engine);

/*
 * Searches until a limit, `should_stop`, ENGINE_DEPTH_MAX, or a forced end that no deeper search
 * could better. Does not change the line. A move is found even when it is stopped at once: a legal
 * one that does not lose on the spot, where there is one.
 */
struct engine_result engine_search(
	struct engine *engine, const struct engine_limits *limits, const struct engine_host *host);
