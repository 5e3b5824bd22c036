/* SPDX-License-Identifier: MIT */

/*
 * Where a sheet begins. Formats that other programs read know one start of the game by a word
 * ("startpos", "PI", a PGN without FEN): it is the usual start, that of the default ruleset,
 * whatever the rules of the sheet are. Any other start is written out.
 */

static inline struct game_state ruleset_start(const char *ruleset)
{
	struct game_state state;
	struct game_record record;
	enum status status = ops->start(ruleset, &state, &record);

	assert(status == STATUS_OK);
	(void)status;
	return state;
}

static inline struct game_state usual_start(void)
{
	return ruleset_start(NULL);
}

static inline bool same_position(const struct position *one, const struct position *other)
{
	char texts[2][GAME_SETUP_TEXT];
	struct text text;

	text_init(&text, texts[0], sizeof(texts[0]));
	sfen_write_position(one, &text);
	text_init(&text, texts[1], sizeof(texts[1]));
	sfen_write_position(other, &text);
	return strcmp(texts[0], texts[1]) == 0;
}

/* The move number, which only the text of a position tells. */
static inline uint32_t state_number(const struct game_state *state)
{
	char sfen[GAME_SETUP_TEXT];
	struct text text;
	struct position pos;
	struct text_error error;
	uint32_t number = 1;
	enum status status;

	text_init(&text, sfen, sizeof(sfen));
	ops->state_write(state, &text);
	status = sfen_read(sfen, text.length, &error, &pos, &number);
	assert(status == STATUS_OK);
	(void)status;
	return number;
}

/*
 * Whether a sheet begins as all programs know the game, where the format also says the number of
 * the move.
 */
static inline bool is_usual_start(const struct game_state *start)
{
	struct game_state usual = usual_start();

	return state_number(start) == state_number(&usual) &&
	       same_position(state_position(start), state_position(&usual));
}

/*
 * A sheet that begins with `pos`: from the start of the ruleset where it is that, else a set-up.
 * `place` is where the position stands in the text, for the error of one that cannot be.
 */
static inline enum status sheet_begin(const char *ruleset, const struct position *pos,
	uint32_t number, const struct reader *place, struct text_error *error,
	struct game_sheet **sheet)
{
	struct game_state start = ruleset_start(ruleset);
	enum status status;

	if (number == state_number(&start) && same_position(pos, state_position(&start)))
		status = game_sheet_create(ops, ruleset, sheet);
	else
		status = sheet_from_position(ruleset, pos, number, place->line, error, sheet);
	return status == STATUS_OK ? status : reader_fail(place, status, error);
}

static inline enum status sheet_begin_usual(const char *ruleset, const struct reader *place,
	struct text_error *error, struct game_sheet **sheet)
{
	struct game_state usual = usual_start();

	return sheet_begin(
		ruleset, state_position(&usual), state_number(&usual), place, error, sheet);
}
