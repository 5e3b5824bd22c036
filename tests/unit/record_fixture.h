/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What tests of formats share: reading a text that must be right or wrong, and random sheets of
 * Mini Shogi with all that a sheet can hold. Included by test programs, after cmocka.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "game/sheet.h"
#include "shogi/shogi.h"

static const char record_start[] = "rbsgk/4p/5/P4/KGSBR b - 1";

static inline const struct game_format *record_format(const char *name)
{
	const struct game_format *format = game_format_find(&mini_shogi, name);

	assert_non_null(format);
	return format;
}

/* The sheet that the text says, which must be one; the caller destroys it. */
static inline struct game_sheet *record_read_as(
	const char *format, const char *ruleset, const char *text)
{
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};

	if (game_sheet_read(&mini_shogi, record_format(format), ruleset, text, strlen(text), &error,
		    &sheet) != STATUS_OK)
		fail_msg("%s, line %u, column %u: %s\n%s", format, error.line, error.column,
			status_text(error.status), text);
	assert_non_null(sheet);
	return sheet;
}

static inline struct game_sheet *record_read(const char *format, const char *text)
{
	return record_read_as(format, NULL, text);
}

static inline void record_refuses(
	const char *format, const char *text, enum status status, uint32_t line, uint32_t column)
{
	struct game_sheet *sheet = NULL;
	struct text_error error = {STATUS_OK, 0, 0};
	enum status found = game_sheet_read(
		&mini_shogi, record_format(format), NULL, text, strlen(text), &error, &sheet);

	if (found != status || error.status != status || error.line != line ||
		error.column != column)
		fail_msg("%s at %u:%u, not %s at %u:%u:\n%s", status_code(found), error.line,
			error.column, status_code(status), line, column, text);
	assert_null(sheet);
}

/* The sheet as a text, which lives until the next call. */
static inline const char *record_write(const char *format, const struct game_sheet *sheet)
{
	static char buffer[1 << 18];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	record_format(format)->write(sheet, &text);
	assert_false(text.overflow);
	return buffer;
}

static inline void record_expect_text(
	const char *format, const struct game_sheet *sheet, const char *expected)
{
	assert_string_equal(record_write(format, sheet), expected);
}

static inline void record_state_text(const struct game_state *state, char sfen[GAME_SETUP_TEXT])
{
	struct text text;

	text_init(&text, sfen, GAME_SETUP_TEXT);
	mini_shogi.state_write(state, &text);
	assert_false(text.overflow);
}

static inline void record_expect_sfen(const struct game_sheet *sheet, const char *expected)
{
	char sfen[GAME_SETUP_TEXT];

	record_state_text(game_line_state(game_sheet_line(sheet)), sfen);
	assert_string_equal(sfen, expected);
}

static inline void record_expect_start(const struct game_sheet *sheet, const char *expected)
{
	char sfen[GAME_SETUP_TEXT];

	record_state_text(game_line_start(game_sheet_line(sheet)), sfen);
	assert_string_equal(sfen, expected);
}

/* All actions in USI, a blank between. */
static inline void record_expect_moves(const struct game_sheet *sheet, const char *expected)
{
	const struct game_line *line = game_sheet_line(sheet);
	char buffer[4096];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	for (size_t ply = 0; ply < game_line_plies(line); ply++) {
		if (ply)
			text_add_char(&text, ' ');
		mini_shogi.action_write(game_line_action(line, ply), &text);
	}
	assert_false(text.overflow);
	assert_string_equal(buffer, expected);
}

/* The text begins with this position, or says just these moves, in USI. */
static inline void record_begins_at(const char *format, const char *text, const char *sfen)
{
	struct game_sheet *sheet = record_read(format, text);

	record_expect_start(sheet, sfen);
	game_sheet_destroy(sheet);
}

static inline void record_says_moves(const char *format, const char *text, const char *usi)
{
	struct game_sheet *sheet = record_read(format, text);

	record_expect_moves(sheet, usi);
	game_sheet_destroy(sheet);
}

static inline void record_expect_comment(
	const struct game_sheet *sheet, size_t ply, const char *expected)
{
	const char *comment = game_sheet_comment(sheet, ply);

	if (!expected) {
		assert_null(comment);
		return;
	}
	assert_non_null(comment);
	assert_string_equal(comment, expected);
}

static inline void record_expect_header(
	const struct game_sheet *sheet, const char *name, const char *expected)
{
	assert_non_null(game_sheet_header_value(sheet, name));
	assert_string_equal(game_sheet_header_value(sheet, name), expected);
}

