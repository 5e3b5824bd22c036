/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "game/line.h"
#include "toy_game.h"

static struct game_line *new_line(void)
{
	struct game_line *line = NULL;

	assert_int_equal(game_line_create(&toy_ops, NULL, &line), STATUS_OK);
	return line;
}

static struct game_line *set_up(const char *position)
{
	struct game_line *line = NULL;
	struct text_error error;

	assert_int_equal(game_line_setup(&toy_ops, NULL, position, strlen(position), &error, &line),
		STATUS_OK);
	return line;
}

/* "3 0 resign": actions in the toy's words. */
static void play(struct game_line *line, const char *actions)
{
	while (*actions) {
		size_t length = strcspn(actions, " ");
		struct text_error error;
		struct game_action action;

		assert_int_equal(
			toy_action_read(game_line_state(line), actions, length, &error, &action),
			STATUS_OK);
		assert_int_equal(game_line_play(line, action), STATUS_OK);
		actions += length + (actions[length] == ' ');
	}
}

/* All that can be asked of the two lines is the same. */
static void assert_lines_equal(const struct game_line *a, const struct game_line *b)
{
	struct game_history records_a = game_line_history(a);
	struct game_history records_b = game_line_history(b);

	assert_ptr_equal(game_line_ops(a), game_line_ops(b));
	assert_memory_equal(game_line_state(a), game_line_state(b), sizeof(struct game_state));
	assert_int_equal(game_line_plies(a), game_line_plies(b));
	for (size_t ply = 0; ply < game_line_plies(a); ply++)
		assert_int_equal(game_line_action(a, ply).code, game_line_action(b, ply).code);
	assert_int_equal(records_a.count, game_line_plies(a) + 1);
	assert_int_equal(records_b.count, records_a.count);
	for (size_t i = 0; i < records_a.count; i++) {
		assert_memory_equal(&records_a.records[i].key, &records_b.records[i].key,
			sizeof(struct game_key));
		assert_int_equal(records_a.records[i].by, records_b.records[i].by);
		assert_int_equal(records_a.records[i].check, records_b.records[i].check);
	}
}

static void test_game__finds_a_game_by_its_whole_name_only(void **state)
{
	static const struct game_ops *const none[] = {NULL};

	(void)state;
	assert_ptr_equal(game_find(toy_games, "toy"), &toy_ops);
	assert_null(game_find(toy_games, "to"));
	assert_null(game_find(toy_games, "toys"));
	assert_null(game_find(toy_games, ""));
	assert_null(game_find(none, "toy"));
}

static void test_game__names_every_reason(void **state)
{
	(void)state;
	assert_null(game_reason_name(GAME_REASON_NONE));
	assert_string_equal(game_reason_name(GAME_REASON_CHECKMATE), "checkmate");
	assert_string_equal(game_reason_name(GAME_REASON_NO_LEGAL_MOVE), "no-legal-move");
	assert_string_equal(game_reason_name(GAME_REASON_RESIGNATION), "resignation");
	assert_string_equal(game_reason_name(GAME_REASON_REPETITION), "repetition");
	assert_string_equal(game_reason_name(GAME_REASON_PERPETUAL_CHECK), "perpetual-check");
	assert_string_equal(game_reason_name(GAME_REASON_MUTUAL_PERPETUAL), "mutual-perpetual");
	assert_string_equal(game_reason_name(GAME_REASON_PLY_LIMIT), "ply-limit");
}

static void test_line__begins_with_no_ply_and_one_record(void **state)
{
	struct game_line *line = new_line();

	(void)state;
	assert_ptr_equal(game_line_ops(line), &toy_ops);
	assert_int_equal(game_line_plies(line), 0);
	assert_int_equal(game_line_history(line).count, 1);
	assert_int_equal(game_line_history(line).records[0].by, -1);
	assert_int_equal(toy_unpack(game_line_state(line)).stones, TOY_STONES);
	assert_false(game_line_summary(line).over);
	game_line_destroy(line);
}

static void test_line__refuses_an_unknown_ruleset_and_makes_nothing(void **state)
{
	struct game_line *line = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	(void)state;
	assert_int_equal(game_line_create(&toy_ops, "house", &line), STATUS_RULESET_UNKNOWN);
	assert_null(line);
	assert_int_equal(game_line_setup(&toy_ops, "house", "5 1", 3, &error, &line),
		STATUS_RULESET_UNKNOWN);
	assert_null(line);
}

