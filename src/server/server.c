/* SPDX-License-Identifier: MIT */
#include "server/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <uv.h>

#include "base/clock.h"
#include "server/log.h"
#include "server/routes.h"
#include "server/secrets.h"

/* After STOP_GRACE_MS what still waits for its answer, or reads slowly, is cut. */
enum { STOP_GRACE_MS = 3000, TICK_MS = 1000, RELOAD_MS = 3000, LIMITED_MS = 10 * 1000 };

enum { METRICS_CONNECTIONS_MAX = 16 };

static const uint64_t day_ms = UINT64_C(24) * 60 * 60 * 1000;

/* What the log has of one kind of limit. */
struct limited {
	uint64_t said; /* refusals */
	uint64_t next_ms;
};

struct server {
	uv_loop_t loop;
	uv_async_t written;
	uv_timer_t tick;
	uv_signal_t interrupt;
	uv_signal_t terminate;
	bool handles; /* the four above are open */
	struct store *store;
	struct writer *writer;
	struct hub *hub;
	struct gate *gate;
	unsigned connections_max;
	struct assets *assets;
	struct http_server *http;
	struct http_server *metrics; /* NULL: nobody asked for them */
	int open_servers;            /* of these two */
	int64_t started_ms;
	struct site site;
	struct limited limited[GATE_KINDS];
};

/* `message` is for people, `why` the sentence of whoever found out; NULL: none. */
static void complain(enum log_level level, const char *event, const char *message, const char *why)
{
	const struct log_field fields[] = {
		{.name = "message", .text = message}, {.name = "why", .text = why}};

	log_say(level, event, fields, why ? 2 : 1);
}

static void refuse_start(const char *message, const char *why)
{
	complain(LOG_ERROR, "start_refused", message, why);
}

/* On the writer's thread. */
static void wake(void *context)
{
	struct server *server = context;

	uv_async_send(&server->written);
}

/* Tells the operator when writing begins to fail, and when it works again; then the hub. */
static void row_written(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	struct server *server = context;
	bool failed = status == STATUS_STORE_WRITE;

	if (failed && !server->site.cannot_write)
		complain(LOG_ERROR, "store_failing",
			"moves are refused until the data can be written", problem->text);
	else if (!failed && server->site.cannot_write)
		complain(LOG_INFO, "store_recovered", "moves are taken again", NULL);
	server->site.cannot_write = failed;
	hub_written(server->hub, ticket, status, problem);
}

static void on_written(uv_async_t *handle)
{
	struct server *server = handle->data;

	writer_collect(server->writer, row_written, server);
}

/* Says of each kind of limit how often it refused: at most a line in LIMITED_MS, whoever asks. */
static void report_limits(struct server *server, uint64_t now_ms)
{
	for (enum gate_kind kind = 0; kind < GATE_KINDS; kind++) {
		uint64_t refused = gate_refused(server->gate, kind);
		struct limited *limited = &server->limited[kind];
		const struct log_field fields[] = {
			{.name = "message", .text = "somebody asks too much, and is told 429"},
			{.name = "kind", .text = gate_kind_word(kind)},
			{.name = "refused", .number = refused - limited->said},
		};

		if (refused == limited->said || now_ms < limited->next_ms)
			continue;
		log_say(LOG_WARN, "limited", fields, sizeof(fields) / sizeof(fields[0]));
		limited->said = refused;
		limited->next_ms = now_ms + LIMITED_MS;
	}
}

static void on_tick(uv_timer_t *handle)
{
	struct server *server = handle->data;

	hub_tick(server->hub, clock_monotonic_ms());
	report_limits(server, clock_monotonic_ms());
}

static void on_closed(void *context)
{
	struct server *server = context;

	if (--server->open_servers == 0)
		uv_stop(&server->loop);
}

static void stop_servers(struct server *server, unsigned grace_ms)
{
	if (server->http)
		http_server_stop(server->http, grace_ms, on_closed, server);
	if (server->metrics)
		http_server_stop(server->metrics, grace_ms, on_closed, server);
}

