/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "boxes_fixture.h"
#include "game/sheet.h"

static void test_position__is_written_as_the_shortest_text_that_says_it(void **context)
{
	static const struct {
		const char *read;
		const char *written;
	} rows[] = {
		{"6x7", "6x7"},
		{"1x1", "1x1"},
		{"1x1 0000", "1x1"},
		{"1x1 0000 0", "1x1"},
		{"1x1 0000 0 0", "1x1"},
		{"1x1 0000 1", "1x1 0000 1 0"},
		{"2x2 100001101100", "2x2 100001101100"},
		{"2x2 100001101100 0 0000", "2x2 100001101100"},
		{"2x2 100001101100 1", "2x2 100001101100 1 0000"},
		{"2x2 a0b000ab0000 1 b000", "2x2 a0b000ab0000 1 b000"},
		{"2x2 a0b000ab0000", "2x2 a0b000ab0000 0 1000"},
		{"1x2 1110111", "1x2 1110111"},
		{"1x2 1110111 0 10", "1x2 1110111"},
		{"1x2 1110111 0 b0", "1x2 1110111 0 b0"},
		{"1x1 1111 0 1", "1x1 1111"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_line *line = boxes_begin(rows[i].read);

		boxes_expect_text(game_line_state(line), rows[i].written);
		game_line_destroy(line);
		line = boxes_begin(rows[i].written);
		boxes_expect_text(game_line_state(line), rows[i].written);
		game_line_destroy(line);
	}
}

static void test_position__says_who_drew_and_who_owns_what(void **context)
{
	struct game_line *line = boxes_begin("2x2 a0b000ab0001 1 b000");
	const struct boxes_position *position = boxes_now(line);

	(void)context;
	assert_int_equal(position->grid.rows, 2);
	assert_int_equal(position->grid.columns, 2);
	assert_int_equal(position->lines[0], 0);
	assert_int_equal(position->lines[1], BOXES_FREE);
	assert_int_equal(position->lines[2], 1);
	assert_int_equal(position->lines[11], BOXES_NOBODY);
	assert_int_equal(position->owners[0], 1);
	assert_int_equal(position->owners[1], BOXES_FREE);
	assert_int_equal(position->scores[0], 0);
	assert_int_equal(position->scores[1], 1);
	assert_int_equal(position->player, 1);
	assert_int_equal(position->moves, 0);
	assert_int_equal(position->last, -1);
	assert_int_equal(position->captured, 0);
	game_line_destroy(line);
}

static void test_position__of_the_largest_grid_fits_its_text(void **context)
{
	char setup[GAME_SETUP_TEXT + 1];
	char lines[BOXES_EDGES_MAX + 1] = {0};
	char owners[BOXES_MAX + 1] = {0};
	struct game_line *line;

	(void)context;
	memset(lines, 'b', BOXES_EDGES_MAX);
	memset(owners, 'a', BOXES_MAX);
	assert_in_range(snprintf(setup, sizeof(setup), "8x8 %s 0 %s", lines, owners), 1,
		GAME_SETUP_TEXT - 1);
	line = boxes_begin(setup);
	boxes_expect_text(game_line_state(line), setup);
	game_line_destroy(line);
}

static void test_position__refuses_with_reason_and_column(void **context)
{
	static const struct {
		const char *text;
		enum status status;
		uint32_t column;
	} rows[] = {
		{"", STATUS_TEXT_EMPTY, 1},
		{" 6x7", STATUS_GRID_SIZE, 1},
		{"6", STATUS_GRID_SIZE, 2},
		{"6x", STATUS_GRID_SIZE, 3},
		{"6X7", STATUS_GRID_SIZE, 2},
		{"6,7", STATUS_GRID_SIZE, 2},
		{"0x7", STATUS_GRID_SIZE, 1},
		{"9x7", STATUS_GRID_SIZE, 1},
		{"6x0", STATUS_GRID_SIZE, 3},
		{"6x9", STATUS_GRID_SIZE, 3},
		{"-6x7", STATUS_GRID_SIZE, 1},
		{"06x7", STATUS_GRID_SIZE, 1},
		{"16x7", STATUS_GRID_SIZE, 2},
		{"6x77", STATUS_GRID_SIZE, 4},
		{"6x7\n", STATUS_GRID_SIZE, 4},
		{"1x1 ", STATUS_GRID_LINE_COUNT, 5},
		{"1x1  0000", STATUS_GRID_LINE_COUNT, 5},
		{"1x1 000", STATUS_GRID_LINE_COUNT, 8},
		{"1x1 00000", STATUS_GRID_LINE_COUNT, 9},
		{"1x1 000 0", STATUS_GRID_LINE_COUNT, 8},
		{"1x1 0020", STATUS_GRID_LINE, 7},
		{"1x1 A000", STATUS_GRID_LINE, 5},
		{"1x1 00-0", STATUS_GRID_LINE, 7},
		{"1x1 0000\t0", STATUS_GRID_LINE_COUNT, 9},
		{"1x1 0000 ", STATUS_GRID_PLAYER, 10},
		{"1x1 0000 2", STATUS_GRID_PLAYER, 10},
		{"1x1 0000 a", STATUS_GRID_PLAYER, 10},
		{"1x1 0000 01", STATUS_GRID_PLAYER, 11},
		{"1x1 0000 0 ", STATUS_GRID_BOX_COUNT, 12},
		{"1x1 0000 0 00", STATUS_GRID_BOX_COUNT, 13},
		{"1x2 0000000 0 0", STATUS_GRID_BOX_COUNT, 16},
		{"1x1 1111 0 2", STATUS_GRID_BOX, 12},
		{"1x1 1111 0 B", STATUS_GRID_BOX, 12},
		{"1x1 1111 0 0", STATUS_GRID_BOX_LINES, 12},
		{"1x1 1110 0 1", STATUS_GRID_BOX_LINES, 12},
		{"1x2 1110111 0 ab", STATUS_GRID_BOX_LINES, 16},
		{"1x1 1111 0 a ", STATUS_TEXT_TRAILING, 13},
		{"1x1 1111 0 a 1", STATUS_TEXT_TRAILING, 13},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_state state;
		struct game_record record;
		struct text_error error = {STATUS_OK, 0, 0};
		enum status status = petits_carres.setup(
			NULL, rows[i].text, strlen(rows[i].text), &error, &state, &record);

		if (status != rows[i].status || error.status != status || error.line != 1 ||
			error.column != rows[i].column)
			fail_msg("\"%s\" gives %s at %u:%u", rows[i].text, status_code(status),
				error.line, error.column);
	}
}

static void test_position__is_read_no_further_than_its_length_and_has_no_zero(void **context)
{
	static const char text[] = "1x1 1111 1 a";
	struct game_state state;
	struct game_record record;
	struct text_error error;

	(void)context;
	for (size_t length = 0; length < strlen(text); length++) {
		enum status status =
			petits_carres.setup(NULL, text, length, &error, &state, &record);
		bool whole = length == 3 || length == 8 || length == 10;

		assert_int_equal(status == STATUS_OK, whole);
	}
	for (size_t length = 3; length < sizeof(text); length++) {
		char zero[sizeof(text)];

		memcpy(zero, text, sizeof(text));
		zero[length] = 0;
		assert_int_not_equal(
			petits_carres.setup(NULL, zero, length + 1, &error, &state, &record),
			STATUS_OK);
	}
}

static void expect_edge(const struct game_line *line, const char *word, int edge)
{
	struct text_error error;
	struct game_action action = {0};
	enum status status = petits_carres.action_read(
		game_line_state(line), word, strlen(word), &error, &action);

	if (status != STATUS_OK || boxes_action_edge(action) != edge)
		fail_msg("\"%s\" is not line %d: %s", word, edge, status_code(status));
}

/* Each line by its number, and by each side of each box, in both cases of letters. */
static void visit_names(struct boxes_grid grid)
{
	struct game_line *line = boxes_begin_empty(grid);

	for (int edge = 0; edge < boxes_edge_count(grid); edge++) {
		char name[GAME_ACTION_TEXT];
		struct text text;

		text_init(&text, name, sizeof(name));
		petits_carres.action_write(boxes_action(edge), &text);
		assert_int_equal(strtol(name, NULL, 10), edge);
		expect_edge(line, name, edge);
		boxes_edge_name(grid, edge, name);
		assert_int_equal(strlen(name), BOXES_EDGE_NAME - 1);
		expect_edge(line, name, edge);
	}
	for (int box = 0; box < boxes_count(grid); box++) {
		for (int side = BOXES_TOP; side < BOXES_SIDES; side++) {
			int edge = boxes_box_edge(grid, box, (enum boxes_side)side);
			char name[] = {(char)('A' + box % grid.columns),
				(char)('1' + box / grid.columns), "TRBL"[side], 0};

			expect_edge(line, name, edge);
			name[0] = (char)(name[0] - 'A' + 'a');
			expect_edge(line, name, edge);
			name[2] = (char)(name[2] - 'A' + 'a');
			expect_edge(line, name, edge);
		}
	}
	game_line_destroy(line);
}

static void test_line__is_read_by_number_and_by_box_and_side_on_every_grid(void **context)
{
	(void)context;
	for (uint8_t rows = 1; rows <= BOXES_SIDE_MAX; rows++)
		for (uint8_t columns = 1; columns <= BOXES_SIDE_MAX; columns++)
			visit_names((struct boxes_grid){rows, columns});
}

static void test_line__is_named_by_the_box_above_or_to_its_left(void **context)
{
	static const struct {
		int edge;
		const char *name;
	} rows[] = {
		{0, "A1T"},
		{6, "G1T"},
		{7, "A1B"},
		{48, "G6B"},
		{49, "A1L"},
		{50, "A1R"},
		{56, "G1R"},
		{89, "A6L"},
		{96, "G6R"},
	};
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char name[BOXES_EDGE_NAME];

		boxes_edge_name((struct boxes_grid){6, 7}, rows[i].edge, name);
		assert_string_equal(name, rows[i].name);
	}
	expect_edge(line, "B1L", 50);
	expect_edge(line, "A2T", 7);
	game_line_destroy(line);
}

