/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim.h"

/* The program: one seed with its story, or many, or the whole suite as TAP. */

static const char usage[] =
	"usage: sim --seed SEED [--trace] [--break FAULT]\n"
	"       sim --seeds FIRST COUNT [--jobs JOBS] [--break FAULT]\n"
	"       sim --suite COUNT [--jobs JOBS]\n"
	"\n"
	"One seed, the seeds from FIRST on, or the suite: COUNT seeds, then each fault that\n"
	"the checks must find. Status 1: something was found.\n";

enum { BLOCKS = 20, FIRST_SEED = 1 };

struct options {
	uint64_t first;
	uint64_t count;
	unsigned jobs;
	enum breakage breakage;
	bool one;
	bool suite;
	bool tracing;
};

/* What came of one seed. */
struct outcome {
	bool failed;
	uint64_t hash;
	char check[CHECK_BYTES];
	char message[MESSAGE_BYTES];
};

static char folder[] = "/tmp/komadai-sim-XXXXXX";
static char location[64];

/* The empty file that the store finds at its address; SQLite looks at disk.h instead. */
static bool make_location(void)
{
	FILE *file;

	if (!mkdtemp(folder))
		return false;
	snprintf(location, sizeof(location), "%s/rooms", folder);
	file = fopen(location, "w");
	return file && fclose(file) == 0;
}

static void remove_location(void)
{
	char lock[80];

	snprintf(lock, sizeof(lock), "%s-lock", location);
	unlink(lock);
	unlink(location);
	rmdir(folder);
}

static struct outcome run_seed(uint64_t seed, enum breakage breakage, bool tracing)
{
	struct sim *sim = calloc(1, sizeof(*sim));
	struct outcome outcome;

	if (!sim)
		abort();
	sim->seed = seed;
	sim->breakage = breakage;
	sim->tracing = tracing;
	sim_run(sim, location);
	outcome = (struct outcome){.failed = sim->failed, .hash = sim->hash};
	strcpy(outcome.check, sim->check);
	strcpy(outcome.message, sim->message);
	sim_release(sim);
	free(sim);
	return outcome;
}

static void print_failure(
	FILE *file, uint64_t seed, enum breakage breakage, const struct outcome *outcome)
{
	fprintf(file, "seed %" PRIu64 " failed: %s: %s\n", seed, outcome->check, outcome->message);
	fprintf(file, "again: sim --seed %" PRIu64 " --trace%s%s\n", seed,
		breakage ? " --break " : "", breakage ? breakage_names[breakage].name : "");
}

/* The seeds from `first` on, by `step`; returns how many failed. */
static uint64_t run_seeds(uint64_t first, uint64_t count, uint64_t step, enum breakage breakage)
{
	uint64_t failed = 0;

	for (uint64_t i = 0; i < count; i += step) {
		struct outcome outcome = run_seed(first + i, breakage, false);

		if (outcome.failed && failed++ < 10)
			print_failure(stderr, first + i, breakage, &outcome);
	}
	return failed;
}

/* The same by several processes, each with a file of its own. */
static bool run_jobs(const struct options *options, uint64_t first, uint64_t count)
{
	bool good = true;
	int status;

	fflush(stdout);
	for (unsigned job = 0; job < options->jobs; job++) {
		pid_t child = fork();

		if (child < 0)
			abort();
		if (child == 0) {
			uint64_t failed;

			strcpy(folder, "/tmp/komadai-sim-XXXXXX");
			if (!make_location())
				abort();
			failed = count > job ? run_seeds(first + job, count - job, options->jobs,
						       options->breakage)
					     : 0;
			remove_location();
			exit(failed > 0); /* not _exit: the sanitizers look for leaks */
		}
	}
	while (wait(&status) > 0)
		good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return good;
}

static bool point(bool good, const char *name)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	fflush(stdout);
	return good;
}

/* A fault is found within so many seeds, by its check; others may find it sooner. */
static bool finds(enum breakage breakage)
{
	const struct breakage_name *name = &breakage_names[breakage];
	char text[128];

	for (unsigned seed = FIRST_SEED; seed < FIRST_SEED + name->seeds; seed++) {
		struct outcome outcome = run_seed(seed, breakage, false);

		if (!outcome.failed || strcmp(outcome.check, name->check) != 0)
			continue;
		snprintf(text, sizeof(text), "the fault %s is found by the check %s", name->name,
			name->check);
		fprintf(stderr, "%s: seed %u: %s\n", name->name, seed, outcome.message);
		return point(true, text);
	}
	snprintf(text, sizeof(text), "the fault %s is found by the check %s within %u seeds",
		name->name, name->check, name->seeds);
	return point(false, text);
}

