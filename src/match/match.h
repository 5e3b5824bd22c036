/* SPDX-License-Identifier: MIT */
#pragma once

#include "match/elo.h"
#include "match/player.h"

/*
 * A match of two USI engines at Mini Shogi under the default rules, with our rules as the referee.
 * Two games in a row begin with the same random plies, each player once on either side. A game ends
 * by the verdict of the rules, by resignation, or by MATCH_PLIES_MAX as a draw; one that ends by
 * the fault of a player (an illegal move, a crash, time) is listed apart and counts for nobody.
 */
enum {
	MATCH_OPENING_PLIES = 4,
	MATCH_PLIES_MAX = 512, /* the opening included */
};

enum match_fault { FAULT_ILLEGAL, FAULT_CRASH, FAULT_TIME, FAULTS };

struct match_options {
	const char *commands[2]; /* the engine measured, and its peer */
	struct player_limits limits;
	unsigned games;
	uint64_t seed;
};

/* How one game ended. */
struct match_game {
	unsigned number; /* from 1 */
	int sente;       /* which player was Sente */
	size_t plies;
	int winner;   /* 0, 1: which player; -1: a draw */
	int at_fault; /* which player, or -1 */
	enum match_fault fault;
	enum game_reason reason; /* GAME_REASON_NONE: the cap, or a fault */
};

/* Of the engine measured; faults and times of both. */
struct match_result {
	struct tally tally;
	unsigned faults[2][FAULTS];
	double move_ms[2]; /* on average; 0 where there was no move */
};

/*
 * Plays it all; `report` hears of each game. False: the player `*broken` could not be started, or
 * not again, or there was no memory (-1); `result` has the games until then.
 */
bool match_play(const struct match_options *options,
	void (*report)(void *context, const struct match_game *game), void *context,
	struct match_result *result, int *broken);
