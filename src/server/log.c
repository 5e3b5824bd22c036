/* SPDX-License-Identifier: MIT */
#include "server/log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"

static const char *const levels[] = {"info", "warn", "error"};

static void add_time(struct text *text, int64_t wall_ms)
{
	time_t second = (time_t)(wall_ms / 1000);
	struct tm utc;
	char date[64];

	gmtime_r(&second, &utc);
	(void)snprintf(date, sizeof(date), "time=%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
		utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
		utc.tm_sec, (int)(wall_ms % 1000));
	text_add(text, date);
}

static bool is_word(const char *value, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)value[i];

		if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=')
			return false;
	}
	return length > 0;
}

static void add_byte(struct text *text, unsigned char c)
{
	char escaped[8];

	if (c == '"' || c == '\\')
		text_add_char(text, '\\');
	if (c >= ' ' && c != 0x7f) {
		text_add_char(text, (char)c);
		return;
	}
	(void)snprintf(escaped, sizeof(escaped), "\\u%04x", c);
	text_add(text, escaped);
}

/* One character of UTF-8, or one byte of what is none; returns its bytes. */
static size_t add_character(struct text *text, const char *value, size_t length)
{
	size_t size;

	if ((unsigned char)*value < 0x80) {
		add_byte(text, (unsigned char)*value);
		return 1;
	}
	for (size = 2; size <= 4 && size <= length; size++) {
		if (utf8_valid_prefix(value, size) == size) {
			text_add_bytes(text, value, size);
			return size;
		}
	}
	text_add_char(text, '?');
	return 1;
}

static void add_text(struct text *text, const char *value)
{
	size_t length = strnlen(value, LOG_VALUE_BYTES);

	if (is_word(value, length)) {
		text_add_bytes(text, value, length);
		return;
	}
	text_add_char(text, '"');
	for (size_t i = 0; i < length;)
		i += add_character(text, value + i, length - i);
	text_add_char(text, '"');
}

void log_write(struct text *text, int64_t wall_ms, enum log_level level, const char *event,
	const struct log_field *fields, size_t count)
{
	add_time(text, wall_ms);
	text_add(text, " level=");
	text_add(text, levels[level]);
	text_add(text, " event=");
	text_add(text, event);
	for (size_t i = 0; i < count; i++) {
		text_add_char(text, ' ');
		text_add(text, fields[i].name);
		text_add_char(text, '=');
		if (fields[i].text)
			add_text(text, fields[i].text);
		else
			text_add_number(text, (int64_t)fields[i].number);
	}
}

void log_say(enum log_level level, const char *event, const struct log_field *fields, size_t count)
{
	char line[LOG_LINE_BYTES];
	struct text text;
	ssize_t written;

	text_init(&text, line, sizeof(line) - 1);
	log_write(&text, clock_wall_ms(), level, event, fields, count);
	line[text.length] = '\n';
	/* At once, so that lines of several processes do not mix. Where nobody listens, nobody is
	 * told. */
	written = write(STDERR_FILENO, line, text.length + 1);
	(void)written;
}
