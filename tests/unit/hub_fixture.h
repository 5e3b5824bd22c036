/* SPDX-License-Identifier: MIT */
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "room_fixture.h"
#include "server/hub.h"

/*
 * A hub over a real writer and a store in memory. Nothing is reported before a test calls `settle`
 * or `collect`, so the time between a request and its answer lies open.
 */
enum {
	HUB_ROWS_MAX = 2 * WRITER_WAITING_MAX,
	HUB_ROOMS_MAX = WRITER_WAITING_MAX + 8,
	REQUEST_MS = 60000,
	HEARD_MS = 30000,
	RELOAD_MS = 3000,
	KEPT_MS = 300000,
	UNPLAYED_MS = 24 * 3600 * 1000,
	ROOM_MS = 7 * UNPLAYED_MS /* an int holds no month */
};

struct store {
	pthread_mutex_t mutex; /* the writer's thread appends, the test looks */
	bool failing;
	size_t count;
	struct store_row rows[HUB_ROWS_MAX];
	char archive[1024]; /* of all rooms that were removed */
};

struct hub_fixture;

/* What came of one request. */
struct answer {
	struct hub_fixture *f;
	int calls;
	enum status status;
	uint64_t rev;
	size_t rows; /* in the store when it came */
	struct snapshot snapshot;
};

/* What one watcher was told. */
struct ear {
	struct hub_watcher watcher;
	int calls;    /* with a state */
	uint64_t rev; /* the last one */
	struct snapshot snapshot;
	int presence_calls;
	char presence[PRESENCE_JSON]; /* the last one */
	bool ended;                   /* told that nothing more comes */
};

enum { ANSWERS = 5, TABLE_ANSWER = ANSWERS - 1, EARS = 4 };

/* Answers and ears lie here, so that they outlive a test that fails half-way. */
struct hub_fixture {
	struct store store;
	struct writer *writer;
	struct hub *hub;
	struct answer answers[ANSWERS]; /* the last one is open_table's */
	struct ear ears[EARS];
};

static inline enum status fake_remove(struct store *store, const struct store_row *removal)
{
	size_t kept = 0;

	for (size_t i = 0; i < store->count; i++)
		if (strcmp(store->rows[i].room, removal->room) != 0)
			store->rows[kept++] = store->rows[i];
	if (kept == store->count)
		return STATUS_STORE_CONFLICT;
	store->count = kept;
	if (removal->archive)
		strncat(store->archive, removal->archive,
			sizeof(store->archive) - strlen(store->archive) - 1);
	return STATUS_OK;
}

static inline enum status fake_append(struct store *store, const struct store_row *rows,
	size_t count, enum status *statuses, struct store_problem *problem)
{
	enum status result = STATUS_OK;

	pthread_mutex_lock(&store->mutex);
	if (store->failing) {
		snprintf(problem->text, sizeof(problem->text), "the disk is full");
		result = STATUS_STORE_WRITE;
	}
	for (size_t i = 0; i < count; i++) {
		statuses[i] = result;
		if (rows[i].kind == STORE_REMOVAL) {
			if (result == STATUS_OK)
				statuses[i] = fake_remove(store, &rows[i]);
			continue;
		}
		for (size_t k = 0; k < store->count && statuses[i] == STATUS_OK; k++)
			if (store->rows[k].rev == rows[i].rev &&
				strcmp(store->rows[k].room, rows[i].room) == 0)
				statuses[i] = STATUS_STORE_CONFLICT;
		if (statuses[i] == STATUS_OK)
			store->rows[store->count++] = rows[i];
	}
	pthread_mutex_unlock(&store->mutex);
	return result;
}

static const struct store_ops fake_ops = {.append = fake_append};

static inline void ignore_wake(void *context)
{
	(void)context;
}

static const struct hub_limits limits = {
	.rooms_max = HUB_ROOMS_MAX,
	.presence = {.heard_ms = HEARD_MS, .reload_ms = RELOAD_MS, .kept_ms = KEPT_MS},
	.room_ms = ROOM_MS,
	.unplayed_ms = UNPLAYED_MS,
	.request_ms = REQUEST_MS,
};

static inline int set_up_hub(void **state)
{
	struct hub_fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	*state = f;
	pthread_mutex_init(&f->store.mutex, NULL);
	if (writer_create(&fake_ops, &f->store, ignore_wake, NULL, &f->writer) != STATUS_OK)
		return -1;
	return hub_create(games(), f->writer, limits, &f->hub) == STATUS_OK ? 0 : -1;
}

static inline void note_news(void *context, enum hub_news news, uint64_t rev, const char *json)
{
	struct ear *ear = context;

	assert_false(ear->ended);
	switch (news) {
	case HUB_STATE:
		ear->calls++;
		ear->rev = rev;
		snprintf(ear->snapshot.text, sizeof(ear->snapshot.text), "%s", json);
		break;
	case HUB_PRESENCE:
		ear->presence_calls++;
		snprintf(ear->presence, sizeof(ear->presence), "%s", json);
		break;
	case HUB_END:
		ear->ended = true;
		assert_null(json);
		break;
	}
}

