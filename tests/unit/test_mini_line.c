/* SPDX-License-Identifier: MIT */

/* A line of play and its records: undo, and what a key stands for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "game/line.h"
#include "shogi/shogi.h"

static void assert_line_equals_replay(const struct game_line *line)
{
	struct game_line *replayed;
	char expected[1 << 16];
	char buffer[1 << 16];
	struct text text;

	assert_int_equal(game_line_create(&mini_shogi, NULL, &replayed), STATUS_OK);
	for (size_t ply = 0; ply < game_line_plies(line); ply++)
		assert_int_equal(game_line_play(replayed, game_line_action(line, ply)), STATUS_OK);
	text_init(&text, expected, sizeof(expected));
	game_line_write_json(line, true, &text);
	assert_false(text.overflow);
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(replayed, true, &text);
	assert_string_equal(buffer, expected);
	game_line_destroy(replayed);
}

static void test_line__undo_equals_replay_in_state_and_records(void **context)
{
	struct random random = {90};

	(void)context;
	for (int game = 0; game < 60; game++) {
		struct game_line *line;

		assert_int_equal(game_line_create(&mini_shogi, NULL, &line), STATUS_OK);
		for (int step = 0; step < 80; step++) {
			struct game_action list[GAME_ACTIONS_MAX];
			size_t count = mini_shogi.legal(game_line_state(line), list);

			if (count == 0 || random_below(&random, 4) == 0)
				(void)game_line_undo(line);
			else
				assert_int_equal(
					game_line_play(
						line, list[random_below(&random, (uint32_t)count)]),
					STATUS_OK);
		}
		assert_line_equals_replay(line);
		while (game_line_undo(line))
			continue;
		assert_line_equals_replay(line);
		game_line_destroy(line);
	}
}

/* A record's key stands for its position and nothing else. */
static void test_record__key_is_the_position_without_its_number(void **context)
{
	struct random random = {128};
	struct game_line *line;

	(void)context;
	assert_int_equal(game_line_create(&mini_shogi, NULL, &line), STATUS_OK);
	for (int ply = 0; ply < 400; ply++) {
		struct game_action list[GAME_ACTIONS_MAX];
		size_t count = mini_shogi.legal(game_line_state(line), list);
		struct game_history history = game_line_history(line);
		char key[GAME_SETUP_TEXT];
		char sfen[GAME_SETUP_TEXT];
		struct text text;

		text_init(&text, key, sizeof(key));
		mini_shogi.key_write(&history.records[history.count - 1].key, &text);
		text_init(&text, sfen, sizeof(sfen));
		mini_shogi.state_write(game_line_state(line), &text);
		*strrchr(sfen, ' ') = 0;
		assert_string_equal(key, sfen);
		if (count == 0) {
			for (int i = 0; i < 5; i++)
				(void)game_line_undo(line);
			continue;
		}
		assert_int_equal(game_line_play(line, list[random_below(&random, (uint32_t)count)]),
			STATUS_OK);
	}
	game_line_destroy(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line__undo_equals_replay_in_state_and_records),
		cmocka_unit_test(test_record__key_is_the_position_without_its_number),
	};

	return cmocka_run_group_tests_name("mini_line", tests, NULL, NULL);
}
