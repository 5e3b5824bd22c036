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
	struct boxes_checkpoint_file file; /* where the task names one */
	struct boxes_checkpoint before;    /* what earlier runs have found */
	struct boxes_bounds value;         /* what is known by now */
	uint64_t began_ms;
	uint64_t next_report_ms;
	uint64_t next_write_ms;
	uint64_t value_nodes; /* of all runs when the value was found */
	uint64_t nodes;       /* when the last bound was found */
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

/* Of nodes in all, those that smaller grids let expect. */
struct expectation {
	double low;
	double high;
};

/*
 * Until the value is found, by the number of lines. With one thread and a table that forgets little
 * it took 2.07 million nodes for 31 lines (3x4), 270 million for 37 (2x7), 375 million for 38 (3x5)
 * and 292 million for 40 (4x4). From 3x4 to 4x4 that is 1.73 times as many a line, from 3x4 to 3x5
 * 2.1 times: the expectation lies between both ways to go on, from 4x4 and from somewhat above 2x7.
 */
static struct expectation expect_value(int lines)
{
	struct expectation expectation = {292e6, 375e6};

	for (int i = 40; i < lines; i++)
		expectation.low *= 1.73;
	for (int i = lines; i < 40; i++)
		expectation.low /= 1.73;
	for (int i = 37; i < lines; i++)
		expectation.high *= 2.1;
	for (int i = lines; i < 37; i++)
		expectation.high /= 2.1;
	return expectation;
}

/* Then, until it is known which lines keep it: 1.4 times as many in all for 3x3, 3.6 times for 3x4,
 * 4.4 times for 2x7. */
static struct expectation expect_lines(uint64_t value_nodes)
{
	return (struct expectation){1.4 * (double)value_nodes, 4.4 * (double)value_nodes};
}

static void add_estimate(
	struct expectation expectation, double done, double per_second, struct text *text)
{
	if (per_second <= 0 || done > expectation.high) {
		text_add(text, "; smaller grids say nothing of the time left");
		return;
	}
	text_add(text, "; by the growth from smaller grids ");
	if (done < expectation.low) {
		add_duration(text, (expectation.low - done) / per_second);
		text_add(text, " to ");
	} else {
		text_add(text, "up to ");
	}
	add_duration(text, (expectation.high - done) / per_second);
	text_add(text, " left");
}

static bool knows_value(const struct run *run)
{
	return run->value.low == run->value.high;
}

static void report(const struct run *run, uint64_t now_ms)
{
	double seconds = (double)(run->before.time_ms + now_ms - run->began_ms) / 1000;
	uint64_t nodes = run->before.nodes + estimated_nodes(run);
	double per_second = seconds > 0 ? (double)nodes / seconds : 0;
	char line[256];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_add_number(&text, (int64_t)(nodes / 1000000));
	text_add(&text, " million nodes in ");
	add_duration(&text, seconds);
	text_add(&text, ", the value is ");
	text_add_number(&text, run->value.low);
	if (!knows_value(run)) {
		text_add(&text, "..");
		text_add_number(&text, run->value.high);
	}
	add_estimate(knows_value(run) ? expect_lines(run->value_nodes)
				      : expect_value(boxes_edge_count(run->task->position.grid)),
		(double)nodes, per_second, &text);
	if (knows_value(run))
		text_add(&text, " for the best lines");
	fprintf(stderr, "komadai %s: %s\n", run->task->command, line);
}

static int write_checkpoint(const struct run *run, uint64_t now_ms)
{
	struct boxes_checkpoint checkpoint = {
		.grid = run->task->position.grid,
		.value = run->value,
		.nodes = run->before.nodes + estimated_nodes(run),
		.value_nodes = run->value_nodes,
		.time_ms = run->before.time_ms + now_ms - run->began_ms,
	};

	return boxes_checkpoint_write(&run->file, boxes_solver_table(run->solver), &checkpoint);
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
	if (knows_value(run) && !run->value_nodes)
		run->value_nodes = run->before.nodes + nodes;
}

/* The least table that has room for what the file holds. A file of old does not say how large its
 * table was, and has at least as many places as entries. */
static size_t table_needed(const struct boxes_checkpoint_file *file)
{
	size_t bytes = boxes_table_bytes_of(0);

	if (file->table_bytes)
		return file->table_bytes;
	while (bytes / sizeof(struct boxes_table_entry) < file->entries)
		bytes *= 2;
	return bytes;
}

/* The table is that of the file, so that nothing of it is forgotten, or a larger one that is asked
 * for. */
static int choose_memory(const struct run *run, struct boxes_solver_settings *settings)
{
	const struct boxes_checkpoint_file *file = &run->file;
	size_t needed = table_needed(file);

	if (boxes_table_bytes_of(settings->table_bytes) < needed && run->task->memory_given)
		return cli_refuse(run->task->command,
			"%.200s: it needs a table of %zu MiB: --memory %zu, or none", file->path,
			needed >> 20, needed >> 20);
	if (!run->task->memory_given && (file->table_bytes || settings->table_bytes < needed))
		settings->table_bytes = needed;
	return CLI_DONE;
}

static int make_solver(struct run *run)
{
	struct boxes_task task = *run->task;
	int result = run->file.found ? choose_memory(run, &task.settings) : CLI_DONE;

	if (result == CLI_DONE)
		result = boxes_make_solver(&task, &run->solver);
	if (result == CLI_DONE)
		boxes_solver_prepare(run->solver, &task.position);
	return result;
}

static int resume(struct run *run)
{
	int result = boxes_checkpoint_load(&run->file, boxes_solver_table(run->solver));

	if (result != CLI_DONE)
		return result;
	run->before = run->file.checkpoint;
	run->value = run->before.value;
	run->value_nodes = run->before.value_nodes;
	fprintf(stderr, "komadai %s: goes on from %s\n", run->task->command, run->task->checkpoint);
	report(run, run->began_ms);
	return CLI_DONE;
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
	int result = CLI_DONE;

	run.value = run.before.value;
	if (boxes_edge_count(task->position.grid) > GRAPH_MAX)
		return cli_refuse(task->command, "the grid has %d lines; at most %d are searched",
			boxes_edge_count(task->position.grid), GRAPH_MAX);
	if (sodium_init() < 0)
		return cli_refuse(task->command, "libsodium cannot start");
	if (task->checkpoint)
		result = boxes_checkpoint_open(task, &run.file);
	if (result != CLI_DONE)
		return result;
	result = make_solver(&run);
	run.began_ms = boxes_clock_ms(NULL);
	run.next_report_ms = run.began_ms + REPORT_MS;
	run.next_write_ms = run.began_ms + task->interval_ms;
	if (result == CLI_DONE && run.file.found)
		result = resume(&run);
	if (result == CLI_DONE)
		result = search(&run);
	boxes_solver_destroy(run.solver);
	if (task->checkpoint)
		boxes_checkpoint_close(&run.file);
	return result;
}
