/* SPDX-License-Identifier: MIT */
#include "portal/catalogue.h"

#include <string.h>

static const struct rubrique rubriques[] = {
	{"jeux-mini-shogi", "Mini Shogi", "mini-shogi"},
	{"jeux-petits-carres", "Petits carrés", "petits-carres"},
};

enum { RUBRIQUE_COUNT = sizeof(rubriques) / sizeof(rubriques[0]) };

const struct rubrique *catalogue_find(const char *id, size_t length)
{
	for (size_t i = 0; i < RUBRIQUE_COUNT; i++)
		if (strlen(rubriques[i].id) == length && memcmp(rubriques[i].id, id, length) == 0)
			return &rubriques[i];
	return NULL;
}

const struct rubrique *catalogue_find_game(const char *game)
{
	for (size_t i = 0; i < RUBRIQUE_COUNT; i++)
		if (strcmp(rubriques[i].game, game) == 0)
			return &rubriques[i];
	return NULL;
}
