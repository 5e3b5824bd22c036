/* SPDX-License-Identifier: MIT */
#include "server/routes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "portal/catalogue.h"
#include "server/answer.h"
#include "server/body.h"
#include "server/events.h"

enum { URL_BYTES = 512, ANSWER_JSON = ROOM_SNAPSHOT_JSON + URL_BYTES + 256 };

/* A request that the hub has: what its answer needs when it comes. */
struct pending {
	struct http_exchange *exchange; /* NULL: the client has left */
	char room[ROOM_ID_BYTES];
	bool shows_key;
	struct secret key;
	char invite_url[URL_BYTES];  /* empty: none to show */
	const struct rubrique *page; /* of the room's game, for a guest at the wrong one */
	uint64_t *accepted;          /* counts what is answered 200; NULL: not counted */
};

static void refuse(struct http_exchange *exchange, int code, const char *error, const char *message)
{
	const struct answer_error answer = {.code = code, .error = error, .message = message};

	answer_error(exchange, &answer);
}

static void refuse_body(struct http_exchange *exchange, const struct body_problem *problem)
{
	const struct answer_error answer = {
		.code = problem->code,
		.error = problem->error,
		.reason = problem->reason,
		.message = problem->message,
	};

	answer_error(exchange, &answer);
}

static void pending_gone(void *context)
{
	((struct pending *)context)->exchange = NULL;
}

static struct pending *pending_make(struct http_exchange *exchange, const char *room)
{
	struct pending *pending = calloc(1, sizeof(*pending));

	if (!pending) {
		answer_status(exchange, STATUS_NO_MEMORY, NULL);
		return NULL;
	}
	pending->exchange = exchange;
	snprintf(pending->room, sizeof(pending->room), "%s", room);
	http_exchange_set_context(exchange, pending);
	http_exchange_on_gone(exchange, pending_gone);
	return pending;
}

/* 201: the seat that was taken, with its key. */
static void answer_seat(const struct pending *pending, const struct hub_result *result)
{
	char json[ANSWER_JSON];
	struct text text;

	text_init(&text, json, sizeof(json));
	text_add(&text, "{\"room\":");
	text_add_json(&text, pending->room);
	text_add(&text, ",\"seat\":");
	text_add_json(&text, room_seat_word(result->seat));
	text_add(&text, ",\"key\":");
	text_add_json(&text, pending->key.text);
	text_add(&text, ",\"inviteUrl\":");
	if (pending->invite_url[0])
		text_add_json(&text, pending->invite_url);
	else
		text_add(&text, "null");
	text_add(&text, ",\"rev\":");
	text_add_number(&text, (int64_t)result->rev);
	text_add(&text, ",\"snapshot\":");
	text_add(&text, result->snapshot);
	text_add_char(&text, '}');
	assert(!text.overflow);
	answer_json(pending->exchange, 201, json, text.length);
}

/* 200: the link to the empty seat. */
static void answer_invitation(const struct pending *pending, const struct hub_result *result)
{
	char json[ANSWER_JSON];
	struct text text;

	text_init(&text, json, sizeof(json));
	text_add(&text, "{\"room\":");
	text_add_json(&text, pending->room);
	text_add(&text, ",\"inviteUrl\":");
	text_add_json(&text, pending->invite_url);
	text_add(&text, ",\"rev\":");
	text_add_number(&text, (int64_t)result->rev);
	text_add(&text, ",\"snapshot\":");
	text_add(&text, result->snapshot);
	text_add_char(&text, '}');
	assert(!text.overflow);
	answer_json(pending->exchange, 200, json, text.length);
}