static void on_signal(uv_signal_t *handle, int number)
{
	struct server *server = handle->data;
	const struct log_field fields[] = {
		{.name = "signal", .text = number == SIGINT ? "SIGINT" : "SIGTERM"},
		{.name = "connections", .number = http_server_connections(server->http)},
	};

	/* A second signal does what it does to any process, at once: what was answered is on disk.
	 */
	uv_signal_stop(&server->interrupt);
	uv_signal_stop(&server->terminate);
	log_say(LOG_INFO, "stopping", fields, sizeof(fields) / sizeof(fields[0]));
	stop_servers(server, STOP_GRACE_MS);
}

/* Descriptors that are no visitor's: the data, the loop, listeners, who asks for metrics, and those
 * who are told that there are too many. */
enum { DESCRIPTORS_KEPT = 128 };

/*
 * A connection is a descriptor: takes as many as the system gives, and returns how many connections
 * that is good for, so that one too many is still told so.
 */
static unsigned raise_descriptor_limit(void)
{
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return http_defaults.connections_max;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return http_defaults.connections_max;
	most = limit.rlim_cur > 2 * DESCRIPTORS_KEPT ? limit.rlim_cur - DESCRIPTORS_KEPT
						     : limit.rlim_cur / 2;
	return most < http_defaults.connections_max ? (unsigned)most
						    : http_defaults.connections_max;
}

static bool load_row(void *context, const struct store_row *row)
{
	struct server *server = context;
	enum status status = hub_load_row(server->hub, row);

	if (status == STATUS_NO_MEMORY)
		return false;
	if (status != STATUS_OK) {
		const struct log_field fields[] = {
			{.name = "message", .text = "the room is set aside"},
			{.name = "room", .text = row->room},
			{.name = "rev", .number = row->rev},
			{.name = "why", .text = status_text(status)},
		};

		log_say(LOG_ERROR, "room_damaged", fields, sizeof(fields) / sizeof(fields[0]));
	}
	return true;
}

static bool open_handles(struct server *server)
{
	if (uv_async_init(&server->loop, &server->written, on_written) != 0 ||
		uv_timer_init(&server->loop, &server->tick) != 0 ||
		uv_signal_init(&server->loop, &server->interrupt) != 0 ||
		uv_signal_init(&server->loop, &server->terminate) != 0)
		return false;
	server->handles = true;
	server->written.data = server;
	server->tick.data = server;
	server->interrupt.data = server;
	server->terminate.data = server;
	return uv_signal_start(&server->interrupt, on_signal, SIGINT) == 0 &&
	       uv_signal_start(&server->terminate, on_signal, SIGTERM) == 0;
}

static bool open_rooms(struct server *server, const struct server_options *options)
{
	struct hub_limits limits = {
		.rooms_max = options->rooms_max,
		.room_ms = day_ms * options->room_days,
		.unplayed_ms = day_ms,
		.presence =
			{
				.heard_ms = UINT64_C(1000) * options->present_seconds,
				.reload_ms = RELOAD_MS,
				.kept_ms = UINT64_C(1000) * options->absence_seconds,
			},
		.request_ms = UINT64_C(1000) * options->request_seconds,
	};
	struct store_problem problem;
	enum status status = store_sqlite.open(options->data, &server->store, &problem);

	if (status != STATUS_OK) {
		refuse_start(status_text(status), problem.text);
		return false;
	}
	status = writer_create(&store_sqlite, server->store, wake, server, &server->writer);
	if (status == STATUS_OK)
		status = hub_create(options->games, server->writer, limits, &server->hub);
	if (status != STATUS_OK) {
		refuse_start("the rooms cannot be opened", status_text(status));
		return false;
	}
	/* The writer owns the store from its first row on, and there is none yet. */
	status = store_sqlite.load(server->store, load_row, server, &problem);
	if (status != STATUS_OK) {
		refuse_start(status_text(status), problem.text);
		return false;
	}
	return true;
}

