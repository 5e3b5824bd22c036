/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cli.h"
#include "engine/boxes_player.h"

/* What the questions of `komadai boxes` share. */
struct boxes_task {
	const char *command; /* "boxes value", for messages */
	struct boxes_position position;
	struct boxes_limits limits;
	struct boxes_solver_settings settings;
	bool value_only;   /* not which lines keep the value, which takes several times as long */
	bool memory_given; /* the size of the table; otherwise it is a default */
	const char *checkpoint;     /* of `solve`; NULL: none */
	uint64_t interval_ms;       /* between two writings of it */
	enum boxes_level levels[2]; /* of `choose` the first, of `match` both */
	int games;
	uint64_t seed;
};

int boxes_analyse_task(const struct boxes_task *task);
int boxes_choose_task(const struct boxes_task *task);
int boxes_match_task(const struct boxes_task *task);
int boxes_solve_task(const struct boxes_task *task);

/* Makes a solver or a player, or says why not and returns the exit status. The caller destroys it.
 */
int boxes_make_solver(const struct boxes_task *task, struct boxes_solver **solver);
int boxes_make_player(const struct boxes_task *task, uint64_t seed, struct boxes_player **player);

/* From now on SIGINT and SIGTERM end the search and not the program; the second one ends that. */
void boxes_catch_signals(void);

/* For a host of the solver, without a context. */
bool boxes_was_interrupted(void *context);
uint64_t boxes_clock_ms(void *context);

/* What is to be found out of the position. */
enum boxes_question boxes_question_of(const struct boxes_task *task);

/*
 * Prints "value V optimal E,E nodes N", with "-" for no line, or "value V nodes N" where only that
 * was asked or found; "value LOW..HIGH nodes N" where less was. What is missing is said, and why,
 * and the exit status is CLI_REFUSED then.
 */
int boxes_print_value(const struct boxes_task *task, const struct boxes_answer *answer);

/* "4,7,12", or "-" for an empty list. */
void boxes_print_edges(const bool edges[BOXES_EDGES_MAX]);
