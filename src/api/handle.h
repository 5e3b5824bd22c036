/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/sheet.h"
#include "komadai/komadai.h"

/* `struct komadai_game` is never defined: its handles are sheets. */

static inline struct game_sheet *sheet_of(struct komadai_game *game)
{
	return (struct game_sheet *)(void *)game;
}

static inline const struct game_sheet *sheet_read(const struct komadai_game *game)
{
	return (const struct game_sheet *)(const void *)game;
}

static inline const struct game_line *line_read(const struct komadai_game *game)
{
	return game_sheet_line(sheet_read(game));
}

static inline struct komadai_game *handle_of(struct game_sheet *sheet)
{
	return (struct komadai_game *)(void *)sheet;
}
