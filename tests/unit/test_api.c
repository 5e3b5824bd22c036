/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "komadai/komadai.h"

static struct komadai_game *start(const char *ruleset)
{
	struct komadai_game *game;

	assert_int_equal(komadai_game_create("mini-shogi", ruleset, &game), KOMADAI_OK);
	return game;
}

static struct komadai_game *set_up(const char *position)
{
	struct komadai_game *game;

	assert_int_equal(komadai_game_setup("mini-shogi", NULL, position, NULL, &game), KOMADAI_OK);
	return game;
}

static void play(struct komadai_game *game, const char *move)
{
	int status = komadai_game_play(game, move, NULL);

	if (status != KOMADAI_OK)
		fail_msg("%s: %s", move, komadai_status_text(status));
}

static void expect_position(const struct komadai_game *game, const char *expected)
{
	char text[KOMADAI_POSITION_TEXT];

	komadai_game_position(game, text);
	assert_string_equal(text, expected);
}

static void test_api__knows_its_release_and_its_games(void **context)
{
	(void)context;
	assert_string_equal(komadai_version(), KOMADAI_VERSION);
	assert_string_equal(komadai_game_name(0), "mini-shogi");
	assert_string_equal(komadai_game_name(1), "petits-carres");
	assert_null(komadai_game_name(2));
	assert_null(komadai_game_name(SIZE_MAX));
}

static void test_api__begins_at_the_start(void **context)
{
	struct komadai_game *game = start(NULL);
	struct komadai_verdict verdict;

	(void)context;
	expect_position(game, "rbsgk/4p/5/P4/KGSBR b - 1");
	komadai_game_verdict(game, &verdict);
	assert_int_equal(verdict.player, 0);
	assert_false(verdict.over);
	assert_int_equal(verdict.winner, -1);
	assert_null(verdict.reason);
	assert_int_equal(komadai_game_plies(game), 0);
	komadai_game_destroy(game);

	game = start("kawu");
	expect_position(game, "rbsgk/p4/5/4P/KGSBR b - 1");
	komadai_game_destroy(game);
	komadai_game_destroy(NULL);
}

static void expect_code(int status, const char *code)
{
	assert_string_equal(komadai_status_code(status), code);
}

static void test_api__refuses_unknown_names(void **context)
{
	struct komadai_game *none = NULL;
	struct komadai_game *game = none;
	uint32_t column = 0;

	(void)context;
	expect_code(komadai_game_create("go", NULL, &game), "game-unknown");
	expect_code(komadai_game_create("mini-shogi", "go", &game), "ruleset-unknown");
	expect_code(
		komadai_game_setup("", NULL, "4k/5/5/5/K4 b - 1", &column, &game), "game-unknown");
	assert_int_equal(column, 1);
	assert_ptr_equal(game, none);
}

static void test_api__names_the_column_of_bad_positions(void **context)
{
	struct komadai_game *game;
	uint32_t column = 0;

	(void)context;
	expect_code(komadai_game_setup("mini-shogi", NULL, "4k/5/5/5/K3X b - 1", &column, &game),
		"sfen-piece");
	assert_int_equal(column, 12);
	expect_code(komadai_game_setup("mini-shogi", NULL, "", NULL, &game), "text-empty");
}

static void test_api__plays_and_takes_back(void **context)
{
	struct komadai_game *game = start(NULL);
	char move[KOMADAI_MOVE_TEXT];

	(void)context;
	assert_false(komadai_game_undo(game));
	play(game, "5d5c");
	play(game, "1b1c");
	assert_int_equal(komadai_game_plies(game), 2);
	komadai_game_move(game, 1, move);
	assert_string_equal(move, "1b1c");
	expect_position(game, "rbsgk/5/P3p/5/KGSBR b - 3");
	assert_true(komadai_game_undo(game));
	expect_position(game, "rbsgk/4p/P4/5/KGSBR w - 2");
	komadai_game_destroy(game);
}

