/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

#include "room/room_internal.h"

/* The lines so far; they end with a zero. */
struct lines {
	char *text;
	size_t length;
	size_t capacity;
};

static enum status lines_reserve(struct lines *lines, size_t more)
{
	size_t wanted = lines->length + more + 1;
	char *grown;

	if (wanted <= lines->capacity)
		return STATUS_OK;
	if (wanted < 2 * lines->capacity)
		wanted = 2 * lines->capacity;
	grown = realloc(lines->text, wanted);
	if (!grown)
		return STATUS_NO_MEMORY;
	lines->text = grown;
	lines->capacity = wanted;
	grown[lines->length] = 0;
	return STATUS_OK;
}

/* How the game has ended, in a word. */
static const char *end_word(const struct game_summary *summary, bool abandoned)
{
	if (abandoned)
		return "abandoned";
	if (!summary->over)
		return "unfinished";
	return summary->reason == GAME_REASON_NONE ? "complete" : game_reason_name(summary->reason);
}

static void write_game(const struct game_line *line, bool abandoned, struct text *text)
{
	const struct game_ops *ops = game_line_ops(line);
	struct game_summary summary = game_line_summary(line);

	text_add(text, ops->name);
	text_add_char(text, ' ');
	if (summary.over && summary.winner >= 0)
		text_add_number(text, summary.winner);
	else
		text_add_char(text, '-');
	text_add_char(text, ' ');
	text_add(text, end_word(&summary, abandoned));
	for (size_t i = 0; i < game_line_plies(line); i++) {
		text_add_char(text, ' ');
		ops->action_write(game_line_action(line, i), text);
	}
	text_add_char(text, '\n');
}

/* The game of these plies, by their revisions. */
static enum status add_game(struct lines *lines, const struct room *room, const uint32_t *plies,
	size_t count, bool abandoned)
{
	enum { WORDS = 128 /* the game's name and the two words after it */ };
	struct game_line *line = NULL;
	struct text text;
	enum status status;

	if (count == 0)
		return STATUS_OK;
	status = game_line_create(room_game(room), NULL, &line);
	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		status = game_line_play(line, room->steps[plies[i] - 1].action);
	if (status == STATUS_OK)
		status = lines_reserve(lines, WORDS + count * (GAME_ACTION_TEXT + 1));
	if (status == STATUS_OK) {
		text_init(&text, lines->text + lines->length, lines->capacity - lines->length);
		write_game(line, abandoned, &text);
		assert(!text.overflow);
		lines->length += text.length;
	}
	game_line_destroy(line);
	return status;
}

enum status room_archive(const struct room *room, char **archive)
{
	struct lines lines = {0};
	uint32_t *plies = malloc(room->rev * sizeof(*plies));
	size_t count = 0;
	bool abandoned = false;
	enum status status = plies ? lines_reserve(&lines, 0) : STATUS_NO_MEMORY;

	for (uint64_t rev = 1; status == STATUS_OK && rev <= room->rev; rev++) {
		const struct step *step = &room->steps[rev - 1];

		if (step->effect == GAME_BEGUN) {
			status = add_game(&lines, room, plies, count, abandoned);
			abandoned = false;
		}
		abandoned |= step->effect == GAME_ABANDONED;
		count = step_plies(step, rev, plies, count);
	}
	if (status == STATUS_OK)
		status = add_game(&lines, room, plies, count, abandoned);
	free(plies);
	if (status == STATUS_OK)
		*archive = lines.text;
	else
		free(lines.text);
	return status;
}
