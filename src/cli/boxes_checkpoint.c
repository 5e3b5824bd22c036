/* SPDX-License-Identifier: MIT */
#include "cli/boxes_checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/file.h"

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
	uint8_t table_bits; /* the table has 2 to that power of bytes; 0 in files of old */
	uint8_t zero[3];
	uint64_t nodes;
	uint64_t value_nodes;
	uint64_t time_ms;
};

_Static_assert(sizeof(struct header) == 48, "without gaps, whose bytes would be anything");

static const char magic[8] = "komabox";

/* One more whenever edges or strings are numbered in another way, or a rule of the search changes
 * what bounds mean: entries of another version would be wrong here. */
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };

enum {
	HASH_BYTES = 32,
	ENTRY_BYTES = sizeof(struct boxes_table_entry),
	FRAME_BYTES = sizeof(struct header) + ENTRY_BYTES + HASH_BYTES, /* all but the entries */
	TABLE_BITS_MIN = 12,
	TABLE_BITS_MAX = 44
};

static int refuse(const struct boxes_checkpoint_file *file, const char *reason)
{
	return cli_refuse(file->command, "%.200s: %s", file->path, reason);
}

static int refuse_write(const struct boxes_checkpoint_file *file, int error)
{
	return cli_refuse(file->command, "%.200s: the checkpoint could not be written: %s",
		file->path, strerror(error));
}

/* Reads the header, which says whose file it is, before the hash, which says that it is whole. */
static int read_header(
	struct boxes_checkpoint_file *file, struct boxes_grid grid, struct header *header)
{
	if (fread(header, sizeof(*header), 1, file->found) != 1 ||
		memcmp(header->magic, magic, sizeof(magic)) != 0)
		return refuse(file, ferror(file->found) ? strerror(errno)
							: "this is no checkpoint of `boxes solve`");
	if (header->version != VERSION || header->byte_order != BYTE_ORDER_MARK)
		return refuse(file, "another version or machine wrote it");
	if (header->rows != grid.rows || header->columns != grid.columns)
		return cli_refuse(file->command, "%.200s: it is of the grid %dx%d, not %dx%d",
			file->path, header->rows, header->columns, grid.rows, grid.columns);
	return CLI_DONE;
}

/* Sees that the rest of the file has that many bytes and the hash of all before. */
static bool has_its_hash(FILE *file, const struct header *header, uint64_t rest)
{
	crypto_generichash_state state;
	unsigned char expected[HASH_BYTES];
	unsigned char found[HASH_BYTES];
	unsigned char bytes[1 << 14];

	crypto_generichash_init(&state, NULL, 0, HASH_BYTES);
	crypto_generichash_update(&state, (const unsigned char *)header, sizeof(*header));
	while (rest > 0) {
		size_t size = rest < sizeof(bytes) ? (size_t)rest : sizeof(bytes);

		if (fread(bytes, size, 1, file) != 1)
			return false;
		crypto_generichash_update(&state, bytes, size);
		rest -= size;
	}
	crypto_generichash_final(&state, expected, sizeof(expected));
	return fread(found, sizeof(found), 1, file) == 1 &&
	       memcmp(found, expected, sizeof(found)) == 0 && fgetc(file) == EOF;
}

static bool is_whole(struct boxes_checkpoint_file *file, const struct header *header)
{
	struct stat info;
	uint64_t size;

	if (fstat(fileno(file->found), &info) != 0)
		return false;
	size = (uint64_t)info.st_size;
	if (size < FRAME_BYTES || (size - FRAME_BYTES) % ENTRY_BYTES)
		return false;
	file->entries = (size - FRAME_BYTES) / ENTRY_BYTES;
	return (!header->table_bits || (header->table_bits >= TABLE_BITS_MIN &&
					       header->table_bits <= TABLE_BITS_MAX)) &&
	       has_its_hash(file->found, header, size - sizeof(*header) - HASH_BYTES);
}

static int look_into(struct boxes_checkpoint_file *file, struct boxes_grid grid)
{
	struct header header;
	int result = read_header(file, grid, &header);

	if (result != CLI_DONE)
		return result;
	if (!is_whole(file, &header))
		return refuse(file, ferror(file->found) ? strerror(errno) : "the file is damaged");
	file->checkpoint = (struct boxes_checkpoint){
		.grid = {header.rows, header.columns},
		.value = {header.low, header.high},
		.nodes = header.nodes,
		.value_nodes = header.value_nodes,
		.time_ms = header.time_ms,
	};
	file->table_bytes = header.table_bits ? (size_t)1 << header.table_bits : 0;
	return CLI_DONE;
}

/* "NAMEend", or NULL. */
static char *name_beside(const char *path, const char *end)
{
	size_t size = strlen(path) + strlen(end) + 1;
	char *name = malloc(size);

	if (name)
		snprintf(name, size, "%s%s", path, end);
	return name;
}

