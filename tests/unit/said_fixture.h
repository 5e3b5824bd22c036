/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What is left of a sheet in a format that cannot say all of it: the sheet that its text must be
 * read back into. Included after record_fixture.h.
 */
struct said {
	/* The move number with which the start comes back. */
	uint32_t (*number)(uint32_t number, int player);
	/* These headers come back first, in this order, NULL at the end; then those it can name. */
	const char *const *first_headers;
	bool (*can_name)(const char *name);
	bool blanks_around;      /* of the lines of comments are kept */
	bool notes;              /* headers, comments, times and the end are */
	enum game_sheet_end win; /* what comes back of GAME_SHEET_WIN, where the end is kept */
};

static inline bool said_first(const struct said *said, const char *name)
{
	for (const char *const *first = said->first_headers; *first; first++)
		if (strcmp(*first, name) == 0)
			return true;
	return false;
}

static inline void said_headers(
	const struct said *said, const struct game_sheet *sheet, struct game_sheet *made)
{
	for (const char *const *first = said->first_headers; *first; first++)
		if (game_sheet_header_value(sheet, *first))
			record_header(made, *first, game_sheet_header_value(sheet, *first));
	for (size_t i = 0; i < game_sheet_header_count(sheet); i++) {
		struct game_header header = game_sheet_header(sheet, i);

		if (!said_first(said, header.name) && said->can_name(header.name))
			record_header(made, header.name, header.value);
	}
}

static inline void said_comment(const struct said *said, const struct game_sheet *sheet, size_t ply,
	struct game_sheet *made)
{
	const char *line = game_sheet_comment(sheet, ply);

	while (line) {
		size_t length = strcspn(line, "\n");
		const char *next = line[length] ? line + length + 1 : NULL;

		while (!said->blanks_around && length > 0 && *line == ' ') {
			line++;
			length--;
		}
		while (!said->blanks_around && length > 0 && line[length - 1] == ' ')
			length--;
		assert_int_equal(game_sheet_add_comment(made, line, length), STATUS_OK);
		line = next;
	}
}

/* A sheet that begins as the format says the start of `sheet`, under the same rules. */
static inline struct game_sheet *said_start(const struct said *said, const struct game_line *line)
{
	const char *ruleset = game_line_ruleset(line);
	struct game_sheet *made = NULL;
	struct text_error error;
	struct game_state start;
	struct game_record record;
	char sfen[GAME_SETUP_TEXT];
	char usual[GAME_SETUP_TEXT];
	char *number;

	record_state_text(game_line_start(line), sfen);
	number = strrchr(sfen, ' ') + 1;
	sprintf(number, "%u",
		said->number((uint32_t)strtoul(number, NULL, 10), strstr(sfen, " w ") != NULL));
	assert_int_equal(mini_shogi.start(ruleset, &start, &record), STATUS_OK);
	record_state_text(&start, usual);
	if (strcmp(sfen, usual) == 0)
		assert_int_equal(game_sheet_create(&mini_shogi, ruleset, &made), STATUS_OK);
	else
		assert_int_equal(
			game_sheet_setup(&mini_shogi, ruleset, sfen, strlen(sfen), &error, &made),
			STATUS_OK);
	return made;
}

static inline struct game_sheet *said_of(const struct said *said, const struct game_sheet *sheet)
{
	const struct game_line *line = game_sheet_line(sheet);
	struct game_sheet *made = said_start(said, line);

	if (said->notes) {
		said_headers(said, sheet, made);
		said_comment(said, sheet, 0, made);
	}
	for (size_t ply = 0; ply < game_line_plies(line); ply++) {
		assert_int_equal(game_sheet_play(made, game_line_action(line, ply)), STATUS_OK);
		if (said->notes && game_sheet_time(sheet, ply) >= 0)
			game_sheet_set_time(made, game_sheet_time(sheet, ply));
		if (said->notes)
			said_comment(said, sheet, ply + 1, made);
	}
	if (said->notes)
		game_sheet_set_end(made, game_sheet_end(sheet) == GAME_SHEET_WIN
						 ? said->win
						 : game_sheet_end(sheet));
	return made;
}

/* Writes the sheet and reads it back, twice: the same, as far as it is said, and the same text. */
static inline void said_round_trip(
	const char *format, const struct said *said, const struct game_sheet *sheet)
{
	const char *ruleset = game_line_ruleset(game_sheet_line(sheet));
	struct game_sheet *expected = said_of(said, sheet);
	struct game_sheet *again = record_read_as(format, ruleset, record_write(format, sheet));
	char *text = strdup(record_write(format, again));
	struct game_sheet *twice;

	assert_non_null(text);
	record_expect_same(again, expected, true);
	twice = record_read_as(format, ruleset, text);
	record_expect_same(twice, expected, true);
	record_expect_text(format, twice, text);
	free(text);
	game_sheet_destroy(twice);
	game_sheet_destroy(again);
	game_sheet_destroy(expected);
}

/* The start of "kawu", then random moves. */
static inline struct game_sheet *said_kawu_sheet(struct random *random, uint32_t plies)
{
	struct game_sheet *sheet = NULL;
	struct game_action actions[GAME_ACTIONS_MAX];

	assert_int_equal(game_sheet_create(&mini_shogi, "kawu", &sheet), STATUS_OK);
	while (plies-- > 0) {
		size_t count = mini_shogi.legal(game_line_state(game_sheet_line(sheet)), actions);

		if (count == 0)
			break;
		assert_int_equal(
			game_sheet_play(sheet, actions[random_below(random, (uint32_t)count)]),
			STATUS_OK);
	}
	return sheet;
}

enum { SAID_GAMES = 2000, SAID_PLIES = 200 };

/* Random games from all starts, there and back. */
static inline void said_random_games(const char *format, const struct said *said, uint64_t seed)
{
	struct random random = {seed};

	for (int game = 0; game < SAID_GAMES; game++) {
		struct game_sheet *sheet = game % 4 ? record_random_sheet(&random, SAID_PLIES)
						    : said_kawu_sheet(&random, SAID_PLIES);

		said_round_trip(format, said, sheet);
		game_sheet_destroy(sheet);
	}
}

/* Cut anywhere, or with any byte changed, a text is read or refused with a place inside it. */
static inline void said_damaged(const char *format, const char *text, uint64_t seed)
{
	static const char bytes[] = " \t\n\r'\"%+-*,/$()[]{};=@#PNTV0159axRGK\\\xff";
	struct random random = {seed};
	size_t length = strlen(text);

	for (int round = 0; round < 4000; round++) {
		size_t size = round % 4 ? length : random_below(&random, (uint32_t)length);
		char *copy = malloc(size ? size : 1);
		struct text_error error = {STATUS_OK, 0, 0};
		struct game_sheet *sheet = NULL;
		enum status status;

		assert_non_null(copy);
		memcpy(copy, text, size);
		for (int change = round % 4; size > 0 && change > 0; change--)
			copy[random_below(&random, (uint32_t)size)] =
				bytes[random_below(&random, sizeof(bytes) - 1)];
		status = game_sheet_read(
			&mini_shogi, record_format(format), NULL, copy, size, &error, &sheet);
		free(copy);
		assert_int_equal(status == STATUS_OK, sheet != NULL);
		if (status != STATUS_OK) {
			assert_int_equal(error.status, status);
			assert_in_range(error.line, 1, size + 1);
			assert_in_range(error.column, 1, size + 1);
		}
		game_sheet_destroy(sheet);
	}
}
