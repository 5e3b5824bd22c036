/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases.h"
#include "game/line.h"
#include "shogi/shogi.h"

static struct game_state set_up(const char *sfen)
{
	struct game_state state;
	struct game_record record;
	struct text_error error;

	if (mini_shogi.setup(NULL, sfen, strlen(sfen), &error, &state, &record) != STATUS_OK)
		fail_msg("%s: column %u: %s", sfen, error.column, status_text(error.status));
	return state;
}

static void expect_sfen(const struct game_state *state, const char *sfen)
{
	char buffer[GAME_SETUP_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	mini_shogi.state_write(state, &text);
	assert_false(text.overflow);
	assert_string_equal(buffer, sfen);
}

static void visit_bad(const struct case_row *row)
{
	const char *sfen = row->column[0];
	struct game_state state;
	struct game_record record;
	struct text_error error = {STATUS_OK, 0, 0};
	enum status status = mini_shogi.setup(NULL, sfen, strlen(sfen), &error, &state, &record);

	if (strcmp(status_code(status), row->column[1]) != 0 ||
		error.column != strtoul(row->column[2], NULL, 10))
		fail_msg("%s:%d: \"%s\" gives %s at column %u, not %s at %s", row->file, row->line,
			sfen, status_code(status), error.column, row->column[1], row->column[2]);
	assert_int_equal(error.status, status);
}

static void test_sfen__refuses_with_reason_and_column(void **context)
{
	(void)context;
	cases_visit("mini_bad_sfen.tsv", 3, visit_bad);
}

static void test_sfen__refuses_a_zero_byte_and_reads_no_further_than_its_length(void **context)
{
	static const char text[] = "4k/5/5/5/K4 b - 1";
	struct game_state state;
	struct game_record record;
	struct text_error error;

	(void)context;
	for (size_t length = 0; length < strlen(text); length++) {
		enum status status = mini_shogi.setup(NULL, text, length, &error, &state, &record);
		bool whole = length == 15; /* up to the hands: the number may be left out */

		assert_int_equal(status == STATUS_OK, whole);
	}
	assert_int_not_equal(
		mini_shogi.setup(NULL, text, sizeof(text), &error, &state, &record), STATUS_OK);
}

static void visit_round_trip(const struct case_row *row)
{
	const char *sfen = row->column[0];
	struct game_state state = set_up(sfen);
	char expected[GAME_SETUP_TEXT];

	/* These files may have their hands in another order; ours is read back to the same text. */
	struct text text;

	text_init(&text, expected, sizeof(expected));
	mini_shogi.state_write(&state, &text);
	state = set_up(expected);
	expect_sfen(&state, expected);
	assert_int_equal(strlen(expected), strlen(sfen));
	assert_memory_equal(expected, sfen, strcspn(sfen, " ") + 2);
}

static void test_sfen__round_trip_of_every_case(void **context)
{
	(void)context;
	cases_visit("mini_perft_wide.tsv", 5, visit_round_trip);
	cases_visit("mini_perft_deep.tsv", 6, visit_round_trip);
}

static void test_sfen__liberties_that_are_read(void **context)
{
	static const struct {
		const char *read;
		const char *written;
	} rows[] = {
		{"rbsgk/4p/5/P4/KGSBR b -", "rbsgk/4p/5/P4/KGSBR b - 1"},
		{"rbsgk/4p/5/P4/KGSBR b - 7", "rbsgk/4p/5/P4/KGSBR b - 7"},
		{"4k/11111/5/5/K4 b - 1", "4k/5/5/5/K4 b - 1"},
		{"4k/5/5/5/K4 w ppG2R 1", "4k/5/5/5/K4 w 2RG2p 1"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_state state = set_up(rows[i].read);

		expect_sfen(&state, rows[i].written);
	}
}

static void expect_number_after_a_move(const char *start, const char *expected)
{
	struct game_line *line;
	struct text_error error;
	struct game_action action;

	assert_int_equal(
		game_line_setup(&mini_shogi, NULL, start, strlen(start), &error, &line), STATUS_OK);
	assert_int_equal(mini_shogi.action_read(game_line_state(line), "1a1b", 4, &error, &action),
		STATUS_OK);
	assert_int_equal(game_line_play(line, action), STATUS_OK);
	expect_sfen(game_line_state(line), expected);
	assert_int_equal(game_line_summary(line).moves, 1);
	game_line_destroy(line);
}

static void test_sfen__move_number_goes_on_from_the_set_up(void **context)
{
	(void)context;
	expect_number_after_a_move("4k/5/5/5/K4 w - 26", "5/4k/5/5/K4 b - 27");
	/* What is written must be read back. */
	expect_number_after_a_move("4k/5/5/5/K4 w - 99999", "5/4k/5/5/K4 b - 99999");
}

static void test_usi__reads_what_it_writes(void **context)
{
	static const char *const moves[] = {
		"5d5c", "1a5e", "5b5a+", "P*3c", "R*1a", "B*5e", "G*2b", "S*4d", "resign"};
	struct game_state state = set_up("4k/5/5/5/K4 b - 1");

	(void)context;
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		struct game_action action;
		struct text_error error;
		char buffer[GAME_ACTION_TEXT];
		struct text text;

		assert_int_equal(
			mini_shogi.action_read(&state, moves[i], strlen(moves[i]), &error, &action),
			STATUS_OK);
		text_init(&text, buffer, sizeof(buffer));
		mini_shogi.action_write(action, &text);
		assert_string_equal(buffer, moves[i]);
	}
}

static void test_usi__refuses_with_reason_and_column(void **context)
{
	static const struct {
		const char *text;
		enum status status;
		uint32_t column;
	} rows[] = {
		{"", STATUS_TEXT_EMPTY, 1},
		{"x", STATUS_USI_SYNTAX, 1},
		{"5", STATUS_USI_SYNTAX, 2},
		{"5d", STATUS_USI_SYNTAX, 3},
		{"5d5", STATUS_USI_SYNTAX, 4},
		{"6a5a", STATUS_USI_SQUARE, 1},
		{"0a5a", STATUS_USI_SQUARE, 1},
		{"9i8i", STATUS_USI_SQUARE, 1},
		{"5f5e", STATUS_USI_SQUARE, 2},
		{"5a5f", STATUS_USI_SQUARE, 4},
		{"5D5C", STATUS_USI_SYNTAX, 2},
		{"5d5c++", STATUS_TEXT_TRAILING, 6},
		{"5d5c ", STATUS_TEXT_TRAILING, 5},
		{"5d5d", STATUS_MOVE_PATTERN, 5},
		{"K*3c", STATUS_USI_PIECE, 1},
		{"N*3c", STATUS_USI_PIECE, 1},
		{"p*3c", STATUS_USI_PIECE, 1},
		{"P*3c+", STATUS_TEXT_TRAILING, 5},
		{"P*", STATUS_USI_SYNTAX, 3},
		{"P@3c", STATUS_USI_SYNTAX, 1},
		{"+P*3c", STATUS_USI_SYNTAX, 1},
		{"Resign", STATUS_USI_SYNTAX, 1},
		{"resign ", STATUS_USI_SYNTAX, 1},
		{"0000", STATUS_USI_SQUARE, 1},
	};
	struct game_state state = set_up("4k/5/5/5/K4 b - 1");

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_action action = {77};
		struct text_error error = {STATUS_OK, 0, 0};
		enum status status = mini_shogi.action_read(
			&state, rows[i].text, strlen(rows[i].text), &error, &action);

		if (status != rows[i].status || error.column != rows[i].column || error.line != 1)
			fail_msg("\"%s\" gives %s at %u:%u", rows[i].text, status_code(status),
				error.line, error.column);
		assert_int_equal(action.code, 77);
	}
}

