/* SPDX-License-Identifier: MIT */

/*
 * "csa": the standard of the Computer Shogi Association, version 2.2, on this board: squares are 11
 * top right to 55 bottom left as Sente sees it, 00 is the hand.
 *
 *      V2.2                    version: any from 1 to 3.0 is read
 *      N+Alice                 players; then $EVENT:, $SITE:, $START_TIME: ... as headers
 *      PI                      the usual start, perhaps without some pieces: PI25KA; or
 *      P1-HI-KA-GI-KI-OU       rows, ` * ` for an empty square, and hands P+00FU00KI
 *      +                       the side to move
 *      +2514KA                 from, to, and the piece after the move
 *      T12                     seconds that it took; T1.5 is read and written as well
 *      '*comment
 *      %TORYO
 *
 * Statements may stand on one line, a comma between; headers and comments take the whole line. A
 * comment belongs to the position reached where it stands, those before the first move to the
 * start. `'text` and `'*text` are read alike and written `'*text`, after the time of the move; the
 * line 'CSA encoding= is read over. One game is read: what follows a `/` is refused.
 *
 * The sheet has one word where there are several here: %JISHOGI, %MAX_MOVES and %HIKIWAKE are a
 * draw; %MATTA, %FUZUMI and %ERROR break the game off. A win of which no more is told has no word
 * of its own here: %KACHI, a declared win, keeps the winner. Where the rules have ended the game
 * themselves, the word must agree with them, or say no more than that it stops.
 *
 * Not said: the move number of a set-up position; a header whose name has a colon or is one that
 * the standard gives to another (csa_headers); the place of the two players among the headers.
 */

/* A reading. It goes through the head twice: for its form, and then for what `sheet` keeps. */
struct csa_reader {
	struct reader whole;
	struct reader line;       /* the current one; what is before `at` is read */
	struct reader statement;  /* the current one, as a part of its line */
	struct game_sheet *sheet; /* NULL: the first time through the head */
	struct position pos;
	struct reader board; /* the first statement on the position; without text: none yet */
	unsigned rows;       /* a bit for each row read */
	bool ended;
};

static const struct {
	const char *header;
	const char *csa;
} csa_headers[] = {
	{game_header_first, "N+"},
	{game_header_second, "N-"},
	{game_header_event, "$EVENT:"},
	{game_header_site, "$SITE:"},
	{game_header_begin, "$START_TIME:"},
	{game_header_end, "$END_TIME:"},
};

enum { CSA_HEADERS = sizeof(csa_headers) / sizeof(csa_headers[0]) };

static inline struct csa_reader csa_reader_of(
	const char *text, size_t length, struct game_sheet *sheet)
{
	struct csa_reader csa = {
		.whole = {text, length, 0, 0},
		.line = reader_of(text, 0),
		.sheet = sheet,
	};

	csa.statement = csa.line;
	position_clear(&csa.pos);
	return csa;
}

/* The next statement that is not blank. At the end of the text the last one stays, all read. */
static inline bool csa_next(struct csa_reader *csa)
{
	for (;;) {
		struct reader *line = &csa->line;
		struct reader statement;

		if (reader_done(line) && !reader_next_line(&csa->whole, line)) {
			csa->statement.at = csa->statement.length;
			return false;
		}
		reader_skip_blanks(line);
		statement = *line;
		if (reader_done(line))
			continue;
		if (!strchr("'$N", reader_peek(line))) {
			const char *begin = line->text + line->at;
			const char *comma = memchr(begin, ',', line->length - line->at);

			if (comma)
				statement.length = (size_t)(comma - line->text);
			line->at = statement.length + (comma != NULL);
			while (statement.length > statement.at &&
				(line->text[statement.length - 1] == ' ' ||
					line->text[statement.length - 1] == '\t'))
				statement.length--;
		} else {
			line->at = line->length;
		}
		csa->statement = statement;
		if (!reader_done(&statement))
			return true;
	}
}

static inline enum status csa_fail(
	const struct csa_reader *csa, enum status status, struct text_error *error)
{
	return reader_fail(&csa->statement, status, error);
}

static inline bool csa_word_is(const struct reader *reader, const char *word)
{
	struct reader rest = *reader;

	return reader_take_word(&rest, word) && reader_done(&rest);
}

