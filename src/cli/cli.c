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

int cli_usage(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(command, format, arguments);
	va_end(arguments);
	fputs("Run `komadai help` to see how it is used.\n", stderr);
	return CLI_USAGE;
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

static int refuse_rules(const struct game_ops *ops, const char *command, const char *rules)
{
	fprintf(stderr, "komadai %s: %s has no ruleset \"%s\"; there are:", command, ops->name,
		rules);
	for (const char *const *name = ops->rulesets; *name; name++)
		fprintf(stderr, " %s", *name);
	fputc('\n', stderr);
	return CLI_USAGE;
}

int cli_make_line(const struct cli_position *position, struct game_line **line)
{
	const char *name = position->game ? position->game : "";
	const struct game_ops *ops = game_find(cli_games, name);
	struct text_error error;
	enum status status;

	if (!ops) {
		fprintf(stderr,
			position->game ? "komadai: there is no game \"%s\"; there are:"
				       : "komadai: --game%s is missing; there are:",
			name);
		for (const struct game_ops *const *game = cli_games; *game; game++)
			fprintf(stderr, " %s", (*game)->name);
		fputc('\n', stderr);
		return CLI_USAGE;
	}
	status = position->sfen ? game_line_setup(ops, position->rules, position->sfen,
					  strlen(position->sfen), &error, line)
				: game_line_create(ops, position->rules, line);
	if (status == STATUS_OK)
		return CLI_DONE;
	if (status == STATUS_RULESET_UNKNOWN)
		return refuse_rules(ops, name, position->rules);
	if (!position->sfen)
		return cli_refuse(name, "%s", status_text(status));
	return cli_refuse(name, "--sfen, column %u: %s", error.column, status_text(status));
}