static void answer_refusal(const struct pending *pending, const struct hub_result *result)
{
	char extra[ROOM_SNAPSHOT_JSON + 64];
	struct text text;

	text_init(&text, extra, sizeof(extra));
	if (result->status == STATUS_ROOM_STALE) {
		text_add(&text, ",\"rev\":");
		text_add_number(&text, (int64_t)result->rev);
		text_add(&text, ",\"snapshot\":");
		text_add(&text, result->snapshot);
	} else if (result->status == STATUS_ROOM_WRONG_GAME && pending->page) {
		text_add(&text, ",\"page\":\"/rubriques/");
		text_add(&text, pending->page->id);
		text_add_char(&text, '"');
	}
	assert(!text.overflow);
	answer_status(pending->exchange, result->status, extra);
}

/* A `hub_answer`. */
static void pending_answer(void *context, const struct hub_result *result)
{
	struct pending *pending = context;

	if (pending->accepted && result->status == STATUS_OK)
		(*pending->accepted)++;
	if (pending->exchange) {
		if (result->status != STATUS_OK)
			answer_refusal(pending, result);
		else if (pending->shows_key)
			answer_seat(pending, result);
		else if (pending->invite_url[0])
			answer_invitation(pending, result);
		else
			answer_json(
				pending->exchange, 200, result->snapshot, strlen(result->snapshot));
	}
	free(pending);
}

/* Host as clients send it: a name or address with a port. Nothing else may enter a link. */
static bool host_is_plain(struct http_slice host)
{
	for (size_t i = 0; i < host.length; i++) {
		char c = host.data[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    c == '.' || c == '-' || c == ':' || c == '[' || c == ']'))
			return false;
	}
	return host.length > 0 && host.length < 256;
}

/* Whether links can be built from the request; false: refused. */
static bool check_host(
	const struct site *site, struct http_exchange *exchange, const struct http_request *request)
{
	if (site->public_url || host_is_plain(request->host))
		return true;
	refuse(exchange, 400, "malformed", "The Host field is no host name.");
	return false;
}

static void write_invite_url(const struct site *site, const struct http_request *request,
	const struct rubrique *page, const char *room, const struct secret *secret, char *url)
{
	if (site->public_url)
		snprintf(url, URL_BYTES, "%s/rubriques/%s#invite=%s.%s", site->public_url, page->id,
			room, secret->text);
	else
		snprintf(url, URL_BYTES, "http://%.*s/rubriques/%s#invite=%s.%s",
			(int)request->host.length, request->host.data, page->id, room,
			secret->text);
}

static void handle_create(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	struct body_create body;
	struct body_problem problem;
	struct room_event event = {.kind = ROOM_CREATED, .rev = 1};
	char name[ROOM_ID_BYTES];
	struct secret invitation;
	const struct rubrique *page;
	struct pending *pending;

	(void)id;
	if (!body_read_create(request->body.data, request->body.length, &body, &problem)) {
		refuse_body(exchange, &problem);
		return;
	}
	page = catalogue_find_game(body.game);
	if (!game_find(site->games, body.game) || !page) {
		answer_status(exchange, STATUS_GAME_UNKNOWN, NULL);
		return;
	}
	if (!check_host(site, exchange, request) || !gate_room(site->gate, exchange, request))
		return;
	if (hub_is_full(site->hub)) {
		refuse(exchange, 503, "unavailable",
			"There are as many rooms as this server keeps.");
		return;
	}
	room_name_draw(name);
	pending = pending_make(exchange, name);
	if (!pending)
		return;
	pending->shows_key = true;
	pending->key = secret_draw();
	invitation = secret_draw();
	write_invite_url(site, request, page, name, &invitation, pending->invite_url);

	event.at_ms = clock_wall_ms();
	strcpy(event.game, body.game);
	event.key = secret_hash(&pending->key);
	event.invitation = secret_hash(&invitation);
	hub_open_room(site->hub, name, &event, pending_answer, pending);
}

/* The room of the address; NULL: refused. */
static struct hosted *find_room(
	struct site *site, struct http_exchange *exchange, struct http_slice id)
{
	struct hosted *hosted = room_name_is_valid(id.data, id.length)
					? hub_find(site->hub, id.data, id.length)
					: NULL;