static void test_line__refuses_with_reason_and_column(void **context)
{
	static const struct {
		const char *text;
		enum status status;
		uint32_t column;
	} rows[] = {
		{"", STATUS_TEXT_EMPTY, 1},
		{"-1", STATUS_LINE_SYNTAX, 1},
		{"+7", STATUS_LINE_SYNTAX, 1},
		{" 7", STATUS_LINE_SYNTAX, 1},
		{"00", STATUS_LINE_SYNTAX, 1},
		{"07", STATUS_LINE_SYNTAX, 1},
		{"\"7\"", STATUS_LINE_SYNTAX, 1},
		{"é", STATUS_LINE_SYNTAX, 1},
		{"97", STATUS_LINE_NUMBER, 1},
		{"144", STATUS_LINE_NUMBER, 1},
		{"1000000000", STATUS_LINE_NUMBER, 1},
		{"4294967296", STATUS_LINE_NUMBER, 1},
		{"99999999999999999999999999999999", STATUS_LINE_NUMBER, 1},
		{"7.5", STATUS_TEXT_TRAILING, 2},
		{"1e9", STATUS_TEXT_TRAILING, 2},
		{"7 ", STATUS_TEXT_TRAILING, 2},
		{"0x10", STATUS_TEXT_TRAILING, 2},
		{"null", STATUS_LINE_SYNTAX, 2},
		{"resign", STATUS_LINE_SYNTAX, 2},
		{"A", STATUS_LINE_SYNTAX, 2},
		{"AA1", STATUS_LINE_SYNTAX, 2},
		{"A1", STATUS_LINE_SIDE, 3},
		{"A1X", STATUS_LINE_SIDE, 3},
		{"A12R", STATUS_LINE_SIDE, 3},
		{"A0R", STATUS_LINE_BOX, 2},
		{"A7R", STATUS_LINE_BOX, 2},
		{"H1R", STATUS_LINE_BOX, 1},
		{"z9R", STATUS_LINE_BOX, 1},
		{"A1R ", STATUS_TEXT_TRAILING, 4},
		{"A1RR", STATUS_TEXT_TRAILING, 4},
	};
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_action action = {77};
		struct text_error error = {STATUS_OK, 0, 0};
		enum status status = petits_carres.action_read(
			game_line_state(line), rows[i].text, strlen(rows[i].text), &error, &action);

		if (status != rows[i].status || error.status != status || error.line != 1 ||
			error.column != rows[i].column)
			fail_msg("\"%s\" gives %s at %u:%u", rows[i].text, status_code(status),
				error.line, error.column);
		assert_int_equal(action.code, 77);
	}
	game_line_destroy(line);
}

