/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct hub;

/*
 * Faults that are put into the server on purpose, to see that the checks find them. Each is done by
 * the simulation around the server's own code; none is in it.
 */
enum breakage {
	BREAK_NOTHING,
	BREAK_EARLY_ANSWER,    /* the writer says "on disk" before anything is written */
	BREAK_LYING_DISK,      /* a flush does nothing */
	BREAK_LOST_ROW,        /* a start passes over the last row of each room */
	BREAK_TWICE,           /* a request that comes again is taken for a new one */
	BREAK_STALE,           /* the revision that a client saw is not looked at */
	BREAK_UNDO,            /* an undo takes two plies back */
	BREAK_FIRST_PLAYER,    /* the same seat begins each game */
	BREAK_EARLY_EXPIRY,    /* requests run out after 45 s */
	BREAK_LATE_EXPIRY,     /* after 75 s */
	BREAK_WALL_EXPIRY,     /* by a clock that jumps */
	BREAK_NEW_KEY,         /* a join that comes again gets another key */
	BREAK_DEAF_STREAM,     /* some changes are not told to streams */
	BREAK_OTHER_STATE,     /* a stream tells another state than the answer */
	BREAK_REFUSED_TAKEN,   /* the store says that it has what it refused */
	BREAK_OTHER_ROW,       /* the store keeps another row than it was given */
	BREAK_OTHER_COMMAND,   /* "accept" is taken for "refuse", and the reverse */
	BREAK_OTHER_SEAT,      /* a move is written down as the other seat's */
	BREAK_WRONG_KEY,       /* who joins is given a key that opens nothing */
	BREAK_NEWEST_ANSWER,   /* a command that comes again is answered with the newest state */
	BREAK_UNORDERED,       /* the events of a stream overtake each other */
	BREAK_EARLY_LOSS,      /* a seat is lost 3 s before its time */
	BREAK_LATE_LOSS,       /* 3 s after it */
	BREAK_OTHER_LOSS,      /* the other seat is lost */
	BREAK_UNTOLD_PRESENCE, /* streams are not told who comes and goes */
	BREAK_DOWN_TIME,       /* after a start, nobody counts as heard of */
	BREAK_NO_GRACE,        /* the end of a stream is an absence at once */
	BREAK_ALONE,           /* a move is taken while the other is away */
	BREAK_EARLY_REMOVAL,   /* rooms go after half of their time */
	BREAK_NO_REMOVAL,      /* they stay */
	BREAK_IN_USE,          /* they go though somebody is there */
	BREAK_WALL_DAY,        /* they go by a clock that jumps */
	BREAK_GHOST,           /* the disk keeps what was removed */
	BREAK_OTHER_ARCHIVE,   /* other games than were played are kept */
	BREAK_NO_LIMIT,        /* a seat may ask twice as often */
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

/* BREAK_IN_USE, after a tick. */
void break_sweep(struct hub *hub, uint64_t now_ms);
