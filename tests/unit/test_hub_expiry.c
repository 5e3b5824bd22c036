/* SPDX-License-Identifier: MIT */
#include "hub_fixture.h"

#include "base/clock.h"

/* Rooms that nobody uses any more: what is kept of them, and what is not. */

enum { SWEEP_MS = 10 * 60 * 1000 };

/* Two clocks that stand still until a test moves them. */
static uint64_t now_ms;
static int64_t wall_ms;

uint64_t clock_monotonic_ms(void)
{
	return now_ms;
}

/* The writer's, on its own thread. */
uint64_t clock_monotonic_us(void)
{
	return 0;
}

int64_t clock_wall_ms(void)
{
	return wall_ms;
}

static int set_up(void **state)
{
	now_ms = 1000000;
	wall_ms = NOW;
	return set_up_hub(state);
}

#define HUB_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_hub)

/* Some time later the hub has looked around, and what it began is on disk. */
static void pass(struct hub_fixture *f, uint64_t ms)
{
	now_ms += ms;
	wall_ms += (int64_t)ms;
	hub_tick(f->hub, now_ms);
	settle(f);
}

static void test_hub_expiry__a_room_goes_after_its_time(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	ask_play(f, hosted, ROOM_HOST, "1", 2, f->answers);
	settle(f);
	pass(f, ROOM_MS - 1);
	assert_non_null(find(f, "a"));
	pass(f, SWEEP_MS);
	assert_null(find(f, "a"));
	assert_int_equal(hub_rooms(f->hub), 0);
	assert_int_equal(rows_on_disk(f), 0);
	assert_string_equal(f->store.archive, "toy - unfinished 1\n");
}

static void test_hub_expiry__a_room_in_which_nothing_was_played_goes_earlier(void **state)
{
	struct hub_fixture *f = *state;

	(void)open_table(f, "a");
	ask_play(f, open_table(f, "b"), ROOM_HOST, "1", 2, f->answers);
	ask_room(f, "c", &f->answers[1]);
	settle(f);
	pass(f, UNPLAYED_MS - 1);
	assert_int_equal(hub_rooms(f->hub), 3);
	pass(f, SWEEP_MS);
	assert_int_equal(hub_rooms(f->hub), 1);
	assert_non_null(find(f, "b"));
	assert_string_equal(f->store.archive, "");
}

static void test_hub_expiry__a_room_with_somebody_in_it_stays(void **state)
{
	struct hub_fixture *f = *state;

	hear(&f->ears[0], open_table(f, "a"), ROOM_HOST);
	for (int i = 0; i < 10; i++)
		pass(f, ROOM_MS);
	assert_non_null(find(f, "a"));
	stop_hearing(&f->ears[0]);
	pass(f, SWEEP_MS);
	assert_null(find(f, "a"));
}

static void test_hub_expiry__a_closed_room_is_kept_as_long(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	ask_play(f, hosted, ROOM_HOST, "1", 2, f->answers);
	settle(f);
	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_LEAVE, f->answers);
	settle(f);
	send_command(f, hosted, ROOM_GUEST, "x", ROOM_OP_LEAVE, f->answers);
	settle(f);
	pass(f, ROOM_MS - 1);
	assert_true(hosted_is_closed(find(f, "a")));
	pass(f, SWEEP_MS);
	assert_null(find(f, "a"));
	assert_int_equal(hub_rooms(f->hub), 0);
	assert_string_equal(f->store.archive, "toy - abandoned 1\n");
}

static void test_hub_expiry__a_removal_that_cannot_be_written_has_not_happened(void **state)
{
	struct hub_fixture *f = *state;

	(void)open_table(f, "a");
	set_failing(f, true);
	pass(f, ROOM_MS);
	assert_non_null(find(f, "a"));
	assert_int_equal(room_rev(hosted_room(find(f, "a"))), 2);
	set_failing(f, false);
	pass(f, SWEEP_MS);
	assert_null(find(f, "a"));
}