	if (!hosted)
		refuse(exchange, 404, "not-found", "There is no such room.");
	else if (hosted_is_closed(hosted))
		answer_status(exchange, STATUS_ROOM_CLOSED, NULL);
	else if (!hosted_room(hosted))
		refuse(exchange, 503, "damaged",
			"The record of this room is damaged; the operator can repair it.");
	else
		return hosted;
	return NULL;
}

static void handle_join(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	struct body_join body;
	struct body_problem problem;
	struct room_hash invitation;
	struct room_hash key;
	struct hosted *hosted;
	struct pending *pending;

	if (!body_read_join(request->body.data, request->body.length, &body, &problem)) {
		refuse_body(exchange, &problem);
		return;
	}
	hosted = find_room(site, exchange, id);
	if (!hosted)
		return;
	if (!http_slice_equals(id, body.room)) {
		answer_status(exchange, STATUS_ROOM_INVITATION, NULL);
		return;
	}
	pending = pending_make(exchange, body.room);
	if (!pending)
		return;
	pending->shows_key = true;
	pending->key = body.id[0] ? secret_derive(&body.secret, body.id) : secret_draw();
	pending->page = catalogue_find_game(room_game(hosted_room(hosted))->name);
	invitation = secret_hash(&body.secret);
	key = secret_hash(&pending->key);
	hub_join(site->hub, hosted, &invitation, body.game, &key, pending_answer, pending);
}

/* The key in the Authorization field, and its seat, whose player is then there; false: refused. */
static bool authorize(struct http_exchange *exchange, const struct http_request *request,
	struct hosted *hosted, struct secret *key, enum room_seat *seat)
{
	static const char scheme[] = "Bearer ";
	struct http_slice value = http_find_field(request, "Authorization");
	size_t skip = strlen(scheme);
	struct room_hash hash;
	bool is_bearer =
		value.data && value.length >= skip && strncasecmp(value.data, scheme, skip) == 0;

	while (is_bearer && skip < value.length && value.data[skip] == ' ')
		skip++;
	if (!is_bearer || !secret_read(value.data + skip, value.length - skip, key)) {
		refuse(exchange, 401, "no-key",
			"The key of a seat is missing: Authorization: Bearer KEY.");
		return false;
	}
	hash = secret_hash(key);
	if (!room_find_seat(hosted_room(hosted), &hash, seat)) {
		answer_status(exchange, STATUS_ROOM_NO_SEAT, NULL);
		return false;
	}
	hub_hear(hosted, *seat);
	return true;
}

static void handle_command(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	struct hosted *hosted = find_room(site, exchange, id);
	struct room_command command = {0};
	struct body_problem problem;
	struct pending *pending;
	struct secret invitation;
	struct secret key;
	struct room_hash key_hash;

	if (!hosted || !authorize(exchange, request, hosted, &key, &command.seat))
		return;
	key_hash = secret_hash(&key);
	if (!gate_command(site->gate, exchange, &key_hash))
		return;
	if (!body_read_command(request->body.data, request->body.length, hosted_room(hosted),
		    &command, &problem)) {
		refuse_body(exchange, &problem);
		return;
	}
	if (command.op == ROOM_OP_INVITE && !check_host(site, exchange, request))
		return;
	pending = pending_make(exchange, room_id(hosted_room(hosted)));
	if (!pending)
		return;
	if (command.op == ROOM_OP_INVITE) {
		invitation = secret_derive(&key, command.id);
		command.invitation = secret_hash(&invitation);
		write_invite_url(site, request,
			catalogue_find_game(room_game(hosted_room(hosted))->name), pending->room,
			&invitation, pending->invite_url);
	}
	pending->accepted = &site->metrics.commands[command.op];
	hub_command(site->hub, hosted, &key_hash, &command, pending_answer, pending);
}

