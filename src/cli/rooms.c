/* SPDX-License-Identifier: MIT */
#include "cli/rooms.h"

#include <inttypes.h>
#include <string.h>

#include "cli/rooms_fold.h"
#include "store/data_view.h"

static int open_view(const struct rooms_task *task, struct data_view **view)
{
	struct store_problem problem;
	enum status status = data_view_open(task->data, view, &problem);

	if (status == STATUS_OK)
		return CLI_DONE;
	return cli_refuse(task->command, "%s", problem.text);
}

/* What a damaged file has for a word may hold anything. */
static void print_harmless(const char *word)
{
	for (; *word; word++)
		putchar((unsigned char)*word < ' ' || *word == 0x7f ? '?' : *word);
}

struct check {
	struct rooms_fold fold;
	bool no_memory;
};

static bool print_complaint(void *context, const char *sentence)
{
	(void)context;
	fputs("data file: ", stdout);
	print_harmless(sentence);
	putchar('\n');
	return true;
}

static bool check_event(void *context, const struct store_row *row)
{
	struct check *check = context;
	struct room_event event;
	struct text_error error;
	char sentence[256];
	struct text text;
	enum status status = rooms_fold_take(
		&check->fold, row->room, row->rev, row->text, strlen(row->text), &event, &error);

	check->no_memory = status == STATUS_NO_MEMORY;
	if (check->no_memory || status == STATUS_OK)
		return !check->no_memory;
	text_init(&text, sentence, sizeof(sentence));
	text_add_sentence(&text, status_text(status));
	fputs("room ", stdout);
	print_harmless(row->room);
	printf(", revision %" PRIu64 ", column %" PRIu32 ": %s\n", row->rev, error.column,
		sentence);
	return true;
}

/* As `check_event`, without a word. */
static bool count_event(void *context, const struct store_row *row)
{
	struct check *check = context;
	struct room_event event;
	struct text_error error;

	check->no_memory = rooms_fold_take(&check->fold, row->room, row->rev, row->text,
				   strlen(row->text), &event, &error) == STATUS_NO_MEMORY;
	return !check->no_memory;
}

static int check_task(const struct rooms_task *task)
{
	struct check check = {.fold = rooms_fold_of(cli_games)};
	struct store_problem problem;
	struct data_view *view;
	int result = open_view(task, &view);

	if (result != CLI_DONE)
		return result;
	if (data_view_check(view, print_complaint, NULL, &problem) != STATUS_OK)
		result = cli_refuse(task->command, "%s", problem.text);
	if (data_view_load(view, NULL, check_event, &check, &problem) != STATUS_OK)
		result = cli_refuse(task->command, "%s", problem.text);
	rooms_fold_release(&check.fold);
	data_view_close(view);
	if (check.no_memory)
		return cli_refuse(task->command, "%s", status_text(STATUS_NO_MEMORY));
	printf("%" PRIu64 " rooms, %" PRIu64 " events, %" PRIu64 " damaged\n", check.fold.rooms,
		check.fold.events, check.fold.damaged);
	return check.fold.damaged > 0 ? CLI_REFUSED : result;
}

struct rooms_export {
	const char *command;
	uint64_t events;
	bool left_out;
};

/* A row that no line can hold, as only a damaged file has one, is left out. */
static bool print_event(void *context, const struct store_row *row)
{
	struct rooms_export *export = context;

	export->events++;
	if (strpbrk(row->room, " \n") || strchr(row->text, '\n')) {
		export->left_out = true;
		(void)cli_refuse(export->command, "room %s, revision %" PRIu64 " is left out: %s",
			row->room, row->rev, status_text(STATUS_ROOM_EVENT));
	} else {
		printf("%s %s\n", row->room, row->text);
	}
	return !ferror(stdout);
}

