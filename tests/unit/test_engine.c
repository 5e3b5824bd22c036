/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "cases.h"
#include "engine/engine.h"
#include "shogi/shogi.h"

static const struct engine_host silent = {0};

static struct engine *make_engine(void)
{
	struct engine *engine;

	assert_int_equal(engine_create(&engine), STATUS_OK);
	return engine;
}

static void set_text(struct engine *engine, const char *rules, const char *sfen, const char *moves)
{
	struct engine_text text = {rules, sfen, sfen ? strlen(sfen) : 0, moves, strlen(moves)};
	const char *at;
	enum status status = engine_set_text(engine, &text, &at);

	if (status != STATUS_OK)
		fail_msg("%s: at \"%s\"", status_text(status), at ? at : "");
}

static struct engine_result search_depth(struct engine *engine, int depth)
{
	struct engine_limits limits = {.depth = depth};

	return engine_search(engine, &limits, &silent);
}

static struct engine_result search_nodes(struct engine *engine, uint64_t nodes)
{
	struct engine_limits limits = {.nodes = nodes};

	return engine_search(engine, &limits, &silent);
}

static void expect_move(struct game_action action, const char *usi)
{
	char name[GAME_ACTION_TEXT];
	struct text text;

	text_init(&text, name, sizeof(name));
	mini_shogi.action_write(action, &text);
	assert_string_equal(name, usi);
}

/* Its own time, not the wall's: the machine may have other things to do. */
static uint64_t read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void visit_mate1(const struct case_row *row)
{
	struct engine *engine = make_engine();
	struct engine_result result;

	set_text(engine, NULL, row->column[0], "");
	result = search_depth(engine, 2);
	expect_move(result.move, row->column[1]);
	assert_int_equal(result.score.mate_plies, 1);
	engine_destroy(engine);
}

static void test_engine__finds_every_mate_in_one(void **context)
{
	(void)context;
	cases_visit("mini_mate1.tsv", 2, visit_mate1);
}

static void visit_mate3(const struct case_row *row)
{
	struct engine *engine = make_engine();
	struct engine_result result;

	set_text(engine, NULL, row->column[0], "");
	result = search_depth(engine, 3);
	expect_move(result.move, row->column[1]);
	assert_int_equal(result.score.mate_plies, 3);
	engine_destroy(engine);
}

static void test_engine__finds_every_mate_in_three(void **context)
{
	(void)context;
	cases_visit("mini_mate3.tsv", 2, visit_mate3);
}

/* A game of `plies` random moves that is not over. Steps back out of dead ends. */
static struct game_line *wander(struct random *random, const char *rules, size_t plies)
{
	struct game_line *line;
	int ends = 0;

	assert_int_equal(game_line_create(&mini_shogi, rules, &line), STATUS_OK);
	while (game_line_plies(line) < plies) {
		struct game_action list[GAME_ACTIONS_MAX];
		size_t count = mini_shogi.legal(game_line_state(line), list);

		assert_int_equal(game_line_play(line, list[random_below(random, (uint32_t)count)]),
			STATUS_OK);
		if (!game_line_summary(line).over)
			continue;
		assert_true(game_line_undo(line));
		if (++ends % 10 == 0)
			for (int i = 0; i < 10; i++)
				(void)game_line_undo(line);
	}
	return line;
}

static void test_engine__never_returns_an_illegal_move(void **context)
{
	struct random random = {2024};
	struct engine *engine = make_engine();

	(void)context;
	for (int i = 0; i < 200; i++) {
		const char *rules = i % 2 ? "kawu" : "uec";
		struct game_line *line = wander(&random, rules, random_below(&random, 80));
		/* From nothing at all to a few iterations. */
		uint64_t nodes = 1 + random_below(&random, 1u << random_below(&random, 12));
		struct engine_result result;

		assert_int_equal(engine_set_line(engine, line), STATUS_OK);
		result = search_nodes(engine, nodes);
		assert_true(result.nodes <= nodes);
		assert_int_equal(game_line_try(line, result.move), STATUS_OK);
		game_line_destroy(line);
	}
	engine_destroy(engine);
}

struct seen {
	const struct game_line *line;
	int infos;
};

