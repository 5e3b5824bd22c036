/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "boxes/boxes.h"
#include "cli/play_show.h"
#include "shogi/shogi.h"
#include "usi/board_text.h"

static bool is_drawn(const struct boxes_position *position, int edge)
{
	return position->lines[edge] != BOXES_FREE;
}

/* "  +---+   +", the lines above or below a row of boxes. */
static void write_lines(
	const struct boxes_position *position, int row, enum boxes_side side, struct text *text)
{
	int columns = position->grid.columns;

	text_add(text, "  +");
	for (int column = 0; column < columns; column++) {
		int edge = boxes_box_edge(position->grid, row * columns + column, side);

		text_add(text, is_drawn(position, edge) ? "---+" : "   +");
	}
	text_add_char(text, '\n');
}

/* "1 | a |   |": boxes by who owns them, as in a position's text. */
static void write_boxes(const struct boxes_position *position, int row, struct text *text)
{
	int columns = position->grid.columns;
	int first = row * columns;

	text_add_number(text, row + 1);
	text_add_char(text, ' ');
	for (int box = first; box < first + columns; box++) {
		int left = boxes_box_edge(position->grid, box, BOXES_LEFT);
		int owner = position->owners[box];

		text_add(text, is_drawn(position, left) ? "| " : "  ");
		text_add_char(text, owner == BOXES_FREE ? ' ' : "ab*"[owner]);
		text_add_char(text, ' ');
	}
	if (is_drawn(position, boxes_box_edge(position->grid, first + columns - 1, BOXES_RIGHT)))
		text_add_char(text, '|');
	text_add_char(text, '\n');
}

static void write_grid(const struct game_state *state, struct text *text)
{
	const struct boxes_position *position = boxes_state_position(state);

	text_add_char(text, ' ');
	for (int column = 0; column < position->grid.columns; column++) {
		text_add(text, "   ");
		text_add_char(text, (char)('A' + column));
	}
	text_add_char(text, '\n');
	for (int row = 0; row < position->grid.rows; row++) {
		write_lines(position, row, BOXES_TOP, text);
		write_boxes(position, row, text);
	}
	write_lines(position, position->grid.rows - 1, BOXES_BOTTOM, text);
	text_add(text, "boxes: ");
	text_add_number(text, position->scores[0]);
	text_add(text, " of a, ");
	text_add_number(text, position->scores[1]);
	text_add(text, " of b\nposition: ");
	petits_carres.state_write(state, text);
	text_add_char(text, '\n');
}

static const struct board {
	const struct game_ops *ops;
	const char *sides[2];
	const char *moves;
	void (*write)(const struct game_state *state, struct text *text);
} boards[] = {
	{&mini_shogi, {"b", "w"}, "5d5c, 3b3a+, G*3c or resign", board_write},
	{&petits_carres, {"a", "b"}, "12 or A1R", write_grid},
};

/* Every game of the commands has its row. */
static const struct board *find_board(const struct game_ops *ops)
{
	const struct board *board = boards;

	while (board->ops != ops) {
		board++;
		assert(board < boards + sizeof(boards) / sizeof(boards[0]));
	}
	return board;
}

const char *play_side(const struct game_ops *ops, int player)
{
	return find_board(ops)->sides[player];
}

const char *play_moves(const struct game_ops *ops)
{
	return find_board(ops)->moves;
}

void play_board_write(const struct game_ops *ops, const struct game_state *state, struct text *text)
{
	find_board(ops)->write(state, text);
}
