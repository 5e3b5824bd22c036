/* SPDX-License-Identifier: MIT */
#include "client/client.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/random.h"
#include "client/transfer.h"

enum {
	URL_BYTES = LINK_SERVER_BYTES + ROOM_ID_BYTES + 64,
	BODY_BYTES = CLIENT_MEMBERS_BYTES + 256,
	PROBLEM_BYTES = 512,
	ID_BYTES = 33, /* 32 hex digits, and the final zero */

	PING_MS = 10000, /* a server says something at least so often */
	WAIT_FIRST_MS = 500,
	WAIT_MAX_MS = 8000,
	RETRY_AFTER_MAX = 30, /* in seconds: no server is believed more */
	POLL_MS = 60000,
	/* Before the room was ever heard of, whoever waits is told soon: after so many tries, or
	 * where the server names a time to come back. */
	TRIES_MAX = 4,
};

/* Something that is tried again, each time later. */
struct retry {
	unsigned tries; /* that failed since the last success */
	uint64_t at_ms; /* when it is time; 0: it is not waiting */
};

struct client {
	const struct game_ops *ops;
	struct client_seat seat;
	struct client_ears ears;
	struct transfer_manners manners;
	CURLM *multi;
	struct random random;
	enum client_end end;
	char problem[PROBLEM_BYTES];
	bool lost; /* as was said */

	bool has_snapshot;
	struct client_snapshot snapshot;
	char last_id[EVENT_WORD_BYTES]; /* of the newest state of the stream; empty: none yet */

	struct transfer events;
	struct retry events_retry;
	uint64_t events_start_ms;

	struct transfer ask; /* for the seat at first, then commands */
	struct retry ask_retry;
	bool is_asking;
	char op[16]; /* empty: it is the seat */
	char members[CLIENT_MEMBERS_BYTES];
	char body[BODY_BYTES];
	char id_prefix[ID_BYTES];
	uint64_t ids; /* so many commands had an id, which is this number after the prefix */
};

static void draw(void *bytes, size_t length)
{
	/* So few bytes come whole, and cannot fail on any system that this runs on. */
	if (getrandom(bytes, length, 0) != (ssize_t)length)
		abort();
}

