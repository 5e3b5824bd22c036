/* SPDX-License-Identifier: MIT */
#include "hub_fixture.h"

#include "base/clock.h"

/* Presence in the hub: who is told, and what follows from it for the game. */

#define HUB_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_hub, tear_down_hub)

static const char both_there[] = "{\"host\":\"present\",\"guest\":\"present\",\"keptMs\":null}";
static const char host_alone[] = "{\"host\":\"present\",\"guest\":\"empty\",\"keptMs\":null}";
static const char nobody[] = "{\"host\":\"absent\",\"guest\":\"absent\",\"keptMs\":null}";
static const char guest_away[] = "{\"host\":\"present\",\"guest\":\"absent\",\"keptMs\":300000}";

/* The clocks that the hub looks at stand still until a test moves them. */
static uint64_t now_ms = 1000000;

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
	return (int64_t)now_ms;
}

/* Some time later the hub has looked around, and what it began is on disk. */
static void pass(struct hub_fixture *f, uint64_t ms)
{
	now_ms += ms;
	hub_tick(f->hub, now_ms);
	settle(f);
}

/* A table whose host has a stream, and whose guest has not been heard of for too long. */
static struct hosted *table_with_guest_away(struct hub_fixture *f)
{
	struct hosted *hosted = open_table(f, "a");

	hear(&f->ears[0], hosted, ROOM_HOST);
	pass(f, HEARD_MS - 1);
	assert_int_equal(f->ears[0].presence_calls, 0);
	pass(f, 1);
	assert_int_equal(f->ears[0].presence_calls, 1);
	assert_string_equal(f->ears[0].presence, guest_away);
	return hosted;
}

static void test_hub_presence__a_seat_that_is_taken_is_told(void **state)
{
	struct hub_fixture *f = *state;
	struct ear *ear = f->ears;

	ask_room(f, "a", f->answers);
	settle(f);
	hear(ear, find(f, "a"), ROOM_HOST);
	assert_int_equal(ear->presence_calls, 0); /* the newcomer asks for it itself */
	ask_join(f, find(f, "a"), guest_key, f->answers);
	settle(f);
	assert_int_equal(ear->presence_calls, 1);
	assert_string_equal(ear->presence, both_there);
	assert_int_equal(ear->calls, 1);
}

static void test_hub_presence__only_changes_are_told(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);
	struct ear *ears = f->ears;

	pass(f, 1000);
	assert_int_equal(ears[0].presence_calls, 1);
	hear(&ears[1], hosted, ROOM_GUEST);
	assert_int_equal(ears[0].presence_calls, 2);
	assert_string_equal(ears[0].presence, both_there);
	hear(&ears[2], hosted, ROOM_GUEST); /* a second window of the same player */
	hub_hear(hosted, ROOM_GUEST);
	stop_hearing(&ears[1]);
	pass(f, 10 * HEARD_MS);
	assert_int_equal(ears[0].presence_calls, 2);
}

/* Thinking for hours, or with the page behind others. */
static void test_hub_presence__who_has_a_stream_is_there_however_silent(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	hear(&f->ears[0], hosted, ROOM_HOST);
	hear(&f->ears[1], hosted, ROOM_GUEST);
	for (int i = 0; i < 100; i++)
		pass(f, KEPT_MS);
	assert_int_equal(f->ears[0].presence_calls, 0);
	ask_play(f, hosted, ROOM_HOST, "1", 2, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_OK, 3);
}

static void test_hub_presence__a_page_may_be_loaded_again(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);
	struct ear *ears = f->ears;

	hear(&ears[1], hosted, ROOM_GUEST);
	assert_int_equal(ears[0].presence_calls, 2);
	stop_hearing(&ears[1]);
	pass(f, RELOAD_MS - 1);
	hear(&ears[1], hosted, ROOM_GUEST);
	assert_int_equal(ears[0].presence_calls, 2);
	stop_hearing(&ears[1]);
	pass(f, RELOAD_MS);
	assert_int_equal(ears[0].presence_calls, 3);
	assert_string_equal(ears[0].presence, guest_away);
}

