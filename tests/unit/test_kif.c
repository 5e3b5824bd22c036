/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record_fixture.h"

#define TITLE "手数----指手---------消費時間--\n"

static struct game_sheet *read(const char *text)
{
	return record_read("kif", text);
}

static void refuses(const char *text, enum status status, uint32_t line, uint32_t column)
{
	record_refuses("kif", text, status, line, column);
}

static void begins_at(const char *text, const char *sfen)
{
	record_begins_at("kif", text, sfen);
}

static void says_moves(const char *text, const char *usi)
{
	record_says_moves("kif", text, usi);
}

/* The number is that of the public reports in the project's list of bug cases. */
static void test_kif__case_48_spellings_of_the_variant(void **context)
{
	(void)context;
	begins_at("手合割：5五将棋\n", record_start);
	begins_at("手合割：五々将棋\n", record_start);
	begins_at("手合割：５五将棋　　\n", record_start);
	begins_at("手合割: 5五将棋\n", record_start);
	begins_at("先手：a\n", record_start);
	begins_at("   1 １四角(25)\n", record_start);
}

static void test_kif__case_48_other_games_are_refused_by_name(void **context)
{
	(void)context;
	refuses("手合割：平手\n", STATUS_SHEET_OTHER_GAME, 1, 13);
	refuses("先手：a\n手合割：香落ち\n", STATUS_SHEET_OTHER_GAME, 2, 13);
	refuses("手合割：その他\n先手：a\n", STATUS_SHEET_OTHER_GAME, 1, 13);
	refuses("手合割：5五将棋（初心者）\n", STATUS_SHEET_OTHER_GAME, 1, 13);
	refuses("手合割：\n", STATUS_SHEET_OTHER_GAME, 1, 13);
}

#define CASE_49_DIAGRAM \
	"後手の持駒：なし\n" \
	"  ５ ４ ３ ２ １\n" \
	"+---------------+\n" \
	"| ・ ・ ・ ・v玉|一\n" \
	"| ・ ・ ・ ・ ・|二\n" \
	"| ・ ・ ・ ・ 金|三\n" \
	"| ・ ・ ・ ・ ・|四\n" \
	"| 玉 ・ ・ ・ 飛|五\n" \
	"+---------------+\n" \
	"先手の持駒：歩\n"

static void test_kif__case_49_a_set_up_keeps_its_variant_and_its_position(void **context)
{
	struct game_sheet *sheet = record_set_up("4k/5/4G/5/K3R b P 1");

	(void)context;
	record_expect_text("kif", sheet, "手合割：5五将棋\n" CASE_49_DIAGRAM TITLE);
	game_sheet_destroy(sheet);
	begins_at("手合割：5五将棋\n" CASE_49_DIAGRAM TITLE, "4k/5/4G/5/K3R b P 1");
	begins_at("手合割：その他\n" CASE_49_DIAGRAM, "4k/5/4G/5/K3R b P 1");
	begins_at(CASE_49_DIAGRAM, "4k/5/4G/5/K3R b P 1");
}

#define CASE_50_HEADERS \
	"手合割：5五将棋\n" \
	"先手：Alice\n" \
	"後手：Bob\n"

static const char case_50[] = CASE_50_HEADERS TITLE "   1 １四角(25)\n"
						    "   2 ４二銀(31)\n"
						    "   3 ４一角不成(14)\n"
						    "   4 ５四飛(51)\n"
						    "   5 同　金(45)\n"
						    "   6 ３三歩打\n"
						    "   7 ２三角成(41)\n"
						    "   8 投了\n";

static void test_kif__case_50_explicit_non_promotion(void **context)
{
	struct game_sheet *sheet = read(case_50);

	(void)context;
	record_expect_moves(sheet, "2e1d 3a4b 1d4a 5a5d 4e5d P*3c 4a2c+ resign");
	record_expect_sfen(sheet, "3gk/1s2p/2p+B1/G4/K1S1R w RB 8");
	assert_int_equal(game_line_summary(game_sheet_line(sheet)).winner, 0);
	assert_int_equal(game_line_summary(game_sheet_line(sheet)).reason, GAME_REASON_RESIGNATION);
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_OPEN);
	record_expect_header(sheet, game_header_first, "Alice");
	record_expect_header(sheet, game_header_second, "Bob");
	game_sheet_destroy(sheet);
	says_moves(
		"1 １四角(25)\n2 ４二銀(31)\n3 ４一角(14)\n4 ５四飛(51)\n", "2e1d 3a4b 1d4a 5a5d");
}

static void test_kif__case_51_a_comment_before_the_headers(void **context)
{
	char text[1024];
	struct game_sheet *sheet;

	(void)context;
	snprintf(text, sizeof(text), "*note : essai\n%s", case_50);
	sheet = read(text);
	record_expect_comment(sheet, 0, "note : essai");
	record_expect_header(sheet, game_header_first, "Alice");
	assert_int_equal(game_sheet_header_count(sheet), 2);
	game_sheet_destroy(sheet);
}

#define EMPTY_RANKS \
	"| ・ ・ ・ ・ ・|二\n" \
	"| ・ ・ ・ ・ ・|三\n" \
	"| ・ ・ ・ ・ ・|四\n" \
	"| 玉 ・ ・ ・ ・|五\n"
#define BARE_BOARD "| ・ ・ ・ ・v玉|一\n" EMPTY_RANKS

static void test_kif__case_52_hands(void **context)
{
	(void)context;
	begins_at(BARE_BOARD "先手の持駒：飛 歩\n", "4k/5/5/5/K4 b RP 1");
	begins_at(BARE_BOARD "先手の持駒：飛　歩　\n", "4k/5/5/5/K4 b RP 1");
	begins_at(BARE_BOARD "先手の持駒：なし\n", "4k/5/5/5/K4 b - 1");
	begins_at(BARE_BOARD "先手の持駒：なし　\n", "4k/5/5/5/K4 b - 1");
	begins_at(BARE_BOARD "先手の持駒：\n", "4k/5/5/5/K4 b - 1");
	begins_at(BARE_BOARD "先手の持駒: 飛歩\n", "4k/5/5/5/K4 b RP 1");
	begins_at(BARE_BOARD "上手の持駒：飛2\n下手の持ち駒：銀２\n", "4k/5/5/5/K4 b 2S2r 1");
}

