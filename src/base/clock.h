/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* The two clocks, in milliseconds unless said otherwise. Pure code gets its time from its caller
 * instead. */

/* Since 1970, as logs keep it; never negative, even where the system's clock is set before. May
 * jump. */
int64_t clock_wall_ms(void);

/* From any beginning; never goes back. */
uint64_t clock_monotonic_ms(void);

/* The same clock in microseconds, for what is over in less. */
uint64_t clock_monotonic_us(void);
