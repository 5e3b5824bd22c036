/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "engine/boxes_graph.h"

/*
 * Strings that have nothing to do with the rest of the position: of a chain between two places at
 * the ground, and of a loop, only the length matters. A set of them, however often each.
 */
struct string_set {
	uint64_t chain_lengths;        /* bit n - 1: there are chains of n boxes */
	uint64_t loop_halves;          /* bit n - 1: there are loops of 2n boxes; no loop is odd */
	uint8_t chains[GRAPH_MAX + 1]; /* how many, where the bit is set */
	uint8_t loops[GRAPH_MAX + 1];
};

static inline void string_set_clear(struct string_set *set)
{
	set->chain_lengths = 0;
	set->loop_halves = 0;
}

static inline void string_set_add(uint64_t *lengths, uint8_t *counts, int length)
{
	if (!(*lengths & bit(length - 1)))
		counts[length] = 0;
	*lengths |= bit(length - 1);
	counts[length]++;
}

/* Takes out one of a length that there is. */
static inline void string_set_remove(uint64_t *lengths, uint8_t *counts, int length)
{
	if (--counts[length] == 0)
		*lengths &= ~bit(length - 1);
}

/* One table for all codes and values. `values` is a cache of known ones: the code, and the value in
 * its lowest byte. */
enum { STRING_VALUES = 1 << 14, STRING_CODE_BITS = 40 };

struct string_sums {
	uint32_t below[GRAPH_MAX +
		       1]; /* ways to make less than so many boxes of parts of any size */
	uint32_t ways[GRAPH_MAX + 1]
		     [GRAPH_MAX + 1]; /* to make so many of parts of at most so many */
	uint64_t values[STRING_VALUES];
};

void string_sums_init(struct string_sums *sums);

/*
 * A number of STRING_CODE_BITS bits, not 0 but for the empty set, that no other set has: the ranks
 * of both lists of lengths among all partitions of at most GRAPH_MAX boxes.
 */
uint64_t string_set_code(const struct string_sums *sums, const struct string_set *set);

/* What the position that the set alone makes is worth to who moves, exactly. */
int string_set_value(struct string_sums *sums, const struct string_set *set);

/*
 * To who opens a string of so many boxes, when the rest is worth `rest` to whoever moves in it: its
 * taker keeps the last 2 boxes of a chain, or 4 of a loop, for the other, where that pays.
 */
int string_opened(int length, bool loop, int rest);
