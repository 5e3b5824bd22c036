/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "boxes/boxes.h"
#include "shogi/shogi.h"

const struct game_ops *const cli_games[] = {&mini_shogi, &petits_carres, NULL};

const char cli_data_default[] = "komadai.sqlite";

enum { MESSAGE_BYTES = 512 };

/* What moves a terminal's cursor is not passed on. */
static char harmless(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

/* Words from outside may be long, which is not passed on either. */
static void say(const char *command, const char *format, va_list arguments)
{
	char message[MESSAGE_BYTES];
	int length = vsnprintf(message, sizeof(message), format, arguments);

	for (char *c = message; *c; c++)
		*c = harmless(*c);
	fprintf(stderr, "komadai%s%s: %s%s\n", command ? " " : "", command ? command : "", message,
		length >= MESSAGE_BYTES ? "…" : "");
}

int cli_usage(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(command, format, arguments);
	va_end(arguments);
	fputs("Run `komadai help` to see how it is used.\n", stderr);
	return CLI_USAGE;
}

int cli_usage_option(const char *command, char **argv)
{
	return cli_usage(
		command, "\"%s\" is no option here, or its value is missing", argv[optind - 1]);
}

int cli_refuse(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(command, format, arguments);
	va_end(arguments);
	return CLI_REFUSED;
}

int cli_refuse_at(const char *file, uint32_t line, uint32_t column, const char *phrase)
{
	char sentence[MESSAGE_BYTES];
	struct text text;

	text_init(&text, sentence, sizeof(sentence));
	text_add_sentence(&text, phrase);
	for (; *file; file++)
		fputc(harmless(*file), stderr);
	fprintf(stderr, ":%u:%u: %s\n", line, column, sentence);
	return CLI_REFUSED;
}

int cli_refuse_text(const char *file, const struct text_error *error)
{
	return cli_refuse_at(file, error->line, error->column, status_text(error->status));
}

bool cli_read_number(const char *text, long low, long high, long *number)
{
	char *end;
	long value;

	if (*text != '-' && (*text < '0' || *text > '9'))
		return false;
	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || *end || value < low || value > high)
		return false;
	*number = value;
	return true;
}

int cli_finish(const char *command)
{
	if (fflush(stdout) || ferror(stdout))
		return cli_refuse(command, "the answer could not be written: %s", strerror(errno));
	return CLI_DONE;
}

bool cli_take_position(int option, const char *value, struct cli_position *position)
{
	if (option == 'g')
		position->game = value;
	else if (option == 'r')
		position->rules = value;
	else if (option == 's')
		position->sfen = value;
	else if (option == 'R')
		position->rows = value;
	else if (option == 'C')
		position->columns = value;
	else
		return false;
	return true;
}

/* "there are: uec kawu" */
static void list_names(const char *const *names, struct text *text)
{
	text_add(text, "there are:");
	for (; *names; names++) {
		text_add_char(text, ' ');
		text_add(text, *names);
	}
}

int cli_find_game(const char *command, const char *name, const struct game_ops **ops)
{
	const char *names[16] = {NULL};
	char buffer[MESSAGE_BYTES];
	struct text text;

	*ops = name ? game_find(cli_games, name) : NULL;
	if (*ops)
		return CLI_DONE;
	for (size_t i = 0; cli_games[i] && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		names[i] = cli_games[i]->name;
	text_init(&text, buffer, sizeof(buffer));
	list_names(names, &text);
	if (name)
		return cli_usage(command, "there is no game \"%.40s\"; %s", name, buffer);
	return cli_usage(command, "--game is missing; %s", buffer);
}

int cli_check_rules(const char *command, const struct game_ops *ops, const char *rules)
{
	char buffer[MESSAGE_BYTES];
	struct text text;

	for (const char *const *known = ops->rulesets; *known; known++) {
		if (!rules || strcmp(*known, rules) == 0)
			return CLI_DONE;
	}
	text_init(&text, buffer, sizeof(buffer));
	list_names(ops->rulesets, &text);
	return cli_usage(command, "%s has no ruleset \"%.40s\"; %s", ops->name, rules, buffer);
}

/*
 * The text of the empty grid that --rows and --cols ask for, into `grid`; left empty where they do
 * not.
 */
static int read_grid(const char *command, const struct cli_position *position,
	const struct game_ops *ops, char grid[GAME_SETUP_TEXT])
{
	long rows;
	long columns;

	grid[0] = 0;
	if (!position->rows && !position->columns)
		return CLI_DONE;
	if (ops != &petits_carres)
		return cli_usage(command, "%s has one board: --rows and --cols are for %s",
			ops->name, petits_carres.name);
	if (position->sfen)
		return cli_usage(command, "--sfen says the grid: --rows and --cols cannot too");
	if (!position->rows || !position->columns)
		return cli_usage(command, "%s is missing: a grid has rows and columns",
			position->rows ? "--cols" : "--rows");
	if (!cli_read_number(position->rows, 1, BOXES_SIDE_MAX, &rows))
		return cli_usage(command, "--rows must be a whole number from 1 to %d, not \"%s\"",
			BOXES_SIDE_MAX, position->rows);
	if (!cli_read_number(position->columns, 1, BOXES_SIDE_MAX, &columns))
		return cli_usage(command, "--cols must be a whole number from 1 to %d, not \"%s\"",
			BOXES_SIDE_MAX, position->columns);
	snprintf(grid, GAME_SETUP_TEXT, "%ldx%ld", rows, columns);
	return CLI_DONE;
}

int cli_make_line(const char *command, const struct cli_position *position, struct game_line **line)
{
	const struct game_ops *ops;
	const char *setup;
	char grid[GAME_SETUP_TEXT];
	struct text_error error;
	enum status status;
	int result = cli_find_game(command, position->game, &ops);

	if (result == CLI_DONE)
		result = cli_check_rules(command, ops, position->rules);
	if (result == CLI_DONE)
		result = read_grid(command, position, ops, grid);
	if (result != CLI_DONE)
		return result;
	setup = grid[0] ? grid : position->sfen;
	status = setup ? game_line_setup(ops, position->rules, setup, strlen(setup), &error, line)
		       : game_line_create(ops, position->rules, line);
	if (status == STATUS_OK)
		return CLI_DONE;
	if (!position->sfen)
		return cli_refuse(command, "%s", status_text(status));
	return cli_refuse(command, "--sfen, column %u: %s", error.column, status_text(status));
}
