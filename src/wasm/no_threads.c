/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/boxes_threads.h"

/* The one thread that a module has asks alone. */
bool boxes_threads_reach(
	struct boxes_search *searches, int count, const struct coins *coins, int wanted)
{
	assert(count == 1);
	(void)count;
	searches->stopped = false;
	return boxes_search_reaches(searches, coins, wanted);
}
