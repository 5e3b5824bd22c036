/* SPDX-License-Identifier: MIT */

/*
 * What stands before the moves of a Japanese record: the name of the game, headers, comments, and
 * where the game begins elsewhere, its position as
 *
 *      後手の持駒：なし
 *        ５ ４ ３ ２ １
 *      +---------------+
 *      | ・ ・ ・ ・v玉|一
 *      | ・v飛 ・ ・ ・|二
 *      | ・ ・ 竜 ・ ・|三
 *      | ・ ・ ・ ・ ・|四
 *      | 玉 ・ ・ ・ ・|五
 *      +---------------+
 *      先手の持駒：金　歩二
 *      後手番
 *      手数＝8  まで
 *
 * 手数 counts the moves made before. The order of these lines is free, blanks between squares may
 * lack, and who moves and the number may be left out; 手番：後手 says who moves too.
 */
enum line_kind {
	LINE_EMPTY, /* or read over: # and a remark of a program, 盤面回転 for a board shown turned
		     */
	LINE_COMMENT,
	LINE_HEADER,
	LINE_VARIANT,   /* 手合割 */
	LINE_HAND,      /* 先手の持駒 */
	LINE_FILES,     /* the numbers above a diagram */
	LINE_BORDER,    /* of a diagram */
	LINE_RANK,      /* of a diagram */
	LINE_TURN,      /* 後手番, or 手番：後手 */
	LINE_PLIES,     /* 手数＝8 */
	LINE_TITLE,     /* 手数----指手---------消費時間-- */
	LINE_MOVES,     /* a digit or the mark of a side begins it */
	LINE_TOTAL,     /* まで7手で後手の勝ち */
	LINE_VARIATION, /* 変化：3手 */
	LINE_UNKNOWN,
};

static const char title_line[] = "手数----指手---------消費時間--\n";
static const char total_word[] = "まで";
static const char other_start_word[] = "その他";
static const char empty_hand_word[] = "なし";
static const char empty_square[] = "・";

/* Steps over 手合割 and its colon. */
static inline bool take_variant_word(struct reader *line)
{
	return reader_take_word(line, "手合割") && take_colon(line);
}

/* Steps over 先手の持駒 and its colon; the color of the side, or -1. */
static inline int take_hand_word(struct reader *line)
{
	int color = take_side(line);

	if (color < 0 || !reader_take_word(line, "の") ||
		!(reader_take_word(line, "持駒") || reader_take_word(line, "持ち駒")) ||
		!take_colon(line))
		return -1;
	return color;
}

static inline bool take_turn_word(struct reader *line)
{
	return reader_take_word(line, "手番") && take_colon(line);
}

/* Steps over 後手番 or 手番：後手, which is all of the line; the color, or -1. */
static inline int take_turn(struct reader *line)
{
	bool named = take_turn_word(line);
	int color;

	skip_wide_blanks(line);
	color = take_side(line);
	if (color < 0 || (!reader_take_word(line, "番") && !named))
		return -1;
	skip_wide_blanks(line);
	return reader_done(line) ? color : -1;
}

static inline bool take_plies_word(struct reader *line)
{
	return reader_take_word(line, "手数") &&
	       (reader_take_word(line, "＝") || reader_take(line, '='));
}

static inline bool take_bar(struct reader *line)
{
	return reader_take(line, '|') || reader_take_word(line, "｜");
}

static inline bool is_border(struct reader line)
{
	while (reader_take(&line, '+') || reader_take(&line, '-'))
		;
	skip_wide_blanks(&line);
	return reader_done(&line);
}

/* Numerals and blanks alone. */
static inline bool is_files(struct reader line)
{
	do
		skip_wide_blanks(&line);
	while (take_numeral(&line) >= 0);
	return reader_done(&line);
}

/* `rest` is what is left of a line after the blanks at its front: each test has a copy of it. */
static inline bool begins_with(struct reader rest, const char *word)
{
	return reader_take_word(&rest, word);
}

static inline bool is_board_turned(struct reader rest)
{
	if (!reader_take_word(&rest, "盤面回転"))
		return false;
	skip_wide_blanks(&rest);
	return reader_done(&rest);
}

