/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/standard_streams.h"
#include "cli/cli.h"
#include "cli/play_show.h"
#include "portal/catalogue.h"

enum {
	INPUT_BYTES = 4096,
	TYPED_MAX = 80, /* no command or move is nearly as long */
	TIMEOUT_DEFAULT = 20,
	TIMEOUT_MAX = 300,
};

struct play_options {
	const char *url;
	const char *game;
	const char *seat_file;
	const char *ca_file;
	long timeout;
};

/* One run of `komadai play`. */
struct play {
	const struct game_ops *ops;
	char path[PATH_MAX]; /* where the seat is kept, */
	int lock;            /* for this run alone */
	struct client_seat seat;
	struct client *client;
	struct play_view view;

	char input[INPUT_BYTES]; /* what was typed, and not done yet */
	size_t length;
	bool ended;       /* there is no more input */
	bool too_long;    /* the rest of a line that was refused is still to come */
	bool waits;       /* "wait": for this seat's turn, a question, or the end */
	bool quits;       /* as was asked, or at the end of the input */
	bool has_refused; /* some line */
};

static void refuse_line(struct play *play, const char *code, const char *phrase)
{
	char buffer[256];
	struct text text;

	text_init(&text, buffer, sizeof(buffer));
	text_add(&text, code);
	text_add(&text, ": ");
	text_add_sentence(&text, phrase);
	play_say("refused", text.data);
	play->has_refused = true;
}

static void keep_seat(struct play *play, const struct client_seat *seat)
{
	play->seat = *seat;
	if (!seat_file_write(play->path, seat))
		cli_refuse("play", "%s: the seat cannot be kept, it is lost at the end: %s",
			play->path, strerror(errno));
}

static void take_seat(void *context, const struct client_seat *seat)
{
	struct play *play = context;

	keep_seat(play, seat);
	play->view.seat = seat->seat;
}

static void take_snapshot(void *context, const struct client_snapshot *snapshot)
{
	struct play *play = context;
	bool is_first = !play->view.has_snapshot;

	play_show_snapshot(&play->view, snapshot);
	if (is_first && snapshot->phase == ROOM_WAITING && play->seat.invite_url[0])
		play_say("invitation", play->seat.invite_url);
}

static void take_presence(void *context, const struct client_presences *presences)
{
	struct play *play = context;

	play_show_presence(&play->view, presences);
}

static void take_invitation(void *context, const struct client_seat *seat)
{
	struct play *play = context;

	keep_seat(play, seat);
	play_say("invitation", seat->invite_url);
}

static void take_refusal(void *context, const struct client_refusal *refusal)
{
	struct play *play = context;
	const char *code = refusal->reason[0] ? refusal->reason : refusal->error;
	char buffer[256];

	snprintf(buffer, sizeof(buffer), "%s: %s", code[0] ? code : "unknown",
		refusal->message[0] ? refusal->message : "The server does not say why.");
	play_say("refused", buffer);
	play->has_refused = true;
}

static void take_loss(void *context, const char *reason)
{
	char buffer[640];

	(void)context;
	snprintf(buffer, sizeof(buffer), "%s; trying again", reason);
	play_say("lost", buffer);
}

static void take_return(void *context)
{
	(void)context;
	play_say("found", "connected again");
}

static void show_help(const struct game_ops *ops)
{
	puts("help: a move or one of these words, each on a line");
	printf("  MOVE      as in %s\n", play_moves(ops));
	puts("  undo      asks to take the last move back\n"
	     "  new       asks for a new game\n"
	     "  accept, refuse   answers what the other player asks\n"
	     "  withdraw  takes back what you asked\n"
	     "  invite    makes a new link for the empty seat\n"
	     "  leave     gives the seat up for good\n"
	     "  board     shows the board again\n"
	     "  wait      until it is your turn, you are asked, or the game is over\n"
	     "  quit      ends this program and keeps the seat");
}

