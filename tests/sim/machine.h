/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "base/random.h"
#include "game/game.h"

/*
 * What the server takes from its machine: the two clocks and random numbers. tests/sim is linked
 * with its own clock_wall_ms and clock_monotonic_ms in the place of those of base/clock.c, and
 * libsodium draws from the run's seed. There is one machine in a process.
 */
struct machine {
	uint64_t now_ms; /* true time since the run began */
	int64_t wall_ahead_ms;
	uint64_t monotonic_ahead_ms;
	bool monotonic_is_wall; /* a fault */
	struct random *random;
};

extern struct machine machine;

/* Once a process. */
void machine_prepare(void);

int64_t machine_wall_ms(void);

/* The games of the simulated server, NULL at the end; each has a page. */
extern const struct game_ops *const machine_games[];
