/* SPDX-License-Identifier: MIT */
#include "shogi/shogi.h"
#include "wasm/current.h"

const struct game_ops *const wasm_game = &mini_shogi;
