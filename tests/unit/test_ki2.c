/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record_fixture.h"

#define VARIANT "手合割：5五将棋\n"

static struct game_sheet *read(const char *text)
{
	return record_read("ki2", text);
}

static void refuses(const char *text, enum status status, uint32_t line, uint32_t column)
{
	record_refuses("ki2", text, status, line, column);
}

static void says_moves(const char *text, const char *usi)
{
	record_says_moves("ki2", text, usi);
}

enum { MOVE_TEXT = 64 };

/* The line of moves in a text that has one. */
static void find_moves(const char *text, char line[MOVE_TEXT])
{
	const char *moves = strstr(text, "▲");

	if (!moves)
		moves = strstr(text, "△");
	assert_non_null(moves);
	snprintf(line, MOVE_TEXT, "%.*s", (int)strcspn(moves, "\n"), moves);
}

/* One move in a position is written so, and read back as itself. */
static void is_written(const char *sfen, const char *usi, const char *expected)
{
	struct game_sheet *sheet = record_set_up(sfen);
	char moves[MOVE_TEXT];

	record_play(sheet, usi);
	find_moves(record_write("ki2", sheet), moves);
	assert_string_equal(moves, expected);
	says_moves(record_write("ki2", sheet), usi);
	game_sheet_destroy(sheet);
}

/* The position of `sfen` as a KI2 text, with `moves` after it. */
static const char *in_position(const char *sfen, const char *moves)
{
	static char buffer[2048];
	struct game_sheet *sheet = record_set_up(sfen);
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	text_add(&text, record_write("ki2", sheet));
	text_add(&text, moves);
	text_add_char(&text, '\n');
	assert_false(text.overflow);
	game_sheet_destroy(sheet);
	return buffer;
}

static void is_read(const char *sfen, const char *moves, const char *usi)
{
	says_moves(in_position(sfen, moves), usi);
}

/* The place is the beginning of the first move, after variant, hands and board. */
static void is_refused(const char *sfen, const char *moves, enum status status)
{
	refuses(in_position(sfen, moves), status, 12, 1);
}

static const char two_golds[] = "4k/5/1G1G1/5/K4 b - 1";

static void test_ki2__case_54_sideways_is_not_straight(void **context)
{
	(void)context;
	is_read(two_golds, "▲３三金左寄", "4c3c");
	is_read(two_golds, "▲３三金右寄", "2c3c");
	is_read(two_golds, "▲３三金左", "4c3c");
	is_read(two_golds, "▲３三金右", "2c3c");
	is_refused(two_golds, "▲３三金寄", STATUS_SHEET_MOVE_AMBIGUOUS);
	is_refused(two_golds, "▲３三金直", STATUS_SHEET_MOVE_NONE);
	is_refused(two_golds, "▲３三金引", STATUS_SHEET_MOVE_NONE);
	is_refused(two_golds, "▲３三金左上", STATUS_SHEET_MOVE_NONE);
	is_refused(two_golds, "▲３三金", STATUS_SHEET_MOVE_AMBIGUOUS);
}

static void test_ki2__case_54_forward_is_straight_from_behind_alone(void **context)
{
	(void)context;
	is_read(two_golds, "▲３二金左上", "4c3b");
	is_read(two_golds, "▲３二金上右", "2c3b");
	is_read(two_golds, "▲３二金左行", "4c3b");
	is_read(two_golds, "▲３二金右入", "2c3b");
	is_read(two_golds, "▲４二金直", "4c4b");
	is_read(two_golds, "▲４二金上", "4c4b");
	is_read(two_golds, "▲２二金直", "2c2b");
	is_read(two_golds, "▲４四金引", "4c4d");
	is_refused(two_golds, "▲３二金上", STATUS_SHEET_MOVE_AMBIGUOUS);
	is_refused(two_golds, "▲３二金直", STATUS_SHEET_MOVE_NONE);
	is_refused(two_golds, "▲４二金寄", STATUS_SHEET_MOVE_NONE);
	is_refused(two_golds, "▲４二金右", STATUS_SHEET_MOVE_NONE);
}

static void test_ki2__case_55_two_moves_to_one_square_differ(void **context)
{
	(void)context;
	is_written(two_golds, "4c3b", "▲３二金左");
	is_written(two_golds, "2c3b", "▲３二金右");
	is_written(two_golds, "4c3c", "▲３三金左");
	is_written(two_golds, "2c3c", "▲３三金右");
	is_written(two_golds, "4c4b", "▲４二金");
}

