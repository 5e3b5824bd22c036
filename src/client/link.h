/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "room/room.h"

/*
 * Addresses as people give them: that of a server, and an invitation,
 *
 *     https://games.example/rubriques/jeux-mini-shogi#invite=ROOM.SECRET
 *
 * whose fragment, with the secret, is never sent to anybody as an address. Of an address without
 * one, the path is none or that of a page; another may well be no address of a Komadai server's.
 */
enum {
	LINK_SERVER_BYTES = 200, /* "https://games.example:8443", its final zero included */
	LINK_PAGE_BYTES = 64,    /* "jeux-mini-shogi", likewise */
	LINK_SECRET_BYTES = 65,  /* a key or a secret: 1 to 64 of A-Z a-z 0-9 _ - */
};

struct link {
	char server[LINK_SERVER_BYTES]; /* scheme, host, and the port where it is no usual one */
	char page[LINK_PAGE_BYTES];     /* the rubrique; empty: the path names none */
	char room[ROOM_ID_BYTES];       /* empty: the address is no invitation */
	char secret[LINK_SECRET_BYTES]; /* empty likewise */
};

/*
 * Reads an address of http or https. False with `*problem`, a sentence of static lifetime that says
 * what is wrong and what would be right; `*link` is untouched then.
 */
bool link_read(const char *text, struct link *link, const char **problem);

/* Whether the text is 1 to `capacity` - 1 of A-Z a-z 0-9 _ -, as rooms, keys and ids are. */
bool link_word_is_valid(const char *text, size_t capacity);
