/* SPDX-License-Identifier: MIT */
#include "server/http_parser.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Grammar: RFC 9112 (messages), RFC 9110 (fields), RFC 3986 (targets, hosts). */

struct reader {
	const char *at;
	const char *end;
	struct http_request *request;
	unsigned seen; /* bits of the fields that may occur once, enum once */
	bool close;
	bool keep_alive;
};

enum once {
	ONCE_HOST = 1 << 0,
	ONCE_CONTENT_LENGTH = 1 << 1,
	ONCE_AUTHORIZATION = 1 << 2,
	ONCE_EXPECT = 1 << 3,
	ONCE_ORIGIN = 1 << 4,
	ONCE_LAST_EVENT_ID = 1 << 5,
};

static const struct {
	const char *name;
	enum once bit;
} once_fields[] = {
	{"Host", ONCE_HOST},
	{"Content-Length", ONCE_CONTENT_LENGTH},
	{"Authorization", ONCE_AUTHORIZATION},
	{"Expect", ONCE_EXPECT},
	{"Origin", ONCE_ORIGIN},
	{"Last-Event-ID", ONCE_LAST_EVENT_ID},
};

/* The pieces below return HTTP_PARSE_DONE when their piece is read, with `at` behind it. */
static enum http_parse_result refuse(
	struct reader *reader, enum http_parse_result result, const char *problem)
{
	reader->request->problem = problem;
	return result;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alphanumeric(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool is_token(char c)
{
	return is_alphanumeric(c) || is_one_of(c, "!#$%&'*+-.^_`|~");
}

/* More than RFC 3986 allows: browsers leave {}|^` as they are in a query. */
static bool is_target(char c)
{
	return c > ' ' && c < 0x7f && !is_one_of(c, "\"#<>\\");
}

/* Blanks, visible characters, and bytes above ASCII (cookies of other applications). */
static bool is_value(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte == '\t' || (byte >= ' ' && byte != 0x7f);
}

static bool is_host(char c)
{
	return is_alphanumeric(c) || is_one_of(c, "-._~");
}

static bool is_address(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' ||
	       c == '.';
}

static struct http_slice take_while(struct reader *reader, bool (*is_wanted)(char))
{
	struct http_slice slice = {reader->at, 0};

	while (reader->at < reader->end && is_wanted(*reader->at))
		reader->at++;
	slice.length = (size_t)(reader->at - slice.data);
	return slice;
}

static bool at_end(const struct reader *reader)
{
	return reader->at == reader->end;
}

static bool equals_without_case(struct http_slice slice, const char *string)
{
	return slice.length == strlen(string) && strncasecmp(slice.data, string, slice.length) == 0;
}

static struct http_slice trim(struct http_slice slice)
{
	while (slice.length && is_one_of(slice.data[0], " \t")) {
		slice.data++;
		slice.length--;
	}
	while (slice.length && is_one_of(slice.data[slice.length - 1], " \t"))
		slice.length--;
	return slice;
}

static enum http_parse_result read_literal(
	struct reader *reader, const char *literal, const char *problem)
{
	for (; *literal; literal++, reader->at++) {
		if (at_end(reader))
			return HTTP_PARSE_MORE;
		if (*reader->at != *literal)
			return refuse(reader, HTTP_PARSE_BAD, problem);
	}
	return HTTP_PARSE_DONE;
}

static enum http_parse_result read_method(struct reader *reader)
{
	static const struct {
		const char *name;
		enum http_method method;
	} methods[] = {{"GET", HTTP_GET}, {"HEAD", HTTP_HEAD}, {"POST", HTTP_POST},
		{"OPTIONS", HTTP_OPTIONS}};
	struct http_slice name = take_while(reader, is_token);

	if (at_end(reader))
		return HTTP_PARSE_MORE;
	if (!name.length || *reader->at != ' ')
		return refuse(reader, HTTP_PARSE_BAD, "the request does not begin with a method");
	reader->at++;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		if (http_slice_equals(name, methods[i].name)) {
			reader->request->method = methods[i].method;
			return HTTP_PARSE_DONE;
		}
	}
	return refuse(reader, HTTP_PARSE_METHOD,
		"the methods understood are GET, HEAD, POST and OPTIONS");
}

/* Origin form, and "*" for OPTIONS. The absolute form names a host twice, and is for proxies. */
static enum http_parse_result read_target(struct reader *reader)
{
	struct http_request *request = reader->request;
	struct http_slice target;
	const char *query;
	bool any;

