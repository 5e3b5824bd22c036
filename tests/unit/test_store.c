/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "store/store.h"
#include "store/writer.h"

#include "scratch.h"

/*
 * What every backend of the store must do. The tests know a backend by its table of operations
 * only; a new one gets a line in `main`.
 */
struct fixture {
	const struct store_ops *ops;
	char folder[SCRATCH_BYTES];
	char location[SCRATCH_BYTES];
	struct store *store;
	struct store_problem problem;
};

static void open_store(struct fixture *f)
{
	enum status status = f->ops->open(f->location, &f->store, &f->problem);
	if (status != STATUS_OK)
		fail_msg("%s", f->problem.text);
}

static void close_store(struct fixture *f)
{
	f->ops->close(f->store);
	f->store = NULL;
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	if (f == NULL)
		return -1;
	f->ops = *(const struct store_ops **)*state;
	scratch_make(f->folder);
	scratch_path(f->location, f->folder, "log");
	if (f->ops->open(f->location, &f->store, &f->problem) != STATUS_OK) {
		print_error("%s\n", f->problem.text);
		return -1;
	}
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	if (f->store != NULL)
		close_store(f);
	scratch_remove(f->folder);
	free(f);
	return 0;
}

static struct store_row make_row(const char *room, uint64_t rev, const char *text)
{
	struct store_row row = {.rev = rev, .at_ms = 1700000000000 + (int64_t)(rev % 1000)};
	snprintf(row.room, sizeof row.room, "%s", room);
	snprintf(row.text, sizeof row.text, "%s", text);
	return row;
}

/* Appends and expects STATUS_OK for the group and for each row. */
static void append_all(struct fixture *f, const struct store_row *rows, size_t count)
{
	enum status *statuses = test_malloc(count * sizeof *statuses);
	assert_int_equal(f->ops->append(f->store, rows, count, statuses, &f->problem), STATUS_OK);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(statuses[i], STATUS_OK);
	test_free(statuses);
}

struct expectation {
	const struct store_row *rows;
	size_t count;
	size_t seen;
};

static bool expect_row(void *context, const struct store_row *row)
{
	struct expectation *expected = context;
	assert_true(expected->seen < expected->count);
	const struct store_row *wanted = &expected->rows[expected->seen++];
	assert_string_equal(row->room, wanted->room);
	assert_int_equal(row->kind, STORE_EVENT);
	assert_null(row->archive);
	assert_true(row->rev == wanted->rev);
	assert_true(row->at_ms == wanted->at_ms);
	assert_string_equal(row->text, wanted->text);
	return true;
}

static void expect_rows(struct fixture *f, const struct store_row *rows, size_t count)
{
	struct expectation expected = {.rows = rows, .count = count};
	assert_int_equal(f->ops->load(f->store, expect_row, &expected, &f->problem), STATUS_OK);
	assert_int_equal(expected.seen, count);
}

static void test_store__is_empty_when_new(void **state)
{
	expect_rows(*state, NULL, 0);
}

static void test_store__loads_by_room_and_revision(void **state)
{
	struct fixture *f = *state;
	const struct store_row written[] = {make_row("b", 10, "b10"), make_row("aa", 1, "aa1"),
		make_row("b", 9, "b9"), make_row("a", 2, "a2"), make_row("B", 300, "B300")};
	const struct store_row later[] = {make_row("a", 1, "a1")};
	/* Revisions as numbers, rooms as bytes: a capital before every small letter. */
	const struct store_row sorted[] = {
		written[4], later[0], written[3], written[1], written[2], written[0]};
	append_all(f, written, 5);
	append_all(f, later, 1);
	expect_rows(f, sorted, 6);
}

