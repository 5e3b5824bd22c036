/* SPDX-License-Identifier: MIT */

/* As no_formats.c: the module of Petits carrés reads and writes positions, no records. */
#include "boxes/notation.h"

const struct game_format *const boxes_formats[] = {NULL};
