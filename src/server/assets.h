/* SPDX-License-Identifier: MIT */
#pragma once

#include "server/http_server.h"

/*
 * The files of the page, read into memory at the start and never looked up on disk again: no
 * request can name a file that is not among them. Names are what addresses say behind the host.
 */
struct assets;

/* Reads every regular file below `folder`. STATUS_STORE_READ with a sentence in `problem`
 * (HTTP_PROBLEM_BYTES). */
MUST_CHECK enum status assets_load(const char *folder, struct assets **assets, char *problem);
void assets_destroy(struct assets *assets);

/* Answers GET and HEAD with the file of that path, or returns false when there is none. */
MUST_CHECK bool assets_answer(const struct assets *assets, struct http_exchange *exchange,
	const struct http_request *request);

/* Answers with the page itself, index.html, whose script reads the address. 404 for an address the
 * portal does not have: the page then says so in the reader's language. */
void assets_answer_page(const struct assets *assets, struct http_exchange *exchange,
	const struct http_request *request, int code);
