/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A program that we start and speak with in lines, over its standard input and output. It is killed
 * by child_stop(), and by the kernel when this program dies in whatever way (on Linux; elsewhere it
 * finds its input at its end). What it writes on standard error goes to ours.
 */
enum {
	CHILD_LINE_MAX = 1 << 16, /* bytes; a child that sends a longer line counts as gone */
	CHILD_WORDS_MAX = 64,     /* of the command that starts it */
};

struct child {
	pid_t pid;  /* 0: none runs */
	int input;  /* where we write */
	int output; /* where we read */
	char buffer[CHILD_LINE_MAX];
	size_t length;
};

/* `command` is split on blanks; no shell reads it. False, with errno, when nothing was started. */
bool child_start(struct child *child, const char *command);

/* Does nothing where none runs. */
void child_stop(struct child *child);

/*
 * Sends a line. False: the child is gone. Never waits: a child that does not read for so long that
 * the pipe is full counts as gone.
 */
bool child_send(struct child *child, const char *line);

enum child_answer { CHILD_LINE, CHILD_GONE, CHILD_LATE };

/* The next line, without its end, by `deadline_ms` on clock_monotonic_ms(). */
enum child_answer child_read(struct child *child, uint64_t deadline_ms, char line[CHILD_LINE_MAX]);
