/* SPDX-License-Identifier: MIT */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder of a test's own, for tests that need files. It holds files only, no further folders. */
enum { SCRATCH_BYTES = 512 };

/* Exits where no folder can be made: no test could go on. */
static inline void scratch_make(char folder[SCRATCH_BYTES])
{
	const char *base = getenv("TMPDIR");
	snprintf(folder, SCRATCH_BYTES, "%s/komadai-test-XXXXXX", base != NULL ? base : "/tmp");
	if (mkdtemp(folder) == NULL) {
		perror(folder);
		exit(EXIT_FAILURE);
	}
}

static inline void scratch_path(
	char path[SCRATCH_BYTES], const char folder[SCRATCH_BYTES], const char *name)
{
	size_t length = strlen(folder);
	if (length + 1 + strlen(name) >= SCRATCH_BYTES) {
		fprintf(stderr, "%s/%s: too long a name\n", folder, name);
		exit(EXIT_FAILURE);
	}
	memmove(path, folder, length);
	path[length] = '/';
	strcpy(path + length + 1, name);
}

/* The number of files in the folder. */
static inline size_t scratch_count(const char folder[SCRATCH_BYTES])
{
	size_t count = 0;
	DIR *entries = opendir(folder);
	if (entries == NULL)
		return 0;
	while (readdir(entries) != NULL)
		count++;
	closedir(entries);
	return count - 2; /* . and .. */
}

static inline void scratch_remove(const char folder[SCRATCH_BYTES])
{
	char path[SCRATCH_BYTES];
	struct dirent *entry;
	DIR *entries = opendir(folder);
	if (entries == NULL)
		return;
	while ((entry = readdir(entries)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		scratch_path(path, folder, entry->d_name);
		unlink(path);
	}
	closedir(entries);
	rmdir(folder);
}
