/* SPDX-License-Identifier: MIT */
#include "engine/boxes_player.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/random.h"
#include "engine/boxes_tree.h"

struct boxes_player {
	struct boxes_solver *solver;
	struct boxes_tree *tree;
	struct random random;
	struct string_sums sums;

	/* Of the choice that is being made. */
	const struct boxes_position *position;
	struct boxes_frame frame;
	struct boxes_sides sides;
	const struct boxes_limits *limits;
	const struct boxes_host *host;
	uint64_t began_ms;
};

enum {
	/* Of each line, without reckoning with answers: enough to see what chance would leave. */
	TRIALS_A_LINE = 24,
	NEAR_PERFECT_TRIALS = 600,
	NEAR_PERFECT_NODES = 1 << 16,
	/* Where it has neither limit. */
	MASTER_TRIALS = 100000,
	MASTER_NODES = 1 << 23,
	/* What the solver may take of the time, where it may finish. */
	SOLVER_SHARE = 3,
	SOLVER_SHARE_OF = 4,
	/* Nodes of the solver, and trials, in a millisecond: as on an old machine. */
	NODES_A_MS = 1000,
	VALUE_TRIALS = 256
};

static const char *const codes[BOXES_LEVELS] = {
	[BOXES_TAKER] = "taker",
	[BOXES_OPENER] = "opener",
	[BOXES_GREEDY] = "greedy",
	[BOXES_COUNTER] = "counter",
	[BOXES_NEAR_PERFECT] = "near-perfect",
	[BOXES_MASTER] = "master",
	[BOXES_RANDOM_SAFE] = "random-safe",
};

const char *boxes_level_code(enum boxes_level level)
{
	assert(level < BOXES_LEVELS);
	return codes[level];
}

enum boxes_level boxes_level_of(const char *code, size_t length)
{
	int level = 0;

	while (level < BOXES_LEVELS &&
		(strlen(codes[level]) != length || memcmp(codes[level], code, length) != 0))
		level++;
	return (enum boxes_level)level;
}

void boxes_player_reseed(struct boxes_player *player, uint64_t seed)
{
	player->random = (struct random){seed};
}

enum status boxes_player_create(
	const struct boxes_player_settings *settings, struct boxes_player **player)
{
	struct boxes_player *made = calloc(1, sizeof(*made));
	enum status status;

	if (!made)
		return STATUS_NO_MEMORY;
	status = boxes_solver_create(&settings->solver, &made->solver);
	if (status == STATUS_OK)
		status = boxes_tree_create(settings->tree_bytes, &made->tree);
	if (status != STATUS_OK) {
		boxes_player_destroy(made);
		return status;
	}
	string_sums_init(&made->sums);
	boxes_player_reseed(made, settings->seed);
	*player = made;
	return STATUS_OK;
}

void boxes_player_destroy(struct boxes_player *player)
{
	if (!player)
		return;
	boxes_tree_destroy(player->tree);
	boxes_solver_destroy(player->solver);
	free(player);
}

static bool is_over_time(const struct boxes_player *player)
{
	const struct boxes_host *host = player->host;

	return player->limits->time_ms && host->clock_ms &&
	       host->clock_ms(host->context) - player->began_ms >= player->limits->time_ms;
}

static bool should_stop(void *context, uint64_t trials)
{
	const struct boxes_player *player = context;
	const struct boxes_host *host = player->host;

	(void)trials;
	return is_over_time(player) || (host->should_stop && host->should_stop(host->context));
}

/* One of a set of lines, each as likely; -1: the set is empty. */
static int any_of(struct boxes_player *player, const bool lines[BOXES_EDGES_MAX])
{
	uint32_t count = 0;
	int chosen = -1;

	for (int edge = 0; edge < BOXES_EDGES_MAX; edge++)
		if (lines[edge] && random_below(&player->random, ++count) == 0)
			chosen = edge;
	return chosen;
}

/* The free lines beside a box of a set, or those beside no box outside it. */
static int any_beside(struct boxes_player *player, uint64_t boxes, bool nothing_else)
{
	bool lines[BOXES_EDGES_MAX] = {false};
	int count = boxes_edge_count(player->frame.grid);

	for (int edge = 0; edge < count; edge++) {
		int beside[2];
		int sides = boxes_edge_boxes(player->frame.grid, edge, beside);
		uint64_t set = UINT64_C(1) << beside[0] | UINT64_C(1) << beside[sides - 1];

		lines[edge] = player->position->lines[edge] == BOXES_FREE &&
			      (nothing_else ? !(set & ~boxes) : (set & boxes) != 0);
	}
	return any_of(player, lines);
}

