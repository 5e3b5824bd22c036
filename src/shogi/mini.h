/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * The 5x5 board: its sizes, its piece set and its tables, then the rules text that both boards
 * share. A translation unit includes exactly one board.
 *
 * A square is a bit of a `bitboard`: index = row * 5 + column, from the top left as player 0
 * (Sente) sees the board. Player 0 moves towards row 0.
 *
 *      file    5  4  3  2  1
 *             0  1  2  3  4    rank a
 *             5  6  7  8  9         b
 *            10 11 12 13 14         c
 *            15 16 17 18 19         d
 *            20 21 22 23 24         e
 */
#include <stdint.h>

#include "base/bits.h"
#include "game/game.h"
#include "shogi/judge.h"

typedef uint32_t bitboard;

enum {
	SIDE = 5,
	SQUARES = SIDE * SIDE,
	NO_SQUARE = SQUARES, /* a missing king's; every table has an empty row for it */
	ZONE_RANKS = 1,      /* depth of the promotion zone */
	TYPE_TOTAL = 2,      /* pieces of each type, both sides together */

	/*
	 * No position has more legal moves. The king has 8 at most. Of each type there are two
	 * pieces: on the board a piece has 16 at most (8 squares, with promotion and without), and
	 * a type in hand has 24 drops, however many of it there are; so 40 a type, one in hand and
	 * one on the board.
	 */
	MOVES_MAX = 8 + 5 * (24 + 16),
};

/* Hands, letters and JSON keep this order. The king is no type that can be captured or dropped. */
enum piece_type { ROOK, BISHOP, GOLD, SILVER, PAWN, TYPES, KING = TYPES };

/* A kind is a type, or TYPES + 1 + type when promoted: the index of `piece_hash`. */
enum { KINDS = 2 * TYPES + 1 };

_Static_assert((int)MOVES_MAX <= (int)GAME_ACTIONS_MAX, "any list of moves is a list of actions");

static const char type_letters[] = "RBGSPK";

static const bitboard all_squares = (UINT32_C(1) << SQUARES) - 1;
/* The left column goes on below the board, so that nothing comes back from there. */
static const bitboard left_column = 0x42108421;
static const bitboard right_column = 0x108421 << (SIDE - 1);

/* The squares whose occupation matters to a slider, and the factor that makes an index of them. */
struct mini_slider {
	bitboard mask;
	uint32_t factor;
};

/* Written by make_mini_tables.c; rows for NO_SQUARE are empty. */
extern const struct mini_slider mini_rook_slider[SQUARES + 1];
extern const bitboard mini_rook_attack[SQUARES + 1][64];
extern const struct mini_slider mini_bishop_slider[SQUARES + 1];
extern const bitboard mini_bishop_attack[SQUARES + 1][16];
extern const bitboard mini_rook_line[SQUARES + 1];
extern const bitboard mini_bishop_line[SQUARES + 1];
extern const bitboard mini_gold_attack[2][SQUARES + 1];
extern const bitboard mini_silver_attack[2][SQUARES + 1];
extern const bitboard mini_pawn_attack[2][SQUARES + 1];
extern const bitboard mini_king_attack[SQUARES + 1];
extern const bitboard mini_promotion[2][SQUARES + 1];
extern const bitboard mini_between[SQUARES + 1][SQUARES + 1];
extern const bitboard mini_line[SQUARES + 1][SQUARES + 1];
extern const uint64_t mini_piece_hash[2][KINDS][SQUARES];
extern const uint64_t mini_hand_hash[2][TYPES][TYPE_TOTAL + 2];
extern const uint64_t mini_turn_hash;

static ALWAYS_INLINE bitboard square_bit(int square)
{
	return UINT32_C(1) << square;
}

static ALWAYS_INLINE int count_squares(bitboard squares)
{
	return bits_count32(squares);
}

static ALWAYS_INLINE int first_square(bitboard squares)
{
	return bits_first32(squares);
}

/*
 * Squares index the tables as unsigned numbers: a signed one costs an instruction to extend it.
 */
static ALWAYS_INLINE bitboard rook_attacks(int square, bitboard occupied)
{
	struct mini_slider slider = mini_rook_slider[(unsigned)square];

	return mini_rook_attack[(unsigned)square][(occupied & slider.mask) * slider.factor >> 26];
}