static bool replays(void)
{
	bool good = true;

	for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 25; seed++) {
		struct outcome once = run_seed(seed, BREAK_NOTHING, false);
		struct outcome again = run_seed(seed, BREAK_NOTHING, false);

		good = good && once.hash == again.hash &&
		       once.hash != run_seed(seed + 1, BREAK_NOTHING, false).hash;
	}
	return point(good, "a seed replays exactly, and another does not");
}

/* A failing run too: its message, to the letter. */
static bool failures_replay(void)
{
	bool good = true;

	for (enum breakage i = BREAK_NOTHING + 1; i < BREAKAGES; i++) {
		struct outcome once = run_seed(FIRST_SEED, i, false);
		struct outcome again = run_seed(FIRST_SEED, i, false);

		good = good && once.failed == again.failed && once.hash == again.hash &&
		       strcmp(once.message, again.message) == 0;
	}
	return point(good, "a failure replays exactly");
}

static bool run_suite(const struct options *options)
{
	bool good = replays();

	good = failures_replay() && good;
	for (enum breakage i = BREAK_NOTHING + 1; i < BREAKAGES; i++)
		good = finds(i) && good;
	for (uint64_t block = 0; block < BLOCKS; block++) {
		uint64_t from = options->count * block / BLOCKS;
		uint64_t count = options->count * (block + 1) / BLOCKS - from;
		char text[80];

		snprintf(text, sizeof(text), "seeds %" PRIu64 " to %" PRIu64, FIRST_SEED + from,
			FIRST_SEED + from + count - 1);
		good = point(run_jobs(options, FIRST_SEED + from, count), text) && good;
	}
	return good;
}

static bool run_one(const struct options *options)
{
	struct outcome outcome = run_seed(options->first, options->breakage, options->tracing);

	if (outcome.failed)
		print_failure(stdout, options->first, options->breakage, &outcome);
	printf("seed %" PRIu64 ": %s, hash %016" PRIx64 "\n", options->first,
		outcome.failed ? "failed" : "passed", outcome.hash);
	return !outcome.failed;
}

static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 10);
	return end != text && !*end;
}

static bool read_options(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {{"seed", required_argument, NULL, 's'},
		{"seeds", required_argument, NULL, 'S'}, {"suite", required_argument, NULL, 'u'},
		{"jobs", required_argument, NULL, 'j'}, {"break", required_argument, NULL, 'b'},
		{"trace", no_argument, NULL, 't'}, {NULL, 0, NULL, 0}};
	uint64_t jobs = 1;
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		bool good = option != '?';

		if (option == 's' || option == 'S')
			good = read_number(optarg, &options->first);
		if (option == 'S')
			good = good && optind < argc &&
			       read_number(argv[optind++], &options->count);
		if (option == 'u')
			good = read_number(optarg, &options->count);
		if (option == 'j')
			good = read_number(optarg, &jobs) && jobs >= 1 && jobs <= 256;
		if (option == 'b')
			good = breakage_find(optarg, &options->breakage);
		options->one = options->one || option == 's';
		options->suite = options->suite || option == 'u';
		options->tracing = options->tracing || option == 't';
		if (!good)
			return false;
	}
	options->jobs = (unsigned)jobs;
	return optind == argc && (options->one || options->count > 0);
}

int main(int argc, char **argv)
{
	struct options options = {.jobs = 1};
	bool good;

	if (!read_options(argc, argv, &options)) {
		fputs(usage, stderr);
		return 2;
	}
	if (!make_location()) {
		fputs("sim: there is no place for a file in /tmp\n", stderr);
		return 2;
	}
	machine_prepare();
	server_prepare();
	if (options.suite)
		good = run_suite(&options);
	else if (options.one)
		good = run_one(&options);
	else
		good = run_jobs(&options, options.first, options.count);
	remove_location();
	return good ? 0 : 1;
}
