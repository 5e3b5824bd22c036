/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "shogi/judge.h"

static const struct judge_rules uec = {REPETITION_FIRST_LOSES, true};
static const struct judge_rules kawu = {REPETITION_DRAWS, false};

/*
 * A made-up history, one letter a position: letters are keys; capitals were entered with check.
 * Moves alternate, the first by `first`.
 */
static struct judge_verdict judge(const struct judge_rules *rules, const char *positions, int first)
{
	struct game_record records[64];
	size_t count = strlen(positions);
	struct game_history history = {records, count - 1};

	for (size_t i = 0; i < count; i++) {
		char lower = (char)(positions[i] | 0x20);

		records[i] = (struct game_record){
			.key = {{(uint64_t)lower, 1}},
			.by = (int8_t)(i == 0 ? -1 : (first + (int)i - 1) % 2),
			.check = positions[i] != lower,
		};
	}
	return judge_repetition(rules, &history, &records[count - 1]);
}

static void expect(struct judge_verdict verdict, bool over, int winner, enum game_reason reason)
{
	assert_int_equal(verdict.over, over);
	assert_int_equal(verdict.winner, winner);
	assert_int_equal(verdict.reason, reason);
}

static void test_judge__three_occurrences_go_on(void **context)
{
	(void)context;
	expect(judge(&uec, "abcdabcda", 0), false, -1, GAME_REASON_NONE);
	expect(judge(&uec, "a", 0), false, -1, GAME_REASON_NONE);
}

static void test_judge__fourth_occurrence_loses_for_player_0_whoever_moved_first(void **context)
{
	(void)context;
	expect(judge(&uec, "abcdabcdabcda", 0), true, 1, GAME_REASON_REPETITION);
	expect(judge(&uec, "abcdabcdabcda", 1), true, 1, GAME_REASON_REPETITION);
}

static void test_judge__first_occurrence_after_the_start(void **context)
{
	(void)context;
	expect(judge(&uec, "xabcdabcdabcda", 0), true, 1, GAME_REASON_REPETITION);
	expect(judge(&uec, "xyabcdabcdabcda", 0), true, 1, GAME_REASON_REPETITION);
}

static void test_judge__the_one_who_always_checked_loses(void **context)
{
	(void)context;
	expect(judge(&uec, "aBcDaBcDaBcDa", 0), true, 1, GAME_REASON_PERPETUAL_CHECK);
	expect(judge(&uec, "aBcDaBcDaBcDa", 1), true, 0, GAME_REASON_PERPETUAL_CHECK);
	/* The position itself is the one with the check. */
	expect(judge(&uec, "AbCdAbCdAbCdA", 0), true, 0, GAME_REASON_PERPETUAL_CHECK);
}

static void test_judge__one_quiet_move_within_the_four_is_no_perpetual(void **context)
{
	(void)context;
	expect(judge(&uec, "aBcDaBcdaBcDa", 1), true, 1, GAME_REASON_REPETITION);
}

static void test_judge__a_quiet_move_before_the_four_does_not_matter(void **context)
{
	(void)context;
	expect(judge(&uec, "xyaBcDaBcDaBcDa", 1), true, 0, GAME_REASON_PERPETUAL_CHECK);
}

/* A6: cannot arise on a board, yet it has one answer: a draw. */
static void test_judge__both_always_checked_is_a_draw(void **context)
{
	(void)context;
	expect(judge(&uec, "ABCDABCDABCDA", 0), true, -1, GAME_REASON_MUTUAL_PERPETUAL);
	expect(judge(&uec, "ABCDABCDABCDA", 1), true, -1, GAME_REASON_MUTUAL_PERPETUAL);
}

static void test_judge__kawu_draws_every_fourth_occurrence(void **context)
{
	(void)context;
	expect(judge(&kawu, "abcdabcdabcda", 0), true, -1, GAME_REASON_REPETITION);
	expect(judge(&kawu, "aBcDaBcDaBcDa", 0), true, -1, GAME_REASON_REPETITION);
}

static void test_judge__compares_whole_keys(void **context)
{
	struct game_record records[4] = {{{{1, 1}}, -1, false}, {{{1, 2}}, 0, false},
		{{{2, 1}}, 1, false}, {{{1, 1}}, 0, false}};
	struct game_record latest = {{{1, 1}}, 1, false};
	struct game_history history = {records, 4};

	(void)context;
	expect(judge_repetition(&uec, &history, &latest), false, -1, GAME_REASON_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge__three_occurrences_go_on),
		cmocka_unit_test(
			test_judge__fourth_occurrence_loses_for_player_0_whoever_moved_first),
		cmocka_unit_test(test_judge__first_occurrence_after_the_start),
		cmocka_unit_test(test_judge__the_one_who_always_checked_loses),
		cmocka_unit_test(test_judge__one_quiet_move_within_the_four_is_no_perpetual),
		cmocka_unit_test(test_judge__a_quiet_move_before_the_four_does_not_matter),
		cmocka_unit_test(test_judge__both_always_checked_is_a_draw),
		cmocka_unit_test(test_judge__kawu_draws_every_fourth_occurrence),
		cmocka_unit_test(test_judge__compares_whole_keys),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
