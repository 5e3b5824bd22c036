/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "room/room.h"

/*
 * The reader walks once over the text and remembers its first fault: after one, every step does
 * nothing, so that the code below says what a line holds and `room_event_read` looks once, at the
 * end.
 */
struct reader {
	const char *text;
	size_t length;
	size_t at;
	enum status status;
	size_t fault; /* the offset to complain about, once `status` is not STATUS_OK */
};

struct word {
	const char *start;
	size_t length;
	size_t offset;
};

static const char *const kind_words[] = {
	[ROOM_CREATED] = "created",
	[ROOM_JOINED] = "joined",
	[ROOM_PLAYED] = "played",
	[ROOM_SET] = "set",
	[ROOM_ASKED] = "asked",
	[ROOM_ACCEPTED] = "accepted",
	[ROOM_REFUSED] = "refused",
	[ROOM_WITHDRAWN] = "withdrawn",
	[ROOM_EXPIRED] = "expired",
	[ROOM_LEFT] = "left",
	[ROOM_INVITED] = "invited",
	[ROOM_ABANDONED] = "abandoned",
};

static const char *const seat_words[] = {
	[ROOM_HOST] = "host",
	[ROOM_GUEST] = "guest",
};

static const char *const request_words[] = {
	[ROOM_UNDO] = "undo",
	[ROOM_NEW_GAME] = "new-game",
};

const char *room_seat_word(enum room_seat seat)
{
	return seat_words[seat];
}

const char *room_request_word(enum room_request request)
{
	return request_words[request];
}

static void add_hash(struct text *text, const struct room_hash *hash)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < ROOM_HASH_BYTES; i++) {
		text_add_char(text, digits[hash->bytes[i] >> 4]);
		text_add_char(text, digits[hash->bytes[i] & 15]);
	}
}

void room_event_write(const struct room *room, const struct room_event *event, struct text *text)
{
	text_add(text, kind_words[event->kind]);
	text_add_char(text, ' ');
	text_add_number(text, (int64_t)event->rev);
	text_add_char(text, ' ');
	text_add_number(text, event->at_ms);
	if (room_event_is_command(event->kind)) {
		text_add_char(text, ' ');
		text_add(text, seat_words[event->seat]);
		text_add_char(text, ' ');
		text_add(text, event->command);
	}
	switch (event->kind) {
	case ROOM_CREATED:
		text_add_char(text, ' ');
		text_add(text, event->game);
		text_add_char(text, ' ');
		add_hash(text, &event->key);
		text_add_char(text, ' ');
		add_hash(text, &event->invitation);
		break;
	case ROOM_JOINED:
		text_add_char(text, ' ');
		add_hash(text, &event->key);
		break;
	case ROOM_PLAYED:
		text_add_char(text, ' ');
		room_game(room)->action_write(event->action, text);
		break;
	case ROOM_ASKED:
		text_add_char(text, ' ');
		text_add(text, request_words[event->request]);
		break;
	case ROOM_INVITED:
		text_add_char(text, ' ');
		add_hash(text, &event->invitation);
		break;
	case ROOM_ABANDONED:
		text_add_char(text, ' ');
		text_add(text, seat_words[event->seat]);
		break;
	default:
		break;
	}
}

static void fail(struct reader *reader, size_t offset, enum status status)
{
	if (reader->status != STATUS_OK)
		return;
	reader->status = status;
	reader->fault = offset;
}

/* The next run of visible ASCII; before any but the first stands exactly one blank. */
static struct word read_word(struct reader *reader)
{
	struct word word = {reader->text, 0, reader->at};

	if (reader->status != STATUS_OK)
		return word;
	if (reader->at > 0) {
		if (reader->at == reader->length || reader->text[reader->at] != ' ') {
			fail(reader, reader->at, STATUS_ROOM_EVENT);
			return word;
		}
		reader->at++;
	}
	word.offset = reader->at;
	word.start = reader->text + reader->at;
	while (reader->at < reader->length && reader->text[reader->at] > ' ' &&
		reader->text[reader->at] <= '~')
		reader->at++;
	word.length = reader->at - word.offset;
	if (word.length == 0)
		fail(reader, reader->at, STATUS_ROOM_EVENT);
	return word;
}

/* The place of the next word among `count` words; 0, and a fault, where it is none of them. */
static size_t read_choice(struct reader *reader, const char *const *words, size_t count)
{
	struct word word = read_word(reader);

	for (size_t i = 0; i < count; i++) {
		if (strlen(words[i]) == word.length &&
			memcmp(words[i], word.start, word.length) == 0)
			return i;
	}
	fail(reader, word.offset, STATUS_ROOM_EVENT);
	return 0;
}

