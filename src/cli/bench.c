/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "engine/engine.h"

/*
 * The signature of the search: nodes over fixed positions at a fixed depth. It is the same on every
 * machine, so a commit that changes it has changed what the engine plays, meant or not.
 */
enum { BENCH_DEPTH = 6 };

static const char *const positions[] = {
	"rbsgk/4p/5/P4/KGSBR b - 1",
	"rbsgk/p4/5/4P/KGSBR b - 1",
	"r2gk/b2sp/5/PG3/K1S1R b b 5",
	"1bsgk/4p/r4/P4/KGSBR b - 3",
	"4k/1s2B/3pR/1K3/1GSB1 b GPr 21",
	"2g1p/4k/1+S1p1/Gbr2/KB1S1 b r 51",
	"3gk/5/P1sbp/4B/K1SGR b R 17",
	"1r1gk/4p/1S3/PKS1b/3BR w g 12",
};

static int search_all(struct engine *engine, uint64_t *nodes)
{
	static const struct engine_limits limits = {.depth = BENCH_DEPTH};
	static const struct engine_host host = {0};

	for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
		const struct engine_text text = {
			.setup = positions[i], .setup_length = strlen(positions[i])};
		const char *at;
		enum status status = engine_set_text(engine, &text, &at);

		if (status != STATUS_OK)
			return cli_refuse("bench", "%s: %s", positions[i], status_text(status));
		*nodes += engine_search(engine, &limits, &host).nodes;
	}
	return CLI_DONE;
}

int command_bench(int argc, char **argv)
{
	struct engine *engine;
	uint64_t nodes = 0;
	enum status status;
	int result;

	if (argc > 1)
		return cli_usage("bench", "unexpected argument \"%s\"", argv[1]);
	status = engine_create(&engine);
	if (status != STATUS_OK)
		return cli_refuse("bench", "%s", status_text(status));
	result = search_all(engine, &nodes);
	engine_destroy(engine);
	if (result != CLI_DONE)
		return result;
	printf("mini-shogi: %" PRIu64 "\n", nodes);
	return cli_finish("bench");
}
