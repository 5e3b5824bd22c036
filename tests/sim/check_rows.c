/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "sim.h"

/* The rows of the log: what is given to the store, what it says, and what a start finds. */

struct known_room *room_find(struct sim *sim, const char *id)
{
	for (size_t i = 0; i < sim->room_count; i++)
		if (strcmp(sim->rooms[i].model.id, id) == 0)
			return &sim->rooms[i];
	return NULL;
}

void check_given(struct sim *sim, const struct store_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct known_room *room = room_find(sim, rows[i].room);

		if (!room) {
			if (sim->room_count == ROOMS_MAX)
				abort();
			room = &sim->rooms[sim->room_count++];
			snprintf(room->model.id, sizeof(room->model.id), "%s", rows[i].room);
		}
		if (rows[i].kind == STORE_REMOVAL) {
			removal_given(sim, room, rows[i].archive);
			continue;
		}
		if (rows[i].rev != room->model.rev + 1)
			sim_fail(sim, "row-invented", "room %s, row %llu is written after row %llu",
				rows[i].room, (unsigned long long)rows[i].rev,
				(unsigned long long)room->model.rev);
		if (room->attempt_count < ATTEMPTS_MAX)
			room->attempts[room->attempt_count++] =
				hash_bytes(rows[i].text, strlen(rows[i].text));
	}
}

static bool is_kind_of(const struct view *view, const struct wish *wish)
{
	static const char *const kinds[] = {
		[ROOM_OP_PLAY] = "played",
		[ROOM_OP_SETTINGS] = "set",
		[ROOM_OP_ASK] = "asked",
		[ROOM_OP_ANSWER] = "refused",
		[ROOM_OP_WITHDRAW] = "withdrawn",
		[ROOM_OP_LEAVE] = "left",
		[ROOM_OP_INVITE] = "invited",
	};
	const char *kind =
		wish->op == ROOM_OP_ANSWER && wish->accept ? "accepted" : kinds[wish->op];

	if (strcmp(view->kind, kind) != 0)
		return false;
	if (wish->op == ROOM_OP_PLAY)
		return strcmp(view->detail, wish->action) == 0;
	if (wish->op == ROOM_OP_ASK)
		return strcmp(view->detail, wish->undo ? "undo" : "new-game") == 0;
	return true;
}

/* A row that a command made, against the command as its client sent it. */
static void check_command(struct sim *sim, const struct model *model, const struct view *view)
{
	struct errand *errand = errand_find(sim, view->command);
	struct secret key;
	struct room_hash hash;
	char hex[HEX_BYTES];
	enum room_seat seat;

	if (!errand || errand->kind != ERRAND_COMMAND || strcmp(errand->room, model->id) != 0 ||
		!is_kind_of(view, &errand->wish)) {
		sim_fail(sim, "command-altered", "room %s, row %llu: nobody sent such a command",
			model->id, (unsigned long long)view->rev);
		return;
	}
	if (errand->applied)
		sim_fail(sim, "command-twice", "room %s: %s made row %llu and row %llu", model->id,
			errand->id, (unsigned long long)errand->applied,
			(unsigned long long)view->rev);
	if (errand->wish.rev + 1 != view->rev)
		sim_fail(sim, "stale-applied", "room %s: %s, sent at %llu, made row %llu",
			model->id, errand->id, (unsigned long long)errand->wish.rev,
			(unsigned long long)view->rev);
	if (errand->refused)
		sim_fail(sim, "refused-applied", "room %s: %s was refused, and made row %llu",
			model->id, errand->id, (unsigned long long)view->rev);
	errand->applied = view->rev;

	strcpy(key.text, errand->key);
	hash = secret_hash(&key);
	hash_to_hex(&hash, hex);
	if (!view_find_seat(model_view(model, view->rev - 1), hex, &seat) || seat != view->by)
		sim_fail(sim, "command-altered", "room %s, row %llu is of another seat", model->id,
			(unsigned long long)view->rev);
}

/* The model's own alarm clock: what begins a timer, and what it ends with. */
static const struct {
	const char *expires; /* the kind of row */
	uint64_t ms;
} timers[TIMERS] = {
	{"expired", 60000},
};

/* The revision that began the timer which runs in this room; 0: none does. */
static uint64_t timer_rev(const struct known_room *room, size_t timer)
{
	(void)timer;
	return model_now(&room->model)->request;
}

