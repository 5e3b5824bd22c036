/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/text.h"
#include "engine/boxes_nimber.h"
#include "engine/boxes_solver.h"

/*
 * What there is to say of a position, for who wants to learn: its strings, what can be taken, which
 * lines give nothing away, and of every free line its score and what it does. Scores are those of
 * the solver; all else is seen on the board, and told of any position, however many lines are free.
 *
 * Terms and theory: E. Berlekamp, The Dots and Boxes Game, 2000.
 */

/* What a line does: a stable word and a sentence in boxes_analysis.c. */
enum boxes_reason {
	BOXES_TAKES,          /* closes 1 or 2 boxes */
	BOXES_DOUBLE_DEALING, /* leaves the last 2 boxes of a chain or 4 of a loop, and the move */
	BOXES_DECLINES,       /* leaves boxes that could be taken, in another way */
	BOXES_SAFE,           /* gives no box a third side, where nothing can be taken */
	BOXES_HANDS_OVER,     /* a string of 1 box, or more that must be taken one by one */
	BOXES_HARD_HEARTED,   /* a string of 2 boxes, by the line between them */
	BOXES_HALF_HEARTED,   /* the same by another line: they need not be taken */
	BOXES_OPENS_CHAIN,    /* of 3 boxes or more */
	BOXES_OPENS_LOOP,
	BOXES_REASONS
};

struct boxes_line_report {
	bool free; /* of one that is drawn there is nothing to say */
	enum boxes_reason reason;
	bool safe;                 /* gives no box a third side, and closes none */
	uint8_t boxes;             /* closed by it; otherwise those the other can take at once */
	bool loony;                /* the other may choose who goes on: boxes_sides.h */
	bool best;                 /* keeps the value, where `best_known` */
	struct boxes_bounds score; /* the value after it, seen by who moves */
};

/* Boxes with two free lines that hang together. */
struct boxes_string_report {
	bool loop;
	uint8_t length;         /* boxes */
	uint8_t ends_at_joints; /* of the 2 ends of a chain: a box with three free lines or more */
	uint8_t ends_open; /* likewise: a box that can be taken. The others lead off the grid. */
	uint8_t boxes[BOXES_MAX];     /* in order, from one end to the other */
	uint8_t lines[BOXES_MAX + 1]; /* likewise: one more than boxes, but of a loop as many */
};

/* Strings of three boxes or more can be answered by a double-dealing move. */
static inline bool boxes_string_is_long(const struct boxes_string_report *string)
{
	return string->length >= 3;
}

static inline int boxes_string_lines(const struct boxes_string_report *string)
{
	return string->length + !string->loop;
}

struct boxes_analysis {
	struct boxes_bounds value;
	bool best_known;
	int nimber; /* or BOXES_NIMBER_LOONY, BOXES_NIMBER_UNKNOWN */
	int free_lines;
	int safe_lines;
	uint64_t open;     /* boxes, bit by number */
	uint64_t takeable; /* at once, by one line each */
	int strings;
	struct boxes_string_report string[BOXES_MAX];
	struct boxes_line_report lines[BOXES_EDGES_MAX];
};

/* Of the nimber, for who waits: half a second, enough for 20 free lines that hang together. */
enum { BOXES_NIMBER_NODES = 300000 };

/* `answer` is the solver's to BOXES_ALL_SCORES; the nimber is looked for in so many nodes. */
void boxes_analyse(const struct boxes_position *position, const struct boxes_answer *answer,
	uint64_t nimber_nodes, struct boxes_nimber_memory *memory, struct boxes_analysis *analysis);

/*
 * The stable word for where a string ends: "open" where boxes can be taken at an end, else "joints"
 * where joints are, else "independent", as loops are. Never NULL; static lifetime.
 */
const char *boxes_string_ends_code(const struct boxes_string_report *string);

/* The stable word, e.g. "double-dealing". Never NULL; static lifetime. */
const char *boxes_reason_code(enum boxes_reason reason);

/* An English phrase of it with its numbers and no final stop, which fits so many bytes. */
enum { BOXES_REASON_TEXT = 128 };
void boxes_reason_write(const struct boxes_line_report *line, struct text *text);
