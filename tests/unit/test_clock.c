/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"

/* Stands before the system's, so that a test can set the clock. */
static struct timespec set_to;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = set_to;
	return 0;
}

static void test_clock__counts_milliseconds_since_1970(void **context)
{
	(void)context;
	set_to = (struct timespec){1764530000, 123999999};
	assert_int_equal(clock_wall_ms(), INT64_C(1764530000123));
	set_to = (struct timespec){4000000000, 0};
	assert_int_equal(clock_wall_ms(), INT64_C(4000000000000));
}

/* A log with a negative time could not be read again: the room would be lost. */
static void test_clock__is_never_negative(void **context)
{
	(void)context;
	set_to = (struct timespec){-1, 999999999};
	assert_int_equal(clock_wall_ms(), 0);
	set_to = (struct timespec){-86400, 0};
	assert_int_equal(clock_wall_ms(), 0);
	set_to = (struct timespec){0, 5000000};
	assert_int_equal(clock_wall_ms(), 5);
}

static void test_clock__monotonic_is_in_milliseconds_too(void **context)
{
	(void)context;
	set_to = (struct timespec){7, 8999999};
	assert_int_equal(clock_monotonic_ms(), 7008);
	assert_int_equal(clock_monotonic_us(), 7008999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clock__counts_milliseconds_since_1970),
		cmocka_unit_test(test_clock__is_never_negative),
		cmocka_unit_test(test_clock__monotonic_is_in_milliseconds_too),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