static void test_json__action_is_read_from_exactly_its_members(void **context)
{
	const struct game_member type_move = {"type", GAME_MEMBER_TEXT, 0, "move"};
	const struct game_member type_drop = {"type", GAME_MEMBER_TEXT, 0, "drop"};
	const struct game_member type_resign = {"type", GAME_MEMBER_TEXT, 0, "resign"};
	const struct game_member from = {"from", GAME_MEMBER_NUMBER, 15, NULL};
	const struct game_member to = {"to", GAME_MEMBER_NUMBER, 10, NULL};
	const struct game_member no = {"promote", GAME_MEMBER_BOOL, 0, NULL};
	const struct game_member piece = {"piece", GAME_MEMBER_TEXT, 0, "B"};
	const struct {
		struct game_member members[5];
		size_t count;
		enum status status;
		const char *bad;
	} rows[] = {
		{{type_move, from, to, no}, 4, STATUS_OK, NULL},
		{{no, to, from, type_move}, 4, STATUS_OK, NULL},
		{{type_drop, piece, to}, 3, STATUS_OK, NULL},
		{{type_resign}, 1, STATUS_OK, NULL},
		{{{0}}, 0, STATUS_ACTION_MEMBER_MISSING, "type"},
		{{from, to, no}, 3, STATUS_ACTION_MEMBER_MISSING, "type"},
		{{type_move, to, no}, 3, STATUS_ACTION_MEMBER_MISSING, "from"},
		{{type_move, from, no}, 3, STATUS_ACTION_MEMBER_MISSING, "to"},
		{{type_move, from, to}, 3, STATUS_ACTION_MEMBER_MISSING, "promote"},
		{{type_drop, to}, 2, STATUS_ACTION_MEMBER_MISSING, "piece"},
		{{type_move, from, to, no, piece}, 5, STATUS_ACTION_MEMBER_UNKNOWN, "piece"},
		{{type_drop, piece, to, no}, 4, STATUS_ACTION_MEMBER_UNKNOWN, "promote"},
		{{type_resign, to}, 2, STATUS_ACTION_MEMBER_UNKNOWN, "to"},
		{{type_move, from, to, to}, 4, STATUS_ACTION_MEMBER_UNKNOWN, "to"},
		{{{"type", GAME_MEMBER_TEXT, 0, "declare"}}, 1, STATUS_ACTION_TYPE, "type"},
		{{{"type", GAME_MEMBER_TEXT, 0, "line"}}, 1, STATUS_ACTION_TYPE, "type"},
		{{{"type", GAME_MEMBER_NUMBER, 1, NULL}}, 1, STATUS_ACTION_MEMBER_VALUE, "type"},
		{{type_move, {"from", GAME_MEMBER_NUMBER, 25, NULL}, to, no}, 4,
			STATUS_ACTION_MEMBER_VALUE, "from"},
		{{type_move, {"from", GAME_MEMBER_NUMBER, -1, NULL}, to, no}, 4,
			STATUS_ACTION_MEMBER_VALUE, "from"},
		{{type_move, {"from", GAME_MEMBER_TEXT, 0, "15"}, to, no}, 4,
			STATUS_ACTION_MEMBER_VALUE, "from"},
		{{type_move, {"from", GAME_MEMBER_NUMBER, 10, NULL}, to, no}, 4,
			STATUS_ACTION_MEMBER_VALUE, "to"},
		{{type_move, from, to, {"promote", GAME_MEMBER_NUMBER, 1, NULL}}, 4,
			STATUS_ACTION_MEMBER_VALUE, "promote"},
		{{type_drop, {"piece", GAME_MEMBER_TEXT, 0, "N"}, to}, 3,
			STATUS_ACTION_MEMBER_VALUE, "piece"},
		{{type_drop, {"piece", GAME_MEMBER_TEXT, 0, "K"}, to}, 3,
			STATUS_ACTION_MEMBER_VALUE, "piece"},
		{{type_drop, {"piece", GAME_MEMBER_TEXT, 0, "L"}, to}, 3,
			STATUS_ACTION_MEMBER_VALUE, "piece"},
		{{type_drop, {"piece", GAME_MEMBER_TEXT, 0, "b"}, to}, 3,
			STATUS_ACTION_MEMBER_VALUE, "piece"},
		{{type_drop, {"piece", GAME_MEMBER_TEXT, 0, ""}, to}, 3, STATUS_ACTION_MEMBER_VALUE,
			"piece"},
		{{type_drop, piece, {"to", GAME_MEMBER_OTHER, 0, NULL}}, 3,
			STATUS_ACTION_MEMBER_VALUE, "to"},
	};
	struct game_state state = set_up("4k/5/5/5/K4 b - 1");

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_action action = {77};
		const char *bad = NULL;
		enum status status = mini_shogi.action_read_members(
			&state, rows[i].members, rows[i].count, &bad, &action);

		if (status != rows[i].status)
			fail_msg("row %zu gives %s", i, status_code(status));
		if (status != STATUS_OK) {
			assert_string_equal(bad, rows[i].bad);
			assert_int_equal(action.code, 77);
		}
	}
}

