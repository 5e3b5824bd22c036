/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"

/*
 * A sheet: one game as people write it down. It is a line with what stands around its moves:
 * headers (players, event, date), comments, the time of each move, and how the record ended where
 * the rules do not say. All texts are UTF-8, copied in, and zero-terminated; a text that is given
 * to a sheet may be one that it returned. A sheet owns its line and all of its memory; pointers
 * that it returns live until its next change. One thread at a time.
 *
 * Headers have the names that every format shares, where there is one: the game_header_* below.
 * Others keep the name under which they were read.
 */
struct game_sheet;

/* The most that one sheet holds; more is STATUS_TEXT_TOO_LONG. */
enum {
	GAME_SHEET_NOTES_MAX = 1 << 20, /* bytes of headers and comments together */
	GAME_SHEET_HEADERS_MAX = 1000,  /* a name is looked for among all of them */
};

static const char game_header_first[] = "First"; /* the player who moves first: Sente */
static const char game_header_second[] = "Second";
static const char game_header_event[] = "Event";
static const char game_header_site[] = "Site";
static const char game_header_begin[] = "Begin"; /* "2026/11/30" or "2026/11/30 19:00:00" */
static const char game_header_end[] = "End";

/*
 * How a record ended that the rules have not ended. Where they have, and after a resignation, it is
 * GAME_SHEET_OPEN: the state says it. A loss of the side to move of which a format tells nothing
 * more, or tells what has no word here, is a resignation.
 */
enum game_sheet_end {
	GAME_SHEET_OPEN,           /* the record stops, or goes on */
	GAME_SHEET_INTERRUPTED,    /* adjourned or broken off */
	GAME_SHEET_TIME_UP,        /* the side to move ran out of time */
	GAME_SHEET_ILLEGAL_MOVE,   /* the side to move made an illegal move and lost */
	GAME_SHEET_ILLEGAL_BEFORE, /* the other side did, with its last move */
	GAME_SHEET_DRAW,           /* agreed or declared, impasse included */
	GAME_SHEET_REPETITION,     /* called by the players before the rules would */
	GAME_SHEET_DECLARED_WIN,   /* the side to move claimed the win, as by entering king */
	GAME_SHEET_WIN,            /* the side to move won; how is not told, or has no word here */
	GAME_SHEET_MATE,           /* called mate, though a move is left; a resignation in effect */
};

/* `ops` outlives the sheet. Each of the two makes `*sheet` on STATUS_OK only. */
MUST_CHECK enum status game_sheet_create(
	const struct game_ops *ops, const char *ruleset, struct game_sheet **sheet);
MUST_CHECK enum status game_sheet_setup(const struct game_ops *ops, const char *ruleset,
	const char *text, size_t length, struct text_error *error, struct game_sheet **sheet);
void game_sheet_destroy(struct game_sheet *sheet);

/* As of a line. Undo takes the comment and the time of the ply along, and the end of the record. */
MUST_CHECK enum status game_sheet_play(struct game_sheet *sheet, struct game_action action);
bool game_sheet_undo(struct game_sheet *sheet);
const struct game_line *game_sheet_line(const struct game_sheet *sheet);

/*
 * Replaces the value of a header of that name, or adds it after the others. Both hold no end of
 * line and no zero byte, and the name is not empty.
 */
MUST_CHECK enum status game_sheet_set_header(struct game_sheet *sheet, const char *name,
	size_t name_length, const char *value, size_t value_length);

/* The same for a header that must not be there yet: STATUS_SHEET_HEADER_TWICE. */
MUST_CHECK enum status game_sheet_add_header(struct game_sheet *sheet, const char *name,
	size_t name_length, const char *value, size_t value_length);

struct game_header {
	const char *name;
	const char *value;
};

size_t game_sheet_header_count(const struct game_sheet *sheet);
struct game_header game_sheet_header(const struct game_sheet *sheet, size_t index);
/* NULL: no header of that name. */
const char *game_sheet_header_value(const struct game_sheet *sheet, const char *name);

/*
 * Adds to the comment on the position now on the board, on a line of its own. An LF in `text`
 * begins one more line; it holds no CR and no zero byte.
 */
MUST_CHECK enum status game_sheet_add_comment(
	struct game_sheet *sheet, const char *text, size_t length);
/* The lines on the position after `ply` plies, an LF between them; NULL: none. */
const char *game_sheet_comment(const struct game_sheet *sheet, size_t ply);

/* The time that the last ply played took, in milliseconds, 0 or more. */
void game_sheet_set_time(struct game_sheet *sheet, int64_t milliseconds);
/* Of ply `ply`, from 0 on; -1: not known. */
int64_t game_sheet_time(const struct game_sheet *sheet, size_t ply);

void game_sheet_set_end(struct game_sheet *sheet, enum game_sheet_end end);
enum game_sheet_end game_sheet_end(const struct game_sheet *sheet);

/* The stable word for an end, as "time-up"; NULL for GAME_SHEET_OPEN. */
const char *game_sheet_end_name(enum game_sheet_end end);
/* False: no end has that word. */
bool game_sheet_end_find(const char *name, enum game_sheet_end *end);

/* A way to write a game down. */
struct game_format {
	const char *name; /* "kif" */

	/*
	 * Makes `*sheet` of a whole text: UTF-8 without a byte order mark or a zero byte, its lines
	 * ended by LF, CRLF or CR. `ruleset` as for a line, and known. The text is refused as a
	 * whole: at the first fault, with its place.
	 */
	MUST_CHECK enum status (*read)(const char *ruleset, const char *text, size_t length,
		struct text_error *error, struct game_sheet **sheet);

	/* Lines end with LF, the last one too. */
	void (*write)(const struct game_sheet *sheet, struct text *text);
};

/* The format of that name, or NULL. */
const struct game_format *game_format_find(const struct game_ops *ops, const char *name);

/*
 * Reads a text of any bytes: steps over a byte order mark, which no column counts, checks that the
 * rest is UTF-8 and that there is such a ruleset, and gives it to the format.
 */
MUST_CHECK enum status game_sheet_read(const struct game_ops *ops, const struct game_format *format,
	const char *ruleset, const char *text, size_t length, struct text_error *error,
	struct game_sheet **sheet);
