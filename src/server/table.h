/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Hash tables and linked lists of the server, from uthash. Its usual hash function falls through
 * switch cases in a way that clang refuses; SAX does not, and keys here are names that the server
 * drew itself or read from its own folder, so nobody can choose them to collide.
 */
#define HASH_FUNCTION HASH_SAX

#include <uthash.h>
#include <utlist.h>
