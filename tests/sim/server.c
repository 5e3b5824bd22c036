/* SPDX-License-Identifier: MIT */
#include "server.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/clock.h"
#include "checks.h"
#include "sim.h"
#include "thread.h"

enum { TICK_MS = 1000, EARLY_ROWS = 64 };

/* Rows that BREAK_EARLY_ANSWER owes to the store. */
static struct store_row owed[EARLY_ROWS];
static size_t owed_count;

static void run_writer(struct sim *sim, void *what, uint64_t life)
{
	(void)what;
	if (sim->server.up && life == sim->server.life)
		thread_run();
}

/* On the writer's thread: time passes, in which others go on. */
static void let_pass(struct sim *sim, uint64_t ms)
{
	if (thread_is_awaited() || disk.end != DISK_LIVES)
		return;
	sim_enter(sim, ms, run_writer, NULL, sim->server.life);
	thread_pause();
}

static enum status store_refused(enum status *statuses, size_t count, struct store_problem *problem)
{
	strcpy(problem->text, "the process is gone");
	for (size_t i = 0; i < count; i++)
		statuses[i] = STATUS_STORE_WRITE;
	return STATUS_STORE_WRITE;
}

/* BREAK_OTHER_ROW: the last row is another. */
static const struct store_row *bend_rows(
	const struct sim *sim, const struct store_row *rows, size_t count)
{
	static struct store_row bent[EARLY_ROWS];
	char *last;

	if (sim->breakage != BREAK_OTHER_ROW || count > EARLY_ROWS ||
		rows[count - 1].kind == STORE_REMOVAL)
		return rows;
	memcpy(bent, rows, count * sizeof(*rows));
	last = bent[count - 1].text + strlen(bent[count - 1].text) - 1;
	*last = *last == '0' ? '1' : '0';
	return bent;
}

static enum status write_rows(struct sim *sim, struct store *store, const struct store_row *rows,
	size_t count, enum status *statuses, struct store_problem *problem)
{
	enum status result;

	static struct store_row bent;

	if (sim->breakage == BREAK_OTHER_ARCHIVE && rows[0].kind == STORE_REMOVAL && count == 1) {
		bent = rows[0];
		bent.archive = "mini-shogi - unfinished 5d5c\n";
		rows = &bent;
	}
	check_given(sim, rows, count);
	if (sim->breakage == BREAK_GHOST && rows[0].kind == STORE_REMOVAL && count == 1) {
		statuses[0] = STATUS_OK;
		check_written(sim, rows, count, STATUS_OK, statuses);
		return STATUS_OK;
	}
	result = store_sqlite.append(store, bend_rows(sim, rows, count), count, statuses, problem);
	if (result == STATUS_OK || disk.end == DISK_LIVES)
		check_written(sim, rows, count, result, statuses);
	return result;
}

/* BREAK_EARLY_ANSWER: what is owed is written with the next rows. */
static enum status append_late(struct sim *sim, struct store *store, const struct store_row *rows,
	size_t count, enum status *statuses, struct store_problem *problem)
{
	enum status ignored[EARLY_ROWS];

	if (owed_count > 0)
		(void)write_rows(sim, store, owed, owed_count, ignored, problem);
	owed_count = 0;
	for (size_t i = 0; i < count; i++) {
		statuses[i] = STATUS_OK;
		if (i < EARLY_ROWS)
			owed[owed_count++] = rows[i];
	}
	return STATUS_OK;
}

/* The store's `append`, which takes its time before and after it; on the writer's thread. */
static enum status append_slowly(struct store *store, const struct store_row *rows, size_t count,
	enum status *statuses, struct store_problem *problem)
{
	struct sim *sim = the_sim;
	uint32_t longest = (uint32_t)sim->server.write_ms;
	enum status result;

	let_pass(sim, between(&sim->random, 0, longest));
	if (disk.end != DISK_LIVES)
		return store_refused(statuses, count, problem);
	if (sim->breakage == BREAK_EARLY_ANSWER)
		return append_late(sim, store, rows, count, statuses, problem);
	result = write_rows(sim, store, rows, count, statuses, problem);
	if (result != STATUS_OK && sim->breakage == BREAK_REFUSED_TAKEN) {
		for (size_t i = 0; i < count; i++)
			statuses[i] = STATUS_OK;
		result = STATUS_OK;
	}
	let_pass(sim, between(&sim->random, 0, longest));
	return result;
}

