/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/limits.h"

/* Stand before the system's (-Wl,--wrap): after so many more there is no memory; -1: there is. */
static int allocations_left = -1;

static bool is_refused(void)
{
	if (allocations_left < 0)
		return false;
	if (allocations_left == 0)
		return true;
	allocations_left--;
	return false;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
	return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return is_refused() ? NULL : __real_calloc(count, size);
}

enum { FIRST, SECOND };

static const uint64_t start_ms = 1000000;
static const struct limit_rate none = {0};

/* `first` is FIRST's rate; SECOND's is one a second, three at once. */
static struct limits *make(struct limit_rate first)
{
	static const unsigned char secret[LIMITS_SECRET_BYTES] = "of this test";
	const struct limit_rate rates[LIMITS_RATES] = {
		[FIRST] = first, [SECOND] = {.count = 1, .period_ms = 1000, .burst = 3}};
	struct limits *limits;

	assert_int_equal(limits_create(rates, secret, &limits), STATUS_OK);
	return limits;
}

static struct limit_key key_of(uint32_t number)
{
	struct limit_key key = {{0}};

	memcpy(key.bytes, &number, sizeof(number));
	return key;
}

static uint64_t take(struct limits *limits, uint32_t number, size_t rate, uint64_t after_ms)
{
	struct limit_key key = key_of(number);

	return limits_take(limits, &key, rate, start_ms + after_ms);
}

static bool hold(struct limits *limits, uint32_t number, size_t most)
{
	struct limit_key key = key_of(number);

	return limits_hold(limits, &key, most, start_ms);
}

static void release(struct limits *limits, uint32_t number)
{
	struct limit_key key = key_of(number);

	limits_release(limits, &key);
}

static void test_limits__a_burst_passes_and_then_the_rate(void **state)
{
	struct limits *limits = make((struct limit_rate){4, 1000, 10});

	(void)state;
	for (int i = 0; i < 10; i++)
		assert_int_equal(take(limits, 1, FIRST, 0), 0);
	assert_int_equal(take(limits, 1, FIRST, 0), 250);
	assert_int_equal(take(limits, 1, FIRST, 100), 150);
	assert_int_equal(take(limits, 1, FIRST, 249), 1);
	assert_int_equal(take(limits, 1, FIRST, 250), 0);
	assert_int_equal(take(limits, 1, FIRST, 250), 250);
	for (uint64_t after = 500; after < 60000; after += 250)
		assert_int_equal(take(limits, 1, FIRST, after), 0);
	assert_int_equal(take(limits, 1, FIRST, 60000 - 250), 250);
	limits_destroy(limits);
}

