/* SPDX-License-Identifier: MIT */
#include "server/answer.h"

#include <assert.h>
#include <string.h>

#include "room/room.h"

enum { ERROR_JSON = ROOM_SNAPSHOT_JSON + 512 };

static void answer_or_retry(struct http_exchange *exchange, int code, const char *json,
	size_t length, unsigned retry_seconds)
{
	char seconds[16];
	const struct http_header headers[] = {
		{"Content-Type", "application/json"},
		{"Retry-After", seconds}, /* 429 and 503 only */
	};
	struct text text;

	text_init(&text, seconds, sizeof(seconds));
	text_add_number(&text, retry_seconds ? retry_seconds : RETRY_SECONDS);
	http_reply(exchange, code, headers, code == 429 || code == 503 ? 2 : 1, json, length);
}

void answer_json(struct http_exchange *exchange, int code, const char *json, size_t length)
{
	answer_or_retry(exchange, code, json, length, RETRY_SECONDS);
}

static void note_refusal(struct http_exchange *exchange, const char *error, const char *reason)
{
	struct http_note *note = http_exchange_note(exchange);

	note->error = error;
	note->reason = reason;
}

void answer_error(struct http_exchange *exchange, const struct answer_error *error)
{
	char json[ERROR_JSON];
	struct text text;

	text_init(&text, json, sizeof(json));
	text_add(&text, "{\"error\":");
	text_add_json(&text, error->error);
	if (error->reason) {
		text_add(&text, ",\"reason\":");
		text_add_json(&text, error->reason);
	}
	text_add(&text, ",\"message\":");
	text_add_json(&text, error->message);
	if (error->extra)
		text_add(&text, error->extra);
	text_add_char(&text, '}');
	assert(!text.overflow);
	note_refusal(exchange, error->error, error->reason);
	answer_or_retry(exchange, error->code, json, text.length, error->retry_seconds);
}

/* The code of HTTP and the word for a status; rules are "illegal" with the status as the reason. */
static struct answer_error classify(enum status status)
{
	switch (status) {
	case STATUS_ROOM_FULL:
	case STATUS_ROOM_WRONG_GAME:
	case STATUS_ROOM_STALE:
	case STATUS_ROOM_NOT_YOUR_TURN:
	case STATUS_ROOM_SUSPENDED:
	case STATUS_ROOM_PENDING:
	case STATUS_ROOM_NO_REQUEST:
	case STATUS_ROOM_BEGUN:
		return (struct answer_error){.code = 409, .error = status_code(status)};
	case STATUS_ROOM_CLOSED:
		return (struct answer_error){.code = 410, .error = status_code(status)};
	case STATUS_GAME_OVER:
		return (struct answer_error){.code = 409, .error = "over"};
	case STATUS_ROOM_INVITATION:
	case STATUS_ROOM_NOT_ALLOWED:
	case STATUS_ROOM_NO_SEAT:
		return (struct answer_error){
			.code = 403, .error = "forbidden", .reason = status_code(status)};
	case STATUS_GAME_TOO_LONG:
		return (struct answer_error){.code = 422, .error = "room-full"};
	case STATUS_GAME_UNKNOWN:
		return (struct answer_error){.code = 422, .error = status_code(status)};
	case STATUS_NO_MEMORY:
	case STATUS_STORE_OPEN:
	case STATUS_STORE_SCHEMA:
	case STATUS_STORE_READ:
	case STATUS_STORE_WRITE:
	case STATUS_STORE_CONFLICT:
		return (struct answer_error){
			.code = 503, .error = "unavailable", .reason = status_code(status)};
	default:
		return (struct answer_error){
			.code = 422, .error = "illegal", .reason = status_code(status)};
	}
}

void answer_status(struct http_exchange *exchange, enum status status, const char *extra)
{
	struct answer_error error = classify(status);
	char sentence[160];
	struct text text;

	text_init(&text, sentence, sizeof(sentence));
	text_add_sentence(&text, status_text(status));
	error.message = sentence;
	error.extra = extra;
	answer_error(exchange, &error);
}

void answer_method(struct http_exchange *exchange, const char *allow)
{
	static const char json[] =
		"{\"error\":\"method\",\"message\":\"This address has other methods; see Allow.\"}";
	const struct http_header headers[] = {
		{"Content-Type", "application/json"}, {"Allow", allow}};

	note_refusal(exchange, "method", NULL);
	http_reply(exchange, 405, headers, 2, json, strlen(json));
}