static inline enum status csa_read_comment(struct csa_reader *csa, struct text_error *error)
{
	struct reader *comment = &csa->statement;
	enum status status;

	if (!csa->sheet || reader_take_word(comment, "'CSA encoding="))
		return STATUS_OK;
	reader_take(comment, '\'');
	reader_take(comment, '*');
	status = game_sheet_add_comment(
		csa->sheet, comment->text + comment->at, comment->length - comment->at);
	return status == STATUS_OK ? status : csa_fail(csa, status, error);
}

static inline enum status csa_read_version(struct csa_reader *csa, struct text_error *error)
{
	static const char *const versions[] = {"V2.2", "V2.1", "V2", "V1", "V3.0"};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (csa_word_is(&csa->statement, versions[i]))
			return STATUS_OK;
	return csa_fail(csa, STATUS_SHEET_HEADER, error);
}

static inline enum status csa_set_header(
	struct csa_reader *csa, const char *name, size_t name_length, struct text_error *error)
{
	const struct reader *value = &csa->statement;
	enum status status;

	if (!csa->sheet)
		return STATUS_OK;
	status = game_sheet_add_header(
		csa->sheet, name, name_length, value->text + value->at, value->length - value->at);
	return status == STATUS_OK ? status : csa_fail(csa, status, error);
}

static inline enum status csa_read_header(struct csa_reader *csa, struct text_error *error)
{
	struct reader *header = &csa->statement;
	const char *name = header->text + header->at + 1;
	const char *colon;

	for (size_t i = 0; i < CSA_HEADERS; i++)
		if (reader_take_word(header, csa_headers[i].csa))
			return csa_set_header(
				csa, csa_headers[i].header, strlen(csa_headers[i].header), error);
	colon = memchr(name, ':', header->length - header->at - 1);
	if (reader_peek(header) != '$' || !colon || colon == name)
		return csa_fail(csa, STATUS_SHEET_HEADER, error);
	header->at = (size_t)(colon + 1 - header->text);
	return csa_set_header(csa, name, (size_t)(colon - name), error);
}

/* The kind whose name comes next, stepped over; -1: no piece of this game. */
static inline int csa_read_kind(struct reader *reader)
{
	for (int kind = 0; kind < KINDS; kind++)
		if (csa_kinds[kind] && reader_take_word(reader, csa_kinds[kind]))
			return kind;
	return -1;
}

static inline bool kind_promoted(int kind)
{
	return kind > TYPES;
}

static inline int kind_type(int kind)
{
	return kind_promoted(kind) ? kind - TYPES - 1 : kind;
}

/* Two digits; NO_SQUARE for the hand, 00. */
static inline enum status csa_read_square(
	struct reader *reader, enum status not_digits, int *square, struct text_error *error)
{
	const char *digits = reader->text + reader->at;
	int file;
	int rank;

	if (reader->length - reader->at < 2 || digits[0] < '0' || digits[0] > '9' ||
		digits[1] < '0' || digits[1] > '9')
		return reader_fail(reader, not_digits, error);
	file = digits[0] - '0';
	rank = digits[1] - '0';
	if (file == 0 && rank == 0)
		*square = NO_SQUARE;
	else if (file >= 1 && file <= SIDE && rank >= 1 && rank <= SIDE)
		*square = (rank - 1) * SIDE + SIDE - file;
	else
		return reader_fail(reader, STATUS_USI_SQUARE, error);
	reader->at += 2;
	return STATUS_OK;
}

#include "shogi/csa_board.inc.h"

/* The lines before the first move, up to the side to move. */
static inline enum status csa_read_head(struct csa_reader *csa, struct text_error *error)
{
	bool found = false;

	while (csa_next(csa)) {
		struct reader *statement = &csa->statement;
		char first = reader_peek(statement);
		enum status status = STATUS_OK;

		found = true;
		if (first == '\'')
			status = csa_read_comment(csa, error);
		else if (first == 'V')
			status = csa_read_version(csa, error);
		else if (first == 'N' || first == '$')
			status = csa_read_header(csa, error);
		else if (first == 'P')
			status = csa_read_position(csa, error);
		else if (first == '+' || first == '-')
			return csa_read_turn(csa, error);
		else
			status = csa_fail(
				csa, first == '%' ? STATUS_SHEET_TURN : STATUS_SHEET_HEADER, error);
		if (status != STATUS_OK)
			return status;
	}
	return csa_fail(csa, found ? STATUS_SHEET_TURN : STATUS_TEXT_EMPTY, error);
}

/*
 * The move to the square `to` of a piece that is `kind` when it arrives. What is wrong with the
 * square it comes from is left to the rules.
 */
