/* SPDX-License-Identifier: MIT */
#include "engine/boxes_threads.h"

#include <assert.h>
#include <pthread.h>

/* What the threads of one question share. */
struct question {
	const struct coins *coins;
	int wanted;
	atomic_bool over; /* somebody has the answer, or was told to stop */
	atomic_bool answered;
	atomic_bool answer;
	bool (*should_stop)(void *context);
	void *context;
};

static bool stop_helper(void *context)
{
	struct question *question = context;

	return atomic_load_explicit(&question->over, memory_order_relaxed);
}

static bool stop_first(void *context)
{
	struct question *question = context;

	if (question->should_stop && question->should_stop(question->context))
		atomic_store(&question->over, true);
	return atomic_load_explicit(&question->over, memory_order_relaxed);
}

static void ask(struct boxes_search *search, struct question *question)
{
	bool answer;

	search->stopped = false;
	answer = boxes_search_reaches(search, question->coins, question->wanted);
	if (search->stopped)
		return;
	atomic_store(&question->answer, answer);
	atomic_store(&question->answered, true);
	atomic_store(&question->over, true);
}

struct helper {
	pthread_t thread;
	struct boxes_search *search;
	struct question *question;
	bool runs;
};

static void *run_helper(void *argument)
{
	struct helper *helper = argument;

	ask(helper->search, helper->question);
	return NULL;
}

/* What each helper may visit, so that all together keep to the limit. */
static uint64_t share_of(const struct boxes_search *first, int count)
{
	return first->nodes < first->limit ? (first->limit - first->nodes) / (uint64_t)count : 0;
}

static void limit_first(struct boxes_search *first, uint64_t limit)
{
	first->limit = limit;
	if (limit && first->check_at > limit)
		first->check_at = limit;
}

bool boxes_threads_reach(
	struct boxes_search *searches, int count, const struct coins *coins, int wanted)
{
	struct question question = {
		.coins = coins,
		.wanted = wanted,
		.should_stop = searches->should_stop,
		.context = searches->context,
	};
	struct helper helpers[BOXES_THREADS_MAX];
	uint64_t limit = searches->limit;
	uint64_t share = share_of(searches, count);

	assert(count >= 1 && count <= BOXES_THREADS_MAX);
	if (limit && !share)
		count = 1;
	limit_first(searches, limit - share * (uint64_t)(count - 1));
	searches->should_stop = stop_first;
	searches->context = &question;
	for (int i = 1; i < count; i++) {
		helpers[i] = (struct helper){.search = &searches[i], .question = &question};
		searches[i].should_stop = stop_helper;
		searches[i].context = &question;
		searches[i].limit = share;
		searches[i].nodes = 0;
		searches[i].check_at = 0;
		/* A thread that cannot be had is done without. */
		helpers[i].runs =
			pthread_create(&helpers[i].thread, NULL, run_helper, &helpers[i]) == 0;
	}
	ask(searches, &question);
	atomic_store(&question.over, true);
	for (int i = 1; i < count; i++) {
		if (!helpers[i].runs)
			continue;
		pthread_join(helpers[i].thread, NULL);
		searches->nodes += searches[i].nodes;
	}
	searches->limit = limit;
	searches->should_stop = question.should_stop;
	searches->context = question.context;
	searches->stopped = !atomic_load(&question.answered);
	return atomic_load(&question.answer);
}
