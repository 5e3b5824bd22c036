/* SPDX-License-Identifier: MIT */

/* The tags of a PGN: [Name "value"]. */

/* Tags that say something of the game itself, or of its date; they are no headers. */
enum pgn_tag {
	PGN_TAG_VARIANT,
	PGN_TAG_FEN,
	PGN_TAG_SET_UP,
	PGN_TAG_RESULT,
	PGN_TAG_TERMINATION,
	PGN_TAG_DATE,
	PGN_TAG_UTC_DATE,
	PGN_TAG_TIME,
	PGN_TAG_UTC_TIME,
	PGN_TAGS
};

static const char *const pgn_tags[PGN_TAGS] = {
	"Variant", "FEN", "SetUp", "Result", "Termination", "Date", "UTCDate", "Time", "UTCTime"};

/* White and Black are the headers First and Second. */
static const struct {
	const char *header;
	const char *tag;
} pgn_players[] = {{game_header_first, "White"}, {game_header_second, "Black"}};

/* One of the seven tags of every PGN that is no header of other formats. */
static const char pgn_round[] = "Round";

/* A tag read: its name in the text, its value in the scratch. */
struct pgn_tag_text {
	const char *name;
	size_t name_length;
	struct reader place; /* at the first byte of the value, for errors */
};

static inline bool pgn_name_has(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_+#=:-", c));
}

/* What the standard lets a tag be named; a reader takes names with another first character too. */
static inline bool pgn_is_symbol(const char *name, size_t length)
{
	if (length == 0 || strchr("_+#=:-", *name))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!pgn_name_has(name[i]))
			return false;
	return true;
}

static inline bool pgn_is(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* One of `pgn_tags`; PGN_TAGS: another. */
static inline enum pgn_tag pgn_tag_of(const char *name, size_t length)
{
	int tag = 0;

	while (tag < PGN_TAGS && !pgn_is(name, length, pgn_tags[tag]))
		tag++;
	return (enum pgn_tag)tag;
}

/* "2026.11.30", of which month and day may be unknown: with ? for digits. */
static inline bool pgn_is_date(const char *text, size_t length, char separator)
{
	if (length != PGN_DATE)
		return false;
	for (size_t i = 0; i < PGN_DATE; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (i == 4 || i == 7 ? text[i] != separator : !digit && (i < 4 || text[i] != '?'))
			return false;
	}
	return true;
}

static inline bool pgn_is_time(const char *text, size_t length)
{
	if (length != PGN_TIME)
		return false;
	for (size_t i = 0; i < PGN_TIME; i++)
		if (i == 2 || i == 5 ? text[i] != ':' : text[i] < '0' || text[i] > '9')
			return false;
	return true;
}

/* "minishogi" in any letters, with blanks, dashes or underscores anywhere. */
static inline bool pgn_is_variant(const char *text, size_t length)
{
	const char *known = pgn_variant;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == ' ' || text[i] == '-' || text[i] == '_')
			continue;
		if (ascii_lower(text[i]) != *known++)
			return false;
	}
	return !*known;
}

/* From the quotation mark on; the value without it and without its escapes goes to the scratch. */
static inline bool pgn_read_value(struct pgn_reader *pgn)
{
	struct reader *line = &pgn->line;

	pgn->scratch_length = 0;
	if (!reader_take(line, '"'))
		return false;
	while (!reader_take(line, '"')) {
		if (reader_done(line))
			return false;
		if (reader_peek(line) == '\\' && line->at + 1 < line->length &&
			strchr("\"\\", line->text[line->at + 1]))
			line->at++;
		pgn->scratch[pgn->scratch_length++] = line->text[line->at++];
	}
	return true;
}

static inline enum status pgn_read_tag_text(
	struct pgn_reader *pgn, struct text_error *error, struct pgn_tag_text *tag)
{
	struct reader *line = &pgn->line;

	line->at++;
	reader_skip_blanks(line);
	tag->name = line->text + line->at;
	while (pgn_name_has(reader_peek(line)))
		line->at++;
	tag->name_length = (size_t)(line->text + line->at - tag->name);
	reader_skip_blanks(line);
	tag->place = *line;
	if (tag->name_length == 0 || !pgn_read_value(pgn))
		return reader_fail(&tag->place, STATUS_SHEET_HEADER, error);
	tag->place.at++;
	reader_skip_blanks(line);
	return reader_take(line, ']') ? STATUS_OK : pgn_fail(pgn, STATUS_SHEET_HEADER, error);
}

static inline enum status pgn_read_fen(
	struct pgn_reader *pgn, const struct reader *place, struct text_error *error)
{
	struct reader fen = reader_of(pgn->scratch, pgn->scratch_length);
	enum status status = fen_read(&fen, error, &pgn->pos, &pgn->number);

	if (status != STATUS_OK) {
		error->line = place->line;
		error->column += (uint32_t)place->at;
	}
	pgn->fen = *place;
	return status;
}