void client_draw_id(char id[ROOM_COMMAND_BYTES])
{
	unsigned char bytes[(ID_BYTES - 1) / 2];

	draw(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(id + 2 * i, 3, "%02x", bytes[i]);
}

__attribute__((format(printf, 3, 4))) static void end_with(
	struct client *client, enum client_end end, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(client->problem, sizeof(client->problem), format, arguments);
	va_end(arguments);
	client->end = end;
}

static void end_without_memory(struct client *client)
{
	end_with(client, CLIENT_FAILED, "%s", status_text(STATUS_NO_MEMORY));
}

/* Half of the time is left to chance, so that clients do not all come back at once. */
static void wait_longer(struct client *client, struct retry *retry, long retry_after)
{
	uint32_t wait = WAIT_FIRST_MS << (retry->tries < 4 ? retry->tries : 4);
	uint64_t asked = (uint64_t)(retry_after < RETRY_AFTER_MAX ? retry_after : RETRY_AFTER_MAX);

	if (wait > WAIT_MAX_MS)
		wait = WAIT_MAX_MS;
	wait = wait / 2 + random_below(&client->random, wait / 2);
	if (wait < asked * 1000)
		wait = (uint32_t)asked * 1000;
	retry->tries++;
	retry->at_ms = clock_monotonic_ms() + wait;
}

/* It has failed, for a reason that may pass. */
static void try_again(
	struct client *client, struct retry *retry, long retry_after, const char *reason)
{
	if (!client->has_snapshot && (retry_after > 0 || retry->tries + 1 >= TRIES_MAX)) {
		end_with(client, CLIENT_FAILED, "%s", reason);
		return;
	}
	if (client->has_snapshot && !client->lost) {
		client->lost = true;
		client->ears.lost(client->ears.context, reason);
	}
	wait_longer(client, retry, retry_after);
}

/* A stream is found again when it is open, though nothing new may come; and well when it lasts. */
static void note_found(struct client *client, uint64_t now)
{
	if (!client->events.running || !client->events.is_open)
		return;
	if (now - client->events_start_ms > WAIT_MAX_MS)
		client->events_retry.tries = 0;
	if (!client->lost || client->ask_retry.tries > 0)
		return;
	client->lost = false;
	client->ears.found(client->ears.context);
}

/* The part of an event's id that tells the server's runs apart. */
static size_t epoch_length(const char *id)
{
	const char *dash = strrchr(id, '-');

	return dash ? (size_t)(dash - id) : strlen(id);
}

/*
 * Takes a snapshot that is newer than ours. Where the server may have gone back, as after a backup
 * was put in place, any other one.
 */
static void take_snapshot(
	struct client *client, const struct client_snapshot *snapshot, bool may_be_older)
{
	const struct client_snapshot *old = &client->snapshot;

	if (client->has_snapshot &&
		!(may_be_older ? snapshot->rev != old->rev : snapshot->rev > old->rev))
		return;
	client->snapshot = *snapshot;
	client->has_snapshot = true;
	client->ears.snapshot(client->ears.context, snapshot);
}

static void take_state(struct client *client, const struct event *event)
{
	struct client_snapshot snapshot;
	size_t length = epoch_length(event->id);
	bool same_run = length == epoch_length(client->last_id) &&
			memcmp(event->id, client->last_id, length) == 0;

	client->events.is_bad =
		!reply_read_snapshot(client->ops, event->data, event->length, &snapshot) ||
		strcmp(snapshot.room, client->seat.room) != 0;
	if (client->events.is_bad)
		return;
	client->events_retry.tries = 0;
	strcpy(client->last_id, event->id);
	take_snapshot(client, &snapshot, !same_run);
}

/* An event_take. What a newer server may say beside these is read over. */
static void take_event(void *context, const struct event *event)
{
	struct client *client = context;
	struct client_presences presences;

	note_found(client, clock_monotonic_ms());
	if (strcmp(event->name, "state") == 0)
		take_state(client, event);
	else if (strcmp(event->name, "presence") == 0 &&
		 reply_read_presence(event->data, event->length, &presences))
		client->ears.presence(client->ears.context, &presences);
}

static void start_events(struct client *client)
{
	char url[URL_BYTES];
	const struct transfer_wish wish = {
		.url = url,
		.key = client->seat.key,
		.last_id = client->last_id[0] ? client->last_id : NULL,
		.take = take_event,
		.context = client,
	};

	snprintf(url, sizeof(url), "%s/api/v1/rooms/%s/events", client->seat.server,
		client->seat.room);
	client->events_retry.at_ms = 0;
	client->events_start_ms = clock_monotonic_ms();
	if (!transfer_start(&client->events, &wish))
		end_without_memory(client);
}

static void start_ask(struct client *client)
{
	const struct client_seat *seat = &client->seat;
	bool is_command = client->op[0] != 0;
	char url[URL_BYTES];
	const struct transfer_wish wish = {
		.url = url,
		.key = is_command ? seat->key : NULL,
		.body = client->body,
	};

	if (is_command || seat->secret[0])
		snprintf(url, sizeof(url), "%s/api/v1/rooms/%s/%s", seat->server, seat->room,
			is_command ? "commands" : "join");
	else
		snprintf(url, sizeof(url), "%s/api/v1/rooms", seat->server);
	client->ask_retry.at_ms = 0;
	client->is_asking = true;
	if (!transfer_start(&client->ask, &wish))
		end_without_memory(client);
}

static void ask_for_seat(struct client *client)
{
	const struct client_seat *seat = &client->seat;

	client->op[0] = 0;
	if (seat->secret[0])
		snprintf(client->body, sizeof(client->body),
			"{\"invite\":\"%s.%s\",\"game\":\"%s\",\"id\":\"%s\"}", seat->room,
			seat->secret, client->ops->name, seat->join);
	else
		snprintf(client->body, sizeof(client->body), "{\"game\":\"%s\",\"settings\":{}}",
			client->ops->name);
	start_ask(client);
}

/* With a fresh id, and the revision that is known now. */
static void ask_command(struct client *client)
{
	snprintf(client->body, sizeof(client->body),
		"{\"rev\":%" PRIu64 ",\"id\":\"%s-%" PRIu64 "\",\"op\":\"%s\"%s}",
		client->snapshot.rev, client->id_prefix, ++client->ids, client->op,
		client->members);
	start_ask(client);
}

static void end_ask(struct client *client)
{
	client->is_asking = false;
	client->ask_retry = (struct retry){0};
}

static bool is_error(const struct client_refusal *refusal, const char *error)
{
	return strcmp(refusal->error, error) == 0;
}

/* Whether the seat is of no use any more. */
static bool is_final(const struct client_refusal *refusal)
{
	return is_error(refusal, "no-key") || is_error(refusal, "not-found") ||
	       is_error(refusal, "closed") ||
	       (is_error(refusal, "forbidden") && strcmp(refusal->reason, "no-seat") == 0);
}

/* The same request may well succeed later. */
static bool is_passing(const struct client_refusal *refusal)
{
	return refusal->code == 429 || refusal->code >= 500;
}

/* Reads what is not the answer that was wished for, and says it as a phrase. */
static void read_refusal(struct client *client, const struct transfer *transfer,
	struct client_refusal *refusal, char phrase[PROBLEM_BYTES])
{
	refusal->code = transfer->code;
	reply_read_refusal(client->ops, transfer->body, transfer->length, refusal);
	if (refusal->error[0])
		snprintf(phrase, PROBLEM_BYTES, "the server refuses (%s): %s%s%s", refusal->error,
			refusal->message[0] ? refusal->message : "It does not say why.",
			refusal->page[0] ? " Its page is " : "", refusal->page);
	else
		snprintf(phrase, PROBLEM_BYTES, "%s gives an answer (%ld) that is none of Komadai",
			client->seat.server, refusal->code);
}

static bool is_leaving(const struct client *client)
{
	return client->is_asking && strcmp(client->op, "leave") == 0;
}

static void finish_events(struct client *client, enum transfer_end end)
{
	struct transfer *events = &client->events;
	struct client_refusal refusal;
	char phrase[PROBLEM_BYTES];

	/* Who leaves may have no stream any more before the answer is there, which says the rest.
	 */
	if (is_leaving(client)) {
		wait_longer(client, &client->events_retry, events->retry_after);
	} else if (end == TRANSFER_ANSWERED && !events->is_open) {
		read_refusal(client, events, &refusal, phrase);
		if (is_final(&refusal))
			end_with(client, CLIENT_GONE, "%s", phrase);
		else
			try_again(client, &client->events_retry, events->retry_after, phrase);
	} else if (end == TRANSFER_UNTRUSTED && !client->has_snapshot) {
		end_with(client, CLIENT_FAILED, "%s", events->problem);
	} else {
		try_again(client, &client->events_retry, events->retry_after, events->problem);
	}
}

static bool read_seat_answer(struct client *client)
{
	struct client_snapshot snapshot;
	const struct transfer *ask = &client->ask;

	if (!reply_read_seat(client->ops, ask->body, ask->length, &client->seat, &snapshot))
		return false;
	end_ask(client);
	client->ears.seated(client->ears.context, &client->seat);
	take_snapshot(client, &snapshot, false);
	start_events(client);
	return true;
}

static bool read_command_answer(struct client *client)
{
	struct client_snapshot snapshot;
	char invite_url[SEAT_URL_BYTES];
	const struct transfer *ask = &client->ask;

	if (!reply_read_command(client->ops, ask->body, ask->length, &snapshot, invite_url) ||
		strcmp(snapshot.room, client->seat.room) != 0)
		return false;
	end_ask(client);
	if (strcmp(client->op, "leave") == 0) {
		end_with(client, CLIENT_LEFT, "the seat is given up");
		return true;
	}
	if (invite_url[0]) {
		strcpy(client->seat.invite_url, invite_url);
		client->ears.invited(client->ears.context, &client->seat);
	}
	take_snapshot(client, &snapshot, false);
	return true;
}

/*
 * The room had moved on, though not in what the command is about: a request was made or ran out,
 * say. Who leaves means it in any case. Whether it is sent once more.
 */
static bool send_again_when_stale(struct client *client, const struct client_refusal *refusal)
{
	struct client_snapshot before = client->snapshot;
	bool same;

	if (!is_error(refusal, "stale") || !refusal->has_snapshot ||
		strcmp(refusal->snapshot.room, client->seat.room) != 0)
		return false;
	take_snapshot(client, &refusal->snapshot, true);
	same = strcmp(client->op, "play") == 0 && before.games == client->snapshot.games &&
	       strcmp(before.position, client->snapshot.position) == 0;
	if (!same && strcmp(client->op, "leave") != 0)
		return false;
	ask_command(client);
	return true;
}

static void refuse_ask(struct client *client, const char *phrase, struct client_refusal *refusal)
{
	bool was_sent_before = client->ask_retry.tries > 0;

	if (is_passing(refusal)) {
		try_again(client, &client->ask_retry, client->ask.retry_after, phrase);
	} else if (!client->op[0]) {
		/* Somebody else than the server tells nothing of the seat. */
		end_with(client, refusal->error[0] ? CLIENT_GONE : CLIENT_FAILED, "%s", phrase);
	} else if (is_final(refusal)) {
		/* The answer to the first sending may have been lost. */
		if (strcmp(client->op, "leave") == 0 && was_sent_before)
			end_with(client, CLIENT_LEFT, "the seat is given up");
		else
			end_with(client, CLIENT_GONE, "%s", phrase);
	} else if (!send_again_when_stale(client, refusal)) {
		end_ask(client);
		client->ears.refused(client->ears.context, refusal);
	}
}

static void finish_ask(struct client *client, enum transfer_end end)
{
	struct transfer *ask = &client->ask;
	bool is_done = end == TRANSFER_ANSWERED && (ask->code == 200 || ask->code == 201);
	bool makes_room = !client->op[0] && !client->seat.secret[0];
	struct client_refusal refusal;
	char phrase[PROBLEM_BYTES];

	if (is_done && (client->op[0] ? read_command_answer(client) : read_seat_answer(client)))
		return;
	if (end == TRANSFER_ANSWERED) {
		read_refusal(client, ask, &refusal, phrase);
		/* Of a success whose text is nonsense nobody knows what was done. */
		if (is_done)
			try_again(client, &client->ask_retry, 0, phrase);
		else
			refuse_ask(client, phrase, &refusal);
	} else if (!client->has_snapshot &&
		   (end == TRANSFER_UNTRUSTED || (makes_room && end != TRANSFER_UNREACHABLE))) {
		/* A room that was made although no answer came would be made twice. */
		end_with(client, CLIENT_FAILED, "%s", ask->problem);
	} else {
		try_again(client, &client->ask_retry, ask->retry_after, ask->problem);
	}
}

static void take_results(struct client *client)
{
	CURLMsg *message;
	int left;

	while (client->end == CLIENT_GOES_ON &&
		(message = curl_multi_info_read(client->multi, &left))) {
		CURLcode result = message->data.result;
		char *owner = NULL;

		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
		if ((void *)owner == (void *)&client->events)
			finish_events(client, transfer_finish(&client->events, result));
		else
			finish_ask(client, transfer_finish(&client->ask, result));
	}
}

/* When the stream is to be given up: it does not begin, or nothing comes any more. */
static uint64_t events_deadline(const struct client *client)
{
	uint64_t patience = (uint64_t)client->manners.patience_ms;

	if (client->events.is_open && client->has_snapshot)
		return client->events.heard_ms + PING_MS + patience;
	return client->events_start_ms + patience;
}

static void give_up_on_silence(struct client *client, uint64_t now)
{
	if (client->end != CLIENT_GOES_ON || !client->events.running ||
		now < events_deadline(client))
		return;
	transfer_stop(&client->events);
	try_again(client, &client->events_retry, 0, "the server says nothing");
}

static void start_what_is_due(struct client *client, uint64_t now)
{
	if (client->events_retry.at_ms && now >= client->events_retry.at_ms)
		start_events(client);
	if (client->ask_retry.at_ms && now >= client->ask_retry.at_ms)
		start_ask(client);
}

static int wait_ms(const struct client *client, uint64_t now)
{
	const uint64_t times[] = {
		client->events.running ? events_deadline(client) : 0,
		client->events_retry.at_ms,
		client->ask_retry.at_ms,
	};
	uint64_t wait = POLL_MS;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		uint64_t left = times[i] > now ? times[i] - now : 0;

		if (times[i] && left < wait)
			wait = left;
	}
	return (int)wait;
}

