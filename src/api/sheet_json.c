/* SPDX-License-Identifier: MIT */
#include "api/sheet_json.h"

#include <assert.h>
#include <string.h>

#include "api/json_place.h"
#include "api/json_tree.h"
#include "base/reader.h"

/*
 * What jansson builds of a text may take eighty times its bytes. The longest game has ten values a
 * ply, and the rest of a sheet some thousands.
 */
enum { VALUES_MAX = 1 << 18 };

/* A record nests less than ten deep; jansson would give up at 2048. */
enum { DEPTH_MAX = 64 };

_Static_assert(VALUES_MAX > 10 * GAME_PLIES_MAX + 2 * GAME_SHEET_HEADERS_MAX, "any sheet fits");

/* One reading of a text: where it is, for errors, and what it has made so far. */
struct reading {
	const struct game_ops *ops;
	const char *ruleset;
	const char *text;
	size_t length;
	struct text_error *error;
	struct json_way way;
	struct game_sheet *sheet;
};

/* A member that an object may have; what was found of it. */
struct member {
	const char *name;
	json_type type;
	bool needed;
	json_t *value; /* NULL: absent */
	size_t number;
};

/* Fails at the value that the reading is at, `offset` bytes further. */
static enum status fail_at(struct reading *reading, enum status status, size_t offset)
{
	size_t place = json_place(reading->text, reading->length, &reading->way);

	return reader_fail_at(
		reading->text, reading->length, place + offset, status, reading->error);
}

static enum status fail(struct reading *reading, enum status status)
{
	return fail_at(reading, status, 0);
}

/* Fails at a column within a string: at its beginning, when escapes put other bytes there. */
static enum status fail_within(struct reading *reading, enum status status, uint32_t column)
{
	size_t place = json_place(reading->text, reading->length, &reading->way);
	size_t bytes = json_string_bytes(reading->text, reading->length, place);
	bool escapes = memchr(reading->text + place, '\\', bytes) != NULL;

	return fail_at(reading, status, escapes ? 0 : column);
}

static void enter(struct reading *reading, size_t number)
{
	reading->way.steps[reading->way.count++] = number;
}

static void leave(struct reading *reading)
{
	reading->way.count--;
}

/* One member of the object that the reading is at. */
static enum status take_member(struct reading *reading, const char *name, json_t *value,
	size_t number, struct member *members, size_t count)
{
	size_t i = 0;

	enter(reading, number);
	while (i < count && strcmp(members[i].name, name) != 0)
		i++;
	if (i == count) {
		reading->way.name = true;
		return fail(reading, STATUS_SHEET_MEMBER_UNKNOWN);
	}
	if (json_typeof(value) != members[i].type)
		return fail(reading, STATUS_SHEET_MEMBER_VALUE);
	members[i].value = value;
	members[i].number = number;
	leave(reading);
	return STATUS_OK;
}

/* Finds the members of the object that the reading is at, and refuses all others. */
static enum status sort_members(
	struct reading *reading, json_t *object, struct member *members, size_t count)
{
	size_t number = 0;
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		enum status status = take_member(reading, name, value, number++, members, count);

		if (status != STATUS_OK)
			return status;
	}
	for (size_t i = 0; i < count; i++) {
		if (members[i].needed && !members[i].value)
			return fail(reading, STATUS_SHEET_MEMBER_MISSING);
	}
	return STATUS_OK;
}

static const char *string_of(const struct member *member)
{
	return member->value ? json_string_value(member->value) : NULL;
}

/* Whether a ruleset of the game has that name. */
static bool knows_rules(const struct game_ops *ops, const char *name)
{
	for (const char *const *known = ops->rulesets; *known; known++) {
		if (strcmp(*known, name) == 0)
			return true;
	}
	return false;
}

static enum status read_game(struct reading *reading, const struct member *member)
{
	enum status status = STATUS_OK;

	enter(reading, member->number);
	if (strcmp(string_of(member), reading->ops->name) != 0)
		status = fail(reading, STATUS_SHEET_OTHER_GAME);
	leave(reading);
	return status;
}

static enum status read_rules(struct reading *reading, const struct member *member)
{
	const char *rules = string_of(member);
	enum status status = STATUS_OK;

