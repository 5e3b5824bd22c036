/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/writer.h"

/*
 * The writer over a store in memory that notes what it is asked to write, and whose gate holds a
 * transaction up for as long as a test likes: so tests decide what waits, instead of hoping for it.
 */
enum { NOTED_MAX = 3 * WRITER_WAITING_MAX, TRANSACTIONS_MAX = 3 * WRITER_WAITING_MAX };

struct store {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool gate_open;
	size_t entered; /* transactions that came to the gate */
	size_t failing; /* the number, from 1, of the transaction that fails; 0: none */

	size_t transactions;
	size_t sizes[TRANSACTIONS_MAX];
	size_t noted;
	uint64_t revs[NOTED_MAX]; /* of the rows written, in order */
	size_t removals;
	char archive[32]; /* of the last removal, as it was when it was written */

	size_t wakes;
	pthread_t waker;
};

static enum status fake_append(struct store *store, const struct store_row *rows, size_t count,
	enum status *statuses, struct store_problem *problem)
{
	pthread_mutex_lock(&store->mutex);
	store->entered++;
	pthread_cond_broadcast(&store->changed);
	while (!store->gate_open)
		pthread_cond_wait(&store->changed, &store->mutex);

	bool fails = store->entered == store->failing;
	store->sizes[store->transactions++] = count;
	for (size_t i = 0; i < count; i++) {
		bool conflict = strcmp(rows[i].text, "conflict") == 0;
		statuses[i] = fails      ? STATUS_STORE_WRITE
			      : conflict ? STATUS_STORE_CONFLICT
					 : STATUS_OK;
		if (statuses[i] != STATUS_OK)
			continue;
		store->revs[store->noted++] = rows[i].rev;
		if (rows[i].kind != STORE_REMOVAL)
			continue;
		store->removals++;
		snprintf(store->archive, sizeof store->archive, "%s", rows[i].archive);
	}
	pthread_mutex_unlock(&store->mutex);
	if (fails)
		snprintf(problem->text, sizeof problem->text, "the disk is full");
	return fails ? STATUS_STORE_WRITE : STATUS_OK;
}

static const struct store_ops fake_ops = {.append = fake_append};

static void note_wake(void *context)
{
	struct store *store = context;
	pthread_mutex_lock(&store->mutex);
	store->wakes++;
	store->waker = pthread_self();
	pthread_cond_broadcast(&store->changed);
	pthread_mutex_unlock(&store->mutex);
}

static void set_gate(struct store *store, bool is_open)
{
	pthread_mutex_lock(&store->mutex);
	store->gate_open = is_open;
	pthread_cond_broadcast(&store->changed);
	pthread_mutex_unlock(&store->mutex);
}

static void wait_entered(struct store *store, size_t transactions)
{
	pthread_mutex_lock(&store->mutex);
	while (store->entered < transactions)
		pthread_cond_wait(&store->changed, &store->mutex);
	pthread_mutex_unlock(&store->mutex);
}

static void wait_woken(struct store *store, size_t wakes)
{
	pthread_mutex_lock(&store->mutex);
	while (store->wakes < wakes)
		pthread_cond_wait(&store->changed, &store->mutex);
	pthread_mutex_unlock(&store->mutex);
}

/* What `collect` reported, oldest first; the tickets are the addresses of `numbers`. */
struct fixture {
	struct store store;
	struct writer *writer;
	uint64_t next; /* the next row's revision and ticket */
	size_t reported;
	uint64_t tickets[NOTED_MAX];
	enum status statuses[NOTED_MAX];
	char problems[4][STORE_PROBLEM_BYTES]; /* of the first reports */
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	if (f == NULL)
		return -1;
	pthread_mutex_init(&f->store.mutex, NULL);
	pthread_cond_init(&f->store.changed, NULL);
	f->store.gate_open = true;
	f->next = 1;
	*state = f;
	return writer_create(&fake_ops, &f->store, note_wake, &f->store, &f->writer) == STATUS_OK
		       ? 0
		       : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	set_gate(&f->store, true); /* a failed test may have left it closed */
	if (f->writer != NULL)
		writer_destroy(f->writer);
	pthread_cond_destroy(&f->store.changed);
	pthread_mutex_destroy(&f->store.mutex);
	free(f);
	return 0;
}

