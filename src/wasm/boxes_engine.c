/* SPDX-License-Identifier: MIT */

/*
 * The player and the analysis of Petits carrés for a Worker of the browser, each position given as
 * text. A call lasts until it has its answer or reaches a limit; who wants it to end before that
 * ends the Worker. All that is imported is a clock.
 */
#include "boxes/notation.h"
#include "engine/boxes_player.h"
#include "wasm/analysis_json.h"
#include "wasm/buffers.h"

_Static_assert(ANALYSIS_JSON <= WASM_OUTPUT_BYTES, "an analysis fits the output");

/* So that bytes are counted in 32 bits. */
enum { MEGABYTES_MAX = 2048 };

static struct boxes_player *player;
static struct boxes_solver *solver; /* of the analysis: the player's is its own */
static struct boxes_nimber_memory nimbers;
static struct boxes_analysis analysis;

/* Milliseconds from any beginning; never goes back. */
__attribute__((import_module("host"), import_name("clock_ms"))) double wasm_host_clock_ms(void);

EXPORT(create) enum status wasm_create(unsigned megabytes, unsigned seed);
EXPORT(level) int wasm_level(size_t length);
EXPORT(choose)
enum status wasm_choose(size_t length, unsigned level, unsigned time_ms, unsigned nodes);
EXPORT(analyse) enum status wasm_analyse(size_t length, unsigned time_ms, unsigned nodes);

/* Once, and before any question: 1 to 2048 MB for all that it remembers, and a seed for choices. */
enum status wasm_create(unsigned megabytes, unsigned seed)
{
	size_t bytes = (size_t)megabytes << 20;
	struct boxes_solver_settings shared = {.table_bytes = bytes / 4, .threads = 1};
	struct boxes_player_settings settings = {
		.solver = {.table_bytes = bytes / 2, .threads = 1},
		.tree_bytes = bytes / 8,
		.seed = seed,
	};
	struct boxes_player *made;
	enum status status;

	if (megabytes < 1 || megabytes > MEGABYTES_MAX || player)
		__builtin_trap();
	status = boxes_player_create(&settings, &made);
	if (status != STATUS_OK)
		return status;
	status = boxes_solver_create(&shared, &solver);
	if (status == STATUS_OK)
		player = made;
	else
		boxes_player_destroy(made);
	return status;
}

/* The number of the level that the input names; -1: there is none. */
int wasm_level(size_t length)
{
	enum boxes_level level = length <= WASM_INPUT_BYTES
					 ? boxes_level_of(wasm_input_buffer, length)
					 : BOXES_LEVELS;

	return level < BOXES_LEVELS ? (int)level : -1;
}

static uint64_t clock_ms(void *context)
{
	(void)context;
	return (uint64_t)wasm_host_clock_ms();
}

static const struct boxes_host host = {.clock_ms = clock_ms};

/* A position in which a line is free. */
static enum status read_position(size_t length, struct boxes_position *position)
{
	enum status status = STATUS_TEXT_TOO_LONG;

	if (!player)
		__builtin_trap();
	wasm_fault = (struct text_error){0};
	if (length <= WASM_INPUT_BYTES)
		status = boxes_position_read(wasm_input_buffer, length, &wasm_fault, position);
	if (status == STATUS_OK && boxes_is_over(position))
		status = STATUS_GAME_OVER;
	return status;
}

static void write_choice(const struct boxes_choice *choice, struct text *text)
{
	text_add(text, "{\"edge\":");
	text_add_number(text, choice->edge);
	text_add(text, choice->exact ? ",\"exact\":true" : ",\"exact\":false");
	text_add(text, ",\"value\":");
	text_add_number(text, choice->value);
	text_add(text, ",\"nodes\":");
	text_add_number(text, (int64_t)choice->nodes);
	text_add_char(text, '}');
}

/* A limit of 0 is none. */
enum status wasm_choose(size_t length, unsigned level, unsigned time_ms, unsigned nodes)
{
	struct boxes_limits limits = {.nodes = nodes, .time_ms = time_ms};
	struct boxes_position position;
	struct boxes_choice choice;
	enum status status = read_position(length, &position);

	if (level >= BOXES_LEVELS)
		__builtin_trap();
	if (status != STATUS_OK)
		return status;
	boxes_player_choose(player, &position, (enum boxes_level)level, &limits, &host, &choice);
	write_choice(&choice, wasm_output_begin());
	return STATUS_OK;
}

/* The limits are those of the scores; a limit of 0 is none. */
enum status wasm_analyse(size_t length, unsigned time_ms, unsigned nodes)
{
	struct boxes_limits limits = {.nodes = nodes, .time_ms = time_ms};
	struct boxes_position position;
	struct boxes_answer answer;
	enum status status = read_position(length, &position);

	if (status != STATUS_OK)
		return status;
	boxes_solver_ask(solver, &position, BOXES_ALL_SCORES, &limits, &host, &answer);
	boxes_analyse(&position, &answer, BOXES_NIMBER_NODES, &nimbers, &analysis);
	analysis_write_json(&analysis, position.grid, wasm_output_begin());
	return STATUS_OK;
}
