/* SPDX-License-Identifier: MIT */
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "hash.h"
#include "sim.h"

enum { SNAPSHOT_EVENT = ROOM_SNAPSHOT_JSON + 256, ANSWER_BYTES = ROOM_SNAPSHOT_JSON + 2048 };

/* One request at the server. */
struct http_exchange {
	uint64_t number;
	uint64_t arrived_ms;
	struct errand *errand;
	unsigned attempt;
	bool limited; /* the seat asks too much */
	struct http_note note;
	void *context;
	void (*gone)(void *context);
	struct http_exchange *next;
};

struct http_stream {
	uint64_t number;
	size_t tab;
	char address[ROOM_ID_BYTES];
	struct known_room *room; /* where it counts for `seat`; NULL: for nobody */
	enum room_seat seat;
	char presence[PRESENCE_JSON]; /* as it was said last */
	bool presence_waits;
	void *context;
	void (*gone)(void *context);
	uint64_t arrival_ms; /* of the last message: a stream keeps its order */
	bool waiting;        /* an event waits: its revision and id */
	bool cut;            /* nothing arrives any more */
	uint64_t rev;
	char id[64];
	struct http_stream *next;
};

/* On its way to a tab: an answer, or of a stream. */
struct message {
	struct errand *errand;
	unsigned attempt;
	struct reply reply;
	uint64_t stream;
	char id[64];
	char presence[PRESENCE_JSON]; /* of such an event */
	struct message *prev;
	struct message *next;
};

static void hash_key(const char *key, char hex[HEX_BYTES])
{
	struct secret secret;
	struct room_hash hash;

	snprintf(secret.text, sizeof(secret.text), "%s", key);
	hash = secret_hash(&secret);
	hash_to_hex(&hash, hex);
}

static uint64_t delay(struct sim *sim)
{
	if (chance(&sim->random, 5))
		return between(&sim->random, 0, 10 * sim->delay_ms);
	return between(&sim->random, 0, sim->delay_ms);
}

static struct message *message_make(struct sim *sim)
{
	struct message *message = calloc(1, sizeof(*message));

	if (!message)
		abort();
	message->next = sim->wire.messages;
	if (message->next)
		message->next->prev = message;
	sim->wire.messages = message;
	return message;
}

static void message_free(struct sim *sim, struct message *message)
{
	if (message->next)
		message->next->prev = message->prev;
	if (message->prev)
		message->prev->next = message->next;
	else
		sim->wire.messages = message->next;
	free(message);
}

/* What a client reads: members that come before the snapshot, but for its revision. */
static void copy_member(const char *json, const char *name, char *to, size_t capacity)
{
	char member[32];
	const char *at;
	size_t length;

	snprintf(member, sizeof(member), "\"%s\":\"", name);
	at = strstr(json, member);
	to[0] = 0;
	if (!at)
		return;
	at += strlen(member);
	length = strcspn(at, "\"");
	if (length < capacity) {
		memcpy(to, at, length);
		to[length] = 0;
	}
}

static void read_reply(struct sim *sim, int code, const char *json, size_t length,
	const struct errand *errand, struct reply *reply)
{
	char seat[16];
	char url[256];
	const char *snapshot = strstr(json, "\"snapshot\":");
	const char *link;

	*reply = (struct reply){.code = code};
	if (code >= 300) {
		/* A game in a snapshot has a reason too. */
		if (code == 403 || code == 503)
			copy_member(json, "reason", reply->word, sizeof(reply->word));
		if (!reply->word[0])
			copy_member(json, "error", reply->word, sizeof(reply->word));
	} else {
		copy_member(json, "room", reply->room, sizeof(reply->room));
	}
	if (snapshot) {
		snapshot += strlen("\"snapshot\":");
		length -= (size_t)(snapshot - json) + 1;
	} else if (code < 300) {
		snapshot = json;
	}
	if (snapshot)
		reply->rev = check_snapshot(sim, snapshot, length);
	if (errand->kind == ERRAND_CREATE || errand->kind == ERRAND_JOIN) {
		copy_member(json, "seat", seat, sizeof(seat));
		reply->seat = strcmp(seat, "guest") == 0 ? ROOM_GUEST : ROOM_HOST;
		copy_member(json, "key", reply->key, sizeof(reply->key));
	}
	copy_member(json, "inviteUrl", url, sizeof(url));
	link = strstr(url, "#invite=");
	if (link)
		snprintf(reply->link, sizeof(reply->link), "%s", link + strlen("#invite="));
}

