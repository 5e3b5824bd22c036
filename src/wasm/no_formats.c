/* SPDX-License-Identifier: MIT */

/*
 * The browser's module reads and writes positions, no game records: a reader of every format in
 * the world would be half of what a phone loads. This definition is linked as an object, so the
 * archive's, with all that hangs on it, stays out.
 */
#include "shogi/mini.h"

const struct game_format *const mini_formats[] = {NULL};
