/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/boxes_solver.h"

/*
 * The computer player of Petits carrés: a position goes in, a line comes out. Its levels are named
 * after what they do; the weakness of each is one idea that the next one has.
 *
 * A player shares nothing with another; one is used by one thread at a time, and starts no thread
 * but those of its solver. It keeps what the solver has learnt for the next line of the same game.
 */
enum boxes_level {
	BOXES_TAKER,        /* takes every box it can; does not see what a line gives away */
	BOXES_OPENER,       /* then prefers safe lines, and opens the shortest string */
	BOXES_GREEDY,       /* thinks ahead who must open first, as if all took every box */
	BOXES_COUNTER,      /* knows double-dealing and counts chains; reckons with no answer */
	BOXES_NEAR_PERFECT, /* reckons with answers, few of them; exact when the end is near */
	BOXES_MASTER,       /* all the time it has; exact as soon as the solver finishes */
	/* No level for people, but what levels are measured against: takes what is offered, draws
	 * any safe line while there is one, and is exact from then on. */
	BOXES_RANDOM_SAFE,
	BOXES_LEVELS
};

/* The stable word, e.g. "near-perfect". Never NULL; static lifetime. */
const char *boxes_level_code(enum boxes_level level);

/* The level of a word, of so many bytes; BOXES_LEVELS: there is none. */
enum boxes_level boxes_level_of(const char *code, size_t length);

struct boxes_player;

struct boxes_player_settings {
	struct boxes_solver_settings solver;
	size_t tree_bytes; /* at most so much for what it thinks of lines before the solver can */
	uint64_t seed;     /* of its choices among lines that are alike to it, and its trials */
};

struct boxes_choice {
	int edge;
	/* The solver has found it: no line is worth more, and `value` is what is to come. */
	bool exact;
	int value;      /* boxes still to come, its own less the other's, as it expects them */
	uint64_t nodes; /* positions of the solver, and trials */
};

MUST_CHECK enum status boxes_player_create(
	const struct boxes_player_settings *settings, struct boxes_player **player);
void boxes_player_destroy(struct boxes_player *player);

/* From now on its choices are those of a player made with that seed. */
void boxes_player_reseed(struct boxes_player *player, uint64_t seed);

/*
 * Chooses a line for who moves, in a position that is not over. Where a limit is reached or the
 * host wants it to stop, it says the best line so far, so there always is one; `progress` of the
 * host is not called. Levels below BOXES_NEAR_PERFECT need some milliseconds and no limits.
 */
void boxes_player_choose(struct boxes_player *player, const struct boxes_position *position,
	enum boxes_level level, const struct boxes_limits *limits, const struct boxes_host *host,
	struct boxes_choice *choice);
