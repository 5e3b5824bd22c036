/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record_fixture.h"
#include "said_fixture.h"

static uint32_t same_number(uint32_t number, int player)
{
	(void)player;
	return number;
}

static const char *const no_headers[] = {NULL};

static const struct said usi = {.number = same_number, .first_headers = no_headers};

static void rewrites(const char *format, const char *text, const char *expected)
{
	struct game_sheet *sheet = record_read(format, text);

	record_expect_text(format, sheet, expected);
	game_sheet_destroy(sheet);
}

static void test_sfen_sheet__case_30_several_pieces_in_hand(void **context)
{
	(void)context;
	rewrites("sfen", "4k/5/5/5/K4 b 2P 1", "4k/5/5/5/K4 b 2P 1\n");
	rewrites("sfen", "4k/5/5/5/K4 b PP 1", "4k/5/5/5/K4 b 2P 1\n");
}

static void test_sfen_sheet__case_31_order_of_the_hand(void **context)
{
	(void)context;
	rewrites("sfen", "4k/5/5/5/K4 b pSRb 1", "4k/5/5/5/K4 b RSbp 1\n");
}

static void test_sfen_sheet__case_33_promoted_pieces_have_no_letter_of_their_own(void **context)
{
	(void)context;
	rewrites("sfen", "4k/5/2+R2/5/K4 b - 1", "4k/5/2+R2/5/K4 b - 1\n");
	record_refuses("sfen", "4k/5/2d2/5/K4 b - 1", STATUS_SFEN_PIECE, 1, 7);
	record_refuses("sfen", "4k/5/2H2/5/K4 b - 1", STATUS_SFEN_PIECE, 1, 7);
}

static void test_usi_sheet__case_36_drops_are_written_with_a_star(void **context)
{
	static const char text[] = "position sfen 4k/5/5/5/K4 b GPp 1 moves P*3c P*4d G*2d 4d4e+\n";

	(void)context;
	rewrites("usi", text, text);
}

static void test_usi_sheet__words_that_may_be_left_out(void **context)
{
	static const char expected[] = "position startpos moves 5d5c 1b1c\n";

	(void)context;
	rewrites("usi", expected, expected);
	rewrites("usi", "startpos moves 5d5c 1b1c", expected);
	rewrites("usi", "moves 5d5c 1b1c", expected);
	rewrites("usi", "5d5c 1b1c", expected);
	rewrites("usi", "\n\n \t position  startpos\tmoves 5d5c  1b1c \r\n\r\n", expected);
	rewrites("usi", "position", "position startpos\n");
	rewrites("usi", "sfen 4k/5/5/5/K4 w -", "position sfen 4k/5/5/5/K4 w - 1\n");
	rewrites("usi", "sfen 4k/5/5/5/K4 w - 8 moves 1a1b resign",
		"position sfen 4k/5/5/5/K4 w - 8 moves 1a1b resign\n");
}

/* Other programs know one game by this word. */
static void test_usi_sheet__startpos_is_that_of_the_default_rules(void **context)
{
	static const char text[] = "position sfen rbsgk/p4/5/4P/KGSBR b - 1 moves 5e4d 1a2b\n";
	struct game_sheet *sheet = NULL;

	(void)context;
	assert_int_equal(game_sheet_create(&mini_shogi, "kawu", &sheet), STATUS_OK);
	record_play(sheet, "5e4d 1a2b");
	record_expect_text("usi", sheet, text);
	game_sheet_destroy(sheet);

	sheet = record_read_as("usi", "kawu", text);
	assert_true(game_line_is_from_start(game_sheet_line(sheet)));
	record_expect_text("usi", sheet, text);
	game_sheet_destroy(sheet);

	sheet = record_read_as("usi", "kawu", "position startpos moves 5d5c");
	record_expect_start(sheet, record_start);
	assert_false(game_line_is_from_start(game_sheet_line(sheet)));
	record_expect_text("usi", sheet, "position startpos moves 5d5c\n");
	game_sheet_destroy(sheet);
}

static void test_usi_sheet__refuses_with_reason_and_place(void **context)
{
	(void)context;
	record_refuses("usi", "", STATUS_TEXT_EMPTY, 1, 1);
	record_refuses("usi", " \n\t\n", STATUS_TEXT_EMPTY, 1, 1);
	record_refuses("usi", "5d5c\n\n 1b1c", STATUS_TEXT_TRAILING, 3, 2);
	record_refuses("usi", "\nmoves 5d5c 1b1c 5c5c", STATUS_MOVE_PATTERN, 2, 21);
	record_refuses("usi", "\nmoves 5d5c 1b1c 5c5a", STATUS_MOVE_PATTERN, 2, 17);
	record_refuses("usi", "moves 5d5c 0000", STATUS_USI_SQUARE, 1, 12);
	record_refuses("usi", "moves 5d5c P@3c", STATUS_USI_SYNTAX, 1, 12);
	record_refuses("usi", "resign 5d5c", STATUS_GAME_OVER, 1, 8);
	record_refuses("usi", "\r\nposition sfen 4k/5/5/5/K3 b - 1 moves 5d5c",
		STATUS_SFEN_ROW_WIDTH, 2, 26);
	record_refuses("usi", "position sfen moves 5d5c", STATUS_TEXT_EMPTY, 1, 15);
	record_refuses("sfen", "4k/5/5/5/K4 b - 1\n4k/5/5/5/K4 b - 1", STATUS_TEXT_TRAILING, 2, 1);
	record_refuses("sfen", "\n  4k/5/5/5/K4 b - x", STATUS_SFEN_NUMBER, 2, 19);
}

static void test_usi_sheet__random_games_there_and_back(void **context)
{
	(void)context;
	said_random_games("usi", &usi, 36);
}

static void test_usi_sheet__damaged_texts_are_read_or_refused_with_a_place(void **context)
{
	(void)context;
	said_damaged("usi", "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c 1b1c resign", 1);
	said_damaged("sfen", "\n +R3k/5/5/P4/K4 b 2GPs 17 \n", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sfen_sheet__case_30_several_pieces_in_hand),
		cmocka_unit_test(test_sfen_sheet__case_31_order_of_the_hand),
		cmocka_unit_test(
			test_sfen_sheet__case_33_promoted_pieces_have_no_letter_of_their_own),
		cmocka_unit_test(test_usi_sheet__case_36_drops_are_written_with_a_star),
		cmocka_unit_test(test_usi_sheet__words_that_may_be_left_out),
		cmocka_unit_test(test_usi_sheet__startpos_is_that_of_the_default_rules),
		cmocka_unit_test(test_usi_sheet__refuses_with_reason_and_place),
		cmocka_unit_test(test_usi_sheet__random_games_there_and_back),
		cmocka_unit_test(test_usi_sheet__damaged_texts_are_read_or_refused_with_a_place),
	};

	return cmocka_run_group_tests_name("usi_sheet", tests, NULL, NULL);
}
