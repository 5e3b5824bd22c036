/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/store.h"

/*
 * Makes a data file from events, all or nothing: the file comes to be, as new_file.h says, when all
 * are there. An empty file may stand in its place.
 */
struct data_maker;

/* STATUS_STORE_OPEN, STATUS_NO_MEMORY. */
MUST_CHECK enum status data_maker_create(
	const char *location, struct data_maker **maker, struct store_problem *problem);

/* STATUS_STORE_WRITE: the event could not be written, or it is there already. */
MUST_CHECK enum status data_maker_add(
	struct data_maker *maker, const struct store_row *event, struct store_problem *problem);

/* The file is there, whole and flushed, or nothing is. The maker is gone either way. */
MUST_CHECK enum status data_maker_finish(struct data_maker *maker, struct store_problem *problem);
void data_maker_abandon(struct data_maker *maker);
