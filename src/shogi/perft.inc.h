/* SPDX-License-Identifier: MIT */

/*
 * Leaves of the tree of legal moves. The positions after all moves of one are made together, each
 * in its place, by the generator itself.
 */

static __attribute__((noinline)) unsigned children_first(
	const struct position *pos, struct position children[MOVES_MAX])
{
	struct move_sink sink = {.pos = pos, .child = children};

	generate_as(&sink, MAKE_CHILDREN, 0);
	return (unsigned)(sink.child - children);
}

static __attribute__((noinline)) unsigned children_second(
	const struct position *pos, struct position children[MOVES_MAX])
{
	struct move_sink sink = {.pos = pos, .child = children};

	generate_as(&sink, MAKE_CHILDREN, 1);
	return (unsigned)(sink.child - children);
}

/*
 * `depth` plies deep, at least 1. `bulk` counts the moves of the last ply; without it each position
 * there is made too.
 */
static uint64_t perft_below(const struct position *pos, int depth, bool bulk)
{
	struct position children[MOVES_MAX];
	unsigned count;
	uint64_t leaves = 0;

	if (depth == 1 && bulk)
		return count_moves(pos);
	count = pos->turn == 0 ? children_first(pos, children) : children_second(pos, children);
	if (depth == 1)
		return count;
	for (unsigned i = 0; i < count; i++)
		leaves += perft_below(&children[i], depth - 1, bulk);
	return leaves;
}

/* Depth 0 is the position itself. */
static inline uint64_t position_perft(const struct position *pos, int depth, bool bulk)
{
	return depth == 0 ? 1 : perft_below(pos, depth, bulk);
}
