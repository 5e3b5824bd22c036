/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/engine.h"
#include "usi/words.h"

/* What a `go` asks for. */
struct go {
	struct engine_limits limits;
	bool infinite; /* answers after `stop` only */
	bool mate;     /* a solver is asked for */
	int perft;     /* -1: a move is asked for, not a count */
};

/*
 * Reads what follows `go` for the side `player`. False: `*bad` is the word at fault, of length 0
 * where one is missing, and `*wanted` says in words what would be right.
 */
bool go_read(struct words *words, int player, struct go *go, struct word *bad, const char **wanted);
