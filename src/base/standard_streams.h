/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Makes sure that descriptors 0 to 2 are taken. In a program that was started without one of them,
 * the next file or socket gets its number, and what is meant for people is written into it. In its
 * place stands what can neither be read nor written, so that the program sees an error there as it
 * would have seen without. To be called first of all. False: there is no /dev/null.
 */
bool standard_streams_ensure(void);