static void handle_snapshot(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	struct hosted *hosted = find_room(site, exchange, id);
	char json[ROOM_SNAPSHOT_JSON + PRESENCE_JSON + 16];
	struct text text;
	enum room_seat seat;
	struct secret key;

	if (!hosted || !authorize(exchange, request, hosted, &key, &seat))
		return;
	text_init(&text, json, sizeof(json));
	room_write_snapshot(hosted_room(hosted), &text);
	text.length--; /* its last brace: one more member follows */
	text_add(&text, ",\"presence\":");
	hosted_write_presence(hosted, &text);
	text_add_char(&text, '}');
	assert(!text.overflow);
	answer_json(exchange, 200, json, text.length);
}

static void handle_events(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	struct hosted *hosted = find_room(site, exchange, id);
	struct http_slice last;
	enum room_seat seat;
	struct secret key;

	if (!hosted || !authorize(exchange, request, hosted, &key, &seat))
		return;
	last = http_find_field(request, "Last-Event-ID");
	if (!last.data)
		last = query_value(request->query, "lastEventId");
	events_open(exchange, hosted, seat, site->epoch, last);
}

/* The counts are those of one game, and the request names none that there is. */
static void refuse_counts(const struct site *site, struct http_exchange *exchange)
{
	char message[160];
	struct text text;

	text_init(&text, message, sizeof(message));
	text_add(&text, "Name a game, as /api/v1/rooms?game=");
	for (const struct game_ops *const *each = site->games; *each; each++) {
		text_add(&text, (*each)->name);
		text_add(&text, each[1] ? " or " : ".");
	}
	refuse(exchange, 400, "malformed", message);
}

static void handle_counts(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	struct http_slice name = query_value(request->query, "game");
	const struct game_ops *game = NULL;
	struct hub_counts counts;
	char json[128];

	(void)id;
	for (const struct game_ops *const *each = site->games; *each; each++)
		if (name.data && http_slice_equals(name, (*each)->name))
			game = *each;
	if (!game) {
		refuse_counts(site, exchange);
		return;
	}
	counts = hub_count(site->hub, game);
	snprintf(json, sizeof(json), "{\"waiting\":%zu,\"playing\":%zu,\"people\":%zu}",
		counts.waiting, counts.playing, counts.people);
	answer_json(exchange, 200, json, strlen(json));
}

/* Takes `prefix` off the front of the path. */
static bool take_prefix(struct http_slice *path, const char *prefix)
{
	size_t length = strlen(prefix);

	if (path->length < length || memcmp(path->data, prefix, length) != 0)
		return false;
	path->data += length;
	path->length -= length;
	return true;
}

static void handle_health(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice id)
{
	char json[128];

	(void)request;
	(void)id;
	snprintf(json, sizeof(json), "{\"status\":\"%s\",\"version\":\"%s\",\"rooms\":%zu}",
		site->cannot_write ? "cannot-write" : "ok", KOMADAI_VERSION, hub_rooms(site->hub));
	answer_json(exchange, site->cannot_write ? 503 : 200, json, strlen(json));
}

/* A page or one of its files; the address of none is the page too, which then says so. */
static void handle_page(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice rest)
{
	bool known;

	if (!site->assets) {
		refuse(exchange, 404, "not-found", "There is nothing at this address.");
		return;
	}
	if (assets_answer(site->assets, exchange, request))
		return;
	known = http_slice_equals(rest, "/") ||
		(take_prefix(&rest, "/rubriques/") && catalogue_find(rest.data, rest.length));
	assets_answer_page(site->assets, exchange, request, known ? 200 : 404);
}

typedef void route_handler(struct site *site, struct http_exchange *exchange,
	const struct http_request *request, struct http_slice rest);

/* An address and what it answers. `rest` is a room's name, or the path of a page. */
struct route {
	route_handler *get; /* NULL: no such method */
	route_handler *post;
	const char *allow;
	enum metrics_route class;
};

static const struct route route_any = {NULL, NULL, "GET, HEAD, POST, OPTIONS", METRICS_NOTHING};
static const struct route route_health = {
	handle_health, NULL, "GET, HEAD, OPTIONS", METRICS_HEALTH};
