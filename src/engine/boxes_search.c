/* SPDX-License-Identifier: MIT */
#include "engine/boxes_search.h"

#include <assert.h>

static void leave_out(struct coins *coins, const struct string *chain)
{
	coins->edges &= ~chain->edges;
	coins->count1 &= ~chain->boxes;
	coins->right &= ~chain->boxes;
	coins->down &= ~chain->boxes;
}

/*
 * The strings that hang together with nothing else. Two chains of one box, or two of two, are left
 * out: who is content without them answers the opening of one by that of the other, after which all
 * is as before.
 */
static void set_apart(const struct boxes_search *search, struct coins *coins, uint64_t loose,
	struct string_set *set, uint64_t *core)
{
	struct string single[2];

	single[0].length = single[1].length = 0;
	string_set_clear(set);
	*core = coins->edges;
	while (loose) {
		struct string string = coins_string(search->graph, coins, bits_first64(loose));
		struct string *other = &single[string.length == 2];

		loose &= ~string.boxes;
		*core &= ~string.edges;
		if (string.loop) {
			string_set_add(&set->loop_halves, set->loops, string.length / 2);
		} else if (string.length > 2) {
			string_set_add(&set->chain_lengths, set->chains, string.length);
		} else if (!other->length) {
			*other = string;
		} else {
			leave_out(coins, other);
			leave_out(coins, &string);
			other->length = 0;
		}
	}
	for (int length = 1; length <= 2; length++)
		if (single[length - 1].length)
			string_set_add(&set->chain_lengths, set->chains, length);
}

/* With the twin that goes last where one of two is left. */
static uint64_t normal(const struct boxes_graph *graph, uint64_t edges)
{
	uint64_t alone = edges & graph->odd_twins & ~(edges << 1);

	return edges ^ (alone | alone >> 1);
}

static ALWAYS_INLINE uint64_t least_image(
	const struct boxes_graph *graph, uint64_t edges, int symmetries)
{
	uint64_t images[GRAPH_SYMMETRIES] = {0};
	uint64_t least;

	for (int byte = 0; 8 * byte < graph->edges; byte++) {
		const uint64_t *more = (*graph->images)[byte][edges >> 8 * byte & 0xff];

		for (int i = 0; i < symmetries; i++)
			images[i] |= more[i];
	}
	least = normal(graph, images[0]);
	for (int i = 1; i < symmetries; i++) {
		uint64_t image = normal(graph, images[i]);

		least = image < least ? image : least;
	}
	return least;
}

/* The least of all images under the symmetries, of which the second half is for squares only. */
static uint64_t canonical(const struct boxes_graph *graph, uint64_t edges)
{
	if (!graph->images)
		return normal(graph, edges);
	if (graph->grid.rows != graph->grid.columns)
		return least_image(graph, edges, GRAPH_SYMMETRIES / 2);
	return least_image(graph, edges, GRAPH_SYMMETRIES);
}

static bool may_go_on(struct boxes_search *search)
{
	if (search->limit && search->nodes >= search->limit)
		search->stopped = true;
	else if (search->nodes && search->should_stop)
		search->stopped = search->should_stop(search->context);
	search->check_at = search->nodes + BOXES_NODES_BETWEEN_CHECKS;
	if (search->limit && search->limit < search->check_at)
		search->check_at = search->limit;
	return !search->stopped;
}

static bool visit(struct boxes_search *search)
{
	if (search->stopped || (search->nodes >= search->check_at && !may_go_on(search)))
		return false;
	search->nodes++;
	return true;
}

/* Positions of fewer edges are searched again as quickly as they are found in the table. */
enum { KEPT_EDGES = 11 };

/* A position in which nothing can be taken, with what its place in the table needs. */
struct calm {
	struct coins coins;
	int open;   /* boxes */
	bool alone; /* nothing hangs together with a joint: the value is known, and there is no key
		     */
	int value;
	bool kept; /* in the table, by its key */
	struct boxes_table_key key;
};

static bool is_settled(const struct calm *calm, int wanted)
{
	return wanted <= -calm->open || wanted > calm->open;
}

