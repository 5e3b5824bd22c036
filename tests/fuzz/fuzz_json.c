/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/record.h"
#include "shogi/shogi.h"

/*
 * Bytes as a record in JSON, in either encoding: refused with a place in them, or read into a sheet
 * that is written and read again as the same text. Every other format writes that sheet too, in
 * either encoding, and reads what it wrote.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fuzz_json: %s\n", what);
	abort();
}

static struct game_sheet *read(const char *format, const char *bytes, size_t length)
{
	struct text_error error = {STATUS_OK, 0, 0};
	struct game_sheet *sheet = NULL;
	enum status status = record_read(&mini_shogi, NULL, format, bytes, length, &error, &sheet);

	if (status != STATUS_OK)
		require(!sheet && error.status == status && error.line >= 1 &&
				error.line <= length + 1 && error.column >= 1 &&
				error.column <= length + 1,
			"an error without its place");
	return sheet;
}

static struct record_bytes write(
	const struct game_sheet *sheet, const char *format, enum record_encoding encoding)
{
	struct record_bytes bytes = {NULL, 0};
	struct text_error error;
	enum status status = record_write(sheet, format, encoding, &error, &bytes);

	require(status == STATUS_OK ||
			(status == STATUS_TEXT_NO_CODE && encoding == RECORD_SHIFT_JIS),
		"a sheet cannot be written");
	return bytes;
}

static void check_json(const struct game_sheet *sheet)
{
	struct record_bytes once = write(sheet, "json", RECORD_UTF8);
	struct game_sheet *again = read("json", once.data, once.length);
	struct record_bytes twice;

	require(again != NULL, "what was written cannot be read");
	twice = write(again, "json", RECORD_UTF8);
	require(strcmp(once.data, twice.data) == 0, "the text changed on its way");
	game_sheet_destroy(again);
	free(once.data);
	free(twice.data);
}

static void check_format(const struct game_sheet *sheet, const char *format)
{
	for (int encoding = RECORD_UTF8; encoding <= RECORD_SHIFT_JIS; encoding++) {
		struct record_bytes bytes = write(sheet, format, (enum record_encoding)encoding);
		struct game_sheet *again =
			bytes.data ? read(format, bytes.data, bytes.length) : NULL;

		require(!bytes.data || again, "what was written cannot be read");
		game_sheet_destroy(again);
		free(bytes.data);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1); /* exact, for the sanitizer */
	struct game_sheet *sheet;

	require(copy != NULL, "no memory");
	if (size)
		memcpy(copy, data, size);
	sheet = read("json", copy, size);
	free(copy);
	if (!sheet)
		return 0;
	check_json(sheet);
	for (size_t i = 0; record_format_name(&mini_shogi, i); i++)
		check_format(sheet, record_format_name(&mini_shogi, i));
	game_sheet_destroy(sheet);
	return 0;
}
