/* SPDX-License-Identifier: MIT */

/*
 * Legal moves, and only those: no move is made to see whether it was legal. The side and the
 * purpose are constant arguments, so that each combination becomes code of its own; all purposes
 * share the rules and differ in the `emit` functions only.
 */
enum purpose { COUNT_MOVES, LIST_MOVES, MAKE_CHILDREN };

struct move_sink {
	const struct position *pos;
	unsigned count;         /* COUNT_MOVES */
	struct move *next;      /* LIST_MOVES: where the next move goes */
	struct position *child; /* MAKE_CHILDREN: where the next position goes */
};

/* The positions after the moves of one piece, each made in its place. */
static ALWAYS_INLINE void make_children(
	struct move_sink *sink, int us, struct mover mover, bitboard targets, bool promote)
{
	const struct position *pos = sink->pos;
	struct position *child = sink->child;
	struct position lifted = *pos;

	if (!targets)
		return;
	position_lift(&lifted, us, mover);
	for (bitboard rest = targets & ~pos->color[!us]; rest; rest &= rest - 1)
		position_land(pos, &lifted, us, mover, first_square(rest), promote, false, child++);
	for (bitboard rest = targets & pos->color[!us]; rest; rest &= rest - 1)
		position_land(pos, &lifted, us, mover, first_square(rest), promote, true, child++);
	sink->child = child;
}

static ALWAYS_INLINE void emit(struct move_sink *sink, enum purpose purpose, int us,
	struct mover mover, bitboard targets, bool promote)
{
	if (purpose == COUNT_MOVES) {
		sink->count += (unsigned)count_squares(targets);
	} else if (purpose == LIST_MOVES) {
		for (; targets; targets &= targets - 1)
			*sink->next++ = move_make(mover.from, first_square(targets), promote);
	} else {
		make_children(sink, us, mover, targets, promote);
	}
}

/* Moves of the pieces `movers`, all of one type, to what `attacks` says of each square. */
static ALWAYS_INLINE void emit_each(struct move_sink *sink, enum purpose purpose, int us, int type,
	bool promoted, bitboard movers, bitboard allowed, bitboard occupied)
{
	for (; movers; movers &= movers - 1) {
		struct mover mover = {type, promoted, false, first_square(movers)};
		bitboard targets = attacks_from(us, type, promoted, mover.from, occupied) & allowed;

		emit(sink, purpose, us, mover, targets, false);
		if (type_promotes(type) && !promoted)
			emit(sink, purpose, us, mover, targets & promotion_targets(us, mover.from),
				true);
	}
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
		struct mover pawn = {PAWN, false, false, to + (us == 0 ? SIDE : -SIDE)};

		emit(sink, purpose, us, pawn, square_bit(to),
			(last_rank(us) & square_bit(to)) != 0);
	}
}

