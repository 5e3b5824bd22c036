/* SPDX-License-Identifier: MIT */

/*
 * Writes mini_tables.c, the constants of the 5x5 board, at build time: they live in read-only
 * memory, are shared by every translation unit and need no set-up at run time. What each table is
 * stands in mini.h beside its declaration.
 *
 * The multipliers of the sliding pieces are found here by trial, with a fixed seed, so every build
 * writes the same file.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { SIDE = 5, SQUARES = SIDE * SIDE, ROWS = SQUARES + 1, KINDS = 11, TYPES = 5 };

struct step {
	int down;
	int right;
};

/* As player 0 sees the board: down is towards its own side. */
static const struct step orthogonal[] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
static const struct step diagonal[] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
static const struct step gold[] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}};
static const struct step silver[] = {{-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 1}};
static const struct step pawn[] = {{-1, 0}};

static bool on_board(int row, int column)
{
	return row >= 0 && row < SIDE && column >= 0 && column < SIDE;
}

static uint32_t bit(int row, int column)
{
	return UINT32_C(1) << (row * SIDE + column);
}

static uint32_t steps_from(int square, const struct step *steps, size_t count, int sign)
{
	uint32_t squares = 0;

	for (size_t i = 0; i < count; i++) {
		int row = square / SIDE + sign * steps[i].down;
		int column = square % SIDE + sign * steps[i].right;

		if (on_board(row, column))
			squares |= bit(row, column);
	}
	return squares;
}

/* Squares reached from `square` along `steps`, up to and including the first occupied one. */
static uint32_t slides_from(int square, const struct step *steps, uint32_t occupied)
{
	uint32_t squares = 0;

	for (int i = 0; i < 4; i++) {
		int row = square / SIDE + steps[i].down;
		int column = square % SIDE + steps[i].right;

		while (on_board(row, column)) {
			squares |= bit(row, column);
			if (occupied & bit(row, column))
				break;
			row += steps[i].down;
			column += steps[i].right;
		}
	}
	return squares;
}

/* The squares whose occupation matters to a slider: those it passes that have one behind them. */
static uint32_t blockers_of(int square, const struct step *steps)
{
	uint32_t squares = 0;

	for (int i = 0; i < 4; i++) {
		int row = square / SIDE + steps[i].down;
		int column = square % SIDE + steps[i].right;

		while (on_board(row + steps[i].down, column + steps[i].right)) {
			squares |= bit(row, column);
			row += steps[i].down;
			column += steps[i].right;
		}
	}
	return squares;
}

static uint32_t between(int from, int to)
{
	const struct step *lines[] = {orthogonal, diagonal};

	for (int i = 0; i < 2; i++) {
		uint32_t to_bit = UINT32_C(1) << to;
		uint32_t from_bit = UINT32_C(1) << from;

		if (slides_from(from, lines[i], 0) & to_bit)
			return slides_from(from, lines[i], to_bit) &
			       slides_from(to, lines[i], from_bit);
	}
	return 0;
}

/* The whole line through two squares that share one, `from` itself left out. */
static uint32_t line_through(int from, int to)
{
	const struct step *lines[] = {orthogonal, diagonal};

	for (int i = 0; i < 2; i++) {
		uint32_t from_slides = slides_from(from, lines[i], 0);

		if (from_slides >> to & 1)
			return (from_slides & slides_from(to, lines[i], 0)) | UINT32_C(1) << to;
	}
	return 0;
}

static struct random numbers = {0x6b6f6d61646169}; /* any seed */

static bool fill_slots(
	int square, const struct step *steps, uint32_t factor, int bits, uint32_t *slots)
{
	uint32_t mask = blockers_of(square, steps);
	uint32_t occupied = 0;

	memset(slots, 0, (sizeof(*slots)) << bits);
	do {
		uint32_t *slot = &slots[(uint32_t)(occupied * factor) >> (32 - bits)];
		uint32_t squares = slides_from(square, steps, occupied);

		if (*slot && *slot != squares)
			return false;
		*slot = squares;
		occupied = (occupied - mask) & mask;
	} while (occupied);
	return true;
}

