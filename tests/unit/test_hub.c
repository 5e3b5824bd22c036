/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "hub_fixture.h"

static void test_hub__creation_is_answered_when_it_is_on_disk(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answer = f->answers;

	ask_room(f, "a", answer);
	write_out(f);
	assert_int_equal(rows_on_disk(f), 1);
	assert_int_equal(answer->calls, 0);
	assert_null(find(f, "a"));
	assert_int_equal(collect(f), 1);
	assert_answered(answer, STATUS_OK, 1);
	assert_int_equal(answer->rows, 1);
	assert_non_null(find(f, "a"));
	assert_snapshots_equal(answer->snapshot, snapshot_of(hosted_room(find(f, "a"))));
}

static void test_hub__room_moves_and_is_heard_when_the_command_is_on_disk(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct snapshot before = snapshot_of(hosted_room(hosted));
	struct answer *answer = f->answers;
	struct ear *ear = f->ears;

	hear(ear, hosted, ROOM_GUEST);
	ask_play(f, hosted, ROOM_HOST, "x", 2, answer);
	write_out(f);
	assert_int_equal(rows_on_disk(f), 3);
	assert_int_equal(answer->calls, 0);
	assert_int_equal(ear->calls, 0);
	assert_snapshots_equal(snapshot_of(hosted_room(hosted)), before);
	settle(f);
	assert_answered(answer, STATUS_OK, 3);
	assert_int_equal(answer->rows, 3);
	assert_int_equal(ear->calls, 1);
	assert_int_equal(ear->rev, 3);
	assert_snapshots_equal(ear->snapshot, answer->snapshot);
	assert_snapshots_equal(answer->snapshot, snapshot_of(hosted_room(hosted)));
}

static void test_hub__refusals_need_no_disk_and_are_not_heard(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct snapshot before = snapshot_of(hosted_room(hosted));
	struct answer *answer = f->answers;
	struct ear *ear = f->ears;

	hear(ear, hosted, ROOM_HOST);
	ask_play(f, hosted, ROOM_GUEST, "x", 2, answer);
	assert_answered(answer, STATUS_ROOM_NOT_YOUR_TURN, 0);
	assert_string_equal(answer->snapshot.text, "");
	ask_play(f, hosted, ROOM_HOST, "x", 1, answer);
	assert_answered(answer, STATUS_ROOM_STALE, 2);
	assert_snapshots_equal(answer->snapshot, before);
	settle(f);
	assert_int_equal(rows_on_disk(f), 2);
	assert_int_equal(ear->calls, 0);
	assert_snapshots_equal(snapshot_of(hosted_room(hosted)), before);
}

static void test_hub__requests_wait_behind_the_one_that_is_written(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct answer *answers = f->answers;

	ask_play(f, hosted, ROOM_HOST, "1", 2, &answers[0]);
	ask_play(f, hosted, ROOM_GUEST, "2", 3, &answers[1]);
	ask_play(f, hosted, ROOM_HOST, "3", 4, &answers[2]);
	ask_play(f, hosted, ROOM_HOST, "4", 4, &answers[3]);
	for (size_t i = 0; i < 3; i++) {
		write_out(f);
		assert_int_equal(rows_on_disk(f), 3 + i); /* one of a room at a time */
		assert_int_equal(answers[i].calls, 0);
		collect(f);
		assert_answered(&answers[i], STATUS_OK, 3 + i);
	}
	assert_answered(&answers[3], STATUS_ROOM_STALE, 5);
}

static void test_hub__rooms_do_not_wait_for_each_other(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *rooms[] = {open_table(f, "a"), open_table(f, "b"), open_table(f, "c")};
	struct answer *answers = f->answers;

	for (size_t i = 0; i < 3; i++)
		ask_play(f, rooms[i], ROOM_HOST, "x", 2, &answers[i]);
	write_out(f);
	assert_int_equal(rows_on_disk(f), 9);
	assert_int_equal(collect(f), 3);
	for (size_t i = 0; i < 3; i++)
		assert_answered(&answers[i], STATUS_OK, 3);
}

