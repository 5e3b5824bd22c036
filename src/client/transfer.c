/* SPDX-License-Identifier: MIT */
#include "client/transfer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"

bool transfer_init(struct transfer *transfer, CURLM *multi, const struct transfer_manners *manners)
{
	memset(transfer, 0, sizeof(*transfer));
	transfer->multi = multi;
	transfer->manners = manners;
	transfer->easy = curl_easy_init();
	return transfer->easy != NULL;
}

void transfer_release(struct transfer *transfer)
{
	transfer_stop(transfer);
	curl_easy_cleanup(transfer->easy);
}

/* A callback of libcurl: a count that is not `size` ends the transfer. */
static size_t take_body(char *bytes, size_t unit, size_t size, void *context)
{
	struct transfer *transfer = context;

	(void)unit; /* always 1 */
	transfer->heard_ms = clock_monotonic_ms();
	if (transfer->is_open) {
		transfer->too_long = event_stream_read(&transfer->stream, bytes, size,
					     transfer->take, transfer->context) != STATUS_OK;
		return transfer->too_long || transfer->is_bad ? 0 : size;
	}
	transfer->too_long = size > sizeof(transfer->body) - transfer->length;
	if (transfer->too_long)
		return 0;
	memcpy(transfer->body + transfer->length, bytes, size);
	transfer->length += size;
	return size;
}

static bool is_event_stream(CURL *easy)
{
	static const char expected[] = "text/event-stream";
	const char *type = NULL;
	long code = 0;

	return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK && code == 200 &&
	       curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type &&
	       strncasecmp(type, expected, strlen(expected)) == 0;
}

/* A callback of libcurl, for each line of a head, its last and blank one too. */
static size_t take_head(char *bytes, size_t unit, size_t size, void *context)
{
	struct transfer *transfer = context;

	(void)unit;
	transfer->heard_ms = clock_monotonic_ms();
	transfer->head_length += size;
	transfer->too_long = transfer->head_length > TRANSFER_HEAD_MAX;
	if (transfer->too_long)
		return 0;
	if (transfer->take && size > 0 && (bytes[0] == '\r' || bytes[0] == '\n'))
		transfer->is_open = is_event_stream(transfer->easy);
	return size;
}

static bool add_field(struct transfer *transfer, const char *name, const char *value)
{
	char field[512];
	struct curl_slist *longer;

	if (snprintf(field, sizeof(field), "%s: %s", name, value) >= (int)sizeof(field))
		return false;
	longer = curl_slist_append(transfer->fields, field);
	if (longer)
		transfer->fields = longer;
	return longer != NULL;
}

static bool add_fields(struct transfer *transfer, const struct transfer_wish *wish)
{
	char bearer[128];

	if (wish->key) {
		snprintf(bearer, sizeof(bearer), "Bearer %s", wish->key);
		if (!add_field(transfer, "Authorization", bearer))
			return false;
	}
	if (wish->body && !add_field(transfer, "Content-Type", "application/json"))
		return false;
	if (wish->last_id && !add_field(transfer, "Last-Event-ID", wish->last_id))
		return false;
	return add_field(transfer, "Accept", wish->take ? "text/event-stream" : "application/json");
}

/* The options whose values libcurl copies may fail for want of memory. */
static bool set_options(struct transfer *transfer, const struct transfer_wish *wish)
{
	CURL *easy = transfer->easy;
	const char *ca_file = transfer->manners->ca_file;

	curl_easy_reset(easy);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, (void *)transfer);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->problem);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, transfer->manners->patience_ms);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, (void *)transfer);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, (void *)transfer);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->fields);
	/* A stream has other limits, which its reader keeps. */
	if (!wish->take)
		curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, transfer->manners->patience_ms);
	if (wish->body)
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)strlen(wish->body));
	return curl_easy_setopt(easy, CURLOPT_URL, wish->url) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_USERAGENT, "komadai/" KOMADAI_VERSION) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	       (!ca_file || curl_easy_setopt(easy, CURLOPT_CAINFO, ca_file) == CURLE_OK) &&
	       (!wish->body ||
		       curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, wish->body) == CURLE_OK);
}

bool transfer_start(struct transfer *transfer, const struct transfer_wish *wish)
{
	transfer_stop(transfer);
	transfer->take = wish->take;
	transfer->context = wish->context;
	transfer->is_open = false;
	transfer->is_bad = false;
	transfer->head_length = 0;
	transfer->too_long = false;
	transfer->length = 0;
	transfer->code = 0;
	transfer->retry_after = 0;
	transfer->problem[0] = 0;
	transfer->heard_ms = clock_monotonic_ms();
	event_stream_init(&transfer->stream);
	if (!add_fields(transfer, wish) || !set_options(transfer, wish) ||
		curl_multi_add_handle(transfer->multi, transfer->easy) != CURLM_OK)
		return false;
	transfer->running = true;
	return true;
}

void transfer_stop(struct transfer *transfer)
{
	if (transfer->running)
		curl_multi_remove_handle(transfer->multi, transfer->easy);
	transfer->running = false;
	curl_slist_free_all(transfer->fields);
	transfer->fields = NULL;
}

/* Whether the request was sent, or began to be. */
static bool was_sent(CURL *easy)
{
	curl_off_t time = 0;

	return curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &time) == CURLE_OK && time > 0;
}

static enum transfer_end classify(struct transfer *transfer, CURLcode result)
{
	switch (result) {
	case CURLE_OK:
		return TRANSFER_ANSWERED;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE: /* the file of ours */
		return TRANSFER_UNTRUSTED;
	case CURLE_UNSUPPORTED_PROTOCOL: /* HTTP/0.9 is one, which is any bytes at all */
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_WRITE_ERROR: /* ours: see take_body and take_head */
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return TRANSFER_NONSENSE;
	default:
		return was_sent(transfer->easy) ? TRANSFER_LOST : TRANSFER_UNREACHABLE;
	}
}

enum transfer_end transfer_finish(struct transfer *transfer, CURLcode result)
{
	enum transfer_end end = classify(transfer, result);
	curl_off_t retry_after = 0;

	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &transfer->code);
	if (curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK)
		transfer->retry_after = (long)retry_after;
	if (transfer->too_long)
		snprintf(transfer->problem, sizeof(transfer->problem),
			"the answer is longer than any of a Komadai server");
	else if (transfer->is_bad)
		snprintf(transfer->problem, sizeof(transfer->problem),
			"an event is none of a Komadai server");
	else if (!transfer->problem[0])
		snprintf(transfer->problem, sizeof(transfer->problem), "%s",
			result == CURLE_OK ? "the connection was closed"
					   : curl_easy_strerror(result));
	transfer_stop(transfer);
	return end;
}
