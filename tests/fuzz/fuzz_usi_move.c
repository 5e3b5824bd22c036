/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/line.h"
#include "shogi/shogi.h"

/*
 * A game, a line of input each: a position (the usual start where it is none), then actions. What
 * is read as an action is written in the same letters. It is played, and can be taken back exactly,
 * or it is refused and changes nothing.
 */

enum { LINES_MAX = 64, JSON_BYTES = GAME_STATE_JSON + 96 * (LINES_MAX + 2) };

struct picture {
	char json[JSON_BYTES];
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_usi_move: %s\n", what);
	abort();
}

static void take_picture(const struct game_line *line, struct picture *picture)
{
	struct text text;

	text_init(&text, picture->json, sizeof(picture->json));
	game_line_write_json(line, true, &text);
	require(!text.overflow, "a state overflows its JSON");
}

static void require_like(
	const struct game_line *line, const struct picture *picture, const char *what)
{
	struct picture now;

	take_picture(line, &now);
	require(strcmp(now.json, picture->json) == 0, what);
}

static void require_exact(struct game_action action, const char *line, size_t length)
{
	char buffer[GAME_ACTION_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	mini_shogi.action_write(action, &text);
	require(!text.overflow && text.length == length && memcmp(buffer, line, length) == 0,
		"an action is written otherwise than it was read");
}

static void play(struct game_line *line, struct game_action action)
{
	struct picture before;
	struct picture after;
	size_t plies = game_line_plies(line);
	enum status tried = game_line_try(line, action);

	take_picture(line, &before);
	require(game_line_play(line, action) == tried, "trying and playing differ");
	if (tried != STATUS_OK) {
		require(game_line_plies(line) == plies, "a refused action made a ply");
		require_like(line, &before, "a refused action changed the state");
		return;
	}
	take_picture(line, &after);
	require(game_line_plies(line) == plies + 1, "an action made no ply");
	require(game_line_undo(line), "an action cannot be taken back");
	require_like(line, &before, "an action was not taken back exactly");
	require(game_line_play(line, action) == STATUS_OK, "an action is refused the second time");
	require_like(line, &after, "an action leads elsewhere the second time");
}

static void feed(struct game_line *line, const char *text, size_t length)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct game_action action;
	enum status status =
		mini_shogi.action_read(game_line_state(line), text, length, &error, &action);

	if (status == STATUS_OK) {
		require_exact(action, text, length);
		play(line, action);
		return;
	}
	require(error.status == status && error.line == 1 && error.column >= 1 &&
			error.column <= length + 1,
		"an error without its place");
}

static struct game_line *begin(const char *text, size_t length)
{
	struct text_error error;
	struct game_line *line;

	if (game_line_setup(&mini_shogi, NULL, text, length, &error, &line) != STATUS_OK)
		require(game_line_create(&mini_shogi, NULL, &line) == STATUS_OK, "no memory");
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct game_line *line = NULL;
	size_t start = 0;

	for (int i = 0; i < LINES_MAX && start <= size; i++) {
		const uint8_t *end = size ? memchr(data + start, '\n', size - start) : NULL;
		size_t length = (end ? (size_t)(end - data) : size) - start;
		char *copy = malloc(length ? length : 1); /* exact, for the sanitizer */

		require(copy != NULL, "no memory");
		if (length)
			memcpy(copy, data + start, length);
		if (line)
			feed(line, copy, length);
		else
			line = begin(copy, length);
		free(copy);
		start += length + 1;
	}
	game_line_destroy(line);
	return 0;
}
