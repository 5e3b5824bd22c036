/* SPDX-License-Identifier: MIT */
#include "komadai/komadai.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "api/record.h"
#include "base/utf8.h"
#include "boxes/boxes.h"
#include "shogi/shogi.h"

_Static_assert(KOMADAI_OK == (int)STATUS_OK, "the statuses are the table's");
_Static_assert(KOMADAI_MOVE_TEXT >= (int)GAME_ACTION_TEXT, "any move fits");
_Static_assert(KOMADAI_POSITION_TEXT >= (int)GAME_SETUP_TEXT, "any position fits");
_Static_assert(KOMADAI_PLIES_MAX == (int)GAME_PLIES_MAX, "the cap is the house's");
_Static_assert(KOMADAI_RECORD_MAX == (int)ENCODING_BYTES_MAX, "the cap is the reader's");
_Static_assert(KOMADAI_UTF_8 == (int)RECORD_UTF8, "the encodings are the writer's");
_Static_assert(KOMADAI_SHIFT_JIS == (int)RECORD_SHIFT_JIS, "the encodings are the writer's");

static const struct game_ops *const games[] = {&mini_shogi, &petits_carres, NULL};

const char *komadai_version(void)
{
	return KOMADAI_VERSION;
}

static bool is_status(int status)
{
	return status >= 0 && status < (int)STATUS_COUNT;
}

const char *komadai_status_code(int status)
{
	return is_status(status) ? status_code((enum status)status) : "unknown";
}

const char *komadai_status_text(int status)
{
	return is_status(status) ? status_text((enum status)status) : "this number is no status";
}

const char *komadai_game_name(size_t number)
{
	return number < sizeof(games) / sizeof(games[0]) - 1 ? games[number]->name : NULL;
}

const char *komadai_ruleset_name(const char *game, size_t number)
{
	const struct game_ops *ops = game_find(games, game);
	const char *const *name = ops ? ops->rulesets : NULL;

	while (name && *name && number--)
		name++;
	return name ? *name : NULL;
}

const char *komadai_format_name(const char *game, size_t number)
{
	const struct game_ops *ops = game_find(games, game);

	return ops ? record_format_name(ops, number) : NULL;
}

int komadai_game_create(const char *game, const char *ruleset, struct komadai_game **made)
{
	const struct game_ops *ops = game_find(games, game);
	struct game_sheet *sheet;
	enum status status;

	if (!ops)
		return STATUS_GAME_UNKNOWN;
	status = game_sheet_create(ops, ruleset, &sheet);
	if (status == STATUS_OK)
		*made = handle_of(sheet);
	return (int)status;
}

static void tell_column(uint32_t *column, uint32_t number)
{
	if (column)
		*column = number;
}

int komadai_game_setup(const char *game, const char *ruleset, const char *position,
	uint32_t *column, struct komadai_game **made)
{
	const struct game_ops *ops = game_find(games, game);
	struct text_error error;
	struct game_sheet *sheet;
	enum status status;

	if (!ops) {
		tell_column(column, 1);
		return STATUS_GAME_UNKNOWN;
	}
	status = game_sheet_setup(ops, ruleset, position, strlen(position), &error, &sheet);
	if (status == STATUS_OK)
		*made = handle_of(sheet);
	else
		tell_column(column, error.column);
	return (int)status;
}

void komadai_game_destroy(struct komadai_game *game)
{
	game_sheet_destroy(sheet_of(game));
}

int komadai_game_play(struct komadai_game *game, const char *move, uint32_t *column)
{
	const struct game_line *line = line_read(game);
	struct text_error error = {STATUS_OK, 1, 1};
	struct game_action action;
	enum status status = game_line_ops(line)->action_read(
		game_line_state(line), move, strlen(move), &error, &action);

	if (status == STATUS_OK)
		status = game_sheet_play(sheet_of(game), action);
	if (status == STATUS_OK)
		game_sheet_set_end(sheet_of(game), GAME_SHEET_OPEN);
	else
		tell_column(column, error.column);
	return (int)status;
}

bool komadai_game_undo(struct komadai_game *game)
{
	return game_sheet_undo(sheet_of(game));
}

const char *komadai_game_kind(const struct komadai_game *game)
{
	return game_line_ops(line_read(game))->name;
}

const char *komadai_game_ruleset(const struct komadai_game *game)
{
	return game_line_ruleset(line_read(game));
}

size_t komadai_game_plies(const struct komadai_game *game)
{
	return game_line_plies(line_read(game));
}

static void write_action(
	const struct game_ops *ops, struct game_action action, char buffer[KOMADAI_MOVE_TEXT])
{
	struct text text;

	text_init(&text, buffer, KOMADAI_MOVE_TEXT);
	ops->action_write(action, &text);
	assert(!text.overflow);
}

void komadai_game_move(const struct komadai_game *game, size_t ply, char text[KOMADAI_MOVE_TEXT])
{
	const struct game_line *line = line_read(game);

	write_action(game_line_ops(line), game_line_action(line, ply), text);
}

size_t komadai_game_legal(const struct komadai_game *game,
	void (*visit)(void *context, const char *move), void *context)
{
	const struct game_line *line = line_read(game);
	const struct game_ops *ops = game_line_ops(line);
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = ops->legal(game_line_state(line), actions);

	for (size_t i = 0; visit && i < count; i++) {
		char move[KOMADAI_MOVE_TEXT];

		write_action(ops, actions[i], move);
		visit(context, move);
	}
	return count;
}