static void calm_prepare(struct boxes_search *search, struct calm *calm)
{
	struct coins *coins = &calm->coins;
	uint64_t open = coins_open(coins);
	uint64_t loose = open & ~coins_reached(search->graph, coins, coins_joints(coins), open);
	struct string_set set;
	uint64_t core;

	set_apart(search, coins, loose, &set, &core);
	calm->open = bits_count64(coins_open(coins));
	calm->alone = !core;
	if (calm->alone) {
		calm->value = string_set_value(search->sums, &set);
		return;
	}
	calm->kept = bits_count64(coins->edges) >= KEPT_EDGES;
	if (!calm->kept)
		return;
	calm->key.edges = canonical(search->graph, core);
	calm->key.code = string_set_code(search->sums, &set);
	boxes_table_prefetch(search->table, calm->key);
}

/* The turn of who is to move: all that can be taken, and the rest. */
struct turn {
	struct taking taking;
	struct calm rest;
};

/*
 * Looks at the position, and lets the table begin to look for it, which takes as long as all else:
 * so the next move is prepared before one is searched. The rest is prepared but where the question
 * is settled without it.
 */
static void turn_prepare(
	struct boxes_search *search, const struct coins *coins, int wanted, struct turn *turn)
{
	struct calm *rest = &turn->rest;
	struct taking taking;

	rest->coins = *coins;
	taking = coins_take(search->graph, &rest->coins);
	turn->taking = taking;
	rest->open = bits_count64(coins_open(&rest->coins));
	wanted -= taking.taken - taking.kept;
	if (taking.kept ? wanted > 0 && wanted <= rest->open + taking.kept
			: !is_settled(rest, wanted))
		calm_prepare(search, rest);
}

static bool turn_reaches(struct boxes_search *search, const struct turn *turn, int wanted);

/* What a move leads to, for a question about the position before it. */
static void move_prepare(struct boxes_search *search, const struct coins *coins, int edge,
	int wanted, struct turn *turn)
{
	struct coins next = *coins;

	coins_cut(search->graph, &next, edge);
	turn_prepare(search, &next, 1 - wanted, turn);
}

static bool move_reaches(struct boxes_search *search, const struct turn *turn, int wanted)
{
	return !turn_reaches(search, turn, 1 - wanted) && !search->stopped;
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
	struct turn turns[2];
	struct turn *turn = &turns[0];
	struct turn *next_turn = &turns[1];
	int prepared = -1;

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
		if (edge != prepared)
			move_prepare(search, coins, edge, wanted, turn);
		prepared = -1;
		if (moves) {
			prepared = bits_last64(moves);
			move_prepare(search, coins, prepared, wanted, next_turn);
		}
		if (place)
			atomic_store_explicit(place, next, memory_order_relaxed);
		reaches = move_reaches(search, turn, wanted);
		if (place)
			atomic_store_explicit(place, 0, memory_order_relaxed);
		if (reaches || search->stopped)
			return reaches;
		turn = next_turn;
		next_turn = turn == &turns[0] ? &turns[1] : &turns[0];
	}
	return false;
}

/* How a string can be opened, and what it is for who does so. */
struct opening {
	uint64_t joints; /* at which it ends */
	int length;      /* boxes */
	int edge;
	enum { OPENS_SHORT, OPENS_LONG, OPENS_LOOP, OPENS_LASSO } kind;
};

static struct opening opening_of(
	const struct boxes_search *search, const struct coins *coins, const struct string *string)
{
	const struct boxes_graph *graph = search->graph;
	struct opening opening = {
		.joints = coins_tied(graph, coins, string->boxes) & ~string->boxes,
		.length = string->length,
		.edge = string->opening,
		.kind = string->length < 3 ? OPENS_SHORT : OPENS_LONG,
	};

	if (string->loop)
		opening.kind = OPENS_LOOP;
	else if (bits_count64(opening.joints) == 1 &&
		 bits_count64(string->edges & coins_edges_of(graph, coins, opening.joints)) == 2)
		opening.kind = OPENS_LASSO; /* both of its ends at one joint */
	return opening;
}

