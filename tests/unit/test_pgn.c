/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record_fixture.h"
#include "said_fixture.h"

#define VARIANT "[Variant \"minishogi\"]\n"

/* The tags before the variant, of a sheet without headers. */
#define ROSTER(result) \
	"[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n" \
	"[Black \"?\"]\n[Result \"" result "\"]\n"

#define BLANK(result) ROSTER(result) VARIANT "\n"

static uint32_t fen_number(uint32_t number, int player)
{
	uint32_t full_move = (number + 1) / 2;

	return 2 * (full_move < 49999 ? full_move : 49999) - (player == 0);
}

static bool is_tag_name(const char *name)
{
	return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == strlen(name);
}

static const char *const roster[] = {
	game_header_event, game_header_site, "Round", game_header_first, game_header_second, NULL};

static const struct said pgn = {
	.number = fen_number,
	.first_headers = roster,
	.can_name = is_tag_name,
	.notes = true,
	.win = GAME_SHEET_WIN,
};

static struct game_sheet *read(const char *text)
{
	return record_read("pgn", text);
}

static void rewrites(const char *text, const char *expected)
{
	struct game_sheet *sheet = read(text);

	record_expect_text("pgn", sheet, expected);
	game_sheet_destroy(sheet);
}

static void refuses(const char *text, enum status status, uint32_t line, uint32_t column)
{
	record_refuses("pgn", text, status, line, column);
}

/* `text` says just these moves, in USI, from `sfen` or, where that is NULL, the usual start. */
static void says_moves(const char *sfen, const char *text, const char *usi)
{
	struct game_sheet *expected = sfen ? record_set_up(sfen) : record_begin();
	char tags[GAME_SETUP_TEXT];
	char *whole = malloc(strlen(text) + 256);
	struct game_sheet *sheet;
	char *hand;

	assert_non_null(whole);
	strcpy(tags, record_write("uci", expected));
	hand = strchr(tags, '\n');
	*hand = 0;
	sprintf(whole, "[FEN \"%s\"]\n%s", tags, text);
	sheet = read(whole);
	record_expect_moves(sheet, usi);
	game_sheet_destroy(sheet);
	game_sheet_destroy(expected);
	free(whole);
}

static void test_pgn__a_whole_game(void **context)
{
	static const char text[] =
		"[Event \"UEC \\\"杯\\\"\"]\n[Site \"C:\\\\x\"]\n[Date \"2026.11.30\"]\n[Round "
		"\"3\"]\n"
		"[White \"山田\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n" VARIANT
		"[Time \"19:00:00\"]\n[BlackElo \"1500\"]\n\n"
		"{first} 1. Be2 {[%emt 0:00:12]} 1... Sb4 {[%emt 1:01:01.5]} 2. Bxb5 Rxa2+ {a\n"
		"comment that is so long that it goes on in the next line} {and a second one} 3.\n"
		"Gxa2 P@c3 4. Bd3=H 1-0 {[%emt 0:00:03]} {after}\n";
	struct game_sheet *sheet = read(text);

	(void)context;
	record_expect_header(sheet, game_header_event, "UEC \"杯\"");
	record_expect_header(sheet, game_header_site, "C:\\x");
	record_expect_header(sheet, game_header_begin, "2026/11/30 19:00:00");
	record_expect_header(sheet, game_header_first, "山田");
	record_expect_header(sheet, game_header_second, "Bob");
	record_expect_header(sheet, "BlackElo", "1500");
	record_expect_moves(sheet, "2e1d 3a4b 1d4a 5a5d 4e5d P*3c 4a2c+ resign");
	record_expect_comment(sheet, 4,
		"a comment that is so long that it goes on in the next line\nand a second one");
	assert_int_equal(game_sheet_time(sheet, 1), 3661500);
	assert_int_equal(game_sheet_time(sheet, 7), 3000);
	record_expect_text("pgn", sheet, text);
	game_sheet_destroy(sheet);
}

