/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/*
 * `komadai play` is a program beside this one, so that a server has not the thirty libraries of
 * libcurl in its process.
 */
int command_play(int argc, char **argv)
{
	static const char name[] = "komadai-play";
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof(name));

	(void)argc;
	while (length > 0 && path[length - 1] != '/')
		length--;
	if (length <= 0)
		return cli_refuse("play", "the folder of this program is not to be found");
	strcpy(path + length, name);
	execv(path, argv);
	return cli_refuse("play", "%s: %s", path, strerror(errno));
}
