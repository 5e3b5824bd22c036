/* SPDX-License-Identifier: MIT */
#include "class.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SOURCE = 8 << 16 | 8 << 8 | 8, /* 127.8.8.8 */
	FETCHES = 4, /* of a browser's six connections; one is the stream's and one for commands */
	GAME_PARTS = 3,
	STEP_SECONDS = 30,
};

struct fetch {
	struct pupil *pupil;
	struct conn *conn;
	bool asked;
};

struct pupil {
	struct class *class;
	struct seat *seat;
	struct door door;
	struct fetch fetches[FETCHES];
	size_t next; /* what to load: 0 is the page itself, the last one the snapshot */
	size_t open; /* fetches that are asked */
};

struct class
{
	const struct class_plan *plan;
	struct play play;
	struct pupil *pupils;
	bool reload; /* the pupils have rooms, and ask how they stand */
	size_t loading;
	struct class_counts counts;
};

static void pupil_load(struct pupil *pupil);

static void on_answer(struct conn *conn, int status, const char *body, size_t length)
{
	struct fetch *fetch = conn->context;
	struct pupil *pupil = fetch->pupil;
	struct class *class = pupil->class;

	(void)body;
	(void)length;
	class->counts.limited += status == 429;
	class->counts.failed += status != 429 && status != 200;
	fetch->asked = false;
	pupil->open--;
	pupil_load(pupil);
}

static void on_closed(struct conn *conn)
{
	struct fetch *fetch = conn->context;

	fetch->conn = NULL;
	if (!fetch->asked)
		return;
	fetch->asked = false;
	fetch->pupil->open--;
	fetch->pupil->class->counts.failed++;
	pupil_load(fetch->pupil);
}

static size_t write_request(const struct pupil *pupil, size_t number, char *text, size_t capacity)
{
	const struct class_plan *plan = pupil->class->plan;

	if (number > plan->asset_count)
		return seat_request(pupil->seat, "", text, capacity);
	return (size_t)snprintf(text, capacity,
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, br\r\n\r\n",
		number ? plan->assets[number - 1] : "/");
}

static void fetch_start(struct fetch *fetch)
{
	struct pupil *pupil = fetch->pupil;
	char text[1024];
	size_t length = write_request(pupil, pupil->next++, text, sizeof(text));

	if (!fetch->conn) {
		fetch->conn = conn_open(pupil->class->plan->net, SOURCE, fetch, 0);
		fetch->conn->on_answer = on_answer;
		fetch->conn->on_closed = on_closed;
	}
	fetch->asked = true;
	pupil->open++;
	pupil->class->counts.requests++;
	conn_send(fetch->conn, text, length);
}

/* The page first, then what it names, several at a time. */
static void pupil_load(struct pupil *pupil)
{
	const struct class *class = pupil->class;
	size_t end = class->plan->asset_count + 1 + class->reload;

	if (pupil->next == 1 && pupil->open)
		return;
	for (size_t i = 0; i < FETCHES && pupil->next < end; i++) {
		if (pupil->fetches[i].asked)
			continue;
		fetch_start(&pupil->fetches[i]);
		if (pupil->next == 1)
			return;
	}
	if (!pupil->open)
		pupil->class->loading--;
}

static void load_pages(struct class *class)
{
	uint64_t end = net_now() + STEP_SECONDS * UINT64_C(1000000);

	class->loading = class->plan->pupils;
	for (size_t i = 0; i < class->plan->pupils; i++) {
		class->pupils[i].next = 0;
		pupil_load(&class->pupils[i]);
	}
	while (class->loading) {
		if (net_now() > end)
			fail("%zu pupils have no page after %d s", class->loading, STEP_SECONDS);
		net_step(class->plan->net, 50);
	}
}

static void seat_pupils(struct class *class)
{
	const struct class_plan *plan = class->plan;
	struct play *play = &class->play;

	play->net = plan->net;
	play->room_count = play->lane_count = plan->pupils / SEATS;
	play->rooms = calloc(play->room_count, sizeof(*play->rooms));
	play->lanes = calloc(play->lane_count, sizeof(*play->lanes));
	class->pupils = calloc(plan->pupils, sizeof(*class->pupils));
	if (!play->rooms || !play->lanes || !class->pupils)
		fail("no memory");
	play->rooms_per_lane_max = 1;
	for (size_t i = 0; i < plan->pupils; i++) {
		struct pupil *pupil = &class->pupils[i];
		struct room *room = &play->rooms[i / SEATS];
		struct lane *lane = &play->lanes[i / SEATS];

		if (i % SEATS == HOST) {
			*room = (struct room){.lane = lane, .record = plan->record};
			*lane = (struct lane){.play = play, .count = 1};
			lane->rooms = malloc(sizeof(*lane->rooms));
			if (!lane->rooms)
				fail("no memory");
			lane->rooms[0] = room;
		}
		*pupil = (struct pupil){
			.class = class,
			.seat = &room->seats[i % SEATS],
			.door.source = SOURCE,
		};
		*pupil->seat = (struct seat){.room = room, .door = &pupil->door};
		for (size_t j = 0; j < FETCHES; j++)
			pupil->fetches[j].pupil = pupil;
	}
}

static void send_home(struct class *class)
{
	play_close_streams(&class->play);
	for (size_t i = 0; i < class->plan->pupils; i++) {
		struct pupil *pupil = &class->pupils[i];

		if (pupil->door.conn)
			conn_close(pupil->door.conn);
		for (size_t j = 0; j < FETCHES; j++)
			if (pupil->fetches[j].conn)
				conn_close(pupil->fetches[j].conn);
	}
	for (size_t i = 0; i < class->play.lane_count; i++)
		free(class->play.lanes[i].rooms);
	free(class->play.lanes);
	free(class->play.rooms);
	free(class->play.tally.latency);
	free(class->pupils);
}

static void play_part(struct class *class, unsigned part)
{
	struct play *play = &class->play;

	play->plies_max = (uint64_t)part * SEATS * class->plan->moves / GAME_PARTS;
	play_moves(play, 0, STEP_SECONDS, NULL, NULL);
	class->counts.moves += play->tally.moves;
	class->counts.limited += play->tally.refused;
	class->counts.failed += play->tally.failed;
	class->counts.requests += play->tally.moves + play->tally.refused + play->tally.failed;
}

struct class_counts class_run(const struct class_plan *plan)
{
	struct class class = {.plan = plan};
	uint64_t begin = net_now();

	if (plan->record->count < (size_t)SEATS * plan->moves)
		fail("the class has no game of %u plies", SEATS * plan->moves);
	seat_pupils(&class);
	load_pages(&class);
	play_make_rooms(&class.play);
	class.reload = true;
	for (unsigned part = 1; part <= GAME_PARTS; part++) {
		play_open_streams(&class.play);
		class.counts.requests += plan->pupils;
		play_part(&class, part);
		if (part == GAME_PARTS)
			break;
		play_close_streams(&class.play);
		load_pages(&class);
	}
	class.counts.requests += plan->pupils; /* rooms made and joined */
	class.counts.microseconds = net_now() - begin;
	send_home(&class);
	return class.counts;
}
