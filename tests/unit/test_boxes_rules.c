/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "boxes_fixture.h"
#include "cases.h"

static void expect_score(const struct game_line *line, int first, int second)
{
	struct game_summary summary = game_line_summary(line);

	assert_true(summary.has_scores);
	assert_int_equal(summary.scores[0], first);
	assert_int_equal(summary.scores[1], second);
}

static void expect_to_move(const struct game_line *line, int player)
{
	struct game_summary summary = game_line_summary(line);

	assert_false(summary.over);
	assert_int_equal(summary.winner, -1);
	assert_int_equal(summary.player, player);
}

static void expect_over(const struct game_line *line, int winner)
{
	struct game_summary summary = game_line_summary(line);
	struct game_action actions[GAME_ACTIONS_MAX];

	assert_true(summary.over);
	assert_int_equal(summary.winner, winner);
	assert_int_equal(summary.reason, GAME_REASON_NONE);
	assert_int_equal(petits_carres.legal(game_line_state(line), actions), 0);
}

/* Plays a line, takes it back, and plays it again. */
static void play_and_undo(struct game_line *line, int edge, int captured)
{
	static char before[BOXES_PICTURE];
	static char after[BOXES_PICTURE];

	boxes_take_picture(line, before);
	assert_int_equal(game_line_play(line, boxes_action(edge)), STATUS_OK);
	assert_int_equal(boxes_now(line)->captured, captured);
	assert_int_equal(boxes_now(line)->last, edge);
	boxes_take_picture(line, after);
	assert_true(game_line_undo(line));
	boxes_expect_picture(line, before);
	assert_int_equal(game_line_play(line, boxes_action(edge)), STATUS_OK);
	boxes_expect_picture(line, after);
}

static void visit_sequence(const struct case_row *row)
{
	struct game_line *line = boxes_begin(NULL);
	const char *moves = row->column[1];
	const char *captures = row->column[2];
	struct game_summary summary;
	char score[16];
	char state[16] = "over";

	while (*moves) {
		char *rest;
		int edge = (int)strtol(moves, &rest, 10);

		assert_ptr_not_equal(rest, moves);
		moves = rest + strspn(rest, " ");
		play_and_undo(line, edge, (int)strtol(captures, &rest, 10));
		assert_ptr_not_equal(rest, captures);
		captures = rest + strspn(rest, " ");
	}
	assert_string_equal(captures, "");
	summary = game_line_summary(line);
	snprintf(score, sizeof(score), "%d-%d", summary.scores[0], summary.scores[1]);
	if (!summary.over)
		snprintf(state, sizeof(state), "player%d", summary.player);
	if (strcmp(score, row->column[3]) != 0 || strcmp(state, row->column[4]) != 0)
		fail_msg("%s:%d: %s: %s %s, not %s %s", row->file, row->line, row->column[0], score,
			state, row->column[3], row->column[4]);
	game_line_destroy(line);
}

static void test_sequences__every_row_with_undo_of_each_line(void **context)
{
	(void)context;
	cases_visit("boxes_sequences.tsv", 6, visit_sequence);
	cases_visit("boxes_games.tsv", 6, visit_sequence);
}

static void test_start__is_the_public_grid_with_player_0_to_move(void **context)
{
	struct game_line *line = boxes_begin(NULL);
	struct game_action actions[GAME_ACTIONS_MAX];

	(void)context;
	boxes_expect_text(game_line_state(line), "6x7");
	expect_to_move(line, 0);
	expect_score(line, 0, 0);
	assert_int_equal(boxes_now(line)->last, -1);
	assert_int_equal(petits_carres.legal(game_line_state(line), actions), 97);
	assert_false(game_line_undo(line));
	game_line_destroy(line);
}

static void test_ruleset__standard_is_the_only_one(void **context)
{
	struct game_state state;
	struct game_record record;
	struct text_error error;

	(void)context;
	assert_int_equal(petits_carres.start("standard", &state, &record), STATUS_OK);
	assert_int_equal(petits_carres.start("uec", &state, &record), STATUS_RULESET_UNKNOWN);
	assert_int_equal(
		petits_carres.setup("", "6x7", 3, &error, &state, &record), STATUS_RULESET_UNKNOWN);
	assert_int_equal(error.status, STATUS_RULESET_UNKNOWN);
}

