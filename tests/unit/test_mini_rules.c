/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "cases.h"
#include "game/line.h"
#include "shogi/shogi.h"

static struct game_line *line_of(const struct case_row *row, const char *rules, const char *sfen)
{
	struct game_line *line;
	struct text_error error = {0};
	enum status status = strcmp(sfen, "-") == 0 ? game_line_create(&mini_shogi, rules, &line)
						    : game_line_setup(&mini_shogi, rules, sfen,
							      strlen(sfen), &error, &line);

	if (status != STATUS_OK)
		fail_msg("%s:%d: column %u: %s", row->file, row->line, error.column,
			status_text(status));
	return line;
}

static enum status play_text(struct game_line *line, const char *usi, size_t length)
{
	struct text_error error;
	struct game_action action;
	enum status status =
		mini_shogi.action_read(game_line_state(line), usi, length, &error, &action);

	return status == STATUS_OK ? game_line_play(line, action) : status;
}

static bool contains(const struct game_state *state, struct game_action action)
{
	struct game_action list[GAME_ACTIONS_MAX];
	size_t count = mini_shogi.legal(state, list);

	for (size_t i = 0; i < count; i++)
		if (list[i].code == action.code)
			return true;
	return false;
}

/* Plays "a b x3(c d) e". */
static void play_all(const struct case_row *row, struct game_line *line, const char *moves)
{
	while (*(moves += strspn(moves, " "))) {
		size_t length = strcspn(moves, " ");
		enum status status;

		if (*moves == 'x') {
			const char *inside = strchr(moves, '(') + 1;
			size_t inner = strcspn(inside, ")");
			char part[256];

			snprintf(part, sizeof(part), "%.*s", (int)inner, inside);
			for (int i = moves[1] - '0'; i > 0; i--)
				play_all(row, line, part);
			moves = inside + inner + 1;
			continue;
		}
		status = play_text(line, moves, length);
		if (status != STATUS_OK)
			fail_msg("%s:%d: ply %zu: %s", row->file, row->line,
				game_line_plies(line) + 1, status_text(status));
		moves += length;
	}
}

static void expect_word(
	const struct case_row *row, const char *what, const char *is, const char *should)
{
	if (strcmp(is, should) != 0)
		fail_msg("%s:%d: %s: %s is %s, not %s", row->file, row->line, row->column[0], what,
			is, should);
}

static void visit_verdict(const struct case_row *row)
{
	struct game_line *line = line_of(row, row->column[1], row->column[2]);
	static const char *const winners[] = {"-", "0", "1"};
	struct game_summary summary;

	play_all(row, line, row->column[3]);
	summary = game_line_summary(line);
	expect_word(row, "over", summary.over ? "true" : "false", row->column[4]);
	expect_word(row, "winner", winners[summary.winner + 1], row->column[5]);
	expect_word(row, "reason", summary.over ? game_reason_name(summary.reason) : "-",
		row->column[6]);
	if (summary.over)
		assert_int_equal(play_text(line, "5e5d", 4), STATUS_GAME_OVER);
	game_line_destroy(line);
}

static void test_verdict__every_row(void **context)
{
	(void)context;
	cases_visit("mini_verdicts.tsv", 7, visit_verdict);
}

/* The single-move check gives the reason; generator and play agree with it; refusals change
 * nothing. */
static void visit_refusal(const struct case_row *row)
{
	struct game_line *line = line_of(row, NULL, row->column[1]);
	struct game_state before = *game_line_state(line);
	struct game_action action;
	struct text_error error;
	enum status status;

	assert_int_equal(mini_shogi.action_read(
				 &before, row->column[2], strlen(row->column[2]), &error, &action),
		STATUS_OK);
	status = game_line_play(line, action);
	expect_word(row, row->column[2], status_code(status), row->column[3]);
	assert_int_equal(contains(&before, action), status == STATUS_OK);
	if (status != STATUS_OK)
		assert_memory_equal(&before, game_line_state(line), sizeof(before));
	game_line_destroy(line);
}

static void test_refusal__every_row(void **context)
{
	(void)context;
	cases_visit("mini_refusals.tsv", 4, visit_refusal);
}

