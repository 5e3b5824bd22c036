/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * Reads a case file of tests/data: tab-separated, '#' lines are comments, the first other line
 * names the columns. A missing file, a row of another width or a file without rows fails the test.
 */
enum { CASE_COLUMNS = 12 };

struct case_row {
	const char *file;
	int line;
	size_t count;
	const char *column[CASE_COLUMNS]; /* live for the visit only */
};

void cases_visit(const char *file, size_t columns, void (*visit)(const struct case_row *row));
