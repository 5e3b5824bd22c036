/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"

/* A position of Mini Shogi as lines for people: board, hands, SFEN, checkers. */
enum { BOARD_TEXT = 1024 }; /* bytes that hold any, the final zero included */

void board_write(const struct game_state *state, struct text *text);
