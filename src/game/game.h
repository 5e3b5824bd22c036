/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

/*
 * The table of operations that any game offers, and the plain values they pass. Rooms, the server,
 * the browser and the command line know games through this header alone.
 *
 * All functions are pure: they read what they are given, write their out-parameters, allocate
 * nothing, keep no state, and may be called from any thread. On any status but STATUS_OK the
 * out-parameters (but for the `text_error`) are untouched.
 */

enum {
	GAME_STATE_BYTES = 512, /* room for the state of any game */
	GAME_ACTIONS_MAX = 600, /* legal actions in one state; 593 in Shogi 9x9 */
	GAME_ACTION_TEXT = 16,  /* bytes of an action as text, its final zero included */
	GAME_SETUP_TEXT = 256,  /* likewise of a position as text */
	GAME_STATE_JSON = 8192, /* likewise of a state as JSON, without its records */
	GAME_PLIES_MAX = 20000, /* the technical cap on the length of one game */
};

/*
 * A state is a value: copied by assignment, read and written only by the game it belongs to. Bytes
 * that the game does not use may hold anything, so two states are not compared as bytes.
 */
struct game_state {
	alignas(16) unsigned char bytes[GAME_STATE_BYTES];
};

/* One action of one player in a number of the game's own making. Code 0 is no action. */
struct game_action {
	uint32_t code;
};

/* Two positions are the same for the rules exactly when their keys are equal, word by word. */
enum { GAME_KEY_WORDS = 3 };

struct game_key {
	uint64_t word[GAME_KEY_WORDS];
};

/*
 * What the rules must remember of each position that occurred. `by` is the player who moved into it
 * (-1: the start), `check` whether that move gave check.
 */
struct game_record {
	struct game_key key;
	int8_t by;
	bool check;
};

/* The positions so far, oldest first, the current one last. */
struct game_history {
	const struct game_record *records;
	size_t count;
};

enum game_reason {
	GAME_REASON_NONE,
	GAME_REASON_CHECKMATE,
	GAME_REASON_NO_LEGAL_MOVE,
	GAME_REASON_RESIGNATION,
	GAME_REASON_REPETITION,
	GAME_REASON_PERPETUAL_CHECK,
	GAME_REASON_MUTUAL_PERPETUAL,
	GAME_REASON_PLY_LIMIT,
};

/* "no-legal-move" and so on; NULL for GAME_REASON_NONE. */
const char *game_reason_name(enum game_reason reason);

/* What any game can tell of a state. */
struct game_summary {
	int player;     /* who moves: 0 or 1; after the end, who would move */
	uint32_t moves; /* since the start or set-up; a resignation is a ply, but no move */
	bool over;
	int winner; /* 0, 1, or -1: nobody (yet) */
	enum game_reason reason;
	bool has_scores;
	int scores[2];
};

/* One member of an action that arrived as a flat JSON object of scalars. */
struct game_member {
	const char *name;
	enum { GAME_MEMBER_NUMBER, GAME_MEMBER_BOOL, GAME_MEMBER_TEXT, GAME_MEMBER_OTHER } kind;
	int64_t number;   /* GAME_MEMBER_NUMBER, a whole number; GAME_MEMBER_BOOL, 0 or 1 */
	const char *text; /* GAME_MEMBER_TEXT */
};

struct game_format; /* game/sheet.h */

struct game_ops {
	const char *name;            /* "mini-shogi": in addresses, files and commands */
	const char *const *rulesets; /* names, NULL at the end; the first is the default */

	/* The ways to write games of this kind down, NULL at the end. */
	const struct game_format *const *formats;

	/* The start of `ruleset` (NULL: the default) and the record of its position. */
	MUST_CHECK enum status (*start)(
		const char *ruleset, struct game_state *state, struct game_record *record);

	/* The same for a set-up position. The end of the game is judged in it at once. */
	MUST_CHECK enum status (*setup)(const char *ruleset, const char *text, size_t length,
		struct text_error *error, struct game_state *state, struct game_record *record);

	/*
	 * Plays `action` for the player to move. `history` ends with the record of `state`; NULL
	 * leaves the rules on repetition out, for going again through a line that was judged.
	 */
	MUST_CHECK enum status (*play)(const struct game_state *state,
		const struct game_history *history, struct game_action action,
		struct game_state *next, struct game_record *record);

	/* Every legal action but resignation, in no order; their number. None after the end. */
	size_t (*legal)(
		const struct game_state *state, struct game_action actions[GAME_ACTIONS_MAX]);

	/* Leaves of the tree of legal moves; `bulk` counts the last ply without making it. */
	uint64_t (*perft)(const struct game_state *state, int depth, bool bulk);

	struct game_summary (*summary)(const struct game_state *state);

	/* An action as text (USI), read for its form only: `play` says whether it is legal. */
	MUST_CHECK enum status (*action_read)(const struct game_state *state, const char *text,
		size_t length, struct text_error *error, struct game_action *action);
	/* Visible ASCII without blanks, as `action_read` reads it. */
	void (*action_write)(struct game_action action, struct text *text);

	/*
	 * An action as the members of an object; `bad` is set to the name at fault, a static
	 * string or one of `members`.
	 */
	MUST_CHECK enum status (*action_read_members)(const struct game_state *state,
		const struct game_member *members, size_t count, const char **bad,
		struct game_action *action);
	void (*action_write_json)(struct game_action action, struct text *text);

	/* The members of the state's JSON object, `records` left out: the braces are the caller's.
	 */
	void (*state_write_json)(const struct game_state *state, struct text *text);

	/* The position as text (SFEN), as `setup` reads it. */
	void (*state_write)(const struct game_state *state, struct text *text);

	/* A key as the text that stands for it in JSON, without quotation marks, nothing to escape.
	 */
	void (*key_write)(const struct game_key *key, struct text *text);
};

/* The operations of the game of that name, or NULL. `games` ends with NULL. */
const struct game_ops *game_find(const struct game_ops *const *games, const char *name);
