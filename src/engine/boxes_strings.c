/* SPDX-License-Identifier: MIT */
#include "engine/boxes_strings.h"

struct taking coins_take(const struct boxes_graph *graph, struct coins *coins)
{
	struct taking taking = {0, 0};
	uint64_t ends = coins_capturable(coins);
	uint64_t taken = 0;
	uint64_t met = 0;      /* from a box that was no end of a tree */
	bool open_end = false; /* such a box had an edge to the ground */

	while (coins_capturable(coins)) {
		uint64_t box = bit(bits_first64(coins_capturable(coins)));
		int edge = bits_first64(graph->box_edges[bits_first64(box)] & coins->edges);
		uint64_t next = graph->edge_boxes[edge] & ~box;

		coins_cut(graph, coins, edge);
		taken |= box | (next & ~coins_open(coins));
		if (box & ends)
			continue;
		met |= next;
		open_end |= !next;
	}
	taking.taken = bits_count64(taken);
	if (open_end || (met & ~taken))
		taking.kept = 2;
	else if (met & ~ends)
		taking.kept = 4;
	return taking;
}

struct string coins_string(const struct boxes_graph *graph, const struct coins *coins, int box)
{
	uint64_t boxes = coins_reached(graph, coins, bit(box), coins_on_string(coins));
	uint64_t edges = coins_edges_of(graph, coins, boxes);
	struct string string = {
		.boxes = boxes,
		.edges = edges,
		.length = bits_count64(boxes),
		.opening = bits_first64(edges),
	};

	string.loop = bits_count64(edges) == string.length;
	if (string.length == 2)
		string.opening = bits_first64(edges & graph->box_edges[bits_first64(boxes)] &
					      graph->box_edges[bits_first64(boxes & (boxes - 1))]);
	return string;
}