static void test_kif__case_52_hands_that_cannot_be(void **context)
{
	(void)context;
	refuses(BARE_BOARD "先手の持駒：飛三\n", STATUS_POSITION_PIECES, 6, 19);
	refuses(BARE_BOARD "先手の持駒：飛　歩 飛二\n", STATUS_POSITION_PIECES, 6, 29);
	refuses(BARE_BOARD "先手の持駒：歩十八\n", STATUS_POSITION_PIECES, 6, 19);
	refuses(BARE_BOARD "先手の持駒：歩99999999999\n", STATUS_POSITION_PIECES, 6, 19);
	refuses(BARE_BOARD "先手の持駒：歩〇\n", STATUS_SHEET_HAND, 6, 19);
	refuses(BARE_BOARD "先手の持駒：玉\n", STATUS_SHEET_HAND, 6, 19);
	refuses(BARE_BOARD "先手の持駒：と\n", STATUS_SHEET_HAND, 6, 19);
	refuses(BARE_BOARD "先手の持駒：香\n", STATUS_SHEET_HAND, 6, 19);
	refuses(BARE_BOARD "先手の持駒：なし 歩\n", STATUS_SHEET_HAND, 6, 26);
	refuses(BARE_BOARD "先手の持駒：歩\n先手の持駒：歩\n", STATUS_SHEET_HAND, 7, 1);
	refuses(BARE_BOARD "先手の持駒：歩二\n後手の持駒：歩\n", STATUS_POSITION_PIECES, 7, 19);
	refuses("先手の持駒：歩\n", STATUS_SHEET_BOARD_MISSING, 1, 1);
}

static void test_kif__case_54_and_55_the_square_tells_two_golds_apart(void **context)
{
	struct game_sheet *sheet = record_set_up("4k/5/1G1G1/5/K4 b - 1");
	const char *text;

	(void)context;
	record_play(sheet, "4c3b");
	text = record_write("kif", sheet);
	assert_non_null(strstr(text, "   1 ３二金(43)\n"));
	says_moves(text, "4c3b");
	game_sheet_undo(sheet);
	record_play(sheet, "2c3b");
	text = record_write("kif", sheet);
	assert_non_null(strstr(text, "   1 ３二金(23)\n"));
	says_moves(text, "2c3b");
	game_sheet_destroy(sheet);
}

static void test_kif__case_57_rows_read_alike_with_and_without_blanks(void **context)
{
	(void)context;
	begins_at("|v飛v角v銀v金v玉|一\n"
		  "| ・ ・ ・ ・v歩|二\n"
		  "| ・ ・ ・ ・ ・|三\n"
		  "| 歩 ・ ・ ・ ・|四\n"
		  "| 玉 金 銀 角 飛|五\n",
		record_start);
	begins_at("|v飛v角v銀v金v王|\n"
		  "|・・・・v歩|\n"
		  "|・・・・・|\n"
		  "|歩・・・・|\n"
		  "|王金銀角飛|\n",
		record_start);
	begins_at("後手の持駒：\n"
		  "   5 4 3 2 1\n"
		  "+---------------+\n"
		  "|v竜 v馬 v全 v成銀 v玉 |1\n"
		  "| 龍　・ ･ ・ ｖと |２\n"
		  "| ・ ・ ・ ・ ・ |三\n"
		  "| ・ ・ ・ ・ ・ |四\n"
		  "| 玉 ・ と ・ 馬 |五　\n"
		  "+---------------+\n"
		  "後手番\n",
		"+r+b+s+sk/+R3+p/5/5/K1+P1+B w - 1");
}

static void test_kif__case_57_boards_that_are_not_drawn_right(void **context)
{
	(void)context;
	refuses("| ・ ・ ・ ・v玉|二\n", STATUS_SHEET_BOARD, 1, 23);
	refuses("| ・ ・ ・ ・|一\n", STATUS_SHEET_BOARD, 1, 18);
	refuses("| ・ ・ ・ ・v玉 ・|一\n", STATUS_SHEET_BOARD, 1, 23);
	refuses("| ・ ・ ・ ・v香|一\n", STATUS_SHEET_BOARD, 1, 18);
	refuses("| ・ ・ ・ ・v玉\n", STATUS_SHEET_BOARD, 1, 22);
	refuses("| ・ ・ ・ ・v玉|一\n", STATUS_SHEET_BOARD, 1, 1);
	refuses(BARE_BOARD "| ・ ・ ・ ・v玉|六\n", STATUS_SHEET_BOARD, 6, 1);
	refuses("| ・ ・ 玉 ・ 玉|一\n", STATUS_POSITION_KINGS, 1, 19);
	refuses("  ９ ８ ７ ６ ５ ４ ３ ２ １\n", STATUS_SHEET_BOARD, 1, 3);
	refuses("  ５ ４ ３ ２\n", STATUS_SHEET_BOARD, 1, 3);
	refuses("後手番\n", STATUS_SHEET_BOARD_MISSING, 1, 1);
	refuses("手番：後手\n", STATUS_SHEET_BOARD_MISSING, 1, 1);
	refuses("手数＝3\n", STATUS_SHEET_BOARD_MISSING, 1, 1);
	refuses(BARE_BOARD "手番：後\n", STATUS_SHEET_TURN, 6, 1);
	refuses(BARE_BOARD "手番：後手 です\n", STATUS_SHEET_TURN, 6, 1);
	refuses(BARE_BOARD "手数＝99999\n", STATUS_SHEET_PLIES, 6, 10);
	refuses(BARE_BOARD "手数＝x\n", STATUS_SHEET_PLIES, 6, 10);
}

static void test_kif__what_the_rules_say_of_a_set_up_is_said(void **context)
{
	(void)context;
	refuses("| ・ 歩 ・ ・v玉|\n" /* the pawn is on its last rank */
		"| ・ ・ ・ ・ ・|\n"
		"| ・ ・ ・ ・ ・|\n"
		"| ・ ・ ・ ・ ・|\n"
		"| 玉 ・ ・ ・ ・|\n"
		"先手の持駒：飛\n",
		STATUS_POSITION_DEAD_PAWN, 1, 7);
	refuses("| ・ 歩 ・ ・v玉|\n| ・ 歩", STATUS_POSITION_DEAD_PAWN, 1, 7);
	refuses("| ・ ・ ・ ・v玉|\n| ・ 歩 ・ ・ ・|\n| ・ 歩 ・ ・ ・|\n",
		STATUS_POSITION_TWO_PAWNS, 3, 7);
	refuses("| 飛 飛 ・ 竜v玉|\n", STATUS_POSITION_PIECES, 1, 15);
	/* Only the whole position tells of a check. */
	refuses("| 飛 ・ ・ ・v玉|\n" EMPTY_RANKS "先手の持駒：飛\n", STATUS_POSITION_CHECK, 6, 1);
}

