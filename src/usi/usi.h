/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * The Universal Shogi Interface over one engine: lines come in, lines go out through `write`. A
 * `go` runs in a thread of its own, so that `stop` and `quit` are heard while it thinks, and
 * answers with exactly one `bestmove`. What is refused is named in an `info string` and changes
 * nothing; so does a command that would change the position of a running search.
 *
 * Source: the protocol as published with Shogidokoro (http://shogidokoro.starfree.jp/usi.html).
 * Beyond it: `d` (the position), `go perft N`, `UCI_Variant`, and a bare `go`, which means `go
 * infinite`.
 *
 * One thread calls the functions below. `write` is called from that thread or from the search's,
 * never from both at once, and must not call back.
 */
struct usi;

enum {
	USI_LINE_MAX = 1 << 18, /* bytes of a command; a game of GAME_PLIES_MAX moves fits */
	USI_PERFT_MAX = 30,     /* depth, beyond which the leaves overflow their counter */
};

struct usi_host {
	void *context;
	void (*write)(void *context, const char *line); /* without its end of line */
	/* Caps on what any `go` may ask for, for tests; 0: none. */
	uint64_t nodes_max;
	int perft_max;
};

MUST_CHECK enum status usi_create(const struct usi_host *host, struct usi **usi);

/* A running search stops, and answers first. */
void usi_destroy(struct usi *usi);

/*
 * One command without its end of line, any bytes. False: `quit`. A text longer than USI_LINE_MAX is
 * refused, so whoever reads lines may hand over the beginning of such a one.
 */
bool usi_command(struct usi *usi, const char *text, size_t length);

/* Waits until a running search has answered; one without limits is stopped. */
void usi_finish(struct usi *usi);
