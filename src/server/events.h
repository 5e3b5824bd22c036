/* SPDX-License-Identifier: MIT */
#pragma once

#include "server/http_server.h"
#include "server/hub.h"

/*
 * A room's event stream for one seat. It says at once who is there, and the state, unless `last`
 * says that the client has it; then each that is new. A state is a whole snapshot under the id
 * `<epoch>-<rev>`, so that whatever was missed needs no catching up; presence has no id.
 */
void events_open(struct http_exchange *exchange, struct hosted *hosted, enum room_seat seat,
	uint64_t epoch, struct http_slice last);

/* The value of `name` in a query as it was sent; data is NULL when there is none. */
struct http_slice query_value(struct http_slice query, const char *name);
