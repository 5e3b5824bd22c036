/* SPDX-License-Identifier: MIT */
#include "net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 512 };

void fail(const char *format, ...)
{
	va_list arguments;

	fputs("komadai-load: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

uint64_t net_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void net_init(struct net *net, uint16_t port)
{
	net->epoll = epoll_create1(EPOLL_CLOEXEC);
	net->port = port;
	net->dead = NULL;
	if (net->epoll < 0)
		fail("no epoll: %s", strerror(errno));
}

static void free_dead(struct net *net)
{
	while (net->dead) {
		struct conn *conn = net->dead;

		net->dead = conn->next_dead;
		free(conn->kept);
		free(conn->unsent);
		free(conn);
	}
}

void net_release(struct net *net)
{
	free_dead(net);
	close(net->epoll);
}

static void watch(struct conn *conn, int operation)
{
	struct epoll_event event = {
		.events = (conn->deaf ? 0u : (unsigned)EPOLLIN) |
			  (conn->sending ? (unsigned)EPOLLOUT : 0u),
		.data.ptr = conn,
	};

	if (epoll_ctl(conn->net->epoll, operation, conn->fd, &event) != 0)
		fail("epoll_ctl: %s", strerror(errno));
}

static int open_socket(net_source source, int receive_bytes)
{
	struct sockaddr_in from = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl((127u << 24) | source),
	};
	int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fail("no socket: %s (ulimit -n)", strerror(errno));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	/* The port is chosen with the connection, so that every address has all of them. */
	(void)setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
	if (receive_bytes)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof(receive_bytes));
	if (bind(fd, (struct sockaddr *)&from, sizeof(from)) != 0)
		fail("bind: %s", strerror(errno));
	return fd;
}