/* The gold on 2c may not leave its file: its king is behind it, a rook before it. */
static void test_ki2__case_55_a_pinned_twin_is_told_apart(void **context)
{
	static const char pinned[] = "3rk/5/1G1G1/5/3K1 b - 1";

	(void)context;
	is_written(pinned, "4c3b", "▲３二金左");
	is_read(pinned, "▲３二金", "4c3b");
	is_read(pinned, "▲３二金上", "4c3b");
	is_refused(pinned, "▲３二金右", STATUS_MOVE_PINNED);
	/* Both pinned: none is left to choose. */
	is_refused("k1r2/5/1bG2/2GK1/5 b - 1", "▲３三金寄", STATUS_SHEET_MOVE_NONE);
}

static void test_ki2__marks_tell_golds_apart(void **context)
{
	(void)context;
	is_written("4k/5/5/1GG2/K4 b - 1", "4d4c", "▲４三金直");
	is_written("4k/5/5/1GG2/K4 b - 1", "3d4c", "▲４三金右");
	is_written("4k/5/1G3/2G2/K4 b - 1", "4c3c", "▲３三金寄");
	is_written("4k/5/1G3/2G2/K4 b - 1", "3d3c", "▲３三金上");
	is_written("4k/2G2/1G3/5/K4 b - 1", "3b3c", "▲３三金引");
	is_written("4k/2G2/1G3/5/K4 b - 1", "4c3c", "▲３三金寄");
}

static void test_ki2__marks_are_those_that_the_player_sees(void **context)
{
	static const char second[] = "4k/1g1g1/5/5/K4 w - 1";

	(void)context;
	is_written(second, "4b3c", "△３三金右");
	is_written(second, "2b3c", "△３三金左");
	is_written("4k/2gg1/5/5/K4 w - 1", "2b2c", "△２三金直");
	is_written("4k/2gg1/5/5/K4 w - 1", "3b2c", "△２三金右");
	is_written("4k/5/2g2/1g3/4K w - 1", "3c3d", "△３四金上");
	is_written("4k/5/2g2/1g3/4K w - 1", "4d3d", "△３四金寄");
}

static void test_ki2__marks_tell_silvers_apart(void **context)
{
	(void)context;
	is_written("4k/1S3/5/1S3/K4 b - 1", "4b3c", "▲３三銀引");
	is_written("4k/1S3/5/1S3/K4 b - 1", "4d3c", "▲３三銀上");
	is_written("5/1S1S1/5/5/K3k b - 1", "4b3c", "▲３三銀左");
	is_written("5/1S1S1/5/5/K3k b - 1", "2b3c", "▲３三銀右");
	is_written("4k/5/1+S1S1/5/K4 b - 1", "4c3b", "▲３二成銀");
	is_written("4k/5/1+S1+S1/5/K4 b - 1", "4c3c", "▲３三成銀左");
	is_written("4k/5/1G1+P1/5/K4 b - 1", "2c3c", "▲３三と");
}

static void test_ki2__dragons_and_horses_are_right_or_left_never_straight(void **context)
{
	static const char dragons[] = "k4/5/5/1+R+R2/K4 b - 1";
	static const char horses[] = "1k3/5/5/2+B+B1/4K b - 1";

	(void)context;
	is_written(dragons, "4d3c", "▲３三竜左");
	is_written(dragons, "3d3c", "▲３三竜右");
	is_written(dragons, "4d4c", "▲４三竜左");
	is_written(horses, "3d3c", "▲３三馬左");
	is_written(horses, "2d3c", "▲３三馬右");
	is_refused(dragons, "▲３三竜直", STATUS_SHEET_MOVE_NONE);
	is_refused(horses, "▲３三馬直", STATUS_SHEET_MOVE_NONE);
	is_written("2k2/+R3+R/5/5/2K2 b - 1", "5b4b", "▲４二竜左");
	is_written("2k2/+R3+R/5/5/2K2 b - 1", "1b4b", "▲４二竜右");
	is_written("4k/+R4/5/5/+R3K b - 1", "5b5d", "▲５四竜引");
	is_written("4k/+R4/5/5/+R3K b - 1", "5e5d", "▲５四竜上");
}

