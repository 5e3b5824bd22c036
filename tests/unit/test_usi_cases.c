/* SPDX-License-Identifier: MIT */

/* What public reports say of engines: section C of the bug cases, by its numbers. */
#include "usi_fixture.h"

#include "base/clock.h"
#include "game/line.h"
#include "shogi/shogi.h"

/* The text after "bestmove " in what came out. */
static void read_answer(struct session *session, char answer[16])
{
	const char *line = strstr(session->out, "bestmove ");

	assert_non_null(line);
	assert_int_equal(sscanf(line, "bestmove %15s", answer), 1);
}

static void play(struct game_line *line, const char *usi)
{
	struct text_error error;
	struct game_action action;

	assert_int_equal(
		mini_shogi.action_read(game_line_state(line), usi, strlen(usi), &error, &action),
		STATUS_OK);
	assert_int_equal(game_line_play(line, action), STATUS_OK);
}

static struct game_line *set_up(const char *sfen)
{
	struct game_line *line;
	struct text_error error;

	assert_int_equal(
		game_line_setup(&mini_shogi, NULL, sfen, strlen(sfen), &error, &line), STATUS_OK);
	return line;
}

static void test_c34__side_and_hands_of_a_set_up_reach_the_engine(void **context)
{
	static const char sfen[] = "4k/5/5/5/K4 w Rr 1";
	struct session *session = begin();
	struct game_line *line = set_up(sfen);
	char answer[16];

	(void)context;
	say(session, "position sfen 4k/5/5/5/K4 w Rr 1");
	expect_sfen(session, sfen);
	say(session, "go depth 2");
	usi_finish(session->usi);
	read_answer(session, answer);
	/* The engine has the move, with the second side's pieces. */
	play(line, answer);
	assert_int_equal(game_line_summary(line).player, 0);
	game_line_destroy(line);
	end(session);
}

static void test_c36__drops_are_written_as_drops_and_no_move_is_null(void **context)
{
	/* Each is mate by a drop, at once or in three plies, and in no other way. */
	static const char *const cases[][2] = {
		{"position sfen 4k/1s2B/3pR/1K3/1GSB1 b GPr 21", "G*2a"},
		{"position sfen R1G1k/S1+b1p/P4/5/K1Bsg w r 48", "R*5d"},
	};

	(void)context;
	for (size_t i = 0; i < 2; i++) {
		struct session *session = begin();
		char answer[16];

		say(session, cases[i][0]);
		say(session, "go depth 4");
		usi_finish(session->usi);
		read_answer(session, answer);
		assert_string_equal(answer, cases[i][1]);
		assert_null(strstr(session->out, "0000"));
		end(session);
	}
}

static void test_c39__every_stop_is_answered_once_and_soon(void **context)
{
	struct session *session = begin();

	(void)context;
	for (int i = 0; i < 100; i++) {
		uint64_t stopped;

		forget(session);
		say(session, "go infinite");
		sleep_ms(50);
		stopped = clock_monotonic_ms();
		say(session, "stop");
		usi_finish(session->usi);
		assert_in_range(clock_monotonic_ms() - stopped, 0, 200);
		assert_int_equal(count_lines(session, "bestmove "), 1);
	}
	end(session);
}

static void test_c40__the_budget_is_in_milliseconds_from_the_first_move_on(void **context)
{
	static const char *const positions[] = {
		"position startpos",
		"position startpos moves 5d5c 1b1c 1e1d 5a5b 1d1e 5b5a 1e1d 5a5b",
	};

	(void)context;
	for (size_t i = 0; i < 2; i++) {
		struct session *session = begin();
		uint64_t begun = clock_monotonic_ms();

		say(session, positions[i]);
		say(session, "go movetime 400");
		usi_finish(session->usi);
		assert_in_range(clock_monotonic_ms() - begun, 0, 500);
		assert_int_equal(count_lines(session, "bestmove "), 1);
		end(session);
	}
}

static void test_c42__the_answer_is_to_the_position_after_the_takeback(void **context)
{
	struct session *session = begin();
	struct game_line *line = set_up("rbsgk/4p/5/P4/KGSBR b - 1");
	char answer[16];

	(void)context;
	say(session, "position startpos moves 5d5c");
	say(session, "go infinite");
	sleep_ms(20);
	say(session, "stop");
	wait_for_bestmove(session);
	forget(session);
	say(session, "position startpos moves 1e1d");
	say(session, "go nodes 300");
	wait_for_bestmove(session);
	read_answer(session, answer);
	play(line, "1e1d");
	play(line, answer);
	game_line_destroy(line);
	end(session);
}

static void test_c45__the_engine_begins_with_either_side(void **context)
{
	static const char *const positions[] = {
		"position startpos", "position sfen rbsgk/4p/5/P4/KGSBR w - 1"};

	(void)context;
	for (size_t i = 0; i < 2; i++) {
		struct session *session = begin();

		say(session, positions[i]);
		say(session, "go movetime 20");
		wait_for_bestmove(session);
		end(session);
	}
}

static void test_c46__an_impossible_set_up_is_refused_not_resigned(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position sfen 4k/P4/P4/5/K4 b - 1");
	assert_int_equal(count_lines(session, "info string position: "), 1);
	expect_sfen(session, "rbsgk/4p/5/P4/KGSBR b - 1");
	end(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c34__side_and_hands_of_a_set_up_reach_the_engine),
		cmocka_unit_test(test_c36__drops_are_written_as_drops_and_no_move_is_null),
		cmocka_unit_test(test_c39__every_stop_is_answered_once_and_soon),
		cmocka_unit_test(test_c40__the_budget_is_in_milliseconds_from_the_first_move_on),
		cmocka_unit_test(test_c42__the_answer_is_to_the_position_after_the_takeback),
		cmocka_unit_test(test_c45__the_engine_begins_with_either_side),
		cmocka_unit_test(test_c46__an_impossible_set_up_is_refused_not_resigned),
	};

	return cmocka_run_group_tests_name("usi_cases", tests, NULL, NULL);
}
