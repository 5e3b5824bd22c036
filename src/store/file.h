/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* What files need that outlive the end of a process and the loss of power. False: errno says why.
 */

/*
 * Takes an flock of `path`, an empty file that is made where there is none and stays. The kernel
 * frees it when `*lock`, a descriptor, is closed, and so when the process dies, however it dies. It
 * holds against another holder in the same process too. EWOULDBLOCK: another one holds it.
 */
MUST_CHECK bool file_lock(const char *path, int *lock);

/* Flushes a file or, with O_DIRECTORY, a folder, which is opened with these flags. */
MUST_CHECK bool file_flush(const char *path, int flags);

/* The folder that a file is in, so that it knows of the file's new name. */
MUST_CHECK bool file_flush_folder(const char *path);
