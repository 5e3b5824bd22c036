/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

#include "room/room_internal.h"

/* The room as it stands or stood: all that a snapshot shows. */
struct view {
	const struct room *room;
	const struct game_line *line;
	uint64_t rev;
	struct standing standing;
};

static enum room_phase view_phase(const struct view *view)
{
	if (standing_is_closed(&view->standing))
		return ROOM_CLOSED;
	if (view->standing.abandoned || game_line_summary(view->line).over)
		return ROOM_OVER;
	return standing_is_full(&view->standing) ? ROOM_PLAYING : ROOM_WAITING;
}

static struct view view_now(const struct room *room)
{
	return (struct view){room, room->line, room->rev, room->standing};
}

enum room_phase room_phase(const struct room *room)
{
	struct view view = view_now(room);

	return view_phase(&view);
}

/* The newest ply that was not taken back, of those before revision `rev`; there is one. */
static const struct step *find_last_ply(const struct room *room, uint64_t rev)
{
	uint64_t undone = 0;

	for (;; rev--) {
		const struct step *step = &room->steps[rev - 1];

		assert(rev > 1);
		undone += step->effect == PLY_UNDONE;
		if (step->kind == ROOM_PLAYED && undone-- == 0)
			return step;
	}
}

static void view_write_abandoned(const struct view *view, struct text *text)
{
	uint64_t rev = view->standing.abandoned;

	if (rev)
		text_add_json(
			text, room_seat_word((enum room_seat)view->room->steps[rev - 1].seat));
	else
		text_add(text, "null");
}

static void view_write_request(const struct view *view, struct text *text)
{
	const struct room *room = view->room;
	const struct step *step;
	const struct step *ply;
	char buffer[GAME_ACTION_TEXT];
	struct text action;

	if (!view->standing.request) {
		text_add(text, "null");
		return;
	}
	step = &room->steps[view->standing.request - 1];
	text_add(text, "{\"what\":");
	text_add_json(text, room_request_word((enum room_request)step->request));
	text_add(text, ",\"by\":");
	text_add_json(text, room_seat_word((enum room_seat)step->seat));
	text_add(text, ",\"at\":");
	text_add_number(text, step->at_ms);
	text_add(text, ",\"ply\":");
	if (step->request == ROOM_UNDO) {
		ply = find_last_ply(room, view->standing.request);
		text_init(&action, buffer, sizeof(buffer));
		room_game(room)->action_write(ply->action, &action);
		assert(!action.overflow);
		text_add(text, "{\"by\":");
		text_add_json(text, room_seat_word((enum room_seat)ply->seat));
		text_add(text, ",\"action\":");
		text_add_json(text, buffer);
		text_add_char(text, '}');
	} else {
		text_add(text, "null");
	}
	text_add_char(text, '}');
}

static void view_write(const struct view *view, struct text *text)
{
	static const char *const phases[] = {
		[ROOM_WAITING] = "waiting",
		[ROOM_PLAYING] = "playing",
		[ROOM_OVER] = "over",
		[ROOM_CLOSED] = "closed",
	};
	const struct game_ops *ops = game_line_ops(view->line);
	char buffer[GAME_SETUP_TEXT];
	struct text position;

	text_init(&position, buffer, sizeof(buffer));
	ops->state_write(game_line_state(view->line), &position);
	assert(!position.overflow);

	text_add(text, "{\"room\":");
	text_add_json(text, view->room->id);
	text_add(text, ",\"game\":");
	text_add_json(text, ops->name);
	text_add(text, ",\"rev\":");
	text_add_number(text, (int64_t)view->rev);
	text_add(text, ",\"phase\":");
	text_add_json(text, phases[view_phase(view)]);
	text_add(text, ",\"seats\":{\"host\":");
	text_add(text, view->standing.seated[ROOM_HOST] ? "true" : "false");
	text_add(text, ",\"guest\":");
	text_add(text, view->standing.seated[ROOM_GUEST] ? "true" : "false");
	text_add(text, "},\"games\":");
	text_add_number(text, (int64_t)view->standing.games);
	text_add(text, ",\"starterRole\":");
	text_add_json(text, room_seat_word(standing_starter(&view->standing)));
	text_add(text, ",\"players\":{\"host\":");
	text_add_number(text, standing_player(&view->standing, ROOM_HOST));
	text_add(text, ",\"guest\":");
	text_add_number(text, standing_player(&view->standing, ROOM_GUEST));
	text_add(text, "},\"abandonedBy\":");
	view_write_abandoned(view, text);
	text_add(text, ",\"request\":");
	view_write_request(view, text);
	text_add(text, ",\"state\":");
	game_line_write_json(view->line, false, text);
	text_add(text, ",\"position\":");
	text_add_json(text, buffer);
	text_add_char(text, '}');
}

void room_write_snapshot(const struct room *room, struct text *text)
{
	struct view view = view_now(room);

	view_write(&view, text);
}

size_t step_plies(const struct step *step, uint64_t rev, uint32_t *plies, size_t count)
{
	if (step->kind == ROOM_PLAYED)
		plies[count++] = (uint32_t)rev;
	else if (step->effect == PLY_UNDONE)
		count--;
	else if (step->effect == GAME_BEGUN)
		count = 0;
	return count;
}

enum status room_write_snapshot_at(const struct room *room, uint64_t rev, struct text *text)
{
	struct view view = {.room = room, .rev = rev};
	struct game_line *line = NULL;
	uint32_t *plies = malloc(rev * sizeof(*plies));
	size_t count = 0;
	enum status status;

	assert(rev >= 1 && rev <= room->rev);
	if (!plies)
		return STATUS_NO_MEMORY;
	for (uint64_t i = 1; i <= rev; i++) {
		standing_advance(&view.standing, &room->steps[i - 1], i);
		count = step_plies(&room->steps[i - 1], i, plies, count);
	}
	status = game_line_create(room_game(room), NULL, &line);
	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		status = game_line_play(line, room->steps[plies[i] - 1].action);
	if (status == STATUS_OK) {
		view.line = line;
		view_write(&view, text);
	}
	game_line_destroy(line);
	free(plies);
	return status;
}