static bool submit_text(struct fixture *f, const char *text)
{
	struct store_row row = {.room = "a", .rev = f->next};
	snprintf(row.text, sizeof row.text, "%s", text);
	if (!writer_submit(f->writer, &row, (void *)(uintptr_t)f->next))
		return false;
	f->next++;
	return true;
}

static bool submit(struct fixture *f)
{
	return submit_text(f, "text");
}

static void submit_many(struct fixture *f, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_true(submit(f));
}

static void note_report(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	struct fixture *f = context;
	assert_true(f->reported < NOTED_MAX);
	if (f->reported < sizeof f->problems / sizeof *f->problems)
		memcpy(f->problems[f->reported], problem->text, sizeof problem->text);
	f->tickets[f->reported] = (uintptr_t)ticket;
	f->statuses[f->reported] = status;
	f->reported++;
}

static size_t collect(struct fixture *f)
{
	return writer_collect(f->writer, note_report, f);
}

/* Holds one row up at the gate, and leaves `behind` waiting. */
static void hold(struct fixture *f, size_t behind)
{
	set_gate(&f->store, false);
	size_t entered = f->store.entered;
	assert_true(submit(f));
	wait_entered(&f->store, entered + 1);
	submit_many(f, behind);
}

static void release(struct fixture *f)
{
	set_gate(&f->store, true);
	writer_drain(f->writer);
}

static void expect_all_written_and_reported(struct fixture *f)
{
	assert_int_equal(f->store.noted, f->next - 1);
	assert_int_equal(f->reported, f->next - 1);
	for (size_t i = 0; i < f->reported; i++) {
		assert_true(f->store.revs[i] == i + 1);
		assert_true(f->tickets[i] == i + 1);
		assert_int_equal(f->statuses[i], STATUS_OK);
	}
}

static void test_writer__writes_and_reports_in_order(void **state)
{
	struct fixture *f = *state;
	/* Twice round the ring, collecting at odd moments. */
	while (f->next <= 2 * WRITER_WAITING_MAX + 100) {
		if (!submit(f) || f->next % 37 == 0)
			collect(f);
	}
	writer_drain(f->writer);
	collect(f);
	expect_all_written_and_reported(f);
	assert_int_equal(collect(f), 0);
}

static void test_writer__writes_what_waits_as_one_transaction(void **state)
{
	struct fixture *f = *state;
	hold(f, 50);
	release(f);
	assert_int_equal(collect(f), 51);
	assert_int_equal(f->store.transactions, 2);
	assert_int_equal(f->store.sizes[0], 1);
	assert_int_equal(f->store.sizes[1], 50);
	expect_all_written_and_reported(f);
}

static void test_writer__splits_a_group_where_the_ring_wraps(void **state)
{
	struct fixture *f = *state;
	submit_many(f, WRITER_WAITING_MAX - 11);
	writer_drain(f->writer);
	collect(f);
	size_t before = f->store.transactions;
	hold(f, 50);
	release(f);
	collect(f);
	assert_int_equal(f->store.transactions, before + 3);
	assert_int_equal(f->store.sizes[before + 1], 10);
	assert_int_equal(f->store.sizes[before + 2], 40);
	expect_all_written_and_reported(f);
}

static void test_writer__wakes_the_owner_from_its_own_thread(void **state)
{
	struct fixture *f = *state;
	assert_true(submit(f));
	wait_woken(&f->store, 1);
	assert_false(pthread_equal(f->store.waker, pthread_self()));
	assert_int_equal(collect(f), 1);
	assert_true(submit(f));
	wait_woken(&f->store, 2);
	assert_int_equal(collect(f), 1);
}

static void test_writer__reports_nothing_before_it_is_written(void **state)
{
	struct fixture *f = *state;
	hold(f, 3);
	assert_int_equal(collect(f), 0);
	release(f);
	assert_int_equal(collect(f), 4);
}

