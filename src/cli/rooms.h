/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cli.h"

/* What a question about the rooms of a data file is asked with. */
struct rooms_task {
	const char *command; /* "rooms check" and so on, for messages */
	const char *data;
	const char *room; /* NULL: every room */
	const char *file; /* the argument; NULL: there is none */
};

/* Reads a text of rooms, from `file` or standard input, into a data file that is new. */
int rooms_import_task(const struct rooms_task *task);
