/* SPDX-License-Identifier: MIT */
#include "cli/play_show.h"

#include <inttypes.h>
#include <stdio.h>

/* One line without its word, built up and said. */
enum { LINE_BYTES = 256 };

void play_say(const char *word, const char *text)
{
	fputs(word, stdout);
	fputs(": ", stdout);
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
	putchar('\n');
}

static enum room_seat other_seat(const struct play_view *view)
{
	return view->seat == ROOM_HOST ? ROOM_GUEST : ROOM_HOST;
}

static int my_player(const struct play_view *view)
{
	return view->snapshot.player[view->seat];
}

bool play_is_my_turn(const struct play_view *view)
{
	return view->has_snapshot && view->snapshot.phase == ROOM_PLAYING &&
	       view->snapshot.summary.player == my_player(view);
}

static const char *name_seat(const struct play_view *view, enum room_seat seat)
{
	return seat == view->seat ? "you" : "the other player";
}

static const char *name_player(const struct play_view *view, int player)
{
	return player == my_player(view) ? "you" : "the other player";
}

static void write_last(const struct client_snapshot *snapshot, struct text *text)
{
	if (snapshot->has_last)
		snapshot->ops->action_write(snapshot->last, text);
	else
		text_add_char(text, '-');
}

static const char *describe_turn(const struct play_view *view)
{
	switch (view->snapshot.phase) {
	case ROOM_PLAYING:
		return play_is_my_turn(view) ? "yours" : "the other player's";
	case ROOM_WAITING:
		return "nobody's, the other seat is empty";
	default:
		return "nobody's, the game is over";
	}
}

void play_show_board(const struct play_view *view)
{
	char buffer[PLAY_BOARD_TEXT];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	play_board_write(view->snapshot.ops, &view->snapshot.state, &text);
	fputs(text.data, stdout);
	text_init(&text, buffer, sizeof(buffer));
	write_last(&view->snapshot, &text);
	play_say("last", text.data);
	play_say("turn", describe_turn(view));
}

static void show_who(const struct play_view *view)
{
	const struct client_snapshot *now = &view->snapshot;

	printf("room: %s, %s\n", now->room, now->ops->name);
	printf("you: %s, %s\n", room_seat_word(view->seat), play_side(now->ops, my_player(view)));
	if (!now->seated[other_seat(view)])
		play_say("other", "not there yet");
}

static void show_request(const struct play_view *view)
{
	const struct client_request *request = &view->snapshot.request;
	char buffer[LINE_BYTES];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	text_add(&text, room_request_word(request->what));
	if (request->has_ply) {
		text_add_char(&text, ' ');
		text_add(&text, request->ply);
	}
	text_add(&text, request->by == view->seat ? " by you, the other player may accept"
						  : " by the other player: accept or refuse?");
	play_say("asked", text.data);
}

static void show_seats(const struct play_view *view, const struct client_snapshot *before)
{
	const struct client_snapshot *now = &view->snapshot;
	enum room_seat other = other_seat(view);

	if (now->seated[other] && !before->seated[other])
		play_say("joined", "the other player is here");
	if (!now->seated[other] && before->seated[other])
		play_say(
			"left", now->abandoned && !before->abandoned
					? "the other player, so the game is over and nobody has won"
					: "the other player");
}

static void show_ply(const struct play_view *view, const struct client_snapshot *before)
{
	const struct client_snapshot *now = &view->snapshot;
	char buffer[LINE_BYTES];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	write_last(now, &text);
	/* Of several that came at once it is not known who played the last. */
	if (now->summary.moves <= before->summary.moves + 1) {
		text_add(&text, " by ");
		text_add(&text, name_player(view, before->summary.player));
	}
	play_say("played", text.data);
}

static void show_end(const struct play_view *view)
{
	const struct client_snapshot *now = &view->snapshot;
	char buffer[LINE_BYTES];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	if (now->reason[0]) {
		text_add(&text, now->reason);
		text_add(&text, ", ");
	}
	if (now->summary.winner < 0)
		text_add(&text, "nobody has won");
	else
		text_add(&text,
			now->summary.winner == my_player(view) ? "you have won" : "you have lost");
	play_say("over", text.data);
}

/* Whether the game has moved; if so, how. */
static bool show_game(const struct play_view *view, const struct client_snapshot *before)
{
	const struct client_snapshot *now = &view->snapshot;
	uint32_t moves = now->summary.moves;
	bool ended = now->summary.over && !before->summary.over;

	if (now->games != before->games) {
		printf("new: game %" PRId64 ", you are %s\n", now->games,
			play_side(now->ops, my_player(view)));
	} else if (moves > before->summary.moves || ended) {
		show_ply(view, before);
	} else if (moves < before->summary.moves || (before->summary.over && !now->summary.over)) {
		play_say("undone", before->request.has_ply ? before->request.ply : "-");
	} else {
		return false;
	}
	if (ended)
		show_end(view);
	return true;
}

static void show_change(const struct play_view *view, const struct client_snapshot *before)
{
	const struct client_snapshot *now = &view->snapshot;
	bool moved;

	show_seats(view, before);
	moved = show_game(view, before);
	if (before->request.open && !now->request.open && !moved)
		play_say("closed", "the request is open no more");
	if (moved || now->phase != before->phase)
		play_show_board(view);
	if (now->request.open && !(before->request.open && before->request.by == now->request.by))
		show_request(view);
}

void play_show_snapshot(struct play_view *view, const struct client_snapshot *snapshot)
{
	struct client_snapshot before = view->snapshot;
	bool is_first = !view->has_snapshot;

	view->snapshot = *snapshot;
	view->has_snapshot = true;
	if (!is_first) {
		show_change(view, &before);
		return;
	}
	show_who(view);
	play_show_board(view);
	if (snapshot->abandoned)
		play_say("left", name_seat(view, snapshot->abandoned_by));
	else if (snapshot->summary.over)
		show_end(view);
	if (snapshot->request.open)
		show_request(view);
}

void play_show_presence(struct play_view *view, const struct client_presences *presences)
{
	enum client_presence now = presences->seat[other_seat(view)];
	enum client_presence before = view->other;

	view->other = now;
	if (now == before)
		return;
	if (now == CLIENT_ABSENT && presences->kept_ms >= 0)
		printf("away: The other player is away; the seat is kept %" PRId64 " s.\n",
			presences->kept_ms / 1000);
	else if (now == CLIENT_ABSENT)
		play_say("away", "The other player is away.");
	else if (now == CLIENT_PRESENT && before == CLIENT_ABSENT)
		play_say("back", "The other player is back.");
}
