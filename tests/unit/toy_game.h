/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "game/game.h"

/*
 * A game for tests of what any game must be to lines and rooms. Two players take 1 to 3 stones from
 * a pile in turn, or pass ("0"); who takes the last stone wins under "last-wins" and loses under
 * "last-loses". A position that occurs for the third time is a draw: so an end may depend on the
 * history, which the toy also checks to be the right one. Player 0 begins with 21 stones; a set-up
 * is "<stones> <player>". "-" is read for "0" and "r" for "resign", but never written.
 */

enum toy_code { TOY_PASS = 1, TOY_TAKE_1, TOY_TAKE_2, TOY_TAKE_3, TOY_RESIGN };

enum { TOY_STONES = 21, TOY_STONES_MAX = 999999, TOY_OCCURRENCES = 3 };

/* Without padding, so that tests may compare states as bytes. */
struct toy_state {
	int32_t last_wins;
	int32_t stones;
	int32_t player;
	uint32_t moves;
	int32_t over;
	int32_t winner;
	uint32_t reason;
};

static inline struct toy_state toy_unpack(const struct game_state *state)
{
	struct toy_state toy;

	memcpy(&toy, state->bytes, sizeof(toy));
	return toy;
}

static inline struct game_state toy_pack(const struct toy_state *toy)
{
	struct game_state state = {{0}};

	memcpy(state.bytes, toy, sizeof(*toy));
	return state;
}

static inline struct game_key toy_key(const struct toy_state *toy)
{
	return (struct game_key){{(uint64_t)toy->stones, (uint64_t)toy->player}};
}

static inline struct game_action toy_action(enum toy_code code)
{
	return (struct game_action){code};
}

static const char *const toy_rulesets[] = {"last-wins", "last-loses", NULL};

static inline enum status toy_begin(const char *ruleset, int stones, int player,
	struct game_state *state, struct game_record *record)
{
	struct toy_state toy = {.stones = stones, .player = player, .winner = -1};

	if (ruleset && strcmp(ruleset, "last-wins") != 0 && strcmp(ruleset, "last-loses") != 0)
		return STATUS_RULESET_UNKNOWN;
	toy.last_wins = !ruleset || strcmp(ruleset, "last-wins") == 0;
	*state = toy_pack(&toy);
	*record = (struct game_record){.key = toy_key(&toy), .by = -1};
	return STATUS_OK;
}

static inline enum status toy_start(
	const char *ruleset, struct game_state *state, struct game_record *record)
{
	return toy_begin(ruleset, TOY_STONES, 0, state, record);
}

static inline enum status toy_fail(struct text_error *error, enum status status, size_t offset)
{
	*error = (struct text_error){status, 1, (uint32_t)offset + 1};
	return status;
}

static inline enum status toy_setup(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_state *state, struct game_record *record)
{
	int stones = 0;
	size_t at = 0;
	enum status status;

	for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
		stones = stones * 10 + (text[at] - '0');
		if (stones > TOY_STONES_MAX)
			return toy_fail(error, STATUS_TEXT_TOO_LONG, at);
	}
	if (stones == 0 || at + 2 != length || text[at] != ' ' ||
		(text[at + 1] != '0' && text[at + 1] != '1'))
		return toy_fail(error, STATUS_SFEN_NUMBER, at);
	status = toy_begin(ruleset, stones, text[at + 1] - '0', state, record);
	return status == STATUS_OK ? status : toy_fail(error, status, 0);
}

static inline void toy_end(struct toy_state *toy, int winner, enum game_reason reason)
{
	toy->over = true;
	toy->winner = winner;
	toy->reason = reason;
}

/* The last record is of `before`; the new position is not among the records yet. */
static inline bool toy_repeats(const struct game_history *history, const struct toy_state *before,
	const struct toy_state *after)
{
	struct game_key old = toy_key(before);
	struct game_key key = toy_key(after);
	int occurrences = 1;

	/* Not an assert: a release build must find a wrong history too. */
	if (history->count != before->moves + 1 ||
		memcmp(&history->records[history->count - 1].key, &old, sizeof(old)) != 0)
		abort();
	/* The pile never grows: a position of another size ends the search. */
	for (size_t i = history->count; i-- > 0;) {
		if (history->records[i].key.word[0] != key.word[0])
			break;
		occurrences += history->records[i].key.word[1] == key.word[1];
	}
	return occurrences >= TOY_OCCURRENCES;
}

static inline enum status toy_play(const struct game_state *state,
	const struct game_history *history, struct game_action action, struct game_state *next,
	struct game_record *record)
{
	const struct toy_state before = toy_unpack(state);
	struct toy_state toy = before;

	if (toy.over)
		return STATUS_GAME_OVER;
	if (action.code < TOY_PASS || action.code > TOY_RESIGN)
		return STATUS_MOVE_PATTERN;
	if (action.code == TOY_RESIGN) {
		toy_end(&toy, 1 - toy.player, GAME_REASON_RESIGNATION);
	} else {
		int taken = (int)action.code - TOY_PASS;

		if (taken > toy.stones)
			return STATUS_DROP_NOT_IN_HAND;
		toy.moves++;
		toy.stones -= taken;
		if (toy.stones == 0)
			toy_end(&toy, toy.last_wins ? toy.player : 1 - toy.player,
				GAME_REASON_NO_LEGAL_MOVE);
		toy.player = 1 - toy.player;
		if (!toy.over && history && toy_repeats(history, &before, &toy))
			toy_end(&toy, -1, GAME_REASON_REPETITION);
	}
	*next = toy_pack(&toy);
	*record = (struct game_record){
		.key = toy_key(&toy), .by = (int8_t)before.player, .check = toy.stones <= 3};
	return STATUS_OK;
}

