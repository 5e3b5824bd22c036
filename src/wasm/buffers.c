/* SPDX-License-Identifier: MIT */
#include "wasm/buffers.h"

char wasm_input_buffer[WASM_INPUT_BYTES];
struct text_error wasm_fault;

static char output_buffer[WASM_OUTPUT_BYTES];
static struct text output_text;

EXPORT(input) char *wasm_input(void);
EXPORT(output) const char *wasm_output(void);
EXPORT(output_length) size_t wasm_output_length(void);
EXPORT(fault_column) unsigned wasm_fault_column(void);
EXPORT(status_word) void wasm_status_word(enum status status);

char *wasm_input(void)
{
	return wasm_input_buffer;
}

const char *wasm_output(void)
{
	return output_buffer;
}

size_t wasm_output_length(void)
{
	return output_text.length;
}

struct text *wasm_output_begin(void)
{
	text_init(&output_text, output_buffer, sizeof(output_buffer));
	return &output_text;
}

/* From 1; 0 when the text is not at fault. */
unsigned wasm_fault_column(void)
{
	return wasm_fault.column;
}

void wasm_status_word(enum status status)
{
	text_add(wasm_output_begin(), (unsigned)status < STATUS_COUNT ? status_code(status) : "");
}
