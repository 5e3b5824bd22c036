/* SPDX-License-Identifier: MIT */
#include "shogi/mini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shogi/legality.inc.h"
#include "shogi/notation.inc.h"
#include "shogi/shogi.h"

/*
 * A position as text. What the reader accepts is written in one way only, which it reads again; and
 * from there every move of the generator is one that the separate check of single moves lets pass,
 * leads to a valid position, and changes the hash as it says.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_sfen: %s\n", what);
	abort();
}

static void require_place(const struct text_error *error, enum status status, size_t size)
{
	require(error->status == status && error->line == 1 && error->column >= 1 &&
			error->column <= size + 1,
		"an error without its place");
}

/* The door of the game says what the reader says. */
static void check_door(const char *text, size_t size, enum status expected)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct game_state state;
	struct game_record record;
	enum status status = mini_shogi.setup(NULL, text, size, &error, &state, &record);

	require(status == expected, "the game and the reader differ");
	if (status != STATUS_OK)
		require_place(&error, status, size);
}

static void check_text(const struct position *pos, uint32_t number)
{
	char first[GAME_SETUP_TEXT];
	char second[GAME_SETUP_TEXT];
	struct text text;
	struct text_error error;
	struct position again;
	uint32_t number_again;

	text_init(&text, first, sizeof(first));
	sfen_write(pos, number, &text);
	require(!text.overflow, "a position overflows its text");
	require(sfen_read(first, text.length, &error, &again, &number_again) == STATUS_OK,
		"what was written cannot be read");
	require(position_hash(&again) == position_hash(pos) && number_again == number,
		"another position was read");
	text_init(&text, second, sizeof(second));
	sfen_write(&again, number_again, &text);
	require(strcmp(first, second) == 0, "the text changed on its way");
}

static void check_move_text(struct move move)
{
	char buffer[GAME_ACTION_TEXT];
	struct text text;
	struct text_error error;
	struct move again;

	text_init(&text, buffer, sizeof(buffer));
	usi_write(move, &text);
	require(!text.overflow, "a move overflows its text");
	require(usi_read(buffer, text.length, &error, &again) == STATUS_OK &&
			again.bits == move.bits,
		"a move changed on its way");
}

static void check_moves(const struct position *pos)
{
	struct move list[MOVES_MAX];
	unsigned count = generate_moves(pos, list);

	require(count == count_moves(pos), "the counted moves are not the listed ones");
	for (unsigned i = 0; i < count; i++) {
		struct position next;

		require(move_refusal(pos, list[i]) == STATUS_OK, "a listed move is refused");
		check_move_text(list[i]);
		position_play(pos, list[i], &next);
		require(position_hash_after(pos, position_hash(pos), list[i]) ==
				position_hash(&next),
			"the hash kept is not the hash");
		require(position_is_valid(&next) == STATUS_OK, "a move leads to no position");
		check_text(&next, 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct position pos;
	uint32_t number;
	char *copy = malloc(size ? size : 1); /* exact, for the sanitizer */
	enum status status;

	require(copy != NULL, "no memory");
	if (size)
		memcpy(copy, data, size);
	status = sfen_read(copy, size, &error, &pos, &number);
	check_door(copy, size, status);
	free(copy);
	if (status != STATUS_OK) {
		require_place(&error, status, size);
		return 0;
	}
	check_text(&pos, number);
	check_moves(&pos);
	return 0;
}
