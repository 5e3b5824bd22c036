/* SPDX-License-Identifier: MIT */

/* A sheet as a CSA text. */

/* Names that a reader would take for another header, or that it could not end. */
static inline bool csa_can_name(const char *name)
{
	char written[32];
	struct text text;

	if (strchr(name, ':'))
		return false;
	text_init(&text, written, sizeof(written));
	text_add_char(&text, '$');
	text_add(&text, name);
	text_add_char(&text, ':');
	for (size_t i = 0; !text.overflow && i < CSA_HEADERS; i++)
		if (strcmp(csa_headers[i].csa, written) == 0)
			return false;
	return true;
}

static inline void csa_write_header(struct game_header header, struct text *text)
{
	size_t i = 0;

	while (i < CSA_HEADERS && strcmp(csa_headers[i].header, header.name) != 0)
		i++;
	if (i < CSA_HEADERS) {
		text_add(text, csa_headers[i].csa);
	} else if (csa_can_name(header.name)) {
		text_add_char(text, '$');
		text_add(text, header.name);
		text_add_char(text, ':');
	} else {
		return;
	}
	text_add(text, header.value);
	text_add_char(text, '\n');
}

/* The players first, as the standard has it. */
static inline void csa_write_headers(const struct game_sheet *sheet, struct text *text)
{
	static const char *const players[] = {game_header_first, game_header_second};

	for (int i = 0; i < 2; i++) {
		const char *name = game_sheet_header_value(sheet, players[i]);

		if (name)
			csa_write_header((struct game_header){players[i], name}, text);
	}
	for (size_t i = 0; i < game_sheet_header_count(sheet); i++) {
		struct game_header header = game_sheet_header(sheet, i);

		if (strcmp(header.name, players[0]) != 0 && strcmp(header.name, players[1]) != 0)
			csa_write_header(header, text);
	}
}

static inline char csa_sign(int color)
{
	return color == 0 ? '+' : '-';
}

static inline void csa_write_square(int square, struct text *text)
{
	text_add_char(text, (char)('0' + SIDE - square % SIDE));
	text_add_char(text, (char)('1' + square / SIDE));
}

static inline void csa_write_board(const struct position *pos, struct text *text)
{
	for (int square = 0; square < SQUARES; square++) {
		if (square % SIDE == 0) {
			text_add_char(text, 'P');
			text_add_char(text, (char)('1' + square / SIDE));
		}
		if (position_occupied(pos) & square_bit(square)) {
			text_add_char(text, csa_sign(color_on(pos, square)));
			text_add(text, csa_kinds[kind_on(pos, square)]);
		} else {
			text_add(text, " * ");
		}
		if (square % SIDE == SIDE - 1)
			text_add_char(text, '\n');
	}
}

static inline void csa_write_hand(const struct position *pos, int color, struct text *text)
{
	bool empty = true;

	for (int type = 0; type < TYPES; type++) {
		for (int i = 0; i < hand_count(pos, color, type); i++) {
			if (empty) {
				text_add_char(text, 'P');
				text_add_char(text, csa_sign(color));
			}
			empty = false;
			text_add(text, "00");
			text_add(text, csa_kinds[type]);
		}
	}
	if (!empty)
		text_add_char(text, '\n');
}

static inline void csa_write_start(const struct position *pos, struct text *text)
{
	struct game_state usual = usual_start();

	if (same_position(pos, state_position(&usual))) {
		text_add(text, "PI\n");
	} else {
		csa_write_board(pos, text);
		csa_write_hand(pos, 0, text);
		csa_write_hand(pos, 1, text);
	}
	text_add_char(text, csa_sign(pos->turn));
	text_add_char(text, '\n');
}

static inline void csa_write_comment(const char *comment, struct text *text)
{
	while (comment) {
		const char *end = strchr(comment, '\n');

		text_add(text, "'*");
		text_add_bytes(text, comment, end ? (size_t)(end - comment) : strlen(comment));
		text_add_char(text, '\n');
		comment = end ? end + 1 : NULL;
	}
}

static inline void csa_write_move(const struct position *pos, struct move move, struct text *text)
{
	text_add_char(text, csa_sign(pos->turn));
	if (move_is_drop(move)) {
		text_add(text, "00");
		csa_write_square(move_to(move), text);
		text_add(text, csa_kinds[move_from(move) - SQUARES]);
	} else {
		int kind = kind_on(pos, move_from(move));

		csa_write_square(move_from(move), text);
		csa_write_square(move_to(move), text);
		text_add(text, csa_kinds[move_promotes(move) ? kind_of(kind, true) : kind]);
	}
	text_add_char(text, '\n');
}

/* A resignation is the last ply of its line and, here, the end of the game. */
static void write_csa(const struct game_sheet *sheet, struct text *text)
{
	struct sheet_walk walk = sheet_walk_begin(sheet);
	bool resigned = false;

	text_add(text, "V2.2\n");
	csa_write_headers(sheet, text);
	csa_write_start(state_position(&walk.state), text);
	csa_write_comment(game_sheet_comment(sheet, 0), text);
	while (!sheet_walk_done(&walk)) {
		struct game_action action = sheet_walk_action(&walk);
		int64_t time = game_sheet_time(sheet, walk.ply);

		resigned = action.code == ACTION_RESIGN;
		if (resigned)
			csa_write_end(sheet, text);
		else
			csa_write_move(state_position(&walk.state),
				(struct move){(uint16_t)action.code}, text);
		if (time >= 0) {
			text_add_char(text, 'T');
			write_seconds(time, text);
			text_add_char(text, '\n');
		}
		sheet_walk_next(&walk);
		csa_write_comment(game_sheet_comment(sheet, walk.ply), text);
	}
	if (!resigned)
		csa_write_end(sheet, text);
}
