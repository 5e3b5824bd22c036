/* SPDX-License-Identifier: MIT */
#include "shogi/mini.h"

#include <assert.h>
#include <string.h>

#include "game/sheet.h"
#include "shogi/legality.inc.h"
#include "shogi/notation.inc.h"
#include "shogi/shogi.h"

/* What the shared text below needs to know of this board. */
static const struct game_ops *const ops = &mini_shogi;

static inline const struct position *state_position(const struct game_state *state)
{
	return mini_state_position(state);
}

#include "shogi/sheet.inc.h"

#include "shogi/usi_sheet.inc.h"

const struct game_format *const mini_formats[] = {&format_sfen, &format_usi, NULL};
