/* SPDX-License-Identifier: MIT */
#include "room/room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the room remembers of each event, beside what it did: enough to recognise a command that
 * comes again and to say how the room stood at any revision.
 */
struct step {
	uint32_t hash;    /* of `command`, so that a search compares few texts */
	uint32_t command; /* its offset in `words`; ROOM_PLAYED only */
	uint8_t kind;
	uint8_t seat; /* ROOM_PLAYED only */
};

enum {
	FIRST_STEPS = 64,
	FIRST_WORDS = 1024,
	STEPS_MAX = GAME_PLIES_MAX + 2, /* created, joined, and every ply */
	WORDS_MAX = GAME_PLIES_MAX * ROOM_COMMAND_BYTES,
};

/*
 * `steps[rev - 1]` is the event that made `rev`. Both lists grow by doubling, up to the maxima that
 * the length of a game sets.
 */
struct room {
	char id[ROOM_ID_BYTES];
	struct game_line *line;
	struct room_hash keys[ROOM_SEATS];
	struct room_hash invitation;
	bool joined;
	uint64_t rev;
	int64_t last_event_ms;

	struct step *steps;
	size_t steps_capacity;
	char *words; /* command ids, each with its final zero */
	size_t words_length;
	size_t words_capacity;
};

/* The room as it stands or stood: all that a snapshot shows. */
struct view {
	const struct room *room;
	const struct game_line *line;
	uint64_t rev;
	bool joined;
};

static bool is_word(const char *text, size_t capacity)
{
	size_t length = strnlen(text, capacity);

	if (length == 0 || length == capacity)
		return false;
	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    c == '_' || c == '-'))
			return false;
	}
	return true;
}

bool room_command_valid(const char *command)
{
	return is_word(command, ROOM_COMMAND_BYTES);
}

/*
 * No early exit, so that the time taken tells nothing about where two hashes differ; `volatile`
 * keeps a compiler from finding one.
 */
static bool hash_equal(const struct room_hash *a, const struct room_hash *b)
{
	volatile unsigned char difference = 0;

	for (size_t i = 0; i < ROOM_HASH_BYTES; i++)
		difference |= a->bytes[i] ^ b->bytes[i];
	return difference == 0;
}

/* FNV-1a, 32 bits. */
static uint32_t command_hash(const char *command)
{
	uint32_t hash = 2166136261u;

	for (; *command; command++)
		hash = (hash ^ (unsigned char)*command) * 16777619u;
	return hash;
}

/* The host begins the first game. */
static int seat_player(enum room_seat seat)
{
	return seat == ROOM_HOST ? 0 : 1;
}

/*
 * `list` with space for `count` elements: itself, or grown, or NULL with the list still good where
 * there is no memory.
 */
static void *list_grow(
	void *list, size_t *capacity, size_t count, size_t first, size_t max, size_t element)
{
	size_t wanted = *capacity ? *capacity : first;
	void *grown;

	assert(count <= max);
	if (count <= *capacity)
		return list;
	while (wanted < count)
		wanted *= 2;
	if (wanted > max)
		wanted = max;
	grown = realloc(list, wanted * element);
	if (grown)
		*capacity = wanted;
	return grown;
}

/* Makes space for one more event, before anything changes. */
static enum status room_reserve(struct room *room, const char *command)
{
	size_t steps_count = room->rev + 1;
	size_t words_length = room->words_length + strlen(command) + 1;
	struct step *steps;
	char *words;

	if (steps_count > STEPS_MAX)
		return STATUS_GAME_TOO_LONG;
	steps = list_grow(room->steps, &room->steps_capacity, steps_count, FIRST_STEPS, STEPS_MAX,
		sizeof(*steps));
	if (!steps)
		return STATUS_NO_MEMORY;
	room->steps = steps;
	words = list_grow(
		room->words, &room->words_capacity, words_length, FIRST_WORDS, WORDS_MAX, 1);
	if (!words)
		return STATUS_NO_MEMORY;
	room->words = words;
	return STATUS_OK;
}

/* The last part of each event: space was reserved, nothing can fail any more. */
static void room_advance(struct room *room, const struct room_event *event)
{
	struct step *step = &room->steps[room->rev];

	*step = (struct step){.kind = (uint8_t)event->kind};
	if (event->kind == ROOM_PLAYED) {
		size_t size = strlen(event->command) + 1;

		step->seat = (uint8_t)event->seat;
		step->hash = command_hash(event->command);
		step->command = (uint32_t)room->words_length;
		memcpy(room->words + room->words_length, event->command, size);
		room->words_length += size;
	}
	room->rev++;
	room->last_event_ms = event->at_ms;
}