static inline enum status csa_find_move(
	const struct position *pos, int from, int to, int kind, struct move *move)
{
	int before;
	bool own;

	if (from == NO_SQUARE) {
		if (kind_promoted(kind) || kind == KING)
			return STATUS_SHEET_MOVE;
		*move = move_drop(kind, to);
		return STATUS_OK;
	}
	*move = move_make(from, to, false);
	own = (position_occupied(pos) & square_bit(from)) && color_on(pos, from) == pos->turn;
	if (!own)
		return STATUS_OK;
	before = kind_on(pos, from);
	if (kind == before)
		return STATUS_OK;
	if (kind_promoted(before) || kind != kind_of(before, true))
		return STATUS_SHEET_MOVE_PIECE;
	*move = move_make(from, to, true);
	return STATUS_OK;
}

static inline enum status csa_read_move(struct csa_reader *csa, struct text_error *error)
{
	const struct game_line *line = game_sheet_line(csa->sheet);
	struct reader place = csa->statement;
	struct reader *reader = &csa->statement;
	int color = reader_peek(reader) == '-';
	struct move move;
	enum status status;
	int from;
	int to;
	int kind;

	reader->at++;
	status = csa_read_square(reader, STATUS_SHEET_MOVE, &from, error);
	if (status == STATUS_OK)
		status = csa_read_square(reader, STATUS_SHEET_MOVE, &to, error);
	if (status != STATUS_OK)
		return status;
	kind = csa_read_kind(reader);
	if (to == NO_SQUARE || kind < 0 || !reader_done(reader))
		return csa_fail(csa, STATUS_SHEET_MOVE, error);
	if (game_line_summary(line).over || csa->ended)
		return reader_fail(&place, STATUS_GAME_OVER, error);
	if (color != sheet_position(csa->sheet)->turn)
		return reader_fail(&place, STATUS_MOVE_NOT_YOUR_PIECE, error);
	if (from == to)
		return reader_fail(&place, STATUS_MOVE_PATTERN, error);
	status = csa_find_move(sheet_position(csa->sheet), from, to, kind, &move);
	if (status != STATUS_OK)
		return reader_fail(&place, status, error);
	return sheet_play(csa->sheet, move, &place, error);
}

/* Of the last ply. That of a word for the end which is no ply has no place and is read over. */
static inline enum status csa_read_time(struct csa_reader *csa, struct text_error *error)
{
	struct reader place = csa->statement;
	struct reader *reader = &csa->statement;
	const struct game_line *line = game_sheet_line(csa->sheet);
	size_t plies = game_line_plies(line);
	int64_t milliseconds;

	reader->at++;
	if (!read_seconds(reader, &milliseconds) || !reader_done(reader))
		return csa_fail(csa, STATUS_SHEET_TIME, error);
	if (csa->ended && (!plies || game_line_action(line, plies - 1).code != ACTION_RESIGN))
		return STATUS_OK;
	if (!plies)
		return reader_fail(&place, STATUS_SHEET_TIME_ALONE, error);
	game_sheet_set_time(csa->sheet, milliseconds);
	return STATUS_OK;
}

#include "shogi/csa_end.inc.h"

static inline enum status csa_read_moves(struct csa_reader *csa, struct text_error *error)
{
	while (csa_next(csa)) {
		char first = reader_peek(&csa->statement);
		enum status status;

		if (first == '\'')
			status = csa_read_comment(csa, error);
		else if (first == '+' || first == '-')
			status = csa_read_move(csa, error);
		else if (first == 'T')
			status = csa_read_time(csa, error);
		else if (first == '%')
			status = csa_read_end(csa, error);
		else if (first == '$')
			status = csa_read_header(csa, error);
		else if (first == '/')
			return csa_read_separator(csa, error);
		else
			status = csa_fail(csa, STATUS_SHEET_MOVE, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static enum status read_csa(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	struct csa_reader csa = csa_reader_of(text, length, NULL);
	struct game_sheet *made;
	enum status status = csa_read_head(&csa, error);

	if (status != STATUS_OK)
		return status;
	status = sheet_begin(ruleset, &csa.pos, 1, &csa.board, error, &made);
	if (status != STATUS_OK)
		return status;
	csa = csa_reader_of(text, length, made);
	status = csa_read_head(&csa, error);
	if (status == STATUS_OK)
		status = csa_read_moves(&csa, error);
	if (status != STATUS_OK) {
		game_sheet_destroy(made);
		return status;
	}
	*sheet = made;
	return STATUS_OK;
}

#include "shogi/csa_write.inc.h"

static const struct game_format format_csa = {"csa", read_csa, write_csa};