static void test_store__gives_back_every_field_as_it_was(void **state)
{
	struct fixture *f = *state;
	struct store_row rows[] = {make_row("", 0, ""), make_row("odd", 1, "\"'\\;--\n\t\x01%s"),
		make_row("odd", 2, "\xe9\xa7\x92\xe5\x8f\xb0"), make_row("odd", 3, "\xff\xfe\x80"),
		make_row("odd", INT64_MAX, "last"), make_row("z", 7, "")};
	rows[0].at_ms = INT64_MIN;
	rows[1].at_ms = INT64_MAX;
	memset(rows[5].room, 'z', sizeof rows[5].room - 1);
	memset(rows[5].text, 'x', sizeof rows[5].text - 1);
	append_all(f, rows, 6);
	expect_rows(f, rows, 6);
}

static void test_store__keeps_rows_over_close_and_open(void **state)
{
	struct fixture *f = *state;
	const struct store_row rows[] = {make_row("a", 1, "one"), make_row("a", 2, "two")};
	append_all(f, &rows[0], 1);
	close_store(f);
	open_store(f);
	append_all(f, &rows[1], 1);
	close_store(f);
	open_store(f);
	expect_rows(f, rows, 2);
}

static void test_store__reports_a_conflict_and_writes_the_other_rows(void **state)
{
	struct fixture *f = *state;
	enum status statuses[3];
	const struct store_row first[] = {make_row("a", 1, "first")};
	const struct store_row second[] = {
		make_row("a", 2, "a2"), make_row("a", 1, "second"), make_row("b", 1, "b1")};
	const struct store_row kept[] = {first[0], second[0], second[2]};
	append_all(f, first, 1);
	assert_int_equal(f->ops->append(f->store, second, 3, statuses, &f->problem), STATUS_OK);
	assert_int_equal(statuses[0], STATUS_OK);
	assert_int_equal(statuses[1], STATUS_STORE_CONFLICT);
	assert_int_equal(statuses[2], STATUS_OK);
	expect_rows(f, kept, 3);
}

static void test_store__reports_a_conflict_within_one_group(void **state)
{
	struct fixture *f = *state;
	enum status statuses[2];
	const struct store_row rows[] = {make_row("a", 1, "first"), make_row("a", 1, "second")};
	assert_int_equal(f->ops->append(f->store, rows, 2, statuses, &f->problem), STATUS_OK);
	assert_int_equal(statuses[0], STATUS_OK);
	assert_int_equal(statuses[1], STATUS_STORE_CONFLICT);
	expect_rows(f, rows, 1);
}

static void test_store__reports_conflicts_where_nothing_is_new(void **state)
{
	struct fixture *f = *state;
	enum status statuses[2];
	const struct store_row rows[] = {make_row("a", 1, "1"), make_row("a", 2, "2")};
	append_all(f, rows, 2);
	assert_int_equal(f->ops->append(f->store, rows, 2, statuses, &f->problem), STATUS_OK);
	assert_int_equal(statuses[0], STATUS_STORE_CONFLICT);
	assert_int_equal(statuses[1], STATUS_STORE_CONFLICT);
	expect_rows(f, rows, 2);
}

static void test_store__takes_a_group_of_no_rows(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(f->ops->append(f->store, NULL, 0, NULL, &f->problem), STATUS_OK);
	expect_rows(f, NULL, 0);
}

static void test_store__takes_the_largest_group(void **state)
{
	struct fixture *f = *state;
	struct store_row *rows = test_malloc(WRITER_WAITING_MAX * sizeof *rows);
	for (uint64_t i = 0; i < WRITER_WAITING_MAX; i++)
		rows[i] = make_row("a", i + 1, "text");
	append_all(f, rows, WRITER_WAITING_MAX);
	expect_rows(f, rows, WRITER_WAITING_MAX);
	test_free(rows);
}

static struct store_row make_removal(const char *room, const char *archive)
{
	struct store_row row = make_row(room, 0, "");
	row.kind = STORE_REMOVAL;
	row.archive = archive;
	return row;
}

static void test_store__removes_a_room_and_no_other(void **state)
{
	struct fixture *f = *state;
	const struct store_row rows[] = {make_row("a", 1, "1"), make_row("a", 2, "2"),
		make_row("aa", 1, "aa"), make_row("A", 1, "A"), make_row("", 1, "")};
	const struct store_row kept[] = {rows[4], rows[3], rows[2]};
	const struct store_row removal[] = {make_removal("a", NULL)};
	append_all(f, rows, 5);
	append_all(f, removal, 1);
	expect_rows(f, kept, 3);
	close_store(f);
	open_store(f);
	expect_rows(f, kept, 3);
}

