/* SPDX-License-Identifier: MIT */
#include "tab.h"

#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "sim.h"

enum { FIRST_PAUSE_MS = 500, LONGEST_PAUSE_MS = 8000, PATIENCE_MS = 6000 };

static void think(struct sim *sim, void *what, uint64_t number);

/* Sends the errand on its way, and is patient for a while. */
static void give_up_waiting(struct sim *sim, void *what, uint64_t number);

static void send_again(struct sim *sim, void *what, uint64_t number)
{
	struct tab *tab = what;

	if (!tab->errand || tab->attempt != number)
		return;
	tab->attempt++;
	wire_send(sim, tab->errand, tab->attempt);
	sim_enter(sim, PATIENCE_MS, give_up_waiting, tab, tab->attempt);
}

/* As the server says, where it says more. */
static void pause_then_send(struct sim *sim, struct tab *tab, uint64_t least_ms)
{
	tab->pause_ms = tab->pause_ms ? 2 * tab->pause_ms : FIRST_PAUSE_MS;
	if (tab->pause_ms > LONGEST_PAUSE_MS)
		tab->pause_ms = LONGEST_PAUSE_MS;
	tab->attempt++; /* what still comes of the last one is too late */
	sim_enter(sim, tab->pause_ms > least_ms ? tab->pause_ms : least_ms, send_again, tab,
		tab->attempt);
}

static void give_up_waiting(struct sim *sim, void *what, uint64_t number)
{
	struct tab *tab = what;

	if (tab->errand && tab->attempt == number)
		pause_then_send(sim, tab, 0);
}

static void send_errand(struct sim *sim, struct tab *tab, struct errand *errand)
{
	tab->errand = errand;
	tab->pause_ms = 0;
	tab->attempt++;
	send_again(sim, tab, tab->attempt);
}

static void open_stream(struct sim *sim, void *what, uint64_t number);

/* `number` is that of the try which did not answer. */
static void stream_late(struct sim *sim, void *what, uint64_t number)
{
	struct tab *tab = what;

	if (tab->stream_errand && tab->stream_attempt == number && !tab->stream)
		open_stream(sim, tab, tab->opened);
}

/* Unless it was opened, or lost its seat, in the meantime. */
static void open_stream(struct sim *sim, void *what, uint64_t number)
{
	struct tab *tab = what;

	if (!tab->seated || tab->away || tab->stream || tab->opened != number)
		return;
	tab->stream_errand = errand_make(sim, ERRAND_STREAM, tab->number);
	strcpy(tab->stream_errand->room, tab->room);
	strcpy(tab->stream_errand->key, tab->key);
	strcpy(tab->stream_errand->last_event, tab->last_event);
	tab->stream_attempt++;
	wire_send(sim, tab->stream_errand, tab->stream_attempt);
	sim_enter(sim, PATIENCE_MS, stream_late, tab, tab->stream_attempt);
}

static void take_snapshot(struct tab *tab, const char *room, uint64_t rev)
{
	if (tab->seated && strcmp(room, tab->room) == 0 && rev > tab->rev)
		tab->rev = rev;
}

static void leave_seat(struct sim *sim, struct tab *tab)
{
	if (tab->stream)
		wire_leave_stream(sim, tab->stream);
	tab->stream = 0;
	tab->stream_errand = NULL;
	tab->opened++;
	tab->seated = false;
	tab->errand = NULL;
	tab->rev = 0;
	tab->last_event[0] = 0;
}

static void take_seat(struct sim *sim, struct tab *tab, const struct reply *reply)
{
	leave_seat(sim, tab);
	tab->seated = true;
	strcpy(tab->room, reply->room);
	strcpy(tab->key, reply->key);
	tab->seat = reply->seat;
	tab->rev = reply->rev;
	open_stream(sim, tab, tab->opened);
}

/* Everybody at the table sees a link that one of them has. */
static void share_link(struct sim *sim, const struct tab *tab, const char *link)
{
	struct group *group = &sim->groups[tab->group];

	if (!link[0])
		return;
	if (group->link_count == LINKS_MAX)
		memmove(group->links[0], group->links[1],
			sizeof(group->links[0]) * --group->link_count);
	strcpy(group->links[group->link_count++], link);
}

static bool seat_is_useless(const struct reply *reply)
{
	return reply->code == 404 || reply->code == 410 || strcmp(reply->word, "no-seat") == 0;
}

static void stream_refused(struct sim *sim, struct tab *tab, const struct reply *reply)
{
	if (seat_is_useless(reply)) {
		leave_seat(sim, tab);
		return;
	}
	sim_enter(sim, between(&sim->random, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), open_stream, tab,
		tab->opened);
}

void tab_reply(struct sim *sim, struct tab *tab, struct errand *errand, unsigned attempt,
	const struct reply *reply)
{
	if (errand == tab->stream_errand && attempt == tab->stream_attempt && !tab->stream) {
		stream_refused(sim, tab, reply);
		return;
	}
	if (errand != tab->errand || attempt != tab->attempt)
		return;
	if (reply->code == 503 || reply->code == 429) {
		pause_then_send(sim, tab, reply->code == 429 ? reply->retry_ms : 0);
		return;
	}
	tab->errand = NULL;
	take_snapshot(tab, errand->room, reply->rev);
	if (errand->kind != ERRAND_JOIN && errand->kind != ERRAND_CREATE &&
		seat_is_useless(reply)) {
		leave_seat(sim, tab);
		return;
	}
	if (reply->code >= 300)
		return;
	share_link(sim, tab, reply->link);
	if (errand->kind == ERRAND_CREATE || errand->kind == ERRAND_JOIN)
		take_seat(sim, tab, reply);
	else if (errand->kind == ERRAND_COMMAND && errand->wish.op == ROOM_OP_LEAVE)
		leave_seat(sim, tab);
}