static void timers_begin(struct known_room *room)
{
	for (size_t i = 0; i < TIMERS; i++) {
		uint64_t rev = timer_rev(room, i);

		if (rev != room->timers[i].rev)
			room->timers[i] = (struct timer_state){rev, machine.now_ms, machine.now_ms};
	}
}

static void check_not_early(struct sim *sim, struct known_room *room, const struct view *view)
{
	for (size_t i = 0; i < TIMERS; i++) {
		uint64_t passed = machine.now_ms - room->timers[i].since_ms;

		if (strcmp(view->kind, timers[i].expires) == 0 && passed < timers[i].ms)
			sim_fail(sim, "timer-early", "room %s: %s after %llu ms", room->model.id,
				view->kind, (unsigned long long)passed);
	}
}

/* A row is on disk. */
static void take_row(struct sim *sim, struct known_room *room, const char *text)
{
	const char *fault = model_take(&room->model, machine_games, text);
	const struct view *view;

	if (fault) {
		sim_fail(sim, "row-wrong", "room %s: %s: %s", room->model.id, fault, text);
		return;
	}
	sim_trace(sim, "room %s has on disk: %.70s", room->model.id, text);
	view = model_now(&room->model);
	room->attempt_count = 0;
	if (room->model.rev > room->rows_capacity) {
		room->rows_capacity = room->rows_capacity ? 2 * room->rows_capacity : 64;
		room->rows = realloc(room->rows, room->rows_capacity * sizeof(*room->rows));
		if (!room->rows)
			abort();
	}
	room->rows[view->rev - 1] = hash_bytes(text, strlen(text));
	if (view->by_command)
		check_command(sim, &room->model, view);
	check_not_early(sim, room, view);
	if (strcmp(view->kind, "abandoned") == 0 && room->lost_rev[view->by] != view->rev)
		sim_fail(sim, "seat-early", "room %s, row %llu: seat %d was not to be lost",
			room->model.id, (unsigned long long)view->rev, view->by);
	timers_begin(room);
}

void check_written(struct sim *sim, const struct store_row *rows, size_t count, enum status result,
	const enum status *statuses)
{
	if (result != STATUS_OK)
		sim->last_failure_ms = machine.now_ms;
	else /* what was refused before can turn up no more */
		for (size_t i = 0; i < sim->room_count; i++)
			sim->rooms[i].removal_given = false;
	for (size_t i = 0; i < count && !sim->failed; i++) {
		struct known_room *room = room_find(sim, rows[i].room);

		if (statuses[i] == STATUS_STORE_CONFLICT)
			sim_fail(sim, "row-invented", "room %s: row %llu is there already",
				rows[i].room, (unsigned long long)rows[i].rev);
		else if (statuses[i] == STATUS_OK && rows[i].kind == STORE_REMOVAL)
			removal_written(sim, room);
		else if (statuses[i] == STATUS_OK)
			take_row(sim, room, rows[i].text);
	}
}

/* Whether the store was given this row, and refused it or died. */
static bool was_given(const struct known_room *room, uint64_t hash)
{
	for (size_t i = 0; i < room->attempt_count; i++)
		if (room->attempts[i] == hash)
			return true;
	return false;
}

void check_loaded(struct sim *sim, const struct store_row *row)
{
	struct known_room *room = room_find(sim, row->room);
	uint64_t hash = hash_bytes(row->text, strlen(row->text));

	if (!room || row->rev != room->loaded + 1) {
		sim_fail(sim, "row-invented", "room %s, row %llu comes after row %llu", row->room,
			(unsigned long long)row->rev, room ? (unsigned long long)room->loaded : 0);
		return;
	}
	if (room->gone) {
		sim_fail(sim, "removal-half", "room %s was gone, and has row %llu again", row->room,
			(unsigned long long)row->rev);
		return;
	}
	room->loaded++;
	if (row->rev <= room->model.rev) {
		if (room->rows[row->rev - 1] != hash)
			sim_fail(sim, "row-invented", "room %s, row %llu is another than it was",
				row->room, (unsigned long long)row->rev);
	} else if (!was_given(room, hash)) {
		sim_fail(sim, "row-invented", "room %s, row %llu was given by nobody", row->room,
			(unsigned long long)row->rev);
	} else {
		/* Whoever asked for it was told nothing, or that it could not be kept. */
		take_row(sim, room, row->text);
	}
}