static void visit_pawn_drop_mate(const struct case_row *row)
{
	struct game_line *line = line_of(row, NULL, row->column[0]);
	struct game_state before = *game_line_state(line);
	const char *drop = row->column[1];

	while (*drop) {
		size_t length = strcspn(drop, " ,");
		struct game_action action;
		struct text_error error;

		assert_int_equal(
			mini_shogi.action_read(&before, drop, length, &error, &action), STATUS_OK);
		expect_word(row, drop, status_code(game_line_play(line, action)), "drop-pawn-mate");
		assert_false(contains(&before, action));
		drop += length;
		drop += strspn(drop, " ,");
	}
	assert_memory_equal(&before, game_line_state(line), sizeof(before));
	game_line_destroy(line);
}

static void test_pawn_drop_mate__every_row_is_refused(void **context)
{
	(void)context;
	cases_visit("mini_pawn_drop_mate.tsv", 2, visit_pawn_drop_mate);
}

/* Exactly one legal move ends the game, and it is the one of the row. */
static void visit_mate1(const struct case_row *row)
{
	struct game_line *line = line_of(row, NULL, row->column[0]);
	struct game_action list[GAME_ACTIONS_MAX];
	size_t count = mini_shogi.legal(game_line_state(line), list);
	int mates = 0;

	for (size_t i = 0; i < count; i++) {
		int player = game_line_summary(line).player;
		char name[GAME_ACTION_TEXT];
		struct text text;
		struct game_summary summary;

		assert_int_equal(game_line_play(line, list[i]), STATUS_OK);
		summary = game_line_summary(line);
		if (summary.over) {
			text_init(&text, name, sizeof(name));
			mini_shogi.action_write(list[i], &text);
			expect_word(row, "mate", name, row->column[1]);
			assert_int_equal(summary.reason, GAME_REASON_CHECKMATE);
			assert_int_equal(summary.winner, player);
			mates++;
		}
		assert_true(game_line_undo(line));
	}
	assert_int_equal(mates, 1);
	game_line_destroy(line);
}

static void test_mate1__every_row_ends_the_game(void **context)
{
	(void)context;
	cases_visit("mini_mate1.tsv", 2, visit_mate1);
}

/* B27: every action there can be is listed exactly when the single-move check accepts it. */
static void visit_all_actions(const struct case_row *row)
{
	struct game_line *line = line_of(row, NULL, row->column[0]);
	struct game_action list[GAME_ACTIONS_MAX];
	size_t count = mini_shogi.legal(game_line_state(line), list);
	size_t accepted = 0;

	for (size_t i = 0; i < count; i++)
		assert_int_equal(game_line_try(line, list[i]), STATUS_OK);
	for (int to = 0; to < 25; to++) {
		for (int from = 0; from < 25 + 5; from++) {
			for (int promote = 0; promote < (from < 25 ? 2 : 1); promote++) {
				struct game_member members[] = {
					{"type", GAME_MEMBER_TEXT, 0, from < 25 ? "move" : "drop"},
					{"to", GAME_MEMBER_NUMBER, to, NULL},
					{"from", GAME_MEMBER_NUMBER, from, NULL},
					{"promote", GAME_MEMBER_BOOL, promote, NULL},
				};
				static const char *const pieces[] = {"R", "B", "G", "S", "P"};
				struct game_action action;
				const char *bad;
				bool legal;

				if (from == to)
					continue;
				if (from >= 25)
					members[2] = (struct game_member){
						"piece", GAME_MEMBER_TEXT, 0, pieces[from - 25]};
				assert_int_equal(
					mini_shogi.action_read_members(game_line_state(line),
						members, from < 25 ? 4 : 3, &bad, &action),
					STATUS_OK);
				legal = game_line_try(line, action) == STATUS_OK;
				if (legal != contains(game_line_state(line), action))
					fail_msg("%s:%d: %s: from %d to %d promote %d: listed %d, "
						 "accepted %d",
						row->file, row->line, row->column[0], from, to,
						promote, !legal, legal);
				accepted += legal;
			}
		}
	}
	assert_int_equal(accepted, count);
	game_line_destroy(line);
}

static void test_legal__list_and_single_check_agree_on_every_action(void **context)
{
	(void)context;
	cases_visit("mini_perft_wide.tsv", 5, visit_all_actions);
	cases_visit("mini_perft_deep.tsv", 6, visit_all_actions);
}

static bool hands_are_empty(const struct game_line *line)
{
	char sfen[GAME_SETUP_TEXT];
	struct text text;

	text_init(&text, sfen, sizeof(sfen));
	mini_shogi.state_write(game_line_state(line), &text);
	return strstr(sfen, " - ") != NULL;
}

/*
 * Plays random moves to `plies` such that the game goes on, and, when asked, such that nothing is
 * captured. Steps back out of dead ends.
 */
