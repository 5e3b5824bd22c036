/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <stdlib.h>

#include "engine/search.h"
#include "shogi/shogi.h"

/* Invariant: `search` has claimed its memory for `line`. */
struct engine {
	struct game_line *line;
	struct search *search;
};

enum status engine_create(struct engine **engine)
{
	struct engine *made = calloc(1, sizeof(*made));
	enum status status = STATUS_NO_MEMORY;

	if (!made)
		return status;
	status = mini_search_create(&made->search);
	if (status != STATUS_OK)
		goto fail;
	status = mini_search_reserve(made->search, 0);
	if (status != STATUS_OK)
		goto fail;
	status = game_line_create(&mini_shogi, NULL, &made->line);
	if (status != STATUS_OK)
		goto fail;
	*engine = made;
	return STATUS_OK;
fail:
	engine_destroy(made);
	return status;
}

void engine_destroy(struct engine *engine)
{
	if (!engine)
		return;
	game_line_destroy(engine->line);
	mini_search_destroy(engine->search);
	free(engine);
}

/* Takes `line` over, unless it is refused. */
static enum status engine_take_line(struct engine *engine, struct game_line *line)
{
	enum status status = mini_search_reserve(engine->search, game_line_plies(line));

	if (status != STATUS_OK)
		return status;
	game_line_destroy(engine->line);
	engine->line = line;
	return STATUS_OK;
}

enum status engine_set_line(struct engine *engine, const struct game_line *line)
{
	struct game_line *copy;
	enum status status;

	if (game_line_ops(line) != &mini_shogi)
		return STATUS_GAME_UNKNOWN;
	status = game_line_copy(line, game_line_plies(line), &copy);
	if (status != STATUS_OK)
		return status;
	status = engine_take_line(engine, copy);
	if (status != STATUS_OK)
		game_line_destroy(copy);
	return status;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Plays the moves of `text` on `line`; `*at` is the beginning of a move that is refused. */
static enum status play_moves(
	struct game_line *line, const char *text, size_t length, const char **at)
{
	size_t next = 0;

	for (;;) {
		struct text_error error;
		struct game_action action;
		enum status status;
		size_t start;

		while (next < length && is_blank(text[next]))
			next++;
		if (next == length)
			return STATUS_OK;
		start = next;
		while (next < length && !is_blank(text[next]))
			next++;
		*at = text + start;
		status = mini_shogi.action_read(
			game_line_state(line), text + start, next - start, &error, &action);
		if (status != STATUS_OK) {
			*at += error.column - 1;
			return status;
		}
		status = game_line_play(line, action);
		if (status != STATUS_OK)
			return status;
	}
}

enum status engine_set_text(struct engine *engine, const struct engine_text *text, const char **at)
{
	struct game_line *line;
	struct text_error error;
	enum status status;

	*at = NULL;
	if (text->setup) {
		status = game_line_setup(
			&mini_shogi, text->ruleset, text->setup, text->setup_length, &error, &line);
		if (status != STATUS_OK) {
			*at = text->setup + error.column - 1;
			return status;
		}
	} else {
		status = game_line_create(&mini_shogi, text->ruleset, &line);
		if (status != STATUS_OK)
			return status;
	}
	status = play_moves(line, text->moves, text->moves_length, at);
	if (status != STATUS_OK)
		goto fail;
	*at = NULL;
	status = engine_take_line(engine, line);
	if (status != STATUS_OK)
		goto fail;
	return STATUS_OK;
fail:
	game_line_destroy(line);
	return status;
}

const struct game_line *engine_line(const struct engine *engine)
{
	return engine->line;
}

struct engine_result engine_search(
	struct engine *engine, const struct engine_limits *limits, const struct engine_host *host)
{
	return mini_search_run(engine->search, engine->line, limits, host);
}
