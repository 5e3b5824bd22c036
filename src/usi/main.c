/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_streams.h"
#include "usi/usi.h"

/* One byte more than a command may have, so that usi_command() sees which are too long. */
static char input[USI_LINE_MAX + 1];

static void print_line(void *context, const char *line)
{
	(void)context;
	fputs(line, stdout);
	fputc('\n', stdout);
	fflush(stdout);
}

/*
 * Runs the commands that end within the first `length` bytes of `input` and keeps the rest. `*skip`
 * is set while the rest of a command that was too long goes by. False: `quit`.
 */
static bool run_commands(struct usi *usi, size_t *length, bool *skip)
{
	size_t start = 0;
	const char *end;

	while ((end = memchr(input + start, '\n', *length - start))) {
		size_t next = (size_t)(end - input);
		bool goes_on = *skip || usi_command(usi, input + start, next - start);

		*skip = false;
		if (!goes_on)
			return false;
		start = next + 1;
	}
	*length -= start;
	memmove(input, input + start, *length);
	if (*length == sizeof(input)) {
		if (!*skip)
			(void)usi_command(usi, input, sizeof(input));
		*skip = true;
		*length = 0;
	}
	return true;
}

/* The end of the input is a `quit`, but lets a search with limits answer first. */
static bool serve(struct usi *usi)
{
	size_t length = 0;
	bool skip = false;

	for (;;) {
		ssize_t got = read(STDIN_FILENO, input + length, sizeof(input) - length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			break;
		length += (size_t)got;
		if (!run_commands(usi, &length, &skip))
			return true;
	}
	if (length && !skip && !usi_command(usi, input, length))
		return true;
	usi_finish(usi);
	return true;
}

int main(int argc, char **argv)
{
	struct usi_host host = {.write = print_line};
	struct usi *usi;
	enum status status;
	bool served;

	if (!standard_streams_ensure())
		return 1;
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		puts("komadai-usi " KOMADAI_VERSION);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr,
			"komadai-usi: unexpected argument \"%s\": commands come on standard "
			"input\n",
			argv[1]);
		return 2;
	}
	status = usi_create(&host, &usi);
	if (status != STATUS_OK) {
		fprintf(stderr, "komadai-usi: %s\n", status_text(status));
		return 1;
	}
	served = serve(usi);
	if (!served)
		fprintf(stderr, "komadai-usi: the input cannot be read: %s\n", strerror(errno));
	usi_destroy(usi);
	return served && !ferror(stdout) ? 0 : 1;
}
