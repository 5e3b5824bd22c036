/* SPDX-License-Identifier: MIT */

/*
 * The moves of a Japanese record in words, and the frame around them: which piece is meant, how the
 * record ended, and the walk over its lines. KIF and KI2 differ in the line of moves alone.
 *
 * Variations are not kept: from 変化 on, which follows the main line, a text is read over and
 * checked for nothing.
 * A bookmark, a line that & begins, is kept as a comment, its & in front.
 */

/* What 右左直 and 上寄引 say of the piece that moves, as its player sees the board. */
struct move_marks {
	enum { FROM_ANYWHERE, FROM_RIGHT, FROM_LEFT, FROM_STRAIGHT_BEHIND } from;
	enum { GOES_ANYHOW, GOES_FORWARD, GOES_ACROSS, GOES_BACK } goes;
};

/* The first word for each is written. */
static const struct {
	const char *word;
	struct move_marks marks;
} mark_words[] = {
	{"右", {FROM_RIGHT, GOES_ANYHOW}},
	{"左", {FROM_LEFT, GOES_ANYHOW}},
	{"直", {FROM_STRAIGHT_BEHIND, GOES_ANYHOW}},
	{"上", {FROM_ANYWHERE, GOES_FORWARD}},
	{"寄", {FROM_ANYWHERE, GOES_ACROSS}},
	{"引", {FROM_ANYWHERE, GOES_BACK}},
	{"行", {FROM_ANYWHERE, GOES_FORWARD}},
	{"入", {FROM_ANYWHERE, GOES_FORWARD}},
};

/* What a writer tries in turn until one piece is left: the direction before the side, both last. */
static const struct move_marks marks_tried[] = {
	{FROM_ANYWHERE, GOES_ANYHOW},
	{FROM_ANYWHERE, GOES_FORWARD},
	{FROM_ANYWHERE, GOES_ACROSS},
	{FROM_ANYWHERE, GOES_BACK},
	{FROM_STRAIGHT_BEHIND, GOES_ANYHOW},
	{FROM_RIGHT, GOES_ANYHOW},
	{FROM_LEFT, GOES_ANYHOW},
	{FROM_RIGHT, GOES_FORWARD},
	{FROM_LEFT, GOES_FORWARD},
	{FROM_RIGHT, GOES_ACROSS},
	{FROM_LEFT, GOES_ACROSS},
	{FROM_RIGHT, GOES_BACK},
	{FROM_LEFT, GOES_BACK},
};

enum {
	MARK_WORDS = sizeof(mark_words) / sizeof(mark_words[0]),
	MARKS_TRIED = sizeof(marks_tried) / sizeof(marks_tried[0]),
};

/* A move in words. */
struct move_words {
	int to;
	int kind; /* of the piece before the move */
	struct move_marks marks;
	bool promotes;
	bool drops;
};

/* Where the last move went; NO_SQUARE: none was made. */
static inline int last_square(const struct game_line *line, size_t plies)
{
	if (plies == 0)
		return NO_SQUARE;
	return move_to((struct move){(uint16_t)game_line_action(line, plies - 1).code});
}

/* The square, or 同 for that of the move before, and the piece. */
static inline enum status read_target(
	struct reader *line, int last, struct move_words *words, struct text_error *error)
{
	struct reader place = *line;

	*words = (struct move_words){.to = last};
	if (reader_take_word(line, "同")) {
		if (last == NO_SQUARE)
			return reader_fail(&place, STATUS_SHEET_MOVE, error);
	} else {
		enum status status = read_square(line, &words->to, error);

		if (status != STATUS_OK)
			return status;
	}
	skip_wide_blanks(line);
	words->kind = take_piece(line);
	return words->kind >= 0 ? STATUS_OK : reader_fail(line, STATUS_SHEET_MOVE, error);
}

static inline void take_manner(struct reader *line, struct move_words *words)
{
	if (reader_take_word(line, "不成") || reader_take_word(line, "成らず"))
		return;
	words->promotes = reader_take_word(line, "成");
	if (!words->promotes)
		words->drops = reader_take_word(line, "打");
}

