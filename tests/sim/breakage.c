/* SPDX-License-Identifier: MIT */
#include "breakage.h"

#include <stddef.h>
#include <string.h>

#include "checks.h"
#include "game/line.h"
#include "server/hub_internal.h"
#include "sim.h"

const struct breakage_name breakage_names[BREAKAGES] = {
	[BREAK_NOTHING] = {"nothing", "", 0},
	[BREAK_EARLY_ANSWER] = {"early-answer", "ahead-of-disk", 20},
	[BREAK_LYING_DISK] = {"lying-disk", "committed-lost", 50},
	[BREAK_LOST_ROW] = {"lost-row", "committed-lost", 20},
	[BREAK_TWICE] = {"twice", "command-twice", 300},
	[BREAK_STALE] = {"stale", "stale-applied", 50},
	[BREAK_UNDO] = {"undo", "state", 50},
	[BREAK_FIRST_PLAYER] = {"first-player", "first-player", 50},
	[BREAK_EARLY_EXPIRY] = {"early-expiry", "timer-early", 100},
	[BREAK_LATE_EXPIRY] = {"late-expiry", "timer-late", 100},
	[BREAK_WALL_EXPIRY] = {"wall-expiry", "timer-early", 600},
	[BREAK_NEW_KEY] = {"new-key", "refusal", 50},
	[BREAK_DEAF_STREAM] = {"deaf-stream", "converged", 100},
	[BREAK_OTHER_STATE] = {"other-state", "state", 20},
	[BREAK_REFUSED_TAKEN] = {"refused-taken", "ahead-of-disk", 100},
	[BREAK_OTHER_ROW] = {"other-row", "row-invented", 50},
	[BREAK_OTHER_COMMAND] = {"other-command", "command-altered", 100},
	[BREAK_OTHER_SEAT] = {"other-seat", "row-wrong", 20},
	[BREAK_WRONG_KEY] = {"wrong-key", "key", 20},
	[BREAK_NEWEST_ANSWER] = {"newest-answer", "answer", 100},
	[BREAK_UNORDERED] = {"unordered", "stream-order", 100},
	[BREAK_EARLY_LOSS] = {"early-loss", "seat-early", 100},
	[BREAK_LATE_LOSS] = {"late-loss", "seat-late", 100},
	[BREAK_OTHER_LOSS] = {"other-loss", "seat-early", 100},
	[BREAK_UNTOLD_PRESENCE] = {"untold-presence", "presence", 50},
	[BREAK_DOWN_TIME] = {"down-time", "presence", 100},
	[BREAK_NO_GRACE] = {"no-grace", "presence", 100},
	[BREAK_ALONE] = {"alone", "suspended", 100},
	[BREAK_EARLY_REMOVAL] = {"early-removal", "removal-early", 300},
	[BREAK_NO_REMOVAL] = {"no-removal", "removal-late", 200},
	[BREAK_IN_USE] = {"in-use", "removal-in-use", 200},
	[BREAK_WALL_DAY] = {"wall-day", "removal-early", 600},
	[BREAK_GHOST] = {"ghost", "removal-half", 200},
	[BREAK_OTHER_ARCHIVE] = {"other-archive", "archive", 200},
	[BREAK_NO_LIMIT] = {"no-limit", "limit", 200},
};

bool breakage_find(const char *name, enum breakage *breakage)
{
	for (size_t i = 0; i < BREAKAGES; i++)
		if (strcmp(breakage_names[i].name, name) == 0) {
			*breakage = (enum breakage)i;
			return true;
		}
	return false;
}

/* The linker's --wrap gives these functions of src/game and src/room these names. */
bool __real_game_line_undo(struct game_line *line);
bool __wrap_game_line_undo(struct game_line *line);
enum status __real_room_decide(const struct room *room, const struct room_command *command,
	int64_t now_ms, struct room_event *event);
enum status __wrap_room_decide(const struct room *room, const struct room_command *command,
	int64_t now_ms, struct room_event *event);
enum status __real_room_write_snapshot_at(const struct room *room, uint64_t rev, struct text *text);
enum status __wrap_room_write_snapshot_at(const struct room *room, uint64_t rev, struct text *text);
enum status __real_room_decide_abandonment(
	const struct room *room, enum room_seat seat, int64_t now_ms, struct room_event *event);
