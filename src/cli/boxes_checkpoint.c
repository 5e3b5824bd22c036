/* SPDX-License-Identifier: MIT */
#include "cli/boxes_checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The file: a header, entries of the table, one whose second word is 0 and whose first is their
 * number, and a hash (BLAKE2b) of all that.
 */
struct header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	uint8_t rows;
	uint8_t columns;
	int8_t low;
	int8_t high;
	uint8_t zero[4];
	uint64_t nodes;
	uint64_t value_nodes;
	uint64_t time_ms;
};

_Static_assert(sizeof(struct header) == 48, "without gaps, whose bytes would be anything");

static const char magic[8] = "komabox";

/* One more whenever edges or strings are numbered in another way, or a rule of the search changes
 * what bounds mean: entries of another version would be wrong here. */
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };

enum { HASH_BYTES = 32 };

struct stream {
	FILE *file;
	crypto_generichash_state hash;
};

static void stream_begin(struct stream *stream, FILE *file)
{
	stream->file = file;
	crypto_generichash_init(&stream->hash, NULL, 0, HASH_BYTES);
}

static bool stream_read(struct stream *stream, void *bytes, size_t size)
{
	if (fread(bytes, size, 1, stream->file) != 1)
		return false;
	crypto_generichash_update(&stream->hash, bytes, size);
	return true;
}

static bool stream_write(struct stream *stream, const void *bytes, size_t size)
{
	crypto_generichash_update(&stream->hash, bytes, size);
	return fwrite(bytes, size, 1, stream->file) == 1;
}

static bool read_entries(struct stream *stream, struct boxes_table *table)
{
	struct boxes_table_entry entry;
	uint64_t count = 0;

	for (; stream_read(stream, &entry, sizeof(entry)); count++) {
		if (!entry.rest)
			return entry.edges == count;
		if (!boxes_table_add(table, entry))
			return false;
	}
	return false;
}

static bool read_hash(struct stream *stream)
{
	unsigned char expected[HASH_BYTES];
	unsigned char found[HASH_BYTES];

	crypto_generichash_final(&stream->hash, expected, sizeof(expected));
	return fread(found, sizeof(found), 1, stream->file) == 1 &&
	       memcmp(found, expected, sizeof(found)) == 0 && fgetc(stream->file) == EOF;
}

static int read_header(const struct boxes_task *task, struct stream *stream, struct header *header)
{
	struct boxes_grid grid = task->position.grid;

	if (!stream_read(stream, header, sizeof(*header)) ||
		memcmp(header->magic, magic, sizeof(magic)) != 0)
		return cli_refuse(task->command, "%.200s: %s", task->checkpoint,
			ferror(stream->file) ? strerror(errno)
					     : "this is no checkpoint of `boxes solve`");
	if (header->version != VERSION || header->byte_order != BYTE_ORDER_MARK)
		return cli_refuse(task->command, "%.200s: another version or machine wrote it",
			task->checkpoint);
	if (header->rows != grid.rows || header->columns != grid.columns)
		return cli_refuse(task->command, "%.200s: it is of the grid %dx%d, not %dx%d",
			task->checkpoint, header->rows, header->columns, grid.rows, grid.columns);
	return CLI_DONE;
}

static int read_stream(const struct boxes_task *task, struct stream *stream,
	struct boxes_table *table, struct boxes_checkpoint *checkpoint)
{
	struct header header;
	int result = read_header(task, stream, &header);

	if (result != CLI_DONE)
		return result;
	if (!read_entries(stream, table) || !read_hash(stream))
		return cli_refuse(task->command, "%.200s: %s", task->checkpoint,
			ferror(stream->file) ? strerror(errno) : "the file is damaged");
	*checkpoint = (struct boxes_checkpoint){
		.grid = {header.rows, header.columns},
		.value = {header.low, header.high},
		.nodes = header.nodes,
		.value_nodes = header.value_nodes,
		.time_ms = header.time_ms,
	};
	return CLI_DONE;
}

int boxes_checkpoint_read(const struct boxes_task *task, struct boxes_table *table,
	struct boxes_checkpoint *checkpoint)
{
	struct stream stream;
	FILE *file = fopen(task->checkpoint, "rb");
	int result;

	if (!file && errno == ENOENT)
		return CLI_DONE;
	if (!file)
		return cli_refuse(task->command, "%.200s: %s", task->checkpoint, strerror(errno));
	stream_begin(&stream, file);
	result = read_stream(task, &stream, table, checkpoint);
	fclose(file);
	return result;
}

static bool write_stream(struct stream *stream, const struct boxes_table *table,
	const struct boxes_checkpoint *checkpoint)
{
	struct header header = {
		.version = VERSION,
		.byte_order = BYTE_ORDER_MARK,
		.rows = checkpoint->grid.rows,
		.columns = checkpoint->grid.columns,
		.low = checkpoint->value.low,
		.high = checkpoint->value.high,
		.nodes = checkpoint->nodes,
		.value_nodes = checkpoint->value_nodes,
		.time_ms = checkpoint->time_ms,
	};
	unsigned char hash[HASH_BYTES];
	struct boxes_table_entry end = {0, 0};
	struct boxes_table_entry entry;

	memcpy(header.magic, magic, sizeof(magic));
	if (!stream_write(stream, &header, sizeof(header)))
		return false;
	for (size_t place = 0; boxes_table_next(table, &place, &entry); end.edges++)
		if (!stream_write(stream, &entry, sizeof(entry)))
			return false;
	if (!stream_write(stream, &end, sizeof(end)))
		return false;
	crypto_generichash_final(&stream->hash, hash, sizeof(hash));
	return fwrite(hash, sizeof(hash), 1, stream->file) == 1 && fflush(stream->file) == 0 &&
	       fsync(fileno(stream->file)) == 0;
}

/* After a loss of power the folder must know of the new file too. */
static bool sync_folder(char *path)
{
	char *slash = strrchr(path, '/');
	int folder;
	bool synced;

	if (slash)
		slash[slash == path] = 0;
	folder = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return false;
	synced = fsync(folder) == 0;
	close(folder);
	return synced;
}

int boxes_checkpoint_write(const struct boxes_task *task, const struct boxes_table *table,
	const struct boxes_checkpoint *checkpoint)
{
	char path[PATH_MAX];
	struct stream stream;
	FILE *file;
	/* Of this process alone, so that another one with the same file cannot mix into it. */
	int length = snprintf(path, sizeof(path), "%s.%ld.new", task->checkpoint, (long)getpid());

	if (length >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		goto fail;
	}
	file = fopen(path, "wb");
	if (!file)
		goto fail;
	stream_begin(&stream, file);
	if (!write_stream(&stream, table, checkpoint) || rename(path, task->checkpoint) != 0) {
		int error = errno;

		fclose(file);
		unlink(path);
		errno = error;
		goto fail;
	}
	fclose(file);
	if (sync_folder(path))
		return CLI_DONE;
fail:
	return cli_refuse(task->command, "%.200s: the checkpoint could not be written: %s",
		task->checkpoint, strerror(errno));
}