static void write_slider(const char *name, const struct step *steps, int bits)
{
	static uint32_t slots[SQUARES][64];
	uint32_t factors[SQUARES];

	for (int square = 0; square < SQUARES; square++) {
		do {
			factors[square] = (uint32_t)(random_next(&numbers) & random_next(&numbers) &
						     random_next(&numbers));
		} while (!fill_slots(square, steps, factors[square], bits, slots[square]));
	}
	printf("const struct mini_slider mini_%s_slider[%d] = {\n", name, ROWS);
	for (int square = 0; square < SQUARES; square++)
		printf("\t{%#x, %#x},\n", blockers_of(square, steps), factors[square]);
	printf("\t{0, 0},\n};\n");
	printf("const bitboard mini_%s_attack[%d][%d] = {\n", name, ROWS, 1 << bits);
	for (int square = 0; square < SQUARES; square++) {
		printf("\t{");
		for (int i = 0; i < 1 << bits; i++)
			printf("%#x,", slots[square][i]);
		printf("},\n");
	}
	printf("\t{0},\n};\n");
}

static void write_steps(const char *name, const struct step *steps, size_t count)
{
	printf("const bitboard mini_%s_attack[2][%d] = {\n", name, ROWS);
	for (int sign = 1; sign >= -1; sign -= 2) {
		printf("\t{");
		for (int square = 0; square < SQUARES; square++)
			printf("%#x,", steps_from(square, steps, count, sign));
		printf("0},\n");
	}
	printf("};\n");
}

static uint32_t king_attacks(int square)
{
	return steps_from(square, orthogonal, 4, 1) | steps_from(square, diagonal, 4, 1);
}

static uint32_t rook_lines(int square)
{
	return slides_from(square, orthogonal, 0);
}

static uint32_t bishop_lines(int square)
{
	return slides_from(square, diagonal, 0);
}

static void write_squares(const char *name, uint32_t (*squares_of)(int square))
{
	printf("const bitboard mini_%s[%d] = {", name, ROWS);
	for (int square = 0; square < SQUARES; square++)
		printf("%#x,", squares_of(square));
	printf("0};\n");
}

/* The zone is the last rank of each side. */
static void write_promotion(void)
{
	const uint32_t last_rank[2] = {0x1f, 0x1f << (SQUARES - SIDE)};

	printf("const bitboard mini_promotion[2][%d] = {\n", ROWS);
	for (int color = 0; color < 2; color++) {
		printf("\t{");
		for (int square = 0; square < SQUARES; square++)
			printf("%#x,", last_rank[color] >> square & 1 ? (1 << SQUARES) - 1
								      : last_rank[color]);
		printf("0},\n");
	}
	printf("};\n");
}

static void write_pairs(const char *name, uint32_t (*squares_of)(int from, int to))
{
	printf("const bitboard mini_%s[%d][%d] = {\n", name, ROWS, ROWS);
	for (int from = 0; from < SQUARES; from++) {
		printf("\t{");
		for (int to = 0; to < SQUARES; to++)
			printf("%#x,", squares_of(from, to));
		printf("0},\n");
	}
	printf("\t{0},\n};\n");
}

static void write_hash_numbers(void)
{
	printf("const uint64_t mini_piece_hash[2][%d][%d] = {\n", KINDS, SQUARES);
	for (int color = 0; color < 2; color++) {
		printf("\t{\n");
		for (int kind = 0; kind < KINDS; kind++) {
			printf("\t\t{");
			for (int square = 0; square < SQUARES; square++)
				printf("%#llx,", (unsigned long long)random_next(&numbers));
			printf("},\n");
		}
		printf("\t},\n");
	}
	printf("};\nconst uint64_t mini_hand_hash[2][%d][4] = {\n", TYPES);
	for (int color = 0; color < 2; color++) {
		printf("\t{");
		for (int type = 0; type < TYPES; type++) {
			/* None in hand adds nothing, so a position without hands needs no numbers.
			 */
			printf("{0");
			for (int count = 1; count < 4; count++)
				printf(",%#llx", (unsigned long long)random_next(&numbers));
			printf("},");
		}
		printf("},\n");
	}
	printf("};\nconst uint64_t mini_turn_hash = %#llx;\n",
		(unsigned long long)random_next(&numbers));
}

int main(void)
{
	printf("/* Written by make_mini_tables.c. */\n#include \"shogi/mini.h\"\n\n");
	write_slider("rook", orthogonal, 6);
	write_slider("bishop", diagonal, 4);
	write_steps("gold", gold, sizeof(gold) / sizeof(gold[0]));
	write_steps("silver", silver, sizeof(silver) / sizeof(silver[0]));
	write_steps("pawn", pawn, sizeof(pawn) / sizeof(pawn[0]));
	write_squares("king_attack", king_attacks);
	write_squares("rook_line", rook_lines);
	write_squares("bishop_line", bishop_lines);
	write_promotion();
	write_pairs("between", between);
	write_pairs("line", line_through);
	write_hash_numbers();
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
