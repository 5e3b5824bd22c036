/* SPDX-License-Identifier: MIT */

/*
 * Leaves of the tree of legal moves, `depth` plies deep; depth 0 is the position itself. `bulk`
 * counts the moves of the last ply instead of making them.
 */
static uint64_t perft_first(const struct position *pos, int depth, bool bulk);
static uint64_t perft_second(const struct position *pos, int depth, bool bulk);

static ALWAYS_INLINE uint64_t perft_as(const struct position *pos, int us, int depth, bool bulk)
{
	struct move list[MOVES_MAX];
	unsigned count;
	uint64_t leaves = 0;

	if (depth == 0)
		return 1;
	if (depth == 1 && bulk)
		return generate_as(pos, us, COUNT_MOVES, NULL);
	count = generate_as(pos, us, LIST_MOVES, list);
	for (unsigned i = 0; i < count; i++) {
		struct position child = *pos;

		position_play_as(&child, us, list[i]);
		leaves += us == 0 ? perft_second(&child, depth - 1, bulk)
				  : perft_first(&child, depth - 1, bulk);
	}
	return leaves;
}

static uint64_t perft_first(const struct position *pos, int depth, bool bulk)
{
	return perft_as(pos, 0, depth, bulk);
}

static uint64_t perft_second(const struct position *pos, int depth, bool bulk)
{
	return perft_as(pos, 1, depth, bulk);
}

static inline uint64_t position_perft(const struct position *pos, int depth, bool bulk)
{
	return pos->turn == 0 ? perft_first(pos, depth, bulk) : perft_second(pos, depth, bulk);
}