/* A move: by its form and, on one's turn, by the rules, before the server sees it. */
static void play_move(struct play *play, const char *text, size_t length)
{
	const struct client_snapshot *now = &play->view.snapshot;
	char members[CLIENT_MEMBERS_BYTES];
	struct game_state next;
	struct game_record record;
	struct game_action action;
	struct text_error error;
	struct text out;
	enum status status = play->ops->action_read(&now->state, text, length, &error, &action);

	if (status == STATUS_OK && play_is_my_turn(&play->view))
		status = play->ops->play(&now->state, NULL, action, &next, &record);
	if (status != STATUS_OK) {
		refuse_line(play, status_code(status), status_text(status));
		return;
	}
	text_init(&out, members, sizeof(members));
	text_add(&out, ",\"action\":");
	play->ops->action_write_json(action, &out);
	client_send(play->client, "play", members);
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* The words that need no server; false: it is none of them. */
static bool do_at_once(struct play *play, const char *text, size_t length)
{
	if (is_word(text, length, "quit"))
		play->quits = true;
	else if (is_word(text, length, "help"))
		show_help(play->ops);
	else if (length > 0)
		return false;
	return true;
}

static void do_line(struct play *play, const char *text, size_t length)
{
	static const struct {
		const char *word;
		const char *op;
		const char *members;
	} commands[] = {
		{"undo", "ask", ",\"what\":\"undo\""},
		{"new", "ask", ",\"what\":\"new-game\""},
		{"accept", "answer", ",\"accept\":true"},
		{"refuse", "answer", ",\"accept\":false"},
		{"withdraw", "withdraw", ""},
		{"invite", "invite", ""},
		{"leave", "leave", ""},
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!is_word(text, length, commands[i].word))
			continue;
		client_send(play->client, commands[i].op, commands[i].members);
		return;
	}
	if (is_word(text, length, "board"))
		play_show_board(&play->view);
	else if (is_word(text, length, "wait"))
		play->waits = true;
	else
		play_move(play, text, length);
}

/* Whether "wait" is over. */
static bool is_time(const struct play *play)
{
	const struct client_snapshot *now = &play->view.snapshot;

	return play_is_my_turn(&play->view) || now->phase == ROOM_OVER ||
	       (now->request.open && now->request.by != play->view.seat);
}

/* The next line of the input, without the blanks around it; false: there is none yet. */
static bool find_line(const struct play *play, const char **line, size_t *length, size_t *used)
{
	const char *end = memchr(play->input, '\n', play->length);

	if (!end && !(play->ended && play->length > 0))
		return false;
	*line = play->input;
	*length = end ? (size_t)(end - play->input) : play->length;
	*used = *length + (end != NULL);
	while (*length > 0 && isspace((unsigned char)(*line)[*length - 1]))
		--*length;
	while (*length > 0 && isspace((unsigned char)**line)) {
		++*line;
		--*length;
	}
	return true;
}

/* Does the next line if it is its time; false: it is not, or there is none. */
static bool do_next(struct play *play)
{
	bool is_ready = client_state(play->client) == CLIENT_READY && !play->waits;
	const char *line;
	size_t length;
	size_t used;

	if (!find_line(play, &line, &length, &used)) {
		play->quits = play->quits || (play->ended && is_ready);
		return false;
	}
	if (!do_at_once(play, line, length)) {
		if (!is_ready)
			return false;
		if (length > TYPED_MAX)
			refuse_line(play, status_code(STATUS_TEXT_TOO_LONG),
				status_text(STATUS_TEXT_TOO_LONG));
		else
			do_line(play, line, length);
	}
	play->length -= used;
	memmove(play->input, play->input + used, play->length);
	return !play->quits;
}

