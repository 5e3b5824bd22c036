/* SPDX-License-Identifier: MIT */
#include "usi_fixture.h"

static void test_usi__says_who_it_is(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "usi");
	assert_int_equal(count_lines(session, "id name Komadai "), 1);
	assert_int_equal(count_lines(session, "id author "), 1);
	assert_int_equal(count_lines(session, "option name USI_Hash type spin "), 1);
	assert_int_equal(count_lines(session, "option name USI_Variant type combo "), 1);
	assert_int_equal(count_lines(session, "option name UCI_Variant type combo "), 1);
	assert_string_equal(session->out + session->length - strlen("usiok\n"), "usiok\n");
	forget(session);
	say(session, "isready");
	expect(session, "readyok\n");
	end(session);
}

static void test_usi__takes_the_options_that_others_take(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "setoption name USI_Variant value minishogi");
	say(session, "setoption name UCI_Variant value minishogi");
	say(session, "setoption name USI_Hash value 256");
	expect(session, "");
	say(session, "setoption name USI_Hash value much");
	say(session, "setoption name USI_Hash value");
	say(session, "setoption name UCI_Variant value shogi");
	say(session, "setoption name USI_Ponder value true");
	say(session, "setoption");
	expect(session, "info string setoption: USI_Hash is a number from 1 to 1024, not \"much\"\n"
			"info string setoption: USI_Hash is a number from 1 to 1024, not\n"
			"info string setoption: the only variant is minishogi, not \"shogi\"\n"
			"info string setoption: there is no option \"USI_Ponder\"; it is left out\n"
			"info string setoption: expected \"name\" and the name of an option\n");
	end(session);
}

static void test_usi__shows_the_position(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position sfen rbs1k/4p/5/G2g1/KP+rB1 w s 8 moves 2d2e");
	say(session, "d");
	expect(session, " 5  4  3  2  1\n"
			" r  b  s  .  k  a\n"
			" .  .  .  .  p  b\n"
			" .  .  .  .  .  c\n"
			" G  .  .  .  .  d\n"
			" K  P +r  g  .  e\n"
			"hand of w: b s\n"
			"hand of b: -\n"
			"sfen: rbs1k/4p/5/G4/KP+rg1 b bs 9\n"
			"checkers: -\n");
	end(session);
}

static void test_usi__names_the_checkers(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position sfen r3k/5/5/1g3/K4 b - 1");
	say(session, "d");
	assert_non_null(strstr(session->out, "checkers: 5a 4d\n"));
	end(session);
}

static void test_usi__follows_positions(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position startpos");
	expect_sfen(session, "rbsgk/4p/5/P4/KGSBR b - 1");
	say(session, "position startpos moves 5d5c 1b1c");
	expect_sfen(session, "rbsgk/5/P3p/5/KGSBR b - 3");
	say(session, "  position\tsfen  4k/5/5/5/K4 b RG 7   moves   R*3c\r");
	expect_sfen(session, "4k/5/2R2/5/K4 w G 8");
	say(session, "position sfen 4k/5/5/5/K4 w -");
	expect_sfen(session, "4k/5/5/5/K4 w - 1");
	expect(session, "");
	end(session);
}

static void test_usi__refuses_bad_positions_and_keeps_the_old_one(void **context)
{
	static const struct {
		const char *command;
		int column;
		enum status status;
		const char *quote;
	} rows[] = {
		{"position sfen", 14, STATUS_TEXT_EMPTY, ""},
		{"position sfen  moves 5d5c", 26, STATUS_TEXT_EMPTY, ""},
		{"position sfen rbsgk/4p/5/P4/KGSXR b - 1", 32, STATUS_SFEN_PIECE, "XR"},
		{"position sfen rbsgk/4p/5/P4/KGSBR b  - 1", 37, STATUS_SFEN_HAND, ""},
		{"position startpos moves 5d5c 5e5z", 33, STATUS_USI_SQUARE, "z"},
		{"position startpos moves 5d5c 5e5c", 30, STATUS_MOVE_NOT_YOUR_PIECE, "5e5c"},
		{"position startpos moves 5e4c", 25, STATUS_MOVE_PATTERN, "5e4c"},
		{"position startpos moves resign 5d5c", 32, STATUS_GAME_OVER, "5d5c"},
	};
	struct session *session = begin();

	(void)context;
	say(session, "position startpos moves 5d5c");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char answer[256];

		say(session, rows[i].command);
		snprintf(answer, sizeof(answer),
			"info string position: column %d: %s, at \"%s\"; the old position stays\n",
			rows[i].column, status_text(rows[i].status), rows[i].quote);
		expect(session, answer);
		expect_sfen(session, "rbsgk/4p/P4/5/KGSBR w - 2");
	}
	end(session);
}