static void test_line__plays_by_the_ruleset_it_was_made_with(void **state)
{
	struct game_line *line = NULL;
	struct text_error error;

	(void)state;
	assert_int_equal(
		game_line_setup(&toy_ops, "last-loses", "2 1", 3, &error, &line), STATUS_OK);
	play(line, "2");
	assert_true(game_line_summary(line).over);
	assert_int_equal(game_line_summary(line).winner, 0);
	game_line_destroy(line);
}

static void test_line__says_where_a_set_up_is_wrong_and_makes_nothing(void **state)
{
	struct game_line *line = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	(void)state;
	assert_int_equal(
		game_line_setup(&toy_ops, NULL, "12 x", 4, &error, &line), STATUS_SFEN_NUMBER);
	assert_null(line);
	assert_int_equal(error.status, STATUS_SFEN_NUMBER);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 3);
}

static void test_line__keeps_actions_and_records_of_each_ply(void **state)
{
	struct game_line *line = new_line();
	struct game_history history;

	(void)state;
	play(line, "3 0 2");
	history = game_line_history(line);
	assert_int_equal(game_line_plies(line), 3);
	assert_int_equal(game_line_action(line, 0).code, TOY_TAKE_3);
	assert_int_equal(game_line_action(line, 1).code, TOY_PASS);
	assert_int_equal(game_line_action(line, 2).code, TOY_TAKE_2);
	assert_int_equal(history.count, 4);
	assert_int_equal(history.records[1].key.word[0], 18);
	assert_int_equal(history.records[1].by, 0);
	assert_int_equal(history.records[2].by, 1);
	assert_int_equal(history.records[3].key.word[0], 16);
	game_line_destroy(line);
}

static void test_line__a_refusal_leaves_the_line_as_it_was(void **state)
{
	struct game_line *line = set_up("2 0");
	struct game_line *same = NULL;

	(void)state;
	play(line, "0");
	assert_int_equal(game_line_copy(line, 1, &same), STATUS_OK);
	assert_int_equal(game_line_play(line, toy_action(TOY_TAKE_3)), STATUS_DROP_NOT_IN_HAND);
	assert_int_equal(game_line_play(line, (struct game_action){0}), STATUS_MOVE_PATTERN);
	assert_int_equal(game_line_play(line, (struct game_action){99}), STATUS_MOVE_PATTERN);
	assert_lines_equal(line, same);
	game_line_destroy(same);
	game_line_destroy(line);
}

static void test_line__try_answers_what_play_would_and_plays_nothing(void **state)
{
	struct game_line *line = set_up("2 0");

	(void)state;
	assert_int_equal(game_line_try(line, toy_action(TOY_TAKE_3)), STATUS_DROP_NOT_IN_HAND);
	assert_int_equal(game_line_try(line, toy_action(TOY_TAKE_2)), STATUS_OK);
	assert_int_equal(game_line_plies(line), 0);
	play(line, "2");
	assert_int_equal(game_line_try(line, toy_action(TOY_TAKE_2)), STATUS_GAME_OVER);
	game_line_destroy(line);
}

static void test_line__nothing_is_played_after_the_end(void **state)
{
	struct game_line *line = new_line();

	(void)state;
	play(line, "1 resign");
	assert_int_equal(game_line_summary(line).winner, 0);
	assert_int_equal(game_line_summary(line).reason, GAME_REASON_RESIGNATION);
	assert_int_equal(game_line_play(line, toy_action(TOY_TAKE_1)), STATUS_GAME_OVER);
	assert_int_equal(game_line_play(line, toy_action(TOY_RESIGN)), STATUS_GAME_OVER);
	assert_int_equal(game_line_plies(line), 2);
	game_line_destroy(line);
}

static void test_line__hands_its_records_to_the_rules(void **state)
{
	struct game_line *line = new_line();

	(void)state;
	play(line, "0 0 0");
	assert_false(game_line_summary(line).over);
	play(line, "0");
	assert_true(game_line_summary(line).over);
	assert_int_equal(game_line_summary(line).reason, GAME_REASON_REPETITION);
	game_line_destroy(line);
}

