/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boxes/boxes.h"
#include "cases.h"
#include "room_fixture.h"

/*
 * Rooms of Petits carrés: who closes a box draws again, so nothing in a room may suppose that its
 * seats take turns. Rooms have the public grid; small ones stand here for a start of their own.
 */

static enum status start_small(
	const char *ruleset, const char *text, struct game_state *state, struct game_record *record)
{
	struct text_error error;

	return petits_carres.setup(ruleset, text, strlen(text), &error, state, record);
}

static enum status start_one(
	const char *ruleset, struct game_state *state, struct game_record *record)
{
	return start_small(ruleset, "1x1", state, record);
}

static enum status start_two(
	const char *ruleset, struct game_state *state, struct game_record *record)
{
	return start_small(ruleset, "1x2", state, record);
}

/* "petits-carres", "one-box", "two-boxes" and "toy". */
static const struct game_ops *const *box_games(void)
{
	static struct game_ops one;
	static struct game_ops two;
	static const struct game_ops *const list[] = {&petits_carres, &one, &two, &toy_ops, NULL};

	one = petits_carres;
	one.name = "one-box";
	one.start = start_one;
	two = petits_carres;
	two.name = "two-boxes";
	two.start = start_two;
	return list;
}

static struct room *begin(const char *game)
{
	struct room_event event = creation(game);
	struct room *room = NULL;

	assert_int_equal(room_create(box_games(), "r00m", &event, &room), STATUS_OK);
	event = join_event(room);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	return room;
}

/* An id that no command of the room has had. */
static const char *fresh_id(const struct room *room)
{
	static char id[ROOM_COMMAND_BYTES];

	snprintf(id, sizeof(id), "c%u", (unsigned)room_rev(room));
	return id;
}

static enum status try_line(const struct room *room, enum room_seat seat, int edge)
{
	struct snapshot before = snapshot_of(room);
	struct room_command command = play_command(room, seat, fresh_id(room), boxes_action(edge));
	struct room_event event;
	enum status status = room_decide(room, &command, NOW, &event);

	assert_snapshots_equal(snapshot_of(room), before);
	return status;
}

static void draw(struct room *room, enum room_seat seat, int edge)
{
	struct room_command command = play_command(room, seat, fresh_id(room), boxes_action(edge));
	struct room_event event = event_of(room, &command);

	assert_int_equal(room_apply(room, &event), STATUS_OK);
}

static void act(struct room *room, struct room_command command)
{
	struct room_event event = event_of(room, &command);

	assert_int_equal(room_apply(room, &event), STATUS_OK);
}

/* One seat asks, the other agrees. */
static void agree(struct room *room, enum room_seat seat, enum room_request request)
{
	struct room_command command = command_of(room, seat, fresh_id(room), ROOM_OP_ASK);

	command.request = request;
	act(room, command);
	command = command_of(room, 1 - seat, fresh_id(room), ROOM_OP_ANSWER);
	command.accept = true;
	act(room, command);
}

static struct game_summary summary_of(const struct room *room)
{
	return room_game(room)->summary(room_state(room));
}

/* The seat that the snapshot shows to be the player to move. */
static enum room_seat seat_to_move(const struct room *room)
{
	struct snapshot snapshot = snapshot_of(room);
	char players[40];

	snprintf(players, sizeof(players), "\"players\":{\"host\":%d,", summary_of(room).player);
	return strstr(snapshot.text, players) ? ROOM_HOST : ROOM_GUEST;
}

/* The state alone, which does not tell how often the room moved on to reach it. */
static void state_of(const struct room *room, char json[GAME_STATE_JSON])
{
	struct text text;

	text_init(&text, json, GAME_STATE_JSON);
	room_game(room)->state_write_json(room_state(room), &text);
	assert_false(text.overflow);
}