static void test_json__action_is_read_from_exactly_its_members(void **context)
{
	const struct game_member type = {"type", GAME_MEMBER_TEXT, 0, "line"};
	const struct game_member edge = {"edge", GAME_MEMBER_NUMBER, 96, NULL};
	const struct {
		struct game_member members[3];
		size_t count;
		enum status status;
		const char *bad;
	} rows[] = {
		{{type, edge}, 2, STATUS_OK, NULL},
		{{edge, type}, 2, STATUS_OK, NULL},
		{{{0}}, 0, STATUS_ACTION_MEMBER_MISSING, "type"},
		{{edge}, 1, STATUS_ACTION_MEMBER_MISSING, "type"},
		{{type}, 1, STATUS_ACTION_MEMBER_MISSING, "edge"},
		{{type, edge, edge}, 3, STATUS_ACTION_MEMBER_UNKNOWN, "edge"},
		{{type, type, edge}, 3, STATUS_ACTION_MEMBER_UNKNOWN, "type"},
		{{type, edge, {"to", GAME_MEMBER_NUMBER, 1, NULL}}, 3, STATUS_ACTION_MEMBER_UNKNOWN,
			"to"},
		{{{"type", GAME_MEMBER_TEXT, 0, "resign"}}, 1, STATUS_ACTION_TYPE, "type"},
		{{{"type", GAME_MEMBER_TEXT, 0, "Line"}, edge}, 2, STATUS_ACTION_TYPE, "type"},
		{{{"type", GAME_MEMBER_NUMBER, 1, NULL}, edge}, 2, STATUS_ACTION_MEMBER_VALUE,
			"type"},
		{{type, {"edge", GAME_MEMBER_TEXT, 0, "A1R"}}, 2, STATUS_ACTION_MEMBER_VALUE,
			"edge"},
		{{type, {"edge", GAME_MEMBER_NUMBER, 97, NULL}}, 2, STATUS_LINE_NUMBER, "edge"},
	};
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_action action = {77};
		const char *bad = NULL;
		enum status status = petits_carres.action_read_members(
			game_line_state(line), rows[i].members, rows[i].count, &bad, &action);

		if (status != rows[i].status)
			fail_msg("row %zu gives %s", i, status_code(status));
		if (status == STATUS_OK) {
			assert_int_equal(boxes_action_edge(action), 96);
			continue;
		}
		assert_string_equal(bad, rows[i].bad);
		assert_int_equal(action.code, 77);
	}
	game_line_destroy(line);
}

