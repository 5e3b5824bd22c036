/* SPDX-License-Identifier: MIT */

/*
 * KI2: the moves as people say them, as many on a line as there is room for,
 *
 *      ▲１四角 △４二銀 ▲４一角不成 △５四飛 ▲同　金 △３三歩
 *      まで6手で中断
 *
 * without the square a piece comes from: where several pieces of its name could go there, pinned
 * ones among them, 右左直 and 上寄引 (行 and 入 are read as 上) tell which, and 打 tells a drop
 * from a move. Times have no place. How the record ended stands in its last line alone; a word such
 * as 投了 in the place of a move is read too.
 */
enum { KI2_MOVES_A_LINE = 6 };

/* At most one mark of either sort, in any order. */
static inline void take_marks(struct reader *line, struct move_marks *marks)
{
	for (int i = 0; i < MARK_WORDS; i++) {
		struct move_marks said = mark_words[i].marks;

		if ((said.from != FROM_ANYWHERE && marks->from != FROM_ANYWHERE) ||
			(said.goes != GOES_ANYHOW && marks->goes != GOES_ANYHOW) ||
			!reader_take_word(line, mark_words[i].word))
			continue;
		if (said.from != FROM_ANYWHERE)
			marks->from = said.from;
		else
			marks->goes = said.goes;
		i = -1;
	}
}

static inline enum status read_ki2_move(
	struct reader *line, struct record *record, struct text_error *error)
{
	const struct position *pos = sheet_position(record->sheet);
	const struct game_line *game = record_line(record);
	struct reader place = *line;
	int color = take_mark(line);
	enum game_sheet_end end;
	bool ends;
	struct move_words words;
	struct move move;
	enum status status;

	if (color < 0)
		return reader_fail(&place, STATUS_SHEET_MOVE, error);
	ends = take_end(line, &end);
	if (record->ended || (!ends && record_is_over(record)))
		return reader_fail(&place, STATUS_GAME_OVER, error);
	if (color != pos->turn)
		return reader_fail(&place, STATUS_MOVE_NOT_YOUR_PIECE, error);
	if (ends)
		return end_record(record, end, &place, error);
	status = read_target(line, last_square(game, game_line_plies(game)), &words, error);
	if (status != STATUS_OK)
		return status;
	take_marks(line, &words.marks);
	take_manner(line, &words);
	status = find_move(pos, &words, &place, error, &move);
	return status == STATUS_OK ? sheet_play(record->sheet, move, &place, error) : status;
}

static enum status read_ki2_line(
	struct reader *line, struct record *record, struct text_error *error)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && !reader_done(line)) {
		status = read_ki2_move(line, record, error);
		skip_wide_blanks(line);
	}
	return status;
}

static enum status read_ki2(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	return read_record(ruleset, text, length, read_ki2_line, error, sheet);
}

static inline void write_mark_words(struct move_marks marks, struct text *text)
{
	const char *from = "";
	const char *goes = "";

	for (int i = MARK_WORDS - 1; i >= 0; i--) {
		struct move_marks said = mark_words[i].marks;

		if (said.from != FROM_ANYWHERE && said.from == marks.from)
			from = mark_words[i].word;
		if (said.goes != GOES_ANYHOW && said.goes == marks.goes)
			goes = mark_words[i].word;
	}
	text_add(text, from);
	text_add(text, goes);
}

/* The marks that leave the moving piece alone of all that could go there. */
static inline void write_marks(const struct position *pos, struct move move, struct text *text)
{
	int from = move_from(move);
	struct move_words words = {.to = move_to(move), .kind = kind_on(pos, from)};
	bitboard able = able_pieces(pos, &words);
	int i = 0;

	while (marked_pieces(pos, &words, marks_tried[i], able) != square_bit(from)) {
		i++;
		assert(i < MARKS_TRIED);
	}
	write_mark_words(marks_tried[i], text);
}

/* 打, where a piece on the board could go there too. */
static inline void write_drop_word(const struct position *pos, struct move move, struct text *text)
{
	struct move_words words = {.to = move_to(move), .kind = move_from(move) - SQUARES};

	if (able_pieces(pos, &words))
		text_add(text, "打");
}

static inline void write_ki2_move(const struct sheet_walk *walk, struct text *text)
{
	const struct position *pos = state_position(&walk->state);
	struct move move = {(uint16_t)sheet_walk_action(walk).code};
	bitboard ends = square_bit(move_to(move));

	text_add(text, side_marks[pos->turn].mark);
	write_target(walk->line, walk->ply, pos, move, text);
	if (move_is_drop(move)) {
		write_drop_word(pos, move, text);
		return;
	}
	ends |= square_bit(move_from(move));
	write_marks(pos, move, text);
	if (move_promotes(move))
		text_add(text, "成");
	else if (type_promotes(type_on(pos, move_from(move))) &&
		 !(pos->promoted & square_bit(move_from(move))) &&
		 (ends & promotion_zone(pos->turn)))
		text_add(text, "不成");
}

static void write_ki2(const struct game_sheet *sheet, struct text *text)
{
	struct sheet_walk walk = sheet_walk_begin(sheet);
	int on_line = 0;

	write_start(sheet, text);
	write_comment(sheet, 0, text);
	while (!sheet_walk_done(&walk) && sheet_walk_action(&walk).code != ACTION_RESIGN) {
		if (on_line)
			text_add_char(text, ' ');
		write_ki2_move(&walk, text);
		on_line++;
		sheet_walk_next(&walk);
		if (on_line == KI2_MOVES_A_LINE || sheet_walk_done(&walk) ||
			game_sheet_comment(sheet, walk.ply)) {
			text_add_char(text, '\n');
			on_line = 0;
		}
		write_comment(sheet, walk.ply, text);
	}
	if (on_line)
		text_add_char(text, '\n');
	if (sheet_ended(sheet))
		write_total(sheet, text);
	if (!sheet_walk_done(&walk))
		write_comment(sheet, walk.ply + 1, text);
}

static const struct game_format format_ki2 = {"ki2", read_ki2, write_ki2};
