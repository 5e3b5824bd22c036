/* SPDX-License-Identifier: MIT */

/*
 * The rules for the browser: one line of one game, driven through numbers and the two buffers of
 * buffers.h, with nothing imported.
 */
#include <stdlib.h>
#include <string.h>

#include "game/line.h"
#include "wasm/buffers.h"
#include "wasm/current.h"

/* The longest answer: every legal action, twice told. A state is shorter. */
enum { LEGAL_JSON = 96 };

_Static_assert(WASM_OUTPUT_BYTES >= LEGAL_JSON * GAME_ACTIONS_MAX, "all actions fit the output");
_Static_assert(WASM_OUTPUT_BYTES >= GAME_STATE_JSON, "a state fits the output");

static struct game_line *line;

EXPORT(start) enum status wasm_start(size_t rules_length);
EXPORT(setup) enum status wasm_setup(size_t rules_length, size_t text_length);
EXPORT(play) enum status wasm_play(size_t length);
EXPORT(follow) int wasm_follow(size_t length);
EXPORT(undo) int wasm_undo(void);
EXPORT(rewind) enum status wasm_rewind(size_t plies);
EXPORT(state) void wasm_state(void);
EXPORT(record) void wasm_record(void);
EXPORT(position) void wasm_position(void);
EXPORT(legal) void wasm_legal(void);
EXPORT(check) int wasm_check(void);

struct game_line *wasm_current(void)
{
	if (!line)
		__builtin_trap();
	return line;
}

static struct game_record latest_record(void)
{
	struct game_history history = game_line_history(wasm_current());

	return history.records[history.count - 1];
}

static void line_replace(struct game_line *next)
{
	game_line_destroy(line);
	line = next;
}

/* The name of the rules at the front of the input; NULL, the default, when it is empty. */
static enum status read_rules(size_t length, char name[32], const char **rules)
{
	if (length >= 32 || memchr(wasm_input_buffer, 0, length))
		return STATUS_RULESET_UNKNOWN;
	memcpy(name, wasm_input_buffer, length);
	name[length] = 0;
	*rules = length ? name : NULL;
	return STATUS_OK;
}

enum status wasm_start(size_t rules_length)
{
	char name[32];
	const char *rules;
	struct game_line *made;
	enum status status = read_rules(rules_length, name, &rules);

	if (status == STATUS_OK)
		status = game_line_create(wasm_game, rules, &made);
	if (status == STATUS_OK)
		line_replace(made);
	return status;
}

enum status wasm_setup(size_t rules_length, size_t text_length)
{
	char name[32];
	const char *rules;
	struct game_line *made;
	enum status status = read_rules(rules_length, name, &rules);

	wasm_fault = (struct text_error){0};
	if (status != STATUS_OK)
		return status;
	if (text_length > WASM_INPUT_BYTES - rules_length)
		return STATUS_TEXT_TOO_LONG;
	status = game_line_setup(wasm_game, rules, wasm_input_buffer + rules_length, text_length,
		&wasm_fault, &made);
	if (status == STATUS_OK)
		line_replace(made);
	return status;
}

enum status wasm_play(size_t length)
{
	struct text_error error;
	struct game_action action;
	enum status status;

	if (length > WASM_INPUT_BYTES)
		return STATUS_TEXT_TOO_LONG;
	status = wasm_game->action_read(
		game_line_state(wasm_current()), wasm_input_buffer, length, &error, &action);
	return status == STATUS_OK ? game_line_play(wasm_current(), action) : status;
}

/*
 * Plays the one legal action that leads to the position of the input, which may be the text of a
 * key: so a line comes back from its records. 0 when there is none, and nothing is played.
 */
int wasm_follow(size_t length)
{
	const struct game_state *from = game_line_state(wasm_current());
	struct game_action actions[GAME_ACTIONS_MAX];
	struct text_error error;
	struct game_state state;
	struct game_record wanted;
	struct game_record record;
	size_t count;

	if (length > WASM_INPUT_BYTES ||
		wasm_game->setup(game_line_ruleset(line), wasm_input_buffer, length, &error, &state,
			&wanted) != STATUS_OK)
		return 0;
	count = wasm_game->legal(from, actions);
	for (size_t i = 0; i < count; i++)
		if (wasm_game->play(from, NULL, actions[i], &state, &record) == STATUS_OK &&
			memcmp(&record.key, &wanted.key, sizeof(record.key)) == 0)
			return game_line_play(line, actions[i]) == STATUS_OK;
	return 0;
}

int wasm_undo(void)
{
	return game_line_undo(wasm_current());
}

/* Back to where the line had `plies` plies; it has no fewer. */
enum status wasm_rewind(size_t plies)
{
	struct game_line *made;
	enum status status;

	if (plies > game_line_plies(wasm_current()))
		__builtin_trap();
	status = game_line_copy(line, plies, &made);
	if (status == STATUS_OK)
		line_replace(made);
	return status;
}

/* Without its records, which grow with the game: each is told by `record` when it is new. */
void wasm_state(void)
{
	game_line_write_json(wasm_current(), false, wasm_output_begin());
}

void wasm_record(void)
{
	struct game_record record = latest_record();

	game_record_write_json(wasm_game, &record, wasm_output_begin());
}

void wasm_position(void)
{
	wasm_game->state_write(game_line_state(wasm_current()), wasm_output_begin());
}

void wasm_legal(void)
{
	struct text *text = wasm_output_begin();
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = wasm_game->legal(game_line_state(wasm_current()), actions);

	text_add_char(text, '[');
	for (size_t i = 0; i < count; i++) {
		text_add(text, i ? ",{\"usi\":\"" : "{\"usi\":\"");
		wasm_game->action_write(actions[i], text);
		text_add(text, "\",\"action\":");
		wasm_game->action_write_json(actions[i], text);
		text_add_char(text, '}');
	}
	text_add_char(text, ']');
}

int wasm_check(void)
{
	return latest_record().check;
}