struct conn *conn_open(struct net *net, net_source source, void *context, int receive_bytes)
{
	struct sockaddr_in server = {
		.sin_family = AF_INET,
		.sin_port = htons(net->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		fail("no memory");
	conn->net = net;
	conn->context = context;
	conn->fd = open_socket(source, receive_bytes);
	if (connect(conn->fd, (struct sockaddr *)&server, sizeof(server)) != 0 &&
		errno != EINPROGRESS)
		fail("connect: %s", strerror(errno));
	watch(conn, EPOLL_CTL_ADD);
	return conn;
}

void conn_close(struct conn *conn)
{
	if (conn->fd < 0)
		return;
	/* Where another process has the socket too, closing it would not end its events. */
	(void)epoll_ctl(conn->net->epoll, EPOLL_CTL_DEL, conn->fd, NULL);
	close(conn->fd);
	conn->fd = -1;
	conn->next_dead = conn->net->dead;
	conn->net->dead = conn;
}

void conn_stop_reading(struct conn *conn)
{
	conn->deaf = true;
	watch(conn, EPOLL_CTL_MOD);
}

static void keep(char **list, size_t *length, const char *bytes, size_t more)
{
	char *grown = realloc(*list, *length + more);

	if (!grown)
		fail("no memory");
	memcpy(grown + *length, bytes, more);
	*list = grown;
	*length += more;
}

static void closed(struct conn *conn)
{
	if (conn->on_closed)
		conn->on_closed(conn);
	conn_close(conn);
}

/* What was sent before comes first; the socket may still be on its way. */
void conn_send(struct conn *conn, const char *bytes, size_t length)
{
	ssize_t sent = conn->sending ? 0 : send(conn->fd, bytes, length, MSG_NOSIGNAL);

	if (sent == (ssize_t)length)
		return;
	/* Any other error shows as the end of the connection. */
	if (sent < 0)
		sent = 0;
	keep(&conn->unsent, &conn->unsent_length, bytes + sent, length - (size_t)sent);
	if (!conn->sending) {
		conn->sending = true;
		watch(conn, EPOLL_CTL_MOD);
	}
}

static void send_rest(struct conn *conn)
{
	ssize_t sent = send(conn->fd, conn->unsent, conn->unsent_length, MSG_NOSIGNAL);

	if (sent < 0)
		return;
	conn->unsent_length -= (size_t)sent;
	memmove(conn->unsent, conn->unsent + sent, conn->unsent_length);
	if (conn->unsent_length == 0) {
		conn->sending = false;
		watch(conn, EPOLL_CTL_MOD);
	}
}

/* The value of a field, up to the end of its line; NULL: there is none. */
static const char *find_field(const char *head, size_t length, const char *name)
{
	const char *end = head + length;
	size_t size = strlen(name);

	for (const char *line = memchr(head, '\n', length); line;
		line = memchr(line, '\n', (size_t)(end - line))) {
		line++;
		if ((size_t)(end - line) > size + 2 && strncasecmp(line, name, size) == 0)
			return line + size;
	}
	return NULL;
}

/* Returns how many bytes an answer took; 0: it is not whole yet. */
static size_t take_answer(struct conn *conn, const char *data, size_t length)
{
	const char *end = memmem(data, length, "\r\n\r\n", 4);
	const char *size;
	const char *kind;
	size_t head;
	size_t body = 0;
	int status;

	if (!end)
		return 0;
	head = (size_t)(end - data) + 4;
	if (memcmp(data, "HTTP/1.1 ", 9) != 0)
		fail("the server answers: %.40s", data);
	status = atoi(data + 9);
	kind = find_field(data, head, "Content-Type: ");
	if (status == 200 && kind && strncmp(kind, "text/event-stream", 17) == 0) {
		conn->streaming = true;
		return head;
	}
	size = find_field(data, head, "Content-Length: ");
	if (size)
		body = strtoul(size, NULL, 10);
	if (length < head + body)
		return 0;
	if (conn->on_answer)
		conn->on_answer(conn, status, data + head, body);
	return head + body;
}

/* The same for an event. What is not a state is passed over. */
static size_t take_event(struct conn *conn, const char *data, size_t length)
{
	static const char kind[] = "\nevent: state\n";
	const char *end = memmem(data, length, "\n\n", 2);
	const char *dash;
	char *rest;
	uint64_t rev;

	if (!end)
		return 0;
	dash = memchr(data, '-', (size_t)(end - data));
	if (strncmp(data, "id: ", 4) == 0 && dash) {
		rev = strtoull(dash + 1, &rest, 10);
		if (strncmp(rest, kind, sizeof(kind) - 1) == 0 && conn->on_state)
			conn->on_state(conn, rev);
	}
	return (size_t)(end - data) + 2;
}

/* Returns how many bytes were of use. */
static size_t take(struct conn *conn, const char *data, size_t length)
{
	size_t used = 0;

	while (conn->fd >= 0 && used < length) {
		size_t step = conn->streaming ? take_event(conn, data + used, length - used)
					      : take_answer(conn, data + used, length - used);

		if (!step)
			break;
		used += step;
	}
	return used;
}

static void receive(struct conn *conn)
{
	char *scratch = conn->net->scratch;
	/* One byte less, for a final zero that stops the reading of numbers. */
	ssize_t length = recv(conn->fd, scratch, NET_SCRATCH - 1, 0);
	size_t used;

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length <= 0) {
		closed(conn);
		return;
	}
	scratch[length] = 0;
	if (!conn->kept_length) {
		used = take(conn, scratch, (size_t)length);
		if (conn->fd >= 0 && used < (size_t)length)
			keep(&conn->kept, &conn->kept_length, scratch + used,
				(size_t)length - used + 1);
	} else {
		conn->kept_length--; /* the zero */
		keep(&conn->kept, &conn->kept_length, scratch, (size_t)length + 1);
		used = take(conn, conn->kept, conn->kept_length - 1);
		conn->kept_length -= used;
		memmove(conn->kept, conn->kept + used, conn->kept_length);
		if (conn->kept_length == 1)
			conn->kept_length = 0;
	}
}

void net_step(struct net *net, int wait_ms)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(net->epoll, events, EVENTS, wait_ms);

	for (int i = 0; i < count; i++) {
		struct conn *conn = events[i].data.ptr;

		if (conn->fd >= 0 && (events[i].events & EPOLLOUT) && conn->sending)
			send_rest(conn);
		if (conn->fd < 0 || !(events[i].events & ~(unsigned)EPOLLOUT))
			continue;
		if (conn->deaf)
			closed(conn);
		else
			receive(conn);
	}
	free_dead(net);
}