static void test_hub__command_that_comes_again_is_applied_once(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct answer *answers = f->answers;
	struct ear *ear = f->ears;

	hear(ear, hosted, ROOM_HOST);
	for (size_t i = 0; i < 3; i++) /* while the first is on its way */
		ask_play(f, hosted, ROOM_HOST, "x", 2, &answers[i]);
	settle(f);
	ask_play(f, hosted, ROOM_GUEST, "y", 3, &answers[3]);
	settle(f);
	ask_play(f, hosted, ROOM_HOST, "x", 2, &answers[3]); /* and long after */
	for (size_t i = 0; i < 4; i++) {
		assert_answered(&answers[i], STATUS_OK, 3);
		assert_snapshots_equal(answers[i].snapshot, answers[0].snapshot);
	}
	assert_int_equal(rows_on_disk(f), 4);
	assert_int_equal(ear->calls, 2);
}

static void test_hub__guest_who_comes_again_keeps_the_seat(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answers = f->answers;
	struct room_hash secret = hash_of(0x77);
	struct room_hash key = hash_of(guest_key);
	struct hosted *hosted;

	ask_room(f, "a", &answers[0]);
	settle(f);
	hosted = find(f, "a");
	ask_join(f, hosted, guest_key, &answers[0]);
	ask_join(f, hosted, guest_key, &answers[1]);
	ask_join(f, hosted, 0x44, &answers[2]);
	answers[3] = (struct answer){.f = f};
	hub_join(f->hub, hosted, &secret, "toy", &key, note_answer, &answers[3]);
	settle(f);
	assert_answered(&answers[0], STATUS_OK, 2);
	assert_answered(&answers[1], STATUS_OK, 2);
	assert_answered(&answers[2], STATUS_ROOM_FULL, 0);
	assert_int_equal(answers[3].calls, 1);
	assert_int_equal(rows_on_disk(f), 2);
}

static void test_hub__what_cannot_be_written_has_not_happened(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct snapshot before = snapshot_of(hosted_room(hosted));
	struct answer *answer = f->answers;
	struct ear *ear = f->ears;

	hear(ear, hosted, ROOM_HOST);
	set_failing(f, true);
	ask_play(f, hosted, ROOM_HOST, "x", 2, answer);
	settle(f);
	assert_answered(answer, STATUS_STORE_WRITE, 0);
	assert_int_equal(ear->calls, 0);
	assert_snapshots_equal(snapshot_of(hosted_room(hosted)), before);

	set_failing(f, false);
	ask_play(f, hosted, ROOM_HOST, "x", 2, answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 3);
	assert_int_equal(ear->calls, 1);
}

static void test_hub__failed_write_takes_those_behind_it_along(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct answer *answers = f->answers;

	set_failing(f, true);
	ask_play(f, hosted, ROOM_HOST, "1", 2, &answers[0]);
	ask_play(f, hosted, ROOM_HOST, "1", 2, &answers[1]);
	ask_play(f, hosted, ROOM_GUEST, "2", 3, &answers[2]);
	write_out(f);
	set_failing(f, false);
	settle(f);
	assert_answered(&answers[0], STATUS_STORE_WRITE, 0);
	assert_answered(&answers[1], STATUS_STORE_WRITE, 0);
	assert_answered(&answers[2], STATUS_ROOM_STALE, 2);
	ask_play(f, hosted, ROOM_HOST, "1", 2, &answers[3]);
	settle(f);
	assert_answered(&answers[3], STATUS_OK, 3);
}

static void test_hub__failed_creation_leaves_no_room(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answer = f->answers;

	set_failing(f, true);
	ask_room(f, "a", answer);
	settle(f);
	assert_answered(answer, STATUS_STORE_WRITE, 0);
	assert_null(find(f, "a"));
	assert_int_equal(hub_rooms(f->hub), 0);
	set_failing(f, false);
	ask_room(f, "a", answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 1);
}

