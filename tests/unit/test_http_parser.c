/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/http_parser.h"

/* Every input ends where readable memory ends, so that a read of one byte too many kills the test.
 */
enum { ROOM_BYTES = 32 * 1024 };
static char *guard; /* the first byte that cannot be read */

static int map_guard(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *room = mmap(NULL, ROOM_BYTES + page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	if (room == MAP_FAILED || mprotect(room + ROOM_BYTES, page, PROT_NONE))
		return -1;
	guard = room + ROOM_BYTES;
	return 0;
}

static enum http_parse_result parse_at_guard(
	const char *input, size_t length, struct http_request *request)
{
	char *data = guard - length;

	assert_true(length <= ROOM_BYTES);
	if (length)
		memcpy(data, input, length);
	memset(request, 0x5a, sizeof(*request));
	return http_parse(data, length, request);
}

static void assert_inside(struct http_slice slice, const char *data, size_t length)
{
	assert_true(slice.data >= data && slice.data + slice.length <= data + length);
}

/*
 * What must hold of any input: a prefix is unfinished or refused as the whole is; a request that is
 * done is so at its last byte and not before; what follows changes nothing.
 */
static enum http_parse_result parse_every_way(
	const char *input, size_t length, struct http_request *request)
{
	enum http_parse_result whole = parse_at_guard(input, length, request);
	size_t head_length = request->head_length;
	const char *problem = request->problem;
	bool decided = false;
	char longer[ROOM_BYTES];

	for (size_t cut = 0; cut < length; cut++) {
		enum http_parse_result part = parse_at_guard(input, cut, request);

		if (decided || (whole == HTTP_PARSE_DONE && cut >= head_length)) {
			assert_int_equal(part, whole);
			continue;
		}
		decided = part != HTTP_PARSE_MORE;
		if (decided) {
			assert_int_equal(part, whole);
			assert_int_not_equal(part, HTTP_PARSE_DONE);
			assert_ptr_equal(request->problem, problem);
		}
	}
	if (whole != HTTP_PARSE_MORE && length + 8 <= ROOM_BYTES) {
		memcpy(longer, input, length);
		memcpy(longer + length, "\r\n\r\nGET ", 8);
		assert_int_equal(parse_at_guard(longer, length + 8, request), whole);
		assert_ptr_equal(request->problem, problem);
		if (whole == HTTP_PARSE_DONE)
			assert_int_equal(request->head_length, head_length);
	}
	assert_int_equal(parse_at_guard(input, length, request), whole);
	if (whole == HTTP_PARSE_DONE) {
		assert_inside(request->target, guard - length, head_length);
		assert_inside(request->path, guard - length, head_length);
		assert_inside(request->query, guard - length, head_length);
		assert_inside(request->host, guard - length, head_length);
	}
	return whole;
}

struct probe {
	const char *name;
	const char *input;
	size_t length;
	enum http_parse_result expected;
	const char *problem; /* a part of the sentence; NULL where there is none */
};

/* Some inputs hold zeros, so their length must come from the literal. */
#define BYTES(literal) literal, sizeof(literal) - 1

static const char method_problem[] = "does not begin with a method";
static const char target_problem[] = "target holds a byte";
static const char line_problem[] = "request line must end";
static const char value_problem[] = "value holds a byte";
static const char field_problem[] = "must be a name, a colon";
static const char length_problem[] = "one number in digits";
static const char host_problem[] = "Host must be";
static const char twice_problem[] = "occurs twice";

static const struct probe probes[] = {
	/* Requests as they should be. */
	{"get", BYTES("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_DONE, NULL},
	{"head", BYTES("HEAD /x HTTP/1.1\r\nHost: a:80\r\n\r\n"), HTTP_PARSE_DONE, NULL},
	{"post_with_body_behind",
		BYTES("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
		HTTP_PARSE_DONE, NULL},
	{"post_without_length", BYTES("POST /x HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_DONE,
		NULL},
	{"options_any", BYTES("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_DONE, NULL},
	{"old_version", BYTES("GET / HTTP/1.0\r\nHost: a\r\n\r\n"), HTTP_PARSE_DONE, NULL},
	{"host_address_6", BYTES("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"), HTTP_PARSE_DONE,
		NULL},
	{"query_as_browsers_send_it", BYTES("GET /a?b={c}|d^`%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
		HTTP_PARSE_DONE, NULL},
	{"value_above_ascii", BYTES("GET / HTTP/1.1\r\nHost: a\r\nCookie: \xc3\xa9\xff\r\n\r\n"),
		HTTP_PARSE_DONE, NULL},
	{"value_empty", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n"), HTTP_PARSE_DONE, NULL},
	{"value_with_blanks", BYTES("GET / HTTP/1.1\r\nHost: \t a \t\r\nX: a\tb\r\n\r\n"),
		HTTP_PARSE_DONE, NULL},
	{"length_with_zeros",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0000003\r\n\r\n"),
		HTTP_PARSE_DONE, NULL},
	{"expect", BYTES("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\r\n"),
		HTTP_PARSE_DONE, NULL},

	/* Unfinished. */
	{"nothing", BYTES(""), HTTP_PARSE_MORE, NULL},
	{"method_alone", BYTES("GET"), HTTP_PARSE_MORE, NULL},
	{"no_empty_line", BYTES("GET / HTTP/1.1\r\nHost: a\r\n"), HTTP_PARSE_MORE, NULL},
	{"half_of_the_last_line_end", BYTES("GET / HTTP/1.1\r\nHost: a\r\n\r"), HTTP_PARSE_MORE,
		NULL},

	/* The length of the body said in two ways: what smuggles a request past a proxy. */
	{"length_twice",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: "
		      "4\r\n\r\n"),
		HTTP_PARSE_BAD, twice_problem},
	{"length_twice_the_same",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\ncontent-length: "
		      "3\r\n\r\n"),
		HTTP_PARSE_BAD, twice_problem},
	{"length_list", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_plus", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_minus", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_hexadecimal", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_space_inside", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1 2\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_empty", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_fraction", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3.0\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_wide_digits",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \xef\xbc\x93\r\n\r\n"),
		HTTP_PARSE_BAD, length_problem},
	{"length_over_64_bits",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551619\r\n\r\n"),
		HTTP_PARSE_BODY, "16384"},
	{"length_over", BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n"),
		HTTP_PARSE_BODY, "16384"},
	{"chunked", BYTES("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
		HTTP_PARSE_BAD, "Transfer-Encoding"},
	{"chunked_with_length",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: "
		      "chunked\r\n\r\n"),
		HTTP_PARSE_BAD, "Transfer-Encoding"},
	{"encoding_identity",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: identity\r\n\r\n"),
		HTTP_PARSE_BAD, "Transfer-Encoding"},
	{"encoding_empty", BYTES("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n"),
		HTTP_PARSE_BAD, "Transfer-Encoding"},
	{"encoding_space_before_colon",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n"),
		HTTP_PARSE_BAD, field_problem},
	{"encoding_tab_before_colon",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\t: chunked\r\n\r\n"),
		HTTP_PARSE_BAD, field_problem},
	{"encoding_vertical_tab",
		BYTES("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \x0b"
		      "chunked\r\n\r\n"),
		HTTP_PARSE_BAD, value_problem},
	{"expect_hidden", BYTES("POST / HTTP/1.1\r\nHost: a\r\nExpect: y 100-continue\r\n\r\n"),
		HTTP_PARSE_BAD, "expectation"},

	/* Line ends. */
	{"bare_lf_request_line", BYTES("GET / HTTP/1.1\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		line_problem},
	{"bare_lf_field", BYTES("GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"), HTTP_PARSE_BAD,
		value_problem},
	{"bare_lf_at_the_end", BYTES("GET / HTTP/1.1\r\nHost: a\r\n\n"), HTTP_PARSE_BAD,
		field_problem},
	{"bare_cr_field", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"), HTTP_PARSE_BAD,
		value_problem},
	{"bare_cr_request_line", BYTES("GET / HTTP/1.1\rHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		line_problem},
	{"bare_cr_at_the_end", BYTES("GET / HTTP/1.1\r\nHost: a\r\n\rX"), HTTP_PARSE_BAD,
		"line feed"},
	{"two_cr", BYTES("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD, line_problem},
	{"empty_line_first", BYTES("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		method_problem},
	{"fold_space", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"), HTTP_PARSE_BAD,
		"folded"},
	{"fold_tab", BYTES("GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n"), HTTP_PARSE_BAD, "folded"},
	{"fold_first", BYTES("GET / HTTP/1.1\r\n Host: a\r\n\r\n"), HTTP_PARSE_BAD, "folded"},

	/* Zeros and control characters. */
	{"nul_method", BYTES("GE\0T / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		method_problem},
	{"nul_target", BYTES("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		target_problem},
	{"nul_name", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX\0: y\r\n\r\n"), HTTP_PARSE_BAD,
		field_problem},
	{"nul_value", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX: y\0\r\n\r\n"), HTTP_PARSE_BAD,
		value_problem},
	{"nul_version", BYTES("GET / HTTP/1.1\0\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD, line_problem},
	{"delete_value", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX: \x7f\r\n\r\n"), HTTP_PARSE_BAD,
		value_problem},
	{"escape_value", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX: \x1b[0m\r\n\r\n"), HTTP_PARSE_BAD,
		value_problem},

	/* The request line. */
	{"two_spaces_behind_method", BYTES("GET  / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		"begin with a /"},
	{"two_spaces_behind_target", BYTES("GET /  HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		line_problem},
	{"space_in_target", BYTES("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		line_problem},
	{"space_at_the_end", BYTES("GET / HTTP/1.1 \r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		line_problem},
	{"tab_for_space", BYTES("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		method_problem},
	{"space_first", BYTES(" GET / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		method_problem},
	{"target_absolute", BYTES("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		"begin with a /"},
	{"target_authority", BYTES("GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		"begin with a /"},
	{"target_any_for_get", BYTES("GET * HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		"begin with a /"},
	{"target_any_and_more", BYTES("OPTIONS *x HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		"nothing may follow"},
	{"target_fragment", BYTES("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		target_problem},
	{"target_backslash", BYTES("GET /\\a HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		target_problem},
	{"target_above_ascii", BYTES("GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		target_problem},
	{"target_missing", BYTES("GET HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		"begin with a /"},
	{"version_missing", BYTES("GET /\r\n\r\n"), HTTP_PARSE_BAD, target_problem},
	{"version_small", BYTES("GET / http/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD, line_problem},
	{"version_two", BYTES("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), HTTP_PARSE_VERSION, "HTTP/1.0"},
	{"version_later", BYTES("GET / HTTP/1.2\r\nHost: a\r\n\r\n"), HTTP_PARSE_VERSION,
		"HTTP/1.0"},
	{"version_digits", BYTES("GET / HTTP/1.10\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD,
		line_problem},
	{"version_short", BYTES("GET / HTTP/1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD, line_problem},
	{"method_small", BYTES("get / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_METHOD,
		"GET, HEAD"},
	{"method_put", BYTES("PUT / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_METHOD, "GET, HEAD"},
	{"method_connect", BYTES("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_METHOD,
		"GET, HEAD"},
	{"method_longer", BYTES("GETS / HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_METHOD,
		"GET, HEAD"},
	{"method_empty", BYTES("/ HTTP/1.1\r\nHost: a\r\n\r\n"), HTTP_PARSE_BAD, method_problem},
	{"preface_of_http_2", BYTES("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), HTTP_PARSE_METHOD,
		"GET, HEAD"},
	{"hello_of_tls", BYTES("\x16\x03\x01\x02\x00\x01"), HTTP_PARSE_BAD, method_problem},

	/* Fields. */
	{"host_missing", BYTES("GET / HTTP/1.1\r\nX: a\r\n\r\n"), HTTP_PARSE_BAD, "has no Host"},
	{"host_missing_old_version", BYTES("GET / HTTP/1.0\r\n\r\n"), HTTP_PARSE_BAD,
		"has no Host"},
	{"host_twice", BYTES("GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n"), HTTP_PARSE_BAD,
		twice_problem},
	{"host_empty", BYTES("GET / HTTP/1.1\r\nHost: \r\n\r\n"), HTTP_PARSE_BAD, host_problem},
	{"host_list", BYTES("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"), HTTP_PARSE_BAD, host_problem},
	{"host_user", BYTES("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"), HTTP_PARSE_BAD, host_problem},
	{"host_path", BYTES("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), HTTP_PARSE_BAD, host_problem},
	{"host_markup", BYTES("GET / HTTP/1.1\r\nHost: \"><b>\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"host_port_letters", BYTES("GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"host_port_empty", BYTES("GET / HTTP/1.1\r\nHost: a:\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"host_port_long", BYTES("GET / HTTP/1.1\r\nHost: a:123456\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"host_bracket_open", BYTES("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"host_bracket_empty", BYTES("GET / HTTP/1.1\r\nHost: []\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"host_bracket_tail", BYTES("GET / HTTP/1.1\r\nHost: [::1]x\r\n\r\n"), HTTP_PARSE_BAD,
		host_problem},
	{"authorization_twice",
		BYTES("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n"),
		HTTP_PARSE_BAD, twice_problem},
	{"origin_twice", BYTES("GET / HTTP/1.1\r\nHost: a\r\nOrigin: a\r\nOrigin: b\r\n\r\n"),
		HTTP_PARSE_BAD, twice_problem},
	{"last_event_id_twice",
		BYTES("GET / HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 1\r\nLast-Event-ID: 2\r\n\r\n"),
		HTTP_PARSE_BAD, twice_problem},
	{"space_before_colon", BYTES("GET / HTTP/1.1\r\nHost : a\r\n\r\n"), HTTP_PARSE_BAD,
		field_problem},
	{"space_in_name", BYTES("GET / HTTP/1.1\r\nHo st: a\r\n\r\n"), HTTP_PARSE_BAD,
		field_problem},
	{"name_empty", BYTES("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"), HTTP_PARSE_BAD,
		field_problem},
	{"colon_missing", BYTES("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n"), HTTP_PARSE_BAD,
		field_problem},
	{"name_above_ascii", BYTES("GET / HTTP/1.1\r\nHost: a\r\n\xc3\xa9: b\r\n\r\n"),
		HTTP_PARSE_BAD, field_problem},
};

static void test_http_parser__probes(void **state)
{
	struct http_request request;

	(void)state;
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
		const struct probe *probe = &probes[i];
		enum http_parse_result result =
			parse_every_way(probe->input, probe->length, &request);
		bool refused = result != HTTP_PARSE_DONE && result != HTTP_PARSE_MORE;

		if (result != probe->expected)
			fail_msg(
				"%s: result %d, expected %d", probe->name, result, probe->expected);
		if (refused != (probe->problem != NULL))
			fail_msg("%s: a problem belongs to a refusal", probe->name);
		if (refused && !strstr(request.problem, probe->problem))
			fail_msg("%s: refused because \"%s\"", probe->name, request.problem);
	}
}

static void test_http_parser__reads_the_parts_of_a_request(void **state)
{
	static const char input[] = "POST /api/v1/rooms?game=a&b?c HTTP/1.1\r\n"
				    "Host: play.example:8080\r\n"
				    "authorization:  Bearer k \r\n"
				    "Content-Length: 12\r\n"
				    "Expect: 100-continue\r\n"
				    "\r\n{\"game\":\"a\"}";
	struct http_request request;

	(void)state;
	assert_int_equal(parse_every_way(input, sizeof(input) - 1, &request), HTTP_PARSE_DONE);
	assert_int_equal(request.method, HTTP_POST);
	assert_true(http_slice_equals(request.target, "/api/v1/rooms?game=a&b?c"));
	assert_true(http_slice_equals(request.path, "/api/v1/rooms"));
	assert_true(http_slice_equals(request.query, "game=a&b?c"));
	assert_true(http_slice_equals(request.host, "play.example:8080"));
	assert_int_equal(request.minor, 1);
	assert_int_equal(request.body_length, 12);
	assert_int_equal(request.head_length, sizeof(input) - 1 - 12);
	assert_int_equal(request.body.length, 0);
	assert_true(request.expects_continue);
	assert_int_equal(request.field_count, 4);
	assert_true(http_slice_equals(http_find_field(&request, "Authorization"), "Bearer k"));
	assert_null(http_find_field(&request, "Origin").data);
	assert_null(http_find_field(&request, "Authorizatio").data);
}

static void test_http_parser__query_is_empty_without_question_mark(void **state)
{
	static const char input[] = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
	struct http_request request;

	(void)state;
	assert_int_equal(parse_every_way(input, sizeof(input) - 1, &request), HTTP_PARSE_DONE);
	assert_true(http_slice_equals(request.path, "/a"));
	assert_true(http_slice_equals(request.query, ""));
	assert_false(http_slice_equals(request.path, "/ab"));
	assert_false(http_slice_equals(request.path, "/"));
}

static void test_http_parser__keep_alive_follows_version_and_connection(void **state)
{
	static const struct {
		const char *input;
		bool keep_alive;
	} cases[] = {
		{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", true},
		{"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false},
		{"GET / HTTP/1.1\r\nHost: a\r\nConnection: foo , CLOSE,\r\n\r\n", false},
		{"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n",
			false},
		{"GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", true},
		{"GET / HTTP/1.0\r\nHost: a\r\n\r\n", false},
		{"GET / HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n", true},
		{"GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive, close\r\n\r\n", false},
	};
	struct http_request request;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(parse_every_way(cases[i].input, strlen(cases[i].input), &request),
			HTTP_PARSE_DONE);
		if (request.keep_alive != cases[i].keep_alive)
			fail_msg("case %zu", i);
	}
}

static void test_http_parser__continue_needs_a_body_and_the_newer_version(void **state)
{
	static const char *const without[] = {
		"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
		"POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n",
	};
	struct http_request request;

	(void)state;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		assert_int_equal(
			parse_every_way(without[i], strlen(without[i]), &request), HTTP_PARSE_DONE);
		assert_false(request.expects_continue);
	}
}

/* A request whose head is exactly that long. */
static void build_head(char *head, size_t length)
{
	static const char start[] = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
	static const char end[] = "\r\n\r\n";

	memset(head, 'x', length);
	memcpy(head, start, sizeof(start) - 1);
	memcpy(head + length - (sizeof(end) - 1), end, sizeof(end) - 1);
}

static void test_http_parser__head_is_bounded(void **state)
{
	char head[HTTP_HEAD_BYTES + 1];
	struct http_request request;

	(void)state;
	build_head(head, HTTP_HEAD_BYTES);
	assert_int_equal(parse_every_way(head, HTTP_HEAD_BYTES, &request), HTTP_PARSE_DONE);
	assert_int_equal(request.head_length, HTTP_HEAD_BYTES);
	build_head(head, HTTP_HEAD_BYTES + 1);
	assert_int_equal(parse_every_way(head, HTTP_HEAD_BYTES + 1, &request), HTTP_PARSE_LARGE);
	memset(head, 'G', sizeof(head)); /* a method without end */
	assert_int_equal(parse_every_way(head, sizeof(head), &request), HTTP_PARSE_LARGE);
}

static void test_http_parser__fields_are_bounded(void **state)
{
	char head[2048] = "GET / HTTP/1.1\r\nHost: a\r\n";
	struct http_request request;
	size_t length;

	(void)state;
	for (int i = 1; i < HTTP_FIELDS_MAX; i++)
		strcat(head, "X: y\r\n");
	length = strlen(head);
	memcpy(head + length, "\r\n", 2);
	assert_int_equal(parse_every_way(head, length + 2, &request), HTTP_PARSE_DONE);
	assert_int_equal(request.field_count, HTTP_FIELDS_MAX);
	memcpy(head + length, "Y: z\r\n\r\n", 8);
	assert_int_equal(parse_every_way(head, length + 8, &request), HTTP_PARSE_LARGE);
	assert_non_null(strstr(request.problem, "too many header lines"));
}

static void test_http_parser__largest_body_is_accepted(void **state)
{
	static const char input[] = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n";
	struct http_request request;

	(void)state;
	assert_int_equal(parse_every_way(input, sizeof(input) - 1, &request), HTTP_PARSE_DONE);
	assert_int_equal(request.body_length, HTTP_BODY_BYTES);
}

/* Each byte of a good request replaced by each value: never a crash, never done with a line end,
 * a zero or a blank where none may be. */
static void test_http_parser__every_single_byte_changed(void **state)
{
	static const char good[] = "GET /a?b HTTP/1.1\r\nHost: a:1\r\nContent-Length: 0\r\n\r\n";
	char input[sizeof(good) - 1];
	struct http_request request;

	(void)state;
	for (size_t at = 0; at < sizeof(input); at++) {
		for (int byte = 0; byte < 256; byte++) {
			memcpy(input, good, sizeof(input));
			input[at] = (char)byte;
			if (parse_at_guard(input, sizeof(input), &request) != HTTP_PARSE_DONE)
				continue;
			assert_int_equal(request.head_length, sizeof(input));
			for (size_t i = 0; i < request.target.length; i++)
				assert_true(request.target.data[i] > ' ' &&
					    request.target.data[i] < 0x7f);
			for (size_t i = 0; i < request.field_count; i++) {
				struct http_slice value = request.fields[i].value;

				assert_null(value.length ? memchr(value.data, '\r', value.length)
							 : NULL);
				assert_null(value.length ? memchr(value.data, '\n', value.length)
							 : NULL);
				assert_null(
					value.length ? memchr(value.data, 0, value.length) : NULL);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_http_parser__probes),
		cmocka_unit_test(test_http_parser__reads_the_parts_of_a_request),
		cmocka_unit_test(test_http_parser__query_is_empty_without_question_mark),
		cmocka_unit_test(test_http_parser__keep_alive_follows_version_and_connection),
		cmocka_unit_test(test_http_parser__continue_needs_a_body_and_the_newer_version),
		cmocka_unit_test(test_http_parser__head_is_bounded),
		cmocka_unit_test(test_http_parser__fields_are_bounded),
		cmocka_unit_test(test_http_parser__largest_body_is_accepted),
		cmocka_unit_test(test_http_parser__every_single_byte_changed),
	};

	return cmocka_run_group_tests(tests, map_guard, NULL);
}
