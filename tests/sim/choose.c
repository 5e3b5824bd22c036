/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "sim.h"

/* What a tab would do, by what it has before its eyes: mostly sensible, sometimes not. */

static struct errand *choose_join(struct sim *sim, const struct tab *tab)
{
	struct group *group = &sim->groups[tab->group];
	struct errand *errand;
	size_t link;

	if (group->link_count == 0 || chance(&sim->random, 75))
		return NULL;
	/* The newest, mostly. */
	link = group->link_count - 1;
	if (chance(&sim->random, 20))
		link = random_below(&sim->random, (uint32_t)group->link_count);
	errand = errand_make(sim, ERRAND_JOIN, tab->number);
	strcpy(errand->link, group->links[link]);
	snprintf(errand->room, sizeof(errand->room), "%.*s", (int)strcspn(errand->link, "."),
		errand->link);
	strcpy(errand->game, chance(&sim->random, 5) ? "mini-shogi" : group->game->name);
	return errand;
}

static struct errand *choose_seat(struct sim *sim, const struct tab *tab)
{
	const struct group *group = &sim->groups[tab->group];
	struct errand *errand;

	/* A table needs a room, and now and then a new one. */
	if (tab->creates && (group->link_count == 0 || chance(&sim->random, 10)) &&
		sim->room_count < ROOMS_MAX / 2) {
		errand = errand_make(sim, ERRAND_CREATE, tab->number);
		strcpy(errand->game, group->game->name);
		return errand;
	}
	return choose_join(sim, tab);
}

static struct errand *command(struct sim *sim, const struct tab *tab, enum room_op op)
{
	struct errand *errand = errand_make(sim, ERRAND_COMMAND, tab->number);

	strcpy(errand->room, tab->room);
	strcpy(errand->key, tab->key);
	errand->wish = (struct wish){.seat = tab->seat, .rev = tab->rev, .op = op};
	return errand;
}

/* False: the game has no such action. */
static bool set_action(
	struct errand *errand, const struct game_ops *game, struct game_action action)
{
	struct text text;

	text_init(&text, errand->wish.action, sizeof(errand->wish.action));
	game->action_write(action, &text);
	text_init(&text, errand->action_json, sizeof(errand->action_json));
	game->action_write_json(action, &text);
	return !text.overflow;
}

/* A legal move; of another state where `wild`. */
static struct errand *choose_move(struct sim *sim, const struct tab *tab, const struct model *model,
	const struct view *view, bool wild)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count;
	struct errand *errand;

	if (wild)
		view = model_view(model, 1 + random_below(&sim->random, (uint32_t)model->rev));
	count = model->game->legal(&view->state, actions);
	if (count == 0)
		return NULL;
	errand = command(sim, tab, ROOM_OP_PLAY);
	set_action(errand, model->game, actions[random_below(&sim->random, (uint32_t)count)]);
	return errand;
}

static struct errand *choose_resignation(
	struct sim *sim, const struct tab *tab, const struct model *model, const struct view *view)
{
	struct game_action action;
	struct text_error error;
	struct errand *errand;

	if (model->game->action_read(&view->state, "resign", 6, &error, &action) != STATUS_OK)
		return NULL;
	errand = command(sim, tab, ROOM_OP_PLAY);
	set_action(errand, model->game, action);
	/* The toy has no words for it in JSON. */
	return strstr(errand->action_json, "resign") ? errand : NULL;
}

static struct errand *ask(struct sim *sim, const struct tab *tab, bool undo)
{
	struct errand *errand = command(sim, tab, ROOM_OP_ASK);

	errand->wish.undo = undo;
	return errand;
}

static struct errand *answer(struct sim *sim, const struct tab *tab)
{
	struct errand *errand = command(sim, tab, ROOM_OP_ANSWER);

	errand->wish.accept = chance(&sim->random, 70);
	return errand;
}

/* Something that fits no moment in particular. */
static struct errand *choose_anything(
	struct sim *sim, const struct tab *tab, const struct model *model, const struct view *view)
{
	struct errand *errand;

	switch (random_below(&sim->random, 12)) {
	case 0:
		return command(sim, tab, ROOM_OP_LEAVE);
	case 1:
		return choose_resignation(sim, tab, model, view);
	case 2:
	case 3:
		return choose_move(sim, tab, model, view, true);
	case 4:
		return answer(sim, tab);
	case 5:
		return command(sim, tab, ROOM_OP_WITHDRAW);
	case 6:
		return command(sim, tab, ROOM_OP_INVITE);
	case 7:
		return command(sim, tab, ROOM_OP_SETTINGS);
	case 8:
		return ask(sim, tab, false);
	case 9:
		errand = errand_make(sim, ERRAND_SNAPSHOT, tab->number);
		strcpy(errand->room, tab->room);
		strcpy(errand->key, tab->key);
		return errand;
	default:
		return ask(sim, tab, true);
	}
}

/* Some people never answer. */
static bool is_deaf(const struct sim *sim, const struct tab *tab)
{
	return (sim->seed + tab->number) % 3 == 0;
}

static struct errand *choose_reply(struct sim *sim, const struct tab *tab, const struct view *view)
{
	if (view->asker == tab->seat)
		return chance(&sim->random, 5) ? command(sim, tab, ROOM_OP_WITHDRAW) : NULL;
	return !is_deaf(sim, tab) && chance(&sim->random, 70) ? answer(sim, tab) : NULL;
}

struct errand *tab_choose(struct sim *sim, struct tab *tab)
{
	const struct known_room *room = tab->seated ? room_find(sim, tab->room) : NULL;
	const struct view *view = room ? model_view(&room->model, tab->rev) : NULL;
	struct errand *errand = NULL;

	if (!tab->seated)
		return choose_seat(sim, tab);
	if (!view || view->rev > MODEL_REVS_MAX)
		return NULL;
	if (chance(&sim->random, 12))
		return choose_anything(sim, tab, &room->model, view);
	if (view->request)
		errand = choose_reply(sim, tab, view);
	if (errand || (view->request && chance(&sim->random, 70)))
		return errand;
	switch (view_phase(&room->model, view)) {
	case ROOM_PLAYING:
		if (room->model.game->summary(&view->state).player != view_player(view, tab->seat))
			return NULL;
		/* A page shows that the other is away. */
		if (strstr(tab->presence, "absent") && chance(&sim->random, 80))
			return NULL;
		return choose_move(sim, tab, &room->model, view, false);
	case ROOM_OVER:
		if (!view->seated[ROOM_HOST] || !view->seated[ROOM_GUEST])
			return chance(&sim->random, 30) ? command(sim, tab, ROOM_OP_INVITE) : NULL;
		return ask(sim, tab, chance(&sim->random, 20));
	case ROOM_WAITING:
		return chance(&sim->random, 10) ? command(sim, tab, ROOM_OP_INVITE) : NULL;
	default:
		return NULL;
	}
}
