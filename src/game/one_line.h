/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "base/reader.h"
#include "game/sheet.h"

/*
 * What formats that write a game as one line of words share: where the words are, the position at
 * the front of the line, and the moves at its end.
 */

/* The next word of the line, blanks before it stepped over; its length, 0 at the end. */
static inline size_t reader_word(struct reader *reader, const char **word)
{
	size_t length = 0;

	reader_skip_blanks(reader);
	*word = reader->text + reader->at;
	while (reader->at + length < reader->length && (*word)[length] != ' ' &&
		(*word)[length] != '\t')
		length++;
	return length;
}

static inline bool reader_take_whole_word(struct reader *reader, const char *word)
{
	const char *found;
	size_t length = reader_word(reader, &found);

	if (length != strlen(word) || memcmp(found, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

/* The only line of a text that is not blank. */
static inline enum status read_only_line(
	const char *text, size_t length, struct text_error *error, struct reader *line)
{
	struct reader whole = {text, length, 0, 0};
	struct reader next;
	bool found = false;

	while (reader_next_line(&whole, &next)) {
		reader_skip_blanks(&next);
		if (reader_done(&next))
			continue;
		if (found)
			return reader_fail(&next, STATUS_TEXT_TRAILING, error);
		*line = next;
		found = true;
	}
	if (!found) {
		whole = reader_of(text, 0);
		return reader_fail(&whole, STATUS_TEXT_EMPTY, error);
	}
	while (line->length > line->at &&
		(line->text[line->length - 1] == ' ' || line->text[line->length - 1] == '\t'))
		line->length--;
	return STATUS_OK;
}

/* The bytes up to the word "moves" or the end, blanks before it left out. */
static inline size_t length_before_moves(const struct reader *line)
{
	struct reader rest = *line;
	size_t end = line->at;

	while (!reader_done(&rest)) {
		const char *word;
		size_t length = reader_word(&rest, &word);

		if (length == strlen("moves") && memcmp(word, "moves", length) == 0)
			break;
		rest.at += length;
		end = rest.at;
	}
	return end - line->at;
}

/* Begins a sheet with the next `length` bytes of the line, a position as the game writes it. */
static inline enum status read_line_setup(const struct game_ops *ops, const char *ruleset,
	struct reader *line, size_t length, struct text_error *error, struct game_sheet **sheet)
{
	enum status status =
		game_sheet_setup(ops, ruleset, line->text + line->at, length, error, sheet);

	if (status != STATUS_OK) {
		error->line = line->line;
		error->column += (uint32_t)line->at;
		return status;
	}
	line->at += length;
	return STATUS_OK;
}

/* Reads one word, all of `word`, as an action that the game writes so. */
static inline enum status read_line_action(const struct game_ops *ops,
	const struct game_state *state, struct reader *word, struct text_error *error,
	struct game_action *action)
{
	enum status status = ops->action_read(
		state, word->text + word->at, word->length - word->at, error, action);

	if (status != STATUS_OK) {
		error->line = word->line;
		error->column += (uint32_t)word->at;
	}
	return status;
}

/* Reads one word, all of `word`, as an action. */
typedef enum status action_word_reader(const struct game_state *state, struct reader *word,
	struct text_error *error, struct game_action *action);

/* Plays the rest of the line, which may begin with the word "moves". */
static inline enum status play_words(struct reader *line, action_word_reader *read_action,
	struct text_error *error, struct game_sheet *sheet)
{
	reader_take_whole_word(line, "moves");
	for (;;) {
		const char *text;
		size_t length = reader_word(line, &text);
		struct reader word = *line;
		struct game_action action;
		enum status status;

		if (length == 0)
			return STATUS_OK;
		word.length = line->at + length;
		status =
			read_action(game_line_state(game_sheet_line(sheet)), &word, error, &action);
		if (status != STATUS_OK)
			return status;
		status = game_sheet_play(sheet, action);
		if (status != STATUS_OK)
			return reader_fail(line, status, error);
		line->at += length;
	}
}

/* Begins a sheet with what stands before the moves of the line. */
typedef enum status start_reader(const char *ruleset, struct reader *line, struct text_error *error,
	struct game_sheet **sheet);

/* A sheet of a text of one line: its start, then its moves. */
static inline enum status read_one_line(const char *ruleset, const char *text, size_t length,
	start_reader *read_line_start, action_word_reader *read_action, struct text_error *error,
	struct game_sheet **sheet)
{
	struct reader line;
	struct game_sheet *made;
	enum status status = read_only_line(text, length, error, &line);

	if (status != STATUS_OK)
		return status;
	status = read_line_start(ruleset, &line, error, &made);
	if (status != STATUS_OK)
		return status;
	status = play_words(&line, read_action, error, made);
	if (status != STATUS_OK) {
		game_sheet_destroy(made);
		return status;
	}
	*sheet = made;
	return STATUS_OK;
}
