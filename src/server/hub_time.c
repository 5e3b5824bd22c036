/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/hub_internal.h"

/* What comes with time: requests that run out, seats that are lost, rooms that go. */

enum { SWEEP_MS = 10 * 60 * 1000, SWEEP_ROOMS = 1000 /* removed at a time */ };

/* A `hub_answer`. Where the end could not be written, the room waits as long again. */
static void ignore_answer(void *context, const struct hub_result *result)
{
	(void)context;
	(void)result;
}

void hub_expire_requests(struct hub *hub, uint64_t now_ms)
{
	while (hub->asked && hub->asked->due_ms <= now_ms) {
		struct hosted *hosted = hub->asked;
		struct request *request;

		DL_DELETE(hub->asked, hosted);
		hosted->due_ms = now_ms + hub->limits.request_ms;
		DL_APPEND(hub->asked, hosted);
		request = request_make(REQUEST_EXPIRY, hosted, ignore_answer, NULL);
		if (!request)
			return;
		request->asked = hosted->asked;
		request_enter(hub, request);
	}
}

/* Where the end could not be written, it is tried again at the next tick. */
static void look_around(struct hub *hub, uint64_t now_ms)
{
	struct hosted *hosted;
	struct hosted *next;

	DL_FOREACH_SAFE2(hub->live, hosted, next, live_next)
	{
		enum room_seat seat;
		struct request *request;

		hosted_note_presence(hosted, now_ms);
		if (hosted->requests || !presence_find_lost(&hosted->presence, now_ms, &seat))
			continue;
		request = request_make(REQUEST_ABANDONMENT, hosted, ignore_answer, NULL);
		if (!request)
			return;
		request->lost = seat;
		request_enter(hub, request);
	}
}

static bool hosted_has_expired(const struct hosted *hosted, int64_t day_ms)
{
	const struct hub_limits *limits = &hosted->hub->limits;
	uint64_t kept_ms = limits->room_ms;

	if (!hosted->open || hosted->live || hosted->watchers || hosted->requests ||
		!(hosted->room || hosted->closed))
		return false;
	if (hosted->room && limits->unplayed_ms < kept_ms && !room_was_played(hosted->room))
		kept_ms = limits->unplayed_ms;
	return day_ms - hosted->last_ms >= (int64_t)kept_ms;
}

/* False: there is no memory, or the writer is full. */
static bool hosted_remove(struct hub *hub, struct hosted *hosted)
{
	struct request *request = request_make(REQUEST_REMOVAL, hosted, ignore_answer, NULL);

	if (!request)
		return false;
	if (hosted->archive)
		request->archive = strdup(hosted->archive);
	else if (hosted->room && room_archive(hosted->room, &request->archive) != STATUS_OK) {
		request_free(request);
		return false;
	}
	request_enter(hub, request);
	return hosted->requests != NULL;
}

static void sweep(struct hub *hub, uint64_t now_ms)
{
	int64_t day_ms = hub_day_ms(hub, now_ms);
	struct hosted *hosted;
	struct hosted *next;
	size_t count = 0;

	if (hub->limits.room_ms == 0 || now_ms < hub->sweep_ms)
		return;
	HASH_ITER(hh, hub->rooms, hosted, next)
	{
		if (!hosted_has_expired(hosted, day_ms))
			continue;
		if (!hosted_remove(hub, hosted) || ++count == SWEEP_ROOMS)
			return; /* the others at the next tick */
	}
	hub->sweep_ms = now_ms + SWEEP_MS;
}

/*
 * Of rooms that all have left no more are kept than may be open: else whoever makes rooms and
 * leaves them fills memory and disk.
 */
static void trim_closed(struct hub *hub)
{
	size_t most = hub->limits.rooms_max;
	size_t over = hub->closed > most ? hub->closed - most : 0;
	struct hosted *hosted = hub->closed_rooms;

	for (size_t i = 0; i < over && i < SWEEP_ROOMS; i++) {
		struct hosted *next = hosted->live_next;

		/* Those that are on their way out count as well. */
		if (hosted->open && !hosted->requests && !hosted_remove(hub, hosted))
			return;
		hosted = next;
	}
}

void hub_tick(struct hub *hub, uint64_t now_ms)
{
	hub_expire_requests(hub, now_ms);
	look_around(hub, now_ms);
	sweep(hub, now_ms);
	trim_closed(hub);
}
