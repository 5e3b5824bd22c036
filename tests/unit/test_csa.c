/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record_fixture.h"
#include "said_fixture.h"

#define HEAD "V2.2\nPI\n+\n"

static uint32_t first_number(uint32_t number, int player)
{
	(void)number;
	(void)player;
	return 1;
}

static bool any_name(const char *name)
{
	(void)name;
	return true;
}

static const char *const players[] = {game_header_first, game_header_second, NULL};

static const struct said csa = {
	.number = first_number,
	.first_headers = players,
	.can_name = any_name,
	.blanks_around = true,
	.notes = true,
	.win = GAME_SHEET_DECLARED_WIN,
};

static struct game_sheet *read(const char *text)
{
	return record_read("csa", text);
}

static void rewrites(const char *text, const char *expected)
{
	struct game_sheet *sheet = read(text);

	record_expect_text("csa", sheet, expected);
	game_sheet_destroy(sheet);
}

static void keeps(const char *text)
{
	rewrites(text, text);
}

static void begins_at(const char *text, const char *sfen)
{
	record_begins_at("csa", text, sfen);
}

static void says_moves(const char *text, const char *usi)
{
	record_says_moves("csa", text, usi);
}

static void refuses(const char *text, enum status status, uint32_t line, uint32_t column)
{
	record_refuses("csa", text, status, line, column);
}

static void test_csa__a_whole_game(void **context)
{
	static const char text[] = "V2.2\n"
				   "N+山田\n"
				   "N-Bob\n"
				   "$EVENT:UEC杯, 第2局\n"
				   "$SITE:Tokyo\n"
				   "$START_TIME:2026/11/30 19:00:00\n"
				   "$END_TIME:2026/11/30 19:10:00\n"
				   "$TIME_LIMIT:00:25+00\n"
				   "$OPENING:\n"
				   "PI\n"
				   "+\n"
				   "'*first\n"
				   "+2514KA\n"
				   "T12\n"
				   "-3142GI\n"
				   "T1.5\n"
				   "+1441KA\n"
				   "-5154HI\n"
				   "+4554KI\n"
				   "-0033FU\n"
				   "'*a drop\n"
				   "'*\n"
				   "'** 30 +4123UM\n"
				   "+4123UM\n"
				   "%TORYO\n"
				   "T3\n"
				   "'*after\n";
	struct game_sheet *sheet = read(text);

	(void)context;
	record_expect_header(sheet, game_header_first, "山田");
	record_expect_header(sheet, game_header_second, "Bob");
	record_expect_header(sheet, game_header_event, "UEC杯, 第2局");
	record_expect_header(sheet, game_header_site, "Tokyo");
	record_expect_header(sheet, game_header_begin, "2026/11/30 19:00:00");
	record_expect_header(sheet, game_header_end, "2026/11/30 19:10:00");
	record_expect_header(sheet, "TIME_LIMIT", "00:25+00");
	record_expect_header(sheet, "OPENING", "");
	record_expect_moves(sheet, "2e1d 3a4b 1d4a 5a5d 4e5d P*3c 4a2c+ resign");
	record_expect_sfen(sheet, "3gk/1s2p/2p+B1/G4/K1S1R w RB 8");
	record_expect_comment(sheet, 0, "first");
	record_expect_comment(sheet, 6, "a drop\n\n* 30 +4123UM");
	record_expect_comment(sheet, 8, "after");
	assert_int_equal(game_sheet_time(sheet, 0), 12000);
	assert_int_equal(game_sheet_time(sheet, 1), 1500);
	assert_int_equal(game_sheet_time(sheet, 2), -1);
	assert_int_equal(game_sheet_time(sheet, 7), 3000);
	record_expect_text("csa", sheet, text);
	game_sheet_destroy(sheet);
}