static void test_usi__refuses_positions_of_another_form(void **context)
{
	static const char *const commands[] = {
		"position", "position here", "position startpos 5d5c", "position SFEN"};
	struct session *session = begin();

	(void)context;
	say(session, "position startpos moves 5d5c");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		say(session, commands[i]);
		expect(session,
			"info string position: expected \"startpos\" or \"sfen\" and an SFEN, "
			"then \"moves\" or nothing; the old position stays\n");
		expect_sfen(session, "rbsgk/4p/P4/5/KGSBR w - 2");
	}
	end(session);
}

static void test_usi__refuses_bad_limits(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "go depth");
	say(session, "go depth 0");
	say(session, "go nodes -1");
	say(session, "go nodes 18446744073709551616");
	say(session, "go movetime soon");
	say(session, "go perft 31");
	say(session, "go fast");
	usi_finish(session->usi);
	expect(session, "info string go: expected a number of plies from 1 to 1000, not \"\"\n"
			"info string go: expected a number of plies from 1 to 1000, not \"0\"\n"
			"info string go: expected a number of nodes from 1 on, not \"-1\"\n"
			"info string go: expected a number of nodes from 1 on, not "
			"\"18446744073709551616\"\n"
			"info string go: expected milliseconds from 1 on, not \"soon\"\n"
			"info string go: expected a depth from 0 to 30, not \"31\"\n"
			"info string go: expected a limit, not \"fast\"\n");
	say(session, "go mate infinite");
	expect(session, "checkmate notimplemented\n");
	end(session);
}

static void test_usi__answers_nonsense_and_lives(void **context)
{
	struct session *session = begin();
	char *huge = malloc(USI_LINE_MAX + 1);

	(void)context;
	say(session, "");
	say(session, " \t ");
	say(session, "stop");
	say(session, "usinewgame");
	say(session, "gameover win");
	expect(session, "");
	say(session, "GO");
	say(session, "\x1b[2J\xff");
	assert_true(usi_command(session->usi, "us\0i", 4));
	say(session, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz");
	expect(session, "info string there is no command \"GO\"\n"
			"info string there is no command \"?[2J?\"\n"
			"info string there is no command \"us?i\"\n"
			"info string there is no command "
			"\"abcdefghijklmnopqrstuvwxyzabcdefghijklmn...\"\n");

	assert_non_null(huge);
	memset(huge, 'x', USI_LINE_MAX + 1);
	assert_true(usi_command(session->usi, huge, USI_LINE_MAX + 1));
	expect(session, "info string a command is too long: more than 262144 bytes\n");
	memset(huge, ' ', USI_LINE_MAX);
	memcpy(huge, "isready", 7);
	assert_true(usi_command(session->usi, huge, USI_LINE_MAX));
	expect(session, "readyok\n");
	free(huge);
	end(session);
}

static void test_usi__quits(void **context)
{
	struct session *session = begin();

	(void)context;
	assert_false(usi_command(session->usi, "quit", 4));
	end(session);
}

static void test_go__answers_once_with_any_limit(void **context)
{
	static const char *const commands[] = {
		"go depth 2",
		"go nodes 100",
		"go movetime 20",
		"go btime 0 wtime 0 byoyomi 40",
		"go btime 500 wtime 500 binc 10 winc 10",
		"go btime -5 wtime 100 byoyomi 0",
		"go depth 3 nodes 50 movetime 1000",
	};

	(void)context;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct session *session = begin();

		say(session, commands[i]);
		wait_for_bestmove(session);
		say(session, "stop");
		usi_finish(session->usi);
		assert_int_equal(count_lines(session, "bestmove "), 1);
		end(session);
	}
}

static void test_go__gives_the_mating_move(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position sfen 4k/1s2B/3pR/1K3/1GSB1 b GPr 21");
	say(session, "go depth 2");
	usi_finish(session->usi);
	assert_non_null(strstr(session->out, " score mate 1 "));
	assert_non_null(strstr(session->out, " pv G*2a\n"));
	assert_non_null(strstr(session->out, "bestmove G*2a\n"));
	end(session);
}

static void test_go__resigns_without_a_legal_move(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position sfen 4k/1s2B/3pR/1K3/1GSB1 b GPr 21 moves G*2a");
	say(session, "go nodes 10");
	usi_finish(session->usi);
	expect(session, "bestmove resign\n");
	end(session);
}

