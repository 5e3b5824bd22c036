/* SPDX-License-Identifier: MIT */

/*
 * SFEN and USI, as the Universal Shogi Interface defines them, less leniency: one blank between
 * fields, no leading zeros. Two liberties that programs take are read: the move number may be left
 * out, and a hand may repeat a letter or not follow the usual order.
 */
#include "base/reader.h"

/* A letter of `type_letters` in either case; -1: none. Capitals are player 0's. */
static inline int read_letter(char c, int *color)
{
	char capital = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;

	*color = capital != c;
	for (int type = 0; type <= TYPES; type++)
		if (type_letters[type] == capital)
			return type;
	return -1;
}

static inline enum status sfen_read_piece(
	struct reader *reader, struct position *pos, int square, struct text_error *error)
{
	struct reader place = *reader;
	bool promoted = reader_take(reader, '+');
	int color;
	int type = read_letter(reader_peek(reader), &color);
	enum status status;

	if (type < 0)
		return reader_fail(
			reader, promoted ? STATUS_SFEN_PROMOTION : STATUS_SFEN_PIECE, error);
	if (promoted && !type_promotes(type))
		return reader_fail(reader, STATUS_SFEN_PROMOTION, error);
	reader->at++;
	status = position_place(pos, color, type, promoted, square);
	return status == STATUS_OK ? status : reader_fail(&place, status, error);
}

/* The rows of the board, as FEN has them too; what follows the last one is the caller's. */
static inline enum status sfen_read_rows(
	struct reader *reader, struct position *pos, struct text_error *error)
{
	for (int row = 0; row < SIDE; row++) {
		int column = 0;

		if (row && !reader_take(reader, '/'))
			return reader_fail(reader,
				reader_peek(reader) == ' ' || !reader_peek(reader)
					? STATUS_SFEN_ROW_COUNT
					: STATUS_SFEN_ROW_WIDTH,
				error);
		while (column < SIDE) {
			char c = reader_peek(reader);

			if (c >= '1' && c <= '0' + SIDE - column) {
				column += c - '0';
				reader->at++;
			} else if ((c >= '0' && c <= '9') || c == '/' || c == ' ' || !c) {
				return reader_fail(reader, STATUS_SFEN_ROW_WIDTH, error);
			} else {
				enum status status =
					sfen_read_piece(reader, pos, row * SIDE + column++, error);

				if (status != STATUS_OK)
					return status;
			}
		}
	}
	return STATUS_OK;
}

static inline enum status sfen_read_board(
	struct reader *reader, struct position *pos, struct text_error *error)
{
	enum status status = sfen_read_rows(reader, pos, error);

	if (status != STATUS_OK)
		return status;
	if (reader_peek(reader) == '/')
		return reader_fail(reader, STATUS_SFEN_ROW_COUNT, error);
	if (!reader_take(reader, ' '))
		return reader_fail(reader,
			reader->at < reader->length ? STATUS_SFEN_ROW_WIDTH : STATUS_SFEN_TURN,
			error);
	return STATUS_OK;
}

static inline enum status sfen_read_hands(
	struct reader *reader, struct position *pos, struct text_error *error)
{
	if (reader_take(reader, '-'))
		return STATUS_OK;
	do {
		uint32_t count = 1;
		enum status status;
		int color;
		int type;

		if (reader_peek(reader) >= '2' && reader_peek(reader) <= '9')
			count = (uint32_t)(reader->text[reader->at++] - '0');
		type = read_letter(reader_peek(reader), &color);
		if (type < 0 || type == KING)
			return reader_fail(reader, STATUS_SFEN_HAND, error);
		status = position_hold(pos, color, type, count);
		if (status != STATUS_OK)
			return reader_fail(reader, status, error);
		reader->at++;
	} while (reader->at < reader->length && reader_peek(reader) != ' ');
	return STATUS_OK;
}

enum { SFEN_NUMBER_MAX = 99999 };

static inline enum status sfen_read_number(
	struct reader *reader, uint32_t *number, struct text_error *error)
{
	uint32_t value = 0;

	if (reader_peek(reader) == '0')
		return reader_fail(reader, STATUS_SFEN_NUMBER, error);
	do {
		char c = reader_peek(reader);

		if (c < '0' || c > '9')
			return reader_fail(reader, STATUS_SFEN_NUMBER, error);
		value = value * 10 + (uint32_t)(c - '0');
		if (value > SFEN_NUMBER_MAX)
			return reader_fail(reader, STATUS_SFEN_NUMBER, error);
		reader->at++;
	} while (reader->at < reader->length);
	*number = value;
	return STATUS_OK;
}

/* `pos` and `number` are meaningful on STATUS_OK only. */
static inline enum status sfen_read(const char *text, size_t length, struct text_error *error,
	struct position *pos, uint32_t *number)
{
	struct reader reader = reader_of(text, length);
	enum status status;

