/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/*
 * The files of disk.h as bytes, twice each: as the system shows them, and as the disk holds them,
 * with the changes between in their order.
 */
enum { FILE_NAME = 256, FILES_MAX = 8 };

struct bytes {
	unsigned char *data;
	size_t length;
	size_t capacity;
};

/* A write of `length` bytes, which lie in `written` from `from` on; or a new length of the file. */
struct change {
	bool is_length;
	size_t offset;
	size_t length;
	size_t from;
};

struct file {
	char name[FILE_NAME]; /* "": free */
	bool exists;
	bool exists_on_disk;
	struct bytes now;
	struct bytes on_disk;
	struct change *changes;
	size_t change_count;
	size_t change_capacity;
	struct bytes written;
};

/* NULL: there is none. `make` makes it, empty. */
struct file *file_find(const char *name, bool make);

void file_read(const struct file *file, void *data, size_t length, size_t offset);
void file_write(struct file *file, const void *data, size_t length, size_t offset);
void file_truncate(struct file *file, size_t length);
void file_delete(struct file *file);

/* All changes of the file are on disk, and what was made in the folder. */
void file_sync(struct file *file);
void folder_flush(void);

/* A flush that failed: some of the changes are on disk, and the next flush takes the rest. (Systems
 * that forget the rest, and call it flushed, are more than SQLite withstands.) */
void file_flush_partly(struct file *file, struct random *random);

/* The power fails: the cache is gone. */
void files_lose_cache(struct random *random);

/* No files, with the memory kept. */
void files_clear(void);