/* A line that fills the buffer is cut there, and its rest is thrown away. */
static void read_input(struct play *play)
{
	char *start = play->input + play->length;
	ssize_t count = read(STDIN_FILENO, start, sizeof(play->input) - play->length);
	char *end;

	if (count < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (count <= 0) {
		play->ended = true;
		return;
	}
	if (play->too_long) {
		end = memchr(start, '\n', (size_t)count);
		play->too_long = !end;
		if (!end)
			return;
		count -= end + 1 - start;
		memmove(start, end + 1, (size_t)count);
	}
	play->length += (size_t)count;
	if (play->length == sizeof(play->input) && !memchr(play->input, '\n', play->length)) {
		play->too_long = true;
		play->input[play->length - 1] = '\n';
	}
}

static bool has_line(const struct play *play)
{
	return memchr(play->input, '\n', play->length) != NULL;
}

static int finish(const struct play *play)
{
	enum client_end end = client_end(play->client);
	const char *problem = client_problem(play->client);
	int result = cli_finish("play");

	if (end == CLIENT_LEFT || end == CLIENT_GONE)
		(void)unlink(play->path);
	if (end == CLIENT_GONE && play->seat.key[0])
		return cli_refuse("play", "%s (the seat is kept no longer)", problem);
	if (end == CLIENT_GONE || end == CLIENT_FAILED)
		return cli_refuse("play", "%s", problem);
	if (result == CLI_DONE && play->has_refused && !isatty(STDIN_FILENO))
		return CLI_REFUSED;
	return result;
}

static int run(struct play *play, const struct play_options *options)
{
	const struct client_options how = {
		.ops = play->ops,
		.ca_file = options->ca_file,
		.patience_ms = options->timeout * 1000,
		.seat = play->seat,
		.ears =
			{
				.context = play,
				.seated = take_seat,
				.snapshot = take_snapshot,
				.presence = take_presence,
				.invited = take_invitation,
				.refused = take_refusal,
				.lost = take_loss,
				.found = take_return,
			},
	};
	int result;

	play->view.seat = play->seat.seat;
	play->client = client_create(&how);
	if (!play->client)
		return cli_refuse("play", "%s", status_text(STATUS_NO_MEMORY));
	while (client_end(play->client) == CLIENT_GOES_ON && !play->quits && !ferror(stdout)) {
		bool wants_input = !play->ended && !has_line(play);

		fflush(stdout);
		if (client_poll(play->client, wants_input ? STDIN_FILENO : -1))
			read_input(play);
		play->waits = play->waits && !is_time(play);
		while (client_end(play->client) == CLIENT_GOES_ON && do_next(play))
			play->waits = play->waits && !is_time(play);
	}
	result = finish(play);
	client_destroy(play->client);
	return result;
}

/* "…/komadai/play/https___games.example-NAME.json" */
static int find_path(struct play *play, const struct link *link, const char *name)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	bool has_state = state && state[0] == '/'; /* others are to be ignored, as XDG says */
	char server[LINK_SERVER_BYTES];
	int length;

	if (!has_state && (!home || !home[0]))
		return cli_refuse("play", "HOME is not set; --seat names a file for the seat");
	strcpy(server, link->server);
	for (char *c = server; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '.' && *c != '-')
			*c = '_';
	length = snprintf(play->path, sizeof(play->path), "%s%s/komadai/play/%s-%s.json",
		has_state ? state : home, has_state ? "" : "/.local/state", server, name);
	if (length >= (int)sizeof(play->path))
		return cli_refuse("play", "%s", strerror(ENAMETOOLONG));
	return CLI_DONE;
}

static int lock_seat(struct play *play)
{
	if (seat_file_lock(play->path, &play->lock))
		return CLI_DONE;
	if (errno == EWOULDBLOCK)
		return cli_refuse("play",
			"%s: another `komadai play` has this seat; --seat names a file for another",
			play->path);
	return cli_refuse("play", "%s: the seat cannot be locked: %s", play->path, strerror(errno));
}

