/* SPDX-License-Identifier: MIT */
#pragma once

#include "model.h"
#include "server/secrets.h"

/* What a tab wants of the server: one request, however often it is sent. */
enum errand_kind { ERRAND_CREATE, ERRAND_JOIN, ERRAND_COMMAND, ERRAND_SNAPSHOT, ERRAND_STREAM };

enum { LINK_BYTES = ROOM_ID_BYTES + SECRET_BYTES + 1, ERRAND_BYTES = 1024 };

struct errand {
	uint64_t serial;
	enum errand_kind kind;
	size_t tab;
	char room[ROOM_ID_BYTES];
	char game[32];         /* of a creation or a join */
	char link[LINK_BYTES]; /* of a join */
	char id[ROOM_COMMAND_BYTES];
	char key[SECRET_BYTES];
	struct wish wish; /* of a command; its seat is the server's to find */
	char action_json[128];
	char last_event[64];

	/* What came of it. */
	uint64_t applied; /* the revision that its row made; 0: none yet */
	bool answered;    /* with success */
	bool refused;     /* by an answer that is final */
};

struct sim;

/* The sim's; it lives as long. */
struct errand *errand_make(struct sim *sim, enum errand_kind kind, size_t tab);

/* The request as it is sent. */
void errand_write(const struct errand *errand, char bytes[ERRAND_BYTES]);

/* The errand of a command's id; NULL: none has it. */
struct errand *errand_find(const struct sim *sim, const char *id);

const char *errand_op_word(enum room_op op);
