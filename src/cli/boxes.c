/* SPDX-License-Identifier: MIT */
#include "cli/boxes.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "boxes/notation.h"
#include "engine/boxes_graph.h"
#include "engine/boxes_threads.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

void boxes_catch_signals(void)
{
	struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART | SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool boxes_was_interrupted(void *context)
{
	(void)context;
	return interrupted;
}

uint64_t boxes_clock_ms(void *context)
{
	(void)context;
	return clock_monotonic_ms();
}

static int count_free(const struct boxes_position *position)
{
	int count = 0;

	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++)
		count += position->lines[edge] == BOXES_FREE;
	return count;
}

int boxes_make_solver(const struct boxes_task *task, struct boxes_solver **solver)
{
	enum status status = boxes_solver_create(&task->settings, solver);

	if (status == STATUS_OK)
		return CLI_DONE;
	return cli_refuse(task->command, "%s; --memory MIB asks for less", status_text(status));
}

void boxes_print_edges(const bool edges[BOXES_EDGES_MAX])
{
	const char *between = "";

	for (int edge = 0; edge < BOXES_EDGES_MAX; edge++) {
		if (!edges[edge])
			continue;
		printf("%s%d", between, edge);
		between = ",";
	}
	if (!*between)
		putchar('-');
}

enum boxes_question boxes_question_of(const struct boxes_task *task)
{
	return task->value_only ? BOXES_VALUE : BOXES_BEST_LINES;
}

int boxes_print_value(const struct boxes_task *task, const struct boxes_answer *answer)
{
	if (task->value_only && answer->value.low == answer->value.high) {
		printf("value %d nodes %" PRIu64 "\n", answer->value.low, answer->nodes);
		return CLI_DONE;
	}
	if (answer->best_known) {
		printf("value %d optimal ", answer->value.low);
		boxes_print_edges(answer->best);
		printf(" nodes %" PRIu64 "\n", answer->nodes);
		return CLI_DONE;
	}
	printf("value %d..%d nodes %" PRIu64 "\n", answer->value.low, answer->value.high,
		answer->nodes);
	if (count_free(&task->position) > GRAPH_MAX)
		return cli_refuse(
			task->command, "not searched: more than %d lines are free", GRAPH_MAX);
	return cli_refuse(task->command, "not finished: %s",
		interrupted ? "interrupted" : "the limit of nodes or time is reached");
}

static int value_task(const struct boxes_task *task)
{
	struct boxes_host host = {.should_stop = boxes_was_interrupted, .clock_ms = boxes_clock_ms};
	struct boxes_solver *solver;
	struct boxes_answer answer;
	int result = boxes_make_solver(task, &solver);

	if (result != CLI_DONE)
		return result;
	boxes_catch_signals();
	boxes_solver_ask(
		solver, &task->position, boxes_question_of(task), &task->limits, &host, &answer);
	boxes_solver_destroy(solver);
	return boxes_print_value(task, &answer);
}

static const struct question {
	const char *name;
	const char *command;
	bool of_position; /* which --bits says; otherwise of the empty board */
	int (*run)(const struct boxes_task *task);
} questions[] = {
	{"value", "boxes value", true, value_task},
	{"solve", "boxes solve", false, boxes_solve_task},
	{"analyse", "boxes analyse", true, boxes_analyse_task},
};

enum { QUESTION_COUNT = sizeof(questions) / sizeof(questions[0]) };

static const struct question *find_question(const char *name)
{
	for (size_t i = 0; i < QUESTION_COUNT; i++)
		if (strcmp(questions[i].name, name) == 0)
			return &questions[i];
	return NULL;
}

/* The numbers among the options, and what they may be. */
enum { ROWS, COLUMNS, THREADS, MEMORY, TIME, NODES, INTERVAL, NUMBERS };

static const struct {
	const char *name;
	long high; /* from 1 on */
} numbers[] = {
	[ROWS] = {"rows", BOXES_SIDE_MAX},
	[COLUMNS] = {"cols", BOXES_SIDE_MAX},
	[THREADS] = {"threads", BOXES_THREADS_MAX},
	[MEMORY] = {"memory", 1 << 20},
	[TIME] = {"time", 1000000000000},
	[NODES] = {"nodes", 1000000000000000},
	[INTERVAL] = {"interval", 86400},
};

enum { BITS = NUMBERS, CHECKPOINT, VALUE_ONLY };

struct boxes_options {
	long number[NUMBERS]; /* 0: not given */
	const char *bits;
	const char *checkpoint;
	bool value_only;
};

