/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* What may follow a first byte: how many bytes in all, and between what the second one lies. */
struct form {
	unsigned char first_low;
	unsigned char first_high;
	unsigned char second_low;
	unsigned char second_high;
	unsigned char length;
};

static const struct form forms[] = {
	{0x01, 0x7f, 0, 0, 1},
	{0xc2, 0xdf, 0x80, 0xbf, 2},
	{0xe0, 0xe0, 0xa0, 0xbf, 3},
	{0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3},
	{0xee, 0xef, 0x80, 0xbf, 3},
	{0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4},
	{0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const struct form *find_form(unsigned char first)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (first >= forms[i].first_low && first <= forms[i].first_high)
			return &forms[i];
	}
	return NULL;
}

static bool is_character(const struct form *form, const char *text, size_t length)
{
	if (!form || form->length > length)
		return false;
	for (size_t i = 1; i < form->length; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte < (i == 1 ? form->second_low : 0x80) ||
			byte > (i == 1 ? form->second_high : 0xbf))
			return false;
	}
	return true;
}

size_t utf8_valid_prefix(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		const struct form *form = find_form((unsigned char)text[at]);

		if (!is_character(form, text + at, length - at))
			break;
		at += form->length;
	}
	return at;
}

size_t utf8_length(const char *text)
{
	const struct form *form = find_form((unsigned char)text[0]);

	return form ? form->length : 1;
}

size_t utf8_mark_length(const char *text, size_t length)
{
	static const char mark[] = "\xef\xbb\xbf";

	return length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}
