/* SPDX-License-Identifier: MIT */
#pragma once

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "game/line.h"

/*
 * What the subcommands of `komadai` share. Each is one function in one file, takes its own
 * arguments (argv[0] is the subcommand's name) and returns the exit status. Answers go to standard
 * output, messages to standard error.
 */
enum { CLI_DONE = 0, CLI_REFUSED = 1, CLI_USAGE = 2 };

int command_bench(int argc, char **argv);
int command_boxes(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_legal(int argc, char **argv);
int command_perft(int argc, char **argv);
int command_play(int argc, char **argv);
int command_rooms(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_verdict(int argc, char **argv);

/* Every game there is, NULL at the end. */
extern const struct game_ops *const cli_games[];

/* The file of the rooms where no other is named. */
extern const char cli_data_default[];

/* The game, ruleset and position that several subcommands are asked about. */
struct cli_position {
	const char *game;
	const char *rules; /* NULL: the default */
	const char *sfen;  /* NULL: the start */
	const char *rows;  /* of an empty grid instead, for a game that has sizes; NULL: none */
	const char *columns;
};

/* The options that name a position, as the first rows of a table for getopt_long. */
#define CLI_POSITION_OPTIONS \
	{"game", required_argument, NULL, 'g'}, {"rules", required_argument, NULL, 'r'}, \
		{"sfen", required_argument, NULL, 's'}, {"rows", required_argument, NULL, 'R'}, \
	{ \
		"cols", required_argument, NULL, 'C' \
	}

/* Takes the value of one of these options; false: `option` is none of them. */
bool cli_take_position(int option, const char *value, struct cli_position *position);

/*
 * Finds the game, or sees whether it has the ruleset (NULL: the default). What there is not is
 * said, with what there is, and the exit status returned.
 */
int cli_find_game(const char *command, const char *name, const struct game_ops **ops);
int cli_check_rules(const char *command, const struct game_ops *ops, const char *rules);

/* Makes the line, or says on standard error what is wrong and returns the exit status for it. */
int cli_make_line(
	const char *command, const struct cli_position *position, struct game_line **line);

/* Says "komadai COMMAND: MESSAGE" and the next step; returns CLI_USAGE. NULL: no command. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

/* The same for an option that getopt has just stumbled over. */
int cli_usage_option(const char *command, char **argv);

/* Says "komadai COMMAND: MESSAGE"; returns CLI_REFUSED. */
__attribute__((format(printf, 2, 3))) int cli_refuse(const char *command, const char *format, ...);

/* Says "FILE:LINE:COLUMN: SENTENCE."; returns CLI_REFUSED. */
int cli_refuse_text(const char *file, const struct text_error *error);

/* The same of a phrase, which begins with a small letter and has no final stop. */
int cli_refuse_at(const char *file, uint32_t line, uint32_t column, const char *phrase);

/* Reads a whole number in the range; false when it is none. */
bool cli_read_number(const char *text, long low, long high, long *number);

/* Flushes standard output: what could not be written must not pass for done. */
int cli_finish(const char *command);
