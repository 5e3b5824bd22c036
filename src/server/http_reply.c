/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/http_internal.h"

/* Answers: their heads, and those that come whole. */

static const struct {
	int status_code;
	const char *reason;
} reasons[] = {
	{200, "OK"},
	{201, "Created"},
	{204, "No Content"},
	{301, "Moved Permanently"},
	{302, "Found"},
	{303, "See Other"},
	{304, "Not Modified"},
	{307, "Temporary Redirect"},
	{308, "Permanent Redirect"},
	{400, "Bad Request"},
	{401, "Unauthorized"},
	{403, "Forbidden"},
	{404, "Not Found"},
	{405, "Method Not Allowed"},
	{406, "Not Acceptable"},
	{408, "Request Timeout"},
	{409, "Conflict"},
	{410, "Gone"},
	{413, "Content Too Large"},
	{415, "Unsupported Media Type"},
	{422, "Unprocessable Content"},
	{429, "Too Many Requests"},
	{431, "Request Header Fields Too Large"},
	{500, "Internal Server Error"},
	{501, "Not Implemented"},
	{503, "Service Unavailable"},
	{505, "HTTP Version Not Supported"},
};

/* Empty for a code without a row: RFC 9112 lets a client ignore it. */
static const char *reason_of(int status_code)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].status_code == status_code)
			return reasons[i].reason;
	}
	return "";
}

static const char *date_now(struct http_server *server)
{
	int64_t now = (int64_t)time(NULL);

	if (now != server->date_second) {
		server->date_second = now;
		http_date_write(now, server->date);
	}
	return server->date;
}

/*
 * What an answer has that does not say otherwise. Nothing here is to be kept, guessed at, shown in
 * a frame, run as a page or used by another site; a page is what says otherwise.
 */
static const struct http_header common_headers[] = {
	{"Cache-Control", "no-store"},
	{"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Content-Type-Options", "nosniff"},
};

static bool has_header(const struct answer *answer, const char *name)
{
	for (size_t i = 0; i < answer->header_count; i++)
		if (strcmp(answer->headers[i].name, name) == 0)
			return true;
	return false;
}

static bool has_body(int status_code)
{
	return status_code != 204 && status_code != 304;
}

/* A line end in a value would let whoever chose the value write the rest of the answer. */
static bool is_safe(const char *text)
{
	for (; *text; text++) {
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
			return false;
	}
	return true;
}

static bool add_header(struct text *text, const char *name, const char *value)
{
	text_add(text, name);
	text_add(text, ": ");
	text_add(text, value);
	text_add(text, "\r\n");
	return is_safe(name) && is_safe(value);
}

bool answer_write_head(struct text *text, struct http_server *server, const struct answer *answer)
{
	bool safe = true;

	assert(answer->status_code >= 200 && answer->status_code <= 599);
	text_add(text, "HTTP/1.1 ");
	text_add_number(text, answer->status_code);
	text_add_char(text, ' ');
	text_add(text, reason_of(answer->status_code));
	text_add(text, "\r\n");
	(void)add_header(text, "Date", date_now(server));
	for (size_t i = 0; i < answer->header_count; i++)
		safe &= add_header(text, answer->headers[i].name, answer->headers[i].value);
	for (size_t i = 0; i < sizeof(common_headers) / sizeof(common_headers[0]); i++)
		if (!has_header(answer, common_headers[i].name))
			(void)add_header(text, common_headers[i].name, common_headers[i].value);
	if (answer->kind == ANSWER_WHOLE && has_body(answer->status_code)) {
		text_add(text, "Content-Length: ");
		text_add_number(text, (int64_t)answer->body_length);
		text_add(text, "\r\n");
	}
	if (answer->connection)
		(void)add_header(text, "Connection", answer->connection);
	text_add(text, "\r\n");
	return safe && !text->overflow;
}