	if (!rules)
		return STATUS_OK;
	enter(reading, member->number);
	if (!knows_rules(reading->ops, rules))
		status = fail(reading, STATUS_RULESET_UNKNOWN);
	else if (reading->ruleset && strcmp(reading->ruleset, rules) != 0)
		status = fail(reading, STATUS_SHEET_OTHER_RULES);
	reading->ruleset = rules;
	leave(reading);
	return status;
}

/* Makes the sheet. */
static enum status read_start(struct reading *reading, const struct member *member)
{
	const char *start = string_of(member);
	struct text_error error;
	enum status status;

	if (!start) {
		status = game_sheet_create(reading->ops, reading->ruleset, &reading->sheet);
		return status == STATUS_OK ? status : fail(reading, status);
	}
	enter(reading, member->number);
	status = game_sheet_setup(
		reading->ops, reading->ruleset, start, strlen(start), &error, &reading->sheet);
	if (status != STATUS_OK)
		fail_within(reading, status, error.column);
	leave(reading);
	return status;
}

static enum status read_header(
	struct reading *reading, const char *name, const json_t *value, size_t number)
{
	enum status status;

	enter(reading, number);
	if (!*name || strpbrk(name, "\r\n")) {
		reading->way.name = true;
		return fail(reading, STATUS_SHEET_MEMBER_VALUE);
	}
	if (!json_is_string(value) || strpbrk(json_string_value(value), "\r\n"))
		return fail(reading, STATUS_SHEET_MEMBER_VALUE);
	status = game_sheet_set_header(reading->sheet, name, strlen(name), json_string_value(value),
		json_string_length(value));
	if (status != STATUS_OK)
		return fail(reading, status);
	leave(reading);
	return STATUS_OK;
}

static enum status read_headers(struct reading *reading, const struct member *member)
{
	size_t number = 0;
	const char *name;
	json_t *value;

	if (!member->value)
		return STATUS_OK;
	enter(reading, member->number);
	json_object_foreach(member->value, name, value)
	{
		enum status status = read_header(reading, name, value, number++);

		if (status != STATUS_OK)
			return status;
	}
	leave(reading);
	return STATUS_OK;
}

static enum status read_comment(struct reading *reading, const struct member *member)
{
	const char *comment = string_of(member);
	enum status status;

	if (!comment)
		return STATUS_OK;
	enter(reading, member->number);
	status = strchr(comment, '\r')
			 ? STATUS_SHEET_MEMBER_VALUE
			 : game_sheet_add_comment(reading->sheet, comment, strlen(comment));
	if (status != STATUS_OK)
		return fail(reading, status);
	leave(reading);
	return STATUS_OK;
}

/* Whether a value is the one that `text` holds as JSON. */
static enum status compare(
	struct reading *reading, const struct member *member, const struct text *text)
{
	json_t *expected;
	size_t fault;
	enum status status = json_tree_read(text->data, text->length, &fault, &expected);

	assert(status == STATUS_OK || status == STATUS_NO_MEMORY);
	if (status != STATUS_OK)
		return fail(reading, status);
	enter(reading, member->number);
	if (!json_equal(member->value, expected))
		status = fail(reading, STATUS_SHEET_DISAGREES);
	leave(reading);
	json_decref(expected);
	return status;
}

static enum status compare_action(
	struct reading *reading, const struct member *member, struct game_action action)
{
	char buffer[GAME_STATE_JSON];
	struct text text;

	if (!member->value)
		return STATUS_OK;
	text_init(&text, buffer, sizeof(buffer));
	reading->ops->action_write_json(action, &text);
	return compare(reading, member, &text);
}

static enum status compare_state(struct reading *reading, const struct member *member)
{
	char buffer[GAME_STATE_JSON];
	struct text text;

	if (!member->value)
		return STATUS_OK;
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(game_sheet_line(reading->sheet), false, &text);
	return compare(reading, member, &text);
}

static enum status play_move(
	struct reading *reading, const struct member *member, struct game_action *action)
{
	const char *move = string_of(member);
	struct text_error error = {STATUS_OK, 1, 1};
	enum status status;

	enter(reading, member->number);
	status = reading->ops->action_read(game_line_state(game_sheet_line(reading->sheet)), move,
		strlen(move), &error, action);
	if (status == STATUS_OK)
		status = game_sheet_play(reading->sheet, *action);
	if (status != STATUS_OK)
		fail_within(reading, status, error.column);
	leave(reading);
	return status;
}

static enum status read_time(struct reading *reading, const struct member *member)
{
	enum status status = STATUS_OK;