enum status room_create(const struct game_ops *const *games, const char *id,
	const struct room_event *created, struct room **room)
{
	const struct game_ops *ops;
	struct room *made;
	enum status status;

	if (!is_word(id, ROOM_ID_BYTES) || created->kind != ROOM_CREATED || created->rev != 1 ||
		created->at_ms < 0)
		return STATUS_ROOM_EVENT;
	ops = game_find(games, created->game);
	if (!ops)
		return STATUS_GAME_UNKNOWN;
	made = calloc(1, sizeof(*made));
	if (!made)
		return STATUS_NO_MEMORY;
	status = game_line_create(ops, NULL, &made->line);
	if (status != STATUS_OK)
		goto fail;
	status = room_reserve(made, "");
	if (status != STATUS_OK)
		goto fail;
	memcpy(made->id, id, strlen(id) + 1);
	made->keys[ROOM_HOST] = created->key;
	made->invitation = created->invitation;
	room_advance(made, created);
	*room = made;
	return STATUS_OK;
fail:
	room_destroy(made);
	return status;
}

void room_destroy(struct room *room)
{
	if (!room)
		return;
	game_line_destroy(room->line);
	free(room->steps);
	free(room->words);
	free(room);
}

enum status room_decide_join(const struct room *room, const struct room_hash *invitation,
	const char *game, const struct room_hash *key, int64_t now_ms, struct room_event *event)
{
	assert(now_ms >= 0 && !hash_equal(key, &room->keys[ROOM_HOST]));
	if (!hash_equal(invitation, &room->invitation))
		return STATUS_ROOM_INVITATION;
	if (strcmp(game, room_game(room)->name) != 0)
		return STATUS_ROOM_WRONG_GAME;
	if (room->joined)
		return STATUS_ROOM_FULL;
	*event = (struct room_event){
		.kind = ROOM_JOINED, .rev = room->rev + 1, .at_ms = now_ms, .key = *key};
	return STATUS_OK;
}

enum status room_decide_play(const struct room *room, enum room_seat seat, const char *command,
	uint64_t rev, struct game_action action, int64_t now_ms, struct room_event *event)
{
	struct game_summary summary = game_line_summary(room->line);
	enum status status;

	assert(seat < ROOM_SEATS && now_ms >= 0 && room_command_valid(command));
	if (rev != room->rev)
		return STATUS_ROOM_STALE;
	if (!room->joined)
		return STATUS_ROOM_SUSPENDED;
	if (summary.over)
		return STATUS_GAME_OVER;
	if (summary.player != seat_player(seat))
		return STATUS_ROOM_NOT_YOUR_TURN;
	status = game_line_try(room->line, action);
	if (status != STATUS_OK)
		return status;
	assert(room_find_command(room, seat, command) == 0);
	*event = (struct room_event){.kind = ROOM_PLAYED,
		.rev = room->rev + 1,
		.at_ms = now_ms,
		.seat = seat,
		.action = action};
	memcpy(event->command, command, strlen(command) + 1);
	return STATUS_OK;
}

static enum status apply_joined(struct room *room, const struct room_event *event)
{
	enum status status;

	/* Two seats with one key would leave room_find_seat a choice. */
	if (room->joined || hash_equal(&event->key, &room->keys[ROOM_HOST]))
		return STATUS_ROOM_EVENT;
	status = room_reserve(room, "");
	if (status != STATUS_OK)
		return status;
	room->keys[ROOM_GUEST] = event->key;
	room->joined = true;
	room_advance(room, event);
	return STATUS_OK;
}

static enum status apply_played(struct room *room, const struct room_event *event)
{
	struct game_summary summary = game_line_summary(room->line);
	enum status status;

	if (!room->joined || event->seat >= ROOM_SEATS || !room_command_valid(event->command) ||
		room_find_command(room, event->seat, event->command) != 0)
		return STATUS_ROOM_EVENT;
	if (!summary.over && summary.player != seat_player(event->seat))
		return STATUS_ROOM_EVENT;
	status = room_reserve(room, event->command);
	if (status != STATUS_OK)
		return status;
	status = game_line_play(room->line, event->action);
	if (status != STATUS_OK)
		return status;
	room_advance(room, event);
	return STATUS_OK;
}

