/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "match/match.h"
#include "shogi/shogi.h"

/*
 * The engines of these matches are this very program, started with the name of a manner to play in:
 * see play_as().
 */
static const char self[] = "/proc/self/exe";

static const char *command_of(int player, const char *manner)
{
	static char commands[2][sizeof(self) +
				64]; /* a path without blanks, at which commands are split */

	snprintf(commands[player], sizeof(commands[player]), "%s %s", self, manner);
	return commands[player];
}

struct seen {
	unsigned games;
	struct match_game last;
};

static void see_game(void *context, const struct match_game *game)
{
	struct seen *seen = context;

	seen->games++;
	seen->last = *game;
}

static struct seen play(
	const char *engine, const char *peer, unsigned games, struct match_result *result)
{
	struct match_options options = {
		.commands = {command_of(0, engine), command_of(1, peer)},
		.limits = {.nodes = 1},
		.games = games,
		.seed = 5,
	};
	struct seen seen = {0};
	int broken;

	assert_true(match_play(&options, see_game, &seen, result, &broken));
	assert_int_equal(seen.games, games);
	/* No process is left behind. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	return seen;
}

static void test_match__counts_whole_games(void **context)
{
	struct match_result result;
	struct seen seen = play("first", "resign", 4, &result);

	(void)context;
	assert_int_equal(result.tally.wins, 4);
	assert_int_equal(result.tally.losses + result.tally.draws, 0);
	assert_int_equal(seen.last.reason, GAME_REASON_RESIGNATION);
	assert_int_equal(seen.last.sente, 1);
}

/* The same two players in the same openings: what one wins as Sente, the other wins as Sente. */
static void test_match__exchanges_colours(void **context)
{
	struct match_result result;

	(void)context;
	play("first", "first", 6, &result);
	assert_int_equal(result.tally.wins, result.tally.losses);
	assert_int_equal(result.tally.wins + result.tally.draws + result.tally.losses, 6);
}

static void expect_fault(const char *manner, enum match_fault fault)
{
	struct match_result result;

	play("first", manner, 2, &result);
	for (int i = 0; i < FAULTS; i++) {
		assert_int_equal(result.faults[0][i], 0);
		assert_int_equal(result.faults[1][i], i == (int)fault ? 2 : 0);
	}
	assert_int_equal(result.tally.wins + result.tally.draws + result.tally.losses, 0);
}

static void test_match__lists_faults_apart(void **context)
{
	(void)context;
	expect_fault("illegal", FAULT_ILLEGAL);
	expect_fault("nothing", FAULT_ILLEGAL);
	expect_fault("nonsense", FAULT_ILLEGAL);
	expect_fault("crash", FAULT_CRASH);
	expect_fault("flood", FAULT_CRASH);
}

static void test_match__kills_who_hangs(void **context)
{
	struct match_options options = {
		.commands = {command_of(0, "hang"), command_of(1, "babble")},
		.limits = {.movetime_ms = 1},
		.games = 2,
	};
	struct match_result result;
	struct seen seen = {0};
	int broken;

	(void)context;
	assert_true(match_play(&options, see_game, &seen, &result, &broken));
	assert_int_equal(result.faults[0][FAULT_TIME], 1);
	assert_int_equal(result.faults[1][FAULT_TIME], 1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void test_match__says_who_does_not_start(void **context)
{
	static const char *const commands[] = {"/nowhere/engine", "   ", "true"};
	struct match_result result;
	int broken;

	(void)context;
	for (size_t i = 0; i < 3; i++) {
		struct match_options options = {
			.commands = {command_of(0, "first"), commands[i]},
			.limits = {.nodes = 1},
			.games = 2,
		};
		struct seen seen = {0};

		assert_false(match_play(&options, see_game, &seen, &result, &broken));
		assert_int_equal(broken, 1);
		assert_int_equal(seen.games, 0);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

static void expect_line(unsigned wins, unsigned draws, unsigned losses, const char *expected)
{
	struct tally tally = {wins, draws, losses};
	char line[256];
	struct text text;

	text_init(&text, line, sizeof(line));
	elo_write(&tally, &text);
	assert_string_equal(line, expected);
}

static void test_elo__is_the_logistic_difference(void **context)
{
	struct tally tally = {75, 0, 25};
	struct elo elo = elo_estimate(&tally);

	(void)context;
	/* 400 log10 3; and s +- 1.96 sqrt(0.75 * 0.25 / 100) = 0.6651, 0.8349. */
	assert_true(fabs(elo.difference - 190.848) < 0.01);
	assert_true(fabs(elo.low - 119.2) < 0.1);
	assert_true(fabs(elo.high - 281.5) < 0.1);
	expect_line(50, 0, 50, "elo 0.0 +- 69.0 [-69.0, 69.0] wins 50 draws 0 losses 50 games 100");
	expect_line(25, 0, 75,
		"elo -190.8 +- 81.2 [-281.5, -119.2] wins 25 draws 0 losses 75 games 100");
}

static void test_elo__says_inf_where_there_is_no_bound(void **context)
{
	(void)context;
	expect_line(10, 0, 0, "elo inf +- inf [inf, inf] wins 10 draws 0 losses 0 games 10");
	expect_line(0, 0, 7, "elo -inf +- inf [-inf, -inf] wins 0 draws 0 losses 7 games 7");
	expect_line(0, 0, 0, "elo 0.0 +- inf [-inf, inf] wins 0 draws 0 losses 0 games 0");
	expect_line(3, 0, 1, "elo 190.8 +- inf [-126.4, inf] wins 3 draws 0 losses 1 games 4");
}

/* The first legal move of the position that a "position startpos moves ..." gave. */
static void answer_first(const char *position)
{
	struct game_line *line;
	struct game_action actions[GAME_ACTIONS_MAX];
	char name[GAME_ACTION_TEXT];
	struct text text;
	const char *word = strstr(position, "moves ") + strlen("moves ");

	if (game_line_create(&mini_shogi, NULL, &line) != STATUS_OK)
		exit(3);
	while (*word) {
		size_t length = strcspn(word, " ");
		struct text_error error;

		if (mini_shogi.action_read(game_line_state(line), word, length, &error,
			    &actions[0]) != STATUS_OK ||
			game_line_play(line, actions[0]) != STATUS_OK)
			exit(3);
		word += length;
		word += strspn(word, " ");
	}
	if (mini_shogi.legal(game_line_state(line), actions) == 0)
		exit(3);
	text_init(&text, name, sizeof(name));
	mini_shogi.action_write(actions[0], &text);
	printf("info string not a bestmove\nbestmove %s ponder 1a1b\n", name);
	game_line_destroy(line);
}

static void answer_go(const char *manner, const char *position)
{
	if (strcmp(manner, "first") == 0)
		answer_first(position);
	else if (strcmp(manner, "resign") == 0)
		puts("bestmove resign");
	else if (strcmp(manner, "illegal") == 0)
		puts("bestmove 3c3b");
	else if (strcmp(manner, "nothing") == 0)
		puts("bestmove");
	else if (strcmp(manner, "nonsense") == 0)
		puts("bestmove (none)\r");
	else if (strcmp(manner, "crash") == 0)
		raise(SIGKILL);
	else if (strcmp(manner, "flood") == 0)
		printf("%0*d\nbestmove resign\n", 3 * CHILD_LINE_MAX, 0);
	else if (strcmp(manner, "babble") == 0)
		while (puts("info string still here") >= 0)
			;
	else
		pause();
}

static int play_as(const char *manner)
{
	char line[8192];
	char position[8192] = "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (strcmp(line, "usi") == 0)
			puts("id name test\nusiok");
		else if (strcmp(line, "isready") == 0)
			puts("readyok");
		else if (strncmp(line, "position ", 9) == 0)
			strcpy(position, line);
		else if (strncmp(line, "go ", 3) == 0)
			answer_go(manner, position);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match__counts_whole_games),
		cmocka_unit_test(test_match__exchanges_colours),
		cmocka_unit_test(test_match__lists_faults_apart),
		cmocka_unit_test(test_match__kills_who_hangs),
		cmocka_unit_test(test_match__says_who_does_not_start),
		cmocka_unit_test(test_elo__is_the_logistic_difference),
		cmocka_unit_test(test_elo__says_inf_where_there_is_no_bound),
	};

	if (argc > 1)
		return play_as(argv[1]);
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
