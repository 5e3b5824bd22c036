/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "sim.h"

/* What leaves the server: snapshots, answers and refusals, against the model of checks.h. */

static const char *bool_word(bool value)
{
	return value ? "true" : "false";
}

static void expect_member(
	struct sim *sim, const char *check, const char *room, const char *json, const char *member)
{
	if (!strstr(json, member))
		sim_fail(sim, check, "room %s: no %.200s in %.600s", room, member, json);
}

static void expect_request(
	struct sim *sim, const struct known_room *room, const struct view *view, const char *json)
{
	static const char *const seats[] = {"host", "guest"};
	char member[192] = "\"request\":null";
	size_t length = 0;

	if (view->request) {
		length = (size_t)snprintf(member, sizeof(member),
			"\"request\":{\"what\":\"%s\",\"by\":\"%s\",\"at\":%lld,\"ply\":",
			view->asks_undo ? "undo" : "new-game", seats[view->asker],
			(long long)view->asked_at);
		if (view->asks_undo)
			snprintf(member + length, sizeof(member) - length,
				"{\"by\":\"%s\",\"action\":\"%s\"}", seats[view->ply_by],
				view->ply);
		else
			snprintf(member + length, sizeof(member) - length, "null");
	}
	expect_member(sim, "state", room->model.id, json, member);
}

/* The game as it must stand; what an undo brings back included, as it was said before. */
static void expect_game(
	struct sim *sim, const struct known_room *room, const struct view *view, const char *json)
{
	const struct game_ops *ops = room->model.game;
	char expected[GAME_STATE_JSON + 32];
	struct text text;

	text_init(&text, expected, sizeof(expected));
	text_add(&text, "\"state\":{");
	ops->state_write_json(&view->state, &text);
	text_add_char(&text, '}');
	expect_member(sim, "state", room->model.id, json, expected);
	text_init(&text, expected, sizeof(expected));
	text_add(&text, "\"position\":\"");
	ops->state_write(&view->state, &text);
	text_add_char(&text, '"');
	expect_member(sim, "state", room->model.id, json, expected);
}

static void check_members(
	struct sim *sim, const struct known_room *room, const struct view *view, const char *json)
{
	static const char *const phases[] = {"waiting", "playing", "over", "closed"};
	static const char *const seats[] = {"host", "guest"};
	const char *id = room->model.id;
	char member[96];

	snprintf(
		member, sizeof(member), "\"phase\":\"%s\"", phases[view_phase(&room->model, view)]);
	expect_member(sim, "state", id, json, member);
	snprintf(member, sizeof(member), "\"seats\":{\"host\":%s,\"guest\":%s}",
		bool_word(view->seated[ROOM_HOST]), bool_word(view->seated[ROOM_GUEST]));
	expect_member(sim, "state", id, json, member);
	snprintf(member, sizeof(member), "\"games\":%u", view->games);
	expect_member(sim, "state", id, json, member);
	snprintf(member, sizeof(member), "\"starterRole\":\"%s\"", seats[view->starter]);
	expect_member(sim, "first-player", id, json, member);
	snprintf(member, sizeof(member), "\"players\":{\"host\":%d,\"guest\":%d}",
		view_player(view, ROOM_HOST), view_player(view, ROOM_GUEST));
	expect_member(sim, "first-player", id, json, member);
	if (view->abandoned)
		snprintf(member, sizeof(member), "\"abandonedBy\":\"%s\"",
			seats[view->abandoned_by]);
	else
		snprintf(member, sizeof(member), "\"abandonedBy\":null");
	expect_member(sim, "state", id, json, member);
	expect_request(sim, room, view, json);
	expect_game(sim, room, view, json);
}

