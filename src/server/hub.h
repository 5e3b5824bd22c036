/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"
#include "server/presence.h"
#include "store/writer.h"

/*
 * All rooms of this process, between whoever asks and the log on disk. The hub knows no HTTP: what
 * reaches it are requests with a function to answer them, and watchers to be told of new states.
 *
 * The law it keeps: a room in memory is what the disk says, never ahead of it. A command is
 * decided, its event is handed to the writer, and only when the event is on disk does the room
 * move, is the command answered, and do watchers see it. While an event of a room is on its way,
 * later requests to the same room wait behind it, in order.
 *
 * Everything runs on the thread of the writer's owner.
 */
struct hub;
struct hosted; /* one room in the hub; lives as long as the hub */

struct hub_result {
	enum status status;
	uint64_t rev; /* that the command made, or that it is now for STATUS_ROOM_STALE */
	const char *
		snapshot; /* JSON at `rev`; NULL for other refusals. Lives until the call returns */
	enum room_seat seat; /* of a join: the one that was taken */
};

/* Called exactly once for each request, from inside the request or later. Must not call the hub. */
typedef void hub_answer(void *context, const struct hub_result *result);

enum hub_news {
	HUB_STATE,    /* `json` is the new snapshot, at `rev` */
	HUB_PRESENCE, /* `json` says who is there, as presence_write does */
	HUB_END       /* the seat or the room is gone, and nothing more comes; `json` is NULL */
};

/* Told of all that is new in a room. Must not call the hub. */
typedef void hub_watch(void *context, enum hub_news news, uint64_t rev, const char *json);

/* Of those present, whoever was heard of since the server's start. */
struct hub_counts {
	size_t waiting; /* rooms with somebody in them who waits for a guest */
	size_t playing; /* rooms with a game under way and somebody at it */
	size_t people;  /* seats */
};

struct hub_limits {
	size_t rooms_max; /* open; and as many more that all have left */
	/*
	 * A room goes so long after its last event, once nobody is there: its games are archived
	 * and its log is deleted. Where nothing was ever played, after `unplayed_ms`, if that is
	 * less. 0: rooms stay for ever. Rooms whose log is damaged stay for the operator to repair.
	 */
	uint64_t room_ms;
	uint64_t unplayed_ms;
	struct presence_limits presence;
	/* How long one seat waits for the answer of the other. The time while no server ran does
	 * not count: a request that was open then begins anew. */
	uint64_t request_ms;
};

/* `games` and `writer` outlive the hub. */
MUST_CHECK enum status hub_create(const struct game_ops *const *games, struct writer *writer,
	struct hub_limits limits, struct hub **hub);

/* Requests on their way are answered with STATUS_STORE_WRITE. Watchers are gone before. */
void hub_destroy(struct hub *hub);

/*
 * Puts the next row of the log in, in the order of `store_ops.load`. A row that does not follow
 * leaves its room damaged: later rows of that room are passed over, and its hosted room has no
 * `room`. Returns what was wrong with this very row.
 */
MUST_CHECK enum status hub_load_row(struct hub *hub, const struct store_row *row);

/* For the owner to pass to `writer_collect`, with the hub as its context. */
void hub_written(void *hub, void *ticket, enum status status, const struct store_problem *problem);

/* Does what is due by clock_monotonic_ms(), which is now this. To be called every second or so. */
void hub_tick(struct hub *hub, uint64_t now_ms);

/* NULL: no such room, not on disk yet, or gone. */
struct hosted *hub_find(struct hub *hub, const char *id, size_t length);

/* NULL: the room is closed, or its log is damaged, so that it can neither be played nor read. */
const struct room *hosted_room(const struct hosted *hosted);

/* All have left: nothing but the name of the room is kept. */
bool hosted_is_closed(const struct hosted *hosted);

/* The player of that seat has just shown to be there: a request came with the seat's key. The room
 * is neither closed nor damaged. */
void hub_hear(struct hosted *hosted, enum room_seat seat);

/* Who is there, as presence_write says it; of the same room. */
void hosted_write_presence(const struct hosted *hosted, struct text *text);

/* True when there are as many rooms as the limit says. */
bool hub_is_full(const struct hub *hub);

/* Creates a room of that (new) name from its first event. The hub is not full. */
void hub_open_room(struct hub *hub, const char *id, const struct room_event *created,
	hub_answer *answer, void *context);

/* The room is not damaged. Who comes again with the key of a seat is answered that seat again. */
void hub_join(struct hub *hub, struct hosted *hosted, const struct room_hash *invitation,
	const char *game, const struct room_hash *key, hub_answer *answer, void *context);

/*
 * The room is not damaged. `key` opens the seat of the command, now and when its turn comes: else
 * STATUS_ROOM_NO_SEAT. A command id that was applied before gets its first answer again.
 */
void hub_command(struct hub *hub, struct hosted *hosted, const struct room_hash *key,
	const struct room_command *command, hub_answer *answer, void *context);

/* A watcher belongs to its owner, who removes it before it goes. */
struct hub_watcher {
	struct hosted *hosted;
	enum room_seat seat;
	hub_watch *watch;
	void *context;
	bool ended; /* the hub's, as those below: HUB_END was said */
	struct hub_watcher *prev;
	struct hub_watcher *next;
};

/* `ended` is false. While it is there, the seat's player is. */
void hub_add_watcher(struct hub_watcher *watcher);
void hub_remove_watcher(struct hub_watcher *watcher);

struct hub_counts hub_count(const struct hub *hub, const struct game_ops *game);

/* Of all games. */
struct hub_phases {
	size_t waiting;
	size_t playing;
	size_t over;
	size_t closed; /* all have left; kept until they expire */
	size_t damaged;
};

/* Goes through all rooms. */
struct hub_phases hub_count_phases(const struct hub *hub);
/* Without those that are closed. */
size_t hub_rooms(const struct hub *hub);
