/* SPDX-License-Identifier: MIT */
#pragma once

#include "errand.h"
#include "server/presence.h"

/*
 * A page in a browser, which does as docs/api.md and web/core/room say: it holds a seat and a
 * stream, takes a snapshot for a newer one only, has one request on its way, and sends it again
 * with the same id until an answer comes.
 */
enum { TABS_MAX = 16 };

struct reply;
struct sim;

struct tab {
	size_t number;
	size_t group;
	bool creates;      /* a room, where there is none to go to */
	uint32_t think_ms; /* the longest pause between two things */

	bool seated;
	char room[ROOM_ID_BYTES];
	char key[SECRET_BYTES];
	enum room_seat seat;
	uint64_t rev; /* of the newest snapshot; 0: none yet */

	struct errand *errand; /* on its way; NULL: none */
	unsigned attempt;
	uint64_t pause_ms; /* before the next */

	struct errand *stream_errand; /* to open the stream */
	unsigned stream_attempt;
	uint64_t stream; /* its number; 0: none is open */
	uint64_t stream_rev;
	char presence[PRESENCE_JSON]; /* as this stream says; "": not yet */
	uint64_t retry_ms;            /* it is to come back after so long */
	bool away;                    /* the page is closed */
	char last_event[64];
	uint64_t opened; /* how often it was opened, so that old alarms are told from new */
};

void tab_begin(struct sim *sim, struct tab *tab);

/* What the network brings. */
void tab_reply(struct sim *sim, struct tab *tab, struct errand *errand, unsigned attempt,
	const struct reply *reply);
void tab_stream_opened(
	struct sim *sim, struct tab *tab, struct errand *errand, unsigned attempt, uint64_t stream);
void tab_stream_event(
	struct sim *sim, struct tab *tab, uint64_t stream, uint64_t rev, const char *id);
void tab_stream_presence(struct sim *sim, struct tab *tab, uint64_t stream, const char *json);
void tab_stream_bye(struct tab *tab, uint64_t stream, uint64_t retry_ms);
void tab_stream_ended(struct sim *sim, struct tab *tab, uint64_t stream);

/* Closes the page, for good or until `tab_return`. */
void tab_go_away(struct sim *sim, struct tab *tab);
void tab_return(struct sim *sim, struct tab *tab);

/* The connection of that try is gone. */
void tab_failed(struct sim *sim, struct tab *tab, struct errand *errand, unsigned attempt);

/* What the tab would do now; NULL: nothing. In choose.c. */
struct errand *tab_choose(struct sim *sim, struct tab *tab);
