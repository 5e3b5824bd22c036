/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/boxes.h"

/*
 * A search of hours kept in a file: what its table holds, and how far it has come. The file is
 * replaced whole, so that whatever ends the program leaves an old one or a new one. It is for this
 * machine's order of bytes, and for a table of any size.
 */
struct boxes_checkpoint {
	struct boxes_grid grid;
	struct boxes_bounds value; /* of the empty board */
	uint64_t nodes;            /* of all runs so far */
	uint64_t value_nodes;      /* of those, until the value was found; 0: it is not yet */
	uint64_t time_ms;          /* of all runs */
};

/*
 * Adds what the file holds to the table, of a solver that was prepared for the empty board. No
 * file: `checkpoint` and table stay as they are. Otherwise what is wrong with it is said and the
 * exit status returned; the table is of no use then.
 */
int boxes_checkpoint_read(const struct boxes_task *task, struct boxes_table *table,
	struct boxes_checkpoint *checkpoint);

/* Says what is wrong and returns the exit status where the file could not be replaced. Searches may
 * use the table meanwhile. */
int boxes_checkpoint_write(const struct boxes_task *task, const struct boxes_table *table,
	const struct boxes_checkpoint *checkpoint);
