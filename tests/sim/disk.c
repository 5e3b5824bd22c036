/* SPDX-License-Identifier: MIT */
#include "disk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "chance.h"
#include "disk_files.h"
#include "machine.h"

struct disk disk;

/* Raised by every end, so that what was open before is of no use any more. */
static uint64_t life;

enum { SHARED_REGION = 32768, SHARED_REGIONS = 4, SECTOR_TOLD = 4096, SECTOR = 512 };

/* The index of the WAL, which the processes share that have the file open: here there is one. */
static unsigned char *shared[SHARED_REGIONS];

struct handle {
	sqlite3_file base;
	struct file *file;
	uint64_t life;
};

enum call { CALL_OPEN, CALL_WRITE, CALL_TRUNCATE, CALL_FLUSH, CALL_DELETE, CALL_READ };

static void trace(enum call call, size_t offset, size_t length)
{
	disk.trace = (disk.trace ^ call ^ offset << 8 ^ length << 40) * 0x9e3779b97f4a7c15;
	disk.trace ^= disk.trace >> 29;
	disk.calls++;
}

/* Whether the end comes before this call does anything. */
static bool ends_now(void)
{
	if (disk.calls_left > 0 && --disk.calls_left == 0) {
		disk.calls_left = -1;
		disk_stop(disk.coming);
		return true;
	}
	return false;
}

static bool is_dead(const struct handle *handle)
{
	return handle->life != life;
}

static int fail(int code)
{
	disk.failures++;
	return code;
}

static int disk_close(sqlite3_file *base)
{
	(void)base;
	return SQLITE_OK;
}

static int disk_read(sqlite3_file *base, void *data, int length, sqlite3_int64 offset)
{
	const struct handle *handle = (struct handle *)base;

	if (is_dead(handle))
		return SQLITE_IOERR_READ;
	trace(CALL_READ, (size_t)offset, (size_t)length);
	if (disk.faults.reads && chance(disk.random, disk.faults.reads))
		return fail(SQLITE_IOERR_READ);
	file_read(handle->file, data, (size_t)length, (size_t)offset);
	return (size_t)(offset + length) > handle->file->now.length ? SQLITE_IOERR_SHORT_READ
								    : SQLITE_OK;
}

static int disk_write(sqlite3_file *base, const void *data, int length, sqlite3_int64 offset)
{
	const struct handle *handle = (struct handle *)base;

	if (is_dead(handle))
		return SQLITE_IOERR_WRITE;
	trace(CALL_WRITE, (size_t)offset, (size_t)length);
	if (ends_now()) {
		/* The system may have taken a part of it, in whole sectors. */
		size_t sectors = random_below(disk.random, (uint32_t)length / SECTOR + 1);

		if (sectors > 0)
			file_write(handle->file, data, sectors * SECTOR, (size_t)offset);
		return SQLITE_IOERR_WRITE;
	}
	if (disk.faults.writes && chance(disk.random, disk.faults.writes))
		return fail(chance(disk.random, 50) ? SQLITE_FULL : SQLITE_IOERR_WRITE);
	file_write(handle->file, data, (size_t)length, (size_t)offset);
	return SQLITE_OK;
}

static int disk_truncate(sqlite3_file *base, sqlite3_int64 length)
{
	const struct handle *handle = (struct handle *)base;

	if (is_dead(handle) || ends_now())
		return SQLITE_IOERR_TRUNCATE;
	trace(CALL_TRUNCATE, 0, (size_t)length);
	if (disk.faults.writes && chance(disk.random, disk.faults.writes))
		return fail(SQLITE_IOERR_TRUNCATE);
	file_truncate(handle->file, (size_t)length);
	return SQLITE_OK;
}

static int disk_flush(sqlite3_file *base, int flags)
{
	const struct handle *handle = (struct handle *)base;

	(void)flags;
	if (is_dead(handle))
		return SQLITE_IOERR_FSYNC;
	trace(CALL_FLUSH, 0, 0);
	if (ends_now())
		return SQLITE_IOERR_FSYNC;
	if (disk.faults.flushes && chance(disk.random, disk.faults.flushes)) {
		file_flush_partly(handle->file, disk.random);
		return fail(SQLITE_IOERR_FSYNC);
	}
	if (disk.lies)
		return SQLITE_OK;
	file_sync(handle->file);
	folder_flush(); /* the POSIX system of SQLite flushes it with a file that is new */
	return SQLITE_OK;
}

static int disk_file_size(sqlite3_file *base, sqlite3_int64 *size)
{
	const struct handle *handle = (struct handle *)base;

	if (is_dead(handle))
		return SQLITE_IOERR_FSTAT;
	*size = (sqlite3_int64)handle->file->now.length;
	return SQLITE_OK;
}

/* One connection has nobody to lock out. */
static int disk_lock(sqlite3_file *base, int level)
{
	(void)base;
	(void)level;
	return SQLITE_OK;
}

static int disk_check_lock(sqlite3_file *base, int *taken)
{
	(void)base;
	*taken = 0;
	return SQLITE_OK;
}

