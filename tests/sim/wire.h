/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errand.h"
#include "server/http_server.h"

/*
 * The network, and what stands in the place of src/server/http_*.c but for the parser: requests
 * come as bytes to the server's own routes, and their answers and streams go back. Messages are
 * lost, doubled, late, and overtake each other; a stream keeps its order, and is cut. Simulated
 * readers of streams are as slow as the network: what is offered replaces what waits.
 */
struct sim;

/* What a tab reads of an answer. */
struct reply {
	int code;
	char word[40]; /* of a refusal: the finer one */
	uint64_t rev;  /* of the snapshot in it; 0: there is none */
	char room[ROOM_ID_BYTES];
	enum room_seat seat;
	char key[SECRET_BYTES];
	char link[LINK_BYTES];
	uint64_t retry_ms; /* Retry-After; 0: none */
};

struct wire {
	struct http_exchange *exchanges; /* that the server has not answered yet */
	struct http_stream *streams;
	struct message *messages; /* on their way to tabs */
	uint64_t exchanges_made;
	uint64_t streams_made;
};

/* Sends the errand; `attempt` comes back with the answer. */
void wire_send(struct sim *sim, struct errand *errand, unsigned attempt);

/* The tab has left the stream, or was cut off. */
void wire_leave_stream(struct sim *sim, uint64_t stream);

/* The server is gone: whoever waits for it notices at once, or never. */
void wire_cut_all(struct sim *sim);

/* A stop tells each stream when to come back. */
void wire_say_bye(struct sim *sim);

/* Streams of a seat that is empty now count for nobody. */
struct known_room;
void wire_forget(struct sim *sim, struct known_room *room, enum room_seat seat);
bool wire_has_streams(struct sim *sim, const struct known_room *room);

/* Each stream was told who is there. */
void wire_check_presence(struct sim *sim);

void wire_release(struct sim *sim);
