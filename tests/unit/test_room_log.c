/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "room_fixture.h"

/*
 * Rooms and their logs over random games: what was written, read again and applied is the same
 * room, at every revision.
 */

/* splitmix64: a seed gives the same games everywhere. */
static uint64_t draw(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

enum { LOG_MAX = 512 };

/* A room's log as it would be on disk, and what the room showed after each event. */
struct log {
	size_t count;
	char lines[LOG_MAX][ROOM_EVENT_TEXT];
	struct snapshot snapshots[LOG_MAX];
};

static void log_add(struct log *log, const struct room *before, const struct room_event *event)
{
	struct text text;

	assert_true(log->count < LOG_MAX);
	text_init(&text, log->lines[log->count], ROOM_EVENT_TEXT);
	room_event_write(before, event, &text);
	assert_false(text.overflow);
	log->count++;
}

static void log_apply(struct log *log, struct room *room, const struct room_event *event)
{
	log_add(log, room, event);
	assert_int_equal(room_apply(room, event), STATUS_OK);
	log->snapshots[log->count - 1] = snapshot_of(room);
}

/* Reads one line and does it to `*room`, which it creates where there is none. */
static enum status fold_line(struct room **room, const char *line)
{
	struct text_error error;
	struct room_event event;
	enum status status = room_event_read(*room, line, strlen(line), &error, &event);

	if (status != STATUS_OK)
		return status;
	return *room ? room_apply(*room, &event) : room_create(games(), "r00m", &event, room);
}

/* By one of a few invitations, with a key that nobody has had. */
static void random_join(struct log *log, struct room *room, uint64_t *seed)
{
	static unsigned keys;
	struct room_hash secret =
		hash_of(draw(seed) % 2 ? invitation : (unsigned char)(draw(seed) % 3));
	struct room_hash key = {{1}};
	struct snapshot before = snapshot_of(room);
	struct room_event event;

	keys++;
	memcpy(key.bytes + 1, &keys, sizeof(keys));
	if (room_decide_join(room, &secret, "toy", &key, NOW, &event) == STATUS_OK)
		log_apply(log, room, &event);
	else
		assert_snapshots_equal(snapshot_of(room), before);
}

/* One command as two hasty players and a bad network might send it; sometimes the time is up. */
static void random_command(struct log *log, struct room *room, uint64_t *seed)
{
	static const enum room_op ops[] = {
		ROOM_OP_PLAY,
		ROOM_OP_PLAY,
		ROOM_OP_PLAY,
		ROOM_OP_ASK,
		ROOM_OP_ANSWER,
		ROOM_OP_WITHDRAW,
		ROOM_OP_SETTINGS,
		ROOM_OP_INVITE,
	};
	struct room_command command = {
		.seat = (enum room_seat)(draw(seed) % ROOM_SEATS),
		.rev = room_rev(room) - (draw(seed) % 8 == 0),
		.op = ops[draw(seed) % (sizeof(ops) / sizeof(ops[0]))],
		/* Codes 0 and 6 are no actions; resignation is rare, as a new game is. */
		.action = {(uint32_t)(draw(seed) % 7)},
		.request = draw(seed) % 8 ? ROOM_UNDO : ROOM_NEW_GAME,
		.accept = draw(seed) % 2,
		.invitation = hash_of((unsigned char)(draw(seed) % 3)),
	};
	struct snapshot before = snapshot_of(room);
	struct room_event event;
	enum status status;
	uint64_t applied;

	if (command.action.code == TOY_RESIGN && draw(seed) % 16)
		command.action.code = TOY_PASS;
	if (draw(seed) % 64 == 0)
		command.op = ROOM_OP_LEAVE;
	if (!room_is_seated(room, command.seat))
		command.seat = command.seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
	if (!room_is_seated(room, command.seat) || draw(seed) % 8 == 0) {
		random_join(log, room, seed);
		return;
	}
	snprintf(command.id, sizeof(command.id), "%u", (unsigned)(draw(seed) % 400));
	applied = room_find_command(room, command.seat, command.id);
	if (applied) {
		assert_snapshots_equal(snapshot_at(room, applied), log->snapshots[applied - 1]);
		return;
	}
	status = draw(seed) % 16 ? room_decide(room, &command, NOW, &event)
				 : room_decide_expiry(room, NOW, &event);
	if (status != STATUS_OK) {
		assert_snapshots_equal(snapshot_of(room), before);
		return;
	}
	log_apply(log, room, &event);
	if (event.kind != ROOM_EXPIRED)
		assert_int_equal(room_find_command(room, command.seat, command.id), log->count);
}

static struct room *random_game(struct log *log, uint64_t seed)
{
	struct room_event event = creation("toy");
	struct room *room = waiting_room("toy");

	log->count = 0;
	log_add(log, NULL, &event);
	log->snapshots[0] = snapshot_of(room);
	if (seed % 2) {
		event = join_event(room);
		log_apply(log, room, &event);
	}
	for (int i = 0; i < 1000 && room_phase(room) != ROOM_CLOSED && log->count < LOG_MAX; i++)
		random_command(log, room, &seed);
	assert_int_equal(room_rev(room), log->count);
	return room;
}

static void test_room_log__is_what_the_room_is_the_fold_of(void **state)
{
	static struct log log;

	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct room *room = random_game(&log, seed);
		struct room *folded = NULL;

		for (size_t i = 0; i < log.count; i++) {
			assert_int_equal(fold_line(&folded, log.lines[i]), STATUS_OK);
			assert_snapshots_equal(snapshot_of(folded), log.snapshots[i]);
			assert_int_equal(room_rev(folded), i + 1);
		}
		assert_int_equal(room_last_event_ms(folded), room_last_event_ms(room));
		assert_memory_equal(
			room_state(folded), room_state(room), sizeof(struct game_state));
		room_destroy(folded);
		room_destroy(room);
	}
}

