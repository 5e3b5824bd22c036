/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "komadai/komadai.h"

/*
 * The library when memory runs out: a session with it is repeated, with its first allocation
 * refused, then its second, and so on to the last. Each time the answer is "no-memory" at worst,
 * and nothing is lost, which the leak checker of the sanitizer build sees. The linker puts the
 * functions below in the place of the C library's (tests/unit/meson.build).
 */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static long allowed = -1; /* allocations until one is refused; -1: all are granted */
static bool refused;

static bool refuse(void)
{
	if (allowed < 0 || allowed-- > 0)
		return false;
	refused = true;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return refuse() ? NULL : __real_malloc(size);
}

static size_t cleared_bytes; /* of the newest calloc(), which is for the solver's table */

void *__wrap_calloc(size_t count, size_t size)
{
	cleared_bytes = count * size;
	return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return refuse() ? NULL : __real_realloc(memory, size);
}

/* False: there was no memory. Any other refusal ends the test. */
static bool went_well(const char *what, int status)
{
	if (status == KOMADAI_OK)
		return true;
	if (strcmp(komadai_status_code(status), "no-memory") != 0)
		fail_msg("%s: %s", what, komadai_status_code(status));
	return false;
}

static struct komadai_game *read_record(const char *format, const char *bytes, size_t length)
{
	struct komadai_game *game = NULL;
	struct komadai_error error = {KOMADAI_OK, 0, 0};
	int status = komadai_game_read("mini-shogi", NULL, format, bytes, length, &error, &game);

	assert_int_equal(error.status, status);
	if (!went_well(format, status)) {
		assert_null(game);
		assert_int_equal(error.line, 1);
		assert_int_equal(error.column, 1);
	}
	return game;
}

/* Writes the game and reads it again. False: no memory. */
static bool go_round(
	const struct komadai_game *game, const char *format, enum komadai_encoding encoding)
{
	struct komadai_game *again;
	char *bytes = NULL;
	size_t length;

	if (!went_well(format, komadai_game_write(game, format, encoding, NULL, &bytes, &length))) {
		assert_null(bytes);
		return false;
	}
	again = read_record(format, bytes, length);
	komadai_text_free(bytes);
	komadai_game_destroy(again);
	return again != NULL;
}

static bool go_round_all(const struct komadai_game *game)
{
	for (size_t i = 0; komadai_format_name("mini-shogi", i); i++) {
		const char *format = komadai_format_name("mini-shogi", i);

		if (!go_round(game, format, KOMADAI_UTF_8) ||
			!go_round(game, format, KOMADAI_SHIFT_JIS))
			return false;
	}
	return true;
}

static bool change(struct komadai_game *game)
{
	size_t plies = komadai_game_plies(game);
	size_t headers = komadai_game_header_count(game);

	if (!went_well("header", komadai_game_set_header(game, "new", "v"))) {
		assert_int_equal(komadai_game_header_count(game), headers);
		return false;
	}
	if (!went_well("again", komadai_game_set_header(game, "new", "another"))) {
		assert_string_equal(komadai_game_header_value(game, "new"), "v");
		return false;
	}
	if (!went_well("comment", komadai_game_add_comment(game, "more than sixteen bytes")))
		return false;
	if (!went_well("play", komadai_game_play(game, "5c5b", NULL))) {
		assert_int_equal(komadai_game_plies(game), plies);
		return false;
	}
	return true;
}

/* False: no memory. */
static bool run_session(void)
{
	static const char record[] =
		"{\"game\":\"mini-shogi\",\"rules\":\"uec\",\"headers\":{\"First\":\"\x8b\xee\"},"
		"\"comment\":\"a\",\"plies\":[{\"move\":\"5d5c\",\"action\":"
		"{\"type\":\"move\",\"from\":15,\"to\":10,\"promote\":false},"
		"\"time\":1000,\"comment\":\"x\"},{\"move\":\"1b1c\"}],\"end\":\"interrupted\"}";
	struct komadai_game *game = NULL;
	bool well;

	if (!went_well("create", komadai_game_create("mini-shogi", NULL, &game)))
		return false;
	komadai_game_destroy(game);
	if (!went_well("setup",
		    komadai_game_setup("mini-shogi", NULL, "4k/5/5/5/K4 b - 1", NULL, &game)))
		return false;
	komadai_game_destroy(game);
	game = read_record("json", record, strlen(record));
	well = game && go_round_all(game) && change(game);
	komadai_game_destroy(game);
	return well;
}

static void test_api__answers_no_memory_and_loses_nothing(void **context)
{
	long count = 0;

	(void)context;
	assert_true(run_session());
	do {
		bool well;

		refused = false;
		allowed = count++;
		well = run_session();
		allowed = -1;
		/* The place of an error may do without the memory that it wants. */
		if (!refused)
			assert_true(well);
	} while (refused);
	assert_true(count > 100);
}

/* With two threads, which need more of it. False: no memory. */
static bool run_analysis(const struct komadai_game *game)
{
	static const struct komadai_boxes_limits limits = {.threads = 2};
	struct komadai_boxes_analysis *analysis = NULL;

	if (!went_well("analyse", komadai_boxes_analyse(game, &limits, &analysis))) {
		assert_null(analysis);
		return false;
	}
	assert_int_equal(komadai_boxes_analysis_summary(analysis)->value.low, 2);
	komadai_boxes_analysis_destroy(analysis);
	return true;
}