static void test_hub__revision_that_another_wrote_is_refused(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct snapshot before = snapshot_of(hosted_room(hosted));
	struct answer *answer = f->answers;

	put_row(f, "a", 3);
	ask_play(f, hosted, ROOM_HOST, "x", 2, answer);
	settle(f);
	assert_answered(answer, STATUS_STORE_CONFLICT, 0);
	assert_snapshots_equal(snapshot_of(hosted_room(hosted)), before);
}

static void test_hub__name_that_is_taken_is_refused(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answers = f->answers;

	ask_room(f, "a", &answers[0]);
	ask_room(f, "a", &answers[1]);
	assert_answered(&answers[1], STATUS_STORE_CONFLICT, 0);
	settle(f);
	assert_answered(&answers[0], STATUS_OK, 1);
	ask_room(f, "a", &answers[2]);
	assert_answered(&answers[2], STATUS_STORE_CONFLICT, 0);
	assert_int_equal(hub_rooms(f->hub), 1);
}

static void test_hub__creation_of_no_game_leaves_no_room(void **state)
{
	struct hub_fixture *f = *state;
	struct room_event event = creation("chess");
	struct answer *answer = f->answers;

	*answer = (struct answer){.f = f};
	hub_open_room(f->hub, "a", &event, note_answer, answer);
	assert_answered(answer, STATUS_GAME_UNKNOWN, 0);
	assert_int_equal(hub_rooms(f->hub), 0);
}

static void test_hub__full_hub_says_so(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answer = f->answers;
	struct hub *small;

	assert_int_equal(
		hub_create(games(), f->writer, (struct hub_limits){.rooms_max = 2}, &small),
		STATUS_OK);
	hub_destroy(f->hub);
	f->hub = small;
	set_failing(f, true);
	ask_room(f, "a", answer);
	settle(f);
	set_failing(f, false);
	assert_false(hub_is_full(small));
	open_table(f, "a");
	assert_false(hub_is_full(small));
	ask_room(f, "b", answer);
	assert_true(hub_is_full(small)); /* one that is on its way counts */
	settle(f);
	assert_true(hub_is_full(small));
}

static void test_hub__more_than_the_writer_takes_is_refused(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answers = f->answers;
	struct answer *others = &f->answers[2];
	char id[ROOM_ID_BYTES];

	*others = (struct answer){.f = f};
	for (int i = 1; i < WRITER_WAITING_MAX; i++) {
		struct room_event event = creation("toy");

		snprintf(id, sizeof(id), "r%d", i);
		hub_open_room(f->hub, id, &event, note_answer, others);
	}
	ask_room(f, "last", &answers[0]);
	ask_room(f, "over", &answers[1]);
	assert_answered(&answers[1], STATUS_STORE_WRITE, 0);
	assert_int_equal(answers[0].calls, 0);
	assert_int_equal(hub_rooms(f->hub), WRITER_WAITING_MAX);
	settle(f);
	assert_answered(&answers[0], STATUS_OK, 1);
	assert_int_equal(others->calls, WRITER_WAITING_MAX - 1);
	ask_room(f, "over", &answers[1]);
	settle(f);
	assert_answered(&answers[1], STATUS_OK, 1);
}

static void test_hub__requests_on_their_way_are_answered_at_the_end(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct answer *answers = f->answers;

	ask_play(f, hosted, ROOM_HOST, "1", 2, &answers[0]);
	ask_play(f, hosted, ROOM_GUEST, "2", 3, &answers[1]);
	ask_room(f, "b", &answers[2]);
	write_out(f);
	hub_destroy(f->hub);
	f->hub = NULL;
	for (size_t i = 0; i < 3; i++)
		assert_answered(&answers[i], STATUS_STORE_WRITE, 0);
}