/* Only `seat` may draw, and it does. */
static void draw_in_turn(struct room *room, enum room_seat seat, int edge)
{
	assert_int_equal(seat_to_move(room), seat);
	assert_int_equal(try_line(room, 1 - seat, edge), STATUS_ROOM_NOT_YOUR_TURN);
	draw(room, seat, edge);
	assert_int_equal(try_line(room, seat_to_move(room), edge),
		summary_of(room).over ? STATUS_GAME_OVER : STATUS_LINE_TAKEN);
}

static int next_number(const char **list)
{
	char *rest;
	int number = (int)strtol(*list, &rest, 10);

	assert_ptr_not_equal(rest, *list);
	*list = rest + strspn(rest, " ");
	return number;
}

/* Plays a row; every line is taken back by consent once, and drawn again. */
static void visit_row(const struct case_row *row)
{
	struct room *room = begin("petits-carres");
	const char *moves = row->column[1];
	const char *captures = row->column[2];
	enum room_seat seat = ROOM_HOST;
	struct game_summary summary;
	char told[64];
	char wanted[64];

	while (*moves) {
		static char before[GAME_STATE_JSON];
		static char after[GAME_STATE_JSON];
		static char again[GAME_STATE_JSON];
		int edge = next_number(&moves);
		int closed = next_number(&captures);
		int score = summary_of(room).scores[seat];

		state_of(room, before);
		draw_in_turn(room, seat, edge);
		assert_int_equal(summary_of(room).scores[seat] - score, closed);
		state_of(room, after);
		agree(room, edge % 2 ? seat : 1 - seat, ROOM_UNDO);
		state_of(room, again);
		assert_string_equal(again, before);
		draw_in_turn(room, seat, edge);
		state_of(room, again);
		assert_string_equal(again, after);
		if (closed == 0)
			seat = 1 - seat;
	}
	assert_string_equal(captures, "");
	summary = summary_of(room);
	snprintf(told, sizeof(told), "%d-%d %s", summary.scores[0], summary.scores[1],
		summary.over     ? "over"
		: summary.player ? "player1"
				 : "player0");
	snprintf(wanted, sizeof(wanted), "%s %s", row->column[3], row->column[4]);
	if (strcmp(told, wanted) != 0)
		fail_msg("%s:%d: %s: %s", row->file, row->line, row->column[0], told);
	assert_int_equal(room_phase(room), summary.over ? ROOM_OVER : ROOM_PLAYING);
	room_destroy(room);
}

static void test_room_boxes__every_row_with_undo_of_each_line(void **state)
{
	(void)state;
	cases_visit("boxes_sequences.tsv", 6, visit_row);
	cases_visit("boxes_games.tsv", 6, visit_row);
}

/*
 * The seven lines of two boxes in a row, and the boxes beside each:
 *
 *	+--0--+--1--+
 *	4  A  5  B  6
 *	+--2--+--3--+
 */
enum { TWO_BOXES_EDGES = 7 };
static const char two_boxes_sides[2][TWO_BOXES_EDGES] = {
	{1, 0, 1, 0, 1, 1, 0}, {0, 1, 0, 1, 0, 1, 1}};

static int count_closed(unsigned drawn)
{
	int closed = 0;

	for (int box = 0; box < 2; box++) {
		int sides = 0;

		for (int edge = 0; edge < TWO_BOXES_EDGES; edge++)
			sides += drawn >> edge & 1 & (unsigned)two_boxes_sides[box][edge];
		closed += sides == 4;
	}
	return closed;
}

/* The `number`-th of the 5040 orders of seven lines, the sides counted here beside the room. */
static void play_order(int number)
{
	struct room *room = begin("two-boxes");
	enum room_seat seat = ROOM_HOST;
	unsigned drawn = 0;
	int scores[ROOM_SEATS] = {0, 0};

	for (int left = TWO_BOXES_EDGES; left > 0; left--) {
		int skip = number % left;
		int edge = 0;
		int closed;

		number /= left;
		while (drawn >> edge & 1 || skip-- > 0)
			edge++;
		draw_in_turn(room, seat, edge);
		closed = count_closed(drawn | 1u << edge) - count_closed(drawn);
		drawn |= 1u << edge;
		scores[seat] += closed;
		assert_int_equal(summary_of(room).scores[ROOM_HOST], scores[ROOM_HOST]);
		assert_int_equal(summary_of(room).scores[ROOM_GUEST], scores[ROOM_GUEST]);
		if (closed == 0)
			seat = 1 - seat;
	}
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_int_equal(
		summary_of(room).winner, scores[0] == scores[1] ? -1 : scores[1] > scores[0]);
	room_destroy(room);
}

