/* SPDX-License-Identifier: MIT */
#include "usi/go.h"

#include "usi/usi.h"

enum number { DEPTH, NODES, MOVETIME, BTIME, WTIME, BINC, WINC, BYOYOMI, PERFT, NUMBERS };

/* Thousands of years, and far from where sums of milliseconds would overflow. */
static const uint64_t ms_max = UINT64_C(1000000000000000);

static const struct {
	const char *name;
	uint64_t low;
	uint64_t high;
	const char *wanted;
} known[NUMBERS] = {
	[DEPTH] = {"depth", 1, 1000, "a number of plies from 1 to 1000"},
	[NODES] = {"nodes", 1, UINT64_MAX, "a number of nodes from 1 on"},
	[MOVETIME] = {"movetime", 1, ms_max, "milliseconds from 1 on"},
	[BTIME] = {"btime", 0, ms_max, "milliseconds"},
	[WTIME] = {"wtime", 0, ms_max, "milliseconds"},
	[BINC] = {"binc", 0, ms_max, "milliseconds"},
	[WINC] = {"winc", 0, ms_max, "milliseconds"},
	[BYOYOMI] = {"byoyomi", 0, ms_max, "milliseconds"},
	[PERFT] = {"perft", 0, USI_PERFT_MAX, "a depth from 0 to 30"},
};
_Static_assert(USI_PERFT_MAX == 30, "as the text above says");

enum {
	/* Kept back from a clock for the way to whoever reads it. */
	ANSWER_MS = 30,
	/* What is left is divided as if so many moves were still to come. A guess. */
	MOVES_TO_COME = 25,
};

static uint64_t time_for_move(const uint64_t numbers[NUMBERS], int player)
{
	uint64_t left = numbers[player == 0 ? BTIME : WTIME];
	uint64_t added = numbers[player == 0 ? BINC : WINC];
	uint64_t share = left / MOVES_TO_COME + added * 3 / 4;

	if (share > left)
		share = left;
	share += numbers[BYOYOMI];
	return share > ANSWER_MS ? share - ANSWER_MS : 1;
}

/* A clock below zero, which some programs send when a flag has just fallen, counts as zero. */
static bool read_number(struct word word, enum number which, uint64_t *number)
{
	bool clock = which >= BTIME && which <= BYOYOMI;

	if (clock && word.length > 1 && word.text[0] == '-') {
		word.text++;
		word.length--;
		if (!word_number(word, 0, ms_max, number))
			return false;
		*number = 0;
		return true;
	}
	return word_number(word, known[which].low, known[which].high, number);
}

static enum number find_number(struct word word)
{
	int which = 0;

	while (which < NUMBERS && !word_is(word, known[which].name))
		which++;
	return (enum number)which;
}

bool go_read(struct words *words, int player, struct go *go, struct word *bad, const char **wanted)
{
	uint64_t numbers[NUMBERS] = {0};
	bool given[NUMBERS] = {false};
	bool clock = false;
	struct word word;

	*go = (struct go){.perft = -1};
	while (words_next(words, &word)) {
		enum number which = find_number(word);

		if (word_is(word, "infinite") || word_is(word, "ponder")) {
			go->infinite = true;
		} else if (word_is(word, "mate")) {
			go->mate = true;
			return true;
		} else if (which == NUMBERS) {
			*bad = word;
			*wanted = "a limit";
			return false;
		} else {
			if (!words_next(words, bad))
				*bad = (struct word){words->text + words->length, 0};
			if (!read_number(*bad, which, &numbers[which])) {
				*wanted = known[which].wanted;
				return false;
			}
			given[which] = true;
			clock = clock || (which >= BTIME && which <= BYOYOMI);
		}
	}
	if (given[PERFT])
		go->perft = (int)numbers[PERFT];
	go->limits.depth = (int)numbers[DEPTH];
	go->limits.nodes = numbers[NODES];
	if (given[MOVETIME])
		go->limits.movetime_ms = numbers[MOVETIME];
	else if (clock && !go->infinite)
		go->limits.movetime_ms = time_for_move(numbers, player);
	if (!given[DEPTH] && !given[NODES] && !given[MOVETIME] && !clock)
		go->infinite = true;
	return true;
}
