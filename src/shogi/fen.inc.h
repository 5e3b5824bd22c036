/* SPDX-License-Identifier: MIT */

/*
 * Positions and moves as the chess programs that also play shogi spell them: FEN with the hands in
 * brackets, and UCI. White is Sente: capital letters, and `w` is Sente to move.
 *
 *      rbsgk/4p/5/P4/KGSBR[] w - - 0 1         hands as letters, each as often as it is held: [PPr]
 *      a2a3  a4a5+  P@c3                       files a.. from the left, ranks 1.. from the bottom
 *
 * Two dashes and the count of plies since a capture say nothing here and are read over. They may be
 * left out, as may empty hands and the number of the full move; [-] is also an empty hand.
 *
 * The full move F is SFEN's number 2F-1 when Sente is to move, 2F when Gote is. An SFEN number that
 * does not go with the side to move cannot be said.
 */
enum { FEN_NUMBER_MAX = (SFEN_NUMBER_MAX - 1) / 2, FEN_HALFMOVE_MAX = 99999 };

static inline enum status fen_read_board(
	struct reader *reader, struct position *pos, struct text_error *error)
{
	struct reader board = *reader;
	enum status status;

	while (!reader_done(reader) && !strchr(" \t[", reader_peek(reader)))
		reader->at++;
	board.length = reader->at;
	status = sfen_read_rows(&board, pos, error);
	if (status != STATUS_OK || reader_done(&board))
		return status;
	return reader_fail(&board,
		reader_peek(&board) == '/' ? STATUS_SFEN_ROW_COUNT : STATUS_SFEN_ROW_WIDTH, error);
}

static inline enum status fen_read_hands(
	struct reader *reader, struct position *pos, struct text_error *error)
{
	if (!reader_take(reader, '['))
		return STATUS_OK;
	if (reader_take_word(reader, "-]"))
		return STATUS_OK;
	while (!reader_take(reader, ']')) {
		int color;
		int type = read_letter(reader_peek(reader), &color);
		enum status status;

		if (type < 0 || type == KING)
			return reader_fail(reader, STATUS_SHEET_HAND, error);
		status = position_hold(pos, color, type, 1);
		if (status != STATUS_OK)
			return reader_fail(reader, status, error);
		reader->at++;
	}
	return STATUS_OK;
}

/* A whole number as the next word of the line. */
static inline enum status fen_read_number(struct reader *reader, uint32_t lowest, uint32_t highest,
	struct text_error *error, uint32_t *number)
{
	const char *word;
	size_t length = reader_word(reader, &word);
	uint32_t value = 0;

	for (size_t i = 0; i < length; i++) {
		if (word[i] < '0' || word[i] > '9' || value > highest)
			return reader_fail(reader, STATUS_SHEET_FULL_MOVE, error);
		value = value * 10 + (uint32_t)(word[i] - '0');
	}
	if (value < lowest || value > highest)
		return reader_fail(reader, STATUS_SHEET_FULL_MOVE, error);
	reader->at += length;
	*number = value;
	return STATUS_OK;
}

/* What may follow the side to move: dashes, the count since a capture, the full move. */
static inline enum status fen_read_counts(
	struct reader *reader, uint32_t *full_move, struct text_error *error)
{
	const char *word;
	uint32_t since_capture;
	enum status status = STATUS_OK;

	*full_move = 1;
	/* A number behind one dash is how SFEN has it, in which `b` is the other side. */
	if (reader_take_whole_word(reader, "-") && !reader_take_whole_word(reader, "-") &&
		reader_word(reader, &word) > 0)
		return reader_fail(reader, STATUS_SHEET_FULL_MOVE, error);
	if (reader_word(reader, &word) > 0)
		status = fen_read_number(reader, 0, FEN_HALFMOVE_MAX, error, &since_capture);
	if (status == STATUS_OK && reader_word(reader, &word) > 0)
		status = fen_read_number(reader, 1, FEN_NUMBER_MAX, error, full_move);
	if (status == STATUS_OK && reader_word(reader, &word) > 0)
		return reader_fail(reader, STATUS_TEXT_TRAILING, error);
	return status;
}

/*
 * Reads all of `reader`, which has no blanks at its end. `pos` and `number` are meaningful on
 * STATUS_OK only; whether the position can be is another question.
 */
static inline enum status fen_read(
	struct reader *reader, struct text_error *error, struct position *pos, uint32_t *number)
{
	enum status status;
	uint32_t full_move;