static void test_ki2__long_range_pieces_are_told_apart(void **context)
{
	(void)context;
	is_written("4k/5/R2R1/5/K4 b - 1", "5c3c", "▲３三飛左");
	is_written("4k/5/R2R1/5/K4 b - 1", "2c3c", "▲３三飛右");
	is_written("4k/5/R4/5/2R1K b - 1", "5c3c", "▲３三飛寄");
	is_written("4k/5/R4/5/2R1K b - 1", "3e3c", "▲３三飛上");
	is_written("2k2/5/5/5/B1K1B b - 1", "5e3c", "▲３三角左");
	is_written("2k2/5/5/5/B1K1B b - 1", "1e3c", "▲３三角右");
}

static void test_ki2__a_drop_is_told_from_a_move(void **context)
{
	static const char gold_in_hand[] = "4k/5/2G2/5/K4 b G 1";

	(void)context;
	is_written(gold_in_hand, "G*3b", "▲３二金打");
	is_written(gold_in_hand, "3c3b", "▲３二金");
	is_written(gold_in_hand, "G*5a", "▲５一金");
	is_read(gold_in_hand, "▲５一金打", "G*5a");
	is_refused(gold_in_hand, "▲５一金上", STATUS_SHEET_MOVE_NONE);
	is_refused(gold_in_hand, "▲５一銀", STATUS_SHEET_MOVE_NONE);
	is_refused(gold_in_hand, "▲５一銀打", STATUS_DROP_NOT_IN_HAND);
	is_refused(gold_in_hand, "▲３三金", STATUS_DROP_OCCUPIED);
	is_refused("4k/5/4G/5/K2R1 b P 1", "▲１二歩", STATUS_DROP_PAWN_MATE);
	is_written("4k/5/5/5/K4 b R2P 1", "R*3c", "▲３三飛");
}

static void test_ki2__promotion_is_said_where_there_is_a_choice(void **context)
{
	static const char silver[] = "4k/2S2/5/5/K4 b - 1";

	(void)context;
	is_written(silver, "3b3a", "▲３一銀不成");
	is_written(silver, "3b3a+", "▲３一銀成");
	is_written(silver, "3b2c", "▲２三銀");
	is_written("2S1k/5/5/5/K4 b - 1", "3a2b", "▲２二銀不成");
	is_written("4k/P4/5/5/K4 b - 1", "5b5a+", "▲５一歩成");
	is_read(silver, "▲３一銀", "3b3a");
	is_refused(silver, "▲２三銀成", STATUS_MOVE_CANNOT_PROMOTE);
	is_refused("4k/P4/5/5/K4 b - 1", "▲５一歩", STATUS_MOVE_MUST_PROMOTE);
	is_written("5/1S1S1/5/5/K3k b - 1", "4b3a+", "▲３一銀左成");
	is_written("5/1S1S1/5/5/K3k b - 1", "2b3a", "▲３一銀右不成");
}