static void test_hub_presence__absence_suspends_the_game(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);
	struct answer *answer = f->answers;

	ask_play(f, hosted, ROOM_HOST, "1", 2, answer);
	assert_answered(answer, STATUS_ROOM_SUSPENDED, 0);
	hub_hear(hosted, ROOM_GUEST);
	ask_play(f, hosted, ROOM_HOST, "1", 2, answer);
	settle(f);
	assert_answered(answer, STATUS_OK, 3);
}

/* The last tick may be a while ago: what counts is the moment of the move. */
static void test_hub_presence__a_move_finds_an_absence_that_no_tick_has_seen(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	hear(&f->ears[0], hosted, ROOM_HOST);
	now_ms += HEARD_MS;
	ask_play(f, hosted, ROOM_HOST, "1", 2, f->answers);
	assert_answered(f->answers, STATUS_ROOM_SUSPENDED, 0);
	assert_string_equal(f->ears[0].presence, guest_away);
}

static void test_hub_presence__the_seat_is_lost_when_its_time_is_over(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);
	struct ear *ear = f->ears;

	pass(f, KEPT_MS - 1);
	assert_int_equal(ear->calls, 0);
	pass(f, 1);
	assert_int_equal(ear->calls, 1);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_OVER);
	assert_false(room_is_seated(hosted_room(hosted), ROOM_GUEST));
	assert_non_null(strstr(ear->snapshot.text, "\"abandonedBy\":\"guest\""));
	assert_string_equal(ear->presence, host_alone);
	send_command(f, hosted, ROOM_HOST, "i", ROOM_OP_INVITE, &f->answers[0]);
	settle(f);
	assert_answered(&f->answers[0], STATUS_OK, 4);
}

static void test_hub_presence__whoever_returns_in_time_keeps_the_seat(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);

	pass(f, KEPT_MS - 1);
	hub_hear(hosted, ROOM_GUEST);
	assert_string_equal(f->ears[0].presence, both_there);
	pass(f, HEARD_MS);
	assert_string_equal(f->ears[0].presence, guest_away); /* its whole time again */
	pass(f, KEPT_MS - 1);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_PLAYING);
}

static void test_hub_presence__where_both_are_away_nobody_waits(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);
	char json[PRESENCE_JSON];
	struct text text;

	stop_hearing(&f->ears[0]);
	pass(f, RELOAD_MS);
	text_init(&text, json, sizeof(json));
	hosted_write_presence(hosted, &text);
	assert_string_equal(json, nobody);
	for (int i = 0; i < 10; i++)
		pass(f, KEPT_MS);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_PLAYING);
	/* The first who returns waits for the other as long as ever. */
	hear(&f->ears[0], hosted, ROOM_HOST);
	pass(f, KEPT_MS - 1);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_PLAYING);
	pass(f, 1);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_OVER);
}

/* A room whose game is over, or has not begun, waits for as long as anybody likes. */
static void test_hub_presence__only_a_game_under_way_is_lost(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct room_hash key = seat_key(ROOM_HOST);
	struct room_command resign =
		play_command(hosted_room(hosted), ROOM_HOST, "r", toy_action(TOY_RESIGN));

	f->answers[0] = (struct answer){.f = f};
	hub_command(f->hub, hosted, &key, &resign, note_answer, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_OK, 3);
	hear(&f->ears[0], hosted, ROOM_HOST);
	pass(f, HEARD_MS);
	assert_string_equal(
		f->ears[0].presence, "{\"host\":\"present\",\"guest\":\"absent\",\"keptMs\":null}");
	pass(f, 10 * KEPT_MS);
	assert_true(room_is_seated(hosted_room(hosted), ROOM_GUEST));
}

static void test_hub_presence__a_loss_that_cannot_be_written_is_tried_again(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);

	set_failing(f, true);
	pass(f, KEPT_MS);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_PLAYING);
	set_failing(f, false);
	pass(f, 1000);
	assert_int_equal(room_phase(hosted_room(hosted)), ROOM_OVER);
	assert_int_equal(room_rev(hosted_room(hosted)), 3);
}

