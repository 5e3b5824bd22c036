/* SPDX-License-Identifier: MIT */
#include "engine/boxes_analysis.h"

#include <assert.h>

#include "base/bits.h"

static uint64_t set_of(int box)
{
	return UINT64_C(1) << box;
}

/* The position before the line, and what was seen of it. */
struct board {
	struct boxes_frame frame;
	struct boxes_sides sides;
	struct boxes_degrees degrees;
};

static struct board board_of(const struct boxes_position *position)
{
	struct board board = {.frame = boxes_frame_of(position->grid)};

	board.sides = boxes_sides_of(&board.frame, position);
	board.degrees = boxes_sides_degrees(&board.sides);
	return board;
}

static bool is_free(const struct board *board, int box, enum boxes_side side)
{
	return board->sides.free[side] & set_of(box);
}

/* A free line of a box other than that on `side`; BOXES_SIDES is every other. */
static enum boxes_side other_line(const struct board *board, int box, enum boxes_side side)
{
	enum boxes_side other = BOXES_TOP;

	while (other == side || !is_free(board, box, other))
		other++;
	return other;
}

static uint64_t neighbour(const struct board *board, int box, enum boxes_side side)
{
	return boxes_frame_step(&board->frame, set_of(box), side);
}

/* Where a string begins: a box and a line of it that leads out, or of a loop any. */
static int find_end(const struct board *board, uint64_t boxes, enum boxes_side *side)
{
	for (uint64_t rest = boxes; rest; rest &= rest - 1) {
		int box = bits_first64(rest);

		for (int i = 0; i < BOXES_SIDES; i++) {
			*side = (enum boxes_side)i;
			if (is_free(board, box, *side) && !(neighbour(board, box, *side) & boxes))
				return box;
		}
	}
	*side = other_line(board, bits_first64(boxes), BOXES_SIDES);
	return bits_first64(boxes);
}

static void note_end(const struct board *board, int box, enum boxes_side side,
	struct boxes_string_report *string)
{
	uint64_t next = neighbour(board, box, side);

	string->ends_at_joints += (next & board->degrees.more) != 0;
	string->ends_open += (next & board->degrees.one) != 0;
}

/* Follows it from one end to the other, or once round. */
static void report_string(
	const struct board *board, uint64_t boxes, struct boxes_string_report *string)
{
	enum boxes_side side;
	int box = find_end(board, boxes, &side);
	uint64_t first = set_of(box);
	uint64_t next;

	*string = (struct boxes_string_report){.loop = neighbour(board, box, side) & boxes};
	string->lines[0] = (uint8_t)boxes_box_edge(board->frame.grid, box, side);
	if (!string->loop)
		note_end(board, box, side, string);
	for (;;) {
		string->boxes[string->length++] = (uint8_t)box;
		side = other_line(board, box, side);
		next = neighbour(board, box, side);
		if (string->loop && next == first)
			return;
		string->lines[string->length] =
			(uint8_t)boxes_box_edge(board->frame.grid, box, side);
		if (!(next & boxes))
			break;
		box = bits_first64(next);
		side = boxes_side_opposite(side);
	}
	note_end(board, box, side, string);
}

static void report_strings(const struct board *board, struct boxes_analysis *analysis)
{
	uint64_t rest = board->degrees.two;

	while (rest) {
		uint64_t boxes =
			boxes_sides_reached(&board->frame, &board->sides, rest & (~rest + 1), rest);

		report_string(board, boxes, &analysis->string[analysis->strings++]);
		rest &= ~boxes;
	}
}

/* The string to which a line belongs that gives one of its boxes a third side. */
static const struct boxes_string_report *string_of(const struct boxes_analysis *analysis, int edge)
{
	for (int i = 0; i < analysis->strings; i++) {
		const struct boxes_string_report *string = &analysis->string[i];

		for (int j = 0; j < boxes_string_lines(string); j++)
			if (string->lines[j] == edge)
				return string;
	}
	assert(false);
	return NULL;
}

static uint64_t boxes_beside(const struct board *board, int edge)
{
	int boxes[2];
	int count = boxes_edge_boxes(board->frame.grid, edge, boxes);

	return set_of(boxes[0]) | (count == 2 ? set_of(boxes[1]) : 0);
}

/* Whether all that can be taken now are pairs of boxes with one line between them, each made by a
 * line beside `touched`: two boxes, or four by the line in the middle. */
static bool is_double_dealing(
	const struct board *board, const struct boxes_sides *after, uint64_t touched)
{
	uint64_t one = boxes_sides_degrees(after).one;
	uint64_t paired = 0;
	uint64_t made = touched & one;

	for (int side = 0; side < BOXES_SIDES; side++) {
		paired |= boxes_sides_step(&board->frame, after, one, (enum boxes_side)side);
		made |= boxes_sides_step(
			&board->frame, after, touched & one, (enum boxes_side)side);
	}
	return one && (one & ~paired) == 0 && (one & ~made) == 0;
}

