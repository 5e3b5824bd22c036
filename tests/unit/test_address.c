/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/address.h"

static struct address read_whole(const char *text)
{
	struct address address;

	assert_true(address_read(text, strlen(text), &address));
	return address;
}

static bool same(struct address one, struct address other)
{
	return memcmp(&one, &other, sizeof(one)) == 0;
}

static bool same_subscriber(const char *one, const char *other)
{
	return same(address_subscriber(read_whole(one)), address_subscriber(read_whole(other)));
}

static void test_address__each_of_ipv4_is_a_subscriber(void **state)
{
	(void)state;
	assert_true(same_subscriber("192.0.2.1", "192.0.2.1"));
	assert_false(same_subscriber("192.0.2.1", "192.0.2.2"));
	assert_false(same_subscriber("192.0.2.1", "203.0.113.1"));
}

static void test_address__sixty_four_bits_of_ipv6_are_a_subscriber(void **state)
{
	(void)state;
	assert_true(same_subscriber("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"));
	assert_false(same_subscriber("2001:db8:1:2::1", "2001:db8:1:3::1"));
	assert_false(same_subscriber("2001:db8:1:2::1", "2001:db8:2:2::1"));
}

static void test_address__ipv4_within_ipv6_is_ipv4(void **state)
{
	(void)state;
	assert_true(same(read_whole("192.0.2.1"), read_whole("::ffff:192.0.2.1")));
	assert_true(same(read_whole("192.0.2.1"), read_whole("::FFFF:c000:201")));
	assert_false(same_subscriber("::ffff:192.0.2.1", "::ffff:192.0.2.2"));
	assert_false(same_subscriber("::ffff:0.0.0.1", "::1"));
}

static void test_address__other_texts_are_none(void **state)
{
	static const char *const texts[] = {"", " ", "unknown", "192.0.2", "192.0.2.1 ",
		"192.0.2.1:80", "192.0.2.256", "[::1]", "fe80::1%eth0", "1::2::3",
		"0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"};
	struct address address;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(address_read(texts[i], strlen(texts[i]), &address));
	assert_false(address_read("192.0.2.1\0x", 11, &address));
	/* No byte beyond the length is read. */
	assert_true(address_read("192.0.2.17", 9, &address));
	assert_true(same(address, read_whole("192.0.2.1")));
}

/* Whose request it is that comes from `peer`, where 10.0.0.1 and ::1 are proxies. */
static struct address visitor(const char *peer, const char *fields)
{
	struct proxies proxies = {
		.addresses = {read_whole("10.0.0.1"), read_whole("::1")}, .count = 2};
	struct address from = read_whole(peer);
	struct http_request request;
	char head[1024];
	int length = snprintf(head, sizeof(head), "GET / HTTP/1.1\r\nHost: a\r\n%s\r\n", fields);

	assert_int_equal(http_parse(head, (size_t)length, &request), HTTP_PARSE_DONE);
	return address_of_visitor(&proxies, &from, &request);
}

static void assert_visitor(const char *peer, const char *fields, const char *expected)
{
	assert_true(same(visitor(peer, fields), read_whole(expected)));
}

static void test_address__of_a_visitor_is_what_the_proxy_saw(void **state)
{
	(void)state;
	assert_visitor("10.0.0.1", "X-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1");
	assert_visitor("::ffff:10.0.0.1", "x-forwarded-for:2001:db8::1\r\n", "2001:db8::1");
	assert_visitor("::1", "X-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1");
}

static void test_address__what_the_client_added_is_passed_over(void **state)
{
	(void)state;
	assert_visitor("10.0.0.1", "X-Forwarded-For: 203.0.113.7, 192.0.2.1\r\n", "192.0.2.1");
	assert_visitor("10.0.0.1", "X-Forwarded-For: 203.0.113.7,\t192.0.2.1 \r\n", "192.0.2.1");
	assert_visitor("10.0.0.1",
		"X-Forwarded-For: 203.0.113.7\r\nX: y\r\nX-Forwarded-For: 192.0.2.1\r\n",
		"192.0.2.1");
}

static void test_address__a_peer_that_is_no_proxy_is_the_visitor(void **state)
{
	(void)state;
	assert_visitor("10.0.0.2", "X-Forwarded-For: 192.0.2.1\r\n", "10.0.0.2");
	/* A proxy is one address, not all of its /64. */
	assert_visitor("::2", "X-Forwarded-For: 192.0.2.1\r\n", "::2");
}

static void test_address__a_field_that_names_none_leaves_it_at_the_proxy(void **state)
{
	(void)state;
	assert_visitor("10.0.0.1", "", "10.0.0.1");
	assert_visitor("10.0.0.1", "X-Forwarded-For:\r\n", "10.0.0.1");
	assert_visitor("10.0.0.1", "X-Forwarded-For: 192.0.2.1,\r\n", "10.0.0.1");
	assert_visitor("10.0.0.1", "X-Forwarded-For: 192.0.2.1, unknown\r\n", "10.0.0.1");
	assert_visitor("10.0.0.1", "X-Forwarded-Fo: 192.0.2.1\r\n", "10.0.0.1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_address__each_of_ipv4_is_a_subscriber),
		cmocka_unit_test(test_address__sixty_four_bits_of_ipv6_are_a_subscriber),
		cmocka_unit_test(test_address__ipv4_within_ipv6_is_ipv4),
		cmocka_unit_test(test_address__other_texts_are_none),
		cmocka_unit_test(test_address__of_a_visitor_is_what_the_proxy_saw),
		cmocka_unit_test(test_address__what_the_client_added_is_passed_over),
		cmocka_unit_test(test_address__a_peer_that_is_no_proxy_is_the_visitor),
		cmocka_unit_test(test_address__a_field_that_names_none_leaves_it_at_the_proxy),
	};

	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
