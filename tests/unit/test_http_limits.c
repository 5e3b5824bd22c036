/* SPDX-License-Identifier: MIT */
#include "http_fixture.h"

/* Deadlines and bounds: what a connection may cost, and for how long. */

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"

/* 3000 requests are several times what a connection keeps: the rest stays with the sender until
 * there is room, and all are answered in order. */
static void test_http_limits__pipelining_is_bounded_and_loses_nothing(void **state)
{
	enum { COUNT = 3000 };
	struct fixture *f = fixture_running();
	int client = client_connect(f);
	const char *at;

	(void)state;
	client_send(f, client, GET("/hold"));
	for (int i = 0; i < COUNT; i++) {
		char request[128];

		(void)snprintf(request, sizeof(request),
			"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n<%04d>", i);
		client_send(f, client, request);
		if (i % 500 == 0)
			serve_for(f, 5);
	}
	serve_for(f, 20);
	assert_int_equal(f->requests, 1);
	http_reply(f->held, 200, NULL, 0, "", 0);
	f->held = NULL;
	(void)client_await(f, client, "<2999>");
	at = f->answer;
	for (int i = 0; i < COUNT; i++) {
		char body[16];

		(void)snprintf(body, sizeof(body), "<%04d>", i);
		at = strstr(at, body);
		assert_non_null(at);
	}
	assert_int_equal(f->requests, 1 + COUNT);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_limits__largest_head_and_body_pass(void **state)
{
	static char request[HTTP_HEAD_BYTES + HTTP_BODY_BYTES];
	static const char start[] =
		"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\nX: ";
	struct fixture *f = fixture_running();
	int client = client_connect(f);
	const char *body;

	(void)state;
	memset(request, 'x', sizeof(request));
	memcpy(request, start, sizeof(start) - 1);
	memcpy(request + HTTP_HEAD_BYTES - 4, "\r\n\r\n", 4);
	request[sizeof(request) - 1] = '!';
	client_send_bytes(f, client, request, 5000);
	serve_for(f, 5);
	client_send_bytes(f, client, request + 5000, sizeof(request) - 5000);
	(void)client_await(f, client, "!");
	body = strstr(f->answer, "\r\n\r\n") + 4;
	assert_int_equal(strlen(body), HTTP_BODY_BYTES);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_limits__slow_head_ends_at_its_deadline(void **state)
{
	/* One byte now and then keeps no connection alive, and one line neither. */
	static const char *const drops[] = {"x", "x\r\nX: "};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture *f = fixture_create();
		uint64_t start;
		int client;

		f->options.head_timeout_ms = 150;
		fixture_start(f);
		client = client_connect(f);
		client_send(f, client, "GET / HTTP/1.1\r\nHost: a\r\nX: ");
		for (start = now_ms();
			now_ms() < start + 1000 && client_read_some(f, client) < 0;) {
			(void)send(client, drops[i], strlen(drops[i]), MSG_NOSIGNAL);
			serve_for(f, 20);
		}
		assert_true(now_ms() - start >= 140 && f->answer_length > 0);
		(void)client_await_end(f, client);
		assert_starts(f->answer, "HTTP/1.1 408 Request Timeout\r\n");
		assert_contains(f->answer, "{\"error\":\"timeout\",\"message\":\"The head of the "
					   "request took too long.\"}");
		assert_int_equal(f->requests, 0);
		(void)close(client);
		fixture_destroy(f);
	}
}

static void test_http_limits__slow_body_ends_at_its_deadline(void **state)
{
	struct fixture *f = fixture_create();
	uint64_t start;
	int client;

	(void)state;
	f->options.body_timeout_ms = 150;
	fixture_start(f);
	client = client_connect(f);
	client_send(f, client, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
	for (start = now_ms(); now_ms() < start + 2000 && client_read_some(f, client) < 0;) {
		(void)send(client, "x", 1, MSG_NOSIGNAL);
		serve_for(f, 10);
	}
	assert_true(now_ms() - start >= 140 && f->answer_length > 0);
	(void)client_await_end(f, client);
	assert_starts(f->answer, "HTTP/1.1 408 Request Timeout\r\n");
	assert_contains(f->answer, "The body of the request took too long.");
	assert_int_equal(f->requests, 0);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_limits__idle_connections_end_silently(void **state)
{
	struct fixture *f = fixture_create();
	int fresh, used;

	(void)state;
	f->options.idle_timeout_ms = 100;
	fixture_start(f);
	fresh = client_connect(f);
	assert_string_equal(client_await_end(f, fresh), "");
	used = client_connect(f);
	client_send(f, used, GET("/"));
	(void)client_await(f, used, "hello");
	client_forget(f);
	assert_string_equal(client_await_end(f, used), "");
	(void)close(fresh);
	(void)close(used);
	fixture_destroy(f);
}

/* The client goes on sending what is refused already; the refusal must reach it, and no reset. */
static void test_http_limits__refusal_reaches_a_client_that_still_sends(void **state)
{
	enum { SENT = 200 * 1024 };
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 204800\r\n\r\n");
	serve_for(f, 20);
	for (size_t sent = 0; sent < SENT; sent += SENT / 10) {
		client_send_bytes(f, client, f->large + sent, SENT / 10);
		serve_for(f, 5);
	}
	(void)client_await_end(f, client);
	assert_starts(f->answer, "HTTP/1.1 413 ");
	(void)close(client);

	client = client_connect(f);
	client_forget(f);
	client_send_bytes(f, client, "GET /", 5);
	client_send_bytes(f, client, f->large, 2 * HTTP_HEAD_BYTES);
	(void)client_await_end(f, client);
	assert_starts(f->answer, "HTTP/1.1 431 ");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_limits__refused_client_cannot_stay(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);
	uint64_t start = now_ms();
	int flood = client_connect(f);
	size_t sent = 0;

	(void)state;
	client_send(f, client, "nonsense\r\n");
	client_send(f, flood, "nonsense\r\n");
	/* Sending without end: cut at a bound. */
	while (sent < LARGE_BYTES && now_ms() < start + PATIENCE_MS) {
		ssize_t step = send(flood, f->large, 65536, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (step < 0 && errno != EAGAIN)
			break;
		sent += step > 0 ? (size_t)step : 0;
		serve(f);
	}
	assert_true(sent < LARGE_BYTES);
	/* Sending nothing and not closing: cut at a deadline. */
	while (http_server_connections(f->server) && now_ms() < start + PATIENCE_MS)
		serve(f);
	assert_int_equal(http_server_connections(f->server), 0);
	(void)close(client);
	(void)close(flood);
	fixture_destroy(f);
}

static size_t read_large(struct fixture *f, int client, size_t step, unsigned pause_ms)
{
	char *chunk = malloc(step);
	size_t total = 0;
	uint64_t end = now_ms() + 2 * PATIENCE_MS;
	ssize_t got;

	assert_non_null(chunk);
	while ((got = recv(client, chunk, step, MSG_DONTWAIT)) != 0 && now_ms() < end) {
		if (got < 0 && errno != EAGAIN)
			break;
		total += got > 0 ? (size_t)got : 0;
		serve_for(f, pause_ms);
	}
	free(chunk);
	assert_int_equal(got, 0);
	return total;
}

static void test_http_limits__large_answers_arrive_whole(void **state)
{
	static const char *const requests[] = {
		"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"GET /large-copy HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", GET("/large")};
	struct fixture *f = fixture_running();

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		int client = client_connect(f);
		size_t total;

		client_send(f, client, requests[i]);
		serve_until_requests(f, i + 1);
		/* The last does not ask for the end, but shows that nothing more will come from it.
		 */
		if (i == 2)
			assert_int_equal(shutdown(client, SHUT_WR), 0);
		total = read_large(f, client, 256 * 1024, 0);
		assert_true(total > LARGE_BYTES && total < LARGE_BYTES + 512);
		(void)close(client);
	}
	fixture_destroy(f);
}

static void test_http_limits__stop_lets_a_large_answer_out(void **state)
{
	enum { LONG_MS = 60 * 1000 };
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, GET("/large"));
	serve_until_requests(f, 1);
	http_server_stop(f->server, LONG_MS, on_stopped, f);
	assert_true(read_large(f, client, 256 * 1024, 0) > LARGE_BYTES);
	(void)close(client);
	serve_until(f, &f->stopped);
	fixture_destroy(f);
}

/* Twenty times slower than the timeout would allow for the whole, but never silent for long. */
static void test_http_limits__slow_reader_is_not_dropped(void **state)
{
	struct fixture *f = fixture_create();
	uint64_t start = now_ms();
	size_t total;
	int client;

	(void)state;
	f->options.write_timeout_ms = 100;
	fixture_start(f);
	client = client_connect(f);
	client_send(f, client, "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	total = read_large(f, client, 128 * 1024, 10);
	assert_true(now_ms() - start > 300);
	assert_true(total > LARGE_BYTES);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_limits__reader_that_takes_nothing_is_dropped(void **state)
{
	struct fixture *f = fixture_create();
	int client;

	(void)state;
	f->options.write_timeout_ms = 100;
	fixture_start(f);
	client = client_connect_with(f, 8192);
	client_send(f, client, GET("/large"));
	serve_until_requests(f, 1);
	serve_for(f, 500);
	assert_int_equal(http_server_connections(f->server), 0);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_limits__one_too_many_is_told_so(void **state)
{
	struct fixture *f = fixture_create();
	int first, second, third;

	(void)state;
	f->options.connections_max = 2;
	fixture_start(f);
	first = client_connect(f);
	second = client_connect(f);
	third = client_connect(f);
	(void)client_await_end(f, third);
	assert_starts(f->answer, "HTTP/1.1 503 Service Unavailable\r\n");
	assert_contains(f->answer, "\r\nRetry-After: 5\r\n");
	assert_contains(f->answer, "\"error\":\"busy\"");
	assert_int_equal(http_server_connections(f->server), 2);
	(void)close(third);

	/* The others live, and a place that becomes free is given again. */
	client_forget(f);
	client_send(f, second, GET("/"));
	(void)client_await(f, second, "hello");
	(void)close(first);
	serve_for(f, 20);
	third = client_connect(f);
	client_forget(f);
	client_send(f, third, GET("/"));
	(void)client_await(f, third, "hello");
	(void)close(second);
	(void)close(third);
	fixture_destroy(f);
}

/* Peers are let in one at a time; the test is one thread, and this is its state. */
static int admitted, admitted_most, left_times;

static bool admit(void *context, const char *peer)
{
	assert_non_null(context);
	assert_string_equal(peer, "127.0.0.1");
	if (admitted == admitted_most)
		return false;
	admitted++;
	return true;
}

static void left(void *context, const char *peer)
{
	assert_non_null(context);
	assert_string_equal(peer, "127.0.0.1");
	admitted--;
	left_times++;
}

static void test_http_limits__who_is_not_let_in_is_told_so(void **state)
{
	struct fixture *f = fixture_create();
	int inside, outside;

	(void)state;
	admitted = left_times = 0;
	admitted_most = 1;
	f->options.admit = admit;
	f->options.left = left;
	fixture_start(f);
	inside = client_connect(f);
	client_send(f, inside, GET("/"));
	(void)client_await(f, inside, "hello");
	outside = client_connect(f);
	client_forget(f);
	assert_starts(client_await_end(f, outside), "HTTP/1.1 429 Too Many Requests\r\n");
	assert_contains(f->answer, "\r\nRetry-After: 5\r\n");
	assert_contains(f->answer, "{\"error\":\"too-many\",");
	assert_int_equal(http_server_connections(f->server), 1);
	(void)close(outside);
	(void)close(inside);
	serve_until_count(f, &left_times, 1);
	client_forget(f);
	(void)client_exchange(f, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_contains(f->answer, "hello");
	assert_int_equal(f->requests, 2);
	fixture_destroy(f);
	assert_int_equal(admitted, 0);
	assert_int_equal(left_times, 2);
}

/* Past HTTP_TURNED_AWAY_MAX that linger, nobody is told any more. */
static void test_http_limits__many_who_are_not_let_in_cost_nothing(void **state)
{
	enum { COUNT = 300 };
	struct fixture *f = fixture_create();
	int clients[COUNT];
	int told = 0;

	(void)state;
	admitted = left_times = 0;
	admitted_most = 0;
	f->options.admit = admit;
	f->options.left = left;
	fixture_start(f);
	for (int i = 0; i < COUNT; i++) {
		clients[i] = client_connect(f);
		serve(f);
	}
	serve_for(f, 20);
	for (int i = 0; i < COUNT; i++) {
		char answer[1024];
		ssize_t got = recv(clients[i], answer, sizeof(answer) - 1, MSG_DONTWAIT);

		told += got > 0;
		(void)close(clients[i]);
	}
	assert_in_range(told, 1, 64);
	assert_int_equal(http_server_connections(f->server), 0);
	fixture_destroy(f);
	assert_int_equal(left_times, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_http_limits__pipelining_is_bounded_and_loses_nothing),
		cmocka_unit_test(test_http_limits__largest_head_and_body_pass),
		cmocka_unit_test(test_http_limits__slow_head_ends_at_its_deadline),
		cmocka_unit_test(test_http_limits__slow_body_ends_at_its_deadline),
		cmocka_unit_test(test_http_limits__idle_connections_end_silently),
		cmocka_unit_test(test_http_limits__refusal_reaches_a_client_that_still_sends),
		cmocka_unit_test(test_http_limits__refused_client_cannot_stay),
		cmocka_unit_test(test_http_limits__large_answers_arrive_whole),
		cmocka_unit_test(test_http_limits__stop_lets_a_large_answer_out),
		cmocka_unit_test(test_http_limits__slow_reader_is_not_dropped),
		cmocka_unit_test(test_http_limits__reader_that_takes_nothing_is_dropped),
		cmocka_unit_test(test_http_limits__one_too_many_is_told_so),
		cmocka_unit_test(test_http_limits__who_is_not_let_in_is_told_so),
		cmocka_unit_test(test_http_limits__many_who_are_not_let_in_cost_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
