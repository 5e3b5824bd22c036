/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"

/* The game whose rules the module holds: mini_shogi.c or petits_carres.c says which. */
extern const struct game_ops *const wasm_game;

/* The line; calling before `start` is a mistake of the page's program, not of a person. */
struct game_line *wasm_current(void);
