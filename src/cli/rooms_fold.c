/* SPDX-License-Identifier: MIT */
#include "cli/rooms_fold.h"

#include <string.h>

const char rooms_text_first[] = "komadai-rooms 1";

void rooms_fold_release(struct rooms_fold *fold)
{
	room_destroy(fold->room);
	fold->room = NULL;
}

static void begin_room(struct rooms_fold *fold, const char id[ROOM_ID_BYTES])
{
	room_destroy(fold->room);
	fold->room = NULL;
	fold->damaged_now = false;
	fold->rooms++;
	strcpy(fold->id, id);
}

static enum status fold_event(struct rooms_fold *fold, uint64_t rev, const char *text,
	size_t length, struct room_event *event, struct text_error *error)
{
	enum status status = room_event_read(fold->room, text, length, error, event);

	if (status != STATUS_OK)
		return status;
	if (rev != 0 && event->rev != rev)
		status = STATUS_ROOM_EVENT;
	else if (fold->room)
		status = room_apply(fold->room, event);
	else
		status = room_create(fold->games, fold->id, event, &fold->room);
	*error = (struct text_error){status, 1, 1};
	return status;
}

enum status rooms_fold_take(struct rooms_fold *fold, const char id[ROOM_ID_BYTES], uint64_t rev,
	const char *text, size_t length, struct room_event *event, struct text_error *error)
{
	enum status status;

	if (fold->events == 0 || strcmp(fold->id, id) != 0)
		begin_room(fold, id);
	fold->events++;
	if (fold->damaged_now)
		return STATUS_OK;
	status = fold_event(fold, rev, text, length, event, error);
	if (status != STATUS_OK && status != STATUS_NO_MEMORY) {
		rooms_fold_release(fold);
		fold->damaged_now = true;
		fold->damaged++;
	}
	return status;
}

static const char *refuse(uint32_t *column, size_t offset, const char *phrase)
{
	*column = (uint32_t)offset + 1;
	return phrase;
}

const char *rooms_fold_line(struct rooms_fold *fold, const char *line, size_t length,
	struct room_event *event, const char **event_text, size_t *event_length, uint32_t *column)
{
	const char *blank = memchr(line, ' ', length);
	size_t name = blank ? (size_t)(blank - line) : length;
	char id[ROOM_ID_BYTES];
	struct text_error error;
	enum status status;

	if (name == 0 || name >= sizeof(id) || memchr(line, 0, name))
		return refuse(column, 0, "the line must begin with the name of a room");
	if (!blank)
		return refuse(column, length, "an event must follow the name of the room");
	memcpy(id, line, name);
	id[name] = 0;
	if (fold->events > 0 && strcmp(id, fold->id) < 0)
		return refuse(column, 0, "the rooms must be in the order of their names, bytewise");
	*event_text = blank + 1;
	*event_length = length - name - 1;
	status = rooms_fold_take(fold, id, 0, *event_text, *event_length, event, &error);
	if (status != STATUS_OK)
		return refuse(column, status == STATUS_NO_MEMORY ? 0 : name + 1 + error.column - 1,
			status_text(status));
	return NULL;
}