static void test_hub__each_watcher_is_told_once_a_change(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct hosted *other = open_table(f, "b");
	struct answer *answer = f->answers;
	struct ear *ears = f->ears;

	hear(&ears[0], hosted, ROOM_HOST);
	hear(&ears[1], hosted, ROOM_HOST);
	hear(&ears[2], hosted, ROOM_GUEST);
	hear(&ears[3], other, ROOM_GUEST);
	ask_play(f, hosted, ROOM_HOST, "1", 2, answer);
	settle(f);
	stop_hearing(&ears[1]);
	ask_play(f, hosted, ROOM_GUEST, "2", 3, answer);
	settle(f);
	assert_int_equal(ears[0].calls, 2);
	assert_int_equal(ears[1].calls, 1);
	assert_int_equal(ears[2].calls, 2);
	assert_int_equal(ears[3].calls, 0);
	assert_snapshots_equal(ears[0].snapshot, ears[2].snapshot);
}

static void assert_counts(
	const struct hub_fixture *f, size_t waiting, size_t playing, size_t people)
{
	struct hub_counts counts = hub_count(f->hub, games()[0]);

	assert_int_equal(counts.waiting, waiting);
	assert_int_equal(counts.playing, playing);
	assert_int_equal(counts.people, people);
	counts = hub_count(f->hub, games()[1]);
	assert_int_equal(counts.waiting + counts.playing + counts.people, 0);
}

static uint64_t after(uint64_t ms)
{
	return clock_monotonic_ms() + ms;
}

static void test_hub__counts_seats_not_watchers(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *playing = open_table(f, "a");
	struct answer *answer = f->answers;
	struct ear *ears = f->ears;

	ask_room(f, "b", answer);
	settle(f);
	hub_tick(f->hub, after(HEARD_MS + 1));
	assert_counts(f, 0, 0, 0);
	hear(&ears[0], playing, ROOM_HOST);
	hear(&ears[1], playing, ROOM_HOST);
	hear(&ears[3], find(f, "b"), ROOM_HOST);
	hub_tick(f->hub, after(HEARD_MS + 1));
	assert_counts(f, 1, 1, 2);
	hear(&ears[2], playing, ROOM_GUEST);
	assert_counts(f, 1, 1, 3);
	for (size_t i = 0; i < EARS; i++)
		stop_hearing(&ears[i]);
	hub_tick(f->hub, after(HEARD_MS + 1));
	assert_counts(f, 0, 0, 0);
}

static void test_hub__who_takes_a_seat_is_counted(void **state)
{
	struct hub_fixture *f = *state;

	ask_room(f, "b", f->answers);
	assert_counts(f, 0, 0, 0); /* not on disk yet */
	settle(f);
	assert_counts(f, 1, 0, 1);
	(void)open_table(f, "a");
	assert_counts(f, 1, 1, 3);
}

/* Rebuilds a hub from what is on disk; the row numbered `damaged` gets another text. */
static void reload(struct hub_fixture *f, size_t damaged, const char *text, enum status expected)
{
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, limits, &f->hub), STATUS_OK);
	for (size_t i = 0; i < f->store.count; i++) {
		struct store_row row = f->store.rows[i];
		enum status status;

		if (i == damaged)
			snprintf(row.text, sizeof(row.text), "%s", text);
		status = hub_load_row(f->hub, &row);
		assert_string_equal(
			status_code(status), status_code(i == damaged ? expected : STATUS_OK));
	}
}

/* Rows 0 to 3 of room "a", with two moves, then "b" with its own. */
static void play_two_rooms(struct hub_fixture *f)
{
	for (const char *id = "a"; id; id = *id == 'a' ? "b" : NULL) {
		struct hosted *hosted = open_table(f, id);
		struct answer *answers = f->answers;

		ask_play(f, hosted, ROOM_HOST, "1", 2, &answers[0]);
		ask_play(f, hosted, ROOM_GUEST, "2", 3, &answers[1]);
		settle(f);
		assert_answered(&answers[1], STATUS_OK, 4);
	}
}

