/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bits.h"
#include "boxes_fixture.h"
#include "engine/boxes_nimber.h"

/*
 * The nimber against its definition, of every set of free lines of a grid, which knows neither
 * strings nor parts. A position beside a heap of x is won by who moves when a line leads to the
 * value x, or when a line that closes a box leads to anything but the value x, or when the heap can
 * be made that for which neither holds: so that is its value, and if there is none it is loony.
 */
static struct boxes_nimber_memory memory;

struct definition {
	struct boxes_frame frame;
	int edges;
	struct boxes_sides *sides; /* by set of free lines */
	int8_t *values;
};

static struct boxes_sides sides_of_set(const struct boxes_frame *frame, uint64_t set)
{
	struct boxes_position position = {.grid = frame->grid};

	for (int edge = 0; edge < boxes_edge_count(frame->grid); edge++)
		position.lines[edge] = set >> edge & 1 ? BOXES_FREE : BOXES_NOBODY;
	return boxes_sides_of(frame, &position);
}

static int defined_value(const struct definition *definition, uint64_t set)
{
	int open = bits_count64(boxes_sides_open(&definition->sides[set]));
	int after_closing = BOXES_NIMBER_UNKNOWN; /* by every line that closes */
	uint64_t values = 0;

	for (uint64_t rest = set; rest; rest &= rest - 1) {
		uint64_t next = set & ~(rest & (~rest + 1));
		int value = definition->values[next];

		if (bits_count64(boxes_sides_open(&definition->sides[next])) == open) {
			values |= value >= 0 ? UINT64_C(1) << value : 0;
			continue;
		}
		if (value == BOXES_NIMBER_LOONY ||
			(after_closing != BOXES_NIMBER_UNKNOWN && after_closing != value))
			return BOXES_NIMBER_LOONY;
		after_closing = value;
	}
	if (after_closing == BOXES_NIMBER_UNKNOWN)
		return bits_first64(~values);
	return values >> after_closing & 1 ? BOXES_NIMBER_LOONY : after_closing;
}

static void check_grid(uint8_t rows, uint8_t columns)
{
	struct definition definition = {
		.frame = boxes_frame_of((struct boxes_grid){rows, columns})};
	uint64_t sets = UINT64_C(1) << boxes_edge_count(definition.frame.grid);

	definition.sides = malloc(sets * sizeof(*definition.sides));
	definition.values = malloc(sets);
	assert_non_null(definition.sides);
	assert_non_null(definition.values);
	for (uint64_t set = 0; set < sets; set++) {
		bool loony;

		definition.sides[set] = sides_of_set(&definition.frame, set);
		definition.values[set] = (int8_t)defined_value(&definition, set);
		loony = boxes_sides_loony(&definition.frame, &definition.sides[set]);
		assert_int_equal(loony, definition.values[set] == BOXES_NIMBER_LOONY);
		assert_int_equal(boxes_nimber(&definition.frame, &definition.sides[set], UINT64_MAX,
					 &memory),
			definition.values[set]);
	}
	free(definition.values);
	free(definition.sides);
}

static void test_boxes_nimber__every_position_of_1_by_4(void **context)
{
	(void)context;
	check_grid(1, 4);
}

static void test_boxes_nimber__every_position_of_2_by_2(void **context)
{
	(void)context;
	check_grid(2, 2);
}

static void test_boxes_nimber__every_position_of_2_by_3(void **context)
{
	(void)context;
	check_grid(2, 3);
}

static int nimber_of(const char *setup, uint64_t nodes)
{
	struct game_line *line = boxes_begin(setup);
	struct boxes_frame frame = boxes_frame_of(boxes_now(line)->grid);
	struct boxes_sides sides = boxes_sides_of(&frame, boxes_now(line));

	game_line_destroy(line);
	return boxes_nimber(&frame, &sides, nodes, &memory);
}

static void test_boxes_nimber__of_a_chain_it_counts_whether_it_can_be_handed_over(void **context)
{
	(void)context;
	/* One and two boxes by a line that obliges to take them, three by none. */
	assert_int_equal(nimber_of("1x1 1010", 100), 1);
	assert_int_equal(nimber_of("1x2 1111000", 100), 1);
	assert_int_equal(nimber_of("1x3 1111110000", 100), 0);
}

static void test_boxes_nimber__parts_add_up_as_heaps(void **context)
{
	(void)context;
	/* Rows of one box, each a chain of its own. */
	assert_int_equal(nimber_of("3x1 1111001111", 100), 1);
	assert_int_equal(nimber_of("3x1 1111000011", 100), 0);
	assert_int_equal(nimber_of("3x1 1111000000", 100), 1);
}

static void test_boxes_nimber__is_unknown_beyond_its_nodes(void **context)
{
	(void)context;
	assert_int_equal(nimber_of("3x3", 10), BOXES_NIMBER_UNKNOWN);
	assert_int_equal(nimber_of("8x8", 1000), BOXES_NIMBER_UNKNOWN);
	assert_int_equal(nimber_of("1x1 1111", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_nimber__every_position_of_1_by_4),
		cmocka_unit_test(test_boxes_nimber__every_position_of_2_by_2),
		cmocka_unit_test(test_boxes_nimber__every_position_of_2_by_3),
		cmocka_unit_test(
			test_boxes_nimber__of_a_chain_it_counts_whether_it_can_be_handed_over),
		cmocka_unit_test(test_boxes_nimber__parts_add_up_as_heaps),
		cmocka_unit_test(test_boxes_nimber__is_unknown_beyond_its_nodes),
	};

	return cmocka_run_group_tests_name("boxes_nimber", tests, NULL, NULL);
}