static void test_room_boxes__every_order_of_lines_on_two_boxes(void **state)
{
	(void)state;
	for (int number = 0; number < 5040; number++)
		play_order(number);
}

static void test_room_boxes__two_boxes_at_once_give_one_more_line(void **state)
{
	static const int lines[] = {0, 7, 49, 1, 8, 51};
	struct room *room = begin("petits-carres");

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		draw_in_turn(room, i % 2 ? ROOM_GUEST : ROOM_HOST, lines[i]);
	draw_in_turn(room, ROOM_HOST, 50);
	assert_int_equal(summary_of(room).scores[0], 2);
	draw_in_turn(room, ROOM_HOST, 90);
	assert_int_equal(seat_to_move(room), ROOM_GUEST);
	room_destroy(room);
}

/* A row of three boxes, of which the guest takes two and has drawn once more. */
static struct room *room_of_a_long_turn(void)
{
	static const int lines[] = {0, 1, 2, 7, 8, 9, 49};
	struct room *room = begin("petits-carres");

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		draw(room, i % 2 ? ROOM_GUEST : ROOM_HOST, lines[i]);
	draw_in_turn(room, ROOM_GUEST, 50);
	draw_in_turn(room, ROOM_GUEST, 51);
	draw_in_turn(room, ROOM_GUEST, 96);
	return room;
}

static void test_room_boxes__an_undo_takes_back_one_line_of_a_long_turn(void **state)
{
	static const int scores[] = {2, 1, 0};
	struct room *room = room_of_a_long_turn();

	(void)state;
	assert_int_equal(seat_to_move(room), ROOM_HOST);
	for (size_t i = 0; i < sizeof(scores) / sizeof(scores[0]); i++) {
		agree(room, i % 2 ? ROOM_GUEST : ROOM_HOST, ROOM_UNDO);
		assert_int_equal(seat_to_move(room), ROOM_GUEST);
		assert_int_equal(summary_of(room).moves, 9 - i);
		assert_int_equal(summary_of(room).scores[0], 0);
		assert_int_equal(summary_of(room).scores[1], scores[i]);
	}
	agree(room, ROOM_GUEST, ROOM_UNDO);
	assert_int_equal(seat_to_move(room), ROOM_HOST);
	room_destroy(room);
}

static void expect_request(const struct room *room, enum room_seat by, const char *ply)
{
	struct snapshot snapshot = snapshot_of(room);
	char request[128];

	snprintf(request, sizeof(request),
		"{\"what\":\"undo\",\"by\":\"%s\",\"at\":%lld,\"ply\":%s}", room_seat_word(by),
		(long long)room_last_event_ms(room), ply);
	assert_non_null(strstr(snapshot.text, request));
}

static void test_room_boxes__an_undo_names_the_line_and_who_drew_it(void **state)
{
	struct room *room = room_of_a_long_turn();
	struct room_command ask = command_of(room, ROOM_GUEST, "ask", ROOM_OP_ASK);
	struct room_command answer;
	struct room_event event;

	(void)state;
	act(room, ask);
	expect_request(room, ROOM_GUEST, "{\"by\":\"guest\",\"action\":\"96\"}");
	answer = command_of(room, ROOM_GUEST, "own", ROOM_OP_ANSWER);
	answer.accept = true;
	assert_int_equal(room_decide(room, &answer, NOW, &event), STATUS_ROOM_NOT_ALLOWED);
	answer = command_of(room, ROOM_HOST, "yes", ROOM_OP_ANSWER);
	answer.accept = true;
	act(room, answer);

	/* The same player drew the two lines before: the newest is the one that is named. */
	ask = command_of(room, ROOM_HOST, "ask", ROOM_OP_ASK);
	act(room, ask);
	expect_request(room, ROOM_HOST, "{\"by\":\"guest\",\"action\":\"51\"}");
	room_destroy(room);
}