/* The numbers are those of the public reports in the project's list of bug cases. */
static void test_csa__case_57_pieces_removed_from_the_start(void **context)
{
	(void)context;
	begins_at("V2.2\nPI\n+\n", record_start);
	begins_at("V2.2\nPI25KA\n+\n", "rbsgk/4p/5/P4/KGS1R b - 1");
	begins_at("V2.2\nPI25KA15HI51HI\n-\n", "1bsgk/4p/5/P4/KGS2 w - 1");
	begins_at("V2.2\nPI25KA54FU\nP-00KA33TO\n+\n", "rbsgk/4p/2+p2/5/KGS1R b b 1");
	refuses("V2.2\nPI25HI\n+\n", STATUS_SHEET_BOARD, 2, 3);
	refuses("V2.2\nPI25KA25KA\n+\n", STATUS_SHEET_BOARD, 2, 7);
	refuses("V2.2\nPI33FU\n+\n", STATUS_SHEET_BOARD, 2, 3);
	refuses("V2.2\nPI61FU\n+\n", STATUS_USI_SQUARE, 2, 3);
	refuses("V2.2\nPI00FU\n+\n", STATUS_SHEET_BOARD, 2, 3);
	refuses("V2.2\nPI25\n+\n", STATUS_SHEET_BOARD, 2, 3);
	refuses("V2.2\nPI\nPI\n+\n", STATUS_SHEET_BOARD, 3, 2);
	refuses("V2.2\nPI\nP1 *  *  *  *  * \n+\n", STATUS_SHEET_BOARD, 3, 2);
}

static void test_csa__case_57_rows_with_and_without_blanks_read_alike(void **context)
{
	static const char sfen[] = "4k/5/2+R2/5/K4 b GP 1";

	(void)context;
	begins_at("P1 *  *  *  * -OU\n"
		  "P2 *  *  *  *  * \n"
		  "P3 *  * +RY *  * \n"
		  "P4 *  *  *  *  * \n"
		  "P5+OU *  *  *  * \n"
		  "P+00FU00KI\n"
		  "+\n",
		sfen);
	begins_at("P1****-OU\nP2*****\nP3**+RY**\nP4*****\nP5+OU****\nP+00FU00KI\n+\n", sfen);
	begins_at("P1 *  *  *  * -OU\nP2 *  *  *  *  *\nP3 *  * +RY *  *\nP4 *  *  *  *  *\n"
		  "P5+OU *  *  *  *\nP+00FU\nP+00KI\n+\n",
		sfen);
	begins_at("P1 * * * *-OU,P2* * * * *,P3 * *+RY * *,P4*****,P5+OU****,P+00FU00KI,+", sfen);
	begins_at(
		"P3**+RY**\r\nP1****-OU\r\nP2*****\r\nP5+OU****\r\nP4*****\r\nP+00KI00FU\r\n+\r\n",
		sfen);
}

static void test_csa__case_57_hands_and_single_pieces(void **context)
{
	(void)context;
	begins_at("P+55OU00FU00KI\nP-11OU\n+\n", "4k/5/5/5/K4 b GP 1");
	begins_at("P+55OU\nP-11OU33TO00AL\n+\n", "4k/5/2+p2/5/K4 b 2r2b2g2sp 1");
	begins_at("P+55OU00FU00AL\nP-11OU\n-\n", "4k/5/5/5/K4 w 2R2B2G2S2P 1");
	refuses("P+55OU00OU\n+\n", STATUS_SHEET_HAND, 1, 7);
	refuses("P+55OU00TO\n+\n", STATUS_SHEET_HAND, 1, 7);
	refuses("P+55OU00KY\n+\n", STATUS_SHEET_HAND, 1, 7);
	refuses("P+55OU00FU00FU00FU\n+\n", STATUS_POSITION_PIECES, 1, 15);
	refuses("P+55OU00FU00FU\nP-11OU00FU\n+\n", STATUS_POSITION_PIECES, 2, 7);
	refuses("P+55OU31HI41HI32HI00AL\n+\n", STATUS_POSITION_PIECES, 1, 15);
	refuses("P+55OU54OU\n+\n", STATUS_POSITION_KINGS, 1, 7);
	refuses("P+55OU55FU\n+\n", STATUS_SHEET_BOARD, 1, 7);
	refuses("P+5\n+\n", STATUS_SHEET_HAND, 1, 3);
	refuses("P+65FU\n+\n", STATUS_USI_SQUARE, 1, 3);
	refuses("\nP+55OU15HI\nP-11OU\n+\n", STATUS_POSITION_CHECK, 2, 1);
}

