/* SPDX-License-Identifier: MIT */
/*
 * Plays the moves of its arguments; prints the legal moves, how the game stands, and it all as KIF.
 *
 *     cc -o thirty-lines thirty-lines.c $(pkg-config --cflags --libs komadai)
 *     ./thirty-lines 5d5c 1b1c
 */
#include <komadai/komadai.h>
#include <stdio.h>

static void print_move(void *out, const char *move)
{
	fprintf(out, " %s", move);
}

int main(int argc, char **argv)
{
	struct komadai_game *game;
	struct komadai_verdict verdict;
	char *kif;
	int status = komadai_game_create("mini-shogi", NULL, &game);

	if (status != KOMADAI_OK)
		return 1;
	for (int i = 1; i < argc && status == KOMADAI_OK; i++) {
		status = komadai_game_play(game, argv[i], NULL);
		if (status != KOMADAI_OK)
			fprintf(stderr, "%s: %s\n", argv[i], komadai_status_text(status));
	}
	printf("%zu legal moves:", komadai_game_legal(game, NULL, NULL));
	komadai_game_legal(game, print_move, stdout);
	komadai_game_verdict(game, &verdict);
	if (verdict.over)
		printf("\nover: %s, winner %d\n", verdict.reason, verdict.winner);
	else
		printf("\nplayer %d moves\n", verdict.player);
	if (komadai_game_write(game, "kif", KOMADAI_UTF_8, NULL, &kif, NULL) == KOMADAI_OK) {
		fputs(kif, stdout);
		komadai_text_free(kif);
	}
	komadai_game_destroy(game);
	return status != KOMADAI_OK;
}
