/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>

#include "record_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	record_fuzz("sfen", data, size);
	record_fuzz("usi", data, size);
	return 0;
}
