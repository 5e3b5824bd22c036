/* SPDX-License-Identifier: MIT */
#include "errand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct errand *errand_make(struct sim *sim, enum errand_kind kind, size_t tab)
{
	struct errand *errand = calloc(1, sizeof(*errand));

	if (sim->errand_count == sim->errand_capacity) {
		sim->errand_capacity = sim->errand_capacity ? 2 * sim->errand_capacity : 64;
		sim->errands = realloc(sim->errands, sim->errand_capacity * sizeof(*sim->errands));
	}
	if (!errand || !sim->errands)
		abort();
	errand->serial = sim->errand_count;
	errand->kind = kind;
	errand->tab = tab;
	snprintf(errand->id, sizeof(errand->id), "e%zu", sim->errand_count);
	sim->errands[sim->errand_count++] = errand;
	return errand;
}

struct errand *errand_find(const struct sim *sim, const char *id)
{
	char *end;
	uint64_t serial = strtoull(id + 1, &end, 10);

	return id[0] == 'e' && end != id + 1 && serial < sim->errand_count ? sim->errands[serial]
									   : NULL;
}

const char *errand_op_word(enum room_op op)
{
	static const char *const words[] = {
		[ROOM_OP_PLAY] = "play",
		[ROOM_OP_SETTINGS] = "settings",
		[ROOM_OP_ASK] = "ask",
		[ROOM_OP_ANSWER] = "answer",
		[ROOM_OP_WITHDRAW] = "withdraw",
		[ROOM_OP_LEAVE] = "leave",
		[ROOM_OP_INVITE] = "invite",
	};

	return words[op];
}

static void write_command(const struct errand *errand, char body[ERRAND_BYTES / 2])
{
	const struct wish *wish = &errand->wish;
	char beside[192] = "";

	if (wish->op == ROOM_OP_PLAY)
		snprintf(beside, sizeof(beside), ",\"action\":%s", errand->action_json);
	else if (wish->op == ROOM_OP_ASK)
		snprintf(beside, sizeof(beside), ",\"what\":\"%s\"",
			wish->undo ? "undo" : "new-game");
	else if (wish->op == ROOM_OP_ANSWER)
		snprintf(beside, sizeof(beside), ",\"accept\":%s", wish->accept ? "true" : "false");
	else if (wish->op == ROOM_OP_SETTINGS)
		snprintf(beside, sizeof(beside), ",\"settings\":{}");
	snprintf(body, ERRAND_BYTES / 2, "{\"rev\":%llu,\"id\":\"%s\",\"op\":\"%s\"%s}",
		(unsigned long long)wish->rev, errand->id, errand_op_word(wish->op), beside);
}

void errand_write(const struct errand *errand, char bytes[ERRAND_BYTES])
{
	static const char *const ends[] = {
		[ERRAND_CREATE] = "",
		[ERRAND_JOIN] = "/join",
		[ERRAND_COMMAND] = "/commands",
		[ERRAND_SNAPSHOT] = "",
		[ERRAND_STREAM] = "/events",
	};
	char body[ERRAND_BYTES / 2] = "";
	char last[96] = "";
	bool posts = true;

	switch (errand->kind) {
	case ERRAND_CREATE:
		snprintf(body, sizeof(body), "{\"game\":\"%s\",\"settings\":{}}", errand->game);
		break;
	case ERRAND_JOIN:
		snprintf(body, sizeof(body), "{\"invite\":\"%s\",\"game\":\"%s\",\"id\":\"%s\"}",
			errand->link, errand->game, errand->id);
		break;
	case ERRAND_COMMAND:
		write_command(errand, body);
		break;
	default:
		posts = false;
	}
	if (errand->last_event[0])
		snprintf(last, sizeof(last), "Last-Event-ID: %s\r\n", errand->last_event);
	snprintf(bytes, ERRAND_BYTES,
		"%s /api/v1/rooms%s%s%s HTTP/1.1\r\nHost: sim\r\n%s%s%s%s"
		"Content-Length: %zu\r\n\r\n%s",
		posts ? "POST" : "GET", errand->room[0] ? "/" : "", errand->room,
		ends[errand->kind], errand->key[0] ? "Authorization: Bearer " : "", errand->key,
		errand->key[0] ? "\r\n" : "", last, strlen(body), body);
}
