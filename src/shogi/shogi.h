/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/game.h"

/*
 * The games of this folder, as rows of the table of games. Rulesets of mini-shogi:
 *
 *  "uec"   the default. Fourth occurrence: player 0 loses, a perpetual checker first, no ply limit.
 *          Source: rules of the UEC cup (5五将棋), University of Electro-Communications, Tokyo.
 *  "kawu"  fourth occurrence or 300 plies: a draw; its start has the pawn before the rook.
 */
extern const struct game_ops mini_shogi;
