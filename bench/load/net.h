/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The client's end of HTTP, for one thread: many connections over one epoll, each with whole
 * answers or the events of a stream. It trusts the server to speak the HTTP that Komadai and the
 * peer speak, since it is measured how quickly they do, not how well.
 *
 * A connection lives from `conn_open` to `conn_close`, which may be called from inside its own
 * functions.
 */
enum { NET_SCRATCH = 64 * 1024 };

struct net {
	int epoll;
	uint16_t port;     /* of the server, on 127.0.0.1 */
	struct conn *dead; /* closed, to be freed when no event can name them any more */
	char scratch[NET_SCRATCH];
};

struct conn {
	struct net *net;
	void *context; /* these four are the owner's */
	void (*on_answer)(struct conn *conn, int status, const char *body, size_t length);
	void (*on_state)(struct conn *conn, uint64_t rev); /* NULL: not a stream */
	void (*on_closed)(struct conn *conn); /* the server closed it; the owner closes it too */

	int fd;
	bool streaming; /* the head of an event stream was there */
	bool sending;   /* EPOLLOUT is asked for */
	bool deaf;      /* never reads */
	char *kept;     /* what came and is not whole yet */
	size_t kept_length;
	char *unsent;
	size_t unsent_length;
	struct conn *next_dead;
};

/* 127.x.y.z as its last three bytes, x first: an address of this machine for each client. */
typedef uint32_t net_source;

void net_init(struct net *net, uint16_t port);
void net_release(struct net *net);

/* Serves what is ready, after at most that long. */
void net_step(struct net *net, int wait_ms);

/* Microseconds, from any beginning. */
uint64_t net_now(void);

/* A connection without functions, on its way; ends the program where there is none. With
 * `receive_bytes` the system keeps about so much of what is not read. */
struct conn *conn_open(struct net *net, net_source source, void *context, int receive_bytes);
void conn_close(struct conn *conn);
void conn_send(struct conn *conn, const char *bytes, size_t length);

/* Reads no more from now on. */
void conn_stop_reading(struct conn *conn);

/* Prints and ends the program with status 2. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