static void test_ki2__case_58_comments_keep_their_place_and_order(void **context)
{
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;

	(void)context;
	record_comment(sheet, "at the start");
	record_play(sheet, "2e1d 3a4b");
	record_comment(sheet, "one");
	record_comment(sheet, "two");
	record_play(sheet, "1d4a resign");
	record_comment(sheet, "after the end");
	record_expect_text("ki2", sheet,
		VARIANT "*at the start\n"
			"▲１四角 △４二銀\n"
			"*one\n"
			"*two\n"
			"▲４一角不成\n"
			"まで3手で先手の勝ち\n"
			"*after the end\n");
	again = read(record_write("ki2", sheet));
	record_expect_same(again, sheet, false);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_ki2__case_60_marks_come_from_the_position_before_the_move(void **context)
{
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;

	(void)context;
	record_play(sheet, "3e4d 2a3b 2e1d 5a5d 4e5d P*3d R*4e 3b4c 4e2e");
	record_expect_text("ki2", sheet,
		VARIANT "▲４四銀 △３二金 ▲１四角 △５四飛 ▲同　金 △３四歩\n"
			"▲４五飛打 △４三金 ▲２五飛左\n");
	again = read(record_write("ki2", sheet));
	record_expect_same(again, sheet, true);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_ki2__cases_48_to_52_stand_as_in_kif(void **context)
{
	struct game_sheet *sheet = record_set_up("4k/5/4G/5/K3R b P 1");

	(void)context;
	record_play(sheet, "5e4d");
	record_expect_text("ki2", sheet,
		VARIANT "後手の持駒：なし\n"
			"  ５ ４ ３ ２ １\n"
			"+---------------+\n"
			"| ・ ・ ・ ・v玉|一\n"
			"| ・ ・ ・ ・ ・|二\n"
			"| ・ ・ ・ ・ 金|三\n"
			"| ・ ・ ・ ・ ・|四\n"
			"| 玉 ・ ・ ・ 飛|五\n"
			"+---------------+\n"
			"先手の持駒：歩\n"
			"▲４四玉\n");
	game_sheet_destroy(sheet);
	refuses("手合割：平手\n▲７六歩\n", STATUS_SHEET_OTHER_GAME, 1, 13);
	says_moves("*note\n手合割：五々将棋\n先手：Alice\n後手：Bob\n▲１四角 △４二銀 ▲４一角不成 "
		   "△５四飛 ▲同　金 △３三歩打 ▲２三角成\nまで7手で先手の勝ち\n",
		"2e1d 3a4b 1d4a 5a5d 4e5d P*3c 4a2c+ resign");
}

static void test_ki2__marks_of_the_sides(void **context)
{
	(void)context;
	says_moves("▲１四角△４二銀▲４一角", "2e1d 3a4b 1d4a");
	says_moves("☗１四角\n☖４二銀\n☗４一角", "2e1d 3a4b 1d4a");
	says_moves("▼１四角　▽４二銀\t▼４一角", "2e1d 3a4b 1d4a");
	says_moves("先１四角 後４二銀 先４一角", "2e1d 3a4b 1d4a");
	says_moves("先１四角 後投了", "2e1d resign");
	says_moves("▲14角 △４2銀 ▲四一角\n", "2e1d 3a4b 1d4a");
	refuses("△１四角\n", STATUS_MOVE_NOT_YOUR_PIECE, 1, 1);
	refuses("▲１四角 ▲４二銀\n", STATUS_MOVE_NOT_YOUR_PIECE, 1, 14);
	refuses("▲１四角 ４二銀\n", STATUS_SHEET_MOVE, 1, 14);
	refuses("▲１四角 △\n", STATUS_SHEET_MOVE, 1, 17);
	refuses("1 １四角(25)\n", STATUS_SHEET_MOVE, 1, 1);
}

static void test_ki2__the_same_square(void **context)
{
	(void)context;
	says_moves("▲３四銀 △２二金 ▲２三銀 △同　金", "3e3d 2a2b 3d2c 2b2c");
	says_moves("▲３四銀 △２二金 ▲２三銀 △同金", "3e3d 2a2b 3d2c 2b2c");
	refuses("▲同　銀", STATUS_SHEET_MOVE, 1, 4);
}

static void test_ki2__pieces_that_cannot_go_there(void **context)
{
	(void)context;
	refuses("▲１一飛\n", STATUS_SHEET_MOVE_NONE, 1, 1);
	refuses("▲３三金\n", STATUS_SHEET_MOVE_NONE, 1, 1);
	refuses("▲１三竜\n", STATUS_SHEET_MOVE_NONE, 1, 1);
	refuses("▲１三香\n", STATUS_SHEET_MOVE, 1, 10);
	refuses("▲７六歩\n", STATUS_USI_SQUARE, 1, 4);
	refuses("▲１四角右右\n", STATUS_SHEET_MOVE, 1, 16);
}

static void test_ki2__how_it_ended(void **context)
{
	struct game_sheet *sheet = read("▲１四角\nまで1手で中断\n");

	(void)context;
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_INTERRUPTED);
	game_sheet_destroy(sheet);
	says_moves("▲１四角 △投了\n", "2e1d resign");
	says_moves("▲１四角 △投了\nまで1手で先手の勝ち\n", "2e1d resign");
	refuses("▲１四角 ▲投了\n", STATUS_MOVE_NOT_YOUR_PIECE, 1, 14);
	refuses("▲１四角 △投了 △４二銀\n", STATUS_GAME_OVER, 1, 24);
	refuses("▲１四角\nまで1手で先手の勝ち\n△４二銀\n", STATUS_GAME_OVER, 3, 1);
	refuses("▲１四角\nまで2手で先手の勝ち\n", STATUS_SHEET_DISAGREES, 2, 7);
	is_read("4k/5/4G/5/K3R b G 1", "▲１二金打\nまで1手で先手の勝ち", "G*1b");
	refuses(in_position("4k/5/4G/5/K3R b G 1", "▲１二金打\nまで1手で後手の勝ち"),
		STATUS_SHEET_END, 13, 14);
}

static void test_ki2__a_header_by_the_name_of_another_is_left_out(void **context)
{
	(void)context;
	record_keeps_headers_apart("ki2");
}

static void test_ki2__random_sheets_come_back_but_for_their_times(void **context)
{
	struct random random = {60};
	unsigned plies = 0;

	(void)context;
	for (int game = 0; game < 2500; game++) {
		struct game_sheet *sheet = record_random_sheet(&random, 200);
		struct game_sheet *again = read(record_write("ki2", sheet));

		record_expect_same(again, sheet, false);
		plies += (unsigned)game_line_plies(game_sheet_line(sheet));
		game_sheet_destroy(again);
		game_sheet_destroy(sheet);
	}
	assert_true(plies > 50000);
}

static bool has_mark(const char *text)
{
	static const char *const marks[] = {"右", "左", "直", "上", "寄", "引", "打"};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strstr(text, marks[i]))
			return true;
	return false;
}

