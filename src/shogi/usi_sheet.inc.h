/* SPDX-License-Identifier: MIT */

/*
 * A game as one line: "sfen" is the position alone; "usi" is the `position` command of the
 * Universal Shogi Interface, of which a reader may leave out the first word, or all but the moves.
 * Neither has a place for headers, comments or times.
 */

static enum status read_sfen_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	struct reader line;
	enum status status = read_only_line(text, length, error, &line);

	if (status != STATUS_OK)
		return status;
	return read_line_setup(ops, ruleset, &line, line.length - line.at, error, sheet);
}

static void write_sfen_sheet(const struct game_sheet *sheet, struct text *text)
{
	ops->state_write(game_line_state(game_sheet_line(sheet)), text);
	text_add_char(text, '\n');
}

static inline enum status read_usi_start(const char *ruleset, struct reader *line,
	struct text_error *error, struct game_sheet **sheet)
{
	reader_take_whole_word(line, "position");
	if (reader_take_whole_word(line, "sfen")) {
		reader_skip_blanks(line);
		return read_line_setup(ops, ruleset, line, length_before_moves(line), error, sheet);
	}
	reader_take_whole_word(line, "startpos");
	return sheet_begin_usual(ruleset, line, error, sheet);
}

static inline enum status read_usi_word(const struct game_state *state, struct reader *word,
	struct text_error *error, struct game_action *action)
{
	return read_line_action(ops, state, word, error, action);
}

static enum status read_usi_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return read_one_line(ruleset, text, length, read_usi_start, read_usi_word, error, sheet);
}

static void write_usi_sheet(const struct game_sheet *sheet, struct text *text)
{
	const struct game_line *line = game_sheet_line(sheet);

	if (is_usual_start(game_line_start(line))) {
		text_add(text, "position startpos");
	} else {
		text_add(text, "position sfen ");
		ops->state_write(game_line_start(line), text);
	}
	if (game_line_plies(line))
		text_add(text, " moves");
	for (size_t ply = 0; ply < game_line_plies(line); ply++) {
		text_add_char(text, ' ');
		ops->action_write(game_line_action(line, ply), text);
	}
	text_add_char(text, '\n');
}

static const struct game_format format_sfen = {"sfen", read_sfen_sheet, write_sfen_sheet};
static const struct game_format format_usi = {"usi", read_usi_sheet, write_usi_sheet};