static ALWAYS_INLINE bitboard bishop_attacks(int square, bitboard occupied)
{
	struct mini_slider slider = mini_bishop_slider[(unsigned)square];

	return mini_bishop_attack[(unsigned)square][(occupied & slider.mask) * slider.factor >> 28];
}

/* On the empty board. */
static ALWAYS_INLINE bitboard rook_lines(int square)
{
	return mini_rook_line[(unsigned)square];
}

static ALWAYS_INLINE bitboard bishop_lines(int square)
{
	return mini_bishop_line[(unsigned)square];
}

static ALWAYS_INLINE bitboard king_attacks(int square)
{
	return mini_king_attack[(unsigned)square];
}

static ALWAYS_INLINE bitboard gold_attacks(int color, int square)
{
	return mini_gold_attack[color][(unsigned)square];
}

static ALWAYS_INLINE bitboard silver_attacks(int color, int square)
{
	return mini_silver_attack[color][(unsigned)square];
}

static ALWAYS_INLINE bitboard pawn_attacks(int color, int square)
{
	return mini_pawn_attack[color][(unsigned)square];
}

/* The squares strictly between two squares of one line; none when they share no line. */
static ALWAYS_INLINE bitboard squares_between(int a, int b)
{
	return mini_between[(unsigned)a][(unsigned)b];
}

/* The whole line through two squares, `a` itself left out; none when they share no line. */
static ALWAYS_INLINE bitboard line_through(int a, int b)
{
	return mini_line[(unsigned)a][(unsigned)b];
}

static ALWAYS_INLINE uint64_t piece_number(int color, int kind, int square)
{
	return mini_piece_hash[color][(unsigned)kind][(unsigned)square];
}

static ALWAYS_INLINE uint64_t hand_number(int color, int type, int count)
{
	return mini_hand_hash[color][(unsigned)type][(unsigned)count];
}

static ALWAYS_INLINE uint64_t turn_number(void)
{
	return mini_turn_hash;
}

/*
 * All squares one step forward of `squares`, as `color` moves. A step of player 1 off the board
 * leaves a bit above those of the squares, which never comes back.
 */
static ALWAYS_INLINE bitboard squares_forward(int color, bitboard squares)
{
	return color == 0 ? squares >> SIDE : squares << SIDE;
}

static ALWAYS_INLINE bitboard squares_left(bitboard squares)
{
	return (squares & ~left_column) >> 1;
}

static ALWAYS_INLINE bitboard squares_right(bitboard squares)
{
	return (squares & ~right_column) << 1;
}

/* The last rank of `color`: its promotion zone, and where its pawn would be dead. */
static ALWAYS_INLINE bitboard last_rank(int color)
{
	return color == 0 ? UINT32_C(0x1f) : UINT32_C(0x1f) << (SQUARES - SIDE);
}

static ALWAYS_INLINE bitboard promotion_zone(int color)
{
	return last_rank(color);
}

/* Where a piece that leaves `square` may promote: anywhere from inside the zone. */
static ALWAYS_INLINE bitboard promotion_targets(int color, int square)
{
	return mini_promotion[color][(unsigned)square];
}

/* All squares of the columns that `squares` touch. */
static ALWAYS_INLINE bitboard whole_columns(bitboard squares)
{
	squares |= squares >> SIDE | squares >> 2 * SIDE;
	squares |= squares >> 2 * SIDE;
	return (squares & 0x1f) * 0x108421;
}

#include "shogi/position.inc.h"

#include "shogi/movegen.inc.h"

/* The ways to write games down, for the table of operations. NULL at the end. */
extern const struct game_format *const mini_formats[];

/* Leaves of the tree of legal moves, for the table: in a file of its own, which a page leaves out.
 */
uint64_t mini_perft(const struct game_state *state, int depth, bool bulk);

/*
 * The typed door to `mini_shogi`, beside its table of operations, for the search: it works on
 * positions and asks the judge itself. Pointers into a state live as long as the state.
 */
const struct position *mini_state_position(const struct game_state *state);
const struct judge_rules *mini_state_judge(const struct game_state *state);
/* The ply that ends the game as a draw; 0: none. */
uint32_t mini_state_ply_limit(const struct game_state *state);
/* The record of a position that `by` moved into. */
struct game_record mini_record(const struct position *pos, int by);
void mini_key_unpack(const struct game_key *key, struct position *pos);