uint64_t check_snapshot(struct sim *sim, const char *json, size_t length)
{
	static const char start[] = "{\"room\":\"";
	char id[ROOM_ID_BYTES] = "";
	const char *rev_text = strstr(json, "\"rev\":");
	uint64_t rev = rev_text ? strtoull(rev_text + strlen("\"rev\":"), NULL, 10) : 0;
	const char *presence = strstr(json, ",\"presence\":");
	uint64_t hash = hash_bytes(json, length);
	struct known_room *room;
	struct view *view;

	if (strncmp(json, start, strlen(start)) == 0)
		snprintf(id, sizeof(id), "%.*s", ROOM_NAME_LENGTH, json + strlen(start));
	room = room_find(sim, id);
	view = room ? model_view(&room->model, rev) : NULL;
	sim_mix(sim, hash);
	if (presence) {
		/* Without its last member it is as everywhere else. */
		char bare[ROOM_SNAPSHOT_JSON];

		snprintf(bare, sizeof(bare), "%.*s}", (int)(presence - json), json);
		hash = hash_bytes(bare, strlen(bare));
		if (room)
			check_presence(sim, room, presence + strlen(",\"presence\":"));
	}
	if (!view) {
		sim_fail(sim, "ahead-of-disk", "room %s is told at %llu, and has %llu rows on disk",
			id, (unsigned long long)rev,
			room ? (unsigned long long)room->model.rev : 0);
		return rev;
	}
	if (!view->snapshot) {
		check_members(sim, room, view, json);
		view->snapshot = hash;
	} else if (view->snapshot != hash) {
		sim_fail(sim, "state", "room %s is told at %llu in two ways; now %.500s", id,
			(unsigned long long)rev, json);
	}
	if (rev > room->told)
		room->told = rev;
	return rev;
}

static void hash_text(const char *secret, char hex[HEX_BYTES])
{
	struct secret text;
	struct room_hash hash;

	snprintf(text.text, sizeof(text.text), "%s", secret);
	hash = secret_hash(&text);
	hash_to_hex(&hash, hex);
}

/* "ROOM.SECRET" */
static const char *link_secret(const char *link)
{
	const char *dot = strchr(link, '.');

	return dot ? dot + 1 : "";
}

/* The key that a join with an id gets: decision 0003. */
static void join_key(const struct errand *errand, char hex[HEX_BYTES])
{
	struct secret invitation;
	struct secret key;

	snprintf(invitation.text, sizeof(invitation.text), "%s", link_secret(errand->link));
	key = secret_derive(&invitation, errand->id);
	hash_text(key.text, hex);
}

/* The word of the answer that the errand must get now. */
static const char *expected_word(
	const struct known_room *room, struct errand *errand, const char *word)
{
	const struct view *view = model_now(&room->model);
	char key[HEX_BYTES];
	char invitation[HEX_BYTES];

	/* A request that waited while the room went hears that nobody is there any more. */
	if (room->removed)
		return strcmp(word, "closed") == 0 ? word : "not-found";
	/* Who leaves is told so once, at most: the key opens nothing any more. */
	if (strcmp(word, "ok") == 0 && errand->kind == ERRAND_COMMAND &&
		errand->wish.op == ROOM_OP_LEAVE && errand->applied == view->rev &&
		!errand->answered)
		return "ok";
	if (view_phase(&room->model, view) == ROOM_CLOSED)
		return "closed";
	if (errand->kind == ERRAND_JOIN) {
		join_key(errand, key);
		hash_text(link_secret(errand->link), invitation);
		return model_judge_join(&room->model, invitation, errand->game, key);
	}
	hash_text(errand->key, key);
	if (!view_find_seat(view, key, &errand->wish.seat))
		return "no-seat";
	if (errand->kind != ERRAND_COMMAND || errand->applied)
		return "ok";
	errand->wish.alone =
		!people_are_there(room, errand->wish.seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST);
	return model_judge(&room->model, &errand->wish);
}

/* What the server may still say while a row is on disk that it has not heard of: it looks for the
 * room and the key at once, before a request waits for its turn. */
static bool was_right(const struct known_room *room, const struct errand *errand, const char *word)
{
	const struct view *view = model_view(&room->model, room->model.rev - 1);
	char key[HEX_BYTES];
	enum room_seat seat;

	if (room->known == room->model.rev || !view || !errand->key[0])
		return false;
	hash_text(errand->key, key);
	if (!view_find_seat(view, key, &seat))
		return strcmp(word, "no-seat") == 0;
	return errand->kind == ERRAND_SNAPSHOT && strcmp(word, "ok") == 0;
}