bool client_poll(struct client *client, int fd)
{
	struct curl_waitfd extra = {.fd = fd, .events = CURL_WAIT_POLLIN};
	uint64_t now = clock_monotonic_ms();
	int running;

	curl_multi_poll(client->multi, &extra, fd >= 0, wait_ms(client, now), NULL);
	now = clock_monotonic_ms();
	start_what_is_due(client, now);
	curl_multi_perform(client->multi, &running);
	take_results(client);
	give_up_on_silence(client, now);
	note_found(client, now);
	return fd >= 0 && extra.revents != 0;
}

struct client *client_create(const struct client_options *options)
{
	struct client *client = calloc(1, sizeof(*client));
	char id[ROOM_COMMAND_BYTES];

	if (!client)
		return NULL;
	client->ops = options->ops;
	client->seat = options->seat;
	client->ears = options->ears;
	client->manners = (struct transfer_manners){options->ca_file, options->patience_ms};
	client_draw_id(id);
	memcpy(client->id_prefix, id, ID_BYTES);
	draw(&client->random.state, sizeof(client->random.state));
	client->multi = curl_multi_init();
	if (!client->multi)
		goto fail_multi;
	if (!transfer_init(&client->events, client->multi, &client->manners))
		goto fail_events;
	if (!transfer_init(&client->ask, client->multi, &client->manners))
		goto fail_ask;
	if (client->seat.key[0])
		start_events(client);
	else
		ask_for_seat(client);
	return client;

fail_ask:
	transfer_release(&client->events);
fail_events:
	curl_multi_cleanup(client->multi);
fail_multi:
	free(client);
	return NULL;
}

void client_destroy(struct client *client)
{
	transfer_release(&client->ask);
	transfer_release(&client->events);
	curl_multi_cleanup(client->multi);
	free(client);
}

enum client_end client_end(const struct client *client)
{
	return client->end;
}

const char *client_problem(const struct client *client)
{
	return client->problem;
}

enum client_state client_state(const struct client *client)
{
	if (!client->has_snapshot)
		return CLIENT_TAKING_SEAT;
	return client->is_asking ? CLIENT_SENDING : CLIENT_READY;
}

void client_send(struct client *client, const char *op, const char *members)
{
	assert(client_state(client) == CLIENT_READY);
	assert(strlen(op) < sizeof(client->op) && strlen(members) < sizeof(client->members));
	strcpy(client->op, op);
	strcpy(client->members, members);
	ask_command(client);
}
