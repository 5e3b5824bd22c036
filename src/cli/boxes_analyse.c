/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/bits.h"
#include "cli/boxes.h"
#include "engine/boxes_analysis.h"

static void print_box(struct boxes_grid grid, int box)
{
	printf("%c%d", 'A' + box % grid.columns, box / grid.columns + 1);
}

static void print_bounds(struct boxes_bounds bounds)
{
	printf("%d", bounds.low);
	if (bounds.high != bounds.low)
		printf("..%d", bounds.high);
}

static void print_board(const struct boxes_analysis *analysis, struct boxes_grid grid)
{
	bool safe[BOXES_EDGES_MAX];

	if (analysis->nimber == BOXES_NIMBER_LOONY)
		puts("nimber loony");
	else if (analysis->nimber == BOXES_NIMBER_UNKNOWN)
		puts("nimber unknown");
	else
		printf("nimber %d\n", analysis->nimber);
	printf("takeable %d ", bits_count64(analysis->takeable));
	for (uint64_t rest = analysis->takeable; rest; rest &= rest - 1) {
		print_box(grid, bits_first64(rest));
		putchar(rest & (rest - 1) ? ',' : '\n');
	}
	if (!analysis->takeable)
		puts("-");
	for (int edge = 0; edge < BOXES_EDGES_MAX; edge++)
		safe[edge] = analysis->lines[edge].safe;
	printf("safe %d ", analysis->safe_lines);
	boxes_print_edges(safe);
	putchar('\n');
}

static void print_string(const struct boxes_string_report *string, struct boxes_grid grid)
{
	printf("%s %d %s %s boxes ", string->loop ? "loop" : "chain", string->length,
		boxes_string_ends_code(string), boxes_string_is_long(string) ? "long" : "short");
	for (int i = 0; i < string->length; i++) {
		if (i)
			putchar(',');
		print_box(grid, string->boxes[i]);
	}
	printf(" lines ");
	for (int i = 0; i < boxes_string_lines(string); i++)
		printf("%s%d", i ? "," : "", string->lines[i]);
	putchar('\n');
}

static void print_line(const struct boxes_line_report *line, struct boxes_grid grid, int edge)
{
	char name[BOXES_EDGE_NAME];
	char phrase[BOXES_REASON_TEXT];
	struct text text;

	boxes_edge_name(grid, edge, name);
	text_init(&text, phrase, sizeof(phrase));
	boxes_reason_write(line, &text);
	printf("line %d %s score ", edge, name);
	print_bounds(line->score);
	printf(" %s %d%s%s: %s\n", boxes_reason_code(line->reason), line->boxes,
		line->loony ? " loony" : "", line->best ? " optimal" : "", phrase);
}

/* The limits may end between the best lines and the last score. */
static bool has_all_scores(const struct boxes_analysis *analysis)
{
	for (int edge = 0; edge < BOXES_EDGES_MAX; edge++)
		if (analysis->lines[edge].score.low != analysis->lines[edge].score.high)
			return false;
	return true;
}

static void print_analysis(const struct boxes_analysis *analysis, struct boxes_grid grid)
{
	print_board(analysis, grid);
	for (int i = 0; i < analysis->strings; i++)
		print_string(&analysis->string[i], grid);
	for (int edge = 0; edge < boxes_edge_count(grid); edge++)
		if (analysis->lines[edge].free)
			print_line(&analysis->lines[edge], grid, edge);
}

int boxes_analyse_task(const struct boxes_task *task)
{
	struct boxes_host host = {.should_stop = boxes_was_interrupted, .clock_ms = boxes_clock_ms};
	struct boxes_nimber_memory *memory = calloc(1, sizeof(*memory));
	struct boxes_analysis *analysis = malloc(sizeof(*analysis));
	struct boxes_solver *solver = NULL;
	struct boxes_answer answer;
	int result;

	if (!memory || !analysis) {
		result = cli_refuse(task->command, "%s", status_text(STATUS_NO_MEMORY));
		goto done;
	}
	result = boxes_make_solver(task, &solver);
	if (result != CLI_DONE)
		goto done;
	boxes_catch_signals();
	boxes_solver_ask(solver, &task->position, BOXES_ALL_SCORES, &task->limits, &host, &answer);
	boxes_analyse(&task->position, &answer, BOXES_NIMBER_NODES, memory, analysis);
	result = boxes_print_value(task, &answer);
	print_analysis(analysis, task->position.grid);
	if (result == CLI_DONE && !has_all_scores(analysis))
		result = cli_refuse(task->command, "not finished: some scores are not known");
done:
	boxes_solver_destroy(solver);
	free(analysis);
	free(memory);
	return result;
}
