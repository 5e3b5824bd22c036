/* SPDX-License-Identifier: MIT */

/*
 * Leaves of the tree of legal moves, `depth` plies deep; depth 0 is the position itself. `bulk`
 * counts the moves of the last ply instead of making them.
 */
static uint64_t position_perft(const struct position *pos, int depth, bool bulk)
{
	struct move list[MOVES_MAX];
	unsigned count;
	uint64_t leaves = 0;

	if (depth == 0)
		return 1;
	if (depth == 1 && bulk)
		return count_moves(pos);
	count = generate_moves(pos, list);
	for (unsigned i = 0; i < count; i++) {
		struct position child = *pos;

		position_play(&child, list[i]);
		leaves += position_perft(&child, depth - 1, bulk);
	}
	return leaves;
}
