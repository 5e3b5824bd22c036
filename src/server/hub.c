/* SPDX-License-Identifier: MIT */
#include "server/hub_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum status hub_create(const struct game_ops *const *games, struct writer *writer,
	struct hub_limits limits, struct hub **hub)
{
	struct hub *made = calloc(1, sizeof(*made));

	if (!made)
		return STATUS_NO_MEMORY;
	made->games = games;
	made->writer = writer;
	made->limits = limits;
	made->wall_ahead_ms = clock_wall_ms() - (int64_t)clock_monotonic_ms();
	/* Whoever was in a room before the start has then shown it. */
	made->sweep_ms = clock_monotonic_ms() + limits.presence.heard_ms;
	*hub = made;
	return STATUS_OK;
}

int64_t hub_day_ms(const struct hub *hub, uint64_t now_ms)
{
	return (int64_t)now_ms + hub->wall_ahead_ms;
}

void request_free(struct request *request)
{
	free(request->archive);
	free(request);
}

static void request_refuse(struct request *request, enum status status)
{
	struct hub_result result = {.status = status};

	request->answer(request->context, &result);
	request_free(request);
}

/* The room has moved on, or is gone: puts it where it belongs in the list of open requests. */
static void hosted_note_request(struct hub *hub, struct hosted *hosted)
{
	uint64_t asked = hosted->room ? room_open_request(hosted->room) : 0;

	if (asked == hosted->asked)
		return;
	if (hosted->asked)
		DL_DELETE(hub->asked, hosted);
	hosted->asked = asked;
	hosted->due_ms = clock_monotonic_ms() + hub->limits.request_ms;
	if (asked)
		DL_APPEND(hub->asked, hosted);
}

static void hosted_destroy(struct hub *hub, struct hosted *hosted)
{
	hosted_set_live(hosted, false);
	if (hosted->closed) {
		hub->closed--;
		DL_DELETE2(hub->closed_rooms, hosted, live_prev, live_next);
	}
	HASH_DEL(hub->rooms, hosted);
	room_destroy(hosted->room);
	free(hosted->archive);
	free(hosted);
}

void hub_destroy(struct hub *hub)
{
	struct hosted *hosted;
	struct hosted *next_hosted;

	if (!hub)
		return;
	HASH_ITER(hh, hub->rooms, hosted, next_hosted)
	{
		struct request *request;
		struct request *next;

		assert(!hosted->watchers);
		DL_FOREACH_SAFE(hosted->requests, request, next)
		{
			DL_DELETE(hosted->requests, request);
			request_refuse(request, STATUS_STORE_WRITE);
		}
		hosted_destroy(hub, hosted);
	}
	free(hub);
}

static struct hosted *hosted_find(const struct hub *hub, const char *id, size_t length)
{
	struct hosted *hosted;

	HASH_FIND(hh, hub->rooms, id, length, hosted);
	return hosted;
}

static struct hosted *hosted_add(struct hub *hub, const char *id)
{
	struct hosted *hosted = calloc(1, sizeof(*hosted));

	assert(strlen(id) < sizeof(hosted->id));
	if (!hosted)
		return NULL;
	strcpy(hosted->id, id);
	hosted->hub = hub;
	HASH_ADD_STR(hub->rooms, id, hosted);
	return hosted;
}

static void hosted_close(struct hub *hub, struct hosted *hosted)
{
	hosted_set_live(hosted, false);
	if (room_archive(hosted->room, &hosted->archive) != STATUS_OK)
		hosted->archive = NULL;
	room_destroy(hosted->room);
	hosted->room = NULL;
	hosted->closed = true;
	hub->closed++;
	DL_APPEND2(hub->closed_rooms, hosted, live_prev, live_next);
}

/* The event of a row; the room so far is NULL for the first. */
static enum status row_read(
	const struct room *room, const struct store_row *row, struct room_event *event)
{
	struct text_error error;
	enum status status = room_event_read(room, row->text, strlen(row->text), &error, event);

	if (status == STATUS_OK && event->rev != row->rev)
		return STATUS_ROOM_EVENT;
	return status;
}