static void test_api__an_analysis_is_whole_or_not_made(void **context)
{
	struct komadai_game *game;
	long count = 0;

	(void)context;
	assert_int_equal(komadai_game_setup("petits-carres", NULL, "2x2", NULL, &game), KOMADAI_OK);
	do {
		bool well;

		refused = false;
		allowed = count++;
		well = run_analysis(game);
		allowed = -1;
		assert_int_equal(well, !refused);
	} while (refused);
	/* Its own two, and the six of a solver with two threads. */
	assert_true(count > 8);
	komadai_game_destroy(game);
}

static size_t table_bytes(const char *position, size_t memory)
{
	struct komadai_boxes_limits limits = {.nodes = 1, .memory = memory};
	struct komadai_boxes_analysis *analysis;
	struct komadai_game *game;

	assert_int_equal(
		komadai_game_setup("petits-carres", NULL, position, NULL, &game), KOMADAI_OK);
	assert_int_equal(komadai_boxes_analyse(game, &limits, &analysis), KOMADAI_OK);
	komadai_boxes_analysis_destroy(analysis);
	komadai_game_destroy(game);
	return cleared_bytes;
}

static void test_api__an_analysis_takes_the_memory_it_is_told(void **context)
{
	static const size_t mib = 1 << 20;
	/* So that it begins with a line of the cache, or a large page. */
	static const size_t line = 64;
	static const size_t page = 2 << 20;

	(void)context;
	assert_int_equal(table_bytes("2x2", 1 << 16), (1 << 16) + line);
	assert_int_equal(table_bytes("2x2", 0), 4 * mib + page);
	assert_int_equal(table_bytes("3x4", 0), 64 * mib + page);
	assert_int_equal(table_bytes("4x4", 3 * mib), 2 * mib + page);
	/* Of what is not searched there is nothing to remember. */
	assert_int_equal(table_bytes("6x7", 0), 4096 + line);
}

/* The game as JSON, which the caller frees. */
static char *as_json(const struct komadai_game *game)
{
	char *bytes = NULL;

	assert_int_equal(
		komadai_game_write(game, "json", KOMADAI_UTF_8, NULL, &bytes, NULL), KOMADAI_OK);
	return bytes;
}

/*
 * A game whose record has strings, and escapes in them, of `length` to `length + 7` bytes, numbers
 * after them, and the numbers, words and the state that the reader compares.
 */
static char *record_with_lengths(size_t length)
{
	struct komadai_game *game = NULL;
	char name[128];
	char value[256];
	char *json;

	assert_int_equal(komadai_game_create("mini-shogi", NULL, &game), KOMADAI_OK);
	for (size_t i = 0; i < 8; i++) {
		memset(name, 'a' + (int)i, length + i);
		name[length + i] = 0;
		memset(value, '\t', 2 * sizeof(name));
		value[length + i] = 0;
		assert_int_equal(komadai_game_set_header(game, name, value), KOMADAI_OK);
	}
	for (int i = 0; i < 3; i++) {
		static const char *const moves[] = {"1e1d", "5a5b", "1d1e", "5b5a"};

		for (int ply = 0; ply < 4; ply++) {
			assert_int_equal(komadai_game_play(game, moves[ply], NULL), KOMADAI_OK);
			komadai_game_set_time(game, INT64_C(1234567890123456));
			assert_int_equal(komadai_game_add_comment(game, name), KOMADAI_OK);
		}
	}
	json = as_json(game);
	assert_non_null(strstr(json, "\"repetition\""));
	komadai_game_destroy(game);
	return json;
}

/* Its reading with each allocation refused in turn: the game as it is, or none. */
static void expect_whole_or_none(const char *json)
{
	long count = 0;

	do {
		struct komadai_game *game;

		refused = false;
		allowed = count++;
		game = read_record("json", json, strlen(json));
		allowed = -1;
		assert_true(game || refused);
		if (game) {
			char *again = as_json(game);

			assert_string_equal(again, json);
			komadai_text_free(again);
		}
		komadai_game_destroy(game);
	} while (refused);
	assert_true(count > 100);
}

/* Wherever in a word or a number its parser's memory runs out. */
static void test_api__reads_json_whole_or_not_at_all(void **context)
{
	(void)context;
	json_set_alloc_funcs(__wrap_malloc, free);
	for (size_t length = 6; length < 62; length += 8) {
		char *json = record_with_lengths(length);

		expect_whole_or_none(json);
		komadai_text_free(json);
	}
	json_set_alloc_funcs(malloc, free);
}

static void *refuse_all(size_t size)
{
	(void)size;
	errno = ENOMEM;
	return NULL;
}

/* jansson itself would call it bad syntax. */
static void test_api__answers_no_memory_when_its_parser_has_none(void **context)
{
	static const char record[] = "{\"game\":\"mini-shogi\",\"plies\":[]}";
	struct komadai_game *game = NULL;
	struct komadai_error error;
	int status;

	(void)context;
	json_set_alloc_funcs(refuse_all, free);
	status = komadai_game_read(
		"mini-shogi", NULL, "json", record, strlen(record), &error, &game);
	json_set_alloc_funcs(malloc, free);
	assert_string_equal(komadai_status_code(status), "no-memory");
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 1);
	assert_null(game);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_api__answers_no_memory_and_loses_nothing),
		cmocka_unit_test(test_api__an_analysis_is_whole_or_not_made),
		cmocka_unit_test(test_api__an_analysis_takes_the_memory_it_is_told),
		cmocka_unit_test(test_api__reads_json_whole_or_not_at_all),
		cmocka_unit_test(test_api__answers_no_memory_when_its_parser_has_none),
	};

	return cmocka_run_group_tests_name("no_memory", tests, NULL, NULL);
}