static void check_info(void *context, const struct engine_info *info)
{
	struct seen *seen = context;
	struct game_line *line;

	seen->infos++;
	assert_int_equal(info->depth, seen->infos);
	assert_true(info->line_length > 0);
	assert_int_equal(game_line_copy(seen->line, game_line_plies(seen->line), &line), STATUS_OK);
	for (size_t i = 0; i < info->line_length; i++)
		assert_int_equal(game_line_play(line, info->line[i]), STATUS_OK);
	game_line_destroy(line);
}

static void test_engine__reports_lines_that_can_be_played(void **context)
{
	struct random random = {7};
	struct engine *engine = make_engine();
	struct engine_limits limits = {.depth = 4};
	struct seen seen;
	struct engine_host host = {.context = &seen, .info = check_info};

	(void)context;
	for (int i = 0; i < 20; i++) {
		struct game_line *line = wander(&random, NULL, random_below(&random, 60));
		struct engine_result result;

		seen = (struct seen){.line = line};
		assert_int_equal(engine_set_line(engine, line), STATUS_OK);
		result = engine_search(engine, &limits, &host);
		assert_int_equal(result.depth, seen.infos);
		assert_true(seen.infos > 0);
		game_line_destroy(line);
	}
	engine_destroy(engine);
}

static void test_engine__is_repeatable_with_a_node_limit(void **context)
{
	struct engine *engine = make_engine();
	struct engine *other = make_engine();
	struct engine_result first = search_nodes(engine, 20000);
	struct engine_result second;

	(void)context;
	assert_int_equal(first.nodes, 20000);
	/* Another position in between leaves nothing behind; nor does another engine. */
	set_text(other, NULL, "4k/1s2B/3pR/1K3/1GSB1 b GPr 21", "");
	search_nodes(other, 5000);
	set_text(engine, NULL, NULL, "5d5c");
	search_nodes(engine, 5000);
	set_text(engine, NULL, NULL, "");
	set_text(other, NULL, NULL, "");
	for (int i = 0; i < 2; i++) {
		second = search_nodes(i ? other : engine, 20000);
		assert_int_equal(second.move.code, first.move.code);
		assert_int_equal(second.nodes, first.nodes);
		assert_int_equal(second.depth, first.depth);
		assert_int_equal(second.score.centipawns, first.score.centipawns);
	}
	engine_destroy(other);
	engine_destroy(engine);
}

struct bell {
	uint64_t rings_at;
	uint64_t heard_at; /* 0: not yet */
};

static bool bell_rings(void *context)
{
	struct bell *bell = context;
	uint64_t now = read_clock();

	if (now < bell->rings_at)
		return false;
	if (!bell->heard_at)
		bell->heard_at = now;
	return true;
}

static void test_engine__stops_within_50_ms(void **context)
{
	struct engine *engine = make_engine();
	struct engine_limits limits = {0};
	struct bell bell = {.rings_at = read_clock() + 150};
	struct engine_host host = {.context = &bell, .should_stop = bell_rings};
	struct engine_result result;

	(void)context;
	set_text(engine, NULL, "2r2/2k1S/Pg2S/5/1K2R b BPbg 1", "");
	result = engine_search(engine, &limits, &host);
	assert_true(result.depth > 0);
	assert_true(bell.heard_at > 0);
	assert_true(bell.heard_at - bell.rings_at < 50);
	assert_true(read_clock() - bell.heard_at < 50);
	engine_destroy(engine);
}

static bool always(void *context)
{
	(void)context;
	return true;
}

static void test_engine__has_a_move_even_when_stopped_at_once(void **context)
{
	struct engine *engine = make_engine();
	struct engine_limits limits = {0};
	struct engine_host host = {.should_stop = always};
	struct engine_result result = engine_search(engine, &limits, &host);

	(void)context;
	assert_int_equal(result.nodes, 0);
	assert_int_equal(game_line_try(engine_line(engine), result.move), STATUS_OK);
	engine_destroy(engine);
}

static uint64_t tick(void *context)
{
	uint64_t *now = context;

	return (*now)++;
}

