/* SPDX-License-Identifier: MIT */
#include "shogi/mini.h"

#include "shogi/perft.inc.h"

uint64_t mini_perft(const struct game_state *state, int depth, bool bulk)
{
	return position_perft(mini_state_position(state), depth, bulk);
}
