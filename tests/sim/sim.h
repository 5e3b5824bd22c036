/* SPDX-License-Identifier: MIT */
#pragma once

#include "agenda.h"
#include "breakage.h"
#include "chance.h"
#include "errand.h"
#include "machine.h"
#include "model.h"
#include "server.h"
#include "tab.h"
#include "wire.h"

/*
 * One run: a server with its disk, the tabs of those who play on it, the network between, and what
 * was seen to be wrong. Everything in it follows from the seed.
 */
enum {
	ROOMS_MAX = 24,
	GROUPS_MAX = 3,
	LINKS_MAX = 8,
	CHECK_BYTES = 32,
	MESSAGE_BYTES = 400,
	ATTEMPTS_MAX = 64
};

/* Something that a room must do once some time has passed, for as long as what began it lasts. */
enum { TIMERS = 1 };

struct timer_state {
	uint64_t rev; /* that began it; 0: it does not run */
	uint64_t since_ms;
	uint64_t held_up_ms; /* since when it may run late; as `since_ms` where nothing failed */
};

/* How long somebody has been away whom the other waits for. The server looks once a second: it may
 * take what began anew within that time for the same. */
struct absence {
	bool runs;
	bool glimpsed;     /* it stopped only because the other was away as well */
	uint64_t first_ms; /* since when at the most */
	uint64_t last_ms;  /* and at the least */
	uint64_t stopped_ms;
};

struct person {
	size_t streams;
	uint64_t until_ms; /* there without a stream until then */
	struct absence absence;
	uint64_t tokens; /* for commands, in millionths */
	uint64_t filled_ms;
};

/* A room, by all that was seen of it. */
struct known_room {
	struct model model;
	uint64_t told;  /* the newest revision that left the server */
	uint64_t known; /* and that it has heard to be on disk */
	size_t pending; /* rows that the writer has */
	struct person people[ROOM_SEATS];
	uint64_t settled_ms;           /* up to when this account of them goes */
	uint64_t lost_rev[ROOM_SEATS]; /* the row by which the seat may be lost */
	int64_t last_ms;               /* its last event, by the server's day */
	bool removal_given;            /* to the store, which has not done it yet */
	bool gone;                     /* from the disk */
	bool removed;                  /* and the server has heard so */
	uint64_t due_ms;               /* since when it should be removed; 0: it should not */
	struct timer_state timers[TIMERS];
	/* What the store was given for the revision that is to come: the hashes of the texts. */
	uint64_t attempts[ATTEMPTS_MAX];
	size_t attempt_count;
	uint64_t *rows; /* the hashes of its rows */
	size_t rows_capacity;
	uint64_t loaded; /* rows that a start has read */
};

/* Those who play at one table, and the invitations that they have shown each other. */
struct group {
	const struct game_ops *game;
	char links[LINKS_MAX][LINK_BYTES];
	size_t link_count;
};

struct sim {
	uint64_t seed;
	enum breakage breakage;
	bool tracing;
	uint64_t hash; /* of all that happened */

	struct random random; /* of the people, the network and troubles */
	struct random disk_random;
	struct random machine_random;
	struct agenda agenda;

	bool empty;    /* after that: all pages are closed, and the rooms go */
	bool outlives; /* there is such a time */
	bool quiet;    /* the end: no more troubles, nobody begins anything */
	bool done;
	uint32_t loss;     /* messages of a hundred that are lost */
	uint32_t delay_ms; /* the longest */

	struct server server;
	struct wire wire;
	struct group groups[GROUPS_MAX];
	size_t group_count;
	struct tab tabs[TABS_MAX];
	size_t tab_count;
	struct errand **errands; /* by their serial */
	size_t errand_count;
	size_t errand_capacity;
	struct known_room rooms[ROOMS_MAX];
	size_t room_count;
	uint64_t archived;        /* the sum of the hashes of all lines */
	uint64_t last_failure_ms; /* when the store refused rows last; 0: never */

	/* What was found first. */
	bool failed;
	char check[CHECK_BYTES];
	char message[MESSAGE_BYTES];
};

/* The one that runs now, for functions that are given nothing. */
extern struct sim *the_sim;

/* Runs one seed to its end, or to the first thing that is wrong. `sim` is filled in for its seed,
 * `breakage` and `tracing`; `sim_release` comes afterwards. `location` is an empty file. */
void sim_run(struct sim *sim, const char *location);
void sim_release(struct sim *sim);

/* Enters what is to happen `after_ms` from now. */
void sim_enter(struct sim *sim, uint64_t after_ms, agenda_act *act, void *what, uint64_t number);

__attribute__((format(printf, 3, 4))) void sim_fail(
	struct sim *sim, const char *check, const char *format, ...);
__attribute__((format(printf, 2, 3))) void sim_trace(
	const struct sim *sim, const char *format, ...);

/* An end in the midst of what the server writes next, now and then. */
void sim_threaten(struct sim *sim);

/* Takes a number into the hash of the run. */
void sim_mix(struct sim *sim, uint64_t number);
