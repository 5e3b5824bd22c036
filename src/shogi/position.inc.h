/* SPDX-License-Identifier: MIT */

/*
 * A position of shogi on the board that was included before this text: pieces, hands and the side
 * to move. A plain value. Only the functions below write its members, so that bitboards, hands and
 * hash always agree:
 *
 *  - `type` holds both colours, promoted pieces under the type they were; kings are in no type
 * board;
 *  - `color[0] | color[1]` = all type boards and kings together, each square in one of them;
 *  - `promoted` is a subset of the ROOK, BISHOP, SILVER and PAWN boards;
 *  - `hand[c]` holds the number of each type in two bits, type 0 lowest;
 *  - `hash` = position_hash() of the rest.
 */
struct position {
	bitboard type[TYPES];
	bitboard promoted;
	bitboard color[2];
	uint16_t hand[2];
	uint8_t king[2]; /* NO_SQUARE: that side has none (exercises) */
	uint8_t turn;
	uint64_t hash;
};

/*
 * A move in 15 bits: where to, where from (SQUARES + type: a drop), and whether it promotes. `bits`
 * is never 0 for a move: square 0 to square 0 does not occur.
 */
struct move {
	uint16_t bits;
};

/* A resignation among actions, whose codes else are the bits of a move. */
enum { ACTION_RESIGN = 1 << 15 };

static ALWAYS_INLINE struct move move_make(int from, int to, bool promote)
{
	return (struct move){(uint16_t)(to | from << 7 | promote << 14)};
}

static ALWAYS_INLINE struct move move_drop(int type, int to)
{
	return move_make(SQUARES + type, to, false);
}

static ALWAYS_INLINE int move_to(struct move move)
{
	return move.bits & 127;
}

/* SQUARES + type for a drop. */
static ALWAYS_INLINE int move_from(struct move move)
{
	return move.bits >> 7 & 127;
}

static ALWAYS_INLINE bool move_promotes(struct move move)
{
	return move.bits >> 14;
}

static ALWAYS_INLINE bool move_is_drop(struct move move)
{
	return move_from(move) >= SQUARES;
}

static ALWAYS_INLINE bool type_promotes(int type)
{
	return type != GOLD && type != KING;
}

static ALWAYS_INLINE bitboard position_occupied(const struct position *pos)
{
	return pos->color[0] | pos->color[1];
}

static ALWAYS_INLINE int hand_count(const struct position *pos, int color, int type)
{
	return pos->hand[color] >> 2 * type & 3;
}

/* The type on an occupied square, KING included. */
static ALWAYS_INLINE int type_on(const struct position *pos, int square)
{
	bitboard bit = square_bit(square);
	int type = 0;

	while (type < TYPES && !(pos->type[type] & bit))
		type++;
	return type;
}

static ALWAYS_INLINE int color_on(const struct position *pos, int square)
{
	return (pos->color[1] & square_bit(square)) != 0;
}

static ALWAYS_INLINE int kind_of(int type, bool promoted)
{
	return promoted ? TYPES + 1 + type : type;
}

static ALWAYS_INLINE void position_put(
	struct position *pos, int color, int type, bool promoted, int square)
{
	bitboard bit = square_bit(square);

	if (type == KING)
		pos->king[color] = (uint8_t)square;
	else
		pos->type[type] |= bit;
	if (promoted)
		pos->promoted |= bit;
	pos->color[color] |= bit;
	pos->hash ^= piece_number(color, kind_of(type, promoted), square);
}

static ALWAYS_INLINE void position_take(
	struct position *pos, int color, int type, bool promoted, int square)
{
	bitboard bit = square_bit(square);

	if (type == KING)
		pos->king[color] = NO_SQUARE;
	else
		pos->type[type] &= ~bit;
	pos->promoted &= ~bit;
	pos->color[color] &= ~bit;
	pos->hash ^= piece_number(color, kind_of(type, promoted), square);
}

/* Sets the number of pieces of one type in hand. */
static ALWAYS_INLINE void position_set_hand(struct position *pos, int color, int type, int count)
{
	pos->hash ^= hand_number(color, type, hand_count(pos, color, type));
	pos->hand[color] = (uint16_t)((pos->hand[color] & ~(3 << 2 * type)) | count << 2 * type);
	pos->hash ^= hand_number(color, type, count);
}

static ALWAYS_INLINE void position_pass_turn(struct position *pos)
{
	pos->turn ^= 1;
	pos->hash ^= turn_number();
}

/* The empty board, player 0 to move. */
static inline void position_clear(struct position *pos)
{
	*pos = (struct position){.king = {NO_SQUARE, NO_SQUARE}};
}

