/* SPDX-License-Identifier: MIT */

/*
 * KIF: one move a line, numbered, with the square it comes from and the time it took,
 *
 *         1 １四角(25)     ( 0:01/00:00:01)
 *         2 同　銀(13)     ( 0:02/00:00:02)
 *         3 ３三歩打       ( 0:01.5/00:00:02.5)
 *
 * the time of the move before that of all moves of its side. Liberties that are read: 不成, which
 * is never written; numbers that go on from a position's own; (00) for a drop; a drop without 打
 * and a move without its square, as in KI2; the + of a move that has variations; no times; times
 * with hours, or without the sum, of which only the form is checked.
 *
 * Not said: a time of more than kif_time_max; a header whose name would be read as something else.
 */

/* Two years or so, within what times can say; whatever took longer is written as this. */
static const int64_t kif_time_max = INT64_C(999999) * 60000 + 59999;

/* The time at the end of a line, -1 where there is none, and the rest of the line. */
static inline enum status read_kif_time(
	struct reader *line, int64_t *milliseconds, struct text_error *error)
{
	struct reader place;
	int64_t sum;

	*milliseconds = -1;
	skip_wide_blanks(line);
	place = *line;
	if (reader_take(line, '(')) {
		reader_skip_blanks(line);
		if (!read_clock(line, milliseconds) || *milliseconds > kif_time_max)
			return reader_fail(&place, STATUS_SHEET_TIME, error);
		reader_skip_blanks(line);
		if (reader_take(line, '/')) {
			reader_skip_blanks(line);
			if (reader_peek(line) != ')' && !read_clock(line, &sum))
				return reader_fail(&place, STATUS_SHEET_TIME, error);
			reader_skip_blanks(line);
		}
		if (!reader_take(line, ')'))
			return reader_fail(&place, STATUS_SHEET_TIME, error);
	}
	skip_wide_blanks(line);
	reader_take(line, '+');
	skip_wide_blanks(line);
	return reader_done(line) ? STATUS_OK : reader_fail(line, STATUS_TEXT_TRAILING, error);
}

/* The number of the line: 1 or the position's own at first, then one more each. */
static inline enum status read_kif_number(
	struct reader *line, struct record *record, struct text_error *error)
{
	struct reader place = *line;
	uint32_t number;

	if (take_digit(line) < 0)
		return reader_fail(&place, STATUS_SHEET_MOVE, error);
	*line = place;
	take_number(line, &number);
	if (record->next_number == 0 && number == record->first_number)
		record->next_number = number;
	else if (record->next_number == 0)
		record->next_number = 1;
	if (number != record->next_number++)
		return reader_fail(&place, STATUS_SHEET_MOVE_NUMBER, error);
	skip_wide_blanks(line);
	return STATUS_OK;
}

/* What stands in parentheses after a move: two numerals. */
static inline bool take_origin(struct reader *line, int *file, int *rank)
{
	struct reader rest = *line;

	skip_wide_blanks(&rest);
	if (!reader_take(&rest, '('))
		return false;
	*file = take_numeral(&rest);
	*rank = *file < 0 ? -1 : take_numeral(&rest);
	if (*rank < 0 || !reader_take(&rest, ')'))
		return false;
	*line = rest;
	return true;
}

/* The piece on the square must be the one that is named, of the side to move. */
static inline enum status check_origin(const struct position *pos, const struct move_words *words,
	int from, const struct reader *place, struct text_error *error)
{
	if (!(position_occupied(pos) & square_bit(from)))
		return reader_fail(place, STATUS_MOVE_EMPTY_SQUARE, error);
	if (color_on(pos, from) != pos->turn)
		return reader_fail(place, STATUS_MOVE_NOT_YOUR_PIECE, error);
	if (kind_on(pos, from) != words->kind)
		return reader_fail(place, STATUS_SHEET_MOVE_PIECE, error);
	return STATUS_OK;
}

static inline enum status read_kif_move(
	struct reader *line, struct record *record, struct text_error *error)
{
	const struct position *pos = sheet_position(record->sheet);
	const struct game_line *game = record_line(record);
	struct reader place = *line;
	struct reader origin;
	struct move_words words;
	struct move move;
	int file;
	int rank;
	enum status status =
		read_target(line, last_square(game, game_line_plies(game)), &words, error);

	if (status != STATUS_OK)
		return status;
	take_manner(line, &words);
	origin = *line;
	if (!take_origin(line, &file, &rank)) {
		status = find_move(pos, &words, &place, error, &move);
	} else if (file == 0 && rank == 0) {
		status = find_drop(&words, &place, error, &move);
	} else if (words.drops) {
		return reader_fail(&origin, STATUS_SHEET_MOVE, error);
	} else if (file < 1 || file > SIDE || rank < 1 || rank > SIDE) {
		return reader_fail(&origin, STATUS_USI_SQUARE, error);
	} else {
		int from = (rank - 1) * SIDE + SIDE - file;

		status = check_origin(pos, &words, from, &origin, error);
		move = move_make(from, words.to, words.promotes);
	}
	return status == STATUS_OK ? sheet_play(record->sheet, move, &place, error) : status;
}

