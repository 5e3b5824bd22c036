/* SPDX-License-Identifier: MIT */

/*
 * How a record ends, for the formats that say it with a word in the place of a move.
 * GAME_SHEET_OPEN stands for a resignation in them: an action, not an end of the record.
 */

/* 1: the side to move wins by it; -1: it loses; 0: neither. */
static inline int end_outcome(enum game_sheet_end end)
{
	switch (end) {
	case GAME_SHEET_OPEN:
	case GAME_SHEET_TIME_UP:
	case GAME_SHEET_ILLEGAL_MOVE:
	case GAME_SHEET_MATE:
		return -1;
	case GAME_SHEET_ILLEGAL_BEFORE:
	case GAME_SHEET_DECLARED_WIN:
	case GAME_SHEET_WIN:
		return 1;
	default:
		return 0;
	}
}

static inline bool is_repetition(enum game_reason reason)
{
	return reason == GAME_REASON_REPETITION || reason == GAME_REASON_PERPETUAL_CHECK ||
	       reason == GAME_REASON_MUTUAL_PERPETUAL;
}

/*
 * Whether a game that is over can be said to have ended so. An interruption says no more than
 * "here".
 */
static inline bool end_agrees(const struct game_summary *summary, enum game_sheet_end end)
{
	if (end == GAME_SHEET_INTERRUPTED)
		return true;
	if (end == GAME_SHEET_REPETITION)
		return is_repetition(summary->reason);
	if (summary->winner < 0)
		return end_outcome(end) == 0;
	return end_outcome(end) == (summary->winner == summary->player ? 1 : -1);
}

/* Whether there is something to say of how the record ended. */
static inline bool sheet_ended(const struct game_sheet *sheet)
{
	return game_line_summary(game_sheet_line(sheet)).over ||
	       game_sheet_end(sheet) != GAME_SHEET_OPEN;
}

/* How it ended, the rules asked first, seen from the side to move. */
static inline enum game_sheet_end written_end(const struct game_sheet *sheet)
{
	struct game_summary summary = game_line_summary(game_sheet_line(sheet));

	switch (summary.over ? summary.reason : GAME_REASON_NONE) {
	case GAME_REASON_NONE:
		return game_sheet_end(sheet);
	case GAME_REASON_RESIGNATION:
		return GAME_SHEET_OPEN;
	case GAME_REASON_CHECKMATE:
	case GAME_REASON_NO_LEGAL_MOVE:
		return GAME_SHEET_MATE;
	case GAME_REASON_PERPETUAL_CHECK:
		return summary.winner == summary.player ? GAME_SHEET_ILLEGAL_BEFORE
							: GAME_SHEET_ILLEGAL_MOVE;
	case GAME_REASON_REPETITION:
	case GAME_REASON_MUTUAL_PERPETUAL:
		return GAME_SHEET_REPETITION;
	default:
		return GAME_SHEET_DRAW;
	}
}
