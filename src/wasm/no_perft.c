/* SPDX-License-Identifier: MIT */

/*
 * Nothing in a page asks for perft, and the code that makes all positions after a position would be
 * a quarter of what a phone loads. As no_formats.c, this definition is linked as an object.
 */
#include "shogi/mini.h"

uint64_t mini_perft(const struct game_state *state, int depth, bool bulk)
{
	(void)state;
	(void)depth;
	(void)bulk;
	__builtin_trap();
}
