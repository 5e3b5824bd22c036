/* SPDX-License-Identifier: MIT */
#include "client/reply.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

enum { ACTION_MEMBERS_MAX = 8 };

/* Visible ASCII that fits, and blanks where they are allowed. */
static bool copy_text(json_t *value, bool blanks, char *to, size_t capacity)
{
	const char *text = json_string_value(value);

	if (!text || strlen(text) >= capacity)
		return false;
	for (const char *c = text; *c; c++)
		if ((*c <= ' ' || *c > '~') && !(blanks && *c == ' '))
			return false;
	strcpy(to, text);
	return true;
}

static bool read_bool(json_t *object, const char *name, bool *value)
{
	json_t *member = json_object_get(object, name);

	*value = json_is_true(member);
	return json_is_boolean(member);
}

static bool read_number(json_t *object, const char *name, int64_t low, int64_t high, int64_t *value)
{
	json_t *member = json_object_get(object, name);

	*value = json_integer_value(member);
	return json_is_integer(member) && *value >= low && *value <= high;
}

static bool read_seat_word(json_t *value, enum room_seat *seat)
{
	const char *text = json_string_value(value);

	for (int i = 0; text && i < ROOM_SEATS; i++) {
		*seat = (enum room_seat)i;
		if (strcmp(text, room_seat_word(*seat)) == 0)
			return true;
	}
	return false;
}

