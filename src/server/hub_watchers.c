/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "base/clock.h"
#include "server/hub_internal.h"

/* Who is there, and who is told what. */

void hosted_set_live(struct hosted *hosted, bool live)
{
	struct hub *hub = hosted->hub;

	if (live == hosted->live)
		return;
	hosted->live = live;
	if (live)
		DL_APPEND2(hub->live, hosted, live_prev, live_next);
	else
		DL_DELETE2(hub->live, hosted, live_prev, live_next);
}

void hosted_tell(struct hosted *hosted, enum hub_news news, uint64_t rev, const char *json)
{
	struct hub_watcher *watcher;

	DL_FOREACH(hosted->watchers, watcher)
	if (!watcher->ended)
		watcher->watch(watcher->context, news, rev, json);
}

void hosted_note_presence(struct hosted *hosted, uint64_t now_ms)
{
	char json[PRESENCE_JSON];
	struct text text;

	if (!hosted->room)
		return;
	if (!presence_update(
		    &hosted->presence, hosted->room, &hosted->hub->limits.presence, now_ms))
		return;
	hosted_set_live(hosted, presence_is_anybody(&hosted->presence));
	text_init(&text, json, sizeof(json));
	presence_write(&hosted->presence, now_ms, &text);
	assert(!text.overflow);
	hosted_tell(hosted, HUB_PRESENCE, room_rev(hosted->room), json);
}

void hub_hear(struct hosted *hosted, enum room_seat seat)
{
	uint64_t now_ms = clock_monotonic_ms();

	presence_heard(&hosted->presence, seat, &hosted->hub->limits.presence, now_ms);
	hosted_note_presence(hosted, now_ms);
}

void hosted_write_presence(const struct hosted *hosted, struct text *text)
{
	presence_write(&hosted->presence, clock_monotonic_ms(), text);
}

static bool hosted_is_seated(const struct hosted *hosted, enum room_seat seat)
{
	return hosted->room && room_is_seated(hosted->room, seat);
}

void hosted_end_watchers(struct hosted *hosted)
{
	struct hub_watcher *watcher;

	DL_FOREACH(hosted->watchers, watcher)
	{
		if (watcher->ended || hosted_is_seated(hosted, watcher->seat))
			continue;
		watcher->watch(watcher->context, HUB_END, 0, NULL);
		watcher->ended = true;
	}
	for (size_t i = 0; i < ROOM_SEATS; i++)
		if (!hosted_is_seated(hosted, (enum room_seat)i))
			presence_forget(&hosted->presence, (enum room_seat)i);
}

void hub_add_watcher(struct hub_watcher *watcher)
{
	struct hosted *hosted = watcher->hosted;

	assert(!watcher->ended);
	presence_open_stream(&hosted->presence, watcher->seat);
	hosted_note_presence(hosted, clock_monotonic_ms());
	DL_APPEND(hosted->watchers, watcher);
}

void hub_remove_watcher(struct hub_watcher *watcher)
{
	struct hosted *hosted = watcher->hosted;

	DL_DELETE(hosted->watchers, watcher);
	if (!watcher->ended)
		presence_close_stream(&hosted->presence, watcher->seat,
			&hosted->hub->limits.presence, clock_monotonic_ms());
	hosted_release(hosted->hub, hosted);
}

struct hub_counts hub_count(const struct hub *hub, const struct game_ops *game)
{
	struct hub_counts counts = {0};

	for (const struct hosted *hosted = hub->live; hosted; hosted = hosted->live_next) {
		size_t people = presence_count(&hosted->presence);

		if (people == 0 || room_game(hosted->room) != game)
			continue;
		counts.people += people;
		counts.waiting += room_phase(hosted->room) == ROOM_WAITING;
		counts.playing += room_phase(hosted->room) == ROOM_PLAYING;
	}
	return counts;
}

struct hub_phases hub_count_phases(const struct hub *hub)
{
	struct hub_phases phases = {0};

	for (const struct hosted *hosted = hub->rooms; hosted; hosted = hosted->hh.next) {
		enum room_phase phase = hosted->room ? room_phase(hosted->room) : ROOM_CLOSED;

		phases.damaged += !hosted->room && !hosted->closed;
		phases.closed += hosted->closed;
		phases.waiting += phase == ROOM_WAITING;
		phases.playing += phase == ROOM_PLAYING;
		phases.over += phase == ROOM_OVER;
	}
	return phases;
}
