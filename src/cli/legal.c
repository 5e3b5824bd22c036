/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

struct name {
	char text[GAME_ACTION_TEXT];
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static void print_legal(const struct game_line *line)
{
	const struct game_ops *ops = game_line_ops(line);
	struct game_action actions[GAME_ACTIONS_MAX];
	struct name names[GAME_ACTIONS_MAX];
	size_t count = ops->legal(game_line_state(line), actions);

	for (size_t i = 0; i < count; i++) {
		struct text text;

		text_init(&text, names[i].text, sizeof(names[i].text));
		ops->action_write(actions[i], &text);
	}
	qsort(names, count, sizeof(names[0]), compare_names);
	for (size_t i = 0; i < count; i++)
		puts(names[i].text);
}

int command_legal(int argc, char **argv)
{
	static const struct option known[] = {
		CLI_POSITION_OPTIONS,
		{0},
	};
	struct cli_position position = {0};
	struct game_line *line;
	int option;
	int result;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (!cli_take_position(option, optarg, &position))
			return cli_usage_option("legal", argv);
	}
	if (optind < argc)
		return cli_usage("legal", "unexpected argument \"%s\"", argv[optind]);
	result = cli_make_line("legal", &position, &line);
	if (result != CLI_DONE)
		return result;
	print_legal(line);
	game_line_destroy(line);
	return cli_finish("legal");
}