static void test_api__refuses_bad_moves_and_stays_where_it_was(void **context)
{
	struct komadai_game *game = start(NULL);
	uint32_t column = 0;

	(void)context;
	expect_code(komadai_game_play(game, "5d5z", &column), "usi-square");
	assert_int_equal(column, 4);
	expect_code(komadai_game_play(game, "5d5b", &column), "move-pattern");
	assert_int_equal(column, 1);
	expect_code(komadai_game_play(game, "", NULL), "text-empty");
	expect_position(game, "rbsgk/4p/5/P4/KGSBR b - 1");
	komadai_game_destroy(game);
}

static void count_drops(void *context, const char *move)
{
	*(int *)context += move[1] == '*';
}

static void test_api__lists_legal_moves(void **context)
{
	struct komadai_game *game = set_up("4k/5/5/5/K4 b R 1");
	int drops = 0;

	(void)context;
	/* The king has 3 moves, the rook 23 empty squares. */
	assert_int_equal(komadai_game_legal(game, count_drops, &drops), 26);
	assert_int_equal(drops, 23);
	assert_int_equal(komadai_game_legal(game, NULL, NULL), 26);
	komadai_game_destroy(game);
}

static void test_api__judges_mate(void **context)
{
	struct komadai_game *game = set_up("4k/1s2B/3pR/1K3/1GSB1 b GPr 21");
	struct komadai_verdict verdict;

	(void)context;
	play(game, "G*2a");
	komadai_game_verdict(game, &verdict);
	assert_true(verdict.over);
	assert_int_equal(verdict.winner, 0);
	assert_int_equal(verdict.player, 1);
	assert_string_equal(verdict.reason, "checkmate");
	assert_int_equal(komadai_game_legal(game, NULL, NULL), 0);
	expect_code(komadai_game_play(game, "1a2a", NULL), "game-over");
	assert_true(komadai_game_undo(game));
	komadai_game_verdict(game, &verdict);
	assert_false(verdict.over);
	komadai_game_destroy(game);
}

/* The other game, through all that differs: scores, an end without a reason, and its own notation.
 */
static void test_api__plays_petits_carres(void **context)
{
	struct komadai_verdict verdict;
	struct komadai_game *game;
	int scores[2] = {7, 7};
	uint32_t column = 0;

	(void)context;
	assert_int_equal(komadai_game_create("petits-carres", "standard", &game), KOMADAI_OK);
	expect_position(game, "6x7");
	assert_int_equal(komadai_game_legal(game, NULL, NULL), 97);
	assert_false(komadai_game_check(game));
	komadai_game_destroy(game);

	expect_code(komadai_game_setup("petits-carres", NULL, "1x9", &column, &game), "grid-size");
	assert_int_equal(column, 3);
	assert_int_equal(komadai_game_setup("petits-carres", NULL, "1x1", NULL, &game), KOMADAI_OK);
	play(game, "A1T");
	play(game, "1");
	play(game, "a1l");
	expect_code(komadai_game_play(game, "0", NULL), "line-taken");
	expect_code(komadai_game_play(game, "resign", &column), "line-syntax");
	assert_int_equal(column, 2);
	komadai_game_verdict(game, &verdict);
	assert_false(verdict.over);
	play(game, "3");
	komadai_game_verdict(game, &verdict);
	assert_true(verdict.over);
	assert_int_equal(verdict.winner, 1);
	assert_null(verdict.reason);
	assert_true(komadai_game_scores(game, scores));
	assert_int_equal(scores[0], 0);
	assert_int_equal(scores[1], 1);
	assert_true(komadai_game_undo(game));
	assert_true(komadai_game_scores(game, scores));
	assert_int_equal(scores[1], 0);
	expect_position(game, "1x1 aba0 1 0");
	komadai_game_destroy(game);
}

static void test_api__has_no_scores_where_the_game_has_none(void **context)
{
	struct komadai_game *game = start(NULL);
	int scores[2] = {7, 7};

	(void)context;
	assert_false(komadai_game_scores(game, scores));
	assert_int_equal(scores[0], 7);
	assert_int_equal(scores[1], 7);
	komadai_game_destroy(game);
}