static void test_line__undo_of_nothing_is_false(void **state)
{
	struct game_line *line = new_line();

	(void)state;
	assert_false(game_line_undo(line));
	play(line, "1");
	assert_true(game_line_undo(line));
	assert_false(game_line_undo(line));
	assert_int_equal(game_line_plies(line), 0);
	game_line_destroy(line);
}

/* Every prefix of these games, reached by undo and by copy, is the line that was played so far. */
static void test_line__undo_and_copy_are_the_line_as_it_was(void **state)
{
	static const char *const games[] = {
		"3 3 3 3 3 3 3",     /* the last stone */
		"1 2 0 3 resign",    /* a resignation */
		"1 0 0 0 0",         /* an end by repetition */
		"0 0 0 1 0 0 0 2 0", /* repetitions that are not enough */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
		struct game_line *prefixes[16];
		struct game_line *whole = new_line();
		size_t plies;

		prefixes[0] = new_line();
		for (const char *at = games[i]; *at; at += strspn(at, " ")) {
			char word[16];
			size_t length = strcspn(at, " ");

			memcpy(word, at, length);
			word[length] = 0;
			play(whole, word);
			plies = game_line_plies(whole);
			prefixes[plies] = new_line();
			for (size_t ply = 0; ply < plies; ply++)
				assert_int_equal(game_line_play(prefixes[plies],
							 game_line_action(whole, ply)),
					STATUS_OK);
			at += length;
		}
		plies = game_line_plies(whole);
		for (size_t ply = 0; ply <= plies; ply++) {
			struct game_line *copy = NULL;

			assert_int_equal(game_line_copy(whole, ply, &copy), STATUS_OK);
			assert_lines_equal(copy, prefixes[ply]);
			game_line_destroy(copy);
		}
		for (size_t ply = plies; ply-- > 0;) {
			assert_true(game_line_undo(whole));
			assert_lines_equal(whole, prefixes[ply]);
		}
		for (size_t ply = 0; ply <= plies; ply++)
			game_line_destroy(prefixes[ply]);
		game_line_destroy(whole);
	}
}

static void test_line__undo_takes_repetition_counts_back(void **state)
{
	struct game_line *line = new_line();

	(void)state;
	play(line, "0 0 0 0");
	assert_true(game_line_undo(line));
	assert_false(game_line_summary(line).over);
	play(line, "1 0 0");
	assert_false(game_line_summary(line).over);
	for (int i = 0; i < 3; i++)
		assert_true(game_line_undo(line));
	play(line, "0");
	assert_int_equal(game_line_summary(line).reason, GAME_REASON_REPETITION);
	game_line_destroy(line);
}

static void test_line__undo_keeps_a_set_up_and_its_ruleset(void **state)
{
	struct game_line *line = NULL;
	struct text_error error;

	(void)state;
	assert_int_equal(
		game_line_setup(&toy_ops, "last-loses", "4 1", 3, &error, &line), STATUS_OK);
	play(line, "3");
	assert_true(game_line_undo(line));
	assert_int_equal(toy_unpack(game_line_state(line)).stones, 4);
	assert_int_equal(game_line_summary(line).player, 1);
	play(line, "3 1");
	assert_int_equal(game_line_summary(line).winner, 1);
	game_line_destroy(line);
}

static void test_line__a_copy_goes_its_own_way(void **state)
{
	struct game_line *line = new_line();
	struct game_line *copy = NULL;

	(void)state;
	play(line, "1 2 3");
	assert_int_equal(game_line_copy(line, 2, &copy), STATUS_OK);
	play(copy, "1 1");
	play(line, "0");
	assert_int_equal(game_line_plies(copy), 4);
	assert_int_equal(toy_unpack(game_line_state(copy)).stones, 16);
	assert_int_equal(toy_unpack(game_line_state(line)).stones, 15);
	game_line_destroy(line);
	play(copy, "1");
	assert_int_equal(toy_unpack(game_line_state(copy)).stones, 15);
	game_line_destroy(copy);
}