static inline void write_target(const struct game_line *line, size_t ply,
	const struct position *pos, struct move move, struct text *text)
{
	int from = move_from(move);

	if (move_to(move) == last_square(line, ply)) {
		text_add(text, "同");
		text_add(text, ideographic_space);
	} else {
		write_square(move_to(move), text);
	}
	text_add(text,
		japanese_pieces[move_is_drop(move) ? from - SQUARES : kind_on(pos, from)].move);
}

/* The square as the player of `color` sees the board, his own side nearest to him. */
static inline int seen_square(int color, int square)
{
	return color == 0 ? square : SQUARES - 1 - square;
}

/* Whether `from` is the rightmost (or leftmost) of all `able`. */
static inline bool is_outermost(int color, bitboard able, int from, bool right)
{
	int column = seen_square(color, from) % SIDE;

	for (int square = 0; square < SQUARES; square++) {
		int other = seen_square(color, square) % SIDE;

		if (square != from && (able & square_bit(square)) &&
			(right ? other >= column : other <= column))
			return false;
	}
	return true;
}

/*
 * Whether the marks are true of the piece on `from`, one of `able`, all of its name that could go
 * to `to`. Right and left are those of the square it goes to; but rooks and bishops, promoted or
 * not, of which there are two at most, compare with each other, and never stand straight behind.
 */
static inline bool marks_fit(const struct position *pos, const struct move_words *words,
	struct move_marks marks, bitboard able, int from)
{
	int color = pos->turn;
	int origin = seen_square(color, from);
	int target = seen_square(color, words->to);
	int across = origin % SIDE - target % SIDE;
	int ahead = origin / SIDE - target / SIDE;
	int type = words->kind % (TYPES + 1);
	bool long_range = type == ROOK || type == BISHOP;

	if (marks.goes != GOES_ANYHOW && marks.goes != (ahead > 0          ? GOES_FORWARD
							       : ahead < 0 ? GOES_BACK
									   : GOES_ACROSS))
		return false;
	switch (marks.from) {
	case FROM_STRAIGHT_BEHIND:
		return !long_range && across == 0 && ahead == 1;
	case FROM_RIGHT:
		return long_range ? is_outermost(color, able, from, true) : across > 0;
	case FROM_LEFT:
		return long_range ? is_outermost(color, able, from, false) : across < 0;
	default:
		return true;
	}
}

/* The pieces of that name that could go there by the way they move: pinned ones too. */
static inline bitboard able_pieces(const struct position *pos, const struct move_words *words)
{
	bitboard occupied = position_occupied(pos);
	bitboard able = 0;

	for (int square = 0; square < SQUARES; square++) {
		bitboard bit = square_bit(square);

		if ((occupied & bit) && color_on(pos, square) == pos->turn &&
			kind_on(pos, square) == words->kind &&
			(piece_attacks(pos, square, occupied) & square_bit(words->to)))
			able |= bit;
	}
	return able;
}

static inline bitboard marked_pieces(const struct position *pos, const struct move_words *words,
	struct move_marks marks, bitboard able)
{
	bitboard fit = 0;

	for (int square = 0; square < SQUARES; square++)
		if ((able & square_bit(square)) && marks_fit(pos, words, marks, able, square))
			fit |= square_bit(square);
	return fit;
}

static inline bitboard legal_pieces(
	const struct position *pos, const struct move_words *words, bitboard able)
{
	bitboard legal = 0;

	for (int square = 0; square < SQUARES; square++)
		if ((able & square_bit(square)) &&
			move_refusal(pos, move_make(square, words->to, words->promotes)) ==
				STATUS_OK)
			legal |= square_bit(square);
	return legal;
}

/* Only kinds below TYPES can be in hand: no king, nothing promoted. */
static inline enum status find_drop(const struct move_words *words, const struct reader *place,
	struct text_error *error, struct move *move)
{
	if (words->kind >= TYPES)
		return reader_fail(place, STATUS_DROP_NOT_IN_HAND, error);
	if (words->promotes)
		return reader_fail(place, STATUS_MOVE_CANNOT_PROMOTE, error);
	*move = move_drop(words->kind, words->to);
	return STATUS_OK;
}