	position_clear(pos);
	if (reader_done(reader))
		return reader_fail(reader, STATUS_TEXT_EMPTY, error);
	status = fen_read_board(reader, pos, error);
	if (status == STATUS_OK)
		status = fen_read_hands(reader, pos, error);
	if (status != STATUS_OK)
		return status;
	if (!reader_done(reader) && reader_peek(reader) != ' ' && reader_peek(reader) != '\t')
		return reader_fail(reader, STATUS_SHEET_HAND, error);
	reader_skip_blanks(reader);
	if (reader_take_whole_word(reader, "b"))
		position_pass_turn(pos);
	else if (!reader_take_whole_word(reader, "w"))
		return reader_fail(reader, STATUS_SFEN_TURN, error);
	status = fen_read_counts(reader, &full_move, error);
	*number = 2 * full_move - (pos->turn == 0);
	return status;
}

static inline uint32_t full_move_of(const struct game_state *state)
{
	uint32_t full_move = (state_number(state) + 1) / 2;

	return full_move < FEN_NUMBER_MAX ? full_move : FEN_NUMBER_MAX;
}

static inline void fen_write(const struct game_state *state, struct text *text)
{
	const struct position *pos = state_position(state);

	sfen_write_board(pos, text);
	text_add_char(text, '[');
	for (int color = 0; color < 2; color++)
		for (int type = 0; type < TYPES; type++)
			for (int i = 0; i < hand_count(pos, color, type); i++)
				text_add_char(text, piece_letter(color, type));
	text_add(text, pos->turn == 0 ? "] w - - 0 " : "] b - - 0 ");
	text_add_number(text, full_move_of(state));
}

/* Whether the sheet begins as all programs know the game: then its FEN need not be told. */
static inline bool fen_is_usual(const struct game_state *start)
{
	char texts[2][GAME_SETUP_TEXT];
	struct game_state usual = usual_start();
	struct text text;

	text_init(&text, texts[0], sizeof(texts[0]));
	fen_write(start, &text);
	text_init(&text, texts[1], sizeof(texts[1]));
	fen_write(&usual, &text);
	return strcmp(texts[0], texts[1]) == 0;
}

static inline void uci_write_square(int square, struct text *text)
{
	text_add_char(text, (char)('a' + square % SIDE));
	text_add_char(text, (char)('0' + SIDE - square / SIDE));
}

static inline void uci_write(struct move move, struct text *text)
{
	if (move_is_drop(move)) {
		text_add_char(text, type_letters[move_from(move) - SQUARES]);
		text_add_char(text, '@');
	} else {
		uci_write_square(move_from(move), text);
	}
	uci_write_square(move_to(move), text);
	if (move_promotes(move))
		text_add_char(text, '+');
}

static inline enum status uci_read_square(
	struct reader *reader, int *square, struct text_error *error)
{
	const char *name = reader->text + reader->at;
	int column;
	int row;

	if (reader->length - reader->at < 2 || name[0] < 'a' || name[0] > 'z' || name[1] < '0' ||
		name[1] > '9')
		return reader_fail(reader, STATUS_SHEET_MOVE, error);
	column = name[0] - 'a';
	row = SIDE - (name[1] - '0');
	if (column >= SIDE || row < 0 || row >= SIDE)
		return reader_fail(reader, STATUS_USI_SQUARE, error);
	reader->at += 2;
	*square = row * SIDE + column;
	return STATUS_OK;
}

/* The form of a move at the front of `reader`; whether it is legal is another question. */
static inline enum status uci_read(
	struct reader *reader, struct text_error *error, struct move *move)
{
	enum status status;
	int from;
	int to;

	if (reader->length - reader->at >= 2 && reader->text[reader->at + 1] == '@') {
		int color;
		int type = read_letter(reader_peek(reader), &color);

		if (type < 0 || type == KING || color != 0)
			return reader_fail(reader, STATUS_USI_PIECE, error);
		reader->at += 2;
		from = SQUARES + type;
	} else {
		status = uci_read_square(reader, &from, error);
		if (status != STATUS_OK)
			return status;
	}
	status = uci_read_square(reader, &to, error);
	if (status != STATUS_OK)
		return status;
	if (from == to)
		return reader_fail(reader, STATUS_MOVE_PATTERN, error);
	*move = move_make(from, to, from < SQUARES && reader_take(reader, '+'));
	return STATUS_OK;
}