static void test_room_log__shows_how_the_room_stood_at_every_revision(void **state)
{
	static struct log log;

	(void)state;
	for (uint64_t seed = 1000; seed < 1100; seed++) {
		struct room *room = random_game(&log, seed);

		for (uint64_t rev = 1; rev <= room_rev(room); rev++)
			assert_snapshots_equal(snapshot_at(room, rev), log.snapshots[rev - 1]);
		assert_snapshots_equal(snapshot_of(room), log.snapshots[log.count - 1]);
		room_destroy(room);
	}
}

/* The first `count` lines, folded. */
static struct room *fold(const struct log *log, size_t count)
{
	struct room *room = NULL;

	for (size_t i = 0; i < count; i++)
		assert_int_equal(fold_line(&room, log->lines[i]), STATUS_OK);
	return room;
}

static void test_room_log__with_a_line_too_many_or_too_few_is_refused(void **state)
{
	static struct log log;
	struct room *room = random_game(&log, 5);

	(void)state;
	for (size_t good = 1; good < log.count; good++) {
		struct room *folded = fold(&log, good);

		/* Every line but the one whose turn it is: left out, twice, or out of order. */
		for (size_t i = 0; i < log.count; i++) {
			if (i == good)
				continue;
			assert_int_equal(fold_line(&folded, log.lines[i]), STATUS_ROOM_EVENT);
			assert_snapshots_equal(snapshot_of(folded), log.snapshots[good - 1]);
		}
		assert_int_equal(fold_line(&folded, log.lines[good]), STATUS_OK);
		room_destroy(folded);
	}
	room_destroy(room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_log__is_what_the_room_is_the_fold_of),
		cmocka_unit_test(test_room_log__shows_how_the_room_stood_at_every_revision),
		cmocka_unit_test(test_room_log__with_a_line_too_many_or_too_few_is_refused),
	};

	return cmocka_run_group_tests_name("room_log", tests, NULL, NULL);
}
