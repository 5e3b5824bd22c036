/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli/cli.h"

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
		{"game", required_argument, NULL, 'g'},
		{"rules", required_argument, NULL, 'r'},
		{"sfen", required_argument, NULL, 's'},
		{"depth", required_argument, NULL, 'd'},
		{"split", no_argument, NULL, 'S'},
		{"no-bulk", no_argument, NULL, 'n'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'g':
			options->position.game = optarg;
			break;
		case 'r':
			options->position.rules = optarg;
			break;
		case 's':
			options->position.sfen = optarg;
			break;
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
			return cli_usage("perft", "unknown option or missing value");
		}
	}
	if (optind < argc)
		return cli_usage("perft", "unexpected argument \"%s\"", argv[optind]);
	if (options->depth < 0)
		return cli_usage("perft", "--depth is missing");
	return CLI_DONE;
}

/* One line a legal move with the leaves below it; returns their sum. */
static uint64_t print_split(const struct game_line *line, int depth, bool bulk)
{
	const struct game_ops *ops = game_line_ops(line);
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = ops->legal(game_line_state(line), actions);
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		struct game_state next;
		struct game_record record;
		char name[GAME_ACTION_TEXT];
		struct text text;
		uint64_t leaves;

		if (ops->play(game_line_state(line), NULL, actions[i], &next, &record) != STATUS_OK)
			abort(); /* the generator and the single-move check disagree */
		leaves = ops->perft(&next, depth - 1, bulk);
		text_init(&text, name, sizeof(name));
		ops->action_write(actions[i], &text);
		printf("%s: %" PRIu64 "\n", name, leaves);
		sum += leaves;
	}
	return sum;
}

int command_perft(int argc, char **argv)
{
	struct perft_options options = {.depth = -1, .bulk = true};
	struct game_line *line;
	uint64_t leaves;
	int result = read_options(argc, argv, &options);

	if (result == CLI_DONE)
		result = cli_make_line(&options.position, &line);
	if (result != CLI_DONE)
		return result;

	if (options.split && options.depth > 0)
		leaves = print_split(line, (int)options.depth, options.bulk);
	else
		leaves = game_line_ops(line)->perft(
			game_line_state(line), (int)options.depth, options.bulk);
	printf("Nodes searched: %" PRIu64 "\n", leaves);
	game_line_destroy(line);
	return cli_finish("perft");
}
