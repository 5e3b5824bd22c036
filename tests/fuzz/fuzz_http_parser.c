/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void require_inside(struct http_slice slice, const char *data, size_t length)
{
	require(slice.data >= data && slice.length <= length);
	require((size_t)(slice.data - data) <= length - slice.length);
	for (size_t i = 0; i < slice.length; i++)
		require(slice.data[i] && slice.data[i] != '\r' && slice.data[i] != '\n');
}

/* Whatever a proxy passes on, it is an address or the proxy's own. */
static void require_visitor(const struct http_request *request)
{
	static const struct address proxy = {{1}};
	static const struct address other = {{2}};
	const struct proxies proxies = {.addresses = {proxy}, .count = 1};
	struct address visitor = address_of_visitor(&proxies, &proxy, request);
	struct address network = address_subscriber(visitor);
	struct address again = address_subscriber(network);

	require(memcmp(&network, &again, sizeof(network)) == 0);
	visitor = address_of_visitor(&proxies, &other, request);
	require(memcmp(&visitor, &other, sizeof(visitor)) == 0);
}

static void require_sound(const struct http_request *request, const char *data, size_t size)
{
	size_t length = request->head_length;

	require(length <= size && length <= HTTP_HEAD_BYTES);
	require(memcmp(data + length - 4, "\r\n\r\n", 4) == 0);
	require(request->body_length <= HTTP_BODY_BYTES && request->field_count <= HTTP_FIELDS_MAX);
	require(request->host.length > 0 &&
		http_find_field(request, "host").data == request->host.data);
	require(!http_find_field(request, "transfer-encoding").data);
	require_inside(request->target, data, length);
	require_inside(request->path, data, length);
	require_inside(request->query, data, length);
	for (size_t i = 0; i < request->field_count; i++) {
		require_inside(request->fields[i].name, data, length);
		require_inside(request->fields[i].value, data, length);
	}
	require(!memchr(request->target.data, ' ', request->target.length));
	require_visitor(request);
}

/* A copy of exactly that size, so that the sanitizer sees a read beyond it. */
static enum http_parse_result parse_copy(
	const uint8_t *data, size_t size, struct http_request *request)
{
	char *copy = malloc(size ? size : 1);
	enum http_parse_result result;

	require(copy);
	if (size)
		memcpy(copy, data, size);
	result = http_parse(copy, size, request);
	if (result == HTTP_PARSE_DONE)
		require_sound(request, copy, size);
	else
		require((result == HTTP_PARSE_MORE) == !request->problem);
	free(copy);
	return result;
}

/* Cut anywhere, the input is unfinished or says what the whole says, and never less as it grows. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct http_request request;
	enum http_parse_result whole = parse_copy(data, size, &request);
	size_t head_length = request.head_length;
	const char *problem = request.problem;
	/* Every cut of a short input; about a hundred of a long one. */
	size_t step = 1 + size / 100;
	bool decided = false;

	for (size_t cut = 0; cut < size; cut += step) {
		enum http_parse_result part = parse_copy(data, cut, &request);

		require(part == whole || (part == HTTP_PARSE_MORE && !decided));
		decided = part != HTTP_PARSE_MORE;
		require(!decided || request.problem == problem);
		if (whole == HTTP_PARSE_DONE)
			require(decided == (cut >= head_length));
	}
	return 0;
}