/* Plays a legal move of the side `us`, the one to move. */
static ALWAYS_INLINE void position_play_as(struct position *pos, int us, struct move move)
{
	int to = move_to(move);
	int from = move_from(move);

	if (from >= SQUARES) {
		int type = from - SQUARES;

		position_set_hand(pos, us, type, hand_count(pos, us, type) - 1);
		position_put(pos, us, type, false, to);
	} else {
		int type = type_on(pos, from);
		bool promoted = (pos->promoted & square_bit(from)) != 0;

		if (pos->color[!us] & square_bit(to)) {
			int captured = type_on(pos, to);

			position_take(
				pos, !us, captured, (pos->promoted & square_bit(to)) != 0, to);
			position_set_hand(pos, us, captured, hand_count(pos, us, captured) + 1);
		}
		position_take(pos, us, type, promoted, from);
		position_put(pos, us, type, promoted || move_promotes(move), to);
	}
	position_pass_turn(pos);
}

static inline void position_play(struct position *pos, struct move move)
{
	if (pos->turn == 0)
		position_play_as(pos, 0, move);
	else
		position_play_as(pos, 1, move);
}

/* The hash from nothing; position->hash always equals it. */
static inline uint64_t position_hash(const struct position *pos)
{
	uint64_t hash = pos->turn ? turn_number() : 0;

	for (bitboard rest = position_occupied(pos); rest; rest &= rest - 1) {
		int square = first_square(rest);
		bool promoted = (pos->promoted & square_bit(square)) != 0;

		hash ^= piece_number(
			color_on(pos, square), kind_of(type_on(pos, square), promoted), square);
	}
	for (int color = 0; color < 2; color++)
		for (int type = 0; type < TYPES; type++)
			hash ^= hand_number(color, type, hand_count(pos, color, type));
	return hash;
}

/* Pieces of `color` that move like a gold general: gold, promoted silver, promoted pawn. */
static ALWAYS_INLINE bitboard golds_of(const struct position *pos, int color)
{
	return (pos->type[GOLD] | ((pos->type[SILVER] | pos->type[PAWN]) & pos->promoted)) &
	       pos->color[color];
}

/* All squares that `color` attacks when the squares `occupied` block its sliders. */
static ALWAYS_INLINE bitboard attacks_of(const struct position *pos, int color, bitboard occupied)
{
	bitboard own = pos->color[color];
	bitboard silvers = pos->type[SILVER] & ~pos->promoted & own;
	bitboard golds = golds_of(pos, color);
	/* What gold and silver share: forward, and forward on both sides. */
	bitboard ahead = squares_forward(color, golds | silvers);
	bitboard attacks = ahead | squares_left(ahead) | squares_right(ahead);
	bitboard behind_silvers = squares_forward(!color, silvers);

	attacks |= squares_left(golds) | squares_right(golds) | squares_forward(!color, golds);
	attacks |= squares_left(behind_silvers) | squares_right(behind_silvers);
	attacks |= squares_forward(color, pos->type[PAWN] & ~pos->promoted & own);
	attacks |= king_attacks(pos->king[color]);
	for (bitboard rest = pos->type[ROOK] & own; rest; rest &= rest - 1)
		attacks |= rook_attacks(first_square(rest), occupied);
	for (bitboard rest = pos->type[BISHOP] & own; rest; rest &= rest - 1)
		attacks |= bishop_attacks(first_square(rest), occupied);
	for (bitboard rest = (pos->type[ROOK] | pos->type[BISHOP]) & pos->promoted & own; rest;
		rest &= rest - 1)
		attacks |= king_attacks(first_square(rest));
	return attacks;
}

/* The pieces of `color`, its king left out, that attack `square`. */
static ALWAYS_INLINE bitboard attackers_of(
	const struct position *pos, int color, int square, bitboard occupied)
{
	bitboard promoted = pos->promoted;
	bitboard sliders = pos->type[ROOK] | pos->type[BISHOP];

	/* A piece attacks the square when the same piece of the other side, there, would attack it.
	 */
	return ((golds_of(pos, color) & gold_attacks(!color, square)) |
		       (pos->type[SILVER] & ~promoted & silver_attacks(!color, square)) |
		       (pos->type[PAWN] & ~promoted & pawn_attacks(!color, square)) |
		       (pos->type[ROOK] & rook_attacks(square, occupied)) |
		       (pos->type[BISHOP] & bishop_attacks(square, occupied)) |
		       (sliders & promoted & king_attacks(square))) &
	       pos->color[color];
}

/* Whether the king of `color` is in check; never without a king. */
static inline bool position_in_check(const struct position *pos, int color)
{
	return attacks_of(pos, !color, position_occupied(pos)) & square_bit(pos->king[color]);
}
