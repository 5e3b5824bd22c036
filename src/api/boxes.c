/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

#include "api/handle.h"
#include "base/bits.h"
#include "base/clock.h"
#include "boxes/boxes.h"
#include "engine/boxes_analysis.h"
#include "engine/boxes_graph.h"
#include "engine/boxes_threads.h"

_Static_assert(KOMADAI_BOXES_THREADS_MAX == (int)BOXES_THREADS_MAX, "the cap is the solver's");
_Static_assert(KOMADAI_BOXES_LOONY == (int)BOXES_NIMBER_LOONY, "the nimbers are the engine's");
_Static_assert(KOMADAI_BOXES_UNKNOWN == (int)BOXES_NIMBER_UNKNOWN, "the nimbers are the engine's");

/* What was seen, and the same in the API's own values, which point into it. */
struct komadai_boxes_analysis {
	struct boxes_analysis seen;
	struct komadai_boxes_summary summary;
	uint8_t takeable[BOXES_MAX];
	struct komadai_boxes_string strings[BOXES_MAX];
	struct komadai_boxes_line lines[BOXES_EDGES_MAX];
	char names[BOXES_EDGES_MAX][BOXES_EDGE_NAME];
	char sentences[BOXES_EDGES_MAX][BOXES_REASON_TEXT];
};

static uint64_t clock_ms(void *context)
{
	(void)context;
	return clock_monotonic_ms();
}

/* A position that is not searched needs no memory for that. */
static size_t default_memory(const struct boxes_position *position)
{
	int free_lines = boxes_free_lines(position);

	return free_lines > GRAPH_MAX ? 0
				      : boxes_default_table_bytes(free_lines, BOXES_TABLE_SHARED);
}

static enum status ask_solver(const struct boxes_position *position,
	const struct komadai_boxes_limits *given, struct boxes_answer *answer)
{
	struct boxes_solver_settings settings = {
		.table_bytes = given->memory ? given->memory : default_memory(position),
		.threads = given->threads ? given->threads : 1,
	};
	struct boxes_limits limits = {.nodes = given->nodes, .time_ms = given->milliseconds};
	struct boxes_host host = {
		.context = given->context, .should_stop = given->should_stop, .clock_ms = clock_ms};
	struct boxes_solver *solver;
	enum status status = boxes_solver_create(&settings, &solver);

	if (status != STATUS_OK)
		return status;
	boxes_solver_ask(solver, position, BOXES_ALL_SCORES, &limits, &host, answer);
	boxes_solver_destroy(solver);
	return STATUS_OK;
}

static struct komadai_boxes_bounds bounds_of(struct boxes_bounds bounds)
{
	return (struct komadai_boxes_bounds){bounds.low, bounds.high};
}

static void tell_summary(struct komadai_boxes_analysis *analysis, int lines, uint64_t nodes)
{
	const struct boxes_analysis *seen = &analysis->seen;
	size_t count = 0;

	for (uint64_t rest = seen->takeable; rest; rest &= rest - 1)
		analysis->takeable[count++] = (uint8_t)bits_first64(rest);
	analysis->summary = (struct komadai_boxes_summary){
		.value = bounds_of(seen->value),
		.best_known = seen->best_known,
		.nimber = seen->nimber,
		.lines = (size_t)lines,
		.free_lines = (size_t)seen->free_lines,
		.safe_lines = (size_t)seen->safe_lines,
		.open_boxes = (size_t)bits_count64(seen->open),
		.takeable_count = count,
		.takeable = analysis->takeable,
		.strings = (size_t)seen->strings,
		.nodes = nodes,
	};
}

static struct komadai_boxes_string string_of(const struct boxes_string_report *seen)
{
	return (struct komadai_boxes_string){
		.loop = seen->loop,
		.is_long = boxes_string_is_long(seen),
		.ends = boxes_string_ends_code(seen),
		.length = seen->length,
		.boxes = seen->boxes,
		.line_count = (size_t)boxes_string_lines(seen),
		.lines = seen->lines,
	};
}

static void tell_line(struct komadai_boxes_analysis *analysis, struct boxes_grid grid, int edge)
{
	const struct boxes_line_report *seen = &analysis->seen.lines[edge];
	char *sentence = analysis->sentences[edge];
	struct text text;

	boxes_edge_name(grid, edge, analysis->names[edge]);
	text_init(&text, sentence, BOXES_REASON_TEXT);
	boxes_reason_write(seen, &text);
	assert(!text.overflow);
	analysis->lines[edge] = (struct komadai_boxes_line){
		.name = analysis->names[edge],
		.score = bounds_of(seen->score),
		.best = seen->best,
		.safe = seen->safe,
		.loony = seen->loony,
		.boxes = seen->boxes,
		.reason = boxes_reason_code(seen->reason),
		.sentence = sentence,
	};
}

static void tell_all(
	struct komadai_boxes_analysis *analysis, struct boxes_grid grid, uint64_t nodes)
{
	int lines = boxes_edge_count(grid);

	tell_summary(analysis, lines, nodes);
	for (int i = 0; i < analysis->seen.strings; i++)
		analysis->strings[i] = string_of(&analysis->seen.string[i]);
	for (int edge = 0; edge < lines; edge++)
		if (analysis->seen.lines[edge].free)
			tell_line(analysis, grid, edge);
}

int komadai_boxes_analyse(const struct komadai_game *game,
	const struct komadai_boxes_limits *limits, struct komadai_boxes_analysis **made)
{
	static const struct komadai_boxes_limits defaults;
	const struct game_line *line = line_read(game);
	const struct boxes_position *position;
	struct komadai_boxes_analysis *analysis = NULL;
	struct boxes_nimber_memory *memory = NULL;
	struct boxes_answer answer;
	enum status status = STATUS_NO_MEMORY;

	if (game_line_ops(line) != &petits_carres)
		return STATUS_GAME_OTHER;
	if (!limits)
		limits = &defaults;
	if (limits->threads < 0 || limits->threads > BOXES_THREADS_MAX)
		return STATUS_THREAD_COUNT;
	position = boxes_state_position(game_line_state(line));
	analysis = malloc(sizeof(*analysis));
	memory = calloc(1, sizeof(*memory));
	if (!analysis || !memory)
		goto fail;
	status = ask_solver(position, limits, &answer);
	if (status != STATUS_OK)
		goto fail;
	boxes_analyse(position, &answer, BOXES_NIMBER_NODES, memory, &analysis->seen);
	tell_all(analysis, position->grid, answer.nodes);
	free(memory);
	*made = analysis;
	return KOMADAI_OK;
fail:
	free(memory);
	free(analysis);
	return (int)status;
}

void komadai_boxes_analysis_destroy(struct komadai_boxes_analysis *analysis)
{
	free(analysis);
}

const struct komadai_boxes_summary *komadai_boxes_analysis_summary(
	const struct komadai_boxes_analysis *analysis)
{
	return &analysis->summary;
}

const struct komadai_boxes_string *komadai_boxes_analysis_string(
	const struct komadai_boxes_analysis *analysis, size_t number)
{
	return number < analysis->summary.strings ? &analysis->strings[number] : NULL;
}

const struct komadai_boxes_line *komadai_boxes_analysis_line(
	const struct komadai_boxes_analysis *analysis, size_t number)
{
	if (number >= analysis->summary.lines || !analysis->seen.lines[number].free)
		return NULL;
	return &analysis->lines[number];
}