static void test_store__removes_in_the_order_of_its_group(void **state)
{
	struct fixture *f = *state;
	const struct store_row rows[] = {make_row("a", 1, "before"), make_row("b", 1, "b"),
		make_removal("a", "kept"), make_row("a", 1, "after"), make_removal("b", "")};
	append_all(f, rows, 5);
	expect_rows(f, &rows[3], 1);
}

static void test_store__reports_a_conflict_where_there_is_no_room_to_remove(void **state)
{
	struct fixture *f = *state;
	enum status statuses[3];
	const struct store_row rows[] = {
		make_removal("a", "kept"), make_row("a", 1, "1"), make_removal("b", NULL)};
	assert_int_equal(f->ops->append(f->store, rows, 3, statuses, &f->problem), STATUS_OK);
	assert_int_equal(statuses[0], STATUS_STORE_CONFLICT);
	assert_int_equal(statuses[1], STATUS_OK);
	assert_int_equal(statuses[2], STATUS_STORE_CONFLICT);
	expect_rows(f, &rows[1], 1);
}

static bool stop_at_two(void *context, const struct store_row *row)
{
	size_t *seen = context;
	(void)row;
	return ++*seen < 2;
}

static void test_store__stops_loading_when_told(void **state)
{
	struct fixture *f = *state;
	size_t seen = 0;
	const struct store_row rows[] = {
		make_row("a", 1, "1"), make_row("a", 2, "2"), make_row("a", 3, "3")};
	append_all(f, rows, 3);
	assert_int_equal(f->ops->load(f->store, stop_at_two, &seen, &f->problem), STATUS_OK);
	assert_int_equal(seen, 2);
	expect_rows(f, rows, 3); /* and the next reading begins at the first row again */
}

/*
 * kill -9. A child writes to a few rooms through a writer, as the server does, and tells through a
 * pipe of every row that was reported as written; at some moment, which may be during `open`, it is
 * killed. Then every row it told of must be there, and each room's revisions without a gap.
 */
enum { KILL_ROUNDS = 20, KILL_ROOMS = 4 };

static void kill_text(char text[STORE_TEXT_BYTES], size_t room, uint64_t rev)
{
	snprintf(text, STORE_TEXT_BYTES, "room %zu row %" PRIu64 " %0*d", room, rev,
		(int)(rev % 900 + 1), 0);
}

static void post(void *context)
{
	sem_post(context);
}

/* The ticket is the revision with the room in its last digit. */
static void tell(
	void *context, void *ticket, enum status status, const struct store_problem *problem)
{
	uintptr_t told = (uintptr_t)ticket;
	(void)problem;
	if (status != STATUS_OK)
		_exit(3);
	if (write(*(int *)context, &told, sizeof told) != sizeof told)
		_exit(4);
}

