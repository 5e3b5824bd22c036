/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <assert.h>

static const struct {
	const char *code;
	const char *text;
} table[] = {
	[STATUS_OK] = {"ok", "done"},
	[STATUS_NO_MEMORY] = {"no-memory", "there is not enough memory"},

	[STATUS_TEXT_EMPTY] = {"text-empty", "there is nothing to read"},
	[STATUS_TEXT_TOO_LONG] = {"text-too-long", "the text is too long"},
	[STATUS_TEXT_TRAILING] = {"text-trailing", "there is more text than there should be"},
	[STATUS_TEXT_ENCODING] = {"text-encoding", "the text is neither UTF-8 nor Shift_JIS"},
	[STATUS_TEXT_ZERO] = {"text-zero", "a text must not hold a zero byte"},
	[STATUS_TEXT_NO_CODE] = {"text-no-code", "this character has no code in Shift_JIS"},
	[STATUS_JSON_SYNTAX] = {"json-syntax", "this is no JSON"},
	[STATUS_JSON_DUPLICATE] = {"json-duplicate", "the object has this member already"},
	[STATUS_JSON_NESTING] = {"json-nesting", "brackets are nested deeper than in any record"},

	[STATUS_SFEN_ROW_COUNT] = {"sfen-row-count", "the board has too few or too many rows"},
	[STATUS_SFEN_ROW_WIDTH] = {"sfen-row-width", "a row has too few or too many squares"},
	[STATUS_SFEN_PIECE] = {"sfen-piece", "no piece of this game has that letter"},
	[STATUS_SFEN_PROMOTION] = {"sfen-promotion", "a + must stand before a piece that promotes"},
	[STATUS_SFEN_TURN] = {"sfen-turn", "the side to move must be b or w"},
	[STATUS_SFEN_HAND] = {"sfen-hand", "the hands must be - or counts and letters, as in 2Pr"},
	[STATUS_SFEN_NUMBER] = {"sfen-number",
		"the move number must be a whole number from 1 to 99999"},

	[STATUS_POSITION_KINGS] = {"position-kings", "a side has more than one king"},
	[STATUS_POSITION_PIECES] = {"position-pieces", "there are more than two pieces of a kind"},
	[STATUS_POSITION_DEAD_PAWN] = {"position-dead-pawn",
		"an unpromoted pawn stands on its last rank"},
	[STATUS_POSITION_TWO_PAWNS] = {"position-two-pawns",
		"a side has two unpromoted pawns on one file"},
	[STATUS_POSITION_CHECK] = {"position-check",
		"the king of the side that is not to move is in check"},

	[STATUS_GRID_SIZE] = {"grid-size",
		"the grid must be rows and columns of boxes, each from 1 to 8, as in 6x7"},
	[STATUS_GRID_LINE] = {"grid-line", "a line must be 0, 1, a or b"},
	[STATUS_GRID_LINE_COUNT] = {"grid-line-count",
		"there are too few or too many lines for this grid"},
	[STATUS_GRID_PLAYER] = {"grid-player", "the player to move must be 0 or 1"},
	[STATUS_GRID_BOX] = {"grid-box", "a box must be 0, 1, a or b"},
	[STATUS_GRID_BOX_COUNT] = {"grid-box-count",
		"there are too few or too many boxes for this grid"},
	[STATUS_GRID_BOX_LINES] = {"grid-box-lines",
		"a box must be 0 where one of its lines is free, and nowhere else"},

	[STATUS_USI_SYNTAX] = {"usi-syntax", "a move must look like 5d5c, 5b5a+, P*3c or resign"},
	[STATUS_USI_SQUARE] = {"usi-square", "there is no such square on this board"},
	[STATUS_USI_PIECE] = {"usi-piece", "no piece that can be dropped has that letter"},
	[STATUS_LINE_SYNTAX] = {"line-syntax",
		"a line must be a number, as in 12, or a box and a side, as in A1R"},
	[STATUS_LINE_SIDE] = {"line-side", "the side of a box must be T, R, B or L"},
	[STATUS_LINE_NUMBER] = {"line-number", "this grid has no line of that number"},
	[STATUS_LINE_BOX] = {"line-box", "this grid has no such box"},
	[STATUS_ACTION_TYPE] = {"action-type", "this game has no action of that type"},
	[STATUS_ACTION_MEMBER_MISSING] = {"action-member-missing",
		"a member of the action is missing"},
	[STATUS_ACTION_MEMBER_UNKNOWN] = {"action-member-unknown",
		"the action has a member that it must not have"},
	[STATUS_ACTION_MEMBER_VALUE] = {"action-member-value",
		"a member of the action has a value that it cannot have"},

	[STATUS_MOVE_EMPTY_SQUARE] = {"move-empty-square", "there is no piece on that square"},
	[STATUS_MOVE_NOT_YOUR_PIECE] = {"move-not-your-piece",
		"that piece belongs to the other side"},
	[STATUS_MOVE_OWN_PIECE] = {"move-own-piece", "a piece of the same side stands there"},
	[STATUS_MOVE_PATTERN] = {"move-pattern", "that piece does not move in this way"},
	[STATUS_MOVE_BLOCKED] = {"move-blocked", "another piece stands in between"},
	[STATUS_MOVE_PINNED] = {"move-pinned", "that piece is pinned: its king would be in check"},
	[STATUS_MOVE_IN_CHECK] = {"move-in-check", "the king is in check and would stay in check"},
	[STATUS_MOVE_KING_EXPOSED] = {"move-king-exposed", "the king would step into check"},
	[STATUS_MOVE_MUST_PROMOTE] = {"move-must-promote", "a pawn must promote on the last rank"},
	[STATUS_MOVE_CANNOT_PROMOTE] = {"move-cannot-promote", "that move cannot promote"},
	[STATUS_DROP_NOT_IN_HAND] = {"drop-not-in-hand", "there is no such piece in hand"},
	[STATUS_DROP_OCCUPIED] = {"drop-occupied",
		"a piece can be dropped on an empty square only"},
	[STATUS_DROP_DEAD] = {"drop-dead", "a pawn cannot be dropped on the last rank"},
	[STATUS_DROP_TWO_PAWNS] = {"drop-two-pawns",
		"that side has an unpromoted pawn on that file already"},
	[STATUS_DROP_PAWN_MATE] = {"drop-pawn-mate", "a dropped pawn must not give immediate mate"},
	[STATUS_LINE_TAKEN] = {"line-taken", "that line is drawn already"},
	[STATUS_GAME_OVER] = {"game-over", "the game is over"},
	[STATUS_GAME_TOO_LONG] = {"game-too-long", "the game has reached the greatest length kept"},
	[STATUS_GAME_UNKNOWN] = {"game-unknown", "there is no game of that name"},
	[STATUS_GAME_OTHER] = {"game-other", "this can be asked of another game only"},
	[STATUS_THREAD_COUNT] = {"thread-count", "the number of threads must be from 0 to 64"},
	[STATUS_RULESET_UNKNOWN] = {"ruleset-unknown", "this game has no ruleset of that name"},

	[STATUS_FORMAT_UNKNOWN] = {"format-unknown", "this game has no format of that name"},
	[STATUS_SHEET_OTHER_GAME] = {"sheet-other-game", "the text is of another game"},
	[STATUS_SHEET_OTHER_RULES] = {"sheet-other-rules", "the text is of another ruleset"},
	[STATUS_SHEET_HEADER] = {"sheet-header", "this is no header in this notation"},
	[STATUS_SHEET_HEADER_TWICE] = {"sheet-header-twice", "this header is there already"},
	[STATUS_SHEET_BOARD] = {"sheet-board", "the board is not drawn as it must be"},
	[STATUS_SHEET_BOARD_MISSING] = {"sheet-board-missing",
		"there is no board for the pieces in hand, the move number or the side to move"},
	[STATUS_SHEET_TURN] = {"sheet-turn",
		"the side to move is missing or not written as it must be"},
	[STATUS_SHEET_HAND] = {"sheet-hand", "the pieces in hand are not written as they must be"},
	[STATUS_SHEET_PLIES] = {"sheet-plies",
		"the moves made before must be a whole number from 0 to 99998"},
	[STATUS_SHEET_FULL_MOVE] = {"sheet-full-move", "two dashes, or none, a whole number up to "
						       "99999 and the full move, 1 to 49999, may "
						       "stand here"},
	[STATUS_SHEET_MOVE] = {"sheet-move", "this is no move in this notation"},
	[STATUS_SHEET_MOVE_NUMBER] = {"sheet-move-number", "the moves are not numbered in order"},
	[STATUS_SHEET_MOVE_NONE] = {"sheet-move-none", "no piece can make this move"},
	[STATUS_SHEET_MOVE_AMBIGUOUS] = {"sheet-move-ambiguous",
		"more than one piece can make this move"},
	[STATUS_SHEET_MOVE_PIECE] = {"sheet-move-piece",
		"the piece on that square is not the one that is named"},
	[STATUS_SHEET_TIME] = {"sheet-time", "the time is not written as it must be"},
	[STATUS_SHEET_TIME_ALONE] = {"sheet-time-alone", "there is no move that took this time"},
	[STATUS_SHEET_COMMENT] = {"sheet-comment", "a comment does not end"},
	[STATUS_SHEET_VARIATION] = {"sheet-variation", "a variation does not end"},
	[STATUS_SHEET_END] = {"sheet-end", "the game cannot end in this way here"},
	[STATUS_SHEET_END_WORD] = {"sheet-end-word", "this is no word for the end of a game"},
	[STATUS_SHEET_MEMBER_MISSING] = {"sheet-member-missing",
		"a member of the record is missing"},
	[STATUS_SHEET_MEMBER_UNKNOWN] = {"sheet-member-unknown", "a record has no such member"},
	[STATUS_SHEET_MEMBER_VALUE] = {"sheet-member-value",
		"a member of the record has a value that it cannot have"},
	[STATUS_SHEET_DISAGREES] = {"sheet-disagrees", "this does not agree with the moves"},

	[STATUS_ROOM_FULL] = {"full", "both seats of the room are taken"},
	[STATUS_ROOM_WRONG_GAME] = {"wrong-game", "the invitation is for another game"},
	[STATUS_ROOM_INVITATION] = {"invitation", "the invitation does not belong to this room"},
	[STATUS_ROOM_SETTINGS] = {"settings", "this game has no settings"},
	[STATUS_ROOM_STALE] = {"stale", "the room is not at that revision"},
	[STATUS_ROOM_NOT_YOUR_TURN] = {"not-your-turn", "it is the other player's turn"},
	[STATUS_ROOM_SUSPENDED] = {"suspended", "the other player is not there, so the game waits"},
	[STATUS_ROOM_PENDING] = {"pending", "a request is open already"},
	[STATUS_ROOM_NO_REQUEST] = {"no-request", "no request is open"},
	[STATUS_ROOM_NO_PLY] = {"no-ply", "there is no move to take back"},
	[STATUS_ROOM_BEGUN] = {"begun", "a move was played already"},
	[STATUS_ROOM_NOT_ALLOWED] = {"not-allowed", "this is for the other seat to say"},
	[STATUS_ROOM_CLOSED] = {"closed", "both players have left the room"},
	[STATUS_ROOM_NO_SEAT] = {"no-seat", "that key opens no seat of this room"},
	[STATUS_ROOM_EVENT] = {"room-event",
		"the log of the room does not follow from what precedes"},

	[STATUS_STORE_OPEN] = {"store-open", "the data cannot be opened"},
	[STATUS_STORE_SCHEMA] = {"store-schema", "the data was made by a newer release"},
	[STATUS_STORE_READ] = {"store-read", "the data cannot be read"},
	[STATUS_STORE_WRITE] = {"store-write", "the data cannot be written"},
	[STATUS_STORE_CONFLICT] = {"store-conflict",
		"that revision of the room is written already"},

	[STATUS_SERVER_LISTEN] = {"server-listen", "the server cannot listen on that address"},
};

_Static_assert(sizeof(table) / sizeof(table[0]) == STATUS_COUNT, "every status has its row");

const char *status_code(enum status status)
{
	assert(status < STATUS_COUNT && table[status].code);
	return table[status].code;
}

const char *status_text(enum status status)
{
	assert(status < STATUS_COUNT && table[status].text);
	return table[status].text;
}