static void test_csa__case_58_comments_keep_place_and_order(void **context)
{
	static const char text[] = HEAD "'*at the start\n"
					"+5453FU\n"
					"-1213FU\n"
					"'*one\n"
					"'*two\n"
					"+2543KA\n";
	struct game_sheet *sheet = read(text);

	(void)context;
	record_expect_comment(sheet, 0, "at the start");
	record_expect_comment(sheet, 1, NULL);
	record_expect_comment(sheet, 2, "one\ntwo");
	record_expect_text("csa", sheet, text);
	game_sheet_destroy(sheet);
}

static void test_csa__comments_of_both_sorts_wherever_they_stand(void **context)
{
	(void)context;
	rewrites("'a\nV2.2\n'*b\nN+x\n'c, d\nPI\n' e \n+\n'f\n+5453FU\n'g\nT1\n'h\n",
		"V2.2\nN+x\nPI\n+\n'*a\n'*b\n'*c, d\n'* e \n'*f\n+5453FU\nT1\n'*g\n'*h\n");
	rewrites("'CSA encoding=UTF-8\nV3.0\nPI\n+\n", HEAD);
	rewrites("PI\n+\n'\n'*\n'**\n''\n", HEAD "'*\n'*\n'**\n'*'\n");
	rewrites("PI\n+\n%CHUDAN\n'late\n", HEAD "'*late\n%CHUDAN\n");
}

static void test_csa__statements_share_a_line(void **context)
{
	(void)context;
	rewrites("V2.2,PI,+,+5453FU,T3,-1213FU,T0,%TORYO,T5",
		HEAD "+5453FU\nT3\n-1213FU\nT0\n%TORYO\nT5\n");
	rewrites(" V2 ,, PI , + ,\n\n +5453FU , T3 ", HEAD "+5453FU\nT3\n");
}

static void test_csa__headers(void **context)
{
	(void)context;
	keeps("V2.2\nN+\nN- a, b \n$EVENT:\n$X Y:1:2\n$備考:全\nPI\n+\n");
	/* A header may come after the moves, as the time of the end does. */
	rewrites("PI\n+\n+5453FU\n$END_TIME:2026/11/30\n%CHUDAN\n",
		"V2.2\n$END_TIME:2026/11/30\nPI\n+\n+5453FU\n%CHUDAN\n");
	refuses("$EVENT\nPI\n+\n", STATUS_SHEET_HEADER, 1, 1);
	refuses("$:x\nPI\n+\n", STATUS_SHEET_HEADER, 1, 1);
	refuses("Nx\nPI\n+\n", STATUS_SHEET_HEADER, 1, 1);
	refuses("N+a\nN+b\nPI\n+\n", STATUS_SHEET_HEADER_TWICE, 2, 3);
	refuses("N+a\n$First:b\nPI\n+\n", STATUS_SHEET_HEADER_TWICE, 2, 8);
	refuses("$END_TIME:a\nPI\n+\n$END_TIME:b\n", STATUS_SHEET_HEADER_TWICE, 4, 11);
	refuses("V4\nPI\n+\n", STATUS_SHEET_HEADER, 1, 1);
	refuses("V2.2.2\nPI\n+\n", STATUS_SHEET_HEADER, 1, 1);
	refuses("PI\nhello\n+\n", STATUS_SHEET_HEADER, 2, 1);
}

static void test_csa__names_that_would_be_read_as_others_are_left_out(void **context)
{
	struct game_sheet *sheet = record_begin();

	(void)context;
	record_header(sheet, "EVENT", "x");
	record_header(sheet, "START_TIME", "x");
	record_header(sheet, "a:b", "x");
	record_header(sheet, "Round", "7");
	record_expect_text("csa", sheet, "V2.2\n$Round:7\nPI\n+\n");
	game_sheet_destroy(sheet);
	record_keeps_headers_apart("csa");
}

static void test_csa__a_set_up_is_drawn(void **context)
{
	static const char text[] = "V2.2\n"
				   "P1 *  *  *  * -OU\n"
				   "P2 *  *  *  *  * \n"
				   "P3 * -NG+UM *  * \n"
				   "P4+TO *  *  *  * \n"
				   "P5+OU *  *  *  * \n"
				   "P+00HI00HI00FU\n"
				   "P-00KI\n"
				   "-\n"
				   "-0022KI\n";

	(void)context;
	keeps(text);
	says_moves(text, "G*2b");
	begins_at(text, "4k/5/1+s+B2/+P4/K4 w 2RPg 1");
}

