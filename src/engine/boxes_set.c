/* SPDX-License-Identifier: MIT */
#include "engine/boxes_set.h"

#include <stdlib.h>
#include <string.h>

void string_sums_init(struct string_sums *sums)
{
	uint32_t total = 0;

	memset(sums, 0, sizeof(*sums));
	for (int boxes = 0; boxes <= GRAPH_MAX; boxes++) {
		for (int largest = 0; largest <= GRAPH_MAX; largest++) {
			uint32_t *ways = &sums->ways[boxes][largest];

			if (largest == 0)
				*ways = boxes == 0;
			else
				*ways = sums->ways[boxes][largest - 1] +
					(largest <= boxes ? sums->ways[boxes - largest][largest]
							  : 0);
		}
		sums->below[boxes] = total;
		total += sums->ways[boxes][GRAPH_MAX];
	}
}

static int highest(uint64_t lengths)
{
	return GRAPH_MAX - __builtin_clzll(lengths);
}

/* Partitions of fewer boxes come first, then those with smaller parts, the largest compared first.
 */
static uint64_t rank(const struct string_sums *sums, uint64_t lengths, const uint8_t *counts)
{
	int boxes = 0;
	uint64_t rank = 0;

	for (uint64_t rest = lengths; rest; rest &= rest - 1)
		boxes += counts[bits_first64(rest) + 1] * (bits_first64(rest) + 1);
	rank = sums->below[boxes];
	for (uint64_t rest = lengths; rest; rest &= ~bit(highest(rest) - 1)) {
		int length = highest(rest);

		for (int i = 0; i < counts[length]; i++, boxes -= length)
			rank += sums->ways[boxes][length - 1];
	}
	return rank;
}

enum { CHAIN_RANK_BITS = 24 };

uint64_t string_set_code(const struct string_sums *sums, const struct string_set *set)
{
	return rank(sums, set->chain_lengths, set->chains) |
	       rank(sums, set->loop_halves, set->loops) << CHAIN_RANK_BITS;
}

int string_opened(int length, bool loop, int rest)
{
	int kept = loop ? 4 : 2;

	if (length < 3)
		return -length - rest;
	return -(length - kept + abs(kept + rest));
}

static int search_value(struct string_sums *sums, const struct string_set *set)
{
	int best = -GRAPH_MAX;
	struct string_set left = *set;

	for (uint64_t rest = set->chain_lengths; rest; rest &= rest - 1) {
		int length = bits_first64(rest) + 1;
		int value;

		string_set_remove(&left.chain_lengths, left.chains, length);
		value = string_opened(length, false, string_set_value(sums, &left));
		string_set_add(&left.chain_lengths, left.chains, length);
		best = value > best ? value : best;
	}
	for (uint64_t rest = set->loop_halves; rest; rest &= rest - 1) {
		int length = bits_first64(rest) + 1;
		int value;

		string_set_remove(&left.loop_halves, left.loops, length);
		value = string_opened(2 * length, true, string_set_value(sums, &left));
		string_set_add(&left.loop_halves, left.loops, length);
		best = value > best ? value : best;
	}
	return best;
}

int string_set_value(struct string_sums *sums, const struct string_set *set)
{
	uint64_t code = string_set_code(sums, set);
	uint64_t *known = &sums->values[code * UINT64_C(0x9e3779b97f4a7c15) >> 50];
	int value;

	if (!code)
		return 0;
	if (*known >> 8 == code)
		return (int8_t)*known;
	value = search_value(sums, set);
	*known = code << 8 | (uint8_t)value;
	return value;
}
