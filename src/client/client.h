/* SPDX-License-Identifier: MIT */
#pragma once

#include "client/reply.h"

/*
 * One seat of a room on a server, from afar: takes the seat, follows the room's event stream and
 * sends commands, one at a time. What is lost on the way is made good: the stream is opened again
 * with the id of its last event, and a command that was not answered is sent again with the same
 * id, which the server applies once, until it is answered; each time a little later.
 *
 * It is driven by `client_poll`, on one thread, and says what happens through the functions of
 * `client_ears`, which are called from there alone and must call nothing of the client.
 */
struct client;

struct client_ears {
	void *context;
	/* The seat is taken: its key should be kept before anything else. */
	void (*seated)(void *context, const struct client_seat *seat);
	/* The room as it is now: the first time, and whenever it has changed. */
	void (*snapshot)(void *context, const struct client_snapshot *snapshot);
	void (*presence)(void *context, const struct client_presences *presences);
	/* A fresh link for the other seat, as was asked; `seat` has it. */
	void (*invited)(void *context, const struct client_seat *seat);
	/* The command is refused, and nothing has changed by it. */
	void (*refused)(void *context, const struct client_refusal *refusal);
	/* The server is not heard any more, for this reason; it is again. */
	void (*lost)(void *context, const char *reason);
	void (*found)(void *context);
};

struct client_options {
	const struct game_ops *ops;
	const char *ca_file; /* certificates to trust; NULL: the system's */
	long patience_ms;    /* so long may an answer take */
	/*
	 * With a key: the seat is taken up again. With a secret: it is joined. Else a room of this
	 * game is made on this server.
	 */
	struct client_seat seat;
	struct client_ears ears;
};

/* NULL: there is not enough memory. `ops` and `ca_file` outlive it; curl_global_init() comes
 * before. */
struct client *client_create(const struct client_options *options);
void client_destroy(struct client *client);

/* Draws an id that nobody can guess. */
void client_draw_id(char id[ROOM_COMMAND_BYTES]);

enum client_end {
	CLIENT_GOES_ON,
	CLIENT_LEFT,   /* the seat was given up, as was asked */
	CLIENT_GONE,   /* the seat is none, or is no more; what was kept of it is of no use */
	CLIENT_FAILED, /* the server cannot be had; what was kept may be of use yet */
};

/*
 * Waits until there is something to do, or `fd` (-1: none) can be read, and does it. Returns
 * whether `fd` can be read.
 */
bool client_poll(struct client *client, int fd);

enum client_end client_end(const struct client *client);
/* What ended it, as a phrase; it may hold any bytes. */
const char *client_problem(const struct client *client);

enum client_state {
	CLIENT_TAKING_SEAT, /* nothing is known of the room yet */
	CLIENT_READY,       /* for a command */
	CLIENT_SENDING,     /* a command has no answer yet, and is sent until it has */
};

enum client_state client_state(const struct client *client);

/*
 * Sends a command, when it is CLIENT_READY. `members` are those beside "rev", "id" and "op", each
 * with a comma before it: ",\"what\":\"undo\"".
 */
enum { CLIENT_MEMBERS_BYTES = 256 };
void client_send(struct client *client, const char *op, const char *members);
