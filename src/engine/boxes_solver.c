/* SPDX-License-Identifier: MIT */
#include "engine/boxes_solver.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/boxes_threads.h"

struct boxes_solver {
	int threads;
	struct boxes_table *table;
	struct boxes_busy *busy;  /* NULL with one thread */
	struct string_sums *sums; /* one a thread */
	struct boxes_search *searches;
	graph_images images;
	struct boxes_graph graph; /* that the table knows; of grid 0 x 0: of none */
	uint64_t asked_ms;        /* in all about it */

	/* Of the question that is being answered. */
	struct coins coins;
	const struct boxes_limits *limits;
	const struct boxes_host *host;
	uint64_t began_ms;
};

/*
 * Room for what is worth keeping: the positions that a search meets grow about twofold with every
 * two lines, from 4 MiB for 24 of them (3x3) on.
 */
size_t boxes_default_table_bytes(int free_lines, size_t most)
{
	size_t bytes = (size_t)4 << 20;

	for (; free_lines > 24 && bytes < most; free_lines -= 2)
		bytes *= 2;
	return bytes;
}

enum status boxes_solver_create(
	const struct boxes_solver_settings *settings, struct boxes_solver **solver)
{
	struct boxes_solver *made = calloc(1, sizeof(*made));
	size_t threads = (size_t)settings->threads;
	enum status status;

	assert(settings->threads >= 1 && settings->threads <= BOXES_THREADS_MAX);
	if (!made)
		return STATUS_NO_MEMORY;
	made->threads = settings->threads;
	made->sums = calloc(threads, sizeof(*made->sums));
	made->searches = calloc(threads, sizeof(*made->searches));
	if (threads > 1)
		made->busy = calloc(1, sizeof(*made->busy));
	status = boxes_table_create(settings->table_bytes, &made->table);
	if (status != STATUS_OK || !made->sums || !made->searches || (threads > 1 && !made->busy)) {
		boxes_solver_destroy(made);
		return STATUS_NO_MEMORY;
	}
	for (size_t i = 0; i < threads; i++)
		string_sums_init(&made->sums[i]);
	*solver = made;
	return STATUS_OK;
}

void boxes_solver_destroy(struct boxes_solver *solver)
{
	if (!solver)
		return;
	boxes_table_destroy(solver->table);
	free(solver->busy);
	free(solver->searches);
	free(solver->sums);
	free(solver);
}

struct boxes_table *boxes_solver_table(struct boxes_solver *solver)
{
	return solver->table;
}

static bool should_stop(void *context)
{
	struct boxes_solver *solver = context;
	const struct boxes_limits *limits = solver->limits;
	const struct boxes_host *host = solver->host;

	if (limits->time_ms && host->clock_ms &&
		host->clock_ms(host->context) - solver->began_ms >= limits->time_ms)
		return true;
	return host->should_stop && host->should_stop(host->context);
}

/* What one of the questions "is it worth so much" is answered. */
enum reply { REPLY_NO, REPLY_YES, REPLY_NONE };

static enum reply reaches(struct boxes_solver *solver, const struct coins *coins, int wanted)
{
	bool yes = boxes_threads_reach(solver->searches, solver->threads, coins, wanted);

	if (solver->searches->stopped)
		return REPLY_NONE;
	return yes ? REPLY_YES : REPLY_NO;
}

/* The position itself, or what is after drawing one line of it, seen by who moves before that. */
enum { WHOLE_POSITION = -1 };

static enum reply line_reaches(struct boxes_solver *solver, int edge, int wanted)
{
	struct coins next = solver->coins;
	enum reply reply;
	int closed;

	if (edge == WHOLE_POSITION)
		return reaches(solver, &next, wanted);
	coins_cut(&solver->graph, &next, edge);
	closed = bits_count64(coins_open(&solver->coins) & ~coins_open(&next));
	if (closed)
		return reaches(solver, &next, wanted - closed);
	reply = reaches(solver, &next, 1 - wanted);
	return reply == REPLY_NONE ? reply : reply == REPLY_NO ? REPLY_YES : REPLY_NO;
}

/*
 * Narrows the bounds of a value as far as it gets: from a guess outwards in growing steps, since
 * questions far from the value are soon answered, then by halves.
 */
static void narrow(struct boxes_solver *solver, int edge, int guess, struct boxes_bounds *bounds)
{
	struct boxes_bounds first = *bounds;
	int step = 2;

	while (bounds->low < bounds->high) {
		enum reply reply;
		int wanted;

		if (bounds->low == first.low && bounds->high == first.high)
			wanted = guess;
		else if (bounds->high == first.high)
			wanted = bounds->low + step;
		else if (bounds->low == first.low)
			wanted = bounds->high + 2 - step;
		else
			wanted = (bounds->low + bounds->high + 1) / 2;
		wanted += (wanted ^ bounds->low) & 1;
		wanted = wanted <= bounds->low ? bounds->low + 2 : wanted;
		wanted = wanted > bounds->high ? bounds->high : wanted;
		reply = line_reaches(solver, edge, wanted);
		if (reply == REPLY_NONE)
			return;
		if (reply == REPLY_YES)
			bounds->low = (int8_t)wanted;
		else
			bounds->high = (int8_t)(wanted - 2);
		if (wanted != guess)
			step *= 2;
		if (edge == WHOLE_POSITION && solver->host->progress)
			solver->host->progress(
				solver->host->context, *bounds, solver->searches->nodes);
	}
}