/* The seat that was kept, or a new one of this link. */
static int find_seat(struct play *play, const struct link *link)
{
	struct client_seat *seat = &play->seat;

	switch (seat_file_read(play->path, seat)) {
	case SEAT_FILE_READ:
		if (strcmp(seat->server, link->server) == 0 &&
			strcmp(seat->game, play->ops->name) == 0 &&
			strcmp(seat->secret, link->secret) == 0 &&
			(!link->room[0] || strcmp(seat->room, link->room) == 0))
			return CLI_DONE;
		return cli_refuse("play", "%s keeps the seat of another link", play->path);
	case SEAT_FILE_UNREADABLE:
		return cli_refuse("play", "%s: %s", play->path, strerror(errno));
	case SEAT_FILE_BAD:
		return cli_refuse("play", "%s keeps no seat; remove it to begin anew", play->path);
	case SEAT_FILE_NONE:
		break;
	}
	*seat = (struct client_seat){.seat = ROOM_HOST};
	strcpy(seat->server, link->server);
	snprintf(seat->game, sizeof(seat->game), "%s", play->ops->name);
	if (!link->room[0])
		return CLI_DONE;
	strcpy(seat->room, link->room);
	strcpy(seat->secret, link->secret);
	client_draw_id(seat->join);
	/* Kept before it is sent: with it, an answer that is lost can be had again. */
	if (!seat_file_write(play->path, seat))
		return cli_refuse("play", "%s: %s", play->path, strerror(errno));
	return CLI_DONE;
}

static int find_game(
	const struct play_options *options, const struct link *link, const struct game_ops **ops)
{
	const struct rubrique *rubrique = catalogue_find(link->page, strlen(link->page));

	if (options->game)
		return cli_find_game("play", options->game, ops);
	if (rubrique)
		return cli_find_game("play", rubrique->game, ops);
	if (link->page[0])
		return cli_usage(
			"play", "no game is known of the page \"%s\"; --game names it", link->page);
	*ops = cli_games[0];
	return CLI_DONE;
}

static int read_options(int argc, char **argv, struct play_options *options)
{
	static const struct option known[] = {
		{"game", required_argument, NULL, 'g'},
		{"seat", required_argument, NULL, 's'},
		{"cacert", required_argument, NULL, 'c'},
		{"timeout", required_argument, NULL, 't'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'g')
			options->game = optarg;
		else if (option == 's')
			options->seat_file = optarg;
		else if (option == 'c')
			options->ca_file = optarg;
		else if (option != 't')
			return cli_usage_option("play", argv);
		else if (!cli_read_number(optarg, 1, TIMEOUT_MAX, &options->timeout))
			return cli_usage("play",
				"--timeout must be a whole number from 1 to %d, not \"%s\"",
				TIMEOUT_MAX, optarg);
	}
	if (optind == argc)
		return cli_usage("play", "the link is missing, or the address of a server");
	if (optind + 1 < argc)
		return cli_usage("play", "unexpected argument \"%s\"", argv[optind + 1]);
	options->url = argv[optind];
	return CLI_DONE;
}

/* With a seat that is locked. */
static int play_seat(struct play *play, const struct link *link, const struct play_options *options)
{
	int result = find_seat(play, link);

	if (result != CLI_DONE)
		return result;
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return cli_refuse("play", "%s", status_text(STATUS_NO_MEMORY));
	result = run(play, options);
	curl_global_cleanup();
	return result;
}

/* The program komadai-play: see play_start.c. */
int main(int argc, char **argv)
{
	struct play_options options = {.timeout = TIMEOUT_DEFAULT};
	struct play play = {.view = {.has_snapshot = false}};
	const char *problem;
	struct link link;
	int result;

	if (!standard_streams_ensure())
		return CLI_REFUSED;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* the writing of the seat fails then, and says so */
	opterr = 0;
	result = read_options(argc, argv, &options);
	if (result != CLI_DONE)
		return result;
	if (!link_read(options.url, &link, &problem))
		return cli_usage("play", "%s", problem);
	result = find_game(&options, &link, &play.ops);
	if (result != CLI_DONE)
		return result;
	if (!options.seat_file)
		result = find_path(&play, &link, link.room[0] ? link.room : play.ops->name);
	else if (snprintf(play.path, sizeof(play.path), "%s", options.seat_file) >=
		 (int)sizeof(play.path))
		result = cli_refuse("play", "%s", strerror(ENAMETOOLONG));
	if (result == CLI_DONE)
		result = lock_seat(&play);
	if (result != CLI_DONE)
		return result;
	result = play_seat(&play, &link, &options);
	seat_file_unlock(play.path, play.lock);
	return result;
}
