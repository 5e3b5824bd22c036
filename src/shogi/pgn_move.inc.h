/* SPDX-License-Identifier: MIT */

/*
 * Moves in algebraic notation, as chess programs that also play shogi write it.
 *
 *      Pa3  Rxe2+  Gbc2  S4b3          piece, where from if need be, x for a capture, where to
 *      Bxe5=H  Pa5=G                   what it promotes to
 *      P@c3#                           a drop; + check, # mate
 *
 * Promoted pieces have the letter of what they move like: D dragon, H horse, and G for gold itself,
 * promoted silvers and pawns; so G says where from if any two of these can make the move. As `=`
 * says a promotion, a + at the end is always a check; refused where it cannot be one and the move
 * may promote.
 *
 * Read as well: +R, +B, +S and +P for promoted pieces, a pawn without its letter, and moves as
 * coordinates in UCI and USI, where a + promotes: a4a5+ and 5b5a+. Whether x, + and # are right is
 * not asked.
 */

/* What a move in letters says of itself. */
struct san {
	char letter;  /* as `san_letter`; 0: a promoted piece of the type `promoted` */
	char becomes; /* the letter after =; 0: none */
	int promoted;
	int from_file; /* -1: not said */
	int from_rank; /* likewise */
	int to;
};

static inline char san_promoted_letter(int type)
{
	return san_promoted_letters[type];
}

static inline char san_letter(const struct position *pos, int square)
{
	int type = type_on(pos, square);

	return pos->promoted & square_bit(square) ? san_promoted_letter(type) : type_letters[type];
}

static inline int square_file(int square)
{
	return square % SIDE;
}

/* From the bottom, 0 the lowest. */
static inline int square_rank(int square)
{
	return SIDE - 1 - square / SIDE;
}

/* Where the piece comes from, as far as its letter and `to` leave that open. */
static inline void san_write_origin(const struct position *pos, struct move move, struct text *text)
{
	struct move list[MOVES_MAX];
	unsigned count = generate_moves(pos, list);
	int from = move_from(move);
	char letter = san_letter(pos, from);
	bool others = false;
	bool same_file = false;
	bool same_rank = false;

	for (unsigned i = 0; i < count; i++) {
		int other = move_from(list[i]);

		if (other == from || move_is_drop(list[i]) || move_to(list[i]) != move_to(move) ||
			move_promotes(list[i]) != move_promotes(move) ||
			san_letter(pos, other) != letter)
			continue;
		others = true;
		same_file |= square_file(other) == square_file(from);
		same_rank |= square_rank(other) == square_rank(from);
	}
	if (others && (!same_file || same_rank))
		text_add_char(text, (char)('a' + square_file(from)));
	if (same_file)
		text_add_char(text, (char)('1' + square_rank(from)));
}

/* A legal move of `pos`. */
static inline void san_write(const struct position *pos, struct move move, struct text *text)
{
	struct position next;
	int from = move_from(move);

	if (move_is_drop(move)) {
		uci_write(move, text);
	} else {
		text_add_char(text, san_letter(pos, from));
		san_write_origin(pos, move, text);
		if (position_occupied(pos) & square_bit(move_to(move)))
			text_add_char(text, 'x');
		uci_write_square(move_to(move), text);
		if (move_promotes(move)) {
			text_add_char(text, '=');
			text_add_char(text, san_promoted_letter(type_on(pos, from)));
		}
	}
	position_play(pos, move, &next);
	if (position_in_check(&next, next.turn))
		text_add_char(text, position_is_mate(&next) ? '#' : '+');
}

/* A capital of a piece that stands on the board unpromoted; -1: none. */
static inline int san_take_type(struct reader *reader)
{
	int color;
	int type = read_letter(reader_peek(reader), &color);

	if (type < 0 || color != 0)
		return -1;
	reader->at++;
	return type;
}

/* The piece that moves, or nothing before the square: a pawn. */
static inline bool san_read_piece(struct reader *reader, struct san *san)
{
	char c = reader_peek(reader);

	if (reader_take(reader, '+')) {
		san->promoted = san_take_type(reader);
		return san->promoted >= 0 && type_promotes(san->promoted);
	}
	if (c >= 'a' && c <= 'z') {
		san->letter = type_letters[PAWN];
		return true;
	}
	san->letter = c;
	if (san_take_type(reader) >= 0)
		return true;
	return c && strchr(san_promoted_letters, c) && reader_take(reader, c);
}

static inline int san_take_file(struct reader *reader)
{
	char c = reader_peek(reader);

	if (c < 'a' || c >= 'a' + SIDE)
		return -1;
	reader->at++;
	return c - 'a';
}

static inline int san_take_rank(struct reader *reader)
{
	char c = reader_peek(reader);

	if (c < '1' || c >= '1' + SIDE)
		return -1;
	reader->at++;
	return c - '1';
}

/* Squares: where to, or before it all or a part of where from. */
static inline bool san_read_squares(struct reader *reader, struct san *san)
{
	int file = san_take_file(reader);
	int rank = san_take_rank(reader);
	bool separated = reader_take(reader, 'x') || reader_take(reader, '-');
	int to_file = san_take_file(reader);
	int to_rank = san_take_rank(reader);

	san->from_file = -1;
	san->from_rank = -1;
	if (to_file >= 0 || separated) {
		san->from_file = file;
		san->from_rank = rank;
		file = to_file;
		rank = to_rank;
	}
	if (file < 0 || rank < 0)
		return false;
	san->to = (SIDE - 1 - rank) * SIDE + file;
	return true;
}