static void test_csa__the_start_of_other_rules_is_drawn(void **context)
{
	struct game_sheet *sheet = NULL;
	struct game_sheet *again;

	(void)context;
	assert_int_equal(game_sheet_create(&mini_shogi, "kawu", &sheet), STATUS_OK);
	record_expect_text("csa", sheet,
		"V2.2\nP1-HI-KA-GI-KI-OU\nP2-FU *  *  *  * \nP3 *  *  *  *  * \n"
		"P4 *  *  *  * +FU\nP5+OU+KI+GI+KA+HI\n+\n");
	again = record_read_as("csa", "kawu", record_write("csa", sheet));
	assert_true(game_line_is_from_start(game_sheet_line(again)));
	game_sheet_destroy(again);
	again = record_read_as("csa", "kawu", HEAD);
	assert_false(game_line_is_from_start(game_sheet_line(again)));
	record_expect_start(again, record_start);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_csa__refuses_boards_with_reason_and_place(void **context)
{
	(void)context;
	refuses("", STATUS_TEXT_EMPTY, 1, 1);
	refuses("\n \n", STATUS_TEXT_EMPTY, 1, 1);
	refuses("V2.2\n", STATUS_SHEET_TURN, 1, 5);
	refuses("V2.2\nPI\n", STATUS_SHEET_TURN, 2, 3);
	refuses("V2.2\n+\n", STATUS_SHEET_BOARD_MISSING, 2, 1);
	refuses("V2.2\nPI\n+5453FU\n", STATUS_SHEET_TURN, 3, 1);
	refuses("V2.2\nPI\n%TORYO\n", STATUS_SHEET_TURN, 3, 1);
	refuses("P1****-OU\n+\n", STATUS_SHEET_BOARD, 2, 1);
	refuses("P1****-OU\nP1****-OU\n+\n", STATUS_SHEET_BOARD, 2, 2);
	refuses("P1****\n+\n", STATUS_SHEET_BOARD, 1, 7);
	refuses("P1******\n+\n", STATUS_SHEET_BOARD, 1, 8);
	refuses("P1****-KY\n+\n", STATUS_SHEET_BOARD, 1, 7);
	refuses("P1**** OU\n+\n", STATUS_SHEET_BOARD, 1, 8);
	refuses("P0*****\n+\n", STATUS_SHEET_BOARD, 1, 2);
	refuses("P6*****\n+\n", STATUS_SHEET_OTHER_GAME, 1, 2);
	refuses("Px\n+\n", STATUS_SHEET_BOARD, 1, 2);
	refuses("P1+OU+OU***\n+\n", STATUS_POSITION_KINGS, 1, 6);
	refuses("P1+FU+OU***\n", STATUS_POSITION_DEAD_PAWN, 1, 3);
	refuses("P2+FU****\nP+55OU53FU\n", STATUS_POSITION_TWO_PAWNS, 2, 7);
}

static void test_csa__the_piece_is_named_as_it_is_after_the_move(void **context)
{
	static const char start[] = "P1 *  *  *  * -OU\nP2+GI+RY *  *  * \nP3 *  *  *  *  * \n"
				    "P4 *  *  *  *  * \nP5+OU *  *  *  * \nP+00FU\n+\n";
	char text[256];
	static const struct {
		const char *move;
		const char *usi; /* NULL: refused, as below */
		enum status status;
	} rows[] = {
		{"+5251GI", "5b5a", STATUS_OK},
		{"+5251NG", "5b5a+", STATUS_OK},
		{"+4241RY", "4b4a", STATUS_OK},
		{"+4241HI", NULL, STATUS_SHEET_MOVE_PIECE},
		{"+5251KI", NULL, STATUS_SHEET_MOVE_PIECE},
		{"+5253NG", NULL, STATUS_MOVE_PATTERN},
		{"+5541NG", NULL, STATUS_SHEET_MOVE_PIECE},
		{"+3323KI", NULL, STATUS_MOVE_EMPTY_SQUARE},
		{"+1112OU", NULL, STATUS_MOVE_NOT_YOUR_PIECE},
		{"-1112OU", NULL, STATUS_MOVE_NOT_YOUR_PIECE},
		{"+5252GI", NULL, STATUS_MOVE_PATTERN},
		{"+0033TO", NULL, STATUS_SHEET_MOVE},
		{"+0033OU", NULL, STATUS_SHEET_MOVE},
		{"+0033KI", NULL, STATUS_DROP_NOT_IN_HAND},
		{"+0052FU", NULL, STATUS_DROP_OCCUPIED},
		{"+0033FU", "P*3c", STATUS_OK},
		{"+5200GI", NULL, STATUS_SHEET_MOVE},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = NULL;
		struct text_error error = {STATUS_OK, 0, 0};
		enum status status;
		int length = snprintf(text, sizeof(text), "%s%s\n", start, rows[i].move);

		status = game_sheet_read(&mini_shogi, record_format("csa"), NULL, text,
			(size_t)length, &error, &sheet);
		if (status != rows[i].status)
			fail_msg("%s: %s", rows[i].move, status_code(status));
		if (rows[i].usi)
			record_expect_moves(sheet, rows[i].usi);
		else
			assert_int_equal(error.line, 8);
		game_sheet_destroy(sheet);
	}
}

static void test_csa__refuses_moves_with_reason_and_place(void **context)
{
	(void)context;
	refuses(HEAD "+5453FU\nhello\n", STATUS_SHEET_MOVE, 5, 1);
	refuses(HEAD "+5453FU,-1213FU,-5352FU\n", STATUS_MOVE_NOT_YOUR_PIECE, 4, 17);
	refuses(HEAD "+5453\n", STATUS_SHEET_MOVE, 4, 6);
	refuses(HEAD "+5453FUx\n", STATUS_SHEET_MOVE, 4, 8);
	refuses(HEAD "+54\n", STATUS_SHEET_MOVE, 4, 4);
	refuses(HEAD "+7776FU\n", STATUS_USI_SQUARE, 4, 2);
	refuses(HEAD "+5453XX\n", STATUS_SHEET_MOVE, 4, 6);
	refuses(HEAD "+\n", STATUS_SHEET_MOVE, 4, 2);
	refuses(HEAD "+5452FU\n", STATUS_MOVE_PATTERN, 4, 1);
	refuses(HEAD "N+x\n", STATUS_SHEET_MOVE, 4, 1);
	refuses(HEAD "%TORYO\n+5453FU\n", STATUS_GAME_OVER, 5, 1);
	refuses(HEAD "%CHUDAN\n+5453FU\n", STATUS_GAME_OVER, 5, 1);
}

static void test_csa__times(void **context)
{
	(void)context;
	rewrites(
		HEAD "+5453FU\nT1.50\n-1213FU\nT0.0019\n", HEAD "+5453FU\nT1.5\n-1213FU\nT0.001\n");
	rewrites(HEAD "+5453FU\nT007\n", HEAD "+5453FU\nT7\n");
	keeps(HEAD "+5453FU\nT9223372036854775.807\n");
	/* Of a word that is no ply it has no place. */
	rewrites(HEAD "%CHUDAN\nT5\n", HEAD "%CHUDAN\n");
	rewrites(HEAD "+5453FU\nT5\n%CHUDAN\nT6\n", HEAD "+5453FU\nT5\n%CHUDAN\n");
	refuses(HEAD "T5\n", STATUS_SHEET_TIME_ALONE, 4, 1);
	refuses(HEAD "+5453FU\nT\n", STATUS_SHEET_TIME, 5, 2);
	refuses(HEAD "+5453FU\nT5.\n", STATUS_SHEET_TIME, 5, 4);
	refuses(HEAD "+5453FU\nT-5\n", STATUS_SHEET_TIME, 5, 2);
	refuses(HEAD "+5453FU\nT5s\n", STATUS_SHEET_TIME, 5, 3);
	refuses(HEAD "+5453FU\nT9223372036854775.808\n", STATUS_SHEET_TIME, 5, 22);
	refuses(HEAD "+5453FU\nT99999999999999999999\n", STATUS_SHEET_TIME, 5, 20);
}

static void test_csa__ends_that_are_no_ply(void **context)
{
	static const struct {
		const char *read;
		const char *written;
		enum game_sheet_end end;
	} rows[] = {
		{"%CHUDAN", "%CHUDAN", GAME_SHEET_INTERRUPTED},
		{"%MATTA", "%CHUDAN", GAME_SHEET_INTERRUPTED},
		{"%ERROR", "%CHUDAN", GAME_SHEET_INTERRUPTED},
		{"%FUZUMI", "%CHUDAN", GAME_SHEET_INTERRUPTED},
		{"%TIME_UP", "%TIME_UP", GAME_SHEET_TIME_UP},
		{"%ILLEGAL_MOVE", "%ILLEGAL_MOVE", GAME_SHEET_ILLEGAL_MOVE},
		{"%-ILLEGAL_ACTION", "%ILLEGAL_MOVE", GAME_SHEET_ILLEGAL_MOVE},
		{"%+ILLEGAL_ACTION", "%+ILLEGAL_ACTION", GAME_SHEET_ILLEGAL_BEFORE},
		{"%HIKIWAKE", "%HIKIWAKE", GAME_SHEET_DRAW},
		{"%JISHOGI", "%HIKIWAKE", GAME_SHEET_DRAW},
		{"%MAX_MOVES", "%HIKIWAKE", GAME_SHEET_DRAW},
		{"%SENNICHITE", "%SENNICHITE", GAME_SHEET_REPETITION},
		{"%KACHI", "%KACHI", GAME_SHEET_DECLARED_WIN},
		{"%TSUMI", "%TSUMI", GAME_SHEET_MATE},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[64];
		char expected[64];
		struct game_sheet *sheet;

		snprintf(text, sizeof(text), HEAD "+5453FU\n%s", rows[i].read);
		snprintf(expected, sizeof(expected), HEAD "+5453FU\n%s\n", rows[i].written);
		sheet = read(text);
		assert_int_equal(game_sheet_end(sheet), rows[i].end);
		record_expect_text("csa", sheet, expected);
		game_sheet_destroy(sheet);
	}
	refuses(HEAD "%\n", STATUS_SHEET_END_WORD, 4, 1);
	refuses(HEAD "%TORYOX\n", STATUS_SHEET_END_WORD, 4, 1);
	refuses(HEAD "%CHUDAN\n%CHUDAN\n", STATUS_GAME_OVER, 5, 1);
	refuses(HEAD "%TORYO\n%TORYO\n", STATUS_GAME_OVER, 5, 1);
	refuses(HEAD "%TORYO\n%ABORT\n", STATUS_SHEET_END_WORD, 5, 1);
}

#define MATE \
	"P+55OU13KI00FU00KI\nP-11OU\n+\n" \
	"+0012KI\n"

static void test_csa__an_end_agrees_with_the_rules(void **context)
{
	static const char *const agreeing[] = {"%TSUMI", "%TORYO", "%TIME_UP", "%CHUDAN", ""};
	static const char *const others[] = {
		"%KACHI", "%HIKIWAKE", "%SENNICHITE", "%+ILLEGAL_ACTION"};
	char text[128];

	(void)context;
	for (size_t i = 0; i < sizeof(agreeing) / sizeof(agreeing[0]); i++) {
		struct game_sheet *sheet;

		snprintf(text, sizeof(text), MATE "%s", agreeing[i]);
		sheet = read(text);
		record_expect_moves(sheet, "G*1b");
		assert_int_equal(game_sheet_end(sheet), GAME_SHEET_OPEN);
		assert_non_null(strstr(record_write("csa", sheet), "+0012KI\n%TSUMI\n"));
		game_sheet_destroy(sheet);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		snprintf(text, sizeof(text), MATE "%s", others[i]);
		refuses(text, STATUS_SHEET_END, 5, 1);
	}
}

static void ends_with(const char *ruleset, const char *sfen, const char *moves, const char *word)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;
	const char *text;

	assert_int_equal(game_sheet_setup(&mini_shogi, ruleset, sfen, strlen(sfen), &error, &sheet),
		STATUS_OK);
	for (int times = 0; times < 3; times++)
		record_play(sheet, moves);
	assert_true(game_line_summary(game_sheet_line(sheet)).over);
	text = record_write("csa", sheet);
	assert_string_equal(strrchr(text, '%'), word);
	game_sheet_destroy(record_read_as("csa", ruleset, text));
	game_sheet_destroy(sheet);
}