static void test_api__judges_repetition_by_the_ruleset(void **context)
{
	static const char *const round[] = {"1e1d", "5a5b", "1d1e", "5b5a"};
	static const char *const rulesets[] = {"uec", "kawu"};

	(void)context;
	for (int i = 0; i < 2; i++) {
		struct komadai_game *game;
		struct komadai_verdict verdict;

		assert_int_equal(komadai_game_setup("mini-shogi", rulesets[i],
					 "rbsgk/4p/5/P4/KGSBR b - 1", NULL, &game),
			KOMADAI_OK);
		for (int ply = 0; ply < 12; ply++)
			play(game, round[ply % 4]);
		komadai_game_verdict(game, &verdict);
		assert_true(verdict.over);
		assert_string_equal(verdict.reason, "repetition");
		assert_int_equal(verdict.winner, i == 0 ? 1 : -1);
		komadai_game_destroy(game);
	}
}

static void test_api__takes_resignations(void **context)
{
	struct komadai_game *game = start(NULL);
	struct komadai_verdict verdict;

	(void)context;
	play(game, "resign");
	komadai_game_verdict(game, &verdict);
	assert_int_equal(verdict.winner, 1);
	assert_string_equal(verdict.reason, "resignation");
	assert_true(komadai_game_undo(game));
	play(game, "5d5c");
	komadai_game_destroy(game);
}

static void expect_text(const char *text, const char *expected)
{
	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
}

static void test_api__lists_rulesets_and_formats(void **context)
{
	bool usi = false;
	bool json = false;

	(void)context;
	assert_string_equal(komadai_ruleset_name("mini-shogi", 0), "uec");
	assert_string_equal(komadai_ruleset_name("mini-shogi", 1), "kawu");
	assert_null(komadai_ruleset_name("mini-shogi", 2));
	assert_null(komadai_ruleset_name("mini-shogi", SIZE_MAX));
	assert_null(komadai_ruleset_name("go", 0));
	for (size_t i = 0; komadai_format_name("mini-shogi", i); i++) {
		usi |= strcmp(komadai_format_name("mini-shogi", i), "usi") == 0;
		json |= strcmp(komadai_format_name("mini-shogi", i), "json") == 0;
	}
	assert_true(usi && json);
	assert_null(komadai_format_name("mini-shogi", SIZE_MAX));
	assert_null(komadai_format_name("go", 0));
}

static void test_api__knows_what_a_game_is_of(void **context)
{
	struct komadai_game *game = start("kawu");

	(void)context;
	assert_string_equal(komadai_game_kind(game), "mini-shogi");
	assert_string_equal(komadai_game_ruleset(game), "kawu");
	komadai_game_destroy(game);
	game = start(NULL);
	assert_string_equal(komadai_game_ruleset(game), "uec");
	komadai_game_destroy(game);
}

static void test_api__knows_check(void **context)
{
	struct komadai_game *game = set_up("4k/5/5/5/K4 b R 1");

	(void)context;
	assert_false(komadai_game_check(game));
	play(game, "R*1d");
	assert_true(komadai_game_check(game));
	play(game, "1a2a");
	assert_false(komadai_game_check(game));
	komadai_game_undo(game);
	assert_true(komadai_game_check(game));
	komadai_game_destroy(game);
	game = set_up("4k/5/5/5/K3R w - 1");
	assert_true(komadai_game_check(game));
	komadai_game_destroy(game);
}

static void expect_key(const struct komadai_game *game, const char *expected)
{
	char text[KOMADAI_POSITION_TEXT];

	komadai_game_key(game, text);
	assert_string_equal(text, expected);
}

static void test_api__a_key_ignores_the_number_of_the_move_only(void **context)
{
	struct komadai_game *game = start(NULL);

	(void)context;
	expect_key(game, "rbsgk/4p/5/P4/KGSBR b -");
	play(game, "1e1d");
	expect_key(game, "rbsgk/4p/5/P3R/KGSB1 w -");
	play(game, "5a5b");
	play(game, "1d1e");
	play(game, "5b5a");
	expect_key(game, "rbsgk/4p/5/P4/KGSBR b -");
	komadai_game_destroy(game);
	game = set_up("4k/5/5/5/K4 b RG 17");
	expect_key(game, "4k/5/5/5/K4 b RG");
	komadai_game_destroy(game);
}

