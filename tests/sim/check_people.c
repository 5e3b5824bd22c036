/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/*
 * Who is there, by what the wire has brought to the server: a second account of
 * src/server/presence. As one thread runs all, it is exact to the millisecond but for one thing:
 * the server looks once a second, so it may or may not have seen an absence that was shorter.
 */
enum { TICK_MS = 1000, RELOAD_MS = 3000, FAILURE_MS = 2000, MICRO = 1000000, BURST_SECONDS = 4 };

static enum room_seat other(enum room_seat seat)
{
	return seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
}

/* The room as the server has it in memory; NULL: it is closed, gone, or not there yet. */
static const struct view *known_view(const struct known_room *room)
{
	const struct view *view = room->removed ? NULL : model_view(&room->model, room->known);

	return view && view_phase(&room->model, view) != ROOM_CLOSED ? view : NULL;
}

static bool is_there_at(const struct known_room *room, enum room_seat seat, uint64_t ms)
{
	const struct view *view = known_view(room);

	return view && view->seated[seat] &&
	       (room->people[seat].streams > 0 || room->people[seat].until_ms > ms);
}

bool people_are_there(const struct known_room *room, enum room_seat seat)
{
	return is_there_at(room, seat, machine.now_ms);
}

static bool is_playing(const struct known_room *room)
{
	const struct view *view = known_view(room);

	return view && view_phase(&room->model, view) == ROOM_PLAYING;
}

static void note_absence(struct known_room *room, enum room_seat seat, uint64_t ms)
{
	struct absence *absence = &room->people[seat].absence;
	bool away = is_playing(room) && !is_there_at(room, seat, ms);
	bool runs = away && is_there_at(room, other(seat), ms);

	if (runs && !absence->runs) {
		if (!absence->glimpsed || ms - absence->stopped_ms > TICK_MS)
			absence->first_ms = ms;
		absence->last_ms = ms;
	} else if (!runs && absence->runs) {
		absence->stopped_ms = ms;
		absence->glimpsed = true;
	}
	if (!away)
		absence->glimpsed = false;
	absence->runs = runs;
}

static void note(struct known_room *room, uint64_t ms)
{
	note_absence(room, ROOM_HOST, ms);
	note_absence(room, ROOM_GUEST, ms);
}

/* Goes on to now, past the ends of what was good for some time. */
static void settle(struct known_room *room)
{
	uint64_t now = machine.now_ms;

	for (;;) {
		uint64_t next = now + 1;

		for (int i = 0; i < ROOM_SEATS; i++) {
			uint64_t until = room->people[i].until_ms;

			if (until > room->settled_ms && until < next)
				next = until;
		}
		if (next > now)
			break;
		note(room, next);
		room->settled_ms = next;
	}
	room->settled_ms = now;
	note(room, now);
}

static void extend(struct known_room *room, enum room_seat seat, uint64_t ms)
{
	struct person *person = &room->people[seat];

	if (person->until_ms < machine.now_ms + ms)
		person->until_ms = machine.now_ms + ms;
	note(room, machine.now_ms);
}

struct known_room *people_hear(
	struct sim *sim, const char *id, const char *key_hex, enum room_seat *seat)
{
	struct known_room *room = room_find(sim, id);
	const struct view *view = room ? known_view(room) : NULL;

	if (!view || !view_find_seat(view, key_hex, seat))
		return NULL;
	settle(room);
	extend(room, *seat, sim->server.heard_ms);
	return room;
}

void people_open_stream(struct known_room *room, enum room_seat seat)
{
	settle(room);
	room->people[seat].streams++;
	note(room, machine.now_ms);
}

void people_close_stream(struct known_room *room, enum room_seat seat)
{
	settle(room);
	room->people[seat].streams--;
	extend(room, seat, RELOAD_MS);
}

static uint64_t most_tokens(const struct sim *sim)
{
	return sim->server.commands_per_second * (uint64_t)BURST_SECONDS * MICRO;
}

/* Whoever comes next is somebody else. */
static void forget(struct sim *sim, struct known_room *room, enum room_seat seat)
{
	wire_forget(sim, room, seat);
	room->people[seat] = (struct person){.tokens = most_tokens(sim)};
}

void people_start(struct sim *sim, struct known_room *room)
{
	for (int i = 0; i < ROOM_SEATS; i++) {
		forget(sim, room, (enum room_seat)i);
		room->people[i].until_ms = machine.now_ms + sim->server.heard_ms;
	}
	room->settled_ms = machine.now_ms;
	note(room, machine.now_ms);
}

