/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"

/*
 * The rooms of a log, folded one after the other, so that only one is in memory: its events come
 * without a gap, and rooms in the order of their names, bytewise, as a data file gives them and
 * `komadai rooms export` prints them.
 */
struct rooms_fold {
	const struct game_ops *const *games;
	char id[ROOM_ID_BYTES]; /* of the room that is being folded */
	struct room *room;      /* NULL: none, or it is damaged */
	bool damaged_now;
	uint64_t rooms;
	uint64_t events;
	uint64_t damaged;
};

static inline struct rooms_fold rooms_fold_of(const struct game_ops *const *games)
{
	return (struct rooms_fold){.games = games};
}

void rooms_fold_release(struct rooms_fold *fold);

/*
 * Takes the next event of the log. `rev` is where the log has it; 0: it does not say. The first
 * event of a room that does not follow makes the room damaged, and is said with its place in the
 * text; of the rest of that room nothing is said but STATUS_OK, with `event` not written.
 * STATUS_NO_MEMORY says nothing of the room.
 */
MUST_CHECK enum status rooms_fold_take(struct rooms_fold *fold, const char id[ROOM_ID_BYTES],
	uint64_t rev, const char *text, size_t length, struct room_event *event,
	struct text_error *error);

/*
 * A log as text: this line, then the events, a room's name before each, each line with its end.
 *
 *	komadai-rooms 1
 *	k3xq created 1 1764530000000 mini-shogi <key> <invitation>
 */
extern const char rooms_text_first[];

enum {
	ROOMS_LINE_BYTES =
		ROOM_ID_BYTES + ROOM_EVENT_TEXT /* with its final zero, without its end */
};

/*
 * Takes the next line of such a text but its first, without its end. NULL, and the event, of which
 * `event_text` is what stands in the line, `event_length` bytes; or what is wrong with it, as a
 * phrase without a final stop, and the column, from 1 on.
 */
MUST_CHECK const char *rooms_fold_line(struct rooms_fold *fold, const char *line, size_t length,
	struct room_event *event, const char **event_text, size_t *event_length, uint32_t *column);
