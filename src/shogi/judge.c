/* SPDX-License-Identifier: MIT */
#include "shogi/judge.h"

_Static_assert(GAME_KEY_WORDS == 3, "every word is compared");

static bool same_key(struct game_key a, struct game_key b)
{
	return a.word[0] == b.word[0] && a.word[1] == b.word[1] && a.word[2] == b.word[2];
}

/* Whether `player` moved after record `first`, up to `latest`, and gave check every time. */
static bool always_checked(const struct game_history *history, const struct game_record *latest,
	size_t first, int player)
{
	bool moved = latest->by == player;

	if (moved && !latest->check)
		return false;
	for (size_t i = first + 1; i < history->count; i++) {
		if (history->records[i].by != player)
			continue;
		if (!history->records[i].check)
			return false;
		moved = true;
	}
	return moved;
}

struct judge_verdict judge_repetition(const struct judge_rules *rules,
	const struct game_history *history, const struct game_record *latest)
{
	size_t first = history->count;
	int occurrences = 1;
	bool perpetual[2] = {false, false};

	for (size_t i = history->count; occurrences < REPETITION_OCCURRENCES && i-- > 0;) {
		if (same_key(history->records[i].key, latest->key)) {
			occurrences++;
			first = i;
		}
	}
	if (occurrences < REPETITION_OCCURRENCES)
		return (struct judge_verdict){.winner = -1};

	if (rules->perpetual_check) {
		perpetual[0] = always_checked(history, latest, first, 0);
		perpetual[1] = always_checked(history, latest, first, 1);
	}
	if (perpetual[0] && perpetual[1])
		return (struct judge_verdict){true, -1, GAME_REASON_MUTUAL_PERPETUAL};
	if (perpetual[0] || perpetual[1])
		return (struct judge_verdict){true, perpetual[0], GAME_REASON_PERPETUAL_CHECK};
	return (struct judge_verdict){
		true,
		rules->repetition == REPETITION_FIRST_LOSES ? 1 : -1,
		GAME_REASON_REPETITION,
	};
}
