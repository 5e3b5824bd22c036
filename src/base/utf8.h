/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * The number of bytes at the front of `text` that are whole, well-formed UTF-8 characters (Unicode
 * 15, table 3-7: no overlong form, no surrogate, nothing above U+10FFFF) and no zero byte: `length`
 * when all of it is text.
 */
size_t utf8_valid_prefix(const char *text, size_t length);

/* The bytes of the character at the front of valid UTF-8, which is not empty. */
size_t utf8_length(const char *text);

/* The bytes of the byte order mark at the front: 3, or 0 where there is none. */
size_t utf8_mark_length(const char *text, size_t length);
