/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/rooms.h"
#include "cli/rooms_fold.h"
#include "store/data_maker.h"

struct import {
	const struct rooms_task *task;
	const char *name; /* of the text, for messages */
	FILE *file;
	uint32_t line; /* the last one read, from 1 on */
	struct rooms_fold fold;
	struct data_maker *maker;
};

enum { PROGRESS_EVENTS = 100000 };

static int refuse_at(const struct import *import, uint32_t column, const char *phrase)
{
	return cli_refuse_at(import->name, import->line, column, phrase);
}

/*
 * The next line, without its end; `*more` is false where there is none. A last line without its end
 * is refused: the text may have been cut in the middle of it.
 */
static int read_line(struct import *import, char line[ROOMS_LINE_BYTES], size_t *length, bool *more)
{
	size_t at = 0;
	int c = getc(import->file);

	*more = c != EOF;
	for (; c != EOF && c != '\n' && at < ROOMS_LINE_BYTES; c = getc(import->file))
		line[at++] = (char)c;
	if (ferror(import->file))
		return cli_refuse(import->task->command, "%s cannot be read: %s", import->name,
			strerror(errno));
	*length = at;
	if (!*more)
		return CLI_DONE;
	import->line++;
	if (at == ROOMS_LINE_BYTES)
		return refuse_at(import, ROOMS_LINE_BYTES, status_text(STATUS_TEXT_TOO_LONG));
	if (c == EOF)
		return refuse_at(import, (uint32_t)at + 1,
			"the line has no end, so the text may not be whole");
	return CLI_DONE;
}

static int read_first_line(struct import *import)
{
	char line[ROOMS_LINE_BYTES];
	size_t length;
	bool more;
	int result = read_line(import, line, &length, &more);

	if (result != CLI_DONE)
		return result;
	if (length == strlen(rooms_text_first) && memcmp(line, rooms_text_first, length) == 0)
		return CLI_DONE;
	import->line = 1;
	return refuse_at(import, 1, "the first line must be \"komadai-rooms 1\"");
}

static int add_line(struct import *import, const char *line, size_t length)
{
	struct store_row row = {0};
	struct room_event event;
	struct store_problem problem;
	const char *text;
	uint32_t column;
	const char *phrase =
		rooms_fold_line(&import->fold, line, length, &event, &text, &length, &column);

	if (phrase)
		return refuse_at(import, column, phrase);
	strcpy(row.room, import->fold.id);
	row.rev = event.rev;
	row.at_ms = event.at_ms;
	memcpy(row.text, text, length);
	if (data_maker_add(import->maker, &row, &problem) != STATUS_OK)
		return cli_refuse(import->task->command, "%s", problem.text);
	if (import->fold.events % PROGRESS_EVENTS == 0)
		fprintf(stderr, "komadai %s: %" PRIu64 " events of %" PRIu64 " rooms so far\n",
			import->task->command, import->fold.events, import->fold.rooms);
	return CLI_DONE;
}

static int read_lines(struct import *import)
{
	int result = read_first_line(import);

	while (result == CLI_DONE) {
		char line[ROOMS_LINE_BYTES];
		size_t length;
		bool more;

		result = read_line(import, line, &length, &more);
		if (!more)
			return result;
		if (result == CLI_DONE)
			result = add_line(import, line, length);
	}
	return result;
}

static int import_text(struct import *import)
{
	struct store_problem problem;
	int result;

	if (data_maker_create(import->task->data, &import->maker, &problem) != STATUS_OK)
		return cli_refuse(import->task->command, "%s", problem.text);
	result = read_lines(import);
	rooms_fold_release(&import->fold);
	if (result != CLI_DONE) {
		data_maker_abandon(import->maker);
		return result;
	}
	if (data_maker_finish(import->maker, &problem) != STATUS_OK)
		return cli_refuse(import->task->command, "%s", problem.text);
	printf("%" PRIu64 " rooms, %" PRIu64 " events\n", import->fold.rooms, import->fold.events);
	return CLI_DONE;
}

int rooms_import_task(const struct rooms_task *task)
{
	bool standard = !task->file || strcmp(task->file, "-") == 0;
	struct import import = {
		.task = task,
		.name = standard ? "standard input" : task->file,
		.file = standard ? stdin : fopen(task->file, "re"),
		.fold = rooms_fold_of(cli_games),
	};
	int result;

	if (!import.file)
		return cli_refuse(
			task->command, "%s cannot be read: %s", task->file, strerror(errno));
	result = import_text(&import);
	if (!standard)
		fclose(import.file);
	return result;
}
