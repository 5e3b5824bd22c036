/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <assert.h>
#include <string.h>

void text_init(struct text *text, char *data, size_t capacity)
{
	assert(capacity >= 1);
	text->data = data;
	text->length = 0;
	text->capacity = capacity;
	text->overflow = false;
	data[0] = 0;
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	if (text->overflow || length >= text->capacity - text->length) {
		text->overflow = true;
		return;
	}
	memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = 0;
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_add_char(struct text *text, char c)
{
	text_add_bytes(text, &c, 1);
}

void text_add_number(struct text *text, int64_t number)
{
	char digits[20];
	size_t start = sizeof(digits);
	/* Unsigned, so that the lowest number has a counterpart too. */
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do {
		digits[--start] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		digits[--start] = '-';
	text_add_bytes(text, digits + start, sizeof(digits) - start);
}

void text_add_sentence(struct text *text, const char *phrase)
{
	if (*phrase >= 'a' && *phrase <= 'z')
		text_add_char(text, (char)(*phrase++ - 'a' + 'A'));
	text_add(text, phrase);
	text_add_char(text, '.');
}

void text_add_json(struct text *text, const char *string)
{
	static const char hex[] = "0123456789abcdef";

	text_add_char(text, '"');
	for (const char *c = string; *c; c++) {
		unsigned char byte = (unsigned char)*c;

		if (byte == '"' || byte == '\\') {
			text_add_bytes(text, (char[]){'\\', *c}, 2);
		} else if (byte == '\n') {
			text_add_bytes(text, "\\n", 2);
		} else if (byte < 0x20) {
			char escape[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
			text_add_bytes(text, escape, sizeof(escape));
		} else {
			text_add_char(text, *c);
		}
	}
	text_add_char(text, '"');
}