enum status __wrap_room_decide_abandonment(
	const struct room *room, enum room_seat seat, int64_t now_ms, struct room_event *event);
int64_t __real_hub_day_ms(const struct hub *hub, uint64_t now_ms);
int64_t __wrap_hub_day_ms(const struct hub *hub, uint64_t now_ms);
bool __real_presence_find_lost(
	const struct presence *presence, uint64_t now_ms, enum room_seat *seat);
bool __wrap_presence_find_lost(
	const struct presence *presence, uint64_t now_ms, enum room_seat *seat);
void __real_presence_start(
	struct presence *presence, const struct presence_limits *limits, uint64_t now_ms);
void __wrap_presence_start(
	struct presence *presence, const struct presence_limits *limits, uint64_t now_ms);
bool __real_writer_submit(struct writer *writer, const struct store_row *row, void *ticket);
bool __wrap_writer_submit(struct writer *writer, const struct store_row *row, void *ticket);

bool __wrap_game_line_undo(struct game_line *line)
{
	bool undone = __real_game_line_undo(line);

	if (the_sim->breakage == BREAK_UNDO)
		(void)__real_game_line_undo(line);
	return undone;
}

enum status __wrap_room_decide(const struct room *room, const struct room_command *command,
	int64_t now_ms, struct room_event *event)
{
	struct room_command taken = *command;
	enum status status;

	if (the_sim->breakage == BREAK_ALONE)
		taken.alone = false;
	status = __real_room_decide(room, &taken, now_ms, event);
	if (status == STATUS_OK && command->op == ROOM_OP_PLAY)
		check_move_decided(the_sim, room_id(room), command->seat);

	if (the_sim->breakage == BREAK_OTHER_SEAT && status == STATUS_OK &&
		event->kind == ROOM_PLAYED)
		event->seat = event->seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
	return status;
}

enum status __wrap_room_write_snapshot_at(const struct room *room, uint64_t rev, struct text *text)
{
	if (the_sim->breakage != BREAK_NEWEST_ANSWER)
		return __real_room_write_snapshot_at(room, rev, text);
	room_write_snapshot(room, text);
	return STATUS_OK;
}

enum status __wrap_room_decide_abandonment(
	const struct room *room, enum room_seat seat, int64_t now_ms, struct room_event *event)
{
	if (the_sim->breakage == BREAK_OTHER_LOSS)
		seat = seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
	check_loss_decided(the_sim, room_id(room), seat);
	return __real_room_decide_abandonment(room, seat, now_ms, event);
}

int64_t __wrap_hub_day_ms(const struct hub *hub, uint64_t now_ms)
{
	return the_sim->breakage == BREAK_WALL_DAY ? machine_wall_ms()
						   : __real_hub_day_ms(hub, now_ms);
}

bool __wrap_presence_find_lost(
	const struct presence *presence, uint64_t now_ms, enum room_seat *seat)
{
	enum { WRONG_MS = 3000 };

	if (the_sim->breakage == BREAK_EARLY_LOSS)
		now_ms += WRONG_MS;
	else if (the_sim->breakage == BREAK_LATE_LOSS)
		now_ms -= now_ms < WRONG_MS ? now_ms : WRONG_MS;
	return __real_presence_find_lost(presence, now_ms, seat);
}

/* All rooms, as though nobody were in them. */
void break_sweep(struct hub *hub, uint64_t now_ms)
{
	struct hosted *hosted;
	struct hosted *next;

	HASH_ITER(hh, hub->rooms, hosted, next)
	{
		struct hub_watcher *watchers = hosted->watchers;
		bool live = hosted->live;

		hosted->watchers = NULL;
		hosted->live = false;
		hub->sweep_ms = now_ms;
		hub_tick(hub, now_ms);
		hosted->watchers = watchers;
		hosted->live = live;
	}
}

void __wrap_presence_start(
	struct presence *presence, const struct presence_limits *limits, uint64_t now_ms)
{
	if (the_sim->breakage != BREAK_DOWN_TIME)
		__real_presence_start(presence, limits, now_ms);
}

bool __wrap_writer_submit(struct writer *writer, const struct store_row *row, void *ticket)
{
	if (!__real_writer_submit(writer, row, ticket))
		return false;
	check_submitted(the_sim, row);
	return true;
}
