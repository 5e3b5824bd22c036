/* SPDX-License-Identifier: MIT */
#include "engine/boxes_tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/bits.h"

/* A move of the tree: a line, or how a turn ends in which boxes may be kept. */
enum { MOVE_TAKE_ALL = BOXES_EDGES_MAX, MOVE_KEEP, MOVES };

struct node {
	double won;     /* by who made the move, 0 to 1 each time */
	uint32_t first; /* of its children, which lie together */
	uint32_t visits;
	uint8_t children;
	uint8_t move;
};

enum {
	/* A node has children once it was visited so often. */
	EXPAND_AFTER = 6,
	/* Two moves a line at the most: opening, and how the other's turn ends. */
	DEPTH_MAX = 2 * BOXES_EDGES_MAX,
	/* Of a string that is opened while safe lines are left; the shortest is, too. */
	SACRIFICE_MAX = 2, /* boxes */
	NODES_MIN = 4096
};

/* How much is tried that does not look best: in matches at 5x5 half or twice as much did no better.
 */
static const double exploration = 0.4;

/* What a box more or less counts beside winning, which counts 1. */
static const double weight_of_margin = 0.15;

struct boxes_tree {
	struct node *nodes;
	size_t capacity;
	size_t used;

	/* Of the question that is being answered. */
	const struct boxes_tree_question *question;
	struct boxes_frame frame;
	int edges;         /* of the grid */
	int margin_before; /* boxes closed by now, those of who moves less the other's */
	uint64_t beside[BOXES_EDGES_MAX]; /* the boxes beside a line */
	uint64_t first[BOXES_EDGES_MAX];  /* one of them, and on which side of it the line is */
	uint8_t side[BOXES_EDGES_MAX];
	double margins[MOVES]; /* sums over the trials of a move of the root */
};

/* A position in a trial. */
struct trial {
	struct boxes_sides sides;
	int player; /* 0: who moves at the root */
	int margin; /* since then, seen by player 0 */
	int kept;   /* not 0: `player` has taken all, and may yet leave so many and the move */
};

enum status boxes_tree_create(size_t bytes, struct boxes_tree **tree)
{
	struct boxes_tree *made = calloc(1, sizeof(*made));

	if (!made)
		return STATUS_NO_MEMORY;
	made->capacity = bytes / sizeof(struct node);
	made->capacity = made->capacity < NODES_MIN ? NODES_MIN : made->capacity;
	made->nodes = calloc(made->capacity, sizeof(struct node));
	if (!made->nodes) {
		free(made);
		return STATUS_NO_MEMORY;
	}
	*tree = made;
	return STATUS_OK;
}

void boxes_tree_destroy(struct boxes_tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	free(tree);
}

static void note_lines(struct boxes_tree *tree)
{
	struct boxes_grid grid = tree->frame.grid;

	tree->edges = boxes_edge_count(grid);
	for (int edge = 0; edge < tree->edges; edge++) {
		int boxes[2];
		int count = boxes_edge_boxes(grid, edge, boxes);

		tree->first[edge] = UINT64_C(1) << boxes[0];
		tree->beside[edge] = tree->first[edge] | (count == 2 ? UINT64_C(1) << boxes[1] : 0);
		tree->side[edge] = 0;
		while (boxes_box_edge(grid, boxes[0], (enum boxes_side)tree->side[edge]) != edge)
			tree->side[edge]++;
	}
}

static bool is_free(const struct boxes_tree *tree, const struct boxes_sides *sides, int edge)
{
	return sides->free[tree->side[edge]] & tree->first[edge];
}

static void draw(const struct boxes_tree *tree, struct boxes_sides *sides, int edge)
{
	enum boxes_side side = (enum boxes_side)tree->side[edge];

	sides->free[side] &= ~tree->first[edge];
	sides->free[boxes_side_opposite(side)] &= ~(tree->beside[edge] & ~tree->first[edge]);
}

static int seen_by_first(int player, int boxes)
{
	return player == 0 ? boxes : -boxes;
}