static inline bool has_marks(const struct move_words *words)
{
	return words->marks.from != FROM_ANYWHERE || words->marks.goes != GOES_ANYHOW;
}

/*
 * The move that the words mean. A drop is one without 打 too where no piece on the board could go
 * there. Where the marks leave several pieces, those that may go there by the rules count.
 */
static inline enum status find_move(const struct position *pos, const struct move_words *words,
	const struct reader *place, struct text_error *error, struct move *move)
{
	bitboard able = able_pieces(pos, words);
	bitboard left = marked_pieces(pos, words, words->marks, able);

	if (words->drops || (!able && !has_marks(words) && words->kind < TYPES &&
				    hand_count(pos, pos->turn, words->kind)))
		return find_drop(words, place, error, move);
	if (count_squares(left) > 1)
		left = legal_pieces(pos, words, left);
	if (count_squares(left) != 1)
		return reader_fail(
			place, left ? STATUS_SHEET_MOVE_AMBIGUOUS : STATUS_SHEET_MOVE_NONE, error);
	*move = move_make(first_square(left), words->to, words->promotes);
	return STATUS_OK;
}

/* A record while it is read. */
struct record {
	struct game_sheet *sheet;
	uint32_t first_number; /* of the first move, where the start has a number of its own */
	uint32_t next_number;  /* KIF's, of the next line; 0: none was read yet */
	bool ended;            /* a line said how it ended */
};

static inline const struct game_line *record_line(const struct record *record)
{
	return game_sheet_line(record->sheet);
}

/* Nothing can be played any more, by the rules or by what the record says. */
static inline bool record_is_over(const struct record *record)
{
	return record->ended || game_line_summary(record_line(record)).over;
}

/* Ends the record as it says; where it has ended already, the two must agree. */
static inline enum status end_record(struct record *record, enum game_sheet_end end,
	const struct reader *place, struct text_error *error)
{
	struct game_summary summary = game_line_summary(record_line(record));
	enum game_sheet_end known = game_sheet_end(record->sheet);

	if (summary.over || known != GAME_SHEET_OPEN) {
		bool agrees = summary.over ? end_agrees(&summary, end)
					   : end_outcome(end) == end_outcome(known);

		record->ended = true;
		return agrees ? STATUS_OK : reader_fail(place, STATUS_SHEET_END, error);
	}
	record->ended = true;
	if (end == GAME_SHEET_OPEN)
		return sheet_play(
			record->sheet, (struct move){(uint16_t)ACTION_RESIGN}, place, error);
	game_sheet_set_end(record->sheet, end);
	return STATUS_OK;
}

/* The same end, said of the side that does not move; false: nothing of that sort is known. */
static inline bool turn_end(enum game_sheet_end *end)
{
	if (*end == GAME_SHEET_ILLEGAL_MOVE)
		*end = GAME_SHEET_ILLEGAL_BEFORE;
	else if (*end == GAME_SHEET_ILLEGAL_BEFORE)
		*end = GAME_SHEET_ILLEGAL_MOVE;
	else
		return false;
	return true;
}

/*
 * How it ended, as the last line of a record says it after the number of moves. The other side's
 * 勝ち without a reason is a resignation. That the other side ran out of time, after its move, has
 * no end of its own.
 */
static inline enum status take_total_end(struct reader *line, int turn, enum game_sheet_end *end)
{
	bool time_up = reader_take_word(line, "時間切れにより");
	int color = take_side(line);

	if (color >= 0 && !reader_take_word(line, "の"))
		return STATUS_SHEET_END_WORD;
	if (color >= 0 && reader_take_word(line, "勝ち")) {
		*end = color == turn ? GAME_SHEET_WIN
		       : time_up     ? GAME_SHEET_TIME_UP
				     : GAME_SHEET_OPEN;
		return STATUS_OK;
	}
	if (time_up || !take_end(line, end))
		return STATUS_SHEET_END_WORD;
	return color < 0 || color == turn || turn_end(end) ? STATUS_OK : STATUS_SHEET_END;
}

