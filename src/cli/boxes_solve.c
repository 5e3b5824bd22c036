/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <sodium.h>

#include "boxes/grid.h"
#include "cli/boxes.h"
#include "cli/boxes_checkpoint.h"
#include "engine/boxes_graph.h"
#include "engine/boxes_search.h"

enum { REPORT_MS = 30000 };

/* A search from the empty board that goes on in a file. */
struct run {
	const struct boxes_task *task;
	struct boxes_solver *solver;
	struct boxes_checkpoint before; /* what earlier runs have found */
	struct boxes_bounds value;      /* what is known by now */
	uint64_t began_ms;
	uint64_t next_report_ms;
	uint64_t next_write_ms;
	uint64_t nodes; /* when the last bound was found */
	uint64_t calls; /* since then, each after BOXES_NODES_BETWEEN_CHECKS of the first thread */
};

/* Of this run; between two bounds the other threads are taken to be as fast as the first. */
static uint64_t estimated_nodes(const struct run *run)
{
	return run->nodes +
	       run->calls * BOXES_NODES_BETWEEN_CHECKS * (uint64_t)run->task->settings.threads;
}

static void add_duration(struct text *text, double seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"days", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
	size_t unit = 0;

	while (units[unit].seconds > 1 && seconds < 2 * units[unit].seconds)
		unit++;
	text_add_number(text, (int64_t)(seconds / units[unit].seconds + 0.5));
	text_add_char(text, ' ');
	text_add(text, units[unit].name);
}

/*
 * How many nodes smaller grids let expect, by the number of lines. With one thread and a table that
 * forgets little it took 2.07 million for 31 lines (3x4), 375 million for 38 (3x5) and 292 million
 * for 40 (4x4): from 3x4 to 4x4 1.73 times as many a line, from 3x4 to 3x5 2.1 times. The estimate
 * lies between both ways to go on.
 */
static void expect_nodes(int lines, double *low, double *high)
{
	*low = 292e6;
	*high = 375e6;
	for (int i = 40; i < lines; i++)
		*low *= 1.73;
	for (int i = 38; i < lines; i++)
		*high *= 2.1;
	for (int i = lines; i < 40; i++)
		*low /= 1.73;
	for (int i = lines; i < 38; i++)
		*high /= 2.1;
}

static void add_estimate(const struct run *run, double done, double per_second, struct text *text)
{
	double low;
	double high;

	expect_nodes(boxes_edge_count(run->task->position.grid), &low, &high);
	if (per_second <= 0 || done > high) {
		text_add(text, "; the growth from smaller grids says nothing of the time left");
		return;
	}
	text_add(text, "; by the growth from smaller grids ");
	if (done < low) {
		add_duration(text, (low - done) / per_second);
		text_add(text, " to ");
	} else {
		text_add(text, "up to ");
	}
	add_duration(text, (high - done) / per_second);
	text_add(text, " left");
}

static void report(const struct run *run, uint64_t now_ms)
{
	double seconds = (double)(now_ms - run->began_ms) / 1000;
	double per_second = seconds > 0 ? (double)estimated_nodes(run) / seconds : 0;
	uint64_t nodes = run->before.nodes + estimated_nodes(run);
	char line[256];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_add_number(&text, (int64_t)(nodes / 1000000));
	text_add(&text, " million nodes in ");
	add_duration(&text, (double)run->before.time_ms / 1000 + seconds);
	text_add(&text, ", the value is in ");
	text_add_number(&text, run->value.low);
	text_add(&text, "..");
	text_add_number(&text, run->value.high);
	add_estimate(run, (double)nodes, per_second, &text);
	fprintf(stderr, "komadai %s: %s\n", run->task->command, line);
}

static int write_checkpoint(const struct run *run, uint64_t now_ms)
{
	struct boxes_checkpoint checkpoint = {
		.grid = run->task->position.grid,
		.value = run->value,
		.nodes = run->before.nodes + estimated_nodes(run),
		.time_ms = run->before.time_ms + now_ms - run->began_ms,
	};

	return boxes_checkpoint_write(run->task, boxes_solver_table(run->solver), &checkpoint);
}

/* A checkpoint that cannot be written is said, and tried again later: the old one is still there.
 */
static bool should_stop(void *context)
{
	struct run *run = context;
	uint64_t now_ms = boxes_clock_ms(NULL);

	run->calls++;
	if (now_ms >= run->next_report_ms) {
		report(run, now_ms);
		run->next_report_ms = now_ms + REPORT_MS;
	}
	if (run->task->checkpoint && now_ms >= run->next_write_ms) {
		(void)write_checkpoint(run, now_ms);
		run->next_write_ms = boxes_clock_ms(NULL) + run->task->interval_ms;
	}
	return boxes_was_interrupted(NULL);
}

/* Bounds of different runs hold together. */
static struct boxes_bounds narrower(struct boxes_bounds a, struct boxes_bounds b)
{
	return (struct boxes_bounds){
		a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static void note_bounds(void *context, struct boxes_bounds value, uint64_t nodes)
{
	struct run *run = context;

	run->value = narrower(run->value, value);
	run->nodes = nodes;
	run->calls = 0;
}

/* Goes on from the file where there is one, and sees that it can be written, before all the work.
 */
static int resume(struct run *run)
{
	int result =
		boxes_checkpoint_read(run->task, boxes_solver_table(run->solver), &run->before);

	if (result != CLI_DONE)
		return result;
	run->value = run->before.value;
	if (run->before.nodes > 0) {
		fprintf(stderr, "komadai %s: goes on from %s\n", run->task->command,
			run->task->checkpoint);
		report(run, run->began_ms);
	}
	return write_checkpoint(run, run->began_ms);
}

static int search(struct run *run)
{
	struct boxes_host host = {
		.context = run,
		.should_stop = should_stop,
		.clock_ms = boxes_clock_ms,
		.progress = note_bounds,
	};
	struct boxes_answer answer;
	int written = CLI_DONE;
	int result;

	boxes_catch_signals();
	boxes_solver_ask(run->solver, &run->task->position, boxes_question_of(run->task),
		&run->task->limits, &host, &answer);
	note_bounds(run, answer.value, answer.nodes);
	if (run->task->checkpoint)
		written = write_checkpoint(run, boxes_clock_ms(NULL));
	answer.value = run->value;
	answer.nodes += run->before.nodes;
	result = boxes_print_value(run->task, &answer);
	return written == CLI_DONE ? result : written;
}

int boxes_solve_task(const struct boxes_task *task)
{
	int8_t boxes = (int8_t)boxes_count(task->position.grid);
	struct run run = {
		.task = task,
		.before = {.grid = task->position.grid, .value = {(int8_t)-boxes, boxes}},
	};
	int result;

	run.value = run.before.value;
	if (boxes_edge_count(task->position.grid) > GRAPH_MAX)
		return cli_refuse(task->command, "the grid has %d lines; at most %d are searched",
			boxes_edge_count(task->position.grid), GRAPH_MAX);
	if (sodium_init() < 0)
		return cli_refuse(task->command, "libsodium cannot start");
	result = boxes_make_solver(task, &run.solver);
	if (result != CLI_DONE)
		return result;
	boxes_solver_prepare(run.solver, &task->position);
	run.began_ms = boxes_clock_ms(NULL);
	run.next_report_ms = run.began_ms + REPORT_MS;
	run.next_write_ms = run.began_ms + task->interval_ms;
	if (task->checkpoint)
		result = resume(&run);
	if (result == CLI_DONE)
		result = search(&run);
	boxes_solver_destroy(run.solver);
	return result;
}