	if (!member->value)
		return STATUS_OK;
	enter(reading, member->number);
	if (json_integer_value(member->value) < 0)
		status = fail(reading, STATUS_SHEET_MEMBER_VALUE);
	else
		game_sheet_set_time(reading->sheet, json_integer_value(member->value));
	leave(reading);
	return status;
}

/* The ply that the reading is at. */
static enum status read_ply(struct reading *reading, json_t *ply)
{
	enum { MOVE, ACTION, TIME, COMMENT, COUNT };
	struct member members[COUNT] = {
		[MOVE] = {"move", JSON_STRING, true, NULL, 0},
		[ACTION] = {"action", JSON_OBJECT, false, NULL, 0},
		[TIME] = {"time", JSON_INTEGER, false, NULL, 0},
		[COMMENT] = {"comment", JSON_STRING, false, NULL, 0},
	};
	struct game_action action;
	enum status status;

	if (!json_is_object(ply))
		return fail(reading, STATUS_SHEET_MEMBER_VALUE);
	status = sort_members(reading, ply, members, COUNT);
	if (status == STATUS_OK)
		status = play_move(reading, &members[MOVE], &action);
	if (status == STATUS_OK)
		status = compare_action(reading, &members[ACTION], action);
	if (status == STATUS_OK)
		status = read_time(reading, &members[TIME]);
	if (status == STATUS_OK)
		status = read_comment(reading, &members[COMMENT]);
	return status;
}

static enum status read_plies(struct reading *reading, const struct member *member)
{
	size_t number;
	json_t *ply;

	enter(reading, member->number);
	json_array_foreach(member->value, number, ply)
	{
		enum status status;

		enter(reading, number);
		status = read_ply(reading, ply);
		if (status != STATUS_OK)
			return status;
		leave(reading);
	}
	leave(reading);
	return STATUS_OK;
}

static enum status read_end(struct reading *reading, const struct member *member)
{
	const char *name = string_of(member);
	enum status status = STATUS_OK;
	enum game_sheet_end end;

	if (!name)
		return STATUS_OK;
	enter(reading, member->number);
	if (!game_sheet_end_find(name, &end))
		status = fail(reading, STATUS_SHEET_MEMBER_VALUE);
	else if (game_line_summary(game_sheet_line(reading->sheet)).over)
		status = fail(reading, STATUS_SHEET_END);
	else
		game_sheet_set_end(reading->sheet, end);
	leave(reading);
	return status;
}

/* Makes the sheet, and leaves it half made on a failure: the caller destroys it. */
static enum status read_record(struct reading *reading, json_t *record)
{
	enum { GAME, RULES, START, HEADERS, COMMENT, PLIES, END, STATE, COUNT };
	struct member members[COUNT] = {
		[GAME] = {"game", JSON_STRING, true, NULL, 0},
		[RULES] = {"rules", JSON_STRING, false, NULL, 0},
		[START] = {"start", JSON_STRING, false, NULL, 0},
		[HEADERS] = {"headers", JSON_OBJECT, false, NULL, 0},
		[COMMENT] = {"comment", JSON_STRING, false, NULL, 0},
		[PLIES] = {"plies", JSON_ARRAY, true, NULL, 0},
		[END] = {"end", JSON_STRING, false, NULL, 0},
		[STATE] = {"state", JSON_OBJECT, false, NULL, 0},
	};
	enum status status;

	status = sort_members(reading, record, members, COUNT);
	if (status == STATUS_OK)
		status = read_game(reading, &members[GAME]);
	if (status == STATUS_OK)
		status = read_rules(reading, &members[RULES]);
	if (status == STATUS_OK)
		status = read_start(reading, &members[START]);
	if (status == STATUS_OK)
		status = read_headers(reading, &members[HEADERS]);
	if (status == STATUS_OK)
		status = read_comment(reading, &members[COMMENT]);
	if (status == STATUS_OK)
		status = read_plies(reading, &members[PLIES]);
	if (status == STATUS_OK)
		status = read_end(reading, &members[END]);
	if (status == STATUS_OK)
		status = compare_state(reading, &members[STATE]);
	return status;
}

static bool is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!strchr(" \t\r\n", text[i]))
			return false;
	}
	return true;
}