void komadai_game_verdict(const struct komadai_game *game, struct komadai_verdict *verdict)
{
	struct game_summary summary = game_line_summary(line_read(game));

	*verdict = (struct komadai_verdict){
		.player = summary.player,
		.over = summary.over,
		.winner = summary.winner,
		.reason = game_reason_name(summary.reason),
	};
}

bool komadai_game_scores(const struct komadai_game *game, int scores[2])
{
	struct game_summary summary = game_line_summary(line_read(game));

	if (!summary.has_scores)
		return false;
	scores[0] = summary.scores[0];
	scores[1] = summary.scores[1];
	return true;
}

static struct game_record newest_record(const struct komadai_game *game)
{
	struct game_history history = game_line_history(line_read(game));

	return history.records[history.count - 1];
}

bool komadai_game_check(const struct komadai_game *game)
{
	return newest_record(game).check;
}

void komadai_game_position(const struct komadai_game *game, char text[KOMADAI_POSITION_TEXT])
{
	const struct game_line *line = line_read(game);
	struct text out;

	text_init(&out, text, KOMADAI_POSITION_TEXT);
	game_line_ops(line)->state_write(game_line_state(line), &out);
	assert(!out.overflow);
}

void komadai_game_key(const struct komadai_game *game, char text[KOMADAI_POSITION_TEXT])
{
	struct game_record record = newest_record(game);
	struct text out;

	text_init(&out, text, KOMADAI_POSITION_TEXT);
	game_line_ops(line_read(game))->key_write(&record.key, &out);
	assert(!out.overflow);
}

uint64_t komadai_game_perft(const struct komadai_game *game, int depth, bool bulk)
{
	const struct game_line *line = line_read(game);

	return game_line_ops(line)->perft(game_line_state(line), depth, bulk);
}

static int tell_error(struct komadai_error *error, struct text_error found)
{
	if (error)
		*error = (struct komadai_error){(int)found.status, found.line, found.column};
	return (int)found.status;
}

int komadai_game_read(const char *game, const char *ruleset, const char *format, const void *bytes,
	size_t length, struct komadai_error *error, struct komadai_game **made)
{
	const struct game_ops *ops = game_find(games, game);
	struct text_error found = {STATUS_GAME_UNKNOWN, 1, 1};
	struct game_sheet *sheet;

	if (!ops || record_read(ops, ruleset, format, bytes, length, &found, &sheet) != STATUS_OK)
		return tell_error(error, found);
	*made = handle_of(sheet);
	return KOMADAI_OK;
}

int komadai_game_write(const struct komadai_game *game, const char *format,
	enum komadai_encoding encoding, struct komadai_error *error, char **bytes, size_t *length)
{
	struct text_error found;
	struct record_bytes written;

	if (record_write(sheet_read(game), format, (enum record_encoding)encoding, &found,
		    &written) != STATUS_OK)
		return tell_error(error, found);
	*bytes = written.data;
	if (length)
		*length = written.length;
	return KOMADAI_OK;
}

void komadai_text_free(char *bytes)
{
	free(bytes);
}

size_t komadai_game_header_count(const struct komadai_game *game)
{
	return game_sheet_header_count(sheet_read(game));
}

void komadai_game_header(
	const struct komadai_game *game, size_t number, const char **name, const char **value)
{
	struct game_header header = game_sheet_header(sheet_read(game), number);

	*name = header.name;
	*value = header.value;
}

const char *komadai_game_header_value(const struct komadai_game *game, const char *name)
{
	return game_sheet_header_value(sheet_read(game), name);
}

/* `ends` are the ends of lines that the text must not have. */
static enum status check_text(const char *text, const char *ends)
{
	size_t length = strlen(text);

	if (utf8_valid_prefix(text, length) < length)
		return STATUS_TEXT_ENCODING;
	return strpbrk(text, ends) ? STATUS_SHEET_MEMBER_VALUE : STATUS_OK;
}

int komadai_game_set_header(struct komadai_game *game, const char *name, const char *value)
{
	enum status status = *name ? check_text(name, "\r\n") : STATUS_SHEET_MEMBER_VALUE;

	if (status == STATUS_OK)
		status = check_text(value, "\r\n");
	if (status == STATUS_OK)
		status = game_sheet_set_header(
			sheet_of(game), name, strlen(name), value, strlen(value));
	return (int)status;
}

const char *komadai_game_comment(const struct komadai_game *game, size_t ply)
{
	return game_sheet_comment(sheet_read(game), ply);
}

int komadai_game_add_comment(struct komadai_game *game, const char *text)
{
	enum status status = check_text(text, "\r");

	if (status == STATUS_OK)
		status = game_sheet_add_comment(sheet_of(game), text, strlen(text));
	return (int)status;
}

int64_t komadai_game_time(const struct komadai_game *game, size_t ply)
{
	return game_sheet_time(sheet_read(game), ply);
}

void komadai_game_set_time(struct komadai_game *game, int64_t milliseconds)
{
	game_sheet_set_time(sheet_of(game), milliseconds);
}

const char *komadai_game_end(const struct komadai_game *game)
{
	return game_sheet_end_name(game_sheet_end(sheet_read(game)));
}

int komadai_game_set_end(struct komadai_game *game, const char *end)
{
	enum game_sheet_end found = GAME_SHEET_OPEN;

	if (end && !game_sheet_end_find(end, &found))
		return STATUS_SHEET_END_WORD;
	if (end && game_line_summary(line_read(game)).over)
		return STATUS_SHEET_END;
	game_sheet_set_end(sheet_of(game), found);
	return KOMADAI_OK;
}
