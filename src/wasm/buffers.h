/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/text.h"

/*
 * How any module speaks with the browser: the page writes text into `input`, calls with its length,
 * and reads `output_length` bytes of UTF-8 from `output`. Every function that can refuse returns a
 * status, 0 for done; what was there before then stays as it was, and `status_word` gives the word
 * for it.
 */
#define EXPORT(name) __attribute__((export_name(#name)))

enum { WASM_INPUT_BYTES = 4096, WASM_OUTPUT_BYTES = 64 * 1024 };

/* Several texts of one call stand in it one behind the other. */
extern char wasm_input_buffer[WASM_INPUT_BYTES];

/* Where the text of the latest call that reads one is at fault; zero when it is not. */
extern struct text_error wasm_fault;

/* The output, empty. */
struct text *wasm_output_begin(void);
