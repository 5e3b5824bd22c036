/* SPDX-License-Identifier: MIT */
#include "usi/usi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "game/perft.h"
#include "usi/board_text.h"
#include "usi/go.h"
#include "usi/words.h"

enum {
	REPLY_MAX = 2048, /* bytes of a line that goes out; one with ENGINE_LINE_MAX moves fits */
	QUOTE_MAX = 40,   /* bytes of a command that are said back */
};

/*
 * `lock` guards `searching`, the calls of `write`, and with `stopped` the wait for `stop`. The
 * engine belongs to the search's thread while `searching`, else to the caller's. `joinable` is the
 * caller's alone: the thread exists, though it may have answered.
 */
struct usi {
	struct usi_host host;
	struct engine *engine;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	pthread_t thread;
	bool joinable;
	bool searching;
	atomic_bool stop;
	struct go go;
	uint64_t started_ms;
};

static uint64_t read_clock(void *context)
{
	(void)context;
	return clock_monotonic_ms();
}

static void write_line(struct usi *usi, const char *line)
{
	pthread_mutex_lock(&usi->lock);
	usi->host.write(usi->host.context, line);
	pthread_mutex_unlock(&usi->lock);
}

/* Adds what was said, cut short and without bytes that a terminal or a log might choke on. */
static void add_quote(struct text *text, struct word word)
{
	text_add_char(text, '"');
	for (size_t i = 0; i < word.length && i < QUOTE_MAX; i++) {
		char c = word.text[i];

		text_add_char(text, c >= ' ' && c <= '~' ? c : '?');
	}
	text_add(text, word.length > QUOTE_MAX ? "...\"" : "\"");
}

/* "info string COMMAND: WHAT [QUOTE] [AFTER]"; a `quote` without text leaves it out. */
static void refuse(struct usi *usi, const char *command, const char *what, struct word quote,
	const char *after)
{
	char line[REPLY_MAX];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_add(&text, "info string ");
	if (command) {
		text_add(&text, command);
		text_add(&text, ": ");
	}
	text_add(&text, what);
	if (quote.text) {
		text_add_char(&text, ' ');
		add_quote(&text, quote);
	}
	text_add(&text, after);
	write_line(usi, line);
}

static const struct word no_word = {NULL, 0};

static bool is_searching(struct usi *usi)
{
	bool searching;

	pthread_mutex_lock(&usi->lock);
	searching = usi->searching;
	pthread_mutex_unlock(&usi->lock);
	return searching;
}

/* Waits for the thread of a search, which is about to answer or has answered. */
static void join_search(struct usi *usi)
{
	if (!usi->joinable)
		return;
	pthread_join(usi->thread, NULL);
	usi->joinable = false;
}

static void stop_search(struct usi *usi)
{
	pthread_mutex_lock(&usi->lock);
	atomic_store(&usi->stop, true);
	pthread_cond_broadcast(&usi->stopped);
	pthread_mutex_unlock(&usi->lock);
}

/* Whether a command that needs the engine may run; says so if not. */
static bool claim_engine(struct usi *usi, const char *command)
{
	if (is_searching(usi)) {
		refuse(usi, command, "a search is running; send stop first", no_word, "");
		return false;
	}
	join_search(usi);
	return true;
}

static void add_action(const struct usi *usi, struct game_action action, struct text *text)
{
	game_line_ops(engine_line(usi->engine))->action_write(action, text);
}

static void search_info(void *context, const struct engine_info *info)
{
	struct usi *usi = context;
	uint64_t elapsed = clock_monotonic_ms() - usi->started_ms;
	char line[REPLY_MAX];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_add(&text, "info depth ");
	text_add_number(&text, info->depth);
	text_add(&text, info->score.mate_plies ? " score mate " : " score cp ");
	text_add_number(
		&text, info->score.mate_plies ? info->score.mate_plies : info->score.centipawns);
	text_add(&text, " nodes ");
	text_add_number(&text, (int64_t)info->nodes);
	text_add(&text, " time ");
	text_add_number(&text, (int64_t)elapsed);
	if (elapsed) {
		text_add(&text, " nps ");
		text_add_number(&text, (int64_t)(info->nodes * 1000 / elapsed));
	}
	text_add(&text, " pv");
	for (size_t i = 0; i < info->line_length; i++) {
		text_add_char(&text, ' ');
		add_action(usi, info->line[i], &text);
	}
	write_line(usi, line);
}

static bool search_should_stop(void *context)
{
	struct usi *usi = context;

	return atomic_load_explicit(&usi->stop, memory_order_relaxed);
}

