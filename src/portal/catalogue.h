/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * The rubriques of the portal: what pages there are and which game each one plays. Built in for
 * now; a content folder comes with the portal's own issue.
 */
struct rubrique {
	const char *id;    /* in the address: /rubriques/<id> */
	const char *title; /* in French */
	const char *game;  /* the name of the game it plays */
};

/* Static lifetime; NULL when there is none. `length` is that of `id`, which needs no final zero. */
const struct rubrique *catalogue_find(const char *id, size_t length);
const struct rubrique *catalogue_find_game(const char *game);
