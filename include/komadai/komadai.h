/* SPDX-License-Identifier: MIT */
#ifndef KOMADAI_H
#define KOMADAI_H

/*
 * libkomadai: the rules of Komadai's games, their records, and the analysis of Petits carrés, for
 * programs in C and what calls C.
 *
 *	struct komadai_game *game;
 *
 *	if (komadai_game_create("mini-shogi", NULL, &game) != KOMADAI_OK)
 *		return;
 *	if (komadai_game_play(game, "5d5c", NULL) == KOMADAI_OK)
 *		...
 *	komadai_game_destroy(game);
 *
 * A `struct komadai_game` is one game from its start on, with every move played, so that the rules
 * on repetition can be applied and moves taken back. It also holds what a record of a game holds
 * beside the moves: headers, comments, times, and how the record ended.
 *
 * Lifetimes. A game is made by a `create`, `setup` or `read` function and belongs to the caller,
 * who gives it to komadai_game_destroy(). Text that a function returns from within a game lives
 * until the next call that may change that game; the names of games, rulesets, formats and ends,
 * and the words and sentences of statuses, live as long as the library. Memory that the library
 * hands over is given back with komadai_text_free(). Whatever is given to the library is copied,
 * and may be text of the same game.
 *
 * Threads. The library has no state beside the games and analyses: two may be used by two threads
 * at once, one by one thread at a time, or by several that only read it. `const` in a signature is
 * that promise. No thread is started but those that komadai_boxes_analyse() is told to use, which
 * have ended when it returns.
 *
 * Texts are UTF-8 and end with a zero byte, but for records, which are bytes with a length.
 * Positions and moves are in the game's own notation, which for "mini-shogi" is that of the
 * Universal Shogi Interface: SFEN ("rbsgk/4p/5/P4/KGSBR b - 1") and USI ("5d5c", "G*3c", "3b3a+").
 * For "petits-carres" a position is a grid with its lines ("2x2 a0b000ab0000 1 b000"), and a move
 * the number of a line ("12") or a box with a side ("A1R"). Other spellings are read and written as
 * whole records.
 *
 * Errors. Functions that can refuse return a status: KOMADAI_OK, which is 0, or another number,
 * which komadai_status_code() turns into a word that stays the same from release to release; the
 * numbers do not. Any of them may be "no-memory", which is not repeated below. A refusal changes
 * nothing, and writes no out-parameter but the error. Pointers may be NULL only where it is said,
 * and numbers must be in their range: anything else is a mistake of the calling program, and not
 * checked. JSON is read by jansson: where the program gives that library other functions for
 * memory, they must set errno to ENOMEM as malloc() does, or "no-memory" may go unnoticed.
 *
 * Rules. Mini Shogi is played as in the UEC cup of the University of
 * Electro-Communications (ruleset "uec", the default), or as on the page of kawu
 * ("kawu"); a ruleset is the start, what repetition does, and the greatest number of plies. Petits
 * carrés (Dots and Boxes) has one ruleset, "standard", and begins with 6 rows of 7 boxes; a set-up
 * has 1 to 8 of either.
 * docs/api.md in the source describes each format, and names its source.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KOMADAI_API __attribute__((visibility("default")))
#define KOMADAI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define KOMADAI_API
#define KOMADAI_MUST_CHECK
#endif

enum {
	KOMADAI_OK = 0,
	KOMADAI_MOVE_TEXT = 16,      /* bytes that hold any move as text, its zero included */
	KOMADAI_POSITION_TEXT = 256, /* likewise any position, and any key of one */
	KOMADAI_PLIES_MAX = 20000,   /* the most plies of one game; then "game-too-long" */
	KOMADAI_RECORD_MAX = 4 << 20 /* the most bytes of one record; else "text-too-long" */
};

struct komadai_game;

/* The release, as "0.1.0". */
KOMADAI_API const char *komadai_version(void);

/* ------------------------------------ Statuses ------------------------------------ */

/* The word for a status, as "drop-two-pawns"; "unknown" for a number that is none. */
KOMADAI_API const char *komadai_status_code(int status);

/* One English sentence for it, without a final stop. */
KOMADAI_API const char *komadai_status_text(int status);

/*
 * What is wrong with a record, and where: `line` and `column` count from 1, the column in bytes, in
 * the text as it was given; a byte order mark is not counted. Where no byte is at fault, both
 * are 1.
 */
struct komadai_error {
	int status;
	uint32_t line;
	uint32_t column;
};

/* ------------------------------------- Names -------------------------------------- */

/*
 * The name of each game there is, by number from 0 on; NULL after the last. Of a game of that name,
 * the names of its rulesets, the default first, and of the formats of its records: "json",
 * and for "mini-shogi" "sfen", "usi" and others. NULL after the last, and for a game that there is
 * not.
 */