static void test_boxes__case_106_who_closes_a_box_draws_again(void **context)
{
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	boxes_play_words(line, "0 7 49 50");
	assert_int_equal(boxes_now(line)->owners[0], 1);
	expect_score(line, 0, 1);
	expect_to_move(line, 1);
	game_line_destroy(line);
}

static void test_boxes__case_108_two_boxes_at_once_give_one_more_line_only(void **context)
{
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	boxes_play_words(line, "0 7 49 1 8 51 50");
	assert_int_equal(boxes_now(line)->captured, 2);
	expect_score(line, 2, 0);
	expect_to_move(line, 0);
	boxes_play_words(line, "90");
	assert_int_equal(boxes_now(line)->captured, 0);
	expect_score(line, 2, 0);
	expect_to_move(line, 1);
	game_line_destroy(line);
}

static void test_boxes__case_109_a_neighbour_is_not_closed_along(void **context)
{
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	boxes_play_words(line, "0 1 2 7 8 9 49 50");
	for (int box = 0; box < 42; box++)
		assert_int_equal(boxes_now(line)->owners[box], box == 0 ? 1 : BOXES_FREE);
	game_line_destroy(line);
}

/* An action as a room gets it, where JSON has another value than a whole number for the edge. */
static void test_boxes__case_111_an_edge_that_is_none_is_refused_and_changes_nothing(void **context)
{
	static const struct {
		struct game_member edge;
		enum status status;
	} rows[] = {
		{{"edge", GAME_MEMBER_NUMBER, -1, NULL}, STATUS_LINE_NUMBER},
		{{"edge", GAME_MEMBER_NUMBER, 97, NULL}, STATUS_LINE_NUMBER},
		{{"edge", GAME_MEMBER_NUMBER, 1000000000, NULL}, STATUS_LINE_NUMBER},
		{{"edge", GAME_MEMBER_NUMBER, INT64_MIN, NULL}, STATUS_LINE_NUMBER},
		{{"edge", GAME_MEMBER_NUMBER, INT64_C(1) << 32, NULL}, STATUS_LINE_NUMBER},
		{{"edge", GAME_MEMBER_TEXT, 0, "7"}, STATUS_ACTION_MEMBER_VALUE},
		{{"edge", GAME_MEMBER_OTHER, 0, NULL}, STATUS_ACTION_MEMBER_VALUE}, /* 7.5, null */
		{{"edge", GAME_MEMBER_BOOL, 1, NULL}, STATUS_ACTION_MEMBER_VALUE},
		{{"edge", GAME_MEMBER_NUMBER, 7, NULL}, STATUS_LINE_TAKEN},
	};
	static char before[BOXES_PICTURE];
	struct game_line *line = boxes_begin(NULL);

	(void)context;
	boxes_play_words(line, "0 7");
	boxes_take_picture(line, before);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_member members[] = {
			{"type", GAME_MEMBER_TEXT, 0, "line"}, rows[i].edge};
		struct game_action action;
		const char *bad = NULL;
		enum status status = petits_carres.action_read_members(
			game_line_state(line), members, 2, &bad, &action);

		if (status == STATUS_OK)
			status = game_line_play(line, action);
		else
			assert_string_equal(bad, "edge");
		if (status != rows[i].status)
			fail_msg("row %zu gives %s", i, status_code(status));
		boxes_expect_picture(line, before);
	}
	game_line_destroy(line);
}

static int last_edge_doubles;

static void visit_last_edge_double(const struct case_row *row)
{
	struct game_line *line;

	if (strcmp(row->column[0], "full-last-edge-double") != 0)
		return;
	last_edge_doubles++;
	line = boxes_begin(NULL);
	boxes_play_words(line, row->column[1]);
	assert_int_equal(boxes_now(line)->captured, 2);
	expect_score(line, 12, 30);
	expect_over(line, 1);
	assert_int_equal(boxes_play_word(line, "0", 1), STATUS_GAME_OVER);
	assert_true(game_line_undo(line));
	expect_to_move(line, 1);
	expect_score(line, 12, 28);
	game_line_destroy(line);
}

