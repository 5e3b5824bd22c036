/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/link.h"

static struct link read_link(const char *text)
{
	struct link link;
	const char *problem = "";

	if (!link_read(text, &link, &problem))
		fail_msg("%s: %s", text, problem);
	return link;
}

static void test_link__an_invitation_has_server_page_room_and_secret(void **state)
{
	struct link link =
		read_link("https://games.example/rubriques/jeux-mini-shogi#invite=abc123.S_e-cret");

	(void)state;
	assert_string_equal(link.server, "https://games.example");
	assert_string_equal(link.page, "jeux-mini-shogi");
	assert_string_equal(link.room, "abc123");
	assert_string_equal(link.secret, "S_e-cret");
}

static void test_link__a_server_may_have_a_port_and_a_query(void **state)
{
	static const struct {
		const char *text;
		const char *server;
	} rows[] = {
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080"},
		{"http://127.0.0.1:8080/", "http://127.0.0.1:8080"},
		{"http://[::1]:8080/", "http://[::1]:8080"},
		{"HTTPS://games.example?x=1", "https://games.example"},
		{"https://games.example:8443/?d", "https://games.example:8443"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct link link = read_link(rows[i].text);

		assert_string_equal(link.server, rows[i].server);
		assert_string_equal(link.room, "");
		assert_string_equal(link.page, "");
	}
}

static void test_link__a_page_may_have_a_query_and_an_invitation_any_path(void **state)
{
	struct link page = read_link("http://a/rubriques/jeux-mini-shogi?x=1");
	struct link invitation = read_link("http://a/x/y#invite=abc.def");

	(void)state;
	assert_string_equal(page.page, "jeux-mini-shogi");
	assert_string_equal(page.server, "http://a");
	assert_string_equal(invitation.page, "");
	assert_string_equal(invitation.server, "http://a");
	assert_string_equal(invitation.room, "abc");
}

static void test_link__what_is_wrong_is_said_and_nothing_changed(void **state)
{
	static const struct {
		const char *text;
		const char *problem;
	} rows[] = {
		{"", "no address"},
		{"games.example", "no address"},
		{"http://", "no address"},
		{"http://a:70000", "no address"},
		{"ftp://games.example", "http://"},
		{"file:///etc/passwd", "http://"},
		{"javascript:alert(1)", "no address"},
		{"http://user@games.example", "user"},
		{"http://user:pass@games.example", "user"},
		{"http://games.example/a b", "blanks"},
		{"http://games.example/\n", "blanks"},
		{"http://caf\xc3\xa9.example", "ASCII"},
		{"http://games.example#invite=", "invitation"},
		{"http://games.example#invite=abc", "invitation"},
		{"http://games.example#invite=abc.", "invitation"},
		{"http://games.example#invite=.abc", "invitation"},
		{"http://games.example#invite=a/b.c", "invitation"},
		{"http://games.example#invite=a.b.c", "invitation"},
		{"http://games.example#other", "invitation"},
		{"http://games.example/x/y", "must be that of a server"},
		{"http://games.example//", "must be that of a server"},
		{"http://games.example/rubriques", "must be that of a server"},
		{"http://games.example/rubriques/", "must be that of a server"},
		{"http://games.example/rubriques/a/b", "must be that of a server"},
		{"http://games.example/api/v1/rooms", "must be that of a server"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct link link = {.server = "before"};
		const char *problem = NULL;

		if (link_read(rows[i].text, &link, &problem))
			fail_msg("%s: read", rows[i].text);
		if (!strstr(problem, rows[i].problem))
			fail_msg("%s: %s", rows[i].text, problem);
		assert_string_equal(link.server, "before");
	}
}

static void test_link__long_parts_are_refused(void **state)
{
	char text[600] = "http://";
	struct link link;
	const char *problem;

	(void)state;
	memset(text + 7, 'a', 300);
	assert_false(link_read(text, &link, &problem));
	strcpy(text, "http://a#invite=");
	memset(text + strlen(text), 'a', ROOM_ID_BYTES);
	strcat(text, ".b");
	assert_false(link_read(text, &link, &problem));
	strcpy(text, "http://a#invite=a.");
	memset(text + strlen(text), 'b', 300);
	assert_false(link_read(text, &link, &problem));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_link__an_invitation_has_server_page_room_and_secret),
		cmocka_unit_test(test_link__a_server_may_have_a_port_and_a_query),
		cmocka_unit_test(test_link__a_page_may_have_a_query_and_an_invitation_any_path),
		cmocka_unit_test(test_link__what_is_wrong_is_said_and_nothing_changed),
		cmocka_unit_test(test_link__long_parts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