void people_follow(struct sim *sim, struct known_room *room)
{
	const struct view *view = model_view(&room->model, room->known);

	for (int i = 0; i < ROOM_SEATS; i++)
		if (room->removed || !view || !view->seated[i])
			forget(sim, room, (enum room_seat)i);
	settle(room);
	if (view && (strcmp(view->kind, "joined") == 0 || strcmp(view->kind, "created") == 0)) {
		room->people[view->by].filled_ms = machine.now_ms;
		room->people[view->by].tokens = most_tokens(sim);
		extend(room, view->by, sim->server.heard_ms);
	}
}

/* A bucket that fills by so many a second, and holds those of some seconds. */
bool people_may_command(struct sim *sim, struct known_room *room, enum room_seat seat)
{
	struct person *person = &room->people[seat];
	uint64_t most = most_tokens(sim);

	person->tokens += (machine.now_ms - person->filled_ms) * sim->server.commands_per_second *
			  (MICRO / 1000);
	person->filled_ms = machine.now_ms;
	if (person->tokens > most)
		person->tokens = most;
	if (person->tokens < MICRO)
		return false;
	person->tokens -= MICRO;
	return true;
}

void people_write(const struct known_room *room, char text[PRESENCE_JSON])
{
	const struct view *view = known_view(room);
	const char *states[ROOM_SEATS];

	for (int i = 0; i < ROOM_SEATS; i++)
		states[i] = !view || !view->seated[i]                   ? "empty"
			    : people_are_there(room, (enum room_seat)i) ? "present"
									: "absent";
	snprintf(text, PRESENCE_JSON,
		"{\"host\":\"%s\",\"guest\":\"%s\",\"keptMs\":", states[ROOM_HOST],
		states[ROOM_GUEST]);
}

void check_presence(struct sim *sim, struct known_room *room, const char *json)
{
	char expected[PRESENCE_JSON];
	const struct absence *absence = NULL;
	uint64_t kept;
	uint64_t most;
	uint64_t least;

	settle(room);
	people_write(room, expected);
	if (strncmp(json, expected, strlen(expected)) != 0) {
		sim_fail(sim, "presence", "room %s: %.*s instead of %s", room->model.id,
			(int)strcspn(json, "\n"), json, expected);
		return;
	}
	for (int i = 0; i < ROOM_SEATS; i++)
		if (room->people[i].absence.runs)
			absence = &room->people[i].absence;
	json += strlen(expected);
	if (!absence || strncmp(json, "null", 4) == 0) {
		if (absence || strncmp(json, "null}", 5) != 0)
			sim_fail(sim, "presence", "room %s: keptMs is %.20s", room->model.id, json);
		return;
	}
	kept = strtoull(json, NULL, 10) + machine.now_ms;
	least = absence->first_ms + sim->server.kept_ms;
	most = absence->last_ms + sim->server.kept_ms + TICK_MS;
	if ((kept < least && kept > machine.now_ms) || (kept > most && kept > machine.now_ms))
		sim_fail(sim, "presence", "room %s: keptMs is %.20s; at %llu, from %llu to %llu",
			room->model.id, json, (unsigned long long)kept, (unsigned long long)least,
			(unsigned long long)most);
}

void check_loss_decided(struct sim *sim, const char *id, enum room_seat seat)
{
	struct known_room *room = room_find(sim, id);
	const struct absence *absence;
	uint64_t passed;

	if (!room)
		return;
	settle(room);
	absence = &room->people[seat].absence;
	passed = absence->runs ? machine.now_ms - absence->first_ms : 0;
	if (passed < sim->server.kept_ms)
		sim_fail(sim, "seat-early", "room %s: seat %d is lost after %llu ms", id, seat,
			(unsigned long long)passed);
	room->lost_rev[seat] = room->known + 1;
}

void check_move_decided(struct sim *sim, const char *id, enum room_seat seat)
{
	struct known_room *room = room_find(sim, id);

	if (room && !people_are_there(room, other(seat)))
		sim_fail(sim, "suspended", "room %s: a move is taken while the other is away", id);
}

static void check_absence(struct sim *sim, const struct known_room *room, enum room_seat seat)
{
	const struct absence *absence = &room->people[seat].absence;
	uint64_t passed = machine.now_ms - absence->last_ms;

	if (absence->runs && room->pending == 0 && passed > sim->server.kept_ms + TICK_MS &&
		(!sim->last_failure_ms || machine.now_ms > sim->last_failure_ms + FAILURE_MS))
		sim_fail(sim, "seat-late", "room %s: seat %d is not lost after %llu ms",
			room->model.id, seat, (unsigned long long)passed);
}

void check_people(struct sim *sim)
{
	for (size_t i = 0; i < sim->room_count; i++) {
		struct known_room *room = &sim->rooms[i];

		settle(room);
		check_absence(sim, room, ROOM_HOST);
		check_absence(sim, room, ROOM_GUEST);
	}
	wire_check_presence(sim);
}
