/* SPDX-License-Identifier: MIT */

/* Actions and states as JSON, in the shapes that the page and the server publish (docs/api.md). */

static inline void json_write_bool(struct text *text, bool value)
{
	text_add(text, value ? "true" : "false");
}

static inline void json_write_action(struct move move, struct text *text)
{
	if (move_is_drop(move)) {
		text_add(text, "{\"type\":\"drop\",\"piece\":\"");
		text_add_char(text, type_letters[move_from(move) - SQUARES]);
		text_add(text, "\",\"to\":");
		text_add_number(text, move_to(move));
	} else {
		text_add(text, "{\"type\":\"move\",\"from\":");
		text_add_number(text, move_from(move));
		text_add(text, ",\"to\":");
		text_add_number(text, move_to(move));
		text_add(text, ",\"promote\":");
		json_write_bool(text, move_promotes(move));
	}
	text_add_char(text, '}');
}

static inline void json_write_board(const struct position *pos, struct text *text)
{
	text_add(text, "\"board\":[");
	for (int square = 0; square < SQUARES; square++) {
		if (square)
			text_add_char(text, ',');
		if (!(position_occupied(pos) & square_bit(square))) {
			text_add(text, "null");
			continue;
		}
		text_add(text, "{\"type\":\"");
		text_add_char(text, type_letters[type_on(pos, square)]);
		text_add(text, "\",\"owner\":");
		text_add_number(text, color_on(pos, square));
		text_add(text, ",\"promoted\":");
		json_write_bool(text, pos->promoted & square_bit(square));
		text_add_char(text, '}');
	}
	text_add_char(text, ']');
}

static inline void json_write_hands(const struct position *pos, struct text *text)
{
	text_add(text, "\"hands\":[");
	for (int color = 0; color < 2; color++) {
		text_add(text, color ? ",{" : "{");
		for (int type = 0; type < TYPES; type++) {
			text_add(text, type ? ",\"" : "\"");
			text_add_char(text, type_letters[type]);
			text_add(text, "\":");
			text_add_number(text, hand_count(pos, color, type));
		}
		text_add_char(text, '}');
	}
	text_add_char(text, ']');
}

/* The members of an action object, each at most once. */
struct action_members {
	const struct game_member *type;
	const struct game_member *from;
	const struct game_member *to;
	const struct game_member *promote;
	const struct game_member *piece;
};

static inline enum status json_sort_members(const struct game_member *members, size_t count,
	const char **bad, struct action_members *sorted)
{
	struct {
		const char *name;
		const struct game_member **place;
	} const known[] = {
		{"type", &sorted->type},
		{"from", &sorted->from},
		{"to", &sorted->to},
		{"promote", &sorted->promote},
		{"piece", &sorted->piece},
	};

	*sorted = (struct action_members){0};
	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		while (k < sizeof(known) / sizeof(known[0]) &&
			strcmp(known[k].name, members[i].name) != 0)
			k++;
		if (k == sizeof(known) / sizeof(known[0]) || *known[k].place) {
			*bad = members[i].name;
			return STATUS_ACTION_MEMBER_UNKNOWN;
		}
		*known[k].place = &members[i];
	}
	return STATUS_OK;
}

/* Refuses what this type of action must not have. */
static inline enum status json_check_absent(
	const struct game_member *const *members, size_t count, const char **bad)
{
	for (size_t i = 0; i < count; i++) {
		if (members[i]) {
			*bad = members[i]->name;
			return STATUS_ACTION_MEMBER_UNKNOWN;
		}
	}
	return STATUS_OK;
}

static inline enum status json_read_square(
	const struct game_member *member, const char *name, const char **bad, int *square)
{
	*bad = name;
	if (!member)
		return STATUS_ACTION_MEMBER_MISSING;
	if (member->kind != GAME_MEMBER_NUMBER || member->number < 0 || member->number >= SQUARES)
		return STATUS_ACTION_MEMBER_VALUE;
	*square = (int)member->number;
	return STATUS_OK;
}

static inline enum status json_read_move(
	const struct action_members *members, const char **bad, struct move *move)
{
	const struct game_member *const absent[] = {members->piece};
	enum status status = json_check_absent(absent, 1, bad);
	int from;
	int to;

	if (status == STATUS_OK)
		status = json_read_square(members->from, "from", bad, &from);
	if (status == STATUS_OK)
		status = json_read_square(members->to, "to", bad, &to);
	if (status != STATUS_OK)
		return status;
	if (from == to)
		return STATUS_ACTION_MEMBER_VALUE;
	*bad = "promote";
	if (!members->promote)
		return STATUS_ACTION_MEMBER_MISSING;
	if (members->promote->kind != GAME_MEMBER_BOOL)
		return STATUS_ACTION_MEMBER_VALUE;
	*move = move_make(from, to, members->promote->number != 0);
	return STATUS_OK;
}

static inline enum status json_read_drop(
	const struct action_members *members, const char **bad, struct move *move)
{
	const struct game_member *const absent[] = {members->from, members->promote};
	enum status status = json_check_absent(absent, 2, bad);
	const struct game_member *piece = members->piece;
	int to;

	if (status == STATUS_OK)
		status = json_read_square(members->to, "to", bad, &to);
	if (status != STATUS_OK)
		return status;
	*bad = "piece";
	if (!piece)
		return STATUS_ACTION_MEMBER_MISSING;
	if (piece->kind != GAME_MEMBER_TEXT || strlen(piece->text) != 1)
		return STATUS_ACTION_MEMBER_VALUE;
	for (int type = 0; type < TYPES; type++) {
		if (type_letters[type] == piece->text[0]) {
			*move = move_drop(type, to);
			return STATUS_OK;
		}
	}
	return STATUS_ACTION_MEMBER_VALUE;
}
