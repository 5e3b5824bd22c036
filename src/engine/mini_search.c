/* SPDX-License-Identifier: MIT */
#include "shogi/mini.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search.h"

/*
 * What pieces are worth, in hundredths of a pawn, by kind (mini.h). Guesses from the 9x9 game,
 * where rook and bishop need more room to be worth more; to be replaced by measured ones.
 */
static const int board_value[KINDS] = {
	[ROOK] = 550,
	[BISHOP] = 500,
	[GOLD] = 400,
	[SILVER] = 350,
	[PAWN] = 100,
	[TYPES + 1 + ROOK] = 800,
	[TYPES + 1 + BISHOP] = 750,
	[TYPES + 1 + SILVER] = 400,
	[TYPES + 1 + PAWN] = 350,
};

/* A piece in hand may go to many squares. */
static const int hand_value[TYPES] = {600, 550, 450, 400, 120};

static const struct position *state_position(const struct game_state *state)
{
	return mini_state_position(state);
}

static const struct judge_rules *state_judge(const struct game_state *state)
{
	return mini_state_judge(state);
}

static uint32_t state_ply_limit(const struct game_state *state)
{
	return mini_state_ply_limit(state);
}

static struct game_record position_record(const struct position *pos, int by)
{
	return mini_record(pos, by);
}

static uint64_t key_hash(const struct game_key *key)
{
	struct position pos;

	mini_key_unpack(key, &pos);
	return position_hash(&pos);
}

#include "engine/search.inc.c"

enum status mini_search_create(struct search **search)
{
	return search_create(search);
}

void mini_search_destroy(struct search *search)
{
	search_destroy(search);
}

enum status mini_search_reserve(struct search *search, size_t plies)
{
	return search_reserve(search, plies);
}

struct engine_result mini_search_run(struct search *search, const struct game_line *line,
	const struct engine_limits *limits, const struct engine_host *host)
{
	return search_run(search, line, limits, host);
}