/* The sheet with its start, its headers in order, and all that stands beside its plies. */
static inline void record_expect_same(
	const struct game_sheet *sheet, const struct game_sheet *expected, bool times)
{
	const struct game_line *line = game_sheet_line(expected);
	char sfen[GAME_SETUP_TEXT];

	record_state_text(game_line_start(line), sfen);
	record_expect_start(sheet, sfen);
	record_state_text(game_line_state(line), sfen);
	record_expect_sfen(sheet, sfen);
	assert_int_equal(
		game_line_is_from_start(game_sheet_line(sheet)), game_line_is_from_start(line));

	assert_int_equal(game_sheet_header_count(sheet), game_sheet_header_count(expected));
	for (size_t i = 0; i < game_sheet_header_count(expected); i++) {
		assert_string_equal(
			game_sheet_header(sheet, i).name, game_sheet_header(expected, i).name);
		assert_string_equal(
			game_sheet_header(sheet, i).value, game_sheet_header(expected, i).value);
	}

	assert_int_equal(game_line_plies(game_sheet_line(sheet)), game_line_plies(line));
	for (size_t ply = 0; ply < game_line_plies(line); ply++) {
		assert_int_equal(game_line_action(game_sheet_line(sheet), ply).code,
			game_line_action(line, ply).code);
		if (times)
			assert_int_equal(
				game_sheet_time(sheet, ply), game_sheet_time(expected, ply));
	}
	for (size_t ply = 0; ply <= game_line_plies(line); ply++)
		record_expect_comment(sheet, ply, game_sheet_comment(expected, ply));
	assert_int_equal(game_sheet_end(sheet), game_sheet_end(expected));
}

static inline struct game_sheet *record_set_up(const char *sfen)
{
	struct game_sheet *sheet = NULL;
	struct text_error error;

	assert_int_equal(
		game_sheet_setup(&mini_shogi, NULL, sfen, strlen(sfen), &error, &sheet), STATUS_OK);
	return sheet;
}

static inline struct game_sheet *record_begin(void)
{
	struct game_sheet *sheet = NULL;

	assert_int_equal(game_sheet_create(&mini_shogi, NULL, &sheet), STATUS_OK);
	return sheet;
}

static inline void record_play(struct game_sheet *sheet, const char *usi)
{
	const char *end;

	for (; *usi; usi = *end ? end + 1 : end) {
		struct game_action action;
		struct text_error error;

		end = strchr(usi, ' ');
		if (!end)
			end = usi + strlen(usi);
		assert_int_equal(mini_shogi.action_read(game_line_state(game_sheet_line(sheet)),
					 usi, (size_t)(end - usi), &error, &action),
			STATUS_OK);
		assert_int_equal(game_sheet_play(sheet, action), STATUS_OK);
	}
}

static inline void record_comment(struct game_sheet *sheet, const char *text)
{
	assert_int_equal(game_sheet_add_comment(sheet, text, strlen(text)), STATUS_OK);
}

static inline void record_header(struct game_sheet *sheet, const char *name, const char *value)
{
	assert_int_equal(
		game_sheet_set_header(sheet, name, strlen(name), value, strlen(value)), STATUS_OK);
}

/*
 * A position of any material that the rules let pass, from random pieces on random squares, as SFEN
 * in `sfen`; true where a game can begin there.
 */
static inline bool record_random_position(struct random *random, char sfen[GAME_SETUP_TEXT])
{
	static const char letters[] = "RBGSPrbgsp";
	char board[25] = {0};
	bool promoted[25] = {false};
	int left[5] = {2, 2, 2, 2, 2};
	uint32_t letter = 0;
	struct text text;
	struct text_error error;
	struct game_state state;
	struct game_record record;

	board[random_below(random, 25)] = 'K';
	board[random_below(random, 25)] = 'k';
	for (uint32_t pieces = 2 + random_below(random, 19); pieces > 0; pieces--) {
		uint32_t square = random_below(random, 25);

		if (random_below(random, 2)) /* else another of the same */
			letter = random_below(random, 10);
		if (board[square] || !left[letter % 5])
			continue;
		left[letter % 5]--;
		board[square] = letters[letter];
		promoted[square] = letter % 5 != 2 && random_below(random, 2);
	}
	text_init(&text, sfen, GAME_SETUP_TEXT);
	for (int square = 0; square < 25; square++) {
		if (square && square % 5 == 0)
			text_add_char(&text, '/');
		if (promoted[square])
			text_add_char(&text, '+');
		text_add_char(&text, board[square] ? board[square] : '1');
	}
	text_add(&text, random_below(random, 2) ? " b " : " w ");
	if (random_below(random, 4) == 0)
		text_add_char(&text, '-');
	else
		for (int type = 0; type < 5; type++)
			for (; left[type]; left[type]--)
				text_add_char(
					&text, letters[type + 5 * (int)random_below(random, 2)]);
	if (text.data[text.length - 1] == ' ')
		text_add_char(&text, '-');
	text_add_char(&text, ' ');
	text_add_number(&text, random_below(random, 3) ? 1 : 1 + random_below(random, 99999));
	return mini_shogi.setup(NULL, sfen, text.length, &error, &state, &record) == STATUS_OK &&
	       !mini_shogi.summary(&state).over;
}

static inline const char *record_pick(struct random *random, const char *const *texts, size_t count)
{
	return texts[random_below(random, (uint32_t)count)];
}