static int disk_control(sqlite3_file *base, int op, void *argument)
{
	(void)base;
	(void)op;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int disk_sector_size(sqlite3_file *base)
{
	(void)base;
	return SECTOR_TOLD;
}

static int disk_characteristics(sqlite3_file *base)
{
	(void)base;
	return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static void shared_forget(void)
{
	for (int i = 0; i < SHARED_REGIONS; i++) {
		free(shared[i]);
		shared[i] = NULL;
	}
}

static int disk_shm_map(
	sqlite3_file *base, int region, int size, int extend, void volatile **mapped)
{
	(void)base;
	if (size != SHARED_REGION || region >= SHARED_REGIONS)
		abort();
	if (!shared[region] && extend)
		shared[region] = calloc(1, SHARED_REGION);
	*mapped = shared[region];
	return SQLITE_OK;
}

static int disk_shm_lock(sqlite3_file *base, int offset, int count, int flags)
{
	(void)base;
	(void)offset;
	(void)count;
	(void)flags;
	return SQLITE_OK;
}

static void disk_shm_barrier(sqlite3_file *base)
{
	(void)base;
}

static int disk_shm_unmap(sqlite3_file *base, int delete)
{
	(void)base;
	(void)delete;
	shared_forget();
	return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = disk_close,
	.xRead = disk_read,
	.xWrite = disk_write,
	.xTruncate = disk_truncate,
	.xSync = disk_flush,
	.xFileSize = disk_file_size,
	.xLock = disk_lock,
	.xUnlock = disk_lock,
	.xCheckReservedLock = disk_check_lock,
	.xFileControl = disk_control,
	.xSectorSize = disk_sector_size,
	.xDeviceCharacteristics = disk_characteristics,
	.xShmMap = disk_shm_map,
	.xShmLock = disk_shm_lock,
	.xShmBarrier = disk_shm_barrier,
	.xShmUnmap = disk_shm_unmap,
};

static int disk_open(
	sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out)
{
	struct handle *handle = (struct handle *)base;
	/* The file of the rooms is made by the store, before SQLite opens it. */
	bool make = flags & (SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB);

	(void)vfs;
	handle->base.pMethods = NULL;
	if (!name || disk.end != DISK_LIVES)
		return SQLITE_CANTOPEN;
	trace(CALL_OPEN, 0, 0);
	if (ends_now())
		return SQLITE_CANTOPEN;
	handle->file = file_find(name, make);
	if (!handle->file)
		return SQLITE_CANTOPEN;
	handle->life = life;
	handle->base.pMethods = &methods;
	if (flags_out)
		*flags_out = flags;
	return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int flush_folder)
{
	struct file *file;

	(void)vfs;
	if (disk.end != DISK_LIVES)
		return SQLITE_IOERR_DELETE;
	trace(CALL_DELETE, 0, 0);
	if (ends_now())
		return SQLITE_IOERR_DELETE;
	if (disk.faults.writes && chance(disk.random, disk.faults.writes))
		return fail(SQLITE_IOERR_DELETE);
	file = file_find(name, false);
	if (!file)
		return SQLITE_IOERR_DELETE_NOENT;
	file_delete(file);
	if (flush_folder && !disk.lies)
		folder_flush();
	return SQLITE_OK;
}

static int disk_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer)
{
	(void)vfs;
	(void)flags;
	*answer = file_find(name, false) != NULL;
	return SQLITE_OK;
}

static int disk_full_name(sqlite3_vfs *vfs, const char *name, int capacity, char *full)
{
	(void)vfs;
	if (strlen(name) >= (size_t)capacity)
		return SQLITE_CANTOPEN;
	strcpy(full, name);
	return SQLITE_OK;
}

/* Seeds the generator of SQLite, of which the numbers of a WAL come. */
static int disk_randomness(sqlite3_vfs *vfs, int length, char *bytes)
{
	(void)vfs;
	for (int i = 0; i < length; i++)
		bytes[i] = (char)random_next(disk.random);
	return length;
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds)
{
	(void)vfs;
	return microseconds;
}

static int disk_time64(sqlite3_vfs *vfs, sqlite3_int64 *time)
{
	static const sqlite3_int64 epoch_1970 = 24405875 * (sqlite3_int64)8640000;

	(void)vfs;
	*time = epoch_1970 + machine_wall_ms();
	return SQLITE_OK;
}

static int disk_time(sqlite3_vfs *vfs, double *time)
{
	sqlite3_int64 now;

	disk_time64(vfs, &now);
	*time = (double)now / 86400000.0;
	return SQLITE_OK;
}

static int disk_last_error(sqlite3_vfs *vfs, int length, char *text)
{
	(void)vfs;
	(void)length;
	(void)text;
	return 0;
}

void disk_register(void)
{
	static sqlite3_vfs vfs = {
		.iVersion = 2,
		.szOsFile = sizeof(struct handle),
		.mxPathname = FILE_NAME,
		.zName = "simulated",
		.xOpen = disk_open,
		.xDelete = disk_delete,
		.xAccess = disk_access,
		.xFullPathname = disk_full_name,
		.xRandomness = disk_randomness,
		.xSleep = disk_sleep,
		.xCurrentTime = disk_time,
		.xGetLastError = disk_last_error,
		.xCurrentTimeInt64 = disk_time64,
	};

	if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK)
		abort();
}

void disk_reset(struct random *random)
{
	files_clear();
	shared_forget();
	life++;
	disk = (struct disk){.random = random, .calls_left = -1};
	sqlite3_randomness(0, NULL); /* to be seeded again */
}

void disk_stop(enum disk_end end)
{
	assert(end != DISK_LIVES && disk.end == DISK_LIVES);
	life++;
	disk.end = end;
}

void disk_recover(void)
{
	assert(disk.end != DISK_LIVES);
	if (disk.end == DISK_DARK)
		files_lose_cache(disk.random);
	shared_forget();
	disk.end = DISK_LIVES;
	disk.calls_left = -1;
}
