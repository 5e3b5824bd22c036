/* SPDX-License-Identifier: MIT */
#include "store/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/data_file.h"
#include "store/file.h"

/* A name and what follows it, for the caller to free; NULL: no memory. */
static char *join(const char *name, const char *between, const char *end)
{
	size_t capacity = strlen(name) + strlen(between) + strlen(end) + 1;
	char *joined = malloc(capacity);
	if (joined != NULL)
		snprintf(joined, capacity, "%s%s%s", name, between, end);
	return joined;
}

static enum status refuse_memory(struct store_problem *problem)
{
	data_explain(problem, "There is not enough memory to make a file");
	return STATUS_NO_MEMORY;
}

static enum status check_free(const struct new_file *file, struct store_problem *problem)
{
	struct stat info;
	if (lstat(file->to, &info) != 0)
		return errno == ENOENT ? STATUS_OK
				       : data_refuse_errno(problem, "The file cannot be made",
						 file->to, errno);
	if (file->over_empty && S_ISREG(info.st_mode) && info.st_size == 0)
		return STATUS_OK;
	return data_refuse(problem, "The file exists already, and is left as it is", file->to);
}

static enum status check_journals(const struct new_file *file, struct store_problem *problem)
{
	static const char *const endings[] = {"-wal", "-journal"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		struct stat info;
		char *name = join(file->to, endings[i], "");
		if (name == NULL)
			return refuse_memory(problem);
		enum status status = STATUS_OK;
		if (stat(name, &info) == 0 && info.st_size > 0)
			status = data_refuse(
				problem, "A journal of another data file is in the way", name);
		free(name);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* The absolute path of a file that need not exist, in a folder that must. */
static enum status find_place(const char *to, char **place, struct store_problem *problem)
{
	const char *slash = strrchr(to, '/');
	const char *name = slash != NULL ? slash + 1 : to;
	char folder[PATH_MAX];
	if (*name == 0) {
		data_explain(problem, "The file to be made has no name");
		return STATUS_STORE_OPEN;
	}
	char *given = slash != NULL ? strndup(to, (size_t)(name - to)) : strdup(".");
	if (given == NULL)
		return refuse_memory(problem);
	bool found = realpath(given, folder) != NULL;
	int error = errno;
	free(given);
	if (!found)
		return data_refuse_errno(
			problem, "The folder of the file cannot be found", to, error);
	*place = join(folder, "/", name);
	return *place != NULL ? STATUS_OK : refuse_memory(problem);
}

static enum status make_temporary(struct new_file *file, struct store_problem *problem)
{
	file->temporary = join(file->to, "-", "XXXXXX");
	if (file->temporary == NULL)
		return refuse_memory(problem);
	int made = mkstemp(file->temporary);
	if (made >= 0) {
		close(made);
		return STATUS_OK;
	}
	return data_refuse_errno(problem, "The file cannot be made", file->to, errno);
}

static void release(struct new_file *file)
{
	free(file->temporary);
	free(file->to);
	*file = (struct new_file){0};
}

enum status new_file_begin(
	const char *to, bool over_empty, struct new_file *file, struct store_problem *problem)
{
	*file = (struct new_file){.over_empty = over_empty};
	enum status status = find_place(to, &file->to, problem);
	if (status == STATUS_OK)
		status = check_free(file, problem);
	if (status == STATUS_OK)
		status = check_journals(file, problem);
	if (status == STATUS_OK)
		status = make_temporary(file, problem);
	if (status != STATUS_OK)
		release(file);
	return status;
}

enum status new_file_place(struct new_file *file, struct store_problem *problem)
{
	enum status status = check_free(file, problem);
	if (status != STATUS_OK) {
		new_file_abandon(file);
		return status;
	}
	if (!file_flush(file->temporary, O_RDWR) || rename(file->temporary, file->to) != 0) {
		(void)data_refuse_errno(problem, "The file cannot be written", file->to, errno);
		new_file_abandon(file);
		return STATUS_STORE_WRITE;
	}
	/* Whole it is in any case; now it also outlives the loss of power. */
	if (!file_flush_folder(file->temporary)) {
		(void)data_refuse_errno(
			problem, "The folder of the file cannot be flushed", file->to, errno);
		(void)unlink(file->to);
		status = STATUS_STORE_WRITE;
	}
	release(file);
	return status;
}

void new_file_abandon(struct new_file *file)
{
	char *journal = join(file->temporary, "-journal", "");
	if (journal != NULL)
		(void)unlink(journal);
	free(journal);
	(void)unlink(file->temporary);
	release(file);
}
