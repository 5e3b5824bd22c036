/* SPDX-License-Identifier: MIT */
#pragma once

#include "client/client.h"

/*
 * What `komadai play` prints of a room, on standard output. But for the board, each line is a word,
 * a colon, and what there is to say; the man page lists the words.
 */
struct play_view {
	enum room_seat seat; /* whose eyes these are */
	bool has_snapshot;
	struct client_snapshot snapshot;
	enum client_presence other;
};

/* What has happened since the snapshot before, then the board where it has changed. */
void play_show_snapshot(struct play_view *view, const struct client_snapshot *snapshot);

/* The board, the last move, and whose turn it is. */
void play_show_board(const struct play_view *view);

void play_show_presence(struct play_view *view, const struct client_presences *presences);

/* "WORD: TEXT"; what could move a terminal's cursor is not passed on. */
void play_say(const char *word, const char *text);

/* Whether this seat's player is to move. */
bool play_is_my_turn(const struct play_view *view);

/* How the board calls this player: "b" or "w" in Shogi. */
const char *play_side(const struct game_ops *ops, int player);

/* Examples of what may be typed as a move. */
const char *play_moves(const struct game_ops *ops);

/* A position for people: its board, and the same as text. */
enum { PLAY_BOARD_TEXT = 2048 }; /* bytes that hold any, the final zero included */
void play_board_write(
	const struct game_ops *ops, const struct game_state *state, struct text *text);
