/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/random.h"
#include "base/status.h"
#include "engine/boxes_ending.h"

/*
 * What a line is worth, found by trials: a tree of the lines that look best so far, and beyond it
 * safe lines drawn at random until none is left, where theory says about what the end is worth. It
 * needs no exact answer, and so serves while the solver is out of reach.
 *
 * Source: L. Kocsis, C. Szepesvári, Bandit Based Monte-Carlo Planning, 2006 (UCT).
 */
struct boxes_tree;

struct boxes_tree_question {
	const struct boxes_position *position; /* not over */
	enum boxes_belief belief;
	bool answers;    /* reckon with what the other draws; otherwise with chance alone */
	uint64_t trials; /* at most so many, at least 1 */
	struct random *random;
	struct string_sums *sums;
	/* Asked from time to time after the first trials; true ends it. NULL: never. */
	bool (*should_stop)(void *context, uint64_t trials);
	void *context;
};

enum { BOXES_TRIALS_BETWEEN_CHECKS = 256 };

struct boxes_tree_answer {
	int edge;
	int value; /* the mean of what is to come after it, seen by who moves */
	uint64_t trials;
	/* Of each line that was looked at, how often: the better the oftener. */
	uint64_t liked[BOXES_EDGES_MAX];
};

/* At most `bytes`, and at least 96 KiB. */
MUST_CHECK enum status boxes_tree_create(size_t bytes, struct boxes_tree **tree);
void boxes_tree_destroy(struct boxes_tree *tree);

void boxes_tree_ask(struct boxes_tree *tree, const struct boxes_tree_question *question,
	struct boxes_tree_answer *answer);
