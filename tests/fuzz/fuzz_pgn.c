/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>

#include "record_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	record_fuzz("pgn", data, size);
	return 0;
}
