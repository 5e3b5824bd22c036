/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/engine.h"

/*
 * What a search on one board is to the facade, engine.c. All of its memory is here, claimed before
 * it runs.
 */
struct search;

MUST_CHECK enum status mini_search_create(struct search **search);
void mini_search_destroy(struct search *search);

/* Claims the memory for a search from a line of `plies` plies. */
MUST_CHECK enum status mini_search_reserve(struct search *search, size_t plies);

/* Searches from the end of `line`, for which memory was claimed. */
struct engine_result mini_search_run(struct search *search, const struct game_line *line,
	const struct engine_limits *limits, const struct engine_host *host);