/* Every legal move of the position has a text of its own, and is read back from it; how many. */
static size_t check_all_moves(const char *sfen, unsigned *marked)
{
	static char texts[GAME_ACTIONS_MAX][MOVE_TEXT];
	struct game_action actions[GAME_ACTIONS_MAX];
	struct game_sheet *sheet = record_set_up(sfen);
	size_t count = mini_shogi.legal(game_line_state(game_sheet_line(sheet)), actions);

	for (size_t i = 0; i < count; i++) {
		struct game_sheet *again;
		const char *text;

		assert_int_equal(game_sheet_play(sheet, actions[i]), STATUS_OK);
		text = record_write("ki2", sheet);
		find_moves(text, texts[i]);
		for (size_t other = 0; other < i; other++)
			if (strcmp(texts[other], texts[i]) == 0)
				fail_msg("%s: two moves are %s", sfen, texts[i]);
		*marked += has_mark(texts[i]);

		again = read(text);
		assert_int_equal(game_line_plies(game_sheet_line(again)), 1);
		if (game_line_action(game_sheet_line(again), 0).code != actions[i].code)
			fail_msg("%s: another move was read from %s", sfen, texts[i]);
		game_sheet_destroy(again);
		game_sheet_undo(sheet);
	}
	game_sheet_destroy(sheet);
	return count;
}

static void test_ki2__every_move_of_random_positions_has_its_own_text(void **context)
{
	struct random random = {55};
	size_t moves = 0;
	unsigned marked = 0;

	(void)context;
	for (int i = 0; i < 4000; i++) {
		char sfen[GAME_SETUP_TEXT];

		while (!record_random_position(&random, sfen))
			;
		moves += check_all_moves(sfen, &marked);
	}
	assert_true(moves > 50000);
	assert_true(marked > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ki2__case_54_sideways_is_not_straight),
		cmocka_unit_test(test_ki2__case_54_forward_is_straight_from_behind_alone),
		cmocka_unit_test(test_ki2__case_55_two_moves_to_one_square_differ),
		cmocka_unit_test(test_ki2__case_55_a_pinned_twin_is_told_apart),
		cmocka_unit_test(test_ki2__marks_tell_golds_apart),
		cmocka_unit_test(test_ki2__marks_are_those_that_the_player_sees),
		cmocka_unit_test(test_ki2__marks_tell_silvers_apart),
		cmocka_unit_test(test_ki2__dragons_and_horses_are_right_or_left_never_straight),
		cmocka_unit_test(test_ki2__long_range_pieces_are_told_apart),
		cmocka_unit_test(test_ki2__a_drop_is_told_from_a_move),
		cmocka_unit_test(test_ki2__promotion_is_said_where_there_is_a_choice),
		cmocka_unit_test(test_ki2__case_58_comments_keep_their_place_and_order),
		cmocka_unit_test(test_ki2__case_60_marks_come_from_the_position_before_the_move),
		cmocka_unit_test(test_ki2__cases_48_to_52_stand_as_in_kif),
		cmocka_unit_test(test_ki2__marks_of_the_sides),
		cmocka_unit_test(test_ki2__the_same_square),
		cmocka_unit_test(test_ki2__pieces_that_cannot_go_there),
		cmocka_unit_test(test_ki2__how_it_ended),
		cmocka_unit_test(test_ki2__a_header_by_the_name_of_another_is_left_out),
		cmocka_unit_test(test_ki2__random_sheets_come_back_but_for_their_times),
		cmocka_unit_test(test_ki2__every_move_of_random_positions_has_its_own_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
