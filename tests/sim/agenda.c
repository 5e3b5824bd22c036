/* SPDX-License-Identifier: MIT */
#include "agenda.h"

#include <stdlib.h>

static bool is_before(const struct agenda_item *a, const struct agenda_item *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

void agenda_release(struct agenda *agenda)
{
	free(agenda->items);
	*agenda = (struct agenda){0};
}

void agenda_enter(
	struct agenda *agenda, uint64_t at_ms, agenda_act *act, void *what, uint64_t number)
{
	struct agenda_item item = {at_ms, agenda->entered++, act, what, number};
	size_t at = agenda->count++;

	if (agenda->count > agenda->capacity) {
		agenda->capacity = agenda->capacity ? 2 * agenda->capacity : 64;
		agenda->items = realloc(agenda->items, agenda->capacity * sizeof(item));
		if (!agenda->items)
			abort();
	}
	for (; at > 0 && is_before(&item, &agenda->items[(at - 1) / 2]); at = (at - 1) / 2)
		agenda->items[at] = agenda->items[(at - 1) / 2];
	agenda->items[at] = item;
}

bool agenda_take(struct agenda *agenda, struct agenda_item *item)
{
	struct agenda_item last;
	size_t at = 0;

	if (agenda->count == 0)
		return false;
	*item = agenda->items[0];
	last = agenda->items[--agenda->count];
	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < agenda->count &&
			is_before(&agenda->items[child + 1], &agenda->items[child]))
			child++;
		if (child >= agenda->count || is_before(&last, &agenda->items[child]))
			break;
		agenda->items[at] = agenda->items[child];
		at = child;
	}
	agenda->items[at] = last;
	return true;
}