enum status room_apply(struct room *room, const struct room_event *event)
{
	if (event->rev != room->rev + 1 || event->at_ms < 0)
		return STATUS_ROOM_EVENT;
	switch (event->kind) {
	case ROOM_CREATED:
		return STATUS_ROOM_EVENT;
	case ROOM_JOINED:
		return apply_joined(room, event);
	case ROOM_PLAYED:
		return apply_played(room, event);
	}
	return STATUS_ROOM_EVENT;
}

uint64_t room_find_command(const struct room *room, enum room_seat seat, const char *command)
{
	uint32_t hash = command_hash(command);

	/* Newest first: what comes again is nearly always the last. */
	for (uint64_t rev = room->rev; rev > 0; rev--) {
		const struct step *step = &room->steps[rev - 1];

		if (step->kind == ROOM_PLAYED && step->seat == seat && step->hash == hash &&
			strcmp(room->words + step->command, command) == 0)
			return rev;
	}
	return 0;
}

bool room_find_seat(const struct room *room, const struct room_hash *key, enum room_seat *seat)
{
	bool host = hash_equal(key, &room->keys[ROOM_HOST]);
	bool guest = hash_equal(key, &room->keys[ROOM_GUEST]) && room->joined;

	if (!host && !guest)
		return false;
	*seat = host ? ROOM_HOST : ROOM_GUEST;
	return true;
}

const char *room_id(const struct room *room)
{
	return room->id;
}

const struct game_ops *room_game(const struct room *room)
{
	return game_line_ops(room->line);
}

const struct game_state *room_state(const struct room *room)
{
	return game_line_state(room->line);
}

uint64_t room_rev(const struct room *room)
{
	return room->rev;
}

int64_t room_last_event_ms(const struct room *room)
{
	return room->last_event_ms;
}

static enum room_phase view_phase(const struct view *view)
{
	if (!view->joined)
		return ROOM_WAITING;
	return game_line_summary(view->line).over ? ROOM_OVER : ROOM_PLAYING;
}

static struct view view_now(const struct room *room)
{
	return (struct view){room, room->line, room->rev, room->joined};
}

enum room_phase room_phase(const struct room *room)
{
	struct view view = view_now(room);

	return view_phase(&view);
}

static void view_write(const struct view *view, struct text *text)
{
	static const char *const phases[] = {
		[ROOM_WAITING] = "waiting",
		[ROOM_PLAYING] = "playing",
		[ROOM_OVER] = "over",
	};
	const struct game_ops *ops = game_line_ops(view->line);
	char buffer[GAME_SETUP_TEXT];
	struct text position;

	text_init(&position, buffer, sizeof(buffer));
	ops->state_write(game_line_state(view->line), &position);
	assert(!position.overflow);

	text_add(text, "{\"room\":");
	text_add_json(text, view->room->id);
	text_add(text, ",\"game\":");
	text_add_json(text, ops->name);
	text_add(text, ",\"rev\":");
	text_add_number(text, (int64_t)view->rev);
	text_add(text, ",\"phase\":");
	text_add_json(text, phases[view_phase(view)]);
	text_add(text, ",\"starterRole\":\"host\",\"players\":{\"host\":");
	text_add_number(text, seat_player(ROOM_HOST));
	text_add(text, ",\"guest\":");
	text_add_number(text, seat_player(ROOM_GUEST));
	text_add(text, "},\"state\":");
	game_line_write_json(view->line, false, text);
	text_add(text, ",\"position\":");
	text_add_json(text, buffer);
	text_add_char(text, '}');
}

void room_write_snapshot(const struct room *room, struct text *text)
{
	struct view view = view_now(room);

	view_write(&view, text);
}

enum status room_write_snapshot_at(const struct room *room, uint64_t rev, struct text *text)
{
	struct view view = {.room = room, .rev = rev};
	struct game_line *line;
	size_t plies = 0;
	enum status status;

	assert(rev >= 1 && rev <= room->rev);
	for (uint64_t i = 0; i < rev; i++) {
		if (room->steps[i].kind == ROOM_JOINED)
			view.joined = true;
		if (room->steps[i].kind == ROOM_PLAYED)
			plies++;
	}
	status = game_line_copy(room->line, plies, &line);
	if (status != STATUS_OK)
		return status;
	view.line = line;
	view_write(&view, text);
	game_line_destroy(line);
	return STATUS_OK;
}
