/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boxes/boxes.h"
#include "client/reply.h"
#include "shogi/shogi.h"

/* Whatever a server says, what is read of it is within its bounds, or nothing is. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void require_visible(const char *text, size_t capacity, bool blanks)
{
	require(strlen(text) < capacity);
	for (const char *c = text; *c; c++)
		require((*c > ' ' && *c <= '~') || (blanks && *c == ' '));
}

static void require_sound(const struct client_snapshot *snapshot)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	char buffer[GAME_SETUP_TEXT];
	struct text text;

	require(snapshot->rev >= 1 && snapshot->games >= 1 && snapshot->phase <= ROOM_CLOSED);
	require(snapshot->player[ROOM_HOST] + snapshot->player[ROOM_GUEST] == 1);
	require(snapshot->summary.player == 0 || snapshot->summary.player == 1);
	require(snapshot->summary.winner >= -1 && snapshot->summary.winner <= 1);
	require_visible(snapshot->room, sizeof(snapshot->room), false);
	require_visible(snapshot->reason, sizeof(snapshot->reason), false);
	require_visible(snapshot->position, sizeof(snapshot->position), true);
	require_visible(snapshot->request.ply, sizeof(snapshot->request.ply), false);
	require(snapshot->ops->legal(&snapshot->state, actions) <= GAME_ACTIONS_MAX);
	if (snapshot->has_last) {
		text_init(&text, buffer, sizeof(buffer));
		snapshot->ops->action_write(snapshot->last, &text);
		require(!text.overflow && text.length > 0 && text.length < GAME_ACTION_TEXT);
	}
}

static void read_all(const struct game_ops *ops, const char *text, size_t length)
{
	struct client_snapshot snapshot;
	struct client_seat seat = {.server = "http://a"};
	struct client_refusal refusal;
	char url[SEAT_URL_BYTES] = "";

	if (reply_read_snapshot(ops, text, length, &snapshot))
		require_sound(&snapshot);
	if (reply_read_seat(ops, text, length, &seat, &snapshot)) {
		require_sound(&snapshot);
		require(link_word_is_valid(seat.room, sizeof(seat.room)));
		require(link_word_is_valid(seat.key, sizeof(seat.key)));
		require(seat.seat == ROOM_HOST || seat.seat == ROOM_GUEST);
	}
	require_visible(seat.invite_url, sizeof(seat.invite_url), false);
	if (reply_read_command(ops, text, length, &snapshot, url))
		require_sound(&snapshot);
	require_visible(url, sizeof(url), false);
	reply_read_refusal(ops, text, length, &refusal);
	require_visible(refusal.error, sizeof(refusal.error), false);
	require_visible(refusal.reason, sizeof(refusal.reason), false);
	require_visible(refusal.page, sizeof(refusal.page), false);
	require_visible(refusal.message, sizeof(refusal.message), true);
	if (refusal.has_snapshot)
		require_sound(&refusal.snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct client_presences presences;
	char *copy = malloc(size ? size : 1); /* exact, for the sanitizer */

	require(copy != NULL);
	if (size)
		memcpy(copy, data, size);
	read_all(&mini_shogi, copy, size);
	read_all(&petits_carres, copy, size);
	if (reply_read_presence(copy, size, &presences)) {
		for (int seat = 0; seat < ROOM_SEATS; seat++)
			require(presences.seat[seat] <= CLIENT_EMPTY);
		require(presences.kept_ms >= -1);
	}
	free(copy);
	return 0;
}
