/* SPDX-License-Identifier: MIT */
#include "play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	REQUEST_BYTES = 1024,
	SETUP_SECONDS = 120,
	DRAIN_SECONDS = 15,
	PAUSE_US = 200 * 1000,
};

/* Records. */

static void *grow(void *list, size_t count, size_t size)
{
	/* Doubled whenever `count` is a power of two. */
	if ((count & (count - 1)) == 0)
		list = realloc(list, (count ? 2 * count : 1) * size);
	if (!list)
		fail("no memory");
	return list;
}

void records_read(struct records *records, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	struct record record = {0};

	if (!file)
		fail("%s cannot be read", path);
	*records = (struct records){0};
	while ((length = getline(&line, &capacity, file)) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (line[0]) {
			record.plies = grow(record.plies, record.count, sizeof(*record.plies));
			record.plies[record.count++] = strdup(line);
		} else {
			records->list = grow(records->list, records->count, sizeof(record));
			records->list[records->count++] = record;
			record = (struct record){0};
		}
	}
	free(line);
	fclose(file);
	if (!records->count)
		fail("%s holds no game", path);
}

/* Tallies. */

static void tally_move(struct tally *tally, uint64_t microseconds)
{
	if (tally->moves == tally->capacity) {
		tally->capacity = tally->capacity ? 2 * tally->capacity : 1 << 16;
		tally->latency = realloc(tally->latency, tally->capacity * sizeof(*tally->latency));
		if (!tally->latency)
			fail("no memory");
	}
	tally->latency[tally->moves++] =
		microseconds < UINT32_MAX ? (uint32_t)microseconds : UINT32_MAX;
}