static void test_api__counts_leaves(void **context)
{
	struct komadai_game *game = start(NULL);

	(void)context;
	assert_int_equal(komadai_game_perft(game, 0, true), 1);
	assert_int_equal(komadai_game_perft(game, 1, true), 14);
	assert_int_equal(komadai_game_perft(game, 4, true), 35401);
	assert_int_equal(komadai_game_perft(game, 4, false), 35401);
	komadai_game_destroy(game);
}

static void test_api__keeps_headers(void **context)
{
	struct komadai_game *game = start(NULL);
	const char *name;
	const char *value;

	(void)context;
	assert_int_equal(komadai_game_header_count(game), 0);
	assert_int_equal(komadai_game_set_header(game, "Second", "Ito"), KOMADAI_OK);
	assert_int_equal(komadai_game_set_header(game, "First", "駒"), KOMADAI_OK);
	assert_int_equal(komadai_game_set_header(game, "Second", ""), KOMADAI_OK);
	assert_int_equal(komadai_game_header_count(game), 2);
	komadai_game_header(game, 0, &name, &value);
	assert_string_equal(name, "Second");
	assert_string_equal(value, "");
	assert_string_equal(komadai_game_header_value(game, "First"), "駒");
	assert_null(komadai_game_header_value(game, "Event"));

	expect_code(komadai_game_set_header(game, "", "x"), "sheet-member-value");
	expect_code(komadai_game_set_header(game, "a\nb", "x"), "sheet-member-value");
	expect_code(komadai_game_set_header(game, "a", "x\ry"), "sheet-member-value");
	expect_code(komadai_game_set_header(game, "a\xff", "x"), "text-encoding");
	expect_code(komadai_game_set_header(game, "a", "\x80"), "text-encoding");
	assert_int_equal(komadai_game_header_count(game), 2);
	komadai_game_destroy(game);
}

static void test_api__copies_what_it_is_given_of_its_own(void **context)
{
	struct komadai_game *game = start(NULL);
	size_t length;

	(void)context;
	assert_int_equal(komadai_game_add_comment(game, "more than sixteen bytes"), KOMADAI_OK);
	for (int i = 0; i < 8; i++) {
		length = strlen(komadai_game_comment(game, 0));
		assert_int_equal(
			komadai_game_add_comment(game, komadai_game_comment(game, 0)), KOMADAI_OK);
		assert_int_equal(strlen(komadai_game_comment(game, 0)), 2 * length + 1);
	}
	assert_int_equal(komadai_game_set_header(game, "a", "value"), KOMADAI_OK);
	assert_int_equal(
		komadai_game_set_header(game, "a", komadai_game_header_value(game, "a") + 2),
		KOMADAI_OK);
	expect_text(komadai_game_header_value(game, "a"), "lue");
	komadai_game_destroy(game);
}

static void test_api__keeps_comments_and_times(void **context)
{
	struct komadai_game *game = start(NULL);

	(void)context;
	assert_int_equal(komadai_game_add_comment(game, "one\ntwo"), KOMADAI_OK);
	play(game, "5d5c");
	assert_int_equal(komadai_game_time(game, 0), -1);
	komadai_game_set_time(game, 2500);
	assert_int_equal(komadai_game_add_comment(game, "three"), KOMADAI_OK);
	expect_code(komadai_game_add_comment(game, "four\r\n"), "sheet-member-value");
	expect_code(komadai_game_add_comment(game, "\xc3"), "text-encoding");
	expect_text(komadai_game_comment(game, 0), "one\ntwo");
	expect_text(komadai_game_comment(game, 1), "three");
	assert_int_equal(komadai_game_time(game, 0), 2500);
	assert_true(komadai_game_undo(game));
	play(game, "5d5c");
	expect_text(komadai_game_comment(game, 1), NULL);
	assert_int_equal(komadai_game_time(game, 0), -1);
	komadai_game_destroy(game);
}

