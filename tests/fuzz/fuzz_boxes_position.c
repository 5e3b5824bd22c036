/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boxes/boxes.h"

/*
 * A position of Petits carrés as text. What the reader accepts is written in one way only, which it
 * reads again as the same position; and from there every free line can be drawn, leads to such a
 * position, and changes the score by what it closes.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_boxes_position: %s\n", what);
	abort();
}

static enum status set_up(const char *text, size_t size, struct text_error *error,
	struct game_state *state, struct game_key *key)
{
	struct game_record record;
	enum status status = petits_carres.setup(NULL, text, size, error, state, &record);

	if (status == STATUS_OK)
		*key = record.key;
	return status;
}

static bool same_key(const struct game_key *one, const struct game_key *other)
{
	return memcmp(one, other, sizeof(*one)) == 0;
}

static void write(const struct game_state *state, char buffer[GAME_SETUP_TEXT])
{
	struct text text;

	text_init(&text, buffer, GAME_SETUP_TEXT);
	petits_carres.state_write(state, &text);
	require(!text.overflow, "a position overflows its text");
}

static void check_text(const struct game_state *state, const struct game_key *key)
{
	char first[GAME_SETUP_TEXT];
	char second[GAME_SETUP_TEXT];
	struct text_error error;
	struct game_state again;
	struct game_key key_again;

	write(state, first);
	require(set_up(first, strlen(first), &error, &again, &key_again) == STATUS_OK,
		"what was written cannot be read");
	write(&again, second);
	require(strcmp(first, second) == 0, "the text changed on its way");
	require(same_key(key, &key_again), "another position was read");
}

static void check_score(const struct boxes_position *before, const struct boxes_position *after)
{
	int gained[2];

	for (int player = 0; player < 2; player++)
		gained[player] = after->scores[player] - before->scores[player];
	require(gained[before->player] == after->captured && gained[!before->player] == 0,
		"a line scores otherwise than it closes");
	require((after->player == before->player) == (after->captured > 0),
		"the wrong player moves next");
}

static void check_lines(const struct game_state *state)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = petits_carres.legal(state, actions);

	require((count == 0) == petits_carres.summary(state).over, "the end is not the last line");
	for (size_t i = 0; i < count; i++) {
		struct game_state next;
		struct game_record record;

		require(petits_carres.play(state, NULL, actions[i], &next, &record) == STATUS_OK,
			"a listed line is refused");
		check_score(boxes_state_position(state), boxes_state_position(&next));
		check_text(&next, &record.key);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct game_state state;
	struct game_key key;
	char *copy = malloc(size ? size : 1); /* exact, for the sanitizer */
	enum status status;

	require(copy != NULL, "no memory");
	if (size)
		memcpy(copy, data, size);
	status = set_up(copy, size, &error, &state, &key);
	free(copy);
	if (status != STATUS_OK) {
		require(error.status == status && error.line == 1 && error.column >= 1 &&
				error.column <= size + 1,
			"an error without its place");
		return 0;
	}
	check_text(&state, &key);
	check_lines(&state);
	return 0;
}
