/* SPDX-License-Identifier: MIT */
#pragma once

#include "net.h"

/*
 * People in rooms: each room is made and joined over HTTP, each seat holds an event stream, and the
 * two play a recorded game, then ask for a new one and accept it, without end.
 *
 * A lane is one pair of players that acts at a time: it sends a command, waits until its answer
 * and the opponent's event have both come, and goes on in the next of its rooms. So there are as
 * many commands on their way as lanes, and a slow server is asked less, not more.
 */

/* A recorded game: the actions of its plies as JSON. */
struct record {
	char **plies;
	size_t count;
};

struct records {
	struct record *list;
	size_t count;
};

/* One action a line, an empty line after each game. Never released. */
void records_read(struct records *records, const char *path);

/* A kept connection for commands, opened anew where the server has closed it. */
struct door {
	struct conn *conn;
	net_source source;
};

struct seat {
	struct room *room;
	struct door *door;
	struct conn *stream;
	bool live; /* its first state has come */
	char key[24];
};

enum { HOST, GUEST, SEATS };

struct room {
	char id[16];
	struct seat seats[SEATS];
	struct lane *lane;
	const struct record *record;
	uint64_t rev;
	uint64_t plies; /* of all games */
	size_t ply;     /* of this one */
	unsigned games;
	bool asked; /* for a new game */
	bool broken;
};

enum task { IDLE, CREATE, JOIN, WATCH, MOVE, CONSENT };

struct lane {
	struct play *play;
	struct room **rooms;
	size_t count;
	size_t at;
	enum task task; /* of rooms[at], on its way */
	size_t seat;    /* who does it */
	bool answered;
	bool seen; /* the opponent's event has come */
	uint64_t sent_at;
	uint64_t paused_until; /* after a 429; 0: not */
};

struct tally {
	uint64_t moves;
	uint64_t others;   /* commands that are no moves */
	uint64_t refused;  /* 429 */
	uint64_t failed;   /* any other answer, or none */
	uint32_t *latency; /* of each move, in microseconds */
	size_t capacity;
	uint64_t elapsed; /* microseconds */
	char failure[200];
};

struct play {
	struct net *net;
	const struct records *records;
	struct room *rooms;
	size_t room_count;
	struct lane *lanes;
	size_t lane_count;
	size_t busy;               /* lanes with something on their way, or paused */
	size_t live;               /* streams */
	size_t rooms_per_lane_max; /* how many of its rooms a lane plays in */
	uint64_t plies_max;        /* of one room; 0: no end */
	bool going;
	bool counting;
	struct tally tally;
};

/*
 * `lanes` and `rooms` are ready but for what the server says. Each returns when all lanes are done,
 * and ends the program when they are not in time.
 */
void play_make_rooms(struct play *play);
void play_open_streams(struct play *play);
void play_close_streams(struct play *play);

/*
 * Plays for that long, of which the first is not counted, and waits for what is on its way. Or,
 * with `plies_max`, until each room is there. `each_second` may be NULL.
 */
void play_moves(struct play *play, double warm_seconds, double seconds,
	void (*each_second)(void *context), void *context);

/* The latency that this share of the moves did not exceed; sorts them. */
uint64_t tally_percentile(struct tally *tally, double share);

/* A GET with the key of the seat, of its room or of what `suffix` names in it; returns its length.
 */
size_t seat_request(const struct seat *seat, const char *suffix, char *text, size_t capacity);
