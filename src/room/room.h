/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"

/*
 * A room: two seats, and the game between them, as a pure state machine. It knows no socket, clock
 * or database: time and randomness come in with each command. A room is the fold of its events:
 *
 *     room_decide (room, command)  ->  a refusal, or one event; changes nothing
 *     room_apply  (room, event)    ->  the room one revision further
 *
 * so that a room can be rebuilt from its log, and is answered from it alone. The caller writes the
 * event to disk before anybody else sees what it did.
 *
 * Revisions count from 1 (created); each event raises the revision by one.
 */
struct room;

enum room_seat { ROOM_HOST, ROOM_GUEST, ROOM_SEATS };

enum {
	ROOM_ID_BYTES = 24,      /* a room's name, its final zero included */
	ROOM_HASH_BYTES = 32,    /* the hash of a seat key or of an invitation's secret */
	ROOM_COMMAND_BYTES = 65, /* a command's id: 1 to 64 of A-Z a-z 0-9 _ - */
	ROOM_EVENT_TEXT = 512,   /* an event as text, its final zero included */
	ROOM_SNAPSHOT_JSON = GAME_STATE_JSON + 512,
};

struct room_hash {
	unsigned char bytes[ROOM_HASH_BYTES];
};

enum room_event_kind { ROOM_CREATED, ROOM_JOINED, ROOM_PLAYED };

/* One accepted command, as the log keeps it. Members beyond the common ones are zero elsewhere. */
struct room_event {
	enum room_event_kind kind;
	uint64_t rev;  /* the revision this event makes */
	int64_t at_ms; /* since 1970 */

	char game[32];               /* ROOM_CREATED */
	struct room_hash key;        /* ROOM_CREATED: of the host; ROOM_JOINED: of the guest */
	struct room_hash invitation; /* ROOM_CREATED */

	enum room_seat seat;              /* ROOM_PLAYED */
	char command[ROOM_COMMAND_BYTES]; /* ROOM_PLAYED */
	struct game_action action;        /* ROOM_PLAYED */
};

/*
 * Events as one line of ASCII without line feed, words with one blank between:
 *
 *     created 1 1764530000000 mini-shogi <key> <invitation>
 *     joined 2 1764530000000 <key>
 *     played 3 1764530000000 host 9f3-1 5d5c
 *
 * (kind, rev, at_ms, then its members; hashes in 64 lower-case hex digits). The words of an action
 * need the game, which the first event names: `room_event_read` takes the room so far, NULL for the
 * first. It refuses anything that `room_event_write` would not write, and what cannot come next by
 * its kind or `rev`: STATUS_TEXT_EMPTY, STATUS_TEXT_TOO_LONG, STATUS_TEXT_TRAILING,
 * STATUS_ROOM_EVENT, or what the game says of an action's form. Whether the event follows otherwise
 * is for `room_create` and `room_apply` to say.
 */
void room_event_write(const struct room *room, const struct room_event *event, struct text *text);
MUST_CHECK enum status room_event_read(const struct room *room, const char *text, size_t length,
	struct text_error *error, struct room_event *event);

/* Whether a command's id has the form above, as the one given to room_decide_play must. */
bool room_command_valid(const char *command);

/*
 * Creation is the first event: made by the caller, who draws the keys. `id` is a word like those of
 * commands, shorter than ROOM_ID_BYTES. STATUS_ROOM_EVENT: a bad `id`, or no first event;
 * STATUS_GAME_UNKNOWN. The table of operations outlives the room.
 */
MUST_CHECK enum status room_create(const struct game_ops *const *games, const char *id,
	const struct room_event *created, struct room **room);
void room_destroy(struct room *room);

/*
 * Join by invitation. `game` is the game of the page that the guest came from. In this order:
 * STATUS_ROOM_INVITATION (not this room's secret), STATUS_ROOM_WRONG_GAME, STATUS_ROOM_FULL. `key`
 * is freshly drawn, so it is not the host's. `now_ms`, here and below, is not before 1970.
 */
MUST_CHECK enum status room_decide_join(const struct room *room, const struct room_hash *invitation,
	const char *game, const struct room_hash *key, int64_t now_ms, struct room_event *event);

/*
 * Play, resignation included. `rev` is the revision the client had before its eyes. In this order:
 * STATUS_ROOM_STALE, STATUS_ROOM_SUSPENDED (the other seat was never taken), STATUS_GAME_OVER,
 * STATUS_ROOM_NOT_YOUR_TURN, then what the rules say. A command id that was applied before is the
 * caller's to find first, with `room_find_command`.
 */
MUST_CHECK enum status room_decide_play(const struct room *room, enum room_seat seat,
	const char *command, uint64_t rev, struct game_action action, int64_t now_ms,
	struct room_event *event);

/*
 * Moves the room on. Events of `room_decide_*` on the same room always apply; one from a damaged
 * log that does not follow is refused with STATUS_ROOM_EVENT or what the rules say, the room
 * unchanged.
 */
MUST_CHECK enum status room_apply(struct room *room, const struct room_event *event);

/* The revision that `seat` made with this command id, of any form; 0: none. */
uint64_t room_find_command(const struct room *room, enum room_seat seat, const char *command);

/* The seat that this key opens. Compares in constant time; false when there is none. */
bool room_find_seat(const struct room *room, const struct room_hash *key, enum room_seat *seat);

const char *room_id(const struct room *room);
const struct game_ops *room_game(const struct room *room);
const struct game_state *room_state(const struct room *room);
uint64_t room_rev(const struct room *room);
int64_t room_last_event_ms(const struct room *room);
enum room_phase { ROOM_WAITING, ROOM_PLAYING, ROOM_OVER };
enum room_phase room_phase(const struct room *room);

/*
 * A whole snapshot as one JSON object of at most ROOM_SNAPSHOT_JSON bytes:
 * {"room":"…","game":"mini-shogi","rev":7,"phase":"waiting"|"playing"|"over",
 *  "starterRole":"host","players":{"host":0,"guest":1},"state":{…},"position":"…"}
 * `players` is the playerIndex of each seat; the state has no `records`; `position` is the same
 * state as text (SFEN).
 */
void room_write_snapshot(const struct room *room, struct text *text);

/*
 * The snapshot as it was at revision `rev` (1 … the current one): what a command's first answer
 * said, for its repetition.
 */
MUST_CHECK enum status room_write_snapshot_at(
	const struct room *room, uint64_t rev, struct text *text);
