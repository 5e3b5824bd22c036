/* SPDX-License-Identifier: MIT */

/* A sheet as a PGN. */

enum { PGN_COLUMNS = 80 };

/* The moves as they are written: words, a blank or an end of line between them. */
struct pgn_writer {
	struct text *text;
	size_t column;
};

/*
 * Makes room for a word of `length` bytes. No line begins with a %, within a comment either: many
 * readers take such a line for one to be read over.
 */
static inline void pgn_separate(struct pgn_writer *writer, size_t length, char first)
{
	bool full = writer->column > 0 && writer->column + 1 + length > PGN_COLUMNS;

	if (full && first != '%') {
		text_add_char(writer->text, '\n');
		writer->column = 0;
	} else {
		text_add_char(writer->text, ' ');
		writer->column++;
	}
}

static inline void pgn_add(struct pgn_writer *writer, const char *bytes, size_t length)
{
	text_add_bytes(writer->text, bytes, length);
	writer->column += length;
}

static inline void pgn_add_word(struct pgn_writer *writer, const char *word)
{
	if (writer->column)
		pgn_separate(writer, strlen(word), *word);
	pgn_add(writer, word, strlen(word));
}

static inline void pgn_end_line(struct pgn_writer *writer)
{
	if (writer->column)
		text_add_char(writer->text, '\n');
	writer->column = 0;
}

/* In braces: the first word with the one, the last with the other. */
static inline void pgn_add_braces(struct pgn_writer *writer, const char *line, size_t length)
{
	size_t at = 0;
	bool last;

	do {
		const char *blank = memchr(line + at, ' ', length - at);
		size_t end = blank ? (size_t)(blank - line) : length;
		bool first = at == 0;

		last = !blank;
		if (!first || writer->column)
			pgn_separate(writer, end - at + first + last, first ? '{' : line[at]);
		if (first)
			pgn_add(writer, "{", 1);
		pgn_add(writer, line + at, end - at);
		if (last)
			pgn_add(writer, "}", 1);
		at = end + 1;
	} while (!last);
}

/* After a ; where braces would end too early, or hold what a reader takes for a command. */
static inline void pgn_add_comment_line(struct pgn_writer *writer, const char *line, size_t length)
{
	if (!memchr(line, '}', length) && !pgn_has_command(line, length)) {
		pgn_add_braces(writer, line, length);
		return;
	}
	pgn_end_line(writer);
	pgn_add(writer, "; ", 2);
	pgn_add(writer, line, length);
	pgn_end_line(writer);
}

static inline void pgn_add_comment(struct pgn_writer *writer, const char *comment)
{
	while (comment) {
		const char *end = strchr(comment, '\n');

		pgn_add_comment_line(
			writer, comment, end ? (size_t)(end - comment) : strlen(comment));
		comment = end ? end + 1 : NULL;
	}
}

static inline void pgn_add_time(struct pgn_writer *writer, int64_t time)
{
	char word[PGN_COMMAND_MAX];
	struct text text;

	if (time < 0)
		return;
	text_init(&text, word, sizeof(word));
	text_add(&text, "{[%emt ");
	write_clock(time, &text);
	text_add(&text, "]}");
	pgn_add_word(writer, word);
}

static inline void pgn_write_tag(const char *name, const char *value, struct text *text)
{
	text_add_char(text, '[');
	text_add(text, name);
	text_add(text, " \"");
	for (const char *c = value; *c; c++) {
		if (*c == '"' || *c == '\\')
			text_add_char(text, '\\');
		text_add_char(text, *c);
	}
	text_add(text, "\"]\n");
}

/* Of the seven tags that stand in every PGN. */
static inline void pgn_write_roster_tag(
	const struct game_sheet *sheet, const char *header, const char *tag, struct text *text)
{
	const char *value = game_sheet_header_value(sheet, header);

	pgn_write_tag(tag, value ? value : "?", text);
}

/* Whether the header Begin has the form that the tags Date and Time say. */
static inline bool pgn_can_date(const char *begin)
{
	size_t length = strlen(begin);

	if (length <= PGN_DATE)
		return pgn_is_date(begin, length, '/');
	return pgn_is_date(begin, PGN_DATE, '/') && begin[PGN_DATE] == ' ' &&
	       pgn_is_time(begin + PGN_DATE + 1, length - PGN_DATE - 1);
}

static inline void pgn_write_date(const char *begin, struct text *text)
{
	char date[PGN_DATE + 1] = "????.??.??";

	for (size_t i = 0; begin && pgn_can_date(begin) && i < PGN_DATE; i++)
		date[i] = (char)(begin[i] == '/' ? '.' : begin[i]);
	pgn_write_tag(pgn_tags[PGN_TAG_DATE], date, text);
}

static inline void pgn_write_roster(const struct game_sheet *sheet, struct text *text)
{
	pgn_write_roster_tag(sheet, game_header_event, game_header_event, text);
	pgn_write_roster_tag(sheet, game_header_site, game_header_site, text);
	pgn_write_date(game_sheet_header_value(sheet, game_header_begin), text);
	pgn_write_roster_tag(sheet, pgn_round, pgn_round, text);
	for (int player = 0; player < 2; player++)
		pgn_write_roster_tag(
			sheet, pgn_players[player].header, pgn_players[player].tag, text);
	pgn_write_tag(pgn_tags[PGN_TAG_RESULT], pgn_results[pgn_written_result(sheet)], text);
}

