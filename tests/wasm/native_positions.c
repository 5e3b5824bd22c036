/* SPDX-License-Identifier: MIT */

/*
 * What the native rules say of positions at random, for tests/wasm/native.test.mjs to ask the
 * browser's module the same: `native_positions [COUNT [SEED]]`. Games begin in both starts and in
 * set-ups of any material, kings included; some go to and fro so that positions repeat, some avoid
 * their end so that the ply limit is met. One line a step, its columns parted by tabs:
 *
 *     start  RULES             FACTS
 *     setup  RULES SFEN        FACTS
 *     setup  RULES SFEN        WORD COLUMN                         (refused)
 *     play   USI               FACTS
 *
 * FACTS are "ok", the position as SFEN, the state and its newest record as JSON, perft 2, the legal
 * moves sorted bytewise, and an action made of random squares with the word that it is answered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "game/line.h"
#include "shogi/shogi.h"

enum { SIDE_LENGTH = 5, BOARD = SIDE_LENGTH * SIDE_LENGTH, LONG_GAME = 310, SHORT_GAME = 40 };

/* How the moves of a game are chosen. */
enum style { STYLE_ANY, STYLE_TO_AND_FRO, STYLE_ENDLESS, STYLES };

static const struct game_ops *const ops = &mini_shogi;

/* What cannot fail here but for want of memory. */
static void must(enum status status)
{
	if (status == STATUS_OK)
		return;
	fprintf(stderr, "native_positions: %s\n", status_text(status));
	exit(2);
}

static void action_text(struct game_action action, char usi[GAME_ACTION_TEXT])
{
	struct text text;

	text_init(&text, usi, GAME_ACTION_TEXT);
	ops->action_write(action, &text);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void print_legal(const struct game_line *line)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	char names[GAME_ACTIONS_MAX][GAME_ACTION_TEXT];
	size_t count = ops->legal(game_line_state(line), actions);

	for (size_t i = 0; i < count; i++)
		action_text(actions[i], names[i]);
	qsort(names, count, sizeof(names[0]), compare_names);
	for (size_t i = 0; i < count; i++)
		printf("%s%s", i ? " " : "", names[i]);
}

static void random_square(struct random *random, char square[2])
{
	square[0] = (char)('1' + random_below(random, SIDE_LENGTH));
	square[1] = (char)('a' + random_below(random, SIDE_LENGTH));
}

/* An action of the right form, seldom legal: of any squares, or a legal one led elsewhere. */
static void random_action(
	const struct game_line *line, struct random *random, char usi[GAME_ACTION_TEXT])
{
	struct game_action actions[GAME_ACTIONS_MAX];
	uint32_t count = (uint32_t)ops->legal(game_line_state(line), actions);
	uint32_t kind = random_below(random, 4);

	memset(usi, 0, GAME_ACTION_TEXT);
	if (count && kind > 0)
		action_text(actions[random_below(random, count)], usi);
	else
		random_square(random, usi);
	if (kind == 1) {
		usi[0] = "RBGSP"[random_below(random, 5)];
		usi[1] = '*';
	}
	random_square(random, usi + 2);
	usi[4] = usi[1] != '*' && random_below(random, 4) == 0 ? '+' : 0;
}

static enum status try_text(const struct game_line *line, const char *usi)
{
	struct game_action action;
	struct text_error error;
	enum status status =
		ops->action_read(game_line_state(line), usi, strlen(usi), &error, &action);

	return status == STATUS_OK ? game_line_try(line, action) : status;
}

static void print_facts(const struct game_line *line, struct random *random)
{
	char buffer[GAME_STATE_JSON];
	char usi[GAME_ACTION_TEXT];
	struct game_history history = game_line_history(line);
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	ops->state_write(game_line_state(line), &text);
	printf("ok\t%s\t", buffer);
	text_init(&text, buffer, sizeof(buffer));
	game_line_write_json(line, false, &text);
	printf("%s\t", buffer);
	text_init(&text, buffer, sizeof(buffer));
	game_record_write_json(ops, &history.records[history.count - 1], &text);
	printf("%s\t%llu\t", buffer,
		(unsigned long long)ops->perft(game_line_state(line), 2, true));
	print_legal(line);
	random_action(line, random, usi);
	printf("\t%s\t%s\n", usi, status_code(try_text(line, usi)));
}

