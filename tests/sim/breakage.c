/* SPDX-License-Identifier: MIT */
#include "breakage.h"

#include <stddef.h>
#include <string.h>

#include "game/line.h"
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
	enum status status = __real_room_decide(room, command, now_ms, event);

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
