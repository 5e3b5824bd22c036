/* SPDX-License-Identifier: MIT */
#pragma once

#include "server/hub.h"
#include "server/table.h"

/* What the hub's files share: hub.c, hub_watchers.c, hub_time.c. */

enum request_kind {
	REQUEST_OPEN,
	REQUEST_JOIN,
	REQUEST_COMMAND,
	REQUEST_EXPIRY,
	REQUEST_ABANDONMENT,
	REQUEST_REMOVAL
};

/* One request, from its arrival to its answer. */
struct request {
	enum request_kind kind;
	hub_answer *answer;
	void *context;

	struct room_hash invitation; /* REQUEST_JOIN */
	struct room_hash key;        /* REQUEST_JOIN, REQUEST_COMMAND */
	char game[32];               /* REQUEST_JOIN */

	struct room_command command; /* REQUEST_COMMAND */

	uint64_t asked;      /* REQUEST_EXPIRY: the revision that asked */
	enum room_seat lost; /* REQUEST_ABANDONMENT */
	char *archive;       /* REQUEST_REMOVAL; owned */

	struct room_event event; /* what was decided, while the writer has it */
	struct hosted *hosted;
	struct request *prev;
	struct request *next;
};

struct hosted {
	char id[ROOM_ID_BYTES];
	struct hub *hub;
	struct room *room;
	bool open;   /* its first event is on disk, and its removal is not */
	bool closed; /* all have left, or it was removed; there is no `room` any more */
	/* Of the last event, by the hub's day: as its row says only where a start has read it,
	 * since the wall's clock may have been wrong when that was written. */
	int64_t last_ms;
	char *archive; /* where `closed`; NULL: there was no memory for it */
	/* The first of these is with the writer; the others wait. */
	struct request *requests;
	struct hub_watcher *watchers;
	struct presence presence;
	bool live; /* in the list of rooms with somebody present; else, where `closed`, in that one
		    */
	struct hosted *live_prev;
	struct hosted *live_next;
	/* Whose answer runs out when: as all have the same time, the first in the list is due
	 * first.
	 */
	uint64_t asked; /* the revision that asked; 0: not in the list */
	uint64_t due_ms;
	struct hosted *prev;
	struct hosted *next;
	UT_hash_handle hh;
};

struct hub {
	const struct game_ops *const *games;
	struct writer *writer;
	struct hub_limits limits;
	struct hosted *rooms;
	size_t closed;               /* of these */
	struct hosted *closed_rooms; /* who closed first, as far as this run knows, comes first */
	int64_t wall_ahead_ms;       /* of the clock that never goes back, at the start */
	uint64_t sweep_ms;           /* when rooms that have expired are looked for next */
	struct hosted *asked;        /* rooms with an open request, the oldest first */
	struct hosted *live;         /* rooms with somebody present */
};

/* hub.c */

/*
 * The day is told by the wall's clock at the start and by the one that never goes back since: a
 * clock that is set wrong while the server runs removes nothing.
 */
int64_t hub_day_ms(const struct hub *hub, uint64_t now_ms);

/* NULL: there is no memory, and that was answered. */
struct request *request_make(
	enum request_kind kind, struct hosted *hosted, hub_answer *answer, void *context);
void request_free(struct request *request);

/* Puts the request last in its room. */
void request_enter(struct hub *hub, struct request *request);

/* What was never opened, or is gone, goes with the last who knows it. */
void hosted_release(struct hub *hub, struct hosted *hosted);

/* hub_time.c. Requests whose time is over are over. */
void hub_expire_requests(struct hub *hub, uint64_t now_ms);

/* hub_watchers.c */

void hosted_set_live(struct hosted *hosted, bool live);

void hosted_tell(struct hosted *hosted, enum hub_news news, uint64_t rev, const char *json);

/* Somebody came, went, or was not heard of for some time; or the seats have changed. */
void hosted_note_presence(struct hosted *hosted, uint64_t now_ms);

/* Of seats that were left: whoever comes next is somebody else. */
void hosted_end_watchers(struct hosted *hosted);
