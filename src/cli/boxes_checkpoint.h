/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/boxes.h"

/*
 * A search of hours kept in a file: what its table holds, and how far it has come. The file is
 * replaced whole, so that whatever ends the program leaves an old one or a new one. It is for this
 * machine's order of bytes, and for a table as large as the one it comes from, or larger.
 */
struct boxes_checkpoint {
	struct boxes_grid grid;
	struct boxes_bounds value; /* of the empty board */
	uint64_t nodes;            /* of all runs so far */
	uint64_t value_nodes;      /* of those, until the value was found; 0: it is not yet */
	uint64_t time_ms;          /* of all runs */
};

/* The file of a run, from whose beginning to its end no other process has it. */
struct boxes_checkpoint_file {
	const char *command; /* for messages */
	char *path;
	char *next; /* what is written before it takes the place of the file */
	int lock;
	FILE *found; /* NULL: there is none yet, and the next two are not set */
	struct boxes_checkpoint checkpoint;
	size_t table_bytes; /* of the table that it needs; 0: it does not say */
	uint64_t entries;
};

/*
 * Locks the file and sees, before all the work, that it is whole, of the task's grid, and can be
 * written; it is not changed. What is wrong is said and the exit status returned, and there is
 * nothing to close then.
 */
int boxes_checkpoint_open(const struct boxes_task *task, struct boxes_checkpoint_file *file);
void boxes_checkpoint_close(struct boxes_checkpoint_file *file);

/*
 * Adds what was found to the table of a solver that was prepared for the empty board. Says what is
 * wrong and returns the exit status where not all of it has room; the table is of no use then.
 */
int boxes_checkpoint_load(struct boxes_checkpoint_file *file, struct boxes_table *table);

/* Says what is wrong and returns the exit status where the file could not be replaced. Searches may
 * use the table meanwhile. */
int boxes_checkpoint_write(const struct boxes_checkpoint_file *file,
	const struct boxes_table *table, const struct boxes_checkpoint *checkpoint);
