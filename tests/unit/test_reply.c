/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "boxes/boxes.h"
#include "client/reply.h"
#include "shogi/shogi.h"

/* A snapshot, with some of its members as the test wants them. */
struct wish {
	const char *room;
	const char *rev;
	const char *phase;
	const char *seats;
	const char *players;
	const char *abandoned;
	const char *request;
	const char *last;
	const char *over;
	const char *position;
};

static const struct wish usual = {
	.room = "\"abc123\"",
	.rev = "3",
	.phase = "\"playing\"",
	.seats = "{\"host\":true,\"guest\":true}",
	.players = "{\"host\":0,\"guest\":1}",
	.abandoned = "null",
	.request = "null",
	.last = "{\"type\":\"move\",\"from\":15,\"to\":10,\"promote\":false}",
	.over = "\"over\":false,\"winner\":null,\"reason\":null",
	.position = "\"rbsgk/4p/P4/5/KGSBR w - 2\"",
};

static char text[2048];

static const char *write_snapshot(const struct wish *wish)
{
	int length = snprintf(text, sizeof(text),
		"{\"room\":%s,\"game\":\"mini-shogi\",\"rev\":%s,\"phase\":%s,\"seats\":%s,"
		"\"games\":1,\"starterRole\":\"host\",\"players\":%s,\"abandonedBy\":%s,"
		"\"request\":%s,\"state\":{\"player\":1,\"moves\":1,\"last\":%s,%s},"
		"\"position\":%s,\"later\":[]}",
		wish->room, wish->rev, wish->phase, wish->seats, wish->players, wish->abandoned,
		wish->request, wish->last, wish->over, wish->position);

	assert_in_range(length, 1, sizeof(text) - 1);
	return text;
}

static struct client_snapshot read_wish(const struct wish *wish)
{
	struct client_snapshot snapshot;
	const char *json = write_snapshot(wish);

	if (!reply_read_snapshot(&mini_shogi, json, strlen(json), &snapshot))
		fail_msg("not read: %s", json);
	return snapshot;
}

static void test_reply__a_snapshot_has_the_room_and_its_game(void **state)
{
	struct client_snapshot snapshot = read_wish(&usual);
	char buffer[GAME_ACTION_TEXT];
	struct text action;

	(void)state;
	assert_string_equal(snapshot.room, "abc123");
	assert_int_equal(snapshot.rev, 3);
	assert_int_equal(snapshot.phase, ROOM_PLAYING);
	assert_true(snapshot.seated[ROOM_GUEST]);
	assert_int_equal(snapshot.player[ROOM_GUEST], 1);
	assert_false(snapshot.abandoned || snapshot.request.open);
	assert_string_equal(snapshot.position, "rbsgk/4p/P4/5/KGSBR w - 2");
	assert_int_equal(snapshot.summary.player, 1);
	assert_int_equal(snapshot.summary.moves, 1);
	assert_true(snapshot.has_last);
	text_init(&action, buffer, sizeof(buffer));
	mini_shogi.action_write(snapshot.last, &action);
	assert_string_equal(buffer, "5d5c");
}

static void test_reply__how_the_game_stands_is_for_the_server_to_say(void **state)
{
	struct wish wish = usual;
	struct client_snapshot snapshot;

	(void)state;
	wish.phase = "\"over\"";
	wish.over = "\"over\":true,\"winner\":1,\"reason\":\"resignation\"";
	wish.last = "{\"type\":\"resign\"}";
	snapshot = read_wish(&wish);
	assert_true(snapshot.summary.over);
	assert_int_equal(snapshot.summary.winner, 1);
	assert_string_equal(snapshot.reason, "resignation");
	wish = usual;
	wish.abandoned = "\"guest\"";
	snapshot = read_wish(&wish);
	assert_true(snapshot.abandoned);
	assert_int_equal(snapshot.abandoned_by, ROOM_GUEST);
}

static void test_reply__a_request_says_who_asks_for_what(void **state)
{
	struct wish wish = usual;
	struct client_snapshot snapshot;

	(void)state;
	wish.request = "{\"what\":\"undo\",\"by\":\"guest\",\"at\":5,"
		       "\"ply\":{\"by\":\"host\",\"action\":\"5d5c\"}}";
	snapshot = read_wish(&wish);
	assert_true(snapshot.request.open);
	assert_int_equal(snapshot.request.what, ROOM_UNDO);
	assert_int_equal(snapshot.request.by, ROOM_GUEST);
	assert_true(snapshot.request.has_ply);
	assert_string_equal(snapshot.request.ply, "5d5c");
	wish.request = "{\"what\":\"new-game\",\"by\":\"host\",\"at\":5,\"ply\":null}";
	snapshot = read_wish(&wish);
	assert_int_equal(snapshot.request.what, ROOM_NEW_GAME);
	assert_false(snapshot.request.has_ply);
}

