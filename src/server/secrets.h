/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"

/*
 * Names and keys. A secret is 128 random bits, written as 22 characters of base64url; only its hash
 * (BLAKE2b, 256 bits) is ever kept. `secrets_init` comes first, once a process.
 */
enum {
	SECRET_BYTES = 23, /* as text, its final zero included */
	ROOM_NAME_LENGTH = 12,
};

struct secret {
	char text[SECRET_BYTES];
};

/* False: the system gives no randomness; nothing may go on. */
MUST_CHECK bool secrets_init(void);

struct secret secret_draw(void);

/*
 * A secret that follows from another one and the name of a request: a guest's key from the
 * invitation, an invitation from the key of who invites. The same request gives the same again, so
 * an answer that was lost can be asked for a second time, and nothing is kept for it.
 */
struct secret secret_derive(const struct secret *from, const char *request);

/* Reads exactly the form that is written; false otherwise. */
MUST_CHECK bool secret_read(const char *text, size_t length, struct secret *secret);

struct room_hash secret_hash(const struct secret *secret);

/* The name of a new room: 60 random bits as 12 characters of 0-9 a-z without i, l, o, u. */
void room_name_draw(char name[ROOM_ID_BYTES]);

/* Whether the text has that form. */
bool room_name_is_valid(const char *text, size_t length);