static void test_kif__the_side_to_move_of_a_set_up(void **context)
{
	static const char *const gote[] = {
		"後手番", "上手番", "手番：後手", "手番: 上手　", "手番：後手番"};
	static const char *const sente[] = {"先手番", "下手番　", "手番：先手", "手番：下手", ""};
	char text[512];

	(void)context;
	for (size_t i = 0; i < sizeof(gote) / sizeof(gote[0]); i++) {
		snprintf(text, sizeof(text), "%s\n" BARE_BOARD, gote[i]);
		begins_at(text, "4k/5/5/5/K4 w - 1");
		snprintf(text, sizeof(text), BARE_BOARD "%s\n1 １二玉(11)\n", gote[i]);
		begins_at(text, "4k/5/5/5/K4 w - 1");
		says_moves(text, "1a1b");
		snprintf(text, sizeof(text), BARE_BOARD "%s\n1 １二玉(11)\n", sente[i]);
		refuses(text, STATUS_MOVE_NOT_YOUR_PIECE, 7, 12);
	}
	begins_at("手番：先手\n1 １四角(25)\n", record_start);
}

static void test_kif__a_board_shown_turned_is_the_same_board(void **context)
{
	(void)context;
	begins_at("盤面回転\n" BARE_BOARD "盤面回転　\n", "4k/5/5/5/K4 b - 1");
	says_moves("先手：a\n盤面回転\n1 １四角(25)\n", "2e1d");
	refuses("盤面回転する\n", STATUS_SHEET_HEADER, 1, 1);
}

