/* SPDX-License-Identifier: MIT */

/*
 * The table of operations over the board included before. The board's own file defines, above this
 * text: `rulesets` and `ruleset_names`, `key_pack` and `key_unpack`.
 */

struct shogi_state {
	struct position position;
	uint32_t moves;
	uint32_t number; /* the move number of the start or set-up, for SFEN */
	struct game_action last;
	uint8_t ruleset;
	bool over;
	int8_t winner;
	uint8_t reason;
};

_Static_assert(sizeof(struct shogi_state) <= GAME_STATE_BYTES, "the state fits its value");

static const struct shogi_state *state_read(const struct game_state *state)
{
	return (const struct shogi_state *)(const void *)state->bytes;
}

static void state_store(const struct shogi_state *from, struct game_state *state)
{
	memcpy(state->bytes, from, sizeof(*from));
}

static void state_end(struct shogi_state *state, int winner, enum game_reason reason)
{
	state->over = true;
	state->winner = (int8_t)winner;
	state->reason = (uint8_t)reason;
}

/* The side to move has lost when it has no legal move. */
static void judge_moves(struct shogi_state *state)
{
	const struct position *pos = &state->position;

	if (count_moves(pos) == 0)
		state_end(state, !pos->turn,
			position_in_check(pos, pos->turn) ? GAME_REASON_CHECKMATE
							  : GAME_REASON_NO_LEGAL_MOVE);
}

static struct game_record record_make(const struct position *pos, int by)
{
	return (struct game_record){
		.key = key_pack(pos),
		.by = (int8_t)by,
		.check = position_in_check(pos, pos->turn),
	};
}

static enum status find_ruleset(const char *name, uint8_t *index)
{
	if (!name) {
		*index = 0;
		return STATUS_OK;
	}
	for (uint8_t i = 0; ruleset_names[i]; i++) {
		if (strcmp(ruleset_names[i], name) == 0) {
			*index = i;
			return STATUS_OK;
		}
	}
	return STATUS_RULESET_UNKNOWN;
}

static enum status shogi_setup(const char *ruleset, const char *text, size_t length,
	struct text_error *error, struct game_state *state, struct game_record *record)
{
	struct shogi_state made = {.winner = -1};
	enum status status = find_ruleset(ruleset, &made.ruleset);

	if (status != STATUS_OK) {
		*error = (struct text_error){status, 1, 1};
		return status;
	}
	status = sfen_read(text, length, error, &made.position, &made.number);
	if (status != STATUS_OK)
		return status;
	judge_moves(&made);
	state_store(&made, state);
	*record = record_make(&made.position, -1);
	return STATUS_OK;
}

static enum status shogi_start(
	const char *ruleset, struct game_state *state, struct game_record *record)
{
	uint8_t index;
	struct text_error error;
	enum status status = find_ruleset(ruleset, &index);

	if (status != STATUS_OK)
		return status;
	return shogi_setup(ruleset, rulesets[index].start, strlen(rulesets[index].start), &error,
		state, record);
}

static enum status shogi_play(const struct game_state *state, const struct game_history *history,
	struct game_action action, struct game_state *next, struct game_record *record)
{
	struct shogi_state made = *state_read(state);
	const struct ruleset *rules = &rulesets[made.ruleset];
	int us = made.position.turn;
	struct move move = {(uint16_t)action.code};
	struct game_record latest;
	enum status status;

	if (made.over)
		return STATUS_GAME_OVER;
	made.last = action;
	if (action.code == ACTION_RESIGN) {
		state_end(&made, !us, GAME_REASON_RESIGNATION);
		state_store(&made, next);
		*record = record_make(&made.position, us);
		return STATUS_OK;
	}
	status = move_refusal(&made.position, move);
	if (status != STATUS_OK)
		return status;

	position_play(&state_read(state)->position, move, &made.position);
	made.moves++;
	latest = record_make(&made.position, us);
	judge_moves(&made);
	if (!made.over && history) {
		struct judge_verdict verdict = judge_repetition(&rules->judge, history, &latest);

		if (verdict.over)
			state_end(&made, verdict.winner, verdict.reason);
	}
	if (!made.over && rules->ply_limit && made.moves >= rules->ply_limit)
		state_end(&made, -1, GAME_REASON_PLY_LIMIT);
	state_store(&made, next);
	*record = latest;
	return STATUS_OK;
}

