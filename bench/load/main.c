/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "class.h"
#include "flood.h"
#include "probe.h"

/*
 * The generator of bench/server: fills a server that runs with rooms and streams, lets them play,
 * and prints one JSON object a line for each thing that it measured.
 */

enum {
	FIRST_SOURCE = 16 << 16,     /* 127.16.0.0 */
	SILENT_RECEIVE_BYTES = 4096, /* so that what is not read waits in the server's system */
	SILENT_ROOMS = 1000,         /* that play meanwhile, each the more often */
	SETTLE_MS = 300,
	CLASS_MOVES = 30,
};

static const double WARM_SECONDS = 1;

struct options {
	unsigned port;
	unsigned process; /* of the server */
	const char *plies;
	unsigned rooms;
	unsigned lanes;
	unsigned rooms_per_address;
	double seconds;
	unsigned silent;
	unsigned flood;
	unsigned pupils;
	char **assets;
	size_t asset_count;
};

struct peak {
	uint64_t pss;
	uint64_t tcp; /* without what silent readers of ours hold */
};

struct run {
	struct options options;
	struct net *net;
	struct play play;
	struct records records;
	struct door *doors;
	struct conn **silent;
	size_t silent_count;
	struct peak peak; /* of the measurement that goes on */
};

static unsigned read_number(const char *name, const char *text, unsigned least, unsigned most)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (*end || number < least || number > most)
		fail("--%s must be a whole number from %u to %u, not \"%s\"", name, least, most,
			text);
	return (unsigned)number;
}

static struct options read_options(int argc, char **argv)
{
	static const struct {
		const char *name;
		size_t at;
		unsigned least, most;
	} numbers[] = {
		{"port", offsetof(struct options, port), 1, 65535},
		{"process", offsetof(struct options, process), 1, 1 << 30},
		{"rooms", offsetof(struct options, rooms), 1, 100000},
		{"lanes", offsetof(struct options, lanes), 1, 10000},
		{"rooms-per-address", offsetof(struct options, rooms_per_address), 1, 100000},
		{"silent", offsetof(struct options, silent), 0, 10000},
		{"flood", offsetof(struct options, flood), 0, 10000},
		{"pupils", offsetof(struct options, pupils), 0, 1000},
	};
	struct options options = {.rooms = 1, .lanes = 1, .rooms_per_address = 1, .seconds = 1};

	/* Each option has its value behind it; the rest are paths of the page. */
	for (; argc > 2 && strncmp(argv[1], "--", 2) == 0; argc -= 2, argv += 2) {
		const char *name = argv[1] + 2;
		size_t i = 0;

		if (strcmp(name, "plies") == 0) {
			options.plies = argv[2];
			continue;
		}
		if (strcmp(name, "seconds") == 0) {
			options.seconds = atof(argv[2]);
			continue;
		}
		while (i < sizeof(numbers) / sizeof(*numbers) && strcmp(numbers[i].name, name) != 0)
			i++;
		if (i == sizeof(numbers) / sizeof(*numbers))
			fail("there is no option --%s", name);
		*(unsigned *)(void *)((char *)&options + numbers[i].at) =
			read_number(name, argv[2], numbers[i].least, numbers[i].most);
	}
	if (!options.port || !options.process || !options.plies || options.seconds <= 0)
		fail("--port, --process and --plies are needed, and --seconds above 0");
	options.assets = argv + 1;
	options.asset_count = (size_t)argc - 1;
	return options;
}

/* Both ends of each stream, and of what commands come by, are descriptors. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void *need(void *memory)
{
	if (!memory)
		fail("no memory");
	return memory;
}

/*
 * Rooms stand by their addresses. A lane has whole addresses, with one door each, or there are
 * several lanes with a door of their own at each address: no two lanes share a door.
 */