static void test_json__state_has_exactly_the_published_members(void **context)
{
	static const char expected[] =
		"{\"board\":[null,null,null,null,{\"type\":\"K\",\"owner\":1,\"promoted\":false},"
		"null,null,null,null,null,"
		"null,null,{\"type\":\"S\",\"owner\":1,\"promoted\":true},null,null,"
		"null,null,null,null,null,"
		"{\"type\":\"K\",\"owner\":0,\"promoted\":false},null,null,null,"
		"{\"type\":\"P\",\"owner\":0,\"promoted\":false}],"
		"\"hands\":[{\"R\":0,\"B\":1,\"G\":0,\"S\":0,\"P\":0},"
		"{\"R\":0,\"B\":0,\"G\":2,\"S\":0,\"P\":0}],"
		"\"player\":1,\"moves\":1,\"last\":{\"type\":\"drop\",\"piece\":\"P\",\"to\":24},"
		"\"over\":false,\"winner\":null,\"reason\":null,"
		"\"records\":[{\"key\":\"4k/5/2+s2/5/K4 b BP2g\",\"by\":null,\"check\":false},"
		"{\"key\":\"4k/5/2+s2/5/K3P w B2g\",\"by\":0,\"check\":false}]}";
	static const char start[] = "4k/5/2+s2/5/K4 b BP2g 1";
	struct game_line *line;
	struct text_error error;
	struct game_action action;
	char buffer[4096];
	struct text text;

	(void)context;
	assert_int_equal(
		game_line_setup(&mini_shogi, NULL, start, strlen(start), &error, &line), STATUS_OK);
	assert_int_equal(mini_shogi.action_read(game_line_state(line), "P*1e", 4, &error, &action),
		STATUS_OK);
	assert_int_equal(game_line_play(line, action), STATUS_OK);
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, true, &text);
	assert_string_equal(buffer, expected);

	/* A resignation ends the game, and makes no position. */
	assert_int_equal(
		mini_shogi.action_read(game_line_state(line), "resign", 6, &error, &action),
		STATUS_OK);
	assert_int_equal(game_line_play(line, action), STATUS_OK);
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, true, &text);
	assert_non_null(strstr(buffer, "\"moves\":1,\"last\":{\"type\":\"resign\"},\"over\":true,"
				       "\"winner\":0,\"reason\":\"resignation\",\"records\":["));
	assert_non_null(
		strstr(buffer, "\"key\":\"4k/5/2+s2/5/K3P w B2g\",\"by\":0,\"check\":false}]}"));
	game_line_destroy(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sfen__refuses_with_reason_and_column),
		cmocka_unit_test(
			test_sfen__refuses_a_zero_byte_and_reads_no_further_than_its_length),
		cmocka_unit_test(test_sfen__round_trip_of_every_case),
		cmocka_unit_test(test_sfen__liberties_that_are_read),
		cmocka_unit_test(test_sfen__move_number_goes_on_from_the_set_up),
		cmocka_unit_test(test_usi__reads_what_it_writes),
		cmocka_unit_test(test_usi__refuses_with_reason_and_column),
		cmocka_unit_test(test_json__action_is_read_from_exactly_its_members),
		cmocka_unit_test(test_json__state_has_exactly_the_published_members),
	};

	return cmocka_run_group_tests_name("mini_notation", tests, NULL, NULL);
}
