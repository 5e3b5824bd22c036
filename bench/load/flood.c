/* SPDX-License-Identifier: MIT */
#include "flood.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net.h"

enum {
	SOURCE = 9 << 16 | 9 << 8 | 9, /* 127.9.9.9 */
	REOPENED_AT_ONCE = 64,
};

struct flood {
	pid_t process;
	int counts; /* the reading end of a pipe */
};

/* In the process of the flood. */

static struct flood_counts counts;
static volatile sig_atomic_t over;
static size_t missing; /* connections to open */

static void on_signal(int number)
{
	(void)number;
	over = 1;
}

static void ask(struct conn *conn)
{
	static const char *const requests[] = {
		"GET /health HTTP/1.1\r\nHost: flood\r\n\r\n",
		"GET /api/v1/rooms?game=mini-shogi HTTP/1.1\r\nHost: flood\r\n\r\n",
		"POST /api/v1/rooms HTTP/1.1\r\nHost: flood\r\nContent-Length: 35\r\n\r\n"
		"{\"game\":\"mini-shogi\",\"settings\":{}}",
		"GET /api/v1/rooms/abcdefghijkl HTTP/1.1\r\nHost: flood\r\n"
		"Authorization: Bearer AAAAAAAAAAAAAAAAAAAAAA\r\n\r\n",
	};
	static size_t next;
	const char *request = requests[next++ % (sizeof(requests) / sizeof(requests[0]))];

	conn_send(conn, request, strlen(request));
}

static void on_answer(struct conn *conn, int status, const char *body, size_t length)
{
	(void)body;
	(void)length;
	counts.answered++;
	counts.limited += status == 429;
	counts.busy += status == 503;
	ask(conn);
}

static void on_closed(struct conn *conn)
{
	(void)conn;
	counts.closed++;
	missing++;
}

_Noreturn static void flood(uint16_t port, unsigned connections, int out)
{
	struct net *net = malloc(sizeof(*net));

	if (!net)
		fail("no memory");
	net_init(net, port);
	missing = connections;
	while (!over) {
		for (unsigned i = 0; missing && i < REOPENED_AT_ONCE; i++, missing--) {
			struct conn *conn = conn_open(net, SOURCE, NULL, 0);

			conn->on_answer = on_answer;
			conn->on_closed = on_closed;
			ask(conn);
		}
		net_step(net, 10);
	}
	_exit(write(out, &counts, sizeof(counts)) == sizeof(counts) ? 0 : 2);
}

/* In the other. */

struct flood *flood_start(uint16_t port, unsigned connections)
{
	struct flood *made = malloc(sizeof(*made));
	int ends[2];

	if (!made || pipe(ends) != 0)
		fail("no pipe");
	made->process = fork();
	if (made->process < 0)
		fail("no process");
	if (made->process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGTERM, on_signal);
		flood(port, connections, ends[1]);
	}
	close(ends[1]);
	made->counts = ends[0];
	return made;
}

struct flood_counts flood_stop(struct flood *flood)
{
	struct flood_counts result = {0};

	kill(flood->process, SIGTERM);
	if (read(flood->counts, &result, sizeof(result)) != sizeof(result))
		fail("the flood ended early");
	waitpid(flood->process, NULL, 0);
	close(flood->counts);
	free(flood);
	return result;
}