static void test_limits__a_bucket_never_holds_more_than_its_burst(void **state)
{
	struct limits *limits = make((struct limit_rate){4, 1000, 10});

	(void)state;
	assert_int_equal(take(limits, 1, FIRST, 0), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(take(limits, 1, FIRST, 3600000), 0);
	assert_int_equal(take(limits, 1, FIRST, 3600000), 250);
	limits_destroy(limits);
}

/* Whoever asks on while refused waits no longer for it. */
static void test_limits__a_refusal_takes_nothing(void **state)
{
	struct limits *limits = make((struct limit_rate){60, 60000, 1});

	(void)state;
	assert_int_equal(take(limits, 1, FIRST, 0), 0);
	for (uint64_t after = 0; after < 1000; after++)
		assert_int_equal(take(limits, 1, FIRST, after), 1000 - after);
	assert_int_equal(take(limits, 1, FIRST, 1000), 0);
	limits_destroy(limits);
}

static void test_limits__a_wait_is_rounded_up(void **state)
{
	struct limits *limits = make((struct limit_rate){3000, 1000, 1});

	(void)state;
	assert_int_equal(take(limits, 1, FIRST, 0), 0);
	assert_int_equal(take(limits, 1, FIRST, 0), 1);
	assert_int_equal(take(limits, 1, FIRST, 1), 0);
	limits_destroy(limits);
}

static void test_limits__keys_and_rates_are_each_for_themselves(void **state)
{
	struct limits *limits = make((struct limit_rate){1, 1000, 2});

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(take(limits, 1, FIRST, 0), 0);
	assert_int_not_equal(take(limits, 1, FIRST, 0), 0);
	assert_int_equal(take(limits, 2, FIRST, 0), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(take(limits, 1, SECOND, 0), 0);
	assert_int_not_equal(take(limits, 1, SECOND, 0), 0);
	limits_destroy(limits);
}

static void test_limits__without_a_rate_nothing_is_refused_or_kept(void **state)
{
	struct limits *limits = make(none);

	(void)state;
	for (int i = 0; i < 100000; i++)
		assert_int_equal(take(limits, 1, FIRST, 0), 0);
	assert_int_equal(limits_keys(limits), 0);
	limits_destroy(limits);
}

static void test_limits__what_is_held_is_counted(void **state)
{
	struct limits *limits = make(none);

	(void)state;
	assert_true(hold(limits, 1, 2));
	assert_true(hold(limits, 1, 2));
	assert_false(hold(limits, 1, 2));
	assert_true(hold(limits, 2, 2));
	release(limits, 1);
	assert_true(hold(limits, 1, 2));
	assert_false(hold(limits, 1, 2));
	for (int i = 0; i < 3; i++)
		release(limits, 1); /* once more than was held */
	release(limits, 7);
	assert_true(hold(limits, 1, 1));
	assert_false(hold(limits, 1, 1));
	limits_destroy(limits);
}

static void test_limits__keys_with_full_buckets_are_dropped(void **state)
{
	struct limits *limits = make((struct limit_rate){1, 1000, 10});

	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(take(limits, i, FIRST, 0), 0);
	assert_int_equal(limits_keys(limits), 1000);
	/* A second later they are full again. Each new one takes two along, until it is alone with
	 * those of its own time. */
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(take(limits, 10000 + i, FIRST, 1000 + i), 0);
	assert_in_range(limits_keys(limits), 1000, 1001);
	assert_int_equal(take(limits, 1, FIRST, 9000), 0);
	assert_in_range(limits_keys(limits), 998, 1000);
	limits_destroy(limits);
}

/* A million addresses, all at once: the table stays at its maximum, and who was there last is
 * still limited. */
static void test_limits__a_million_keys_cost_no_more_than_the_maximum(void **state)
{
	struct limits *limits = make((struct limit_rate){1, 1000, 2});

	(void)state;
	for (uint32_t i = 0; i < 1000000; i++)
		assert_int_equal(take(limits, i, FIRST, 0), 0);
	assert_int_equal(limits_keys(limits), LIMITS_KEYS_MAX);
	assert_int_equal(take(limits, 999999, FIRST, 0), 0);
	assert_int_not_equal(take(limits, 999999, FIRST, 0), 0);
	limits_destroy(limits);
}

static void test_limits__who_asks_again_and_again_is_not_forgotten(void **state)
{
	struct limits *limits = make((struct limit_rate){1, 1000000, 1});

	(void)state;
	assert_int_equal(take(limits, 0, FIRST, 0), 0);
	for (uint32_t i = 1; i < 4 * LIMITS_KEYS_MAX; i++) {
		assert_int_equal(take(limits, i, FIRST, 0), 0);
		if (i % 1000 == 0)
			assert_int_not_equal(take(limits, 0, FIRST, 0), 0);
	}
	limits_destroy(limits);
}

static void test_limits__keys_that_hold_something_stay(void **state)
{
	struct limits *limits = make((struct limit_rate){1, 1000, 2});

	(void)state;
	assert_true(hold(limits, 1, 1));
	for (uint32_t i = 10; i < 10 + 2 * LIMITS_KEYS_MAX; i++)
		assert_int_equal(take(limits, i, FIRST, 0), 0);
	assert_false(hold(limits, 1, 1));
	assert_int_equal(limits_keys(limits), LIMITS_KEYS_MAX);
	release(limits, 1);
	for (uint32_t i = 10; i < 10 + 2 * LIMITS_KEYS_MAX; i++)
		assert_int_equal(take(limits, i, FIRST, 5000), 0);
	assert_in_range(limits_keys(limits), 1, LIMITS_KEYS_MAX);
	assert_true(hold(limits, 1, 1));
	limits_destroy(limits);
}

/* With n allocations and no more, for each n: first the table, then its buckets, then more of them.
 */
static void test_limits__without_memory_nobody_is_limited(void **state)
{
	(void)state;
	for (int memory = 0; memory < 420; memory++) {
		struct limits *limits = make((struct limit_rate){1, 1000, 1});
		size_t kept;

		allocations_left = memory;
		for (uint32_t i = 0; i < 400; i++)
			assert_int_equal(take(limits, i, FIRST, 0), 0);
		assert_true(hold(limits, 1000, 1));
		release(limits, 1000);
		kept = limits_keys(limits);
		assert_true(kept <= (size_t)memory);
		allocations_left = -1;
		for (uint32_t i = 0; i < 400; i++)
			(void)take(limits, i, FIRST, 1);
		for (uint32_t i = 0; i < 400; i++)
			assert_int_not_equal(take(limits, i, FIRST, 1), 0);
		limits_destroy(limits);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits__a_burst_passes_and_then_the_rate),
		cmocka_unit_test(test_limits__a_bucket_never_holds_more_than_its_burst),
		cmocka_unit_test(test_limits__a_refusal_takes_nothing),
		cmocka_unit_test(test_limits__a_wait_is_rounded_up),
		cmocka_unit_test(test_limits__keys_and_rates_are_each_for_themselves),
		cmocka_unit_test(test_limits__without_a_rate_nothing_is_refused_or_kept),
		cmocka_unit_test(test_limits__what_is_held_is_counted),
		cmocka_unit_test(test_limits__keys_with_full_buckets_are_dropped),
		cmocka_unit_test(test_limits__a_million_keys_cost_no_more_than_the_maximum),
		cmocka_unit_test(test_limits__who_asks_again_and_again_is_not_forgotten),
		cmocka_unit_test(test_limits__keys_that_hold_something_stay),
		cmocka_unit_test(test_limits__without_memory_nobody_is_limited),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
