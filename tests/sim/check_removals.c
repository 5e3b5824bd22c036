/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "hash.h"
#include "sim.h"

/* Rooms that nobody uses any more: when they go, and what stays of them. */

enum { SWEEP_MS = 10 * 60 * 1000, TICKS_MS = 2000 };

/* The games of a room, one a line, as the model knows them. */
struct story {
	const struct model *model;
	const struct view **plies; /* of the game so far */
	size_t count;
	char *text;
	size_t length;
};

static void tell(struct story *story, const char *word)
{
	size_t length = strlen(word);

	story->text = realloc(story->text, story->length + length + 1);
	if (!story->text)
		abort();
	memcpy(story->text + story->length, word, length + 1);
	story->length += length;
}

/* `last` is the room as that game was left. */
static void tell_game(struct story *story, const struct view *last)
{
	struct game_summary summary = story->model->game->summary(&last->state);
	const char *end = "unfinished";
	char winner[16] = "-";

	if (summary.over && summary.winner >= 0)
		snprintf(winner, sizeof(winner), "%d", summary.winner);
	if (last->abandoned)
		end = "abandoned";
	else if (summary.over)
		end = summary.reason == GAME_REASON_NONE ? "complete"
							 : game_reason_name(summary.reason);
	if (story->count == 0)
		return;
	tell(story, story->model->game->name);
	tell(story, " ");
	tell(story, winner);
	tell(story, " ");
	tell(story, end);
	for (size_t i = 0; i < story->count; i++) {
		tell(story, " ");
		tell(story, story->plies[i]->detail);
	}
	tell(story, "\n");
	story->count = 0;
}

/* The caller frees it. */
static char *tell_room(const struct model *model)
{
	struct story story = {.model = model};
	const struct view *last = NULL;

	story.plies = malloc((model->rev + 1) * sizeof(*story.plies));
	if (!story.plies)
		abort();
	tell(&story, "");
	for (uint64_t rev = 1; rev <= model->rev; rev++) {
		const struct view *view = model_view(model, rev);

		if (last && view->games != last->games)
			tell_game(&story, last);
		if (strcmp(view->kind, "played") == 0)
			story.plies[story.count++] = view;
		else if (strcmp(view->kind, "accepted") == 0 && view->games == last->games)
			story.count--;
		last = view;
	}
	if (last)
		tell_game(&story, last);
	free(story.plies);
	return story.text;
}

/* The lines of all, in any order. */
static uint64_t hash_lines(const char *text)
{
	uint64_t sum = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		sum += hash_bytes(text, length);
		text += length + (text[length] != 0);
	}
	return sum;
}

void removal_given(struct sim *sim, struct known_room *room, const char *archive)
{
	char *story = tell_room(&room->model);

	if (strcmp(archive ? archive : "", story) != 0)
		sim_fail(sim, "archive", "room %s is kept as %.150s instead of %.150s",
			room->model.id, archive ? archive : "nothing", story);
	free(story);
	room->removal_given = true;
}

void removal_written(struct sim *sim, struct known_room *room)
{
	char *story = tell_room(&room->model);

	sim_trace(sim, "room %s is gone from the disk", room->model.id);
	sim->archived += hash_lines(story);
	free(story);
	room->gone = true;
}

static bool was_played(const struct model *model)
{
	for (uint64_t rev = 1; rev <= model->rev; rev++)
		if (strcmp(model->views[rev - 1].kind, "played") == 0)
			return true;
	return false;
}

static bool is_used(struct sim *sim, const struct known_room *room)
{
	return people_are_there(room, ROOM_HOST) || people_are_there(room, ROOM_GUEST) ||
	       wire_has_streams(sim, room);
}

/* How long it stays yet, by the server's day; never more than that where it is not played. */
static int64_t stays_ms(const struct sim *sim, const struct known_room *room)
{
	const struct server *server = &sim->server;
	bool closed = view_phase(&room->model, model_now(&room->model)) == ROOM_CLOSED;
	uint64_t kept = server->room_ms;

	if (!closed && server->unplayed_ms < kept && !was_played(&room->model))
		kept = server->unplayed_ms;
	return room->last_ms + (int64_t)kept - (server->day_ms + (int64_t)machine.now_ms);
}

void check_removal_decided(struct sim *sim, const char *id)
{
	struct known_room *room = room_find(sim, id);

	if (!room)
		return;
	if (is_used(sim, room))
		sim_fail(sim, "removal-in-use", "room %s is removed, and somebody is there", id);
	else if (stays_ms(sim, room) > 0)
		sim_fail(sim, "removal-early", "room %s is removed %lld ms too early", id,
			(long long)stays_ms(sim, room));
}

void check_removals(struct sim *sim)
{
	for (size_t i = 0; i < sim->room_count; i++) {
		struct known_room *room = &sim->rooms[i];
		bool due = room->known > 0 && !room->removed && room->pending == 0 &&
			   !is_used(sim, room) && stays_ms(sim, room) <= 0;

		if (!due || !room->due_ms || room->due_ms < sim->last_failure_ms)
			room->due_ms = due ? machine.now_ms : 0;
		else if (machine.now_ms - room->due_ms > SWEEP_MS + TICKS_MS)
			sim_fail(sim, "removal-late", "room %s is still there after %llu ms",
				room->model.id,
				(unsigned long long)(machine.now_ms - room->due_ms));
	}
}

/* The store is closed, and its disk in order. */
void check_archive(struct sim *sim)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *lines = NULL;
	uint64_t found = 0;

	if (sqlite3_open_v2(sim->server.location, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
		sqlite3_prepare_v2(db, "SELECT text FROM archive", -1, &lines, NULL) != SQLITE_OK) {
		sim_fail(sim, "archive", "it cannot be read: %s", sqlite3_errmsg(db));
	} else {
		while (sqlite3_step(lines) == SQLITE_ROW)
			found += hash_lines((const char *)sqlite3_column_text(lines, 0));
		if (found != sim->archived)
			sim_fail(sim, "archive", "it has other games than those of the rooms gone");
	}
	sqlite3_finalize(lines);
	sqlite3_close(db);
}