static void test_kif__case_58_comments_keep_their_place_and_order(void **context)
{
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;

	(void)context;
	record_comment(sheet, "初手の前");
	record_play(sheet, "2e1d 3a4b");
	record_comment(sheet, "one");
	record_comment(sheet, "two");
	record_play(sheet, "1d4a");
	record_comment(sheet, "");
	record_play(sheet, "resign");
	record_comment(sheet, "after the end");
	record_expect_text("kif", sheet,
		"手合割：5五将棋\n" TITLE "*初手の前\n"
		"   1 １四角(25)\n"
		"   2 ４二銀(31)\n"
		"*one\n"
		"*two\n"
		"   3 ４一角(14)\n"
		"*\n"
		"   4 投了\n"
		"*after the end\n"
		"まで3手で先手の勝ち\n");
	again = read(record_write("kif", sheet));
	record_expect_same(again, sheet, true);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_kif__case_60_each_move_is_written_in_its_own_position(void **context)
{
	struct game_sheet *sheet = record_begin();

	(void)context;
	record_play(sheet, "3e3d 2a2b 3d2c 2b2c");
	record_expect_text("kif", sheet,
		"手合割：5五将棋\n" TITLE "   1 ３四銀(35)\n"
		"   2 ２二金(21)\n"
		"   3 ２三銀(34)\n"
		"   4 同　金(22)\n");
	game_sheet_destroy(sheet);
}

static void test_kif__cases_30_and_31_hands_are_counted_and_ordered(void **context)
{
	struct game_sheet *sheet = record_set_up("4k/5/5/5/K4 b p2SRb2G 1");

	(void)context;
	assert_non_null(strstr(record_write("kif", sheet), "先手の持駒：飛　金二　銀二\n"));
	assert_non_null(strstr(record_write("kif", sheet), "後手の持駒：角　歩\n"));
	game_sheet_destroy(sheet);
	sheet = read(BARE_BOARD "先手の持駒：銀　歩　飛　歩\n");
	record_expect_start(sheet, "4k/5/5/5/K4 b RS2P 1");
	game_sheet_destroy(sheet);
}

static void test_kif__lines_end_in_any_way(void **context)
{
	(void)context;
	says_moves("手合割：5五将棋\r\n\r\n   1 １四角(25)\r\n   2 ４二銀(31)\r\n", "2e1d 3a4b");
	says_moves("手合割：5五将棋\r   1 １四角(25)\r   2 ４二銀(31)", "2e1d 3a4b");
	says_moves("\xef\xbb\xbf手合割：5五将棋\n1 １四角(25)\n2 ４二銀(31)", "2e1d 3a4b");
	refuses("\xef\xbb\xbf手合割：5五将棋\r\n\r\n1 １四飛(25)\r\n", STATUS_SHEET_MOVE_PIECE, 3,
		12);
}

static void test_kif__remarks_and_blank_lines_are_read_over(void **context)
{
	(void)context;
	says_moves("# ---- Kifu ----\n手合割：5五将棋\n#\n" TITLE
		   "\n# 1 x\n   1 １四角(25)\n　\n#\n   2 ４二銀(31)\n",
		"2e1d 3a4b");
	refuses("", STATUS_TEXT_EMPTY, 1, 1);
	refuses("# nothing\n\n", STATUS_TEXT_EMPTY, 1, 1);
}

static void test_kif__bookmarks_become_comments(void **context)
{
	struct game_sheet *sheet = read("1 １四角(25)\n&ここ\n*text\n");

	(void)context;
	record_expect_comment(sheet, 1, "&ここ\ntext");
	game_sheet_destroy(sheet);
}

static void test_kif__headers_have_the_names_of_all_formats(void **context)
{
	struct game_sheet *sheet = read("開始日時：2026/11/30 19:00:00\n終了日時：2026/11/30 \n"
					"棋戦：春の大会\n場所: 東京：江東区\n下手：A\n"
					"持ち時間 ： 10分\n備考：\n");

	(void)context;
	record_expect_header(sheet, game_header_begin, "2026/11/30 19:00:00");
	record_expect_header(sheet, game_header_end, "2026/11/30");
	record_expect_header(sheet, game_header_event, "春の大会");
	record_expect_header(sheet, game_header_site, "東京：江東区");
	record_expect_header(sheet, game_header_first, "A");
	record_expect_header(sheet, "持ち時間", "10分");
	record_expect_header(sheet, "備考", "");
	record_expect_text("kif", sheet,
		"手合割：5五将棋\n開始日時：2026/11/30 19:00:00\n終了日時：2026/11/30\n"
		"棋戦：春の大会\n場所：東京：江東区\n先手：A\n持ち時間：10分\n備考：\n" TITLE);
	game_sheet_destroy(sheet);
}

static void test_kif__a_header_that_would_be_read_as_something_else_is_left_out(void **context)
{
	static const char sentence[] = "a name that is longer than all that anybody would ever "
				       "write in front of a colon, so that it is none";
	static const char *const names[] = {"手合割", "先手の持駒", "*", "#x", "&", "|", "▲",
		"先３", "まで", "手数----", "a:b", "a：b", "  ", " a", "a ", "\tb", "a\tb",
		sentence};
	struct game_sheet *sheet = record_begin();

	(void)context;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		record_header(sheet, names[i], "value");
	record_header(sheet, "kept", "　 value \t");
	record_expect_text("kif", sheet, "手合割：5五将棋\nkept：value\n" TITLE);
	game_sheet_destroy(sheet);
}

static void test_kif__a_header_may_begin_as_a_move_or_a_variation_does(void **context)
{
	struct game_sheet *sheet =
		read("2026年大会：a\n３年：b\n変化：なし\n変化球:c\n1 １四角(25)\n");

	(void)context;
	record_expect_header(sheet, "2026年大会", "a");
	record_expect_header(sheet, "３年", "b");
	record_expect_header(sheet, "変化", "なし");
	record_expect_header(sheet, "変化球", "c");
	record_expect_moves(sheet, "2e1d");
	game_sheet_destroy(sheet);
	/* Among the moves it is neither. */
	refuses("1 １四角(25)\n変化：\n", STATUS_SHEET_MOVE, 2, 1);
	says_moves("1 １四角(25)\n変化：1手\n1 ４四角(25)\n", "2e1d");
}

static void test_kif__a_header_stands_once(void **context)
{
	(void)context;
	refuses("備考：a\n備考：b\n", STATUS_SHEET_HEADER_TWICE, 2, 1);
	refuses("先手：a\n下手：b\n", STATUS_SHEET_HEADER_TWICE, 2, 1);
}

static void test_kif__a_header_by_the_name_of_another_is_left_out(void **context)
{
	struct game_sheet *sheet = record_begin();

	(void)context;
	record_header(sheet, game_header_first, "Sato");
	record_header(sheet, "先手", "Ito");
	record_header(sheet, "上手", "Kato");
	record_header(sheet, "場所", "Tokyo");
	record_expect_text("kif", sheet, "手合割：5五将棋\n先手：Sato\n" TITLE);
	game_sheet_destroy(sheet);
	record_keeps_headers_apart("kif");
}

static void test_kif__what_is_no_header_is_refused(void **context)
{
	(void)context;
	refuses("hello\n", STATUS_SHEET_HEADER, 1, 1);
	refuses("先手：a\n  ：b\n", STATUS_SHEET_HEADER, 2, 3);
	refuses("+x\n", STATUS_SHEET_HEADER, 1, 1);
}

static void test_kif__moves_are_spaced_and_spelled_in_many_ways(void **context)
{
	(void)context;
	says_moves("１　14角(25)\n2 ４２銀(31)   +\n 3　四一角不成 (14)  ( 0:01/00:00:01)+\n",
		"2e1d 3a4b 1d4a");
	says_moves("1 ３四銀(35)\n2 ２二金(21)\n3 ２三銀(34)\n4 同金(22)\n", "3e3d 2a2b 3d2c 2b2c");
	says_moves(
		"1 ３四銀(35)\n2 ２二金(21)\n3 ２三銀(34)\n4 同 金(22)\n", "3e3d 2a2b 3d2c 2b2c");
}

static void test_kif__promoted_pieces_have_two_names(void **context)
{
	static const char *const names[] = {"竜(53)", "龍(53)"};

	(void)context;
	for (size_t i = 0; i < 2; i++) {
		char text[512];

		snprintf(text, sizeof(text),
			BARE_BOARD "先手の持駒：飛\n1 ５三飛打\n2 １二玉(11)\n"
				   "3 ５一飛成(53)\n4 １三玉(12)\n5 ５三%.*s51)\n",
			(int)strlen("竜("), names[i]);
		says_moves(text, "R*5c 1a1b 5c5a+ 1b1c 5a5c");
	}
	says_moves(
		"| ・ 全 ・ ・v王|\n| ・ ・ 馬 ・ ・|\n| ・ ・ ・ ・ ・|\n"
		"|v全 ・ ・ ・ ・|\n| ・ ・ 玉 ・ と|\n1 ５一全(41)\n2 ５五成銀(54)\n3 ３三馬(32)\n"
		"4 ２一玉(11)\n5 １四と(15)\n",
		"4a5a 5d5e 3b3c 1a2a 1e1d");
}

static void test_kif__the_piece_must_be_on_the_square_it_comes_from(void **context)
{
	(void)context;
	refuses("1 １四角(24)\n", STATUS_MOVE_EMPTY_SQUARE, 1, 12);
	refuses("1 １四角(41)\n", STATUS_MOVE_NOT_YOUR_PIECE, 1, 12);
	refuses("1 １四銀(25)\n", STATUS_SHEET_MOVE_PIECE, 1, 12);
	refuses("1 １四馬(25)\n", STATUS_SHEET_MOVE_PIECE, 1, 12);
	refuses("1 １四角(66)\n", STATUS_USI_SQUARE, 1, 12);
	refuses("1 １四角(05)\n", STATUS_USI_SQUARE, 1, 12);
	refuses("1 １四角打(25)\n", STATUS_SHEET_MOVE, 1, 15);
	refuses("1 １四角(25\n", STATUS_SHEET_TIME, 1, 12);
}

static void test_kif__drops_with_and_without_their_word(void **context)
{
	static const char start[] = BARE_BOARD "先手の持駒：金　歩\n後手の持駒：飛\n";
	static const char *const drops[] = {
		"３三歩打", "３三歩", "３三歩(00)", "３三歩打(00)", "３三歩打 (00) ( 0:01/)"};
	char text[512];

	(void)context;
	for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
		snprintf(text, sizeof(text), "%s1 %s\n", start, drops[i]);
		says_moves(text, "P*3c");
	}
	refuses(BARE_BOARD "1 ３三歩打\n", STATUS_DROP_NOT_IN_HAND, 6, 3);
	refuses(BARE_BOARD "1 ３三歩\n", STATUS_SHEET_MOVE_NONE, 6, 3);
	refuses(BARE_BOARD "1 ３三玉打\n", STATUS_DROP_NOT_IN_HAND, 6, 3);
	refuses(BARE_BOARD "1 ３三と(00)\n", STATUS_DROP_NOT_IN_HAND, 6, 3);
	refuses(BARE_BOARD "先手の持駒：歩\n1 ３三歩成(00)\n", STATUS_MOVE_CANNOT_PROMOTE, 7, 3);
}

