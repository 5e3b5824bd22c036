/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"
#include "server/secrets.h"

/*
 * The JSON bodies of requests, read strictly: exactly the members named here, each of its kind.
 * What is wrong is said by a word and a sentence that name it.
 */
struct body_problem {
	int code;           /* of HTTP: 400, or 422 for an action no such game has */
	const char *error;  /* "malformed" or "illegal", "settings" */
	const char *reason; /* a status word beside "illegal"; else NULL */
	char message[160];
};

/* {"game":"mini-shogi","settings":{}} */
struct body_create {
	char game[32];
};

/* {"invite":"<room>.<secret>","game":"mini-shogi","id":"…"}; `id` may be left out. */
struct body_join {
	char room[ROOM_ID_BYTES];
	struct secret secret;
	char game[32];
	char id[ROOM_COMMAND_BYTES]; /* empty: left out */
};

/* True on success; else `problem` is filled and the rest is not to be read. */
MUST_CHECK bool body_read_create(
	const char *data, size_t length, struct body_create *body, struct body_problem *problem);
MUST_CHECK bool body_read_join(
	const char *data, size_t length, struct body_join *body, struct body_problem *problem);

/*
 * What a seat wants of its room, without the seat:
 *
 *	{"rev":7,"id":"…","op":"play","action":{…}}       read by the room's game, for its form only
 *	{"rev":7,"id":"…","op":"settings","settings":{}}
 *	{"rev":7,"id":"…","op":"ask","what":"undo"}       or "new-game"
 *	{"rev":7,"id":"…","op":"answer","accept":true}
 *	{"rev":7,"id":"…","op":"withdraw"}                likewise "leave" and "invite"
 *
 * The secret of a new invitation is the caller's to draw.
 */
MUST_CHECK bool body_read_command(const char *data, size_t length, const struct room *room,
	struct room_command *command, struct body_problem *problem);
