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

int boxes_make_solver(const struct boxes_task *task, struct boxes_solver **solver)
{
	enum status status = boxes_solver_create(&task->settings, solver);

	if (status == STATUS_OK)
		return CLI_DONE;
	return cli_refuse(task->command, "%s for a table of %zu MiB%s", status_text(status),
		task->settings.table_bytes >> 20,
		task->checkpoint ? "" : "; --memory MIB asks for less");
}

int boxes_make_player(const struct boxes_task *task, uint64_t seed, struct boxes_player **player)
{
	struct boxes_player_settings settings = {
		.solver = task->settings, .tree_bytes = (size_t)64 << 20, .seed = seed};
	enum status status = boxes_player_create(&settings, player);

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

/* Also of a value that an earlier run proved, where this one was to find its lines. */
int boxes_print_value(const struct boxes_task *task, const struct boxes_answer *answer)
{
	bool known = answer->value.low == answer->value.high;

	printf("value %d", answer->value.low);
	if (!known)
		printf("..%d", answer->value.high);
	if (answer->best_known && !task->value_only) {
		printf(" optimal ");
		boxes_print_edges(answer->best);
	}
	printf(" nodes %" PRIu64 "\n", answer->nodes);
	if (known && (answer->best_known || task->value_only))
		return CLI_DONE;
	if (boxes_free_lines(&task->position) > GRAPH_MAX)
		return cli_refuse(
			task->command, "not searched: more than %d lines are free", GRAPH_MAX);
	return cli_refuse(task->command, "%s: %s",
		known ? "the value is proven, the lines that keep it are not found"
		      : "not finished",
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

/* What may be said of a question: numbers, then words. */
enum {
	ROWS,
	COLUMNS,
	THREADS,
	MEMORY,
	TIME,
	NODES,
	INTERVAL,
	GAMES,
	SEED,
	BITS,
	CHECKPOINT,
	LEVEL,
	AGAINST,
	VALUE_ONLY,
	OPTIONS,
	NUMBERS = BITS
};

static const struct {
	const char *name;
	int64_t low; /* of a number */
	int64_t high;
} options[OPTIONS] = {
	[ROWS] = {"rows", 1, BOXES_SIDE_MAX},
	[COLUMNS] = {"cols", 1, BOXES_SIDE_MAX},
	[THREADS] = {"threads", 1, BOXES_THREADS_MAX},
	[MEMORY] = {"memory", 1, 1 << 20},
	[TIME] = {"time", 1, 1000000000000},
	[NODES] = {"nodes", 1, 1000000000000000},
	[INTERVAL] = {"interval", 1, 86400},
	[GAMES] = {"games", 2, 1000000},
	[SEED] = {"seed", 0, 1000000000000000},
	[BITS] = {"bits", 0, 0},
	[CHECKPOINT] = {"checkpoint", 0, 0},
	[LEVEL] = {"level", 0, 0},
	[AGAINST] = {"against", 0, 0},
	[VALUE_ONLY] = {"value-only", 0, 0},
};

enum {
	GRID_OPTIONS = 1 << ROWS | 1 << COLUMNS,
	SOLVER_OPTIONS = 1 << THREADS | 1 << MEMORY | 1 << TIME | 1 << NODES
};

static const struct question {
	const char *name;
	const char *command;
	unsigned required;
	unsigned allowed; /* beside these and those of the solver */
	int (*run)(const struct boxes_task *task);
} questions[] = {
	{"value", "boxes value", GRID_OPTIONS | 1 << BITS, 1 << VALUE_ONLY, value_task},
	{"solve", "boxes solve", GRID_OPTIONS, 1 << CHECKPOINT | 1 << INTERVAL | 1 << VALUE_ONLY,
		boxes_solve_task},
	{"analyse", "boxes analyse", GRID_OPTIONS | 1 << BITS, 0, boxes_analyse_task},
	{"choose", "boxes choose", GRID_OPTIONS | 1 << BITS | 1 << LEVEL, 1 << SEED,
		boxes_choose_task},
	{"match", "boxes match", GRID_OPTIONS | 1 << LEVEL | 1 << AGAINST,
		1 << BITS | 1 << GAMES | 1 << SEED, boxes_match_task},
};

enum { QUESTION_COUNT = sizeof(questions) / sizeof(questions[0]) };

static const struct question *find_question(const char *name)
{
	for (size_t i = 0; i < QUESTION_COUNT; i++)
		if (strcmp(questions[i].name, name) == 0)
			return &questions[i];
	return NULL;
}

struct given {
	unsigned set; /* bit by option */
	long numbers[NUMBERS];
	const char *words[OPTIONS];
};

static bool has(const struct given *given, int option)
{
	return given->set & 1U << option;
}

static int read_options(const struct question *question, int argc, char **argv, struct given *given)
{
	struct option known[OPTIONS + 1] = {0};
	unsigned allowed = question->required | question->allowed | SOLVER_OPTIONS;
	int option;

	for (int i = 0; i < OPTIONS; i++)
		known[i] = (struct option){options[i].name,
			i == VALUE_ONLY ? no_argument : required_argument, NULL, i};
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option >= OPTIONS)
			return cli_usage_option(question->command, argv);
		if (!(allowed & 1U << option))
			return cli_usage(
				question->command, "--%s is not for it", options[option].name);
		given->set |= 1U << option;
		given->words[option] = optarg;
		if (option < NUMBERS && !cli_read_number(optarg, options[option].low,
						options[option].high, &given->numbers[option]))
			return cli_usage(question->command,
				"--%s must be a whole number from %" PRId64 " to %" PRId64
				", not \"%.40s\"",
				options[option].name, options[option].low, options[option].high,
				optarg);
	}
	if (optind < argc)
		return cli_usage(question->command, "unexpected argument \"%.40s\"", argv[optind]);
	for (int i = 0; i < OPTIONS; i++)
		if ((question->required & 1U << i) && !has(given, i))
			return cli_usage(question->command, "--%s is missing", options[i].name);
	if (has(given, INTERVAL) && !has(given, CHECKPOINT))
		return cli_usage(
			question->command, "--interval is for a --checkpoint, which is missing");
	return CLI_DONE;
}

static int read_level(const struct question *question, int option, const struct given *given,
	enum boxes_level *level)
{
	const char *word = given->words[option];

	if (!has(given, option))
		return CLI_DONE;
	*level = boxes_level_of(word, strlen(word));
	if (*level != BOXES_LEVELS)
		return CLI_DONE;
	fprintf(stderr,
		"komadai %s: there is no level \"%.40s\"; the levels are:", question->command,
		word);
	for (int i = 0; i < BOXES_LEVELS; i++)
		fprintf(stderr, " %s", boxes_level_code((enum boxes_level)i));
	fputc('\n', stderr);
	return CLI_USAGE;
}

/* "2x2 100001101100": of the forms that a position has, the one without owners. */
static int read_position(
	const struct question *question, const struct given *given, struct boxes_position *position)
{
	const char *bits = given->words[BITS];
	size_t plain = bits ? strspn(bits, "01") : 0;
	char setup[sizeof("8x8 ") + BOXES_EDGES_MAX + 1];
	struct text_error error;
	enum status status;
	struct boxes_grid grid = {(uint8_t)given->numbers[ROWS], (uint8_t)given->numbers[COLUMNS]};
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

/* Who solves a grid has the machine to himself. */
static size_t default_memory(const struct question *question, const struct boxes_position *position)
{
	size_t most = question->run == boxes_solve_task ? (size_t)1 << 30 : BOXES_TABLE_SHARED;

	return boxes_default_table_bytes(boxes_free_lines(position), most);
}

int command_boxes(int argc, char **argv)
{
	enum { DEFAULT_INTERVAL_S = 300, DEFAULT_GAMES = 100 };
	const struct question *question = argc > 1 ? find_question(argv[1]) : NULL;
	struct given given = {0};
	struct boxes_task task = {0};
	int result;

	if (!question)
		return cli_usage(
			"boxes", "the question must be one of: value solve analyse choose match");
	result = read_options(question, argc - 1, argv + 1, &given);
	if (result == CLI_DONE)
		result = read_level(question, LEVEL, &given, &task.levels[0]);
	if (result == CLI_DONE)
		result = read_level(question, AGAINST, &given, &task.levels[1]);
	if (result == CLI_DONE)
		result = read_position(question, &given, &task.position);
	if (result != CLI_DONE)
		return result;
	task.command = question->command;
	task.limits.nodes = (uint64_t)given.numbers[NODES];
	task.limits.time_ms = (uint64_t)given.numbers[TIME];
	task.settings.threads = has(&given, THREADS) ? (int)given.numbers[THREADS] : 1;
	task.settings.table_bytes = has(&given, MEMORY) ? (size_t)given.numbers[MEMORY] << 20
							: default_memory(question, &task.position);
	task.memory_given = has(&given, MEMORY);
	task.checkpoint = given.words[CHECKPOINT];
	task.value_only = has(&given, VALUE_ONLY);
	task.interval_ms =
		UINT64_C(1000) *
		(uint64_t)(has(&given, INTERVAL) ? given.numbers[INTERVAL] : DEFAULT_INTERVAL_S);
	task.games = has(&given, GAMES) ? (int)given.numbers[GAMES] : DEFAULT_GAMES;
	task.seed = (uint64_t)given.numbers[SEED];
	result = question->run(&task);
	return cli_finish(question->command) == CLI_DONE ? result : CLI_REFUSED;
}
