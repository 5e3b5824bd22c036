/* SPDX-License-Identifier: MIT */
#include "komadai/komadai.h"

#include <assert.h>
#include <string.h>

#include "game/line.h"
#include "shogi/shogi.h"

_Static_assert(KOMADAI_OK == (int)STATUS_OK, "the statuses are the table's");
_Static_assert(KOMADAI_MOVE_TEXT >= (int)GAME_ACTION_TEXT, "any move fits");
_Static_assert(KOMADAI_POSITION_TEXT >= (int)GAME_SETUP_TEXT, "any position fits");

/* `struct komadai_game` is never defined: its handles are lines. */

static const struct game_ops *const games[] = {&mini_shogi, NULL};

static struct game_line *line_of(struct komadai_game *game)
{
	return (struct game_line *)(void *)game;
}

static const struct game_line *line_read(const struct komadai_game *game)
{
	return (const struct game_line *)(const void *)game;
}

static struct komadai_game *handle_of(struct game_line *line)
{
	return (struct komadai_game *)(void *)line;
}

const char *komadai_version(void)
{
	return KOMADAI_VERSION;
}

static bool is_status(int status)
{
	return status >= 0 && status < (int)STATUS_COUNT;
}

const char *komadai_status_code(int status)
{
	return is_status(status) ? status_code((enum status)status) : "unknown";
}

const char *komadai_status_text(int status)
{
	return is_status(status) ? status_text((enum status)status) : "this number is no status";
}

const char *komadai_game_name(size_t number)
{
	return number < sizeof(games) / sizeof(games[0]) - 1 ? games[number]->name : NULL;
}

int komadai_game_create(const char *game, const char *ruleset, struct komadai_game **made)
{
	const struct game_ops *ops = game_find(games, game);
	struct game_line *line;
	enum status status;

	if (!ops)
		return STATUS_GAME_UNKNOWN;
	status = game_line_create(ops, ruleset, &line);
	if (status == STATUS_OK)
		*made = handle_of(line);
	return (int)status;
}

static void tell_column(uint32_t *column, uint32_t number)
{
	if (column)
		*column = number;
}

int komadai_game_setup(const char *game, const char *ruleset, const char *position,
	uint32_t *column, struct komadai_game **made)
{
	const struct game_ops *ops = game_find(games, game);
	struct text_error error;
	struct game_line *line;
	enum status status;

	if (!ops) {
		tell_column(column, 1);
		return STATUS_GAME_UNKNOWN;
	}
	status = game_line_setup(ops, ruleset, position, strlen(position), &error, &line);
	if (status == STATUS_OK)
		*made = handle_of(line);
	else
		tell_column(column, error.column);
	return (int)status;
}

void komadai_game_destroy(struct komadai_game *game)
{
	game_line_destroy(line_of(game));
}

int komadai_game_play(struct komadai_game *game, const char *move, uint32_t *column)
{
	struct game_line *line = line_of(game);
	struct text_error error = {STATUS_OK, 1, 1};
	struct game_action action;
	enum status status = game_line_ops(line)->action_read(
		game_line_state(line), move, strlen(move), &error, &action);

	if (status == STATUS_OK)
		status = game_line_play(line, action);
	if (status != STATUS_OK)
		tell_column(column, error.column);
	return (int)status;
}

bool komadai_game_undo(struct komadai_game *game)
{
	return game_line_undo(line_of(game));
}

size_t komadai_game_plies(const struct komadai_game *game)
{
	return game_line_plies(line_read(game));
}

static void write_action(
	const struct game_ops *ops, struct game_action action, char buffer[KOMADAI_MOVE_TEXT])
{
	struct text text;

	text_init(&text, buffer, KOMADAI_MOVE_TEXT);
	ops->action_write(action, &text);
	assert(!text.overflow);
}

void komadai_game_move(const struct komadai_game *game, size_t ply, char text[KOMADAI_MOVE_TEXT])
{
	const struct game_line *line = line_read(game);

	write_action(game_line_ops(line), game_line_action(line, ply), text);
}

size_t komadai_game_legal(const struct komadai_game *game,
	void (*visit)(void *context, const char *move), void *context)
{
	const struct game_line *line = line_read(game);
	const struct game_ops *ops = game_line_ops(line);
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = ops->legal(game_line_state(line), actions);

	for (size_t i = 0; visit && i < count; i++) {
		char move[KOMADAI_MOVE_TEXT];

		write_action(ops, actions[i], move);
		visit(context, move);
	}
	return count;
}

void komadai_game_verdict(const struct komadai_game *game, struct komadai_verdict *verdict)
{
	struct game_summary summary = game_line_summary(line_read(game));

	*verdict = (struct komadai_verdict){
		.player = summary.player,
		.over = summary.over,
		.winner = summary.winner,
		.reason = game_reason_name(summary.reason),
	};
}

void komadai_game_position(const struct komadai_game *game, char text[KOMADAI_POSITION_TEXT])
{
	const struct game_line *line = line_read(game);
	struct text out;

	text_init(&out, text, KOMADAI_POSITION_TEXT);
	game_line_ops(line)->state_write(game_line_state(line), &out);
	assert(!out.overflow);
}
