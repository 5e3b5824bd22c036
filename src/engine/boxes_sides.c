/* SPDX-License-Identifier: MIT */
#include "engine/boxes_sides.h"

struct boxes_frame boxes_frame_of(struct boxes_grid grid)
{
	struct boxes_frame frame = {.grid = grid};

	for (int box = 0; box < boxes_count(grid); box++) {
		uint64_t set = UINT64_C(1) << box;
		int row = box / grid.columns;
		int column = box % grid.columns;

		frame.all |= set;
		frame.border[BOXES_TOP] |= row == 0 ? set : 0;
		frame.border[BOXES_BOTTOM] |= row == grid.rows - 1 ? set : 0;
		frame.border[BOXES_LEFT] |= column == 0 ? set : 0;
		frame.border[BOXES_RIGHT] |= column == grid.columns - 1 ? set : 0;
	}
	return frame;
}

struct boxes_sides boxes_sides_of(
	const struct boxes_frame *frame, const struct boxes_position *position)
{
	struct boxes_sides sides = {{0}};

	for (int box = 0; box < boxes_count(frame->grid); box++) {
		for (int side = 0; side < BOXES_SIDES; side++) {
			int edge = boxes_box_edge(frame->grid, box, (enum boxes_side)side);

			if (position->lines[edge] == BOXES_FREE)
				sides.free[side] |= UINT64_C(1) << box;
		}
	}
	return sides;
}

struct boxes_degrees boxes_sides_degrees(const struct boxes_sides *sides)
{
	uint64_t top = sides->free[BOXES_TOP];
	uint64_t right = sides->free[BOXES_RIGHT];
	uint64_t bottom = sides->free[BOXES_BOTTOM];
	uint64_t left = sides->free[BOXES_LEFT];
	uint64_t odd = top ^ right ^ bottom ^ left;
	uint64_t three_or_four = (top & bottom & (right | left)) | (right & left & (top | bottom));

	return (struct boxes_degrees){
		.one = odd & ~three_or_four,
		.two = (top | right | bottom | left) & ~odd & ~three_or_four,
		.more = three_or_four,
	};
}

uint64_t boxes_sides_reached(const struct boxes_frame *frame, const struct boxes_sides *sides,
	uint64_t boxes, uint64_t within)
{
	for (;;) {
		uint64_t more = boxes;

		for (int side = 0; side < BOXES_SIDES; side++)
			more |= within &
				boxes_sides_step(frame, sides, boxes, (enum boxes_side)side);
		if (more == boxes)
			return boxes;
		boxes = more;
	}
}

void boxes_sides_draw(const struct boxes_frame *frame, struct boxes_sides *sides, uint64_t boxes,
	enum boxes_side side)
{
	sides->free[boxes_side_opposite(side)] &= ~boxes_frame_step(frame, boxes, side);
	sides->free[side] &= ~boxes;
}

void boxes_sides_draw_edge(const struct boxes_frame *frame, struct boxes_sides *sides, int edge)
{
	enum boxes_side side = BOXES_TOP;
	int boxes[2];

	boxes_edge_boxes(frame->grid, edge, boxes);
	while (boxes_box_edge(frame->grid, boxes[0], side) != edge)
		side++;
	boxes_sides_draw(frame, sides, UINT64_C(1) << boxes[0], side);
}

uint64_t boxes_sides_take(const struct boxes_frame *frame, struct boxes_sides *sides)
{
	uint64_t before = boxes_sides_open(sides);
	uint64_t one;

	while ((one = boxes_sides_degrees(sides).one))
		for (int side = 0; side < BOXES_SIDES; side++)
			boxes_sides_draw(
				frame, sides, one & sides->free[side], (enum boxes_side)side);
	return before & ~boxes_sides_open(sides);
}

/* That there is such a pair of boxes now. */
static bool has_choice(const struct boxes_frame *frame, const struct boxes_sides *sides,
	const struct boxes_degrees *degrees)
{
	uint64_t leads_to_one[BOXES_SIDES]; /* by a line on that side */

	for (int side = 0; side < BOXES_SIDES; side++)
		leads_to_one[side] = boxes_sides_step(
			frame, sides, degrees->one, boxes_side_opposite((enum boxes_side)side));
	for (int from = 0; from < BOXES_SIDES; from++)
		for (int to = 0; to < BOXES_SIDES; to++)
			if (to != from && (degrees->two & leads_to_one[from] & sides->free[to] &
						  ~leads_to_one[to]))
				return true;
	return false;
}

bool boxes_sides_loony(const struct boxes_frame *frame, const struct boxes_sides *sides)
{
	struct boxes_sides left = *sides;

	for (;;) {
		struct boxes_degrees degrees = boxes_sides_degrees(&left);
		uint64_t box = degrees.one & (~degrees.one + 1);

		if (has_choice(frame, &left, &degrees))
			return true;
		if (!box)
			return false;
		for (int side = 0; side < BOXES_SIDES; side++)
			boxes_sides_draw(
				frame, &left, box & left.free[side], (enum boxes_side)side);
	}
}