static inline enum line_kind position_line_kind(const struct reader *rest)
{
	struct reader bar = *rest;
	struct reader hand = *rest;
	struct reader turn = *rest;
	struct reader named_turn = *rest;
	struct reader plies = *rest;

	if (take_bar(&bar))
		return LINE_RANK;
	if (begins_with(*rest, "+") && is_border(*rest))
		return LINE_BORDER;
	if (take_turn_word(&named_turn) || take_turn(&turn) >= 0)
		return LINE_TURN;
	if (take_plies_word(&plies))
		return LINE_PLIES;
	if (take_hand_word(&hand) >= 0)
		return LINE_HAND;
	if (is_files(*rest))
		return LINE_FILES;
	return LINE_UNKNOWN;
}

/* 変化：3手 */
static inline bool is_variation(struct reader rest)
{
	uint32_t number;

	if (!reader_take_word(&rest, "変化") || !take_colon(&rest))
		return false;
	skip_wide_blanks(&rest);
	return take_number(&rest, &number) && reader_take_word(&rest, "手");
}

/* A number that is a move's has a blank behind it; that of a header, as 2026年：, has not. */
static inline bool begins_with_move(struct reader rest)
{
	struct phrase name;
	struct phrase value;
	struct reader whole = rest;
	uint32_t number;

	if (take_mark(&rest) >= 0)
		return true;
	if (take_digit(&rest) < 0)
		return false;
	rest = whole;
	take_number(&rest, &number);
	return reader_done(&rest) || reader_peek(&rest) == ' ' || reader_peek(&rest) == '\t' ||
	       begins_with(rest, ideographic_space) || !split_header(whole, &name, &value);
}

/* What the line is, as its beginning tells; its blanks in front are stepped over. */
static inline enum line_kind take_line_kind(struct reader *line)
{
	struct reader variant;
	struct phrase name;
	struct phrase value;
	enum line_kind kind;

	skip_wide_blanks(line);
	if (reader_done(line) || begins_with(*line, "#") || is_board_turned(*line))
		return LINE_EMPTY;
	if (begins_with(*line, "*") || begins_with(*line, "&"))
		return LINE_COMMENT;
	if (begins_with(*line, total_word))
		return LINE_TOTAL;
	if (is_variation(*line))
		return LINE_VARIATION;
	if (begins_with(*line, "手数-"))
		return LINE_TITLE;
	variant = *line;
	if (take_variant_word(&variant))
		return LINE_VARIANT;
	kind = position_line_kind(line);
	if (kind != LINE_UNKNOWN)
		return kind;
	if (begins_with_move(*line))
		return LINE_MOVES;
	return split_header(*line, &name, &value) ? LINE_HEADER : LINE_UNKNOWN;
}

/* The start of a game while it is read. */
struct start {
	struct position pos;
	uint32_t number; /* of the first move, as in SFEN */
	uint8_t turn;
	bool other;   /* その他: the position says what start it is */
	bool differs; /* something is said that is not so at the start of a ruleset */
	bool hand[2];
	int ranks;             /* how many are read */
	bool empty;            /* nothing was read that belongs to a record */
	struct reader variant; /* where `other` is said, for errors */
	struct reader place;   /* where the position was last spoken of, likewise */
};

static inline enum status read_variant(
	struct reader *line, struct start *start, struct text_error *error)
{
	struct phrase value;

	take_variant_word(line);
	skip_wide_blanks(line);
	value = rest_of_line(line);
	start->variant = *line;
	start->other = value.length == strlen(other_start_word) &&
		       memcmp(value.text, other_start_word, value.length) == 0;
	if (start->other)
		return STATUS_OK;
	for (const char *const *name = variant_names; *name; name++)
		if (strlen(*name) == value.length && memcmp(*name, value.text, value.length) == 0)
			return STATUS_OK;
	return reader_fail(line, STATUS_SHEET_OTHER_GAME, error);
}

static inline enum status read_hand_piece(
	struct reader *line, int color, struct start *start, struct text_error *error)
{
	struct reader place = *line;
	int type = take_piece(line);
	uint32_t count = 1;
	enum status status;

