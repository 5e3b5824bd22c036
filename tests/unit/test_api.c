/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "komadai/komadai.h"

static struct komadai_game *start(const char *ruleset)
{
	struct komadai_game *game;

	assert_int_equal(komadai_game_create("mini-shogi", ruleset, &game), KOMADAI_OK);
	return game;
}

static struct komadai_game *set_up(const char *position)
{
	struct komadai_game *game;

	assert_int_equal(komadai_game_setup("mini-shogi", NULL, position, NULL, &game), KOMADAI_OK);
	return game;
}

static void play(struct komadai_game *game, const char *move)
{
	int status = komadai_game_play(game, move, NULL);

	if (status != KOMADAI_OK)
		fail_msg("%s: %s", move, komadai_status_text(status));
}

static void expect_position(const struct komadai_game *game, const char *expected)
{
	char text[KOMADAI_POSITION_TEXT];

	komadai_game_position(game, text);
	assert_string_equal(text, expected);
}

static void test_api__knows_its_release_and_its_games(void **context)
{
	(void)context;
	assert_string_equal(komadai_version(), KOMADAI_VERSION);
	assert_string_equal(komadai_game_name(0), "mini-shogi");
	assert_null(komadai_game_name(1));
	assert_null(komadai_game_name(SIZE_MAX));
}

static void test_api__begins_at_the_start(void **context)
{
	struct komadai_game *game = start(NULL);
	struct komadai_verdict verdict;

	(void)context;
	expect_position(game, "rbsgk/4p/5/P4/KGSBR b - 1");
	komadai_game_verdict(game, &verdict);
	assert_int_equal(verdict.player, 0);
	assert_false(verdict.over);
	assert_int_equal(verdict.winner, -1);
	assert_null(verdict.reason);
	assert_int_equal(komadai_game_plies(game), 0);
	komadai_game_destroy(game);

	game = start("kawu");
	expect_position(game, "rbsgk/p4/5/4P/KGSBR b - 1");
	komadai_game_destroy(game);
	komadai_game_destroy(NULL);
}

static void expect_code(int status, const char *code)
{
	assert_string_equal(komadai_status_code(status), code);
}

static void test_api__refuses_unknown_names(void **context)
{
	struct komadai_game *none = NULL;
	struct komadai_game *game = none;
	uint32_t column = 0;

	(void)context;
	expect_code(komadai_game_create("go", NULL, &game), "game-unknown");
	expect_code(komadai_game_create("mini-shogi", "go", &game), "ruleset-unknown");
	expect_code(
		komadai_game_setup("", NULL, "4k/5/5/5/K4 b - 1", &column, &game), "game-unknown");
	assert_int_equal(column, 1);
	assert_ptr_equal(game, none);
}

static void test_api__names_the_column_of_bad_positions(void **context)
{
	struct komadai_game *game;
	uint32_t column = 0;

	(void)context;
	expect_code(komadai_game_setup("mini-shogi", NULL, "4k/5/5/5/K3X b - 1", &column, &game),
		"sfen-piece");
	assert_int_equal(column, 12);
	expect_code(komadai_game_setup("mini-shogi", NULL, "", NULL, &game), "text-empty");
}

static void test_api__plays_and_takes_back(void **context)
{
	struct komadai_game *game = start(NULL);
	char move[KOMADAI_MOVE_TEXT];

	(void)context;
	assert_false(komadai_game_undo(game));
	play(game, "5d5c");
	play(game, "1b1c");
	assert_int_equal(komadai_game_plies(game), 2);
	komadai_game_move(game, 1, move);
	assert_string_equal(move, "1b1c");
	expect_position(game, "rbsgk/5/P3p/5/KGSBR b - 3");
	assert_true(komadai_game_undo(game));
	expect_position(game, "rbsgk/4p/P4/5/KGSBR w - 2");
	komadai_game_destroy(game);
}

