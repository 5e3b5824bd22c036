/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_release(struct model *model)
{
	free(model->views);
	free(model->plies);
	free(model->records);
	*model = (struct model){0};
}

struct view *model_view(const struct model *model, uint64_t rev)
{
	return rev >= 1 && rev <= model->rev ? &model->views[rev - 1] : NULL;
}

struct view *model_now(const struct model *model)
{
	return &model->views[model->rev - 1];
}

void hash_to_hex(const struct room_hash *hash, char hex[HEX_BYTES])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < ROOM_HASH_BYTES; i++) {
		hex[2 * i] = digits[hash->bytes[i] >> 4];
		hex[2 * i + 1] = digits[hash->bytes[i] & 15];
	}
	hex[2 * ROOM_HASH_BYTES] = 0;
}

static bool is_full(const struct view *view)
{
	return view->seated[ROOM_HOST] && view->seated[ROOM_GUEST];
}

static bool is_closed(const struct view *view)
{
	return !view->seated[ROOM_HOST] && !view->seated[ROOM_GUEST];
}

static bool is_over(const struct model *model, const struct view *view)
{
	return view->abandoned || model->game->summary(&view->state).over;
}

enum room_phase view_phase(const struct model *model, const struct view *view)
{
	if (is_closed(view))
		return ROOM_CLOSED;
	if (is_over(model, view))
		return ROOM_OVER;
	return is_full(view) ? ROOM_PLAYING : ROOM_WAITING;
}

int view_player(const struct view *view, enum room_seat seat)
{
	return seat == view->starter ? 0 : 1;
}

bool view_find_seat(const struct view *view, const char *key, enum room_seat *seat)
{
	for (int i = 0; i < ROOM_SEATS; i++)
		if (view->seated[i] && strcmp(view->keys[i], key) == 0) {
			*seat = (enum room_seat)i;
			return true;
		}
	return false;
}

/* The words of a row, between single blanks; 0: too many or too long ones. */
enum { WORDS_MAX = 7 };

static size_t split(const char *text, char words[WORDS_MAX][WORD_BYTES])
{
	size_t count = 0;

	for (;;) {
		size_t length = strcspn(text, " ");

		if (count == WORDS_MAX || length == 0 || length >= WORD_BYTES)
			return 0;
		memcpy(words[count], text, length);
		words[count++][length] = 0;
		if (!text[length])
			return count;
		text += length + 1;
	}
}

/* The game from its start; who was second before begins. */
static const char *begin_game(struct model *model, struct view *view)
{
	if (model->game->start(NULL, &view->state, &model->records[0]) != STATUS_OK)
		return "the game has no start";
	view->starter = view->games == 0 || view->starter == ROOM_GUEST ? ROOM_HOST : ROOM_GUEST;
	view->games++;
	view->plies = 0;
	view->abandoned = false;
	return NULL;
}

static void reserve_ply(struct model *model, size_t plies)
{
	if (plies + 2 <= model->plies_capacity)
		return;
	model->plies_capacity = plies < 32 ? 64 : 2 * plies;
	model->plies = realloc(model->plies, model->plies_capacity * sizeof(*model->plies));
	model->records = realloc(model->records, model->plies_capacity * sizeof(*model->records));
	if (!model->plies || !model->records)
		abort();
}

/* STATUS_OK: the action was played in `next`, which is a copy of `view`. */
static enum status try_action(const struct model *model, const struct view *view, const char *text,
	struct game_state *next, struct game_record *record)
{
	const struct game_history history = {model->records, view->plies + 1};
	struct text_error error;
	struct game_action action;
	enum status status =
		model->game->action_read(&view->state, text, strlen(text), &error, &action);

	if (status != STATUS_OK)
		return status;
	return model->game->play(&view->state, &history, action, next, record);
}

static const char *do_play(struct model *model, struct view *view)
{
	struct game_state next;
	struct game_record record;
	struct ply *ply = &model->plies[view->plies];

	if (try_action(model, view, view->detail, &next, &record) != STATUS_OK)
		return "the move is illegal";
	ply->state = view->state;
	ply->by = view->by;
	snprintf(ply->text, sizeof(ply->text), "%s", view->detail);
	model->records[++view->plies] = record;
	view->state = next;
	view->request = 0;
	return NULL;
}

static const char *do_accept(struct model *model, struct view *view)
{
	view->request = 0;
	if (!view->asks_undo)
		return begin_game(model, view);
	if (view->plies == 0)
		return "there is nothing to take back";
	view->state = model->plies[--view->plies].state;
	return NULL;
}

