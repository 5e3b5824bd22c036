/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * The thread of src/store/writer.c, as a coroutine: tests/sim is linked with functions of its own
 * in the place of those of <pthread.h> that the writer uses, so that the writer's own code runs,
 * and the simulation says when. There is one such thread at a time.
 */

/* Called when the thread has something to do, and is waiting no longer. */
extern void (*thread_on_ready)(void);

/* Lets the thread run until it waits or pauses; nothing where it waits. */
void thread_run(void);

/* On the thread: gives way until the next `thread_run`, or until somebody waits for the thread. */
void thread_pause(void);

/* On the thread: somebody waits for it, so that no time passes. */
bool thread_is_awaited(void);
