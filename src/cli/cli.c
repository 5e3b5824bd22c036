/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "shogi/shogi.h"

const struct game_ops *const cli_games[] = {&mini_shogi, NULL};

static void say(const char *command, const char *format, va_list arguments)
{
	fprintf(stderr, "komadai %s: ", command);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

int cli_usage_option(void)
{
	fputs("Run `komadai help` to see how it is used.\n", stderr);
	return CLI_USAGE;
}

int cli_usage(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(command, format, arguments);
	va_end(arguments);
	return cli_usage_option();
}

int cli_refuse(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(command, format, arguments);
	va_end(arguments);
	return CLI_REFUSED;
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
	else
		return false;
	return true;
}

static int refuse_game(const char *command, const char *name)
{
	if (name)
		fprintf(stderr, "komadai %s: there is no game \"%s\"; there are:", command, name);
	else
		fprintf(stderr, "komadai %s: --game is missing; there are:", command);
	for (const struct game_ops *const *game = cli_games; *game; game++)
		fprintf(stderr, " %s", (*game)->name);
	fputc('\n', stderr);
	return CLI_USAGE;
}

static int refuse_rules(const char *command, const struct game_ops *ops, const char *rules)
{
	fprintf(stderr, "komadai %s: %s has no ruleset \"%s\"; there are:", command, ops->name,
		rules);
	for (const char *const *name = ops->rulesets; *name; name++)
		fprintf(stderr, " %s", *name);
	fputc('\n', stderr);
	return CLI_USAGE;
}

int cli_make_line(const char *command, const struct cli_position *position, struct game_line **line)
{
	const struct game_ops *ops = position->game ? game_find(cli_games, position->game) : NULL;
	struct text_error error;
	enum status status;

	if (!ops)
		return refuse_game(command, position->game);
	status = position->sfen ? game_line_setup(ops, position->rules, position->sfen,
					  strlen(position->sfen), &error, line)
				: game_line_create(ops, position->rules, line);
	if (status == STATUS_OK)
		return CLI_DONE;
	if (status == STATUS_RULESET_UNKNOWN)
		return refuse_rules(command, ops, position->rules);
	if (!position->sfen)
		return cli_refuse(command, "%s", status_text(status));
	return cli_refuse(command, "--sfen, column %u: %s", error.column, status_text(status));
}
