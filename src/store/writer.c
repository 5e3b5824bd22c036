/* SPDX-License-Identifier: MIT */
#include "store/writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"

/*
 * The ring. Rows are counted from 0 and never recounted; row n lies at n % WRITER_WAITING_MAX.
 *
 *       collected        finished        submitted
 *   ........|  to report    |   to write     |........
 *             owner reads     writer reads     owner fills
 *
 * collected <= finished <= submitted <= collected + WRITER_WAITING_MAX. The mutex guards the
 * counters `finished` and `submitted`, the statistics and the two flags; a slot belongs to whoever
 * the picture says, so rows are copied and written without it. `collected` is the owner's alone.
 */
struct writer {
	const struct store_ops *ops;
	struct store *store;
	writer_wake *wake;
	void *context;

	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t work; /* there is something to write, or it is time to stop */
	pthread_cond_t idle; /* nothing waits */

	uint64_t submitted;
	uint64_t finished;
	uint64_t collected;
	bool stopping;
	/* A transaction failed and the owner has not been told of all it took with it. Meanwhile
	 * nothing waits and nothing is taken, so `problem` keeps still. */
	bool failed;
	struct store_problem problem;

	struct writer_stats stats;

	void *tickets[WRITER_WAITING_MAX];
	enum status statuses[WRITER_WAITING_MAX];
	struct store_row rows[WRITER_WAITING_MAX];
};

const uint64_t writer_size_bounds[WRITER_BOUNDS] = {1, 2, 5, 10, 20, 50, 100, 1000};
const uint64_t writer_time_bounds[WRITER_BOUNDS] = {
	500, 1000, 2500, 5000, 10000, 25000, 100000, 1000000};

static void histogram_add(
	struct writer_histogram *histogram, const uint64_t bounds[WRITER_BOUNDS], uint64_t value)
{
	size_t i = 0;

	while (i < WRITER_BOUNDS && value > bounds[i])
		i++;
	histogram->counts[i]++;
	histogram->sum += value;
}

static size_t slot(uint64_t number)
{
	return number % WRITER_WAITING_MAX;
}

/* Writes the rows from `finished` on as one transaction, unlocked meanwhile. */
static void write_group(struct writer *writer)
{
	struct store_problem problem;
	size_t first = slot(writer->finished);
	size_t count = (size_t)(writer->submitted - writer->finished);
	if (count > WRITER_WAITING_MAX - first)
		count = WRITER_WAITING_MAX - first;

	pthread_mutex_unlock(&writer->mutex);
	uint64_t begun = clock_monotonic_us();
	enum status status = writer->ops->append(
		writer->store, &writer->rows[first], count, &writer->statuses[first], &problem);
	uint64_t took = clock_monotonic_us() - begun;
	size_t written = 0;
	for (size_t i = first; i < first + count; i++)
		written += writer->statuses[i] == STATUS_OK;
	pthread_mutex_lock(&writer->mutex);

	writer->finished += count;
	histogram_add(&writer->stats.sizes, writer_size_bounds, count);
	histogram_add(&writer->stats.times, writer_time_bounds, took);
	writer->stats.written += written;
	if (status == STATUS_OK)
		return;
	writer->stats.failed++;
	writer->failed = true;
	writer->problem = problem;
	for (; writer->finished < writer->submitted; writer->finished++)
		writer->statuses[slot(writer->finished)] = STATUS_STORE_WRITE;
}

static void *writer_main(void *argument)
{
	struct writer *writer = argument;
	pthread_mutex_lock(&writer->mutex);
	for (;;) {
		while (writer->finished == writer->submitted && !writer->stopping)
			pthread_cond_wait(&writer->work, &writer->mutex);
		if (writer->finished == writer->submitted)
			break;
		write_group(writer);
		if (writer->finished == writer->submitted)
			pthread_cond_signal(&writer->idle);
		pthread_mutex_unlock(&writer->mutex);
		writer->wake(writer->context);
		pthread_mutex_lock(&writer->mutex);
	}
	pthread_mutex_unlock(&writer->mutex);
	return NULL;
}

enum status writer_create(const struct store_ops *ops, struct store *store, writer_wake *wake,
	void *context, struct writer **out)
{
	struct writer *writer = calloc(1, sizeof *writer);
	if (writer == NULL)
		return STATUS_NO_MEMORY;
	writer->ops = ops;
	writer->store = store;
	writer->wake = wake;
	writer->context = context;
	if (pthread_mutex_init(&writer->mutex, NULL) != 0)
		goto fail_mutex;
	if (pthread_cond_init(&writer->work, NULL) != 0)
		goto fail_work;
	if (pthread_cond_init(&writer->idle, NULL) != 0)
		goto fail_idle;
	if (pthread_create(&writer->thread, NULL, writer_main, writer) != 0)
		goto fail_thread;
	*out = writer;
	return STATUS_OK;
fail_thread:
	pthread_cond_destroy(&writer->idle);
fail_idle:
	pthread_cond_destroy(&writer->work);
fail_work:
	pthread_mutex_destroy(&writer->mutex);
fail_mutex:
	free(writer);
	return STATUS_NO_MEMORY;
}

void writer_destroy(struct writer *writer)
{
	pthread_mutex_lock(&writer->mutex);
	writer->stopping = true;
	pthread_cond_signal(&writer->work);
	pthread_mutex_unlock(&writer->mutex);
	pthread_join(writer->thread, NULL);

	pthread_cond_destroy(&writer->idle);
	pthread_cond_destroy(&writer->work);
	pthread_mutex_destroy(&writer->mutex);
	free(writer);
}

bool writer_submit(struct writer *writer, const struct store_row *row, void *ticket)
{
	/* Only the owner moves these two, so it may read them without the mutex. */
	if (writer->submitted - writer->collected == WRITER_WAITING_MAX)
		return false;
	size_t at = slot(writer->submitted);
	writer->rows[at] = *row;
	writer->tickets[at] = ticket;

	pthread_mutex_lock(&writer->mutex);
	bool taken = !writer->failed;
	if (taken && writer->submitted++ == writer->finished)
		pthread_cond_signal(&writer->work);
	pthread_mutex_unlock(&writer->mutex);
	return taken;
}

struct writer_stats writer_read_stats(struct writer *writer)
{
	pthread_mutex_lock(&writer->mutex);
	struct writer_stats stats = writer->stats;
	pthread_mutex_unlock(&writer->mutex);
	return stats;
}

void writer_drain(struct writer *writer)
{
	pthread_mutex_lock(&writer->mutex);
	while (writer->finished < writer->submitted)
		pthread_cond_wait(&writer->idle, &writer->mutex);
	pthread_mutex_unlock(&writer->mutex);
}

size_t writer_collect(struct writer *writer, writer_done *done, void *context)
{
	static const struct store_problem none;
	uint64_t before = writer->collected;
	pthread_mutex_lock(&writer->mutex);
	uint64_t end = writer->finished;
	bool failed = writer->failed;
	pthread_mutex_unlock(&writer->mutex);

	while (writer->collected < end) {
		size_t at = slot(writer->collected);
		void *ticket = writer->tickets[at];
		enum status status = writer->statuses[at];
		/* First, so that `done` may submit into the slot. */
		writer->collected++;
		done(context, ticket, status,
			status == STATUS_STORE_WRITE ? &writer->problem : &none);
	}
	/* `failed` means that nothing waited, so every refused row was before `end`. */
	if (failed) {
		pthread_mutex_lock(&writer->mutex);
		writer->failed = false;
		pthread_mutex_unlock(&writer->mutex);
	}
	return (size_t)(end - before);
}