static void test_room_boxes__a_line_of_the_same_turn_makes_a_request_void(void **state)
{
	struct room *room = begin("petits-carres");
	struct room_command command;
	struct room_event event;

	(void)state;
	draw(room, ROOM_HOST, 0);
	draw(room, ROOM_GUEST, 7);
	draw(room, ROOM_HOST, 49);
	draw(room, ROOM_GUEST, 50);
	act(room, command_of(room, ROOM_GUEST, "ask", ROOM_OP_ASK));
	draw_in_turn(room, ROOM_GUEST, 51);
	assert_int_equal(room_open_request(room), 0);
	command = command_of(room, ROOM_HOST, "late", ROOM_OP_ANSWER);
	command.accept = true;
	assert_int_equal(room_decide(room, &command, NOW, &event), STATUS_ROOM_NO_REQUEST);
	room_destroy(room);
}

static void test_room_boxes__an_undo_after_the_end_opens_the_game_again(void **state)
{
	struct room *room = begin("one-box");

	(void)state;
	for (int edge = 0; edge < 4; edge++)
		draw_in_turn(room, edge % 2 ? ROOM_GUEST : ROOM_HOST, edge);
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_int_equal(summary_of(room).winner, 1);
	assert_non_null(strstr(snapshot_of(room).text, "\"scores\":[0,1],"));
	agree(room, ROOM_HOST, ROOM_UNDO);
	assert_int_equal(room_phase(room), ROOM_PLAYING);
	assert_int_equal(summary_of(room).scores[1], 0);
	draw_in_turn(room, ROOM_GUEST, 3);
	assert_int_equal(room_phase(room), ROOM_OVER);
	room_destroy(room);
}

static void test_room_boxes__who_begins_alternates_whoever_drew_last_or_won(void **state)
{
	struct room *room = begin("one-box");

	(void)state;
	for (int game = 0; game < 5; game++) {
		enum room_seat first = game % 2 ? ROOM_GUEST : ROOM_HOST;

		/* Some games are played to their end, others are given up for the next. */
		for (int edge = 0; edge < (game % 3 == 1 ? 2 : 4); edge++)
			draw_in_turn(room, edge % 2 ? 1 - first : first, edge);
		agree(room, game % 2 ? first : 1 - first, ROOM_NEW_GAME);
		assert_int_equal(seat_to_move(room), 1 - first);
		assert_int_equal(summary_of(room).moves, 0);
	}
	room_destroy(room);
}

static void test_room_boxes__the_public_grid_is_that_of_every_game(void **state)
{
	struct room *room = begin("petits-carres");

	(void)state;
	for (int game = 0; game < 2; game++) {
		struct snapshot snapshot = snapshot_of(room);

		assert_non_null(strstr(snapshot.text, "\"state\":{\"rows\":6,\"cols\":7,"));
		assert_non_null(strstr(snapshot.text, "\"position\":\"6x7\"}"));
		agree(room, ROOM_HOST, ROOM_NEW_GAME);
	}
	room_destroy(room);
}

static void test_room_boxes__who_leaves_ends_the_game_without_a_winner(void **state)
{
	struct room *room = room_of_a_long_turn();
	struct snapshot snapshot;

	(void)state;
	act(room, command_of(room, ROOM_HOST, "bye", ROOM_OP_LEAVE));
	snapshot = snapshot_of(room);
	assert_int_equal(room_phase(room), ROOM_OVER);
	assert_non_null(strstr(snapshot.text, "\"abandonedBy\":\"host\""));
	assert_non_null(strstr(snapshot.text, "\"scores\":[0,2],"));
	assert_non_null(strstr(snapshot.text, "\"over\":false,\"winner\":null}"));
	room_destroy(room);
}

static void expect_bad_event(const struct room *room, const char *line, enum status wanted)
{
	struct text_error error;
	struct room_event event;

	assert_int_equal(room_event_read(room, line, strlen(line), &error, &event), wanted);
}

