/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/record.h"
#include "cli/cli.h"

struct convert_options {
	const char *game;
	const char *rules;
	const char *from;
	const char *to;
	enum record_encoding encoding;
	const char *file; /* "-": standard input */
};

static bool read_encoding(const char *name, enum record_encoding *encoding)
{
	if (strcmp(name, "utf-8") == 0)
		*encoding = RECORD_UTF8;
	else if (strcmp(name, "shift_jis") == 0)
		*encoding = RECORD_SHIFT_JIS;
	else
		return false;
	return true;
}

/* Takes one option; false: `option` is none of these. */
static bool take_option(int option, const char *value, struct convert_options *options)
{
	if (option == 'g')
		options->game = value;
	else if (option == 'r')
		options->rules = value;
	else if (option == 'f')
		options->from = value;
	else if (option == 't')
		options->to = value;
	else
		return false;
	return true;
}

static int read_options(int argc, char **argv, struct convert_options *options)
{
	static const struct option known[] = {
		{"game", required_argument, NULL, 'g'},
		{"rules", required_argument, NULL, 'r'},
		{"from", required_argument, NULL, 'f'},
		{"to", required_argument, NULL, 't'},
		{"encoding", required_argument, NULL, 'e'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'e') {
			if (!read_encoding(optarg, &options->encoding))
				return cli_usage("convert",
					"--encoding must be utf-8 or shift_jis, not \"%.40s\"",
					optarg);
		} else if (!take_option(option, optarg, options)) {
			return cli_usage_option("convert", argv);
		}
	}
	if (optind < argc)
		options->file = argv[optind++];
	if (optind < argc)
		return cli_usage("convert", "unexpected argument \"%s\"", argv[optind]);
	return CLI_DONE;
}

static int check_format(const char *option, const struct game_ops *ops, const char *format)
{
	char buffer[256];
	struct text names;

	if (format && record_format_exists(ops, format))
		return CLI_DONE;
	text_init(&names, buffer, sizeof(buffer));
	for (size_t i = 0; record_format_name(ops, i); i++) {
		text_add_char(&names, ' ');
		text_add(&names, record_format_name(ops, i));
	}
	if (format)
		return cli_usage("convert", "%s has no format \"%.40s\"; there are:%s", ops->name,
			format, buffer);
	return cli_usage("convert", "%s is missing; there are:%s", option, buffer);
}

/* All bytes of the file, or one more than a record has. */
static int read_file(const char *file, char *bytes, size_t *length)
{
	bool standard = strcmp(file, "-") == 0;
	FILE *in = standard ? stdin : fopen(file, "rb");
	int result = CLI_DONE;

	if (!in)
		return cli_refuse("convert", "%s: %s", file, strerror(errno));
	*length = fread(bytes, 1, ENCODING_BYTES_MAX + 1, in);
	if (ferror(in))
		result = cli_refuse(
			"convert", "%s: %s", standard ? "standard input" : file, strerror(errno));
	if (!standard)
		fclose(in);
	return result;
}

static int read_sheet(const struct convert_options *options, const struct game_ops *ops,
	struct game_sheet **sheet)
{
	char *bytes = malloc(ENCODING_BYTES_MAX + 1);
	struct text_error error;
	size_t length = 0;
	int result;

	if (!bytes)
		return cli_refuse("convert", "%s", status_text(STATUS_NO_MEMORY));
	result = read_file(options->file, bytes, &length);
	if (result == CLI_DONE && record_read(ops, options->rules, options->from, bytes, length,
					  &error, sheet) != STATUS_OK)
		result = cli_refuse_text(options->file, &error);
	free(bytes);
	return result;
}

static int write_sheet(const struct convert_options *options, const struct game_sheet *sheet)
{
	struct text_error error;
	struct record_bytes bytes;

	if (record_write(sheet, options->to, options->encoding, &error, &bytes) != STATUS_OK)
		return cli_refuse("convert", "line %u, column %u of the result: %s", error.line,
			error.column, status_text(error.status));
	fwrite(bytes.data, 1, bytes.length, stdout);
	free(bytes.data);
	return cli_finish("convert");
}

int command_convert(int argc, char **argv)
{
	struct convert_options options = {.encoding = RECORD_UTF8, .file = "-"};
	const struct game_ops *ops;
	struct game_sheet *sheet;
	int result = read_options(argc, argv, &options);

	if (result == CLI_DONE)
		result = cli_find_game("convert", options.game, &ops);
	if (result == CLI_DONE)
		result = cli_check_rules("convert", ops, options.rules);
	if (result == CLI_DONE)
		result = check_format("--from", ops, options.from);
	if (result == CLI_DONE)
		result = check_format("--to", ops, options.to);
	if (result == CLI_DONE)
		result = read_sheet(&options, ops, &sheet);
	if (result != CLI_DONE)
		return result;
	result = write_sheet(&options, sheet);
	game_sheet_destroy(sheet);
	return result;
}
