/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record_fixture.h"
#include "said_fixture.h"

static const char *const no_headers[] = {NULL};

/* The full move, and from it and the side to move a number again. */
static uint32_t fen_number(uint32_t number, int player)
{
	uint32_t full_move = (number + 1) / 2;

	return 2 * (full_move < 49999 ? full_move : 49999) - (player == 0);
}

static const struct said uci = {.number = fen_number, .first_headers = no_headers};

static void rewrites_as(const char *ruleset, const char *text, const char *expected)
{
	struct game_sheet *sheet = record_read_as("uci", ruleset, text);

	record_expect_text("uci", sheet, expected);
	game_sheet_destroy(sheet);
}

static void rewrites(const char *text, const char *expected)
{
	rewrites_as(NULL, text, expected);
}

static void begins_at(const char *text, const char *sfen)
{
	struct game_sheet *sheet = record_read("uci", text);

	record_expect_start(sheet, sfen);
	game_sheet_destroy(sheet);
}

static void refuses(const char *text, enum status status, uint32_t line, uint32_t column)
{
	record_refuses("uci", text, status, line, column);
}

static void test_fen__shapes_of_other_programs(void **context)
{
	static const char start[] = "rbsgk/4p/5/P4/KGSBR[] w - - 0 1\n";

	(void)context;
	rewrites(start, start);
	rewrites("rbsgk/4p/5/P4/KGSBR[-] w 0 1", start);
	rewrites("rbsgk/4p/5/P4/KGSBR w - - 0 1", start);
	rewrites("rbsgk/4p/5/P4/KGSBR[] w - -", start);
	rewrites("rbsgk/4p/5/P4/KGSBR[] w -", start);
	rewrites("rbsgk/4p/5/P4/KGSBR w", start);
	rewrites("rbsgk/4p/5/P4/KGSBR w 12", start);
	rewrites("  rbsgk/4p/5/P4/KGSBR[]\tw  -  -  0  1  ", start);
}

static void test_fen__white_is_sente(void **context)
{
	(void)context;
	begins_at("4k/5/5/5/K4[] w - - 0 1", "4k/5/5/5/K4 b - 1");
	begins_at("4k/5/5/5/K4[] b - - 0 1", "4k/5/5/5/K4 w - 2");
	begins_at("4k/5/5/P4/K4[Rb] b - - 0 1", "4k/5/5/P4/K4 w Rb 2");
}

static void test_fen__the_full_move_is_two_numbers(void **context)
{
	(void)context;
	begins_at("4k/5/5/5/K4[] w - - 3 1", "4k/5/5/5/K4 b - 1");
	begins_at("4k/5/5/5/K4[] b - - 3 1", "4k/5/5/5/K4 w - 2");
	begins_at("4k/5/5/5/K4[] w - - 3 17", "4k/5/5/5/K4 b - 33");
	begins_at("4k/5/5/5/K4[] b 3 17", "4k/5/5/5/K4 w - 34");
	begins_at("4k/5/5/5/K4[] b - - 0 49999", "4k/5/5/5/K4 w - 99998");
}