/* まで7手で後手の勝ち. The count is of this record's moves, or goes on from before its start. */
static inline enum status read_total(
	struct reader *line, struct record *record, struct text_error *error)
{
	struct game_summary summary = game_line_summary(record_line(record));
	struct reader place;
	uint32_t number;
	enum game_sheet_end end;
	enum status status;

	reader_take_word(line, total_word);
	skip_wide_blanks(line);
	place = *line;
	if (take_number(line, &number)) {
		if (!reader_take_word(line, "手"))
			return reader_fail(line, STATUS_SHEET_END_WORD, error);
		if (number != summary.moves && number != summary.moves + record->first_number - 1)
			return reader_fail(&place, STATUS_SHEET_DISAGREES, error);
	}
	reader_take_word(line, "で");
	skip_wide_blanks(line);
	place = *line;
	status = take_total_end(line, summary.player, &end);
	if (status != STATUS_OK)
		return reader_fail(&place, status, error);
	skip_wide_blanks(line);
	if (!reader_done(line))
		return reader_fail(line, STATUS_TEXT_TRAILING, error);
	return end_record(record, end, &place, error);
}

/* Reads one line of moves, its blanks in front stepped over. */
typedef enum status read_moves_line(
	struct reader *line, struct record *record, struct text_error *error);

static inline enum status read_record_lines(struct reader *whole, struct record *record,
	read_moves_line *read_moves, struct text_error *error)
{
	struct reader line;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && reader_next_line(whole, &line)) {
		switch (take_line_kind(&line)) {
		case LINE_EMPTY:
			break;
		case LINE_COMMENT:
			status = read_comment(&line, record->sheet, error);
			break;
		case LINE_MOVES:
			status = read_moves(&line, record, error);
			break;
		case LINE_TOTAL:
			status = read_total(&line, record, error);
			break;
		case LINE_VARIATION:
			return STATUS_OK;
		default:
			status = reader_fail(&line, STATUS_SHEET_MOVE, error);
		}
	}
	return status;
}

static inline enum status read_record(const char *ruleset, const char *text, size_t length,
	read_moves_line *read_moves, struct text_error *error, struct game_sheet **sheet)
{
	struct reader whole = {text, length, 0, 0};
	struct start start;
	struct record record = {0};
	enum status status = read_start(&whole, &start, error);

	if (status != STATUS_OK)
		return status;
	status = make_sheet(ruleset, &start, error, &record.sheet);
	if (status != STATUS_OK)
		return status;
	record.first_number = start.number;
	status = read_start_notes(&whole, record.sheet, error);
	if (status != STATUS_OK)
		goto fail;
	status = read_record_lines(&whole, &record, read_moves, error);
	if (status != STATUS_OK)
		goto fail;
	*sheet = record.sheet;
	return STATUS_OK;
fail:
	game_sheet_destroy(record.sheet);
	return status;
}

/* The last line of a record that ended. */
static inline void write_total(const struct game_sheet *sheet, struct text *text)
{
	struct game_summary summary = game_line_summary(game_sheet_line(sheet));
	enum game_sheet_end end = written_end(sheet);
	bool timed = end == GAME_SHEET_TIME_UP;

	text_add(text, total_word);
	text_add_number(text, summary.moves);
	text_add(text, "手で");
	if (end == GAME_SHEET_OPEN || end == GAME_SHEET_WIN || timed) {
		text_add(text, timed ? "時間切れにより" : "");
		text_add(text,
			side_names[end == GAME_SHEET_WIN ? summary.player : !summary.player].name);
		text_add(text, "の勝ち\n");
		return;
	}
	if (end == GAME_SHEET_ILLEGAL_MOVE || end == GAME_SHEET_ILLEGAL_BEFORE ||
		end == GAME_SHEET_DECLARED_WIN) {
		text_add(text, side_names[summary.player].name);
		text_add(text, "の");
	}
	text_add(text, end_word(end));
	text_add_char(text, '\n');
}
