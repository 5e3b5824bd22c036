/* SPDX-License-Identifier: MIT */
#pragma once

#include "server/http_parser.h"

/*
 * Addresses of visitors, as the limits tell them apart. They are never written anywhere.
 *
 * IPv4 is kept as IPv6 writes it (::ffff:192.0.2.1), so both spellings are one address.
 */
enum { ADDRESS_RAW_BYTES = 16, PROXIES_MAX = 8 };

struct address {
	unsigned char bytes[ADDRESS_RAW_BYTES];
};

/* Peers whose X-Forwarded-For is believed. */
struct proxies {
	struct address addresses[PROXIES_MAX];
	size_t count;
};

/* An address in numbers, without port, zone or brackets; false otherwise. */
MUST_CHECK bool address_read(const char *text, size_t length, struct address *address);

/* What one subscriber has: an address of IPv4, or the /64 of one of IPv6 (RFC 6177). */
struct address address_subscriber(struct address address);

bool proxies_have(const struct proxies *proxies, const struct address *address);

/*
 * Whose request it is: `peer`, or, where that is a proxy, the last entry of X-Forwarded-For, which
 * the proxy itself has put there; what stands before it is the client's word. An entry that is no
 * address, or none at all, leaves it at the proxy.
 */
struct address address_of_visitor(const struct proxies *proxies, const struct address *peer,
	const struct http_request *request);