	if (type < 0 || type >= TYPES || (take_number(line, &count) && count == 0))
		return reader_fail(&place, STATUS_SHEET_HAND, error);
	status = position_hold(&start->pos, color, type, count);
	start->differs = true;
	return status == STATUS_OK ? status : reader_fail(&place, status, error);
}

static inline enum status read_hand(
	struct reader *line, struct start *start, struct text_error *error)
{
	struct reader place = *line;
	int color = take_hand_word(line);

	if (start->hand[color])
		return reader_fail(&place, STATUS_SHEET_HAND, error);
	start->hand[color] = true;
	skip_wide_blanks(line);
	if (reader_take_word(line, empty_hand_word)) {
		skip_wide_blanks(line);
		return reader_done(line) ? STATUS_OK : reader_fail(line, STATUS_SHEET_HAND, error);
	}
	while (!reader_done(line)) {
		enum status status = read_hand_piece(line, color, start, error);

		if (status != STATUS_OK)
			return status;
		skip_wide_blanks(line);
	}
	return STATUS_OK;
}

static inline enum status read_files(struct reader *line, struct text_error *error)
{
	struct reader place = *line;

	for (int file = SIDE; file > 0; file--) {
		if (take_numeral(line) != file)
			return reader_fail(&place, STATUS_SHEET_BOARD, error);
		skip_wide_blanks(line);
	}
	return reader_done(line) ? STATUS_OK : reader_fail(&place, STATUS_SHEET_BOARD, error);
}

/* A square of a diagram: v before a piece of the second side, which stands on its head in print. */
static inline enum status read_diagram_square(
	struct reader *line, int square, struct start *start, struct text_error *error)
{
	struct reader place;
	enum status status;
	bool promoted;
	int color;
	int kind;

	skip_wide_blanks(line);
	place = *line;
	if (reader_take_word(line, empty_square) || reader_take_word(line, "･"))
		return STATUS_OK;
	color = reader_take(line, 'v') || reader_take(line, 'V') || reader_take_word(line, "ｖ");
	kind = take_piece(line);
	if (kind < 0)
		return reader_fail(&place, STATUS_SHEET_BOARD, error);
	promoted = kind > TYPES;
	status = position_place(
		&start->pos, color, promoted ? kind - TYPES - 1 : kind, promoted, square);
	return status == STATUS_OK ? status : reader_fail(&place, status, error);
}

static inline enum status read_rank(
	struct reader *line, struct start *start, struct text_error *error)
{
	int row = start->ranks++;
	struct reader place;

	if (row == SIDE)
		return reader_fail(line, STATUS_SHEET_BOARD, error);
	take_bar(line);
	for (int column = 0; column < SIDE; column++) {
		enum status status = read_diagram_square(line, row * SIDE + column, start, error);

		if (status != STATUS_OK)
			return status;
	}
	skip_wide_blanks(line);
	if (!take_bar(line))
		return reader_fail(line, STATUS_SHEET_BOARD, error);
	skip_wide_blanks(line);
	place = *line;
	if (!reader_done(line) && take_numeral(line) != row + 1)
		return reader_fail(&place, STATUS_SHEET_BOARD, error);
	skip_wide_blanks(line);
	return reader_done(line) ? STATUS_OK : reader_fail(line, STATUS_SHEET_BOARD, error);
}

static inline enum status read_turn(
	struct reader *line, struct start *start, struct text_error *error)
{
	struct reader place = *line;
	int color = take_turn(line);

	if (color < 0)
		return reader_fail(&place, STATUS_SHEET_TURN, error);
	start->turn = (uint8_t)color;
	start->differs |= color != 0;
	return STATUS_OK;
}

/* What follows the number, the last move and まで, says nothing new. */
static inline enum status read_plies(
	struct reader *line, struct start *start, struct text_error *error)
{
	struct reader place;
	uint32_t plies;

	take_plies_word(line);
	skip_wide_blanks(line);
	place = *line;
	if (!take_number(line, &plies) || plies >= SFEN_NUMBER_MAX)
		return reader_fail(&place, STATUS_SHEET_PLIES, error);
	start->number = plies + 1;
	start->differs |= plies > 0;
	return STATUS_OK;
}