static void test_boxes__case_114_a_last_line_that_closes_two_boxes_ends_the_game(void **context)
{
	(void)context;
	last_edge_doubles = 0;
	cases_visit("boxes_sequences.tsv", 6, visit_last_edge_double);
	assert_int_equal(last_edge_doubles, 1);
}

static void test_end__more_boxes_win_and_as_many_are_a_tie(void **context)
{
	struct game_line *line = boxes_begin("1x2");

	(void)context;
	/* Horizontal 0 1, 2 3; vertical 4 5 6. */
	boxes_play_words(line, "0 2 4 1 5 6");
	expect_score(line, 1, 0);
	expect_to_move(line, 1);
	boxes_play_words(line, "3");
	expect_score(line, 1, 1);
	expect_over(line, -1);
	game_line_destroy(line);

	line = boxes_begin("1x1");
	boxes_play_words(line, "0 1 2 3");
	expect_score(line, 0, 1);
	expect_over(line, 1);
	game_line_destroy(line);

	line = boxes_begin("1x1 0000 1");
	boxes_play_words(line, "0 1 2 3");
	expect_score(line, 1, 0);
	expect_over(line, 0);
	game_line_destroy(line);
}

static void test_setup__closed_boxes_of_nobody_count_for_no_score(void **context)
{
	struct game_line *line = boxes_begin("1x2 1110101");

	(void)context;
	expect_score(line, 0, 0);
	expect_to_move(line, 0);
	boxes_play_words(line, "5");
	assert_int_equal(boxes_now(line)->owners[0], 0);
	boxes_play_words(line, "3");
	expect_score(line, 2, 0);
	expect_over(line, 0);
	game_line_destroy(line);

	line = boxes_begin("1x2 1110111");
	assert_int_equal(boxes_now(line)->owners[0], BOXES_NOBODY);
	expect_score(line, 0, 0);
	boxes_play_words(line, "3");
	expect_score(line, 1, 0);
	expect_over(line, 0);
	game_line_destroy(line);
}

static void test_setup__is_judged_at_once(void **context)
{
	static const struct {
		const char *setup;
		int winner;
	} rows[] = {
		{"1x1 1111", -1},
		{"1x1 1111 1 a", 0},
		{"1x1 abab 0 b", 1},
		{"1x2 1111111 0 ab", -1},
		{"1x2 1111111 0 1b", 1},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_line *line = boxes_begin(rows[i].setup);

		expect_over(line, rows[i].winner);
		assert_int_equal(game_line_play(line, boxes_action(0)), STATUS_GAME_OVER);
		game_line_destroy(line);
	}
}

static void test_play__refuses_lines_of_another_grid(void **context)
{
	static char before[BOXES_PICTURE];
	struct game_line *line = boxes_begin("2x2");

	(void)context;
	boxes_take_picture(line, before);
	for (int edge = 12; edge < BOXES_EDGES_MAX; edge++)
		assert_int_equal(game_line_play(line, boxes_action(edge)), STATUS_LINE_NUMBER);
	assert_int_equal(game_line_play(line, (struct game_action){0}), STATUS_LINE_NUMBER);
	assert_int_equal(
		game_line_play(line, (struct game_action){UINT32_MAX}), STATUS_LINE_NUMBER);
	boxes_expect_picture(line, before);
	game_line_destroy(line);
}

/*
 * The rules once more, on a sheet of squared paper: dots at even places, lines between them, boxes
 * at odd ones. It shares no code, and no idea, with the rules.
 */
enum { PAPER_SIDE = 2 * BOXES_SIDE_MAX + 1 };

struct paper {
	int height;
	int width;
	char square[PAPER_SIDE][PAPER_SIDE]; /* ' ', or '0' or '1': whose it is */
	char mover;
	int taken; /* by the last line */
};

static struct paper paper_of(struct boxes_grid grid)
{
	struct paper paper = {
		.height = 2 * grid.rows + 1, .width = 2 * grid.columns + 1, .mover = '0'};

	memset(paper.square, ' ', sizeof(paper.square));
	return paper;
}

/* The square of line `edge`: counts through all horizontal ones, then all vertical ones. */
static char *paper_line(struct paper *paper, int edge)
{
	for (int vertical = 0; vertical < 2; vertical++)
		for (int y = vertical; y < paper->height; y += 2)
			for (int x = !vertical; x < paper->width; x += 2)
				if (edge-- == 0)
					return &paper->square[y][x];
	fail_msg("the paper has no such line");
	return NULL;
}

