/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/game.h"

/*
 * The judge of repetition: one piece of code for rules, rooms and search, on either board. It looks
 * at records only, so it can be asked about any history.
 */
enum repetition_rule {
	REPETITION_FIRST_LOSES, /* the fourth occurrence loses for player 0 (UEC) */
	REPETITION_DRAWS,       /* the fourth occurrence draws */
};

struct judge_rules {
	enum repetition_rule repetition;
	/*
	 * Whether a side that gave check with every move since the first of the four occurrences
	 * loses, before the rule above is asked. Both sides: a draw.
	 */
	bool perpetual_check;
};

struct judge_verdict {
	bool over;
	int winner; /* 0, 1, or -1: a draw */
	enum game_reason reason;
};

enum { REPETITION_OCCURRENCES = 4 };

/* Judges the position of `latest`, which comes after all of `history`. Linear in its length. */
struct judge_verdict judge_repetition(const struct judge_rules *rules,
	const struct game_history *history, const struct game_record *latest);