static void check_started_room(struct sim *sim, struct known_room *room)
{
	struct hosted *hosted =
		hub_find(sim->server.site.hub, room->model.id, strlen(room->model.id));
	char json[ROOM_SNAPSHOT_JSON];
	struct text text;

	/* The end came while it went: as a whole, or not at all. */
	if (room->removal_given && room->loaded == 0)
		removal_written(sim, room);
	else if (room->removal_given && room->loaded < room->model.rev)
		sim_fail(sim, "removal-half", "room %s has %llu rows left", room->model.id,
			(unsigned long long)room->loaded);
	room->removed = room->gone;
	room->removal_given = false;
	room->known = room->model.rev;
	room->due_ms = 0;
	if (room->gone)
		return;
	if (room->loaded < room->model.rev || (room->model.rev > 0 && !hosted)) {
		sim_fail(sim, "committed-lost", "room %s had %llu rows, and has %llu",
			room->model.id, (unsigned long long)room->model.rev,
			(unsigned long long)room->loaded);
		return;
	}
	if (room->model.rev == 0)
		return;
	room->last_ms = model_now(&room->model)->at_ms;
	people_start(sim, room);
	for (size_t i = 0; i < TIMERS; i++)
		room->timers[i].rev = 0;
	timers_begin(room); /* anew with each start */
	if (view_phase(&room->model, model_now(&room->model)) == ROOM_CLOSED) {
		if (!hosted_is_closed(hosted))
			sim_fail(sim, "state", "room %s is not closed", room->model.id);
		return;
	}
	if (!hosted_room(hosted)) {
		sim_fail(sim, "committed-lost", "room %s is damaged", room->model.id);
		return;
	}
	if (room_rev(hosted_room(hosted)) != room->model.rev)
		sim_fail(sim, "committed-lost", "room %s is at %llu instead of %llu",
			room->model.id, (unsigned long long)room_rev(hosted_room(hosted)),
			(unsigned long long)room->model.rev);
	text_init(&text, json, sizeof(json));
	room_write_snapshot(hosted_room(hosted), &text);
	check_snapshot(sim, json, text.length);
}

void check_started(struct sim *sim)
{
	for (size_t i = 0; i < sim->room_count && !sim->failed; i++) {
		check_started_room(sim, &sim->rooms[i]);
		sim->rooms[i].loaded = 0;
	}
}

void check_submitted(struct sim *sim, const struct store_row *row)
{
	struct server *server = &sim->server;
	struct known_room *room = room_find(sim, row->room);

	if (row->kind == STORE_REMOVAL) {
		check_removal_decided(sim, row->room);
		sim_threaten(sim);
	}
	if (server->row_count == ROWS_MAX)
		abort();
	server->rows[server->row_count++] = *row;
	if (room)
		room->pending++;
}

void check_heard(struct sim *sim, enum status status)
{
	struct server *server = &sim->server;
	struct store_row row = server->rows[0];
	struct known_room *room = room_find(sim, row.room);

	memmove(&server->rows[0], &server->rows[1], --server->row_count * sizeof(row));
	if (!room)
		return;
	if (room->pending > 0)
		room->pending--;
	if (status != STATUS_OK)
		return;
	if (row.kind == STORE_REMOVAL)
		room->removed = true;
	else
		room->known = row.rev;
	room->last_ms = server->day_ms + (int64_t)machine.now_ms;
	people_follow(sim, room);
}

/* The server looks once a second, and then has to write. */
void check_timers(struct sim *sim)
{
	enum { TICK_AND_WRITING_MS = 6000 };

	for (size_t i = 0; i < sim->room_count; i++) {
		struct known_room *room = &sim->rooms[i];

		for (size_t k = 0; k < TIMERS; k++) {
			struct timer_state *timer = &room->timers[k];

			if (timer->held_up_ms < sim->last_failure_ms)
				timer->held_up_ms = sim->last_failure_ms;
			if (timer->rev && !room->gone &&
				machine.now_ms >
					timer->held_up_ms + timers[k].ms + TICK_AND_WRITING_MS)
				sim_fail(sim, "timer-late", "room %s: no \"%s\" after %llu ms",
					room->model.id, timers[k].expires,
					(unsigned long long)(machine.now_ms - timer->since_ms));
		}
	}
}