static void test_csa__repetition_and_perpetual_check(void **context)
{
	(void)context;
	ends_with(NULL, record_start, "1e1d 5a5b 1d1e 5b5a", "%SENNICHITE\n");
	ends_with("kawu", record_start, "1e1d 5a5b 1d1e 5b5a", "%SENNICHITE\n");
	/* Gote checks, and is to move at the end: the illegal action is its own. */
	ends_with(NULL, "r3k/5/5/5/1K3 w - 1", "5a4a 4e5e 4a5a 5e4e", "%ILLEGAL_MOVE\n");
	/* Gote checks, and Sente is to move. */
	ends_with(NULL, "1r2k/5/5/5/1K3 b - 1", "4e5e 4a5a 5e4e 5a4a", "%-ILLEGAL_ACTION\n");
}

static void test_csa__one_game_a_text(void **context)
{
	(void)context;
	keeps(HEAD "+5453FU\n");
	rewrites(HEAD "+5453FU\n/\n", HEAD "+5453FU\n");
	rewrites(HEAD "+5453FU\n/\n\n  \n", HEAD "+5453FU\n");
	refuses(HEAD "+5453FU\n/\n\n V2.2\nPI\n+\n", STATUS_TEXT_TRAILING, 7, 2);
	refuses(HEAD "+5453FU\n//\n", STATUS_SHEET_MOVE, 5, 1);
}

