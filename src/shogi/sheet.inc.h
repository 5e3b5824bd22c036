/* SPDX-License-Identifier: MIT */

/*
 * What the formats share: sheets that begin with a position, and going through a sheet ply by ply.
 * The board's own file defines, above this text: `ops`, its table of operations, and
 * `state_position`.
 */

static inline const struct position *sheet_position(const struct game_sheet *sheet)
{
	return state_position(game_line_state(game_sheet_line(sheet)));
}

/* The kind of the piece on an occupied square. */
static inline int kind_on(const struct position *pos, int square)
{
	return kind_of(type_on(pos, square), (pos->promoted & square_bit(square)) != 0);
}

/*
 * A sheet that begins with `pos`, put together by a reader; `line` is where it is read, for the
 * error of a position that cannot be.
 */
static inline enum status sheet_from_position(const char *ruleset, const struct position *pos,
	uint32_t number, uint32_t line, struct text_error *error, struct game_sheet **sheet)
{
	char sfen[GAME_SETUP_TEXT];
	struct text text;
	enum status status;

	text_init(&text, sfen, sizeof(sfen));
	sfen_write(pos, number, &text);
	status = game_sheet_setup(ops, ruleset, sfen, text.length, error, sheet);
	if (status != STATUS_OK)
		*error = (struct text_error){status, line, 1};
	return status;
}

/* Plays a move that stands in the text at `place`. */
static inline enum status sheet_play(struct game_sheet *sheet, struct move move,
	const struct reader *place, struct text_error *error)
{
	enum status status = game_sheet_play(sheet, (struct game_action){move.bits});

	return status == STATUS_OK ? status : reader_fail(place, status, error);
}

/* A walk through a sheet from its start: `state` is the one before the ply `ply`. */
struct sheet_walk {
	const struct game_line *line;
	size_t ply;
	struct game_state state;
};

static inline struct sheet_walk sheet_walk_begin(const struct game_sheet *sheet)
{
	const struct game_line *line = game_sheet_line(sheet);

	return (struct sheet_walk){line, 0, *game_line_start(line)};
}

static inline bool sheet_walk_done(const struct sheet_walk *walk)
{
	return walk->ply == game_line_plies(walk->line);
}

static inline struct game_action sheet_walk_action(const struct sheet_walk *walk)
{
	return game_line_action(walk->line, walk->ply);
}

static inline void sheet_walk_next(struct sheet_walk *walk)
{
	struct game_state next;
	struct game_record record;
	/* Without the history: the line went on from each of these positions. */
	enum status status = ops->play(&walk->state, NULL, sheet_walk_action(walk), &next, &record);

	assert(status == STATUS_OK);
	(void)status;
	walk->state = next;
	walk->ply++;
}
