/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include <jansson.h>

#include "base/status.h"

/*
 * JSON as jansson's values, whole or not at all also when memory runs out, which jansson's own
 * reader does not promise (json_tree.c). That holds where the functions that give jansson its
 * memory set errno to ENOMEM when they have none, as malloc() does.
 *
 * Any thread may call.
 */

/*
 * Makes `*tree`, an object whose members have the order of the text, of valid UTF-8 without a byte
 * order mark or a zero byte, which is not blank. The caller gives it back with json_decref().
 *
 * `*fault` is the offset of the byte at fault, for
 *
 *	STATUS_JSON_SYNTAX, STATUS_JSON_DUPLICATE, STATUS_TEXT_TRAILING
 *	STATUS_SHEET_MEMBER_VALUE   the text is JSON, but no object, or holds what no tree can: a
 *	                            number that is too great, or the character of code 0
 *	STATUS_NO_MEMORY            the first byte that is not blank
 */
MUST_CHECK enum status json_tree_read(
	const char *text, size_t length, size_t *fault, json_t **tree);
