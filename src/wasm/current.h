/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/line.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* The line; calling before `start` is a mistake of the page's program, not of a person. */
struct game_line *wasm_current(void);
