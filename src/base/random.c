/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <assert.h>

uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint32_t random_below(struct random *random, uint32_t bound)
{
	uint32_t threshold;
	uint64_t product;

	assert(bound > 0);
	threshold = -bound % bound;
	do {
		product = (random_next(random) >> 32) * bound;
	} while ((uint32_t)product < threshold);
	return (uint32_t)(product >> 32);
}
