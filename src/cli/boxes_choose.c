/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cli/boxes.h"

/* "line 12 A1R value 3 exact nodes 4711"; "about" where the value is not exact. */
int boxes_choose_task(const struct boxes_task *task)
{
	struct boxes_host host = {.should_stop = boxes_was_interrupted, .clock_ms = boxes_clock_ms};
	struct boxes_player *player;
	struct boxes_choice choice;
	char name[BOXES_EDGE_NAME];
	int result;

	if (boxes_is_over(&task->position))
		return cli_refuse(task->command, "no line is free");
	result = boxes_make_player(task, task->seed, &player);
	if (result != CLI_DONE)
		return result;
	boxes_catch_signals();
	boxes_player_choose(
		player, &task->position, task->levels[0], &task->limits, &host, &choice);
	boxes_player_destroy(player);
	boxes_edge_name(task->position.grid, choice.edge, name);
	printf("line %d %s value %d %s nodes %" PRIu64 "\n", choice.edge, name, choice.value,
		choice.exact ? "exact" : "about", choice.nodes);
	return CLI_DONE;
}