static void deliver_reply(struct sim *sim, void *what, uint64_t number)
{
	struct message *message = what;

	(void)number;
	tab_reply(sim, &sim->tabs[message->errand->tab], message->errand, message->attempt,
		&message->reply);
	message_free(sim, message);
}

static void deliver_failure(struct sim *sim, void *what, uint64_t number)
{
	struct errand *errand = what;

	tab_failed(sim, &sim->tabs[errand->tab], errand, (unsigned)number);
}

static struct http_exchange **exchange_find(struct sim *sim, const struct http_exchange *exchange)
{
	struct http_exchange **at = &sim->wire.exchanges;

	while (*at != exchange)
		at = &(*at)->next;
	return at;
}

/* Faults of breakage.h, in what the server says. */
static void bend_snapshot(struct sim *sim, char *text, bool streamed)
{
	static const char guest[] = "\"starterRole\":\"guest\"";
	static const char host[] = "\"starterRole\":\"host\" ";
	static const char playing[] = "\"phase\":\"playing\"";
	static const char key[] = "\"seat\":\"guest\",\"key\":\"";
	char *at;

	if (sim->breakage == BREAK_FIRST_PLAYER) {
		at = strstr(text, guest);
		if (at)
			memcpy(at, host, strlen(host));
	} else if (sim->breakage == BREAK_WRONG_KEY) {
		at = strstr(text, key);
		if (at)
			at[strlen(key)] = at[strlen(key)] == 'A' ? 'B' : 'A';
	} else if (sim->breakage == BREAK_OTHER_STATE && streamed && chance(&sim->random, 20)) {
		at = strstr(text, playing);
		if (at)
			memcpy(at + strlen("\"phase\":\""), "waiting", strlen("waiting"));
	}
}

void http_reply(struct http_exchange *exchange, int status_code, const struct http_header *headers,
	size_t header_count, const char *body, size_t length)
{
	struct sim *sim = the_sim;
	char text[ANSWER_BYTES];
	struct message *message = message_make(sim);
	bool failures = sim->last_failure_ms && sim->last_failure_ms + 3000 >= exchange->arrived_ms;

	if (length >= sizeof(text))
		abort();
	memcpy(text, body, length);
	text[length] = 0;
	bend_snapshot(sim, text, false);
	message->errand = exchange->errand;
	message->attempt = exchange->attempt;
	read_reply(sim, status_code, text, length, exchange->errand, &message->reply);
	for (size_t i = 0; i < header_count; i++)
		if (strcmp(headers[i].name, "Retry-After") == 0)
			message->reply.retry_ms = 1000 * strtoull(headers[i].value, NULL, 10);
	check_reply(sim, exchange->errand, &message->reply, failures, exchange->limited);
	*exchange_find(sim, exchange) = exchange->next;
	free(exchange);
	if (chance(&sim->random, sim->loss))
		message_free(sim, message);
	else
		sim_enter(sim, delay(sim), deliver_reply, message, 0);
}

void http_reply_static(struct http_exchange *exchange, int status_code,
	const struct http_header *headers, size_t header_count, const char *body, size_t length)
{
	http_reply(exchange, status_code, headers, header_count, body, length);
}

struct http_note *http_exchange_note(struct http_exchange *exchange)
{
	return &exchange->note;
}

const char *http_exchange_peer(const struct http_exchange *exchange)
{
	(void)exchange;
	return "192.0.2.1";
}

void http_exchange_set_context(struct http_exchange *exchange, void *context)
{
	exchange->context = context;
}

void http_exchange_on_gone(struct http_exchange *exchange, void (*gone)(void *context))
{
	exchange->gone = gone;
}

static void exchange_end(struct sim *sim, struct http_exchange *exchange)
{
	*exchange_find(sim, exchange) = exchange->next;
	if (exchange->gone)
		exchange->gone(exchange->context);
	free(exchange);
}

/* The connection breaks while the request waits for its answer. */
static void hang_up(struct sim *sim, void *what, uint64_t number)
{
	struct http_exchange *exchange = sim->wire.exchanges;

	(void)what;
	while (exchange && exchange->number != number)
		exchange = exchange->next;
	if (!exchange)
		return;
	sim_enter(sim, delay(sim), deliver_failure, exchange->errand, exchange->attempt);
	exchange_end(sim, exchange);
}