/* Of each line no more is known than that no line is worth more than the position. */
static void set_scores(const struct boxes_position *position, int open, struct boxes_answer *answer)
{
	for (int line = 0; line < boxes_edge_count(position->grid); line++)
		if (position->lines[line] == BOXES_FREE)
			answer->scores[line] =
				(struct boxes_bounds){(int8_t)-open, answer->value.high};
}

/* Finds which lines keep the value, which is known, and perhaps what the others are worth. */
static void judge_lines(
	struct boxes_solver *solver, enum boxes_question question, struct boxes_answer *answer)
{
	int value = answer->value.low;

	for (uint64_t rest = solver->coins.edges; rest; rest &= rest - 1) {
		int edge = bits_first64(rest);
		int number = solver->graph.edge_number[edge];
		struct boxes_bounds *score = &answer->scores[number];
		enum reply reply = line_reaches(solver, edge, value);

		if (reply == REPLY_NONE)
			return;
		answer->best[number] = reply == REPLY_YES;
		if (reply == REPLY_YES)
			score->low = (int8_t)value;
		else
			score->high = (int8_t)(value - 2);
		if (question == BOXES_ALL_SCORES)
			narrow(solver, edge, score->high, score);
	}
	answer->best_known = true;
}

/* The free lines of a position as edges of the graph; false: it has others, or is of another grid.
 */
static bool find_edges(
	const struct boxes_graph *graph, const struct boxes_position *position, uint64_t *edges)
{
	*edges = 0;
	if (memcmp(&graph->grid, &position->grid, sizeof(graph->grid)) != 0)
		return false;
	for (int line = 0; line < boxes_edge_count(position->grid); line++) {
		if (position->lines[line] != BOXES_FREE)
			continue;
		if (graph->edge_index[line] < 0)
			return false;
		*edges |= bit(graph->edge_index[line]);
	}
	return true;
}

/*
 * Later positions of a game are part of the graph of the first one, and the table goes on to hold
 * for them. What it knows of another graph, it knows by other numbers. False: too many lines are
 * free.
 */
static bool enter(struct boxes_solver *solver, const struct boxes_position *position)
{
	uint64_t edges;

	if (!find_edges(&solver->graph, position, &edges)) {
		/* That of a new solver is clear, and to write all of it takes seconds. */
		if (solver->graph.grid.rows)
			boxes_table_clear(solver->table);
		solver->asked_ms = 0;
		if (!boxes_graph_make(&solver->graph, &solver->images, position)) {
			solver->graph = (struct boxes_graph){0};
			return false;
		}
		edges = boxes_graph_all(&solver->graph);
	}
	solver->coins = boxes_graph_coins(&solver->graph, edges);
	return true;
}

bool boxes_solver_prepare(struct boxes_solver *solver, const struct boxes_position *position)
{
	if (!enter(solver, position))
		return false;
	boxes_table_widen(solver->table, SIZE_MAX);
	return true;
}

static void begin(struct boxes_solver *solver, const struct boxes_limits *limits,
	const struct boxes_host *host)
{
	solver->limits = limits;
	solver->host = host;
	solver->began_ms = limits->time_ms && host->clock_ms ? host->clock_ms(host->context) : 0;
	for (int i = 0; i < solver->threads; i++)
		solver->searches[i] = (struct boxes_search){
			.graph = &solver->graph,
			.table = solver->table,
			.sums = &solver->sums[i],
			.busy = solver->busy,
			.should_stop = should_stop,
			.context = solver,
			.limit = limits->nodes,
		};
}

/*
 * As much of the table as the questions so far can have filled: 16 bytes a node, of which a fast
 * machine visits 8,000 in a millisecond; but at most four times what this one can, since what is
 * new has to be touched within its time. All of 256 MiB once made 20 ms a second.
 */
static void widen_table(struct boxes_solver *solver)
{
	enum { BYTES_A_MS = 128 << 10, QUESTIONS = 4 };
	static const uint64_t long_ms = SIZE_MAX / BYTES_A_MS / QUESTIONS / BOXES_THREADS_MAX;
	uint64_t time_ms = solver->limits->time_ms;
	size_t bytes = SIZE_MAX;

	if (time_ms && solver->host->clock_ms && time_ms < long_ms) {
		solver->asked_ms += time_ms;
		if (solver->asked_ms < QUESTIONS * time_ms)
			time_ms = solver->asked_ms;
		else
			time_ms *= QUESTIONS;
		bytes = (size_t)time_ms * BYTES_A_MS * (size_t)solver->threads;
	}
	boxes_table_widen(solver->table, bytes);
}

static int open_boxes(const struct boxes_position *position)
{
	int open = 0;

	for (int box = 0; box < boxes_count(position->grid); box++)
		open += position->owners[box] == BOXES_FREE;
	return open;
}

void boxes_solver_ask(struct boxes_solver *solver, const struct boxes_position *position,
	enum boxes_question question, const struct boxes_limits *limits,
	const struct boxes_host *host, struct boxes_answer *answer)
{
	int open = open_boxes(position);

	*answer = (struct boxes_answer){.value = {(int8_t)-open, (int8_t)open}};
	set_scores(position, open, answer);
	begin(solver, limits, host);
	if (!enter(solver, position))
		return;
	widen_table(solver);
	narrow(solver, WHOLE_POSITION, 0, &answer->value);
	set_scores(position, open, answer);
	if (question != BOXES_VALUE && answer->value.low == answer->value.high)
		judge_lines(solver, question, answer);
	answer->nodes = solver->searches->nodes;
}