static int export_task(const struct rooms_task *task)
{
	struct rooms_export export = {.command = task->command};
	struct store_problem problem;
	struct data_view *view;
	int result = open_view(task, &view);

	if (result != CLI_DONE)
		return result;
	puts(rooms_text_first);
	if (data_view_load(view, task->room, print_event, &export, &problem) != STATUS_OK)
		result = cli_refuse(task->command, "the text is not whole: %s", problem.text);
	data_view_close(view);
	if (result == CLI_DONE && task->room && export.events == 0)
		return cli_refuse(task->command, "there is no room \"%.40s\"", task->room);
	return export.left_out ? CLI_REFUSED : result;
}

/* What SQLite holds for whole may still be no room; a copy of it is better than none. */
static void warn_of_damage(const struct rooms_task *task)
{
	struct check check = {.fold = rooms_fold_of(cli_games)};
	struct store_problem problem;
	struct data_view *view;
	enum status status = data_view_open(task->file, &view, &problem);

	if (status == STATUS_OK) {
		status = data_view_load(view, NULL, count_event, &check, &problem);
		data_view_close(view);
	}
	rooms_fold_release(&check.fold);
	if (status != STATUS_OK)
		(void)cli_refuse(
			task->command, "the copy is made, but not whole: %s", problem.text);
	else if (check.no_memory)
		(void)cli_refuse(task->command, "the copy is made, but not looked through: %s",
			status_text(STATUS_NO_MEMORY));
	else if (check.fold.damaged > 0)
		(void)cli_refuse(task->command,
			"the copy is made, but %" PRIu64 " of its %" PRIu64
			" rooms are damaged; `komadai rooms check --data COPY` names them",
			check.fold.damaged, check.fold.rooms);
}

static int backup_task(const struct rooms_task *task)
{
	struct store_problem problem;
	struct data_view *view;
	int result = open_view(task, &view);

	if (result != CLI_DONE)
		return result;
	if (data_view_backup(view, task->file, &problem) != STATUS_OK)
		result = cli_refuse(task->command, "%s", problem.text);
	data_view_close(view);
	if (result == CLI_DONE)
		warn_of_damage(task);
	return result;
}

static const struct question {
	const char *name;
	const char *command;
	bool takes_room;
	bool takes_file;
	const char *missing; /* what is said where no file is named; NULL: none need be */
	int (*run)(const struct rooms_task *task);
} questions[] = {
	{"check", "rooms check", false, false, NULL, check_task},
	{"export", "rooms export", true, false, NULL, export_task},
	{"import", "rooms import", false, true, NULL, rooms_import_task},
	{"backup", "rooms backup", false, true, "the file of the copy is missing", backup_task},
};

enum { QUESTION_COUNT = sizeof(questions) / sizeof(questions[0]) };

static const struct question *find_question(const char *name)
{
	for (size_t i = 0; i < QUESTION_COUNT; i++)
		if (strcmp(questions[i].name, name) == 0)
			return &questions[i];
	return NULL;
}

static int read_options(
	const struct question *question, int argc, char **argv, struct rooms_task *task)
{
	static const struct option known[] = {
		{"data", required_argument, NULL, 'd'},
		{"room", required_argument, NULL, 'r'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'd')
			task->data = optarg;
		else if (option == 'r' && question->takes_room)
			task->room = optarg;
		else if (option == 'r')
			return cli_usage(question->command, "--room is not for it");
		else
			return cli_usage_option(question->command, argv);
	}
	if (question->takes_file && optind < argc)
		task->file = argv[optind++];
	if (optind < argc)
		return cli_usage(question->command, "unexpected argument \"%.40s\"", argv[optind]);
	if (question->missing && !task->file)
		return cli_usage(question->command, "%s", question->missing);
	return CLI_DONE;
}

int command_rooms(int argc, char **argv)
{
	const struct question *question = argc > 1 ? find_question(argv[1]) : NULL;
	struct rooms_task task = {.data = cli_data_default};
	int result;

	if (!question)
		return cli_usage("rooms", "what to do must be one of: check export import backup");
	task.command = question->command;
	result = read_options(question, argc - 1, argv + 1, &task);
	if (result == CLI_DONE)
		result = question->run(&task);
	return cli_finish(question->command) == CLI_DONE ? result : CLI_REFUSED;
}