static void test_api__a_record_ends_in_a_word_until_it_goes_on(void **context)
{
	struct komadai_game *game = start(NULL);

	(void)context;
	expect_text(komadai_game_end(game), NULL);
	assert_int_equal(komadai_game_set_end(game, "time-up"), KOMADAI_OK);
	expect_text(komadai_game_end(game), "time-up");
	expect_code(komadai_game_set_end(game, "open"), "sheet-end-word");
	expect_code(komadai_game_play(game, "5d5b", NULL), "move-pattern");
	expect_text(komadai_game_end(game), "time-up");
	play(game, "5d5c");
	expect_text(komadai_game_end(game), NULL);
	assert_int_equal(komadai_game_set_end(game, "draw"), KOMADAI_OK);
	assert_int_equal(komadai_game_set_end(game, NULL), KOMADAI_OK);
	expect_text(komadai_game_end(game), NULL);

	play(game, "resign");
	expect_code(komadai_game_set_end(game, "draw"), "sheet-end");
	assert_int_equal(komadai_game_set_end(game, NULL), KOMADAI_OK);
	komadai_game_destroy(game);
}

static struct komadai_game *read_record(const char *format, const char *bytes)
{
	struct komadai_game *game = NULL;
	struct komadai_error error;

	if (komadai_game_read("mini-shogi", NULL, format, bytes, strlen(bytes), &error, &game) !=
		KOMADAI_OK)
		fail_msg("%u:%u: %s", error.line, error.column, komadai_status_text(error.status));
	return game;
}

static void test_api__reads_records(void **context)
{
	struct komadai_game *game = read_record("json",
		"{\"game\":\"mini-shogi\",\"rules\":\"kawu\",\"headers\":{\"First\":\"\x8b\xee\"},"
		"\"plies\":[{\"move\":\"1d1c\",\"time\":1000}],\"end\":\"interrupted\"}");

	(void)context;
	assert_string_equal(komadai_game_ruleset(game), "kawu");
	assert_string_equal(komadai_game_header_value(game, "First"), "駒");
	assert_int_equal(komadai_game_plies(game), 1);
	assert_int_equal(komadai_game_time(game, 0), 1000);
	expect_text(komadai_game_end(game), "interrupted");
	expect_position(game, "rbsgk/p4/4P/5/KGSBR w - 2");
	komadai_game_destroy(game);
}

static void test_api__names_the_place_of_a_fault_in_a_record(void **context)
{
	static const struct {
		const char *game;
		const char *ruleset;
		const char *format;
		const char *bytes;
		const char *code;
		uint32_t line;
		uint32_t column;
	} rows[] = {
		{"go", NULL, "usi", "", "game-unknown", 1, 1},
		{"mini-shogi", "go", "usi", "", "ruleset-unknown", 1, 1},
		{"mini-shogi", NULL, "xls", "", "format-unknown", 1, 1},
		{"mini-shogi", NULL, "usi", "", "text-empty", 1, 1},
		{"mini-shogi", NULL, "usi", "\nstartpos moves 5d5c 5d5c", "move-empty-square", 2,
			21},
		{"mini-shogi", NULL, "json", "{\n\"plies\":[],\n\"game\":\"x\"}",
			"sheet-other-game", 3, 8},
		{"mini-shogi", NULL, "json", "{\"a\":\n\"\xff", "text-encoding", 2, 2},
	};

	(void)context;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct komadai_game *game = NULL;
		struct komadai_error error = {KOMADAI_OK, 0, 0};
		int status = komadai_game_read(rows[i].game, rows[i].ruleset, rows[i].format,
			rows[i].bytes, strlen(rows[i].bytes), &error, &game);

		expect_code(status, rows[i].code);
		assert_int_equal(error.status, status);
		assert_int_equal(error.line, rows[i].line);
		assert_int_equal(error.column, rows[i].column);
		assert_null(game);
		assert_int_equal(komadai_game_read(rows[i].game, rows[i].ruleset, rows[i].format,
					 rows[i].bytes, strlen(rows[i].bytes), NULL, &game),
			status);
	}
}

