/* SPDX-License-Identifier: MIT */

/*
 * Legal moves, and only those: no move is made to see whether it was legal. The side and the
 * purpose are constant arguments, so that each combination becomes code of its own; counting shares
 * all of the rules with listing and differs only in the `emit` functions.
 */
enum purpose { COUNT_MOVES, LIST_MOVES };

enum { MOVES_MAX = GAME_ACTIONS_MAX };

struct move_sink {
	struct move *next; /* LIST_MOVES: where the next move goes */
	unsigned count;    /* COUNT_MOVES */
};

static ALWAYS_INLINE void emit(
	struct move_sink *sink, enum purpose purpose, int from, bitboard targets, bool promote)
{
	if (purpose == COUNT_MOVES) {
		sink->count += (unsigned)count_squares(targets);
		return;
	}
	for (; targets; targets &= targets - 1)
		*sink->next++ = move_make(from, first_square(targets), promote);
}

/* A rook, bishop or silver that may promote: with and without. */
static ALWAYS_INLINE void emit_choices(
	struct move_sink *sink, enum purpose purpose, int us, int from, bitboard targets)
{
	bitboard zone = promotion_zone(us);

	emit(sink, purpose, from, targets, false);
	emit(sink, purpose, from, zone & square_bit(from) ? targets : targets & zone, true);
}

/* Unpromoted pawns all at once: one step forward, promoting on the last rank. */
static ALWAYS_INLINE void emit_pawns(
	struct move_sink *sink, enum purpose purpose, int us, bitboard pawns, bitboard allowed)
{
	bitboard targets = squares_forward(us, pawns) & allowed;

	if (purpose == COUNT_MOVES) {
		sink->count += (unsigned)count_squares(targets);
		return;
	}
	for (; targets; targets &= targets - 1) {
		int to = first_square(targets);

		*sink->next++ = move_make(
			to + (us == 0 ? SIDE : -SIDE), to, (last_rank(us) & square_bit(to)) != 0);
	}
}

/* Moves of the pieces `movers`, no king among them, to the squares `allowed`. */
static ALWAYS_INLINE void emit_pieces(struct move_sink *sink, enum purpose purpose,
	const struct position *pos, int us, bitboard movers, bitboard allowed, bitboard occupied)
{
	bitboard promoted = pos->promoted;
	bitboard rooks = pos->type[ROOK] & movers;
	bitboard bishops = pos->type[BISHOP] & movers;

	for (bitboard rest = rooks & ~promoted; rest; rest &= rest - 1) {
		int from = first_square(rest);

		emit_choices(sink, purpose, us, from, rook_attacks(from, occupied) & allowed);
	}
	for (bitboard rest = bishops & ~promoted; rest; rest &= rest - 1) {
		int from = first_square(rest);

		emit_choices(sink, purpose, us, from, bishop_attacks(from, occupied) & allowed);
	}
	for (bitboard rest = rooks & promoted; rest; rest &= rest - 1) {
		int from = first_square(rest);

		emit(sink, purpose, from,
			(rook_attacks(from, occupied) | king_attacks(from)) & allowed, false);
	}
	for (bitboard rest = bishops & promoted; rest; rest &= rest - 1) {
		int from = first_square(rest);

		emit(sink, purpose, from,
			(bishop_attacks(from, occupied) | king_attacks(from)) & allowed, false);
	}
	for (bitboard rest = golds_of(pos, us) & movers; rest; rest &= rest - 1) {
		int from = first_square(rest);

		emit(sink, purpose, from, gold_attacks(us, from) & allowed, false);
	}
	for (bitboard rest = pos->type[SILVER] & ~promoted & movers; rest; rest &= rest - 1) {
		int from = first_square(rest);

		emit_choices(sink, purpose, us, from, silver_attacks(us, from) & allowed);
	}
	emit_pawns(sink, purpose, us, pos->type[PAWN] & ~promoted & movers, allowed);
}

/*
 * Whether a pawn of `us` dropped on `to`, the square before the enemy king, would give mate. The
 * enemy king is not in check before. A guard that is pinned cannot take the pawn, unless the pawn
 * stands on the line of the pin.
 */
static ALWAYS_INLINE bool pawn_drop_mates(
	const struct position *pos, int us, int to, bitboard occupied)
{
	bitboard pawn = square_bit(to);
	int king = pos->king[!us];
	bitboard around = king_attacks(king) & ~pos->color[!us];

	if (around & ~attacks_of(pos, us, (occupied & ~square_bit(king)) | pawn))
		return false;
	for (bitboard guards = attackers_of(pos, !us, to, occupied); guards; guards &= guards - 1) {
		bitboard after = (occupied & ~(guards & -guards)) | pawn;
		bitboard rooks = pos->type[ROOK] & pos->color[us];
		bitboard bishops = pos->type[BISHOP] & pos->color[us];

		if (!(rook_attacks(king, after) & rooks) &&
			!(bishop_attacks(king, after) & bishops))
			return false;
	}
	return true;
}