static void test_hub__log_gives_the_rooms_again(void **state)
{
	struct hub_fixture *f = *state;
	struct snapshot before;
	struct answer *answer = f->answers;

	play_two_rooms(f);
	before = snapshot_of(hosted_room(find(f, "a")));
	reload(f, SIZE_MAX, "", STATUS_OK);
	assert_int_equal(hub_rooms(f->hub), 2);
	assert_snapshots_equal(snapshot_of(hosted_room(find(f, "a"))), before);
	ask_play(f, find(f, "a"), ROOM_HOST, "1", 2, answer);
	assert_answered(answer, STATUS_OK, 3);
	ask_play(f, find(f, "a"), ROOM_HOST, "3", 4, answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 5);
}

#define HASH_1 "1111111111111111111111111111111111111111111111111111111111111111"
#define HASH_2 "2222222222222222222222222222222222222222222222222222222222222222"

static void test_hub__damaged_room_is_set_aside_and_the_others_live(void **state)
{
	static const struct {
		size_t row;
		const char *text;
		enum status status;
	} damages[] = {
		{0, "", STATUS_TEXT_EMPTY},
		{0, "made 1 1000 toy " HASH_1 " " HASH_2, STATUS_ROOM_EVENT},
		{0, "created 2 1000 toy " HASH_1 " " HASH_2, STATUS_ROOM_EVENT},
		{0, "created 1 1000 chess " HASH_1 " " HASH_2, STATUS_GAME_UNKNOWN},
		{0, "joined 1 1000 " HASH_1, STATUS_ROOM_EVENT},
		{1, "created 1 1000 toy " HASH_1 " " HASH_2, STATUS_ROOM_EVENT},
		{1, "joined 3 1000 " HASH_1, STATUS_ROOM_EVENT},
		{2, "played 3 1000 guest 1 1", STATUS_ROOM_EVENT},
		{2, "played 3 1000 host 1 1 1", STATUS_TEXT_TRAILING},
		{3, "played 4 1000 guest 2 9", STATUS_USI_SYNTAX},
		{3, "joined 4 1000 " HASH_1, STATUS_ROOM_EVENT},
	};
	struct hub_fixture *f = *state;
	struct answer *answer = f->answers;
	struct ear *ear = f->ears;

	play_two_rooms(f);
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		reload(f, damages[i].row, damages[i].text, damages[i].status);
		assert_non_null(find(f, "a"));
		assert_null(hosted_room(find(f, "a")));
		assert_int_equal(room_rev(hosted_room(find(f, "b"))), 4);
		hear(ear, find(f, "b"), ROOM_HOST);
		assert_counts(f, 0, 1, 1);
		stop_hearing(ear);
	}
	ask_play(f, find(f, "b"), ROOM_HOST, "3", 4, answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 5);
	ask_room(f, "a", answer); /* its name stays taken: the log has its rows */
	assert_answered(answer, STATUS_STORE_CONFLICT, 0);
}

static void test_hub__row_under_another_revision_is_damage(void **state)
{
	struct hub_fixture *f = *state;
	struct answer *answer = f->answers;

	ask_play(f, open_table(f, "a"), ROOM_HOST, "1", 2, answer);
	settle(f);
	f->store.rows[2].rev = 4;
	reload(f, 2, "played 3 1000 host 1 1", STATUS_ROOM_EVENT);
	assert_null(hosted_room(find(f, "a")));
	f->store.rows[2].rev = 3;
	reload(f, 2, "played 3 1000 host 1 1", STATUS_OK);
	assert_int_equal(room_rev(hosted_room(find(f, "a"))), 3);
}

#define HUB_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_hub, tear_down_hub)

