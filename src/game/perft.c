/* SPDX-License-Identifier: MIT */
#include "game/perft.h"

#include <assert.h>
#include <stdlib.h>

uint64_t game_perft_split(const struct game_ops *ops, const struct game_state *state, int depth,
	bool bulk, void (*branch)(void *context, const char *action, uint64_t leaves),
	void *context)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = ops->legal(state, actions);
	uint64_t sum = 0;

	assert(depth >= 1);
	for (size_t i = 0; i < count; i++) {
		struct game_state next;
		struct game_record record;
		char name[GAME_ACTION_TEXT];
		struct text text;
		uint64_t leaves;

		if (ops->play(state, NULL, actions[i], &next, &record) != STATUS_OK)
			abort(); /* the generator and the single-move check disagree */
		leaves = ops->perft(&next, depth - 1, bulk);
		text_init(&text, name, sizeof(name));
		ops->action_write(actions[i], &text);
		branch(context, name, leaves);
		sum += leaves;
	}
	return sum;
}