static bool read_phase(json_t *value, enum room_phase *phase)
{
	static const char *const words[] = {
		[ROOM_WAITING] = "waiting",
		[ROOM_PLAYING] = "playing",
		[ROOM_OVER] = "over",
		[ROOM_CLOSED] = "closed",
	};
	const char *text = json_string_value(value);

	for (size_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
		*phase = (enum room_phase)i;
		if (strcmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

static bool read_seats(json_t *root, struct client_snapshot *snapshot)
{
	json_t *seats = json_object_get(root, "seats");
	json_t *players = json_object_get(root, "players");

	for (int i = 0; i < ROOM_SEATS; i++) {
		const char *word = room_seat_word((enum room_seat)i);
		int64_t player;

		if (!read_bool(seats, word, &snapshot->seated[i]) ||
			!read_number(players, word, 0, 1, &player))
			return false;
		snapshot->player[i] = (int)player;
	}
	return snapshot->player[ROOM_HOST] != snapshot->player[ROOM_GUEST];
}

static bool read_request(json_t *value, struct client_request *request)
{
	const char *what = json_string_value(json_object_get(value, "what"));
	json_t *ply = json_object_get(value, "ply");
	int i = 0;

	request->open = !json_is_null(value);
	if (!request->open)
		return true;
	while (what && i < ROOM_REQUESTS &&
		strcmp(what, room_request_word((enum room_request)i)) != 0)
		i++;
	if (!what || i == ROOM_REQUESTS ||
		!read_seat_word(json_object_get(value, "by"), &request->by))
		return false;
	request->what = (enum room_request)i;
	request->has_ply = json_is_object(ply);
	return !request->has_ply || (read_seat_word(json_object_get(ply, "by"), &request->ply_by) &&
					    copy_text(json_object_get(ply, "action"), false,
						    request->ply, sizeof(request->ply)));
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

/* The last action: an object in some games, in others the number that stands for it as text. */
static bool read_last(json_t *value, struct client_snapshot *snapshot)
{
	const struct game_ops *ops = snapshot->ops;
	struct game_member members[ACTION_MEMBERS_MAX];
	size_t count = 0;
	const char *bad;
	const char *name;
	json_t *member;
	char digits[24];
	struct text_error error;

	if (json_is_integer(value)) {
		snprintf(
			digits, sizeof(digits), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		return ops->action_read(&snapshot->state, digits, strlen(digits), &error,
			       &snapshot->last) == STATUS_OK;
	}
	if (!json_is_object(value) || json_object_size(value) > ACTION_MEMBERS_MAX)
		return false;
	json_object_foreach(value, name, member) fill_member(name, member, &members[count++]);
	return ops->action_read_members(&snapshot->state, members, count, &bad, &snapshot->last) ==
	       STATUS_OK;
}

/* How the game stands is the server's to say: it knows what went before the position. */
static bool read_state(json_t *state, struct client_snapshot *snapshot)
{
	struct game_summary *summary = &snapshot->summary;
	json_t *winner = json_object_get(state, "winner");
	json_t *reason = json_object_get(state, "reason");
	int64_t player;
	int64_t moves;

	if (!read_number(state, "player", 0, 1, &player) ||
		!read_number(state, "moves", 0, UINT32_MAX, &moves) ||
		!read_bool(state, "over", &summary->over))
		return false;
	summary->player = (int)player;
	summary->moves = (uint32_t)moves;
	summary->winner = -1;
	if (json_is_integer(winner) && json_integer_value(winner) >= 0 &&
		json_integer_value(winner) <= 1)
		summary->winner = (int)json_integer_value(winner);
	else if (!json_is_null(winner))
		return false;
	if (json_is_string(reason) &&
		!copy_text(reason, false, snapshot->reason, sizeof(snapshot->reason)))
		return false;
	snapshot->has_last = read_last(json_object_get(state, "last"), snapshot);
	return true;
}

static bool read_position(json_t *value, struct client_snapshot *snapshot)
{
	struct text_error error;
	struct game_record record;

	if (!copy_text(value, true, snapshot->position, sizeof(snapshot->position)) ||
		snapshot->ops->setup(NULL, snapshot->position, strlen(snapshot->position), &error,
			&snapshot->state, &record) != STATUS_OK)
		return false;
	snapshot->summary = snapshot->ops->summary(&snapshot->state);
	return true;
}

static bool read_snapshot(
	const struct game_ops *ops, json_t *root, struct client_snapshot *snapshot)
{
	struct client_snapshot made = {.ops = ops};
	const char *game = json_string_value(json_object_get(root, "game"));
	json_t *abandoned = json_object_get(root, "abandonedBy");
	json_t *request = json_object_get(root, "request");
	int64_t rev;

	made.abandoned = json_is_string(abandoned);
	if (!game || strcmp(game, ops->name) != 0 ||
		!copy_text(json_object_get(root, "room"), false, made.room, sizeof(made.room)) ||
		!read_number(root, "rev", 1, INT64_MAX, &rev) ||
		!read_number(root, "games", 1, INT64_MAX, &made.games) ||
		!read_phase(json_object_get(root, "phase"), &made.phase) ||
		!read_seats(root, &made) || !request || !read_request(request, &made.request) ||
		(made.abandoned && !read_seat_word(abandoned, &made.abandoned_by)) ||
		!read_position(json_object_get(root, "position"), &made) ||
		!read_state(json_object_get(root, "state"), &made))
		return false;
	made.rev = (uint64_t)rev;
	*snapshot = made;
	return true;
}

static json_t *parse(const char *text, size_t length)
{
	return json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
}

bool reply_read_snapshot(const struct game_ops *ops, const char *text, size_t length,
	struct client_snapshot *snapshot)
{
	json_t *root = parse(text, length);
	bool done = read_snapshot(ops, root, snapshot);

	json_decref(root);
	return done;
}

/* An address to show to people; null or absent is the empty one. */
static bool read_url(json_t *value, char url[SEAT_URL_BYTES])
{
	url[0] = 0;
	return !value || json_is_null(value) || copy_text(value, false, url, SEAT_URL_BYTES);
}

static bool read_seat(const struct game_ops *ops, json_t *root, struct client_seat *seat,
	struct client_snapshot *snapshot)
{
	struct client_seat made = *seat;

	if (!copy_text(json_object_get(root, "room"), false, made.room, sizeof(made.room)) ||
		!link_word_is_valid(made.room, sizeof(made.room)) ||
		!copy_text(json_object_get(root, "key"), false, made.key, sizeof(made.key)) ||
		!link_word_is_valid(made.key, sizeof(made.key)) ||
		!read_seat_word(json_object_get(root, "seat"), &made.seat) ||
		!read_url(json_object_get(root, "inviteUrl"), made.invite_url) ||
		!read_snapshot(ops, json_object_get(root, "snapshot"), snapshot))
		return false;
	*seat = made;
	return true;
}

bool reply_read_seat(const struct game_ops *ops, const char *text, size_t length,
	struct client_seat *seat, struct client_snapshot *snapshot)
{
	json_t *root = parse(text, length);
	bool done = read_seat(ops, root, seat, snapshot);

	json_decref(root);
	return done;
}

bool reply_read_command(const struct game_ops *ops, const char *text, size_t length,
	struct client_snapshot *snapshot, char invite_url[SEAT_URL_BYTES])
{
	json_t *root = parse(text, length);
	json_t *inner = json_object_get(root, "snapshot");
	char url[SEAT_URL_BYTES];
	bool done = read_url(json_object_get(root, "inviteUrl"), url) &&
		    read_snapshot(ops, inner ? inner : root, snapshot);

	if (done)
		strcpy(invite_url, url);
	json_decref(root);
	return done;
}

/* A text that is missing, or no such text, is empty. */
static void take_text(json_t *root, const char *name, char *to, size_t capacity)
{
	if (!copy_text(json_object_get(root, name), false, to, capacity))
		to[0] = 0;
}

/* What people read is shown as far as it can be: '?' for what cannot, and cut where it is long. */
static void take_message(json_t *root, char *to, size_t capacity)
{
	const char *text = json_string_value(json_object_get(root, "message"));
	size_t length = 0;

	for (; text && *text && length < capacity - 1; text++) {
		bool goes_on = ((unsigned char)*text & 0xc0) == 0x80; /* a letter of UTF-8 */

		if (!goes_on)
			to[length++] = *text >= ' ' && *text <= '~' ? *text : '?';
	}
	to[length] = 0;
}

void reply_read_refusal(
	const struct game_ops *ops, const char *text, size_t length, struct client_refusal *refusal)
{
	json_t *root = parse(text, length);

	take_text(root, "error", refusal->error, sizeof(refusal->error));
	take_text(root, "reason", refusal->reason, sizeof(refusal->reason));
	take_message(root, refusal->message, sizeof(refusal->message));
	take_text(root, "page", refusal->page, sizeof(refusal->page));
	refusal->has_snapshot =
		read_snapshot(ops, json_object_get(root, "snapshot"), &refusal->snapshot);
	json_decref(root);
}

static enum client_presence read_presence_word(json_t *value)
{
	static const char *const words[] = {
		[CLIENT_PRESENCE_UNKNOWN] = "",
		[CLIENT_PRESENT] = "present",
		[CLIENT_ABSENT] = "absent",
		[CLIENT_EMPTY] = "empty",
	};
	const char *word = json_string_value(value);

	for (int i = CLIENT_PRESENT; word && i <= CLIENT_EMPTY; i++)
		if (strcmp(word, words[i]) == 0)
			return (enum client_presence)i;
	return CLIENT_PRESENCE_UNKNOWN;
}

bool reply_read_presence(const char *text, size_t length, struct client_presences *presences)
{
	json_t *root = parse(text, length);
	bool known = json_is_object(root);

	for (int i = 0; known && i < ROOM_SEATS; i++)
		presences->seat[i] = read_presence_word(
			json_object_get(root, room_seat_word((enum room_seat)i)));
	if (known && !read_number(root, "keptMs", 0, INT64_MAX, &presences->kept_ms))
		presences->kept_ms = -1;
	json_decref(root);
	return known;
}