static const char *do_join(struct model *model, struct view *view, const char *key)
{
	enum room_seat seat = view->seated[ROOM_HOST] ? ROOM_GUEST : ROOM_HOST;
	bool over = is_over(model, view);

	if (is_full(view) || is_closed(view) || !view->invites)
		return "nobody may join";
	view->seated[seat] = true;
	view->by = seat;
	view->invites = false;
	snprintf(view->keys[seat], HEX_BYTES, "%s", key);
	return over ? begin_game(model, view) : NULL;
}

static const char *do_leave(const struct model *model, struct view *view)
{
	if (is_full(view) && !is_over(model, view)) {
		view->abandoned = true;
		view->abandoned_by = view->by;
	}
	view->seated[view->by] = false;
	view->request = 0;
	return NULL;
}

static const struct {
	const char *kind;
	enum room_op op;
	bool accept;
	size_t words;
} command_rows[] = {
	{"played", ROOM_OP_PLAY, false, 6},
	{"set", ROOM_OP_SETTINGS, false, 5},
	{"asked", ROOM_OP_ASK, false, 6},
	{"accepted", ROOM_OP_ANSWER, true, 5},
	{"refused", ROOM_OP_ANSWER, false, 5},
	{"withdrawn", ROOM_OP_WITHDRAW, false, 5},
	{"left", ROOM_OP_LEAVE, false, 5},
	{"invited", ROOM_OP_INVITE, false, 6},
};

static const char *do_command(struct model *model, struct view *view, enum room_op op, bool accept)
{
	struct wish wish = {.seat = view->by, .rev = model->rev, .op = op, .accept = accept};
	const char *word;

	if (!view->seated[view->by])
		return "nobody has that seat";
	snprintf(wish.action, sizeof(wish.action), "%s", view->detail);
	wish.undo = strcmp(view->detail, "undo") == 0;
	word = model_judge(model, &wish);
	if (strcmp(word, "ok") != 0)
		return word;
	switch (op) {
	case ROOM_OP_PLAY:
		return do_play(model, view);
	case ROOM_OP_ASK:
		view->request = view->rev;
		view->asks_undo = wish.undo;
		view->asker = view->by;
		return NULL;
	case ROOM_OP_ANSWER:
		if (accept)
			return do_accept(model, view);
		view->request = 0;
		return NULL;
	case ROOM_OP_WITHDRAW:
		view->request = 0;
		return NULL;
	case ROOM_OP_LEAVE:
		return do_leave(model, view);
	case ROOM_OP_INVITE:
		view->invites = true;
		snprintf(view->invitation, HEX_BYTES, "%s", view->detail);
		return NULL;
	default:
		return NULL;
	}
}

static const char *take_command(
	struct model *model, struct view *view, char words[WORDS_MAX][WORD_BYTES], size_t count)
{
	for (size_t i = 0; i < sizeof(command_rows) / sizeof(command_rows[0]); i++) {
		if (strcmp(words[0], command_rows[i].kind) != 0)
			continue;
		if (count != command_rows[i].words || strlen(words[4]) >= ROOM_COMMAND_BYTES)
			return "the row has no form";
		view->by_command = true;
		view->by = strcmp(words[3], "host") == 0 ? ROOM_HOST : ROOM_GUEST;
		strcpy(view->command, words[4]);
		strcpy(view->detail, count > 5 ? words[5] : "");
		return do_command(model, view, command_rows[i].op, command_rows[i].accept);
	}
	return "the row is of no kind";
}

static const char *take_creation(struct model *model, const struct game_ops *const *games,
	struct view *view, char words[WORDS_MAX][WORD_BYTES])
{
	model->game = game_find(games, words[3]);
	if (!model->game)
		return "there is no such game";
	reserve_ply(model, 0);
	view->seated[ROOM_HOST] = true;
	view->invites = true;
	snprintf(view->keys[ROOM_HOST], HEX_BYTES, "%s", words[4]);
	snprintf(view->invitation, HEX_BYTES, "%s", words[5]);
	return begin_game(model, view);
}