static inline bool san_read_promotion(struct reader *reader, struct san *san)
{
	san->becomes = 0;
	if (!reader_take(reader, '='))
		return true;
	if (reader_take(reader, '+')) {
		int type = san_take_type(reader);

		if (type < 0 || !type_promotes(type))
			return false;
		san->becomes = san_promoted_letter(type);
		return true;
	}
	san->becomes = reader_peek(reader);
	return san->becomes && strchr(san_promoted_letters, san->becomes) &&
	       reader_take(reader, san->becomes);
}

/* What is said of a move after it: check, mate, good, bad. */
static inline void san_skip_marks(struct reader *reader)
{
	while (!reader_done(reader) && strchr("+#!?", reader_peek(reader)))
		reader->at++;
}

/* Whether the piece on a square of the side to move may be meant. */
static inline bool san_fits(const struct position *pos, const struct san *san, int square)
{
	if (san->letter) {
		if (san_letter(pos, square) != san->letter)
			return false;
	} else if (kind_on(pos, square) != kind_of(san->promoted, true)) {
		return false;
	}
	if (san->from_file >= 0 && san->from_file != square_file(square))
		return false;
	if (san->from_rank >= 0 && san->from_rank != square_rank(square))
		return false;
	return !san->becomes || (type_promotes(type_on(pos, square)) &&
					san_promoted_letter(type_on(pos, square)) == san->becomes);
}

/* The only piece on the board that may be meant, so that the rules say why not; or there is none.
 */
static inline enum status san_find_piece(
	const struct position *pos, const struct san *san, struct move *move)
{
	int found = NO_SQUARE;

	for (int square = 0; square < SQUARES; square++) {
		if (!(position_occupied(pos) & square_bit(square)) ||
			color_on(pos, square) != pos->turn || !san_fits(pos, san, square))
			continue;
		if (found != NO_SQUARE)
			return STATUS_SHEET_MOVE_NONE;
		found = square;
	}
	if (found == NO_SQUARE || found == san->to)
		return STATUS_SHEET_MOVE_NONE;
	*move = move_make(found, san->to, san->becomes != 0);
	return STATUS_OK;
}

static inline enum status san_find(
	const struct position *pos, const struct san *san, struct move *move)
{
	struct move list[MOVES_MAX];
	unsigned count = generate_moves(pos, list);
	bool found = false;

	for (unsigned i = 0; i < count; i++) {
		if (move_is_drop(list[i]) || move_to(list[i]) != san->to ||
			move_promotes(list[i]) != (san->becomes != 0) ||
			!san_fits(pos, san, move_from(list[i])))
			continue;
		if (found)
			return STATUS_SHEET_MOVE_AMBIGUOUS;
		*move = list[i];
		found = true;
	}
	return found ? STATUS_OK : san_find_piece(pos, san, move);
}

static inline bool san_is_usi(const struct reader *word)
{
	const char *text = word->text + word->at;

	return word->length - word->at >= 2 &&
	       ((text[0] >= '0' && text[0] <= '9') || text[1] == '*');
}

static inline bool san_is_uci(const struct reader *word)
{
	const char *text = word->text + word->at;

	return word->length - word->at >= 4 &&
	       (text[1] == '@' || (text[0] >= 'a' && text[0] <= 'z' && text[1] >= '0' &&
					  text[1] <= '9' && text[2] >= 'a' && text[2] <= 'z' &&
					  text[3] >= '0' && text[3] <= '9'));
}

static inline enum status san_read_usi(
	struct reader *word, struct text_error *error, struct move *move)
{
	const char *text = word->text + word->at;
	size_t length = word->length - word->at;
	size_t used = length > 4 && text[4] == '+' ? 5 : 4;

	if (length < used || usi_read(text, used, error, move) != STATUS_OK)
		return reader_fail(word, STATUS_SHEET_MOVE, error);
	word->at += used;
	return STATUS_OK;
}

/*
 * Whether a + behind the move may say that it promotes, as other shogi programs write it: it could,
 * and it gives no check.
 */
static inline bool san_may_promote(const struct position *pos, struct move move)
{
	struct move promotion = move_make(move_from(move), move_to(move), true);
	struct position next;

	if (move_is_drop(move) || move_promotes(move) || move_refusal(pos, promotion) != STATUS_OK)
		return false;
	position_play(pos, move, &next);
	return !position_in_check(&next, next.turn);
}

static inline enum status san_read_letters(const struct position *pos, struct reader *word,
	struct text_error *error, struct move *move)
{
	struct reader place = *word;
	struct san san = {.promoted = -1};
	enum status status;
	bool plus;

	if (!san_read_piece(word, &san) || !san_read_squares(word, &san) ||
		!san_read_promotion(word, &san))
		return reader_fail(&place, STATUS_SHEET_MOVE, error);
	plus = reader_peek(word) == '+';
	san_skip_marks(word);
	if (!reader_done(word))
		return reader_fail(&place, STATUS_SHEET_MOVE, error);
	status = san_find(pos, &san, move);
	if (status == STATUS_OK && plus && san_may_promote(pos, *move))
		status = STATUS_SHEET_MOVE_AMBIGUOUS;
	return status == STATUS_OK ? status : reader_fail(&place, status, error);
}

/* Reads all of `word`. In letters a move is legal, or the rules can say why not. */
static inline enum status san_read(const struct position *pos, struct reader *word,
	struct text_error *error, struct move *move)
{
	struct reader place = *word;
	enum status status;

	if (san_is_usi(word))
		status = san_read_usi(word, error, move);
	else if (san_is_uci(word))
		status = uci_read(word, error, move);
	else
		return san_read_letters(pos, word, error, move);
	if (status != STATUS_OK)
		return status;
	san_skip_marks(word);
	return reader_done(word) ? STATUS_OK : reader_fail(&place, STATUS_SHEET_MOVE, error);
}