static void test_kif__the_rules_refuse_under_their_own_names(void **context)
{
	(void)context;
	refuses("1 ３三飛(15)\n", STATUS_MOVE_PATTERN, 1, 3);
	refuses("1 １二飛(15)\n2 １三歩(12)\n", STATUS_MOVE_NOT_YOUR_PIECE, 2, 12);
	refuses("1 １一飛(15)\n", STATUS_MOVE_BLOCKED, 1, 3);
	refuses("1 ３四銀成(35)\n", STATUS_MOVE_CANNOT_PROMOTE, 1, 3);
	refuses("1 ４四金(45)\n2 ２二金(21)\n3 ４四歩(54)\n", STATUS_MOVE_OWN_PIECE, 3, 3);
	refuses("| ・ ・ ・ ・v玉|\n| ・ ・ ・ ・ ・|\n| ・ 歩 ・ ・ ・|\n"
		"| ・ ・ ・ ・ ・|\n| 玉 ・ ・ ・ ・|\n先手の持駒：歩\n1 ４四歩打\n",
		STATUS_DROP_TWO_PAWNS, 7, 3);
	refuses("| ・ ・ ・ ・v玉|\n| 歩 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n"
		"| ・ ・ ・ ・ ・|\n| 玉 ・ ・ ・ ・|\n1 ５一歩不成(52)\n",
		STATUS_MOVE_MUST_PROMOTE, 6, 3);
}

static void test_kif__what_is_no_move_is_refused_at_its_place(void **context)
{
	(void)context;
	refuses("1 \n2 x\n", STATUS_SHEET_BOARD, 1, 1); /* numerals alone: above a diagram */
	refuses("1 x\n", STATUS_SHEET_MOVE, 1, 3);
	refuses("1 １\n", STATUS_SHEET_BOARD, 1, 1);
	refuses("1 ６一歩(62)\n", STATUS_USI_SQUARE, 1, 3);
	refuses("1 １０歩(62)\n", STATUS_USI_SQUARE, 1, 3);
	refuses("1 ７六歩(77)\n", STATUS_USI_SQUARE, 1, 3);
	refuses("1 １四香(15)\n", STATUS_SHEET_MOVE, 1, 9);
	refuses("1 同　角(25)\n", STATUS_SHEET_MOVE, 1, 3);
	refuses("1 １四角(25) x\n", STATUS_TEXT_TRAILING, 1, 17);
	refuses("1 １四角右(25)\n", STATUS_TEXT_TRAILING, 1, 12);
	refuses("1 １四角(25)\nhello\n", STATUS_SHEET_MOVE, 2, 1);
	refuses("1 １四角(25)\n先手：a\n", STATUS_SHEET_MOVE, 2, 1);
	refuses("1 １四角(25)\n△４二銀(31)\n", STATUS_SHEET_MOVE, 2, 1);
}

static void test_kif__numbers_follow_each_other(void **context)
{
	(void)context;
	refuses("2 １四角(25)\n", STATUS_SHEET_MOVE_NUMBER, 1, 1);
	refuses("  1 １四角(25)\n  3 ４二銀(31)\n", STATUS_SHEET_MOVE_NUMBER, 2, 3);
	refuses("1 １四角(25)\n1 ４二銀(31)\n", STATUS_SHEET_MOVE_NUMBER, 2, 1);
	refuses("1 １四角(25)\n3 投了\n", STATUS_SHEET_MOVE_NUMBER, 2, 1);
	refuses("4294967297 １四角(25)\n", STATUS_SHEET_MOVE_NUMBER, 1, 1);
	says_moves(BARE_BOARD "手数＝8  △１一玉  まで\n9 ５四玉(55)\n10 １二玉(11)\n", "5e5d 1a1b");
	says_moves(BARE_BOARD "手数=８\n1 ５四玉(55)\n2 １二玉(11)\n", "5e5d 1a1b");
	refuses(BARE_BOARD "手数＝8\n8 ５四玉(55)\n", STATUS_SHEET_MOVE_NUMBER, 7, 1);
}

static void test_kif__the_move_number_of_a_set_up_is_kept(void **context)
{
	struct game_sheet *sheet = record_set_up("4k/5/5/5/K4 w - 25");

	(void)context;
	record_play(sheet, "1a1b");
	record_expect_text("kif", sheet,
		"手合割：5五将棋\n"
		"後手の持駒：なし\n"
		"  ５ ４ ３ ２ １\n"
		"+---------------+\n" BARE_BOARD "+---------------+\n"
		"先手の持駒：なし\n"
		"後手番\n"
		"手数＝24  まで\n" TITLE "   1 １二玉(11)\n");
	game_sheet_destroy(sheet);
	begins_at(BARE_BOARD "後手番\n手数＝24", "4k/5/5/5/K4 w - 25");
	begins_at(BARE_BOARD "上手番\n手数＝99998", "4k/5/5/5/K4 w - 99999");
}

static void expect_time(const char *written, int64_t milliseconds)
{
	char text[128];
	struct game_sheet *sheet;

	snprintf(text, sizeof(text), "1 １四角(25) %s\n", written);
	sheet = read(text);
	assert_int_equal(game_sheet_time(sheet, 0), milliseconds);
	game_sheet_destroy(sheet);
}

static void test_kif__times_are_read_to_the_millisecond(void **context)
{
	(void)context;
	expect_time("", -1);
	expect_time("( 0:00/00:00:00)", 0);
	expect_time("( 0:01/00:00:01)", 1000);
	expect_time("(12:34/)", 754000);
	expect_time("(12:34)", 754000);
	expect_time("( 1:02:03 / 01:02:03 )", 3723000);
	expect_time("( 0:01.5/00:00:01.5)", 1500);
	expect_time("( 0:01.0789)", 1078);
	expect_time("(999999:59.999/16666:39:59.999)", INT64_C(59999999999));
}

static void test_kif__times_that_are_none(void **context)
{
	static const char *const times[] = {"(", "()", "(:)", "( 0:)", "( :01)", "( 0:01",
		"( 0:01/x)", "( 0:01/00:00:01", "( 0:01.)", "( 0:-1)", "( 1:2:3:4)",
		"( 0:01/1:2:3:4)", "(1000000:00)", "(99999999999999999999999:00)",
		"( 0:99999999999999999999999)"};

	(void)context;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char text[128];

		snprintf(text, sizeof(text), "1 １四角(25) %s\n", times[i]);
		refuses(text, STATUS_SHEET_TIME, 1, 17);
	}
}