static const struct store_ops slow_ops = {.append = append_slowly};

/* A `writer_done`. */
static void row_heard(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	struct sim *sim = context;

	check_heard(sim, status);
	hub_written(sim->server.site.hub, ticket, status, problem);
}

static void collect(struct sim *sim, void *what, uint64_t life)
{
	(void)what;
	if (sim->server.up && life == sim->server.life)
		writer_collect(sim->server.writer, row_heard, sim);
}

/* A `writer_wake`: as libuv's loop would, a little later. */
static void wake(void *context)
{
	struct sim *sim = context;

	sim_enter(sim, between(&sim->random, 0, 2), collect, NULL, sim->server.life);
}

/* The thread has rows to write. */
static void writer_ready(void)
{
	sim_enter(the_sim, between(&the_sim->random, 0, 2), run_writer, NULL, the_sim->server.life);
}

static void tick(struct sim *sim, void *what, uint64_t life)
{
	(void)what;
	if (!sim->server.up || life != sim->server.life)
		return;
	hub_tick(sim->server.site.hub, clock_monotonic_ms());
	if (sim->breakage == BREAK_IN_USE)
		break_sweep(sim->server.site.hub, clock_monotonic_ms());
	check_timers(sim);
	check_people(sim);
	check_removals(sim);
	sim_enter(sim, TICK_MS, tick, NULL, life);
}

/* Each connection empties its WAL after as many pages as the run says. */
static int set_checkpoint(sqlite3 *db, const char **problem, const void *functions)
{
	(void)problem;
	(void)functions;
	if (the_sim)
		sqlite3_wal_autocheckpoint(db, the_sim->server.checkpoint);
	return SQLITE_OK;
}

void server_prepare(void)
{
	/* A writer is large and mostly untouched: new pages are cheaper than old ones made zero. */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	disk_register();
	if (sqlite3_auto_extension((void (*)(void))set_checkpoint) != SQLITE_OK)
		abort();
	thread_on_ready = writer_ready;
}

struct loading {
	struct sim *sim;
	struct store_row held; /* BREAK_LOST_ROW: the row before, if there is one */
	bool holds;
};

static void load_row(struct sim *sim, const struct store_row *row)
{
	enum status status = hub_load_row(sim->server.site.hub, row);

	check_loaded(sim, row);
	if (status != STATUS_OK)
		sim_fail(sim, "committed-lost", "room %s, row %llu cannot be read: %s", row->room,
			(unsigned long long)row->rev, status_text(status));
}

/* A `store_visit`. */
static bool visit_row(void *context, const struct store_row *row)
{
	struct loading *loading = context;
	struct sim *sim = loading->sim;

	if (sim->breakage != BREAK_LOST_ROW) {
		load_row(sim, row);
		return !sim->failed;
	}
	if (loading->holds && strcmp(loading->held.room, row->room) == 0)
		load_row(sim, &loading->held);
	loading->held = *row;
	loading->holds = true;
	return !sim->failed;
}

static uint64_t request_ms(const struct sim *sim)
{
	if (sim->breakage == BREAK_EARLY_EXPIRY)
		return 45000;
	return sim->breakage == BREAK_LATE_EXPIRY ? 75000 : 60000;
}

/* The numbers of the run, but for a fault. */
static struct hub_limits limits_of(const struct sim *sim)
{
	const struct server *server = &sim->server;
	struct hub_limits limits = {
		.rooms_max = 100,
		.room_ms = server->room_ms,
		.unplayed_ms = server->unplayed_ms,
		.presence = {.heard_ms = server->heard_ms,
			.reload_ms = 3000,
			.kept_ms = server->kept_ms},
		.request_ms = request_ms(sim),
	};

	if (sim->breakage == BREAK_NO_GRACE)
		limits.presence.reload_ms = 0;
	if (sim->breakage == BREAK_EARLY_REMOVAL) {
		limits.room_ms /= 2;
		limits.unplayed_ms /= 2;
	}
	/* Rows that are held back would outlive their archives. */
	if (sim->breakage == BREAK_NO_REMOVAL || sim->breakage == BREAK_EARLY_ANSWER)
		limits.room_ms = 0;
	return limits;
}

