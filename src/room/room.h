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

/* What one seat asks the other for; without consent neither happens. */
enum room_request {
	ROOM_UNDO,     /* the last ply is taken back, whoever played it */
	ROOM_NEW_GAME, /* from the start; who was second before begins */
	ROOM_REQUESTS
};

enum room_event_kind {
	ROOM_CREATED,
	ROOM_JOINED,
	ROOM_PLAYED,
	ROOM_SET,      /* settings, of which there are none yet */
	ROOM_ASKED,    /* a request is open until one of the next four, or a play */
	ROOM_ACCEPTED, /* what was asked for is done */
	ROOM_REFUSED,
	ROOM_WITHDRAWN,
	ROOM_EXPIRED,   /* nobody answered in time */
	ROOM_LEFT,      /* the seat is empty; a game under way is over, without a winner */
	ROOM_INVITED,   /* to the empty seat; the invitation before opens it no more */
	ROOM_ABANDONED, /* the same as LEFT, of a seat whose player has been away too long */
	ROOM_EVENT_KINDS
};

/* Their words, in events and JSON: "host", "undo" and so on. Static lifetime. */
const char *room_seat_word(enum room_seat seat);
const char *room_request_word(enum room_request request);

/* Whether such an event is a command of a seat, with its id. */
bool room_event_is_command(enum room_event_kind kind);

/* One accepted command, as the log keeps it. Members beyond the common ones are zero elsewhere. */
struct room_event {
	enum room_event_kind kind;
	uint64_t rev;  /* the revision this event makes */
	int64_t at_ms; /* since 1970 */

	char game[32];               /* ROOM_CREATED */
	struct room_hash key;        /* ROOM_CREATED: of the host; ROOM_JOINED: of who comes */
	struct room_hash invitation; /* ROOM_CREATED, ROOM_INVITED */

	enum room_seat seat;              /* of a command, and ROOM_ABANDONED */
	char command[ROOM_COMMAND_BYTES]; /* its id */
	struct game_action action;        /* ROOM_PLAYED */
	enum room_request request;        /* ROOM_ASKED */
};

