/* SPDX-License-Identifier: MIT */

/* How a PGN says that a game ended: a result, and the tag Termination that tells the reasons apart.
 */

enum pgn_result { PGN_OPEN, PGN_FIRST_WINS, PGN_SECOND_WINS, PGN_DRAWN, PGN_RESULTS };

static const char *const pgn_results[PGN_RESULTS] = {"*", "1-0", "0-1", "1/2-1/2"};

enum pgn_termination {
	PGN_NORMAL, /* and whatever else the tag says; not written */
	PGN_TIME_FORFEIT,
	PGN_ABANDONED,
	PGN_INFRACTION,
	PGN_ADJUDICATION,
	PGN_TERMINATIONS
};

static const char *const pgn_terminations[PGN_TERMINATIONS] = {
	"normal", "time forfeit", "abandoned", "rules infraction", "adjudication"};

/*
 * The reason of each end; with its outcome for the side to move it tells them all apart. What is
 * read with another reason is a resignation of the side to move where it loses, a win of which no
 * more is told where it wins, or a draw.
 */
static const enum pgn_termination pgn_reasons[] = {
	[GAME_SHEET_OPEN] = PGN_NORMAL, /* a resignation, where there is a result */
	[GAME_SHEET_INTERRUPTED] = PGN_ABANDONED,
	[GAME_SHEET_TIME_UP] = PGN_TIME_FORFEIT,
	[GAME_SHEET_ILLEGAL_MOVE] = PGN_INFRACTION,
	[GAME_SHEET_ILLEGAL_BEFORE] = PGN_INFRACTION,
	[GAME_SHEET_DRAW] = PGN_NORMAL,
	[GAME_SHEET_REPETITION] = PGN_ADJUDICATION,
	[GAME_SHEET_DECLARED_WIN] = PGN_ADJUDICATION,
	[GAME_SHEET_WIN] = PGN_NORMAL,
	[GAME_SHEET_MATE] = PGN_ADJUDICATION,
};

static inline enum pgn_result pgn_win_of(int player)
{
	return player == 0 ? PGN_FIRST_WINS : PGN_SECOND_WINS;
}

static inline enum pgn_result pgn_result_of_end(enum game_sheet_end end, int player)
{
	int outcome = end_outcome(end);

	if (outcome)
		return pgn_win_of(outcome > 0 ? player : !player);
	return end == GAME_SHEET_INTERRUPTED ? PGN_OPEN : PGN_DRAWN;
}

/* The end that a result means with `player` to move; GAME_SHEET_OPEN is a resignation. */
static inline enum game_sheet_end pgn_find_end(
	enum pgn_result result, enum pgn_termination reason, int player)
{
	for (int i = GAME_SHEET_OPEN; i <= GAME_SHEET_MATE; i++) {
		enum game_sheet_end end = (enum game_sheet_end)i;

		if (pgn_reasons[end] == reason && pgn_result_of_end(end, player) == result)
			return end;
	}
	if (result == PGN_DRAWN)
		return GAME_SHEET_DRAW;
	return result == pgn_win_of(player) ? GAME_SHEET_WIN : GAME_SHEET_OPEN;
}

/* PGN_RESULTS: the word is no result. */
static inline enum pgn_result pgn_result_of(const char *word, size_t length)
{
	int result = 0;

	while (result < PGN_RESULTS && (strlen(pgn_results[result]) != length ||
					       memcmp(pgn_results[result], word, length) != 0))
		result++;
	return (enum pgn_result)result;
}

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline enum pgn_termination pgn_termination_of(const char *value, size_t length)
{
	for (int i = 0; i < PGN_TERMINATIONS; i++) {
		const char *known = pgn_terminations[i];
		size_t same = 0;

		while (same < length && known[same] == ascii_lower(value[same]))
			same++;
		if (same == length && !known[same])
			return (enum pgn_termination)i;
	}
	return PGN_NORMAL;
}

/* Where the rules have ended the game, of any ruleset: its own verdict. */
static inline enum pgn_result pgn_written_result(const struct game_sheet *sheet)
{
	struct game_summary summary = game_line_summary(game_sheet_line(sheet));

	if (!sheet_ended(sheet))
		return PGN_OPEN;
	if (!summary.over)
		return pgn_result_of_end(game_sheet_end(sheet), summary.player);
	return summary.winner < 0 ? PGN_DRAWN : pgn_win_of(summary.winner);
}

static inline enum pgn_termination pgn_written_termination(const struct game_sheet *sheet)
{
	return game_line_summary(game_sheet_line(sheet)).over ? PGN_NORMAL
							      : pgn_reasons[game_sheet_end(sheet)];
}