/* Fills `view`, which is a copy of the one before. */
static const char *take_words(struct model *model, const struct game_ops *const *games,
	struct view *view, char words[WORDS_MAX][WORD_BYTES], size_t count)
{
	if (strtoull(words[1], NULL, 10) != view->rev)
		return "the revision is not the next";
	if (view->rev == 1)
		return strcmp(words[0], "created") == 0 && count == 6
			       ? take_creation(model, games, view, words)
			       : "the first row is no creation";
	reserve_ply(model, view->plies);
	if (strcmp(words[0], "joined") == 0)
		return count == 4 ? do_join(model, view, words[3]) : "the row has no form";
	if (strcmp(words[0], "abandoned") == 0) {
		if (count != 4 || !is_full(view) || is_over(model, view))
			return "nobody waits for anybody";
		view->by = strcmp(words[3], "host") == 0 ? ROOM_HOST : ROOM_GUEST;
		return do_leave(model, view);
	}
	if (strcmp(words[0], "expired") == 0) {
		if (!view->request)
			return "no request is open";
		view->request = 0;
		return NULL;
	}
	return take_command(model, view, words, count);
}

const char *model_take(struct model *model, const struct game_ops *const *games, const char *text)
{
	char words[WORDS_MAX][WORD_BYTES];
	size_t count = split(text, words);
	struct view view = {0};
	const char *fault;

	if (count < 3)
		return "the row has no form";
	if (model->rev > 0)
		view = *model_now(model);
	view.rev = model->rev + 1;
	view.at_ms = strtoll(words[2], NULL, 10);
	view.by_command = false;
	view.command[0] = 0;
	view.snapshot = 0;
	strcpy(view.kind, words[0]);
	fault = take_words(model, games, &view, words, count);
	if (fault)
		return fault;
	if (view.request == view.rev)
		view.asked_at = view.at_ms;
	view.ply[0] = 0;
	if (view.plies > 0) {
		view.ply_by = model->plies[view.plies - 1].by;
		strcpy(view.ply, model->plies[view.plies - 1].text);
	}
	if (model->rev == model->capacity) {
		model->capacity = model->capacity ? 2 * model->capacity : 32;
		model->views = realloc(model->views, model->capacity * sizeof(view));
		if (!model->views)
			abort();
	}
	model->views[model->rev++] = view;
	return NULL;
}

static const char *judge_play(
	const struct model *model, const struct view *view, const struct wish *wish)
{
	struct game_state next;
	struct game_record record;

	if (is_over(model, view))
		return "over";
	if (!is_full(view) || wish->alone)
		return "suspended";
	if (model->game->summary(&view->state).player != view_player(view, wish->seat))
		return "not-your-turn";
	return try_action(model, view, wish->action, &next, &record) == STATUS_OK ? "ok"
										  : "illegal";
}

static const char *judge_settings(const struct model *model, enum room_seat seat)
{
	if (seat != ROOM_HOST)
		return "not-allowed";
	for (uint64_t rev = 1; rev <= model->rev; rev++)
		if (strcmp(model->views[rev - 1].kind, "played") == 0)
			return "begun";
	return "ok";
}

static const char *judge_ask(const struct view *view, bool undo)
{
	if (!is_full(view))
		return "suspended";
	if (view->request)
		return "pending";
	return undo && view->plies == 0 ? "illegal" : "ok";
}

static const char *judge_reply(const struct view *view, enum room_seat seat, bool own)
{
	if (!view->request)
		return "no-request";
	return (view->asker == seat) == own ? "ok" : "not-allowed";
}

const char *model_judge(const struct model *model, const struct wish *wish)
{
	const struct view *view = model_now(model);

	if (wish->rev != view->rev)
		return "stale";
	switch (wish->op) {
	case ROOM_OP_PLAY:
		return judge_play(model, view, wish);
	case ROOM_OP_SETTINGS:
		return judge_settings(model, wish->seat);
	case ROOM_OP_ASK:
		return judge_ask(view, wish->undo);
	case ROOM_OP_ANSWER:
		return judge_reply(view, wish->seat, false);
	case ROOM_OP_WITHDRAW:
		return judge_reply(view, wish->seat, true);
	case ROOM_OP_INVITE:
		return is_full(view) ? "full" : "ok";
	default:
		return "ok";
	}
}

const char *model_judge_join(
	const struct model *model, const char *invitation, const char *game, const char *key)
{
	const struct view *view = model_now(model);
	enum room_seat seat;

	if (is_closed(view))
		return "closed";
	if (view_find_seat(view, key, &seat))
		return "ok";
	if (strcmp(invitation, view->invitation) != 0 || (!view->invites && !is_full(view)))
		return "invitation";
	if (strcmp(game, model->game->name) != 0)
		return "wrong-game";
	return is_full(view) ? "full" : "ok";
}
