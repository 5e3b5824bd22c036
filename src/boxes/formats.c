/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "boxes/notation.h"
#include "game/one_line.h"

/*
 * Games as one line. "moves" is the whole game:
 *
 *      0 7 49 1                                from the start: lines by number or by name
 *      3x4 moves 0 1 A2R                       from a position
 *      3x4                                     no line drawn since
 *
 * The word `moves` may stand without a position too. "bits" is the last position alone, without
 * players and owners, as `2x2 100001101100`; any text of a position is read.
 *
 * Neither has a place for headers, comments, times, or how a game ended that goes on.
 */

/* A position begins with its grid, as in "6x7", and no line is named so. */
static bool begins_with_grid(const struct reader *line)
{
	struct reader rest = *line;
	const char *word;
	size_t length = reader_word(&rest, &word);

	return length > 0 && memchr(word, 'x', length);
}

static enum status read_moves_start(const char *ruleset, struct reader *line,
	struct text_error *error, struct game_sheet **sheet)
{
	enum status status;

	if (begins_with_grid(line))
		return read_line_setup(
			&petits_carres, ruleset, line, length_before_moves(line), error, sheet);
	status = game_sheet_create(&petits_carres, ruleset, sheet);
	return status == STATUS_OK ? status : reader_fail(line, status, error);
}

static enum status read_moves_word(const struct game_state *state, struct reader *word,
	struct text_error *error, struct game_action *action)
{
	return read_line_action(&petits_carres, state, word, error, action);
}

static enum status read_moves_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return read_one_line(
		ruleset, text, length, read_moves_start, read_moves_word, error, sheet);
}

static void write_moves_sheet(const struct game_sheet *sheet, struct text *text)
{
	const struct game_line *line = game_sheet_line(sheet);
	size_t plies = game_line_plies(line);
	bool from_start = game_line_is_from_start(line);

	if (!from_start || plies == 0)
		petits_carres.state_write(game_line_start(line), text);
	if (!from_start && plies > 0)
		text_add(text, " moves ");
	for (size_t ply = 0; ply < plies; ply++) {
		if (ply > 0)
			text_add_char(text, ' ');
		petits_carres.action_write(game_line_action(line, ply), text);
	}
	text_add_char(text, '\n');
}

static enum status read_bits_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	struct reader line;
	enum status status = read_only_line(text, length, error, &line);

	if (status != STATUS_OK)
		return status;
	return read_line_setup(&petits_carres, ruleset, &line, line.length - line.at, error, sheet);
}

static void write_bits_sheet(const struct game_sheet *sheet, struct text *text)
{
	boxes_bits_write(boxes_state_position(game_line_state(game_sheet_line(sheet))), text);
	text_add_char(text, '\n');
}

static const struct game_format format_moves = {"moves", read_moves_sheet, write_moves_sheet};
static const struct game_format format_bits = {"bits", read_bits_sheet, write_bits_sheet};

const struct game_format *const boxes_formats[] = {&format_moves, &format_bits, NULL};
