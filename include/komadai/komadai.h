/* SPDX-License-Identifier: MIT */
#ifndef KOMADAI_H
#define KOMADAI_H

/*
 * libkomadai: the rules of Komadai's games for programs in C and what calls C.
 *
 * A `struct komadai_game` is one game from its start on, with every move played, so that the rules
 * on repetition can be applied and moves taken back. It is made by a `create` or `setup` function
 * and belongs to the caller, who gives it to komadai_game_destroy(). The library has no other
 * state: two games may be used by two threads at once, one game by one thread at a time.
 *
 * Texts are zero-terminated and in the game's own notation; for "mini-shogi", positions are SFEN
 * and moves are USI ("5d5c", "G*3c", "3b3a+"). Text that comes back goes into a buffer of the
 * caller's.
 *
 * Functions that can refuse return a status: KOMADAI_OK, which is 0, or another number, which
 * komadai_status_code() turns into a word that stays the same from release to release; the numbers
 * do not. A refusal changes nothing, and writes no out-parameter but `column`. Pointers may be NULL
 * only where it is said: anything else is a mistake of the calling program, and not checked.
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
	KOMADAI_POSITION_TEXT = 256, /* likewise any position */
};

struct komadai_game;

/* The release, as "0.1.0". Static lifetime, as for all texts that are returned. */
KOMADAI_API const char *komadai_version(void);

/* The word for a status, as "drop-two-pawns"; "unknown" for a number that is none. */
KOMADAI_API const char *komadai_status_code(int status);

/* One English sentence for it, without a final stop. */
KOMADAI_API const char *komadai_status_text(int status);

/* The name of each game there is, by number from 0 on; NULL after the last. */
KOMADAI_API const char *komadai_game_name(size_t number);

/*
 * A game at its start. `game` is one of the names above. `ruleset` is one of that game's; NULL is
 * its default. "mini-shogi" has "uec" (the default) and "kawu". Refuses with the codes
 * "game-unknown", "ruleset-unknown" and "no-memory".
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
 * Plays a move of the side to move, or "resign". Refuses what is no move (with its `*column`, as
 * above), what the rules do not allow (`*column` is 1), and anything after the end.
 */
KOMADAI_API KOMADAI_MUST_CHECK int komadai_game_play(
	struct komadai_game *game, const char *move, uint32_t *column);

/* Takes back the last move or resignation, after the end too. False: there is none. */
KOMADAI_API bool komadai_game_undo(struct komadai_game *game);

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
	int player; /* who moves: 0 (Sente) or 1; after the end, who would */
	bool over;
	int winner;         /* 0, 1, or -1: nobody (yet) */
	const char *reason; /* "checkmate", "repetition", ...; NULL while the game goes on */
};

KOMADAI_API void komadai_game_verdict(
	const struct komadai_game *game, struct komadai_verdict *verdict);

/* The position as text, which komadai_game_setup() reads. */
KOMADAI_API void komadai_game_position(
	const struct komadai_game *game, char text[KOMADAI_POSITION_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