static enum boxes_reason reason_to_open(const struct boxes_string_report *string, bool loony)
{
	if (string->loop)
		return BOXES_OPENS_LOOP;
	if (boxes_string_is_long(string))
		return BOXES_OPENS_CHAIN;
	if (string->length == 2)
		return loony ? BOXES_HALF_HEARTED : BOXES_HARD_HEARTED;
	return BOXES_HANDS_OVER;
}

static void report_line(const struct board *board, const struct boxes_analysis *analysis, int edge,
	struct boxes_line_report *line)
{
	struct boxes_sides after = board->sides;
	uint64_t touched = boxes_beside(board, edge);
	uint64_t closed = touched & board->degrees.one;

	line->free = true;
	line->safe = !(touched & ~board->degrees.more);
	if (closed) {
		line->reason = BOXES_TAKES;
		line->boxes = (uint8_t)bits_count64(closed);
		return;
	}
	boxes_sides_draw_edge(&board->frame, &after, edge);
	line->loony = boxes_sides_loony(&board->frame, &after);
	if (!board->degrees.one)
		line->reason = touched & board->degrees.two
				       ? reason_to_open(string_of(analysis, edge), line->loony)
				       : BOXES_SAFE;
	else if (is_double_dealing(board, &after, touched))
		line->reason = BOXES_DOUBLE_DEALING;
	else
		line->reason = BOXES_DECLINES;
	line->boxes = (uint8_t)bits_count64(boxes_sides_take(&board->frame, &after));
}

void boxes_analyse(const struct boxes_position *position, const struct boxes_answer *answer,
	uint64_t nimber_nodes, struct boxes_nimber_memory *memory, struct boxes_analysis *analysis)
{
	struct board board = board_of(position);

	*analysis = (struct boxes_analysis){
		.value = answer->value,
		.best_known = answer->best_known,
		.nimber = boxes_nimber(&board.frame, &board.sides, nimber_nodes, memory),
		.open = boxes_sides_open(&board.sides),
		.takeable = board.degrees.one,
	};
	report_strings(&board, analysis);
	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++) {
		struct boxes_line_report *line = &analysis->lines[edge];

		if (position->lines[edge] != BOXES_FREE)
			continue;
		report_line(&board, analysis, edge, line);
		line->score = answer->scores[edge];
		line->best = answer->best_known && answer->best[edge];
		analysis->free_lines++;
		analysis->safe_lines += line->safe;
	}
}

const char *boxes_string_ends_code(const struct boxes_string_report *string)
{
	if (string->ends_open)
		return "open";
	return string->ends_at_joints ? "joints" : "independent";
}

/* "%" is the number of boxes. */
static const struct {
	const char *code;
	const char *phrase;
} reasons[] = {
	[BOXES_TAKES] = {"takes", "it closes %, and its player goes on"},
	[BOXES_DOUBLE_DEALING] = {"double-dealing",
		"a double-dealing move: it leaves %, whose taker must move next"},
	[BOXES_DECLINES] = {"declines", "it takes nothing; the other can take %"},
	[BOXES_SAFE] = {"safe", "it gives no box a third side"},
	[BOXES_HANDS_OVER] = {"hands-over", "it hands over %"},
	[BOXES_HARD_HEARTED] = {"hard-hearted",
		"a hard-hearted handout: it hands over %, whose taker must move next"},
	[BOXES_HALF_HEARTED] = {"half-hearted",
		"a half-hearted handout: the other can take %, or leave them and the next move"},
	[BOXES_OPENS_CHAIN] = {"opens-chain",
		"it opens a chain: the other can take %, or leave the last two and the next move"},
	[BOXES_OPENS_LOOP] = {"opens-loop",
		"it opens a loop: the other can take %, or leave the last four and the next move"},
};

_Static_assert(sizeof(reasons) / sizeof(reasons[0]) == BOXES_REASONS, "every reason has its row");

const char *boxes_reason_code(enum boxes_reason reason)
{
	assert(reason < BOXES_REASONS);
	return reasons[reason].code;
}

void boxes_reason_write(const struct boxes_line_report *line, struct text *text)
{
	assert(line->free && line->reason < BOXES_REASONS);
	for (const char *c = reasons[line->reason].phrase; *c; c++) {
		if (*c != '%') {
			text_add_char(text, *c);
			continue;
		}
		text_add_number(text, line->boxes);
		text_add(text, line->boxes == 1 ? " box" : " boxes");
	}
}