/* Takes what can be taken. What may be kept is left to be decided. */
static void take(const struct boxes_tree *tree, struct trial *trial)
{
	struct taking taking = boxes_ending_take(&tree->frame, &trial->sides);

	trial->margin += seen_by_first(trial->player, taking.taken);
	trial->kept = tree->question->belief == BOXES_DOUBLE_DEALT ? taking.kept : 0;
}

static void make_move(const struct boxes_tree *tree, struct trial *trial, int move)
{
	if (move == MOVE_TAKE_ALL) {
		trial->kept = 0;
	} else if (move == MOVE_KEEP) {
		trial->margin -= seen_by_first(trial->player, 2 * trial->kept);
		trial->player ^= 1;
		trial->kept = 0;
	} else {
		draw(tree, &trial->sides, move);
		trial->player ^= 1;
		take(tree, trial);
	}
}

static void add_child(struct boxes_tree *tree, struct node *parent, int move)
{
	struct node *child = &tree->nodes[tree->used++];

	*child = (struct node){.move = (uint8_t)move};
	parent->children++;
}

static bool is_safe(const struct boxes_tree *tree, uint64_t joints, int edge)
{
	return !(tree->beside[edge] & ~joints);
}

/* Every safe line, and each string by its best line: while lines are safe, the short ones. */
static void add_lines(struct boxes_tree *tree, struct node *node, const struct trial *trial)
{
	uint64_t joints = boxes_sides_degrees(&trial->sides).more;
	struct boxes_ending_string strings[BOXES_MAX];
	int count;

	for (int edge = 0; edge < tree->edges; edge++)
		if (is_free(tree, &trial->sides, edge) && is_safe(tree, joints, edge))
			add_child(tree, node, edge);
	count = boxes_ending_strings(&tree->frame, &trial->sides, strings);
	for (int i = 0; i < count; i++)
		if (node->children == 0 || i == 0 || strings[i].length <= SACRIFICE_MAX)
			add_child(tree, node, strings[i].opening);
}

static void expand(struct boxes_tree *tree, struct node *node, const struct trial *trial)
{
	if (tree->capacity - tree->used < MOVES)
		return;
	node->first = (uint32_t)tree->used;
	if (trial->kept) {
		add_child(tree, node, MOVE_TAKE_ALL);
		add_child(tree, node, MOVE_KEEP);
	} else {
		add_lines(tree, node, trial);
	}
}

static struct node *select_child(const struct boxes_tree *tree, const struct node *node)
{
	struct node *children = &tree->nodes[node->first];
	double spread = exploration * sqrt(log(node->visits + 1.0));
	double best = -1;
	int found = 0;

	for (int i = 0; i < node->children; i++) {
		const struct node *child = &children[i];
		double worth;

		if (child->visits == 0)
			return &children[i];
		worth = (child->won + spread * sqrt(child->visits)) / child->visits;
		if (worth > best) {
			best = worth;
			found = i;
		}
	}
	return &children[found];
}

/* Draws safe lines in an order of chance until none is left. Returns how many. */
static int draw_safe_lines(const struct boxes_tree *tree, struct boxes_sides *sides)
{
	uint8_t edges[BOXES_EDGES_MAX];
	uint64_t joints = boxes_sides_degrees(sides).more;
	int count = 0;
	int drawn = 0;

	for (int edge = 0; edge < tree->edges; edge++)
		if (is_safe(tree, joints, edge) && is_free(tree, sides, edge))
			edges[count++] = (uint8_t)edge;
	while (count > 0) {
		uint32_t i = random_below(tree->question->random, (uint32_t)count);
		int edge = edges[i];

		edges[i] = edges[--count];
		if (!is_safe(tree, joints, edge))
			continue;
		draw(tree, sides, edge);
		joints = boxes_sides_degrees(sides).more;
		drawn++;
	}
	return drawn;
}

/* Plays to the end by chance and theory. */
static void finish(const struct boxes_tree *tree, struct trial *trial)
{
	int drawn = draw_safe_lines(tree, &trial->sides);
	int value = boxes_ending_value(
		&tree->frame, &trial->sides, tree->question->belief, tree->question->sums);

	if (drawn & 1)
		value = -value;
	if (trial->kept)
		value = abs(trial->kept + value) - trial->kept;
	trial->margin += seen_by_first(trial->player, value);
}

