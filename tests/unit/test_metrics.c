/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/metrics.h"

static char bytes[METRICS_TEXT_BYTES];

static const char *write_all(const struct metrics *metrics, const struct metrics_now *now)
{
	struct text text;

	text_init(&text, bytes, sizeof(bytes));
	metrics_write(metrics, now, &text);
	assert_false(text.overflow);
	return bytes;
}

static void assert_line(const char *text, const char *line)
{
	const char *found = strstr(text, line);

	if (!found || (found > text && found[-1] != '\n') || found[strlen(line)] != '\n')
		fail_msg("no line \"%s\" in\n%s", line, text);
}

static void count(struct metrics *metrics, unsigned tag, int status_code, const char *error,
	const char *reason)
{
	const struct http_note note = {.tag = tag, .error = error, .reason = reason};

	metrics_count_answer(metrics, &note, status_code);
}

static void test_metrics__answers_are_counted_by_address_and_status(void **state)
{
	struct metrics metrics = {0};
	struct metrics_now now = {0};
	const char *text;

	(void)state;
	count(&metrics, METRICS_PAGE, 200, NULL, NULL);
	count(&metrics, METRICS_PAGE, 304, NULL, NULL);
	count(&metrics, METRICS_COMMANDS, 422, "illegal", "drop-dead");
	count(&metrics, METRICS_COMMANDS, 422, "illegal", "drop-dead");
	count(&metrics, METRICS_COMMANDS, 409, "stale", NULL);
	text = write_all(&metrics, &now);
	assert_line(text, "komadai_http_requests_total{route=\"page\",status=\"2xx\"} 1");
	assert_line(text, "komadai_http_requests_total{route=\"page\",status=\"3xx\"} 1");
	assert_line(text, "komadai_http_requests_total{route=\"commands\",status=\"4xx\"} 3");
	assert_line(text, "komadai_refusals_total{error=\"illegal\",reason=\"drop-dead\"} 2");
	assert_line(text, "komadai_refusals_total{error=\"stale\",reason=\"\"} 1");
}

/* Whatever words there are and however much was counted, it fits. */
static void test_metrics__more_words_than_are_kept_are_one(void **state)
{
	static char words[2 * METRICS_REFUSALS_MAX][40];
	struct metrics metrics = {0};
	struct metrics_now now = {.connections = SIZE_MAX / 2, .started_ms = 1};
	const char *text;

	(void)state;
	for (size_t i = 0; i < 2 * METRICS_REFUSALS_MAX; i++) {
		snprintf(words[i], sizeof(words[i]), "a-word-of-nearly-forty-characters-%zu", i);
		count(&metrics, METRICS_ROOM, 422, words[i], words[i]);
	}
	memset(metrics.answers, 0x3f, sizeof(metrics.answers));
	memset(&now.store, 0x0f, sizeof(now.store));
	text = write_all(&metrics, &now);
	assert_int_equal(metrics.refusal_count, METRICS_REFUSALS_MAX);
	assert_line(text, "komadai_refusals_total{error=\"other\",reason=\"\"} 97");
}

static void test_metrics__times_are_in_seconds(void **state)
{
	static const struct {
		uint64_t microseconds;
		const char *line;
	} cases[] = {
		{0, "komadai_store_transaction_seconds_sum 0"},
		{1, "komadai_store_transaction_seconds_sum 0.000001"},
		{1500, "komadai_store_transaction_seconds_sum 0.0015"},
		{100000, "komadai_store_transaction_seconds_sum 0.1"},
		{60000000, "komadai_store_transaction_seconds_sum 60"},
		{12345678, "komadai_store_transaction_seconds_sum 12.345678"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metrics metrics = {0};
		struct metrics_now now = {.store.times.sum = cases[i].microseconds};

		assert_line(write_all(&metrics, &now), cases[i].line);
	}
}

static void test_metrics__buckets_add_up(void **state)
{
	struct metrics metrics = {0};
	struct metrics_now now = {
		.store.sizes = {.counts = {3, 0, 2, [WRITER_BOUNDS] = 1}, .sum = 2011}};
	const char *text = write_all(&metrics, &now);

	(void)state;
	assert_line(text, "komadai_store_transaction_events_bucket{le=\"1\"} 3");
	assert_line(text, "komadai_store_transaction_events_bucket{le=\"2\"} 3");
	assert_line(text, "komadai_store_transaction_events_bucket{le=\"5\"} 5");
	assert_line(text, "komadai_store_transaction_events_bucket{le=\"1000\"} 5");
	assert_line(text, "komadai_store_transaction_events_bucket{le=\"+Inf\"} 6");
	assert_line(text, "komadai_store_transaction_events_sum 2011");
	assert_line(text, "komadai_store_transaction_events_count 6");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metrics__answers_are_counted_by_address_and_status),
		cmocka_unit_test(test_metrics__more_words_than_are_kept_are_one),
		cmocka_unit_test(test_metrics__times_are_in_seconds),
		cmocka_unit_test(test_metrics__buckets_add_up),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
