/* SPDX-License-Identifier: MIT */
#include "server/limits.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

/* Where there is no memory for an entry it stands in no table, and the process goes on. */
#define HASH_NONFATAL_OOM 1
#include "server/table.h"

enum { DROPS_PER_KEY = 2, US_PER_MS = 1000 };

_Static_assert(LIMITS_SECRET_BYTES == crypto_shorthash_KEYBYTES, "the secret is SipHash's key");
_Static_assert(sizeof(unsigned) <= crypto_shorthash_BYTES, "a hash value is a part of it");

/*
 * A bucket is kept as the moment at which it will be full again, in microseconds: then tokens need
 * no counting, time no adding up, and a full bucket is one whose moment has passed.
 *
 *	tokens = burst - (full_at - now) / interval
 */
struct entry {
	struct limit_key key;
	uint64_t full_at[LIMITS_RATES];
	size_t held;
	struct entry *prev; /* among those that hold nothing, who asked least recently first */
	struct entry *next;
	UT_hash_handle hh;
};

struct limits {
	struct {
		uint64_t interval; /* a token comes every so many microseconds; 0: no limit */
		uint64_t span;     /* an empty bucket is full after these */
	} rates[LIMITS_RATES];
	unsigned char secret[LIMITS_SECRET_BYTES];
	struct entry *entries;
	struct entry *unheld; /* of these, see `prev` */
};

enum status limits_create(const struct limit_rate rates[LIMITS_RATES],
	const unsigned char secret[LIMITS_SECRET_BYTES], struct limits **limits)
{
	struct limits *made = calloc(1, sizeof(*made));

	if (!made)
		return STATUS_NO_MEMORY;
	for (size_t i = 0; i < LIMITS_RATES; i++) {
		if (!rates[i].count)
			continue;
		made->rates[i].interval = (uint64_t)rates[i].period_ms * US_PER_MS / rates[i].count;
		made->rates[i].span = made->rates[i].interval * rates[i].burst;
	}
	memcpy(made->secret, secret, sizeof(made->secret));
	*limits = made;
	return STATUS_OK;
}

void limits_destroy(struct limits *limits)
{
	struct entry *entry;
	struct entry *next;

	if (!limits)
		return;
	HASH_ITER(hh, limits->entries, entry, next)
	{
		HASH_DEL(limits->entries, entry);
		free(entry);
	}
	free(limits);
}

static unsigned hash_key(const struct limits *limits, const struct limit_key *key)
{
	unsigned char hash[crypto_shorthash_BYTES];
	unsigned value;

	crypto_shorthash(hash, key->bytes, sizeof(key->bytes), limits->secret);
	memcpy(&value, hash, sizeof(value));
	return value;
}

static struct entry *find(const struct limits *limits, const struct limit_key *key, unsigned hash)
{
	struct entry *entry;

	HASH_FIND_BYHASHVALUE(hh, limits->entries, key, sizeof(*key), hash, entry);
	return entry;
}

static void drop(struct limits *limits, struct entry *entry)
{
	DL_DELETE(limits->unheld, entry);
	HASH_DEL(limits->entries, entry);
	free(entry);
}

static bool is_full(const struct entry *entry, uint64_t now)
{
	for (size_t i = 0; i < LIMITS_RATES; i++)
		if (entry->full_at[i] > now)
			return false;
	return true;
}

/* Each new key drops up to two old ones, so that the table shrinks again after a flood. */
static void make_room(struct limits *limits, uint64_t now)
{
	for (int i = 0; i < DROPS_PER_KEY; i++)
		if (limits->unheld && is_full(limits->unheld, now))
			drop(limits, limits->unheld);
	if (limits->unheld && HASH_COUNT(limits->entries) >= LIMITS_KEYS_MAX)
		drop(limits, limits->unheld);
}

/* The key's entry, made where there is none; NULL: no memory. */
static struct entry *find_or_add(struct limits *limits, const struct limit_key *key, uint64_t now)
{
	unsigned hash = hash_key(limits, key);
	struct entry *entry = find(limits, key, hash);

	if (entry)
		return entry;
	make_room(limits, now);
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->key = *key;
	HASH_ADD_BYHASHVALUE(hh, limits->entries, key, sizeof(entry->key), hash, entry);
	if (!entry->hh.tbl) {
		free(entry);
		return NULL;
	}
	DL_APPEND(limits->unheld, entry);
	return entry;
}

uint64_t limits_take(
	struct limits *limits, const struct limit_key *key, size_t rate, uint64_t now_ms)
{
	uint64_t interval = limits->rates[rate].interval;
	uint64_t now = now_ms * US_PER_MS;
	struct entry *entry;
	uint64_t full_at;

	if (!interval)
		return 0;
	entry = find_or_add(limits, key, now);
	if (!entry)
		return 0;
	if (!entry->held) {
		DL_DELETE(limits->unheld, entry);
		DL_APPEND(limits->unheld, entry);
	}
	full_at = (entry->full_at[rate] > now ? entry->full_at[rate] : now) + interval;
	if (full_at > now + limits->rates[rate].span)
		return (full_at - now - limits->rates[rate].span + US_PER_MS - 1) / US_PER_MS;
	entry->full_at[rate] = full_at;
	return 0;
}

bool limits_hold(struct limits *limits, const struct limit_key *key, size_t most, uint64_t now_ms)
{
	struct entry *entry = find_or_add(limits, key, now_ms * US_PER_MS);

	if (!entry)
		return true;
	if (entry->held >= most)
		return false;
	if (entry->held++ == 0)
		DL_DELETE(limits->unheld, entry);
	return true;
}

void limits_release(struct limits *limits, const struct limit_key *key)
{
	struct entry *entry = find(limits, key, hash_key(limits, key));

	/* None, where memory was lacking for it. */
	if (entry && entry->held && --entry->held == 0)
		DL_APPEND(limits->unheld, entry);
}

size_t limits_keys(const struct limits *limits)
{
	return HASH_COUNT(limits->entries);
}
