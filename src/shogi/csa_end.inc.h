/* SPDX-License-Identifier: MIT */

/* How a CSA text says that a game ended. */

/* The first word for an end is the one written. */
static const struct {
	const char *word;
	enum game_sheet_end end;
} csa_ends[] = {
	{"%TORYO", GAME_SHEET_OPEN},
	{"%CHUDAN", GAME_SHEET_INTERRUPTED},
	{"%MATTA", GAME_SHEET_INTERRUPTED},
	{"%FUZUMI", GAME_SHEET_INTERRUPTED},
	{"%ERROR", GAME_SHEET_INTERRUPTED},
	{"%TIME_UP", GAME_SHEET_TIME_UP},
	{"%ILLEGAL_MOVE", GAME_SHEET_ILLEGAL_MOVE},
	{"%HIKIWAKE", GAME_SHEET_DRAW},
	{"%JISHOGI", GAME_SHEET_DRAW},
	{"%MAX_MOVES", GAME_SHEET_DRAW},
	{"%SENNICHITE", GAME_SHEET_REPETITION},
	{"%KACHI", GAME_SHEET_DECLARED_WIN},
	{"%TSUMI", GAME_SHEET_MATE},
};

enum { CSA_ENDS = sizeof(csa_ends) / sizeof(csa_ends[0]) };

/* By the side that loses. Of the side to move it is %ILLEGAL_MOVE that is written. */
static const char *const csa_illegal_action[] = {"%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION"};

/* The end that a word means; false: it is none. */
static inline bool csa_find_end(const struct reader *word, int player, enum game_sheet_end *end)
{
	for (int i = 0; i < CSA_ENDS; i++) {
		if (csa_word_is(word, csa_ends[i].word)) {
			*end = csa_ends[i].end;
			return true;
		}
	}
	for (int loser = 0; loser < 2; loser++) {
		if (csa_word_is(word, csa_illegal_action[loser])) {
			*end = loser == player ? GAME_SHEET_ILLEGAL_MOVE
					       : GAME_SHEET_ILLEGAL_BEFORE;
			return true;
		}
	}
	return false;
}

static inline enum status csa_read_end(struct csa_reader *csa, struct text_error *error)
{
	const struct reader *word = &csa->statement;
	struct game_summary summary = game_line_summary(game_sheet_line(csa->sheet));
	enum game_sheet_end end;

	if (!csa_find_end(word, summary.player, &end))
		return csa_fail(csa, STATUS_SHEET_END_WORD, error);
	if (csa->ended)
		return csa_fail(csa, STATUS_GAME_OVER, error);
	csa->ended = true;
	if (summary.over)
		return end_agrees(&summary, end) ? STATUS_OK
						 : csa_fail(csa, STATUS_SHEET_END, error);
	if (end == GAME_SHEET_OPEN)
		return sheet_play(csa->sheet, (struct move){(uint16_t)ACTION_RESIGN}, word, error);
	game_sheet_set_end(csa->sheet, end);
	return STATUS_OK;
}

/* A `/` ends the game; nothing but blanks may follow. */
static inline enum status csa_read_separator(struct csa_reader *csa, struct text_error *error)
{
	if (!csa_word_is(&csa->statement, "/"))
		return csa_fail(csa, STATUS_SHEET_MOVE, error);
	return csa_next(csa) ? csa_fail(csa, STATUS_TEXT_TRAILING, error) : STATUS_OK;
}

static inline const char *csa_end_word(enum game_sheet_end end, int player)
{
	int i = 0;

	if (end == GAME_SHEET_ILLEGAL_BEFORE)
		return csa_illegal_action[!player];
	if (end == GAME_SHEET_WIN)
		end = GAME_SHEET_DECLARED_WIN;
	while (csa_ends[i].end != end)
		i++;
	return csa_ends[i].word;
}

static inline void csa_write_end(const struct game_sheet *sheet, struct text *text)
{
	if (!sheet_ended(sheet))
		return;
	text_add(text, csa_end_word(written_end(sheet), sheet_position(sheet)->turn));
	text_add_char(text, '\n');
}