/* For its form, and for what is to be known before the sheet begins. */
static inline enum status pgn_check_tag(struct pgn_reader *pgn, enum pgn_tag tag,
	const struct reader *place, struct text_error *error)
{
	const char *value = pgn->scratch;
	size_t length = pgn->scratch_length;

	if (tag != PGN_TAGS && (pgn->tags & 1U << tag))
		return reader_fail(place, STATUS_SHEET_HEADER_TWICE, error);
	pgn->tags |= 1U << tag;
	switch (tag) {
	case PGN_TAG_VARIANT:
		if (!pgn_is_variant(value, length))
			return reader_fail(place, STATUS_SHEET_OTHER_GAME, error);
		return STATUS_OK;
	case PGN_TAG_FEN:
		return pgn_read_fen(pgn, place, error);
	case PGN_TAG_SET_UP:
		if (pgn_is(value, length, "1"))
			pgn->set_up = *place;
		return STATUS_OK;
	case PGN_TAG_RESULT:
		pgn->result = pgn_result_of(value, length);
		if (pgn->result == PGN_RESULTS && !pgn_is(value, length, "?"))
			return reader_fail(place, STATUS_SHEET_HEADER, error);
		return STATUS_OK;
	case PGN_TAG_TERMINATION:
		pgn->termination = pgn_termination_of(value, length);
		return STATUS_OK;
	case PGN_TAG_DATE:
	case PGN_TAG_UTC_DATE:
		if (pgn_is_date(value, length, '.'))
			memcpy(pgn->date[tag == PGN_TAG_UTC_DATE], value, length);
		return STATUS_OK;
	case PGN_TAG_TIME:
	case PGN_TAG_UTC_TIME:
		if (pgn_is_time(value, length))
			memcpy(pgn->time[tag == PGN_TAG_UTC_TIME], value, length);
		return STATUS_OK;
	default:
		return STATUS_OK;
	}
}

/* Keeps a tag as a header. A date of another form than PGN's is kept as it stands. */
static inline enum status pgn_keep_tag(
	struct pgn_reader *pgn, const struct pgn_tag_text *tag, struct text_error *error)
{
	const char *value = pgn->scratch;
	size_t length = pgn->scratch_length;
	const char *name = tag->name;
	size_t name_length = tag->name_length;
	enum pgn_tag known = pgn_tag_of(name, name_length);
	enum status status;

	if (pgn_is(value, length, "?") || (known != PGN_TAGS && known != PGN_TAG_DATE))
		return STATUS_OK;
	if (known == PGN_TAG_DATE) {
		if (pgn_is_date(value, length, '.') || pgn_is(value, length, "????.??.??"))
			return STATUS_OK;
		name = game_header_begin;
		name_length = strlen(name);
	}
	for (int player = 0; player < 2; player++) {
		if (pgn_is(name, name_length, pgn_players[player].tag)) {
			name = pgn_players[player].header;
			name_length = strlen(name);
			break;
		}
	}
	if (pgn_is(name, name_length, game_header_begin) && (pgn->date[0][0] || pgn->date[1][0]))
		return reader_fail(&tag->place, STATUS_SHEET_HEADER_TWICE, error);
	status = game_sheet_add_header(pgn->sheet, name, name_length, value, length);
	return status == STATUS_OK ? status : reader_fail(&tag->place, status, error);
}

/* The tags, and the comments among them and after them. */
static inline enum status pgn_read_tags(struct pgn_reader *pgn, struct text_error *error)
{
	while (pgn_skip(pgn)) {
		char c = reader_peek(&pgn->line);
		struct pgn_tag_text tag;
		enum status status;

		if (c == '{' || c == ';') {
			status = pgn_keep_comment(pgn, error);
		} else if (c == '[') {
			status = pgn_read_tag_text(pgn, error, &tag);
			if (status == STATUS_OK)
				status = pgn->sheet ? pgn_keep_tag(pgn, &tag, error)
						    : pgn_check_tag(pgn,
							      pgn_tag_of(tag.name, tag.name_length),
							      &tag.place, error);
		} else {
			return STATUS_OK;
		}
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* The header Begin of the tags with the date and the time. */
static inline enum status pgn_set_begin(struct pgn_reader *pgn, struct text_error *error)
{
	int utc = !pgn->date[0][0];
	const char *date = pgn->date[utc];
	const char *time = pgn->time[utc];
	char value[PGN_DATE + 1 + PGN_TIME + 1];
	struct text text;
	enum status status;

	if (!date[0])
		return STATUS_OK;
	if (!time[0] && strcmp(date, pgn->date[1]) == 0)
		time = pgn->time[1];
	text_init(&text, value, sizeof(value));
	for (const char *c = date; *c; c++)
		text_add_char(&text, (char)(*c == '.' ? '/' : *c));
	if (time[0]) {
		text_add_char(&text, ' ');
		text_add(&text, time);
	}
	status = game_sheet_set_header(
		pgn->sheet, game_header_begin, strlen(game_header_begin), value, text.length);
	return status == STATUS_OK ? status : pgn_fail(pgn, status, error);
}
