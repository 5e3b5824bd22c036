/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Faults that are put into the server on purpose, to see that the checks find them. Each is done by
 * the simulation around the server's own code; none is in it.
 */
enum breakage {
	BREAK_NOTHING,
	BREAK_EARLY_ANSWER,  /* the writer says "on disk" before anything is written */
	BREAK_LYING_DISK,    /* a flush does nothing */
	BREAK_LOST_ROW,      /* a start passes over the last row of each room */
	BREAK_TWICE,         /* a request that comes again is taken for a new one */
	BREAK_STALE,         /* the revision that a client saw is not looked at */
	BREAK_UNDO,          /* an undo takes two plies back */
	BREAK_FIRST_PLAYER,  /* the same seat begins each game */
	BREAK_EARLY_EXPIRY,  /* requests run out after 45 s */
	BREAK_LATE_EXPIRY,   /* after 75 s */
	BREAK_WALL_EXPIRY,   /* by a clock that jumps */
	BREAK_NEW_KEY,       /* a join that comes again gets another key */
	BREAK_DEAF_STREAM,   /* some changes are not told to streams */
	BREAK_OTHER_STATE,   /* a stream tells another state than the answer */
	BREAK_REFUSED_TAKEN, /* the store says that it has what it refused */
	BREAK_OTHER_ROW,     /* the store keeps another row than it was given */
	BREAK_OTHER_COMMAND, /* "accept" is taken for "refuse", and the reverse */
	BREAK_OTHER_SEAT,    /* a move is written down as the other seat's */
	BREAK_WRONG_KEY,     /* who joins is given a key that opens nothing */
	BREAK_NEWEST_ANSWER, /* a command that comes again is answered with the newest state */
	BREAK_UNORDERED,     /* the events of a stream overtake each other */
	BREAKAGES
};

struct breakage_name {
	const char *name;
	const char *check; /* that finds it */
	unsigned seeds;    /* within so many */
};

extern const struct breakage_name breakage_names[BREAKAGES];

/* False: none has that name. */
bool breakage_find(const char *name, enum breakage *breakage);