static void paper_draw(struct paper *paper, int edge)
{
	*paper_line(paper, edge) = paper->mover;
	paper->taken = 0;
	for (int y = 1; y < paper->height; y += 2) {
		for (int x = 1; x < paper->width; x += 2) {
			if (paper->square[y][x] != ' ' || paper->square[y - 1][x] == ' ' ||
				paper->square[y + 1][x] == ' ' || paper->square[y][x - 1] == ' ' ||
				paper->square[y][x + 1] == ' ')
				continue;
			paper->square[y][x] = paper->mover;
			paper->taken++;
		}
	}
	if (paper->taken == 0)
		paper->mover = paper->mover == '0' ? '1' : '0';
}

static int paper_score(const struct paper *paper, char player)
{
	int score = 0;

	for (int y = 1; y < paper->height; y += 2)
		for (int x = 1; x < paper->width; x += 2)
			score += paper->square[y][x] == player;
	return score;
}

static int owner_on_paper(char square)
{
	return square == ' ' ? BOXES_FREE : square - '0';
}

static void expect_paper(const struct game_line *line, struct paper *paper)
{
	const struct boxes_position *position = boxes_now(line);
	int edges = boxes_edge_count(position->grid);
	int boxes = boxes_count(position->grid);
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t legal = petits_carres.legal(game_line_state(line), actions);
	size_t seen = 0;

	for (int edge = 0; edge < edges; edge++) {
		assert_int_equal(position->lines[edge], owner_on_paper(*paper_line(paper, edge)));
		if (*paper_line(paper, edge) == ' ')
			assert_int_equal(boxes_action_edge(actions[seen++]), edge);
		else
			assert_int_not_equal(game_line_try(line, boxes_action(edge)), STATUS_OK);
	}
	assert_int_equal(seen, legal);
	for (int box = 0; box < boxes; box++) {
		int y = 2 * (box / position->grid.columns) + 1;
		int x = 2 * (box % position->grid.columns) + 1;

		assert_int_equal(position->owners[box], owner_on_paper(paper->square[y][x]));
	}
	expect_score(line, paper_score(paper, '0'), paper_score(paper, '1'));
	assert_int_equal(position->captured, paper->taken);
	assert_int_equal(position->player, paper->mover - '0');
	assert_int_equal(position->moves, game_line_plies(line));
	assert_int_equal(game_line_summary(line).over, legal == 0);
	assert_int_equal(
		boxes_is_over(position), position->scores[0] + position->scores[1] == boxes);
}

static void random_game(struct boxes_grid grid, struct random *random)
{
	struct game_line *line = boxes_begin_empty(grid);
	struct paper paper = paper_of(grid);
	struct paper before = paper;

	expect_paper(line, &paper);
	while (!game_line_summary(line).over) {
		struct game_action actions[GAME_ACTIONS_MAX];
		size_t count = petits_carres.legal(game_line_state(line), actions);
		struct game_action action = actions[random_below(random, (uint32_t)count)];

		before = paper;
		paper_draw(&paper, boxes_action_edge(action));
		assert_int_equal(game_line_play(line, action), STATUS_OK);
		assert_int_equal(boxes_now(line)->last, boxes_action_edge(action));
		expect_paper(line, &paper);
		if (random_below(random, 8) == 0) {
			assert_true(game_line_undo(line));
			paper = before;
			expect_paper(line, &paper);
		}
	}
	assert_int_equal(game_line_plies(line), boxes_edge_count(grid));
	expect_over(line, paper_score(&paper, '0') == paper_score(&paper, '1')
				  ? -1
				  : paper_score(&paper, '1') > paper_score(&paper, '0'));
	game_line_destroy(line);
}

static void test_random_games__agree_with_a_game_on_paper_on_every_grid(void **context)
{
	struct random random = {6};

	(void)context;
	for (uint8_t rows = 1; rows <= BOXES_SIDE_MAX; rows++)
		for (uint8_t columns = 1; columns <= BOXES_SIDE_MAX; columns++)
			for (int game = 0; game < 2; game++)
				random_game((struct boxes_grid){rows, columns}, &random);
}

