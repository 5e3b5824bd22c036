/* SPDX-License-Identifier: MIT */
#include "server/metrics.h"

#include <assert.h>
#include <string.h>

static const char *const route_words[METRICS_ROUTES] = {
	[METRICS_NOTHING] = "nothing",
	[METRICS_HEALTH] = "health",
	[METRICS_PAGE] = "page",
	[METRICS_ROOMS] = "rooms",
	[METRICS_ROOM] = "room",
	[METRICS_JOIN] = "join",
	[METRICS_COMMANDS] = "commands",
	[METRICS_EVENTS] = "events",
};

static const char *const op_words[METRICS_OPS] = {
	[ROOM_OP_PLAY] = "play",
	[ROOM_OP_SETTINGS] = "settings",
	[ROOM_OP_ASK] = "ask",
	[ROOM_OP_ANSWER] = "answer",
	[ROOM_OP_WITHDRAW] = "withdraw",
	[ROOM_OP_LEAVE] = "leave",
	[ROOM_OP_INVITE] = "invite",
};

static bool same(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

static struct metrics_refusal *find_refusal(
	struct metrics *metrics, const char *error, const char *reason)
{
	struct metrics_refusal *refusals = metrics->refusals;
	size_t count = metrics->refusal_count;

	for (size_t i = 0; i < count; i++)
		if (same(refusals[i].error, error) && same(refusals[i].reason, reason))
			return &refusals[i];
	if (count == METRICS_REFUSALS_MAX - 1) {
		error = "other";
		reason = NULL;
	} else if (count == METRICS_REFUSALS_MAX) {
		return &refusals[count - 1];
	}
	refusals[count] = (struct metrics_refusal){.error = error, .reason = reason};
	metrics->refusal_count++;
	return &refusals[count];
}

void metrics_count_answer(struct metrics *metrics, const struct http_note *note, int status_code)
{
	assert(note->tag < METRICS_ROUTES && status_code >= 100 && status_code < 600);
	metrics->answers[note->tag][status_code / 100]++;
	if (note->error)
		find_refusal(metrics, note->error, note->reason)->count++;
}

/* The two lines before the values of a name. */
static void add_head(struct text *text, const char *name, const char *type, const char *help)
{
	text_add(text, "# HELP ");
	text_add(text, name);
	text_add_char(text, ' ');
	text_add(text, help);
	text_add(text, "\n# TYPE ");
	text_add(text, name);
	text_add_char(text, ' ');
	text_add(text, type);
	text_add_char(text, '\n');
}

/* name{labels} value; `labels` is without braces, as a="b",c="d"; NULL: none. */
static void add_value(struct text *text, const char *name, const char *labels, uint64_t value)
{
	text_add(text, name);
	if (labels) {
		text_add_char(text, '{');
		text_add(text, labels);
		text_add_char(text, '}');
	}
	text_add_char(text, ' ');
	text_add_number(text, (int64_t)value);
	text_add_char(text, '\n');
}

static void add_only(
	struct text *text, const char *name, const char *type, const char *help, uint64_t value)
{
	add_head(text, name, type, help);
	add_value(text, name, NULL, value);
}

/* One value of several that differ in one label. */
static void add_labelled(
	struct text *text, const char *name, const char *label, const char *word, uint64_t value)
{
	char bytes[96];
	struct text labels;

	text_init(&labels, bytes, sizeof(bytes));
	text_add(&labels, label);
	text_add(&labels, "=\"");
	text_add(&labels, word);
	text_add_char(&labels, '"');
	assert(!labels.overflow);
	add_value(text, name, bytes, value);
}

static void add_answers(struct text *text, const struct metrics *metrics)
{
	static const char name[] = "komadai_http_requests_total";

	add_head(text, name, "counter", "Requests that were answered, by address and status.");
	for (size_t route = 0; route < METRICS_ROUTES; route++) {
		for (unsigned digit = 2; digit < 6; digit++) {
			char bytes[64];
			struct text labels;

			text_init(&labels, bytes, sizeof(bytes));
			text_add(&labels, "route=\"");
			text_add(&labels, route_words[route]);
			text_add(&labels, "\",status=\"");
			text_add_number(&labels, digit);
			text_add(&labels, "xx\"");
			assert(!labels.overflow);
			add_value(text, name, bytes, metrics->answers[route][digit]);
		}
	}
}

static void add_refusals(struct text *text, const struct metrics *metrics)
{
	static const char name[] = "komadai_refusals_total";

	add_head(text, name, "counter", "Answers that refused, by their words.");
	for (size_t i = 0; i < metrics->refusal_count; i++) {
		const struct metrics_refusal *refusal = &metrics->refusals[i];
		char bytes[128];
		struct text labels;

		text_init(&labels, bytes, sizeof(bytes));
		text_add(&labels, "error=\"");
		text_add(&labels, refusal->error);
		text_add(&labels, "\",reason=\"");
		text_add(&labels, refusal->reason ? refusal->reason : "");
		text_add_char(&labels, '"');
		assert(!labels.overflow);
		add_value(text, name, bytes, refusal->count);
	}
}

static void add_commands(struct text *text, const struct metrics *metrics)
{
	static const char name[] = "komadai_commands_total";

	add_head(text, name, "counter", "Commands that were answered 200, by kind.");
	for (size_t op = 0; op < METRICS_OPS; op++)
		add_labelled(text, name, "op", op_words[op], metrics->commands[op]);
}

static void add_rooms(struct text *text, const struct hub_phases *rooms)
{
	static const char name[] = "komadai_rooms";

	add_head(text, name, "gauge", "Rooms in memory, by phase.");
	add_labelled(text, name, "phase", "waiting", rooms->waiting);
	add_labelled(text, name, "phase", "playing", rooms->playing);
	add_labelled(text, name, "phase", "over", rooms->over);
	add_labelled(text, name, "phase", "closed", rooms->closed);
	add_labelled(text, name, "phase", "damaged", rooms->damaged);
}

/* A number of microseconds as seconds: 1500 is 0.0015. */
static void add_seconds(struct text *text, uint64_t microseconds)
{
	char digits[] = "000000";
	uint64_t rest = microseconds % 1000000;

	text_add_number(text, (int64_t)(microseconds / 1000000));
	for (size_t i = sizeof(digits) - 1; i-- > 0; rest /= 10)
		digits[i] = (char)('0' + rest % 10);
	for (size_t i = sizeof(digits) - 1; i > 0 && digits[i - 1] == '0'; i--)
		digits[i - 1] = 0;
	if (digits[0]) {
		text_add_char(text, '.');
		text_add(text, digits);
	}
}

static void add_plain(struct text *text, uint64_t number)
{
	text_add_number(text, (int64_t)number);
}

/* `add` writes bounds and sum in the unit of the name. */
static void add_histogram(struct text *text, const char *name, const char *help,
	const struct writer_histogram *histogram, const uint64_t bounds[WRITER_BOUNDS],
	void (*add)(struct text *text, uint64_t value))
{
	uint64_t total = 0;

	add_head(text, name, "histogram", help);
	for (size_t i = 0; i <= WRITER_BOUNDS; i++) {
		total += histogram->counts[i];
		text_add(text, name);
		text_add(text, "_bucket{le=\"");
		if (i < WRITER_BOUNDS)
			add(text, bounds[i]);
		else
			text_add(text, "+Inf");
		text_add(text, "\"} ");
		add_plain(text, total);
		text_add_char(text, '\n');
	}
	text_add(text, name);
	text_add(text, "_sum ");
	add(text, histogram->sum);
	text_add_char(text, '\n');
	text_add(text, name);
	text_add(text, "_count ");
	add_plain(text, total);
	text_add_char(text, '\n');
}

static void add_store(struct text *text, const struct writer_stats *store)
{
	add_only(text, "komadai_events_written_total", "counter", "Events that are on disk.",
		store->written);
	add_histogram(text, "komadai_store_transaction_events",
		"Events that were written together, in one transaction.", &store->sizes,
		writer_size_bounds, add_plain);
	add_histogram(text, "komadai_store_transaction_seconds",
		"Time of a transaction, with the flush of the disk.", &store->times,
		writer_time_bounds, add_seconds);
	add_only(text, "komadai_store_errors_total", "counter",
		"Transactions that could not be written.", store->failed);
}

static void add_process(struct text *text, const struct metrics_now *now)
{
	add_head(text, "process_start_time_seconds", "gauge",
		"When the server started, in seconds since 1970.");
	text_add(text, "process_start_time_seconds ");
	add_seconds(text, (uint64_t)now->started_ms * 1000);
	text_add_char(text, '\n');
	add_only(text, "process_resident_memory_bytes", "gauge", "Memory of the process.",
		now->resident_bytes);
	add_head(text, "komadai_build_info", "gauge", "Always 1; the version is its label.");
	add_labelled(text, "komadai_build_info", "version", KOMADAI_VERSION, 1);
}

void metrics_write(const struct metrics *metrics, const struct metrics_now *now, struct text *text)
{
	static const char limited[] = "komadai_limited_total";

	add_answers(text, metrics);
	add_refusals(text, metrics);
	add_head(text, limited, "counter",
		"What was answered 429, or not at all, because it was too much.");
	for (enum gate_kind kind = 0; kind < GATE_KINDS; kind++)
		add_labelled(text, limited, "kind", gate_kind_word(kind), now->limited[kind]);
	add_commands(text, metrics);
	add_rooms(text, &now->rooms);
	add_only(text, "komadai_connections", "gauge", "Open connections.", now->connections);
	add_only(text, "komadai_streams", "gauge", "Open event streams.", now->streams);
	add_store(text, &now->store);
	add_process(text, now);
	assert(!text->overflow);
}
