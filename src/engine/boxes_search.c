/* SPDX-License-Identifier: MIT */
#include "engine/boxes_search.h"

#include <assert.h>

/* The strings that hang together with nothing else. */
static void set_apart(const struct boxes_search *search, const struct coins *coins, uint64_t loose,
	struct string_set *set, uint64_t *core)
{
	string_set_clear(set);
	*core = coins->edges;
	while (loose) {
		struct string string = coins_string(search->graph, coins, bits_first64(loose));

		loose &= ~string.boxes;
		*core &= ~string.edges;
		if (string.loop)
			string_set_add(&set->loop_halves, set->loops, string.length / 2);
		else
			string_set_add(&set->chain_lengths, set->chains, string.length);
	}
}

/* With the twin that goes last where one of two is left. */
static uint64_t normal(const struct boxes_graph *graph, uint64_t edges)
{
	uint64_t alone = edges & graph->odd_twins & ~(edges << 1);

	return edges ^ (alone | alone >> 1);
}

/* The least of all images under the symmetries. */
static uint64_t canonical(const struct boxes_graph *graph, uint64_t edges)
{
	uint64_t images[GRAPH_SYMMETRIES] = {0};
	uint64_t least;

	if (!graph->images)
		return normal(graph, edges);
	for (int byte = 0; 8 * byte < graph->edges; byte++) {
		const uint64_t *more = (*graph->images)[byte][edges >> 8 * byte & 0xff];

		for (int i = 0; i < GRAPH_SYMMETRIES; i++)
			images[i] |= more[i];
	}
	least = normal(graph, images[0]);
	for (int i = 1; i < GRAPH_SYMMETRIES; i++) {
		uint64_t image = normal(graph, images[i]);

		least = image < least ? image : least;
	}
	return least;
}

static bool visit(struct boxes_search *search)
{
	if (search->stopped)
		return false;
	if (++search->nodes % BOXES_NODES_BETWEEN_CHECKS == 0 && search->should_stop)
		search->stopped = search->should_stop(search->context, search->nodes);
	return !search->stopped;
}

static bool move_reaches(
	struct boxes_search *search, const struct coins *coins, int edge, int wanted)
{
	struct coins next = *coins;

	coins_cut(search->graph, &next, edge);
	return !boxes_search_reaches(search, &next, 1 - wanted) && !search->stopped;
}

/* Edges that open nothing; of twins the odd one. */
static uint64_t safe_moves(const struct boxes_search *search, const struct coins *coins)
{
	uint64_t safe =
		coins->edges & ~coins_edges_of(search->graph, coins, coins_on_string(coins));

	return safe & ~((safe & search->graph->odd_twins & safe << 1) >> 1);
}

/* The place in which it is said that somebody is at a position; NULL: nowhere. */
static _Atomic uint64_t *busy_place(struct boxes_search *search, uint64_t edges)
{
	if (!search->busy || bits_count64(edges) < BOXES_BUSY_EDGES)
		return NULL;
	return &search->busy->edges[edges * UINT64_C(0x9e3779b97f4a7c15) /
				    (UINT64_MAX / BOXES_BUSY_PLACES + 1)];
}

/*
 * Each in its order, but that those at which another thread is come last: by then it may have found
 * out. Simplified from Weill, The ABDADA Distributed Minimax-Search Algorithm, 1996.
 */
static bool safe_move_reaches(struct boxes_search *search, const struct coins *coins, int wanted)
{
	uint64_t moves = safe_moves(search, coins);
	uint64_t later = 0;
	bool waiting = false;

	while (moves | later) {
		_Atomic uint64_t *place;
		uint64_t next;
		bool reaches;
		int edge;

		if (!moves) {
			moves = later;
			later = 0;
			waiting = true;
		}
		edge = bits_last64(moves);
		moves &= ~bit(edge);
		next = coins->edges & ~bit(edge);
		place = busy_place(search, next);
		if (place && !waiting &&
			atomic_load_explicit(place, memory_order_relaxed) == next) {
			later |= bit(edge);
			continue;
		}
		if (place)
			atomic_store_explicit(place, next, memory_order_relaxed);
		reaches = move_reaches(search, coins, edge, wanted);
		if (place)
			atomic_store_explicit(place, 0, memory_order_relaxed);
		if (reaches || search->stopped)
			return reaches;
	}
	return false;
}

