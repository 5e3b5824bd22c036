/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/cli.h"

/* Plays the moves, separated by blanks; says at which ply one is refused. */
static int play_moves(struct game_line *line, const char *moves)
{
	const struct game_ops *ops = game_line_ops(line);

	while (*(moves += strspn(moves, " \t\r\n"))) {
		size_t length = strcspn(moves, " \t\r\n");
		struct text_error error;
		struct game_action action;
		enum status status =
			ops->action_read(game_line_state(line), moves, length, &error, &action);

		if (status == STATUS_OK)
			status = game_line_play(line, action);
		if (status != STATUS_OK)
			return cli_refuse("verdict", "ply %zu, \"%.*s\": %s",
				game_line_plies(line) + 1, (int)(length < 40 ? length : 40), moves,
				status_text(status));
		moves += length;
	}
	return CLI_DONE;
}

static void print_verdict(const struct game_line *line)
{
	const struct game_ops *ops = game_line_ops(line);
	struct game_summary summary = game_line_summary(line);
	char position[GAME_SETUP_TEXT];
	struct text text;

	text_init(&text, position, sizeof(position));
	ops->state_write(game_line_state(line), &text);
	printf("{\"ply\":%zu,\"over\":%s,\"winner\":", game_line_plies(line),
		summary.over ? "true" : "false");
	if (summary.winner >= 0)
		printf("%d", summary.winner);
	else
		printf("null");
	if (summary.reason != GAME_REASON_NONE)
		printf(",\"reason\":\"%s\"", game_reason_name(summary.reason));
	else
		printf(",\"reason\":null");
	printf(",\"player\":%d", summary.player);
	if (summary.has_scores)
		printf(",\"scores\":[%d,%d]", summary.scores[0], summary.scores[1]);
	else
		printf(",\"scores\":null");
	printf(",\"sfen\":\"%s\"}\n", position);
}

int command_verdict(int argc, char **argv)
{
	static const struct option known[] = {
		CLI_POSITION_OPTIONS,
		{"moves", required_argument, NULL, 'm'},
		{0},
	};
	struct cli_position position = {0};
	const char *moves = NULL;
	struct game_line *line;
	int option;
	int result;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'm')
			moves = optarg;
		else if (!cli_take_position(option, optarg, &position))
			return cli_usage_option("verdict", argv);
	}
	if (optind < argc)
		return cli_usage("verdict", "unexpected argument \"%s\"", argv[optind]);
	if (!moves)
		return cli_usage("verdict", "--moves is missing; \"\" judges the position itself");
	result = cli_make_line("verdict", &position, &line);
	if (result != CLI_DONE)
		return result;
	result = play_moves(line, moves);
	if (result == CLI_DONE)
		print_verdict(line);
	game_line_destroy(line);
	return result == CLI_DONE ? cli_finish("verdict") : result;
}
