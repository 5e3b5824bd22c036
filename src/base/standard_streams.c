/* SPDX-License-Identifier: MIT */
#include "base/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool standard_streams_ensure(void)
{
	for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
		/* The other way round, so that reading and writing fail. */
		int mode = number == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		if (fcntl(number, F_GETFD) == -1 && errno == EBADF &&
			open("/dev/null", mode) != number)
			return false;
	}
	return true;
}