static void assign_rooms(struct run *run)
{
	const struct options *options = &run->options;
	struct play *play = &run->play;
	size_t share = options->rooms_per_address;
	size_t addresses = (options->rooms + share - 1) / share;
	size_t lanes_each = options->lanes / addresses ? options->lanes / addresses : 1;
	size_t doors = addresses * lanes_each;

	if (lanes_each > share)
		lanes_each = share;
	play->lane_count = lanes_each > 1 ? addresses * lanes_each : options->lanes;
	if (play->lane_count > addresses * lanes_each)
		play->lane_count = addresses * lanes_each;
	play->room_count = options->rooms;
	play->rooms = need(calloc(play->room_count, sizeof(*play->rooms)));
	play->lanes = need(calloc(play->lane_count, sizeof(*play->lanes)));
	run->doors = need(calloc(doors, sizeof(*run->doors)));
	for (size_t i = 0; i < play->lane_count; i++) {
		play->lanes[i].play = play;
		play->lanes[i].rooms =
			need(calloc(play->room_count, sizeof(*play->lanes[i].rooms)));
	}
	for (size_t i = 0; i < play->room_count; i++) {
		struct room *room = &play->rooms[i];
		size_t address = i / share;
		size_t number = address * lanes_each + i % share % lanes_each;
		struct door *door = &run->doors[number];
		struct lane *lane = &play->lanes[number % play->lane_count];

		door->source = FIRST_SOURCE + 1 + (net_source)address;
		room->lane = lane;
		room->record = &run->records.list[i % run->records.count];
		for (size_t seat = 0; seat < SEATS; seat++)
			room->seats[seat] = (struct seat){.room = room, .door = door};
		lane->rooms[lane->count++] = room;
	}
}

static void settle(struct run *run)
{
	uint64_t end = net_now() + SETTLE_MS * UINT64_C(1000);

	while (net_now() < end)
		net_step(run->net, 10);
}

/* Memory and moves. */

static struct peak sample(const struct run *run)
{
	struct peak now = {
		.pss = probe_memory((pid_t)run->options.process).pss,
		.tcp = probe_tcp_buffers(),
	};

	for (size_t i = 0; i < run->silent_count; i++)
		if (run->silent[i])
			now.tcp -= probe_receive_buffer(run->silent[i]->fd);
	return now;
}

/* Each second. */
static void note_peak(void *context)
{
	struct run *run = context;
	struct peak now = sample(run);

	if (now.pss > run->peak.pss)
		run->peak.pss = now.pss;
	if (now.tcp > run->peak.tcp)
		run->peak.tcp = now.tcp;
}