static void random_undos(struct boxes_grid grid, struct random *random)
{
	static char expected[BOXES_PICTURE];
	struct game_line *line = boxes_begin_empty(grid);
	struct game_line *replayed = boxes_begin_empty(grid);

	for (int step = 0; step < 2 * BOXES_EDGES_MAX; step++) {
		struct game_action actions[GAME_ACTIONS_MAX];
		size_t count = petits_carres.legal(game_line_state(line), actions);

		if (count == 0 || random_below(random, 4) == 0)
			(void)game_line_undo(line);
		else
			assert_int_equal(game_line_play(line,
						 actions[random_below(random, (uint32_t)count)]),
				STATUS_OK);
	}
	for (size_t ply = 0; ply < game_line_plies(line); ply++)
		assert_int_equal(game_line_play(replayed, game_line_action(line, ply)), STATUS_OK);
	boxes_take_picture(replayed, expected);
	boxes_expect_picture(line, expected);
	game_line_destroy(replayed);
	game_line_destroy(line);
}

static void test_undo__equals_replay_on_every_grid(void **context)
{
	struct random random = {7};

	(void)context;
	for (uint8_t rows = 1; rows <= BOXES_SIDE_MAX; rows++)
		for (uint8_t columns = 1; columns <= BOXES_SIDE_MAX; columns++)
			random_undos((struct boxes_grid){rows, columns}, &random);
}

static struct game_key key_of(const char *setup)
{
	struct game_state state;
	struct game_record record;
	struct text_error error;

	assert_int_equal(petits_carres.setup(NULL, setup, strlen(setup), &error, &state, &record),
		STATUS_OK);
	return record.key;
}

static bool same_key(struct game_key one, struct game_key other)
{
	return memcmp(&one, &other, sizeof(one)) == 0;
}

static void test_key__forgets_who_drew_a_line_and_whose_a_box_is(void **context)
{
	struct game_line *one = boxes_begin(NULL);
	struct game_line *other = boxes_begin(NULL);

	(void)context;
	boxes_play_words(one, "0 20 7 40");
	boxes_play_words(other, "40 7 20 0");
	assert_true(same_key(
		game_line_history(one).records[4].key, game_line_history(other).records[4].key));
	game_line_destroy(other);
	game_line_destroy(one);
	assert_true(same_key(key_of("1x2 1111111 0 ab"), key_of("1x2 abababa 0 ba")));
}

static void test_key__tells_lines_player_score_and_grid_apart(void **context)
{
	static const char *const setups[] = {
		"2x3",
		"3x2",
		"2x3 00000000000000000 1",
		"2x3 10000000000000000",
		"2x3 00000000000000001",
		"1x6",
		"6x1",
		"1x2 1111111",
		"1x2 1111111 1",
		"1x2 1111111 0 ab",
		"1x2 1111111 0 a1",
		"1x2 1111111 0 1b",
		"1x2 1111111 0 aa",
		"1x2 1111111 0 bb",
		"8x8",
		"8x7",
		"7x8",
	};
	enum { COUNT = sizeof(setups) / sizeof(setups[0]) };

	(void)context;
	for (size_t i = 0; i < COUNT; i++)
		for (size_t k = 0; k < COUNT; k++)
			assert_int_equal(same_key(key_of(setups[i]), key_of(setups[k])), i == k);
}

static void test_key__has_each_line_of_the_largest_grid(void **context)
{
	struct game_key keys[BOXES_EDGES_MAX];

	(void)context;
	for (int edge = 0; edge < BOXES_EDGES_MAX; edge++) {
		struct game_line *line = boxes_begin("8x8");

		assert_int_equal(game_line_play(line, boxes_action(edge)), STATUS_OK);
		keys[edge] = game_line_history(line).records[1].key;
		game_line_destroy(line);
		for (int other = 0; other < edge; other++)
			assert_false(same_key(keys[edge], keys[other]));
	}
}

