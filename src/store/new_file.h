/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/store.h"

/*
 * A file that comes to be at once: it is written under a name of its own beside the place where it
 * is to stand, then flushed and renamed. A process that dies meanwhile leaves that other file, and
 * nothing in the place itself. What stands there already is never overwritten, but for an empty
 * file where that is allowed.
 *
 * Between `new_file_begin` and one of the other two, `temporary` is an absolute path of an empty
 * file with mode 0600, for the caller to write; it is closed before the other two.
 */
struct new_file {
	char *temporary;
	char *to;
	bool over_empty;
};

/* STATUS_STORE_OPEN, where nothing is to be ended then; also where there is a journal of another
 * database beside the place, which SQLite would take for the new file's. */
MUST_CHECK enum status new_file_begin(
	const char *to, bool over_empty, struct new_file *file, struct store_problem *problem);

/* STATUS_STORE_OPEN: something has come to stand there; STATUS_STORE_WRITE. Nothing is left then.
 */
MUST_CHECK enum status new_file_place(struct new_file *file, struct store_problem *problem);

void new_file_abandon(struct new_file *file);