static void test_engine__keeps_to_its_time(void **context)
{
	struct engine *engine = make_engine();
	struct engine_limits limits = {.movetime_ms = 5};
	uint64_t now = 1000;
	struct engine_host host = {.context = &now, .clock_ms = tick};
	struct engine_result result = engine_search(engine, &limits, &host);

	(void)context;
	/* The clock ticks once a check: at the start, then at nodes 0, 1024, ... until 5 have
	 * passed. */
	assert_int_equal(result.nodes, 4 * ENGINE_NODES_BETWEEN_CHECKS);
	engine_destroy(engine);
}

static void test_engine__has_no_move_after_the_end(void **context)
{
	struct engine *engine = make_engine();

	(void)context;
	set_text(engine, NULL, NULL, "resign");
	assert_int_equal(search_depth(engine, 3).move.code, 0);
	engine_destroy(engine);
}

/* Kings may be missing in exercises. */
static void test_engine__searches_without_kings(void **context)
{
	static const char *const setups[] = {
		"5/5/2p2/5/2R2 b Gg 1", "4k/5/5/5/5 w RBGSP 1", "5/5/5/5/5 b - 1"};
	struct engine *engine = make_engine();

	(void)context;
	for (size_t i = 0; i < sizeof(setups) / sizeof(setups[0]); i++) {
		struct engine_result result;

		set_text(engine, NULL, setups[i], "");
		result = search_depth(engine, 3);
		if (result.move.code)
			assert_int_equal(
				game_line_try(engine_line(engine), result.move), STATUS_OK);
		else
			assert_true(game_line_summary(engine_line(engine)).over);
	}
	engine_destroy(engine);
}

/*
 * Gote's rook keeps Sente's king on file 1, where it   k . . r .
 * steps from 1e to 1d and back; Gote's king shuffles.  . . . . .
 * Of the two squares at 1d the search prefers 1e.      . . . . .
 *                                                      . . . . .
 *                                                      . . . . K
 */
#define SENTE_ROUND "1e1d 5a5b 1d1e 5b5a "
#define GOTE_ROUND "5a5b 1e1d 5b5a 1d1e "

static void test_engine__sees_a_lost_repetition_two_plies_ahead(void **context)
{
	static const char setup[] = "k2r1/5/5/5/4K b - 1";
	struct engine *engine = make_engine();

	(void)context;
	set_text(engine, NULL, setup, SENTE_ROUND "1e1d 5a5b");
	expect_move(search_depth(engine, 2).move, "1d1e");
	/* Gote's 5b5a would be the fourth occurrence, which Sente loses; or draws under "kawu". */
	set_text(engine, NULL, setup, SENTE_ROUND SENTE_ROUND "1e1d 5a5b");
	expect_move(search_depth(engine, 2).move, "1d1c");
	set_text(engine, "kawu", setup, SENTE_ROUND SENTE_ROUND "1e1d 5a5b");
	expect_move(search_depth(engine, 2).move, "1d1e");
	engine_destroy(engine);
}

static void test_engine__repeats_to_win(void **context)
{
	struct engine *engine = make_engine();
	struct engine_result result;

	(void)context;
	set_text(engine, NULL, "k2r1/5/5/5/4K b - 1", SENTE_ROUND SENTE_ROUND "1e1d 5a5b 1d1e");
	result = search_depth(engine, 1);
	expect_move(result.move, "5b5a");
	assert_int_equal(result.score.mate_plies, 1);
	engine_destroy(engine);
}

static void test_engine__never_repeats_to_lose(void **context)
{
	static const char setup[] = "k2r1/5/5/5/4K w - 1";
	struct engine *engine = make_engine();

	(void)context;
	for (int depth = 2; depth <= 4; depth++) {
		set_text(engine, NULL, setup, GOTE_ROUND "5a5b 1e1d 5b5a");
		expect_move(search_depth(engine, depth).move, "1d1e");
		set_text(engine, NULL, setup, GOTE_ROUND GOTE_ROUND "5a5b 1e1d 5b5a");
		expect_move(search_depth(engine, depth).move, "1d1c");
	}
	/* Not even without time to search, when the first move that comes to mind is 1d1c. */
	set_text(engine, NULL, "k2r1/5/4K/5/5 w - 1", "5a5b 1c1d 5b5a");
	expect_move(search_nodes(engine, 1).move, "1d1c");
	set_text(engine, NULL, "k2r1/5/4K/5/5 w - 1",
		"5a5b 1c1d 5b5a 1d1c 5a5b 1c1d 5b5a 1d1c 5a5b 1c1d 5b5a");
	expect_move(search_nodes(engine, 1).move, "1d1e");
	engine_destroy(engine);
}

