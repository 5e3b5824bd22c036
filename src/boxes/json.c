/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "boxes/notation.h"

/* Lines and states as JSON, in the shapes that the page and the server publish (docs/api.md). */

enum status boxes_edge_read_members(struct boxes_grid grid, const struct game_member *members,
	size_t count, const char **bad, int *edge)
{
	const struct game_member *type = NULL;
	const struct game_member *number = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct game_member **place = NULL;

		if (strcmp(members[i].name, "type") == 0)
			place = &type;
		else if (strcmp(members[i].name, "edge") == 0)
			place = &number;
		*bad = members[i].name;
		if (!place || *place)
			return STATUS_ACTION_MEMBER_UNKNOWN;
		*place = &members[i];
	}
	*bad = "type";
	if (!type)
		return STATUS_ACTION_MEMBER_MISSING;
	if (type->kind != GAME_MEMBER_TEXT)
		return STATUS_ACTION_MEMBER_VALUE;
	if (strcmp(type->text, "line") != 0)
		return STATUS_ACTION_TYPE;
	*bad = "edge";
	if (!number)
		return STATUS_ACTION_MEMBER_MISSING;
	if (number->kind != GAME_MEMBER_NUMBER)
		return STATUS_ACTION_MEMBER_VALUE;
	if (number->number < 0 || number->number >= boxes_edge_count(grid))
		return STATUS_LINE_NUMBER;
	*edge = (int)number->number;
	return STATUS_OK;
}

static void write_number(const char *name, int number, struct text *text)
{
	text_add(text, name);
	text_add_number(text, number);
}

/* A number that may be none. */
static void write_some(const char *name, bool some, int number, struct text *text)
{
	text_add(text, name);
	if (some)
		text_add_number(text, number);
	else
		text_add(text, "null");
}

static void write_owners(const char *name, const int8_t *owners, int count, struct text *text)
{
	text_add(text, name);
	for (int i = 0; i < count; i++) {
		text_add_char(text, i ? ',' : '[');
		text_add_number(text, owners[i]);
	}
	text_add_char(text, ']');
}

void boxes_position_write_json(const struct boxes_position *position, struct text *text)
{
	bool over = boxes_is_over(position);
	int leader = boxes_leader(position);

	write_number("\"rows\":", position->grid.rows, text);
	write_number(",\"cols\":", position->grid.columns, text);
	write_owners(",\"edges\":", position->lines, boxes_edge_count(position->grid), text);
	write_owners(",\"boxes\":", position->owners, boxes_count(position->grid), text);
	write_number(",\"scores\":[", position->scores[0], text);
	write_number(",", position->scores[1], text);
	write_number("],\"player\":", position->player, text);
	write_number(",\"moves\":", position->moves, text);
	write_some(",\"last\":", position->last >= 0, position->last, text);
	write_number(",\"captured\":", position->captured, text);
	text_add(text, over ? ",\"over\":true" : ",\"over\":false");
	write_some(",\"winner\":", over && leader >= 0, leader, text);
}
