/* SPDX-License-Identifier: MIT */
#include "engine/boxes_table.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "engine/boxes_set.h"

/*
 * The second word: 40 bits of code, the two bounds, and the weight. A cluster is one line of the
 * cache.
 */
struct entry {
	_Atomic uint64_t first;
	_Atomic uint64_t second;
};

enum {
	CLUSTER = 4,
	CLUSTERS_MIN = 64,
	LOW_SHIFT = STRING_CODE_BITS,
	HIGH_SHIFT = LOW_SHIFT + 8,
	WEIGHT_SHIFT = HIGH_SHIFT + 8
};

struct cluster {
	alignas(64) struct entry entries[CLUSTER];
};

struct boxes_table {
	void *memory;
	struct cluster *clusters; /* in it, aligned */
	size_t count;             /* in use, a power of two; the rest is clear */
	size_t most;
};

static const uint64_t code_mask = (UINT64_C(1) << STRING_CODE_BITS) - 1;

static const size_t huge_page = (size_t)2 << 20;

/*
 * Memory from calloc() costs nothing before it is used. Searches go everywhere in the table: with
 * ordinary pages most of their time went into finding them.
 */
static bool allocate(struct boxes_table *table)
{
	size_t bytes = table->most * sizeof(struct cluster);
	size_t alignment = bytes < huge_page ? sizeof(struct cluster) : huge_page;
	uintptr_t start;

	table->memory = calloc(1, bytes + alignment);
	if (!table->memory)
		return false;
	start = (uintptr_t)table->memory;
	start += (alignment - start % alignment) % alignment;
	table->clusters = (struct cluster *)start;
#ifdef MADV_HUGEPAGE
	if (bytes >= huge_page)
		(void)madvise(table->clusters, bytes, MADV_HUGEPAGE);
#endif
	return true;
}

size_t boxes_table_bytes_of(size_t allowed)
{
	size_t bytes = CLUSTERS_MIN * sizeof(struct cluster);

	while (bytes <= allowed / 2)
		bytes *= 2;
	return bytes;
}

size_t boxes_table_bytes(const struct boxes_table *table)
{
	return table->count * sizeof(struct cluster);
}

enum status boxes_table_create(size_t bytes, struct boxes_table **table)
{
	struct boxes_table *made = malloc(sizeof(*made));

	if (!made)
		return STATUS_NO_MEMORY;
	made->count = CLUSTERS_MIN;
	made->most = boxes_table_bytes_of(bytes) / sizeof(struct cluster);
	if (!allocate(made)) {
		free(made);
		return STATUS_NO_MEMORY;
	}
	*table = made;
	return STATUS_OK;
}

void boxes_table_destroy(struct boxes_table *table)
{
	if (!table)
		return;
	free(table->memory);
	free(table);
}

void boxes_table_clear(struct boxes_table *table)
{
	memset(table->clusters, 0, boxes_table_bytes(table));
	table->count = CLUSTERS_MIN;
}

static uint64_t mix(uint64_t word)
{
	word ^= word >> 32;
	word *= UINT64_C(0xd6e8feb86659fd93);
	word ^= word >> 29;
	return word;
}

static struct cluster *cluster_of(const struct boxes_table *table, struct boxes_table_key key)
{
	uint64_t hash = mix(key.edges * UINT64_C(0x9e3779b97f4a7c15) + mix(key.code));

	return &table->clusters[hash & (table->count - 1)];
}

/* To where it belongs in a table that has been widened: there each cluster gets the entries of one
 * smaller one, so that there is room. */
static void move(const struct boxes_table *table, struct cluster *from, struct entry *entry)
{
	uint64_t second = atomic_load_explicit(&entry->second, memory_order_relaxed);
	uint64_t first = atomic_load_explicit(&entry->first, memory_order_relaxed);
	struct boxes_table_key key = {first ^ mix(second), second & code_mask};
	struct cluster *to = cluster_of(table, key);

	if (to == from || !(second >> WEIGHT_SHIFT))
		return;
	*entry = (struct entry){0};
	for (int i = 0; i < CLUSTER; i++) {
		if (atomic_load_explicit(&to->entries[i].second, memory_order_relaxed))
			continue;
		atomic_store_explicit(&to->entries[i].second, second, memory_order_relaxed);
		atomic_store_explicit(&to->entries[i].first, first, memory_order_relaxed);
		return;
	}
}

