/* SPDX-License-Identifier: MIT */

/*
 * "pgn": Portable Game Notation (S. J. Edwards, 1994) with the tags and moves that chess variants
 * use. White is Sente, who moves first.
 *
 *      [White "Alice"]                 First; Black is Second; Event and Site as they are
 *      [Date "2026.11.30"]             Begin, with [Time "19:00:00"]; or UTCDate and UTCTime
 *      [Result "1-0"]
 *      [Variant "minishogi"]
 *      [SetUp "1"]                     a start that is not the usual one
 *      [FEN "4k/5/5/5/K4[P] w - - 0 1"]
 *
 *      1. Pa3 {[%emt 0:00:12]} {a comment} Pe3 $1 (1... Gd4 2. Gb2) 2. P@c3 1-0 {after the end}
 *
 * Other tags are headers of their name; the value `?` is none. A comment belongs to the position
 * before it; each pair of braces, or each `;`, begins a line of it, and ends of lines within braces
 * are blanks. Of the commands within braces [%emt ...] is the time of the ply, [%clk ...] is read
 * over, and others are text. Move numbers, NAGs, variations and lines that begin with % are read
 * over.
 *
 * A result must agree with what the rules say where they have ended the game; `*` says nothing.
 * Else it says, with the tag Termination, how the sheet ends (pgn_end.inc.h).
 *
 * Written: at most 80 bytes a line, but for a tag, for a word longer than that, and for a comment
 * that holds a } or one of the two commands as text, which takes the rest of a line after a `;`.
 *
 * Not said: what FEN cannot say (fen.inc.h); headers whose names are no tag names, or are those of
 * tags with a meaning of their own; the place of the headers named above among the others; the
 * value `?`; blanks at either end of the lines of a comment.
 */
enum { PGN_DATE = 10, PGN_TIME = 8 }; /* bytes of 2026.11.30 and 19:00:00 */

/* A reading. It goes through the tags twice: for their form, and then for what `sheet` keeps. */
struct pgn_reader {
	struct reader whole;
	struct reader line;       /* the current one; what is before `at` is read */
	struct game_sheet *sheet; /* NULL: the first time through the tags */
	char *scratch;            /* as long as the text */
	size_t scratch_length;
	struct position pos; /* of the tag FEN, which stands at `fen` if that has text */
	uint32_t number;
	struct reader fen;
	struct reader set_up;       /* likewise, a tag that promises a FEN */
	char date[2][PGN_DATE + 1]; /* of the tags Date and UTCDate; empty: not said */
	char time[2][PGN_TIME + 1];
	enum pgn_result result; /* of the tag; PGN_RESULTS: not said */
	enum pgn_termination termination;
	unsigned tags; /* a bit for each of `pgn_tags` that was read */
	bool ended;    /* there was a result among the moves */
};

/* On to the next character that is not blank. False at the end. */
static inline bool pgn_skip(struct pgn_reader *pgn)
{
	for (;;) {
		reader_skip_blanks(&pgn->line);
		if (!reader_done(&pgn->line))
			return true;
		do {
			if (!reader_next_line(&pgn->whole, &pgn->line))
				return false;
		} while (reader_peek(&pgn->line) == '%');
	}
}

static inline enum status pgn_fail(
	const struct pgn_reader *pgn, enum status status, struct text_error *error)
{
	return reader_fail(&pgn->line, status, error);
}

#include "shogi/pgn_comment.inc.h"
#include "shogi/pgn_tags.inc.h"

/* A word of the moves. */
static inline struct reader pgn_word(const struct pgn_reader *pgn)
{
	struct reader word = pgn->line;

	word.length = word.at;
	while (word.length < pgn->line.length && !strchr(" \t{}()[];$", word.text[word.length]))
		word.length++;
	return word;
}

/* Steps over "12." or "12..." at the front of a word; a number alone is one too. */
static inline void pgn_skip_number(struct reader *word)
{
	struct reader rest = *word;

	while (reader_peek(&rest) >= '0' && reader_peek(&rest) <= '9')
		rest.at++;
	if (!reader_done(&rest) && reader_peek(&rest) != '.')
		return;
	while (reader_take(&rest, '.'))
		;
	*word = rest;
}

/* Ends the game as a result says. */
static inline enum status pgn_end(struct pgn_reader *pgn, enum pgn_result result,
	const struct reader *place, struct text_error *error)
{
	struct game_summary summary = game_line_summary(game_sheet_line(pgn->sheet));
	enum game_sheet_end end;

	pgn->ended = true;
	if (pgn->result != PGN_RESULTS && pgn->result != result)
		return reader_fail(place, STATUS_SHEET_END, error);
	if (summary.over) {
		if (result != PGN_OPEN && result != pgn_written_result(pgn->sheet))
			return reader_fail(place, STATUS_SHEET_END, error);
		return STATUS_OK;
	}
	if (result == PGN_OPEN) {
		if (pgn->termination == PGN_ABANDONED)
			game_sheet_set_end(pgn->sheet, GAME_SHEET_INTERRUPTED);
		return STATUS_OK;
	}
	end = pgn_find_end(result, pgn->termination, summary.player);
	if (end == GAME_SHEET_OPEN)
		return sheet_play(pgn->sheet, (struct move){(uint16_t)ACTION_RESIGN}, place, error);
	game_sheet_set_end(pgn->sheet, end);
	return STATUS_OK;
}

