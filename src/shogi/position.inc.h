/* SPDX-License-Identifier: MIT */

/*
 * A position of shogi on the board that was included before this text: pieces, hands and the side
 * to move. A plain value. Only the functions below write its members, so that the boards always
 * agree:
 *
 *  - `type` holds both colours, promoted pieces under the type they were; kings are in no type
 * board;
 *  - `color[0] | color[1]` = all type boards and kings together, each square in one of them;
 *  - `promoted` is a subset of the ROOK, BISHOP, SILVER and PAWN boards;
 *  - `hand[c]` holds the number of each type in two bits, type 0 lowest.
 */
struct position {
	bitboard type[TYPES];
	bitboard promoted;
	bitboard color[2];
	uint16_t hand[2];
	uint8_t king[2]; /* NO_SQUARE: that side has none (exercises) */
	uint8_t turn;
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
}

static ALWAYS_INLINE void position_take(struct position *pos, int color, int type, int square)
{
	bitboard bit = square_bit(square);

	if (type == KING)
		pos->king[color] = NO_SQUARE;
	else
		pos->type[type] &= ~bit;
	pos->promoted &= ~bit;
	pos->color[color] &= ~bit;
}

/* Sets the number of pieces of one type in hand. */
static ALWAYS_INLINE void position_set_hand(struct position *pos, int color, int type, int count)
{
	pos->hand[color] = (uint16_t)((pos->hand[color] & ~(3 << 2 * type)) | count << 2 * type);
}

static ALWAYS_INLINE void position_pass_turn(struct position *pos)
{
	pos->turn ^= 1;
}

/* The empty board, player 0 to move. */
static inline void position_clear(struct position *pos)
{
	*pos = (struct position){.king = {NO_SQUARE, NO_SQUARE}};
}

/*
 * The type on a square that holds a piece and no king: the number of its board in binary, a bit of
 * it from the boards whose number has that bit. No branch to guess wrong at every capture.
 */
static ALWAYS_INLINE int captured_type(const struct position *pos, int square)
{
	int type = 0;

	for (int bit = 0; bit < 3; bit++) {
		bitboard having = 0;

		for (int candidate = 0; candidate < TYPES; candidate++)
			if (candidate >> bit & 1)
				having |= pos->type[candidate];
		type |= (having & square_bit(square) ? 1 : 0) << bit;
	}
	return type;
}

/* A piece that moves, or drops from the hand: then `from` is SQUARES + type. */
struct mover {
	int type;
	bool promoted;
	bool drops;
	int from;
};

/*
 * A move is made in two halves: `us` lifts a piece, which passes the turn, and lands it. All moves
 * of one piece share the first half.
 */
static ALWAYS_INLINE void position_lift(struct position *pos, int us, struct mover mover)
{
	if (mover.drops)
		position_set_hand(pos, us, mover.type, hand_count(pos, us, mover.type) - 1);
	else
		position_take(pos, us, mover.type, mover.from);
	pos->turn = (uint8_t)!us;
}

/*
 * Writes into `next` the position after the move of which `pos` is the one before and `lifted` the
 * half-way; `captures` says whether an enemy piece stands on `to`. What lifting leaves alone is
 * copied from `pos`: a processor waits when it loads as a block what it has just stored in pieces.
 */
static ALWAYS_INLINE void position_land(const struct position *pos, const struct position *lifted,
	int us, struct mover mover, int to, bool promote, bool captures,
	struct position *restrict next)
{
	*next = *pos;
	if (mover.drops)
		next->hand[us] = lifted->hand[us];
	else if (mover.type != KING)
		next->type[mover.type] = lifted->type[mover.type];
	if (mover.promoted)
		next->promoted = lifted->promoted;
	next->color[us] = lifted->color[us];
	next->turn = lifted->turn;

	if (captures) {
		int type = captured_type(pos, to);

		position_take(next, !us, type, to);
		position_set_hand(next, us, type, hand_count(pos, us, type) + 1);
	}
	position_put(next, us, mover.type, mover.promoted || promote, to);
}

static ALWAYS_INLINE struct mover move_mover(const struct position *pos, struct move move)
{
	int from = move_from(move);

	if (from >= SQUARES)
		return (struct mover){from - SQUARES, false, true, from};
	return (struct mover){
		type_on(pos, from), (pos->promoted & square_bit(from)) != 0, false, from};
}

static ALWAYS_INLINE bool move_captures(const struct position *pos, struct move move)
{
	return (pos->color[!pos->turn] & square_bit(move_to(move))) != 0;
}

/* Writes the position after a legal move of the side to move into `next`, another one. */
static inline void position_play(
	const struct position *pos, struct move move, struct position *next)
{
	struct position lifted = *pos;
	struct mover mover = move_mover(pos, move);

	position_lift(&lifted, pos->turn, mover);
	position_land(pos, &lifted, pos->turn, mover, move_to(move), move_promotes(move),
		move_captures(pos, move), next);
}

/*
 * The hash of a position: equal positions have equal hashes; whether two with equal hashes are
 * equal, their keys tell. It stands beside the position, not in it: who needs it keeps it from move
 * to move.
 */
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

/* What the hash changes by when a hand holds `step` more pieces of a type. */
static inline uint64_t hand_step(const struct position *pos, int color, int type, int step)
{
	int count = hand_count(pos, color, type);

	return hand_number(color, type, count) ^ hand_number(color, type, count + step);
}

/* The hash after a legal move of the side to move, from `hash`, that of `pos`. */
static inline uint64_t position_hash_after(
	const struct position *pos, uint64_t hash, struct move move)
{
	int us = pos->turn;
	int to = move_to(move);
	struct mover mover = move_mover(pos, move);
	bool promoted = mover.promoted || move_promotes(move);

	if (move_captures(pos, move)) {
		int type = captured_type(pos, to);
		bool was_promoted = (pos->promoted & square_bit(to)) != 0;

		hash ^= piece_number(!us, kind_of(type, was_promoted), to);
		hash ^= hand_step(pos, us, type, 1);
	}
	if (mover.drops)
		hash ^= hand_step(pos, us, mover.type, -1);
	else
		hash ^= piece_number(us, kind_of(mover.type, mover.promoted), mover.from);
	return hash ^ piece_number(us, kind_of(mover.type, promoted), to) ^ turn_number();
}

/* Pieces of `color` that move like a gold general: gold, promoted silver, promoted pawn. */
static ALWAYS_INLINE bitboard golds_of(const struct position *pos, int color)
{
	return (pos->type[GOLD] | ((pos->type[SILVER] | pos->type[PAWN]) & pos->promoted)) &
	       pos->color[color];
}

/* The squares that a piece attacks from `square` when `occupied` blocks the sliders. */
static ALWAYS_INLINE bitboard attacks_from(
	int color, int type, bool promoted, int square, bitboard occupied)
{
	switch (type) {
	case ROOK:
		return rook_attacks(square, occupied) | (promoted ? king_attacks(square) : 0);
	case BISHOP:
		return bishop_attacks(square, occupied) | (promoted ? king_attacks(square) : 0);
	case SILVER:
		return promoted ? gold_attacks(color, square) : silver_attacks(color, square);
	case PAWN:
		return promoted ? gold_attacks(color, square) : pawn_attacks(color, square);
	case GOLD:
		return gold_attacks(color, square);
	default:
		return king_attacks(square);
	}
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
	/* A missing king stands on the first square off the board. */
	return attacks & all_squares;
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