static size_t shogi_legal(
	const struct game_state *state, struct game_action actions[GAME_ACTIONS_MAX])
{
	const struct shogi_state *from = state_read(state);
	struct move list[MOVES_MAX];
	size_t count;

	if (from->over)
		return 0;
	count = generate_moves(&from->position, list);
	for (size_t i = 0; i < count; i++)
		actions[i].code = list[i].bits;
	return count;
}

static struct game_summary shogi_summary(const struct game_state *state)
{
	const struct shogi_state *from = state_read(state);

	return (struct game_summary){
		.player = from->position.turn,
		.moves = from->moves,
		.over = from->over,
		.winner = from->winner,
		.reason = from->reason,
	};
}

static enum status shogi_action_read(const struct game_state *state, const char *text,
	size_t length, struct text_error *error, struct game_action *action)
{
	static const char resign[] = "resign";
	struct move move;
	enum status status;

	(void)state;
	if (length == strlen(resign) && memcmp(text, resign, length) == 0) {
		action->code = ACTION_RESIGN;
		return STATUS_OK;
	}
	status = usi_read(text, length, error, &move);
	if (status == STATUS_OK)
		action->code = move.bits;
	return status;
}

static void shogi_action_write(struct game_action action, struct text *text)
{
	if (action.code == ACTION_RESIGN)
		text_add(text, "resign");
	else
		usi_write((struct move){(uint16_t)action.code}, text);
}

static enum status shogi_action_read_members(const struct game_state *state,
	const struct game_member *members, size_t count, const char **bad,
	struct game_action *action)
{
	struct action_members sorted;
	struct move move;
	enum status status = json_sort_members(members, count, bad, &sorted);

	(void)state;
	if (status != STATUS_OK)
		return status;
	*bad = "type";
	if (!sorted.type)
		return STATUS_ACTION_MEMBER_MISSING;
	if (sorted.type->kind != GAME_MEMBER_TEXT)
		return STATUS_ACTION_MEMBER_VALUE;
	if (strcmp(sorted.type->text, "resign") == 0) {
		const struct game_member *const absent[] = {
			sorted.from, sorted.to, sorted.promote, sorted.piece};

		status = json_check_absent(absent, 4, bad);
		if (status == STATUS_OK)
			action->code = ACTION_RESIGN;
		return status;
	}
	if (strcmp(sorted.type->text, "move") == 0)
		status = json_read_move(&sorted, bad, &move);
	else if (strcmp(sorted.type->text, "drop") == 0)
		status = json_read_drop(&sorted, bad, &move);
	else
		status = STATUS_ACTION_TYPE;
	if (status == STATUS_OK)
		action->code = move.bits;
	return status;
}

static void shogi_action_write_json(struct game_action action, struct text *text)
{
	if (action.code == ACTION_RESIGN)
		text_add(text, "{\"type\":\"resign\"}");
	else
		json_write_action((struct move){(uint16_t)action.code}, text);
}

static void shogi_state_write_json(const struct game_state *state, struct text *text)
{
	const struct shogi_state *from = state_read(state);

	json_write_board(&from->position, text);
	text_add_char(text, ',');
	json_write_hands(&from->position, text);
	text_add(text, ",\"player\":");
	text_add_number(text, from->position.turn);
	text_add(text, ",\"moves\":");
	text_add_number(text, from->moves);
	text_add(text, ",\"last\":");
	if (from->last.code)
		shogi_action_write_json(from->last, text);
	else
		text_add(text, "null");
	text_add(text, ",\"over\":");
	json_write_bool(text, from->over);
	text_add(text, ",\"winner\":");
	if (from->winner >= 0)
		text_add_number(text, from->winner);
	else
		text_add(text, "null");
	text_add(text, ",\"reason\":");
	if (from->over)
		text_add_json(text, game_reason_name(from->reason));
	else
		text_add(text, "null");
}

static void shogi_state_write(const struct game_state *state, struct text *text)
{
	const struct shogi_state *from = state_read(state);

	sfen_write(&from->position, from->number + from->moves, text);
}

static void shogi_key_write(const struct game_key *key, struct text *text)
{
	struct position pos;

	key_unpack(key, &pos);
	sfen_write_position(&pos, text);
}