static void test_kif__times_are_written_with_the_sum_of_their_side(void **context)
{
	struct game_sheet *sheet = record_begin();

	(void)context;
	record_play(sheet, "2e1d");
	game_sheet_set_time(sheet, 1000);
	record_play(sheet, "3a4b");
	game_sheet_set_time(sheet, 61500);
	record_play(sheet, "1d4a");
	game_sheet_set_time(sheet, 3599000);
	record_play(sheet, "5a5d");
	record_play(sheet, "4e5d");
	game_sheet_set_time(sheet, INT64_MAX);
	record_play(sheet, "P*3c 4a2c+ resign");
	game_sheet_set_time(sheet, 7005);
	record_expect_text("kif", sheet,
		"手合割：5五将棋\n" TITLE "   1 １四角(25)     ( 0:01/00:00:01)\n"
		"   2 ４二銀(31)     ( 1:01.5/00:01:01.5)\n"
		"   3 ４一角(14)     (59:59/01:00:00)\n"
		"   4 ５四飛(51)\n"
		"   5 同　金(45)     (999999:59.999/16667:39:59.999)\n"
		"   6 ３三歩打\n"
		"   7 ２三角成(41)\n"
		"   8 投了           ( 0:07.005/00:01:08.505)\n"
		"まで7手で先手の勝ち\n");
	game_sheet_destroy(sheet);
}

static void expect_end(const char *text, enum game_sheet_end end)
{
	struct game_sheet *sheet = read(text);

	assert_int_equal(game_sheet_end(sheet), end);
	assert_int_equal(game_line_plies(game_sheet_line(sheet)), 1);
	game_sheet_destroy(sheet);
}

static void test_kif__words_that_end_a_record(void **context)
{
	static const struct {
		const char *word;
		enum game_sheet_end end;
	} words[] = {
		{"中断", GAME_SHEET_INTERRUPTED},
		{"封じ手", GAME_SHEET_INTERRUPTED},
		{"千日手", GAME_SHEET_REPETITION},
		{"詰み", GAME_SHEET_MATE},
		{"切れ負け", GAME_SHEET_TIME_UP},
		{"不戦勝", GAME_SHEET_WIN},
		{"反則勝ち", GAME_SHEET_ILLEGAL_BEFORE},
		{"反則負け", GAME_SHEET_ILLEGAL_MOVE},
		{"持将棋", GAME_SHEET_DRAW},
		{"入玉勝ち", GAME_SHEET_DECLARED_WIN},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char text[128];

		snprintf(text, sizeof(text), "1 １四角(25)\n2 %s  ( 0:05/00:00:05)\n",
			words[i].word);
		expect_end(text, words[i].end);
	}
	expect_end("1 １四角(25)\n", GAME_SHEET_OPEN);
	refuses("1 １四角(25)\n2 終局\n", STATUS_SHEET_MOVE, 2, 3);
	refuses("1 １四角(25)\n2 中断 x\n", STATUS_TEXT_TRAILING, 2, 10);
}

static void test_kif__the_last_line_says_the_end_alone_or_once_more(void **context)
{
	(void)context;
	says_moves("1 １四角(25)\nまで1手で先手の勝ち\n", "2e1d resign");
	says_moves("1 １四角(25)\nまで１手で投了\n", "2e1d resign");
	says_moves("1 １四角(25)\n2 投了\nまで1手で先手の勝ち\n", "2e1d resign");
	expect_end("1 １四角(25)\nまで1手で中断\n", GAME_SHEET_INTERRUPTED);
	expect_end("1 １四角(25)\nまで1手で千日手\n", GAME_SHEET_REPETITION);
	expect_end("1 １四角(25)\nまで1手詰\n", GAME_SHEET_MATE);
	expect_end("1 １四角(25)\nまで1手で時間切れにより先手の勝ち\n", GAME_SHEET_TIME_UP);
	expect_end("1 １四角(25)\n2 切れ負け\nまで1手で先手の勝ち\n", GAME_SHEET_TIME_UP);
	expect_end("1 １四角(25)\nまで1手で後手の反則負け\n", GAME_SHEET_ILLEGAL_MOVE);
	expect_end("1 １四角(25)\nまで1手で先手の反則勝ち\n", GAME_SHEET_ILLEGAL_MOVE);
	expect_end("1 １四角(25)\nまで1手で先手の反則負け\n", GAME_SHEET_ILLEGAL_BEFORE);
	expect_end("1 １四角(25)\nまで1手で後手の反則勝ち\n", GAME_SHEET_ILLEGAL_BEFORE);
	expect_end("1 １四角(25)\nまで1手で後手の入玉勝ち\n", GAME_SHEET_DECLARED_WIN);
	expect_end("1 １四角(25)\nまで1手で後手の勝ち\n", GAME_SHEET_WIN);
	expect_end("1 １四角(25)\nまで1手で後手の不戦勝\n", GAME_SHEET_WIN);
	says_moves("1 １四角(25)\nまで1手で後手の不戦敗\n", "2e1d resign");
	/* Their flag fell after the move. */
	expect_end("1 １四角(25)\nまで1手で時間切れにより後手の勝ち\n", GAME_SHEET_WIN);
	/* As the first line and the last one say it together. */
	expect_end("1 １四角(25)\n2 不戦勝\nまで1手で後手の勝ち\n", GAME_SHEET_WIN);
	expect_end("1 １四角(25)\n2 入玉勝ち\nまで1手で後手の勝ち\n", GAME_SHEET_DECLARED_WIN);
	says_moves(BARE_BOARD "手数＝8\n1 ５四玉(55)\nまで9手で先手の勝ち\n", "5e5d resign");
	says_moves(BARE_BOARD "手数＝8\n1 ５四玉(55)\nまで1手で先手の勝ち\n", "5e5d resign");
}

static void test_kif__a_last_line_that_cannot_be_is_refused(void **context)
{
	(void)context;
	refuses("1 １四角(25)\nまで2手で先手の勝ち\n", STATUS_SHEET_DISAGREES, 2, 7);
	refuses("1 １四角(25)\n2 投了\nまで2手で先手の勝ち\n", STATUS_SHEET_DISAGREES, 3, 7);
	refuses("1 １四角(25)\n2 投了\nまで1手で後手の勝ち\n", STATUS_SHEET_END, 3, 14);
	refuses("1 １四角(25)\n2 中断\nまで1手で後手の勝ち\n", STATUS_SHEET_END, 3, 14);
	refuses("1 １四角(25)\nまで1手で先手の入玉勝ち\n", STATUS_SHEET_END, 2, 14);
	refuses("1 １四角(25)\nまで1手で先手勝ち\n", STATUS_SHEET_END_WORD, 2, 14);
	refuses("1 １四角(25)\nまで1手で先手の終局\n", STATUS_SHEET_END_WORD, 2, 14);
	refuses("1 １四角(25)\nまで1手で時間切れにより引き分け\n", STATUS_SHEET_END_WORD, 2, 14);
	refuses("1 １四角(25)\nまで1手で\n", STATUS_SHEET_END_WORD, 2, 14);
	refuses("1 １四角(25)\nまで1\n", STATUS_SHEET_END_WORD, 2, 8);
	refuses("1 １四角(25)\nまで1手で中断！\n", STATUS_TEXT_TRAILING, 2, 20);
}

