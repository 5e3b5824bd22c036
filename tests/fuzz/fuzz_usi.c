/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "usi/usi.h"

/*
 * The protocol, a line of input a command. Searches are capped at one node and counts at one ply.
 * Every `go` that was taken up answers once, whatever follows; what goes out is one line of visible
 * text.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	int moves;    /* "bestmove" lines */
	int refusals; /* "info string go" lines and what else answers a go at once */
};

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_usi: %s\n", what);
	abort();
}

static bool begins(const char *line, const char *beginning)
{
	return strncmp(line, beginning, strlen(beginning)) == 0;
}

static void check_line(void *context, const char *line)
{
	struct seen *seen = context;

	for (const char *c = line; *c; c++)
		require(*c >= ' ' && *c <= '~', "a line has other than visible characters");
	seen->moves += begins(line, "bestmove ");
	seen->refusals += begins(line, "info string go: ") || begins(line, "checkmate ") ||
			  begins(line, "Nodes searched: ");
}

static bool is_go(const char *line, size_t length)
{
	while (length && (*line == ' ' || *line == '\t')) {
		line++;
		length--;
	}
	if (length && line[length - 1] == '\r')
		length--;
	return length >= 2 && memcmp(line, "go", 2) == 0 &&
	       (length == 2 || line[2] == ' ' || line[2] == '\t');
}

/* One command in a buffer of exactly its size, for the sanitizer. */
static bool feed(struct usi *usi, const uint8_t *bytes, size_t length, int *goes)
{
	char *line = malloc(length ? length : 1);
	bool goes_on;

	require(line != NULL, "no memory");
	memcpy(line, bytes, length);
	*goes += is_go(line, length);
	goes_on = usi_command(usi, line, length);
	free(line);
	return goes_on;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = {0};
	struct usi_host host = {
		.context = &seen, .write = check_line, .nodes_max = 1, .perft_max = 1};
	struct usi *usi;
	size_t start = 0;
	int goes = 0;

	require(usi_create(&host, &usi) == STATUS_OK, "no memory");
	while (start <= size) {
		const uint8_t *end = start < size ? memchr(data + start, '\n', size - start) : NULL;
		size_t length = (end ? (size_t)(end - data) : size) - start;

		if (!feed(usi, data + start, length, &goes))
			break;
		start += length + 1;
	}
	usi_destroy(usi);
	require(seen.moves + seen.refusals == goes, "a go without its one answer");
	return 0;
}