/* They come back while the removal is on its way to the disk. */
static void test_hub_expiry__who_comes_too_late_is_told(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct ear *ear = f->ears;

	now_ms += ROOM_MS;
	hub_tick(f->hub, now_ms);
	hear(ear, hosted, ROOM_HOST);
	ask_play(f, hosted, ROOM_HOST, "1", 2, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_ROOM_CLOSED, 0);
	assert_true(ear->ended);
	assert_null(find(f, "a"));
	assert_int_equal(rows_on_disk(f), 0);
	stop_hearing(ear); /* and with it the last who knew the room */
	assert_int_equal(hub_rooms(f->hub), 0);
}

static void test_hub_expiry__a_name_that_was_removed_may_come_again(void **state)
{
	struct hub_fixture *f = *state;

	(void)open_table(f, "a");
	pass(f, ROOM_MS);
	assert_null(find(f, "a"));
	(void)open_table(f, "a");
	assert_int_equal(hub_rooms(f->hub), 1);
}

static void test_hub_expiry__a_clock_that_is_set_wrong_removes_nothing(void **state)
{
	struct hub_fixture *f = *state;

	(void)open_table(f, "a");
	wall_ms += 100 * (int64_t)ROOM_MS;
	pass(f, SWEEP_MS);
	assert_non_null(find(f, "a"));
}

/* What a wrong clock has written down counts by the time that has passed. */
static void test_hub_expiry__events_of_a_wrong_clock_are_as_young_as_they_are(void **state)
{
	struct hub_fixture *f = *state;
	const int64_t away[] = {-100 * (int64_t)ROOM_MS, 100 * (int64_t)ROOM_MS};
	const char *const ids[] = {"a", "b"};

	wall_ms = 200 * (int64_t)ROOM_MS;
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, limits, &f->hub), STATUS_OK);
	for (size_t i = 0; i < 2; i++) {
		wall_ms += away[i];
		ask_play(f, open_table(f, ids[i]), ROOM_HOST, "1", 2, f->answers);
		settle(f);
		wall_ms -= away[i];
	}
	pass(f, ROOM_MS - 1);
	assert_int_equal(hub_rooms(f->hub), 2);
	pass(f, SWEEP_MS);
	assert_int_equal(hub_rooms(f->hub), 0);
}

/* The server was down for longer than rooms stay: the request has begun anew, the room has not. */
static void test_hub_expiry__a_request_that_is_open_goes_with_its_room(void **state)
{
	struct hub_fixture *f = *state;

	send_command(f, open_table(f, "a"), ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_OK, 3);
	wall_ms += ROOM_MS;
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, limits, &f->hub), STATUS_OK);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(hub_load_row(f->hub, &f->store.rows[i]), STATUS_OK);
	pass(f, HEARD_MS);
	assert_null(find(f, "a"));
	pass(f, REQUEST_MS);
	assert_int_equal(rows_on_disk(f), 0);
}

static void test_hub_expiry__rooms_stay_where_they_are_to_stay(void **state)
{
	struct hub_fixture *f = *state;
	struct hub_limits forever = limits;

	forever.room_ms = 0;
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, forever, &f->hub), STATUS_OK);
	(void)open_table(f, "a");
	pass(f, 100 * (uint64_t)ROOM_MS);
	assert_non_null(find(f, "a"));
}

/* Whoever makes rooms and leaves them fills nothing: as many of them stay as may be open. */
static void test_hub_expiry__rooms_that_all_have_left_are_bounded(void **state)
{
	struct hub_fixture *f = *state;
	struct hub_limits few = limits;
	char id[ROOM_ID_BYTES];

	few.rooms_max = 3;
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, few, &f->hub), STATUS_OK);
	for (int i = 0; i < 10; i++) {
		snprintf(id, sizeof(id), "r%d", i);
		ask_room(f, id, f->answers);
		settle(f);
		assert_answered(f->answers, STATUS_OK, 1);
		send_command(f, find(f, id), ROOM_HOST, "x", ROOM_OP_LEAVE, f->answers);
		settle(f);
		assert_answered(f->answers, STATUS_OK, 2);
	}
	pass(f, 1000);
	assert_int_equal(rows_on_disk(f), 3 * 2);
	for (int i = 0; i < 10; i++) {
		snprintf(id, sizeof(id), "r%d", i);
		assert_int_equal(find(f, id) != NULL, i >= 7); /* the oldest go first */
	}
	assert_false(hub_is_full(f->hub));
}

