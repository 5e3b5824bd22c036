/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Bit counting, and the one attribute that the move generators rest on: their functions take the
 * colour and the purpose of a call as constant arguments, which only inlining turns into constants.
 */
#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE int bits_count32(uint32_t bits)
{
	return __builtin_popcount(bits);
}

/* The index of the lowest bit set; `bits` is not 0. */
static ALWAYS_INLINE int bits_first32(uint32_t bits)
{
	return __builtin_ctz(bits);
}

static ALWAYS_INLINE int bits_count64(uint64_t bits)
{
	return __builtin_popcountll(bits);
}

/* Of the lowest and the highest bit set; `bits` is not 0. */
static ALWAYS_INLINE int bits_first64(uint64_t bits)
{
	return __builtin_ctzll(bits);
}

static ALWAYS_INLINE int bits_last64(uint64_t bits)
{
	return 63 - __builtin_clzll(bits);
}
