/* SPDX-License-Identifier: MIT */

/*
 * "uci": a game as one line of FEN and UCI, for programs that play many chess variants.
 *
 *      position startpos moves a2a3 e4e3
 *      position fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves a2a3
 *      rbsgk/4p/5/P4/KGSBR[] w - - 0 1
 *
 * A sheet without moves is written as its FEN alone. A reader may leave out `position`, `startpos`,
 * `moves`, and `fen` before a board. UCI has no word for a resignation: it is the last word,
 * `resign`, as in the USI sheet.
 *
 * Not said: headers, comments, times, how a game ended that the rules have not ended, and what FEN
 * cannot say (fen.inc.h).
 */

static inline bool begins_with_board(const struct reader *line)
{
	struct reader rest = *line;
	const char *word;
	size_t length = reader_word(&rest, &word);

	return length > 0 && memchr(word, '/', length);
}

static inline enum status read_uci_start(const char *ruleset, struct reader *line,
	struct text_error *error, struct game_sheet **sheet)
{
	struct reader fen;
	struct position pos;
	uint32_t number;
	enum status status;

	reader_take_whole_word(line, "position");
	if (!reader_take_whole_word(line, "fen") && !begins_with_board(line)) {
		reader_take_whole_word(line, "startpos");
		return sheet_begin_usual(ruleset, line, error, sheet);
	}
	reader_skip_blanks(line);
	fen = *line;
	fen.length = line->at + length_before_moves(line);
	status = fen_read(&fen, error, &pos, &number);
	if (status == STATUS_OK)
		status = sheet_begin(ruleset, &pos, number, line, error, sheet);
	line->at = fen.length;
	return status;
}

static inline enum status read_uci_word(const struct game_state *state, struct reader *word,
	struct text_error *error, struct game_action *action)
{
	struct move move;
	enum status status;

	(void)state;
	if (reader_take_whole_word(word, "resign")) {
		action->code = ACTION_RESIGN;
		return STATUS_OK;
	}
	status = uci_read(word, error, &move);
	if (status != STATUS_OK)
		return status;
	if (!reader_done(word))
		return reader_fail(word, STATUS_TEXT_TRAILING, error);
	action->code = move.bits;
	return STATUS_OK;
}

static enum status read_uci_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return read_one_line(ruleset, text, length, read_uci_start, read_uci_word, error, sheet);
}

static void write_uci_sheet(const struct game_sheet *sheet, struct text *text)
{
	const struct game_line *line = game_sheet_line(sheet);
	const struct game_state *start = game_line_start(line);

	if (game_line_plies(line) == 0) {
		fen_write(start, text);
		text_add_char(text, '\n');
		return;
	}
	if (fen_is_usual(start)) {
		text_add(text, "position startpos moves");
	} else {
		text_add(text, "position fen ");
		fen_write(start, text);
		text_add(text, " moves");
	}
	for (size_t ply = 0; ply < game_line_plies(line); ply++) {
		struct game_action action = game_line_action(line, ply);

		text_add_char(text, ' ');
		if (action.code == ACTION_RESIGN)
			text_add(text, "resign");
		else
			uci_write((struct move){(uint16_t)action.code}, text);
	}
	text_add_char(text, '\n');
}

static const struct game_format format_uci = {"uci", read_uci_sheet, write_uci_sheet};