/* A move, its number, or the result. */
static inline enum status pgn_read_word(struct pgn_reader *pgn, struct text_error *error)
{
	struct reader word = pgn_word(pgn);
	size_t length = word.length - word.at;
	enum pgn_result result = pgn_result_of(word.text + word.at, length);
	struct reader place;
	struct move move;
	enum status status;

	if (length == 0)
		return pgn_fail(pgn, STATUS_SHEET_MOVE, error);
	pgn->line.at = word.length;
	if (result != PGN_RESULTS)
		return pgn_end(pgn, result, &word, error);
	pgn_skip_number(&word);
	if (reader_peek(&word) == '!' || reader_peek(&word) == '?')
		san_skip_marks(&word);
	if (reader_done(&word))
		return STATUS_OK;
	if (game_line_summary(game_sheet_line(pgn->sheet)).over)
		return reader_fail(&word, STATUS_GAME_OVER, error);
	place = word;
	status = san_read(sheet_position(pgn->sheet), &word, error, &move);
	return status == STATUS_OK ? sheet_play(pgn->sheet, move, &place, error) : status;
}

/* A NAG: a $ and a number. */
static inline enum status pgn_skip_nag(struct pgn_reader *pgn, struct text_error *error)
{
	struct reader place = pgn->line;
	size_t begin = ++pgn->line.at;

	while (reader_peek(&pgn->line) >= '0' && reader_peek(&pgn->line) <= '9')
		pgn->line.at++;
	return pgn->line.at > begin ? STATUS_OK : reader_fail(&place, STATUS_SHEET_MOVE, error);
}

/* Other moves that might have been, in parentheses, with their own comments and variations. */
static inline enum status pgn_skip_variation(struct pgn_reader *pgn, struct text_error *error)
{
	struct reader place = pgn->line;
	size_t depth = 0;

	while (pgn_skip(pgn)) {
		char c = reader_peek(&pgn->line);

		if (c == '{' || c == ';') {
			enum status status = pgn_read_comment(pgn, error);

			if (status != STATUS_OK)
				return status;
			continue;
		}
		pgn->line.at++;
		if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0)
			return STATUS_OK;
	}
	return reader_fail(&place, STATUS_SHEET_VARIATION, error);
}

static inline enum status pgn_read_moves(struct pgn_reader *pgn, struct text_error *error)
{
	while (pgn_skip(pgn)) {
		char c = reader_peek(&pgn->line);
		enum status status;

		if (c == '{' || c == ';')
			status = pgn_keep_comment(pgn, error);
		else if (c == '[' || pgn->ended)
			status = pgn_fail(pgn, STATUS_TEXT_TRAILING, error);
		else if (c == '(')
			status = pgn_skip_variation(pgn, error);
		else if (c == '$')
			status = pgn_skip_nag(pgn, error);
		else
			status = pgn_read_word(pgn, error);
		if (status != STATUS_OK)
			return status;
	}
	if (pgn->ended || pgn->result == PGN_RESULTS)
		return STATUS_OK;
	return pgn_end(pgn, pgn->result, &pgn->line, error);
}

static inline enum status pgn_begin(const char *ruleset, struct pgn_reader *pgn,
	struct text_error *error, struct game_sheet **sheet)
{
	if (pgn->fen.text)
		return sheet_begin(ruleset, &pgn->pos, pgn->number, &pgn->fen, error, sheet);
	if (pgn->set_up.text)
		return reader_fail(&pgn->set_up, STATUS_SHEET_HEADER, error);
	return sheet_begin_usual(ruleset, &pgn->line, error, sheet);
}

/* `pgn` has its scratch and has read the tags for their form. */
static inline enum status pgn_read_all(const char *ruleset, struct pgn_reader *pgn,
	struct text_error *error, struct game_sheet **sheet)
{
	enum status status = pgn_begin(ruleset, pgn, error, &pgn->sheet);

	if (status != STATUS_OK)
		return status;
	pgn->whole = (struct reader){pgn->whole.text, pgn->whole.length, 0, 0};
	pgn->line = reader_of(pgn->whole.text, 0);
	status = pgn_read_tags(pgn, error);
	if (status == STATUS_OK)
		status = pgn_set_begin(pgn, error);
	if (status == STATUS_OK)
		status = pgn_read_moves(pgn, error);
	if (status != STATUS_OK) {
		game_sheet_destroy(pgn->sheet);
		return status;
	}
	*sheet = pgn->sheet;
	return STATUS_OK;
}

static enum status read_pgn(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_sheet **sheet)
{
	struct pgn_reader pgn = {
		.whole = {text, length, 0, 0},
		.line = reader_of(text, 0),
		.result = PGN_RESULTS,
		.scratch = malloc(length + 1),
	};
	enum status status;

	if (!pgn.scratch)
		return pgn_fail(&pgn, STATUS_NO_MEMORY, error);
	status = pgn_skip(&pgn) ? pgn_read_tags(&pgn, error)
				: pgn_fail(&pgn, STATUS_TEXT_EMPTY, error);
	if (status == STATUS_OK)
		status = pgn_read_all(ruleset, &pgn, error, sheet);
	free(pgn.scratch);
	return status;
}

#include "shogi/pgn_write.inc.h"

static const struct game_format format_pgn = {"pgn", read_pgn, write_pgn};