static void test_room_boxes__the_log_has_lines_by_their_numbers_alone(void **state)
{
	struct room *room = begin("petits-carres");
	struct room_event event;
	struct text_error error;
	static const char good[] = "played 3 1001 host a 50";

	(void)state;
	expect_bad_event(room, "played 3 1001 host a A1R", STATUS_ROOM_EVENT);
	expect_bad_event(room, "played 3 1001 host a 97", STATUS_LINE_NUMBER);
	expect_bad_event(room, "played 3 1001 host a 050", STATUS_LINE_SYNTAX);
	expect_bad_event(room, "played 3 1001 host a -1", STATUS_LINE_SYNTAX);
	/* There is no resignation: who gives up leaves, or asks for a new game. */
	expect_bad_event(room, "played 3 1001 host a resign", STATUS_LINE_SYNTAX);
	assert_int_equal(room_event_read(room, good, strlen(good), &error, &event), STATUS_OK);
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	room_destroy(room);
}

static void test_room_boxes__an_event_of_the_wrong_seat_does_not_follow_a_capture(void **state)
{
	struct room *room = begin("two-boxes");
	struct room_event event;

	(void)state;
	draw(room, ROOM_HOST, 0);
	draw(room, ROOM_GUEST, 2);
	draw(room, ROOM_HOST, 4);
	draw(room, ROOM_GUEST, 5);
	event = (struct room_event){.kind = ROOM_PLAYED,
		.rev = room_rev(room) + 1,
		.at_ms = NOW,
		.seat = ROOM_HOST,
		.command = "turn",
		.action = boxes_action(1)};
	assert_int_equal(room_apply(room, &event), STATUS_ROOM_EVENT);
	event.seat = ROOM_GUEST;
	assert_int_equal(room_apply(room, &event), STATUS_OK);
	room_destroy(room);
}

static void test_room_boxes__an_invitation_opens_the_room_of_its_game_only(void **state)
{
	static const char *const names[] = {"petits-carres", "toy"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct room_event event = creation(names[i]);
		struct room_hash secret = hash_of(invitation);
		struct room_hash key = hash_of(guest_key);
		struct room *room = NULL;

		assert_int_equal(room_create(box_games(), "r00m", &event, &room), STATUS_OK);
		assert_int_equal(room_decide_join(room, &secret, names[1 - i], &key, NOW, &event),
			STATUS_ROOM_WRONG_GAME);
		assert_int_equal(
			room_decide_join(room, &secret, names[i], &key, NOW, &event), STATUS_OK);
		room_destroy(room);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_boxes__every_row_with_undo_of_each_line),
		cmocka_unit_test(test_room_boxes__every_order_of_lines_on_two_boxes),
		cmocka_unit_test(test_room_boxes__two_boxes_at_once_give_one_more_line),
		cmocka_unit_test(test_room_boxes__an_undo_takes_back_one_line_of_a_long_turn),
		cmocka_unit_test(test_room_boxes__an_undo_names_the_line_and_who_drew_it),
		cmocka_unit_test(test_room_boxes__a_line_of_the_same_turn_makes_a_request_void),
		cmocka_unit_test(test_room_boxes__an_undo_after_the_end_opens_the_game_again),
		cmocka_unit_test(test_room_boxes__who_begins_alternates_whoever_drew_last_or_won),
		cmocka_unit_test(test_room_boxes__the_public_grid_is_that_of_every_game),
		cmocka_unit_test(test_room_boxes__who_leaves_ends_the_game_without_a_winner),
		cmocka_unit_test(test_room_boxes__the_log_has_lines_by_their_numbers_alone),
		cmocka_unit_test(
			test_room_boxes__an_event_of_the_wrong_seat_does_not_follow_a_capture),
		cmocka_unit_test(test_room_boxes__an_invitation_opens_the_room_of_its_game_only),
	};

	return cmocka_run_group_tests_name("room_boxes", tests, NULL, NULL);
}
