/* SPDX-License-Identifier: MIT */
#include "boxes/boxes.h"

#include <assert.h>
#include <string.h>

#include "boxes/notation.h"

_Static_assert(sizeof(struct boxes_position) <= GAME_STATE_BYTES, "the state fits its value");
_Static_assert((int)BOXES_EDGES_MAX <= (int)GAME_ACTIONS_MAX, "all lines are a list of actions");

static const char *const ruleset_names[] = {"standard", NULL};

static const char start_text[] = "6x7";

const struct boxes_position *boxes_state_position(const struct game_state *state)
{
	return (const struct boxes_position *)(const void *)state->bytes;
}

static void state_store(const struct boxes_position *position, struct game_state *state)
{
	memcpy(state->bytes, position, sizeof(*position));
}

static bool is_free(const struct boxes_position *position, int edge)
{
	return position->lines[edge] == BOXES_FREE;
}

int boxes_free_lines(const struct boxes_position *position)
{
	int count = 0;

	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++)
		count += is_free(position, edge);
	return count;
}

bool boxes_is_closed(const struct boxes_position *position, int box)
{
	for (int side = BOXES_TOP; side < BOXES_SIDES; side++)
		if (is_free(position, boxes_box_edge(position->grid, box, (enum boxes_side)side)))
			return false;
	return true;
}

bool boxes_is_over(const struct boxes_position *position)
{
	return boxes_free_lines(position) == 0;
}

int boxes_leader(const struct boxes_position *position)
{
	if (position->scores[0] == position->scores[1])
		return -1;
	return position->scores[1] > position->scores[0];
}

struct game_action boxes_action(int edge)
{
	assert(edge >= 0 && edge < BOXES_EDGES_MAX);
	return (struct game_action){(uint32_t)edge + 1};
}

int boxes_action_edge(struct game_action action)
{
	assert(action.code >= 1 && action.code <= BOXES_EDGES_MAX);
	return (int)action.code - 1;
}

/* However many boxes the line closes, the same player draws one more: nothing is kept in reserve.
 */
static void draw_line(struct boxes_position *position, int edge)
{
	int boxes[2];
	int count = boxes_edge_boxes(position->grid, edge, boxes);

	position->lines[edge] = (int8_t)position->player;
	position->captured = 0;
	for (int i = 0; i < count; i++) {
		if (!boxes_is_closed(position, boxes[i]))
			continue;
		position->owners[boxes[i]] = (int8_t)position->player;
		position->captured++;
	}
	position->scores[position->player] += position->captured;
	position->last = (int16_t)edge;
	position->moves++;
	if (position->captured == 0)
		position->player = !position->player;
}

/*
 * A key is what the rest of the game and its score depend on: which lines are drawn, the score, who
 * moves, and the grid. Lines 0 to 63 are the bits of word 0, 64 to 127 those of word 1, the others
 * the lowest of word 2, below these fields.
 */
enum { KEY_SIDE_BITS = 3, KEY_SCORE_BITS = 7 };

enum {
	KEY_PLAYER = BOXES_EDGES_MAX - 128,
	KEY_ROWS = KEY_PLAYER + 1, /* less one */
	KEY_COLUMNS = KEY_ROWS + KEY_SIDE_BITS,
	KEY_FIRST_SCORE = KEY_COLUMNS + KEY_SIDE_BITS,
	KEY_SECOND_SCORE = KEY_FIRST_SCORE + KEY_SCORE_BITS,
	KEY_END = KEY_SECOND_SCORE + KEY_SCORE_BITS,
};

_Static_assert(GAME_KEY_WORDS == 3 && KEY_END <= 64, "a key fits");
_Static_assert(BOXES_SIDE_MAX <= 1 << KEY_SIDE_BITS, "a side fits");
_Static_assert(BOXES_MAX < 1 << KEY_SCORE_BITS, "a score fits");

static struct game_key key_pack(const struct boxes_position *position)
{
	struct game_key key = {{0}};

	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++)
		if (!is_free(position, edge))
			key.word[edge / 64] |= UINT64_C(1) << edge % 64;
	key.word[2] |= (uint64_t)position->player << KEY_PLAYER |
		       (uint64_t)(position->grid.rows - 1) << KEY_ROWS |
		       (uint64_t)(position->grid.columns - 1) << KEY_COLUMNS |
		       (uint64_t)position->scores[0] << KEY_FIRST_SCORE |
		       (uint64_t)position->scores[1] << KEY_SECOND_SCORE;
	return key;
}

static int key_field(const struct game_key *key, int shift, int bits)
{
	return (int)(key->word[2] >> shift) & ((1 << bits) - 1);
}

/* "2x2 100001101100 1 0-1": the grid, the lines, who moves, and the score. */
static void boxes_key_write(const struct game_key *key, struct text *text)
{
	struct boxes_position position = {
		.grid = {(uint8_t)(key_field(key, KEY_ROWS, KEY_SIDE_BITS) + 1),
			(uint8_t)(key_field(key, KEY_COLUMNS, KEY_SIDE_BITS) + 1)},
	};

	for (int edge = 0; edge < boxes_edge_count(position.grid); edge++)
		position.lines[edge] =
			key->word[edge / 64] >> edge % 64 & 1 ? BOXES_NOBODY : BOXES_FREE;
	boxes_bits_write(&position, text);
	text_add_char(text, ' ');
	text_add_number(text, key_field(key, KEY_PLAYER, 1));
	text_add_char(text, ' ');
	text_add_number(text, key_field(key, KEY_FIRST_SCORE, KEY_SCORE_BITS));
	text_add_char(text, '-');
	text_add_number(text, key_field(key, KEY_SECOND_SCORE, KEY_SCORE_BITS));
}

