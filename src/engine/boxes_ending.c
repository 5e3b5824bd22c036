/* SPDX-License-Identifier: MIT */
#include "engine/boxes_ending.h"

#include <string.h>

#include "base/bits.h"

static uint64_t lowest(uint64_t set)
{
	return set & (~set + 1);
}

struct taking boxes_ending_take(const struct boxes_frame *frame, struct boxes_sides *sides)
{
	struct boxes_sides before = *sides;
	uint64_t ends = boxes_sides_degrees(sides).one;
	uint64_t taken = boxes_sides_take(frame, sides);
	struct taking taking = {bits_count64(taken), 0};
	uint64_t inner = taken & ~ends;
	uint64_t next = 0;
	uint64_t open_ends = 0;

	for (int i = 0; i < BOXES_SIDES; i++) {
		enum boxes_side side = (enum boxes_side)i;

		next |= boxes_sides_step(frame, &before, inner, side);
		open_ends |= inner & before.free[side] & frame->border[side];
	}
	if (open_ends || (next & ~taken))
		taking.kept = 2;
	else if (next & inner)
		taking.kept = 4;
	return taking;
}

/* What the turn is after drawing a line, and how many boxes that closes; false: it is not free. */
static bool look_at_line(const struct boxes_frame *frame, const struct boxes_sides *sides, int edge,
	int *closed, struct taking *after)
{
	struct boxes_sides next = *sides;

	boxes_sides_draw_edge(frame, &next, edge);
	*closed = bits_count64(boxes_sides_open(sides) & ~boxes_sides_open(&next));
	if (memcmp(&next, sides, sizeof(next)) == 0)
		return false;
	*after = boxes_ending_take(frame, &next);
	return true;
}

int boxes_ending_free_box(const struct boxes_frame *frame, const struct boxes_sides *sides)
{
	struct boxes_sides rest = *sides;
	struct taking whole = boxes_ending_take(frame, &rest);
	struct taking after;
	int closed;

	for (int edge = 0; edge < boxes_edge_count(frame->grid); edge++)
		if (look_at_line(frame, sides, edge, &closed, &after) && closed &&
			after.taken == whole.taken - closed && after.kept == whole.kept)
			return edge;
	return -1;
}

int boxes_ending_keeping_line(const struct boxes_frame *frame, const struct boxes_sides *sides)
{
	struct boxes_sides rest = *sides;
	struct taking whole = boxes_ending_take(frame, &rest);
	struct taking after;
	int closed;

	if (!whole.kept || whole.taken != whole.kept)
		return -1;
	for (int edge = 0; edge < boxes_edge_count(frame->grid); edge++)
		if (look_at_line(frame, sides, edge, &closed, &after) && !closed &&
			after.taken == whole.kept && !after.kept)
			return edge;
	return -1;
}

/* A free line of the first box; if there is one, between two boxes of the set. */
static int opening_of(
	const struct boxes_frame *frame, const struct boxes_sides *sides, uint64_t boxes)
{
	uint64_t first = lowest(boxes);
	int edge = -1;

	for (int i = 0; i < BOXES_SIDES; i++) {
		enum boxes_side side = (enum boxes_side)i;

		if (!(sides->free[side] & first))
			continue;
		edge = boxes_box_edge(frame->grid, bits_first64(first), side);
		if (boxes_frame_step(frame, first, side) & boxes)
			break;
	}
	return edge;
}

struct boxes_ending_string boxes_ending_string(
	const struct boxes_frame *frame, const struct boxes_sides *sides, uint64_t boxes)
{
	int links = bits_count64(boxes & boxes_sides_step(frame, sides, boxes, BOXES_RIGHT)) +
		    bits_count64(boxes & boxes_sides_step(frame, sides, boxes, BOXES_BOTTOM));
	int length = bits_count64(boxes);

	return (struct boxes_ending_string){
		.boxes = boxes,
		.length = length,
		.loop = links == length,
		.opening = opening_of(frame, sides, boxes),
	};
}

int boxes_ending_strings(const struct boxes_frame *frame, const struct boxes_sides *sides,
	struct boxes_ending_string strings[BOXES_MAX])
{
	uint64_t rest = boxes_sides_degrees(sides).two;
	int count = 0;

	while (rest) {
		uint64_t boxes = boxes_sides_reached(frame, sides, lowest(rest), rest);
		struct boxes_ending_string string = boxes_ending_string(frame, sides, boxes);
		int place = count++;

		rest &= ~boxes;
		for (; place > 0 && strings[place - 1].length > string.length; place--)
			strings[place] = strings[place - 1];
		strings[place] = string;
	}
	return count;
}

static int set_value(const struct boxes_ending_string *strings, int count, struct string_sums *sums)
{
	struct string_set set;

	string_set_clear(&set);
	for (int i = 0; i < count; i++) {
		if (strings[i].loop)
			string_set_add(&set.loop_halves, set.loops, strings[i].length / 2);
		else
			string_set_add(&set.chain_lengths, set.chains, strings[i].length);
	}
	return string_set_value(sums, &set);
}

int boxes_ending_value(const struct boxes_frame *frame, const struct boxes_sides *sides,
	enum boxes_belief belief, struct string_sums *sums)
{
	struct boxes_ending_string strings[BOXES_MAX];
	struct boxes_sides next = *sides;
	int count = boxes_ending_strings(frame, sides, strings);
	int taken;
	int rest;

	if (count == 0)
		return 0;
	if (belief == BOXES_DOUBLE_DEALT && !boxes_sides_degrees(sides).more)
		return set_value(strings, count, sums);
	boxes_sides_draw_edge(frame, &next, strings[0].opening);
	taken = bits_count64(boxes_sides_take(frame, &next));
	rest = boxes_ending_value(frame, &next, belief, sums);
	if (belief == BOXES_DOUBLE_DEALT)
		return string_opened(taken, strings[0].loop, rest);
	return -taken - rest;
}