static inline enum status read_start_line(
	struct reader *line, enum line_kind kind, struct start *start, struct text_error *error)
{
	if (kind != LINE_EMPTY)
		start->empty = false;
	if (kind >= LINE_HAND && kind <= LINE_PLIES)
		start->place = *line;
	switch (kind) {
	case LINE_VARIANT:
		return read_variant(line, start, error);
	case LINE_HAND:
		return read_hand(line, start, error);
	case LINE_FILES:
		return read_files(line, error);
	case LINE_RANK:
		return read_rank(line, start, error);
	case LINE_TURN:
		return read_turn(line, start, error);
	case LINE_PLIES:
		return read_plies(line, start, error);
	case LINE_UNKNOWN:
		return reader_fail(line, STATUS_SHEET_HEADER, error);
	default:
		return STATUS_OK;
	}
}

/* Reads up to the first line of moves, which `whole` then has before it. */
static inline enum status read_start(
	struct reader *whole, struct start *start, struct text_error *error)
{
	struct reader before = *whole;
	struct reader line;

	*start = (struct start){.number = 1, .empty = true, .place = {whole->text, 0, 0, 1}};
	position_clear(&start->pos);
	while (reader_next_line(whole, &line)) {
		enum line_kind kind = take_line_kind(&line);
		enum status status = read_start_line(&line, kind, start, error);

		if (status != STATUS_OK)
			return status;
		if (kind == LINE_TITLE)
			break;
		if (kind > LINE_TITLE) {
			*whole = before;
			break;
		}
		before = *whole;
	}
	if (start->empty) {
		*error = (struct text_error){STATUS_TEXT_EMPTY, 1, 1};
		return STATUS_TEXT_EMPTY;
	}
	return STATUS_OK;
}

static inline enum status make_sheet(const char *ruleset, struct start *start,
	struct text_error *error, struct game_sheet **sheet)
{
	if (start->ranks == 0 && start->other)
		return reader_fail(&start->variant, STATUS_SHEET_OTHER_GAME, error);
	if (start->ranks == 0 && start->differs)
		return reader_fail(&start->place, STATUS_SHEET_BOARD_MISSING, error);
	if (start->ranks > 0 && start->ranks < SIDE)
		return reader_fail(&start->place, STATUS_SHEET_BOARD, error);
	if (start->ranks == 0)
		return sheet_begin_usual(ruleset, &start->place, error, sheet);
	if (start->turn)
		position_pass_turn(&start->pos);
	return sheet_begin(ruleset, &start->pos, start->number, &start->place, error, sheet);
}

/* A comment without its *, or a bookmark with its &. */
static inline enum status read_comment(
	struct reader *line, struct game_sheet *sheet, struct text_error *error)
{
	enum status status;

	reader_take(line, '*');
	status = game_sheet_add_comment(sheet, line->text + line->at, line->length - line->at);
	return status == STATUS_OK ? status : reader_fail(line, status, error);
}

static inline enum status read_header(
	struct reader *line, struct game_sheet *sheet, struct text_error *error)
{
	struct phrase name = {"", 0};
	struct phrase value = {"", 0};
	enum status status;

	split_header(*line, &name, &value);
	name = common_header_name(name);
	status = game_sheet_add_header(sheet, name.text, name.length, value.text, value.length);
	return status == STATUS_OK ? status : reader_fail(line, status, error);
}

/* Once more over the text that `read_start` has read, for what the sheet keeps of it. */
static inline enum status read_start_notes(
	const struct reader *whole, struct game_sheet *sheet, struct text_error *error)
{
	struct reader start = {whole->text, whole->at, 0, 0};
	struct reader line;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && reader_next_line(&start, &line)) {
		enum line_kind kind = take_line_kind(&line);

		if (kind == LINE_COMMENT)
			status = read_comment(&line, sheet, error);
		else if (kind == LINE_HEADER)
			status = read_header(&line, sheet, error);
	}
	return status;
}

