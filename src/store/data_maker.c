/* SPDX-License-Identifier: MIT */
#include "store/data_maker.h"

#include <stdlib.h>
#include <string.h>

#include "store/data_file.h"
#include "store/new_file.h"

struct data_maker {
	struct new_file file;
	sqlite3 *db;
	sqlite3_stmt *insert;
};

static enum status fail(struct data_maker *maker, int code, struct store_problem *problem)
{
	return data_refuse_write(problem, "The data file cannot be written", maker->db, code);
}

/* Nothing need be flushed or rolled back: what fails is thrown away. */
static int begin(struct data_maker *maker)
{
	int code = sqlite3_open_v2(maker->file.temporary, &maker->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(maker->db,
			"PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF; BEGIN", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = data_migrate(maker->db, 0);
	if (code == SQLITE_OK)
		code = sqlite3_prepare_v2(maker->db,
			"INSERT INTO event(room, rev, at, text) VALUES(?1, ?2, ?3, ?4)", -1,
			&maker->insert, NULL);
	return code;
}

enum status data_maker_create(
	const char *location, struct data_maker **out, struct store_problem *problem)
{
	struct data_maker *maker = calloc(1, sizeof *maker);
	if (maker == NULL) {
		data_explain(problem, "There is not enough memory to make a data file");
		return STATUS_NO_MEMORY;
	}
	enum status status = new_file_begin(location, true, &maker->file, problem);
	if (status != STATUS_OK) {
		free(maker);
		return status;
	}
	int code = begin(maker);
	if (code != SQLITE_OK) {
		(void)fail(maker, code, problem);
		data_maker_abandon(maker);
		return STATUS_STORE_OPEN;
	}
	*out = maker;
	return STATUS_OK;
}

enum status data_maker_add(
	struct data_maker *maker, const struct store_row *event, struct store_problem *problem)
{
	sqlite3_bind_text(maker->insert, 1, event->room, -1, SQLITE_STATIC);
	sqlite3_bind_int64(maker->insert, 2, (sqlite3_int64)event->rev);
	sqlite3_bind_int64(maker->insert, 3, event->at_ms);
	sqlite3_bind_text(maker->insert, 4, event->text, -1, SQLITE_STATIC);
	int code = sqlite3_step(maker->insert);
	if (code != SQLITE_DONE)
		(void)fail(maker, code, problem);
	sqlite3_reset(maker->insert);
	return code == SQLITE_DONE ? STATUS_OK : STATUS_STORE_WRITE;
}

static void disconnect(struct data_maker *maker)
{
	sqlite3_finalize(maker->insert);
	sqlite3_close(maker->db);
}

enum status data_maker_finish(struct data_maker *maker, struct store_problem *problem)
{
	int code = sqlite3_exec(maker->db, "COMMIT", NULL, NULL, NULL);
	if (code != SQLITE_OK) {
		(void)fail(maker, code, problem);
		data_maker_abandon(maker);
		return STATUS_STORE_WRITE;
	}
	disconnect(maker);
	enum status status = new_file_place(&maker->file, problem);
	free(maker);
	return status;
}

void data_maker_abandon(struct data_maker *maker)
{
	disconnect(maker);
	new_file_abandon(&maker->file);
	free(maker);
}
