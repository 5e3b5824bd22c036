/* SPDX-License-Identifier: MIT */
#include "usi/words.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool words_next(struct words *words, struct word *word)
{
	while (words->at < words->length && is_blank(words->text[words->at]))
		words->at++;
	if (words->at == words->length)
		return false;
	word->text = words->text + words->at;
	while (words->at < words->length && !is_blank(words->text[words->at]))
		words->at++;
	word->length = (size_t)(words->text + words->at - word->text);
	return true;
}

bool word_is(struct word word, const char *name)
{
	return word.length == strlen(name) && memcmp(word.text, name, word.length) == 0;
}

bool word_number(struct word word, uint64_t low, uint64_t high, uint64_t *number)
{
	uint64_t value = 0;

	for (size_t i = 0; i < word.length; i++) {
		unsigned digit = (unsigned)word.text[i] - '0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (word.length == 0 || value < low || value > high)
		return false;
	*number = value;
	return true;
}
