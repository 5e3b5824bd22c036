/* SPDX-License-Identifier: MIT */
#include "game/line.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_FIRST_CAPACITY = 64 }; /* plies; most games of Mini Shogi end before */

/*
 * `records[ply]` belongs to the position before `actions[ply]` and is followed by one more, of the
 * current position: `plies` actions, `plies + 1` records.
 */
struct game_line {
	const struct game_ops *ops;
	const char *ruleset;
	struct game_state start;
	struct game_state state;
	struct game_action *actions;
	struct game_record *records;
	size_t plies;
	size_t capacity; /* of `actions`; `records` holds one more */
};

/* Makes room for `plies` plies in all. On failure the line holds what it held. */
static enum status line_reserve(struct game_line *line, size_t plies)
{
	size_t capacity = line->capacity ? line->capacity : LINE_FIRST_CAPACITY;
	struct game_record *records;
	struct game_action *actions;

	assert(plies <= GAME_PLIES_MAX);
	if (line->capacity && plies <= line->capacity)
		return STATUS_OK;
	while (capacity < plies)
		capacity *= 2;
	if (capacity > GAME_PLIES_MAX)
		capacity = GAME_PLIES_MAX;

	records = realloc(line->records, (capacity + 1) * sizeof(*records));
	if (!records)
		return STATUS_NO_MEMORY;
	line->records = records;
	actions = realloc(line->actions, capacity * sizeof(*actions));
	if (!actions)
		return STATUS_NO_MEMORY;
	line->actions = actions;
	line->capacity = capacity;
	return STATUS_OK;
}

/* The static name of a ruleset that `ops` has taken. */
static const char *ruleset_name(const struct game_ops *ops, const char *ruleset)
{
	const char *const *name = ops->rulesets;

	while (ruleset && strcmp(*name, ruleset) != 0)
		name++;
	return *name;
}

/* A line without a state: the caller writes `start`, `state` and the first record. */
static struct game_line *line_allocate(const struct game_ops *ops, size_t plies)
{
	struct game_line *line = calloc(1, sizeof(*line));

	if (!line)
		return NULL;
	line->ops = ops;
	if (line_reserve(line, plies) != STATUS_OK) {
		game_line_destroy(line);
		return NULL;
	}
	return line;
}

enum status game_line_create(
	const struct game_ops *ops, const char *ruleset, struct game_line **line)
{
	struct game_line *made = line_allocate(ops, 0);
	enum status status;

	if (!made)
		return STATUS_NO_MEMORY;
	status = ops->start(ruleset, &made->start, &made->records[0]);
	if (status != STATUS_OK)
		goto fail;
	made->ruleset = ruleset_name(ops, ruleset);
	made->state = made->start;
	*line = made;
	return STATUS_OK;
fail:
	game_line_destroy(made);
	return status;
}

enum status game_line_setup(const struct game_ops *ops, const char *ruleset, const char *text,
	size_t length, struct text_error *error, struct game_line **line)
{
	struct game_line *made = line_allocate(ops, 0);
	enum status status;

	if (!made) {
		*error = (struct text_error){STATUS_NO_MEMORY, 1, 1};
		return STATUS_NO_MEMORY;
	}
	status = ops->setup(ruleset, text, length, error, &made->start, &made->records[0]);
	if (status != STATUS_OK)
		goto fail;
	made->ruleset = ruleset_name(ops, ruleset);
	made->state = made->start;
	*line = made;
	return STATUS_OK;
fail:
	game_line_destroy(made);
	return status;
}

void game_line_destroy(struct game_line *line)
{
	if (!line)
		return;
	free(line->actions);
	free(line->records);
	free(line);
}

/* What the rules say first, then the cap: a move that is illegal anyway is called so. */
static enum status line_judge(const struct game_line *line, struct game_action action,
	struct game_state *next, struct game_record *record)
{
	struct game_history history = game_line_history(line);
	enum status status = line->ops->play(&line->state, &history, action, next, record);

	if (status == STATUS_OK && line->plies == GAME_PLIES_MAX)
		return STATUS_GAME_TOO_LONG;
	return status;
}

enum status game_line_play(struct game_line *line, struct game_action action)
{
	struct game_state next;
	struct game_record record;
	enum status status = line_judge(line, action, &next, &record);