static void test_api__writes_records(void **context)
{
	struct komadai_game *game = start(NULL);
	struct komadai_error error = {KOMADAI_OK, 0, 0};
	char *bytes = NULL;
	size_t length = 0;

	(void)context;
	play(game, "5d5c");
	assert_int_equal(
		komadai_game_write(game, "usi", KOMADAI_UTF_8, NULL, &bytes, &length), KOMADAI_OK);
	assert_string_equal(bytes, "position startpos moves 5d5c\n");
	assert_int_equal(length, strlen(bytes));
	komadai_text_free(bytes);

	assert_int_equal(komadai_game_set_header(game, "First", "駒"), KOMADAI_OK);
	assert_int_equal(komadai_game_write(game, "json", KOMADAI_SHIFT_JIS, &error, &bytes, NULL),
		KOMADAI_OK);
	assert_non_null(strstr(bytes, "{\"First\":\"\x8b\xee\"}"));
	komadai_text_free(bytes);

	assert_int_equal(komadai_game_set_header(game, "First", "é"), KOMADAI_OK);
	bytes = NULL;
	expect_code(komadai_game_write(game, "json", KOMADAI_SHIFT_JIS, &error, &bytes, &length),
		"text-no-code");
	assert_null(bytes);
	assert_int_equal(error.line, 5);
	assert_int_equal(error.column, 23);
	expect_code(komadai_game_write(game, "xls", KOMADAI_UTF_8, &error, &bytes, &length),
		"format-unknown");
	assert_int_equal(error.line, 1);
	expect_code(komadai_game_write(game, "xls", KOMADAI_UTF_8, NULL, &bytes, &length),
		"format-unknown");
	komadai_text_free(NULL);
	komadai_game_destroy(game);
}

static void test_status__has_words_for_any_number(void **context)
{
	(void)context;
	expect_code(KOMADAI_OK, "ok");
	expect_code(-1, "unknown");
	expect_code(1 << 20, "unknown");
	assert_true(strlen(komadai_status_text(-1)) > 0);
	assert_true(strlen(komadai_status_text(1)) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_api__knows_its_release_and_its_games),
		cmocka_unit_test(test_api__begins_at_the_start),
		cmocka_unit_test(test_api__refuses_unknown_names),
		cmocka_unit_test(test_api__names_the_column_of_bad_positions),
		cmocka_unit_test(test_api__plays_and_takes_back),
		cmocka_unit_test(test_api__refuses_bad_moves_and_stays_where_it_was),
		cmocka_unit_test(test_api__lists_legal_moves),
		cmocka_unit_test(test_api__judges_mate),
		cmocka_unit_test(test_api__plays_petits_carres),
		cmocka_unit_test(test_api__has_no_scores_where_the_game_has_none),
		cmocka_unit_test(test_api__judges_repetition_by_the_ruleset),
		cmocka_unit_test(test_api__takes_resignations),
		cmocka_unit_test(test_api__lists_rulesets_and_formats),
		cmocka_unit_test(test_api__knows_what_a_game_is_of),
		cmocka_unit_test(test_api__knows_check),
		cmocka_unit_test(test_api__a_key_ignores_the_number_of_the_move_only),
		cmocka_unit_test(test_api__counts_leaves),
		cmocka_unit_test(test_api__keeps_headers),
		cmocka_unit_test(test_api__copies_what_it_is_given_of_its_own),
		cmocka_unit_test(test_api__keeps_comments_and_times),
		cmocka_unit_test(test_api__a_record_ends_in_a_word_until_it_goes_on),
		cmocka_unit_test(test_api__reads_records),
		cmocka_unit_test(test_api__names_the_place_of_a_fault_in_a_record),
		cmocka_unit_test(test_api__writes_records),
		cmocka_unit_test(test_status__has_words_for_any_number),
	};

	return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