/*
 * Of two strings between the same ends the shorter one is opened at least as well, where both are
 * long or both are loops: one box more in a string left behind changes what the rest is worth by
 * one at most, as whoever comes to it first takes that box and goes on as without it. So it is with
 * short ones that hang together with nothing; at a joint, one of them may become part of a long
 * string and the other not, and only equal ones are the same. Source: Buzzard and Ciere, Playing
 * Simple Loony Dots and Boxes Endgames Optimally, 2014, for independent strings.
 */
static bool is_compared(const struct opening *one, const struct opening *other)
{
	return one->joints == other->joints && one->kind == other->kind &&
	       one->kind != OPENS_LASSO &&
	       (one->kind != OPENS_SHORT || !one->joints || one->length == other->length);
}

/* The openings that are not worse than another one, the shortest strings first; returns how many.
 */
static int list_openings(const struct boxes_search *search, const struct coins *coins,
	struct opening openings[GRAPH_MAX])
{
	int count = 0;

	for (uint64_t rest = coins_on_string(coins); rest;) {
		struct string string = coins_string(search->graph, coins, bits_first64(rest));
		struct opening opening = opening_of(search, coins, &string);
		int same = 0;
		int place;

		rest &= ~string.boxes;
		while (same < count && !is_compared(&openings[same], &opening))
			same++;
		if (same < count && openings[same].length <= opening.length)
			continue;
		place = same < count ? same : count++;
		for (; place > 0 && openings[place - 1].length > opening.length; place--)
			openings[place] = openings[place - 1];
		openings[place] = opening;
	}
	return count;
}

static bool opening_reaches(struct boxes_search *search, const struct coins *coins, int wanted)
{
	struct opening openings[GRAPH_MAX];
	int count = list_openings(search, coins, openings);
	struct turn turns[2];

	for (int i = 0; i <= count; i++) {
		if (i < count)
			move_prepare(search, coins, openings[i].edge, wanted, &turns[i % 2]);
		if (i > 0 && move_reaches(search, &turns[(i - 1) % 2], wanted))
			return true;
		if (search->stopped)
			return false;
	}
	return false;
}

static bool calm_reaches(struct boxes_search *search, const struct calm *calm, int wanted)
{
	struct boxes_bounds bounds = {(int8_t)-calm->open, (int8_t)calm->open};
	bool reaches;

	wanted += (wanted ^ calm->open) & 1;
	if (is_settled(calm, wanted))
		return wanted <= -calm->open;
	if (!visit(search))
		return false;
	if (calm->alone)
		return calm->value >= wanted;
	if (calm->kept && boxes_table_find(search->table, calm->key, &bounds)) {
		if (bounds.low >= wanted)
			return true;
		if (bounds.high < wanted)
			return false;
	}
	reaches = safe_move_reaches(search, &calm->coins, wanted) ||
		  opening_reaches(search, &calm->coins, wanted);
	if (search->stopped)
		return false;
	if (!calm->kept)
		return reaches;
	if (reaches)
		bounds.low = (int8_t)wanted;
	else
		bounds.high = (int8_t)(wanted - 2);
	boxes_table_store(search->table, calm->key, bounds, bits_count64(calm->coins.edges));
	return reaches;
}

static bool turn_reaches(struct boxes_search *search, const struct turn *turn, int wanted)
{
	const struct taking *taking = &turn->taking;

	wanted -= taking->taken - taking->kept;
	if (!taking->kept)
		return calm_reaches(search, &turn->rest, wanted);
	/* |kept + v| >= wanted */
	if (wanted <= 0)
		return true;
	return calm_reaches(search, &turn->rest, wanted - taking->kept) ||
	       !calm_reaches(search, &turn->rest, 1 - wanted - taking->kept);
}

bool boxes_search_reaches(struct boxes_search *search, const struct coins *coins, int wanted)
{
	struct turn turn;

	turn_prepare(search, coins, wanted, &turn);
	return turn_reaches(search, &turn, wanted);
}