/* Callbacks of the connections, with the context of their requests. */

static bool admit(void *context, const char *peer)
{
	const struct site *site = context;

	return gate_admit(site->gate, peer);
}

static void left(void *context, const char *peer)
{
	const struct site *site = context;

	gate_leave(site->gate, peer);
}

static void answered(void *context, const struct http_note *note, int status_code)
{
	struct site *site = context;

	metrics_count_answer(&site->metrics, note, status_code);
}

/* An `http_handler`, of the metrics' own address. */
static void handle_metrics(
	void *context, struct http_exchange *exchange, const struct http_request *request)
{
	static const struct http_header header = {
		"Content-Type", "text/plain; version=0.0.4; charset=utf-8"};
	static const char elsewhere[] = "Only GET /metrics is here.\n";
	struct server *server = context;
	struct metrics_now now = {
		.rooms = hub_count_phases(server->hub),
		.connections = http_server_connections(server->http),
		.streams = http_server_streams(server->http),
		.store = writer_read_stats(server->writer),
		.started_ms = server->started_ms,
	};
	char bytes[METRICS_TEXT_BYTES];
	struct text text;

	if ((request->method != HTTP_GET && request->method != HTTP_HEAD) ||
		!http_slice_equals(request->path, "/metrics")) {
		http_reply(exchange, 404, &header, 1, elsewhere, strlen(elsewhere));
		return;
	}
	for (enum gate_kind kind = 0; kind < GATE_KINDS; kind++)
		now.limited[kind] = gate_refused(server->gate, kind);
	(void)uv_resident_set_memory(&now.resident_bytes); /* 0 where the system does not say */
	text_init(&text, bytes, sizeof(bytes));
	metrics_write(&server->site.metrics, &now, &text);
	http_reply(exchange, 200, &header, 1, text.data, text.length);
}

static bool say_address(const char *what, const char *address, const struct http_server *http)
{
	printf(strchr(address, ':') ? "%s on http://[%s]:%d\n" : "%s on http://%s:%d\n", what,
		address, http_server_port(http));
	if (fflush(stdout) == 0)
		return true;
	refuse_start("standard output cannot be written", strerror(errno));
	return false;
}

static bool listen_for_metrics(struct server *server, const struct server_options *options)
{
	struct http_options http = http_defaults;
	char problem[HTTP_PROBLEM_BYTES];

	if (!options->metrics_address)
		return true;
	http.address = options->metrics_address;
	http.port = options->metrics_port;
	http.connections_max = METRICS_CONNECTIONS_MAX;
	if (http_server_create(&server->loop, &http, handle_metrics, server, &server->metrics,
		    problem) != STATUS_OK) {
		refuse_start("it cannot listen for who asks for its metrics", problem);
		return false;
	}
	server->open_servers++;
	return true;
}

static bool listen_at(struct server *server, const struct server_options *options)
{
	struct http_options http = http_defaults;
	char problem[HTTP_PROBLEM_BYTES];

	if (options->web && assets_load(options->web, &server->assets, problem) != STATUS_OK) {
		refuse_start("the page cannot be read", problem);
		return false;
	}
	if (gate_create(&options->gate, &server->gate) != STATUS_OK) {
		refuse_start("it cannot start", status_text(STATUS_NO_MEMORY));
		return false;
	}
	server->site = (struct site){
		.hub = server->hub,
		.gate = server->gate,
		.games = options->games,
		.assets = server->assets,
		.public_url = options->public_url,
		.epoch = (uint64_t)clock_wall_ms(),
	};
	http.address = options->address;
	http.port = options->port;
	http.connections_max = server->connections_max;
	http.admit = admit;
	http.left = left;
	http.answered = answered;
	if (http_server_create(&server->loop, &http, routes_handle, &server->site, &server->http,
		    problem) != STATUS_OK) {
		refuse_start("it cannot listen", problem);
		return false;
	}
	server->open_servers++;
	return listen_for_metrics(server, options) &&
	       say_address("listening", options->address, server->http) &&
	       (!server->metrics ||
		       say_address("metrics", options->metrics_address, server->metrics));
}