static void test_line__grows_to_the_greatest_length_and_no_further(void **state)
{
	struct game_line *line = set_up("999999 0");
	struct game_line *copy = NULL;

	(void)state;
	for (size_t ply = 0; ply < GAME_PLIES_MAX; ply++) {
		assert_int_equal(game_line_try(line, toy_action(TOY_TAKE_1)), STATUS_OK);
		assert_int_equal(game_line_play(line, toy_action(TOY_TAKE_1)), STATUS_OK);
	}
	assert_int_equal(game_line_try(line, toy_action(TOY_TAKE_1)), STATUS_GAME_TOO_LONG);
	assert_int_equal(game_line_play(line, toy_action(TOY_TAKE_1)), STATUS_GAME_TOO_LONG);
	assert_int_equal(game_line_play(line, (struct game_action){99}), STATUS_MOVE_PATTERN);
	assert_int_equal(game_line_plies(line), GAME_PLIES_MAX);
	assert_int_equal(game_line_history(line).count, GAME_PLIES_MAX + 1);

	assert_int_equal(game_line_copy(line, GAME_PLIES_MAX, &copy), STATUS_OK);
	assert_lines_equal(line, copy);
	assert_true(game_line_undo(copy));
	assert_int_equal(game_line_play(copy, toy_action(TOY_TAKE_1)), STATUS_OK);
	assert_lines_equal(line, copy);
	game_line_destroy(copy);
	game_line_destroy(line);
}

static void test_line__an_end_on_the_last_ply_is_an_end(void **state)
{
	struct game_line *line = set_up("20000 0");

	(void)state;
	for (size_t ply = 0; ply < GAME_PLIES_MAX; ply++)
		assert_int_equal(game_line_play(line, toy_action(TOY_TAKE_1)), STATUS_OK);
	assert_true(game_line_summary(line).over);
	assert_int_equal(game_line_play(line, toy_action(TOY_TAKE_1)), STATUS_GAME_OVER);
	game_line_destroy(line);
}

static void test_line__writes_its_state_as_json(void **state)
{
	struct game_line *line = set_up("5 1");
	char buffer[512];
	struct text text;

	(void)state;
	play(line, "3");
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, false, &text);
	assert_string_equal(
		buffer, "{\"stones\":2,\"player\":0,\"moves\":1,\"over\":false,\"reason\":null}");

	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, true, &text);
	assert_false(text.overflow);
	assert_string_equal(buffer,
		"{\"stones\":2,\"player\":0,\"moves\":1,\"over\":false,\"reason\":null,"
		"\"records\":[{\"key\":\"5 1\",\"by\":null,\"check\":false},"
		"{\"key\":\"2 0\",\"by\":1,\"check\":true}]}");
	game_line_destroy(line);
}

static void test_line__json_that_does_not_fit_is_an_overflow(void **state)
{
	struct game_line *line = new_line();
	char buffer[32];
	struct text text;

	(void)state;
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, true, &text);
	assert_true(text.overflow);
	game_line_destroy(line);
}

static void test_line__destroys_nothing(void **state)
{
	(void)state;
	game_line_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_game__finds_a_game_by_its_whole_name_only),
		cmocka_unit_test(test_game__names_every_reason),
		cmocka_unit_test(test_line__begins_with_no_ply_and_one_record),
		cmocka_unit_test(test_line__refuses_an_unknown_ruleset_and_makes_nothing),
		cmocka_unit_test(test_line__plays_by_the_ruleset_it_was_made_with),
		cmocka_unit_test(test_line__says_where_a_set_up_is_wrong_and_makes_nothing),
		cmocka_unit_test(test_line__keeps_actions_and_records_of_each_ply),
		cmocka_unit_test(test_line__a_refusal_leaves_the_line_as_it_was),
		cmocka_unit_test(test_line__try_answers_what_play_would_and_plays_nothing),
		cmocka_unit_test(test_line__nothing_is_played_after_the_end),
		cmocka_unit_test(test_line__hands_its_records_to_the_rules),
		cmocka_unit_test(test_line__undo_of_nothing_is_false),
		cmocka_unit_test(test_line__undo_and_copy_are_the_line_as_it_was),
		cmocka_unit_test(test_line__undo_takes_repetition_counts_back),
		cmocka_unit_test(test_line__undo_keeps_a_set_up_and_its_ruleset),
		cmocka_unit_test(test_line__a_copy_goes_its_own_way),
		cmocka_unit_test(test_line__grows_to_the_greatest_length_and_no_further),
		cmocka_unit_test(test_line__an_end_on_the_last_ply_is_an_end),
		cmocka_unit_test(test_line__writes_its_state_as_json),
		cmocka_unit_test(test_line__json_that_does_not_fit_is_an_overflow),
		cmocka_unit_test(test_line__destroys_nothing),
	};

	return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