static int choose_as_taker(struct boxes_player *player)
{
	int edge = any_beside(player, boxes_sides_degrees(&player->sides).one, false);

	return edge >= 0 ? edge : any_beside(player, player->frame.all, false);
}

static int choose_as_opener(struct boxes_player *player)
{
	struct boxes_degrees degrees = boxes_sides_degrees(&player->sides);
	struct boxes_ending_string strings[BOXES_MAX];
	int edge = any_beside(player, degrees.one, false);

	if (edge < 0)
		edge = any_beside(player, degrees.more, true);
	if (edge >= 0)
		return edge;
	boxes_ending_strings(&player->frame, &player->sides, strings);
	return any_beside(player, strings[0].boxes, false);
}

static void think(struct boxes_player *player, enum boxes_belief belief, bool answers,
	uint64_t trials, struct boxes_tree_answer *answer)
{
	struct boxes_tree_question question = {
		.position = player->position,
		.belief = belief,
		.answers = answers,
		.trials = trials,
		.random = &player->random,
		.sums = &player->sums,
		.should_stop = should_stop,
		.context = player,
	};

	boxes_tree_ask(player->tree, &question, answer);
}

static int count_safe_lines(const struct boxes_player *player)
{
	uint64_t joints = boxes_sides_degrees(&player->sides).more;
	int count = 0;

	for (int side = 0; side < BOXES_SIDES; side++) {
		uint64_t lines = joints & player->sides.free[side];

		/* Lines between two boxes are counted with the one below or to the right. */
		if (side == BOXES_BOTTOM || side == BOXES_RIGHT)
			lines &= player->frame.border[side];
		else
			lines &= player->frame.border[side] |
				 boxes_frame_step(&player->frame, joints,
					 boxes_side_opposite((enum boxes_side)side));
		count += bits_count64(lines);
	}
	return count;
}

/*
 * Whether the solver may finish within so many nodes. After random safe play on 5x5 and 6x7 it took
 * half to thirty times of 2 to the power of 0.65 safe lines + 0.26 open boxes; four times the nodes
 * is where hardly any position is missed, and as strong as trying only when it is likely.
 */
static bool is_in_reach(const struct boxes_player *player, uint64_t nodes)
{
	int open = bits_count64(boxes_sides_open(&player->sides));

	return boxes_free_lines(player->position) <= GRAPH_MAX &&
	       13 * count_safe_lines(player) + 5 * open <= 20 * (bits_last64(nodes) + 3);
}

/* Of lines that are all worth the same: one that takes, or else what looks best against a player
 * who may err. */
static int pick_among(struct boxes_player *player, const bool best[BOXES_EDGES_MAX])
{
	uint64_t one = boxes_sides_degrees(&player->sides).one;
	struct boxes_tree_answer liked;
	uint64_t most = 0;
	int edge = boxes_ending_free_box(&player->frame, &player->sides);

	if (edge >= 0 && best[edge])
		return edge;
	if (one)
		return any_of(player, best);
	think(player, BOXES_DOUBLE_DEALT, true, 4 * VALUE_TRIALS, &liked);
	edge = any_of(player, best);
	for (int other = 0; other < BOXES_EDGES_MAX; other++) {
		if (best[other] && liked.liked[other] > most) {
			most = liked.liked[other];
			edge = other;
		}
	}
	return edge;
}

static bool choose_exactly(
	struct boxes_player *player, uint64_t nodes, uint64_t time_ms, struct boxes_choice *choice)
{
	struct boxes_limits limits = {.nodes = nodes, .time_ms = time_ms};
	struct boxes_host host = *player->host;
	struct boxes_answer answer;
	int edge;

	host.progress = NULL;
	boxes_solver_ask(
		player->solver, player->position, BOXES_BEST_LINES, &limits, &host, &answer);
	choice->nodes += answer.nodes;
	if (answer.value.low != answer.value.high)
		return false;
	edge = pick_among(player, answer.best);
	if (edge < 0)
		return false;
	choice->edge = edge;
	choice->exact = true;
	choice->value = answer.value.low;
	return true;
}