/*
 * Events as one line of ASCII without line feed, words with one blank between:
 *
 *     created 1 1764530000000 mini-shogi <key> <invitation>
 *     joined 2 1764530000000 <key>
 *     played 3 1764530000000 host 9f3-1 5d5c
 *     asked 4 1764530000000 host 9f3-2 undo
 *     accepted 5 1764530000000 guest 77a-1
 *     expired 6 1764530000000
 *     left 7 1764530000000 guest 77a-2
 *     invited 8 1764530000000 host 9f3-3 <invitation>
 *     abandoned 9 1764530000000 guest
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

/* Whether a command's id has the form above, as that of every command must. */
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
 * Join by invitation: takes the empty seat, and begins a new game where the last one is over.
 * `game` is the game of the page that the guest came from. In this order: STATUS_ROOM_CLOSED (both
 * have left), STATUS_ROOM_INVITATION (not this room's secret, or of no use any more),
 * STATUS_ROOM_WRONG_GAME, STATUS_ROOM_FULL, STATUS_GAME_TOO_LONG. `key` is freshly drawn, so it
 * opens no seat yet. `now_ms`, here and below, is not before 1970.
 */
MUST_CHECK enum status room_decide_join(const struct room *room, const struct room_hash *invitation,
	const char *game, const struct room_hash *key, int64_t now_ms, struct room_event *event);

/* What a seat wants. The camp is deduced from the seat. */
enum room_op {
	ROOM_OP_PLAY,
	ROOM_OP_SETTINGS,
	ROOM_OP_ASK,
	ROOM_OP_ANSWER,
	ROOM_OP_WITHDRAW,
	ROOM_OP_LEAVE,
	ROOM_OP_INVITE
};

struct room_command {
	enum room_seat seat;
	char id[ROOM_COMMAND_BYTES];
	uint64_t rev; /* the revision that the client had before its eyes */
	enum room_op op;
	struct game_action action;   /* ROOM_OP_PLAY: resignation included */
	enum room_request request;   /* ROOM_OP_ASK */
	bool accept;                 /* ROOM_OP_ANSWER */
	bool alone;                  /* ROOM_OP_PLAY: the other's player is away */
	struct room_hash invitation; /* ROOM_OP_INVITE: freshly drawn */
};

/*
 * What the command does. An id that was applied before is the caller's to find first, with
 * `room_find_command`. All begin with STATUS_ROOM_STALE; then come, in this order:
 *
 *	play      STATUS_GAME_OVER, STATUS_ROOM_SUSPENDED (the other seat is empty, or its player
 *	          away), STATUS_ROOM_NOT_YOUR_TURN, what the rules say
 *	settings  STATUS_ROOM_NOT_ALLOWED (the guest), STATUS_ROOM_BEGUN (a ply was played before)
 *	ask       STATUS_ROOM_SUSPENDED, STATUS_ROOM_PENDING (a request is open), for an undo
 *	          STATUS_ROOM_NO_PLY (none was played in this game)
 *	answer    STATUS_ROOM_NO_REQUEST (none is open), STATUS_ROOM_NOT_ALLOWED (to oneself)
 *	withdraw  STATUS_ROOM_NO_REQUEST, STATUS_ROOM_NOT_ALLOWED (the other's)
 *	leave     nothing more: the seat's key opens it no longer
 *	invite    STATUS_ROOM_FULL (the other seat is taken)
 *
 * and at last, but for leave, STATUS_GAME_TOO_LONG: the room has as many revisions as it holds.
 */
MUST_CHECK enum status room_decide(const struct room *room, const struct room_command *command,
	int64_t now_ms, struct room_event *event);

/*
 * Two events that nobody commands; when it is time for them is the caller's to know. They find a
 * place in a room that is full.
 */

/* STATUS_ROOM_NO_REQUEST: none is open. */
MUST_CHECK enum status room_decide_expiry(
	const struct room *room, int64_t now_ms, struct room_event *event);

/* The player of `seat` did not come back. STATUS_ROOM_SUSPENDED (a seat is empty),
 * STATUS_GAME_OVER. */
MUST_CHECK enum status room_decide_abandonment(
	const struct room *room, enum room_seat seat, int64_t now_ms, struct room_event *event);

/*
 * Moves the room on. Events of `room_decide_*` on the same room always apply; one from a damaged
 * log that does not follow is refused with STATUS_ROOM_EVENT or what the rules say, the room
 * unchanged.
 */
MUST_CHECK enum status room_apply(struct room *room, const struct room_event *event);

/* The revision that `seat` made with this command id, of any kind; 0: none. */
uint64_t room_find_command(const struct room *room, enum room_seat seat, const char *command);

/* The seat that this key opens. Compares in constant time; false when there is none. */
bool room_find_seat(const struct room *room, const struct room_hash *key, enum room_seat *seat);

const char *room_id(const struct room *room);
const struct game_ops *room_game(const struct room *room);
const struct game_state *room_state(const struct room *room);
uint64_t room_rev(const struct room *room);
int64_t room_last_event_ms(const struct room *room);
enum room_phase {
	ROOM_WAITING, /* for somebody to take the empty seat */
	ROOM_PLAYING,
	ROOM_OVER,  /* the game is */
	ROOM_CLOSED /* both have left, for good */
};
enum room_phase room_phase(const struct room *room);

bool room_is_seated(const struct room *room, enum room_seat seat);

/* The revision that opened the request that is open now; 0: none is. */
uint64_t room_open_request(const struct room *room);

/*
 * A whole snapshot as one JSON object of at most ROOM_SNAPSHOT_JSON bytes:
 * {"room":"…","game":"mini-shogi","rev":7,"phase":"waiting"|"playing"|"over"|"closed",
 *  "seats":{"host":true,"guest":true},"games":1,"starterRole":"host",
 *  "players":{"host":0,"guest":1},"abandonedBy":null,"request":null,"state":{…},"position":"…"}
 * `seats` says which are taken, and `abandonedBy` which seat's leaving, or staying away, has ended
 * the game: its state is then as it was. `games` counts those begun in this room; `players` is the
 * playerIndex of each seat, that of `starterRole` 0; the state has no `records`; `position` is the
 * same state as text (SFEN). An open request is {"what":"undo","by":"guest","at":1764530000000,
 *  "ply":{"by":"host","action":"5d5c"}}: `at` is when it was made, in ms since 1970, and `ply` what
 * it would take back, null for a new game.
 */
void room_write_snapshot(const struct room *room, struct text *text);

/*
 * The snapshot as it was at revision `rev` (1 … the current one): what a command's first answer
 * said, for its repetition.
 */
MUST_CHECK enum status room_write_snapshot_at(
	const struct room *room, uint64_t rev, struct text *text);

/* Whether a ply was ever played here, be it taken back. */
bool room_was_played(const struct room *room);

/*
 * What may be kept of a room that is gone: the games played in it, one a line, without names, keys
 * or times, a line feed after each. The words of a line are the game, the winning player (0, 1 or
 * -), how it ended (a reason of the game's, "complete" where the rules give none, "abandoned",
 * "unfinished"), and its actions, without those taken back:
 *
 *     mini-shogi 1 resignation 5d5c 1b1c resign
 *
 * A game in which nothing was played has no line. The caller frees `*archive`; STATUS_NO_MEMORY.
 */
MUST_CHECK enum status room_archive(const struct room *room, char **archive);
