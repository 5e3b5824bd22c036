/* SPDX-License-Identifier: MIT */
#include "thread.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif

#ifdef WATCHED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
/* What the sanitizer must be told of a change of stacks. */
static void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t size)
{
	(void)fake;
	(void)bottom;
	(void)size;
}

static void __sanitizer_finish_switch_fiber(void *fake, const void **bottom, size_t *size)
{
	(void)fake;
	(void)bottom;
	(void)size;
}

static void __asan_unpoison_memory_region(const volatile void *region, size_t size)
{
	(void)region;
	(void)size;
}
#endif

enum { STACK_BYTES = 1 << 20 };

/* There is one thread, so there is one of these. */
static struct {
	bool exists;
	bool running;
	bool ready; /* it may run */
	bool awaited;
	bool finished;
	pthread_cond_t *waits_for;
	void *(*start)(void *);
	void *argument;
	ucontext_t inside;
	ucontext_t outside;
	const void *outside_bottom;
	size_t outside_size;
	void *inside_fake;
} thread;

static _Alignas(64) unsigned char stack[STACK_BYTES];
static const pthread_mutex_t *locked;
static bool outside_signalled;

void (*thread_on_ready)(void);

static void leave(void)
{
	__sanitizer_start_switch_fiber(thread.finished ? NULL : &thread.inside_fake,
		thread.outside_bottom, thread.outside_size);
	swapcontext(&thread.inside, &thread.outside);
	__sanitizer_finish_switch_fiber(
		thread.inside_fake, &thread.outside_bottom, &thread.outside_size);
}

static void enter(void)
{
	void *fake = NULL;

	assert(thread.exists && !thread.running && !thread.finished && !locked);
	thread.running = true;
	__sanitizer_start_switch_fiber(&fake, stack, sizeof(stack));
	swapcontext(&thread.outside, &thread.inside);
	__sanitizer_finish_switch_fiber(fake, NULL, NULL);
	thread.running = false;
}

static void begin(void)
{
	__sanitizer_finish_switch_fiber(NULL, &thread.outside_bottom, &thread.outside_size);
	thread.start(thread.argument);
	thread.finished = true;
	leave();
}

void thread_run(void)
{
	if (thread.exists && thread.ready && !thread.finished)
		enter();
}

void thread_pause(void)
{
	assert(thread.running && !locked);
	leave();
}

bool thread_is_awaited(void)
{
	return thread.awaited;
}

/* The functions of <pthread.h>; the linker's --wrap gives them these names. */
int __wrap_pthread_create(
	pthread_t *made, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_join(pthread_t which, void **result);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes);
int __wrap_pthread_cond_destroy(pthread_cond_t *cond);
int __wrap_pthread_cond_signal(pthread_cond_t *cond);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);

int __wrap_pthread_create(
	pthread_t *made, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	(void)attributes;
	assert(!thread.exists);
	*made = 0;
	thread.exists = true;
	thread.ready = true;
	thread.finished = false;
	thread.awaited = false;
	thread.waits_for = NULL;
	thread.start = start;
	thread.argument = argument;
	thread.inside_fake = NULL;
	__asan_unpoison_memory_region(stack, sizeof(stack));
	getcontext(&thread.inside);
	thread.inside.uc_stack.ss_sp = stack;
	thread.inside.uc_stack.ss_size = sizeof(stack);
	thread.inside.uc_link = NULL;
	makecontext(&thread.inside, begin, 0);
	enter(); /* up to where it waits for work */
	return 0;
}

int __wrap_pthread_join(pthread_t which, void **result)
{
	(void)which;
	(void)result;
	thread.awaited = true;
	while (!thread.finished)
		enter();
	thread.exists = false;
	return 0;
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	(void)mutex;
	(void)attributes;
	return 0;
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	(void)mutex;
	return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	assert(!locked);
	locked = mutex;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	assert(locked == mutex);
	(void)mutex;
	locked = NULL;
	return 0;
}

int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
	(void)cond;
	(void)attributes;
	return 0;
}

int __wrap_pthread_cond_destroy(pthread_cond_t *cond)
{
	(void)cond;
	return 0;
}

int __wrap_pthread_cond_signal(pthread_cond_t *cond)
{
	if (thread.running) {
		outside_signalled = true;
	} else if (thread.waits_for == cond) {
		thread.ready = true;
		if (thread_on_ready)
			thread_on_ready();
	}
	return 0;
}

/* Outside, nobody but the thread can bring what is waited for. */
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	assert(locked == mutex);
	locked = NULL;
	if (thread.running) {
		thread.waits_for = cond;
		thread.ready = false;
		leave();
		thread.waits_for = NULL;
	} else {
		thread.awaited = true;
		for (outside_signalled = false; !outside_signalled;)
			enter();
		thread.awaited = false;
	}
	locked = mutex;
	return 0;
}