static bool open_rooms(struct sim *sim)
{
	struct server *server = &sim->server;
	struct loading loading = {.sim = sim};
	struct store_problem problem;
	const struct hub_limits limits = limits_of(sim);
	const struct gate_options gate = {
		.commands_per_second =
			server->commands_per_second * (sim->breakage == BREAK_NO_LIMIT ? 2 : 1)};
	enum status status = store_sqlite.open(server->location, &server->store, &problem);

	if (status != STATUS_OK) {
		server->store = NULL;
		sim_trace(sim, "the store does not open: %s", problem.text);
		return false;
	}
	if (writer_create(&slow_ops, server->store, wake, sim, &server->writer) != STATUS_OK ||
		hub_create(machine_games, server->writer, limits, &server->site.hub) != STATUS_OK ||
		gate_create(&gate, &server->site.gate) != STATUS_OK)
		abort();
	server->day_ms = machine_wall_ms() - (int64_t)machine.now_ms;
	status = store_sqlite.load(server->store, visit_row, &loading, &problem);
	if (status != STATUS_OK)
		sim_trace(sim, "the store cannot be read: %s", problem.text);
	return status == STATUS_OK;
}

void server_close(struct sim *sim)
{
	struct server *server = &sim->server;

	sim->server.up = false;
	wire_cut_all(sim);
	if (server->writer)
		writer_destroy(server->writer);
	hub_destroy(server->site.hub);
	gate_destroy(server->site.gate);
	server->site.gate = NULL;
	server->row_count = 0;
	server->writer = NULL;
	server->site.hub = NULL;
	if (server->store)
		store_sqlite.close(server->store);
	server->store = NULL;
	for (size_t i = 0; i < sim->room_count; i++)
		sim->rooms[i].loaded = sim->rooms[i].pending = 0;
}

static void start_again(struct sim *sim, void *what, uint64_t number)
{
	(void)what;
	(void)number;
	server_start(sim);
}

/* Damage that an opening reports while the disk fails is none that stays. */
static bool is_excused(const struct sim *sim, uint64_t failures)
{
	return disk.failures > failures || disk.end != DISK_LIVES || sim->failed;
}

void server_start(struct sim *sim)
{
	struct server *server = &sim->server;
	uint64_t failures = disk.failures;

	if (sim->failed)
		return;
	server->life++;
	server->starts++;
	owed_count = 0;
	if (!sim->quiet && chance(&sim->random, 15)) {
		disk.coming = chance(&sim->random, 50) ? DISK_DARK : DISK_KILLED;
		disk.calls_left = (int64_t)between(&sim->random, 1, 30);
	}
	server->site.games = machine_games;
	server->site.public_url = "https://sim";
	server->site.epoch = (uint64_t)clock_wall_ms();
	if (!open_rooms(sim)) {
		if (!is_excused(sim, failures))
			sim_fail(sim, "committed-lost", "the store is of no use any more");
		server_fall(sim);
		return;
	}
	server->up = true;
	check_started(sim);
	sim_trace(sim, "the server runs, start %zu", server->starts);
	sim_enter(sim, TICK_MS, tick, NULL, server->life);
}

void server_fall(struct sim *sim)
{
	if (disk.end == DISK_LIVES)
		disk_stop(DISK_KILLED);
	sim_trace(sim, "the server falls: %s",
		disk.end == DISK_DARK ? "the power failed" : "it was killed");
	server_close(sim);
	disk_recover();
	if (chance(&sim->random, 50))
		machine.monotonic_ahead_ms = random_below(&sim->random, 1000000);
	sim_enter(sim, between(&sim->random, 10, 3000), start_again, NULL, 0);
}

void server_stop(struct sim *sim)
{
	struct server *server = &sim->server;

	sim_trace(sim, "the server is told to stop");
	wire_say_bye(sim);
	writer_drain(server->writer);
	if (disk.end == DISK_LIVES)
		writer_collect(server->writer, row_heard, sim);
	server_close(sim);
	if (disk.end != DISK_LIVES)
		disk_recover();
	sim_enter(sim, between(&sim->random, 10, 3000), start_again, NULL, 0);
}
