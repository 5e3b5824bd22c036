/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Somebody who asks for as much as goes through from one address, in a process of its own: of every
 * four requests one is for the health, one for the counts, one makes a room, and one tries a key
 * that opens nothing. Each connection has one request on its way, and is opened anew when closed.
 */
struct flood_counts {
	uint64_t answered;
	uint64_t limited; /* with 429 */
	uint64_t busy;    /* with 503 */
	uint64_t closed;  /* connections that the server ended */
};

struct flood;

struct flood *flood_start(uint16_t port, unsigned connections);

/* Ends it and says what it did. */
struct flood_counts flood_stop(struct flood *flood);
