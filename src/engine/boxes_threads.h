/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/boxes_search.h"

enum { BOXES_THREADS_MAX = 64 };

/*
 * Asks `count` searches the same question, each on a thread of its own but the first, which the
 * caller's thread runs and whose `should_stop` stops all. All share one table and one `busy`. Their
 * nodes are added to those of the first. The answer means nothing when the first has stopped.
 */
bool boxes_threads_reach(
	struct boxes_search *searches, int count, const struct coins *coins, int wanted);
