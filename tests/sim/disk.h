/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/*
 * A disk with a system that caches its writes, as SQLite sees them (a `sqlite3_vfs`), in memory.
 *
 * What was written stands in the cache at once, and on the disk only after a flush. When the power
 * fails, each sector of what was not flushed is on the disk as some write since the last flush left
 * it, the first bytes of one write with the rest of the one before at worst; the length of a file
 * is that after some of these writes, and what lies between has any content. A file that was made
 * or deleted comes or goes with the next flush of its folder. That is what SQLite says that it
 * withstands: https://www.sqlite.org/atomiccommit.html, with powersafe overwrites as on any POSIX
 * system. When only the process dies, the cache stays.
 *
 * There is one disk in a process, and one connection at a time.
 */
enum disk_end {
	DISK_LIVES,
	DISK_KILLED, /* the process */
	DISK_DARK,   /* the power failed */
};

/* Each is how many of 100 calls fail. */
struct disk_faults {
	uint32_t writes; /* the disk is full, or fails */
	uint32_t flushes;
	uint32_t reads;
};

struct disk {
	struct random *random;
	struct disk_faults faults;
	bool lies; /* flushes do nothing, and say that they have */

	/* The end comes with the call that makes this 0; -1: it does not. */
	int64_t calls_left;
	enum disk_end coming;
	enum disk_end end;

	uint64_t failures; /* calls that failed so far */
	uint64_t calls;    /* in all */
	uint64_t trace;    /* a hash of all that was called */
};

extern struct disk disk;

/* Registers the disk as what SQLite opens files with. Once a process. */
void disk_register(void);

/* An empty disk, for a new run. */
void disk_reset(struct random *random);

/* Ends the process that uses the disk now: what it still calls changes nothing and fails. */
void disk_stop(enum disk_end end);

/* Makes of the disk what is left after the end that came; it lives again. */
void disk_recover(void);
