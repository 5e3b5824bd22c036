/* SPDX-License-Identifier: MIT */
#include "match/match.h"

#include <stdlib.h>

#include "base/random.h"
#include "shogi/shogi.h"

struct match {
	const struct match_options *options;
	struct player players[2];
};

/* A line of random legal moves, at the end of which the game goes on; NULL: no memory. */
static struct game_line *make_opening(struct random *random)
{
	struct game_line *line;

	if (game_line_create(&mini_shogi, NULL, &line) != STATUS_OK)
		return NULL;
	while (game_line_plies(line) < MATCH_OPENING_PLIES) {
		struct game_action actions[GAME_ACTIONS_MAX];
		size_t count = mini_shogi.legal(game_line_state(line), actions);

		if (game_line_play(line, actions[random_below(random, (uint32_t)count)]) !=
			STATUS_OK)
			goto fail;
		if (game_line_summary(line).over)
			(void)game_line_undo(line);
	}
	return line;
fail:
	game_line_destroy(line);
	return NULL;
}

static void end_by_fault(struct match_game *game, int player, enum match_fault fault)
{
	game->at_fault = player;
	game->fault = fault;
}

/* Plays from the end of `line` on. False: no memory. */
static bool play_out(struct match *match, struct game_line *line, struct match_game *game)
{
	struct game_summary summary = game_line_summary(line);

	while (!summary.over && game_line_plies(line) < MATCH_PLIES_MAX) {
		int mover = summary.player == 0 ? game->sente : !game->sente;
		struct game_action action;

		switch (player_move(
			&match->players[mover], line, &match->options->limits, &action)) {
		case PLAYER_MOVE:
			if (game_line_play(line, action) != STATUS_OK)
				return false;
			break;
		case PLAYER_RESIGNS:
			game->winner = !mover;
			game->reason = GAME_REASON_RESIGNATION;
			return true;
		case PLAYER_ILLEGAL:
			end_by_fault(game, mover, FAULT_ILLEGAL);
			return true;
		case PLAYER_CRASHED:
			end_by_fault(game, mover, FAULT_CRASH);
			return true;
		case PLAYER_LATE:
			end_by_fault(game, mover, FAULT_TIME);
			return true;
		}
		summary = game_line_summary(line);
	}
	if (summary.over && summary.winner >= 0)
		game->winner = summary.winner == 0 ? game->sente : !game->sente;
	game->reason = summary.reason;
	return true;
}

static void count_game(struct match_result *result, const struct match_game *game)
{
	if (game->at_fault >= 0)
		result->faults[game->at_fault][game->fault]++;
	else if (game->winner < 0)
		result->tally.draws++;
	else if (game->winner == 0)
		result->tally.wins++;
	else
		result->tally.losses++;
}

/* One game from a copy of `opening`. */
static bool play_game(
	struct match *match, const struct game_line *opening, struct match_game *game, int *broken)
{
	struct game_line *line;
	bool played;

	for (int i = 0; i < 2; i++) {
		if (!player_prepare(&match->players[i])) {
			*broken = i;
			return false;
		}
	}
	*broken = -1;
	if (game_line_copy(opening, game_line_plies(opening), &line) != STATUS_OK)
		return false;
	played = play_out(match, line, game);
	game->plies = game_line_plies(line);
	game_line_destroy(line);
	return played;
}

static bool play_games(struct match *match,
	void (*report)(void *context, const struct match_game *game), void *context,
	struct match_result *result, int *broken)
{
	struct random random = {match->options->seed};
	struct game_line *opening = NULL;
	bool played = true;

	for (unsigned i = 0; played && i < match->options->games; i++) {
		struct match_game game = {
			.number = i + 1, .sente = i % 2, .winner = -1, .at_fault = -1};

		if (i % 2 == 0) {
			game_line_destroy(opening);
			opening = make_opening(&random);
		}
		*broken = -1;
		played = opening && play_game(match, opening, &game, broken);
		if (played) {
			count_game(result, &game);
			report(context, &game);
		}
	}
	game_line_destroy(opening);
	return played;
}

bool match_play(const struct match_options *options,
	void (*report)(void *context, const struct match_game *game), void *context,
	struct match_result *result, int *broken)
{
	struct match *match = calloc(1, sizeof(*match));
	bool played;

	*result = (struct match_result){0};
	*broken = -1;
	if (!match)
		return false;
	match->options = options;
	for (int i = 0; i < 2; i++)
		match->players[i].command = options->commands[i];
	played = play_games(match, report, context, result, broken);
	for (int i = 0; i < 2; i++) {
		struct player *player = &match->players[i];

		if (player->moves)
			result->move_ms[i] = (double)player->time_ms / (double)player->moves;
		player_stop(player);
	}
	free(match);
	return played;
}