/* The tick that ends it may be a second late: what counts is the moment of the answer. */
static void test_hub_expiry__an_answer_after_its_time_is_too_late(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	settle(f);
	now_ms += REQUEST_MS - 1;
	send_command(f, hosted, ROOM_HOST, "w", ROOM_OP_WITHDRAW, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_OK, 4);
	send_command(f, hosted, ROOM_HOST, "y", ROOM_OP_ASK, f->answers);
	settle(f);
	now_ms += REQUEST_MS;
	hub_hear(hosted, ROOM_GUEST);
	send_command(f, hosted, ROOM_GUEST, "z", ROOM_OP_ANSWER, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_ROOM_STALE, 6);
	assert_int_equal(room_open_request(hosted_room(hosted)), 0);
}

static void test_hub_expiry__damaged_rooms_stay(void **state)
{
	struct hub_fixture *f = *state;
	struct store_row row;

	(void)open_table(f, "a");
	row = f->store.rows[1];
	snprintf(row.text, sizeof(row.text), "nonsense");
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, limits, &f->hub), STATUS_OK);
	assert_int_equal(hub_load_row(f->hub, &f->store.rows[0]), STATUS_OK);
	assert_int_not_equal(hub_load_row(f->hub, &row), STATUS_OK);
	pass(f, ROOM_MS);
	assert_non_null(find(f, "a"));
	assert_int_equal(rows_on_disk(f), 2);
}

/* More than are removed at a time. */
static void test_hub_expiry__many_rooms_go_little_by_little(void **state)
{
	enum { ROOMS = 2500 };
	struct hub_fixture *f = *state;

	f->answers[0] = (struct answer){.f = f};
	for (int i = 0; i < ROOMS; i++) {
		struct room_event event = creation("toy");
		char id[ROOM_ID_BYTES];

		snprintf(id, sizeof(id), "r%d", i);
		hub_open_room(f->hub, id, &event, note_answer, f->answers);
	}
	settle(f);
	pass(f, UNPLAYED_MS);
	assert_int_equal(hub_rooms(f->hub), ROOMS - 1000);
	pass(f, 1000);
	assert_int_equal(hub_rooms(f->hub), ROOMS - 2000);
	pass(f, 1000);
	assert_int_equal(hub_rooms(f->hub), 0);
	assert_int_equal(rows_on_disk(f), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		HUB_TEST(test_hub_expiry__a_room_goes_after_its_time),
		HUB_TEST(test_hub_expiry__a_room_in_which_nothing_was_played_goes_earlier),
		HUB_TEST(test_hub_expiry__a_room_with_somebody_in_it_stays),
		HUB_TEST(test_hub_expiry__a_closed_room_is_kept_as_long),
		HUB_TEST(test_hub_expiry__a_removal_that_cannot_be_written_has_not_happened),
		HUB_TEST(test_hub_expiry__who_comes_too_late_is_told),
		HUB_TEST(test_hub_expiry__a_name_that_was_removed_may_come_again),
		HUB_TEST(test_hub_expiry__a_clock_that_is_set_wrong_removes_nothing),
		HUB_TEST(test_hub_expiry__events_of_a_wrong_clock_are_as_young_as_they_are),
		HUB_TEST(test_hub_expiry__a_request_that_is_open_goes_with_its_room),
		HUB_TEST(test_hub_expiry__rooms_stay_where_they_are_to_stay),
		HUB_TEST(test_hub_expiry__rooms_that_all_have_left_are_bounded),
		HUB_TEST(test_hub_expiry__an_answer_after_its_time_is_too_late),
		HUB_TEST(test_hub_expiry__damaged_rooms_stay),
		HUB_TEST(test_hub_expiry__many_rooms_go_little_by_little),
	};

	return cmocka_run_group_tests_name("hub_expiry", tests, NULL, NULL);
}
