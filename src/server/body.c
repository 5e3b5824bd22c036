/* SPDX-License-Identifier: MIT */
#include "server/body.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

enum { ACTION_MEMBERS_MAX = 8 };

__attribute__((format(printf, 2, 3))) static bool malformed(
	struct body_problem *problem, const char *format, ...)
{
	va_list arguments;

	problem->code = 400;
	problem->error = "malformed";
	problem->reason = NULL;
	va_start(arguments, format);
	vsnprintf(problem->message, sizeof(problem->message), format, arguments);
	va_end(arguments);
	return false;
}

/* A name from outside as a message may show it: what is long or not plain is not echoed. */
static const char *shown(const char *name)
{
	size_t plain =
		strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");

	return plain > 0 && plain <= 32 && !name[plain] ? name : "?";
}

static const char *json_fault(const json_error_t *error)
{
	switch (json_error_code(error)) {
	case json_error_duplicate_key:
		return "The body has a member twice";
	case json_error_numeric_overflow:
		return "The body has a number that is too large";
	case json_error_null_character:
		return "The body has a zero character in a string";
	case json_error_premature_end_of_input:
		return "The body ends too early to be JSON";
	case json_error_invalid_utf8:
		return "The body is not UTF-8";
	default:
		return "The body is not JSON";
	}
}

/* An object of JSON, to be freed with json_decref; NULL with the problem said. */
static json_t *read_object(const char *data, size_t length, struct body_problem *problem)
{
	json_error_t error;
	json_t *root = json_loadb(data, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

	if (!root) {
		malformed(problem, "%s: line %d, column %d.", json_fault(&error), error.line,
			error.column);
		return NULL;
	}
	if (!json_is_object(root)) {
		malformed(problem, "The body must be a JSON object.");
		json_decref(root);
		return NULL;
	}
	return root;
}

/* Refuses members that are not among `known`, which ends with NULL. */
static bool check_members(json_t *object, const char *const *known, struct body_problem *problem)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		const char *const *k = known;

		while (*k && strcmp(*k, name) != 0)
			k++;
		if (!*k)
			return malformed(problem, "There is no member \"%s\".", shown(name));
	}
	return true;
}

/* Copies a string member that is shorter than `capacity` and not empty. */
static bool copy_string(
	json_t *object, const char *name, char *to, size_t capacity, struct body_problem *problem)
{
	json_t *value = json_object_get(object, name);

	if (!value)
		return malformed(problem, "The member \"%s\" is missing.", name);
	if (!json_is_string(value))
		return malformed(problem, "The member \"%s\" must be a string.", name);
	if (json_string_length(value) == 0 || json_string_length(value) >= capacity)
		return malformed(problem, "The member \"%s\" must have 1 to %zu characters.", name,
			capacity - 1);
	strcpy(to, json_string_value(value));
	return true;
}

/* The id of a request: what makes its repetition harmless. */
static bool copy_id(json_t *object, char id[ROOM_COMMAND_BYTES], struct body_problem *problem)
{
	if (!copy_string(object, "id", id, ROOM_COMMAND_BYTES, problem))
		return false;
	if (!room_command_valid(id))
		return malformed(problem, "The member \"id\" may have A-Z a-z 0-9 _ - only.");
	return true;
}

/* No game has settings yet. */
static bool check_settings(json_t *root, struct body_problem *problem)
{
	json_t *settings = json_object_get(root, "settings");

	if (!settings)
		return malformed(problem, "The member \"settings\" is missing; it may be {}.");
	if (!json_is_object(settings))
		return malformed(problem, "The member \"settings\" must be an object.");
	if (json_object_size(settings) > 0) {
		malformed(problem, "This game has no setting \"%s\": settings must be {}.",
			shown(json_object_iter_key(json_object_iter(settings))));
		problem->code = 422;
		problem->error = status_code(STATUS_ROOM_SETTINGS);
		return false;
	}
	return true;
}

static bool fill_create(json_t *root, struct body_create *body, struct body_problem *problem)
{
	static const char *const known[] = {"game", "settings", NULL};

	return check_members(root, known, problem) &&
	       copy_string(root, "game", body->game, sizeof(body->game), problem) &&
	       check_settings(root, problem);
}

bool body_read_create(
	const char *data, size_t length, struct body_create *body, struct body_problem *problem)
{
	json_t *root = read_object(data, length, problem);
	bool done = root && fill_create(root, body, problem);

	json_decref(root);
	return done;
}

static bool fill_join(json_t *root, struct body_join *body, struct body_problem *problem)
{
	static const char *const known[] = {"invite", "game", "id", NULL};
	char invite[ROOM_NAME_LENGTH + 1 + SECRET_BYTES + 1];
	const char *dot;

	body->id[0] = 0;
	if (!check_members(root, known, problem) ||
		!copy_string(root, "invite", invite, sizeof(invite), problem) ||
		!copy_string(root, "game", body->game, sizeof(body->game), problem))
		return false;
	if (json_object_get(root, "id") && !copy_id(root, body->id, problem))
		return false;
	dot = strchr(invite, '.');
	if (!dot || !room_name_is_valid(invite, (size_t)(dot - invite)) ||
		!secret_read(dot + 1, strlen(dot + 1), &body->secret))
		return malformed(problem, "The member \"invite\" is no invitation: ROOM.SECRET.");
	memcpy(body->room, invite, ROOM_NAME_LENGTH);
	body->room[ROOM_NAME_LENGTH] = 0;
	return true;
}