/* 0 to 1 for player 0. */
static double reward(const struct boxes_tree *tree, int margin)
{
	int total = tree->margin_before + margin;
	double won = total > 0 ? 1 : total < 0 ? 0 : 0.5;
	double share = 0.5 + 0.5 * total / boxes_count(tree->frame.grid);

	return (1 - weight_of_margin) * won + weight_of_margin * share;
}

static void try_once(struct boxes_tree *tree, const struct trial *root)
{
	struct node *path[DEPTH_MAX + 1];
	int players[DEPTH_MAX + 1]; /* who made the move into it */
	struct trial trial = *root;
	struct node *node = tree->nodes;
	int depth = 0;
	double won;

	path[0] = node;
	players[0] = 1;
	for (;;) {
		bool may_expand =
			depth == 0 || (tree->question->answers && node->visits >= EXPAND_AFTER);

		if (!node->children && may_expand)
			expand(tree, node, &trial);
		if (!node->children)
			break;
		node = select_child(tree, node);
		path[++depth] = node;
		players[depth] = trial.player;
		make_move(tree, &trial, node->move);
	}
	finish(tree, &trial);
	won = reward(tree, trial.margin);
	for (int i = 0; i <= depth; i++) {
		path[i]->visits++;
		path[i]->won += players[i] == 0 ? won : 1 - won;
	}
	if (depth > 0)
		tree->margins[path[1]->move] += trial.margin;
}

/* The child of the root that was tried most often. */
static const struct node *most_tried(const struct boxes_tree *tree)
{
	const struct node *children = &tree->nodes[tree->nodes->first];
	const struct node *best = children;

	for (int i = 1; i < tree->nodes->children; i++)
		if (children[i].visits > best->visits)
			best = &children[i];
	return best;
}

/* The line that begins what was decided at the root. */
static int line_of(const struct boxes_tree *tree, const struct boxes_sides *sides, int move)
{
	uint64_t one = boxes_sides_degrees(sides).one;
	int edge = 0;

	if (!one)
		return move;
	if (move == MOVE_KEEP) {
		edge = boxes_ending_keeping_line(&tree->frame, sides);
		if (edge >= 0)
			return edge;
	}
	edge = boxes_ending_free_box(&tree->frame, sides);
	if (edge >= 0)
		return edge;
	for (edge = 0; !is_free(tree, sides, edge) || !(tree->beside[edge] & one);)
		edge++;
	return edge;
}

void boxes_tree_ask(struct boxes_tree *tree, const struct boxes_tree_question *question,
	struct boxes_tree_answer *answer)
{
	const struct boxes_position *position = question->position;
	struct boxes_sides sides;
	struct trial root = {.player = 0};
	const struct node *best;

	*answer = (struct boxes_tree_answer){.edge = -1};
	tree->question = question;
	tree->frame = boxes_frame_of(position->grid);
	tree->margin_before =
		seen_by_first(position->player, position->scores[0] - position->scores[1]);
	for (int i = 0; i < MOVES; i++)
		tree->margins[i] = 0;
	note_lines(tree);
	tree->nodes[0] = (struct node){0};
	tree->used = 1;
	sides = boxes_sides_of(&tree->frame, position);
	root.sides = sides;
	take(tree, &root);
	do {
		try_once(tree, &root);
		answer->trials++;
	} while (answer->trials < question->trials &&
		 !(answer->trials % BOXES_TRIALS_BETWEEN_CHECKS == 0 && question->should_stop &&
			 question->should_stop(question->context, answer->trials)));
	best = tree->nodes->children ? most_tried(tree) : NULL;
	answer->value = root.margin;
	if (best)
		answer->value = (int)lround(tree->margins[best->move] / best->visits);
	answer->edge = line_of(tree, &sides, best ? best->move : MOVE_TAKE_ALL);
	if (boxes_sides_degrees(&sides).one)
		return;
	for (int i = 0; i < tree->nodes->children; i++) {
		const struct node *child = &tree->nodes[tree->nodes->first + (uint32_t)i];

		answer->liked[child->move] = child->visits;
	}
}