/* The start, the time of day and why the game ended, where the other tags do not say it. */
static inline void pgn_write_game_tags(const struct game_sheet *sheet, struct text *text)
{
	const struct game_state *start = game_line_start(game_sheet_line(sheet));
	const char *begin = game_sheet_header_value(sheet, game_header_begin);
	enum pgn_termination termination = pgn_written_termination(sheet);

	pgn_write_tag(pgn_tags[PGN_TAG_VARIANT], pgn_variant, text);
	if (!fen_is_usual(start)) {
		char fen[GAME_SETUP_TEXT];
		struct text fen_text;

		text_init(&fen_text, fen, sizeof(fen));
		fen_write(start, &fen_text);
		pgn_write_tag(pgn_tags[PGN_TAG_SET_UP], "1", text);
		pgn_write_tag(pgn_tags[PGN_TAG_FEN], fen, text);
	}
	if (begin && pgn_can_date(begin) && strlen(begin) > PGN_DATE)
		pgn_write_tag(pgn_tags[PGN_TAG_TIME], begin + PGN_DATE + 1, text);
	if (termination != PGN_NORMAL)
		pgn_write_tag(pgn_tags[PGN_TAG_TERMINATION], pgn_terminations[termination], text);
}

/* Whether a header is a tag of its own name, and said by no other. */
static inline bool pgn_can_name(struct game_header header)
{
	static const char *const said[] = {game_header_first, game_header_second, game_header_event,
		game_header_site, pgn_round};
	size_t length = strlen(header.name);

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (strcmp(header.name, said[i]) == 0)
			return false;
	for (int player = 0; player < 2; player++)
		if (strcmp(header.name, pgn_players[player].tag) == 0)
			return false;
	if (!pgn_is_symbol(header.name, length))
		return false;
	return pgn_tag_of(header.name, length) == PGN_TAGS &&
	       !(strcmp(header.name, game_header_begin) == 0 && pgn_can_date(header.value));
}

/*
 * Counted from the full move of the start, as FEN says it: SFEN's own numbers may not go with the
 * sides, and stop at the highest.
 */
static inline size_t pgn_full_move(const struct sheet_walk *walk)
{
	const struct game_state *start = game_line_start(walk->line);

	return full_move_of(start) + (state_position(start)->turn + walk->ply) / 2;
}

static inline void pgn_add_number(
	struct pgn_writer *writer, const struct sheet_walk *walk, const char *dots)
{
	char word[32];
	struct text text;

	text_init(&text, word, sizeof(word));
	text_add_number(&text, (int64_t)pgn_full_move(walk));
	text_add(&text, dots);
	pgn_add_word(writer, word);
}

/* `alone`: what stands before the move is no move of the other side. */
static inline void pgn_add_move(
	struct pgn_writer *writer, const struct sheet_walk *walk, bool alone)
{
	const struct position *pos = state_position(&walk->state);
	char word[GAME_ACTION_TEXT];
	struct text text;

	if (pos->turn == 0)
		pgn_add_number(writer, walk, ".");
	else if (alone)
		pgn_add_number(writer, walk, "...");
	text_init(&text, word, sizeof(word));
	san_write(pos, (struct move){(uint16_t)sheet_walk_action(walk).code}, &text);
	pgn_add_word(writer, word);
}

/* The result stands where a resignation is played, else at the end. */
static inline void pgn_write_moves(const struct game_sheet *sheet, struct text *text)
{
	struct pgn_writer writer = {text, 0};
	struct sheet_walk walk = sheet_walk_begin(sheet);
	const char *result = pgn_results[pgn_written_result(sheet)];
	bool resigned = false;
	bool alone = true;

	pgn_add_comment(&writer, game_sheet_comment(sheet, 0));
	while (!sheet_walk_done(&walk)) {
		int64_t time = game_sheet_time(sheet, walk.ply);

		resigned = sheet_walk_action(&walk).code == ACTION_RESIGN;
		if (resigned)
			pgn_add_word(&writer, result);
		else
			pgn_add_move(&writer, &walk, alone);
		sheet_walk_next(&walk);
		pgn_add_time(&writer, time);
		pgn_add_comment(&writer, game_sheet_comment(sheet, walk.ply));
		alone = time >= 0 || game_sheet_comment(sheet, walk.ply);
	}
	if (!resigned)
		pgn_add_word(&writer, result);
	pgn_end_line(&writer);
}

static void write_pgn(const struct game_sheet *sheet, struct text *text)
{
	pgn_write_roster(sheet, text);
	pgn_write_game_tags(sheet, text);
	for (size_t i = 0; i < game_sheet_header_count(sheet); i++) {
		struct game_header header = game_sheet_header(sheet, i);

		if (pgn_can_name(header))
			pgn_write_tag(header.name, header.value, text);
	}
	text_add_char(text, '\n');
	pgn_write_moves(sheet, text);
}
