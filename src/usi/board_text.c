/* SPDX-License-Identifier: MIT */
#include "usi/board_text.h"

#include "shogi/mini.h"

#include "shogi/legality.inc.h"
#include "shogi/notation.inc.h"
#include "shogi/shogi.h"

static void write_square(const struct position *pos, int square, struct text *text)
{
	bitboard bit = square_bit(square);

	text_add_char(text, pos->promoted & bit ? '+' : ' ');
	if (position_occupied(pos) & bit)
		text_add_char(text, piece_letter(color_on(pos, square), type_on(pos, square)));
	else
		text_add_char(text, '.');
}

static void write_hand(const struct position *pos, int color, struct text *text)
{
	text_add(text, color == 0 ? "hand of b:" : "hand of w:");
	if (!pos->hand[color])
		text_add(text, " -");
	for (int type = 0; type < TYPES; type++) {
		for (int i = hand_count(pos, color, type); i > 0; i--) {
			text_add_char(text, ' ');
			text_add_char(text, piece_letter(color, type));
		}
	}
	text_add_char(text, '\n');
}

static void write_checkers(const struct position *pos, struct text *text)
{
	int king = pos->king[pos->turn];
	bitboard checkers = attackers_of(pos, !pos->turn, king, position_occupied(pos));

	text_add(text, "checkers:");
	if (king == NO_SQUARE || !checkers) {
		text_add(text, " -\n");
		return;
	}
	for (; checkers; checkers &= checkers - 1) {
		text_add_char(text, ' ');
		usi_write_square(first_square(checkers), text);
	}
	text_add_char(text, '\n');
}

void board_write(const struct game_state *state, struct text *text)
{
	const struct position *pos = mini_state_position(state);

	for (int column = 0; column < SIDE; column++) {
		text_add(text, column ? "  " : " ");
		text_add_number(text, SIDE - column);
	}
	text_add_char(text, '\n');
	for (int square = 0; square < SQUARES; square++) {
		write_square(pos, square, text);
		if (square % SIDE < SIDE - 1) {
			text_add_char(text, ' ');
			continue;
		}
		text_add(text, "  ");
		text_add_char(text, (char)('a' + square / SIDE));
		text_add_char(text, '\n');
	}
	write_hand(pos, 1, text);
	write_hand(pos, 0, text);
	text_add(text, "sfen: ");
	mini_shogi.state_write(state, text);
	text_add_char(text, '\n');
	write_checkers(pos, text);
}