KOMADAI_API const char *komadai_game_name(size_t number);
KOMADAI_API const char *komadai_ruleset_name(const char *game, size_t number);
KOMADAI_API const char *komadai_format_name(const char *game, size_t number);

/* ------------------------------- Making and playing ------------------------------- */

/*
 * A game at its start. `game` is one of the names above. `ruleset` is one of that game's; NULL is
 * its default. Refuses with "game-unknown" and "ruleset-unknown".
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_create(
	const char *game, const char *ruleset, struct komadai_game **made);

/*
 * A game that begins with a position. Where the text is refused, `*column` is the byte at fault,
 * counted from 1; `column` may be NULL. A position in which the game is over is accepted.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_setup(const char *game, const char *ruleset,
	const char *position, uint32_t *column, struct komadai_game **made);

/* Does nothing with NULL. */
KOMADAI_API void komadai_game_destroy(struct komadai_game *game);

/*
 * Plays a move of the side to move, or "resign" where the game knows that. Refuses what is no move
 * (with its `*column`, as above), what the rules do not allow (`*column` is 1), and anything after
 * the end. A record that had ended otherwise (komadai_game_end()) goes on.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_play(
	struct komadai_game *game, const char *move, uint32_t *column);

/*
 * Takes back the last move or resignation, after the end too, with its comment and time, and the
 * end of the record, by playing the others again from the start: in time that grows with the game.
 * False: there is none.
 */
KOMADAI_API bool komadai_game_undo(struct komadai_game *game);

/* ------------------------------------ Looking ------------------------------------- */

/* Which game it is, and its ruleset: one of the names above. */
KOMADAI_API const char *komadai_game_kind(const struct komadai_game *game);
KOMADAI_API const char *komadai_game_ruleset(const struct komadai_game *game);

/* How many moves were played since the start, a resignation included, less those taken back. */
KOMADAI_API size_t komadai_game_plies(const struct komadai_game *game);

/* The move of that number, from 0 on and below komadai_game_plies(), as text. */
KOMADAI_API void komadai_game_move(
	const struct komadai_game *game, size_t ply, char text[KOMADAI_MOVE_TEXT]);

/*
 * Calls `visit` with each legal move, in no order, resignation left out; returns their number, 0
 * after the end. `visit` may be NULL. `move` lives until `visit` returns; `visit` must not change
 * the game.
 */
KOMADAI_API size_t komadai_game_legal(const struct komadai_game *game,
	void (*visit)(void *context, const char *move), void *context);

/* Where a game stands. */
struct komadai_verdict {
	int player; /* who moves: 0 (who began) or 1; after the end, who would */
	bool over;
	int winner; /* 0, 1, or -1: nobody (yet) */
	/* "checkmate", "repetition", ...; NULL while the game goes on, or where the score decided
	 */
	const char *reason;
};

KOMADAI_API void komadai_game_verdict(
	const struct komadai_game *game, struct komadai_verdict *verdict);

/* What each player has won so far; false: the game has no scores, and `scores` is as it was. */
KOMADAI_API bool komadai_game_scores(const struct komadai_game *game, int scores[2]);

/*
 * Whether the side to move is in check; after the end, the side that would move. False in a game
 * that knows no check.
 */
KOMADAI_API bool komadai_game_check(const struct komadai_game *game);

/* The position as text, which komadai_game_setup() reads. */
KOMADAI_API void komadai_game_position(
	const struct komadai_game *game, char text[KOMADAI_POSITION_TEXT]);

/*
 * A key of the position: two positions of a game are the same for its rules, repetition included,
 * exactly when their keys are the same text. For "mini-shogi" it is the position without the number
 * of the move; for "petits-carres" the drawn lines, who moves, and the score.
 */
KOMADAI_API void komadai_game_key(
	const struct komadai_game *game, char text[KOMADAI_POSITION_TEXT]);

/*
 * The number of legal sequences of `depth` plies from the position, by which generators of moves
 * are compared; `depth` is 0 or more. No rule on repetition or length ends one. `bulk` counts the
 * last ply without making its moves, which is faster and gives the same number.
 */
KOMADAI_API uint64_t komadai_game_perft(const struct komadai_game *game, int depth, bool bulk);

/* ------------------------------------ Records ------------------------------------- */