void connection_tell_answered(
	const struct connection *connection, const struct http_note *note, int status_code)
{
	const struct http_server *server = connection->server;

	if (server->options.answered)
		server->options.answered(server->context, note, status_code);
}

void connection_refuse(
	struct connection *connection, int status_code, const char *code, const char *problem)
{
	static const struct http_header headers[] = {
		{"Content-Type", "application/json"}, {"Retry-After", "5"}};
	char head_bytes[768], body_bytes[256], sentence_bytes[128];
	struct text head, body, sentence;
	struct answer answer = {
		.status_code = status_code,
		.headers = headers,
		.header_count = status_code == 429 || status_code == 503 ? 2 : 1,
		.connection = "close",
	};
	bool fits;

	text_init(&sentence, sentence_bytes, sizeof(sentence_bytes));
	text_add_sentence(&sentence, problem);
	text_init(&body, body_bytes, sizeof(body_bytes));
	text_add(&body, "{\"error\":");
	text_add_json(&body, code);
	text_add(&body, ",\"message\":");
	text_add_json(&body, sentence_bytes);
	text_add(&body, "}");
	answer.body_length = body.length;
	text_init(&head, head_bytes, sizeof(head_bytes));
	fits = answer_write_head(&head, connection->server, &answer);
	assert(fits && !body.overflow && !sentence.overflow);
	(void)fits;

	connection_tell_answered(connection, &(struct http_note){.error = code}, status_code);
	connection->last = true;
	connection_enter(connection, PHASE_REPLY);
	connection_drop_input(connection);
	connection_write(connection, (struct http_slice){head.data, head.length},
		(struct http_slice){body.data, body.length}, false);
}

static void reply(
	struct http_exchange *exchange, struct answer *answer, const char *body, bool lasting)
{
	struct connection *connection = exchange->connection;
	const struct http_request *request = &exchange->request;
	bool sends_body = request->method != HTTP_HEAD && has_body(answer->status_code);
	char head_bytes[HTTP_ANSWER_HEAD_BYTES];
	struct text head;

	assert(connection->exchange == exchange);
	connection->exchange = NULL;
	if (connection->phase == PHASE_CLOSED)
		goto done;
	assert(connection->phase == PHASE_HANDLED);
	connection->last = !request->keep_alive || connection->server->stopping;
	if (connection->last)
		answer->connection = "close";
	else if (request->minor == 0)
		answer->connection = "keep-alive";

	text_init(&head, head_bytes, sizeof(head_bytes));
	if (!answer_write_head(&head, connection->server, answer)) {
		connection_refuse(connection, 500, "internal", "the answer could not be written");
		goto done;
	}
	connection_tell_answered(connection, &exchange->note, answer->status_code);
	connection_enter(connection, PHASE_REPLY);
	connection_write(connection, (struct http_slice){head.data, head.length},
		(struct http_slice){body, sends_body ? answer->body_length : 0}, lasting);
done:
	free(exchange);
}

void http_reply(struct http_exchange *exchange, int status_code, const struct http_header *headers,
	size_t header_count, const char *body, size_t length)
{
	struct answer answer = {
		.status_code = status_code,
		.headers = headers,
		.header_count = header_count,
		.body_length = length,
	};

	reply(exchange, &answer, body, false);
}

void http_reply_static(struct http_exchange *exchange, int status_code,
	const struct http_header *headers, size_t header_count, const char *body, size_t length)
{
	struct answer answer = {
		.status_code = status_code,
		.headers = headers,
		.header_count = header_count,
		.body_length = length,
	};

	reply(exchange, &answer, body, true);
}

struct http_note *http_exchange_note(struct http_exchange *exchange)
{
	return &exchange->note;
}

void http_exchange_set_context(struct http_exchange *exchange, void *context)
{
	exchange->context = context;
}

void http_exchange_on_gone(struct http_exchange *exchange, void (*gone)(void *context))
{
	exchange->gone = gone;
}

const char *http_exchange_peer(const struct http_exchange *exchange)
{
	return exchange->connection->peer;
}