/* To open a pipe waits for its other end, and to replace a device loses it. */
static int find_place(const struct boxes_task *task, struct boxes_checkpoint_file *file)
{
	struct stat info;
	bool exists = lstat(task->checkpoint, &info) == 0;

	/* Where a link leads, and not the link, is the file. */
	file->path = exists ? realpath(task->checkpoint, NULL) : strdup(task->checkpoint);
	if (!file->path || (!exists && errno != ENOENT))
		return cli_refuse(file->command, "%.200s: %s", task->checkpoint, strerror(errno));
	if (exists && stat(file->path, &info) != 0)
		return refuse(file, strerror(errno));
	if (exists && !S_ISREG(info.st_mode))
		return refuse(file, "a checkpoint is an ordinary file, and this is none");
	file->next = name_beside(file->path, ".new");
	return file->next ? CLI_DONE : refuse(file, strerror(errno));
}

static int take_lock(struct boxes_checkpoint_file *file)
{
	char *name = name_beside(file->path, "-lock");
	int result = CLI_DONE;

	if (!name || !file_lock(name, &file->lock))
		result = errno == EWOULDBLOCK ? refuse(file, "another process is using it")
					      : refuse_write(file, errno);
	free(name);
	return result;
}

/* What a process that was killed has left there is of no use to anybody. */
static FILE *make_next(const struct boxes_checkpoint_file *file)
{
	int fd;
	FILE *made;

	if (unlink(file->next) != 0 && errno != ENOENT)
		return NULL;
	fd = open(file->next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	made = fdopen(fd, "wb");
	if (!made)
		close(fd);
	return made;
}

static int check_writing(const struct boxes_checkpoint_file *file)
{
	FILE *made = make_next(file);

	if (!made)
		return refuse_write(file, errno);
	fclose(made);
	unlink(file->next);
	return CLI_DONE;
}

static int find_file(struct boxes_checkpoint_file *file, struct boxes_grid grid)
{
	int fd = open(file->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? CLI_DONE : refuse(file, strerror(errno));
	file->found = fdopen(fd, "rb");
	if (!file->found) {
		close(fd);
		return refuse(file, strerror(errno));
	}
	return look_into(file, grid);
}

int boxes_checkpoint_open(const struct boxes_task *task, struct boxes_checkpoint_file *file)
{
	int result;

	*file = (struct boxes_checkpoint_file){.command = task->command, .lock = -1};
	result = find_place(task, file);
	if (result == CLI_DONE)
		result = take_lock(file);
	if (result == CLI_DONE)
		result = find_file(file, task->position.grid);
	if (result == CLI_DONE)
		result = check_writing(file);
	if (result != CLI_DONE)
		boxes_checkpoint_close(file);
	return result;
}

void boxes_checkpoint_close(struct boxes_checkpoint_file *file)
{
	if (file->found)
		fclose(file->found);
	if (file->lock >= 0)
		close(file->lock);
	free(file->next);
	free(file->path);
	*file = (struct boxes_checkpoint_file){.lock = -1};
}

int boxes_checkpoint_load(struct boxes_checkpoint_file *file, struct boxes_table *table)
{
	struct boxes_table_entry entry;

	if (fseeko(file->found, sizeof(struct header), SEEK_SET) != 0)
		return refuse(file, strerror(errno));
	for (uint64_t i = 0; i < file->entries; i++) {
		if (fread(&entry, sizeof(entry), 1, file->found) != 1)
			return refuse(file,
				ferror(file->found) ? strerror(errno) : "the file is damaged");
		switch (boxes_table_add(table, entry)) {
		case BOXES_ADDED:
			break;
		case BOXES_NO_ROOM:
			return cli_refuse(file->command,
				"%.200s: it needs a table of more than %zu MiB, with --memory",
				file->path, boxes_table_bytes(table) >> 20);
		case BOXES_NO_ENTRY:
			return refuse(file, "the file is damaged");
		}
	}
	fclose(file->found);
	file->found = NULL;
	return CLI_DONE;
}

struct stream {
	FILE *file;
	crypto_generichash_state hash;
};

static bool stream_write(struct stream *stream, const void *bytes, size_t size)
{
	crypto_generichash_update(&stream->hash, bytes, size);
	return fwrite(bytes, size, 1, stream->file) == 1;
}

static uint8_t bits_of(size_t power)
{
	uint8_t bits = 0;

	while (power >> bits > 1)
		bits++;
	return bits;
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
		.table_bits = bits_of(boxes_table_bytes(table)),
		.nodes = checkpoint->nodes,
		.value_nodes = checkpoint->value_nodes,
		.time_ms = checkpoint->time_ms,
	};
	unsigned char hash[HASH_BYTES];
	struct boxes_table_entry end = {0, 0};
	struct boxes_table_entry entry;

	crypto_generichash_init(&stream->hash, NULL, 0, HASH_BYTES);
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

int boxes_checkpoint_write(const struct boxes_checkpoint_file *file,
	const struct boxes_table *table, const struct boxes_checkpoint *checkpoint)
{
	struct stream stream = {.file = make_next(file)};
	bool written;
	int error;

	if (!stream.file)
		return refuse_write(file, errno);
	written = write_stream(&stream, table, checkpoint);
	error = errno;
	fclose(stream.file);
	if (written && rename(file->next, file->path) == 0) {
		/* After a loss of power the folder must know of the new file too. */
		return file_flush_folder(file->path) ? CLI_DONE : refuse_write(file, errno);
	}
	error = written ? errno : error;
	unlink(file->next);
	return refuse_write(file, error);
}
