/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/sheet.h"

/*
 * A game as one JSON object, for programs: a format of every game, beside those in its table. Its
 * members, in this order:
 *
 *   game      the game's name; needed
 *   rules     the ruleset's name
 *   start     the position before the first ply, as text (SFEN); absent: the ruleset's start
 *   headers   an object of strings, in the order of the sheet
 *   comment   on the start; lines end with LF
 *   plies     a list of objects; needed
 *     move      the action as text (USI); needed
 *     action    the same as an object, in the shape of docs/api.md
 *     time      milliseconds, a whole number from 0 on
 *     comment   on the position after the ply
 *   end       how the record ended, where the rules do not say: a word of game_sheet_end_name()
 *   state     the state after the last ply, in the shape of docs/api.md
 *
 * What is not known is absent. A writer gives all the others; in a reader `action` and `state` must
 * agree with the moves, as everything that is there counts. Unknown members, members twice and
 * values of another kind are refused.
 */

/*
 * Reads valid UTF-8 without a byte order mark. `ruleset`, when it is not NULL, is known, and must
 * be the text's where the text names one. Each error has its place: that of a value, or of the
 * object that lacks a member; of a bad position or move, the byte within the string.
 */
MUST_CHECK enum status sheet_json_read(const struct game_ops *ops, const char *ruleset,
	const char *text, size_t length, struct text_error *error, struct game_sheet **sheet);

/* Lines end with LF; one line a ply. */
void sheet_json_write(const struct game_sheet *sheet, struct text *text);