static inline void hear(struct ear *ear, struct hosted *hosted, enum room_seat seat)
{
	*ear = (struct ear){.watcher = {.hosted = hosted, .seat = seat, .watch = note_news}};
	ear->watcher.context = ear;
	hub_add_watcher(&ear->watcher);
}

/* May be called again, and of an ear that never heard. */
static inline void stop_hearing(struct ear *ear)
{
	if (ear->watcher.hosted)
		hub_remove_watcher(&ear->watcher);
	ear->watcher.hosted = NULL;
}

static inline int tear_down_hub(void **state)
{
	struct hub_fixture *f = *state;

	writer_destroy(f->writer);
	for (size_t i = 0; i < EARS; i++)
		stop_hearing(&f->ears[i]);
	hub_destroy(f->hub);
	pthread_mutex_destroy(&f->store.mutex);
	free(f);
	return 0;
}

static inline void set_failing(struct hub_fixture *f, bool failing)
{
	pthread_mutex_lock(&f->store.mutex);
	f->store.failing = failing;
	pthread_mutex_unlock(&f->store.mutex);
}

static inline size_t rows_on_disk(struct hub_fixture *f)
{
	size_t count;

	pthread_mutex_lock(&f->store.mutex);
	count = f->store.count;
	pthread_mutex_unlock(&f->store.mutex);
	return count;
}

/* Puts a row on disk that the hub knows nothing of. */
static inline void put_row(struct hub_fixture *f, const char *room, uint64_t rev)
{
	struct store_row *row = &f->store.rows[f->store.count++];

	row->rev = rev;
	snprintf(row->room, sizeof(row->room), "%s", room);
}

/* Lets the writer write what it has, without telling the hub. */
static inline void write_out(struct hub_fixture *f)
{
	writer_drain(f->writer);
}

/* Tells the hub of what is written so far. */
static inline size_t collect(struct hub_fixture *f)
{
	return writer_collect(f->writer, hub_written, f->hub);
}

/* Until every request is answered. */
static inline void settle(struct hub_fixture *f)
{
	do
		write_out(f);
	while (collect(f) > 0);
}

static inline void note_answer(void *context, const struct hub_result *result)
{
	struct answer *answer = context;

	answer->calls++;
	answer->status = result->status;
	answer->rev = result->rev;
	answer->rows = rows_on_disk(answer->f);
	answer->snapshot.text[0] = 0;
	if (result->snapshot)
		snprintf(answer->snapshot.text, sizeof(answer->snapshot.text), "%s",
			result->snapshot);
}

static inline void assert_answered(const struct answer *answer, enum status status, uint64_t rev)
{
	assert_int_equal(answer->calls, 1);
	assert_string_equal(status_code(answer->status), status_code(status));
	assert_int_equal(answer->rev, rev);
}

static inline void ask_room(struct hub_fixture *f, const char *id, struct answer *answer)
{
	struct room_event event = creation("toy");

	*answer = (struct answer){.f = f};
	hub_open_room(f->hub, id, &event, note_answer, answer);
}

static inline void ask_join(
	struct hub_fixture *f, struct hosted *hosted, unsigned char key, struct answer *answer)
{
	struct room_hash secret = hash_of(invitation);
	struct room_hash hash = hash_of(key);

	*answer = (struct answer){.f = f};
	hub_join(f->hub, hosted, &secret, "toy", &hash, note_answer, answer);
}

static inline struct room_hash seat_key(enum room_seat seat)
{
	return hash_of(seat == ROOM_HOST ? host_key : guest_key);
}

static inline void ask_play(struct hub_fixture *f, struct hosted *hosted, enum room_seat seat,
	const char *command, uint64_t rev, struct answer *answer)
{
	struct room_command play =
		play_command(hosted_room(hosted), seat, command, toy_action(TOY_TAKE_1));

	struct room_hash key = seat_key(seat);

	play.rev = rev;
	*answer = (struct answer){.f = f};
	hub_command(f->hub, hosted, &key, &play, note_answer, answer);
}

static inline void send_command(struct hub_fixture *f, struct hosted *hosted, enum room_seat seat,
	const char *id, enum room_op op, struct answer *answer)
{
	struct room_command command = command_of(hosted_room(hosted), seat, id, op);
	struct room_hash key = seat_key(seat);

	command.request = ROOM_NEW_GAME;
	command.accept = true;
	*answer = (struct answer){.f = f};
	hub_command(f->hub, hosted, &key, &command, note_answer, answer);
}

static inline struct hosted *find(struct hub_fixture *f, const char *id)
{
	return hub_find(f->hub, id, strlen(id));
}

/* A room with both seats taken: revision 2. */
static inline struct hosted *open_table(struct hub_fixture *f, const char *id)
{
	struct answer *answer = &f->answers[TABLE_ANSWER];
	struct hosted *hosted;

	ask_room(f, id, answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 1);
	hosted = find(f, id);
	assert_non_null(hosted);
	ask_join(f, hosted, guest_key, answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 2);
	return hosted;
}