/* Two plies before the limit of "kawu" nothing counts any more but a mate. */
static void test_engine__sees_the_ply_limit(void **context)
{
	struct random random = {300};
	struct engine *engine = make_engine();

	(void)context;
	for (int i = 0; i < 5; i++) {
		struct game_line *line = wander(&random, "kawu", 298);
		struct engine_score score;

		assert_int_equal(engine_set_line(engine, line), STATUS_OK);
		score = search_depth(engine, 2).score;
		if (!score.mate_plies)
			assert_int_equal(score.centipawns, 0);
		game_line_destroy(line);
	}
	engine_destroy(engine);
}

static void expect_refusal(struct engine *engine, struct engine_text text, enum status expected,
	const char *expected_at)
{
	struct game_state before = *game_line_state(engine_line(engine));
	const char *at;

	if (text.setup)
		text.setup_length = strlen(text.setup);
	if (text.moves)
		text.moves_length = strlen(text.moves);
	assert_int_equal(engine_set_text(engine, &text, &at), expected);
	assert_ptr_equal(at, expected_at);
	assert_memory_equal(&before, game_line_state(engine_line(engine)), sizeof(before));
}

static void test_engine__refuses_bad_text_and_stays_where_it_was(void **context)
{
	static const char sfen[] = "rbsgk/4p/5/P4/KGSBX b - 1";
	static const char moves[] = "5e5d  1a1x";
	static const char square[] = "5d5c  1a1x";
	static const char illegal[] = "5d5c 5d5c";
	static const char after[] = "resign 5d5c";
	struct engine *engine = make_engine();

	(void)context;
	set_text(engine, NULL, NULL, "5d5c 1b1c");
	expect_refusal(engine, (struct engine_text){.setup = sfen}, STATUS_SFEN_PIECE, sfen + 18);
	expect_refusal(engine, (struct engine_text){.setup = ""}, STATUS_TEXT_EMPTY, "");
	expect_refusal(engine, (struct engine_text){.ruleset = "go"}, STATUS_RULESET_UNKNOWN, NULL);
	expect_refusal(engine, (struct engine_text){.moves = moves}, STATUS_MOVE_OWN_PIECE, moves);
	expect_refusal(
		engine, (struct engine_text){.moves = square}, STATUS_USI_SQUARE, square + 9);
	expect_refusal(engine, (struct engine_text){.moves = illegal}, STATUS_MOVE_EMPTY_SQUARE,
		illegal + 5);
	expect_refusal(engine, (struct engine_text){.moves = after}, STATUS_GAME_OVER, after + 7);
	engine_destroy(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engine__finds_every_mate_in_one),
		cmocka_unit_test(test_engine__finds_every_mate_in_three),
		cmocka_unit_test(test_engine__never_returns_an_illegal_move),
		cmocka_unit_test(test_engine__reports_lines_that_can_be_played),
		cmocka_unit_test(test_engine__is_repeatable_with_a_node_limit),
		cmocka_unit_test(test_engine__stops_within_50_ms),
		cmocka_unit_test(test_engine__has_a_move_even_when_stopped_at_once),
		cmocka_unit_test(test_engine__keeps_to_its_time),
		cmocka_unit_test(test_engine__has_no_move_after_the_end),
		cmocka_unit_test(test_engine__searches_without_kings),
		cmocka_unit_test(test_engine__sees_a_lost_repetition_two_plies_ahead),
		cmocka_unit_test(test_engine__repeats_to_win),
		cmocka_unit_test(test_engine__never_repeats_to_lose),
		cmocka_unit_test(test_engine__sees_the_ply_limit),
		cmocka_unit_test(test_engine__refuses_bad_text_and_stays_where_it_was),
	};

	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
