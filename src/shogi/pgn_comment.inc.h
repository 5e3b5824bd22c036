/* SPDX-License-Identifier: MIT */

/* The comments of a PGN, and the commands in them. */

/* The longest command that is looked for, so that a comment is read in one go. */
enum { PGN_COMMAND_MAX = 64 };

/* What a comment says besides its text, which is in the scratch. */
struct pgn_commands {
	bool found;
	int64_t time; /* -1: none */
};

/*
 * Looks for a command at the end of a text, which ends with a ]. `*begin` is where it begins;
 * `*time` is changed where it says one.
 */
static inline bool pgn_find_command(const char *text, size_t length, size_t *begin, int64_t *time)
{
	struct reader command = reader_of(text, length - 1);
	size_t lowest = command.length > PGN_COMMAND_MAX ? command.length - PGN_COMMAND_MAX : 0;
	int64_t said;

	*begin = command.length;
	while (*begin > lowest && text[*begin] != '[')
		(*begin)--;
	command.at = *begin;
	if (!reader_take_word(&command, "[%emt "))
		return reader_take_word(&command, "[%clk ");
	if (!read_clock(&command, &said) || !reader_done(&command))
		return false;
	*time = said;
	return true;
}

/* Takes a command off the end of the scratch, which ends with its ], and blanks before it. */
static inline void pgn_take_command(struct pgn_reader *pgn, struct pgn_commands *commands)
{
	size_t begin;

	if (!pgn_find_command(pgn->scratch, pgn->scratch_length, &begin, &commands->time))
		return;
	commands->found = true;
	while (begin > 0 && (pgn->scratch[begin - 1] == ' ' || pgn->scratch[begin - 1] == '\t'))
		begin--;
	pgn->scratch_length = begin;
}

/* Whether a reader would find a command in a line of a comment, were it in braces. */
static inline bool pgn_has_command(const char *line, size_t length)
{
	size_t begin;
	int64_t time;

	for (size_t i = 0; i < length; i++)
		if (line[i] == ']' && pgn_find_command(line, i + 1, &begin, &time))
			return true;
	return false;
}

/* Reads a comment, in braces or after a ;, into the scratch. Only braces hold commands. */
static inline enum status pgn_read_comment_text(
	struct pgn_reader *pgn, struct text_error *error, struct pgn_commands *commands)
{
	struct reader place = pgn->line;
	struct reader *line = &pgn->line;
	bool braces = reader_peek(line) == '{';

	*commands = (struct pgn_commands){false, -1};
	pgn->scratch_length = 0;
	line->at++;
	for (;;) {
		if (!reader_done(line)) {
			char c = line->text[line->at++];

			if (braces && c == '}')
				return STATUS_OK;
			pgn->scratch[pgn->scratch_length++] = c;
			if (braces && c == ']')
				pgn_take_command(pgn, commands);
		} else if (!braces) {
			return STATUS_OK;
		} else if (reader_next_line(&pgn->whole, line)) {
			pgn->scratch[pgn->scratch_length++] = ' ';
		} else {
			return reader_fail(&place, STATUS_SHEET_COMMENT, error);
		}
	}
}

/* Reads a comment over. */
static inline enum status pgn_read_comment(struct pgn_reader *pgn, struct text_error *error)
{
	struct pgn_commands commands;

	return pgn_read_comment_text(pgn, error, &commands);
}

/* Reads a comment and keeps it, unless it is empty but for commands. */
static inline enum status pgn_keep_comment(struct pgn_reader *pgn, struct text_error *error)
{
	struct reader place = pgn->line;
	struct pgn_commands commands;
	struct reader text;
	enum status status = pgn_read_comment_text(pgn, error, &commands);

	if (status != STATUS_OK || !pgn->sheet)
		return status;
	if (commands.time >= 0 && game_line_plies(game_sheet_line(pgn->sheet)) > 0)
		game_sheet_set_time(pgn->sheet, commands.time);
	text = reader_of(pgn->scratch, pgn->scratch_length);
	reader_skip_blanks(&text);
	while (text.length > text.at &&
		(text.text[text.length - 1] == ' ' || text.text[text.length - 1] == '\t'))
		text.length--;
	if (text.length == text.at && commands.found)
		return STATUS_OK;
	status = game_sheet_add_comment(pgn->sheet, text.text + text.at, text.length - text.at);
	return status == STATUS_OK ? status : reader_fail(&place, status, error);
}
