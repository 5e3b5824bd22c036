/* SPDX-License-Identifier: MIT */

/* For measurements: the module with this in it is none that a page loads. */
#include "game/line.h"
#include "wasm/buffers.h"
#include "wasm/current.h"

enum { PERFT_DEPTH_MAX = 30 /* as deep as the command line goes; the stack has room for more */ };

EXPORT(perft) double wasm_perft(int depth, int bulk);

/* Leaves below the position, exact up to 2^53: a JavaScript number is no longer. */
double wasm_perft(int depth, int bulk)
{
	const struct game_line *line = wasm_current();

	if (depth < 0 || depth > PERFT_DEPTH_MAX)
		__builtin_trap();
	return (double)game_line_ops(line)->perft(game_line_state(line), depth, bulk != 0);
}
