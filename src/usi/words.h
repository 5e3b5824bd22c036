/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A command as its words: what stands between blanks. Words are slices of the command's text and
 * live as long as it does.
 */
struct word {
	const char *text;
	size_t length;
};

struct words {
	const char *text; /* the whole command */
	size_t length;
	size_t at;
};

/* The next word; false at the end. */
bool words_next(struct words *words, struct word *word);

bool word_is(struct word word, const char *name);

/* A whole number from `low` to `high`, in digits alone; `low` is not negative. */
bool word_number(struct word word, uint64_t low, uint64_t high, uint64_t *number);
