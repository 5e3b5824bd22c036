/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/text.h"
#include "room/room.h"

/*
 * Who is there: for one room, by what its seats were last heard of. It is pure, its time comes in
 * with each call (clock_monotonic_ms), and none of it is kept on disk.
 *
 * A player is present who has a stream, who sent a request with the key of the seat not long ago,
 * or whose last stream has ended a moment ago, as it does where a page is loaded again. When a
 * server starts, everybody has just been heard of: the time while it was down counts for nobody.
 *
 * A player who is away while the other is there, in a game under way, has some minutes to come
 * back. Where both are away nobody waits, so that time begins anew when one of them returns.
 */
struct presence_limits {
	uint64_t heard_ms;  /* a request with a key is good for this long */
	uint64_t reload_ms; /* and so is the end of a stream */
	uint64_t kept_ms;   /* how long the other waits until the game is over */
};

struct presence {
	struct {
		size_t streams;
		uint64_t until_ms;   /* present without a stream until then */
		uint64_t lost_at_ms; /* when the seat is lost; 0: that time does not run */
		bool present;        /* as presence_update last saw it */
		bool met;            /* heard of since the server's start */
	} seats[ROOM_SEATS];
	bool seated[ROOM_SEATS]; /* as presence_update last saw it */
};

/* `presence` was zero. */
void presence_start(
	struct presence *presence, const struct presence_limits *limits, uint64_t now_ms);

void presence_heard(struct presence *presence, enum room_seat seat,
	const struct presence_limits *limits, uint64_t now_ms);
void presence_open_stream(struct presence *presence, enum room_seat seat);
void presence_close_stream(struct presence *presence, enum room_seat seat,
	const struct presence_limits *limits, uint64_t now_ms);

/* The seat is empty: whoever comes next is somebody else. Its streams are forgotten, and not closed
 * here any more. */
void presence_forget(struct presence *presence, enum room_seat seat);

/*
 * Looks at everything again; true: what presence_write says has changed other than by time alone.
 * To be called after each of the calls above, after each event of the room, and once a second.
 */
bool presence_update(struct presence *presence, const struct room *room,
	const struct presence_limits *limits, uint64_t now_ms);

/* By the last update. */
bool presence_is_present(const struct presence *presence, enum room_seat seat);
bool presence_is_anybody(const struct presence *presence);
/* Without those who are only taken to be there since the server's start. */
size_t presence_count(const struct presence *presence);

/* The seat whose time is over; false: none. */
bool presence_find_lost(const struct presence *presence, uint64_t now_ms, enum room_seat *seat);

/*
 * {"host":"present","guest":"absent","keptMs":281000}: each is "present", "absent" or "empty";
 * `keptMs` is how long the absent one has left to come back, null where no such time runs. At most
 * PRESENCE_JSON bytes, the final zero included.
 */
enum { PRESENCE_JSON = 80 };
void presence_write(const struct presence *presence, uint64_t now_ms, struct text *text);
