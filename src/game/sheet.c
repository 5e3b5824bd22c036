/* SPDX-License-Identifier: MIT */
#include "game/sheet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/utf8.h"

/* What stands beside one position, and beside the ply that led to it. */
struct note {
	char *comment; /* NULL: none */
	size_t length; /* of the comment, its final zero left out */
	size_t capacity;
	int64_t time;
};

struct header {
	char *name;
	char *value;
};

/* `notes[ply]` belongs to the position after `ply` plies: always one more than plies are used. */
struct game_sheet {
	struct game_line *line;
	struct header *headers;
	size_t header_count;
	size_t header_capacity;
	struct note *notes;
	size_t note_capacity;
	size_t notes_bytes; /* of all names, values and comments, against GAME_SHEET_NOTES_MAX */
	enum game_sheet_end end;
};

static const struct note empty_note = {NULL, 0, 0, -1};

/* An array of `*capacity` items of `size` bytes, grown until it holds `count`; NULL: no memory. */
static void *grow(void *items, size_t *capacity, size_t count, size_t size)
{
	size_t wanted = *capacity ? *capacity : 16;
	void *grown;

	if (count <= *capacity)
		return items;
	while (wanted < count)
		wanted *= 2;
	grown = realloc(items, wanted * size);
	if (grown)
		*capacity = wanted;
	return grown;
}

static enum status notes_reserve(struct game_sheet *sheet, size_t count)
{
	struct note *notes =
		grow(sheet->notes, &sheet->note_capacity, count, sizeof(*sheet->notes));

	if (!notes)
		return STATUS_NO_MEMORY;
	sheet->notes = notes;
	return STATUS_OK;
}

/* A sheet without a line: the caller makes it. */
static struct game_sheet *sheet_allocate(void)
{
	struct game_sheet *sheet = calloc(1, sizeof(*sheet));

	if (!sheet)
		return NULL;
	if (notes_reserve(sheet, 1) != STATUS_OK) {
		free(sheet);
		return NULL;
	}
	sheet->notes[0] = empty_note;
	return sheet;
}

enum status game_sheet_create(
	const struct game_ops *ops, const char *ruleset, struct game_sheet **sheet)
{
	struct game_sheet *made = sheet_allocate();
	enum status status;

	if (!made)
		return STATUS_NO_MEMORY;
	status = game_line_create(ops, ruleset, &made->line);
	if (status != STATUS_OK) {
		game_sheet_destroy(made);
		return status;
	}
	*sheet = made;
	return STATUS_OK;
}

enum status game_sheet_setup(const struct game_ops *ops, const char *ruleset, const char *text,
	size_t length, struct text_error *error, struct game_sheet **sheet)
{
	struct game_sheet *made = sheet_allocate();
	enum status status;

	if (!made) {
		*error = (struct text_error){STATUS_NO_MEMORY, 1, 1};
		return STATUS_NO_MEMORY;
	}
	status = game_line_setup(ops, ruleset, text, length, error, &made->line);
	if (status != STATUS_OK) {
		game_sheet_destroy(made);
		return status;
	}
	*sheet = made;
	return STATUS_OK;
}

void game_sheet_destroy(struct game_sheet *sheet)
{
	if (!sheet)
		return;
	for (size_t i = 0; i < sheet->header_count; i++) {
		free(sheet->headers[i].name);
		free(sheet->headers[i].value);
	}
	free(sheet->headers);
	for (size_t ply = 0; sheet->line && ply <= game_line_plies(sheet->line); ply++)
		free(sheet->notes[ply].comment);
	free(sheet->notes);
	game_line_destroy(sheet->line);
	free(sheet);
}

enum status game_sheet_play(struct game_sheet *sheet, struct game_action action)
{
	size_t plies = game_line_plies(sheet->line);
	enum status status = notes_reserve(sheet, plies + 2);

	if (status == STATUS_OK)
		status = game_line_play(sheet->line, action);
	if (status == STATUS_OK)
		sheet->notes[plies + 1] = empty_note;
	return status;
}

