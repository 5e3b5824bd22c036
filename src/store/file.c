/* SPDX-License-Identifier: MIT */
#include "store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static void close_failed(int fd)
{
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
}

bool file_lock(const char *path, int *lock)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		*lock = fd;
		return true;
	}
	close_failed(fd);
	return false;
}

bool file_flush(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	bool flushed = fd >= 0 && fsync(fd) == 0;

	close_failed(fd);
	return flushed;
}

bool file_flush_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	char folder[PATH_MAX];

	if (length >= sizeof(folder)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(folder, path, length);
	folder[length] = 0;
	if (!length)
		strcpy(folder, slash ? "/" : "."); /* "/name" lies in "/" */
	return file_flush(folder, O_RDONLY | O_DIRECTORY);
}