void boxes_table_widen(struct boxes_table *table, size_t bytes)
{
	size_t before = table->count;
	size_t wanted = boxes_table_bytes_of(bytes) / sizeof(struct cluster);

	if (wanted > table->most)
		wanted = table->most;
	if (wanted <= before)
		return;
	table->count = wanted;
	for (size_t i = 0; i < before; i++)
		for (int j = 0; j < CLUSTER; j++)
			move(table, &table->clusters[i], &table->clusters[i].entries[j]);
}

void boxes_table_prefetch(const struct boxes_table *table, struct boxes_table_key key)
{
	__builtin_prefetch(cluster_of(table, key));
}

bool boxes_table_find(
	const struct boxes_table *table, struct boxes_table_key key, struct boxes_bounds *bounds)
{
	struct cluster *cluster = cluster_of(table, key);

	for (int i = 0; i < CLUSTER; i++) {
		uint64_t second =
			atomic_load_explicit(&cluster->entries[i].second, memory_order_relaxed);
		uint64_t first =
			atomic_load_explicit(&cluster->entries[i].first, memory_order_relaxed);

		if ((second & code_mask) == key.code && (first ^ mix(second)) == key.edges &&
			second >> WEIGHT_SHIFT) {
			bounds->low = (int8_t)(second >> LOW_SHIFT);
			bounds->high = (int8_t)(second >> HIGH_SHIFT);
			return true;
		}
	}
	return false;
}

void boxes_table_store(struct boxes_table *table, struct boxes_table_key key,
	struct boxes_bounds bounds, int weight)
{
	struct cluster *cluster = cluster_of(table, key);
	struct entry *place = NULL;
	uint64_t lowest = UINT64_MAX;
	uint64_t second = key.code | (uint64_t)(uint8_t)bounds.low << LOW_SHIFT |
			  (uint64_t)(uint8_t)bounds.high << HIGH_SHIFT |
			  (uint64_t)(weight + 1) << WEIGHT_SHIFT;

	assert(weight >= 0 && weight < 255);
	for (int i = 0; i < CLUSTER; i++) {
		struct entry *entry = &cluster->entries[i];
		uint64_t old = atomic_load_explicit(&entry->second, memory_order_relaxed);
		uint64_t first = atomic_load_explicit(&entry->first, memory_order_relaxed);

		if ((old & code_mask) == key.code && (first ^ mix(old)) == key.edges) {
			place = entry;
			break;
		}
		if (old >> WEIGHT_SHIFT < lowest) {
			lowest = old >> WEIGHT_SHIFT;
			place = entry;
		}
	}
	atomic_store_explicit(&place->second, second, memory_order_relaxed);
	atomic_store_explicit(&place->first, key.edges ^ mix(second), memory_order_relaxed);
}

bool boxes_table_next(
	const struct boxes_table *table, size_t *place, struct boxes_table_entry *entry)
{
	while (*place < table->count * CLUSTER) {
		const struct cluster *cluster = &table->clusters[*place / CLUSTER];
		const struct entry *found = &cluster->entries[*place % CLUSTER];
		uint64_t second = atomic_load_explicit(&found->second, memory_order_relaxed);
		uint64_t first = atomic_load_explicit(&found->first, memory_order_relaxed);

		struct boxes_table_key key = {first ^ mix(second), second & code_mask};

		++*place;
		/* Halves that do not belong together belong nowhere, where no room is for them. */
		if (second >> WEIGHT_SHIFT && cluster_of(table, key) == cluster) {
			*entry = (struct boxes_table_entry){key.edges, second};
			return true;
		}
	}
	return false;
}

static bool has_room(const struct boxes_table *table, struct boxes_table_key key)
{
	const struct cluster *cluster = cluster_of(table, key);

	for (int i = 0; i < CLUSTER; i++) {
		uint64_t second =
			atomic_load_explicit(&cluster->entries[i].second, memory_order_relaxed);

		if (!(second >> WEIGHT_SHIFT))
			return true;
	}
	return false;
}

enum boxes_added boxes_table_add(struct boxes_table *table, struct boxes_table_entry entry)
{
	struct boxes_table_key key = {entry.edges, entry.rest & code_mask};
	struct boxes_bounds bounds = {
		(int8_t)(entry.rest >> LOW_SHIFT), (int8_t)(entry.rest >> HIGH_SHIFT)};

	if (!(entry.rest >> WEIGHT_SHIFT))
		return BOXES_NO_ENTRY;
	if (!has_room(table, key))
		return BOXES_NO_ROOM;
	boxes_table_store(table, key, bounds, (int)(entry.rest >> WEIGHT_SHIFT) - 1);
	return BOXES_ADDED;
}