enum status hub_load_row(struct hub *hub, const struct store_row *row)
{
	struct hosted *hosted = hosted_find(hub, row->room, strlen(row->room));
	struct room_event event;
	enum status status;

	if (hosted && !hosted->room)
		return hosted->closed ? STATUS_ROOM_EVENT
				      : STATUS_OK; /* damaged before, and said so then */
	status = row_read(hosted ? hosted->room : NULL, row, &event);
	if (hosted) {
		if (status == STATUS_OK)
			status = room_apply(hosted->room, &event);
		if (status != STATUS_OK) {
			hosted_set_live(hosted, false);
			room_destroy(hosted->room);
			hosted->room = NULL;
		} else {
			hosted->last_ms = room_last_event_ms(hosted->room);
			if (room_phase(hosted->room) == ROOM_CLOSED)
				hosted_close(hub, hosted);
		}
		hosted_note_request(hub, hosted);
		return status;
	}
	hosted = hosted_add(hub, row->room);
	if (!hosted)
		return STATUS_NO_MEMORY;
	hosted->open = true;
	if (status == STATUS_OK)
		status = room_create(hub->games, row->room, &event, &hosted->room);
	if (status == STATUS_OK) {
		hosted->last_ms = room_last_event_ms(hosted->room);
		presence_start(&hosted->presence, &hub->limits.presence, clock_monotonic_ms());
		hosted_set_live(hosted, true);
	}
	return status;
}

struct hosted *hub_find(struct hub *hub, const char *id, size_t length)
{
	struct hosted *hosted = hosted_find(hub, id, length);

	return hosted && hosted->open ? hosted : NULL;
}

const struct room *hosted_room(const struct hosted *hosted)
{
	return hosted->room;
}

bool hosted_is_closed(const struct hosted *hosted)
{
	return hosted->closed;
}

size_t hub_rooms(const struct hub *hub)
{
	return HASH_COUNT(hub->rooms) - hub->closed;
}

bool hub_is_full(const struct hub *hub)
{
	return hub_rooms(hub) >= hub->limits.rooms_max;
}

/* Answers with `snapshot`, the room's JSON at `rev`. */
static void request_answer(
	struct request *request, enum status status, uint64_t rev, const char *snapshot)
{
	struct hub_result result = {.status = status, .rev = rev, .snapshot = snapshot};

	if (request->kind == REQUEST_JOIN)
		(void)room_find_seat(request->hosted->room, &request->key, &result.seat);
	request->answer(request->context, &result);
	request_free(request);
}

/* The same, with the snapshot as it was then. */
static void request_answer_at(struct request *request, enum status status, uint64_t rev)
{
	char json[ROOM_SNAPSHOT_JSON];
	struct text text;
	const struct room *room = request->hosted->room;
	enum status written = STATUS_OK;

	text_init(&text, json, sizeof(json));
	if (rev == room_rev(room))
		room_write_snapshot(room, &text);
	else
		written = room_write_snapshot_at(room, rev, &text);
	assert(!text.overflow);
	if (written == STATUS_OK)
		request_answer(request, status, rev, json);
	else
		request_refuse(request, written);
}

static enum room_seat other_seat(enum room_seat seat)
{
	return seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
}

/*
 * Decides a request that is first in its room. True: its event is to be written. False: it needs
 * none, and was answered and freed.
 */