/* The shortest first. Of independent strings that are alike, one. */
static bool opening_reaches(
	struct boxes_search *search, const struct coins *coins, uint64_t loose, int wanted)
{
	struct string strings[GRAPH_MAX];
	uint64_t alike[2] = {0, 0};
	int longest = 0;
	int count = 0;

	for (uint64_t rest = coins_on_string(coins); rest;) {
		struct string *string = &strings[count];

		*string = coins_string(search->graph, coins, bits_first64(rest));
		rest &= ~string->boxes;
		if (string->boxes & loose) {
			if (alike[string->loop] & bit(string->length - 1))
				continue;
			alike[string->loop] |= bit(string->length - 1);
		}
		longest = string->length > longest ? string->length : longest;
		count++;
	}
	for (int length = 1; length <= longest; length++)
		for (int i = 0; i < count; i++)
			if (strings[i].length == length &&
				move_reaches(search, coins, strings[i].opening, wanted))
				return true;
	return false;
}

/* Nothing can be taken. */
static bool calm_reaches(struct boxes_search *search, const struct coins *coins, int wanted)
{
	int open = bits_count64(coins_open(coins));
	struct boxes_bounds bounds = {(int8_t)-open, (int8_t)open};
	struct boxes_table_key key;
	struct string_set set;
	uint64_t loose;
	uint64_t core;
	bool reaches;

	wanted += (wanted ^ open) & 1;
	if (wanted <= -open || wanted > open)
		return wanted <= -open;
	if (!visit(search))
		return false;
	loose = coins_open(coins) &
		~coins_reached(search->graph, coins, coins_joints(coins), coins_open(coins));
	set_apart(search, coins, loose, &set, &core);
	if (!core)
		return string_set_value(search->sums, &set) >= wanted;
	key.edges = canonical(search->graph, core);
	key.code = string_set_code(search->sums, &set);
	if (boxes_table_find(search->table, key, &bounds)) {
		if (bounds.low >= wanted)
			return true;
		if (bounds.high < wanted)
			return false;
	}
	reaches = safe_move_reaches(search, coins, wanted) ||
		  opening_reaches(search, coins, loose, wanted);
	if (search->stopped)
		return false;
	if (reaches)
		bounds.low = (int8_t)wanted;
	else
		bounds.high = (int8_t)(wanted - 2);
	boxes_table_store(search->table, key, bounds, bits_count64(coins->edges));
	return reaches;
}

/* Tangled chains, which are rare: every edge is a move, those that take one first. */
static bool tangle_reaches(struct boxes_search *search, const struct coins *coins, int wanted)
{
	if (!visit(search))
		return false;
	for (uint64_t rest = coins->edges; rest; rest &= rest - 1) {
		int edge = bits_first64(rest);
		struct coins next = *coins;
		int taken;

		coins_cut(search->graph, &next, edge);
		taken = bits_count64(coins_open(coins) & ~coins_open(&next));
		if (taken ? boxes_search_reaches(search, &next, wanted - taken)
			  : !boxes_search_reaches(search, &next, 1 - wanted))
			return true;
		if (search->stopped)
			return false;
	}
	return false;
}

bool boxes_search_reaches(struct boxes_search *search, const struct coins *coins, int wanted)
{
	struct coins rest = *coins;
	struct taking taking;

	if (!coins_capturable(coins))
		return calm_reaches(search, coins, wanted);
	taking = coins_take(search->graph, &rest);
	if (taking.tangled)
		return tangle_reaches(search, coins, wanted);
	wanted -= taking.taken - taking.kept;
	if (!taking.kept)
		return calm_reaches(search, &rest, wanted);
	/* |kept + v| >= wanted */
	if (wanted <= 0)
		return true;
	return calm_reaches(search, &rest, wanted - taking.kept) ||
	       !calm_reaches(search, &rest, 1 - wanted - taking.kept);
}
