/* SPDX-License-Identifier: MIT */
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "usi/usi.h"

/*
 * Transcripts: what goes in, then all that came out, a line each. The search's thread writes too,
 * so what it wrote is read only under the lock, or when it has finished.
 */
struct session {
	struct usi *usi;
	pthread_mutex_t lock;
	char out[1 << 16];
	size_t length;
};

static inline void record(void *context, const char *line)
{
	struct session *session = context;
	size_t length = strlen(line);

	pthread_mutex_lock(&session->lock);
	assert_true(session->length + length + 2 < sizeof(session->out));
	memcpy(session->out + session->length, line, length);
	session->length += length;
	session->out[session->length++] = '\n';
	session->out[session->length] = 0;
	pthread_mutex_unlock(&session->lock);
}

static inline struct session *begin(void)
{
	struct session *session = calloc(1, sizeof(*session));
	struct usi_host host = {.context = session, .write = record};

	assert_non_null(session);
	assert_int_equal(pthread_mutex_init(&session->lock, NULL), 0);
	assert_int_equal(usi_create(&host, &session->usi), STATUS_OK);
	return session;
}

static inline void end(struct session *session)
{
	usi_destroy(session->usi);
	pthread_mutex_destroy(&session->lock);
	free(session);
}

static inline void say(struct session *session, const char *line)
{
	assert_true(usi_command(session->usi, line, strlen(line)));
}

static inline size_t count_lines(struct session *session, const char *beginning)
{
	size_t count = 0;

	pthread_mutex_lock(&session->lock);
	for (const char *line = session->out; *line; line = strchr(line, '\n') + 1)
		count += strncmp(line, beginning, strlen(beginning)) == 0;
	pthread_mutex_unlock(&session->lock);
	return count;
}

/* What came out since the last time, all of it. */
static inline void expect(struct session *session, const char *lines)
{
	pthread_mutex_lock(&session->lock);
	assert_string_equal(session->out, lines);
	session->length = 0;
	session->out[0] = 0;
	pthread_mutex_unlock(&session->lock);
}

static inline void forget(struct session *session)
{
	pthread_mutex_lock(&session->lock);
	session->length = 0;
	session->out[0] = 0;
	pthread_mutex_unlock(&session->lock);
}

static inline void expect_sfen(struct session *session, const char *sfen)
{
	char line[128] = "sfen: ";

	strcat(line, sfen);
	strcat(line, "\n");
	forget(session);
	say(session, "d");
	assert_non_null(strstr(session->out, line));
	forget(session);
}

static inline void sleep_ms(long ms)
{
	struct timespec delay = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&delay, NULL);
}

static inline void wait_for_bestmove(struct session *session)
{
	for (int i = 0; i < 10000 && count_lines(session, "bestmove ") == 0; i++)
		sleep_ms(1);
	assert_int_equal(count_lines(session, "bestmove "), 1);
}