/* Drops on the empty squares `targets`. */
static ALWAYS_INLINE void emit_drops(struct move_sink *sink, enum purpose purpose,
	const struct position *pos, int us, bitboard targets, bitboard occupied)
{
	for (int type = 0; type < TYPES; type++)
		if (type != PAWN && hand_count(pos, us, type))
			emit(sink, purpose, SQUARES + type, targets, false);

	if (hand_count(pos, us, PAWN)) {
		bitboard own_pawns = pos->type[PAWN] & ~pos->promoted & pos->color[us];
		bitboard before_king = pawn_attacks(!us, pos->king[!us]);

		targets &= ~last_rank(us) & ~whole_columns(own_pawns);
		if ((targets & before_king) &&
			pawn_drop_mates(pos, us, first_square(before_king), occupied))
			targets &= ~before_king;
		emit(sink, purpose, SQUARES + PAWN, targets, false);
	}
}

/*
 * The pieces of `us` that stand alone between their king and an enemy slider, moved along that line
 * at most. Returns them all. In check no pinned piece can help, and `allowed` leaves them nothing.
 */
static ALWAYS_INLINE bitboard emit_pinned(struct move_sink *sink, enum purpose purpose,
	const struct position *pos, int us, bitboard allowed, bitboard occupied)
{
	int king = pos->king[us];
	bitboard own = pos->color[us];
	bitboard enemy = pos->color[!us];
	bitboard sliders = ((rook_attacks(king, enemy) & pos->type[ROOK]) |
				   (bishop_attacks(king, enemy) & pos->type[BISHOP])) &
			   enemy;
	bitboard pinned = 0;

	for (; sliders; sliders &= sliders - 1) {
		int slider = first_square(sliders);
		bitboard line = squares_between(king, slider);
		bitboard guard = line & own;

		if (!guard || (guard & (guard - 1)))
			continue;
		pinned |= guard;
		emit_pieces(sink, purpose, pos, us, guard, (line | square_bit(slider)) & allowed,
			occupied);
	}
	return pinned;
}

/* Writes or counts the legal moves of `us`, the side to move; returns their number. */
static ALWAYS_INLINE unsigned generate_as(
	const struct position *pos, int us, enum purpose purpose, struct move *list)
{
	struct move_sink sink = {.next = list};
	bitboard occupied = position_occupied(pos);
	bitboard own = pos->color[us];
	int king = pos->king[us];
	/* The king does not shield the squares behind it. */
	bitboard danger = attacks_of(pos, !us, occupied & ~square_bit(king));
	bitboard allowed = ~own & all_squares;
	bitboard drops = ~occupied & all_squares;
	bitboard pinned;

	emit(&sink, purpose, king, king_attacks(king) & allowed & ~danger, false);

	if (danger & square_bit(king)) {
		bitboard checkers = attackers_of(pos, !us, king, occupied);

		if (checkers & (checkers - 1))
			return purpose == COUNT_MOVES ? sink.count : (unsigned)(sink.next - list);
		drops = squares_between(king, first_square(checkers));
		allowed = drops | checkers;
	}

	pinned = emit_pinned(&sink, purpose, pos, us, allowed, occupied);
	emit_pieces(&sink, purpose, pos, us, own & ~pinned, allowed, occupied);
	if (pos->hand[us])
		emit_drops(&sink, purpose, pos, us, drops, occupied);
	return purpose == COUNT_MOVES ? sink.count : (unsigned)(sink.next - list);
}

/*
 * One copy of the code for each side and purpose, whatever calls it: inlined everywhere, the
 * generator made up most of the browser's module.
 */
static __attribute__((noinline)) unsigned generate_first(
	const struct position *pos, struct move list[MOVES_MAX])
{
	return generate_as(pos, 0, LIST_MOVES, list);
}

static __attribute__((noinline)) unsigned generate_second(
	const struct position *pos, struct move list[MOVES_MAX])
{
	return generate_as(pos, 1, LIST_MOVES, list);
}

static __attribute__((noinline)) unsigned count_first(const struct position *pos)
{
	return generate_as(pos, 0, COUNT_MOVES, NULL);
}

static __attribute__((noinline)) unsigned count_second(const struct position *pos)
{
	return generate_as(pos, 1, COUNT_MOVES, NULL);
}

static inline unsigned generate_moves(const struct position *pos, struct move list[MOVES_MAX])
{
	return pos->turn == 0 ? generate_first(pos, list) : generate_second(pos, list);
}

static inline unsigned count_moves(const struct position *pos)
{
	return pos->turn == 0 ? count_first(pos) : count_second(pos);
}
