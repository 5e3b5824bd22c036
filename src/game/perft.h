/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/game.h"

/*
 * The leaves of the tree of legal moves, move by move from the root: `branch` hears of each legal
 * action, as text, and of the leaves below it. `depth` is at least 1. Returns their sum.
 */
uint64_t game_perft_split(const struct game_ops *ops, const struct game_state *state, int depth,
	bool bulk, void (*branch)(void *context, const char *action, uint64_t leaves),
	void *context);