static void *run_search(void *context)
{
	struct usi *usi = context;
	struct engine_host host = {usi, search_info, search_should_stop, read_clock};
	struct engine_result result = engine_search(usi->engine, &usi->go.limits, &host);
	char line[REPLY_MAX];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_add(&text, "bestmove ");
	if (result.move.code)
		add_action(usi, result.move, &text);
	else
		text_add(&text, "resign");

	pthread_mutex_lock(&usi->lock);
	while (usi->go.infinite && !atomic_load(&usi->stop))
		pthread_cond_wait(&usi->stopped, &usi->lock);
	/* Before the answer is out: whoever reads it may send the next command at once. */
	usi->searching = false;
	usi->host.write(usi->host.context, line);
	pthread_mutex_unlock(&usi->lock);
	return NULL;
}

static void start_search(struct usi *usi)
{
	if (usi->host.nodes_max &&
		(!usi->go.limits.nodes || usi->go.limits.nodes > usi->host.nodes_max))
		usi->go.limits.nodes = usi->host.nodes_max;
	usi->started_ms = clock_monotonic_ms();
	atomic_store(&usi->stop, false);
	usi->searching = true;
	if (pthread_create(&usi->thread, NULL, run_search, usi) != 0) {
		usi->searching = false;
		refuse(usi, "go", "no thread can be started", no_word, "");
		return;
	}
	usi->joinable = true;
}

static void write_branch(void *context, const char *action, uint64_t leaves)
{
	char line[REPLY_MAX];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_add(&text, action);
	text_add(&text, ": ");
	text_add_number(&text, (int64_t)leaves);
	write_line(context, line);
}

/* Counts in the caller's thread, as other programs do: `stop` is not heard meanwhile. */
static void run_perft(struct usi *usi, int depth)
{
	const struct game_line *position = engine_line(usi->engine);
	uint64_t leaves = 1;
	char line[REPLY_MAX];
	struct text text;

	if (depth > 0)
		leaves = game_perft_split(game_line_ops(position), game_line_state(position), depth,
			true, write_branch, usi);
	text_init(&text, line, sizeof(line));
	text_add(&text, "Nodes searched: ");
	text_add_number(&text, (int64_t)leaves);
	write_line(usi, line);
}

static void command_go(struct usi *usi, struct words *words)
{
	struct go go;
	struct word bad;
	const char *wanted;

	if (!claim_engine(usi, "go"))
		return;
	if (!go_read(words, game_line_summary(engine_line(usi->engine)).player, &go, &bad,
		    &wanted)) {
		char what[128];
		struct text text;

		text_init(&text, what, sizeof(what));
		text_add(&text, "expected ");
		text_add(&text, wanted);
		text_add(&text, ", not");
		refuse(usi, "go", what, bad, "");
		return;
	}
	if (go.mate) {
		write_line(usi, "checkmate notimplemented");
		return;
	}
	if (go.perft >= 0) {
		if (usi->host.perft_max && go.perft > usi->host.perft_max)
			go.perft = usi->host.perft_max;
		run_perft(usi, go.perft);
		return;
	}
	usi->go = go;
	start_search(usi);
}

static void command_usi(struct usi *usi, struct words *words)
{
	(void)words;
	write_line(usi, "id name Komadai " KOMADAI_VERSION);
	write_line(usi, "id author the Komadai contributors");
	write_line(usi, "option name USI_Hash type spin default 16 min 1 max 1024");
	write_line(usi, "option name USI_Variant type combo default minishogi var minishogi");
	write_line(usi, "option name UCI_Variant type combo default minishogi var minishogi");
	write_line(usi, "usiok");
}

static void command_isready(struct usi *usi, struct words *words)
{
	(void)words;
	write_line(usi, "readyok");
}

/* "setoption name NAME [value VALUE]": the options have one right value, or none that matters yet.
 */
static void command_setoption(struct usi *usi, struct words *words)
{
	struct word word;
	struct word name;
	struct word value = no_word;
	uint64_t number;

	if (!words_next(words, &word) || !word_is(word, "name") || !words_next(words, &name)) {
		refuse(usi, "setoption", "expected \"name\" and the name of an option", no_word,
			"");
		return;
	}
	if (words_next(words, &word) && word_is(word, "value"))
		(void)words_next(words, &value);
	if (word_is(name, "USI_Hash")) {
		if (!value.text || !word_number(value, 1, 1024, &number))
			refuse(usi, "setoption", "USI_Hash is a number from 1 to 1024, not", value,
				"");
	} else if (word_is(name, "USI_Variant") || word_is(name, "UCI_Variant")) {
		if (!value.text || !word_is(value, "minishogi"))
			refuse(usi, "setoption", "the only variant is minishogi, not", value, "");
	} else {
		refuse(usi, "setoption", "there is no option", name, "; it is left out");
	}
}

static void command_usinewgame(struct usi *usi, struct words *words)
{
	(void)words;
	(void)claim_engine(usi, "usinewgame");
}