/* Its key was good when it came, and is no longer when its turn comes. */
static void test_hub__a_command_behind_the_leaving_of_its_seat_is_refused(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct ear *ears = f->ears;

	hear(&ears[0], hosted, ROOM_HOST);
	hear(&ears[1], hosted, ROOM_GUEST);
	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_LEAVE, &f->answers[0]);
	ask_play(f, hosted, ROOM_HOST, "y", 3, &f->answers[1]);
	settle(f);
	assert_answered(&f->answers[0], STATUS_OK, 3);
	assert_answered(&f->answers[1], STATUS_ROOM_NO_SEAT, 0);
	assert_int_equal(ears[1].calls, 1);
	/* Who left is told the state, and then that it was the last. */
	assert_int_equal(ears[0].calls, 1);
	assert_true(ears[0].ended);
	assert_false(ears[1].ended);
}

static void test_hub__a_room_that_all_have_left_counts_no_more(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	send_command(f, hosted, ROOM_GUEST, "x", ROOM_OP_LEAVE, &f->answers[0]);
	settle(f);
	hear(&f->ears[0], hosted, ROOM_HOST);
	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_LEAVE, &f->answers[0]);
	ask_play(f, hosted, ROOM_HOST, "y", 4, &f->answers[1]);
	assert_int_equal(hub_rooms(f->hub), 1);
	settle(f);
	assert_answered(&f->answers[0], STATUS_OK, 4);
	assert_answered(&f->answers[1], STATUS_ROOM_CLOSED, 0);
	assert_true(f->ears[0].ended);
	for (int restarted = 0; restarted < 2; restarted++) {
		assert_true(hosted_is_closed(hosted));
		assert_null(hosted_room(hosted));
		assert_int_equal(hub_rooms(f->hub), 0);
		assert_int_equal(hub_count(f->hub, &toy_ops).people, 0);
		stop_hearing(&f->ears[0]);
		if (!restarted)
			reload(f, SIZE_MAX, "", STATUS_OK);
		hosted = find(f, "a");
	}
}

static void test_hub__a_request_that_nobody_answers_runs_out(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct ear *ear = f->ears;

	hear(ear, hosted, ROOM_HOST);
	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_OK, 3);
	hub_tick(f->hub, after(REQUEST_MS / 2));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 3);
	hub_tick(f->hub, after(REQUEST_MS));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 0);
	assert_int_equal(room_rev(hosted_room(hosted)), 4);
	assert_int_equal(ear->rev, 4);
	assert_string_equal(f->store.rows[3].room, "a");
	assert_memory_equal(f->store.rows[3].text, "expired 4 ", 10);
	hub_tick(f->hub, after(10 * REQUEST_MS));
	settle(f);
	assert_int_equal(room_rev(hosted_room(hosted)), 4);
}

static void test_hub__an_answer_in_time_leaves_nothing_to_run_out(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	settle(f);
	/* On its way to the disk when the time is up. */
	send_command(f, hosted, ROOM_GUEST, "x", ROOM_OP_ANSWER, f->answers);
	hub_tick(f->hub, after(REQUEST_MS));
	settle(f);
	assert_answered(f->answers, STATUS_OK, 4);
	assert_int_equal(room_rev(hosted_room(hosted)), 4);
	/* The next request has its own time, bug case 75. */
	send_command(f, hosted, ROOM_GUEST, "y", ROOM_OP_ASK, f->answers);
	settle(f);
	hub_tick(f->hub, after(REQUEST_MS / 2));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 5);
	hub_tick(f->hub, after(REQUEST_MS));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 0);
}