static void test_api__refuses_bad_moves_and_stays_where_it_was(void **context)
{
	struct komadai_game *game = start(NULL);
	uint32_t column = 0;

	(void)context;
	expect_code(komadai_game_play(game, "5d5z", &column), "usi-square");
	assert_int_equal(column, 4);
	expect_code(komadai_game_play(game, "5d5b", &column), "move-pattern");
	assert_int_equal(column, 1);
	expect_code(komadai_game_play(game, "", NULL), "text-empty");
	expect_position(game, "rbsgk/4p/5/P4/KGSBR b - 1");
	komadai_game_destroy(game);
}

static void count_drops(void *context, const char *move)
{
	*(int *)context += move[1] == '*';
}

static void test_api__lists_legal_moves(void **context)
{
	struct komadai_game *game = set_up("4k/5/5/5/K4 b R 1");
	int drops = 0;

	(void)context;
	/* The king has 3 moves, the rook 23 empty squares. */
	assert_int_equal(komadai_game_legal(game, count_drops, &drops), 26);
	assert_int_equal(drops, 23);
	assert_int_equal(komadai_game_legal(game, NULL, NULL), 26);
	komadai_game_destroy(game);
}

static void test_api__judges_mate(void **context)
{
	struct komadai_game *game = set_up("4k/1s2B/3pR/1K3/1GSB1 b GPr 21");
	struct komadai_verdict verdict;

	(void)context;
	play(game, "G*2a");
	komadai_game_verdict(game, &verdict);
	assert_true(verdict.over);
	assert_int_equal(verdict.winner, 0);
	assert_int_equal(verdict.player, 1);
	assert_string_equal(verdict.reason, "checkmate");
	assert_int_equal(komadai_game_legal(game, NULL, NULL), 0);
	expect_code(komadai_game_play(game, "1a2a", NULL), "game-over");
	assert_true(komadai_game_undo(game));
	komadai_game_verdict(game, &verdict);
	assert_false(verdict.over);
	komadai_game_destroy(game);
}

static void test_api__judges_repetition_by_the_ruleset(void **context)
{
	static const char *const round[] = {"1e1d", "5a5b", "1d1e", "5b5a"};
	static const char *const rulesets[] = {"uec", "kawu"};

	(void)context;
	for (int i = 0; i < 2; i++) {
		struct komadai_game *game;
		struct komadai_verdict verdict;

		assert_int_equal(komadai_game_setup("mini-shogi", rulesets[i],
					 "rbsgk/4p/5/P4/KGSBR b - 1", NULL, &game),
			KOMADAI_OK);
		for (int ply = 0; ply < 12; ply++)
			play(game, round[ply % 4]);
		komadai_game_verdict(game, &verdict);
		assert_true(verdict.over);
		assert_string_equal(verdict.reason, "repetition");
		assert_int_equal(verdict.winner, i == 0 ? 1 : -1);
		komadai_game_destroy(game);
	}
}

static void test_api__takes_resignations(void **context)
{
	struct komadai_game *game = start(NULL);
	struct komadai_verdict verdict;

	(void)context;
	play(game, "resign");
	komadai_game_verdict(game, &verdict);
	assert_int_equal(verdict.winner, 1);
	assert_string_equal(verdict.reason, "resignation");
	assert_true(komadai_game_undo(game));
	play(game, "5d5c");
	komadai_game_destroy(game);
}

static void test_status__has_words_for_any_number(void **context)
{
	(void)context;
	expect_code(KOMADAI_OK, "ok");
	expect_code(-1, "unknown");
	expect_code(1 << 20, "unknown");
	assert_true(strlen(komadai_status_text(-1)) > 0);
	assert_true(strlen(komadai_status_text(1)) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_api__knows_its_release_and_its_games),
		cmocka_unit_test(test_api__begins_at_the_start),
		cmocka_unit_test(test_api__refuses_unknown_names),
		cmocka_unit_test(test_api__names_the_column_of_bad_positions),
		cmocka_unit_test(test_api__plays_and_takes_back),
		cmocka_unit_test(test_api__refuses_bad_moves_and_stays_where_it_was),
		cmocka_unit_test(test_api__lists_legal_moves),
		cmocka_unit_test(test_api__judges_mate),
		cmocka_unit_test(test_api__judges_repetition_by_the_ruleset),
		cmocka_unit_test(test_api__takes_resignations),
		cmocka_unit_test(test_status__has_words_for_any_number),
	};

	return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