static void test_fen__numbers_that_it_cannot_say(void **context)
{
	static const struct {
		const char *sfen;
		const char *fen;
	} rows[] = {
		{"4k/5/5/5/K4 w - 1", "4k/5/5/5/K4[] b - - 0 1\n"},
		{"4k/5/5/5/K4 b - 2", "4k/5/5/5/K4[] w - - 0 1\n"},
		{"4k/5/5/5/K4 b - 99999", "4k/5/5/5/K4[] w - - 0 49999\n"},
		{"4k/5/5/5/K4 w - 99999", "4k/5/5/5/K4[] b - - 0 49999\n"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = record_set_up(rows[i].sfen);

		record_expect_text("uci", sheet, rows[i].fen);
		said_round_trip("uci", &uci, sheet);
		game_sheet_destroy(sheet);
	}
}

static void test_fen__case_30_several_pieces_in_hand(void **context)
{
	(void)context;
	begins_at("4k/5/5/5/K4[PP] w - - 0 1", "4k/5/5/5/K4 b 2P 1");
	rewrites("4k/5/5/5/K4[PP] w", "4k/5/5/5/K4[PP] w - - 0 1\n");
	refuses("4k/5/5/5/K4[2P] w", STATUS_SHEET_HAND, 1, 13);
}

static void test_fen__case_31_order_of_the_hand(void **context)
{
	(void)context;
	rewrites("4k/5/5/5/K4[pSRb] w", "4k/5/5/5/K4[RSbp] w - - 0 1\n");
}

static void test_fen__case_33_promoted_pieces_have_no_letter_of_their_own(void **context)
{
	(void)context;
	rewrites("4k/5/2+R2/5/K4[] w - - 0 1", "4k/5/2+R2/5/K4[] w - - 0 1\n");
	refuses("4k/5/2D2/5/K4[] w - - 0 1", STATUS_SFEN_PIECE, 1, 7);
	refuses("4k/5/2h2/5/K4[] w - - 0 1", STATUS_SFEN_PIECE, 1, 7);
}

static void test_fen__refuses_with_reason_and_place(void **context)
{
	(void)context;
	refuses("position fen", STATUS_TEXT_EMPTY, 1, 13);
	refuses("position fen moves a2a3", STATUS_TEXT_EMPTY, 1, 14);
	refuses("\n4k/5/5/5/K3[] w", STATUS_SFEN_ROW_WIDTH, 2, 12);
	refuses("4k/5/5/5/K41[] w", STATUS_SFEN_ROW_WIDTH, 1, 12);
	refuses("4k/5/5/5[] w", STATUS_SFEN_ROW_COUNT, 1, 9);
	refuses("4k/5/5/5/K4/5[] w", STATUS_SFEN_ROW_COUNT, 1, 12);
	refuses("4k/5/5/5/K3+G[] w", STATUS_SFEN_PROMOTION, 1, 13);
	refuses("4k/5/5/5/KK3[] w", STATUS_POSITION_KINGS, 1, 11);
	refuses("4k/5/5/5/K4[P w", STATUS_SHEET_HAND, 1, 14);
	refuses("4k/5/5/5/K4[", STATUS_SHEET_HAND, 1, 13);
	refuses("4k/5/5/5/K4[K] w", STATUS_SHEET_HAND, 1, 13);
	refuses("4k/5/5/5/K4[-P] w", STATUS_SHEET_HAND, 1, 13);
	refuses("4k/5/5/5/K4[PPP] w", STATUS_POSITION_PIECES, 1, 15);
	refuses("4k/5/5/5/K4[PPp] w", STATUS_POSITION_PIECES, 1, 15);
	refuses("4k/5/5/5/K4[P]w", STATUS_SHEET_HAND, 1, 15);
	refuses("4k/5/5/5/K4[P]", STATUS_SFEN_TURN, 1, 15);
	refuses("4k/5/5/5/K4[P] W", STATUS_SFEN_TURN, 1, 16);
	/* SFEN, in which b is Sente. */
	refuses("rbsgk/4p/5/P4/KGSBR b - 1", STATUS_SHEET_FULL_MOVE, 1, 25);
	refuses("4k/5/5/5/K4[P] ww", STATUS_SFEN_TURN, 1, 16);
	refuses("4k/5/5/5/K4[P] w KQ - 0 1", STATUS_SHEET_FULL_MOVE, 1, 18);
	refuses("4k/5/5/5/K4[P] w - - 0 0", STATUS_SHEET_FULL_MOVE, 1, 24);
	refuses("4k/5/5/5/K4[P] w - - 0 50000", STATUS_SHEET_FULL_MOVE, 1, 24);
	refuses("4k/5/5/5/K4[P] w - - 0 4294967297", STATUS_SHEET_FULL_MOVE, 1, 24);
	refuses("4k/5/5/5/K4[P] w - - 0 1 1", STATUS_TEXT_TRAILING, 1, 26);
	refuses("4k/5/5/5/K4[P] w - - - 0 1", STATUS_SHEET_FULL_MOVE, 1, 22);
	refuses("\n fen P3k/5/5/5/K4[] w", STATUS_POSITION_DEAD_PAWN, 2, 6);
	refuses("4k/5/5/5/K3R[] w", STATUS_POSITION_CHECK, 1, 1);
}

static void test_uci__words_that_may_be_left_out(void **context)
{
	static const char moves[] = "position startpos moves a2a3 e4e3\n";
	static const char fen[] = "position fen 4k/5/5/5/K4[P] w - - 0 1 moves P@c3 e5e4\n";

	(void)context;
	rewrites(moves, moves);
	rewrites("startpos moves a2a3 e4e3", moves);
	rewrites("moves a2a3 e4e3", moves);
	rewrites("a2a3 e4e3", moves);
	rewrites("\r\n position\tstartpos  moves a2a3  e4e3 \r\n", moves);
	rewrites(fen, fen);
	rewrites("fen 4k/5/5/5/K4[P] w - - 0 1 moves P@c3 e5e4", fen);
	rewrites("position 4k/5/5/5/K4[P] w 0 1 moves P@c3 e5e4", fen);
	rewrites("4k/5/5/5/K4[P] w moves P@c3 e5e4", fen);
	rewrites("position", "rbsgk/4p/5/P4/KGSBR[] w - - 0 1\n");
}

static void test_uci__squares_are_named_from_the_bottom_left(void **context)
{
	struct game_sheet *sheet = record_read("uci", "a2a3 a5a4 d1b3 e4e3");

	(void)context;
	record_expect_moves(sheet, "5d5c 5a5b 2e4c 1b1c");
	game_sheet_destroy(sheet);
}

static void test_uci__case_36_drops_are_written_with_an_at(void **context)
{
	static const char text[] =
		"position fen 4k/5/5/5/K4[GPp] w - - 0 1 moves P@c3 P@b2 G@c4 b2b1+\n";
	struct game_sheet *sheet = record_read("uci", text);

	(void)context;
	record_expect_moves(sheet, "P*3c P*4d G*3b 4d4e+");
	record_expect_text("uci", sheet, text);
	game_sheet_destroy(sheet);
}

static void test_uci__a_resignation_is_the_last_word(void **context)
{
	static const char text[] = "position startpos moves a2a3 resign\n";

	(void)context;
	rewrites(text, text);
	refuses("resign a2a3", STATUS_GAME_OVER, 1, 8);
}

static void test_uci__the_start_of_other_rules_is_written_out(void **context)
{
	static const char fen[] = "rbsgk/p4/5/4P/KGSBR[] w - - 0 1";
	static const char text[] = "position fen rbsgk/p4/5/4P/KGSBR[] w - - 0 1 moves e2e3\n";
	struct game_sheet *sheet = record_read_as("uci", "kawu", fen);

	(void)context;
	assert_true(game_line_is_from_start(game_sheet_line(sheet)));
	game_sheet_destroy(sheet);
	rewrites_as("kawu", text, text);
	rewrites_as("kawu", "startpos moves a2a3", "position startpos moves a2a3\n");
	sheet = record_read_as("uci", "kawu", "startpos moves a2a3");
	assert_false(game_line_is_from_start(game_sheet_line(sheet)));
	game_sheet_destroy(sheet);
}

static void test_uci__refuses_moves_with_reason_and_place(void **context)
{
	(void)context;
	refuses("", STATUS_TEXT_EMPTY, 1, 1);
	refuses("a2a3\ne4e3", STATUS_TEXT_TRAILING, 2, 1);
	refuses("hello", STATUS_SHEET_MOVE, 1, 1);
	refuses("a2a3 a", STATUS_SHEET_MOVE, 1, 6);
	refuses("a2a3 e4", STATUS_SHEET_MOVE, 1, 8);
	refuses("a2a3 e4e", STATUS_SHEET_MOVE, 1, 8);
	refuses("a2a3 f4e4", STATUS_USI_SQUARE, 1, 6);
	refuses("a2a3 e4e6", STATUS_USI_SQUARE, 1, 8);
	refuses("a2a3 e4e0", STATUS_USI_SQUARE, 1, 8);
	refuses("a2a3 e4e3++", STATUS_TEXT_TRAILING, 1, 11);
	refuses("a2a3 e4e4", STATUS_MOVE_PATTERN, 1, 10);
	refuses("a2a3 0000", STATUS_SHEET_MOVE, 1, 6);
	refuses("a2a3 5b5c", STATUS_SHEET_MOVE, 1, 6);
	refuses("a2a3 K@c3", STATUS_USI_PIECE, 1, 6);
	refuses("a2a3 p@c3", STATUS_USI_PIECE, 1, 6);
	refuses("a2a3 P@c3", STATUS_DROP_NOT_IN_HAND, 1, 6);
	refuses("a2a3 P*c3", STATUS_SHEET_MOVE, 1, 6);
	refuses("a2a3 e4e3+", STATUS_MOVE_CANNOT_PROMOTE, 1, 6);
	refuses("a2a3 a3a4", STATUS_MOVE_NOT_YOUR_PIECE, 1, 6);
	refuses("startpos startpos", STATUS_SHEET_MOVE, 1, 10);
}

static void test_uci__random_games_there_and_back(void **context)
{
	(void)context;
	said_random_games("uci", &uci, 77);
}

static void test_uci__damaged_texts_are_read_or_refused_with_a_place(void **context)
{
	(void)context;
	said_damaged("uci", "position fen +R3k/5/5/P4/K4[GGPs] w - - 12 17 moves P@b2 resign", 1);
	said_damaged("uci", "position startpos moves a2a3 e4e3 e1b1", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fen__shapes_of_other_programs),
		cmocka_unit_test(test_fen__white_is_sente),
		cmocka_unit_test(test_fen__the_full_move_is_two_numbers),
		cmocka_unit_test(test_fen__numbers_that_it_cannot_say),
		cmocka_unit_test(test_fen__case_30_several_pieces_in_hand),
		cmocka_unit_test(test_fen__case_31_order_of_the_hand),
		cmocka_unit_test(test_fen__case_33_promoted_pieces_have_no_letter_of_their_own),
		cmocka_unit_test(test_fen__refuses_with_reason_and_place),
		cmocka_unit_test(test_uci__words_that_may_be_left_out),
		cmocka_unit_test(test_uci__squares_are_named_from_the_bottom_left),
		cmocka_unit_test(test_uci__case_36_drops_are_written_with_an_at),
		cmocka_unit_test(test_uci__a_resignation_is_the_last_word),
		cmocka_unit_test(test_uci__the_start_of_other_rules_is_written_out),
		cmocka_unit_test(test_uci__refuses_moves_with_reason_and_place),
		cmocka_unit_test(test_uci__random_games_there_and_back),
		cmocka_unit_test(test_uci__damaged_texts_are_read_or_refused_with_a_place),
	};

	return cmocka_run_group_tests_name("uci_sheet", tests, NULL, NULL);
}
