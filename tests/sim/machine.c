/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/clock.h"
#include "boxes/boxes.h"
#include "portal/catalogue.h"
#include "server/secrets.h"
#include "shogi/shogi.h"
#include "toy_game.h"

struct machine machine;

const struct game_ops *const machine_games[] = {&mini_shogi, &petits_carres, &toy_ops, NULL};

/* In the place of src/portal, which has no page for the toy. */
static const struct rubrique pages[] = {
	{"jeux-mini-shogi", "Mini Shogi", "mini-shogi"},
	{"jeux-petits-carres", "Petits carrés", "petits-carres"},
	{"jeux-toy", "Toy", "toy"},
};

const struct rubrique *catalogue_find_game(const char *game)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcmp(pages[i].game, game) == 0)
			return &pages[i];
	return NULL;
}

const struct rubrique *catalogue_find(const char *id, size_t length)
{
	(void)id;
	(void)length;
	return NULL;
}

int64_t machine_wall_ms(void)
{
	int64_t wall = (int64_t)machine.now_ms + machine.wall_ahead_ms;

	return wall < 0 ? 0 : wall;
}

int64_t clock_wall_ms(void)
{
	return machine_wall_ms();
}

uint64_t clock_monotonic_ms(void)
{
	if (machine.monotonic_is_wall)
		return (uint64_t)machine_wall_ms();
	return machine.now_ms + machine.monotonic_ahead_ms;
}

uint64_t clock_monotonic_us(void)
{
	return 1000 * clock_monotonic_ms();
}

static const char *random_name(void)
{
	return "simulated";
}

static uint32_t random_number(void)
{
	return (uint32_t)(random_next(machine.random) >> 32);
}

static void random_bytes(void *const buffer, const size_t length)
{
	for (size_t i = 0; i < length; i++)
		((unsigned char *)buffer)[i] = (unsigned char)random_number();
}

void machine_prepare(void)
{
	static randombytes_implementation numbers = {
		.implementation_name = random_name,
		.random = random_number,
		.buf = random_bytes,
	};
	static struct random first; /* libsodium draws already when it starts */

	machine.random = &first;
	randombytes_set_implementation(&numbers);
	if (!secrets_init())
		abort();
}