_Noreturn static void write_until_killed(
	const struct fixture *f, int pipe_end, const uint64_t lasts[KILL_ROOMS])
{
	struct store *store;
	struct store_problem problem;
	struct writer *writer;
	sem_t finished;
	uint64_t revs[KILL_ROOMS];
	memcpy(revs, lasts, sizeof revs);
	if (sem_init(&finished, 0, 0) != 0 ||
		f->ops->open(f->location, &store, &problem) != STATUS_OK ||
		writer_create(f->ops, store, post, &finished, &writer) != STATUS_OK)
		_exit(1);
	for (unsigned turn = 0;; turn++) {
		for (unsigned i = 0; i <= turn % 7; i++) {
			size_t room = (turn + i) % KILL_ROOMS;
			struct store_row row = {.rev = ++revs[room]};
			snprintf(row.room, sizeof row.room, "%zu", room);
			kill_text(row.text, room, row.rev);
			if (!writer_submit(writer, &row, (void *)(row.rev * 10 + room)))
				_exit(2);
		}
		sem_wait(&finished);
		writer_collect(writer, tell, &pipe_end);
	}
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Listens to the child until `deadline`, kills it, and hears the rest of what it told. */
static void listen_and_kill(pid_t child, int pipe_end, int64_t deadline, uint64_t told[KILL_ROOMS])
{
	struct pollfd ready = {.fd = pipe_end, .events = POLLIN};
	uintptr_t ticket;
	int64_t left;
	while ((left = deadline - now_ms()) > 0)
		if (poll(&ready, 1, (int)left) == 1 &&
			read(pipe_end, &ticket, sizeof ticket) == sizeof ticket)
			told[ticket % 10] = ticket / 10;
	kill(child, SIGKILL);
	while (read(pipe_end, &ticket, sizeof ticket) == sizeof ticket)
		told[ticket % 10] = ticket / 10;
}

static bool follow(void *context, const struct store_row *row)
{
	uint64_t *lasts = context;
	char text[STORE_TEXT_BYTES];
	size_t room = (size_t)atoi(row->room);
	assert_true(room < KILL_ROOMS);
	assert_true(row->rev == lasts[room] + 1);
	lasts[room] = row->rev;
	kill_text(text, room, row->rev);
	assert_string_equal(row->text, text);
	return true;
}

static void test_store__loses_no_answered_row_to_kill_9(void **state)
{
	struct fixture *f = *state;
	uint64_t told[KILL_ROOMS] = {0};
	uint64_t lasts[KILL_ROOMS] = {0};
	srand(1);
	for (int round = 0; round < KILL_ROUNDS; round++) {
		int ends[2];
		int status;
		close_store(f);
		assert_int_equal(pipe(ends), 0);
		/* Early rounds die young. */
		int64_t deadline = now_ms() + 1 + rand() % (round < 8 ? 12 : 120);
		pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0)
			write_until_killed(f, ends[1], lasts);
		close(ends[1]);
		listen_and_kill(child, ends[0], deadline, told);
		close(ends[0]);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

		open_store(f);
		memset(lasts, 0, sizeof lasts);
		assert_int_equal(f->ops->load(f->store, follow, lasts, &f->problem), STATUS_OK);
		for (size_t room = 0; room < KILL_ROOMS; room++)
			assert_true(lasts[room] >= told[room]);
	}
	assert_true(told[0] > KILL_ROUNDS); /* the child did get to write */
}

int main(void)
{
	static const struct store_ops *backends[] = {&store_sqlite};
	int failed = 0;
	for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
#define WITH_STORE(f, ops) cmocka_unit_test_prestate_setup_teardown(f, set_up, tear_down, ops)
		const struct CMUnitTest tests[] = {
			WITH_STORE(test_store__is_empty_when_new, &backends[i]),
			WITH_STORE(test_store__loads_by_room_and_revision, &backends[i]),
			WITH_STORE(test_store__gives_back_every_field_as_it_was, &backends[i]),
			WITH_STORE(test_store__keeps_rows_over_close_and_open, &backends[i]),
			WITH_STORE(test_store__reports_a_conflict_and_writes_the_other_rows,
				&backends[i]),
			WITH_STORE(test_store__reports_a_conflict_within_one_group, &backends[i]),
			WITH_STORE(
				test_store__reports_conflicts_where_nothing_is_new, &backends[i]),
			WITH_STORE(test_store__takes_a_group_of_no_rows, &backends[i]),
			WITH_STORE(test_store__takes_the_largest_group, &backends[i]),
			WITH_STORE(test_store__removes_a_room_and_no_other, &backends[i]),
			WITH_STORE(test_store__removes_in_the_order_of_its_group, &backends[i]),
			WITH_STORE(test_store__reports_a_conflict_where_there_is_no_room_to_remove,
				&backends[i]),
			WITH_STORE(test_store__stops_loading_when_told, &backends[i]),
			WITH_STORE(test_store__loses_no_answered_row_to_kill_9, &backends[i]),
		};
		failed += cmocka_run_group_tests(tests, NULL, NULL);
	}
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