static const struct route route_page = {handle_page, NULL, "GET, HEAD, OPTIONS", METRICS_PAGE};
static const struct route route_rooms = {
	handle_counts, handle_create, "GET, HEAD, POST, OPTIONS", METRICS_ROOMS};

static const struct {
	const char *suffix;
	struct route route;
} room_routes[] = {
	{"", {handle_snapshot, NULL, "GET, HEAD, OPTIONS", METRICS_ROOM}},
	{"/join", {NULL, handle_join, "POST, OPTIONS", METRICS_JOIN}},
	{"/commands", {NULL, handle_command, "POST, OPTIONS", METRICS_COMMANDS}},
	{"/events", {handle_events, NULL, "GET, HEAD, OPTIONS", METRICS_EVENTS}},
};

/* Behind /api/v1/rooms/: `rest` becomes the room's name. */
static const struct route *find_room_route(struct http_slice *rest)
{
	const char *slash = memchr(rest->data, '/', rest->length);
	struct http_slice suffix = {rest->data + rest->length, 0};

	if (slash) {
		suffix.data = slash;
		suffix.length = rest->length - (size_t)(slash - rest->data);
		rest->length -= suffix.length;
	}
	for (size_t i = 0; i < sizeof(room_routes) / sizeof(room_routes[0]); i++)
		if (http_slice_equals(suffix, room_routes[i].suffix))
			return &room_routes[i].route;
	return NULL;
}

/* NULL: there is nothing at this address. */
static const struct route *find_route(struct http_slice *rest)
{
	if (http_slice_equals(*rest, "*"))
		return &route_any;
	if (http_slice_equals(*rest, "/health"))
		return &route_health;
	if (http_slice_equals(*rest, "/api/v1/rooms"))
		return &route_rooms;
	if (take_prefix(rest, "/api/v1/rooms/"))
		return find_room_route(rest);
	if (http_slice_equals(*rest, "/api") || take_prefix(rest, "/api/"))
		return NULL;
	return &route_page;
}

/*
 * A page of another site may not create rooms here in its visitors' names, nor do anything else: a
 * browser says where a POST comes from. Programs say nothing.
 */
static bool origin_is_ours(const struct site *site, const struct http_request *request)
{
	static const char *const schemes[] = {"http://", "https://"};
	struct http_slice origin = http_find_field(request, "Origin");

	if (!origin.data)
		return true;
	if (site->public_url)
		return http_slice_equals(origin, site->public_url);
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		struct http_slice host = origin;

		if (take_prefix(&host, schemes[i]) && host.length == request->host.length &&
			strncasecmp(host.data, request->host.data, host.length) == 0)
			return true;
	}
	return false;
}

void routes_handle(
	void *context, struct http_exchange *exchange, const struct http_request *request)
{
	const struct site *site = context;
	struct http_slice rest = request->path;
	const struct route *route = find_route(&rest);
	route_handler *handle;

	http_exchange_note(exchange)->tag = route ? route->class : METRICS_NOTHING;
	if (!gate_request(site->gate, exchange, request))
		return;
	if (!route) {
		refuse(exchange, 404, "not-found", "There is nothing at this address.");
		return;
	}
	if (request->method == HTTP_OPTIONS) {
		const struct http_header allow = {"Allow", route->allow};

		http_reply(exchange, 204, &allow, 1, "", 0);
		return;
	}
	handle = request->method == HTTP_POST ? route->post : route->get;
	if (request->method == HTTP_POST && !origin_is_ours(site, request)) {
		const struct answer_error error = {
			.code = 403,
			.error = "forbidden",
			.reason = "origin",
			.message = "A page of another site may not do this.",
		};

		answer_error(exchange, &error);
		return;
	}
	if (handle)
		handle(context, exchange, request, rest);
	else
		answer_method(exchange, route->allow);
}
