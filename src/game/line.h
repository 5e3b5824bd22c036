/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/game.h"

/*
 * A line: one game from its start or set-up, as the list of actions played, the records the rules
 * need, and the state they lead to. It is the only part of a game that grows, by doubling, up to
 * GAME_PLIES_MAX actions. The line owns its memory; pointers it returns live until its next change.
 */
struct game_line;

/* `ops` outlives the line. Each of the two makes `*line` on STATUS_OK only. */
MUST_CHECK enum status game_line_create(
	const struct game_ops *ops, const char *ruleset, struct game_line **line);
MUST_CHECK enum status game_line_setup(const struct game_ops *ops, const char *ruleset,
	const char *text, size_t length, struct text_error *error, struct game_line **line);
void game_line_destroy(struct game_line *line);

/*
 * Refusals leave the line as it was: what the rules say, else STATUS_GAME_TOO_LONG where there are
 * GAME_PLIES_MAX plies already.
 */
MUST_CHECK enum status game_line_play(struct game_line *line, struct game_action action);

/* What `play` would answer, without playing. */
MUST_CHECK enum status game_line_try(const struct game_line *line, struct game_action action);

/*
 * Takes back the last ply, whatever it was, by replaying the others from the start: everything the
 * rules remember goes back with it, exactly. False when no ply was played.
 */
bool game_line_undo(struct game_line *line);

/* A new line that holds the first `plies` plies of this one. */
MUST_CHECK enum status game_line_copy(
	const struct game_line *line, size_t plies, struct game_line **copy);

const struct game_ops *game_line_ops(const struct game_line *line);
/* One of `rulesets` of the operations. */
const char *game_line_ruleset(const struct game_line *line);
/* The state before the first ply; whether it is the start of the ruleset, not a set-up. */
const struct game_state *game_line_start(const struct game_line *line);
bool game_line_is_from_start(const struct game_line *line);
const struct game_state *game_line_state(const struct game_line *line);
struct game_summary game_line_summary(const struct game_line *line);
size_t game_line_plies(const struct game_line *line);
struct game_action game_line_action(const struct game_line *line, size_t ply);
struct game_history game_line_history(const struct game_line *line);

/*
 * The state as one JSON object, its `records` (one {key, by, check} a position, the start included)
 * only when asked for: they may be longer than any fixed buffer.
 */
void game_line_write_json(const struct game_line *line, bool with_records, struct text *text);

/* One record as it stands among the `records` of a state. */
void game_record_write_json(
	const struct game_ops *ops, const struct game_record *record, struct text *text);