void tab_failed(struct sim *sim, struct tab *tab, struct errand *errand, unsigned attempt)
{
	if (errand == tab->errand && attempt == tab->attempt)
		pause_then_send(sim, tab, 0);
	else if (errand == tab->stream_errand && attempt == tab->stream_attempt && !tab->stream)
		sim_enter(sim, FIRST_PAUSE_MS, stream_late, tab, attempt);
}

void tab_stream_opened(
	struct sim *sim, struct tab *tab, struct errand *errand, unsigned attempt, uint64_t stream)
{
	if (errand != tab->stream_errand || attempt != tab->stream_attempt || tab->stream) {
		wire_leave_stream(sim, stream);
		return;
	}
	tab->stream = stream;
	tab->stream_rev = 0;
	tab->presence[0] = 0;
	tab->retry_ms = 0;
	tab->opened++;
}

void tab_stream_event(
	struct sim *sim, struct tab *tab, uint64_t stream, uint64_t rev, const char *id)
{
	if (stream != tab->stream)
		return;
	if (!tab->presence[0] && sim->breakage != BREAK_UNORDERED)
		sim_fail(sim, "presence", "tab %zu hears first of revision %llu", tab->number,
			(unsigned long long)rev);
	if (rev <= tab->stream_rev)
		sim_fail(sim, "stream-order", "tab %zu hears %llu after %llu", tab->number,
			(unsigned long long)rev, (unsigned long long)tab->stream_rev);
	tab->stream_rev = rev;
	snprintf(tab->last_event, sizeof(tab->last_event), "%s", id);
	take_snapshot(tab, tab->room, rev);
	sim_trace(sim, "tab %zu sees revision %llu of %s", tab->number, (unsigned long long)rev,
		tab->room);
}

void tab_stream_presence(struct sim *sim, struct tab *tab, uint64_t stream, const char *json)
{
	if (stream != tab->stream)
		return;
	snprintf(tab->presence, sizeof(tab->presence), "%s", json);
	sim_trace(sim, "tab %zu sees %s", tab->number, json);
}

void tab_stream_bye(struct tab *tab, uint64_t stream, uint64_t retry_ms)
{
	if (stream == tab->stream)
		tab->retry_ms = retry_ms;
}

void tab_stream_ended(struct sim *sim, struct tab *tab, uint64_t stream)
{
	if (stream != tab->stream)
		return;
	tab->stream = 0;
	tab->stream_errand = NULL;
	sim_enter(sim, tab->retry_ms ? tab->retry_ms : between(&sim->random, 0, FIRST_PAUSE_MS),
		open_stream, tab, tab->opened);
}

void tab_go_away(struct sim *sim, struct tab *tab)
{
	sim_trace(sim, "tab %zu is closed", tab->number);
	tab->away = true;
	if (tab->stream)
		wire_leave_stream(sim, tab->stream);
	tab->stream = 0;
	tab->stream_errand = NULL;
	tab->errand = NULL;
	tab->attempt++;
	tab->rev = 0;
	tab->last_event[0] = 0;
	tab->opened++;
}

/* It knows its seat, and nothing else. */
void tab_return(struct sim *sim, struct tab *tab)
{
	tab->away = false;
	open_stream(sim, tab, tab->opened);
}

static void come_back(struct sim *sim, void *what, uint64_t number)
{
	struct tab *tab = what;

	if (tab->away && tab->opened == number && !sim->empty)
		tab_return(sim, tab);
}

static void leave_for(struct sim *sim, struct tab *tab, uint64_t ms)
{
	tab_go_away(sim, tab);
	sim_enter(sim, ms, come_back, tab, tab->opened);
}

/* A second tab with the seat of another of its table. */
static void copy_seat(struct sim *sim, struct tab *tab)
{
	const struct tab *other = &sim->tabs[random_below(&sim->random, (uint32_t)sim->tab_count)];

	if (other == tab || !other->seated || other->group != tab->group)
		return;
	leave_seat(sim, tab);
	tab->seated = true;
	strcpy(tab->room, other->room);
	strcpy(tab->key, other->key);
	tab->seat = other->seat;
	open_stream(sim, tab, tab->opened);
}

static void think(struct sim *sim, void *what, uint64_t number)
{
	struct tab *tab = what;
	struct errand *errand;

	(void)number;
	if (sim->quiet)
		return;
	sim_enter(sim, between(&sim->random, 50, tab->think_ms), think, tab, 0);
	if (tab->away)
		return;
	if (tab->seated && chance(&sim->random, 1)) {
		tab_go_away(sim, tab);
		tab_return(sim, tab);
	} else if (tab->seated && chance(&sim->random, 2)) {
		leave_for(sim, tab, between(&sim->random, 100, 90000));
		return;
	}
	if (!tab->seated && !tab->creates && !tab->errand && chance(&sim->random, 5))
		copy_seat(sim, tab);
	if (tab->errand)
		return;
	errand = tab_choose(sim, tab);
	if (errand)
		send_errand(sim, tab, errand);
}

void tab_begin(struct sim *sim, struct tab *tab)
{
	tab->think_ms = (uint32_t)between(&sim->random, 300, 6000);
	sim_enter(sim, between(&sim->random, 0, 2000), think, tab, 0);
}