static int read_options(
	const struct question *question, int argc, char **argv, struct boxes_options *options)
{
	struct option known[VALUE_ONLY + 2] = {
		[BITS] = {"bits", required_argument, NULL, BITS},
		[CHECKPOINT] = {"checkpoint", required_argument, NULL, CHECKPOINT},
		[VALUE_ONLY] = {"value-only", no_argument, NULL, VALUE_ONLY},
	};
	int option;

	for (int i = 0; i < NUMBERS; i++)
		known[i] = (struct option){numbers[i].name, required_argument, NULL, i};
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == BITS)
			options->bits = optarg;
		else if (option == CHECKPOINT)
			options->checkpoint = optarg;
		else if (option == VALUE_ONLY)
			options->value_only = true;
		else if (option >= NUMBERS)
			return cli_usage_option(question->command, argv);
		else if (!cli_read_number(
				 optarg, 1, numbers[option].high, &options->number[option]))
			return cli_usage(question->command,
				"--%s must be a whole number from 1 to %ld, not \"%.40s\"",
				numbers[option].name, numbers[option].high, optarg);
	}
	if (optind < argc)
		return cli_usage(question->command, "unexpected argument \"%.40s\"", argv[optind]);
	return CLI_DONE;
}

/* Which options go with which question. */
static int check_options(const struct question *question, const struct boxes_options *options)
{
	for (int i = ROWS; i <= COLUMNS; i++)
		if (!options->number[i])
			return cli_usage(question->command, "--%s is missing", numbers[i].name);
	if (question->of_position && !options->bits)
		return cli_usage(question->command, "--bits is missing");
	if (!question->of_position && options->bits)
		return cli_usage(
			question->command, "it begins from the empty board: --bits is not for it");
	if (question->of_position && (options->checkpoint || options->number[INTERVAL]))
		return cli_usage(
			question->command, "--checkpoint and --interval are for `boxes solve`");
	if (question->run == boxes_analyse_task && options->value_only)
		return cli_usage(
			question->command, "it tells of every line: --value-only is not for it");
	if (options->number[INTERVAL] && !options->checkpoint)
		return cli_usage(
			question->command, "--interval is for a --checkpoint, which is missing");
	return CLI_DONE;
}

/* "2x2 100001101100": of the forms that a position has, the one without owners. */
static int read_position(const struct question *question, const struct boxes_options *options,
	struct boxes_position *position)
{
	const char *bits = options->bits;
	size_t plain = bits ? strspn(bits, "01") : 0;
	char setup[sizeof("8x8 ") + BOXES_EDGES_MAX + 1];
	struct text_error error;
	enum status status;
	struct boxes_grid grid = {
		(uint8_t)options->number[ROWS], (uint8_t)options->number[COLUMNS]};
	int length = snprintf(setup, sizeof(setup), "%dx%d", grid.rows, grid.columns);

	if (bits && bits[plain])
		return cli_refuse(question->command,
			"--bits, column %zu: a line must be 0, free, or 1, drawn", plain + 1);
	/* Of what is too long one more than there can be is enough to tell. */
	if (bits)
		snprintf(setup + length, sizeof(setup) - (size_t)length, " %s", bits);
	status = boxes_position_read(setup, strlen(setup), &error, position);
	if (status != STATUS_OK)
		return cli_refuse(question->command, "--bits: %s: %zu, not %d", status_text(status),
			plain, boxes_edge_count(grid));
	return CLI_DONE;
}

/*
 * Room for what is worth keeping: the positions that a search meets grow about twofold with every
 * two lines, from 4 MiB for 24 of them (3x3) on.
 */
static size_t default_memory(const struct question *question, int free_lines)
{
	static const size_t mib = 1 << 20;
	size_t most = question->of_position ? 256 * mib : 1024 * mib;
	size_t bytes = 4 * mib;

	for (; free_lines > 24 && bytes < most; free_lines -= 2)
		bytes *= 2;
	return bytes;
}

int command_boxes(int argc, char **argv)
{
	enum { DEFAULT_INTERVAL_S = 300 };
	const struct question *question = argc > 1 ? find_question(argv[1]) : NULL;
	struct boxes_options options = {0};
	struct boxes_task task = {0};
	int result;

	if (!question)
		return cli_usage("boxes", "the question must be one of: value solve analyse");
	result = read_options(question, argc - 1, argv + 1, &options);
	if (result == CLI_DONE)
		result = check_options(question, &options);
	if (result == CLI_DONE)
		result = read_position(question, &options, &task.position);
	if (result != CLI_DONE)
		return result;
	task.command = question->command;
	task.limits.nodes = (uint64_t)options.number[NODES];
	task.limits.time_ms = (uint64_t)options.number[TIME];
	task.settings.threads = options.number[THREADS] ? (int)options.number[THREADS] : 1;
	task.settings.table_bytes = options.number[MEMORY]
					    ? (size_t)options.number[MEMORY] << 20
					    : default_memory(question, count_free(&task.position));
	task.checkpoint = options.checkpoint;
	task.value_only = options.value_only;
	task.interval_ms =
		UINT64_C(1000) * (uint64_t)(options.number[INTERVAL] ? options.number[INTERVAL]
								     : DEFAULT_INTERVAL_S);
	result = question->run(&task);
	return cli_finish(question->command) == CLI_DONE ? result : CLI_REFUSED;
}
