/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cli/cli.h"
#include "game/perft.h"

/* Beyond this no counter of 64 bits would hold the leaves of any game here. */
enum { DEPTH_MAX = 30 };

struct perft_options {
	struct cli_position position;
	long depth; /* -1: not given */
	bool split;
	bool bulk;
};

static int read_options(int argc, char **argv, struct perft_options *options)
{
	static const struct option known[] = {
		CLI_POSITION_OPTIONS,
		{"depth", required_argument, NULL, 'd'},
		{"split", no_argument, NULL, 'S'},
		{"no-bulk", no_argument, NULL, 'n'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'd':
			if (!cli_read_number(optarg, 0, DEPTH_MAX, &options->depth))
				return cli_usage("perft",
					"--depth must be a whole number from 0 to %d, not \"%s\"",
					DEPTH_MAX, optarg);
			break;
		case 'S':
			options->split = true;
			break;
		case 'n':
			options->bulk = false;
			break;
		default:
			if (!cli_take_position(option, optarg, &options->position))
				return cli_usage_option("perft", argv);
		}
	}
	if (optind < argc)
		return cli_usage("perft", "unexpected argument \"%s\"", argv[optind]);
	if (options->depth < 0)
		return cli_usage("perft", "--depth is missing");
	return CLI_DONE;
}

static void print_branch(void *context, const char *action, uint64_t leaves)
{
	(void)context;
	printf("%s: %" PRIu64 "\n", action, leaves);
}

int command_perft(int argc, char **argv)
{
	struct perft_options options = {.depth = -1, .bulk = true};
	struct game_line *line;
	uint64_t leaves;
	int result = read_options(argc, argv, &options);

	if (result == CLI_DONE)
		result = cli_make_line("perft", &options.position, &line);
	if (result != CLI_DONE)
		return result;

	if (options.split && options.depth > 0)
		leaves = game_perft_split(game_line_ops(line), game_line_state(line),
			(int)options.depth, options.bulk, print_branch, NULL);
	else
		leaves = game_line_ops(line)->perft(
			game_line_state(line), (int)options.depth, options.bulk);
	printf("Nodes searched: %" PRIu64 "\n", leaves);
	game_line_destroy(line);
	return cli_finish("perft");
}
