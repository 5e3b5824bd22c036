/* SPDX-License-Identifier: MIT */

/* Properties that hold in every position, tried along random games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "game/line.h"
#include "shogi/mini.h"

#include "shogi/legality.inc.h"
#include "shogi/notation.inc.h"
#include "shogi/shogi.h"

enum { GAMES = 300, PLIES_MAX = 120 };

static struct position position_of(const char *sfen)
{
	struct position pos;
	struct text_error error;
	uint32_t number;

	assert_int_equal(sfen_read(sfen, strlen(sfen), &error, &pos, &number), STATUS_OK);
	return pos;
}

static void assert_same(const struct position *a, const struct position *b)
{
	assert_memory_equal(a->type, b->type, sizeof(a->type));
	assert_memory_equal(a->color, b->color, sizeof(a->color));
	assert_memory_equal(a->hand, b->hand, sizeof(a->hand));
	assert_memory_equal(a->king, b->king, sizeof(a->king));
	assert_int_equal(a->promoted, b->promoted);
	assert_int_equal(a->turn, b->turn);
	assert_true(a->hash == b->hash);
}

static int compare_moves(const void *a, const void *b)
{
	return (int)((const struct move *)a)->bits - (int)((const struct move *)b)->bits;
}

/* The same position with the board turned round and the sides exchanged. */
static struct position rotate(const struct position *pos)
{
	struct position turned;

	position_clear(&turned);
	for (bitboard rest = position_occupied(pos); rest; rest &= rest - 1) {
		int square = first_square(rest);

		position_put(&turned, !color_on(pos, square), type_on(pos, square),
			(pos->promoted & square_bit(square)) != 0, SQUARES - 1 - square);
	}
	for (int color = 0; color < 2; color++)
		for (int type = 0; type < TYPES; type++)
			position_set_hand(&turned, !color, type, hand_count(pos, color, type));
	if (pos->turn == 0)
		position_pass_turn(&turned);
	return turned;
}

static struct move rotate_move(struct move move)
{
	int from = move_from(move);

	return move_make(from < SQUARES ? SQUARES - 1 - from : from, SQUARES - 1 - move_to(move),
		move_promotes(move));
}

static void check_bitboards(const struct position *pos)
{
	bitboard seen = 0;
	int pieces = 0;

	assert_int_equal(pos->color[0] & pos->color[1], 0);
	for (int type = 0; type < TYPES; type++) {
		assert_int_equal(seen & pos->type[type], 0);
		seen |= pos->type[type];
		pieces += hand_count(pos, 0, type) + hand_count(pos, 1, type);
	}
	for (int color = 0; color < 2; color++) {
		assert_int_equal(seen & square_bit(pos->king[color]), 0);
		seen |= square_bit(pos->king[color]);
	}
	assert_int_equal(seen, position_occupied(pos));
	assert_int_equal(pos->promoted & ~(seen & ~pos->type[GOLD]), 0);
	assert_int_equal(pieces + count_squares(position_occupied(pos)), 12);
}

static void check_moves(const struct position *pos)
{
	struct move list[MOVES_MAX];
	struct move turned_list[MOVES_MAX];
	struct position turned = rotate(pos);
	unsigned count = generate_moves(pos, list);

	assert_int_equal(count_moves(pos), count);
	assert_int_equal(generate_moves(&turned, turned_list), count);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(move_refusal(pos, list[i]), STATUS_OK);
		turned_list[i] = rotate_move(turned_list[i]);
	}
	qsort(list, count, sizeof(list[0]), compare_moves);
	qsort(turned_list, count, sizeof(list[0]), compare_moves);
	assert_memory_equal(list, turned_list, count * sizeof(list[0]));
	for (unsigned i = 1; i < count; i++)
		assert_true(list[i - 1].bits < list[i].bits);
}

static void test_position__invariants_hold_along_random_games(void **context)
{
	struct random random = {5515};

	(void)context;
	for (int game = 0; game < GAMES; game++) {
		struct position pos = position_of(
			game % 2 ? "rbsgk/4p/5/P4/KGSBR b - 1" : "rbsgk/p4/5/4P/KGSBR b - 1");

		for (int ply = 0; ply < PLIES_MAX; ply++) {
			struct move list[MOVES_MAX];
			unsigned count = generate_moves(&pos, list);
			char sfen[GAME_SETUP_TEXT];
			struct position again;
			struct text text;

			check_bitboards(&pos);
			check_moves(&pos);
			assert_true(pos.hash == position_hash(&pos));
			assert_int_equal(position_is_valid(&pos), STATUS_OK);
			text_init(&text, sfen, sizeof(sfen));
			sfen_write(&pos, 1, &text);
			again = position_of(sfen);
			assert_same(&pos, &again);
			if (count == 0)
				break;
			position_play(&pos, list[random_below(&random, count)]);
		}
	}
}

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
		cmocka_unit_test(test_position__invariants_hold_along_random_games),
		cmocka_unit_test(test_line__undo_equals_replay_in_state_and_records),
		cmocka_unit_test(test_record__key_is_the_position_without_its_number),
	};

	return cmocka_run_group_tests_name("mini_position", tests, NULL, NULL);
}
