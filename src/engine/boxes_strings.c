/* SPDX-License-Identifier: MIT */
#include "engine/boxes_strings.h"

#include <assert.h>

static inline uint64_t others(const struct boxes_graph *graph, int edge, int box)
{
	return graph->edge_boxes[edge] & ~bit(box);
}

struct taking coins_take(const struct boxes_graph *graph, struct coins *coins)
{
	struct taking taking = {0, 0, false};
	uint64_t taken = 0;
	uint64_t met = 0;         /* joints at which a chain ended */
	uint64_t met_by_long = 0; /* likewise one of two boxes or more */
	bool open_end = false;    /* a chain of two or more ends where nothing is taken */
	bool closed = false;      /* one of four or more is closed */

	while (coins_capturable(coins)) {
		int box = bits_first64(coins_capturable(coins));
		int length = 0;
		uint64_t next;

		do {
			int edge = bits_first64(graph->box_edges[box] & coins->edges);

			next = others(graph, edge, box);
			taken |= bit(box);
			length++;
			coins_cut(graph, coins, edge);
			if (next)
				box = bits_first64(next);
		} while (next & coins_capturable(coins));
		if (next & ~coins_open(coins)) {
			taken |= next;
			length++;
			closed |= length >= 4;
		} else if (next) {
			met |= next;
			met_by_long |= length >= 2 ? next : 0;
		} else {
			open_end |= length >= 2;
		}
	}
	taking.taken = bits_count64(taken);
	if (open_end || (met_by_long & ~taken))
		taking.kept = 2;
	else if (met & taken)
		taking.tangled = true;
	else if (closed)
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