static void test_json__action_is_written_as_it_is_read(void **context)
{
	char buffer[64];
	struct text text;

	(void)context;
	text_init(&text, buffer, sizeof(buffer));
	petits_carres.action_write_json(boxes_action(143), &text);
	assert_string_equal(buffer, "{\"type\":\"line\",\"edge\":143}");
}

static void expect_json(const struct game_line *line, const char *expected)
{
	char buffer[GAME_STATE_JSON];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, false, &text);
	assert_false(text.overflow);
	assert_string_equal(buffer, expected);
}

static void test_json__state_has_exactly_the_published_members(void **context)
{
	struct game_line *line = boxes_begin("1x2");

	(void)context;
	expect_json(line, "{\"rows\":1,\"cols\":2,\"edges\":[-1,-1,-1,-1,-1,-1,-1],"
			  "\"boxes\":[-1,-1],\"scores\":[0,0],\"player\":0,\"moves\":0,"
			  "\"last\":null,\"captured\":0,\"over\":false,\"winner\":null}");
	boxes_play_words(line, "0");
	expect_json(line, "{\"rows\":1,\"cols\":2,\"edges\":[0,-1,-1,-1,-1,-1,-1],"
			  "\"boxes\":[-1,-1],\"scores\":[0,0],\"player\":1,\"moves\":1,"
			  "\"last\":0,\"captured\":0,\"over\":false,\"winner\":null}");
	boxes_play_words(line, "2 4 5");
	expect_json(line, "{\"rows\":1,\"cols\":2,\"edges\":[0,-1,1,-1,0,1,-1],"
			  "\"boxes\":[1,-1],\"scores\":[0,1],\"player\":1,\"moves\":4,"
			  "\"last\":5,\"captured\":1,\"over\":false,\"winner\":null}");
	boxes_play_words(line, "1 3 6");
	expect_json(line, "{\"rows\":1,\"cols\":2,\"edges\":[0,1,1,0,0,1,1],"
			  "\"boxes\":[1,1],\"scores\":[0,2],\"player\":1,\"moves\":7,"
			  "\"last\":6,\"captured\":1,\"over\":true,\"winner\":1}");
	game_line_destroy(line);

	line = boxes_begin("1x2 1110111");
	boxes_play_words(line, "3");
	expect_json(line, "{\"rows\":1,\"cols\":2,\"edges\":[2,2,2,0,2,2,2],"
			  "\"boxes\":[2,0],\"scores\":[1,0],\"player\":0,\"moves\":1,"
			  "\"last\":3,\"captured\":1,\"over\":true,\"winner\":0}");
	game_line_destroy(line);

	line = boxes_begin("1x2 abababa 0 ab");
	expect_json(line, "{\"rows\":1,\"cols\":2,\"edges\":[0,1,0,1,0,1,0],"
			  "\"boxes\":[0,1],\"scores\":[1,1],\"player\":0,\"moves\":0,"
			  "\"last\":null,\"captured\":0,\"over\":true,\"winner\":null}");
	game_line_destroy(line);
}