/*
 * Makes a game of a record: `length` bytes, at most KOMADAI_RECORD_MAX, in UTF-8 with or without a
 * byte order mark, or in Shift_JIS (code page 932), whose lines end with LF, CRLF or CR. `format`
 * is one of the names of komadai_format_name(). `ruleset` NULL is the one that the record names,
 * where its format has a place for that, or the default.
 *
 * The record is refused as a whole, with "game-unknown", "ruleset-unknown", "format-unknown",
 * "text-encoding", "text-too-long" or what is wrong with it at its first fault; `error` may be
 * NULL.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_read(const char *game, const char *ruleset,
	const char *format, const void *bytes, size_t length, struct komadai_error *error,
	struct komadai_game **made);

enum komadai_encoding { KOMADAI_UTF_8, KOMADAI_SHIFT_JIS };

/*
 * Writes a game as a record, in lines that end with LF. `*bytes` is the caller's, to be given to
 * komadai_text_free(); a zero byte follows the `*length` bytes; `length` may be NULL. What a format
 * has no place for is left out: "json" leaves out nothing.
 *
 * Refuses with "format-unknown"; with "text-too-long" what komadai_game_read() could not read; and
 * with "text-no-code" a character that Shift_JIS lacks, at its place in the record. `error` may be
 * NULL.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_write(const struct komadai_game *game,
	const char *format, enum komadai_encoding encoding, struct komadai_error *error,
	char **bytes, size_t *length);

/* Does nothing with NULL. */
KOMADAI_API void komadai_text_free(char *bytes);

/*
 * Headers: names with values, in the order in which they were read or set. These names are the same
 * in every format: "First" and "Second" (the players: Sente and Gote), "Event", "Site",
 * "Begin" and "End" ("2026/11/30" or "2026/11/30 19:00:00"). Others keep the name under which they
 * were read.
 */
KOMADAI_API size_t komadai_game_header_count(const struct komadai_game *game);

/* The header of that number, from 0 on and below their count. */
KOMADAI_API void komadai_game_header(
	const struct komadai_game *game, size_t number, const char **name, const char **value);

/* NULL: there is no header of that name. */
KOMADAI_API const char *komadai_game_header_value(
	const struct komadai_game *game, const char *name);

/*
 * Replaces the value of a header, or adds one after the others. Refuses with "sheet-member-value"
 * an empty name and an end of line in either, with "text-encoding" what is not UTF-8, and with
 * "text-too-long" where there would be more than 1000 headers, or headers and comments of more than
 * 1 MiB together.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_set_header(
	struct komadai_game *game, const char *name, const char *value);

/*
 * The comment on the position after `ply` plies, from 0 to komadai_game_plies(), its lines
 * separated by LF; NULL: none.
 */
KOMADAI_API const char *komadai_game_comment(const struct komadai_game *game, size_t ply);

/*
 * Adds lines, separated by LF, to the comment on the position now on the board. Refuses a CR, and
 * otherwise as komadai_game_set_header() does.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_add_comment(
	struct komadai_game *game, const char *text);

/*
 * The time that the move of that number took, in milliseconds; -1: not known. Set for the last move
 * played, of which there is one, 0 or more. Not every format has a place for it.
 */
KOMADAI_API int64_t komadai_game_time(const struct komadai_game *game, size_t ply);
KOMADAI_API void komadai_game_set_time(struct komadai_game *game, int64_t milliseconds);

/*
 * How the record ended where the rules have not ended the game: NULL, or
 *
 *	"interrupted"     adjourned or broken off
 *	"time-up"         the side to move ran out of time
 *	"illegal-move"    the side to move made an illegal move, and lost
 *	"illegal-before"  the other side did, with its last move
 *	"draw"            agreed or declared, impasse included
 *	"repetition"      called by the players before the rules would
 *	"declared-win"    the side to move claimed the win, as by entering king
 *	"win"             the side to move won; how is not told
 *	"mate"            called mate, though a move is left
 */
KOMADAI_API const char *komadai_game_end(const struct komadai_game *game);

/*
 * Sets one of these words, or with NULL none. Refuses any other with "sheet-end-word", and any but
 * NULL with "sheet-end" when the game is over.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_set_end(struct komadai_game *game, const char *end);

/* --------------------------- Analysis of Petits carrés ---------------------------- */

/*
 * What there is to say of one position of Petits carrés: who can get how many of the boxes, what
 * each free line is worth and why, and which strings there are. It is made once, belongs to the
 * caller, and knows nothing of the game any more; all that it hands out lives as long as it does.
 */
struct komadai_boxes_analysis;

enum {
	KOMADAI_BOXES_THREADS_MAX = 64,
	/* Instead of a nimber, which is 0 or more. */
	KOMADAI_BOXES_LOONY = -1,  /* who moves may choose who goes on */
	KOMADAI_BOXES_UNKNOWN = -2 /* it takes too long to find */
};

