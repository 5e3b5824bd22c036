/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * How often each of many may do something: a table of keys, each with a token bucket for every rate
 * and a count of what it holds at the moment. It knows neither clock nor addresses: the time is
 * given, in milliseconds of a clock that never goes back, and keys are 16 bytes of any meaning.
 *
 * Bounded whatever comes: at most LIMITS_KEYS_MAX keys are kept. One whose buckets are full and
 * that holds nothing says nothing, and is dropped by and by; past the maximum, whoever asked least
 * recently and holds nothing is forgotten, which does it good. Keys that hold something stay, and
 * what is held is bounded elsewhere. The hash is keyed with a secret, so that nobody can choose
 * keys that collide. Where memory is lacking for a key it is not limited.
 */
struct limits;

enum { LIMITS_KEYS_MAX = 65536, LIMITS_KEY_BYTES = 16, LIMITS_SECRET_BYTES = 16, LIMITS_RATES = 3 };

struct limit_key {
	unsigned char bytes[LIMITS_KEY_BYTES];
};

/* `count` every `period_ms`, up to 1000000 a second, and as many as `burst` at once. */
struct limit_rate {
	uint32_t count; /* 0: no limit */
	uint32_t period_ms;
	uint32_t burst; /* at least 1 */
};

MUST_CHECK enum status limits_create(const struct limit_rate rates[LIMITS_RATES],
	const unsigned char secret[LIMITS_SECRET_BYTES], struct limits **limits);
void limits_destroy(struct limits *limits);

/* Takes one token of the key's bucket for that rate. 0: taken; otherwise nothing was, and it is the
 * time in milliseconds after which one could be. */
MUST_CHECK uint64_t limits_take(
	struct limits *limits, const struct limit_key *key, size_t rate, uint64_t now_ms);

/* The key holds one more, up to `most`; false: it does already, and there is nothing to release. */
MUST_CHECK bool limits_hold(
	struct limits *limits, const struct limit_key *key, size_t most, uint64_t now_ms);
void limits_release(struct limits *limits, const struct limit_key *key);

size_t limits_keys(const struct limits *limits);
