/* SPDX-License-Identifier: MIT */

/*
 * Properties of the rules that hold in every position, tried along random games from both starts
 * and from random set-ups, missing kings and few pieces included. KOMADAI_TEST_PLIES says how many
 * plies, KOMADAI_TEST_SEED where to begin; a failure prints both the seed and the position.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "shogi/mini.h"

#include "shogi/legality.inc.h"
#include "shogi/notation.inc.h"
#include "shogi/perft.inc.h"

enum {
	PLIES = 2000000, /* of the cheap properties, without the option */
	/* One ply in so many is put to the properties that try every conceivable move. */
	THOROUGH_EVERY = 400,
	GAME_PLIES = 200, /* after which a game is given up for another */
};

static uint64_t seed = 5515;

static uint64_t read_option(const char *name, uint64_t usual)
{
	const char *value = getenv(name);
	char *end;
	uint64_t number;

	if (!value)
		return usual;
	number = strtoull(value, &end, 10);
	if (end == value || *end)
		fail_msg("%s must be a number, not \"%s\"", name, value);
	return number;
}

static void require(bool holds, const struct position *pos, const char *what)
{
	char sfen[GAME_SETUP_TEXT];
	struct text text;

	if (holds)
		return;
	text_init(&text, sfen, sizeof(sfen));
	sfen_write(pos, 1, &text);
	fail_msg("seed %" PRIu64 ": %s: %s", seed, sfen, what);
}

static bool same_position(const struct position *a, const struct position *b)
{
	return memcmp(a->type, b->type, sizeof(a->type)) == 0 &&
	       memcmp(a->color, b->color, sizeof(a->color)) == 0 &&
	       memcmp(a->hand, b->hand, sizeof(a->hand)) == 0 &&
	       memcmp(a->king, b->king, sizeof(a->king)) == 0 && a->promoted == b->promoted &&
	       a->turn == b->turn;
}

static struct position position_of(const char *sfen)
{
	struct position pos;
	struct text_error error;
	uint32_t number;

	assert_int_equal(sfen_read(sfen, strlen(sfen), &error, &pos, &number), STATUS_OK);
	return pos;
}

/* A piece on a square that is free or in a hand, anywhere, legal or not. */
static void scatter(struct random *random, struct position *pos, int type)
{
	int color = (int)random_below(random, 2);
	int square = (int)random_below(random, SQUARES);

	if (type != KING && random_below(random, 3) == 0)
		position_set_hand(pos, color, type, hand_count(pos, color, type) + 1);
	else if (!(position_occupied(pos) & square_bit(square)))
		position_put(
			pos, color, type, type_promotes(type) && random_below(random, 2), square);
}

/* Any material that the rules allow; now and then a king is missing. */
static struct position random_setup(struct random *random)
{
	struct position pos;

	do {
		position_clear(&pos);
		for (int color = 0; color < 2; color++) {
			int square = (int)random_below(random, SQUARES);

			if (random_below(random, 8) &&
				!(position_occupied(&pos) & square_bit(square)))
				position_put(&pos, color, KING, false, square);
		}
		for (int type = 0; type < TYPES; type++)
			for (uint32_t left = random_below(random, TYPE_TOTAL + 1); left > 0; left--)
				scatter(random, &pos, type);
		if (random_below(random, 2))
			position_pass_turn(&pos);
	} while (position_is_valid(&pos) != STATUS_OK);
	return pos;
}

/* How many of each type there are, kings last; packed, so that one comparison tells. */
static uint64_t material(const struct position *pos)
{
	uint64_t sum = (uint64_t)count_squares(position_occupied(pos));

	for (int type = 0; type < TYPES; type++) {
		int held = hand_count(pos, 0, type) + hand_count(pos, 1, type);

		sum += (uint64_t)held;
		sum |= (uint64_t)(count_squares(pos->type[type]) + held) << (8 * (type + 1));
	}
	return sum;
}

