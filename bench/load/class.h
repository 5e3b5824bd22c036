/* SPDX-License-Identifier: MIT */
#pragma once

#include "play.h"

/*
 * A class behind one address: half of the pupils make rooms and the others join them, everybody
 * loads the page, holds a stream and plays, and twice in the game everybody loads the page again.
 * All do each step at the same moment, as quickly as the server lets them, which no class can.
 */
struct class_plan {
	struct net *net;
	const struct record *record; /* at least as long as the game that is played */
	unsigned pupils;             /* even */
	unsigned moves;              /* of each pupil; a multiple of three */
	char **assets;               /* paths of what the page loads */
	size_t asset_count;
};

struct class_counts {
	uint64_t requests;
	uint64_t limited; /* answered 429 */
	uint64_t failed;  /* neither that nor what was wanted */
	uint64_t moves;
	uint64_t microseconds;
};

struct class_counts class_run(const struct class_plan *plan);