/* Faults of breakage.h, in what the server hears. */
static struct errand bend_errand(struct sim *sim, const struct errand *errand, unsigned attempt)
{
	struct errand bent = *errand;
	struct known_room *room = room_find(sim, errand->room);
	bool again = sim->breakage == BREAK_TWICE && attempt > 1;

	if ((again && errand->kind == ERRAND_COMMAND) ||
		(sim->breakage == BREAK_NEW_KEY && errand->kind == ERRAND_JOIN))
		snprintf(bent.id, sizeof(bent.id), "e%llu-%u", (unsigned long long)errand->serial,
			(unsigned)between(&sim->random, 0, 1000000));
	if (sim->breakage == BREAK_OTHER_COMMAND)
		bent.wish.accept = !errand->wish.accept;
	if ((again || sim->breakage == BREAK_STALE) && room)
		bent.wish.rev = room->told;
	return bent;
}

/* What the request says of who is there, before the server does anything. */
static void hear(struct sim *sim, struct http_exchange *exchange)
{
	const struct errand *errand = exchange->errand;
	struct known_room *room;
	enum room_seat seat;
	char hex[HEX_BYTES];

	if (!errand->key[0])
		return;
	hash_key(errand->key, hex);
	room = people_hear(sim, errand->room, hex, &seat);
	if (room && errand->kind == ERRAND_COMMAND)
		exchange->limited = !people_may_command(sim, room, seat);
}

static void arrive(struct sim *sim, void *what, uint64_t number)
{
	struct errand *errand = what;
	struct errand bent = bend_errand(sim, errand, (unsigned)number);
	struct http_exchange *exchange;
	struct http_request request;
	char bytes[ERRAND_BYTES];

	if (!sim->server.up) {
		if (chance(&sim->random, 50))
			sim_enter(sim, delay(sim), deliver_failure, errand, number);
		return;
	}
	exchange = calloc(1, sizeof(*exchange));
	if (!exchange)
		abort();
	*exchange = (struct http_exchange){.number = ++sim->wire.exchanges_made,
		.arrived_ms = machine.now_ms,
		.errand = errand,
		.attempt = (unsigned)number,
		.next = sim->wire.exchanges};
	sim->wire.exchanges = exchange;
	if (chance(&sim->random, sim->loss / 2))
		sim_enter(sim, delay(sim), hang_up, NULL, exchange->number);
	hear(sim, exchange);
	errand_write(&bent, bytes);
	if (http_parse(bytes, strlen(bytes), &request) != HTTP_PARSE_DONE)
		abort();
	request.body = (struct http_slice){bytes + request.head_length, request.body_length};
	routes_handle(&sim->server.site, exchange, &request);
}

void wire_send(struct sim *sim, struct errand *errand, unsigned attempt)
{
	int copies = chance(&sim->random, sim->loss) ? 0 : 1;

	if (!sim->quiet && chance(&sim->random, 4))
		copies++;
	sim_trace(sim, "tab %zu sends %s, try %u, in %d copies", errand->tab, errand->id, attempt,
		copies);
	while (copies-- > 0)
		sim_enter(sim, delay(sim), arrive, errand, attempt);
}

static struct http_stream *stream_find(struct sim *sim, uint64_t number)
{
	struct http_stream *stream = sim->wire.streams;

	while (stream && stream->number != number)
		stream = stream->next;
	return stream;
}

/* The server sees that the stream has ended. */
static void stream_end(struct sim *sim, void *what, uint64_t number)
{
	struct http_stream *stream = stream_find(sim, number);
	struct http_stream **at = &sim->wire.streams;

	(void)what;
	if (!stream)
		return;
	while (*at != stream)
		at = &(*at)->next;
	*at = stream->next;
	if (stream->room)
		people_close_stream(stream->room, stream->seat);
	stream->gone(stream->context);
	free(stream);
}

static void deliver_opened(struct sim *sim, void *what, uint64_t number)
{
	struct message *message = what;

	(void)number;
	tab_stream_opened(sim, &sim->tabs[message->errand->tab], message->errand, message->attempt,
		message->stream);
	message_free(sim, message);
}

