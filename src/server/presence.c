/* SPDX-License-Identifier: MIT */
#include "server/presence.h"

#include <assert.h>
#include <string.h>

static enum room_seat other(enum room_seat seat)
{
	return seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
}

/* Never shortens what an earlier sign was good for. */
static void extend(struct presence *presence, enum room_seat seat, uint64_t until_ms)
{
	if (presence->seats[seat].until_ms < until_ms)
		presence->seats[seat].until_ms = until_ms;
}

void presence_start(
	struct presence *presence, const struct presence_limits *limits, uint64_t now_ms)
{
	for (size_t i = 0; i < ROOM_SEATS; i++)
		extend(presence, (enum room_seat)i, now_ms + limits->heard_ms);
}

void presence_heard(struct presence *presence, enum room_seat seat,
	const struct presence_limits *limits, uint64_t now_ms)
{
	presence->seats[seat].met = true;
	extend(presence, seat, now_ms + limits->heard_ms);
}

void presence_open_stream(struct presence *presence, enum room_seat seat)
{
	presence->seats[seat].met = true;
	presence->seats[seat].streams++;
}

void presence_close_stream(struct presence *presence, enum room_seat seat,
	const struct presence_limits *limits, uint64_t now_ms)
{
	assert(presence->seats[seat].streams > 0);
	presence->seats[seat].streams--;
	extend(presence, seat, now_ms + limits->reload_ms);
}

void presence_forget(struct presence *presence, enum room_seat seat)
{
	memset(&presence->seats[seat], 0, sizeof(presence->seats[seat]));
}

bool presence_update(struct presence *presence, const struct room *room,
	const struct presence_limits *limits, uint64_t now_ms)
{
	bool playing = room_phase(room) == ROOM_PLAYING;
	bool changed = false;

	for (size_t i = 0; i < ROOM_SEATS; i++) {
		bool seated = room_is_seated(room, (enum room_seat)i);
		bool present = seated && (presence->seats[i].streams > 0 ||
						 presence->seats[i].until_ms > now_ms);

		changed |= seated != presence->seated[i] || present != presence->seats[i].present;
		presence->seated[i] = seated;
		presence->seats[i].present = present;
	}
	for (size_t i = 0; i < ROOM_SEATS; i++) {
		uint64_t *lost_at_ms = &presence->seats[i].lost_at_ms;
		bool awaited = playing && !presence->seats[i].present &&
			       presence->seats[other((enum room_seat)i)].present;

		changed |= awaited != (*lost_at_ms != 0);
		if (!awaited)
			*lost_at_ms = 0;
		else if (*lost_at_ms == 0)
			*lost_at_ms = now_ms + limits->kept_ms;
	}
	return changed;
}

bool presence_is_present(const struct presence *presence, enum room_seat seat)
{
	return presence->seats[seat].present;
}

bool presence_is_anybody(const struct presence *presence)
{
	return presence->seats[ROOM_HOST].present || presence->seats[ROOM_GUEST].present;
}

size_t presence_count(const struct presence *presence)
{
	size_t count = 0;

	for (size_t i = 0; i < ROOM_SEATS; i++)
		count += presence->seats[i].present && presence->seats[i].met;
	return count;
}

bool presence_find_lost(const struct presence *presence, uint64_t now_ms, enum room_seat *seat)
{
	for (size_t i = 0; i < ROOM_SEATS; i++) {
		uint64_t lost_at_ms = presence->seats[i].lost_at_ms;

		if (lost_at_ms != 0 && lost_at_ms <= now_ms) {
			*seat = (enum room_seat)i;
			return true;
		}
	}
	return false;
}

static const char *seat_state(const struct presence *presence, enum room_seat seat)
{
	if (!presence->seated[seat])
		return "empty";
	return presence->seats[seat].present ? "present" : "absent";
}

void presence_write(const struct presence *presence, uint64_t now_ms, struct text *text)
{
	uint64_t lost_at_ms = 0;

	for (size_t i = 0; i < ROOM_SEATS; i++)
		if (presence->seats[i].lost_at_ms != 0)
			lost_at_ms = presence->seats[i].lost_at_ms;
	text_add(text, "{\"host\":");
	text_add_json(text, seat_state(presence, ROOM_HOST));
	text_add(text, ",\"guest\":");
	text_add_json(text, seat_state(presence, ROOM_GUEST));
	text_add(text, ",\"keptMs\":");
	if (lost_at_ms == 0)
		text_add(text, "null");
	else
		text_add_number(text, lost_at_ms > now_ms ? (int64_t)(lost_at_ms - now_ms) : 0);
	text_add_char(text, '}');
}