static bool request_decide(struct request *request)
{
	struct room *room = request->hosted->room;
	enum room_seat seat;
	enum status status;
	uint64_t rev;

	if (!room && request->kind != REQUEST_REMOVAL) {
		request_refuse(request, STATUS_ROOM_CLOSED);
		return false;
	}
	switch (request->kind) {
	case REQUEST_OPEN:
	case REQUEST_REMOVAL:
		return true;
	case REQUEST_JOIN:
		if (room_find_seat(room, &request->key, &seat)) {
			request_answer_at(request, STATUS_OK, room_rev(room));
			return false;
		}
		status = room_decide_join(room, &request->invitation, request->game, &request->key,
			clock_wall_ms(), &request->event);
		break;
	case REQUEST_EXPIRY:
		if (room_open_request(room) != request->asked) {
			request_refuse(request, STATUS_ROOM_NO_REQUEST);
			return false;
		}
		status = room_decide_expiry(room, clock_wall_ms(), &request->event);
		break;
	case REQUEST_ABANDONMENT:
		/* It never waits behind another: the player is still away. */
		status = room_decide_abandonment(
			room, request->lost, clock_wall_ms(), &request->event);
		break;
	case REQUEST_COMMAND:
	default:
		/* The seat may have been left, and taken by another, while this waited. */
		if (!room_find_seat(room, &request->key, &seat) || seat != request->command.seat) {
			request_refuse(request, STATUS_ROOM_NO_SEAT);
			return false;
		}
		rev = room_find_command(room, request->command.seat, request->command.id);
		if (rev) {
			request_answer_at(request, STATUS_OK, rev);
			return false;
		}
		hosted_note_presence(request->hosted, clock_monotonic_ms());
		request->command.alone =
			!presence_is_present(&request->hosted->presence, other_seat(seat));
		status = room_decide(room, &request->command, clock_wall_ms(), &request->event);
		break;
	}
	if (status == STATUS_OK)
		return true;
	if (status == STATUS_ROOM_STALE)
		request_answer_at(request, status, room_rev(room));
	else
		request_refuse(request, status);
	return false;
}

static bool request_submit(struct hub *hub, struct request *request)
{
	struct store_row row = {.rev = request->event.rev, .at_ms = request->event.at_ms};
	struct text text;

	strcpy(row.room, request->hosted->id);
	if (request->kind == REQUEST_REMOVAL) {
		row.kind = STORE_REMOVAL;
		row.at_ms = clock_wall_ms();
		row.archive = request->archive;
		return writer_submit(hub->writer, &row, request);
	}
	text_init(&text, row.text, sizeof(row.text));
	room_event_write(request->hosted->room, &request->event, &text);
	assert(!text.overflow);
	return writer_submit(hub->writer, &row, request);
}

void hosted_release(struct hub *hub, struct hosted *hosted)
{
	if (!hosted->open && !hosted->watchers && !hosted->requests)
		hosted_destroy(hub, hosted);
}

/* Takes the requests of a room one after the other until one has to wait for the disk. */
static void hosted_advance(struct hub *hub, struct hosted *hosted)
{
	while (hosted->requests) {
		struct request *request = hosted->requests;

		DL_DELETE(hosted->requests, request);
		if (!request_decide(request))
			continue;
		if (request_submit(hub, request)) {
			DL_PREPEND(hosted->requests, request);
			return;
		}
		request_refuse(request, STATUS_STORE_WRITE);
	}
	hosted_release(hub, hosted);
}

struct request *request_make(
	enum request_kind kind, struct hosted *hosted, hub_answer *answer, void *context)
{
	struct request *request = calloc(1, sizeof(*request));

	if (!request) {
		struct hub_result result = {.status = STATUS_NO_MEMORY};

		answer(context, &result);
		return NULL;
	}
	request->kind = kind;
	request->hosted = hosted;
	request->answer = answer;
	request->context = context;
	return request;
}

void request_enter(struct hub *hub, struct request *request)
{
	bool first = !request->hosted->requests;

	DL_APPEND(request->hosted->requests, request);
	if (first)
		hosted_advance(hub, request->hosted);
}