static void expect_key_text(const char *setup, const char *expected)
{
	struct game_key key = key_of(setup);
	char buffer[GAME_SETUP_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	petits_carres.key_write(&key, &text);
	assert_false(text.overflow);
	assert_string_equal(buffer, expected);
}

static void test_key__as_text_says_what_it_holds(void **context)
{
	char setup[GAME_SETUP_TEXT];
	char expected[GAME_SETUP_TEXT];
	char lines[BOXES_EDGES_MAX + 1];
	char owners[BOXES_MAX + 1];

	(void)context;
	expect_key_text("2x2 a0b000ab0000 1 b000", "2x2 101000110000 1 0-1");
	expect_key_text("1x1", "1x1 0000 0 0-0");
	memset(lines, '1', BOXES_EDGES_MAX);
	lines[BOXES_EDGES_MAX] = 0;
	memset(owners, 'a', BOXES_MAX);
	owners[BOXES_MAX] = 0;
	snprintf(setup, sizeof(setup), "8x8 %s 1 %s", lines, owners);
	snprintf(expected, sizeof(expected), "8x8 %s 1 64-0", lines);
	expect_key_text(setup, expected);
}

static void test_record__tells_who_drew_and_never_a_check(void **context)
{
	struct game_line *line = boxes_begin("1x2");
	static const int8_t by[] = {-1, 0, 1, 0, 1, 1, 0};
	struct game_history history;

	(void)context;
	boxes_play_words(line, "0 2 4 5 1 3");
	history = game_line_history(line);
	assert_int_equal(history.count, 7);
	for (size_t i = 0; i < history.count; i++) {
		assert_int_equal(history.records[i].by, by[i]);
		assert_false(history.records[i].check);
	}
	game_line_destroy(line);
}

static void test_perft__counts_the_orders_in_which_lines_are_drawn(void **context)
{
	static const struct {
		const char *setup;
		int depth;
		uint64_t leaves;
	} rows[] = {
		{"1x1", 0, 1},
		{"1x1", 1, 4},
		{"1x1", 3, 24},
		{"1x1", 4, 24},
		{"1x1", 5, 0},
		{"1x1 1111", 0, 1},
		{"1x1 1111", 1, 0},
		{"1x2", 7, 5040},
		{"2x2", 5, 95040},
		{"2x2 100001101100", 7, 5040},
		{"6x7", 2, 97 * 96},
		{"8x8", 2, 144 * 143},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_line *line = boxes_begin(rows[i].setup);

		for (int bulk = 0; bulk < 2; bulk++)
			assert_int_equal(
				petits_carres.perft(game_line_state(line), rows[i].depth, bulk),
				rows[i].leaves);
		game_line_destroy(line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequences__every_row_with_undo_of_each_line),
		cmocka_unit_test(test_start__is_the_public_grid_with_player_0_to_move),
		cmocka_unit_test(test_ruleset__standard_is_the_only_one),
		cmocka_unit_test(test_boxes__case_106_who_closes_a_box_draws_again),
		cmocka_unit_test(test_boxes__case_108_two_boxes_at_once_give_one_more_line_only),
		cmocka_unit_test(test_boxes__case_109_a_neighbour_is_not_closed_along),
		cmocka_unit_test(
			test_boxes__case_111_an_edge_that_is_none_is_refused_and_changes_nothing),
		cmocka_unit_test(
			test_boxes__case_114_a_last_line_that_closes_two_boxes_ends_the_game),
		cmocka_unit_test(test_end__more_boxes_win_and_as_many_are_a_tie),
		cmocka_unit_test(test_setup__closed_boxes_of_nobody_count_for_no_score),
		cmocka_unit_test(test_setup__is_judged_at_once),
		cmocka_unit_test(test_play__refuses_lines_of_another_grid),
		cmocka_unit_test(test_random_games__agree_with_a_game_on_paper_on_every_grid),
		cmocka_unit_test(test_undo__equals_replay_on_every_grid),
		cmocka_unit_test(test_key__forgets_who_drew_a_line_and_whose_a_box_is),
		cmocka_unit_test(test_key__tells_lines_player_score_and_grid_apart),
		cmocka_unit_test(test_key__has_each_line_of_the_largest_grid),
		cmocka_unit_test(test_key__as_text_says_what_it_holds),
		cmocka_unit_test(test_record__tells_who_drew_and_never_a_check),
		cmocka_unit_test(test_perft__counts_the_orders_in_which_lines_are_drawn),
	};

	return cmocka_run_group_tests_name("boxes_rules", tests, NULL, NULL);
}
