/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What tests of Petits carrés share: lines of play on any grid, and what they say of themselves as
 * text. Included by test programs, after cmocka.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boxes/boxes.h"
#include "game/line.h"

/* A line from a position, or from the start (NULL); the caller destroys it. */
static inline struct game_line *boxes_begin(const char *setup)
{
	struct game_line *line = NULL;
	struct text_error error = {STATUS_OK, 1, 1};
	enum status status =
		setup ? game_line_setup(&petits_carres, NULL, setup, strlen(setup), &error, &line)
		      : game_line_create(&petits_carres, NULL, &line);

	if (status != STATUS_OK)
		fail_msg("%s: column %u: %s", setup ? setup : "the start", error.column,
			status_text(status));
	return line;
}

static inline struct game_line *boxes_begin_empty(struct boxes_grid grid)
{
	char setup[8];

	snprintf(setup, sizeof(setup), "%dx%d", grid.rows, grid.columns);
	return boxes_begin(setup);
}

static inline const struct boxes_position *boxes_now(const struct game_line *line)
{
	return boxes_state_position(game_line_state(line));
}

static inline enum status boxes_play_word(struct game_line *line, const char *word, size_t length)
{
	struct text_error error;
	struct game_action action;
	enum status status =
		petits_carres.action_read(game_line_state(line), word, length, &error, &action);

	return status == STATUS_OK ? game_line_play(line, action) : status;
}

/* Plays "0 7 A1R", which must be legal. */
static inline void boxes_play_words(struct game_line *line, const char *words)
{
	while (*(words += strspn(words, " "))) {
		size_t length = strcspn(words, " ");
		enum status status = boxes_play_word(line, words, length);

		if (status != STATUS_OK)
			fail_msg("\"%s\": %s", words, status_text(status));
		words += length;
	}
}

/* The whole state with its records, the text of the position and the newest key. */
enum { BOXES_PICTURE = 1 << 16 };

static inline void boxes_take_picture(const struct game_line *line, char picture[BOXES_PICTURE])
{
	struct game_history history = game_line_history(line);
	struct text text;

	text_init(&text, picture, BOXES_PICTURE);
	game_line_write_json(line, true, &text);
	petits_carres.state_write(game_line_state(line), &text);
	petits_carres.key_write(&history.records[history.count - 1].key, &text);
	assert_false(text.overflow);
}

static inline void boxes_expect_picture(const struct game_line *line, const char *expected)
{
	static char picture[BOXES_PICTURE];

	boxes_take_picture(line, picture);
	assert_string_equal(picture, expected);
}

static inline void boxes_expect_text(const struct game_state *state, const char *expected)
{
	char buffer[GAME_SETUP_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	petits_carres.state_write(state, &text);
	assert_false(text.overflow);
	assert_string_equal(buffer, expected);
}

/* The state that a string of 0 (free) and 1 (drawn) says; NULL: nothing is drawn. */
static inline struct game_state boxes_state_of(int rows, int columns, const char *bits)
{
	char setup[GAME_SETUP_TEXT];
	struct game_state state;
	struct game_record record;
	struct text_error error;

	snprintf(setup, sizeof(setup), "%dx%d%s%s", rows, columns, bits ? " " : "",
		bits ? bits : "");
	if (petits_carres.setup(NULL, setup, strlen(setup), &error, &state, &record) != STATUS_OK)
		fail_msg("%s: column %u: %s", setup, error.column, status_text(error.status));
	return state;
}

static inline struct boxes_position boxes_position_of(int rows, int columns, const char *bits)
{
	struct game_state state = boxes_state_of(rows, columns, bits);

	return *boxes_state_position(&state);
}