	if (at_end(reader))
		return HTTP_PARSE_MORE;
	any = *reader->at == '*' && request->method == HTTP_OPTIONS;
	if (*reader->at != '/' && !any)
		return refuse(reader, HTTP_PARSE_BAD, "the request target must begin with a /");
	target = take_while(reader, is_target);
	if (any && target.length > 1)
		return refuse(reader, HTTP_PARSE_BAD, "nothing may follow the request target *");
	if (at_end(reader))
		return HTTP_PARSE_MORE;
	if (*reader->at != ' ')
		return refuse(reader, HTTP_PARSE_BAD,
			"the request target holds a byte that it must not hold");
	reader->at++;

	request->target = request->path = target;
	request->query = (struct http_slice){target.data + target.length, 0};
	query = memchr(target.data, '?', target.length);
	if (query) {
		request->path.length = (size_t)(query - target.data);
		request->query.data = query + 1;
		request->query.length = target.length - request->path.length - 1;
	}
	return HTTP_PARSE_DONE;
}

static enum http_parse_result read_version(struct reader *reader)
{
	static const char problem[] = "the request line must end in a space and HTTP/1.1";
	enum http_parse_result result = read_literal(reader, "HTTP/", problem);
	const char *number;

	if (result != HTTP_PARSE_DONE)
		return result;
	number = reader->at;
	for (int i = 0; i < 3; i++, reader->at++) {
		if (at_end(reader))
			return HTTP_PARSE_MORE;
		if (i == 1 ? *reader->at != '.' : !is_digit(*reader->at))
			return refuse(reader, HTTP_PARSE_BAD, problem);
	}
	if (number[0] != '1' || number[2] > '1')
		return refuse(reader, HTTP_PARSE_VERSION,
			"the versions understood are HTTP/1.0 and HTTP/1.1");
	reader->request->minor = number[2] - '0';
	return read_literal(reader, "\r\n", problem);
}

/* A name or an IPv4 address, or an IPv6 address in brackets; then a port, if any. */
static bool is_host_value(struct http_slice value)
{
	struct reader reader = {.at = value.data, .end = value.data + value.length};

	if (!value.length)
		return false;
	if (*reader.at == '[') {
		reader.at++;
		if (!take_while(&reader, is_address).length || at_end(&reader) || *reader.at != ']')
			return false;
		reader.at++;
	} else if (!take_while(&reader, is_host).length) {
		return false;
	}
	if (!at_end(&reader) && *reader.at == ':') {
		size_t digits;

		reader.at++;
		digits = take_while(&reader, is_digit).length;
		if (digits < 1 || digits > 5)
			return false;
	}
	return at_end(&reader);
}

static enum http_parse_result read_content_length(struct reader *reader, struct http_slice value)
{
	size_t length = 0;

	if (!value.length)
		return refuse(
			reader, HTTP_PARSE_BAD, "Content-Length must be one number in digits");
	for (size_t i = 0; i < value.length; i++) {
		if (!is_digit(value.data[i]))
			return refuse(reader, HTTP_PARSE_BAD,
				"Content-Length must be one number in digits");
		if (length <= HTTP_BODY_BYTES) /* above it, only that it is above matters */
			length = length * 10 + (size_t)(value.data[i] - '0');
	}
	reader->request->body_length = length;
	return HTTP_PARSE_DONE;
}

static void read_connection(struct reader *reader, struct http_slice value)
{
	const char *end = value.data + value.length;

	while (value.data < end) {
		const char *comma = memchr(value.data, ',', (size_t)(end - value.data));
		const char *stop = comma ? comma : end;
		struct http_slice option =
			trim((struct http_slice){value.data, (size_t)(stop - value.data)});

		if (equals_without_case(option, "close"))
			reader->close = true;
		else if (equals_without_case(option, "keep-alive"))
			reader->keep_alive = true;
		value.data = comma ? comma + 1 : end;
	}
}

/* What the fields that decide about the message itself say. */
static enum http_parse_result heed_field(struct reader *reader, const struct http_field *field)
{
	enum once bit = 0;

	if (equals_without_case(field->name, "Transfer-Encoding"))
		return refuse(
			reader, HTTP_PARSE_BAD, "Transfer-Encoding is not understood in requests");
	if (equals_without_case(field->name, "Connection"))
		read_connection(reader, field->value);
	for (size_t i = 0; i < sizeof(once_fields) / sizeof(once_fields[0]); i++) {
		if (equals_without_case(field->name, once_fields[i].name))
			bit = once_fields[i].bit;
	}
	if (reader->seen & bit)
		return refuse(reader, HTTP_PARSE_BAD, "a field occurs twice that may occur once");
	reader->seen |= bit;

