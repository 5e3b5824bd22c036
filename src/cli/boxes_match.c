/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include "boxes/notation.h"
#include "cli/boxes.h"
#include "game/line.h"

/*
 * Games in pairs: each player begins one of the two. Their points and the error of these are told
 * by pair, since the two games of a pair are not independent.
 */
struct contest {
	const struct boxes_task *task;
	struct boxes_host host;
	struct boxes_player *players[2];
	uint64_t slowest_ms[2]; /* line */
	int pairs;
	int won[2];
	int tied;
	double points;          /* of the first player: 1 a game won, 1/2 a tie */
	double squares_by_pair; /* of the points of two games */
	int64_t margin;         /* boxes of the first player less those of the second, in all */
};

static struct game_action choose(
	struct contest *contest, int player, const struct boxes_position *position)
{
	const struct boxes_task *task = contest->task;
	uint64_t began_ms = boxes_clock_ms(NULL);
	struct boxes_choice choice;
	uint64_t took_ms;

	boxes_player_choose(contest->players[player], position, task->levels[player], &task->limits,
		&contest->host, &choice);
	took_ms = boxes_clock_ms(NULL) - began_ms;
	if (took_ms > contest->slowest_ms[player])
		contest->slowest_ms[player] = took_ms;
	return boxes_action(choice.edge);
}

/* One game; `first` is the player who begins. Half a game is none: `*margin` is not set then. */
static enum status play_game(struct contest *contest, int first, int *margin)
{
	struct game_line *line = NULL;
	const struct boxes_position *position = &contest->task->position;
	char text[GAME_SETUP_TEXT];
	struct text_error error;
	struct text setup;
	enum status status;

	text_init(&setup, text, sizeof(text));
	boxes_position_write(position, &setup);
	status = game_line_setup(&petits_carres, NULL, text, setup.length, &error, &line);
	while (status == STATUS_OK && !boxes_was_interrupted(NULL)) {
		position = boxes_state_position(game_line_state(line));
		if (boxes_is_over(position)) {
			*margin = position->scores[first] - position->scores[!first];
			break;
		}
		status = game_line_play(line, choose(contest, first ^ position->player, position));
	}
	game_line_destroy(line);
	return status;
}

static double note_game(struct contest *contest, int margin)
{
	contest->margin += margin;
	if (margin == 0) {
		contest->tied++;
		return 0.5;
	}
	contest->won[margin < 0]++;
	return margin > 0;
}

static enum status play_pair(struct contest *contest)
{
	double points = 0;
	int margins[2];

	for (int first = 0; first < 2; first++) {
		enum status status = play_game(contest, first, &margins[first]);

		if (status != STATUS_OK || boxes_was_interrupted(NULL))
			return status;
	}
	for (int first = 0; first < 2; first++)
		points += note_game(contest, margins[first]);
	contest->points += points;
	contest->squares_by_pair += points * points;
	contest->pairs++;
	return STATUS_OK;
}

static void print_result(const struct contest *contest)
{
	const struct boxes_task *task = contest->task;
	const char *names[2] = {
		boxes_level_code(task->levels[0]), boxes_level_code(task->levels[1])};
	double pairs = contest->pairs;
	double mean = contest->points / pairs;
	double variance = contest->squares_by_pair / pairs - mean * mean;
	double error = variance > 0 ? sqrt(variance / pairs) / 2 : 0;

	printf("%s against %s: %d won, %d lost, %d tied\n", names[0], names[1], contest->won[0],
		contest->won[1], contest->tied);
	printf("points %.1f%% (twice the standard error by pair: %.1f)\n", 50 * mean, 200 * error);
	printf("boxes a game %+.2f\n", (double)contest->margin / (2 * pairs));
	for (int i = 0; i < 2; i++)
		printf("slowest line of %s %" PRIu64 " ms\n", names[i], contest->slowest_ms[i]);
}

int boxes_match_task(const struct boxes_task *task)
{
	struct contest contest = {
		.task = task,
		.host = {.should_stop = boxes_was_interrupted, .clock_ms = boxes_clock_ms},
	};
	enum status status = STATUS_OK;
	int result = CLI_DONE;

	if (boxes_is_over(&task->position))
		return cli_refuse(task->command, "no line is free");
	for (int i = 0; i < 2 && result == CLI_DONE; i++)
		result = boxes_make_player(task, 2 * task->seed + (uint64_t)i, &contest.players[i]);
	boxes_catch_signals();
	while (result == CLI_DONE && status == STATUS_OK && !boxes_was_interrupted(NULL) &&
		2 * contest.pairs < task->games)
		status = play_pair(&contest);
	for (int i = 0; i < 2; i++)
		boxes_player_destroy(contest.players[i]);
	if (result != CLI_DONE)
		return result;
	if (status != STATUS_OK)
		return cli_refuse(task->command, "%s", status_text(status));
	if (contest.pairs > 0)
		print_result(&contest);
	if (2 * contest.pairs < task->games)
		return cli_refuse(task->command, "interrupted");
	return CLI_DONE;
}
