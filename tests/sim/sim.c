/* SPDX-License-Identifier: MIT */
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

enum {
	CALM_LOSS = 2,
	CALM_DELAY_MS = 150,
	QUIET_MS = 80000,
	EPOCH_2026_S = 1767225600,
	DAY_MS = 24 * 60 * 60 * 1000,
	EMPTY_MS = 12 * 60 * 1000
};

struct sim *the_sim;

void sim_enter(struct sim *sim, uint64_t after_ms, agenda_act *act, void *what, uint64_t number)
{
	agenda_enter(&sim->agenda, machine.now_ms + after_ms, act, what, number);
}

void sim_mix(struct sim *sim, uint64_t number)
{
	sim->hash = (sim->hash ^ number) * 0x9e3779b97f4a7c15;
	sim->hash ^= sim->hash >> 31;
}

void sim_trace(const struct sim *sim, const char *format, ...)
{
	va_list arguments;

	if (!sim->tracing)
		return;
	printf("%9.3f  ", (double)machine.now_ms / 1000);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

void sim_fail(struct sim *sim, const char *check, const char *format, ...)
{
	va_list arguments;

	if (sim->failed)
		return;
	sim->failed = true;
	snprintf(sim->check, sizeof(sim->check), "%s", check);
	va_start(arguments, format);
	vsnprintf(sim->message, sizeof(sim->message), format, arguments);
	va_end(arguments);
	sim_trace(sim, "FAILED %s: %s", sim->check, sim->message);
}

/* Troubles that come at some time, and pass. */

static void calm_network(struct sim *sim, void *what, uint64_t number)
{
	(void)what;
	(void)number;
	sim->loss = sim->quiet ? 0 : CALM_LOSS;
	sim->delay_ms = CALM_DELAY_MS;
}

static void calm_disk(struct sim *sim, void *what, uint64_t number)
{
	(void)what;
	(void)number;
	disk.faults = (struct disk_faults){0};
	sim->server.write_ms = 15;
}

static void storm_network(struct sim *sim)
{
	sim->loss = (uint32_t)between(&sim->random, 10, 60);
	sim->delay_ms = (uint32_t)between(&sim->random, 100, 3000);
	sim_trace(sim, "the network loses %u of 100 messages", sim->loss);
	sim_enter(sim, between(&sim->random, 500, 15000), calm_network, NULL, 0);
}

static void spoil_disk(struct sim *sim)
{
	uint32_t share = (uint32_t)between(&sim->random, 2, 60);

	switch (random_below(&sim->random, 4)) {
	case 0:
		disk.faults.writes = share;
		break;
	case 1:
		disk.faults.flushes = share;
		break;
	case 2:
		disk.faults.reads = share;
		break;
	default:
		sim->server.write_ms = 500;
	}
	sim_trace(sim, "the disk fails: writes %u, flushes %u, reads %u; or is slow: %u ms",
		disk.faults.writes, disk.faults.flushes, disk.faults.reads,
		(unsigned)sim->server.write_ms);
	sim_enter(sim, between(&sim->random, 100, 8000), calm_disk, NULL, 0);
}

/* The clock on the wall, by days, in both directions; before 1970 even. */
static void jump_clock(struct sim *sim)
{
	static const int64_t scales[] = {1000, 60000, 3600000, 86400000, 40000000000000};
	int64_t scale = scales[random_below(&sim->random, 5)];

	machine.wall_ahead_ms +=
		((int64_t)random_below(&sim->random, 2001) - 1000) * (scale / 1000);
	sim_trace(sim, "the clock on the wall jumps to %lld", (long long)machine_wall_ms());
}

void sim_threaten(struct sim *sim)
{
	if ((sim->quiet && !sim->empty) || !chance(&sim->random, 15))
		return;
	disk.coming = chance(&sim->random, 65) ? DISK_DARK : DISK_KILLED;
	disk.calls_left = (int64_t)between(&sim->random, 1, 25);
}

static void end_server(struct sim *sim)
{
	if (!sim->server.up)
		return;
	switch (random_below(&sim->random, 6)) {
	case 0:
		disk_stop(DISK_KILLED);
		break;
	case 1:
		disk_stop(DISK_DARK);
		break;
	case 2:
		server_stop(sim);
		break;
	default: /* between two calls of the disk */
		disk.coming = chance(&sim->random, 65) ? DISK_DARK : DISK_KILLED;
		disk.calls_left = (int64_t)between(&sim->random, 1, 25);
		if (chance(&sim->random, 20))
			server_stop(sim);
	}
}

static void trouble(struct sim *sim, void *what, uint64_t number)
{
	(void)what;
	(void)number;
	if (sim->quiet)
		return;
	sim_enter(sim, between(&sim->random, 500, 30000), trouble, NULL, 0);
	switch (random_below(&sim->random, 8)) {
	case 0:
	case 1:
		storm_network(sim);
		break;
	case 2:
	case 3:
		spoil_disk(sim);
		break;
	case 4:
		jump_clock(sim);
		break;
	default:
		end_server(sim);
	}
}

static void finish(struct sim *sim, void *what, uint64_t number);

/* Nobody is there any more: the clock runs until the last room must be gone. */
static void leave_all(struct sim *sim)
{
	uint64_t longest = sim->server.room_ms > sim->server.unplayed_ms ? sim->server.room_ms
									 : sim->server.unplayed_ms;

	sim_trace(sim, "all pages are closed");
	sim->empty = true;
	for (size_t i = 0; i < sim->tab_count; i++) {
		tab_go_away(sim, &sim->tabs[i]);
		sim->tabs[i].seated = false;
	}
	jump_clock(sim);
	sim_enter(sim, longest + EMPTY_MS, finish, NULL, 0);
}

static void finish(struct sim *sim, void *what, uint64_t number)
{
	(void)what;
	(void)number;
	check_end(sim);
	if (sim->empty || !sim->outlives)
		sim->done = true;
	else
		leave_all(sim);
}

static void begin_quiet(struct sim *sim, void *what, uint64_t number)
{
	sim_trace(sim, "all becomes quiet");
	sim->quiet = true;
	calm_network(sim, what, number);
	calm_disk(sim, what, number);
	disk.calls_left = -1;
	for (size_t i = 0; i < sim->tab_count; i++)
		if (sim->tabs[i].away)
			tab_return(sim, &sim->tabs[i]);
	sim_enter(sim, QUIET_MS, finish, NULL, 0);
}

static void set_table(struct sim *sim, size_t group)
{
	size_t tabs = between(&sim->random, 2, TABS_MAX / GROUPS_MAX);

	sim->groups[group].game = machine_games[random_below(&sim->random, 3)];
	for (size_t i = 0; i < tabs; i++) {
		struct tab *tab = &sim->tabs[sim->tab_count];

		*tab = (struct tab){.number = sim->tab_count++, .group = group, .creates = i == 0};
		tab_begin(sim, tab);
	}
}

/* Short ones, so that a run sees them pass; in most runs rooms stay, as they do for players. */
static void set_times(struct sim *sim)
{
	struct server *server = &sim->server;

	server->heard_ms = between(&sim->random, 2000, 12000);
	server->kept_ms = between(&sim->random, 4000, 35000);
	server->commands_per_second = 1U << random_below(&sim->random, 3);
	server->room_ms = (uint64_t)30 * DAY_MS;
	server->unplayed_ms = DAY_MS;
	if (chance(&sim->random, 40)) {
		server->room_ms = between(&sim->random, 5000, 200000);
		server->unplayed_ms = between(&sim->random, 1000, 60000);
		sim->outlives = chance(&sim->random, 25);
	}
}

static void prepare(struct sim *sim, const char *location)
{
	sim->random.state = sim->seed;
	sim->disk_random.state = random_next(&sim->random);
	sim->machine_random.state = random_next(&sim->random);
	machine = (struct machine){.wall_ahead_ms = EPOCH_2026_S * INT64_C(1000),
		.monotonic_is_wall = sim->breakage == BREAK_WALL_EXPIRY,
		.random = &sim->machine_random};
	disk_reset(&sim->disk_random);
	disk.lies = sim->breakage == BREAK_LYING_DISK;
	sim->server.location = location;
	sim->server.checkpoint = (int)between(&sim->random, 1, 60);
	set_times(sim);
	calm_network(sim, NULL, 0);
	calm_disk(sim, NULL, 0);
	sim->group_count = between(&sim->random, 1, GROUPS_MAX);
	for (size_t i = 0; i < sim->group_count; i++)
		set_table(sim, i);
	sim_enter(sim, between(&sim->random, 500, 10000), trouble, NULL, 0);
	sim_enter(sim, between(&sim->random, 20000, 150000), begin_quiet, NULL, 0);
}

void sim_run(struct sim *sim, const char *location)
{
	struct agenda_item item;

	the_sim = sim;
	prepare(sim, location);
	server_start(sim);
	while (!sim->failed && !sim->done && agenda_take(&sim->agenda, &item)) {
		machine.now_ms = item.at_ms;
		sim_mix(sim, item.at_ms);
		item.act(sim, item.what, item.number);
		if (disk.end != DISK_LIVES && sim->server.up)
			server_fall(sim);
	}
	sim_mix(sim, disk.trace);
	/* The last start reads what the run has left. */
	if (!sim->failed) {
		sim->server.up ? server_stop(sim) : (void)0;
		disk.calls_left = -1;
		check_archive(sim);
		server_start(sim);
	}
}

void sim_release(struct sim *sim)
{
	if (disk.end == DISK_LIVES)
		disk_stop(DISK_KILLED);
	server_close(sim);
	wire_release(sim);
	agenda_release(&sim->agenda);
	for (size_t i = 0; i < sim->errand_count; i++)
		free(sim->errands[i]);
	free(sim->errands);
	for (size_t i = 0; i < sim->room_count; i++) {
		model_release(&sim->rooms[i].model);
		free(sim->rooms[i].rows);
	}
	the_sim = NULL;
}
