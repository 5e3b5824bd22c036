/* SPDX-License-Identifier: MIT */
#include "client/seat_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

/* Copies a string of visible ASCII; absent or null is the empty one. */
static bool copy_text(json_t *object, const char *name, char *to, size_t capacity)
{
	json_t *value = json_object_get(object, name);
	const char *text = json_string_value(value);

	to[0] = 0;
	if (!value || json_is_null(value))
		return true;
	if (!text || strlen(text) >= capacity)
		return false;
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	strcpy(to, text);
	return true;
}

static bool copy_word(json_t *object, const char *name, char *to, size_t capacity)
{
	return copy_text(object, name, to, capacity) &&
	       (!to[0] || link_word_is_valid(to, capacity));
}

static bool copy_seat(json_t *object, struct client_seat *seat)
{
	char word[16];

	if (!copy_word(object, "seat", word, sizeof(word)))
		return false;
	for (int i = 0; i < ROOM_SEATS; i++) {
		seat->seat = (enum room_seat)i;
		if (strcmp(word, room_seat_word(seat->seat)) == 0)
			return true;
	}
	return !word[0] && !seat->key[0];
}

/* A seat is taken, or can be. */
static bool is_whole(const struct client_seat *seat)
{
	struct link link;
	const char *problem;

	return link_read(seat->server, &link, &problem) && strcmp(link.server, seat->server) == 0 &&
	       !link.room[0] && seat->game[0] && seat->room[0] &&
	       (seat->key[0] || (seat->secret[0] && seat->join[0]));
}

static bool read_members(json_t *object, struct client_seat *seat)
{
	return json_is_object(object) &&
	       copy_text(object, "server", seat->server, sizeof(seat->server)) &&
	       copy_word(object, "game", seat->game, sizeof(seat->game)) &&
	       copy_word(object, "room", seat->room, sizeof(seat->room)) &&
	       copy_word(object, "secret", seat->secret, sizeof(seat->secret)) &&
	       copy_word(object, "join", seat->join, sizeof(seat->join)) &&
	       copy_word(object, "key", seat->key, sizeof(seat->key)) &&
	       copy_text(object, "inviteUrl", seat->invite_url, sizeof(seat->invite_url)) &&
	       copy_seat(object, seat) && is_whole(seat);
}

/* Up to the end of the file or of the buffer; -1 with errno. */
static ssize_t read_bytes(int fd, char *bytes, size_t capacity)
{
	size_t length = 0;

	while (length < capacity) {
		ssize_t count = read(fd, bytes + length, capacity - length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -1;
		if (count == 0)
			break;
		length += (size_t)count;
	}
	return (ssize_t)length;
}

/* Makes the folders above `path`; one that cannot be made shows when the file is opened. */
static void make_folders(const char *path)
{
	char folder[PATH_MAX];

	if (strlen(path) >= sizeof(folder))
		return;
	strcpy(folder, path);
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		(void)mkdir(folder, 0700);
		*slash = '/';
	}
}

/* Whether `name` is still the file that is open, and not one that was made anew since. */
static bool is_same_file(int fd, const char *name)
{
	struct stat opened;
	struct stat named;

	return fstat(fd, &opened) == 0 && stat(name, &named) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static bool name_lock(const char *path, char name[PATH_MAX])
{
	if (snprintf(name, PATH_MAX, "%s-lock", path) < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

bool seat_file_lock(const char *path, int *lock)
{
	char name[PATH_MAX];

	if (!name_lock(path, name))
		return false;
	make_folders(path);
	for (;;) {
		int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		int error;

		if (fd < 0)
			return false;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
			*lock = fd;
			if (is_same_file(fd, name))
				return true;
			/* Whoever had it has removed it meanwhile. */
			close(fd);
			continue;
		}
		error = errno;
		close(fd);
		errno = error;
		return false;
	}
}

void seat_file_unlock(const char *path, int lock)
{
	char name[PATH_MAX];

	/* While it is locked: whoever opens it from now on makes another. */
	if (name_lock(path, name))
		(void)unlink(name);
	close(lock);
}

enum seat_file_result seat_file_read(const char *path, struct client_seat *seat)
{
	char bytes[SEAT_FILE_BYTES];
	struct client_seat made = {.server = ""};
	/* Something else than a file, a pipe say, must not be waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length;
	json_t *object;
	bool done;

	if (fd < 0)
		return errno == ENOENT ? SEAT_FILE_NONE : SEAT_FILE_UNREADABLE;
	length = read_bytes(fd, bytes, sizeof(bytes));
	if (length < 0) {
		int error = errno;

		close(fd);
		errno = error;
		return SEAT_FILE_UNREADABLE;
	}
	close(fd);
	object = json_loadb(bytes, (size_t)length, JSON_REJECT_DUPLICATES, NULL);
	done = read_members(object, &made);
	json_decref(object);
	if (!done)
		return SEAT_FILE_BAD;
	*seat = made;
	return SEAT_FILE_READ;
}

static void add_member(struct text *text, const char *name, const char *value)
{
	text_add(text, ",\n \"");
	text_add(text, name);
	text_add(text, "\": ");
	if (value[0])
		text_add_json(text, value);
	else
		text_add(text, "null");
}

static void write_members(const struct client_seat *seat, struct text *text)
{
	text_add(text, "{\"server\": ");
	text_add_json(text, seat->server);
	add_member(text, "game", seat->game);
	add_member(text, "room", seat->room);
	add_member(text, "seat", seat->key[0] ? room_seat_word(seat->seat) : "");
	add_member(text, "secret", seat->secret);
	add_member(text, "join", seat->join);
	add_member(text, "key", seat->key);
	add_member(text, "inviteUrl", seat->invite_url);
	text_add(text, "}\n");
}

static bool write_bytes(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t count = write(fd, bytes, length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return false;
		bytes += count;
		length -= (size_t)count;
	}
	return true;
}

bool seat_file_write(const char *path, const struct client_seat *seat)
{
	char bytes[SEAT_FILE_BYTES];
	char fresh[PATH_MAX];
	struct text text;
	int error;
	int fd;

	text_init(&text, bytes, sizeof(bytes));
	write_members(seat, &text);
	if (text.overflow || snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh)) {
		errno = ENAMETOOLONG;
		return false;
	}
	make_folders(path);
	/* What a crash left there may have another mode. */
	(void)unlink(fresh);
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	if (!write_bytes(fd, text.data, text.length) || fsync(fd))
		goto fail;
	if (close(fd) || rename(fresh, path)) {
		fd = -1;
		goto fail;
	}
	return true;

fail:
	error = errno;
	if (fd >= 0)
		close(fd);
	(void)unlink(fresh);
	errno = error;
	return false;
}
