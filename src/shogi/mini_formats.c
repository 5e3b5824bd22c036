/* SPDX-License-Identifier: MIT */
#include "shogi/mini.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/one_line.h"
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

/* How 手合割 names this game; the first is written. */
static const char *const variant_names[] = {"5五将棋", "五々将棋", "５五将棋", "五五将棋",
	"５５将棋", "55将棋", "５々将棋", "5々将棋", NULL};

/* By kind: in a move, in a diagram, and as others write it. */
static const struct {
	const char *move;
	const char *diagram;
	const char *other;
} japanese_pieces[KINDS] = {
	[ROOK] = {"飛", "飛", NULL},
	[BISHOP] = {"角", "角", NULL},
	[GOLD] = {"金", "金", NULL},
	[SILVER] = {"銀", "銀", NULL},
	[PAWN] = {"歩", "歩", NULL},
	[KING] = {"玉", "玉", "王"},
	[TYPES + 1 + ROOK] = {"竜", "竜", "龍"},
	[TYPES + 1 + BISHOP] = {"馬", "馬", NULL},
	[TYPES + 1 + SILVER] = {"成銀", "全", NULL},
	[TYPES + 1 + PAWN] = {"と", "と", NULL},
};

/* By kind, in CSA. */
static const char *const csa_kinds[KINDS] = {
	[ROOK] = "HI",
	[BISHOP] = "KA",
	[GOLD] = "KI",
	[SILVER] = "GI",
	[PAWN] = "FU",
	[KING] = "OU",
	[TYPES + 1 + ROOK] = "RY",
	[TYPES + 1 + BISHOP] = "UM",
	[TYPES + 1 + SILVER] = "NG",
	[TYPES + 1 + PAWN] = "TO",
};

/* How PGN names this game, and by type what it calls a promoted piece. */
static const char pgn_variant[] = "minishogi";
static const char san_promoted_letters[] = {
	[ROOK] = 'D', [BISHOP] = 'H', [GOLD] = 'G', [SILVER] = 'G', [PAWN] = 'G', [TYPES] = 0};

#include "shogi/sheet.inc.h"

#include "shogi/start.inc.h"

#include "shogi/ending.inc.h"

#include "shogi/usi_sheet.inc.h"

#include "shogi/fen.inc.h"

#include "shogi/uci_sheet.inc.h"

#include "shogi/clock_text.inc.h"

#include "shogi/japanese.inc.h"

#include "shogi/japanese_start.inc.h"

#include "shogi/japanese_record.inc.h"

#include "shogi/kif.inc.h"

#include "shogi/ki2.inc.h"

#include "shogi/csa.inc.h"

#include "shogi/pgn_move.inc.h"

#include "shogi/pgn_end.inc.h"

#include "shogi/pgn.inc.h"

const struct game_format *const mini_formats[] = {&format_sfen, &format_usi, &format_uci,
	&format_kif, &format_ki2, &format_csa, &format_pgn, NULL};