bool game_sheet_undo(struct game_sheet *sheet)
{
	struct note *note = &sheet->notes[game_line_plies(sheet->line)];

	if (!game_line_undo(sheet->line))
		return false;
	sheet->notes_bytes -= note->length;
	free(note->comment);
	*note = empty_note;
	sheet->end = GAME_SHEET_OPEN;
	return true;
}

const struct game_line *game_sheet_line(const struct game_sheet *sheet)
{
	return sheet->line;
}

static bool notes_have_room(const struct game_sheet *sheet, size_t more)
{
	return more <= GAME_SHEET_NOTES_MAX - sheet->notes_bytes;
}

static char *copy_text(const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = 0;
	return copy;
}

static struct header *find_header(
	const struct game_sheet *sheet, const char *name, size_t name_length)
{
	for (size_t i = 0; i < sheet->header_count; i++) {
		const char *known = sheet->headers[i].name;

		if (strlen(known) == name_length && memcmp(known, name, name_length) == 0)
			return &sheet->headers[i];
	}
	return NULL;
}

/* Adds a header whose texts the sheet owns from then on. */
static enum status add_header(struct game_sheet *sheet, char *name, char *value)
{
	struct header *headers = grow(
		sheet->headers, &sheet->header_capacity, sheet->header_count + 1, sizeof(*headers));

	if (!headers)
		return STATUS_NO_MEMORY;
	sheet->headers = headers;
	headers[sheet->header_count++] = (struct header){name, value};
	return STATUS_OK;
}

enum status game_sheet_set_header(struct game_sheet *sheet, const char *name, size_t name_length,
	const char *value, size_t value_length)
{
	struct header *known = find_header(sheet, name, name_length);
	size_t before = known ? strlen(known->value) : 0;
	size_t bytes = known ? value_length : name_length + value_length;
	enum status status = STATUS_NO_MEMORY;
	char *new_value = NULL;
	char *new_name = NULL;

	if (bytes > before && !notes_have_room(sheet, bytes - before))
		return STATUS_TEXT_TOO_LONG;
	if (!known && sheet->header_count == GAME_SHEET_HEADERS_MAX)
		return STATUS_TEXT_TOO_LONG;
	new_value = copy_text(value, value_length);
	if (!new_value)
		goto fail;
	if (known) {
		free(known->value);
		known->value = new_value;
	} else {
		new_name = copy_text(name, name_length);
		if (!new_name)
			goto fail;
		status = add_header(sheet, new_name, new_value);
		if (status != STATUS_OK)
			goto fail;
	}
	sheet->notes_bytes += bytes;
	sheet->notes_bytes -= before;
	return STATUS_OK;
fail:
	free(new_name);
	free(new_value);
	return status;
}

enum status game_sheet_add_header(struct game_sheet *sheet, const char *name, size_t name_length,
	const char *value, size_t value_length)
{
	if (find_header(sheet, name, name_length))
		return STATUS_SHEET_HEADER_TWICE;
	return game_sheet_set_header(sheet, name, name_length, value, value_length);
}

size_t game_sheet_header_count(const struct game_sheet *sheet)
{
	return sheet->header_count;
}

struct game_header game_sheet_header(const struct game_sheet *sheet, size_t index)
{
	assert(index < sheet->header_count);
	return (struct game_header){sheet->headers[index].name, sheet->headers[index].value};
}

const char *game_sheet_header_value(const struct game_sheet *sheet, const char *name)
{
	const struct header *known = find_header(sheet, name, strlen(name));

	return known ? known->value : NULL;
}

/* `text` lies outside the comment, which moves as it grows. */
static enum status append_comment(struct note *note, const char *text, size_t length)
{
	bool first = !note->comment;
	size_t bytes = first ? length : length + 1;
	char *comment = grow(note->comment, &note->capacity, note->length + bytes + 1, 1);