void hub_open_room(struct hub *hub, const char *id, const struct room_event *created,
	hub_answer *answer, void *context)
{
	struct request *request = request_make(REQUEST_OPEN, NULL, answer, context);
	enum status status;

	assert(!hub_is_full(hub));
	if (!request)
		return;
	if (hosted_find(hub, id, strlen(id))) {
		request_refuse(request, STATUS_STORE_CONFLICT);
		return;
	}
	request->hosted = hosted_add(hub, id);
	if (!request->hosted) {
		request_refuse(request, STATUS_NO_MEMORY);
		return;
	}
	status = room_create(hub->games, id, created, &request->hosted->room);
	if (status != STATUS_OK) {
		hosted_destroy(hub, request->hosted);
		request_refuse(request, status);
		return;
	}
	request->event = *created;
	request_enter(hub, request);
}

void hub_join(struct hub *hub, struct hosted *hosted, const struct room_hash *invitation,
	const char *game, const struct room_hash *key, hub_answer *answer, void *context)
{
	struct request *request = request_make(REQUEST_JOIN, hosted, answer, context);

	if (!request)
		return;
	assert(strlen(game) < sizeof(request->game));
	request->invitation = *invitation;
	request->key = *key;
	strcpy(request->game, game);
	request_enter(hub, request);
}

void hub_command(struct hub *hub, struct hosted *hosted, const struct room_hash *key,
	const struct room_command *command, hub_answer *answer, void *context)
{
	struct request *request;

	/* An answer that comes too late finds nothing to answer. */
	hub_expire_requests(hosted->hub, clock_monotonic_ms());
	request = request_make(REQUEST_COMMAND, hosted, answer, context);
	if (!request)
		return;
	request->key = *key;
	request->command = *command;
	request_enter(hub, request);
}

/* Who takes a seat is there; other requests were heard of as they came. */
static void hosted_hear_sender(struct hosted *hosted, const struct request *request)
{
	enum room_seat seat = ROOM_HOST;

	if (request->kind == REQUEST_OPEN ||
		(request->kind == REQUEST_JOIN &&
			room_find_seat(hosted->room, &request->key, &seat)))
		hub_hear(hosted, seat);
	else
		hosted_note_presence(hosted, clock_monotonic_ms());
}

/* The event of `request` is on disk and in the room: its watchers and its sender see the same. */
static void request_publish(struct request *request)
{
	struct hosted *hosted = request->hosted;
	uint64_t rev = room_rev(hosted->room);
	char json[ROOM_SNAPSHOT_JSON];
	struct text text;

	text_init(&text, json, sizeof(json));
	room_write_snapshot(hosted->room, &text);
	assert(!text.overflow);
	hosted_tell(hosted, HUB_STATE, rev, json);
	hosted_end_watchers(hosted);
	hosted_hear_sender(hosted, request);
	request_answer(request, STATUS_OK, rev, json);
}

/* Its log is deleted. Who still watches, having come while that was on its way, is told the end. */
static void hosted_remove_done(struct hub *hub, struct hosted *hosted)
{
	if (!hosted->closed)
		hosted_close(hub, hosted);
	hosted_note_request(hub, hosted); /* one may be open still */
	hosted_end_watchers(hosted);
	hosted->open = false;
}

void hub_written(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	struct hub *hub = context;
	struct request *request = ticket;
	struct hosted *hosted = request->hosted;

	(void)problem;
	assert(hosted->requests == request);
	DL_DELETE(hosted->requests, request);
	if (request->kind == REQUEST_REMOVAL) {
		if (status == STATUS_OK || status == STATUS_STORE_CONFLICT /* no longer there */)
			hosted_remove_done(hub, hosted);
		request_refuse(request, status);
		hosted_advance(hub, hosted);
		return;
	}
	if (status == STATUS_OK) {
		hosted->last_ms = hub_day_ms(hub, clock_monotonic_ms());
		if (request->kind == REQUEST_OPEN)
			hosted->open = true;
		else
			status = room_apply(hosted->room, &request->event);
	}
	hosted_note_request(hub, hosted);
	if (status == STATUS_OK)
		request_publish(request);
	else
		request_refuse(request, status);
	if (status == STATUS_OK && room_phase(hosted->room) == ROOM_CLOSED)
		hosted_close(hub, hosted);
	hosted_advance(hub, hosted);
}