/* The submitter keeps the archive until then, and no longer. */
static void free_archive(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	size_t *freed = context;
	(void)problem;
	assert_int_equal(status, STATUS_OK);
	if (ticket != NULL) {
		free(ticket);
		++*freed;
	}
}

static void test_writer__reads_the_archive_of_a_removal_until_it_is_reported(void **state)
{
	struct fixture *f = *state;
	struct store_row event = {.room = "a", .rev = 1};
	struct store_row removal = {.kind = STORE_REMOVAL, .room = "a"};
	char *archive = strdup("a game\nanother");
	size_t freed = 0;
	assert_non_null(archive);
	set_gate(&f->store, false);
	assert_true(writer_submit(f->writer, &event, NULL));
	wait_entered(&f->store, 1);
	removal.archive = archive;
	assert_true(writer_submit(f->writer, &removal, archive));
	assert_true(writer_submit(f->writer, &event, NULL));
	memset(&removal, 'x', sizeof removal); /* the row itself was copied */
	release(f);
	assert_int_equal(writer_collect(f->writer, free_archive, &freed), 3);
	assert_int_equal(freed, 1);
	assert_int_equal(f->store.removals, 1);
	assert_string_equal(f->store.archive, "a game\nanother");
}

static void test_writer__reports_a_conflict_for_its_row_alone(void **state)
{
	struct fixture *f = *state;
	hold(f, 1);
	assert_true(submit_text(f, "conflict"));
	assert_true(submit(f));
	release(f);
	assert_int_equal(collect(f), 4);
	assert_int_equal(f->statuses[1], STATUS_OK);
	assert_int_equal(f->statuses[2], STATUS_STORE_CONFLICT);
	assert_string_equal(f->problems[2], "");
	assert_int_equal(f->statuses[3], STATUS_OK);
}

static void test_writer__refuses_the_rows_behind_a_failed_transaction(void **state)
{
	struct fixture *f = *state;
	assert_true(submit(f)); /* a good one before */
	writer_drain(f->writer);
	f->store.failing = 2;
	hold(f, 2);
	release(f);
	assert_int_equal(collect(f), 4);
	assert_int_equal(f->statuses[0], STATUS_OK);
	assert_string_equal(f->problems[0], "");
	for (size_t i = 1; i < 4; i++) {
		assert_int_equal(f->statuses[i], STATUS_STORE_WRITE);
		assert_string_equal(f->problems[i], "the disk is full");
	}
	assert_int_equal(f->store.transactions, 2); /* the rows behind were not even tried */
	assert_int_equal(f->store.noted, 1);
}

static void test_writer__takes_nothing_until_a_failure_is_collected(void **state)
{
	struct fixture *f = *state;
	f->store.failing = 1;
	assert_true(submit(f));
	writer_drain(f->writer);
	assert_false(submit(f));
	assert_int_equal(collect(f), 1);
	assert_int_equal(f->statuses[0], STATUS_STORE_WRITE);

	assert_true(submit(f));
	writer_drain(f->writer);
	assert_int_equal(collect(f), 1);
	assert_int_equal(f->statuses[1], STATUS_OK);
	assert_int_equal(f->store.noted, 1);
	assert_true(f->store.revs[0] == 2);
}

static void submit_again(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	struct fixture *f = context;
	note_report(f, ticket, status, problem);
	/* While a failure is being told, another row's owner may not know of it yet. */
	assert_int_equal(submit(f), status == STATUS_OK);
}

static void test_writer__takes_rows_while_it_reports_unless_it_reports_a_failure(void **state)
{
	struct fixture *f = *state;
	hold(f, 1);
	release(f);
	assert_int_equal(writer_collect(f->writer, submit_again, f), 2);
	writer_drain(f->writer);
	collect(f);
	expect_all_written_and_reported(f);
	assert_int_equal(f->reported, 4);

	f->store.failing = f->store.entered + 1;
	hold(f, 1);
	release(f);
	assert_int_equal(writer_collect(f->writer, submit_again, f), 2);
	assert_int_equal(collect(f), 0);
}