bool body_read_join(
	const char *data, size_t length, struct body_join *body, struct body_problem *problem)
{
	json_t *root = read_object(data, length, problem);
	bool done = root && fill_join(root, body, problem);

	json_decref(root);
	return done;
}

static void fill_member(const char *name, json_t *value, struct game_member *member)
{
	*member = (struct game_member){.name = name, .kind = GAME_MEMBER_OTHER};
	if (json_is_integer(value)) {
		member->kind = GAME_MEMBER_NUMBER;
		member->number = json_integer_value(value);
	} else if (json_is_boolean(value)) {
		member->kind = GAME_MEMBER_BOOL;
		member->number = json_is_true(value);
	} else if (json_is_string(value)) {
		member->kind = GAME_MEMBER_TEXT;
		member->text = json_string_value(value);
	}
}

static bool fill_action(json_t *object, const struct room *room, struct game_action *action,
	struct body_problem *problem)
{
	struct game_member members[ACTION_MEMBERS_MAX];
	size_t count = 0;
	const char *bad = "";
	const char *name;
	json_t *value;
	enum status status;

	if (!json_is_object(object))
		return malformed(problem, "The member \"action\" must be an object.");
	if (json_object_size(object) > ACTION_MEMBERS_MAX)
		return malformed(problem, "The action has too many members.");
	json_object_foreach(object, name, value) fill_member(name, value, &members[count++]);
	status = room_game(room)->action_read_members(
		room_state(room), members, count, &bad, action);
	if (status == STATUS_OK)
		return true;
	malformed(problem, "In the action, \"%s\": %s.", shown(bad), status_text(status));
	problem->code = 422;
	problem->error = "illegal";
	problem->reason = status_code(status);
	return false;
}

static bool fill_play(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem)
{
	json_t *action = json_object_get(root, "action");

	if (!action)
		return malformed(problem, "The member \"action\" is missing.");
	return fill_action(action, room, &command->action, problem);
}

static bool fill_settings(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem)
{
	(void)room;
	(void)command;
	return check_settings(root, problem);
}

static bool fill_ask(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem)
{
	char what[32];

	(void)room;
	if (!copy_string(root, "what", what, sizeof(what), problem))
		return false;
	for (int i = 0; i < ROOM_REQUESTS; i++) {
		command->request = (enum room_request)i;
		if (strcmp(what, room_request_word(command->request)) == 0)
			return true;
	}
	return malformed(problem, "The member \"what\" must be \"undo\" or \"new-game\".");
}

static bool fill_answer(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem)
{
	json_t *accept = json_object_get(root, "accept");

	(void)room;
	if (!json_is_boolean(accept))
		return malformed(problem, accept ? "The member \"accept\" must be true or false."
						 : "The member \"accept\" is missing.");
	command->accept = json_is_true(accept);
	return true;
}

static bool fill_nothing(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem)
{
	(void)root;
	(void)room;
	(void)command;
	(void)problem;
	return true;
}

typedef bool fill_op(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem);

static const struct {
	const char *name;
	enum room_op op;
	const char *known[5]; /* its members */
	fill_op *fill;
} ops[] = {
	{"play", ROOM_OP_PLAY, {"rev", "id", "op", "action"}, fill_play},
	{"settings", ROOM_OP_SETTINGS, {"rev", "id", "op", "settings"}, fill_settings},
	{"ask", ROOM_OP_ASK, {"rev", "id", "op", "what"}, fill_ask},
	{"answer", ROOM_OP_ANSWER, {"rev", "id", "op", "accept"}, fill_answer},
	{"withdraw", ROOM_OP_WITHDRAW, {"rev", "id", "op"}, fill_nothing},
	{"leave", ROOM_OP_LEAVE, {"rev", "id", "op"}, fill_nothing},
	{"invite", ROOM_OP_INVITE, {"rev", "id", "op"}, fill_nothing},
};

enum { OPS = sizeof(ops) / sizeof(ops[0]) };

static bool fill_command(json_t *root, const struct room *room, struct room_command *command,
	struct body_problem *problem)
{
	json_t *rev = json_object_get(root, "rev");
	char op[32];
	int i = 0;

	if (!copy_id(root, command->id, problem) ||
		!copy_string(root, "op", op, sizeof(op), problem))
		return false;
	if (!json_is_integer(rev) || json_integer_value(rev) < 1)
		return malformed(problem, rev ? "The member \"rev\" must be a whole number from 1."
					      : "The member \"rev\" is missing.");
	while (i < OPS && strcmp(ops[i].name, op) != 0)
		i++;
	if (i == OPS)
		return malformed(problem, "There is no command \"%s\".", shown(op));
	if (!check_members(root, ops[i].known, problem))
		return false;
	command->op = ops[i].op;
	command->rev = (uint64_t)json_integer_value(rev);
	return ops[i].fill(root, room, command, problem);
}

bool body_read_command(const char *data, size_t length, const struct room *room,
	struct room_command *command, struct body_problem *problem)
{
	json_t *root = read_object(data, length, problem);
	bool done = root && fill_command(root, room, command, problem);

	json_decref(root);
	return done;
}