static struct game_record record_make(const struct boxes_position *position, int by)
{
	return (struct game_record){.key = key_pack(position), .by = (int8_t)by};
}

static enum status check_ruleset(const char *name)
{
	return !name || strcmp(name, ruleset_names[0]) == 0 ? STATUS_OK : STATUS_RULESET_UNKNOWN;
}

static enum status boxes_setup(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_state *state, struct game_record *record)
{
	enum status status = check_ruleset(ruleset);
	struct boxes_position made;

	if (status != STATUS_OK) {
		*error = (struct text_error){status, 1, 1};
		return status;
	}
	status = boxes_position_read(text, length, error, &made);
	if (status != STATUS_OK)
		return status;
	state_store(&made, state);
	*record = record_make(&made, -1);
	return STATUS_OK;
}

static enum status boxes_start(
	const char *ruleset, struct game_state *state, struct game_record *record)
{
	struct text_error error;

	return boxes_setup(ruleset, start_text, strlen(start_text), &error, state, record);
}

/* The rules forget the past: `history` is not asked. */
static enum status boxes_play(const struct game_state *state, const struct game_history *history,
	struct game_action action, struct game_state *next, struct game_record *record)
{
	struct boxes_position made = *boxes_state_position(state);
	int by = made.player;

	(void)history;
	if (boxes_is_over(&made))
		return STATUS_GAME_OVER;
	if (action.code == 0 || action.code > (uint32_t)boxes_edge_count(made.grid))
		return STATUS_LINE_NUMBER;
	if (!is_free(&made, boxes_action_edge(action)))
		return STATUS_LINE_TAKEN;
	draw_line(&made, boxes_action_edge(action));
	state_store(&made, next);
	*record = record_make(&made, by);
	return STATUS_OK;
}

/* In the order of their numbers. */
static size_t boxes_legal(
	const struct game_state *state, struct game_action actions[GAME_ACTIONS_MAX])
{
	const struct boxes_position *position = boxes_state_position(state);
	size_t count = 0;

	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++)
		if (is_free(position, edge))
			actions[count++] = boxes_action(edge);
	return count;
}

static uint64_t perft_below(const struct boxes_position *position, int depth, bool bulk)
{
	uint64_t leaves = 0;

	if (depth == 0)
		return 1;
	if (depth == 1 && bulk)
		return (uint64_t)boxes_free_lines(position);
	for (int edge = 0; edge < boxes_edge_count(position->grid); edge++) {
		struct boxes_position next = *position;

		if (!is_free(position, edge))
			continue;
		draw_line(&next, edge);
		leaves += perft_below(&next, depth - 1, bulk);
	}
	return leaves;
}

static uint64_t boxes_perft(const struct game_state *state, int depth, bool bulk)
{
	return perft_below(boxes_state_position(state), depth, bulk);
}

/* The score is the whole reason of an end, so there is none beside it. */
static struct game_summary boxes_summary(const struct game_state *state)
{
	const struct boxes_position *position = boxes_state_position(state);
	bool over = boxes_is_over(position);

	return (struct game_summary){
		.player = position->player,
		.moves = position->moves,
		.over = over,
		.winner = over ? boxes_leader(position) : -1,
		.reason = GAME_REASON_NONE,
		.has_scores = true,
		.scores = {position->scores[0], position->scores[1]},
	};
}

static enum status boxes_action_read(const struct game_state *state, const char *text,
	size_t length, struct text_error *error, struct game_action *action)
{
	int edge;
	enum status status =
		boxes_edge_read(boxes_state_position(state)->grid, text, length, error, &edge);

	if (status == STATUS_OK)
		*action = boxes_action(edge);
	return status;
}

static void boxes_action_write(struct game_action action, struct text *text)
{
	text_add_number(text, boxes_action_edge(action));
}

static enum status boxes_action_read_members(const struct game_state *state,
	const struct game_member *members, size_t count, const char **bad,
	struct game_action *action)
{
	int edge;
	enum status status = boxes_edge_read_members(
		boxes_state_position(state)->grid, members, count, bad, &edge);

	if (status == STATUS_OK)
		*action = boxes_action(edge);
	return status;
}

static void boxes_action_write_json(struct game_action action, struct text *text)
{
	text_add(text, "{\"type\":\"line\",\"edge\":");
	text_add_number(text, boxes_action_edge(action));
	text_add_char(text, '}');
}

static void boxes_state_write_json(const struct game_state *state, struct text *text)
{
	boxes_position_write_json(boxes_state_position(state), text);
}

static void boxes_state_write(const struct game_state *state, struct text *text)
{
	boxes_position_write(boxes_state_position(state), text);
}

const struct game_ops petits_carres = {
	.name = "petits-carres",
	.rulesets = ruleset_names,
	.formats = boxes_formats,
	.start = boxes_start,
	.setup = boxes_setup,
	.play = boxes_play,
	.legal = boxes_legal,
	.perft = boxes_perft,
	.summary = boxes_summary,
	.action_read = boxes_action_read,
	.action_write = boxes_action_write,
	.action_read_members = boxes_action_read_members,
	.action_write_json = boxes_action_write_json,
	.state_write_json = boxes_state_write_json,
	.state_write = boxes_state_write,
	.key_write = boxes_key_write,
};
