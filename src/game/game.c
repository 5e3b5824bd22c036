/* SPDX-License-Identifier: MIT */
#include "game/game.h"

#include <assert.h>
#include <string.h>

const char *game_reason_name(enum game_reason reason)
{
	static const char *const names[] = {
		[GAME_REASON_NONE] = NULL,
		[GAME_REASON_CHECKMATE] = "checkmate",
		[GAME_REASON_NO_LEGAL_MOVE] = "no-legal-move",
		[GAME_REASON_RESIGNATION] = "resignation",
		[GAME_REASON_REPETITION] = "repetition",
		[GAME_REASON_PERPETUAL_CHECK] = "perpetual-check",
		[GAME_REASON_MUTUAL_PERPETUAL] = "mutual-perpetual",
		[GAME_REASON_PLY_LIMIT] = "ply-limit",
	};

	assert((size_t)reason < sizeof(names) / sizeof(names[0]));
	return names[reason];
}

const struct game_ops *game_find(const struct game_ops *const *games, const char *name)
{
	for (; *games; games++) {
		if (strcmp((*games)->name, name) == 0)
			return *games;
	}
	return NULL;
}
