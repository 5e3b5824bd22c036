/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "client/link.h"

/*
 * A seat, and the file that keeps it from one run to the next: with it the same seat is taken again
 * after a crash. The file is an object of JSON that only its owner may read (mode 0600), and is
 * replaced whole: a crash leaves the one before or the one after.
 *
 *     {"server": "https://games.example", "game": "mini-shogi", "room": "…", "seat": "guest",
 *      "secret": "…", "join": "…", "key": "…", "inviteUrl": null}
 *
 * A guest's file is there before the join is sent, without `seat` and `key`: the same `join`, sent
 * again with the same `secret`, gets the same key.
 */
enum {
	SEAT_GAME_BYTES = 32,
	SEAT_URL_BYTES = 512,
	SEAT_FILE_BYTES = 4096, /* the most that is read */
};

struct client_seat {
	char server[LINK_SERVER_BYTES];
	char game[SEAT_GAME_BYTES];
	char room[ROOM_ID_BYTES];
	enum room_seat seat;             /* where there is a key */
	char secret[LINK_SECRET_BYTES];  /* of the invitation; empty: the host's, which has none */
	char join[ROOM_COMMAND_BYTES];   /* the id of the join; empty likewise */
	char key[LINK_SECRET_BYTES];     /* empty: no seat is taken yet */
	char invite_url[SEAT_URL_BYTES]; /* the newest link for the other seat; empty: none */
};

/*
 * Takes the seat of `path` for one run alone, until it is released or the process ends, however it
 * ends: an flock of PATH-lock, an empty file, which only a process that was killed leaves. Missing
 * folders are made, for the owner. False with errno; EWOULDBLOCK: another run has it.
 */
bool seat_file_lock(const char *path, int *lock);
void seat_file_unlock(const char *path, int lock);

enum seat_file_result { SEAT_FILE_READ, SEAT_FILE_NONE, SEAT_FILE_UNREADABLE, SEAT_FILE_BAD };

/* `*seat` is written on SEAT_FILE_READ only; errno is that of SEAT_FILE_UNREADABLE. */
enum seat_file_result seat_file_read(const char *path, struct client_seat *seat);

/* False with errno: what was there before is as it was. Missing folders are made likewise. */
bool seat_file_write(const char *path, const struct client_seat *seat);
