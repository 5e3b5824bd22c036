/* SPDX-License-Identifier: MIT */
#include <linux/filter.h>
#include <sys/socket.h>

#include "http_fixture.h"

/* Event streams. */

static const char request[] = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n";

/* A client whose stream is open, and its head read. */
static int open_stream(struct fixture *f, int receive_bytes)
{
	int client = client_connect_with(f, receive_bytes);

	client_forget(f);
	client_send(f, client, request);
	(void)client_await(f, client, "\r\n\r\n");
	assert_non_null(f->stream);
	return client;
}

static void offer(struct fixture *f, const char *event)
{
	http_stream_offer(f->stream, 0, event, strlen(event));
}

static void test_http_stream__begins_with_its_head(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 0);

	(void)state;
	assert_starts(f->answer, "HTTP/1.1 200 OK\r\n");
	assert_contains(f->answer, "\r\nContent-Type: text/event-stream\r\n");
	assert_contains(f->answer, "\r\nCache-Control: no-store\r\n");
	assert_contains(f->answer, "\r\nConnection: close\r\n");
	assert_lacks(f->answer, "Content-Length");
	(void)close(client);
	serve_until_count(f, &f->stream_gone, 1);
	fixture_destroy(f);
}

static void test_http_stream__events_arrive_in_order(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 0);

	(void)state;
	client_forget(f);
	offer(f, "id: 1-1\ndata: a\n\n");
	offer(f, "id: 1-2\ndata: b\n\n");
	(void)client_await(f, client, "id: 1-1\ndata: a\n\nid: 1-2\ndata: b\n\n");
	offer(f, "id: 1-3\ndata: c\n\n");
	(void)client_await(f, client, "id: 1-3\ndata: c\n\n");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__pings_while_nothing_happens(void **state)
{
	struct fixture *f = fixture_create();
	uint64_t start;
	int client;

	(void)state;
	f->options.ping_ms = 50;
	fixture_start(f);
	start = now_ms();
	client = open_stream(f, 0);
	(void)client_await(f, client, ": ping\n\n: ping\n\n: ping\n\n");
	assert_true(now_ms() - start >= 140);
	offer(f, "data: a\n\n");
	(void)client_await(f, client, "data: a\n\n: ping\n\n");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__events_put_the_ping_off(void **state)
{
	struct fixture *f = fixture_create();
	uint64_t last = 0;
	int client;

	(void)state;
	f->options.ping_ms = 400;
	fixture_start(f);
	client = open_stream(f, 0);
	for (int i = 0; i < 12; i++) {
		serve_for(f, 50);
		last = now_ms();
		offer(f, "data: a\n\n");
	}
	offer(f, "data: b\n\n");
	(void)client_await(f, client, "data: a\n\ndata: b\n\n");
	assert_lacks(f->answer, ": ping");
	(void)client_await(f, client, "data: b\n\n: ping\n\n");
	assert_true(now_ms() - last >= 400);
	(void)close(client);
	fixture_destroy(f);
}

/* An event is a number, a filling, and the number again: so a cut or a mixture shows. */
enum { EVENT_BYTES = 3000, EVENTS = 2000 };

static void build_event(char *event, int number)
{
	unsigned digits = (unsigned)number % 1000000;

	memset(event, '.', EVENT_BYTES);
	(void)snprintf(event, 16, "data: %06u", digits);
	event[12] = '.';
	(void)snprintf(event + EVENT_BYTES - 8, 9, "%06u\n\n", digits);
}

static int parse_event(const char *event)
{
	char expected[EVENT_BYTES + 1];
	int number = atoi(event + 6);

	build_event(expected, number);
	assert_memory_equal(event, expected, EVENT_BYTES);
	return number;
}

static void test_http_stream__slow_reader_skips_to_the_newest(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 4096);
	char event[EVENT_BYTES + 1];
	int last = 0, count = 0;

	(void)state;
	client_forget(f);
	for (int i = 1; i <= EVENTS; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 0, event, EVENT_BYTES);
		if (i % 100 == 0)
			serve(f);
	}
	(void)client_await(f, client, "002000\n\n");
	for (const char *at = f->answer; *at; at += EVENT_BYTES, count++) {
		int number = parse_event(at);

		assert_true(number > last);
		last = number;
	}
	assert_int_equal(last, EVENTS);
	/* What the two sockets held, and little more. */
	assert_true(count >= 2 && count < EVENTS / 10);
	assert_int_equal(f->stream_gone, 0);

	/* And from there it is an ordinary reader again. */
	offer(f, "data: next\n\n");
	(void)client_await(f, client, "data: next\n\n");
	(void)close(client);
	fixture_destroy(f);
}