/* Any material on any square or in any hand, as SFEN; often no position that can be. */
static void random_setup(struct random *random, char sfen[128])
{
	static const char pieces[] = "KkRRBBGGSSPP";
	char board[BOARD][3] = {{0}};
	char hand[16] = "";
	size_t in_hand = 0;
	char *at = sfen;

	for (size_t i = 0; i < strlen(pieces); i++) {
		uint32_t place = random_below(random, 8);
		uint32_t square = random_below(random, BOARD);
		char piece = (char)(pieces[i] ^ (i >= 2 && random_below(random, 2) ? 0x20 : 0));
		bool promoted = i >= 2 && pieces[i] != 'G' && random_below(random, 4) == 0;

		if (place == 0 || (place > 2 && board[square][0]))
			continue;
		if (place > 2)
			snprintf(board[square], 3, "%s%c", promoted ? "+" : "", piece);
		else if (i >= 2)
			hand[in_hand++] = piece;
	}
	hand[in_hand] = 0;
	for (int square = 0, empty = 0; square < BOARD; square++) {
		if (square && square % SIDE_LENGTH == 0)
			*at++ = '/';
		empty += !board[square][0];
		if (empty && (board[square][0] || square % SIDE_LENGTH == SIDE_LENGTH - 1)) {
			at += sprintf(at, "%d", empty);
			empty = 0;
		}
		at += sprintf(at, "%s", board[square]);
	}
	at += sprintf(at, " %c", random_below(random, 2) ? 'b' : 'w');
	sprintf(at, " %s %u", in_hand ? hand : "-", 1 + random_below(random, 400));
}

/* The line of a new game; what was refused on the way is told, too. */
static struct game_line *begin(struct random *random)
{
	const char *rules = ops->rulesets[random_below(random, 2)];
	struct game_line *line;

	if (random_below(random, 2)) {
		must(game_line_create(ops, rules, &line));
		printf("start\t%s\t", rules);
		return line;
	}
	for (;;) {
		char sfen[128];
		struct text_error error;
		enum status status;

		random_setup(random, sfen);
		status = game_line_setup(ops, rules, sfen, strlen(sfen), &error, &line);
		printf("setup\t%s\t%s\t", rules, sfen);
		if (status == STATUS_OK)
			return line;
		printf("%s\t%u\n", status_code(status), error.column);
	}
}

/* The move that takes the player's last move back, when it is legal; else code 0. */
static struct game_action back_again(const struct game_line *line)
{
	struct game_action back = {0};
	struct game_action last;
	char usi[GAME_ACTION_TEXT];
	char reverse[GAME_ACTION_TEXT];
	struct text_error error;

	if (game_line_plies(line) < 2)
		return back;
	last = game_line_action(line, game_line_plies(line) - 2);
	action_text(last, usi);
	snprintf(reverse, sizeof(reverse), "%.2s%.2s", usi + 2, usi);
	if (try_text(line, reverse) == STATUS_OK &&
		ops->action_read(game_line_state(line), reverse, 4, &error, &back) != STATUS_OK)
		back.code = 0;
	return back;
}

static bool ends_game(const struct game_line *line, struct game_action action)
{
	struct game_history history = game_line_history(line);
	struct game_state next;
	struct game_record record;

	return ops->play(game_line_state(line), &history, action, &next, &record) == STATUS_OK &&
	       ops->summary(&next).over;
}

static struct game_action choose(
	const struct game_line *line, enum style style, struct random *random)
{
	struct game_action actions[GAME_ACTIONS_MAX];
	uint32_t count = (uint32_t)ops->legal(game_line_state(line), actions);
	struct game_action chosen = actions[random_below(random, count)];
	struct text_error error;

	if (random_below(random, 200) == 0) {
		must(ops->action_read(game_line_state(line), "resign", 6, &error, &chosen));
		return chosen;
	}
	if (style == STYLE_TO_AND_FRO && back_again(line).code)
		return back_again(line);
	for (int tries = 0; style == STYLE_ENDLESS && tries < 20 && ends_game(line, chosen);
		tries++)
		chosen = actions[random_below(random, count)];
	return chosen;
}

/* One game. Returns how many positions it told. */
static unsigned long play_game(struct random *random, unsigned long most)
{
	enum style style = (enum style)random_below(random, STYLES);
	struct game_line *line = begin(random);
	size_t plies =
		style == STYLE_ENDLESS && random_below(random, 4) == 0 ? LONG_GAME : SHORT_GAME;
	unsigned long told = 1;

	print_facts(line, random);
	while (told < most && !game_line_summary(line).over && game_line_plies(line) < plies) {
		struct game_action action = choose(line, style, random);
		char usi[GAME_ACTION_TEXT];

		action_text(action, usi);
		must(game_line_play(line, action));
		printf("play\t%s\t", usi);
		print_facts(line, random);
		told++;
	}
	game_line_destroy(line);
	return told;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	struct random random = {argc > 2 ? strtoull(argv[2], NULL, 10) : 5};

	while (count > 0)
		count -= play_game(&random, count);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
