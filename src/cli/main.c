/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>

#include "api/record.h"
#include "cli/cli.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage;
} commands[] = {
	{"serve", command_serve,
		"[--listen ADDRESS:PORT] [--data FILE] [--public-url URL] [--proxy ADDRESS]... "
		"[--metrics ADDRESS:PORT] [--web DIR] [--rooms-max N] [--request-seconds N] "
		"[--present-seconds N] [--absence-seconds N] [--room-days N] "
		"[--requests-per-second N] [--rooms-per-minute N] [--connections-per-address N] "
		"[--commands-per-second N]"},
	{"play", command_play, "[--game G] [--seat FILE] [--cacert FILE] [--timeout SECONDS] URL"},
	{"perft", command_perft,
		"--game G [--rules R] [--sfen S | --rows N --cols N] --depth N [--split] "
		"[--no-bulk]"},
	{"legal", command_legal, "--game G [--rules R] [--sfen S | --rows N --cols N]"},
	{"verdict", command_verdict,
		"--game G [--rules R] [--sfen S | --rows N --cols N] --moves \"M M …\""},
	{"convert", command_convert,
		"--game G [--rules R] --from F --to F [--encoding utf-8|shift_jis] [FILE]"},
	{"boxes", command_boxes,
		"value|analyse|solve|choose|match --rows N --cols N [--bits B] [--threads N] "
		"[--memory MIB] [--time MS] [--nodes N] [--value-only] [--checkpoint FILE] "
		"[--interval SECONDS] [--level L] [--against L] [--games N] [--seed N]"},
	{"rooms", command_rooms, "check|export|import|backup [--data FILE] [--room ID] [FILE]"},
	{"bench", command_bench, ""},
};

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

static void print_usage(FILE *out)
{
	fputs("Komadai, small strategy games: referee, rooms and rules.\n\n", out);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  komadai %s %s\n", commands[i].name, commands[i].usage);
	fputs("  komadai help\n\nGames (G), their rulesets (R), the default first, and formats "
	      "(F):\n",
		out);
	for (const struct game_ops *const *game = cli_games; *game; game++) {
		fprintf(out, "  %s:", (*game)->name);
		for (const char *const *rules = (*game)->rulesets; *rules; rules++)
			fprintf(out, " %s", *rules);
		fputs("; formats:", out);
		for (size_t i = 0; record_format_name(*game, i); i++)
			fprintf(out, " %s", record_format_name(*game, i));
		fputc('\n', out);
	}
	fputs("\nExit status: 0 done, 1 refused or the answer is no, 2 wrong usage.\n", out);
}

int main(int argc, char **argv)
{
	/* A reader that went away is told as any answer that could not be written. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		print_usage(stderr);
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0) {
		print_usage(stdout);
		return cli_finish("help");
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("komadai " KOMADAI_VERSION);
		return cli_finish("--version");
	}
	if (argc == 3 && strcmp(argv[2], "--help") == 0) {
		print_usage(stdout);
		return cli_finish("help");
	}
	opterr = 0; /* the subcommands say themselves what is wrong */
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	return cli_usage(NULL, "there is no command \"%.40s\"", argv[1]);
}