/* 0 to INT64_MAX, in digits without leading zeros. */
static int64_t read_number(struct reader *reader)
{
	struct word word = read_word(reader);
	int64_t number = 0;

	if (word.length > 1 && word.start[0] == '0')
		fail(reader, word.offset, STATUS_ROOM_EVENT);
	for (size_t i = 0; i < word.length && reader->status == STATUS_OK; i++) {
		int digit = word.start[i] - '0';

		if (digit < 0 || digit > 9 || number > (INT64_MAX - digit) / 10)
			fail(reader, word.offset + i, STATUS_ROOM_EVENT);
		else
			number = number * 10 + digit;
	}
	return number;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static void read_hash(struct reader *reader, struct room_hash *hash)
{
	enum { DIGITS = 2 * ROOM_HASH_BYTES };
	struct word word = read_word(reader);
	size_t length = word.length < DIGITS ? word.length : DIGITS;

	for (size_t i = 0; i < length; i++) {
		int digit = hex_digit(word.start[i]);

		if (digit < 0) {
			fail(reader, word.offset + i, STATUS_ROOM_EVENT);
			return;
		}
		hash->bytes[i / 2] = (unsigned char)(hash->bytes[i / 2] << 4 | digit);
	}
	if (word.length != DIGITS)
		fail(reader, word.offset + length, STATUS_ROOM_EVENT);
}

/* A word into a buffer of `capacity` bytes, its final zero included. */
static struct word read_name(struct reader *reader, char *name, size_t capacity)
{
	struct word word = read_word(reader);

	if (word.length >= capacity) {
		fail(reader, word.offset + capacity - 1, STATUS_ROOM_EVENT);
		return word;
	}
	memcpy(name, word.start, word.length);
	name[word.length] = 0;
	return word;
}

static enum room_seat read_seat(struct reader *reader)
{
	return (enum room_seat)read_choice(reader, seat_words, ROOM_SEATS);
}

static void read_command(struct reader *reader, char command[ROOM_COMMAND_BYTES])
{
	struct word word = read_name(reader, command, ROOM_COMMAND_BYTES);

	if (reader->status == STATUS_OK && !room_command_valid(command))
		fail(reader, word.offset, STATUS_ROOM_EVENT);
}

/*
 * The game reads its action, and may read more spellings than it writes: what it would write must
 * be what stands there.
 */
static void read_action(struct reader *reader, const struct room *room, struct game_action *action)
{
	struct word word = read_word(reader);
	const struct game_ops *ops = room_game(room);
	struct text_error error;
	char buffer[GAME_ACTION_TEXT];
	struct text text;
	enum status status;

	if (reader->status != STATUS_OK)
		return;
	status = ops->action_read(room_state(room), word.start, word.length, &error, action);
	if (status != STATUS_OK) {
		assert(error.column >= 1);
		fail(reader, word.offset + error.column - 1, status);
		return;
	}
	text_init(&text, buffer, sizeof(buffer));
	ops->action_write(*action, &text);
	if (text.overflow || text.length != word.length ||
		memcmp(text.data, word.start, word.length) != 0)
		fail(reader, word.offset, STATUS_ROOM_EVENT);
}

/* The kind and the revision must be able to follow `room`; the rest is for room_apply. */
static void read_common(struct reader *reader, const struct room *room, struct room_event *event)
{
	uint64_t next = room ? room_rev(room) + 1 : 1;
	size_t offset;

	event->kind = (enum room_event_kind)read_choice(reader, kind_words, ROOM_EVENT_KINDS);
	if ((event->kind == ROOM_CREATED) != (room == NULL))
		fail(reader, 0, STATUS_ROOM_EVENT);
	offset = reader->at + 1;
	event->rev = (uint64_t)read_number(reader);
	if (event->rev != next)
		fail(reader, offset, STATUS_ROOM_EVENT);
	event->at_ms = read_number(reader);
}

static void read_event(struct reader *reader, const struct room *room, struct room_event *event)
{
	read_common(reader, room, event);
	if (reader->status != STATUS_OK)
		return;
	if (room_event_is_command(event->kind)) {
		event->seat = read_seat(reader);
		read_command(reader, event->command);
	}
	switch (event->kind) {
	case ROOM_CREATED:
		read_name(reader, event->game, sizeof(event->game));
		read_hash(reader, &event->key);
		read_hash(reader, &event->invitation);
		break;
	case ROOM_JOINED:
		read_hash(reader, &event->key);
		break;
	case ROOM_PLAYED:
		read_action(reader, room, &event->action);
		break;
	case ROOM_ASKED:
		event->request =
			(enum room_request)read_choice(reader, request_words, ROOM_REQUESTS);
		break;
	case ROOM_INVITED:
		read_hash(reader, &event->invitation);
		break;
	case ROOM_ABANDONED:
		event->seat = read_seat(reader);
		break;
	default:
		break;
	}
	if (reader->at < reader->length)
		fail(reader, reader->at, STATUS_TEXT_TRAILING);
}

enum status room_event_read(const struct room *room, const char *text, size_t length,
	struct text_error *error, struct room_event *event)
{
	struct reader reader = {.text = text, .length = length, .status = STATUS_OK};
	struct room_event read = {0};

	if (length == 0)
		fail(&reader, 0, STATUS_TEXT_EMPTY);
	else if (length >= ROOM_EVENT_TEXT)
		fail(&reader, ROOM_EVENT_TEXT - 1, STATUS_TEXT_TOO_LONG);
	else
		read_event(&reader, room, &read);
	if (reader.status != STATUS_OK) {
		*error = (struct text_error){reader.status, 1, (uint32_t)reader.fault + 1};
		return reader.status;
	}
	*event = read;
	return STATUS_OK;
}