/* Where the start was refused half-way, they have not been stopped yet. */
static void close_servers(struct server *server)
{
	if (server->open_servers) {
		stop_servers(server, 0);
		uv_run(&server->loop, UV_RUN_DEFAULT);
	}
	if (server->http)
		http_server_destroy(server->http);
	if (server->metrics)
		http_server_destroy(server->metrics);
}

static void close_handles(struct server *server)
{
	if (!server->handles)
		return;
	uv_close((uv_handle_t *)&server->written, NULL);
	uv_close((uv_handle_t *)&server->tick, NULL);
	uv_close((uv_handle_t *)&server->interrupt, NULL);
	uv_close((uv_handle_t *)&server->terminate, NULL);
}

static void say_start(const struct server *server, const struct server_options *options)
{
	const struct gate_options *gate = &options->gate;
	const struct log_field fields[] = {
		{.name = "version", .text = KOMADAI_VERSION},
		{.name = "data", .text = options->data},
		{.name = "web", .text = options->web ? options->web : ""},
		{.name = "public_url", .text = options->public_url ? options->public_url : ""},
		{.name = "metrics", .text = options->metrics_address ? "on" : "off"},
		{.name = "proxies", .number = gate->proxies.count},
		{.name = "rooms", .number = hub_rooms(server->hub)},
		{.name = "rooms_max", .number = options->rooms_max},
		{.name = "connections_max", .number = server->connections_max},
		{.name = "request_seconds", .number = options->request_seconds},
		{.name = "present_seconds", .number = options->present_seconds},
		{.name = "absence_seconds", .number = options->absence_seconds},
		{.name = "room_days", .number = options->room_days},
		{.name = "requests_per_second", .number = gate->requests_per_second},
		{.name = "rooms_per_minute", .number = gate->rooms_per_minute},
		{.name = "connections_per_address", .number = gate->connections_per_address},
		{.name = "commands_per_second", .number = gate->commands_per_second},
	};

	if (!options->web)
		complain(LOG_WARN, "no_page",
			"the built page is not beside this program, so there is the interface "
			"only; --web names its folder",
			NULL);
	log_say(LOG_INFO, "start", fields, sizeof(fields) / sizeof(fields[0]));
}

bool server_run(const struct server_options *options)
{
	struct server *server = calloc(1, sizeof(*server));
	bool served = false;

	if (!server || uv_loop_init(&server->loop) != 0) {
		refuse_start("it cannot start", status_text(STATUS_NO_MEMORY));
		free(server);
		return false;
	}
	server->started_ms = clock_wall_ms();
	server->connections_max = raise_descriptor_limit();
	if (!secrets_init()) {
		refuse_start("it cannot start", "the system gives no random numbers");
		goto done;
	}
	if (!open_handles(server) || !open_rooms(server, options) || !listen_at(server, options))
		goto done;
	say_start(server, options);
	uv_timer_start(&server->tick, on_tick, TICK_MS, TICK_MS);
	uv_run(&server->loop, UV_RUN_DEFAULT);
	served = true;
done:
	close_servers(server);
	if (server->writer) {
		writer_drain(server->writer);
		if (server->hub)
			writer_collect(server->writer, row_written, server);
		writer_destroy(server->writer);
	}
	hub_destroy(server->hub);
	if (server->store)
		store_sqlite.close(server->store);
	assets_destroy(server->assets);
	gate_destroy(server->gate);
	close_handles(server);
	uv_run(&server->loop, UV_RUN_DEFAULT);
	uv_loop_close(&server->loop);
	if (served)
		log_say(LOG_INFO, "stop", NULL, 0);
	free(server);
	return served;
}
