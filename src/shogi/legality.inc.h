/* SPDX-License-Identifier: MIT */

/*
 * Judgement of what comes from outside: whether a position can be played at all, and why a single
 * move may not. Written apart from the generator, so that each checks the other in the tests.
 */

/*
 * The one canonical check. Any material up to two of a kind is accepted, missing kings included
 * (exercises); STATUS_OK or the first of the STATUS_POSITION_* that applies. More than one king a
 * side cannot be said in a `struct position`: its readers refuse it.
 */
static inline enum status position_is_valid(const struct position *pos)
{
	bitboard pawns = pos->type[PAWN] & ~pos->promoted;

	for (int type = 0; type < TYPES; type++) {
		int count = count_squares(pos->type[type]) + hand_count(pos, 0, type) +
			    hand_count(pos, 1, type);

		if (count > TYPE_TOTAL)
			return STATUS_POSITION_PIECES;
	}
	for (int color = 0; color < 2; color++) {
		bitboard own = pawns & pos->color[color];

		if (own & last_rank(color))
			return STATUS_POSITION_DEAD_PAWN;
		for (bitboard rest = own; rest; rest &= rest - 1)
			if (whole_columns(rest & -rest) & own & ~(rest & -rest))
				return STATUS_POSITION_TWO_PAWNS;
	}
	if (position_in_check(pos, !pos->turn))
		return STATUS_POSITION_CHECK;
	return STATUS_OK;
}

/*
 * Put together a position piece by piece, from the empty one: each refuses, with what no further
 * piece can mend, a piece that makes it impossible. Of the check only the whole position tells.
 */
static inline enum status position_fault_so_far(const struct position *pos)
{
	enum status status = position_is_valid(pos);

	return status == STATUS_POSITION_CHECK ? STATUS_OK : status;
}

static inline enum status position_place(
	struct position *pos, int color, int type, bool promoted, int square)
{
	if (type == KING && pos->king[color] != NO_SQUARE)
		return STATUS_POSITION_KINGS;
	position_put(pos, color, type, promoted, square);
	return position_fault_so_far(pos);
}

static inline enum status position_hold(struct position *pos, int color, int type, uint32_t count)
{
	count += (uint32_t)hand_count(pos, color, type);
	if (count > TYPE_TOTAL)
		return STATUS_POSITION_PIECES;
	position_set_hand(pos, color, type, (int)count);
	return position_fault_so_far(pos);
}

/* The squares that the piece on `square` attacks when `occupied` blocks the sliders. */
static inline bitboard piece_attacks(const struct position *pos, int square, bitboard occupied)
{
	return attacks_from(color_on(pos, square), type_on(pos, square),
		(pos->promoted & square_bit(square)) != 0, square, occupied);
}

/* Whether the side to move has lost by mate: in check and without a legal move. */
static inline bool position_is_mate(const struct position *pos)
{
	return position_in_check(pos, pos->turn) && count_moves(pos) == 0;
}

static inline enum status drop_refusal(const struct position *pos, struct move move)
{
	int us = pos->turn;
	int type = move_from(move) - SQUARES;
	bitboard to = square_bit(move_to(move));
	bitboard own_pawns = pos->type[PAWN] & ~pos->promoted & pos->color[us];

	if (!hand_count(pos, us, type))
		return STATUS_DROP_NOT_IN_HAND;
	if (position_occupied(pos) & to)
		return STATUS_DROP_OCCUPIED;
	if (type != PAWN)
		return STATUS_OK;
	if (last_rank(us) & to)
		return STATUS_DROP_DEAD;
	if (whole_columns(own_pawns) & to)
		return STATUS_DROP_TWO_PAWNS;
	return STATUS_OK;
}

static inline enum status board_move_refusal(const struct position *pos, struct move move)
{
	int us = pos->turn;
	int from = move_from(move);
	bitboard from_bit = square_bit(from);
	bitboard to = square_bit(move_to(move));
	int type;

	if (!(position_occupied(pos) & from_bit))
		return STATUS_MOVE_EMPTY_SQUARE;
	if (!(pos->color[us] & from_bit))
		return STATUS_MOVE_NOT_YOUR_PIECE;
	if (pos->color[us] & to)
		return STATUS_MOVE_OWN_PIECE;
	if (!(piece_attacks(pos, from, position_occupied(pos)) & to))
		return piece_attacks(pos, from, 0) & to ? STATUS_MOVE_BLOCKED : STATUS_MOVE_PATTERN;
	type = type_on(pos, from);
	if (move_promotes(move))
		return type_promotes(type) && !(pos->promoted & from_bit) &&
				       ((from_bit | to) & promotion_zone(us))
			       ? STATUS_OK
			       : STATUS_MOVE_CANNOT_PROMOTE;
	if (type == PAWN && !(pos->promoted & from_bit) && (last_rank(us) & to))
		return STATUS_MOVE_MUST_PROMOTE;
	return STATUS_OK;
}

/* STATUS_OK, or why the side to move may not play `move`, whose squares and type are in range. */
static inline enum status move_refusal(const struct position *pos, struct move move)
{
	struct position next;
	int us = pos->turn;
	bool drop = move_is_drop(move);
	enum status status = drop ? drop_refusal(pos, move) : board_move_refusal(pos, move);

	if (status != STATUS_OK)
		return status;
	position_play(pos, move, &next);
	if (position_in_check(&next, us)) {
		if (move_from(move) == pos->king[us])
			return STATUS_MOVE_KING_EXPOSED;
		return position_in_check(pos, us) ? STATUS_MOVE_IN_CHECK : STATUS_MOVE_PINNED;
	}
	if (drop && move_from(move) == SQUARES + PAWN && position_is_mate(&next))
		return STATUS_DROP_PAWN_MATE;
	return STATUS_OK;
}
