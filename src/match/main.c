/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/standard_streams.h"
#include "match/match.h"

enum { DONE = 0, REFUSED = 1, USAGE = 2 };

static const char usage[] =
	"usage: komadai-match --engine A --peer B --games N (--movetime MS | --nodes N) [--seed "
	"N]\n"
	"\n"
	"Lets two USI engines, given as command lines, play Mini Shogi. Two games in a row begin "
	"with\n"
	"the same 4 random plies, with colours exchanged; --seed (1) chooses them. A game that "
	"reaches\n"
	"ply 512 is a draw. Illegal moves, crashes and losses on time (1 s beyond --movetime) "
	"are\n"
	"listed apart and not counted; who hangs is killed, after --movetime and 5 s, or after 60 "
	"s.\n"
	"The last line gives the engine's Elo over its peer, with the 95 % interval of the normal\n"
	"approximation.\n";

static const char *const names[2] = {"engine", "peer"};

/* A whole number in the range, in digits alone. */
static bool read_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return !errno && !*end && *number >= low && *number <= high;
}

static int refuse_usage(const char *what)
{
	fprintf(stderr, "komadai-match: %s\nRun `komadai-match --help` to see how it is used.\n",
		what);
	return USAGE;
}

static int check_options(const struct match_options *options)
{
	if (!options->commands[0] || !options->commands[1])
		return refuse_usage("--engine and --peer are both needed");
	if (!options->games)
		return refuse_usage("--games is missing");
	if (!options->limits.movetime_ms == !options->limits.nodes)
		return refuse_usage("one of --movetime and --nodes is needed, and not both");
	return DONE;
}

static int read_options(int argc, char **argv, struct match_options *options)
{
	static const struct option known[] = {
		{"engine", required_argument, NULL, 'e'},
		{"peer", required_argument, NULL, 'p'},
		{"games", required_argument, NULL, 'g'},
		{"movetime", required_argument, NULL, 'm'},
		{"nodes", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 's'},
		{0},
	};
	uint64_t number;
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'e':
			options->commands[0] = optarg;
			break;
		case 'p':
			options->commands[1] = optarg;
			break;
		case 'g':
			if (!read_number(optarg, 1, 1000000, &number))
				return refuse_usage("--games is a number from 1 to 1000000");
			options->games = (unsigned)number;
			break;
		case 'm':
			if (!read_number(optarg, 1, 3600000, &options->limits.movetime_ms))
				return refuse_usage("--movetime is milliseconds from 1 to 3600000");
			break;
		case 'n':
			if (!read_number(optarg, 1, INT64_MAX, &options->limits.nodes))
				return refuse_usage("--nodes is a number from 1 on");
			break;
		case 's':
			if (!read_number(optarg, 0, UINT64_MAX, &options->seed))
				return refuse_usage("--seed is a number from 0 on");
			break;
		default:
			return refuse_usage("unknown option or missing value");
		}
	}
	if (optind < argc)
		return refuse_usage("unexpected argument");
	return check_options(options);
}

static void print_game(void *context, const struct match_game *game)
{
	static const char *const faults[FAULTS] = {"illegal move", "crash", "time"};

	(void)context;
	printf("game %u: sente %s: ", game->number, names[game->sente]);
	if (game->at_fault >= 0)
		printf("not counted, %s of %s", faults[game->fault], names[game->at_fault]);
	else if (game->winner >= 0)
		printf("%s wins, %s", names[game->winner], game_reason_name(game->reason));
	else
		printf("draw, %s", game->reason ? game_reason_name(game->reason) : "cap on plies");
	printf(", %zu plies\n", game->plies);
	fflush(stdout);
}

static void print_result(const struct match_result *result)
{
	char line[256];
	struct text text;

	for (int i = 0; i < 2; i++)
		printf("not counted, by fault of %s: illegal moves %u, crashes %u, time %u\n",
			names[i], result->faults[i][FAULT_ILLEGAL], result->faults[i][FAULT_CRASH],
			result->faults[i][FAULT_TIME]);
	printf("time a move, on average: engine %.1f ms, peer %.1f ms\n", result->move_ms[0],
		result->move_ms[1]);
	text_init(&text, line, sizeof(line));
	elo_write(&result->tally, &text);
	puts(line);
}

int main(int argc, char **argv)
{
	struct match_options options = {.seed = 1};
	struct match_result result;
	int broken;
	bool played;
	int status;

	if (!standard_streams_ensure())
		return REFUSED;
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		return DONE;
	}
	status = read_options(argc, argv, &options);
	if (status != DONE)
		return status;
	/* A child that is gone shows in what its pipe answers. */
	signal(SIGPIPE, SIG_IGN);
	played = match_play(&options, print_game, NULL, &result, &broken);
	if (!played)
		fprintf(stderr, "komadai-match: %s %s\n",
			broken < 0 ? "there is no" : names[broken],
			broken < 0 ? "memory"
				   : "does not start, or does not answer \"usi\" and \"isready\"");
	print_result(&result);
	if (fflush(stdout) || ferror(stdout))
		return REFUSED;
	if (played && !(result.tally.wins + result.tally.draws + result.tally.losses)) {
		fputs("komadai-match: no game could be counted\n", stderr);
		return REFUSED;
	}
	return played ? DONE : REFUSED;
}
