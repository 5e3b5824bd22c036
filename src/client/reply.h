/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/link.h"
#include "client/seat_file.h"

/*
 * What the server says, read from its JSON (docs/api.md). Members that are not known are read over,
 * so that a newer server can say more; one that is needed and missing, or of another kind, makes
 * the whole no reply, and nothing is written then. All texts that come out are visible ASCII within
 * their bounds; only the message of a refusal may have blanks too, and '?' for what is no such
 * text.
 *
 * No function keeps anything, and each may be given any bytes.
 */

/* What one seat asks the other for. */
struct client_request {
	bool open;
	enum room_seat by;
	enum room_request what;
	bool has_ply; /* that would go back, and who played it */
	enum room_seat ply_by;
	char ply[GAME_ACTION_TEXT];
};

/* A room at one revision. */
struct client_snapshot {
	const struct game_ops *ops;
	char room[ROOM_ID_BYTES];
	uint64_t rev;
	enum room_phase phase;
	bool seated[ROOM_SEATS];
	int64_t games;          /* begun in this room */
	int player[ROOM_SEATS]; /* which player each seat is */
	bool abandoned;         /* the game under way, */
	enum room_seat abandoned_by;
	struct client_request request;
	char position[GAME_SETUP_TEXT];
	struct game_state state; /* of that text, so without what went before */
	struct game_summary summary;
	char reason[32]; /* of the end; empty: none, or the game goes on */
	bool has_last;
	struct game_action last;
};

/* A snapshot of a room of the game `ops`. */
bool reply_read_snapshot(const struct game_ops *ops, const char *text, size_t length,
	struct client_snapshot *snapshot);

/* A seat that was taken: writes `room`, `seat`, `key` and, where there is one, `invite_url`. */
bool reply_read_seat(const struct game_ops *ops, const char *text, size_t length,
	struct client_seat *seat, struct client_snapshot *snapshot);

/* The answer to any command; `invite_url` is empty but for the one to "invite". */
bool reply_read_command(const struct game_ops *ops, const char *text, size_t length,
	struct client_snapshot *snapshot, char invite_url[SEAT_URL_BYTES]);

/* A refusal, in the server's words for programs and for people. */
struct client_refusal {
	long code;         /* of HTTP */
	char error[32];    /* "illegal"; empty: the answer is no refusal of a room server */
	char reason[48];   /* may be empty */
	char message[200]; /* likewise */
	char page[80];     /* with "wrong-game": the path of the right one; else empty */
	bool has_snapshot; /* with "stale" */
	struct client_snapshot snapshot;
};

/* `code` is left to the caller. */
void reply_read_refusal(const struct game_ops *ops, const char *text, size_t length,
	struct client_refusal *refusal);

/* Who is there. */
enum client_presence { CLIENT_PRESENCE_UNKNOWN, CLIENT_PRESENT, CLIENT_ABSENT, CLIENT_EMPTY };

struct client_presences {
	enum client_presence seat[ROOM_SEATS];
	int64_t kept_ms; /* so long an absent player's seat is kept; -1: not said */
};

bool reply_read_presence(const char *text, size_t length, struct client_presences *presences);
