/* SPDX-License-Identifier: MIT */

/*
 * A game as one line: "sfen" is the position alone; "usi" is the `position` command of the
 * Universal Shogi Interface, of which a reader may leave out the first word, or all but the moves.
 * Neither has a place for headers, comments or times.
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

/* Cuts `length` bytes of the line off as a text for the reader of a position. */
static inline enum status read_setup(const char *ruleset, struct reader *line, size_t length,
	struct text_error *error, struct game_sheet **sheet)
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

static enum status read_sfen_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	struct reader line;
	enum status status = read_only_line(text, length, error, &line);

	if (status != STATUS_OK)
		return status;
	return read_setup(ruleset, &line, line.length - line.at, error, sheet);
}

static void write_sfen_sheet(const struct game_sheet *sheet, struct text *text)
{
	ops->state_write(game_line_state(game_sheet_line(sheet)), text);
	text_add_char(text, '\n');
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

static inline enum status read_usi_start(const char *ruleset, struct reader *line,
	struct text_error *error, struct game_sheet **sheet)
{
	reader_take_whole_word(line, "position");
	if (reader_take_whole_word(line, "sfen")) {
		reader_skip_blanks(line);
		return read_setup(ruleset, line, length_before_moves(line), error, sheet);
	}
	reader_take_whole_word(line, "startpos");
	return game_sheet_create(ops, ruleset, sheet);
}

static inline enum status read_usi_moves(
	struct reader *line, struct text_error *error, struct game_sheet *sheet)
{
	reader_take_whole_word(line, "moves");
	for (;;) {
		const char *word;
		size_t length = reader_word(line, &word);
		struct text_error move_error = {STATUS_OK, 1, 1};
		struct game_action action;
		enum status status;

		if (length == 0)
			return STATUS_OK;
		status = ops->action_read(game_line_state(game_sheet_line(sheet)), word, length,
			&move_error, &action);
		if (status == STATUS_OK)
			status = game_sheet_play(sheet, action);
		if (status != STATUS_OK) {
			*error = (struct text_error){
				status, line->line, (uint32_t)line->at + move_error.column};
			return status;
		}
		line->at += length;
	}
}

static enum status read_usi_sheet(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	struct reader line;
	struct game_sheet *made;
	enum status status = read_only_line(text, length, error, &line);

	if (status != STATUS_OK)
		return status;
	status = read_usi_start(ruleset, &line, error, &made);
	if (status != STATUS_OK)
		return status;
	status = read_usi_moves(&line, error, made);
	if (status != STATUS_OK) {
		game_sheet_destroy(made);
		return status;
	}
	*sheet = made;
	return STATUS_OK;
}

static void write_usi_sheet(const struct game_sheet *sheet, struct text *text)
{
	const struct game_line *line = game_sheet_line(sheet);

	if (game_line_is_from_start(line)) {
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