	if (status != STATUS_OK)
		return status;
	status = line_reserve(line, line->plies + 1);
	if (status != STATUS_OK)
		return status;
	line->actions[line->plies] = action;
	line->plies++;
	line->records[line->plies] = record;
	line->state = next;
	return STATUS_OK;
}

enum status game_line_try(const struct game_line *line, struct game_action action)
{
	struct game_state next;
	struct game_record record;

	return line_judge(line, action, &next, &record);
}

/*
 * The state after the first `plies` plies, fewer than were played. The rules on repetition may be
 * left out: the line went on from each of these positions, so none of them ended the game.
 */
static struct game_state line_replay(const struct game_line *line, size_t plies)
{
	struct game_state state = line->start;

	assert(plies < line->plies);
	for (size_t ply = 0; ply < plies; ply++) {
		struct game_state next;
		struct game_record record;
		enum status status =
			line->ops->play(&state, NULL, line->actions[ply], &next, &record);

		assert(status == STATUS_OK);
		(void)status;
		state = next;
	}
	return state;
}

bool game_line_undo(struct game_line *line)
{
	if (line->plies == 0)
		return false;
	line->state = line_replay(line, line->plies - 1);
	line->plies--;
	return true;
}

enum status game_line_copy(const struct game_line *line, size_t plies, struct game_line **copy)
{
	struct game_line *made;

	assert(plies <= line->plies);
	made = line_allocate(line->ops, plies);
	if (!made)
		return STATUS_NO_MEMORY;
	made->ruleset = line->ruleset;
	made->start = line->start;
	/* The last position is not replayed: repetition may be what ended the game there. */
	made->state = plies == line->plies ? line->state : line_replay(line, plies);
	memcpy(made->actions, line->actions, plies * sizeof(*made->actions));
	memcpy(made->records, line->records, (plies + 1) * sizeof(*made->records));
	made->plies = plies;
	*copy = made;
	return STATUS_OK;
}

const struct game_ops *game_line_ops(const struct game_line *line)
{
	return line->ops;
}

const char *game_line_ruleset(const struct game_line *line)
{
	return line->ruleset;
}

const struct game_state *game_line_start(const struct game_line *line)
{
	return &line->start;
}

bool game_line_is_from_start(const struct game_line *line)
{
	struct game_state start;
	struct game_record record;
	char own[GAME_SETUP_TEXT];
	char usual[GAME_SETUP_TEXT];
	struct text text;
	enum status status = line->ops->start(line->ruleset, &start, &record);

	assert(status == STATUS_OK);
	(void)status;
	text_init(&text, own, sizeof(own));
	line->ops->state_write(&line->start, &text);
	text_init(&text, usual, sizeof(usual));
	line->ops->state_write(&start, &text);
	return strcmp(own, usual) == 0;
}

const struct game_state *game_line_state(const struct game_line *line)
{
	return &line->state;
}

struct game_summary game_line_summary(const struct game_line *line)
{
	return line->ops->summary(&line->state);
}

size_t game_line_plies(const struct game_line *line)
{
	return line->plies;
}

struct game_action game_line_action(const struct game_line *line, size_t ply)
{
	assert(ply < line->plies);
	return line->actions[ply];
}

struct game_history game_line_history(const struct game_line *line)
{
	return (struct game_history){line->records, line->plies + 1};
}

void game_record_write_json(
	const struct game_ops *ops, const struct game_record *record, struct text *text)
{
	text_add(text, "{\"key\":\"");
	ops->key_write(&record->key, text);
	text_add(text, "\",\"by\":");
	if (record->by >= 0)
		text_add_number(text, record->by);
	else
		text_add(text, "null");
	text_add(text, ",\"check\":");
	text_add(text, record->check ? "true}" : "false}");
}

void game_line_write_json(const struct game_line *line, bool with_records, struct text *text)
{
	text_add_char(text, '{');
	line->ops->state_write_json(&line->state, text);
	if (with_records) {
		text_add(text, ",\"records\":[");
		for (size_t i = 0; i <= game_line_summary(line).moves; i++) {
			if (i)
				text_add_char(text, ',');
			game_record_write_json(line->ops, &line->records[i], text);
		}
		text_add_char(text, ']');
	}
	text_add_char(text, '}');
}