static void test_reply__what_is_no_snapshot_is_refused_whole(void **state)
{
	static const struct wish rows[] = {
		{.room = "5"},
		{.room = "\"abc\\u001b[2J\""},
		{.room = "\"a name that is much too long\""},
		{.rev = "0"},
		{.rev = "1.5"},
		{.rev = "99999999999999999999"},
		{.phase = "\"other\""},
		{.seats = "{\"host\":true}"},
		{.seats = "{\"host\":true,\"host\":true,\"guest\":true}"},
		{.players = "{\"host\":0,\"guest\":0}"},
		{.players = "{\"host\":0,\"guest\":2}"},
		{.abandoned = "\"nobody\""},
		{.request = "{}"},
		{.request = "{\"what\":\"undo\",\"by\":\"guest\",\"ply\":{\"by\":\"host\","
			    "\"action\":\"\\u009b\"}}"},
		{.over = "\"over\":\"no\",\"winner\":null,\"reason\":null"},
		{.over = "\"over\":true,\"winner\":2,\"reason\":null"},
		{.over = "\"over\":true,\"winner\":1,\"reason\":\"\\n\""},
		{.position = "null"},
		{.position = "\"rbsgk/4p/P4/5/KGSBR\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct wish *row = &rows[i];
		const struct wish wish = {
			.room = row->room ? row->room : usual.room,
			.rev = row->rev ? row->rev : usual.rev,
			.phase = row->phase ? row->phase : usual.phase,
			.seats = row->seats ? row->seats : usual.seats,
			.players = row->players ? row->players : usual.players,
			.abandoned = row->abandoned ? row->abandoned : usual.abandoned,
			.request = row->request ? row->request : usual.request,
			.last = usual.last,
			.over = row->over ? row->over : usual.over,
			.position = row->position ? row->position : usual.position,
		};
		const char *json = write_snapshot(&wish);
		struct client_snapshot snapshot = {.rev = 77};

		if (reply_read_snapshot(&mini_shogi, json, strlen(json), &snapshot))
			fail_msg("read: %s", json);
		assert_int_equal(snapshot.rev, 77);
	}
}

static void test_reply__a_snapshot_of_another_game_is_none(void **state)
{
	struct client_snapshot snapshot;
	const char *json = write_snapshot(&usual);

	(void)state;
	assert_false(reply_read_snapshot(&petits_carres, json, strlen(json), &snapshot));
}

static void test_reply__a_refusal_is_read_as_far_as_it_goes(void **state)
{
	static const char *const nonsense[] = {"", "null", "[]", "<html>", "{\"error\":5}",
		"{\"error\":\"two words\",\"message\":5,\"page\":\"/a b\"}"};
	static const char json[] = "{\"error\":\"wrong-game\",\"message\":\"It is for another.\","
				   "\"page\":\"/rubriques/x\"}";
	struct client_refusal refusal;

	(void)state;
	reply_read_refusal(&mini_shogi, json, strlen(json), &refusal);
	assert_string_equal(refusal.error, "wrong-game");
	assert_string_equal(refusal.reason, "");
	assert_string_equal(refusal.message, "It is for another.");
	assert_string_equal(refusal.page, "/rubriques/x");
	assert_false(refusal.has_snapshot);
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		reply_read_refusal(&mini_shogi, nonsense[i], strlen(nonsense[i]), &refusal);
		assert_string_equal(refusal.error, "");
		assert_string_equal(refusal.message, "");
		assert_string_equal(refusal.page, "");
	}
}

static void test_reply__a_message_is_shown_as_far_as_it_can_be(void **state)
{
	static const struct {
		const char *json;
		const char *message;
	} rows[] = {
		{"{\"message\":\"\\u001b[2JIt is\\nfor another.\\u0007\"}",
			"?[2JIt is?for another.?"},
		{"{\"message\":\"Caf\\u00e9 \\u4e94\\u007f\"}", "Caf? ??"},
		{"{\"message\":\"\"}", ""},
	};
	char json[600] = "{\"message\":\"";
	struct client_refusal refusal;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		reply_read_refusal(&mini_shogi, rows[i].json, strlen(rows[i].json), &refusal);
		assert_string_equal(refusal.message, rows[i].message);
	}
	memset(json + strlen(json), 'a', 500);
	strcat(json, "\"}");
	reply_read_refusal(&mini_shogi, json, strlen(json), &refusal);
	assert_int_equal(strspn(refusal.message, "a"), sizeof(refusal.message) - 1);
	assert_int_equal(strlen(refusal.message), sizeof(refusal.message) - 1);
}

static void test_reply__presence_is_one_word_a_seat(void **state)
{
	static const char json[] = "{\"host\":\"present\",\"guest\":\"absent\",\"keptMs\":59000}";
	static const char other[] = "{\"host\":\"asleep\",\"guest\":\"empty\",\"keptMs\":null}";
	struct client_presences presences;

	(void)state;
	assert_true(reply_read_presence(json, strlen(json), &presences));
	assert_int_equal(presences.seat[ROOM_HOST], CLIENT_PRESENT);
	assert_int_equal(presences.seat[ROOM_GUEST], CLIENT_ABSENT);
	assert_int_equal(presences.kept_ms, 59000);
	assert_true(reply_read_presence(other, strlen(other), &presences));
	assert_int_equal(presences.seat[ROOM_HOST], CLIENT_PRESENCE_UNKNOWN);
	assert_int_equal(presences.seat[ROOM_GUEST], CLIENT_EMPTY);
	assert_int_equal(presences.kept_ms, -1);
	assert_false(reply_read_presence("[]", 2, &presences));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reply__a_snapshot_has_the_room_and_its_game),
		cmocka_unit_test(test_reply__how_the_game_stands_is_for_the_server_to_say),
		cmocka_unit_test(test_reply__a_request_says_who_asks_for_what),
		cmocka_unit_test(test_reply__what_is_no_snapshot_is_refused_whole),
		cmocka_unit_test(test_reply__a_snapshot_of_another_game_is_none),
		cmocka_unit_test(test_reply__a_refusal_is_read_as_far_as_it_goes),
		cmocka_unit_test(test_reply__a_message_is_shown_as_far_as_it_can_be),
		cmocka_unit_test(test_reply__presence_is_one_word_a_seat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