	if (!comment)
		return STATUS_NO_MEMORY;
	note->comment = comment;
	if (!first)
		comment[note->length++] = '\n';
	memcpy(comment + note->length, text, length);
	note->length += length;
	comment[note->length] = 0;
	return STATUS_OK;
}

enum status game_sheet_add_comment(struct game_sheet *sheet, const char *text, size_t length)
{
	struct note *note = &sheet->notes[game_line_plies(sheet->line)];
	size_t before = note->length;
	enum status status;
	char *copy;

	if (!notes_have_room(sheet, note->comment ? length + 1 : length))
		return STATUS_TEXT_TOO_LONG;
	copy = copy_text(text, length);
	if (!copy)
		return STATUS_NO_MEMORY;
	status = append_comment(note, copy, length);
	free(copy);
	sheet->notes_bytes += note->length - before;
	return status;
}

const char *game_sheet_comment(const struct game_sheet *sheet, size_t ply)
{
	assert(ply <= game_line_plies(sheet->line));
	return sheet->notes[ply].comment;
}

void game_sheet_set_time(struct game_sheet *sheet, int64_t milliseconds)
{
	assert(game_line_plies(sheet->line) > 0 && milliseconds >= 0);
	sheet->notes[game_line_plies(sheet->line)].time = milliseconds;
}

int64_t game_sheet_time(const struct game_sheet *sheet, size_t ply)
{
	assert(ply < game_line_plies(sheet->line));
	return sheet->notes[ply + 1].time;
}

void game_sheet_set_end(struct game_sheet *sheet, enum game_sheet_end end)
{
	sheet->end = end;
}

enum game_sheet_end game_sheet_end(const struct game_sheet *sheet)
{
	return sheet->end;
}

static const char *const end_names[] = {
	[GAME_SHEET_OPEN] = NULL,
	[GAME_SHEET_INTERRUPTED] = "interrupted",
	[GAME_SHEET_TIME_UP] = "time-up",
	[GAME_SHEET_ILLEGAL_MOVE] = "illegal-move",
	[GAME_SHEET_ILLEGAL_BEFORE] = "illegal-before",
	[GAME_SHEET_DRAW] = "draw",
	[GAME_SHEET_REPETITION] = "repetition",
	[GAME_SHEET_DECLARED_WIN] = "declared-win",
	[GAME_SHEET_WIN] = "win",
	[GAME_SHEET_MATE] = "mate",
};

enum { END_COUNT = sizeof(end_names) / sizeof(end_names[0]) };

const char *game_sheet_end_name(enum game_sheet_end end)
{
	assert((size_t)end < END_COUNT);
	return end_names[end];
}

bool game_sheet_end_find(const char *name, enum game_sheet_end *end)
{
	for (int i = GAME_SHEET_OPEN + 1; i < END_COUNT; i++) {
		if (strcmp(end_names[i], name) == 0) {
			*end = (enum game_sheet_end)i;
			return true;
		}
	}
	return false;
}

const struct game_format *game_format_find(const struct game_ops *ops, const char *name)
{
	for (const struct game_format *const *format = ops->formats; *format; format++) {
		if (strcmp((*format)->name, name) == 0)
			return *format;
	}
	return NULL;
}

enum status game_sheet_read(const struct game_ops *ops, const struct game_format *format,
	const char *ruleset, const char *text, size_t length, struct text_error *error,
	struct game_sheet **sheet)
{
	size_t mark = utf8_mark_length(text, length);
	struct game_state state;
	struct game_record record;
	enum status status;
	size_t valid;

	text += mark;
	length -= mark;
	valid = utf8_valid_prefix(text, length);
	if (valid < length)
		return reader_fail_at(text, length, valid,
			text[valid] ? STATUS_TEXT_ENCODING : STATUS_TEXT_ZERO, error);
	status = ops->start(ruleset, &state, &record);
	if (status != STATUS_OK) {
		*error = (struct text_error){status, 1, 1};
		return status;
	}
	return format->read(ruleset, text, length, error, sheet);
}