static uint64_t own_processor(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What has been used so far, in microseconds and bytes. */
struct usage {
	uint64_t time;
	uint64_t server;
	uint64_t own;
	uint64_t written;
	struct probe_machine machine;
};

static struct usage read_usage(pid_t server)
{
	return (struct usage){
		.time = net_now(),
		.server = probe_processor(server),
		.own = own_processor(),
		.written = probe_written(server),
		.machine = probe_machine(),
	};
}

/* For each of the moves, and what of the processors went elsewhere, in processors. */
static void print_usage(const struct usage *from, const struct usage *to, double moves)
{
	double server = (double)(to->server - from->server);
	double own = (double)(to->own - from->own);
	double busy = (double)(to->machine.busy - from->machine.busy);
	double time = (double)(to->time - from->time);

	printf(",\"serverMicroseconds\":%.1f,\"ownMicroseconds\":%.1f,\"writtenBytes\":%.0f,"
	       "\"elsewhere\":%.3f,\"stolen\":%.3f",
		server / moves, own / moves, (double)(to->written - from->written) / moves,
		(busy - server - own) / time,
		(double)(to->machine.stolen - from->machine.stolen) / time);
}

/* Plays and prints the members of an object, without its end. */
static void measure_moves(struct run *run, const char *what)
{
	pid_t server = (pid_t)run->options.process;
	struct tally *tally = &run->play.tally;
	double warm = run->options.seconds < 4 * WARM_SECONDS ? 0 : WARM_SECONDS;
	struct usage from, to;
	double seconds;

	run->peak = (struct peak){0};
	from = read_usage(server);
	play_moves(&run->play, warm, run->options.seconds, note_peak, run);
	to = read_usage(server);
	note_peak(run);
	seconds = (double)tally->elapsed / 1e6;
	printf("{\"what\":\"%s\",\"moves\":%llu,\"others\":%llu,\"seconds\":%.3f,", what,
		(unsigned long long)tally->moves, (unsigned long long)tally->others, seconds);
	printf("\"p50\":%llu,\"p95\":%llu,\"p99\":%llu,\"max\":%llu,",
		(unsigned long long)tally_percentile(tally, 0.5),
		(unsigned long long)tally_percentile(tally, 0.95),
		(unsigned long long)tally_percentile(tally, 0.99),
		(unsigned long long)tally_percentile(tally, 1));
	printf("\"refused\":%llu,\"failed\":%llu", (unsigned long long)tally->refused,
		(unsigned long long)tally->failed);
	/* Of the warming up too, in which each move takes as much. */
	print_usage(
		&from, &to, (double)(tally->moves ? tally->moves : 1) * (seconds + warm) / seconds);
	if (tally->failed)
		fprintf(stderr, "komadai-load: the first failure: %s\n", tally->failure);
}

static void measure_streams(struct run *run)
{
	pid_t server = (pid_t)run->options.process;
	uint64_t begin = net_now();
	struct probe_memory empty, before, after;
	double setup;

	empty = probe_memory(server);
	play_make_rooms(&run->play);
	setup = (double)(net_now() - begin) / 1e6;
	settle(run);
	before = probe_memory(server);
	begin = net_now();
	play_open_streams(&run->play);
	setup += (double)(net_now() - begin) / 1e6;
	settle(run);
	after = probe_memory(server);
	printf("{\"what\":\"streams\",\"rooms\":%zu,\"lanes\":%zu,\"streams\":%zu,\"seconds\":%.3f,"
	       "\"pssEmpty\":%llu,\"pssBefore\":%llu,\"pssAfter\":%llu,\"rssBefore\":%llu,"
	       "\"rssAfter\":%llu}\n",
		run->play.room_count, run->play.lane_count, run->play.live, setup,
		(unsigned long long)empty.pss, (unsigned long long)before.pss,
		(unsigned long long)after.pss, (unsigned long long)before.rss,
		(unsigned long long)after.rss);
	fflush(stdout);
}

/* Readers that never read, and the same rooms before they come. */

static void on_silent_closed(struct conn *conn)
{
	struct conn **place = conn->context;

	*place = NULL;
}

static void on_silent_refused(struct conn *conn, int status, const char *body, size_t length)
{
	(void)conn;
	fail("a stream cannot be opened: %d %.*s", status, (int)length, body);
}

/* Among the rooms that play now. */
static void open_silent(struct run *run, size_t number)
{
	struct play *play = &run->play;
	struct lane *lane = &play->lanes[number % play->lane_count];
	size_t rooms =
		lane->count < play->rooms_per_lane_max ? lane->count : play->rooms_per_lane_max;
	size_t turn = number / play->lane_count;
	struct seat *seat = &lane->rooms[turn / SEATS % rooms]->seats[turn % SEATS];
	char text[1024];
	size_t length = seat_request(seat, "/events", text, sizeof(text));
	struct conn *conn =
		conn_open(run->net, seat->door->source, &run->silent[number], SILENT_RECEIVE_BYTES);

	conn->on_answer = on_silent_refused;
	conn->on_closed = on_silent_closed;
	run->silent[number] = conn;
	conn_send(conn, text, length);
}

static void measure_silent(struct run *run)
{
	pid_t server = (pid_t)run->options.process;
	size_t count = run->options.silent;
	struct play *play = &run->play;
	struct peak before;
	uint64_t descriptors;
	uint64_t left;
	uint64_t gone = 0;

	play->rooms_per_lane_max =
		SILENT_ROOMS / play->lane_count ? SILENT_ROOMS / play->lane_count : 1;
	measure_moves(run, "unwatched");
	puts("}");
	/* While these played there was traffic in the buffers too. */
	before = run->peak;
	run->silent = need(calloc(count, sizeof(*run->silent)));
	for (size_t i = 0; i < count; i++) {
		open_silent(run, i);
		if (i % 64 == 63)
			net_step(run->net, 10);
	}
	settle(run); /* the first state has come, and is the last that is read */
	for (size_t i = 0; i < count; i++)
		if (run->silent[i])
			conn_stop_reading(run->silent[i]);
		else
			gone++;
	run->silent_count = count;
	if (gone)
		fail("%llu of the silent readers got no stream", (unsigned long long)gone);
	/* Who does not read does not see either that the other end has closed. */
	descriptors = probe_descriptors(server);
	measure_moves(run, "silent");
	left = probe_descriptors(server);
	gone = left < descriptors ? descriptors - left : 0;
	printf(",\"readers\":%zu,\"letGo\":%llu,\"processGrowth\":%lld,\"systemGrowth\":%lld}\n",
		count, (unsigned long long)gone, (long long)(run->peak.pss - before.pss),
		(long long)(run->peak.tcp - before.tcp));
	fflush(stdout);
	for (size_t i = 0; i < count; i++)
		if (run->silent[i])
			conn_close(run->silent[i]);
	run->silent_count = 0;
	free(run->silent);
	play->rooms_per_lane_max = SIZE_MAX;
	settle(run);
}

static void measure_class(struct run *run)
{
	struct class_plan plan = {
		.net = run->net,
		.record = &run->records.list[0],
		.pupils = run->options.pupils,
		.moves = CLASS_MOVES,
		.assets = run->options.assets,
		.asset_count = run->options.asset_count,
	};
	struct class_counts counts;

	for (size_t i = 1; i < run->records.count; i++)
		if (run->records.list[i].count > plan.record->count)
			plan.record = &run->records.list[i];
	counts = class_run(&plan);
	printf("{\"what\":\"class\",\"pupils\":%u,\"requests\":%llu,\"moves\":%llu,"
	       "\"limited\":%llu,\"failed\":%llu,\"seconds\":%.3f}\n",
		plan.pupils, (unsigned long long)counts.requests, (unsigned long long)counts.moves,
		(unsigned long long)counts.limited, (unsigned long long)counts.failed,
		(double)counts.microseconds / 1e6);
	fflush(stdout);
}

static void measure_flood(struct run *run)
{
	struct flood *flood = flood_start((uint16_t)run->options.port, run->options.flood);
	struct flood_counts counts;

	measure_moves(run, "flood");
	counts = flood_stop(flood);
	printf(",\"connections\":%u,\"answered\":%llu,\"limited\":%llu,\"busy\":%llu,"
	       "\"closed\":%llu}\n",
		run->options.flood, (unsigned long long)counts.answered,
		(unsigned long long)counts.limited, (unsigned long long)counts.busy,
		(unsigned long long)counts.closed);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static struct run run; /* until the end of the program, with all that it holds */

	run.options = read_options(argc, argv);
	raise_descriptor_limit();
	records_read(&run.records, run.options.plies);
	run.net = need(malloc(sizeof(*run.net)));
	net_init(run.net, (uint16_t)run.options.port);
	run.play = (struct play){
		.net = run.net, .records = &run.records, .rooms_per_lane_max = SIZE_MAX};
	assign_rooms(&run);
	measure_streams(&run);
	measure_moves(&run, "moves");
	puts("}");
	fflush(stdout);
	if (run.options.silent)
		measure_silent(&run);
	if (run.options.pupils)
		measure_class(&run);
	if (run.options.flood)
		measure_flood(&run);
	return 0;
}
