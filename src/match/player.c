/* SPDX-License-Identifier: MIT */
#include "match/player.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

/* Bytes of a "position" command; the cap on plies (match.h) keeps it far below. */
enum { COMMAND_MAX = 8192 };

static bool begins(const char *line, const char *beginning)
{
	return strncmp(line, beginning, strlen(beginning)) == 0;
}

/* Reads until a line that is `last`; `*variants` is set when an option for the variant goes by. */
static bool wait_for(struct player *player, const char *last, bool *variants)
{
	uint64_t deadline = clock_monotonic_ms() + PLAYER_PREPARE_MS;
	char line[CHILD_LINE_MAX];

	while (child_read(&player->child, deadline, line) == CHILD_LINE) {
		if (begins(line, "option name UCI_Variant ") ||
			begins(line, "option name USI_Variant "))
			*variants = true;
		if (strcmp(line, last) == 0)
			return true;
	}
	return false;
}

static bool start(struct player *player)
{
	bool variants = false;

	if (!child_start(&player->child, player->command))
		return false;
	player->running = true;
	if (!child_send(&player->child, "usi") || !wait_for(player, "usiok", &variants))
		return false;
	/* Programs that know many variants take either name, whichever they announce. */
	return !variants ||
	       (child_send(&player->child, "setoption name UCI_Variant value minishogi") &&
		       child_send(&player->child, "setoption name USI_Variant value minishogi"));
}

bool player_prepare(struct player *player)
{
	bool ignored;

	if ((player->running || start(player)) && child_send(&player->child, "isready") &&
		wait_for(player, "readyok", &ignored) && child_send(&player->child, "usinewgame"))
		return true;
	player_stop(player);
	return false;
}

void player_stop(struct player *player)
{
	if (player->running)
		child_stop(&player->child);
	player->running = false;
}

static void write_position(const struct game_line *line, struct text *text)
{
	text_add(text, "position startpos");
	if (game_line_plies(line) > 0)
		text_add(text, " moves");
	for (size_t ply = 0; ply < game_line_plies(line); ply++) {
		text_add_char(text, ' ');
		game_line_ops(line)->action_write(game_line_action(line, ply), text);
	}
}

static void write_go(const struct player_limits *limits, struct text *text)
{
	text_add(text, limits->nodes ? "go nodes " : "go movetime ");
	text_add_number(text, (int64_t)(limits->nodes ? limits->nodes : limits->movetime_ms));
}

static enum player_answer read_move(
	const struct game_line *line, const char *word, struct game_action *action)
{
	struct text_error error;
	size_t length;

	word += strspn(word, " \t");
	length = strcspn(word, " \t");

	if (length == 6 && memcmp(word, "resign", 6) == 0)
		return PLAYER_RESIGNS;
	if (game_line_ops(line)->action_read(game_line_state(line), word, length, &error, action) !=
			STATUS_OK ||
		game_line_try(line, *action) != STATUS_OK)
		return PLAYER_ILLEGAL;
	return PLAYER_MOVE;
}

static enum player_answer ask(struct player *player, const struct game_line *line,
	const struct player_limits *limits, struct game_action *action)
{
	static const char answer[] = "bestmove";
	char command[COMMAND_MAX];
	char reply[CHILD_LINE_MAX];
	struct text text;
	uint64_t started;
	uint64_t deadline;
	uint64_t elapsed;

	text_init(&text, command, sizeof(command));
	write_position(line, &text);
	if (!child_send(&player->child, command))
		return PLAYER_CRASHED;
	text_init(&text, command, sizeof(command));
	write_go(limits, &text);
	started = clock_monotonic_ms();
	deadline = started +
		   (limits->nodes ? PLAYER_HANG_NODES_MS : limits->movetime_ms + PLAYER_HANG_MS);
	if (!child_send(&player->child, command))
		return PLAYER_CRASHED;
	do {
		enum child_answer got = child_read(&player->child, deadline, reply);

		if (got != CHILD_LINE)
			return got == CHILD_LATE ? PLAYER_LATE : PLAYER_CRASHED;
	} while (!begins(reply, answer));
	elapsed = clock_monotonic_ms() - started;
	player->moves++;
	player->time_ms += elapsed;
	if (limits->movetime_ms && elapsed > limits->movetime_ms + PLAYER_MARGIN_MS)
		return PLAYER_LATE;
	return read_move(line, reply + strlen(answer), action);
}

enum player_answer player_move(struct player *player, const struct game_line *line,
	const struct player_limits *limits, struct game_action *action)
{
	enum player_answer answer = ask(player, line, limits, action);

	if (answer == PLAYER_CRASHED || answer == PLAYER_LATE)
		player_stop(player);
	return answer;
}