static inline size_t toy_legal(
	const struct game_state *state, struct game_action actions[GAME_ACTIONS_MAX])
{
	struct toy_state toy = toy_unpack(state);
	size_t count = 0;

	if (toy.over)
		return 0;
	for (int taken = 0; taken <= 3 && taken <= toy.stones; taken++)
		actions[count++] = (struct game_action){(uint32_t)(TOY_PASS + taken)};
	return count;
}

static inline uint64_t toy_perft(const struct game_state *state, int depth, bool bulk)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = toy_legal(state, actions);
	uint64_t leaves = 0;

	if (depth == 0)
		return 1;
	if (bulk && depth == 1)
		return count;
	for (size_t i = 0; i < count; i++) {
		struct game_state next;
		struct game_record record;

		if (toy_play(state, NULL, actions[i], &next, &record) == STATUS_OK)
			leaves += toy_perft(&next, depth - 1, bulk);
	}
	return leaves;
}

static inline struct game_summary toy_summary(const struct game_state *state)
{
	struct toy_state toy = toy_unpack(state);

	return (struct game_summary){.player = toy.player,
		.moves = toy.moves,
		.over = toy.over != 0,
		.winner = toy.winner,
		.reason = (enum game_reason)toy.reason};
}

static inline enum status toy_action_read(const struct game_state *state, const char *text,
	size_t length, struct text_error *error, struct game_action *action)
{
	(void)state;
	if (length == 1 && text[0] >= '0' && text[0] <= '3')
		*action = (struct game_action){(uint32_t)(TOY_PASS + text[0] - '0')};
	else if (length == 1 && text[0] == '-')
		*action = toy_action(TOY_PASS);
	else if (length == 1 && text[0] == 'r')
		*action = toy_action(TOY_RESIGN);
	else if (length == 6 && memcmp(text, "resign", 6) == 0)
		*action = toy_action(TOY_RESIGN);
	else if (length > 1 && text[0] >= '0' && text[0] <= '3')
		return toy_fail(error, STATUS_TEXT_TRAILING, 1);
	else
		return toy_fail(error, STATUS_USI_SYNTAX, 0);
	return STATUS_OK;
}

static inline void toy_action_write(struct game_action action, struct text *text)
{
	if (action.code == TOY_RESIGN)
		text_add(text, "resign");
	else
		text_add_number(text, (int64_t)action.code - TOY_PASS);
}

static inline enum status toy_action_read_members(const struct game_state *state,
	const struct game_member *members, size_t count, const char **bad,
	struct game_action *action)
{
	(void)state;
	if (count != 1 || strcmp(members[0].name, "take") != 0) {
		*bad = "take";
		return STATUS_ACTION_MEMBER_MISSING;
	}
	if (members[0].kind != GAME_MEMBER_NUMBER || members[0].number < 0 ||
		members[0].number > 3) {
		*bad = "take";
		return STATUS_ACTION_MEMBER_VALUE;
	}
	*action = (struct game_action){(uint32_t)(TOY_PASS + members[0].number)};
	return STATUS_OK;
}

static inline void toy_action_write_json(struct game_action action, struct text *text)
{
	text_add(text, "{\"take\":");
	text_add_number(text, (int64_t)action.code - TOY_PASS);
	text_add_char(text, '}');
}

static inline void toy_state_write_json(const struct game_state *state, struct text *text)
{
	struct toy_state toy = toy_unpack(state);

	text_add(text, "\"stones\":");
	text_add_number(text, toy.stones);
	text_add(text, ",\"player\":");
	text_add_number(text, toy.player);
	text_add(text, ",\"moves\":");
	text_add_number(text, toy.moves);
	text_add(text, toy.over ? ",\"over\":true,\"reason\":" : ",\"over\":false,\"reason\":");
	if (toy.reason == GAME_REASON_NONE)
		text_add(text, "null");
	else
		text_add_json(text, game_reason_name((enum game_reason)toy.reason));
}

static inline void toy_write(int64_t stones, int64_t player, struct text *text)
{
	text_add_number(text, stones);
	text_add_char(text, ' ');
	text_add_number(text, player);
}

static inline void toy_state_write(const struct game_state *state, struct text *text)
{
	struct toy_state toy = toy_unpack(state);

	toy_write(toy.stones, toy.player, text);
}

static inline void toy_key_write(const struct game_key *key, struct text *text)
{
	toy_write((int64_t)key->word[0], (int64_t)key->word[1], text);
}

static const struct game_format *const toy_formats[] = {NULL};

static const struct game_ops toy_ops = {
	.name = "toy",
	.rulesets = toy_rulesets,
	.formats = toy_formats,
	.start = toy_start,
	.setup = toy_setup,
	.play = toy_play,
	.legal = toy_legal,
	.perft = toy_perft,
	.summary = toy_summary,
	.action_read = toy_action_read,
	.action_write = toy_action_write,
	.action_read_members = toy_action_read_members,
	.action_write_json = toy_action_write_json,
	.state_write_json = toy_state_write_json,
	.state_write = toy_state_write,
	.key_write = toy_key_write,
};

static const struct game_ops *const toy_games[] = {&toy_ops, NULL};
