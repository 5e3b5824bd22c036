/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Repeatable numbers for tests, simulations and play, never for secrets. splitmix64: Steele, Lea,
 * Flood, "Fast splittable pseudorandom number generators", 2014. Any state is a good seed.
 */
struct random {
	uint64_t state;
};

uint64_t random_next(struct random *random);

/* A number below `bound`, which is not 0, each as likely (Lemire's method, with rejection). */
uint32_t random_below(struct random *random, uint32_t bound);
