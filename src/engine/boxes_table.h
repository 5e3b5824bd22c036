/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * What searches have learnt of positions: between which bounds the value lies. Any number of
 * threads read and write it without locks. An entry is two words; the first is the position's edges
 * combined with the second, so that two halves that do not belong together, or an entry that
 * another thread is just writing, is taken for none. The rest of the key is in the second word,
 * whole: no two positions share a key. What is forgotten is searched again; what is found is true.
 */
struct boxes_table;

/* A position up to what its value does not depend on: edges that hang together, and a code of the
 * strings that do not. */
struct boxes_table_key {
	uint64_t edges;
	uint64_t code;
};

struct boxes_bounds {
	int8_t low;
	int8_t high;
};

/* At most `bytes`, and at least 4 KiB, of which only these are in use until it is widened. */
MUST_CHECK enum status boxes_table_create(size_t bytes, struct boxes_table **table);
void boxes_table_destroy(struct boxes_table *table);

/* Forgets all; the least part is in use then. */
void boxes_table_clear(struct boxes_table *table);

/*
 * From now on uses up to so many bytes, and forgets nothing; what is in use already stays so.
 * Searches go everywhere in what is in use, and to write memory for the first time may take two
 * milliseconds a MiB: who has little time uses little of it.
 */
void boxes_table_widen(struct boxes_table *table, size_t bytes);

/* How many are in use, and how many that are of so many: a power of two. */
size_t boxes_table_bytes(const struct boxes_table *table);
size_t boxes_table_bytes_of(size_t allowed);

/* Says that the position will soon be looked for: memory takes longer than all else of a search. */
void boxes_table_prefetch(const struct boxes_table *table, struct boxes_table_key key);

bool boxes_table_find(
	const struct boxes_table *table, struct boxes_table_key key, struct boxes_bounds *bounds);

/* `weight`, 0 to 255, is how dear it was: of those in one place the cheapest is forgotten. */
void boxes_table_store(struct boxes_table *table, struct boxes_table_key key,
	struct boxes_bounds bounds, int weight);

/*
 * An entry as two words, to be written to a file and added to a table of any size. The second is
 * never 0. It means nothing to a search that numbers edges or strings in another way: a change of
 * either numbering needs another version of the files (src/cli/boxes_checkpoint.c).
 */
struct boxes_table_entry {
	uint64_t edges;
	uint64_t rest;
};

/* The first one from `*place` on, which begins at 0 and is moved on; false: there is none. */
bool boxes_table_next(
	const struct boxes_table *table, size_t *place, struct boxes_table_entry *entry);

/* Forgets nothing for it: a table as large as that of the entries, or larger, has room for all. */
enum boxes_added {
	BOXES_ADDED,
	BOXES_NO_ROOM,
	BOXES_NO_ENTRY /* no table has such an entry */
};

MUST_CHECK enum boxes_added boxes_table_add(
	struct boxes_table *table, struct boxes_table_entry entry);
