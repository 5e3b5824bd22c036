/* SPDX-License-Identifier: MIT */
#include "http_fixture.h"

/* Requests and answers. Deadlines and bounds are in test_http_limits.c, streams in
 * test_http_stream.c. */

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"

static void test_http_server__answers_a_request(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);
	unsigned day, year, hour, minute, second;
	char weekday[4], month[4];

	(void)state;
	client_send(f, client, GET("/hello?x=y"));
	(void)client_await(f, client, "hello");
	assert_string_equal(f->log, "GET /hello?x=y;");
	assert_starts(f->answer, "HTTP/1.1 200 OK\r\n");
	assert_contains(f->answer, "\r\nContent-Type: text/plain\r\n");
	assert_contains(f->answer, "\r\nContent-Length: 5\r\n");
	assert_contains(f->answer, "\r\n\r\nhello");
	assert_lacks(f->answer, "Connection:");
	assert_int_equal(sscanf(strstr(f->answer, "Date: "),
				 "Date: %3[A-Z a-z], %2u %3s %4u %2u:%2u:%2u GMT", weekday, &day,
				 month, &year, &hour, &minute, &second),
		7);
	assert_int_equal(http_server_connections(f->server), 1);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__keeps_the_connection_for_more(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	for (int i = 0; i < 3; i++) {
		client_forget(f);
		client_send(f, client,
			"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
		(void)client_await(f, client, "\r\n\r\nbody");
	}
	assert_string_equal(f->log, "POST /echo;POST /echo;POST /echo;");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__closes_when_asked(void **state)
{
	struct fixture *f = fixture_running();
	const char *answer;

	(void)state;
	answer = client_exchange(
		f, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" GET("/never"));
	assert_contains(answer, "\r\nConnection: close\r\n");
	answer = client_exchange(f, "GET / HTTP/1.0\r\nHost: a\r\n\r\n");
	assert_contains(answer, "\r\nConnection: close\r\n");
	assert_string_equal(f->log, "GET /;GET /;");
	fixture_destroy(f);
}

static void test_http_server__old_version_keeps_alive_when_asked(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, "GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
	(void)client_await(f, client, "hello");
	assert_contains(f->answer, "\r\nConnection: keep-alive\r\n");
	client_forget(f);
	client_send(f, client, GET("/"));
	(void)client_await(f, client, "hello");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__pipelined_requests_wait_for_their_turn(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);
	const char *late, *hello, *echo;

	(void)state;
	client_send(f, client,
		GET("/hold") GET("/hello") "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: "
					   "4\r\n\r\necho");
	serve_for(f, 30);
	assert_string_equal(f->log, "GET /hold;");
	http_reply(f->held, 200, NULL, 0, "late", 4);
	f->held = NULL;
	/* The handler is never called from inside http_reply. */
	assert_string_equal(f->log, "GET /hold;");
	echo = client_await(f, client, "\r\n\r\necho");
	late = strstr(f->answer, "\r\n\r\nlate");
	hello = strstr(f->answer, "\r\n\r\nhello");
	assert_true(late && hello && late < hello && hello < echo);
	assert_int_equal(f->held_gone, 0);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__head_has_no_body(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client,
		"HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n" GET("/nothing") GET("/same")
			GET("/echo"));
	serve_until_requests(f, 4);
	(void)client_await(f, client, "Content-Length: 0\r\n\r\n");
	assert_lacks(f->answer, "hello");
	assert_lacks(f->answer, "ignored");
	assert_contains(f->answer, "Content-Length: 5\r\n\r\nHTTP/1.1 204 No Content\r\n");
	assert_contains(f->answer, "HTTP/1.1 304 Not Modified\r\n");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__takes_requests_byte_by_byte(void **state)
{
	static const char request[] =
		"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbit by bit";
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	for (size_t i = 0; i < sizeof(request) - 1; i++) {
		client_send_bytes(f, client, request + i, 1);
		serve(f);
	}
	(void)client_await(f, client, "\r\n\r\nbit by bi");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__refusals_name_what_is_wrong(void **state)
{
	static const struct {
		const char *request, *status, *body;
	} cases[] = {
		{"\x16\x03\x01\x02", "HTTP/1.1 400 Bad Request\r\n",
			"{\"error\":\"malformed\",\"message\":\"The request does not begin with a "
			"method.\"}"},
		{"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", "has no Host"},
		{"PUT / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 501 Not Implemented\r\n",
			"\"error\":\"method\""},
		{"GET / HTTP/3.0\r\nHost: a\r\n\r\n", "HTTP/1.1 505 HTTP Version Not Supported\r\n",
			"\"error\":\"version\""},
		{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n",
			"HTTP/1.1 413 Content Too Large\r\n", "\"error\":\"body-too-large\""},
	};
	struct fixture *f = fixture_running();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *answer = client_exchange(f, cases[i].request);

		assert_starts(answer, cases[i].status);
		assert_contains(answer, cases[i].body);
		assert_contains(answer, "\r\nConnection: close\r\n");
		assert_contains(answer, "\r\nContent-Type: application/json\r\n");
	}
	assert_int_equal(f->requests, 0);
	fixture_destroy(f);
}

static void test_http_server__refusal_comes_after_the_answers_before_it(void **state)
{
	struct fixture *f = fixture_running();
	const char *answer = client_exchange(f, GET("/hello") "nonsense\r\n" GET("/never"));

	(void)state;
	assert_starts(answer, "HTTP/1.1 200 OK\r\n");
	assert_contains(answer, "\r\n\r\nhelloHTTP/1.1 400 Bad Request\r\n");
	assert_string_equal(f->log, "GET /hello;");
	fixture_destroy(f);
}

static void test_http_server__continue_is_sent_to_who_waits_for_it(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client,
		"POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
		"4\r\n\r\n");
	(void)client_await(f, client, "HTTP/1.1 100 Continue\r\n\r\n");
	client_send(f, client, "body");
	(void)client_await(f, client, "\r\n\r\nbody");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__client_that_leaves_while_it_waits_is_gone(void **state)
{
	struct fixture *f = fixture_running();
	int client;

	(void)state;
	client = client_connect(f);
	client_send(f, client, GET("/hold"));
	serve_until_requests(f, 1);
	(void)close(client);
	serve_until_count(f, &f->held_gone, 1);

	client = client_connect(f);
	client_send(f, client, GET("/hold"));
	serve_until_requests(f, 2);
	client_reset(client);
	serve_until_count(f, &f->held_gone, 2);
	assert_int_equal(http_server_connections(f->server), 0);
	fixture_destroy(f);
}

/* The answer comes between the reset and the word that the exchange is gone. */
static void test_http_server__answer_to_a_dying_exchange_is_its_end(void **state)
{
	struct fixture *f = fixture_running();
	int dying = client_connect(f);
	int other = client_connect(f);

	(void)state;
	client_send(f, dying, GET("/hold"));
	client_send(f, other, GET("/"));
	(void)client_await(f, other, "hello");
	serve_until_requests(f, 2);
	client_reset(dying);
	client_send(f, other, GET("/answer-held"));
	(void)client_await(f, other, "done");
	f->held = NULL;
	serve_for(f, 20);
	assert_int_equal(f->held_gone, 0);
	assert_int_equal(http_server_connections(f->server), 1);
	(void)close(other);
	fixture_destroy(f);
}

static void test_http_server__client_that_only_stops_sending_is_answered(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, GET("/hello"));
	assert_int_equal(shutdown(client, SHUT_WR), 0);
	assert_contains(client_await_end(f, client), "\r\n\r\nhello");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__header_with_a_line_end_is_not_sent(void **state)
{
	struct fixture *f = fixture_running();
	const char *answer = client_exchange(f, GET("/bad-header"));

	(void)state;
	assert_starts(answer, "HTTP/1.1 500 Internal Server Error\r\n");
	assert_lacks(answer, "Set-Cookie");
	fixture_destroy(f);
}

static void test_http_server__peer_is_an_address_without_port(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, GET("/peer"));
	(void)client_await(f, client, "\r\n\r\n127.0.0.1");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_server__address_that_cannot_be_used_is_named(void **state)
{
	struct fixture *f = fixture_running();
	struct http_server *second;
	char problem[HTTP_PROBLEM_BYTES];

	(void)state;
	f->options.port = http_server_port(f->server);
	assert_int_equal(http_server_create(&f->loop, &f->options, handle, f, &second, problem),
		STATUS_SERVER_LISTEN);
	assert_contains(problem, "127.0.0.1");
	assert_contains(problem, "in use");
	f->options.address = "not-an-address";
	assert_int_equal(http_server_create(&f->loop, &f->options, handle, f, &second, problem),
		STATUS_SERVER_LISTEN);
	assert_contains(problem, "not-an-address");
	f->options.address = "127.0.0.1";
	f->options.port = 65536;
	assert_int_equal(http_server_create(&f->loop, &f->options, handle, f, &second, problem),
		STATUS_SERVER_LISTEN);
	fixture_destroy(f);
}

static void test_http_server__stop_lets_answers_out_and_nothing_in(void **state)
{
	struct fixture *f = fixture_running();
	int idle = client_connect(f), waiting = client_connect(f), partial = client_connect(f),
	    late;

	(void)state;
	client_send(f, idle, GET("/"));
	(void)client_await(f, idle, "hello");
	client_send(f, waiting, GET("/hold") GET("/never"));
	client_send(f, partial, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo");
	serve_until_requests(f, 2);
	serve_for(f, 20);

	http_server_stop(f->server, PATIENCE_MS, on_stopped, f);
	client_forget(f);
	assert_string_equal(client_await_end(f, idle), "");
	(void)client_await_end(f, partial);
	assert_starts(f->answer, "HTTP/1.1 503 ");
	assert_contains(f->answer, "\"error\":\"stopping\"");
	assert_false(f->stopped);

	client_forget(f);
	http_reply(f->held, 200, NULL, 0, "late", 4);
	f->held = NULL;
	(void)client_await_end(f, waiting);
	assert_contains(f->answer, "\r\nConnection: close\r\n");
	assert_contains(f->answer, "\r\n\r\nlate");
	(void)close(idle);
	(void)close(waiting);
	(void)close(partial);
	serve_until(f, &f->stopped);
	assert_string_equal(f->log, "GET /;GET /hold;");

	late = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(late,
				 (struct sockaddr *)&(struct sockaddr_in){.sin_family = AF_INET,
					 .sin_port = htons((uint16_t)http_server_port(f->server)),
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
				 sizeof(struct sockaddr_in)),
		-1);
	assert_int_equal(errno, ECONNREFUSED);
	(void)close(late);
	fixture_destroy(f);
}

static void test_http_server__stop_cuts_what_outlasts_its_grace(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, GET("/hold"));
	serve_until_requests(f, 1);
	http_server_stop(f->server, 50, on_stopped, f);
	serve_for(f, 20);
	assert_false(f->stopped);
	serve_until(f, &f->stopped);
	assert_int_equal(f->held_gone, 1);
	(void)close(client);
	fixture_destroy(f);
}

/* In one piece, in two, and with a request behind it: the answer is there, and nothing after it. */
static void test_http_server__handler_may_stop_the_server(void **state)
{
	static const char *const pieces[][2] = {{GET("/hello"), ""},
		{"GET /hello HTTP/1.1\r\n", "Host: a\r\n\r\n"}, {"", GET("/hello") GET("/never")}};

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct fixture *f = fixture_running();
		int client = client_connect(f);
		const char *body;

		f->stop_after_next = true;
		client_send(f, client, pieces[i][0]);
		serve_for(f, 10);
		client_send(f, client, pieces[i][1]);
		(void)client_await_end(f, client);
		body = strstr(f->answer, "\r\n\r\n");
		assert_non_null(body);
		assert_string_equal(body, "\r\n\r\nhello");
		(void)close(client);
		serve_until(f, &f->stopped);
		assert_int_equal(f->requests, 1);
		fixture_destroy(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_http_server__answers_a_request),
		cmocka_unit_test(test_http_server__keeps_the_connection_for_more),
		cmocka_unit_test(test_http_server__closes_when_asked),
		cmocka_unit_test(test_http_server__old_version_keeps_alive_when_asked),
		cmocka_unit_test(test_http_server__pipelined_requests_wait_for_their_turn),
		cmocka_unit_test(test_http_server__head_has_no_body),
		cmocka_unit_test(test_http_server__takes_requests_byte_by_byte),
		cmocka_unit_test(test_http_server__refusals_name_what_is_wrong),
		cmocka_unit_test(test_http_server__refusal_comes_after_the_answers_before_it),
		cmocka_unit_test(test_http_server__continue_is_sent_to_who_waits_for_it),
		cmocka_unit_test(test_http_server__client_that_leaves_while_it_waits_is_gone),
		cmocka_unit_test(test_http_server__answer_to_a_dying_exchange_is_its_end),
		cmocka_unit_test(test_http_server__client_that_only_stops_sending_is_answered),
		cmocka_unit_test(test_http_server__header_with_a_line_end_is_not_sent),
		cmocka_unit_test(test_http_server__peer_is_an_address_without_port),
		cmocka_unit_test(test_http_server__address_that_cannot_be_used_is_named),
		cmocka_unit_test(test_http_server__stop_lets_answers_out_and_nothing_in),
		cmocka_unit_test(test_http_server__stop_cuts_what_outlasts_its_grace),
		cmocka_unit_test(test_http_server__handler_may_stop_the_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
