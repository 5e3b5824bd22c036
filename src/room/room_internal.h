/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"

/* What the files of this folder share of a room, and nobody else knows. */

/*
 * What the room remembers of each event: enough to recognise a command that comes again and to say
 * how the room stood at any revision.
 */
struct step {
	int64_t at_ms;
	struct game_action action; /* ROOM_PLAYED */
	uint32_t command;          /* its offset in `words` */
	uint32_t older;            /* revision of the one before in its bucket; 0: none */
	uint8_t kind;
	uint8_t seat;    /* of a command, and of who joined */
	uint8_t request; /* ROOM_ASKED */
	uint8_t effect;  /* on the game, of what follows the rules of no game */
};

enum effect { NO_EFFECT, PLY_UNDONE, GAME_BEGUN, GAME_ABANDONED };

/* What a room is beside its game, by the events up to some revision. */
struct standing {
	bool seated[ROOM_SEATS];
	uint64_t games;   /* begun */
	uint64_t request; /* the revision that made the open one; 0: none is open */
	/* The revision by which a seat was left and the game so ended; 0: none. */
	uint64_t abandoned;
};

/*
 * `steps[rev - 1]` is the event that made `rev`. Lists grow by doubling, up to a maximum each.
 * There are at least as many buckets as steps, so that finding a command in a long evening takes no
 * longer than in a new room.
 */
struct room {
	char id[ROOM_ID_BYTES];
	struct game_line *line; /* the game as it stands, without what was taken back */
	struct room_hash keys[ROOM_SEATS];
	struct room_hash invitation;
	bool invites; /* `invitation` opens the empty seat */
	struct standing standing;
	uint64_t rev;

	struct step *steps;
	size_t steps_capacity;
	char *words; /* command ids, each with its final zero */
	size_t words_length;
	size_t words_capacity;
	uint32_t *buckets;    /* of the ids: the revision of the newest command in each; 0: none */
	size_t buckets_count; /* a power of two */
};

enum room_seat standing_starter(const struct standing *standing);
int standing_player(const struct standing *standing, enum room_seat seat); /* 0 or 1 */
bool standing_is_full(const struct standing *standing);
bool standing_is_closed(const struct standing *standing);

/* Over the event that made `rev`. */
void standing_advance(struct standing *standing, const struct step *step, uint64_t rev);

/*
 * The plies of the game as it stands, by their revisions, over the event that made `rev`: returns
 * how many there are then. `plies` has space for one a revision.
 */
size_t step_plies(const struct step *step, uint64_t rev, uint32_t *plies, size_t count);