/* Where the search for values ends at the latest. */
struct komadai_boxes_limits {
	uint64_t nodes;        /* positions that it looks at; 0: any number */
	uint64_t milliseconds; /* 0: any time */
	size_t memory;         /* bytes of what it remembers; 0: by the free lines, 4 to 256 MiB */
	int threads; /* 1 to KOMADAI_BOXES_THREADS_MAX, the caller's included; 0: that one */
	/*
	 * Asked again and again, on the caller's thread: true ends the search. It must not change
	 * the game. NULL: nobody is asked.
	 */
	bool (*should_stop)(void *context);
	void *context;
};

/*
 * Analyses the position of a game of "petits-carres", which may be over. Refuses any other game
 * with "game-other", and other numbers of threads with "thread-count". `limits` NULL: all of them
 * are 0.
 *
 * A limit that is reached is no refusal: bounds then say how much was found out. No more nodes are
 * visited than it allows, by all threads; the time is looked at every few thousand nodes. Positions
 * of more than 64 free lines are not searched, and of about 30 free lines on a search takes
 * seconds, of about 40 minutes, and soon days: whoever sets no limit waits. The nimber may take
 * half a second more; beside what is remembered it all takes 4 MiB.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_boxes_analyse(const struct komadai_game *game,
	const struct komadai_boxes_limits *limits, struct komadai_boxes_analysis **made);

/* Does nothing with NULL. */
KOMADAI_API void komadai_boxes_analysis_destroy(struct komadai_boxes_analysis *analysis);

/*
 * Between which numbers a value lies; where they are equal it is known. A value is the number of
 * boxes still to be closed that go to who moves, less those of the other, under best play of both.
 */
struct komadai_boxes_bounds {
	int low;
	int high;
};

struct komadai_boxes_summary {
	struct komadai_boxes_bounds value; /* of the position */
	bool best_known;         /* of each line it was found whether it keeps the value */
	int nimber;              /* in Nimstring; or KOMADAI_BOXES_LOONY, KOMADAI_BOXES_UNKNOWN */
	size_t lines;            /* of the grid, free or not */
	size_t free_lines;       /* not drawn yet */
	size_t safe_lines;       /* of these, see below */
	size_t open_boxes;       /* not closed yet */
	size_t takeable_count;   /* of these, such as one line closes */
	const uint8_t *takeable; /* the numbers of those */
	size_t strings;
	uint64_t nodes; /* positions that were searched */
};

KOMADAI_API const struct komadai_boxes_summary *komadai_boxes_analysis_summary(
	const struct komadai_boxes_analysis *analysis);

/*
 * A chain or a loop: boxes with two free lines each, that hang together by them. Where it ends:
 *
 *	"open"         at one end at least is a box that can be taken at once
 *	"joints"       none is, but at one end at least is a box with three or four free lines
 *	"independent"  neither: it leads off the grid at both ends, or is a loop
 */
struct komadai_boxes_string {
	bool loop;
	bool is_long; /* three boxes or more: can be answered by a double-dealing move */
	const char *ends;
	size_t length;        /* in boxes */
	const uint8_t *boxes; /* their numbers, from one end to the other, or once round */
	size_t line_count;    /* one more than boxes; of a loop as many */
	const uint8_t *lines; /* likewise: each box is between a line and the next */
};

/* The string of that number, from 0 on; NULL after the last. */
KOMADAI_API const struct komadai_boxes_string *komadai_boxes_analysis_string(
	const struct komadai_boxes_analysis *analysis, size_t number);

/*
 * A free line. What it does is a word that stays the same from release to release, and an English
 * sentence with its numbers, without a capital and a final stop:
 *
 *	"takes"           closes 1 or 2 boxes
 *	"double-dealing"  leaves the last 2 boxes of a chain, or 4 of a loop, and the next move
 *	"declines"        leaves boxes that could be taken, in another way
 *	"safe"            gives no box a third side, where nothing can be taken
 *	"hands-over"      hands over 1 box, or more that must be taken one by one
 *	"hard-hearted"    hands over 2 boxes by the line between them
 *	"half-hearted"    the same by another line: they need not be taken
 *	"opens-chain"     opens a chain of 3 boxes or more
 *	"opens-loop"      opens a loop
 */
struct komadai_boxes_line {
	const char *name;                  /* by a box and a side: "A1R" */
	struct komadai_boxes_bounds score; /* the value after it, seen by who moves before it */
	bool best;                         /* keeps the value; false where that is not known */
	bool safe;                         /* closes no box, and gives none a third side */
	bool loony;                        /* lets the other choose who goes on */
	int boxes;                         /* closed by it, or else left for the other to take */
	const char *reason;
	const char *sentence;
};

/* The line of that number, as moves are numbered; NULL: there is none, or it is drawn. */
KOMADAI_API const struct komadai_boxes_line *komadai_boxes_analysis_line(
	const struct komadai_boxes_analysis *analysis, size_t number);

#ifdef __cplusplus
}
#endif

#endif
