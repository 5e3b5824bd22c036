/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A hash to tell texts apart by, never 0. */
static inline uint64_t hash_bytes(const void *data, size_t length)
{
	const unsigned char *bytes = data;
	uint64_t hash = 0x2545f4914f6cdd1d ^ length;

	for (; length >= 8; bytes += 8, length -= 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 32;
	}
	for (; length > 0; bytes++, length--)
		hash = (hash ^ *bytes) * 0x100000001b3;
	return hash ? hash : 1;
}
