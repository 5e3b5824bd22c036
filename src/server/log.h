/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/text.h"

/*
 * What the server tells its operator, on standard error: one line an event, in logfmt,
 *
 *	time=2026-03-01T08:00:00.123Z level=warn event=limited kind=requests refused=17
 *
 * Never a key, an invitation or an address; a room only where it has to be repaired.
 */
enum log_level { LOG_INFO, LOG_WARN, LOG_ERROR };

struct log_field {
	const char *name; /* a word */
	const char *text; /* any bytes; NULL: `number` */
	uint64_t number;
};

enum { LOG_VALUE_BYTES = 512, LOG_LINE_BYTES = 4096 };

/*
 * Adds a line without its end. A text stands between quotation marks where it is more than a word:
 * `"` and `\` are escaped, control characters are \u00xx, what is no UTF-8 is `?`, and more than
 * LOG_VALUE_BYTES are cut off, so no text can end its line or look like another field.
 */
void log_write(struct text *text, int64_t wall_ms, enum log_level level, const char *event,
	const struct log_field *fields, size_t count);

/* The same with its end, now, to standard error. What does not fit in LOG_LINE_BYTES is left out.
 */
void log_say(enum log_level level, const char *event, const struct log_field *fields, size_t count);