/* A command that was applied is answered with its revision, and so each time. */
static void check_done(struct sim *sim, const struct known_room *room, struct errand *errand,
	const struct reply *reply)
{
	const struct view *view = model_view(&room->model, reply->rev);
	char key[HEX_BYTES];

	if (errand->kind == ERRAND_COMMAND && errand->applied != reply->rev)
		sim_fail(sim, "answer", "room %s: %s, which made row %llu, is answered with %llu",
			room->model.id, errand->id, (unsigned long long)errand->applied,
			(unsigned long long)reply->rev);
	if (!view || (errand->kind != ERRAND_CREATE && errand->kind != ERRAND_JOIN))
		return;
	hash_text(reply->key, key);
	if (strcmp(view->keys[reply->seat], key) != 0)
		sim_fail(sim, "key", "room %s: %s is given a key that opens no seat",
			room->model.id, errand->id);
}

static bool is_transient(const struct reply *reply)
{
	return reply->code == 503;
}

void check_reply(struct sim *sim, struct errand *errand, const struct reply *reply, bool failures,
	bool limited)
{
	const char *id = reply->room[0] ? reply->room : errand->room;
	struct known_room *room = room_find(sim, id);
	const char *word = reply->code < 300 ? "ok" : reply->word;
	const char *expected;

	sim_trace(
		sim, "answer to %s of tab %zu: %d %s", errand->id, errand->tab, reply->code, word);
	if (limited != (reply->code == 429)) {
		sim_fail(sim, "limit", "%s got %d %s, and should %sbe told to wait", errand->id,
			reply->code, word, limited ? "" : "not ");
		return;
	}
	if (limited)
		return;
	if (is_transient(reply)) {
		if (!failures)
			sim_fail(sim, "refusal", "%s got 503 %s, and nothing failed", errand->id,
				word);
		return;
	}
	if (!room || room->model.rev == 0) {
		sim_fail(sim, "answer", "%s: %d %s of room \"%s\", which is not on disk",
			errand->id, reply->code, word, id);
		return;
	}
	expected = errand->kind == ERRAND_CREATE ? "ok" : expected_word(room, errand, word);
	if (strcmp(word, expected) != 0 && !was_right(room, errand, word))
		sim_fail(sim, "refusal", "room %s: %s (%s) got %d %s instead of %s", id, errand->id,
			errand->kind == ERRAND_COMMAND ? errand_op_word(errand->wish.op) : "",
			reply->code, word, expected);
	if (strcmp(word, "stale") == 0 && reply->rev != room->model.rev)
		sim_fail(sim, "answer", "room %s: %s is stale, and is shown %llu instead of %llu",
			id, errand->id, (unsigned long long)reply->rev,
			(unsigned long long)room->model.rev);
	if (strcmp(word, "ok") == 0) {
		check_done(sim, room, errand, reply);
		errand->answered = true;
	} else {
		/* Who is away may come back, and nothing else has changed then. */
		errand->refused = strcmp(word, "suspended") != 0;
	}
}

static void check_tab(struct sim *sim, const struct tab *tab)
{
	struct known_room *room = room_find(sim, tab->room);
	const struct view *view;
	char key[HEX_BYTES];
	char presence[PRESENCE_JSON];
	enum room_seat seat;

	if (tab->errand)
		sim_fail(sim, "converged", "tab %zu still waits for %s", tab->number,
			tab->errand->id);
	if (!tab->seated || !room)
		return;
	if (room->removed) {
		sim_fail(sim, "converged", "tab %zu does not know that its room is gone",
			tab->number);
		return;
	}
	view = model_now(&room->model);
	hash_text(tab->key, key);
	if (!view_find_seat(view, key, &seat))
		sim_fail(sim, "converged", "tab %zu does not know that its seat is gone",
			tab->number);
	else if (!tab->stream || tab->rev != view->rev)
		sim_fail(sim, "converged", "tab %zu is at %llu and room %s at %llu", tab->number,
			(unsigned long long)tab->rev, tab->room, (unsigned long long)view->rev);
	people_write(room, presence);
	if (strncmp(tab->presence, presence, strlen(presence)) != 0)
		sim_fail(sim, "converged", "tab %zu sees %s instead of %s", tab->number,
			tab->presence, presence);
}

void check_end(struct sim *sim)
{
	for (size_t i = 0; i < sim->tab_count && !sim->failed; i++)
		check_tab(sim, &sim->tabs[i]);
}