static void test_hub_presence__a_stream_of_the_one_before_is_no_sign_of_the_next(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");
	struct ear *ears = f->ears;
	struct room_hash secret = hash_of(0x44);
	struct room_hash key = hash_of(0x55);
	struct room_command invite;

	hear(&ears[0], hosted, ROOM_HOST);
	hear(&ears[1], hosted, ROOM_GUEST);
	send_command(f, hosted, ROOM_GUEST, "x", ROOM_OP_LEAVE, f->answers);
	settle(f);
	assert_true(ears[1].ended);
	assert_string_equal(ears[0].presence, host_alone);
	invite = command_of(hosted_room(hosted), ROOM_HOST, "i", ROOM_OP_INVITE);
	invite.invitation = secret;
	key = seat_key(ROOM_HOST);
	f->answers[0] = (struct answer){.f = f};
	hub_command(f->hub, hosted, &key, &invite, note_answer, f->answers);
	settle(f);
	key = hash_of(0x55);
	f->answers[0] = (struct answer){.f = f};
	hub_join(f->hub, hosted, &secret, "toy", &key, note_answer, f->answers);
	settle(f);
	assert_answered(f->answers, STATUS_OK, 5);
	assert_string_equal(ears[0].presence, both_there);
	stop_hearing(&ears[1]); /* at last: it counts for nobody */
	pass(f, HEARD_MS);
	assert_string_equal(ears[0].presence, guest_away);
}

/* Rebuilds the hub from what is on disk. */
static void restart(struct hub_fixture *f)
{
	hub_destroy(f->hub);
	assert_int_equal(hub_create(games(), f->writer, limits, &f->hub), STATUS_OK);
	for (size_t i = 0; i < f->store.count; i++)
		assert_int_equal(hub_load_row(f->hub, &f->store.rows[i]), STATUS_OK);
}

/* The time while no server ran counts for nobody. */
static void test_hub_presence__after_a_start_everybody_has_time_to_return(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = open_table(f, "a");

	now_ms += 10 * KEPT_MS;
	restart(f);
	hosted = find(f, "a");
	assert_int_equal(hub_count(f->hub, &toy_ops).people, 0);
	ask_play(f, hosted, ROOM_HOST, "1", 2, f->answers); /* before any tick */
	settle(f);
	assert_answered(f->answers, STATUS_OK, 3);
	hear(&f->ears[0], hosted, ROOM_HOST);
	assert_int_equal(hub_count(f->hub, &toy_ops).people, 1);
	pass(f, HEARD_MS);
	assert_string_equal(f->ears[0].presence, guest_away);
}

/* What was lost stays lost, and the log says by whose absence. */
static void test_hub_presence__a_lost_seat_is_in_the_log(void **state)
{
	struct hub_fixture *f = *state;
	struct hosted *hosted = table_with_guest_away(f);
	struct snapshot before;

	pass(f, KEPT_MS);
	before = snapshot_of(hosted_room(hosted));
	assert_non_null(strstr(f->store.rows[2].text, "abandoned 3 "));
	stop_hearing(&f->ears[0]);
	restart(f);
	assert_snapshots_equal(snapshot_of(hosted_room(find(f, "a"))), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		HUB_TEST(test_hub_presence__a_seat_that_is_taken_is_told),
		HUB_TEST(test_hub_presence__only_changes_are_told),
		HUB_TEST(test_hub_presence__who_has_a_stream_is_there_however_silent),
		HUB_TEST(test_hub_presence__a_page_may_be_loaded_again),
		HUB_TEST(test_hub_presence__absence_suspends_the_game),
		HUB_TEST(test_hub_presence__a_move_finds_an_absence_that_no_tick_has_seen),
		HUB_TEST(test_hub_presence__the_seat_is_lost_when_its_time_is_over),
		HUB_TEST(test_hub_presence__whoever_returns_in_time_keeps_the_seat),
		HUB_TEST(test_hub_presence__where_both_are_away_nobody_waits),
		HUB_TEST(test_hub_presence__only_a_game_under_way_is_lost),
		HUB_TEST(test_hub_presence__a_loss_that_cannot_be_written_is_tried_again),
		HUB_TEST(test_hub_presence__a_stream_of_the_one_before_is_no_sign_of_the_next),
		HUB_TEST(test_hub_presence__after_a_start_everybody_has_time_to_return),
		HUB_TEST(test_hub_presence__a_lost_seat_is_in_the_log),
	};

	return cmocka_run_group_tests_name("hub_presence", tests, NULL, NULL);
}