static void test_csa__random_games_there_and_back(void **context)
{
	(void)context;
	said_random_games("csa", &csa, 57);
}

static void test_csa__damaged_texts_are_read_or_refused_with_a_place(void **context)
{
	(void)context;
	said_damaged("csa",
		"V2.2\nN+x\n$EVENT:y\nP1 *  *  *  * -OU\nP2+GI+RY *  *  * \nP3 *  *  *  *  * \n"
		"P4 *  *  *  *  * \nP5+OU *  *  *  * \nP+00FU\nP-00AL\n+\n'*c\n+5251NG,T1.5\n"
		"-0033KI\n'd\n%TORYO\nT3\n",
		1);
	said_damaged("csa", "PI25KA\n+\n+5453FU\n-1213FU\nT2\n%CHUDAN\n/\n", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csa__a_whole_game),
		cmocka_unit_test(test_csa__case_57_pieces_removed_from_the_start),
		cmocka_unit_test(test_csa__case_57_rows_with_and_without_blanks_read_alike),
		cmocka_unit_test(test_csa__case_57_hands_and_single_pieces),
		cmocka_unit_test(test_csa__case_58_comments_keep_place_and_order),
		cmocka_unit_test(test_csa__comments_of_both_sorts_wherever_they_stand),
		cmocka_unit_test(test_csa__statements_share_a_line),
		cmocka_unit_test(test_csa__headers),
		cmocka_unit_test(test_csa__names_that_would_be_read_as_others_are_left_out),
		cmocka_unit_test(test_csa__a_set_up_is_drawn),
		cmocka_unit_test(test_csa__the_start_of_other_rules_is_drawn),
		cmocka_unit_test(test_csa__refuses_boards_with_reason_and_place),
		cmocka_unit_test(test_csa__the_piece_is_named_as_it_is_after_the_move),
		cmocka_unit_test(test_csa__refuses_moves_with_reason_and_place),
		cmocka_unit_test(test_csa__times),
		cmocka_unit_test(test_csa__ends_that_are_no_ply),
		cmocka_unit_test(test_csa__an_end_agrees_with_the_rules),
		cmocka_unit_test(test_csa__repetition_and_perpetual_check),
		cmocka_unit_test(test_csa__one_game_a_text),
		cmocka_unit_test(test_csa__random_games_there_and_back),
		cmocka_unit_test(test_csa__damaged_texts_are_read_or_refused_with_a_place),
	};

	return cmocka_run_group_tests_name("csa", tests, NULL, NULL);
}
