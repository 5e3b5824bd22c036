/* SPDX-License-Identifier: MIT */
#pragma once

#include "boxes/boxes.h"

/*
 * What the table of operations says and hears: positions and lines as text, in the forms that
 * boxes.h describes, and as JSON. All text is refused with a status and a place in it.
 */

/* `*position` is written on STATUS_OK only. */
MUST_CHECK enum status boxes_position_read(
	const char *text, size_t length, struct text_error *error, struct boxes_position *position);
void boxes_position_write(const struct boxes_position *position, struct text *text);

/* Without players and owners: "2x2 100001101100". */
void boxes_bits_write(const struct boxes_position *position, struct text *text);

/* A line that the grid has; whether it is free is not asked. */
MUST_CHECK enum status boxes_edge_read(struct boxes_grid grid, const char *text, size_t length,
	struct text_error *error, int *edge);

/* The same from the members of {"type":"line","edge":12}; `bad` as in `action_read_members`. */
MUST_CHECK enum status boxes_edge_read_members(struct boxes_grid grid,
	const struct game_member *members, size_t count, const char **bad, int *edge);

/* The members of a state, the braces left out. */
void boxes_position_write_json(const struct boxes_position *position, struct text *text);

/* The ways to write games down, for the table. NULL at the end. */
extern const struct game_format *const boxes_formats[];