static void check_boards(const struct position *pos)
{
	bitboard seen = 0;

	require(!(pos->color[0] & pos->color[1]), pos, "a square of both sides");
	for (int type = 0; type < TYPES; type++) {
		require(!(seen & pos->type[type]), pos, "a square of two types");
		seen |= pos->type[type];
	}
	for (int color = 0; color < 2; color++) {
		bitboard king = pos->king[color] == NO_SQUARE ? 0 : square_bit(pos->king[color]);

		require(!(seen & king), pos, "a king on another piece");
		require(!(king & ~pos->color[color]), pos, "a king of the other colour");
		seen |= king;
	}
	require(seen == position_occupied(pos), pos, "types and colours cover other squares");
	require(!(pos->promoted & ~(seen & ~pos->type[GOLD])), pos, "a promoted gold or nothing");
}

/* Whether a piece of the other side attacks the king, asked of one piece after the other. */
static bool checked_by_a_piece(const struct position *pos, int color)
{
	bitboard occupied = position_occupied(pos);

	if (pos->king[color] == NO_SQUARE)
		return false;
	for (bitboard rest = pos->color[!color]; rest; rest &= rest - 1)
		if (piece_attacks(pos, first_square(rest), occupied) & square_bit(pos->king[color]))
			return true;
	return false;
}

static int compare_moves(const void *a, const void *b)
{
	return (int)((const struct move *)a)->bits - (int)((const struct move *)b)->bits;
}

/* The legal moves in order, each once. */
static unsigned sorted_moves(const struct position *pos, struct move list[MOVES_MAX])
{
	unsigned count = generate_moves(pos, list);

	qsort(list, count, sizeof(list[0]), compare_moves);
	for (unsigned i = 1; i < count; i++)
		require(list[i - 1].bits < list[i].bits, pos, "a move is listed twice");
	return count;
}

/* Every (from, to, promote) and every (drop, to): accepted alone exactly when it is listed. */
static void check_list_against_single_moves(
	const struct position *pos, const struct move *sorted, unsigned count)
{
	unsigned accepted = 0;

	for (int from = 0; from < SQUARES + TYPES; from++) {
		for (int to = 0; to < SQUARES; to++) {
			for (int promote = 0; promote < (from < SQUARES ? 2 : 1); promote++) {
				struct move move = move_make(from, to, promote);

				if (from == to || move_refusal(pos, move) != STATUS_OK)
					continue;
				accepted++;
				require(bsearch(&move, sorted, count, sizeof(move), compare_moves),
					pos, "a move is accepted that is not listed");
			}
		}
	}
	require(accepted == count, pos, "a listed move is refused");
}

/* The same position with the board turned round and the sides exchanged. */
static struct position rotate(const struct position *pos)
{
	struct position turned;

	position_clear(&turned);
	for (bitboard rest = position_occupied(pos); rest; rest &= rest - 1) {
		int square = first_square(rest);

		position_put(&turned, !color_on(pos, square), type_on(pos, square),
			(pos->promoted & square_bit(square)) != 0, SQUARES - 1 - square);
	}
	for (int color = 0; color < 2; color++)
		for (int type = 0; type < TYPES; type++)
			position_set_hand(&turned, !color, type, hand_count(pos, color, type));
	if (pos->turn == 0)
		position_pass_turn(&turned);
	return turned;
}

static struct move rotate_move(struct move move)
{
	int from = move_from(move);

	return move_make(from < SQUARES ? SQUARES - 1 - from : from, SQUARES - 1 - move_to(move),
		move_promotes(move));
}

static void check_rotation(const struct position *pos, const struct move *sorted, unsigned count)
{
	struct position turned = rotate(pos);
	struct move list[MOVES_MAX];
	unsigned turned_count = generate_moves(&turned, list);

	for (unsigned i = 0; i < turned_count; i++)
		list[i] = rotate_move(list[i]);
	qsort(list, turned_count, sizeof(list[0]), compare_moves);
	require(turned_count == count && memcmp(list, sorted, count * sizeof(list[0])) == 0, pos,
		"the board turned round has other moves");
}

