/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"
#include "match/child.h"

/* A USI engine that plays in a match, as a child process. */
struct player {
	const char *command; /* outlives the player */
	bool running;
	uint64_t moves;   /* that it made in all */
	uint64_t time_ms; /* that they took it */
	struct child child;
};

enum {
	PLAYER_PREPARE_MS = 10000, /* for "usiok" and for "readyok" */
	/* Beyond its time for a move: what a busy machine may take, then what is waited for at all.
	 */
	PLAYER_MARGIN_MS = 1000,
	PLAYER_HANG_MS = 5000,
	PLAYER_HANG_NODES_MS = 60000, /* the same where nodes are the limit */
};

/* What a player may use for a move; exactly one of the two is not 0. */
struct player_limits {
	uint64_t movetime_ms;
	uint64_t nodes;
};

enum player_answer {
	PLAYER_MOVE,
	PLAYER_RESIGNS,
	PLAYER_ILLEGAL, /* no move at all, or one that the rules refuse */
	PLAYER_CRASHED,
	PLAYER_LATE,
};

/* Starts the engine where it does not run, chooses the variant, and announces a game. */
bool player_prepare(struct player *player);

void player_stop(struct player *player);

/*
 * Asks for a move in `line`, which is not over. `*action` is written for PLAYER_MOVE. A player that
 * crashed or hangs is stopped.
 */
enum player_answer player_move(struct player *player, const struct game_line *line,
	const struct player_limits *limits, struct game_action *action);