/* Moves of the pieces `movers`, no king among them, to the squares `allowed`. */
static ALWAYS_INLINE void emit_pieces(struct move_sink *sink, enum purpose purpose, int us,
	bitboard movers, bitboard allowed, bitboard occupied)
{
	const struct position *pos = sink->pos;
	bitboard promoted = pos->promoted & movers;
	bitboard plain = movers & ~pos->promoted;

	emit_each(sink, purpose, us, ROOK, false, pos->type[ROOK] & plain, allowed, occupied);
	emit_each(sink, purpose, us, ROOK, true, pos->type[ROOK] & promoted, allowed, occupied);
	emit_each(sink, purpose, us, BISHOP, false, pos->type[BISHOP] & plain, allowed, occupied);
	emit_each(sink, purpose, us, BISHOP, true, pos->type[BISHOP] & promoted, allowed, occupied);
	emit_each(sink, purpose, us, SILVER, false, pos->type[SILVER] & plain, allowed, occupied);
	if (purpose != MAKE_CHILDREN) {
		/* What kind of gold moves matters only where it is made. */
		emit_each(sink, purpose, us, GOLD, false, golds_of(pos, us) & movers, allowed,
			occupied);
	} else {
		emit_each(
			sink, purpose, us, GOLD, false, pos->type[GOLD] & plain, allowed, occupied);
		emit_each(sink, purpose, us, SILVER, true, pos->type[SILVER] & promoted, allowed,
			occupied);
		emit_each(sink, purpose, us, PAWN, true, pos->type[PAWN] & promoted, allowed,
			occupied);
	}
	emit_pawns(sink, purpose, us, pos->type[PAWN] & plain, allowed);
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

static ALWAYS_INLINE void emit_drop(
	struct move_sink *sink, enum purpose purpose, int us, int type, bitboard targets)
{
	emit(sink, purpose, us, (struct mover){type, false, true, SQUARES + type}, targets, false);
}

/* How many types other than the pawn `us` has in hand. */
static ALWAYS_INLINE int hand_kinds(const struct position *pos, int us)
{
	unsigned pieces = pos->hand[us] & ((1u << 2 * PAWN) - 1);

	return bits_count32((pieces | pieces >> 1) & 0x55555555);
}

/* Drops on the empty squares `targets`. */
static ALWAYS_INLINE void emit_drops(
	struct move_sink *sink, enum purpose purpose, int us, bitboard targets, bitboard occupied)
{
	const struct position *pos = sink->pos;

	if (purpose == COUNT_MOVES) {
		sink->count += (unsigned)(hand_kinds(pos, us) * count_squares(targets));
	} else {
		for (int type = 0; type < TYPES; type++)
			if (type != PAWN && hand_count(pos, us, type))
				emit_drop(sink, purpose, us, type, targets);
	}

	if (hand_count(pos, us, PAWN)) {
		bitboard own_pawns = pos->type[PAWN] & ~pos->promoted & pos->color[us];
		bitboard before_king = pawn_attacks(!us, pos->king[!us]);

		targets &= ~last_rank(us) & ~whole_columns(own_pawns);
		if ((targets & before_king) &&
			pawn_drop_mates(pos, us, first_square(before_king), occupied))
			targets &= ~before_king;
		emit_drop(sink, purpose, us, PAWN, targets);
	}
}

/* The pieces of `us` that stand alone between their king and an enemy slider. */
static ALWAYS_INLINE bitboard pinned_pieces(const struct position *pos, int us)
{
	int king = pos->king[us];
	bitboard occupied = position_occupied(pos);
	bitboard sliders =
		((rook_lines(king) & pos->type[ROOK]) | (bishop_lines(king) & pos->type[BISHOP])) &
		pos->color[!us];
	bitboard pinned = 0;

	for (; sliders; sliders &= sliders - 1) {
		bitboard guards = squares_between(king, first_square(sliders)) & occupied;

		if (!(guards & (guards - 1)))
			pinned |= guards & pos->color[us];
	}
	return pinned;
}

/* Emits the legal moves of `us`, the side to move. */
static ALWAYS_INLINE void generate_as(struct move_sink *sink, enum purpose purpose, int us)
{
	const struct position *pos = sink->pos;
	bitboard occupied = position_occupied(pos);
	bitboard own = pos->color[us];
	int king = pos->king[us];
	/* The king does not shield the squares behind it. */
	bitboard danger = attacks_of(pos, !us, occupied & ~square_bit(king));
	bitboard allowed = ~own & all_squares;
	bitboard drops = ~occupied & all_squares;
	bitboard pinned;
	bitboard movers;
	bitboard room;

	emit(sink, purpose, us, (struct mover){KING, false, false, king},
		king_attacks(king) & allowed & ~danger, false);

	if (danger & square_bit(king)) {
		bitboard checkers = attackers_of(pos, !us, king, occupied);

		if (checkers & (checkers - 1))
			return;
		drops = squares_between(king, first_square(checkers));
		allowed = drops | checkers;
	}

	/* The free pieces together; then each pinned one, which stays on the line of its pin. */
	pinned = pinned_pieces(pos, us);
	movers = own & ~pinned;
	room = allowed;
	for (;;) {
		emit_pieces(sink, purpose, us, movers, room, occupied);
		if (!pinned)
			break;
		movers = pinned & -pinned;
		room = allowed & line_through(king, first_square(movers));
		pinned &= pinned - 1;
	}
	if (pos->hand[us])
		emit_drops(sink, purpose, us, drops, occupied);
}

/*
 * One copy of the code for each side and purpose, whatever calls it: inlined everywhere, the
 * generator made up most of the browser's module.
 */
static __attribute__((noinline)) unsigned generate_first(
	const struct position *pos, struct move list[MOVES_MAX])
{
	struct move_sink sink = {.pos = pos, .next = list};

	generate_as(&sink, LIST_MOVES, 0);
	return (unsigned)(sink.next - list);
}

static __attribute__((noinline)) unsigned generate_second(
	const struct position *pos, struct move list[MOVES_MAX])
{
	struct move_sink sink = {.pos = pos, .next = list};

	generate_as(&sink, LIST_MOVES, 1);
	return (unsigned)(sink.next - list);
}

static __attribute__((noinline)) unsigned count_first(const struct position *pos)
{
	struct move_sink sink = {.pos = pos};

	generate_as(&sink, COUNT_MOVES, 0);
	return sink.count;
}

static __attribute__((noinline)) unsigned count_second(const struct position *pos)
{
	struct move_sink sink = {.pos = pos};

	generate_as(&sink, COUNT_MOVES, 1);
	return sink.count;
}

static inline unsigned generate_moves(const struct position *pos, struct move list[MOVES_MAX])
{
	return pos->turn == 0 ? generate_first(pos, list) : generate_second(pos, list);
}

static inline unsigned count_moves(const struct position *pos)
{
	return pos->turn == 0 ? count_first(pos) : count_second(pos);
}