static void test_hub__requests_of_many_rooms_run_out_in_their_order(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *first = open_table(f, "a");
	struct hosted *second = open_table(f, "b");
	struct hosted *third = open_table(f, "c");

	send_command(f, first, ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	send_command(f, second, ROOM_HOST, "x", ROOM_OP_ASK, f->answers + 1);
	send_command(f, third, ROOM_HOST, "x", ROOM_OP_ASK, f->answers + 2);
	settle(f);
	send_command(f, second, ROOM_HOST, "y", ROOM_OP_WITHDRAW, f->answers);
	settle(f);
	hub_tick(f->hub, after(REQUEST_MS));
	settle(f);
	assert_int_equal(room_rev(hosted_room(first)), 4);
	assert_int_equal(room_rev(hosted_room(second)), 4);
	assert_int_equal(room_rev(hosted_room(third)), 4);
}

static void test_hub__a_request_whose_end_cannot_be_written_stays_open(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	settle(f);
	set_failing(f, true);
	hub_tick(f->hub, after(REQUEST_MS));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 3);
	set_failing(f, false);
	hub_tick(f->hub, after(3 * REQUEST_MS));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 0);
}

/* The time while no server ran does not count. */
static void test_hub__a_request_of_the_log_has_its_whole_time_again(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	send_command(f, hosted, ROOM_HOST, "x", ROOM_OP_ASK, f->answers);
	settle(f);
	reload(f, SIZE_MAX, "", STATUS_OK);
	hosted = find(f, "a");
	hub_tick(f->hub, after(REQUEST_MS / 2));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 3);
	hub_tick(f->hub, after(REQUEST_MS));
	settle(f);
	assert_int_equal(room_open_request(hosted_room(hosted)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		HUB_TEST(test_hub__creation_is_answered_when_it_is_on_disk),
		HUB_TEST(test_hub__room_moves_and_is_heard_when_the_command_is_on_disk),
		HUB_TEST(test_hub__refusals_need_no_disk_and_are_not_heard),
		HUB_TEST(test_hub__requests_wait_behind_the_one_that_is_written),
		HUB_TEST(test_hub__rooms_do_not_wait_for_each_other),
		HUB_TEST(test_hub__command_that_comes_again_is_applied_once),
		HUB_TEST(test_hub__guest_who_comes_again_keeps_the_seat),
		HUB_TEST(test_hub__what_cannot_be_written_has_not_happened),
		HUB_TEST(test_hub__failed_write_takes_those_behind_it_along),
		HUB_TEST(test_hub__failed_creation_leaves_no_room),
		HUB_TEST(test_hub__revision_that_another_wrote_is_refused),
		HUB_TEST(test_hub__name_that_is_taken_is_refused),
		HUB_TEST(test_hub__creation_of_no_game_leaves_no_room),
		HUB_TEST(test_hub__full_hub_says_so),
		HUB_TEST(test_hub__more_than_the_writer_takes_is_refused),
		HUB_TEST(test_hub__requests_on_their_way_are_answered_at_the_end),
		HUB_TEST(test_hub__each_watcher_is_told_once_a_change),
		HUB_TEST(test_hub__counts_seats_not_watchers),
		HUB_TEST(test_hub__who_takes_a_seat_is_counted),
		HUB_TEST(test_hub__log_gives_the_rooms_again),
		HUB_TEST(test_hub__damaged_room_is_set_aside_and_the_others_live),
		HUB_TEST(test_hub__row_under_another_revision_is_damage),
		HUB_TEST(test_hub__a_command_behind_the_leaving_of_its_seat_is_refused),
		HUB_TEST(test_hub__a_room_that_all_have_left_counts_no_more),
		HUB_TEST(test_hub__a_request_that_nobody_answers_runs_out),
		HUB_TEST(test_hub__an_answer_in_time_leaves_nothing_to_run_out),
		HUB_TEST(test_hub__requests_of_many_rooms_run_out_in_their_order),
		HUB_TEST(test_hub__a_request_whose_end_cannot_be_written_stays_open),
		HUB_TEST(test_hub__a_request_of_the_log_has_its_whole_time_again),
	};

	return cmocka_run_group_tests_name("hub", tests, NULL, NULL);
}