static void test_writer__refuses_what_does_not_fit_until_rows_are_collected(void **state)
{
	struct fixture *f = *state;
	hold(f, WRITER_WAITING_MAX - 1);
	assert_false(submit(f));
	release(f);
	assert_false(submit(f)); /* written, but their reports still take the room */
	assert_int_equal(writer_collect(f->writer, submit_again, f), WRITER_WAITING_MAX);
	assert_false(submit(f)); /* each report made room for one row, which took it */
	writer_drain(f->writer);
	assert_int_equal(collect(f), WRITER_WAITING_MAX);
	assert_true(submit(f));
	writer_drain(f->writer);
	collect(f);
	expect_all_written_and_reported(f);
}

static void test_writer__drains_at_once_where_nothing_waits(void **state)
{
	struct fixture *f = *state;
	writer_drain(f->writer);
	assert_int_equal(f->store.entered, 0);
}

static void *open_gate_soon(void *argument)
{
	const struct timespec soon = {.tv_nsec = 30 * 1000 * 1000};
	nanosleep(&soon, NULL);
	set_gate(argument, true);
	return NULL;
}

static void test_writer__writes_what_waits_before_it_is_destroyed(void **state)
{
	struct fixture *f = *state;
	pthread_t opener;
	hold(f, 100);
	assert_int_equal(pthread_create(&opener, NULL, open_gate_soon, &f->store), 0);
	writer_destroy(f->writer);
	f->writer = NULL;
	pthread_join(opener, NULL);
	assert_int_equal(f->store.noted, 101);
}

static void test_writer__counts_what_it_wrote_and_how_long_it_took(void **state)
{
	const struct timespec three_ms = {.tv_nsec = 3 * 1000 * 1000};
	struct fixture *f = *state;
	hold(f, 49);
	assert_true(submit_text(f, "conflict"));
	nanosleep(&three_ms, NULL);
	release(f); /* one row, then 50 of which one is in conflict */
	collect(f);

	struct writer_stats stats = writer_read_stats(f->writer);
	assert_int_equal(stats.written, 50);
	assert_int_equal(stats.failed, 0);
	assert_int_equal(stats.sizes.sum, 51);
	assert_int_equal(stats.sizes.counts[0], 1);
	assert_int_equal(stats.sizes.counts[5], 1); /* of 21 to 50 rows */
	assert_true(stats.times.sum >= 3000);
	const uint64_t *counts = stats.times.counts;
	assert_true(counts[0] + counts[1] + counts[2] <= 1); /* within 2.5 ms */
}

static void test_writer__counts_failures_apart(void **state)
{
	struct fixture *f = *state;
	f->store.failing = 2;
	hold(f, 3);
	release(f);
	collect(f);

	struct writer_stats stats = writer_read_stats(f->writer);
	assert_int_equal(stats.failed, 1);
	assert_int_equal(stats.written, 1);
	assert_int_equal(stats.sizes.sum, 4);
}

int main(void)
{
#define WITH_WRITER(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		WITH_WRITER(test_writer__writes_and_reports_in_order),
		WITH_WRITER(test_writer__writes_what_waits_as_one_transaction),
		WITH_WRITER(test_writer__splits_a_group_where_the_ring_wraps),
		WITH_WRITER(test_writer__wakes_the_owner_from_its_own_thread),
		WITH_WRITER(test_writer__reports_nothing_before_it_is_written),
		WITH_WRITER(test_writer__reads_the_archive_of_a_removal_until_it_is_reported),
		WITH_WRITER(test_writer__reports_a_conflict_for_its_row_alone),
		WITH_WRITER(test_writer__refuses_the_rows_behind_a_failed_transaction),
		WITH_WRITER(test_writer__takes_nothing_until_a_failure_is_collected),
		WITH_WRITER(test_writer__takes_rows_while_it_reports_unless_it_reports_a_failure),
		WITH_WRITER(test_writer__refuses_what_does_not_fit_until_rows_are_collected),
		WITH_WRITER(test_writer__drains_at_once_where_nothing_waits),
		WITH_WRITER(test_writer__writes_what_waits_before_it_is_destroyed),
		WITH_WRITER(test_writer__counts_what_it_wrote_and_how_long_it_took),
		WITH_WRITER(test_writer__counts_failures_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