/* Exact where that is in reach, or else what trials say. */
static void choose_by_search(struct boxes_player *player, uint64_t nodes, uint64_t time_ms,
	uint64_t trials, struct boxes_choice *choice)
{
	struct boxes_tree_answer answer;
	uint64_t reach = nodes ? nodes : time_ms * NODES_A_MS;
	int free_box = boxes_ending_free_box(&player->frame, &player->sides);

	if (is_in_reach(player, reach) && choose_exactly(player, nodes, time_ms, choice))
		return;
	think(player, BOXES_DOUBLE_DEALT, true, free_box < 0 ? trials : VALUE_TRIALS, &answer);
	choice->edge = answer.edge;
	choice->value = answer.value;
	choice->nodes += answer.trials;
}

/* What the solver may take of the time. */
static uint64_t solver_time(const struct boxes_player *player)
{
	uint64_t time_ms = player->limits->time_ms;

	return time_ms - time_ms / SOLVER_SHARE_OF * (SOLVER_SHARE_OF - SOLVER_SHARE);
}

/* Of a level's own nodes or trials, those that the limit allows. */
static uint64_t allowed(const struct boxes_player *player, uint64_t own)
{
	uint64_t nodes = player->limits->nodes;

	return nodes && nodes < own ? nodes : own;
}

static void choose_as_near_perfect(struct boxes_player *player, struct boxes_choice *choice)
{
	choose_by_search(player, allowed(player, NEAR_PERFECT_NODES), solver_time(player),
		allowed(player, NEAR_PERFECT_TRIALS), choice);
}

static void choose_as_master(struct boxes_player *player, struct boxes_choice *choice)
{
	uint64_t nodes = player->limits->nodes;

	if (!nodes && !player->limits->time_ms)
		choose_by_search(player, MASTER_NODES, 0, MASTER_TRIALS, choice);
	else
		choose_by_search(
			player, nodes, solver_time(player), nodes ? nodes : UINT64_MAX, choice);
}

static void choose_as_random_safe(struct boxes_player *player, struct boxes_choice *choice)
{
	struct boxes_degrees degrees = boxes_sides_degrees(&player->sides);
	int safe = any_beside(player, degrees.more, true);

	if (safe < 0)
		choose_by_search(player, MASTER_NODES, solver_time(player), MASTER_TRIALS, choice);
	else
		choice->edge = degrees.one ? any_beside(player, degrees.one, false) : safe;
}

static void choose_by_chance(
	struct boxes_player *player, enum boxes_belief belief, struct boxes_choice *choice)
{
	struct boxes_tree_answer answer;
	uint64_t trials = (uint64_t)(TRIALS_A_LINE * boxes_free_lines(player->position));

	think(player, belief, false, trials, &answer);
	choice->edge = answer.edge;
	choice->value = answer.value;
	choice->nodes = answer.trials;
}

void boxes_player_choose(struct boxes_player *player, const struct boxes_position *position,
	enum boxes_level level, const struct boxes_limits *limits, const struct boxes_host *host,
	struct boxes_choice *choice)
{
	assert(!boxes_is_over(position));
	*choice = (struct boxes_choice){.edge = -1};
	player->position = position;
	player->frame = boxes_frame_of(position->grid);
	player->sides = boxes_sides_of(&player->frame, position);
	player->limits = limits;
	player->host = host;
	player->began_ms = limits->time_ms && host->clock_ms ? host->clock_ms(host->context) : 0;
	switch (level) {
	case BOXES_TAKER:
		choice->edge = choose_as_taker(player);
		break;
	case BOXES_OPENER:
		choice->edge = choose_as_opener(player);
		break;
	case BOXES_GREEDY:
		choose_by_chance(player, BOXES_ALL_IS_TAKEN, choice);
		break;
	case BOXES_COUNTER:
		choose_by_chance(player, BOXES_DOUBLE_DEALT, choice);
		break;
	case BOXES_NEAR_PERFECT:
		choose_as_near_perfect(player, choice);
		break;
	case BOXES_RANDOM_SAFE:
		choose_as_random_safe(player, choice);
		break;
	default:
		choose_as_master(player, choice);
	}
	assert(choice->edge >= 0);
}