/* Up to six pieces of text that a careless reader would take for something else. */
static inline void record_random_text(struct random *random, char *buffer, size_t capacity)
{
	static const char *const pieces[] = {"a", "Ito 3", "山田太郎", "５五将棋", "☗", "▲３四金",
		"まで7手で後手の勝ち", "*", "#", "&", "：", ":", "(12)", "  1 １四角(25)", "変化",
		"|", "+", "é", "😀", "%TORYO", "'", "\"", "\\", "{", "}", ";", "[%emt 0:00:07]",
		"[%clk 5]", "[%emt"};
	struct text text;

	text_init(&text, buffer, capacity);
	for (uint32_t count = random_below(random, 7); count > 0; count--) {
		text_add(&text, record_pick(random, pieces, sizeof(pieces) / sizeof(pieces[0])));
		if (count > 1 && random_below(random, 2))
			text_add_char(&text, ' ');
	}
	assert_false(text.overflow);
}

/* No value begins or ends with a blank. */
static inline void record_random_headers(struct random *random, struct game_sheet *sheet)
{
	static const char *const names[] = {"First", "Second", "Event", "Site", "Begin", "End",
		"持ち時間", "備考", "Round", "Round number", "先手段位"};
	char value[256];

	for (uint32_t count = random_below(random, 6); count > 0; count--) {
		const char *begin = value;

		record_random_text(random, value, sizeof(value));
		while (*begin == ' ')
			begin++;
		record_header(
			sheet, record_pick(random, names, sizeof(names) / sizeof(names[0])), begin);
	}
}

/*
 * A name that the format gives to another header, or to a thing of its own, is left out: what comes
 * back of the headers has the value that it had. At least the six of every format come back.
 */
static inline void record_keeps_headers_apart(const char *format)
{
	static const char *const names[] = {"First", "Second", "Event", "Site", "Begin", "End",
		"先手", "後手", "下手", "上手", "棋戦", "場所", "開始日時", "終了日時", "手合割",
		"N+", "N-", "+", "EVENT", "SITE", "START_TIME", "END_TIME", "White", "Black",
		"Date", "Time", "UTCDate", "Result", "FEN", "#c", "-a", ":", "=", "_", "1"};
	enum { COUNT = sizeof(names) / sizeof(names[0]) };
	struct game_sheet *sheet = record_begin();
	struct game_sheet *again;
	char value[16];

	/* The common ones both before and behind the others. */
	for (int i = 0; i < 2 * COUNT; i++) {
		snprintf(value, sizeof(value), "value %d", i % COUNT);
		record_header(sheet, names[i % COUNT], value);
	}
	again = record_read(format, record_write(format, sheet));
	for (size_t i = 0; i < game_sheet_header_count(again); i++) {
		struct game_header header = game_sheet_header(again, i);

		record_expect_header(sheet, header.name, header.value);
	}
	for (int i = 0; i < 6; i++)
		record_expect_header(again, names[i], game_sheet_header_value(sheet, names[i]));
	game_sheet_destroy(again);
	game_sheet_destroy(sheet);
}

static inline void record_random_comments(struct random *random, struct game_sheet *sheet)
{
	char line[256];

	if (random_below(random, 4))
		return;
	for (uint32_t count = 1 + random_below(random, 3); count > 0; count--) {
		record_random_text(random, line, sizeof(line));
		record_comment(sheet, line);
	}
}

/* A game of at most `plies` random plies, with headers, comments, times, and an end. */
static inline struct game_sheet *record_random_sheet(struct random *random, uint32_t plies)
{
	char sfen[GAME_SETUP_TEXT];
	struct game_sheet *sheet;
	struct game_action actions[GAME_ACTIONS_MAX];
	bool set_up = random_below(random, 4) == 0;

	while (set_up && !record_random_position(random, sfen))
		;
	sheet = set_up ? record_set_up(sfen) : record_begin();
	record_random_headers(random, sheet);
	record_random_comments(random, sheet);
	for (uint32_t rest = random_below(random, plies + 1); rest > 0; rest--) {
		size_t count = mini_shogi.legal(game_line_state(game_sheet_line(sheet)), actions);

		if (count == 0)
			break;
		assert_int_equal(
			game_sheet_play(sheet, actions[random_below(random, (uint32_t)count)]),
			STATUS_OK);
		if (random_below(random, 3))
			game_sheet_set_time(sheet,
				random_below(random, 2) ? 1000 * (int64_t)random_below(random, 90)
							: random_below(random, 9000000));
		record_random_comments(random, sheet);
	}
	if (!game_line_summary(game_sheet_line(sheet)).over) {
		game_sheet_set_end(
			sheet, (enum game_sheet_end)random_below(random, GAME_SHEET_MATE + 1));
		if (game_sheet_end(sheet) == GAME_SHEET_OPEN && random_below(random, 2)) {
			record_play(sheet, "resign");
			record_random_comments(random, sheet);
		}
	}
	return sheet;
}