	switch ((unsigned)bit) {
	case ONCE_HOST:
		if (!is_host_value(field->value))
			return refuse(reader, HTTP_PARSE_BAD,
				"Host must be a name or address, with or without port");
		reader->request->host = field->value;
		break;
	case ONCE_CONTENT_LENGTH:
		return read_content_length(reader, field->value);
	case ONCE_EXPECT:
		if (!equals_without_case(field->value, "100-continue"))
			return refuse(reader, HTTP_PARSE_BAD,
				"the only expectation understood is 100-continue");
		break;
	default:
		break;
	}
	return HTTP_PARSE_DONE;
}

static enum http_parse_result read_field(struct reader *reader)
{
	static const char problem[] = "a header line must be a name, a colon, and a value";
	struct http_request *request = reader->request;
	enum http_parse_result result;
	struct http_field field;

	if (is_one_of(*reader->at, " \t"))
		return refuse(reader, HTTP_PARSE_BAD, "a header line must not be folded");
	if (request->field_count == HTTP_FIELDS_MAX)
		return refuse(reader, HTTP_PARSE_LARGE, "the request has too many header lines");
	field.name = take_while(reader, is_token);
	if (at_end(reader))
		return HTTP_PARSE_MORE;
	if (!field.name.length || *reader->at != ':')
		return refuse(reader, HTTP_PARSE_BAD, problem);
	reader->at++;
	field.value = trim(take_while(reader, is_value));
	result = read_literal(reader, "\r\n", "a header value holds a byte that it must not hold");
	if (result != HTTP_PARSE_DONE)
		return result;
	request->fields[request->field_count++] = field;
	return heed_field(reader, &field);
}

static enum http_parse_result read_fields(struct reader *reader)
{
	for (;;) {
		enum http_parse_result result;

		if (at_end(reader))
			return HTTP_PARSE_MORE;
		if (*reader->at == '\r')
			return read_literal(reader, "\r\n",
				"a carriage return must be followed by a line feed");
		result = read_field(reader);
		if (result != HTTP_PARSE_DONE)
			return result;
	}
}

static enum http_parse_result read_head(struct reader *reader)
{
	enum http_parse_result result = read_method(reader);

	if (result == HTTP_PARSE_DONE)
		result = read_target(reader);
	if (result == HTTP_PARSE_DONE)
		result = read_version(reader);
	if (result == HTTP_PARSE_DONE)
		result = read_fields(reader);
	return result;
}

/* What can be said only once the whole head is there. */
static enum http_parse_result conclude(struct reader *reader)
{
	struct http_request *request = reader->request;

	if (!(reader->seen & ONCE_HOST))
		return refuse(reader, HTTP_PARSE_BAD, "the request has no Host");
	if (request->body_length > HTTP_BODY_BYTES)
		return refuse(reader, HTTP_PARSE_BODY, "the body is over 16384 bytes");
	request->keep_alive = !reader->close && (request->minor == 1 || reader->keep_alive);
	/* RFC 9110, 10.1.1: a client of HTTP/1.0 cannot mean it. */
	request->expects_continue =
		(reader->seen & ONCE_EXPECT) && request->minor == 1 && request->body_length;
	return HTTP_PARSE_DONE;
}

enum http_parse_result http_parse(const char *data, size_t length, struct http_request *request)
{
	bool full = length >= HTTP_HEAD_BYTES;
	struct reader reader = {
		.at = data, .end = data + (full ? HTTP_HEAD_BYTES : length), .request = request};
	enum http_parse_result result;

	request->body_length = 0;
	request->field_count = 0;
	request->body = (struct http_slice){NULL, 0};
	request->problem = NULL;
	result = read_head(&reader);
	if (result == HTTP_PARSE_MORE && full)
		return refuse(
			&reader, HTTP_PARSE_LARGE, "the head of the request is over 8192 bytes");
	if (result != HTTP_PARSE_DONE)
		return result;
	request->head_length = (size_t)(reader.at - data);
	return conclude(&reader);
}

struct http_slice http_find_field(const struct http_request *request, const char *name)
{
	for (size_t i = 0; i < request->field_count; i++) {
		if (equals_without_case(request->fields[i].name, name))
			return request->fields[i].value;
	}
	return (struct http_slice){NULL, 0};
}

bool http_slice_equals(struct http_slice slice, const char *string)
{
	return slice.length == strlen(string) && memcmp(slice.data, string, slice.length) == 0;
}