static enum status read_sheet(
	const char *format, const char *text, struct text_error *error, struct game_sheet **sheet)
{
	const struct game_format *found = game_format_find(&petits_carres, format);

	assert_non_null(found);
	return game_sheet_read(&petits_carres, found, NULL, text, strlen(text), error, sheet);
}

/* Lives until the next call. */
static const char *write_sheet(const char *format, const struct game_sheet *sheet)
{
	static char buffer[4096];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	game_format_find(&petits_carres, format)->write(sheet, &text);
	assert_false(text.overflow);
	return buffer;
}

static void rewrites(const char *from, const char *text, const char *to, const char *expected)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;

	if (read_sheet(from, text, &error, &sheet) != STATUS_OK)
		fail_msg(
			"%s, %u:%u: %s", text, error.line, error.column, status_text(error.status));
	assert_string_equal(write_sheet(to, sheet), expected);
	game_sheet_destroy(sheet);
}

static void test_moves__are_a_list_behind_a_position_where_it_is_not_the_start(void **context)
{
	static const struct {
		const char *read;
		const char *written;
	} rows[] = {
		{"0 7 49 1", "0 7 49 1\n"},
		{"moves 0 7 49 1", "0 7 49 1\n"},
		{"6x7 moves 0 7 49 1", "0 7 49 1\n"},
		{"A1T A1B a1l b1t", "0 7 49 1\n"},
		{"\r\n \t0  7\t49 1 \n\n", "0 7 49 1\n"},
		{"moves", "6x7\n"},
		{"6x7", "6x7\n"},
		{"3x4", "3x4\n"},
		{"3x4 moves", "3x4\n"},
		{"3x4 moves 0 1 A1R", "3x4 moves 0 1 17\n"},
		{"1x1 0000 1", "1x1 0000 1 0\n"},
		{"1x1 1110 1 0 moves 3", "1x1 1110 1 0 moves 3\n"},
		{"  2x2 100001101100 moves 1 2", "2x2 100001101100 moves 1 2\n"},
		{"6x7 moves", "6x7\n"},
		{"7x6 moves 96", "7x6 moves 96\n"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rewrites("moves", rows[i].read, "moves", rows[i].written);
		rewrites("moves", rows[i].written, "moves", rows[i].written);
	}
}

static void test_bits__are_the_last_position_without_players(void **context)
{
	(void)context;
	rewrites("moves", "1x2 moves 0 2 4 5", "bits", "1x2 1010110\n");
	rewrites("moves", "2x2", "bits", "2x2 000000000000\n");
	rewrites("bits", " \n1x2 1010110 \n", "bits", "1x2 1010110\n");
	rewrites("bits", "1x2 1010110", "moves", "1x2 1010110\n");
	rewrites("bits", "2x2 000000000000", "moves", "2x2\n");
	rewrites("bits", "2x2 a0b000ab0000 1 b000", "bits", "2x2 101000110000\n");
}

static void test_formats__refuse_with_reason_and_place(void **context)
{
	static const struct {
		const char *format;
		const char *text;
		enum status status;
		uint32_t line;
		uint32_t column;
	} rows[] = {
		{"moves", "", STATUS_TEXT_EMPTY, 1, 1},
		{"moves", " \n\t\n", STATUS_TEXT_EMPTY, 1, 1},
		{"moves", "0 7\n49", STATUS_TEXT_TRAILING, 2, 1},
		{"moves", "\n0 7 0", STATUS_LINE_TAKEN, 2, 5},
		{"moves", "0 7 B2T A2R A1T", STATUS_LINE_TAKEN, 1, 13},
		{"moves", "0 7 97", STATUS_LINE_NUMBER, 1, 5},
		{"moves", "0 -7", STATUS_LINE_SYNTAX, 1, 3},
		{"moves", "0,7", STATUS_TEXT_TRAILING, 1, 2},
		{"moves", "0 7.5", STATUS_TEXT_TRAILING, 1, 4},
		{"moves", "0 A1", STATUS_LINE_SIDE, 1, 5},
		{"moves", "0 moves 7", STATUS_LINE_SYNTAX, 1, 4},
		{"moves", "1x1 moves 0 1 2 3 3", STATUS_GAME_OVER, 1, 19},
		{"moves", "1x1 moves 4", STATUS_LINE_NUMBER, 1, 11},
		{"moves", "9x9 moves 0", STATUS_GRID_SIZE, 1, 1},
		{"moves", "6x7 0 7", STATUS_GRID_LINE_COUNT, 1, 6},
		{"moves", "\n 1x1 00a moves 0", STATUS_GRID_LINE_COUNT, 2, 9},
		{"moves", "1x1 000z moves 0", STATUS_GRID_LINE, 1, 8},
		{"bits", "", STATUS_TEXT_EMPTY, 1, 1},
		{"bits", "1x2\n1010110", STATUS_TEXT_TRAILING, 2, 1},
		{"bits", "1x2 101011", STATUS_GRID_LINE_COUNT, 1, 11},
		{"bits", "\n 1x2 10101101", STATUS_GRID_LINE_COUNT, 2, 13},
		{"bits", "1x2 101x110", STATUS_GRID_LINE, 1, 8},
		{"bits", "1010110", STATUS_GRID_SIZE, 1, 2},
		{"bits", "1x2 1010110 moves 1", STATUS_GRID_PLAYER, 1, 13},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = NULL;
		struct text_error error = {STATUS_OK, 0, 0};
		enum status status = read_sheet(rows[i].format, rows[i].text, &error, &sheet);

		if (status != rows[i].status || error.status != status ||
			error.line != rows[i].line || error.column != rows[i].column)
			fail_msg("%s \"%s\" gives %s at %u:%u", rows[i].format, rows[i].text,
				status_code(status), error.line, error.column);
		assert_null(sheet);
	}
}

/* A random position on a random grid, reached by play from an empty grid or a set-up. */
static struct game_sheet *random_sheet(struct random *random)
{
	struct boxes_grid grid = {(uint8_t)(1 + random_below(random, BOXES_SIDE_MAX)),
		(uint8_t)(1 + random_below(random, BOXES_SIDE_MAX))};
	bool public = random_below(random, 4) == 0;
	bool lines = random_below(random, 2) == 0;
	struct game_sheet *sheet = NULL;
	struct text_error error;
	char buffer[GAME_SETUP_TEXT];
	struct text text;
	uint32_t plies;

	text_init(&text, buffer, sizeof(buffer));
	text_add_number(&text, public ? 6 : grid.rows);
	text_add_char(&text, 'x');
	text_add_number(&text, public ? 7 : grid.columns);
	for (int edge = 0; !public && lines && edge < boxes_edge_count(grid); edge++) {
		if (edge == 0)
			text_add_char(&text, ' ');
		text_add_char(&text, "0000ab1"[random_below(random, 7)]);
	}
	assert_int_equal(
		game_sheet_setup(&petits_carres, NULL, buffer, text.length, &error, &sheet),
		STATUS_OK);
	plies = random_below(random, BOXES_EDGES_MAX);
	for (uint32_t ply = 0; ply < plies; ply++) {
		struct game_action actions[GAME_ACTIONS_MAX];
		size_t count =
			petits_carres.legal(game_line_state(game_sheet_line(sheet)), actions);

		if (count == 0)
			break;
		assert_int_equal(
			game_sheet_play(sheet, actions[random_below(random, (uint32_t)count)]),
			STATUS_OK);
	}
	return sheet;
}

static void test_formats__random_games_there_and_back(void **context)
{
	static char expected[BOXES_PICTURE];
	struct random random = {52};

	(void)context;
	for (int game = 0; game < 500; game++) {
		struct game_sheet *sheet = random_sheet(&random);
		const struct game_line *line = game_sheet_line(sheet);
		struct game_sheet *again = NULL;
		struct text_error error;

		boxes_take_picture(line, expected);
		assert_int_equal(read_sheet("moves", write_sheet("moves", sheet), &error, &again),
			STATUS_OK);
		boxes_expect_picture(game_sheet_line(again), expected);
		assert_int_equal(game_line_is_from_start(game_sheet_line(again)),
			game_line_is_from_start(line));
		game_sheet_destroy(again);

		assert_int_equal(
			read_sheet("bits", write_sheet("bits", sheet), &error, &again), STATUS_OK);
		for (int edge = 0; edge < boxes_edge_count(boxes_now(line)->grid); edge++)
			assert_int_equal(boxes_now(game_sheet_line(again))->lines[edge],
				boxes_now(line)->lines[edge] == BOXES_FREE ? BOXES_FREE
									   : BOXES_NOBODY);
		game_sheet_destroy(again);
		game_sheet_destroy(sheet);
	}
}

static void test_position__random_ones_there_and_back(void **context)
{
	struct random random = {53};

	(void)context;
	for (int i = 0; i < 500; i++) {
		struct game_sheet *sheet = random_sheet(&random);
		const struct boxes_position *position = boxes_now(game_sheet_line(sheet));
		char setup[GAME_SETUP_TEXT];
		struct text text;
		struct game_line *line;

		text_init(&text, setup, sizeof(setup));
		petits_carres.state_write(game_line_state(game_sheet_line(sheet)), &text);
		assert_false(text.overflow);
		line = boxes_begin(setup);
		boxes_expect_text(game_line_state(line), setup);
		assert_memory_equal(
			boxes_now(line)->lines, position->lines, sizeof(position->lines));
		assert_memory_equal(
			boxes_now(line)->owners, position->owners, sizeof(position->owners));
		assert_memory_equal(
			boxes_now(line)->scores, position->scores, sizeof(position->scores));
		assert_int_equal(boxes_now(line)->player, position->player);
		game_line_destroy(line);
		game_sheet_destroy(sheet);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_position__is_written_as_the_shortest_text_that_says_it),
		cmocka_unit_test(test_position__says_who_drew_and_who_owns_what),
		cmocka_unit_test(test_position__of_the_largest_grid_fits_its_text),
		cmocka_unit_test(test_position__refuses_with_reason_and_column),
		cmocka_unit_test(test_position__is_read_no_further_than_its_length_and_has_no_zero),
		cmocka_unit_test(test_line__is_read_by_number_and_by_box_and_side_on_every_grid),
		cmocka_unit_test(test_line__is_named_by_the_box_above_or_to_its_left),
		cmocka_unit_test(test_line__refuses_with_reason_and_column),
		cmocka_unit_test(test_json__action_is_read_from_exactly_its_members),
		cmocka_unit_test(test_json__action_is_written_as_it_is_read),
		cmocka_unit_test(test_json__state_has_exactly_the_published_members),
		cmocka_unit_test(
			test_moves__are_a_list_behind_a_position_where_it_is_not_the_start),
		cmocka_unit_test(test_bits__are_the_last_position_without_players),
		cmocka_unit_test(test_formats__refuse_with_reason_and_place),
		cmocka_unit_test(test_formats__random_games_there_and_back),
		cmocka_unit_test(test_position__random_ones_there_and_back),
	};

	return cmocka_run_group_tests_name("boxes_notation", tests, NULL, NULL);
}
