/* SPDX-License-Identifier: MIT */

/*
 * The words that the Japanese records, KIF and KI2, share: numerals, sides, pieces, squares, the
 * names of headers, and the ways in which a game ends. A function that takes a word steps over it
 * where it stands next in the line, and leaves the line alone else.
 *
 * Sources: the description of KIF and KI2 by the author of Kakinoki Shogi, and the Japan Shogi
 * Association's page on writing moves.
 *
 * The board's own file defines, above this text: `variant_names`, what 手合割 says of this game,
 * the one that is written first, NULL at the end; and `japanese_pieces`, by kind, what a piece is
 * called in a move, in a diagram (one character wide), and by others, NULL where there is no more.
 */
#include "base/reader.h"

static const char ideographic_space[] = "　";

/* 0 to 9. */
static const char *const wide_digits[] = {
	"０", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
static const char *const kanji_digits[] = {
	"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"};

/* First the names that are written. 下手 and 上手 are those of a game at odds. */
static const struct {
	const char *name;
	uint8_t color;
} side_names[] = {{"先手", 0}, {"後手", 1}, {"下手", 0}, {"上手", 1}};

/* ▲ and △ are written. */
static const struct {
	const char *mark;
	uint8_t color;
} side_marks[] = {{"▲", 0}, {"△", 1}, {"☗", 0}, {"☖", 1}, {"▼", 0}, {"▽", 1}};

/* Above the same name again: the one that is written. */
static const struct {
	const char *japanese;
	const char *name;
} header_words[] = {
	{"先手", game_header_first},
	{"後手", game_header_second},
	{"下手", game_header_first},
	{"上手", game_header_second},
	{"開始日時", game_header_begin},
	{"終了日時", game_header_end},
	{"棋戦", game_header_event},
	{"場所", game_header_site},
};

/*
 * What may stand in the place of a move, seen from the side to move; the first word for an end is
 * the one written. GAME_SHEET_OPEN is a resignation here: an action, not an end of the record.
 * GAME_SHEET_WIN is written in the last line of a record alone: 不戦勝, of whose opponent did not
 * come, would say too much.
 */
static const struct {
	const char *word;
	enum game_sheet_end end;
} end_words[] = {
	{"投了", GAME_SHEET_OPEN},
	{"不戦敗", GAME_SHEET_OPEN},
	{"中断", GAME_SHEET_INTERRUPTED},
	{"封じ手", GAME_SHEET_INTERRUPTED},
	{"不詰", GAME_SHEET_INTERRUPTED},
	{"切れ負け", GAME_SHEET_TIME_UP},
	{"時間切れ", GAME_SHEET_TIME_UP},
	{"反則負け", GAME_SHEET_ILLEGAL_MOVE},
	{"反則勝ち", GAME_SHEET_ILLEGAL_BEFORE},
	{"持将棋", GAME_SHEET_DRAW},
	{"引き分け", GAME_SHEET_DRAW},
	{"引分", GAME_SHEET_DRAW},
	{"千日手", GAME_SHEET_REPETITION},
	{"入玉勝ち", GAME_SHEET_DECLARED_WIN},
	{"宣言勝ち", GAME_SHEET_DECLARED_WIN},
	{"勝ち宣言", GAME_SHEET_DECLARED_WIN},
	{"不戦勝", GAME_SHEET_WIN},
	{"詰み", GAME_SHEET_MATE},
	{"詰", GAME_SHEET_MATE},
};

enum {
	SIDE_NAMES = sizeof(side_names) / sizeof(side_names[0]),
	SIDE_MARKS = sizeof(side_marks) / sizeof(side_marks[0]),
	HEADER_WORDS = sizeof(header_words) / sizeof(header_words[0]),
	END_WORDS = sizeof(end_words) / sizeof(end_words[0]),
};

/* Blanks, the ideographic one among them. */
static inline void skip_wide_blanks(struct reader *line)
{
	do
		reader_skip_blanks(line);
	while (reader_take_word(line, ideographic_space));
}

static inline bool take_colon(struct reader *line)
{
	return reader_take_word(line, "：") || reader_take(line, ':');
}

/* 0 to 9, of ordinary or double width; -1: something else. */
static inline int take_digit(struct reader *line)
{
	char c = reader_peek(line);

	if (c >= '0' && c <= '9') {
		line->at++;
		return c - '0';
	}
	for (int i = 0; i < 10; i++)
		if (reader_take_word(line, wide_digits[i]))
			return i;
	return -1;
}

static inline int take_kanji_digit(struct reader *line)
{
	for (int i = 0; i < 10; i++)
		if (reader_take_word(line, kanji_digits[i]))
			return i;
	return -1;
}

/* One digit of any kind, as for a file or a rank. */
static inline int take_numeral(struct reader *line)
{
	int digit = take_digit(line);

	return digit >= 0 ? digit : take_kanji_digit(line);
}

/* A number grows no further once it is greater than all that have a sense here. */
enum { NUMBER_ENOUGH = 1000000 };

/* Digits, or kanji up to 99, as 十八. */
static inline bool take_number(struct reader *line, uint32_t *number)
{
	int digit = take_digit(line);
	uint32_t value = 0;

	if (digit >= 0) {
		do {
			if (value < NUMBER_ENOUGH)
				value = value * 10 + (uint32_t)digit;
			digit = take_digit(line);
		} while (digit >= 0);
		*number = value;
		return true;
	}
	digit = take_kanji_digit(line);
	if (reader_take_word(line, "十")) {
		int ones = take_kanji_digit(line);

		value = (uint32_t)(10 * (digit < 0 ? 1 : digit) + (ones < 0 ? 0 : ones));
	} else {
		if (digit < 0)
			return false;
		value = (uint32_t)digit;
	}
	*number = value;
	return true;
}

/* Below 100. */
static inline void write_kanji_number(int number, struct text *text)
{
	if (number >= 20)
		text_add(text, kanji_digits[number / 10]);
	if (number >= 10)
		text_add(text, "十");
	if (number % 10 || number == 0)
		text_add(text, kanji_digits[number % 10]);
}

/* The color of a side; -1: none is named. */
static inline int take_side(struct reader *line)
{
	for (int i = 0; i < SIDE_NAMES; i++)
		if (reader_take_word(line, side_names[i].name))
			return side_names[i].color;
	return -1;
}

static inline bool take_end(struct reader *line, enum game_sheet_end *end)
{
	for (int i = 0; i < END_WORDS; i++) {
		if (reader_take_word(line, end_words[i].word)) {
			*end = end_words[i].end;
			return true;
		}
	}
	return false;
}

/* The color of the mark before a move; -1: none. 先 and 後 are marks in front of a move alone. */
static inline int take_mark(struct reader *line)
{
	static const char *const words[] = {"先", "後"};

	for (int i = 0; i < SIDE_MARKS; i++)
		if (reader_take_word(line, side_marks[i].mark))
			return side_marks[i].color;
	for (int color = 0; color < 2; color++) {
		struct reader rest = *line;
		struct reader move;
		enum game_sheet_end end;

		if (!reader_take_word(&rest, words[color]))
			continue;
		move = rest;
		if (take_numeral(&move) >= 0 || reader_take_word(&move, "同") ||
			take_end(&move, &end)) {
			*line = rest;
			return color;
		}
	}
	return -1;
}

/* The kind of a piece; -1: none is named. */
static inline int take_piece(struct reader *line)
{
	for (int kind = 0; kind < KINDS; kind++) {
		const char *other = japanese_pieces[kind].other;

		if (japanese_pieces[kind].move &&
			(reader_take_word(line, japanese_pieces[kind].move) ||
				reader_take_word(line, japanese_pieces[kind].diagram) ||
				(other && reader_take_word(line, other))))
			return kind;
	}
	return -1;
}

/* File, then rank, as 3 and 四; rows of the board are ranks. */
static inline enum status read_square(struct reader *line, int *square, struct text_error *error)
{
	struct reader place = *line;
	int file = take_numeral(line);
	int rank = file < 0 ? -1 : take_numeral(line);

	if (rank < 0)
		return reader_fail(&place, STATUS_SHEET_MOVE, error);
	if (file < 1 || file > SIDE || rank < 1 || rank > SIDE)
		return reader_fail(&place, STATUS_USI_SQUARE, error);
	*square = (rank - 1) * SIDE + SIDE - file;
	return STATUS_OK;
}

static inline void write_square(int square, struct text *text)
{
	text_add(text, wide_digits[SIDE - square % SIDE]);
	text_add(text, kanji_digits[square / SIDE + 1]);
}

/* A piece of a line. */
struct phrase {
	const char *text;
	size_t length;
};

/* What is left of the line, without the blanks at its end. */
static inline struct phrase rest_of_line(const struct reader *line)
{
	struct phrase rest = {line->text + line->at, line->length - line->at};
	size_t wide = strlen(ideographic_space);

	for (;;) {
		const char *end = rest.text + rest.length;

		if (rest.length && (end[-1] == ' ' || end[-1] == '\t'))
			rest.length--;
		else if (rest.length >= wide && memcmp(end - wide, ideographic_space, wide) == 0)
			rest.length -= wide;
		else
			return rest;
	}
}

enum { HEADER_NAME_MAX = 96 }; /* bytes; a longer one before a colon is a sentence */

/* Cuts the line at its first colon; false where what stands before cannot be a name. */
static inline bool split_header(struct reader line, struct phrase *name, struct phrase *value)
{
	struct reader before = line;

	for (;;) {
		before.length = line.at;
		if (take_colon(&line))
			break;
		if (reader_done(&line) || (unsigned char)reader_peek(&line) < ' ')
			return false;
		line.at++;
	}
	*name = rest_of_line(&before);
	skip_wide_blanks(&line);
	*value = rest_of_line(&line);
	return name->length > 0 && name->length <= HEADER_NAME_MAX;
}

/* The name that all formats share, for a Japanese one. */
static inline struct phrase common_header_name(struct phrase name)
{
	for (int i = 0; i < HEADER_WORDS; i++)
		if (strlen(header_words[i].japanese) == name.length &&
			memcmp(header_words[i].japanese, name.text, name.length) == 0)
			return (struct phrase){header_words[i].name, strlen(header_words[i].name)};
	return name;
}

static inline const char *japanese_header_name(const char *name)
{
	for (int i = 0; i < HEADER_WORDS; i++)
		if (strcmp(header_words[i].name, name) == 0)
			return header_words[i].japanese;
	return name;
}

static inline const char *end_word(enum game_sheet_end end)
{
	size_t i = 0;

	while (end_words[i].end != end)
		i++;
	return end_words[i].word;
}
