/* SPDX-License-Identifier: MIT */
#pragma once

#include "game/game.h"
#include "room/room.h"

/*
 * What a room must be, as a second and simpler account of docs/api.md: it shares no code with
 * src/room, keeps every state of a game instead of replaying it, and reads the rows of the log by
 * itself. Time and disks are no matter of it.
 */
enum { HEX_BYTES = 2 * ROOM_HASH_BYTES + 1, WORD_BYTES = 72, MODEL_REVS_MAX = 4096 };

/* A room as it stands or stood. */
struct view {
	uint64_t rev;
	int64_t at_ms; /* of its row */
	bool seated[ROOM_SEATS];
	char keys[ROOM_SEATS][HEX_BYTES];
	char invitation[HEX_BYTES];
	bool invites;
	unsigned games;
	enum room_seat starter;
	bool abandoned;
	enum room_seat abandoned_by;
	uint64_t request; /* the revision that opened it; 0: none is open */
	bool asks_undo;
	enum room_seat asker;
	int64_t asked_at;
	size_t plies;          /* of this game */
	enum room_seat ply_by; /* who played the last of them */
	char ply[GAME_ACTION_TEXT];
	struct game_state state;

	/* The row that made it. */
	char kind[WORD_BYTES];
	bool by_command;
	enum room_seat by;
	char command[ROOM_COMMAND_BYTES];
	char detail[WORD_BYTES]; /* the action, or what is asked */

	uint64_t snapshot; /* the hash of the JSON that said so; 0: nobody was told */
};

/* A game under way, or that was. */
struct ply {
	struct game_state state; /* before */
	enum room_seat by;
	char text[GAME_ACTION_TEXT];
};

struct model {
	char id[ROOM_ID_BYTES];
	const struct game_ops *game;
	struct view *views; /* views[rev - 1] */
	uint64_t rev;
	size_t capacity;
	struct ply *plies;
	struct game_record *records; /* one more than plies */
	size_t plies_capacity;
};

void model_release(struct model *model);

/* NULL: there is no such revision. */
struct view *model_view(const struct model *model, uint64_t rev);

/* The newest; there is one. */
struct view *model_now(const struct model *model);

/* Takes the next row of the log. NULL, or what is wrong with it. */
const char *model_take(struct model *model, const struct game_ops *const *games, const char *text);

enum room_phase view_phase(const struct model *model, const struct view *view);

/* Which player that seat is. */
int view_player(const struct view *view, enum room_seat seat);

/* False: it opens none. `key` is the hash, as rows write it. */
bool view_find_seat(const struct view *view, const char *key, enum room_seat *seat);

/* What a client asks of the room. */
struct wish {
	enum room_seat seat;
	uint64_t rev;
	enum room_op op;
	char action[GAME_ACTION_TEXT];
	bool undo;   /* ROOM_OP_ASK */
	bool accept; /* ROOM_OP_ANSWER */
	bool alone;  /* ROOM_OP_PLAY: the other is away */
};

/* The word with which such a command is refused now; "ok" where it is not. */
const char *model_judge(const struct model *model, const struct wish *wish);

/* The same of a join, whose key has this hash. */
const char *model_judge_join(
	const struct model *model, const char *invitation, const char *game, const char *key);

void hash_to_hex(const struct room_hash *hash, char hex[HEX_BYTES]);