/* Of each kind the newest waits, and the lower kind is sent first. */
static void test_http_stream__kinds_do_not_replace_each_other(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 4096);
	char event[EVENT_BYTES + 1];

	(void)state;
	client_forget(f);
	for (int i = 1; i <= EVENTS; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 1, event, EVENT_BYTES);
	}
	http_stream_offer(f->stream, 0, "data: early\n\n", 13);
	http_stream_offer(f->stream, 0, "data: late\n\n", 12);
	(void)client_await(f, client, "data: late\n\ndata: 002000.");
	assert_lacks(f->answer, "early");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__reader_that_takes_nothing_is_dropped(void **state)
{
	struct fixture *f = fixture_create();
	char event[EVENT_BYTES + 1];
	uint64_t start;
	int client;

	(void)state;
	f->options.write_timeout_ms = 200;
	fixture_start(f);
	client = open_stream(f, 4096);
	start = now_ms();
	/* New events are no sign of life of the reader. */
	for (int i = 1; f->stream && now_ms() < start + PATIENCE_MS; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 0, event, EVENT_BYTES);
		serve(f);
	}
	assert_true(now_ms() - start >= 200);
	assert_int_equal(f->stream_gone, 1);
	assert_int_equal(http_server_connections(f->server), 0);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__reader_that_leaves_is_gone_at_once(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 0);

	(void)state;
	(void)close(client); /* FIN; nothing is written meanwhile */
	serve_until_count(f, &f->stream_gone, 1);
	client = open_stream(f, 0);
	client_reset(client); /* RST */
	serve_until_count(f, &f->stream_gone, 2);
	assert_int_equal(http_server_connections(f->server), 0);
	fixture_destroy(f);
}

/* From here on the system of this client throws away all that comes, as behind a route that is
 * gone: it confirms nothing, and does not say so. */
static void client_fall_silent(int client)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = {.len = 1, .filter = &nothing};

	assert_int_equal(
		setsockopt(client, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)), 0);
}

static void test_http_stream__peer_behind_a_silent_hole_is_gone(void **state)
{
	struct fixture *f = fixture_create();
	uint64_t start;
	int client;

	(void)state;
	f->options.ping_ms = 300;
	f->options.silent_ms = 600;
	fixture_start(f);
	client = open_stream(f, 0);
	start = now_ms();
	client_fall_silent(client);
	serve_until_count(f, &f->stream_gone, 1);
	assert_true(now_ms() - start >= 600);
	assert_true(now_ms() - start < 3000);
	(void)close(client);
	fixture_destroy(f);
}

/* With the time that a page has to be loaded again, and a tick, it shows in half a minute. */
static void test_http_stream__a_silent_hole_is_noticed_in_time(void **state)
{
	(void)state;
	assert_true(http_defaults.ping_ms + http_defaults.silent_ms + 3000 + 1000 < 30000);
}

/* The peer is gone, and gone has not been called yet: what is offered goes nowhere. */
static void test_http_stream__may_be_used_until_it_is_gone(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 0);
	char event[EVENT_BYTES + 1];

	(void)state;
	client_reset(client);
	(void)poll(NULL, 0, 20);
	for (int i = 1; i < 100; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 0, event, EVENT_BYTES);
	}
	assert_int_equal(f->stream_gone, 0);
	http_stream_close(f->stream);
	http_stream_close(f->stream);
	offer(f, "data: a\n\n");
	serve_until_count(f, &f->stream_gone, 1);
	fixture_destroy(f);
}

static void test_http_stream__what_the_reader_sends_is_thrown_away(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 0);

	(void)state;
	client_send(f, client, "GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
	serve_for(f, 20);
	assert_string_equal(f->log, "GET /stream;");
	offer(f, "data: a\n\n");
	(void)client_await(f, client, "data: a\n\n");
	client_send_bytes(f, client, f->large, 32 * 1024);
	serve_until_count(f, &f->stream_gone, 1);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__takes_nothing_that_was_pipelined_behind_it(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client,
		"GET /stream HTTP/1.1\r\nHost: a\r\n\r\nGET /never HTTP/1.1\r\nHost: a\r\n\r\n");
	(void)client_await(f, client, "\r\n\r\n");
	offer(f, "data: a\n\n");
	(void)client_await(f, client, "data: a\n\n");
	assert_string_equal(f->log, "GET /stream;");
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__may_follow_requests_on_its_connection(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client,
		"GET /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
	(void)client_await(f, client, "text/event-stream");
	offer(f, "data: a\n\n");
	(void)client_await(f, client, "data: a\n\n");
	(void)close(client);
	fixture_destroy(f);
}

/* An exchange that waited may become a stream later, outside its handler. */
static void test_http_stream__may_begin_later(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, "GET /hold HTTP/1.1\r\nHost: a\r\n\r\nGET /never HTTP/1.1\r\n");
	serve_until_requests(f, 1);
	serve_for(f, 10);
	f->stream = http_stream(
		f->held, (struct http_header[]){{"X-Extra", "yes"}}, 1, on_stream_gone, f);
	f->held = NULL;
	offer(f, "data: a\n\n");
	(void)client_await(f, client, "data: a\n\n");
	assert_contains(f->answer, "\r\nX-Extra: yes\r\n");
	(void)close(client);
	serve_until_count(f, &f->stream_gone, 1);
	assert_int_equal(f->held_gone, 0);
	fixture_destroy(f);
}