static int compare(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a;
	uint32_t other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

uint64_t tally_percentile(struct tally *tally, double share)
{
	size_t at = (size_t)((double)tally->moves * share);

	if (!tally->moves)
		return 0;
	qsort(tally->latency, tally->moves, sizeof(*tally->latency), compare);
	return tally->latency[at < tally->moves ? at : tally->moves - 1];
}

static void tally_clear(struct tally *tally)
{
	*tally = (struct tally){.latency = tally->latency, .capacity = tally->capacity};
}

static void note_failure(struct lane *lane, int status, const char *body, size_t length)
{
	struct tally *tally = &lane->play->tally;

	lane->rooms[lane->at]->broken = true;
	if (!tally->failed++)
		snprintf(tally->failure, sizeof(tally->failure), "%d %.*s", status,
			(int)(length < 160 ? length : 160), body);
}

/* Lanes. */

static void lane_next(struct lane *lane);

static struct room *room_of(const struct lane *lane)
{
	return lane->rooms[lane->at];
}

/* A text member of an answer, up to `end`. */
static bool read_member(
	const char *body, size_t length, const char *before, char end, char *text, size_t capacity)
{
	const char *at = memmem(body, length, before, strlen(before));
	const char *stop;

	if (!at)
		return false;
	at += strlen(before);
	stop = memchr(at, end, (size_t)(body + length - at));
	if (!stop || (size_t)(stop - at) >= capacity)
		return false;
	memcpy(text, at, (size_t)(stop - at));
	text[stop - at] = 0;
	return true;
}

static uint64_t read_rev(const char *body, size_t length)
{
	static const char name[] = "\"rev\":";
	const char *at = memmem(body, length, name, sizeof(name) - 1);

	return at ? strtoull(at + sizeof(name) - 1, NULL, 10) : 0;
}

static void lane_done(struct lane *lane)
{
	lane->task = IDLE;
	lane->play->busy--;
}

/* What is on its way is done when both have come. */
static void lane_check(struct lane *lane)
{
	struct play *play = lane->play;
	struct room *room = room_of(lane);

	if (!lane->answered || !lane->seen)
		return;
	room->rev++;
	if (lane->task == MOVE) {
		room->ply++;
		room->plies++;
		if (play->counting)
			tally_move(&play->tally, net_now() - lane->sent_at);
	} else {
		play->tally.others += play->counting;
		if (room->asked) {
			room->games++;
			room->ply = 0;
		}
		room->asked = !room->asked;
	}
	lane_next(lane);
}

static bool take_created(struct lane *lane, const char *body, size_t length, char *invite)
{
	struct room *room = room_of(lane);

	return read_member(body, length, "\"room\":\"", '"', room->id, sizeof(room->id)) &&
	       read_member(body, length, "\"key\":\"", '"', room->seats[HOST].key,
		       sizeof(room->seats[HOST].key)) &&
	       read_member(body, length, "#invite=", '"', invite, 64);
}

static void lane_send(struct lane *lane, struct door *door, const char *path, const char *key,
	const char *body, size_t body_length);

static void lane_join(struct lane *lane, const char *invite)
{
	struct room *room = room_of(lane);
	char path[64];
	char body[160];
	int length =
		snprintf(body, sizeof(body), "{\"invite\":\"%s\",\"game\":\"mini-shogi\"}", invite);

	snprintf(path, sizeof(path), "/api/v1/rooms/%s/join", room->id);
	lane->task = JOIN;
	lane_send(lane, room->seats[GUEST].door, path, NULL, body, (size_t)length);
}

static void take_setup(struct lane *lane, int status, const char *body, size_t length)
{
	struct room *room = room_of(lane);
	char invite[64];

	if (status != 201)
		fail("a room cannot be made: %d %.*s", status, (int)length, body);
	if (lane->task == CREATE) {
		if (!take_created(lane, body, length, invite))
			fail("a room was made, but: %.*s", (int)length, body);
		lane_join(lane, invite);
		return;
	}
	if (!read_member(body, length, "\"key\":\"", '"', room->seats[GUEST].key,
		    sizeof(room->seats[GUEST].key)))
		fail("a room was joined, but: %.*s", (int)length, body);
	room->rev = read_rev(body, length);
	room->games = 1;
	lane_next(lane);
}

static void on_answer(struct conn *conn, int status, const char *body, size_t length)
{
	struct lane *lane = conn->context;

	if (lane->task == CREATE || lane->task == JOIN) {
		take_setup(lane, status, body, length);
	} else if (lane->task != MOVE && lane->task != CONSENT) {
		fail("an answer that nobody waits for: %d %.*s", status, (int)length, body);
	} else if (status == 429) {
		lane->play->tally.refused++;
		lane->task = IDLE;
		lane->paused_until = net_now() + PAUSE_US;
	} else if (status != 200 || read_rev(body, length) != room_of(lane)->rev + 1) {
		note_failure(lane, status, body, length);
		lane_next(lane);
	} else {
		lane->answered = true;
		lane_check(lane);
	}
}

static void on_door_closed(struct conn *conn)
{
	struct lane *lane = conn->context;

	for (size_t i = 0; i < lane->count; i++)
		for (size_t seat = 0; seat < SEATS; seat++)
			if (lane->rooms[i]->seats[seat].door->conn == conn)
				lane->rooms[i]->seats[seat].door->conn = NULL;
	if (lane->task == CREATE || lane->task == JOIN)
		fail("the server closed a connection while rooms were made");
	if ((lane->task == MOVE || lane->task == CONSENT) && !lane->answered) {
		note_failure(lane, 0, "closed", 6);
		lane_next(lane);
	}
}

static void lane_send(struct lane *lane, struct door *door, const char *path, const char *key,
	const char *body, size_t body_length)
{
	char text[REQUEST_BYTES];
	int length = snprintf(text, sizeof(text),
		"POST %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s%s%sContent-Type: "
		"application/json\r\nContent-Length: %zu\r\n\r\n%s",
		path, lane->play->net->port, key ? "Authorization: Bearer " : "", key ? key : "",
		key ? "\r\n" : "", body_length, body);

	if (length >= (int)sizeof(text))
		fail("a request is too long");
	if (!door->conn) {
		door->conn = conn_open(lane->play->net, door->source, lane, 0);
		door->conn->on_answer = on_answer;
		door->conn->on_closed = on_door_closed;
	}
	lane->answered = lane->seen = false;
	lane->sent_at = net_now();
	conn_send(door->conn, text, (size_t)length);
}

static void send_command(struct lane *lane)
{
	struct room *room = room_of(lane);
	const struct seat *seat = &room->seats[lane->seat];
	char path[64];
	char body[256];
	int length;

	snprintf(path, sizeof(path), "/api/v1/rooms/%s/commands", room->id);
	length = snprintf(body, sizeof(body), "{\"rev\":%" PRIu64 ",\"id\":\"c%" PRIu64 "\",",
		room->rev, room->rev);
	if (lane->task == MOVE)
		length += snprintf(body + length, sizeof(body) - (size_t)length,
			"\"op\":\"play\",\"action\":%s}", room->record->plies[room->ply]);
	else
		length += snprintf(body + length, sizeof(body) - (size_t)length, "%s",
			room->asked ? "\"op\":\"answer\",\"accept\":true}"
				    : "\"op\":\"ask\",\"what\":\"new-game\"}");
	lane_send(lane, seat->door, path, seat->key, body, (size_t)length);
}

size_t seat_request(const struct seat *seat, const char *suffix, char *text, size_t capacity)
{
	return (size_t)snprintf(text, capacity,
		"GET /api/v1/rooms/%s%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
		"%s\r\n\r\n",
		seat->room->id, suffix, seat->key);
}

static void on_state(struct conn *conn, uint64_t rev)
{
	struct seat *seat = conn->context;
	struct lane *lane = seat->room->lane;

	if (!seat->live) {
		seat->live = true;
		lane->play->live++;
		lane_next(lane);
	} else if ((lane->task == MOVE || lane->task == CONSENT) && room_of(lane) == seat->room &&
		   seat != &seat->room->seats[lane->seat] && rev > seat->room->rev) {
		lane->seen = true;
		lane_check(lane);
	}
}

static void on_stream_refused(struct conn *conn, int status, const char *body, size_t length)
{
	(void)conn;
	fail("a stream cannot be opened: %d %.*s", status, (int)length, body);
}

static void on_stream_closed(struct conn *conn)
{
	struct seat *seat = conn->context;

	fail("the server closed the stream of room %s", seat->room->id);
}

static void open_stream(struct lane *lane, struct seat *seat)
{
	char text[REQUEST_BYTES];
	size_t length = seat_request(seat, "/events", text, sizeof(text));

	seat->stream = conn_open(lane->play->net, seat->door->source, seat, 0);
	seat->stream->on_answer = on_stream_refused;
	seat->stream->on_state = on_state;
	seat->stream->on_closed = on_stream_closed;
	conn_send(seat->stream, text, length);
}

/* What rooms are made of, one after the other; false: all of this lane's are there. */
static bool lane_set_up(struct lane *lane)
{
	static const char create[] = "{\"game\":\"mini-shogi\",\"settings\":{}}";

	for (size_t i = 0; i < lane->count; i++) {
		struct room *room = lane->rooms[i];

		lane->at = i;
		if (lane->task != WATCH && !room->games) {
			lane->task = CREATE;
			lane_send(lane, room->seats[HOST].door, "/api/v1/rooms", NULL, create,
				sizeof(create) - 1);
			return true;
		}
		for (size_t seat = 0; lane->task == WATCH && seat < SEATS; seat++)
			if (!room->seats[seat].stream) {
				open_stream(lane, &room->seats[seat]);
				return true;
			}
	}
	return false;
}

static bool wants_play(const struct play *play, const struct room *room)
{
	return !room->broken && (!play->plies_max || room->plies < play->plies_max);
}

/* Player 0 is the host in the first game, and each in turn after that. */
static void lane_choose_task(struct lane *lane)
{
	struct room *room = room_of(lane);
	bool over = room->ply == room->record->count;

	lane->task = over ? CONSENT : MOVE;
	if (over)
		lane->seat = room->asked ? GUEST : HOST;
	else
		lane->seat = (room->ply + room->games + 1) % 2;
}

static bool lane_play(struct lane *lane)
{
	struct play *play = lane->play;
	size_t count =
		lane->count < play->rooms_per_lane_max ? lane->count : play->rooms_per_lane_max;

	for (size_t i = 0; play->going && i < count; i++) {
		lane->at = (lane->at + 1) % count;
		if (!wants_play(play, room_of(lane)))
			continue;
		lane_choose_task(lane);
		send_command(lane);
		return true;
	}
	return false;
}

static void lane_next(struct lane *lane)
{
	bool sets_up = lane->task == CREATE || lane->task == JOIN || lane->task == WATCH;

	if (lane->task == JOIN)
		lane->task = CREATE;
	if (!(sets_up ? lane_set_up(lane) : lane_play(lane)))
		lane_done(lane);
}

static void resume_lanes(struct play *play)
{
	uint64_t now = net_now();

	for (size_t i = 0; i < play->lane_count; i++) {
		struct lane *lane = &play->lanes[i];

		if (lane->paused_until && (lane->paused_until <= now || !play->going)) {
			lane->paused_until = 0;
			lane_next(lane);
		}
	}
}

static void start(struct play *play, enum task task)
{
	play->busy = play->lane_count;
	for (size_t i = 0; i < play->lane_count; i++) {
		play->lanes[i].task = task;
		lane_next(&play->lanes[i]);
	}
}

static void finish(struct play *play, double seconds, const char *what)
{
	uint64_t end = net_now() + (uint64_t)(seconds * 1e6);

	while (play->busy) {
		if (net_now() > end)
			fail("%zu of %zu are not done after %.0f s: %s", play->busy,
				play->lane_count, seconds, what);
		net_step(play->net, 50);
		resume_lanes(play);
	}
}

void play_make_rooms(struct play *play)
{
	start(play, CREATE);
	finish(play, SETUP_SECONDS, "making rooms");
}

void play_open_streams(struct play *play)
{
	start(play, WATCH);
	finish(play, SETUP_SECONDS, "opening streams");
}

void play_close_streams(struct play *play)
{
	for (size_t i = 0; i < play->room_count; i++)
		for (size_t j = 0; j < SEATS; j++) {
			struct seat *seat = &play->rooms[i].seats[j];

			conn_close(seat->stream);
			seat->stream = NULL;
			seat->live = false;
			play->live--;
		}
}

/* Runs until then or until nothing is on its way. */
static void run_until(
	struct play *play, uint64_t end, void (*each_second)(void *context), void *context)
{
	uint64_t second = net_now() + 1000000;

	while (play->busy && net_now() < end) {
		net_step(play->net, 10);
		resume_lanes(play);
		if (each_second && net_now() >= second) {
			each_second(context);
			second += 1000000;
		}
	}
}

void play_moves(struct play *play, double warm_seconds, double seconds,
	void (*each_second)(void *context), void *context)
{
	uint64_t begin;

	tally_clear(&play->tally);
	play->going = true;
	start(play, IDLE);
	run_until(play, net_now() + (uint64_t)(warm_seconds * 1e6), NULL, NULL);
	play->counting = true;
	begin = net_now();
	run_until(play, begin + (uint64_t)(seconds * 1e6), each_second, context);
	play->counting = false;
	play->tally.elapsed = net_now() - begin;
	play->going = false;
	resume_lanes(play);
	finish(play, DRAIN_SECONDS, "the last moves");
}
