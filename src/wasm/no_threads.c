/* SPDX-License-Identifier: MIT */

/* A module of the browser has one thread, and so one search asks each question. */
#include "engine/boxes_threads.h"

bool boxes_threads_reach(
	struct boxes_search *searches, int count, const struct coins *coins, int wanted)
{
	if (count != 1)
		__builtin_trap();
	searches->stopped = false;
	return boxes_search_reaches(searches, coins, wanted);
}