/* Mate on the board: `4k/5/4G/5/K3R b G 1`, G*1b. */
#define MATE_IN_ONE \
	"| ・ ・ ・ ・v玉|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 金|\n" \
	"| ・ ・ ・ ・ ・|\n| 玉 ・ ・ ・ 飛|\n先手の持駒：金\n1 １二金打\n"

static void test_kif__words_agree_with_a_game_that_the_rules_ended(void **context)
{
	static const char *const agree[] = {"", "2 詰み\n", "2 投了\n", "2 中断\n",
		"まで1手で先手の勝ち\n", "まで1手で詰み\n", "2 詰み\nまで1手で先手の勝ち\n"};
	static const char *const disagree[] = {"2 千日手\n", "2 反則勝ち\n", "2 持将棋\n"};
	char text[1024];

	(void)context;
	for (size_t i = 0; i < sizeof(agree) / sizeof(agree[0]); i++) {
		snprintf(text, sizeof(text), MATE_IN_ONE "%s", agree[i]);
		says_moves(text, "G*1b");
		expect_end(text, GAME_SHEET_OPEN);
	}
	for (size_t i = 0; i < sizeof(disagree) / sizeof(disagree[0]); i++) {
		snprintf(text, sizeof(text), MATE_IN_ONE "%s", disagree[i]);
		refuses(text, STATUS_SHEET_END, 8, 3);
	}
	refuses(MATE_IN_ONE "まで1手で後手の勝ち\n", STATUS_SHEET_END, 8, 14);
}

static void test_kif__nothing_is_played_after_the_end(void **context)
{
	(void)context;
	refuses(MATE_IN_ONE "2 １二玉(11)\n", STATUS_GAME_OVER, 8, 3);
	refuses("1 １四角(25)\n2 投了\n3 ４二銀(31)\n", STATUS_GAME_OVER, 3, 3);
	refuses("1 １四角(25)\n2 投了\n3 投了\n", STATUS_GAME_OVER, 3, 3);
	refuses("1 １四角(25)\n2 中断\n3 ４二銀(31)\n", STATUS_GAME_OVER, 3, 3);
	refuses("1 １四角(25)\nまで1手で中断\n2 ４二銀(31)\n", STATUS_GAME_OVER, 3, 3);
}

