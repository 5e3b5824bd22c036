/* SPDX-License-Identifier: MIT */
#include "client/link.h"

#include <stdio.h>
#include <string.h>

#include <curl/curl.h>

static const char word_letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

bool link_word_is_valid(const char *text, size_t capacity)
{
	size_t length = strspn(text, word_letters);

	return length > 0 && length < capacity && !text[length];
}

/* Copies one part of the address; false: there is none, or it is longer than there is room. */
static bool copy_part(CURLU *url, CURLUPart part, char *to, size_t capacity)
{
	char *text = NULL;
	bool fits;

	if (curl_url_get(url, part, &text, 0) != CURLUE_OK)
		return false;
	fits = strlen(text) < capacity;
	if (fits)
		strcpy(to, text);
	curl_free(text);
	return fits;
}

static bool has_part(CURLU *url, CURLUPart part)
{
	char *text = NULL;
	CURLUcode code = curl_url_get(url, part, &text, 0);

	curl_free(text);
	return code == CURLUE_OK;
}

/* What is left of the address when all behind the host is taken off, without its last slash. */
static bool read_server(CURLU *url, char server[LINK_SERVER_BYTES])
{
	size_t length;

	if (curl_url_set(url, CURLUPART_PATH, NULL, 0) != CURLUE_OK ||
		curl_url_set(url, CURLUPART_QUERY, NULL, 0) != CURLUE_OK ||
		curl_url_set(url, CURLUPART_FRAGMENT, NULL, 0) != CURLUE_OK ||
		!copy_part(url, CURLUPART_URL, server, LINK_SERVER_BYTES))
		return false;
	length = strlen(server);
	if (length > 0 && server[length - 1] == '/')
		server[length - 1] = 0;
	return true;
}

/* "/", or "/rubriques/PAGE"; false: the path is another. */
static bool read_page(CURLU *url, struct link *link)
{
	static const char prefix[] = "/rubriques/";
	char path[sizeof(prefix) + LINK_PAGE_BYTES];
	size_t length = sizeof(prefix) - 1;

	if (!copy_part(url, CURLUPART_PATH, path, sizeof(path)))
		return false;
	if (strcmp(path, "/") == 0)
		return true;
	if (strncmp(path, prefix, length) != 0 ||
		!link_word_is_valid(path + length, LINK_PAGE_BYTES))
		return false;
	strcpy(link->page, path + length);
	return true;
}

/* "invite=ROOM.SECRET" */
static bool read_invitation(CURLU *url, struct link *link)
{
	static const char prefix[] = "invite=";
	char fragment[sizeof(prefix) + ROOM_ID_BYTES + LINK_SECRET_BYTES];
	char *room = fragment + sizeof(prefix) - 1;
	char *dot;

	if (!copy_part(url, CURLUPART_FRAGMENT, fragment, sizeof(fragment)) ||
		strncmp(fragment, prefix, sizeof(prefix) - 1) != 0)
		return false;
	dot = strchr(room, '.');
	if (!dot)
		return false;
	*dot = 0;
	if (!link_word_is_valid(room, ROOM_ID_BYTES) ||
		!link_word_is_valid(dot + 1, LINK_SECRET_BYTES))
		return false;
	strcpy(link->room, room);
	strcpy(link->secret, dot + 1);
	return true;
}

static const char *read_parts(CURLU *url, const char *text, struct link *link)
{
	char scheme[8];
	bool is_page;

	/* curl would guess at some of what is wrong, and escape what it can. */
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~')
			return "An address has no blanks and no letters beyond ASCII.";
	if (curl_url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
		return "This is no address; it must be like http://127.0.0.1:8080 or "
		       "https://games.example.";
	if (!copy_part(url, CURLUPART_SCHEME, scheme, sizeof(scheme)) ||
		(strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
		return "The address must begin with http:// or https://.";
	if (has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD))
		return "The address must have no name of a user and no password.";
	is_page = read_page(url, link);
	if (has_part(url, CURLUPART_FRAGMENT) && !read_invitation(url, link))
		return "What stands behind # is no invitation; it must be like "
		       "#invite=ROOM.SECRET, and whole.";
	/* An invitation says by itself where it leads. */
	if (!is_page && !link->room[0])
		return "The address must be that of a server, as https://games.example, of the "
		       "page of a game there, or an invitation.";
	if (!read_server(url, link->server))
		return "The address is too long.";
	return NULL;
}

bool link_read(const char *text, struct link *link, const char **problem)
{
	CURLU *url = curl_url();
	struct link made = {.server = ""};

	*problem = url ? read_parts(url, text, &made) : "There is not enough memory.";
	curl_url_cleanup(url);
	if (*problem)
		return false;
	*link = made;
	return true;
}