/* Whether the front of a line, up to the colon, is read as the header `name` and nothing else. */
static inline bool is_read_as_header(struct reader front, const char *name)
{
	struct phrase read;
	struct phrase rest;

	if (take_line_kind(&front) != LINE_HEADER || !split_header(front, &read, &rest))
		return false;
	read = common_header_name(read);
	return read.length == strlen(name) && memcmp(read.text, name, read.length) == 0;
}

/*
 * A header whose name would be read as something else in this place, or as another header, is left
 * out.
 */
static inline void write_header(struct game_header header, struct text *text)
{
	char buffer[HEADER_NAME_MAX + sizeof("：")];
	struct text front;
	struct reader value = reader_of(header.value, strlen(header.value));
	struct phrase rest;

	text_init(&front, buffer, sizeof(buffer));
	text_add(&front, japanese_header_name(header.name));
	text_add(&front, "：");
	if (front.overflow || !is_read_as_header(reader_of(buffer, front.length), header.name))
		return;
	text_add(text, buffer);
	skip_wide_blanks(&value);
	rest = rest_of_line(&value);
	text_add_bytes(text, rest.text, rest.length);
	text_add_char(text, '\n');
}

static inline void write_hand(const struct position *pos, int color, struct text *text)
{
	bool empty = true;

	text_add(text, side_names[color].name);
	text_add(text, "の持駒：");
	for (int type = 0; type < TYPES; type++) {
		int count = hand_count(pos, color, type);

		if (!count)
			continue;
		if (!empty)
			text_add(text, ideographic_space);
		empty = false;
		text_add(text, japanese_pieces[type].diagram);
		if (count > 1)
			write_kanji_number(count, text);
	}
	if (empty)
		text_add(text, empty_hand_word);
	text_add_char(text, '\n');
}

static inline void write_border(struct text *text)
{
	text_add_char(text, '+');
	for (int column = 0; column < SIDE; column++)
		text_add(text, "---");
	text_add(text, "+\n");
}

static inline void write_diagram(const struct position *pos, struct text *text)
{
	text_add_char(text, ' ');
	for (int file = SIDE; file > 0; file--) {
		text_add_char(text, ' ');
		text_add(text, wide_digits[file]);
	}
	text_add_char(text, '\n');
	write_border(text);
	for (int square = 0; square < SQUARES; square++) {
		bool occupied = (position_occupied(pos) & square_bit(square)) != 0;

		if (square % SIDE == 0)
			text_add_char(text, '|');
		text_add_char(text, occupied && color_on(pos, square) ? 'v' : ' ');
		text_add(text,
			occupied ? japanese_pieces[kind_on(pos, square)].diagram : empty_square);
		if (square % SIDE < SIDE - 1)
			continue;
		text_add_char(text, '|');
		text_add(text, kanji_digits[square / SIDE + 1]);
		text_add_char(text, '\n');
	}
	write_border(text);
}

static inline void write_position(const struct position *pos, uint32_t number, struct text *text)
{
	write_hand(pos, 1, text);
	write_diagram(pos, text);
	write_hand(pos, 0, text);
	if (pos->turn)
		text_add(text, "後手番\n");
	if (number != 1) {
		text_add(text, "手数＝");
		text_add_number(text, number - 1);
		text_add(text, "  まで\n");
	}
}

/* 手合割 alone says the usual start; any other is drawn too. */
static inline void write_start(const struct game_sheet *sheet, struct text *text)
{
	const struct game_state *start = game_line_start(game_sheet_line(sheet));

	text_add(text, "手合割：");
	text_add(text, variant_names[0]);
	text_add_char(text, '\n');
	for (size_t i = 0; i < game_sheet_header_count(sheet); i++)
		write_header(game_sheet_header(sheet, i), text);
	if (!is_usual_start(start))
		write_position(state_position(start), state_number(start), text);
}

/* The comment on the position after `ply` plies, a * before each line. */
static inline void write_comment(const struct game_sheet *sheet, size_t ply, struct text *text)
{
	const char *line = game_sheet_comment(sheet, ply);

	while (line) {
		const char *end = strchr(line, '\n');
		size_t length = end ? (size_t)(end - line) : strlen(line);

		text_add_char(text, '*');
		text_add_bytes(text, line, length);
		text_add_char(text, '\n');
		line = end ? end + 1 : NULL;
	}
}
