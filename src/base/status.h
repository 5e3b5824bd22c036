/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What a function that reads from outside says of it. There is one enumeration and one table
 * (status.c) for the whole project, so that a refusal keeps its name from the rules up to the page:
 * `status_code` is the stable word that programs compare and dictionaries translate,
 * `status_text` one English sentence for logs and command lines.
 *
 * A status is never a programmer's mistake: those are asserts.
 */
enum status {
	STATUS_OK,
	STATUS_NO_MEMORY,

	/* Any text. */
	STATUS_TEXT_EMPTY,
	STATUS_TEXT_TOO_LONG,
	STATUS_TEXT_TRAILING,
	STATUS_TEXT_ENCODING,
	STATUS_TEXT_NO_CODE,
	STATUS_JSON_SYNTAX,
	STATUS_JSON_DUPLICATE,

	/* SFEN. */
	STATUS_SFEN_ROW_COUNT,
	STATUS_SFEN_ROW_WIDTH,
	STATUS_SFEN_PIECE,
	STATUS_SFEN_PROMOTION,
	STATUS_SFEN_TURN,
	STATUS_SFEN_HAND,
	STATUS_SFEN_NUMBER,

	/* A position that no game can contain. */
	STATUS_POSITION_KINGS,
	STATUS_POSITION_PIECES,
	STATUS_POSITION_DEAD_PAWN,
	STATUS_POSITION_TWO_PAWNS,
	STATUS_POSITION_CHECK,

	/* An action, as text or as an object. */
	STATUS_USI_SYNTAX,
	STATUS_USI_SQUARE,
	STATUS_USI_PIECE,
	STATUS_ACTION_TYPE,
	STATUS_ACTION_MEMBER_MISSING,
	STATUS_ACTION_MEMBER_UNKNOWN,
	STATUS_ACTION_MEMBER_VALUE,

	/* An action that the rules refuse. */
	STATUS_MOVE_EMPTY_SQUARE,
	STATUS_MOVE_NOT_YOUR_PIECE,
	STATUS_MOVE_OWN_PIECE,
	STATUS_MOVE_PATTERN,
	STATUS_MOVE_BLOCKED,
	STATUS_MOVE_PINNED,
	STATUS_MOVE_IN_CHECK,
	STATUS_MOVE_KING_EXPOSED,
	STATUS_MOVE_MUST_PROMOTE,
	STATUS_MOVE_CANNOT_PROMOTE,
	STATUS_DROP_NOT_IN_HAND,
	STATUS_DROP_OCCUPIED,
	STATUS_DROP_DEAD,
	STATUS_DROP_TWO_PAWNS,
	STATUS_DROP_PAWN_MATE,
	STATUS_GAME_OVER,
	STATUS_GAME_TOO_LONG,
	STATUS_GAME_UNKNOWN,
	STATUS_RULESET_UNKNOWN,

	/* A game written down. */
	STATUS_FORMAT_UNKNOWN,
	STATUS_SHEET_OTHER_GAME,
	STATUS_SHEET_OTHER_RULES,
	STATUS_SHEET_HEADER,
	STATUS_SHEET_BOARD,
	STATUS_SHEET_HAND,
	STATUS_SHEET_MOVE,
	STATUS_SHEET_MOVE_NUMBER,
	STATUS_SHEET_MOVE_NONE,
	STATUS_SHEET_MOVE_AMBIGUOUS,
	STATUS_SHEET_MOVE_PIECE,
	STATUS_SHEET_TIME,
	STATUS_SHEET_COMMENT,
	STATUS_SHEET_END,
	STATUS_SHEET_MEMBER_MISSING,
	STATUS_SHEET_MEMBER_UNKNOWN,
	STATUS_SHEET_MEMBER_VALUE,
	STATUS_SHEET_DISAGREES,

	/* Rooms. */
	STATUS_ROOM_FULL,
	STATUS_ROOM_WRONG_GAME,
	STATUS_ROOM_INVITATION,
	STATUS_ROOM_SETTINGS,
	STATUS_ROOM_STALE,
	STATUS_ROOM_NOT_YOUR_TURN,
	STATUS_ROOM_SUSPENDED,
	STATUS_ROOM_EVENT,

	/* The store. */
	STATUS_STORE_OPEN,
	STATUS_STORE_SCHEMA,
	STATUS_STORE_READ,
	STATUS_STORE_WRITE,
	STATUS_STORE_CONFLICT,

	/* The server. */
	STATUS_SERVER_LISTEN,

	STATUS_COUNT
};

/* For functions whose status says something that the caller must not lose. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* The stable word, e.g. "drop-two-pawns". Never NULL; static lifetime. */
const char *status_code(enum status status);

/* One English sentence without a final stop, e.g. "there is already a pawn of yours on that file".
 */
const char *status_text(enum status status);