/* The positions that perft makes in place are those that the moves lead to. */
static void check_children(const struct position *pos, const struct move *sorted, unsigned count)
{
	struct position children[MOVES_MAX];
	unsigned made =
		pos->turn == 0 ? children_first(pos, children) : children_second(pos, children);

	require(made == count, pos, "there are more or fewer children than moves");
	for (unsigned i = 0; i < count; i++) {
		struct position next;
		unsigned found = 0;

		position_play(pos, sorted[i], &next);
		while (found < made && !same_position(&children[found], &next))
			found++;
		require(found < made, pos, "a move leads to no child");
		children[found] = children[--made];
	}
}

static void check_text_and_key(const struct position *pos)
{
	char sfen[GAME_SETUP_TEXT];
	struct position again;
	struct text text;
	struct game_record record = mini_record(pos, !pos->turn);

	text_init(&text, sfen, sizeof(sfen));
	sfen_write(pos, 1, &text);
	again = position_of(sfen);
	require(same_position(pos, &again), pos, "its text is read as another position");
	mini_key_unpack(&record.key, &again);
	require(same_position(pos, &again), pos, "its key is that of another position");
	require(record.check == position_in_check(pos, pos->turn), pos, "its record is wrong");
}

static void check_thoroughly(const struct position *pos)
{
	struct move sorted[MOVES_MAX];
	unsigned count = sorted_moves(pos, sorted);

	check_list_against_single_moves(pos, sorted, count);
	check_rotation(pos, sorted, count);
	check_children(pos, sorted, count);
	check_text_and_key(pos);
}

/* A random game under way. */
struct walk {
	struct random random;
	struct position pos;
	uint64_t hash; /* kept from move to move */
	uint64_t material;
	int plies;
};

static void walk_begin(struct walk *walk)
{
	switch (random_below(&walk->random, 4)) {
	case 0:
		walk->pos = position_of("rbsgk/4p/5/P4/KGSBR b - 1");
		break;
	case 1:
		walk->pos = position_of("rbsgk/p4/5/4P/KGSBR b - 1");
		break;
	default:
		walk->pos = random_setup(&walk->random);
		break;
	}
	walk->hash = position_hash(&walk->pos);
	walk->material = material(&walk->pos);
	walk->plies = 0;
}

static void walk_check(const struct walk *walk)
{
	const struct position *pos = &walk->pos;

	check_boards(pos);
	require(position_is_valid(pos) == STATUS_OK, pos, "a move led to no valid position");
	require(walk->hash == position_hash(pos), pos, "the hash kept is not the hash");
	require(walk->material == material(pos), pos, "a piece came or went");
	for (int color = 0; color < 2; color++)
		require(position_in_check(pos, color) == checked_by_a_piece(pos, color), pos,
			"the check test and the pieces disagree");
}

static void walk_on(struct walk *walk)
{
	struct move list[MOVES_MAX];
	unsigned count = generate_moves(&walk->pos, list);
	struct position next;
	struct move move;

	require(count_moves(&walk->pos) == count, &walk->pos, "counted and listed moves differ");
	if (count == 0 || walk->plies == GAME_PLIES) {
		walk_begin(walk);
		return;
	}
	move = list[random_below(&walk->random, count)];
	walk->hash = position_hash_after(&walk->pos, walk->hash, move);
	position_play(&walk->pos, move, &next);
	walk->pos = next;
	walk->plies++;
}

static void test_positions__keep_every_property_along_random_games(void **context)
{
	uint64_t plies = read_option("KOMADAI_TEST_PLIES", PLIES);
	struct walk walk;

	(void)context;
	seed = read_option("KOMADAI_TEST_SEED", seed);
	walk.random = (struct random){seed};
	walk_begin(&walk);
	for (uint64_t ply = 0; ply < plies; ply++) {
		walk_check(&walk);
		if (ply % THOROUGH_EVERY == 0)
			check_thoroughly(&walk.pos);
		walk_on(&walk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_positions__keep_every_property_along_random_games),
	};

	return cmocka_run_group_tests_name("mini_properties", tests, NULL, NULL);
}