static void wander(struct game_line *line, struct random *random, size_t plies, bool peaceful)
{
	int refused = 0;

	while (game_line_plies(line) < plies) {
		struct game_action list[GAME_ACTIONS_MAX];
		size_t count = mini_shogi.legal(game_line_state(line), list);

		assert_int_equal(game_line_play(line, list[random_below(random, (uint32_t)count)]),
			STATUS_OK);
		if (!game_line_summary(line).over && (!peaceful || hands_are_empty(line)))
			continue;
		assert_true(game_line_undo(line));
		if (++refused % 100 == 0)
			for (int i = 0; i < 10; i++)
				(void)game_line_undo(line);
	}
}

/* A12: no 50-move rule and no limit of 300 or 500 plies under "uec". */
static void test_uec__has_no_ply_limit(void **context)
{
	static const char start[] = "4k/5/r4/3R1/K4 b - 1";
	struct random random = {12};
	struct game_line *line;
	struct text_error error;

	(void)context;
	assert_int_equal(game_line_setup(&mini_shogi, "uec", start, strlen(start), &error, &line),
		STATUS_OK);
	wander(line, &random, 600, true);
	assert_false(game_line_summary(line).over);
	game_line_destroy(line);
}

static void test_kawu__ply_300_draws_unless_it_mates(void **context)
{
	struct random random = {300};
	bool drawn = false;
	bool mated = false;

	(void)context;
	for (int game = 0; game < 400 && !(drawn && mated); game++) {
		struct game_line *line;
		struct game_action list[GAME_ACTIONS_MAX];
		size_t count;

		assert_int_equal(game_line_create(&mini_shogi, "kawu", &line), STATUS_OK);
		wander(line, &random, 299, false);
		count = mini_shogi.legal(game_line_state(line), list);
		for (size_t i = 0; i < count; i++) {
			struct game_summary summary;

			assert_int_equal(game_line_play(line, list[i]), STATUS_OK);
			summary = game_line_summary(line);
			assert_true(summary.over);
			if (summary.reason == GAME_REASON_PLY_LIMIT) {
				assert_int_equal(summary.winner, -1);
				drawn = true;
			} else if (summary.reason == GAME_REASON_CHECKMATE) {
				assert_int_equal(summary.winner, 1);
				mated = true;
			} else {
				assert_int_equal(summary.reason, GAME_REASON_REPETITION);
				assert_int_equal(summary.winner, -1);
			}
			assert_true(game_line_undo(line));
			assert_false(game_line_summary(line).over);
		}
		game_line_destroy(line);
	}
	assert_true(drawn);
	assert_true(mated);
}

static void test_undo__rolls_repetition_back_exactly(void **context)
{
	static const char *const cycle[] = {"1e1d", "5a5b", "1d1e", "5b5a"};
	struct game_line *line;

	(void)context;
	assert_int_equal(game_line_create(&mini_shogi, NULL, &line), STATUS_OK);
	for (int ply = 0; ply < 11; ply++)
		assert_int_equal(play_text(line, cycle[ply % 4], 4), STATUS_OK);
	assert_true(game_line_undo(line));
	assert_int_equal(play_text(line, cycle[2], 4), STATUS_OK);
	assert_false(game_line_summary(line).over);
	assert_int_equal(play_text(line, cycle[3], 4), STATUS_OK);
	assert_int_equal(game_line_summary(line).reason, GAME_REASON_REPETITION);
	/* After the end too, and the game goes on from there. */
	assert_true(game_line_undo(line));
	assert_false(game_line_summary(line).over);
	assert_int_equal(play_text(line, "resign", 6), STATUS_OK);
	assert_int_equal(game_line_summary(line).winner, 0);
	assert_true(game_line_undo(line));
	assert_int_equal(play_text(line, cycle[3], 4), STATUS_OK);
	assert_int_equal(game_line_summary(line).reason, GAME_REASON_REPETITION);
	game_line_destroy(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict__every_row),
		cmocka_unit_test(test_refusal__every_row),
		cmocka_unit_test(test_pawn_drop_mate__every_row_is_refused),
		cmocka_unit_test(test_mate1__every_row_ends_the_game),
		cmocka_unit_test(test_legal__list_and_single_check_agree_on_every_action),
		cmocka_unit_test(test_uec__has_no_ply_limit),
		cmocka_unit_test(test_kawu__ply_300_draws_unless_it_mates),
		cmocka_unit_test(test_undo__rolls_repetition_back_exactly),
	};

	return cmocka_run_group_tests_name("mini_rules", tests, NULL, NULL);
}