static void deliver_event(struct sim *sim, void *what, uint64_t number)
{
	struct message *message = what;

	if (message->presence[0])
		tab_stream_presence(sim, &sim->tabs[number], message->stream, message->presence);
	else
		tab_stream_event(
			sim, &sim->tabs[number], message->stream, message->reply.rev, message->id);
	message_free(sim, message);
}

static void deliver_bye(struct sim *sim, void *what, uint64_t number)
{
	struct message *message = what;

	tab_stream_bye(&sim->tabs[number], message->stream, message->reply.retry_ms);
	message_free(sim, message);
}

static void deliver_end(struct sim *sim, void *what, uint64_t number)
{
	struct message *message = what;

	tab_stream_ended(sim, &sim->tabs[number], message->stream);
	message_free(sim, message);
}

/* Enters a message of the stream behind those before it. */
static void stream_tell(struct sim *sim, struct http_stream *stream, uint64_t after_ms,
	agenda_act *act, struct message *message)
{
	uint64_t at = machine.now_ms + after_ms;

	if (at < stream->arrival_ms && sim->breakage != BREAK_UNORDERED)
		at = stream->arrival_ms;
	stream->arrival_ms = at;
	message->stream = stream->number;
	sim_enter(sim, at - machine.now_ms, act, message, stream->tab);
}

/* Neither side knows at once. */
static void stream_cut(struct sim *sim, struct http_stream *stream)
{
	stream->cut = true;
	stream_tell(sim, stream, between(&sim->random, 0, 25000), deliver_end, message_make(sim));
	sim_enter(sim, between(&sim->random, 0, 20000), stream_end, NULL, stream->number);
}

/* The reader takes what waits. */
static void stream_take(struct sim *sim, void *what, uint64_t number)
{
	struct http_stream *stream = stream_find(sim, number);
	struct message *message;

	(void)what;
	if (!stream || (!stream->waiting && !stream->presence_waits) || stream->cut)
		return;
	if (chance(&sim->random, sim->loss / 2)) {
		stream_cut(sim, stream);
		return;
	}
	message = message_make(sim);
	if (stream->presence_waits) {
		strcpy(message->presence, stream->presence);
		stream_tell(sim, stream, delay(sim), deliver_event, message);
		message = stream->waiting ? message_make(sim) : NULL;
	}
	if (message) {
		message->reply.rev = stream->rev;
		snprintf(message->id, sizeof(message->id), "%s", stream->id);
		stream_tell(sim, stream, delay(sim), deliver_event, message);
	}
	stream->waiting = stream->presence_waits = false;
}

/* From now on the player of its key is there. */
static void stream_count(struct sim *sim, struct http_stream *stream, const struct errand *errand)
{
	char hex[HEX_BYTES];

	strcpy(stream->address, errand->room);
	hash_key(errand->key, hex);
	stream->room = people_hear(sim, errand->room, hex, &stream->seat);
	if (stream->room)
		people_open_stream(stream->room, stream->seat);
}

struct http_stream *http_stream(struct http_exchange *exchange, const struct http_header *headers,
	size_t header_count, void (*gone)(void *context), void *context)
{
	struct sim *sim = the_sim;
	struct http_stream *stream = calloc(1, sizeof(*stream));
	struct message *message = message_make(sim);

	(void)headers;
	(void)header_count;
	if (!stream)
		abort();
	stream->number = ++sim->wire.streams_made;
	stream->tab = exchange->errand->tab;
	stream->gone = gone;
	stream->context = context;
	stream_count(sim, stream, exchange->errand);
	stream->next = sim->wire.streams;
	sim->wire.streams = stream;
	message->errand = exchange->errand;
	message->attempt = exchange->attempt;
	stream_tell(sim, stream, delay(sim), deliver_opened, message);
	*exchange_find(sim, exchange) = exchange->next;
	free(exchange);
	if (chance(&sim->random, sim->loss))
		stream_cut(sim, stream);
	return stream;
}

static void offer_presence(struct sim *sim, struct http_stream *stream, const char *json)
{
	if (stream->presence[0] && sim->breakage == BREAK_UNTOLD_PRESENCE &&
		chance(&sim->random, 20))
		return;
	if (stream->room)
		check_presence(sim, stream->room, json);
	snprintf(
		stream->presence, sizeof(stream->presence), "%.*s", (int)strcspn(json, "\n"), json);
	sim_mix(sim, hash_bytes(json, strlen(json)));
	stream->presence_waits = true;
}

