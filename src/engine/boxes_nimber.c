/* SPDX-License-Identifier: MIT */
#include "engine/boxes_nimber.h"

#include <string.h>

#include "base/bits.h"

struct nimber_search {
	const struct boxes_frame *frame;
	struct boxes_nimber_memory *memory;
	uint64_t nodes; /* that may still be looked at */
	bool stopped;
};

static int value_of(struct nimber_search *search, const struct boxes_sides *sides);

static struct boxes_nimber_place *find_place(
	const struct nimber_search *search, const struct boxes_sides *sides)
{
	uint64_t hash = 0;

	for (int side = 0; side < BOXES_SIDES; side++) {
		hash = (hash ^ sides->free[side]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return &search->memory->places[hash % BOXES_NIMBER_PLACES];
}

/* The values that lines lead to. A loony one is none: who moves there wins. */
static uint64_t values_after(struct nimber_search *search, const struct boxes_sides *sides)
{
	const struct boxes_frame *frame = search->frame;
	uint64_t values = 0;

	for (int side = 0; side < BOXES_SIDES; side++) {
		uint64_t lines = sides->free[side];

		/* Lines between two boxes are seen from the one below or to the right. */
		if (side == BOXES_BOTTOM || side == BOXES_RIGHT)
			lines &= frame->border[side];
		for (; lines; lines &= lines - 1) {
			struct boxes_sides next = *sides;
			int value;

			boxes_sides_draw(frame, &next, lines & (~lines + 1), (enum boxes_side)side);
			value = value_of(search, &next);
			if (search->stopped)
				return 0;
			if (value >= 0)
				values |= UINT64_C(1) << value;
		}
	}
	return values;
}

/* Of a part that hangs together and in which nothing can be taken: the least value that no line
 * leads to. */
static int part_value(struct nimber_search *search, const struct boxes_sides *part)
{
	struct boxes_nimber_place *place = find_place(search, part);
	uint64_t values;
	int value;

	if (memcmp(&place->sides, part, sizeof(*part)) == 0)
		return place->value;
	if (search->nodes == 0) {
		search->stopped = true;
		return 0;
	}
	search->nodes--;
	values = values_after(search, part);
	/* What a word cannot hold is as good as out of reach. */
	if (values >= UINT64_MAX >> 1)
		search->stopped = true;
	if (search->stopped)
		return 0;
	value = bits_first64(~values);
	*place = (struct boxes_nimber_place){*part, (int8_t)value};
	return value;
}

static int value_of(struct nimber_search *search, const struct boxes_sides *sides)
{
	struct boxes_sides left = *sides;
	int value = 0;

	if (boxes_sides_loony(search->frame, &left))
		return BOXES_NIMBER_LOONY;
	boxes_sides_take(search->frame, &left);
	for (uint64_t open = boxes_sides_open(&left); open;) {
		uint64_t boxes =
			boxes_sides_reached(search->frame, &left, open & (~open + 1), open);
		struct boxes_sides part;

		for (int side = 0; side < BOXES_SIDES; side++)
			part.free[side] = left.free[side] & boxes;
		open &= ~boxes;
		value ^= part_value(search, &part);
	}
	return value;
}

int boxes_nimber(const struct boxes_frame *frame, const struct boxes_sides *sides, uint64_t nodes,
	struct boxes_nimber_memory *memory)
{
	struct nimber_search search = {.frame = frame, .memory = memory, .nodes = nodes};
	int value;

	if (memcmp(&memory->grid, &frame->grid, sizeof(memory->grid)) != 0) {
		memset(memory, 0, sizeof(*memory));
		memory->grid = frame->grid;
	}
	value = value_of(&search, sides);
	return search.stopped ? BOXES_NIMBER_UNKNOWN : value;
}