	position_clear(pos);
	*number = 1;
	if (length == 0)
		return reader_fail(&reader, STATUS_TEXT_EMPTY, error);
	status = sfen_read_board(&reader, pos, error);
	if (status != STATUS_OK)
		return status;
	if (reader_take(&reader, 'w'))
		position_pass_turn(pos);
	else if (!reader_take(&reader, 'b'))
		return reader_fail(&reader, STATUS_SFEN_TURN, error);
	if (!reader_take(&reader, ' '))
		return reader_fail(
			&reader, reader.at < length ? STATUS_SFEN_TURN : STATUS_SFEN_HAND, error);
	status = sfen_read_hands(&reader, pos, error);
	if (status != STATUS_OK)
		return status;
	if (reader.at < length) {
		if (!reader_take(&reader, ' '))
			return reader_fail(&reader, STATUS_SFEN_HAND, error);
		status = sfen_read_number(&reader, number, error);
		if (status != STATUS_OK)
			return status;
	}
	status = position_is_valid(pos);
	if (status != STATUS_OK) {
		reader.at = 0;
		return reader_fail(&reader, status, error);
	}
	return STATUS_OK;
}

static inline char piece_letter(int color, int type)
{
	return (char)(type_letters[type] + (color ? 'a' - 'A' : 0));
}

static inline void sfen_write_board(const struct position *pos, struct text *text)
{
	int empty = 0;

	for (int square = 0; square < SQUARES; square++) {
		bool row_ends = square % SIDE == SIDE - 1;

		if (position_occupied(pos) & square_bit(square)) {
			if (empty)
				text_add_number(text, empty);
			empty = 0;
			if (pos->promoted & square_bit(square))
				text_add_char(text, '+');
			text_add_char(
				text, piece_letter(color_on(pos, square), type_on(pos, square)));
		} else {
			empty++;
		}
		if (!row_ends)
			continue;
		if (empty)
			text_add_number(text, empty);
		empty = 0;
		if (square != SQUARES - 1)
			text_add_char(text, '/');
	}
}

/* Board, side to move and hands: what tells positions apart. */
static inline void sfen_write_position(const struct position *pos, struct text *text)
{
	sfen_write_board(pos, text);
	text_add(text, pos->turn == 0 ? " b " : " w ");
	if (!pos->hand[0] && !pos->hand[1])
		text_add_char(text, '-');
	for (int color = 0; color < 2; color++) {
		for (int type = 0; type < TYPES; type++) {
			int count = hand_count(pos, color, type);

			if (count > 1)
				text_add_number(text, count);
			if (count)
				text_add_char(text, piece_letter(color, type));
		}
	}
}

/* The number stops at the greatest that is read back: it tells nobody anything there. */
static inline void sfen_write(const struct position *pos, uint32_t number, struct text *text)
{
	sfen_write_position(pos, text);
	text_add_char(text, ' ');
	text_add_number(text, number < SFEN_NUMBER_MAX ? number : SFEN_NUMBER_MAX);
}

static inline void usi_write_square(int square, struct text *text)
{
	text_add_char(text, (char)('0' + SIDE - square % SIDE));
	text_add_char(text, (char)('a' + square / SIDE));
}

static inline void usi_write(struct move move, struct text *text)
{
	if (move_is_drop(move)) {
		text_add_char(text, type_letters[move_from(move) - SQUARES]);
		text_add_char(text, '*');
	} else {
		usi_write_square(move_from(move), text);
	}
	usi_write_square(move_to(move), text);
	if (move_promotes(move))
		text_add_char(text, '+');
}

static inline enum status usi_read_square(
	struct reader *reader, int *square, struct text_error *error)
{
	char file = reader_peek(reader);
	char rank;

	if (file < '0' || file > '9')
		return reader_fail(reader, STATUS_USI_SYNTAX, error);
	if (file < '1' || file > '0' + SIDE)
		return reader_fail(reader, STATUS_USI_SQUARE, error);
	reader->at++;
	rank = reader_peek(reader);
	if (rank < 'a' || rank > 'z')
		return reader_fail(reader, STATUS_USI_SYNTAX, error);
	if (rank >= 'a' + SIDE)
		return reader_fail(reader, STATUS_USI_SQUARE, error);
	reader->at++;
	*square = (rank - 'a') * SIDE + SIDE - (file - '0');
	return STATUS_OK;
}

/* The form of a move; whether it is legal is another question. */
static inline enum status usi_read(
	const char *text, size_t length, struct text_error *error, struct move *move)
{
	struct reader reader = reader_of(text, length);
	enum status status;
	int from;
	int to;
	bool promote = false;

	if (length == 0)
		return reader_fail(&reader, STATUS_TEXT_EMPTY, error);
	if (length >= 2 && text[1] == '*') {
		int color;
		int type = read_letter(text[0], &color);

		if (type < 0 || type == KING || color != 0)
			return reader_fail(&reader, STATUS_USI_PIECE, error);
		reader.at = 2;
		from = SQUARES + type;
	} else {
		status = usi_read_square(&reader, &from, error);
		if (status != STATUS_OK)
			return status;
	}
	status = usi_read_square(&reader, &to, error);
	if (status != STATUS_OK)
		return status;
	if (from < SQUARES)
		promote = reader_take(&reader, '+');
	if (reader.at != length)
		return reader_fail(&reader, STATUS_TEXT_TRAILING, error);
	if (from == to)
		return reader_fail(&reader, STATUS_MOVE_PATTERN, error);
	*move = move_make(from, to, promote);
	return STATUS_OK;
}