static enum status read_kif_line(
	struct reader *line, struct record *record, struct text_error *error)
{
	enum status status = read_kif_number(line, record, error);
	struct reader place = *line;
	size_t plies = game_line_plies(record_line(record));
	enum game_sheet_end end;
	int64_t time;

	if (status != STATUS_OK)
		return status;
	if (record->ended)
		return reader_fail(&place, STATUS_GAME_OVER, error);
	if (take_end(line, &end))
		status = end_record(record, end, &place, error);
	else if (record_is_over(record))
		status = reader_fail(&place, STATUS_GAME_OVER, error);
	else
		status = read_kif_move(line, record, error);
	if (status != STATUS_OK)
		return status;
	status = read_kif_time(line, &time, error);
	if (status == STATUS_OK && time >= 0 && game_line_plies(record_line(record)) > plies)
		game_sheet_set_time(record->sheet, time);
	return status;
}

static enum status read_kif(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return read_record(ruleset, text, length, read_kif_line, error, sheet);
}

/* Right-aligned in `width` columns. */
static inline void write_aligned(int64_t number, int width, char fill, struct text *text)
{
	int64_t limit = 10;

	for (int digits = 1; digits < width; digits++, limit *= 10)
		if (number < limit)
			text_add_char(text, fill);
	text_add_number(text, number);
}

static inline void write_kif_seconds(int64_t milliseconds, struct text *text)
{
	write_aligned(milliseconds / 1000 % 60, 2, '0', text);
	write_decimals(milliseconds, text);
}

static inline void write_kif_time(int64_t time, int64_t sum, struct text *text)
{
	text_add_char(text, '(');
	write_aligned(time / 60000, 2, ' ', text);
	text_add_char(text, ':');
	write_kif_seconds(time, text);
	text_add_char(text, '/');
	write_aligned(sum / 3600000, 2, '0', text);
	text_add_char(text, ':');
	write_aligned(sum / 60000 % 60, 2, '0', text);
	text_add_char(text, ':');
	write_kif_seconds(sum, text);
	text_add_char(text, ')');
}

/* Columns up to the time: room for ４一角不成(14). Japanese characters are two columns wide. */
enum { KIF_MOVE_WIDTH = 15 };

static inline void write_padding(const char *written, struct text *text)
{
	int width = 0;

	for (; *written; written++) {
		unsigned char byte = (unsigned char)*written;

		width += byte < 0x80 ? 1 : byte >= 0xc0 ? 2 : 0;
	}
	for (; width < KIF_MOVE_WIDTH; width++)
		text_add_char(text, ' ');
}

static inline void write_kif_move(const struct sheet_walk *walk, struct text *text)
{
	struct move move = {(uint16_t)sheet_walk_action(walk).code};

	if (sheet_walk_action(walk).code == ACTION_RESIGN) {
		text_add(text, end_word(GAME_SHEET_OPEN));
		return;
	}
	write_target(walk->line, walk->ply, state_position(&walk->state), move, text);
	if (move_is_drop(move)) {
		text_add(text, "打");
		return;
	}
	if (move_promotes(move))
		text_add(text, "成");
	text_add_char(text, '(');
	text_add_number(text, SIDE - move_from(move) % SIDE);
	text_add_number(text, move_from(move) / SIDE + 1);
	text_add_char(text, ')');
}

enum { KIF_NUMBER_WIDTH = 4, KIF_MOVE_BYTES = 64 };

/* `sum` is what the side that moves has used before this ply. */
static inline void write_kif_ply(const struct game_sheet *sheet, const struct sheet_walk *walk,
	int64_t *sum, struct text *text)
{
	int64_t time = game_sheet_time(sheet, walk->ply);
	char buffer[KIF_MOVE_BYTES];
	struct text move;

	text_init(&move, buffer, sizeof(buffer));
	write_kif_move(walk, &move);
	write_aligned((int64_t)walk->ply + 1, KIF_NUMBER_WIDTH, ' ', text);
	text_add_char(text, ' ');
	text_add(text, buffer);
	if (time >= 0) {
		if (time > kif_time_max)
			time = kif_time_max;
		*sum += time;
		write_padding(buffer, text);
		write_kif_time(time, *sum, text);
	}
	text_add_char(text, '\n');
}

static void write_kif(const struct game_sheet *sheet, struct text *text)
{
	struct sheet_walk walk = sheet_walk_begin(sheet);
	int64_t sums[2] = {0, 0};

	write_start(sheet, text);
	text_add(text, title_line);
	write_comment(sheet, 0, text);
	while (!sheet_walk_done(&walk)) {
		write_kif_ply(sheet, &walk, &sums[walk.ply % 2], text);
		sheet_walk_next(&walk);
		write_comment(sheet, walk.ply, text);
	}
	if (!sheet_ended(sheet))
		return;
	if (written_end(sheet) != GAME_SHEET_OPEN && written_end(sheet) != GAME_SHEET_WIN) {
		write_aligned((int64_t)walk.ply + 1, KIF_NUMBER_WIDTH, ' ', text);
		text_add_char(text, ' ');
		text_add(text, end_word(written_end(sheet)));
		text_add_char(text, '\n');
	}
	write_total(sheet, text);
}

static const struct game_format format_kif = {"kif", read_kif, write_kif};