/* Splits "startpos|sfen SFEN [moves MOVES]". */
static bool read_position(struct words *words, struct engine_text *position)
{
	const char *end = words->text + words->length;
	struct word word;

	*position = (struct engine_text){0};
	if (!words_next(words, &word))
		return false;
	if (word_is(word, "sfen")) {
		size_t before = words->at;

		position->setup = end;
		while (words_next(words, &word) && !word_is(word, "moves")) {
			if (position->setup == end)
				position->setup = word.text;
			position->setup_length =
				(size_t)(word.text + word.length - position->setup);
			before = words->at;
		}
		words->at = before;
	} else if (!word_is(word, "startpos")) {
		return false;
	}
	if (!words_next(words, &word))
		return true;
	position->moves = words->text + words->at;
	position->moves_length = words->length - words->at;
	return word_is(word, "moves");
}

static void command_position(struct usi *usi, struct words *words)
{
	struct engine_text position;
	const char *at;
	enum status status;
	char what[256];
	struct text text;

	if (!claim_engine(usi, "position"))
		return;
	if (!read_position(words, &position)) {
		refuse(usi, "position",
			"expected \"startpos\" or \"sfen\" and an SFEN, then \"moves\" or nothing",
			no_word, "; the old position stays");
		return;
	}
	status = engine_set_text(usi->engine, &position, &at);
	if (status == STATUS_OK)
		return;
	text_init(&text, what, sizeof(what));
	if (at) {
		size_t left = (size_t)(words->text + words->length - at);
		size_t length = 0;

		while (length < left && at[length] != ' ' && at[length] != '\t')
			length++;
		text_add(&text, "column ");
		text_add_number(&text, at - words->text + 1);
		text_add(&text, ": ");
		text_add(&text, status_text(status));
		text_add(&text, ", at");
		refuse(usi, "position", what, (struct word){at, length},
			"; the old position stays");
		return;
	}
	text_add(&text, status_text(status));
	refuse(usi, "position", what, no_word, "; the old position stays");
}

static void command_stop(struct usi *usi, struct words *words)
{
	(void)words;
	stop_search(usi);
}

static void command_d(struct usi *usi, struct words *words)
{
	char board[BOARD_TEXT];
	struct text text;
	char *line = board;

	(void)words;
	text_init(&text, board, sizeof(board));
	board_write(game_line_state(engine_line(usi->engine)), &text);
	while (*line) {
		char *end = strchr(line, '\n');

		*end = 0;
		write_line(usi, line);
		line = end + 1;
	}
}

static const struct {
	const char *name;
	void (*run)(struct usi *usi, struct words *words);
} commands[] = {
	{"usi", command_usi},
	{"isready", command_isready},
	{"setoption", command_setoption},
	{"usinewgame", command_usinewgame},
	{"position", command_position},
	{"go", command_go},
	{"stop", command_stop},
	{"ponderhit", command_stop},
	{"gameover", command_stop},
	{"d", command_d},
};

bool usi_command(struct usi *usi, const char *text, size_t length)
{
	struct words words = {text, length, 0};
	struct word name;

	if (length > USI_LINE_MAX) {
		refuse(usi, NULL, "a command is too long: more than 262144 bytes", no_word, "");
		return true;
	}
	if (length && text[length - 1] == '\r')
		words.length--;
	if (!words_next(&words, &name))
		return true;
	if (word_is(name, "quit"))
		return false;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (word_is(name, commands[i].name)) {
			commands[i].run(usi, &words);
			return true;
		}
	}
	refuse(usi, NULL, "there is no command", name, "");
	return true;
}
_Static_assert(USI_LINE_MAX == 262144, "as the text above says");

void usi_finish(struct usi *usi)
{
	if (is_searching(usi) && usi->go.infinite)
		stop_search(usi);
	join_search(usi);
}

enum status usi_create(const struct usi_host *host, struct usi **usi)
{
	struct usi *made = calloc(1, sizeof(*made));
	enum status status;

	if (!made)
		return STATUS_NO_MEMORY;
	status = engine_create(&made->engine);
	if (status != STATUS_OK)
		goto fail_engine;
	made->host = *host;
	status = STATUS_NO_MEMORY;
	if (pthread_mutex_init(&made->lock, NULL) != 0)
		goto fail_lock;
	if (pthread_cond_init(&made->stopped, NULL) != 0)
		goto fail_stopped;
	*usi = made;
	return STATUS_OK;
fail_stopped:
	pthread_mutex_destroy(&made->lock);
fail_lock:
	engine_destroy(made->engine);
fail_engine:
	free(made);
	return status;
}

void usi_destroy(struct usi *usi)
{
	if (!usi)
		return;
	stop_search(usi);
	join_search(usi);
	pthread_cond_destroy(&usi->stopped);
	pthread_mutex_destroy(&usi->lock);
	engine_destroy(usi->engine);
	free(usi);
}
