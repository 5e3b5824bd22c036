/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boxes/boxes.h"
#include "server/body.h"
#include "shogi/shogi.h"

/*
 * The bodies of requests: the same bytes go to all three readers, that of commands in a room of
 * each game. What one accepts has the form that its header promises, so that the room may take it;
 * what it refuses has a code, a word and a sentence of plain characters.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct game_ops *const games[] = {&mini_shogi, &petits_carres, NULL};

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_command: %s\n", what);
	abort();
}

/* A room with both seats taken. */
static struct room *make_room(const char *game)
{
	struct room_event created = {.kind = ROOM_CREATED, .rev = 1};
	struct room_event joined = {.kind = ROOM_JOINED, .rev = 2, .key = {{1}}};
	struct room *room;

	strcpy(created.game, game);
	require(room_create(games, "r00m", &created, &room) == STATUS_OK &&
			room_apply(room, &joined) == STATUS_OK,
		"no room");
	return room;
}

static void require_text(const char *text, size_t capacity)
{
	require(text[0] && memchr(text, 0, capacity), "a text is empty or has no end");
}

static void require_problem(const struct body_problem *problem)
{
	require(problem->code == 400 || problem->code == 422, "a refusal without its code");
	require((problem->code == 400) == (strcmp(problem->error, "malformed") == 0),
		"a word that does not go with the code");
	require_text(problem->message, sizeof(problem->message));
	for (const char *c = problem->message; *c; c++)
		require(*c >= ' ' && *c <= '~', "a message shows what it was sent");
}

static void check_create(const char *data, size_t size)
{
	struct body_create body;
	struct body_problem problem;

	if (body_read_create(data, size, &body, &problem))
		require_text(body.game, sizeof(body.game));
	else
		require_problem(&problem);
}

static void check_join(const char *data, size_t size)
{
	struct body_join body;
	struct body_problem problem;
	struct secret again;

	if (!body_read_join(data, size, &body, &problem)) {
		require_problem(&problem);
		return;
	}
	require_text(body.game, sizeof(body.game));
	require(room_name_is_valid(body.room, strlen(body.room)), "a room of no form");
	require(secret_read(body.secret.text, strlen(body.secret.text), &again) &&
			strcmp(again.text, body.secret.text) == 0,
		"a secret of no form");
	require(!body.id[0] || room_command_valid(body.id), "an id of no form");
}

static void decide(struct room *room, struct room_command *command)
{
	struct room_event event;

	command->rev = 2;
	if (room_decide(room, command, 0, &event) == STATUS_OK)
		require(room_apply(room, &event) == STATUS_OK, "a decision does not apply");
}

static void check_command(const char *data, size_t size, const char *game)
{
	struct room *room = make_room(game);
	struct room_command command = {.seat = ROOM_HOST};
	struct body_problem problem;

	if (body_read_command(data, size, room, &command, &problem)) {
		require(command.rev >= 1 && command.rev <= INT64_MAX, "a revision out of range");
		require(room_command_valid(command.id), "an id of no form");
		decide(room, &command);
	} else {
		require_problem(&problem);
	}
	room_destroy(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1); /* exact, for the sanitizer */

	require(copy != NULL, "no memory");
	if (size)
		memcpy(copy, data, size);
	check_create(copy, size);
	check_join(copy, size);
	for (size_t i = 0; games[i]; i++)
		check_command(copy, size, games[i]->name);
	free(copy);
	return 0;
}
