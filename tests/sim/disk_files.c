/* SPDX-License-Identifier: MIT */
#include "disk_files.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"

enum { SECTOR = 512 };

static struct file files[FILES_MAX];

static void *grow(void *list, size_t *capacity, size_t count, size_t element)
{
	if (count <= *capacity)
		return list;
	*capacity = count < 64 ? 128 : 2 * count;
	list = realloc(list, *capacity * element);
	if (!list)
		abort();
	return list;
}

/* What is new is zero. */
static void bytes_resize(struct bytes *bytes, size_t length)
{
	bytes->data = grow(bytes->data, &bytes->capacity, length, 1);
	if (length > bytes->length)
		memset(bytes->data + bytes->length, 0, length - bytes->length);
	bytes->length = length;
}

static void bytes_put(struct bytes *bytes, const void *data, size_t length, size_t offset)
{
	if (offset + length > bytes->length)
		bytes_resize(bytes, offset + length);
	memcpy(bytes->data + offset, data, length);
}

struct file *file_find(const char *name, bool make)
{
	struct file *unused = NULL;

	for (size_t i = 0; i < FILES_MAX; i++) {
		struct file *file = &files[i];

		if (strcmp(file->name, name) == 0) {
			if (!file->exists && !make)
				return NULL;
			if (!file->exists) {
				file->exists = true;
				file_truncate(file, 0);
			}
			return file;
		}
		if (!unused && !file->name[0])
			unused = file;
	}
	if (!make)
		return NULL;
	if (!unused || strlen(name) >= FILE_NAME)
		abort();
	strcpy(unused->name, name);
	unused->exists = true;
	return unused;
}

void file_read(const struct file *file, void *data, size_t length, size_t offset)
{
	size_t there = offset < file->now.length ? file->now.length - offset : 0;

	if (there > length)
		there = length;
	if (there > 0)
		memcpy(data, file->now.data + offset, there);
	memset((char *)data + there, 0, length - there);
}

static void file_note(struct file *file, struct change change)
{
	file->changes = grow(file->changes, &file->change_capacity, file->change_count + 1,
		sizeof(*file->changes));
	file->changes[file->change_count++] = change;
}

void file_write(struct file *file, const void *data, size_t length, size_t offset)
{
	size_t from = file->written.length;

	bytes_put(&file->now, data, length, offset);
	bytes_put(&file->written, data, length, from);
	file_note(file, (struct change){.offset = offset, .length = length, .from = from});
}

void file_truncate(struct file *file, size_t length)
{
	bytes_resize(&file->now, length);
	file_note(file, (struct change){.is_length = true, .length = length});
}

void file_delete(struct file *file)
{
	file->exists = false;
}

static void forget_changes(struct file *file)
{
	file->change_count = 0;
	file->written.length = 0;
}

/* The length of the file after the first `count` changes. */
static size_t length_after(const struct file *file, size_t count)
{
	size_t length = file->on_disk.length;

	for (size_t i = 0; i < count; i++) {
		const struct change *change = &file->changes[i];

		if (change->is_length)
			length = change->length;
		else if (change->offset + change->length > length)
			length = change->offset + change->length;
	}
	return length;
}

void file_sync(struct file *file)
{
	for (size_t i = 0; i < file->change_count; i++) {
		const struct change *change = &file->changes[i];

		if (change->is_length)
			bytes_resize(&file->on_disk, change->length);
		else
			bytes_put(&file->on_disk, file->written.data + change->from, change->length,
				change->offset);
	}
	forget_changes(file);
}

void folder_flush(void)
{
	for (size_t i = 0; i < FILES_MAX; i++)
		files[i].exists_on_disk = files[i].exists;
}

/* How many of the changes a sector has seen: mostly all or none. */
static size_t draw_count(struct random *random, size_t count)
{
	switch (random_below(random, 4)) {
	case 0:
		return 0;
	case 1:
		return random_below(random, (uint32_t)count + 1);
	default:
		return count;
	}
}

/* One sector as it is after its first `count` changes, the last perhaps in part. */
static void settle_sector(struct file *file, struct bytes *to, size_t sector, size_t count,
	bool torn, struct random *random)
{
	size_t start = sector * SECTOR;

	for (size_t i = 0; i < count; i++) {
		const struct change *change = &file->changes[i];
		size_t low = change->offset > start ? change->offset : start;
		size_t high = change->offset + change->length;

		if (high > start + SECTOR)
			high = start + SECTOR;
		if (high > to->length)
			high = to->length;
		if (change->is_length || low >= high)
			continue;
		if (torn && i + 1 == count)
			high = low + random_below(random, (uint32_t)(high - low) + 1);
		memcpy(to->data + low, file->written.data + change->from + (low - change->offset),
			high - low);
	}
}

/* A database that never was on disk has whole sectors and zeros between, as file systems with a
 * journal leave it: of anything else the store would think that it belongs to somebody else. */
static bool is_journal(const struct file *file)
{
	size_t length = strlen(file->name);

	return (length > 4 && strcmp(file->name + length - 4, "-wal") == 0) ||
	       (length > 8 && strcmp(file->name + length - 8, "-journal") == 0);
}

/* Brings some of the changes to the disk, in any order, sector by sector. */
static void settle_partly(struct file *file, struct random *random)
{
	size_t old = file->on_disk.length;
	size_t length = length_after(file, draw_count(random, file->change_count));
	bool sound = old == 0 && !is_journal(file);
	bool torn = chance(random, 25) && !sound;
	bool rubbish = chance(random, 25) && !sound;

	if (file->change_count == 0)
		return;
	bytes_resize(&file->on_disk, length);
	for (size_t at = old; rubbish && at < length; at++)
		file->on_disk.data[at] = (unsigned char)random_next(random);
	for (size_t sector = 0; sector * SECTOR < length; sector++)
		settle_sector(file, &file->on_disk, sector, draw_count(random, file->change_count),
			torn, random);
}

void file_flush_partly(struct file *file, struct random *random)
{
	settle_partly(file, random);
}

void files_lose_cache(struct random *random)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		struct file *file = &files[i];

		if (!file->name[0])
			continue;
		if (file->exists != file->exists_on_disk && chance(random, 50))
			file->exists_on_disk = file->exists;
		file->exists = file->exists_on_disk;
		settle_partly(file, random);
		forget_changes(file);
		bytes_resize(&file->now, 0);
		if (!file->exists)
			file->on_disk.length = 0;
		bytes_put(&file->now, file->on_disk.data, file->on_disk.length, 0);
	}
}

void files_clear(void)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		struct file *file = &files[i];

		file->name[0] = 0;
		file->exists = false;
		file->exists_on_disk = false;
		file->now.length = 0;
		file->on_disk.length = 0;
		forget_changes(file);
	}
}