/* Three times round: the fourth occurrence of the start, by rook and king. */
static void test_kif__repetition_by_the_rules_is_written_and_agreed_with(void **context)
{
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;
	const char *text;

	(void)context;
	for (int i = 0; i < 3; i++)
		record_play(sheet, "1e1d 5a5b 1d1e 5b5a");
	assert_int_equal(game_line_summary(game_sheet_line(sheet)).reason, GAME_REASON_REPETITION);
	text = record_write("kif", sheet);
	assert_non_null(strstr(text, "  13 千日手\nまで12手で千日手\n"));
	again = read(text);
	record_expect_same(again, sheet, true);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_kif__perpetual_check_is_written_as_the_foul_it_is(void **context)
{
	struct game_sheet *sheet = record_set_up("r3k/5/5/5/1K3 w - 1");
	struct game_sheet *again;
	const char *text;

	(void)context;
	for (int i = 0; i < 3; i++)
		record_play(sheet, "5a4a 4e5e 4a5a 5e4e");
	assert_int_equal(
		game_line_summary(game_sheet_line(sheet)).reason, GAME_REASON_PERPETUAL_CHECK);
	text = record_write("kif", sheet);
	assert_non_null(strstr(text, "  13 反則負け\nまで12手で後手の反則負け\n"));
	again = read(text);
	record_expect_same(again, sheet, true);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

/* Two kings alone, walking about for 300 plies. */
static void test_kif__the_limit_of_plies_is_a_draw(void **context)
{
	static const char kings[] = "4k/5/5/5/K4 b - 1";
	struct random random = {3}; /* one that repeats no position four times */
	struct game_action actions[GAME_ACTIONS_MAX];
	struct game_sheet *sheet = NULL;
	struct game_sheet *again;
	struct text_error error;
	const char *text;

	(void)context;
	assert_int_equal(
		game_sheet_setup(&mini_shogi, "kawu", kings, strlen(kings), &error, &sheet),
		STATUS_OK);
	while (!game_line_summary(game_sheet_line(sheet)).over) {
		size_t count = mini_shogi.legal(game_line_state(game_sheet_line(sheet)), actions);

		assert_int_equal(
			game_sheet_play(sheet, actions[random_below(&random, (uint32_t)count)]),
			STATUS_OK);
	}
	assert_int_equal(game_line_summary(game_sheet_line(sheet)).reason, GAME_REASON_PLY_LIMIT);
	text = record_write("kif", sheet);
	assert_non_null(strstr(text, " 301 持将棋\nまで300手で持将棋\n"));
	again = record_read_as("kif", "kawu", text);
	record_expect_same(again, sheet, true);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_kif__variations_are_read_over(void **context)
{
	struct game_sheet *sheet = read("1 １四角(25)\n2 ４二銀(31)+\n*main\nまで2手で中断\n\n"
					"変化：2手\n*side\n2 ４二金(21)\nanything\n");

	(void)context;
	record_expect_moves(sheet, "2e1d 3a4b");
	record_expect_comment(sheet, 2, "main");
	assert_int_equal(game_sheet_end(sheet), GAME_SHEET_INTERRUPTED);
	game_sheet_destroy(sheet);
}

/* 手合割 says the usual start under any rules; the other start of `kawu` is drawn. */
static void test_kif__other_rules_draw_their_own_start(void **context)
{
	struct game_sheet *sheet = NULL;
	struct game_sheet *again;

	(void)context;
	assert_int_equal(game_sheet_create(&mini_shogi, "kawu", &sheet), STATUS_OK);
	assert_non_null(strstr(record_write("kif", sheet), "|v歩 ・ ・ ・ ・|二\n"));
	again = record_read_as("kif", "kawu", record_write("kif", sheet));
	assert_true(game_line_is_from_start(game_sheet_line(again)));
	game_sheet_destroy(again);
	again = record_read("kif", record_write("kif", sheet));
	record_expect_start(again, "rbsgk/p4/5/4P/KGSBR b - 1");
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);

	sheet = record_read_as("kif", "kawu", "手合割：5五将棋\n");
	record_expect_start(sheet, record_start);
	assert_string_equal(game_line_ruleset(game_sheet_line(sheet)), "kawu");
	game_sheet_destroy(sheet);
}

static void test_kif__a_sheet_holds_no_more_notes_than_it_may(void **context)
{
	size_t length = GAME_SHEET_NOTES_MAX + 64;
	char *text = malloc(length + 1);

	(void)context;
	assert_non_null(text);
	memset(text, 'a', length);
	text[length] = 0;
	text[0] = '*';
	refuses(text, STATUS_TEXT_TOO_LONG, 1, 2);
	memcpy(text, "1 \xef\xbc\x91\xe5\x9b\x9b\xe8\xa7\x92(25)\n*", 17);
	refuses(text, STATUS_TEXT_TOO_LONG, 2, 2);
	memcpy(text, "First:aaaaaaaaaaa", 17);
	refuses(text, STATUS_TEXT_TOO_LONG, 1, 1);
	free(text);
}

static void test_kif__random_sheets_come_back_whole(void **context)
{
	struct random random = {20261201};
	unsigned plies = 0;

	(void)context;
	for (int game = 0; game < 2500; game++) {
		struct game_sheet *sheet = record_random_sheet(&random, 200);
		struct game_sheet *again = read(record_write("kif", sheet));

		record_expect_same(again, sheet, true);
		plies += (unsigned)game_line_plies(game_sheet_line(sheet));
		game_sheet_destroy(again);
		game_sheet_destroy(sheet);
	}
	assert_true(plies > 50000);
}

/* Any text cut short, or with one byte of it another, is read without a fault of ours. */
static void test_kif__damaged_texts_are_read_or_refused(void **context)
{
	struct random random = {50};
	unsigned refused = 0;

	(void)context;
	for (int i = 0; i < 4000; i++) {
		size_t length = 1 + random_below(&random, sizeof(case_50) - 1);
		char *text = malloc(length);
		struct game_sheet *sheet = NULL;
		struct text_error error = {STATUS_OK, 0, 0};
		enum status status;

		assert_non_null(text);
		memcpy(text, case_50, length);
		text[random_below(&random, (uint32_t)length)] = (char)random_below(&random, 256);
		/* Straight to the format, past the check for UTF-8. */
		status = record_format("kif")->read(NULL, text, length, &error, &sheet);
		if (status != STATUS_OK) {
			assert_int_equal(error.status, status);
			assert_in_range(error.line, 1, 13);
			assert_in_range(error.column, 1, 64);
			refused++;
		}
		game_sheet_destroy(sheet);
		free(text);
	}
	assert_in_range(refused, 500, 3900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kif__case_48_spellings_of_the_variant),
		cmocka_unit_test(test_kif__case_48_other_games_are_refused_by_name),
		cmocka_unit_test(test_kif__case_49_a_set_up_keeps_its_variant_and_its_position),
		cmocka_unit_test(test_kif__case_50_explicit_non_promotion),
		cmocka_unit_test(test_kif__case_51_a_comment_before_the_headers),
		cmocka_unit_test(test_kif__case_52_hands),
		cmocka_unit_test(test_kif__case_52_hands_that_cannot_be),
		cmocka_unit_test(test_kif__case_54_and_55_the_square_tells_two_golds_apart),
		cmocka_unit_test(test_kif__case_57_rows_read_alike_with_and_without_blanks),
		cmocka_unit_test(test_kif__case_57_boards_that_are_not_drawn_right),
		cmocka_unit_test(test_kif__what_the_rules_say_of_a_set_up_is_said),
		cmocka_unit_test(test_kif__the_side_to_move_of_a_set_up),
		cmocka_unit_test(test_kif__a_board_shown_turned_is_the_same_board),
		cmocka_unit_test(test_kif__case_58_comments_keep_their_place_and_order),
		cmocka_unit_test(test_kif__case_60_each_move_is_written_in_its_own_position),
		cmocka_unit_test(test_kif__cases_30_and_31_hands_are_counted_and_ordered),
		cmocka_unit_test(test_kif__lines_end_in_any_way),
		cmocka_unit_test(test_kif__remarks_and_blank_lines_are_read_over),
		cmocka_unit_test(test_kif__bookmarks_become_comments),
		cmocka_unit_test(test_kif__headers_have_the_names_of_all_formats),
		cmocka_unit_test(
			test_kif__a_header_that_would_be_read_as_something_else_is_left_out),
		cmocka_unit_test(test_kif__a_header_may_begin_as_a_move_or_a_variation_does),
		cmocka_unit_test(test_kif__a_header_stands_once),
		cmocka_unit_test(test_kif__a_header_by_the_name_of_another_is_left_out),
		cmocka_unit_test(test_kif__what_is_no_header_is_refused),
		cmocka_unit_test(test_kif__moves_are_spaced_and_spelled_in_many_ways),
		cmocka_unit_test(test_kif__promoted_pieces_have_two_names),
		cmocka_unit_test(test_kif__the_piece_must_be_on_the_square_it_comes_from),
		cmocka_unit_test(test_kif__drops_with_and_without_their_word),
		cmocka_unit_test(test_kif__the_rules_refuse_under_their_own_names),
		cmocka_unit_test(test_kif__what_is_no_move_is_refused_at_its_place),
		cmocka_unit_test(test_kif__numbers_follow_each_other),
		cmocka_unit_test(test_kif__the_move_number_of_a_set_up_is_kept),
		cmocka_unit_test(test_kif__times_are_read_to_the_millisecond),
		cmocka_unit_test(test_kif__times_that_are_none),
		cmocka_unit_test(test_kif__times_are_written_with_the_sum_of_their_side),
		cmocka_unit_test(test_kif__words_that_end_a_record),
		cmocka_unit_test(test_kif__the_last_line_says_the_end_alone_or_once_more),
		cmocka_unit_test(test_kif__a_last_line_that_cannot_be_is_refused),
		cmocka_unit_test(test_kif__words_agree_with_a_game_that_the_rules_ended),
		cmocka_unit_test(test_kif__nothing_is_played_after_the_end),
		cmocka_unit_test(test_kif__repetition_by_the_rules_is_written_and_agreed_with),
		cmocka_unit_test(test_kif__perpetual_check_is_written_as_the_foul_it_is),
		cmocka_unit_test(test_kif__the_limit_of_plies_is_a_draw),
		cmocka_unit_test(test_kif__variations_are_read_over),
		cmocka_unit_test(test_kif__other_rules_draw_their_own_start),
		cmocka_unit_test(test_kif__a_sheet_holds_no_more_notes_than_it_may),
		cmocka_unit_test(test_kif__random_sheets_come_back_whole),
		cmocka_unit_test(test_kif__damaged_texts_are_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