static void test_pgn__the_roster_says_what_is_unknown(void **context)
{
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;

	(void)context;
	record_expect_text("pgn", sheet, BLANK("*") "*\n");
	again = read(record_write("pgn", sheet));
	assert_int_equal(game_sheet_header_count(again), 0);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_pgn__variants(void **context)
{
	(void)context;
	rewrites("[Variant \"Minishogi\"]\n\n*", BLANK("*") "*\n");
	rewrites("[Variant \"mini shogi\"]\n\n*", BLANK("*") "*\n");
	rewrites("[Variant \"Mini-Shogi\"]\n\n*", BLANK("*") "*\n");
	rewrites("*", BLANK("*") "*\n");
	refuses("[Variant \"shogi\"]\n\n*", STATUS_SHEET_OTHER_GAME, 1, 11);
	refuses("[Event \"x\"]\n[Variant \"minishogi960\"]\n\n*", STATUS_SHEET_OTHER_GAME, 2, 11);
	refuses("[Variant \"\"]\n\n*", STATUS_SHEET_OTHER_GAME, 1, 11);
	refuses("[Variant \"Crazyhouse\"]\n\n1. e4 *", STATUS_SHEET_OTHER_GAME, 1, 11);
}

static void test_pgn__dates_and_times(void **context)
{
	static const struct {
		const char *tags;
		const char *begin; /* NULL: none */
	} rows[] = {
		{"[Date \"2026.11.30\"]", "2026/11/30"},
		{"[Date \"2026.11.30\"][Time \"19:00:00\"]", "2026/11/30 19:00:00"},
		{"[Time \"19:00:00\"] [Date \"2026.11.30\"]", "2026/11/30 19:00:00"},
		{"[UTCDate \"2026.11.30\"][UTCTime \"19:00:00\"]", "2026/11/30 19:00:00"},
		{"[Date \"2026.11.30\"][UTCDate \"2026.11.30\"][UTCTime \"19:00:00\"]",
			"2026/11/30 19:00:00"},
		{"[Date \"2026.12.01\"][UTCDate \"2026.11.30\"][UTCTime \"19:00:00\"]",
			"2026/12/01"},
		{"[Date \"2026.11.??\"]", "2026/11/??"},
		{"[Date \"2026.??.??\"][Time \"?\"]", "2026/?\?/?\?"},
		{"[Date \"????.??.??\"][Time \"19:00:00\"]", NULL},
		{"[Date \"?\"]", NULL},
		{"[Date \"30 November\"]", "30 November"},
		{"[Begin \"令和8年\"]", "令和8年"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = read(rows[i].tags);
		struct game_sheet *again;

		if (rows[i].begin)
			record_expect_header(sheet, game_header_begin, rows[i].begin);
		else
			assert_null(game_sheet_header_value(sheet, game_header_begin));
		again = read(record_write("pgn", sheet));
		record_expect_same(again, sheet, true);
		game_sheet_destroy(again);
		game_sheet_destroy(sheet);
	}
}

static void test_pgn__tags(void **context)
{
	struct game_sheet *sheet = read("%\n ; a\n [ White\t\"a \\\" b\\\\ \\c ]\" ][Black \"?\"]\n"
					"[X_1 \"\"] {b} [Result \"?\"]\n\n1. Pa3");

	(void)context;
	record_expect_header(sheet, game_header_first, "a \" b\\ \\c ]");
	assert_null(game_sheet_header_value(sheet, game_header_second));
	record_expect_header(sheet, "X_1", "");
	record_expect_comment(sheet, 0, "a\nb");
	record_expect_moves(sheet, "5d5c");
	game_sheet_destroy(sheet);

	refuses("[White \"a\n\"]", STATUS_SHEET_HEADER, 1, 8);
	refuses("[White \"a\"\n]", STATUS_SHEET_HEADER, 1, 11);
	refuses("[White \"a\" x]", STATUS_SHEET_HEADER, 1, 12);
	refuses("[White a]", STATUS_SHEET_HEADER, 1, 8);
	refuses("[\"a\"]", STATUS_SHEET_HEADER, 1, 2);
	refuses("[Wh.te \"a\"]", STATUS_SHEET_HEADER, 1, 4);
	refuses("[White \"a\\\"]", STATUS_SHEET_HEADER, 1, 8);
	refuses("[Result \"2-0\"]", STATUS_SHEET_HEADER, 1, 10);
	refuses("[SetUp \"1\"]\n\n*", STATUS_SHEET_HEADER, 1, 9);
}

static void test_pgn__names_that_would_be_read_as_others_are_left_out(void **context)
{
	static const char *const names[] = {"White", "Black", "FEN", "SetUp", "Result", "Variant",
		"Termination", "Date", "Time", "UTCDate", "UTCTime", "持ち時間", "a b", "a\"b",
		"a.b", "#c", "_a", "+", "-1", "=", ":x"};
	struct game_sheet *sheet = record_begin();

	(void)context;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		record_header(sheet, names[i], "x");
	record_expect_text("pgn", sheet, BLANK("*") "*\n");
	game_sheet_destroy(sheet);
	record_keeps_headers_apart("pgn");
}

/* Whatever the number of SFEN is, and beyond the highest too. */
static void test_pgn__moves_are_numbered_from_the_start_on(void **context)
{
	static const struct {
		const char *sfen;
		const char *moves;
	} rows[] = {
		{"4k/5/5/5/K4 w - 1", "\n1... Ke4 2. Ka2 Ke5 3. Ka1 *\n"},
		{"4k/5/5/5/K4 w - 2", "\n1... Ke4 2. Ka2 Ke5 3. Ka1 *\n"},
		{"4k/5/5/5/K4 w - 3", "\n2... Ke4 3. Ka2 Ke5 4. Ka1 *\n"},
		{"4k/5/5/5/K4 w - 99999", "\n49999... Ke4 50000. Ka2 Ke5 50001. Ka1 *\n"},
		{"k4/5/5/5/4K b - 1", "\n1. Ke2 Ka4 2. Ke1 Ka5 *\n"},
		{"k4/5/5/5/4K b - 2", "\n1. Ke2 Ka4 2. Ke1 Ka5 *\n"},
		{"k4/5/5/5/4K b - 99998", "\n49999. Ke2 Ka4 50000. Ke1 Ka5 *\n"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = record_set_up(rows[i].sfen);
		struct game_sheet *again;
		char *text;

		record_play(sheet,
			strchr(rows[i].sfen, 'w') ? "1a1b 5e5d 1b1a 5d5e" : "1e1d 5a5b 1d1e 5b5a");
		text = strdup(record_write("pgn", sheet));
		assert_non_null(text);
		assert_string_equal(strstr(text, "\n\n") + 1, rows[i].moves);
		again = read(text);
		record_expect_text("pgn", again, text);
		free(text);
		game_sheet_destroy(again);
		game_sheet_destroy(sheet);
	}
}

static void test_pgn__set_ups(void **context)
{
	static const char text[] = ROSTER("*") VARIANT
		"[SetUp \"1\"]\n[FEN \"4k/5/5/5/K4[Pr] b - - 0 17\"]\n\n17... R@c3 18. P@b2 *\n";

	(void)context;
	rewrites(text, text);
	/* The usual start needs no FEN. */
	rewrites("[FEN \"rbsgk/4p/5/P4/KGSBR[-] w 0 1\"]\n1. Pa3 *", BLANK("*") "1. Pa3 *\n");
	refuses("[FEN \"4k/5/5/5/K3[] w - - 0 1\"]", STATUS_SFEN_ROW_WIDTH, 1, 18);
	refuses("\n[FEN \"4k/5/5/5/K3R[] w - - 0 1\"]", STATUS_POSITION_CHECK, 2, 7);
	refuses("[FEN \"\"]", STATUS_TEXT_EMPTY, 1, 7);
}

static void test_pgn__the_start_of_other_rules_is_written_out(void **context)
{
	struct game_sheet *sheet = NULL;
	struct game_sheet *again;

	(void)context;
	assert_int_equal(game_sheet_create(&mini_shogi, "kawu", &sheet), STATUS_OK);
	record_expect_text("pgn", sheet,
		ROSTER("*") VARIANT
		"[SetUp \"1\"]\n[FEN \"rbsgk/p4/5/4P/KGSBR[] w - - 0 1\"]\n\n*\n");
	again = record_read_as("pgn", "kawu", record_write("pgn", sheet));
	assert_true(game_line_is_from_start(game_sheet_line(again)));
	game_sheet_destroy(again);
	again = record_read_as("pgn", "kawu", "1. Pa3 *");
	record_expect_start(again, record_start);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static void test_san__case_55_two_pieces_that_reach_one_square_differ(void **context)
{
	static const char start[] = "4k/5/1G1G1/5/K4 b - 1";
	static const char *const moves[] = {"4c3b", "2c3b", "4c3c", "2c3c"};
	static const char *const texts[] = {"Gbc4", "Gdc4", "Gbc3", "Gdc3"};

	(void)context;
	for (int i = 0; i < 4; i++) {
		struct game_sheet *sheet = record_set_up(start);
		char expected[16];

		record_play(sheet, moves[i]);
		snprintf(expected, sizeof(expected), "\n1. %s ", texts[i]);
		assert_non_null(strstr(record_write("pgn", sheet), expected));
		says_moves(start, texts[i], moves[i]);
		game_sheet_destroy(sheet);
	}
	refuses("[FEN \"4k/5/1G1G1/5/K4 w\"]\n\n1. Gc4", STATUS_SHEET_MOVE_AMBIGUOUS, 3, 4);
}

static void test_san__case_55_a_pinned_twin_is_told_apart_by_the_rules(void **context)
{
	/* The gold on 5c is pinned by the rook: only the other one can go to 4c. */
	static const char start[] = "r3k/5/G1G2/5/K4 b - 1";
	struct game_sheet *sheet = record_set_up(start);

	(void)context;
	record_play(sheet, "3c4c");
	assert_string_equal(strstr(record_write("pgn", sheet), "1. "), "1. Gb3 *\n");
	says_moves(start, "1. Gb3 *", "3c4c");
	says_moves(start, "1. Gcb3 *", "3c4c");
	refuses("[FEN \"r3k/5/G1G2/5/K4 w\"]\n\n1. Gab3", STATUS_MOVE_PINNED, 3, 4);
	game_sheet_destroy(sheet);
}

static void test_san__file_rank_or_square_as_need_be(void **context)
{
	static const struct {
		const char *sfen;
		const char *usi;
		const char *san;
	} rows[] = {
		{"4k/5/R4/5/R3K b - 1", "5e5d", "R1a2"},
		{"4k/5/R4/5/R3K b - 1", "5c5d", "R3a2"},
		{"R1R2/4k/5/4K/5 b - 1", "5a4a", "Rab5"},
		/* Three of one letter: a gold, a silver and a pawn that moves like it. */
		{"5/5/4k/G1+S2/+P1K2 b - 1", "5d4d", "Ga2b2"},
		{"5/5/4k/G1+S2/+P1K2 b - 1", "3d4d", "Gcb2"},
		{"5/5/4k/G1+S2/+P1K2 b - 1", "5e4d", "G1b2"},
		{"4k/S4/5/5/K4 b - 1", "5b5a", "Sa5"},
		{"4k/S4/5/5/K4 b - 1", "5b5a+", "Sa5=G"},
		{"4k/B4/5/5/K4 b - 1", "5b4a+", "Bb5=H"},
		{"5/R4/4k/5/K4 b - 1", "5b5a+", "Ra5=D"},
		{"b4/R4/4k/5/K4 b - 1", "5b5a+", "Rxa5=D"},
		{"4k/+R4/5/5/K4 b - 1", "5b5a", "Da5+"},
		{"4k/5/4P/5/K3R b - 1", "1c1b", "Pe4+"},
		{"4k/5/4G/5/K4 b P 1", "P*4c", "P@b3"},
		{"4k/5/4G/5/K4 b G 1", "G*1b", "G@e4#"},
		{"4k/5/4G/5/K4 w p 2", "P*4c", "P@b3"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = record_set_up(rows[i].sfen);
		const char *written;

		record_play(sheet, rows[i].usi);
		written = strstr(record_write("pgn", sheet), "\n\n1.");
		assert_non_null(written);
		written = strchr(written, ' ') + 1;
		if (strncmp(written, rows[i].san, strlen(rows[i].san)) != 0 ||
			written[strlen(rows[i].san)] != ' ')
			fail_msg("%s %s: %s", rows[i].sfen, rows[i].usi, written);
		says_moves(rows[i].sfen, rows[i].san, rows[i].usi);
		game_sheet_destroy(sheet);
	}
}

/* A + is a check. Other shogi programs write a promotion so: where it may be that, neither is
 * taken. */
static void test_san__a_plus_that_is_no_check_is_not_guessed_at(void **context)
{
	(void)context;
	refuses("[FEN \"5/4k/R4/5/4K[] w\"]\n1. Ra5+", STATUS_SHEET_MOVE_AMBIGUOUS, 2, 4);
	refuses("[FEN \"2k2/+R3S/5/P4/K4[P] w\"]\n1. Sd5+", STATUS_SHEET_MOVE_AMBIGUOUS, 2, 4);
	record_says_moves("pgn", "[FEN \"2k2/5/R4/5/4K[] w\"]\n1. Ra5=D+", "5c5a+");
	record_says_moves("pgn", "[FEN \"4k/5/R4/5/4K[] w\"]\n1. Ra5+", "5c5a");
	/* It cannot promote there: whether + is right is not asked. */
	record_says_moves("pgn", "[FEN \"2k2/5/R4/5/4K[] w\"]\n1. Ra4+", "5c5b");
}

static void test_san__other_spellings_are_read(void **context)
{
	static const char start[] = "2k2/+R3S/5/P4/K4 b P 1";
	static const struct {
		const char *text;
		const char *usi;
	} rows[] = {
		{"Pa3", "5d5c"},
		{"a3", "5d5c"},
		{"a2a3", "5d5c"},
		{"5d5c", "5d5c"},
		{"Pa2-a3", "5d5c"},
		{"Pa2a3!?", "5d5c"},
		{"Da5", "5b5a"},
		{"Da4-a5+", "5b5a"},
		{"+Ra5+!", "5b5a"},
		{"+Ra4xa5", "5b5a"},
		{"Sd5=G", "1b2a+"},
		{"Sd5=+S", "1b2a+"},
		{"e4d5+", "1b2a+"},
		{"e4d5++", "1b2a+"},
		{"1b2a+!", "1b2a+"},
		{"e4d5", "1b2a"},
		{"Sd5", "1b2a"},
		{"P@c3", "P*3c"},
		{"P*3c", "P*3c"},
		{"P@c3#", "P*3c"},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		says_moves(start, rows[i].text, rows[i].usi);
	}
	refuses("[FEN \"2k2/+R3S/5/P4/K4 w\"]\na4a5+#", STATUS_MOVE_CANNOT_PROMOTE, 2, 1);
}

static void test_san__refuses_with_reason_and_place(void **context)
{
	static const struct {
		const char *text;
		enum status status;
	} rows[] = {
		{"hello", STATUS_SHEET_MOVE},
		{"e4", STATUS_MOVE_PATTERN},
		{"Nf3", STATUS_SHEET_MOVE},
		{"O-O", STATUS_SHEET_MOVE},
		{"0-0", STATUS_SHEET_MOVE},
		{"--", STATUS_SHEET_MOVE},
		{"Z0", STATUS_SHEET_MOVE},
		{"Pa", STATUS_SHEET_MOVE},
		{"P", STATUS_SHEET_MOVE},
		{"+", STATUS_SHEET_MOVE},
		{"+K", STATUS_SHEET_MOVE},
		{"+Ga3", STATUS_SHEET_MOVE},
		{"Pf3", STATUS_SHEET_MOVE},
		{"Pa6", STATUS_SHEET_MOVE},
		{"Paxa", STATUS_SHEET_MOVE},
		{"Pa3=", STATUS_SHEET_MOVE},
		{"Pa3=Q", STATUS_SHEET_MOVE},
		{"Pa3=+G", STATUS_SHEET_MOVE},
		{"Pa3x", STATUS_SHEET_MOVE},
		{"Pa3=G", STATUS_MOVE_CANNOT_PROMOTE},
		{"Pa3=D", STATUS_SHEET_MOVE_NONE},
		{"Pa4", STATUS_MOVE_PATTERN},
		{"Pa2", STATUS_SHEET_MOVE_NONE},
		{"Da3", STATUS_SHEET_MOVE_NONE},
		{"Gb1", STATUS_SHEET_MOVE_NONE},
		{"Ga2", STATUS_MOVE_OWN_PIECE},
		{"P@c3", STATUS_DROP_NOT_IN_HAND},
		{"K@c3", STATUS_USI_PIECE},
		{"P*3c", STATUS_DROP_NOT_IN_HAND},
		{"5d5", STATUS_SHEET_MOVE},
		{"9a9b", STATUS_SHEET_MOVE},
		{"a2a3x", STATUS_SHEET_MOVE},
		{"e4e3", STATUS_MOVE_NOT_YOUR_PIECE},
	};
	char text[64];

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct game_sheet *sheet = NULL;
		struct text_error error = {STATUS_OK, 0, 0};
		int length = snprintf(text, sizeof(text), "\n 1.%s *", rows[i].text);
		enum status status = game_sheet_read(&mini_shogi, record_format("pgn"), NULL, text,
			(size_t)length, &error, &sheet);

		if (status != rows[i].status || error.line != 2 || error.column != 4)
			fail_msg("%s: %s at %u:%u", rows[i].text, status_code(status), error.line,
				error.column);
	}
}

/* The first move of a PGN as it stands there. */
static void first_word(const char *pgn_text, char word[GAME_ACTION_TEXT])
{
	const char *moves = strstr(pgn_text, "\n\n");
	const char *move;

	assert_non_null(moves);
	move = strchr(moves, ' ') + 1;
	snprintf(word, GAME_ACTION_TEXT, "%.*s", (int)strcspn(move, " \n"), move);
}

/* Of every legal move in the position; their number. */
static size_t expect_san_apart(const char *sfen)
{
	static char words[GAME_ACTIONS_MAX][GAME_ACTION_TEXT];
	struct game_action actions[GAME_ACTIONS_MAX];
	struct game_sheet *start = record_set_up(sfen);
	size_t count = mini_shogi.legal(game_line_state(game_sheet_line(start)), actions);

	for (size_t i = 0; i < count; i++) {
		struct game_sheet *sheet = record_set_up(sfen);
		struct game_sheet *again;

		assert_int_equal(game_sheet_play(sheet, actions[i]), STATUS_OK);
		again = read(record_write("pgn", sheet));
		first_word(record_write("pgn", sheet), words[i]);
		if (game_line_action(game_sheet_line(again), 0).code != actions[i].code)
			fail_msg("%s: %s is read as another move", sfen, words[i]);
		for (size_t j = 0; j < i; j++)
			if (strcmp(words[i], words[j]) == 0)
				fail_msg("%s: two moves are %s", sfen, words[i]);
		game_sheet_destroy(again);
		game_sheet_destroy(sheet);
	}
	game_sheet_destroy(start);
	return count;
}

static void test_san__every_legal_move_has_a_text_of_its_own_and_is_read_as_itself(void **context)
{
	struct random random = {55};
	size_t moves = 0;

	(void)context;
	for (int round = 0; round < 400; round++) {
		char sfen[GAME_SETUP_TEXT];

		while (!record_random_position(&random, sfen))
			;
		moves += expect_san_apart(sfen);
	}
	assert_true(moves > 8000);
}

/* Along games, where the positions are such as occur. */
static void test_san__every_legal_move_of_whole_games_is_read_as_itself(void **context)
{
	struct random random = {56};

	(void)context;
	for (int game = 0; game < 12; game++) {
		struct game_sheet *sheet = said_kawu_sheet(&random, 200);
		char sfen[GAME_SETUP_TEXT];

		while (game_sheet_undo(sheet)) {
			record_state_text(game_line_state(game_sheet_line(sheet)), sfen);
			assert_true(expect_san_apart(sfen) > 0);
		}
		game_sheet_destroy(sheet);
	}
}

static void test_pgn__moves_with_all_that_is_read_over(void **context)
{
	(void)context;
	says_moves(NULL,
		"1.Pa3 $1 $23 (1. Be2 {)} (1... x ; )\n ) y) 1...Pe3 ! 2 ... Gb2 ?!\n"
		"% 2. nothing [ { (\n"
		"{ % text } ... Gd4 *",
		"5d5c 1b1c 4e4d 2a2b");
	says_moves(NULL, "Pa3\n\n\nPe3", "5d5c 1b1c");
	refuses("1. Pa3 (1. Be2", STATUS_SHEET_VARIATION, 1, 8);
	refuses("1. Pa3 (1. Be2 {", STATUS_SHEET_COMMENT, 1, 16);
	refuses("1. Pa3 )", STATUS_SHEET_MOVE, 1, 8);
	refuses("1. Pa3 }", STATUS_SHEET_MOVE, 1, 8);
	refuses("1. Pa3 $x", STATUS_SHEET_MOVE, 1, 8);
	refuses("\n1. Pa3 {x\n\n", STATUS_SHEET_COMMENT, 2, 8);
	refuses("", STATUS_TEXT_EMPTY, 1, 1);
	refuses("% x\n\n", STATUS_TEXT_EMPTY, 2, 1);
}

static void test_pgn__case_58_comments_keep_place_and_order(void **context)
{
	static const char text[] = BLANK("*") "{at the start} 1. Pa3 Pe3 {one} {two} 2. Gb2 *\n";
	struct game_sheet *sheet = read(text);

	(void)context;
	record_expect_comment(sheet, 0, "at the start");
	record_expect_comment(sheet, 1, NULL);
	record_expect_comment(sheet, 2, "one\ntwo");
	record_expect_text("pgn", sheet, text);
	game_sheet_destroy(sheet);
}

static void test_pgn__comments(void **context)
{
	struct game_sheet *sheet = read("{ a\r\n\tb  c } {} 1. Pa3 ; d } e \n{{;}; f\n");

	(void)context;
	record_expect_comment(sheet, 0, "a \tb  c\n");
	record_expect_comment(sheet, 1, "d } e\n{;\nf");
	record_expect_text("pgn", sheet, BLANK("*") "{a \tb  c} {} 1. Pa3\n; d } e\n{{;} {f} *\n");
	game_sheet_destroy(sheet);
}

static void test_pgn__commands_in_comments(void **context)
{
	struct game_sheet *sheet =
		read("{[%emt 0:09:09]} 1. Pa3 {[%clk 0:01:00] a [%emt 0:00:12]} Pe3 { [%emt 12.5] }"
		     "2. Gb2 {[%eval 1.5] [%emt x]} Gd4 {[%emt 1:00:00][%c[%clk 1]lk 2] b}");

	(void)context;
	record_expect_comment(sheet, 0, NULL);
	record_expect_comment(sheet, 1, "a");
	record_expect_comment(sheet, 2, NULL);
	record_expect_comment(sheet, 3, "[%eval 1.5] [%emt x]");
	record_expect_comment(sheet, 4, "b");
	assert_int_equal(game_sheet_time(sheet, 0), 12000);
	assert_int_equal(game_sheet_time(sheet, 1), 12500);
	assert_int_equal(game_sheet_time(sheet, 2), -1);
	assert_int_equal(game_sheet_time(sheet, 3), 3600000);
	assert_string_equal(strstr(record_write("pgn", sheet), "1. "),
		"1. Pa3 {[%emt 0:00:12]} {a} 1... Pe3 {[%emt 0:00:12.5]} 2. Gb2 {[%eval 1.5]\n"
		"[%emt x]} 2... Gd4 {[%emt 1:00:00]} {b} *\n");
	game_sheet_destroy(sheet);
}

/* Only braces hold commands. */
static void test_pgn__what_looks_like_a_command_is_still_a_comment(void **context)
{
	static const char *const comments[] = {"[%emt 0:00:05]", "a [%emt 7] b", "[%clk 1:00:00]",
		"[%c[%clk 1]lk 2]", "[%emt 1][%emt 2] x", "} [%clk ]"};
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;

	(void)context;
	record_play(sheet, "5d5c");
	game_sheet_set_time(sheet, 3000);
	for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++)
		record_comment(sheet, comments[i]);
	record_play(sheet, "1b1c");
	record_comment(sheet, comments[0]);
	again = read(record_write("pgn", sheet));
	record_expect_same(again, sheet, true);
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);

	/* Lines without one stay in braces. */
	sheet = read(
		"1. Pa3 {[%emt 0:00:03]} {[%emt 5} {[%emt x]} {[%cal Ga1a2]}\n; [%emt 9]\nPe3");
	assert_int_equal(game_sheet_time(sheet, 0), 3000);
	assert_string_equal(strstr(record_write("pgn", sheet), "1. "),
		"1. Pa3 {[%emt 0:00:03]} {[%emt 5} {[%emt x]} {[%cal Ga1a2]}\n; [%emt 9]\n"
		"1... Pe3 *\n");
	game_sheet_destroy(sheet);
}

static void test_pgn__a_tag_stands_once(void **context)
{
	(void)context;
	refuses("[White \"a\"]\n[White \"b\"]\n*", STATUS_SHEET_HEADER_TWICE, 2, 9);
	refuses("[White \"a\"]\n[First \"b\"]\n*", STATUS_SHEET_HEADER_TWICE, 2, 9);
	refuses("[Result \"*\"]\n[Result \"*\"]\n*", STATUS_SHEET_HEADER_TWICE, 2, 10);
	refuses("[Date \"2026.11.30\"]\n[Begin \"x\"]\n*", STATUS_SHEET_HEADER_TWICE, 2, 9);
	refuses("[FEN \"4k/5/5/5/K4[] w\"]\n[FEN \"4k/5/5/5/K4[] w\"]\n*",
		STATUS_SHEET_HEADER_TWICE, 2, 7);
	refuses("1. Pa3 {[%emt 1:2:3:4]} (", STATUS_SHEET_VARIATION, 1, 25);
}

static void test_pgn__lines_are_at_most_80_bytes(void **context)
{
	struct random random = {80};

	(void)context;
	for (int game = 0; game < 50; game++) {
		struct game_sheet *sheet = said_kawu_sheet(&random, 200);
		const char *line;

		for (line = record_write("pgn", sheet); *line; line += strcspn(line, "\n") + 1)
			assert_in_range(strcspn(line, "\n"), 0, 80);
		game_sheet_destroy(sheet);
	}
}

/* With Gote to move. */
static void test_pgn__results_of_games_that_the_rules_have_not_ended(void **context)
{
	static const struct {
		const char *termination;
		const char *result;
		enum game_sheet_end end;
		bool resigned;
		bool written; /* as it is */
	} rows[] = {
		{NULL, "*", GAME_SHEET_OPEN, false, true},
		{"unterminated", "*", GAME_SHEET_OPEN, false, false},
		{"time forfeit", "*", GAME_SHEET_OPEN, false, false},
		{"abandoned", "*", GAME_SHEET_INTERRUPTED, false, true},
		{NULL, "1-0", GAME_SHEET_OPEN, true, true},
		{"Normal", "1-0", GAME_SHEET_OPEN, true, false},
		{"abandoned", "1-0", GAME_SHEET_OPEN, true, false},
		{"time forfeit", "1-0", GAME_SHEET_TIME_UP, false, true},
		{"Time Forfeit", "1-0", GAME_SHEET_TIME_UP, false, false},
		{"rules infraction", "1-0", GAME_SHEET_ILLEGAL_MOVE, false, true},
		{"adjudication", "1-0", GAME_SHEET_MATE, false, true},
		{"rules infraction", "0-1", GAME_SHEET_ILLEGAL_BEFORE, false, true},
		{"adjudication", "0-1", GAME_SHEET_DECLARED_WIN, false, true},
		{NULL, "0-1", GAME_SHEET_WIN, false, true},
		{"time forfeit", "0-1", GAME_SHEET_WIN, false, false},
		{NULL, "1/2-1/2", GAME_SHEET_DRAW, false, true},
		{"abandoned", "1/2-1/2", GAME_SHEET_DRAW, false, false},
		{"adjudication", "1/2-1/2", GAME_SHEET_REPETITION, false, true},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char tag[64] = "";
		char text[512];
		struct game_sheet *sheet;

		if (rows[i].termination)
			snprintf(tag, sizeof(tag), "[Termination \"%s\"]\n", rows[i].termination);
		snprintf(text, sizeof(text),
			"[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
			"[White \"?\"]\n[Black \"?\"]\n[Result \"%s\"]\n" VARIANT "%s\n1. Pa3 %s\n",
			rows[i].result, tag, rows[i].result);
		sheet = read(text);
		record_expect_moves(sheet, rows[i].resigned ? "5d5c resign" : "5d5c");
		assert_int_equal(game_sheet_end(sheet), rows[i].end);
		assert_int_equal(strcmp(record_write("pgn", sheet), text) == 0, rows[i].written);
		/* The tag alone says as much. */
		text[strlen(text) - strlen(rows[i].result) - 1] = 0;
		{
			struct game_sheet *again = read(text);

			record_expect_same(again, sheet, true);
			game_sheet_destroy(again);
		}
		game_sheet_destroy(sheet);
	}
}

#define MATE "[FEN \"4k/5/4G/5/K4[G] w\"]\n\n1. G@e4# "

static void test_pgn__a_result_agrees_with_the_rules(void **context)
{
	(void)context;
	rewrites(MATE "1-0", ROSTER("1-0") VARIANT
		"[SetUp \"1\"]\n[FEN \"4k/5/4G/5/K4[G] w - - 0 1\"]\n\n1. G@e4# 1-0\n");
	game_sheet_destroy(read(MATE));
	game_sheet_destroy(read(MATE "*"));
	game_sheet_destroy(read("[Termination \"time forfeit\"]\n" MATE "1-0"));
	refuses(MATE "0-1", STATUS_SHEET_END, 3, 10);
	refuses(MATE "1/2-1/2", STATUS_SHEET_END, 3, 10);
	refuses("[Result \"0-1\"]\n" MATE, STATUS_SHEET_END, 4, 10);
	refuses("[Result \"0-1\"]\n1. Pa3 1-0", STATUS_SHEET_END, 2, 8);
	refuses(MATE "Ke4", STATUS_GAME_OVER, 3, 10);
}

static void test_pgn__repetition_loses_or_draws_by_the_ruleset(void **context)
{
	static const char moves[] =
		"1. Re2 Ra4 2. Re1 Ra5 3. Re2 Ra4 4. Re1 Ra5 5. Re2 Ra4 6. Re1 Ra5 ";
	char text[512];
	struct text_error error;
	struct game_sheet *sheet = NULL;

	(void)context;
	snprintf(text, sizeof(text), "%s0-1", moves);
	game_sheet_destroy(record_read_as("pgn", "uec", text));
	assert_int_equal(game_sheet_read(&mini_shogi, record_format("pgn"), "kawu", text,
				 strlen(text), &error, &sheet),
		STATUS_SHEET_END);
	snprintf(text, sizeof(text), "%s1/2-1/2", moves);
	game_sheet_destroy(record_read_as("pgn", "kawu", text));
}

static void test_pgn__a_resignation_has_its_notes_after_the_result(void **context)
{
	struct game_sheet *sheet = record_begin();

	(void)context;
	record_play(sheet, "5d5c");
	record_comment(sheet, "before");
	record_play(sheet, "resign");
	record_comment(sheet, "after");
	game_sheet_set_time(sheet, 3000);
	record_expect_text(
		"pgn", sheet, BLANK("1-0") "1. Pa3 {before} 1-0 {[%emt 0:00:03]} {after}\n");
	said_round_trip("pgn", &pgn, sheet);
	game_sheet_destroy(sheet);
}

static void test_pgn__one_game_a_text(void **context)
{
	(void)context;
	game_sheet_destroy(read("1. Pa3 * \n\n {x} ; y\n% z"));
	refuses("1. Pa3 *\n\n[Event \"?\"]\n\n*", STATUS_TEXT_TRAILING, 3, 1);
	refuses("1. Pa3\n\n[Event \"?\"]\n\n*", STATUS_TEXT_TRAILING, 3, 1);
	refuses("1. Pa3 * Pe3", STATUS_TEXT_TRAILING, 1, 10);
	refuses("* *", STATUS_TEXT_TRAILING, 1, 3);
}

static void test_pgn__random_games_there_and_back(void **context)
{
	(void)context;
	said_random_games("pgn", &pgn, 58);
}

static void test_pgn__damaged_texts_are_read_or_refused_with_a_place(void **context)
{
	(void)context;
	said_damaged("pgn",
		"[White \"a\\\"b\"]\n[Date \"2026.11.30\"]\n[Time \"19:00:00\"]\n[Result "
		"\"1-0\"]\n" VARIANT "[SetUp \"1\"]\n[FEN \"2k2/+R3S/5/P4/K4[Ppg] w - - 0 "
		"3\"]\n\n{c} 3. Pa3 {[%emt 1:02.5]} "
		"G@d4 $1 (3... G@c3 {x}) 4. P@b2 4... Kc4 ; y\n1-0",
		1);
	said_damaged("pgn", "1. Pa3 Pe3 2. Gb2 Gd4 3. P@c3", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pgn__a_whole_game),
		cmocka_unit_test(test_pgn__the_roster_says_what_is_unknown),
		cmocka_unit_test(test_pgn__variants),
		cmocka_unit_test(test_pgn__dates_and_times),
		cmocka_unit_test(test_pgn__tags),
		cmocka_unit_test(test_pgn__names_that_would_be_read_as_others_are_left_out),
		cmocka_unit_test(test_pgn__moves_are_numbered_from_the_start_on),
		cmocka_unit_test(test_pgn__set_ups),
		cmocka_unit_test(test_pgn__the_start_of_other_rules_is_written_out),
		cmocka_unit_test(test_san__case_55_two_pieces_that_reach_one_square_differ),
		cmocka_unit_test(test_san__case_55_a_pinned_twin_is_told_apart_by_the_rules),
		cmocka_unit_test(test_san__file_rank_or_square_as_need_be),
		cmocka_unit_test(test_san__a_plus_that_is_no_check_is_not_guessed_at),
		cmocka_unit_test(test_san__other_spellings_are_read),
		cmocka_unit_test(test_san__refuses_with_reason_and_place),
		cmocka_unit_test(
			test_san__every_legal_move_has_a_text_of_its_own_and_is_read_as_itself),
		cmocka_unit_test(test_san__every_legal_move_of_whole_games_is_read_as_itself),
		cmocka_unit_test(test_pgn__moves_with_all_that_is_read_over),
		cmocka_unit_test(test_pgn__case_58_comments_keep_place_and_order),
		cmocka_unit_test(test_pgn__comments),
		cmocka_unit_test(test_pgn__commands_in_comments),
		cmocka_unit_test(test_pgn__what_looks_like_a_command_is_still_a_comment),
		cmocka_unit_test(test_pgn__a_tag_stands_once),
		cmocka_unit_test(test_pgn__lines_are_at_most_80_bytes),
		cmocka_unit_test(test_pgn__results_of_games_that_the_rules_have_not_ended),
		cmocka_unit_test(test_pgn__a_result_agrees_with_the_rules),
		cmocka_unit_test(test_pgn__repetition_loses_or_draws_by_the_ruleset),
		cmocka_unit_test(test_pgn__a_resignation_has_its_notes_after_the_result),
		cmocka_unit_test(test_pgn__one_game_a_text),
		cmocka_unit_test(test_pgn__random_games_there_and_back),
		cmocka_unit_test(test_pgn__damaged_texts_are_read_or_refused_with_a_place),
	};

	return cmocka_run_group_tests_name("pgn", tests, NULL, NULL);
}
