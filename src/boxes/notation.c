/* SPDX-License-Identifier: MIT */
#include "boxes/notation.h"

#include <assert.h>
#include <string.h>

#include "base/reader.h"

/* The owner of each mark, from BOXES_FREE on: free, player 0, player 1, nobody. */
static const char marks[] = "0ab1";

static char owner_mark(int owner)
{
	return marks[owner - BOXES_FREE];
}

static bool read_mark(char c, int8_t *owner)
{
	const char *mark = c ? strchr(marks, c) : NULL;

	if (!mark)
		return false;
	*owner = (int8_t)(mark - marks + BOXES_FREE);
	return true;
}

static bool ends_field(const struct reader *reader)
{
	return reader_done(reader) || reader_peek(reader) == ' ';
}

/* One digit, which the grid must be able to have. */
static bool take_side(struct reader *reader, uint8_t *side)
{
	char c = reader_peek(reader);

	if (c < '1' || c > '0' + BOXES_SIDE_MAX)
		return false;
	*side = (uint8_t)(c - '0');
	reader->at++;
	return true;
}

static enum status read_grid(
	struct reader *reader, struct text_error *error, struct boxes_grid *grid)
{
	if (!take_side(reader, &grid->rows) || !reader_take(reader, 'x') ||
		!take_side(reader, &grid->columns) || !ends_field(reader))
		return reader_fail(reader, STATUS_GRID_SIZE, error);
	return STATUS_OK;
}

/* Reads `count` marks up to a blank or the end: `bad` is no mark, `miscounted` not that many. */
static enum status read_marks(struct reader *reader, int count, enum status bad,
	enum status miscounted, struct text_error *error, int8_t *owners)
{
	for (int i = 0; i < count; i++) {
		if (ends_field(reader))
			return reader_fail(reader, miscounted, error);
		if (!read_mark(reader_peek(reader), &owners[i]))
			return reader_fail(reader, bad, error);
		reader->at++;
	}
	return ends_field(reader) ? STATUS_OK : reader_fail(reader, miscounted, error);
}

static enum status read_player(struct reader *reader, struct text_error *error, uint8_t *player)
{
	if (reader_take(reader, '1'))
		*player = 1;
	else if (!reader_take(reader, '0'))
		return reader_fail(reader, STATUS_GRID_PLAYER, error);
	return ends_field(reader) ? STATUS_OK : reader_fail(reader, STATUS_GRID_PLAYER, error);
}

static enum status read_boxes(
	struct reader *reader, struct text_error *error, struct boxes_position *position)
{
	int count = boxes_count(position->grid);
	struct reader place = *reader;
	enum status status = read_marks(
		reader, count, STATUS_GRID_BOX, STATUS_GRID_BOX_COUNT, error, position->owners);

	if (status != STATUS_OK)
		return status;
	for (int box = 0; box < count; box++, place.at++) {
		bool owned = position->owners[box] != BOXES_FREE;

		if (owned != boxes_is_closed(position, box))
			return reader_fail(&place, STATUS_GRID_BOX_LINES, error);
		if (owned && position->owners[box] != BOXES_NOBODY)
			position->scores[position->owners[box]]++;
	}
	return STATUS_OK;
}

static struct boxes_position empty_position(struct boxes_grid grid)
{
	struct boxes_position position = {.grid = grid, .last = -1};

	memset(position.lines, BOXES_FREE, sizeof(position.lines));
	memset(position.owners, BOXES_FREE, sizeof(position.owners));
	return position;
}

static void give_closed_boxes_to_nobody(struct boxes_position *position)
{
	for (int box = 0; box < boxes_count(position->grid); box++)
		if (boxes_is_closed(position, box))
			position->owners[box] = BOXES_NOBODY;
}

enum status boxes_position_read(
	const char *text, size_t length, struct text_error *error, struct boxes_position *position)
{
	struct reader reader = reader_of(text, length);
	struct boxes_position made;
	struct boxes_grid grid;
	enum status status;

	if (length == 0)
		return reader_fail(&reader, STATUS_TEXT_EMPTY, error);
	status = read_grid(&reader, error, &grid);
	if (status != STATUS_OK)
		return status;
	made = empty_position(grid);
	if (reader_take(&reader, ' '))
		status = read_marks(&reader, boxes_edge_count(grid), STATUS_GRID_LINE,
			STATUS_GRID_LINE_COUNT, error, made.lines);
	if (status == STATUS_OK && reader_take(&reader, ' '))
		status = read_player(&reader, error, &made.player);
	if (status == STATUS_OK && reader_take(&reader, ' '))
		status = read_boxes(&reader, error, &made);
	else if (status == STATUS_OK)
		give_closed_boxes_to_nobody(&made);
	if (status != STATUS_OK)
		return status;
	if (!reader_done(&reader))
		return reader_fail(&reader, STATUS_TEXT_TRAILING, error);
	*position = made;
	return STATUS_OK;
}

static void write_grid(struct boxes_grid grid, struct text *text)
{
	text_add_number(text, grid.rows);
	text_add_char(text, 'x');
	text_add_number(text, grid.columns);
}

