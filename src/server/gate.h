/* SPDX-License-Identifier: MIT */
#pragma once

#include "room/room.h"
#include "server/address.h"
#include "server/http_server.h"

/*
 * How much one visitor may ask for, so that the others can play on: requests, rooms and connections
 * of an address, commands of a seat. Past a limit the answer is 429, before any work is done. A
 * class behind one address is far below all of them (docs/operations.md has the sums).
 *
 * An address may make new connections as often as requests, so that one of connections for nothing,
 * or for requests that are none, is a flood too. A trusted proxy's own connections are not counted.
 */
struct gate;

enum gate_kind { GATE_REQUESTS, GATE_ROOMS, GATE_CONNECTIONS, GATE_COMMANDS, GATE_KINDS };

/* 0: no limit; each up to GATE_LIMIT_MAX. */
struct gate_options {
	struct proxies proxies;
	unsigned requests_per_second; /* of an address */
	unsigned rooms_per_minute;    /* that it makes */
	unsigned connections_per_address;
	unsigned commands_per_second; /* of a seat */
};

enum { GATE_LIMIT_MAX = 1000000 };

MUST_CHECK enum status gate_create(const struct gate_options *options, struct gate **gate);
void gate_destroy(struct gate *gate);

/* For the connections of an `http_server`: whether another of this peer is let in; and one that was
 * let in is gone. */
MUST_CHECK bool gate_admit(struct gate *gate, const char *peer);
void gate_leave(struct gate *gate, const char *peer);

/* Each counts one, or refuses the exchange and returns false. */
MUST_CHECK bool gate_request(
	struct gate *gate, struct http_exchange *exchange, const struct http_request *request);
MUST_CHECK bool gate_room(
	struct gate *gate, struct http_exchange *exchange, const struct http_request *request);
MUST_CHECK bool gate_command(
	struct gate *gate, struct http_exchange *exchange, const struct room_hash *seat);

/* How often each has refused, since the beginning. */
uint64_t gate_refused(const struct gate *gate, enum gate_kind kind);
const char *gate_kind_word(enum gate_kind kind);