enum status sheet_json_read(const struct game_ops *ops, const char *ruleset, const char *text,
	size_t length, struct text_error *error, struct game_sheet **sheet)
{
	struct reading reading = {
		.ops = ops,
		.ruleset = ruleset,
		.text = text,
		.length = length,
		.error = error,
	};
	size_t fault;
	size_t deep = json_depth_end(text, length, DEPTH_MAX);
	size_t end = json_values_end(text, length, VALUES_MAX);
	enum status status;
	json_t *record;

	if (is_blank(text, length))
		return reader_fail_at(text, length, 0, STATUS_TEXT_EMPTY, error);
	if (deep < length && deep < end)
		return reader_fail_at(text, length, deep, STATUS_JSON_NESTING, error);
	if (end < length)
		return reader_fail_at(text, length, end, STATUS_TEXT_TOO_LONG, error);
	status = json_tree_read(text, length, &fault, &record);
	if (status != STATUS_OK)
		return reader_fail_at(text, length, fault, status, error);
	status = read_record(&reading, record);
	json_decref(record);
	if (status != STATUS_OK) {
		game_sheet_destroy(reading.sheet);
		return status;
	}
	*sheet = reading.sheet;
	return STATUS_OK;
}

/* Begins a member of the record, on a line of its own: `game` is the first of them. */
static void write_name(struct text *text, const char *name)
{
	text_add(text, strcmp(name, "game") == 0 ? "\n  " : ",\n  ");
	text_add_json(text, name);
	text_add_char(text, ':');
}

static void write_string(struct text *text, const char *name, const char *value)
{
	if (!value)
		return;
	write_name(text, name);
	text_add_json(text, value);
}

static void write_start(const struct game_line *line, struct text *text)
{
	char buffer[GAME_SETUP_TEXT];
	struct text start;

	text_init(&start, buffer, sizeof(buffer));
	game_line_ops(line)->state_write(game_line_start(line), &start);
	write_string(text, "start", start.data);
}

static void write_headers(const struct game_sheet *sheet, struct text *text)
{
	size_t count = game_sheet_header_count(sheet);

	if (count == 0)
		return;
	write_name(text, "headers");
	for (size_t i = 0; i < count; i++) {
		struct game_header header = game_sheet_header(sheet, i);

		text_add_char(text, i ? ',' : '{');
		text_add_json(text, header.name);
		text_add_char(text, ':');
		text_add_json(text, header.value);
	}
	text_add_char(text, '}');
}

static void write_ply(const struct game_sheet *sheet, size_t ply, struct text *text)
{
	const struct game_line *line = game_sheet_line(sheet);
	const struct game_ops *ops = game_line_ops(line);
	struct game_action action = game_line_action(line, ply);
	const char *comment = game_sheet_comment(sheet, ply + 1);
	char buffer[GAME_ACTION_TEXT];
	struct text move;

	text_init(&move, buffer, sizeof(buffer));
	ops->action_write(action, &move);
	text_add(text, "{\"move\":");
	text_add_json(text, move.data);
	text_add(text, ",\"action\":");
	ops->action_write_json(action, text);
	if (game_sheet_time(sheet, ply) >= 0) {
		text_add(text, ",\"time\":");
		text_add_number(text, game_sheet_time(sheet, ply));
	}
	if (comment) {
		text_add(text, ",\"comment\":");
		text_add_json(text, comment);
	}
	text_add_char(text, '}');
}

static void write_plies(const struct game_sheet *sheet, struct text *text)
{
	size_t plies = game_line_plies(game_sheet_line(sheet));

	write_name(text, "plies");
	text_add_char(text, '[');
	for (size_t ply = 0; ply < plies; ply++) {
		text_add(text, ply ? ",\n    " : "\n    ");
		write_ply(sheet, ply, text);
	}
	text_add(text, plies ? "\n  ]" : "]");
}

void sheet_json_write(const struct game_sheet *sheet, struct text *text)
{
	const struct game_line *line = game_sheet_line(sheet);

	text_add_char(text, '{');
	write_string(text, "game", game_line_ops(line)->name);
	write_string(text, "rules", game_line_ruleset(line));
	write_start(line, text);
	write_headers(sheet, text);
	write_string(text, "comment", game_sheet_comment(sheet, 0));
	write_plies(sheet, text);
	write_string(text, "end", game_sheet_end_name(game_sheet_end(sheet)));
	write_name(text, "state");
	game_line_write_json(line, false, text);
	text_add(text, "\n}\n");
}
