/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "base/random.h"

/* Whether what happens `percent` times of a hundred happens now. */
static inline bool chance(struct random *random, uint32_t percent)
{
	return random_below(random, 100) < percent;
}

/* A number from `low` to `high`, both included. */
static inline uint64_t between(struct random *random, uint32_t low, uint32_t high)
{
	return low + random_below(random, high - low + 1);
}
