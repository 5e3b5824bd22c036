/* SPDX-License-Identifier: MIT */

/* The lines of a CSA text that say the position: PI, P1.., P+ and P-, and the side to move. */

/* Puts a piece on the board; `place` is where it stands in the text. */
static inline enum status csa_put(struct csa_reader *csa, const struct reader *place, int color,
	int kind, int square, struct text_error *error)
{
	enum status status;

	if (position_occupied(&csa->pos) & square_bit(square))
		return reader_fail(place, STATUS_SHEET_BOARD, error);
	status = position_place(&csa->pos, color, kind_type(kind), kind_promoted(kind), square);
	return status == STATUS_OK ? status : reader_fail(place, status, error);
}

/* The usual start; then pairs of a square and the piece that is not there. */
static inline enum status csa_read_usual(struct csa_reader *csa, struct text_error *error)
{
	struct reader *reader = &csa->statement;
	struct game_state start = usual_start();
	const struct position *usual = state_position(&start);
	bool removed[SQUARES] = {false};

	while (!reader_done(reader)) {
		struct reader place = *reader;
		int square;
		int kind;
		enum status status = csa_read_square(reader, STATUS_SHEET_BOARD, &square, error);

		if (status != STATUS_OK)
			return status;
		kind = csa_read_kind(reader);
		if (kind < 0 || kind_promoted(kind) || square == NO_SQUARE || removed[square] ||
			!(position_occupied(usual) & square_bit(square)) ||
			type_on(usual, square) != kind)
			return reader_fail(&place, STATUS_SHEET_BOARD, error);
		removed[square] = true;
	}
	for (int square = 0; square < SQUARES; square++)
		if ((position_occupied(usual) & square_bit(square)) && !removed[square])
			position_put(&csa->pos, color_on(usual, square), type_on(usual, square),
				false, square);
	return STATUS_OK;
}

static inline enum status csa_read_row(struct csa_reader *csa, int row, struct text_error *error)
{
	struct reader *reader = &csa->statement;

	for (int column = 0; column < SIDE; column++) {
		struct reader place;
		enum status status;
		int color;
		int kind;

		reader_skip_blanks(reader);
		if (reader_take(reader, '*'))
			continue;
		place = *reader;
		color = reader_take(reader, '-');
		if (!color && !reader_take(reader, '+'))
			return reader_fail(&place, STATUS_SHEET_BOARD, error);
		kind = csa_read_kind(reader);
		if (kind < 0)
			return reader_fail(&place, STATUS_SHEET_BOARD, error);
		status = csa_put(csa, &place, color, kind, row * SIDE + column, error);
		if (status != STATUS_OK)
			return status;
	}
	return reader_done(reader) ? STATUS_OK : csa_fail(csa, STATUS_SHEET_BOARD, error);
}

/* 00AL: what is neither on the board nor in a hand goes to this hand. */
static inline enum status csa_take_rest(
	struct csa_reader *csa, const struct reader *place, int color, struct text_error *error)
{
	struct position *pos = &csa->pos;

	for (int type = 0; type < TYPES; type++) {
		int rest = TYPE_TOTAL - hand_count(pos, 0, type) - hand_count(pos, 1, type);

		for (int square = 0; square < SQUARES; square++)
			rest -= (position_occupied(pos) & square_bit(square)) &&
				type_on(pos, square) == type;
		if (rest < 0)
			return reader_fail(place, STATUS_POSITION_PIECES, error);
		position_set_hand(pos, color, type, hand_count(pos, color, type) + rest);
	}
	return STATUS_OK;
}

static inline enum status csa_take_in_hand(struct csa_reader *csa, const struct reader *place,
	int color, int kind, struct text_error *error)
{
	enum status status;

	if (kind_promoted(kind) || kind == KING)
		return reader_fail(place, STATUS_SHEET_HAND, error);
	status = position_hold(&csa->pos, color, kind, 1);
	return status == STATUS_OK ? status : reader_fail(place, status, error);
}

/* Pairs of a square, or 00 for the hand, and a piece. */
static inline enum status csa_read_pieces(
	struct csa_reader *csa, int color, struct text_error *error)
{
	struct reader *reader = &csa->statement;

	while (!reader_done(reader)) {
		struct reader place = *reader;
		int square;
		int kind;
		enum status status = csa_read_square(reader, STATUS_SHEET_HAND, &square, error);

		if (status != STATUS_OK)
			return status;
		if (square == NO_SQUARE && reader_take_word(reader, "AL")) {
			status = csa_take_rest(csa, &place, color, error);
		} else {
			kind = csa_read_kind(reader);
			if (kind < 0)
				return reader_fail(&place, STATUS_SHEET_HAND, error);
			status = square == NO_SQUARE
					 ? csa_take_in_hand(csa, &place, color, kind, error)
					 : csa_put(csa, &place, color, kind, square, error);
		}
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static inline enum status csa_read_position(struct csa_reader *csa, struct text_error *error)
{
	struct reader *reader = &csa->statement;
	bool first = !csa->board.text;
	char what;

	if (csa->sheet)
		return STATUS_OK;
	if (first)
		csa->board = *reader;
	reader->at++;
	what = reader_peek(reader);
	if (what == 'I' && first) {
		reader->at++;
		csa->rows = (1U << SIDE) - 1;
		return csa_read_usual(csa, error);
	}
	if (what == '+' || what == '-') {
		reader->at++;
		return csa_read_pieces(csa, what == '-', error);
	}
	if (what > '0' + SIDE && what <= '9')
		return csa_fail(csa, STATUS_SHEET_OTHER_GAME, error);
	if (what < '1' || what > '9' || (csa->rows & 1U << (what - '1')))
		return csa_fail(csa, STATUS_SHEET_BOARD, error);
	reader->at++;
	csa->rows |= 1U << (what - '1');
	return csa_read_row(csa, what - '1', error);
}

/* `+` or `-` alone, not the first move, after a board that is there and whole. */
static inline enum status csa_read_turn(struct csa_reader *csa, struct text_error *error)
{
	bool whole = csa->rows == 0 || csa->rows == (1U << SIDE) - 1;

	if (csa->statement.length - csa->statement.at != 1)
		return csa_fail(csa, STATUS_SHEET_TURN, error);
	if (csa->sheet)
		return STATUS_OK;
	if (!csa->board.text)
		return csa_fail(csa, STATUS_SHEET_BOARD_MISSING, error);
	if (!whole)
		return csa_fail(csa, STATUS_SHEET_BOARD, error);
	if (reader_peek(&csa->statement) == '-')
		position_pass_turn(&csa->pos);
	return STATUS_OK;
}
