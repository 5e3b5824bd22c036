/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void split(char *text, struct case_row *row)
{
	text[strcspn(text, "\r\n")] = 0;
	row->count = 0;
	while (text && row->count < CASE_COLUMNS)
		row->column[row->count++] = strsep(&text, "\t");
}

void cases_visit(const char *file, size_t columns, void (*visit)(const struct case_row *row))
{
	const char *folder = getenv("KOMADAI_TEST_DATA");
	struct case_row row = {.file = file};
	bool header = true;
	int rows = 0;
	char path[4096];
	char text[8192];
	FILE *in;

	if (!folder)
		fail_msg("KOMADAI_TEST_DATA names no folder");
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	in = fopen(path, "r");
	if (!in)
		fail_msg("%s cannot be opened", path);
	while (fgets(text, sizeof(text), in)) {
		row.line++;
		if (text[0] == '#' || text[0] == '\n')
			continue;
		split(text, &row);
		if (row.count != columns)
			fail_msg("%s:%d has %zu columns, not %zu", file, row.line, row.count,
				columns);
		if (!header) {
			visit(&row);
			rows++;
		}
		header = false;
	}
	fclose(in);
	if (rows == 0)
		fail_msg("%s has no rows", file);
}