static void test_go__infinite_waits_for_stop(void **context)
{
	/* The first has nothing to search: even then the answer waits. */
	static const char *const positions[] = {
		"position sfen 4k/1s2B/3pR/1K3/1GSB1 b GPr 21 moves G*2a", "position startpos"};
	static const char *const commands[] = {"go infinite", "go ponder", "go"};
	static const char *const ends[] = {"stop", "ponderhit", "stop"};

	(void)context;
	for (size_t i = 0; i < 6; i++) {
		struct session *session = begin();

		say(session, positions[i / 3]);
		say(session, commands[i % 3]);
		sleep_ms(30);
		assert_int_equal(count_lines(session, "bestmove "), 0);
		say(session, ends[i % 3]);
		wait_for_bestmove(session);
		say(session, "stop");
		usi_finish(session->usi);
		assert_int_equal(count_lines(session, "bestmove "), 1);
		end(session);
	}
}

static void test_go__hears_others_meanwhile(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "go infinite");
	say(session, "isready");
	assert_int_equal(count_lines(session, "readyok"), 1);
	say(session, "position startpos moves 5d5c");
	say(session, "go depth 1");
	say(session, "usinewgame");
	assert_int_equal(count_lines(session, "info string position: a search is running"), 1);
	assert_int_equal(count_lines(session, "info string go: a search is running"), 1);
	assert_int_equal(count_lines(session, "info string usinewgame: a search is running"), 1);
	say(session, "stop");
	usi_finish(session->usi);
	assert_int_equal(count_lines(session, "bestmove "), 1);
	expect_sfen(session, "rbsgk/4p/5/P4/KGSBR b - 1");
	end(session);
}

/* Whoever reads the answer may send the next command at once. */
static void test_go__is_over_when_the_answer_is_out(void **context)
{
	struct session *session = begin();

	(void)context;
	for (int i = 0; i < 50; i++) {
		say(session, "go nodes 200");
		while (count_lines(session, "bestmove ") == 0)
			;
		say(session, "position startpos moves 5d5c");
		assert_int_equal(count_lines(session, "info string"), 0);
		forget(session);
	}
	end(session);
}

static void test_quit__lets_a_running_search_answer(void **context)
{
	struct session *session = begin();
	char *out = session->out;

	(void)context;
	say(session, "go infinite");
	assert_false(usi_command(session->usi, "quit", 4));
	usi_destroy(session->usi);
	session->usi = NULL;
	assert_non_null(strstr(out, "bestmove "));
	end(session);
}

static void test_perft__splits_and_sums(void **context)
{
	struct session *session = begin();

	(void)context;
	say(session, "position sfen 4k/5/5/5/K4 b - 1");
	say(session, "go perft 2");
	expect(session, "5e5d: 3\n"
			"5e4d: 3\n"
			"5e4e: 3\n"
			"Nodes searched: 9\n");
	say(session, "go perft 0");
	expect(session, "Nodes searched: 1\n");
	say(session, "position startpos");
	say(session, "go perft 4");
	assert_non_null(strstr(session->out, "\nNodes searched: 35401\n"));
	end(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usi__says_who_it_is),
		cmocka_unit_test(test_usi__takes_the_options_that_others_take),
		cmocka_unit_test(test_usi__shows_the_position),
		cmocka_unit_test(test_usi__names_the_checkers),
		cmocka_unit_test(test_usi__follows_positions),
		cmocka_unit_test(test_usi__refuses_bad_positions_and_keeps_the_old_one),
		cmocka_unit_test(test_usi__refuses_positions_of_another_form),
		cmocka_unit_test(test_usi__refuses_bad_limits),
		cmocka_unit_test(test_usi__answers_nonsense_and_lives),
		cmocka_unit_test(test_usi__quits),
		cmocka_unit_test(test_go__answers_once_with_any_limit),
		cmocka_unit_test(test_go__gives_the_mating_move),
		cmocka_unit_test(test_go__resigns_without_a_legal_move),
		cmocka_unit_test(test_go__infinite_waits_for_stop),
		cmocka_unit_test(test_go__hears_others_meanwhile),
		cmocka_unit_test(test_go__is_over_when_the_answer_is_out),
		cmocka_unit_test(test_quit__lets_a_running_search_answer),
		cmocka_unit_test(test_perft__splits_and_sums),
	};

	return cmocka_run_group_tests_name("usi", tests, NULL, NULL);
}
