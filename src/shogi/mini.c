/* SPDX-License-Identifier: MIT */
#include "shogi/mini.h"

#include <string.h>

#include "shogi/json.inc.h"
#include "shogi/legality.inc.h"
#include "shogi/notation.inc.h"
#include "shogi/shogi.h"

struct ruleset {
	const char *start;
	struct judge_rules judge;
	uint32_t ply_limit; /* 0: none */
};

static const char *const ruleset_names[] = {"uec", "kawu", NULL};

static const struct ruleset rulesets[] = {
	{
		.start = "rbsgk/4p/5/P4/KGSBR b - 1",
		.judge = {REPETITION_FIRST_LOSES, true},
	},
	{
		.start = "rbsgk/p4/5/4P/KGSBR b - 1",
		.judge = {REPETITION_DRAWS, false},
		.ply_limit = 300,
	},
};

/*
 * A key is the whole position in mixed radix, so equal keys mean equal positions, not probably so.
 * Word 0: squares 0..12 and four hand counts of player 1; word 1: squares 13..24, the other six
 * counts and the turn. 21^13 * 3^4 and 21^12 * 3^6 * 2 are both below 2^64. Word 2 is 0.
 */
enum { KEY_SQUARE_RADIX = 21, KEY_HAND_RADIX = TYPE_TOTAL + 1, KEY_FIRST_SQUARES = 13 };

static void key_push(uint64_t *word, unsigned radix, unsigned digit)
{
	*word = *word * radix + digit;
}

static unsigned key_pop(uint64_t *word, unsigned radix)
{
	unsigned digit = (unsigned)(*word % radix);

	*word /= radix;
	return digit;
}

/* 0: empty; then ten kinds a side: K and the five types, then the four that promote. */
static unsigned square_digit(const struct position *pos, int square)
{
	unsigned type = (unsigned)type_on(pos, square);
	unsigned kind = type;

	if (!(position_occupied(pos) & square_bit(square)))
		return 0;
	if (pos->promoted & square_bit(square))
		kind = TYPES + 1 + (type > GOLD ? type - 1 : type);
	return 1 + 10 * (unsigned)color_on(pos, square) + kind;
}

static void square_from_digit(unsigned digit, int square, struct position *pos)
{
	unsigned kind;
	bool promoted;

	if (digit == 0)
		return;
	kind = (digit - 1) % 10;
	promoted = kind > TYPES;
	if (promoted) {
		kind -= TYPES + 1;
		kind += kind >= GOLD;
	}
	position_put(pos, digit > 10, (int)kind, promoted, square);
}

static struct game_key key_pack(const struct position *pos)
{
	struct game_key key = {{0}};

	for (int square = 0; square < SQUARES; square++)
		key_push(&key.word[square >= KEY_FIRST_SQUARES], KEY_SQUARE_RADIX,
			square_digit(pos, square));
	for (int type = 0; type < TYPES; type++) {
		key_push(&key.word[1], KEY_HAND_RADIX, (unsigned)hand_count(pos, 0, type));
		key_push(&key.word[type == TYPES - 1], KEY_HAND_RADIX,
			(unsigned)hand_count(pos, 1, type));
	}
	key_push(&key.word[1], 2, pos->turn);
	return key;
}

static void key_unpack(const struct game_key *key, struct position *pos)
{
	struct game_key rest = *key;

	position_clear(pos);
	if (key_pop(&rest.word[1], 2))
		position_pass_turn(pos);
	for (int type = TYPES - 1; type >= 0; type--) {
		position_set_hand(
			pos, 1, type, (int)key_pop(&rest.word[type == TYPES - 1], KEY_HAND_RADIX));
		position_set_hand(pos, 0, type, (int)key_pop(&rest.word[1], KEY_HAND_RADIX));
	}
	for (int square = SQUARES - 1; square >= 0; square--)
		square_from_digit(
			key_pop(&rest.word[square >= KEY_FIRST_SQUARES], KEY_SQUARE_RADIX), square,
			pos);
}

#include "shogi/ops.inc.h"

const struct game_ops mini_shogi = {
	.name = "mini-shogi",
	.rulesets = ruleset_names,
	.formats = mini_formats,
	.start = shogi_start,
	.setup = shogi_setup,
	.play = shogi_play,
	.legal = shogi_legal,
	.perft = mini_perft,
	.summary = shogi_summary,
	.action_read = shogi_action_read,
	.action_write = shogi_action_write,
	.action_read_members = shogi_action_read_members,
	.action_write_json = shogi_action_write_json,
	.state_write_json = shogi_state_write_json,
	.state_write = shogi_state_write,
	.key_write = shogi_key_write,
};

const struct position *mini_state_position(const struct game_state *state)
{
	return &state_read(state)->position;
}

const struct judge_rules *mini_state_judge(const struct game_state *state)
{
	return &rulesets[state_read(state)->ruleset].judge;
}

uint32_t mini_state_ply_limit(const struct game_state *state)
{
	return rulesets[state_read(state)->ruleset].ply_limit;
}

struct game_record mini_record(const struct position *pos, int by)
{
	return record_make(pos, by);
}

void mini_key_unpack(const struct game_key *key, struct position *pos)
{
	key_unpack(key, pos);
}
