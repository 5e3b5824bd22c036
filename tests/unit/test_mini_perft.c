/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases.h"
#include "shogi/shogi.h"

static void expect_perft(const struct case_row *row, const struct game_state *state, int depth,
	const char *expected, bool bulk)
{
	uint64_t leaves = mini_shogi.perft(state, depth, bulk);

	if (leaves != strtoull(expected, NULL, 10))
		fail_msg("%s:%d: perft %d of %s is %llu, not %s", row->file, row->line, depth,
			row->column[0], (unsigned long long)leaves, expected);
}

static struct game_state set_up(const struct case_row *row)
{
	struct game_state state;
	struct game_record record;
	struct text_error error;
	const char *sfen = row->column[0];

	if (mini_shogi.setup(NULL, sfen, strlen(sfen), &error, &state, &record) != STATUS_OK)
		fail_msg("%s:%d: %s: column %u: %s", row->file, row->line, sfen, error.column,
			status_text(error.status));
	return state;
}

static void visit_depths(const struct case_row *row, int depths)
{
	struct game_state state = set_up(row);

	for (int depth = 1; depth <= depths; depth++) {
		expect_perft(row, &state, depth, row->column[depth], true);
		if (depth <= 3)
			expect_perft(row, &state, depth, row->column[depth], false);
	}
}

static void visit_wide(const struct case_row *row)
{
	visit_depths(row, 3);
}

static void visit_deep(const struct case_row *row)
{
	visit_depths(row, 5);
}

static void test_perft__start_to_depth_6(void **context)
{
	static const uint64_t leaves[] = {1, 14, 181, 2512, 35401, 533203, 8276188};
	struct game_state state;
	struct game_record record;

	(void)context;
	assert_int_equal(mini_shogi.start(NULL, &state, &record), STATUS_OK);
	for (int depth = 0; depth <= 6; depth++)
		assert_int_equal(mini_shogi.perft(&state, depth, true), leaves[depth]);
	assert_int_equal(mini_shogi.perft(&state, 5, false), leaves[5]);
}

static void test_perft__every_row_of_the_wide_file(void **context)
{
	(void)context;
	cases_visit("mini_perft_wide.tsv", 5, visit_wide);
}

static void test_perft__every_row_of_the_deep_file(void **context)
{
	(void)context;
	cases_visit("mini_perft_deep.tsv", 6, visit_deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perft__start_to_depth_6),
		cmocka_unit_test(test_perft__every_row_of_the_wide_file),
		cmocka_unit_test(test_perft__every_row_of_the_deep_file),
	};

	return cmocka_run_group_tests_name("mini_perft", tests, NULL, NULL);
}
