/* SPDX-License-Identifier: MIT */
#include "room/room_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIRST_STEPS = 64,
	FIRST_WORDS = 1024,
	STEPS_FULL = GAME_PLIES_MAX + 2, /* created, joined, and a whole game */
	/* A room that is full can still come to its end: a request runs out, and seats are left. */
	STEPS_MAX = STEPS_FULL + 1 + ROOM_SEATS,
	WORDS_MAX = STEPS_MAX * ROOM_COMMAND_BYTES,
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

bool room_event_is_command(enum room_event_kind kind)
{
	return kind != ROOM_CREATED && kind != ROOM_JOINED && kind != ROOM_EXPIRED &&
	       kind != ROOM_ABANDONED;
}

/* The host begins the first game, the guest the second, and so on. */
enum room_seat standing_starter(const struct standing *standing)
{
	return standing->games % 2 ? ROOM_HOST : ROOM_GUEST;
}

int standing_player(const struct standing *standing, enum room_seat seat)
{
	return seat == standing_starter(standing) ? 0 : 1;
}

bool standing_is_full(const struct standing *standing)
{
	return standing->seated[ROOM_HOST] && standing->seated[ROOM_GUEST];
}

bool standing_is_closed(const struct standing *standing)
{
	return !standing->seated[ROOM_HOST] && !standing->seated[ROOM_GUEST];
}