void http_stream_offer(struct http_stream *stream, unsigned kind, const char *event, size_t length)
{
	static const char presence[] = "event: presence\ndata: ";
	struct sim *sim = the_sim;
	char text[SNAPSHOT_EVENT];
	char *data;

	if (length >= sizeof(text))
		abort();
	if (kind == 1 && sim->breakage == BREAK_DEAF_STREAM && chance(&sim->random, 5))
		return;
	memcpy(text, event, length);
	text[length] = 0;
	if (!stream->waiting && !stream->presence_waits && !stream->cut)
		sim_enter(sim, delay(sim), stream_take, NULL, stream->number);
	if (strncmp(text, presence, strlen(presence)) == 0) {
		offer_presence(sim, stream, text + strlen(presence));
		return;
	}
	if (!stream->presence[0])
		sim_fail(sim, "presence", "a stream begins with %.40s", text);
	bend_snapshot(sim, text, true);
	data = strstr(text, "\ndata: ");
	if (!data || sscanf(text, "id: %63s\n", stream->id) != 1) {
		sim_fail(sim, "answer", "an event has no form: %.200s", text);
		return;
	}
	data += strlen("\ndata: ");
	stream->rev = check_snapshot(sim, data, strcspn(data, "\n"));
	stream->waiting = true;
}

void http_stream_close(struct http_stream *stream)
{
	struct sim *sim = the_sim;

	if (stream->waiting || stream->presence_waits)
		stream_take(sim, NULL, stream->number);
	if (!stream->cut)
		stream_tell(sim, stream, delay(sim), deliver_end, message_make(sim));
	stream->cut = true;
	sim_enter(sim, delay(sim), stream_end, NULL, stream->number);
}

void wire_leave_stream(struct sim *sim, uint64_t number)
{
	struct http_stream *stream = stream_find(sim, number);

	if (stream) {
		stream->cut = true;
		sim_enter(sim, between(&sim->random, 0, 20000), stream_end, NULL, number);
	}
}

void wire_say_bye(struct sim *sim)
{
	for (struct http_stream *stream = sim->wire.streams; stream; stream = stream->next) {
		struct message *message;

		if (stream->cut)
			continue;
		message = message_make(sim);
		message->reply.retry_ms = between(&sim->random, 500, 4500);
		stream_tell(sim, stream, delay(sim), deliver_bye, message);
	}
}

void wire_forget(struct sim *sim, struct known_room *room, enum room_seat seat)
{
	for (struct http_stream *stream = sim->wire.streams; stream; stream = stream->next)
		if (stream->room == room && stream->seat == seat)
			stream->room = NULL;
}

bool wire_has_streams(struct sim *sim, const struct known_room *room)
{
	const struct http_stream *stream = sim->wire.streams;

	while (stream && strcmp(stream->address, room->model.id) != 0)
		stream = stream->next;
	return stream != NULL;
}

void wire_check_presence(struct sim *sim)
{
	for (struct http_stream *stream = sim->wire.streams; stream; stream = stream->next) {
		char now[PRESENCE_JSON];

		if (!stream->room)
			continue;
		people_write(stream->room, now);
		if (strncmp(stream->presence, now, strlen(now)) != 0)
			sim_fail(sim, "presence",
				"room %s: a stream of tab %zu was told %s, not %s",
				stream->room->model.id, stream->tab, stream->presence, now);
	}
}

void wire_cut_all(struct sim *sim)
{
	while (sim->wire.exchanges) {
		struct http_exchange *exchange = sim->wire.exchanges;

		if (chance(&sim->random, 50))
			sim_enter(sim, delay(sim), deliver_failure, exchange->errand,
				exchange->attempt);
		exchange_end(sim, exchange);
	}
	while (sim->wire.streams) {
		struct http_stream *stream = sim->wire.streams;
		uint64_t wait = chance(&sim->random, 70) ? delay(sim) : 25000;

		if (!stream->cut)
			stream_tell(sim, stream, wait, deliver_end, message_make(sim));
		stream_end(sim, NULL, stream->number);
	}
}

void wire_release(struct sim *sim)
{
	while (sim->wire.exchanges)
		exchange_end(sim, sim->wire.exchanges);
	while (sim->wire.streams)
		stream_end(sim, NULL, sim->wire.streams->number);
	while (sim->wire.messages)
		message_free(sim, sim->wire.messages);
}