/* Reading had stopped, because there was no room for more; the stream must notice the end. */
static void test_http_stream__begins_with_a_full_pipeline_behind_it(void **state)
{
	struct fixture *f = fixture_running();
	int client = client_connect(f);

	(void)state;
	client_send(f, client, "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
	client_send_bytes(f, client, f->large, HTTP_HEAD_BYTES + HTTP_BODY_BYTES);
	serve_until_requests(f, 1);
	serve_for(f, 20);
	f->stream = http_stream(f->held, NULL, 0, on_stream_gone, f);
	f->held = NULL;
	offer(f, "data: a\n\n");
	(void)client_await(f, client, "data: a\n\n");
	assert_int_equal(f->stream_gone, 0);
	(void)shutdown(client, SHUT_WR);
	serve_until_count(f, &f->stream_gone, 1);
	(void)close(client);
	fixture_destroy(f);
}

static void test_http_stream__for_head_is_over_after_its_head(void **state)
{
	struct fixture *f = fixture_running();
	const char *answer = client_exchange(f, "HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n");

	(void)state;
	assert_contains(answer, "text/event-stream");
	serve_until_count(f, &f->stream_gone, 1);
	fixture_destroy(f);
}

static void test_http_stream__close_comes_after_what_waits(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 4096);
	char event[EVENT_BYTES + 1];
	const char *last;

	(void)state;
	client_forget(f);
	for (int i = 1; i <= EVENTS; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 0, event, EVENT_BYTES);
	}
	http_stream_close(f->stream);
	offer(f, "data: too late\n\n");
	(void)client_await_end(f, client);
	assert_int_equal(f->answer_length % EVENT_BYTES, 0);
	last = f->answer + f->answer_length - EVENT_BYTES;
	assert_int_equal(parse_event(last), EVENTS);
	(void)close(client);
	serve_until_count(f, &f->stream_gone, 1);
	fixture_destroy(f);
}

static void test_http_stream__stop_ends_streams_after_what_waits(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 4096);
	char event[EVENT_BYTES + 1];
	const char *bye;

	(void)state;
	client_forget(f);
	for (int i = 1; i <= EVENTS; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 0, event, EVENT_BYTES);
	}
	http_server_stop(f->server, PATIENCE_MS, on_stopped, f);
	(void)client_await_end(f, client);
	bye = strstr(f->answer, "event: bye\n");
	assert_non_null(bye);
	assert_int_equal(parse_event(bye - EVENT_BYTES), EVENTS);
	assert_string_equal(bye, "event: bye\ndata: {\"retryMs\":500}\n\n");
	(void)close(client);
	serve_until(f, &f->stopped);
	assert_int_equal(f->stream_gone, 1);
	fixture_destroy(f);
}

static void test_http_stream__stop_cuts_a_reader_that_takes_nothing(void **state)
{
	struct fixture *f = fixture_running();
	int client = open_stream(f, 4096);
	char event[EVENT_BYTES + 1];

	(void)state;
	for (int i = 1; i <= EVENTS; i++) {
		build_event(event, i);
		http_stream_offer(f->stream, 0, event, EVENT_BYTES);
	}
	http_server_stop(f->server, 50, on_stopped, f);
	serve_until(f, &f->stopped);
	assert_int_equal(f->stream_gone, 1);
	(void)close(client);
	fixture_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_http_stream__begins_with_its_head),
		cmocka_unit_test(test_http_stream__events_arrive_in_order),
		cmocka_unit_test(test_http_stream__pings_while_nothing_happens),
		cmocka_unit_test(test_http_stream__events_put_the_ping_off),
		cmocka_unit_test(test_http_stream__slow_reader_skips_to_the_newest),
		cmocka_unit_test(test_http_stream__kinds_do_not_replace_each_other),
		cmocka_unit_test(test_http_stream__reader_that_takes_nothing_is_dropped),
		cmocka_unit_test(test_http_stream__reader_that_leaves_is_gone_at_once),
		cmocka_unit_test(test_http_stream__peer_behind_a_silent_hole_is_gone),
		cmocka_unit_test(test_http_stream__a_silent_hole_is_noticed_in_time),
		cmocka_unit_test(test_http_stream__may_be_used_until_it_is_gone),
		cmocka_unit_test(test_http_stream__what_the_reader_sends_is_thrown_away),
		cmocka_unit_test(test_http_stream__takes_nothing_that_was_pipelined_behind_it),
		cmocka_unit_test(test_http_stream__may_follow_requests_on_its_connection),
		cmocka_unit_test(test_http_stream__may_begin_later),
		cmocka_unit_test(test_http_stream__begins_with_a_full_pipeline_behind_it),
		cmocka_unit_test(test_http_stream__for_head_is_over_after_its_head),
		cmocka_unit_test(test_http_stream__close_comes_after_what_waits),
		cmocka_unit_test(test_http_stream__stop_ends_streams_after_what_waits),
		cmocka_unit_test(test_http_stream__stop_cuts_a_reader_that_takes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
