/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include "match/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"

/* Splits `text` in place; the list ends with NULL. False: no word, or too many. */
static bool split_words(char *text, char *words[CHILD_WORDS_MAX + 1])
{
	size_t count = 0;
	char *rest;

	for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		if (count == CHILD_WORDS_MAX)
			return false;
		words[count++] = word;
	}
	words[count] = NULL;
	return count > 0;
}

/* In the new process: becomes the program, or says why not. Does not return. */
static void become(char **words, int input, int output, pid_t parent)
{
#ifdef __linux__
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		_exit(127);
#endif
	/* The parent may have died before the line above. */
	if (getppid() != parent)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
		_exit(127);
	execvp(words[0], words);
	dprintf(STDERR_FILENO, "komadai-match: %s: %s\n", words[0], strerror(errno));
	_exit(127);
}

static void close_pair(const int pair[2])
{
	int saved = errno;

	close(pair[0]);
	close(pair[1]);
	errno = saved;
}

bool child_start(struct child *child, const char *command)
{
	char *words[CHILD_WORDS_MAX + 1];
	char *copy = strdup(command);
	pid_t parent = getpid();
	int down[2];
	int up[2];

	if (!copy)
		return false;
	if (!split_words(copy, words)) {
		errno = EINVAL;
		goto fail_words;
	}
	if (pipe2(down, O_CLOEXEC) != 0)
		goto fail_words;
	if (pipe2(up, O_CLOEXEC) != 0)
		goto fail_down;
	if (fcntl(down[1], F_SETFL, O_NONBLOCK) != 0)
		goto fail_up;
	child->pid = fork();
	if (child->pid == 0)
		become(words, down[0], up[1], parent);
	if (child->pid < 0)
		goto fail_up;
	close(down[0]);
	close(up[1]);
	child->input = down[1];
	child->output = up[0];
	child->length = 0;
	free(copy);
	return true;
fail_up:
	close_pair(up);
fail_down:
	close_pair(down);
fail_words:
	child->pid = 0;
	free(copy);
	return false;
}

void child_stop(struct child *child)
{
	if (!child->pid)
		return;
	close(child->input);
	close(child->output);
	kill(child->pid, SIGKILL);
	while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
}

bool child_send(struct child *child, const char *line)
{
	size_t length = strlen(line);
	ssize_t sent;

	/* A line that fits is written whole or not at all up to PIPE_BUF; a longer one may be cut.
	 */
	do
		sent = write(child->input, line, length);
	while (sent < 0 && errno == EINTR);
	if (sent != (ssize_t)length)
		return false;
	do
		sent = write(child->input, "\n", 1);
	while (sent < 0 && errno == EINTR);
	return sent == 1;
}

/* Takes the first whole line out of the buffer; false: there is none. */
static bool take_line(struct child *child, char line[CHILD_LINE_MAX])
{
	char *end = memchr(child->buffer, '\n', child->length);
	size_t length;

	if (!end)
		return false;
	length = (size_t)(end - child->buffer);
	memcpy(line, child->buffer, length);
	child->length -= length + 1;
	memmove(child->buffer, end + 1, child->length);
	if (length && line[length - 1] == '\r')
		length--;
	line[length] = 0;
	return true;
}

enum child_answer child_read(struct child *child, uint64_t deadline_ms, char line[CHILD_LINE_MAX])
{
	for (;;) {
		struct pollfd ready = {.fd = child->output, .events = POLLIN};
		uint64_t now = clock_monotonic_ms();
		ssize_t got;

		/* First, so that a child that never stops talking is late all the same. */
		if (now >= deadline_ms)
			return CHILD_LATE;
		if (take_line(child, line))
			return CHILD_LINE;
		if (child->length == sizeof(child->buffer))
			return CHILD_GONE;
		if (poll(&ready, 1, (int)(deadline_ms - now)) <= 0)
			continue;
		got = read(child->output, child->buffer + child->length,
			sizeof(child->buffer) - child->length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return CHILD_GONE;
		child->length += (size_t)got;
	}
}