static void write_marks(const int8_t *owners, int count, struct text *text)
{
	text_add_char(text, ' ');
	for (int i = 0; i < count; i++)
		text_add_char(text, owner_mark(owners[i]));
}

static bool any_is_a_players(const int8_t *owners, int count)
{
	for (int i = 0; i < count; i++)
		if (owners[i] == 0 || owners[i] == 1)
			return true;
	return false;
}

static bool all_are_free(const int8_t *owners, int count)
{
	for (int i = 0; i < count; i++)
		if (owners[i] != BOXES_FREE)
			return false;
	return true;
}

void boxes_position_write(const struct boxes_position *position, struct text *text)
{
	int edges = boxes_edge_count(position->grid);
	int boxes = boxes_count(position->grid);

	write_grid(position->grid, text);
	if (position->player == 0 && all_are_free(position->lines, edges))
		return;
	write_marks(position->lines, edges, text);
	if (position->player == 0 && !any_is_a_players(position->lines, edges) &&
		!any_is_a_players(position->owners, boxes))
		return;
	text_add_char(text, ' ');
	text_add_number(text, position->player);
	write_marks(position->owners, boxes, text);
}

void boxes_bits_write(const struct boxes_position *position, struct text *text)
{
	write_grid(position->grid, text);
	text_add_char(text, ' ');
	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++)
		text_add_char(text, position->lines[edge] == BOXES_FREE ? '0' : '1');
}

/* Digits without leading zeros; a number beyond any grid's is as good as BOXES_EDGES_MAX. */
static enum status read_number(
	struct boxes_grid grid, struct reader *reader, struct text_error *error, int *edge)
{
	struct reader place = *reader;
	int number = 0;

	if (reader_take(reader, '0') && reader_peek(reader) >= '0' && reader_peek(reader) <= '9')
		return reader_fail(&place, STATUS_LINE_SYNTAX, error);
	for (char c; (c = reader_peek(reader)) >= '0' && c <= '9'; reader->at++)
		if (number < BOXES_EDGES_MAX)
			number = number * 10 + (c - '0');
	if (!reader_done(reader))
		return reader_fail(reader, STATUS_TEXT_TRAILING, error);
	if (number >= boxes_edge_count(grid))
		return reader_fail(&place, STATUS_LINE_NUMBER, error);
	*edge = number;
	return STATUS_OK;
}

/* By enum boxes_side. */
static const char side_letters[] = "TRBL";

static char capital(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* A letter and a digit. */
static enum status read_box(
	struct boxes_grid grid, struct reader *reader, struct text_error *error, int *box)
{
	struct reader row = *reader;
	int column = capital(reader_peek(reader)) - 'A';
	char digit;

	row.at++;
	digit = reader_peek(&row);
	if (digit < '0' || digit > '9')
		return reader_fail(&row, STATUS_LINE_SYNTAX, error);
	if (column >= grid.columns)
		return reader_fail(reader, STATUS_LINE_BOX, error);
	if (digit < '1' || digit > '0' + grid.rows)
		return reader_fail(&row, STATUS_LINE_BOX, error);
	*box = (digit - '1') * grid.columns + column;
	reader->at += 2;
	return STATUS_OK;
}

static enum status read_name(
	struct boxes_grid grid, struct reader *reader, struct text_error *error, int *edge)
{
	const char *side;
	char letter;
	int box;
	enum status status = read_box(grid, reader, error, &box);

	if (status != STATUS_OK)
		return status;
	letter = capital(reader_peek(reader));
	side = letter ? strchr(side_letters, letter) : NULL;
	if (!side)
		return reader_fail(reader, STATUS_LINE_SIDE, error);
	reader->at++;
	if (!reader_done(reader))
		return reader_fail(reader, STATUS_TEXT_TRAILING, error);
	*edge = boxes_box_edge(grid, box, (enum boxes_side)(side - side_letters));
	return STATUS_OK;
}

enum status boxes_edge_read(struct boxes_grid grid, const char *text, size_t length,
	struct text_error *error, int *edge)
{
	struct reader reader = reader_of(text, length);
	char first = capital(reader_peek(&reader));

	if (length == 0)
		return reader_fail(&reader, STATUS_TEXT_EMPTY, error);
	if (first >= '0' && first <= '9')
		return read_number(grid, &reader, error, edge);
	if (first >= 'A' && first <= 'Z')
		return read_name(grid, &reader, error, edge);
	return reader_fail(&reader, STATUS_LINE_SYNTAX, error);
}

void boxes_edge_name(struct boxes_grid grid, int edge, char name[BOXES_EDGE_NAME])
{
	int boxes[2];
	int side = BOXES_TOP;

	(void)boxes_edge_boxes(grid, edge, boxes);
	while (boxes_box_edge(grid, boxes[0], (enum boxes_side)side) != edge)
		side++;
	assert(side < BOXES_SIDES);
	name[0] = (char)('A' + boxes[0] % grid.columns);
	name[1] = (char)('1' + boxes[0] / grid.columns);
	name[2] = side_letters[side];
	name[3] = 0;
}