void standing_advance(struct standing *standing, const struct step *step, uint64_t rev)
{
	if (step->effect == GAME_BEGUN) {
		standing->games++;
		standing->abandoned = 0;
	}
	if (step->effect == GAME_ABANDONED)
		standing->abandoned = rev;
	switch ((enum room_event_kind)step->kind) {
	case ROOM_CREATED:
	case ROOM_JOINED:
		standing->seated[step->seat] = true;
		break;
	case ROOM_SET:
	case ROOM_INVITED:
		break;
	case ROOM_ASKED:
		standing->request = rev;
		break;
	case ROOM_LEFT:
	case ROOM_ABANDONED:
		standing->seated[step->seat] = false;
		standing->request = 0;
		break;
	default:
		standing->request = 0;
	}
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

static uint32_t *bucket_of(const struct room *room, const char *command)
{
	return &room->buckets[command_hash(command) & (room->buckets_count - 1)];
}

static void bucket_add(struct room *room, uint64_t rev)
{
	struct step *step = &room->steps[rev - 1];
	uint32_t *bucket = bucket_of(room, room->words + step->command);

	step->older = *bucket;
	*bucket = (uint32_t)rev;
}

static enum status buckets_reserve(struct room *room, size_t count)
{
	size_t wanted = room->buckets_count ? 2 * room->buckets_count : FIRST_STEPS;
	uint32_t *buckets;

	if (count <= room->buckets_count)
		return STATUS_OK;
	buckets = calloc(wanted, sizeof(*buckets));
	if (!buckets)
		return STATUS_NO_MEMORY;
	free(room->buckets);
	room->buckets = buckets;
	room->buckets_count = wanted;
	for (uint64_t rev = 1; rev <= room->rev; rev++)
		if (room_event_is_command((enum room_event_kind)room->steps[rev - 1].kind))
			bucket_add(room, rev);
	return STATUS_OK;
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
	return buckets_reserve(room, steps_count);
}

static bool is_over(const struct room *room)
{
	return room->standing.abandoned || game_line_summary(room->line).over;
}

static enum effect effect_of(const struct room *room, const struct room_event *event)
{
	switch (event->kind) {
	case ROOM_CREATED:
		return GAME_BEGUN;
	case ROOM_JOINED:
		return is_over(room) ? GAME_BEGUN : NO_EFFECT;
	case ROOM_ACCEPTED:
		return room->steps[room->standing.request - 1].request == ROOM_UNDO ? PLY_UNDONE
										    : GAME_BEGUN;
	case ROOM_LEFT:
	case ROOM_ABANDONED:
		return standing_is_full(&room->standing) && !is_over(room) ? GAME_ABANDONED
									   : NO_EFFECT;
	default:
		return NO_EFFECT;
	}
}

/* The last part of each event: space was reserved, nothing can fail any more. */
static void room_advance(struct room *room, const struct room_event *event, enum effect effect)
{
	struct step *step = &room->steps[room->rev];

	*step = (struct step){
		.at_ms = event->at_ms,
		.action = event->action,
		.kind = (uint8_t)event->kind,
		.seat = (uint8_t)event->seat,
		.request = (uint8_t)event->request,
		.effect = (uint8_t)effect,
	};
	if (room_event_is_command(event->kind)) {
		size_t size = strlen(event->command) + 1;

		step->command = (uint32_t)room->words_length;
		memcpy(room->words + room->words_length, event->command, size);
		room->words_length += size;
		bucket_add(room, event->rev);
	}
	room->rev++;
	standing_advance(&room->standing, step, room->rev);
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
	made->invites = true;
	room_advance(made, created, effect_of(made, created));
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
	free(room->buckets);
	free(room);
}

static enum status check_space(const struct room *room, enum room_event_kind kind)
{
	bool closing = kind == ROOM_LEFT || kind == ROOM_EXPIRED || kind == ROOM_ABANDONED;

	return room->rev >= STEPS_FULL && !closing ? STATUS_GAME_TOO_LONG : STATUS_OK;
}

static bool opens_seat(const struct room *room, const struct room_hash *key)
{
	enum room_seat seat;

	return room_find_seat(room, key, &seat);
}

/* The first empty seat. */
static enum room_seat empty_seat(const struct room *room)
{
	return room->standing.seated[ROOM_HOST] ? ROOM_GUEST : ROOM_HOST;
}

enum status room_decide_join(const struct room *room, const struct room_hash *invitation,
	const char *game, const struct room_hash *key, int64_t now_ms, struct room_event *event)
{
	enum status status;

	assert(now_ms >= 0 && !opens_seat(room, key));
	if (standing_is_closed(&room->standing))
		return STATUS_ROOM_CLOSED;
	/* In a room that is full the invitation that was used is still told from a wrong one. */
	if (!hash_equal(invitation, &room->invitation) ||
		(!room->invites && !standing_is_full(&room->standing)))
		return STATUS_ROOM_INVITATION;
	if (strcmp(game, room_game(room)->name) != 0)
		return STATUS_ROOM_WRONG_GAME;
	if (standing_is_full(&room->standing))
		return STATUS_ROOM_FULL;
	status = check_space(room, ROOM_JOINED);
	if (status != STATUS_OK)
		return status;
	*event = (struct room_event){
		.kind = ROOM_JOINED,
		.rev = room->rev + 1,
		.at_ms = now_ms,
		.key = *key,
		.seat = empty_seat(room),
	};
	return STATUS_OK;
}

/* Without what the rules say. */
static enum status check_play(const struct room *room, enum room_seat seat, bool alone)
{
	struct game_summary summary = game_line_summary(room->line);

	if (is_over(room))
		return STATUS_GAME_OVER;
	if (!standing_is_full(&room->standing) || alone)
		return STATUS_ROOM_SUSPENDED;
	if (summary.player != standing_player(&room->standing, seat))
		return STATUS_ROOM_NOT_YOUR_TURN;
	return STATUS_OK;
}

static enum status check_settings(const struct room *room, enum room_seat seat)
{
	if (seat != ROOM_HOST)
		return STATUS_ROOM_NOT_ALLOWED;
	return room_was_played(room) ? STATUS_ROOM_BEGUN : STATUS_OK;
}

static enum status check_ask(const struct room *room, enum room_request request)
{
	if (!standing_is_full(&room->standing))
		return STATUS_ROOM_SUSPENDED;
	if (room->standing.request)
		return STATUS_ROOM_PENDING;
	if (request == ROOM_UNDO && game_line_plies(room->line) == 0)
		return STATUS_ROOM_NO_PLY;
	return STATUS_OK;
}

/* `own`: it is for who asked, not for the other. */
static enum status check_reply(const struct room *room, enum room_seat seat, bool own)
{
	if (!room->standing.request)
		return STATUS_ROOM_NO_REQUEST;
	if ((room->steps[room->standing.request - 1].seat == seat) != own)
		return STATUS_ROOM_NOT_ALLOWED;
	return STATUS_OK;
}

static enum status check_abandonment(const struct room *room)
{
	if (!standing_is_full(&room->standing))
		return STATUS_ROOM_SUSPENDED;
	return is_over(room) ? STATUS_GAME_OVER : STATUS_OK;
}

/* Whether such an event of that seat may come next. */
static enum status check_event(const struct room *room, const struct room_event *event, bool alone)
{
	switch (event->kind) {
	case ROOM_PLAYED:
		return check_play(room, event->seat, alone);
	case ROOM_SET:
		return check_settings(room, event->seat);
	case ROOM_ASKED:
		return check_ask(room, event->request);
	case ROOM_ACCEPTED:
	case ROOM_REFUSED:
		return check_reply(room, event->seat, false);
	case ROOM_WITHDRAWN:
		return check_reply(room, event->seat, true);
	case ROOM_EXPIRED:
		return room->standing.request ? STATUS_OK : STATUS_ROOM_NO_REQUEST;
	case ROOM_LEFT:
		return STATUS_OK;
	case ROOM_INVITED:
		return standing_is_full(&room->standing) ? STATUS_ROOM_FULL : STATUS_OK;
	case ROOM_ABANDONED:
		return check_abandonment(room);
	default:
		return STATUS_ROOM_EVENT;
	}
}

static enum status decide(const struct room *room, const struct room_event *wanted, bool alone,
	struct room_event *event)
{
	enum status status = check_event(room, wanted, alone);

	if (status == STATUS_OK && wanted->kind == ROOM_PLAYED)
		status = game_line_try(room->line, wanted->action);
	if (status == STATUS_OK)
		status = check_space(room, wanted->kind);
	if (status == STATUS_OK)
		*event = *wanted;
	return status;
}

enum status room_decide(const struct room *room, const struct room_command *command, int64_t now_ms,
	struct room_event *event)
{
	static const enum room_event_kind kinds[] = {
		[ROOM_OP_PLAY] = ROOM_PLAYED,
		[ROOM_OP_SETTINGS] = ROOM_SET,
		[ROOM_OP_ASK] = ROOM_ASKED,
		[ROOM_OP_ANSWER] = ROOM_REFUSED,
		[ROOM_OP_WITHDRAW] = ROOM_WITHDRAWN,
		[ROOM_OP_LEAVE] = ROOM_LEFT,
		[ROOM_OP_INVITE] = ROOM_INVITED,
	};
	struct room_event wanted = {
		.kind = kinds[command->op],
		.rev = room->rev + 1,
		.at_ms = now_ms,
		.seat = command->seat,
	};

	assert(command->seat < ROOM_SEATS && room->standing.seated[command->seat]);
	assert(now_ms >= 0 && room_command_valid(command->id));
	assert(room_find_command(room, command->seat, command->id) == 0);
	if (command->rev != room->rev)
		return STATUS_ROOM_STALE;
	memcpy(wanted.command, command->id, strlen(command->id) + 1);
	if (command->op == ROOM_OP_PLAY)
		wanted.action = command->action;
	if (command->op == ROOM_OP_ASK)
		wanted.request = command->request;
	if (command->op == ROOM_OP_INVITE)
		wanted.invitation = command->invitation;
	if (command->op == ROOM_OP_ANSWER && command->accept)
		wanted.kind = ROOM_ACCEPTED;
	return decide(room, &wanted, command->alone, event);
}

enum status room_decide_expiry(const struct room *room, int64_t now_ms, struct room_event *event)
{
	struct room_event wanted = {.kind = ROOM_EXPIRED, .rev = room->rev + 1, .at_ms = now_ms};

	assert(now_ms >= 0);
	return decide(room, &wanted, false, event);
}

enum status room_decide_abandonment(
	const struct room *room, enum room_seat seat, int64_t now_ms, struct room_event *event)
{
	struct room_event wanted = {
		.kind = ROOM_ABANDONED,
		.rev = room->rev + 1,
		.at_ms = now_ms,
		.seat = seat,
	};

	assert(now_ms >= 0 && seat < ROOM_SEATS);
	return decide(room, &wanted, false, event);
}

/* The game from its start, in the place of the one that was. */
static enum status begin_game(struct room *room)
{
	struct game_line *line;
	enum status status = game_line_create(room_game(room), NULL, &line);

	if (status != STATUS_OK)
		return status;
	game_line_destroy(room->line);
	room->line = line;
	return STATUS_OK;
}

static enum status do_effect(struct room *room, enum effect effect)
{
	if (effect == GAME_BEGUN)
		return begin_game(room);
	if (effect == PLY_UNDONE) {
		bool undone = game_line_undo(room->line);

		assert(undone);
		(void)undone;
	}
	return STATUS_OK;
}

static enum status apply_joined(struct room *room, const struct room_event *event)
{
	struct room_event joined = *event;
	enum effect effect = effect_of(room, event);
	enum status status;

	joined.seat = empty_seat(room);
	/* Two seats with one key would leave room_find_seat a choice. */
	if (standing_is_full(&room->standing) || standing_is_closed(&room->standing) ||
		!room->invites || opens_seat(room, &event->key))
		return STATUS_ROOM_EVENT;
	status = check_space(room, ROOM_JOINED);
	if (status == STATUS_OK)
		status = room_reserve(room, "");
	if (status == STATUS_OK)
		status = do_effect(room, effect);
	if (status != STATUS_OK)
		return status;
	room->keys[joined.seat] = event->key;
	room->invites = false;
	room_advance(room, &joined, effect);
	return STATUS_OK;
}

static bool is_command_possible(const struct room *room, const struct room_event *event)
{
	return event->seat < ROOM_SEATS && room->standing.seated[event->seat] &&
	       room_command_valid(event->command) &&
	       room_find_command(room, event->seat, event->command) == 0;
}

/* Everything but creation and join. */
static enum status apply_event(struct room *room, const struct room_event *event)
{
	bool is_command = room_event_is_command(event->kind);
	enum effect effect;
	enum status status;

	if ((is_command && !is_command_possible(room, event)) ||
		(event->kind == ROOM_ASKED && event->request >= ROOM_REQUESTS) ||
		(event->kind == ROOM_ABANDONED && event->seat >= ROOM_SEATS))
		return STATUS_ROOM_EVENT;
	status = check_event(room, event, false);
	if (status != STATUS_OK)
		return status == STATUS_GAME_OVER ? status : STATUS_ROOM_EVENT;
	effect = effect_of(room, event);
	status = check_space(room, event->kind);
	if (status == STATUS_OK)
		status = room_reserve(room, is_command ? event->command : "");
	if (status == STATUS_OK && event->kind == ROOM_PLAYED)
		status = game_line_play(room->line, event->action);
	if (status == STATUS_OK)
		status = do_effect(room, effect);
	if (status != STATUS_OK)
		return status;
	if (event->kind == ROOM_INVITED) {
		room->invitation = event->invitation;
		room->invites = true;
	}
	room_advance(room, event, effect);
	return STATUS_OK;
}

enum status room_apply(struct room *room, const struct room_event *event)
{
	if (event->rev != room->rev + 1 || event->at_ms < 0)
		return STATUS_ROOM_EVENT;
	if (event->kind == ROOM_JOINED)
		return apply_joined(room, event);
	return apply_event(room, event);
}

uint64_t room_find_command(const struct room *room, enum room_seat seat, const char *command)
{
	uint64_t rev = *bucket_of(room, command);

	while (rev > 0) {
		const struct step *step = &room->steps[rev - 1];

		if (step->seat == seat && strcmp(room->words + step->command, command) == 0)
			break;
		rev = step->older;
	}
	return rev;
}

bool room_find_seat(const struct room *room, const struct room_hash *key, enum room_seat *seat)
{
	const bool *seated = room->standing.seated;
	bool host = hash_equal(key, &room->keys[ROOM_HOST]) && seated[ROOM_HOST];
	bool guest = hash_equal(key, &room->keys[ROOM_GUEST]) && seated[ROOM_GUEST];

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
	return room->steps[room->rev - 1].at_ms;
}

bool room_was_played(const struct room *room)
{
	for (uint64_t rev = room->rev; rev > 0; rev--)
		if (room->steps[rev - 1].kind == ROOM_PLAYED)
			return true;
	return false;
}

bool room_is_seated(const struct room *room, enum room_seat seat)
{
	return room->standing.seated[seat];
}

uint64_t room_open_request(const struct room *room)
{
	return room->standing.request;
}
