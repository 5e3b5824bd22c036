/* SPDX-License-Identifier: MIT */
#include "server/gate.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/clock.h"
#include "server/answer.h"
#include "server/limits.h"

/*
 * What may come at once, in seconds or minutes of the rate: a whole class that loads the page at
 * the same moment (40 pupils, some 40 requests each), all groups of a school that begin together,
 * and a game that two children play as fast as they can.
 */
enum { REQUESTS_BURST = 20, ROOMS_BURST = 2, COMMANDS_BURST = 4 };

enum { MS_PER_SECOND = 1000, MS_PER_MINUTE = 60 * MS_PER_SECOND };

/* Rates of the two tables. */
enum { ADDRESS_REQUESTS, ADDRESS_ROOMS, ADDRESS_CONNECTIONS, SEAT_COMMANDS = 0 };

_Static_assert(sizeof(struct address) == sizeof(struct limit_key), "an address is a key");
_Static_assert(sizeof(struct room_hash) >= sizeof(struct limit_key), "a hash begins with a key");

struct gate {
	struct gate_options options;
	struct limits *addresses;
	struct limits *seats;
	uint64_t refused[GATE_KINDS];
};

static const struct {
	const char *word;
	const char *message;
} kinds[GATE_KINDS] = {
	[GATE_REQUESTS] = {"requests", "There are too many requests from your address."},
	[GATE_ROOMS] = {"rooms", "Too many rooms are made from your address."},
	[GATE_CONNECTIONS] = {"connections", NULL}, /* the connection says so itself */
	[GATE_COMMANDS] = {"commands", "There are too many commands of this seat."},
};

enum status gate_create(const struct gate_options *options, struct gate **gate)
{
	const struct limit_rate requests = {options->requests_per_second, MS_PER_SECOND,
		options->requests_per_second * REQUESTS_BURST};
	const struct limit_rate addresses[LIMITS_RATES] = {
		[ADDRESS_REQUESTS] = requests,
		[ADDRESS_CONNECTIONS] = requests,
		[ADDRESS_ROOMS] = {options->rooms_per_minute, MS_PER_MINUTE,
			options->rooms_per_minute * ROOMS_BURST},
	};
	const struct limit_rate seats[LIMITS_RATES] = {
		[SEAT_COMMANDS] = {options->commands_per_second, MS_PER_SECOND,
			options->commands_per_second * COMMANDS_BURST},
	};
	unsigned char secret[LIMITS_SECRET_BYTES];
	struct gate *made = calloc(1, sizeof(*made));

	if (!made)
		return STATUS_NO_MEMORY;
	made->options = *options;
	randombytes_buf(secret, sizeof(secret));
	if (limits_create(addresses, secret, &made->addresses) != STATUS_OK ||
		limits_create(seats, secret, &made->seats) != STATUS_OK) {
		gate_destroy(made);
		return STATUS_NO_MEMORY;
	}
	*gate = made;
	return STATUS_OK;
}

void gate_destroy(struct gate *gate)
{
	if (!gate)
		return;
	limits_destroy(gate->addresses);
	limits_destroy(gate->seats);
	free(gate);
}

static struct limit_key key_of(struct address address)
{
	struct address subscriber = address_subscriber(address);
	struct limit_key key;

	memcpy(&key, &subscriber, sizeof(key));
	return key;
}

/* The key of a peer whose connections count; false: a proxy, or one that has left already. */
static bool find_peer(const struct gate *gate, const char *peer, struct limit_key *key)
{
	struct address address;

	if (!address_read(peer, strlen(peer), &address) ||
		proxies_have(&gate->options.proxies, &address))
		return false;
	*key = key_of(address);
	return true;
}

bool gate_admit(struct gate *gate, const char *peer)
{
	uint64_t now = clock_monotonic_ms();
	struct limit_key key;

	if (!find_peer(gate, peer, &key))
		return true;
	if (limits_take(gate->addresses, &key, ADDRESS_CONNECTIONS, now) == 0 &&
		(!gate->options.connections_per_address ||
			limits_hold(
				gate->addresses, &key, gate->options.connections_per_address, now)))
		return true;
	gate->refused[GATE_CONNECTIONS]++;
	return false;
}

void gate_leave(struct gate *gate, const char *peer)
{
	struct limit_key key;

	if (gate->options.connections_per_address && find_peer(gate, peer, &key))
		limits_release(gate->addresses, &key);
}

static bool pass(
	struct gate *gate, struct http_exchange *exchange, enum gate_kind kind, uint64_t wait_ms)
{
	const struct answer_error error = {
		.code = 429,
		.error = "too-many",
		.reason = kinds[kind].word,
		.message = kinds[kind].message,
		.retry_seconds = (unsigned)((wait_ms + MS_PER_SECOND - 1) / MS_PER_SECOND),
	};

	if (!wait_ms)
		return true;
	gate->refused[kind]++;
	answer_error(exchange, &error);
	return false;
}

static bool pass_address(struct gate *gate, struct http_exchange *exchange,
	const struct http_request *request, enum gate_kind kind, size_t rate)
{
	const char *text = http_exchange_peer(exchange);
	struct address peer;
	struct limit_key key;

	if (!address_read(text, strlen(text), &peer))
		return true; /* it has left */
	key = key_of(address_of_visitor(&gate->options.proxies, &peer, request));
	return pass(gate, exchange, kind,
		limits_take(gate->addresses, &key, rate, clock_monotonic_ms()));
}

bool gate_request(
	struct gate *gate, struct http_exchange *exchange, const struct http_request *request)
{
	return !gate->options.requests_per_second ||
	       pass_address(gate, exchange, request, GATE_REQUESTS, ADDRESS_REQUESTS);
}

bool gate_room(
	struct gate *gate, struct http_exchange *exchange, const struct http_request *request)
{
	return !gate->options.rooms_per_minute ||
	       pass_address(gate, exchange, request, GATE_ROOMS, ADDRESS_ROOMS);
}

bool gate_command(struct gate *gate, struct http_exchange *exchange, const struct room_hash *seat)
{
	struct limit_key key;

	if (!gate->options.commands_per_second)
		return true;
	memcpy(&key, seat, sizeof(key)); /* a part of a hash names a seat as well */
	return pass(gate, exchange, GATE_COMMANDS,
		limits_take(gate->seats, &key, SEAT_COMMANDS, clock_monotonic_ms()));
}

uint64_t gate_refused(const struct gate *gate, enum gate_kind kind)
{
	return gate->refused[kind];
}

const char *gate_kind_word(enum gate_kind kind)
{
	return kinds[kind].word;
}
