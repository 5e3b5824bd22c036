/* SPDX-License-Identifier: MIT */
#include "wasm/analysis_json.h"

static void write_flag(const char *name, bool flag, struct text *text)
{
	text_add(text, name);
	text_add(text, flag ? "true" : "false");
}

static void write_number(const char *name, int number, struct text *text)
{
	text_add(text, name);
	text_add_number(text, number);
}

static void write_bounds(const char *name, struct boxes_bounds bounds, struct text *text)
{
	text_add(text, name);
	write_number("{\"low\":", bounds.low, text);
	write_number(",\"high\":", bounds.high, text);
	text_add_char(text, '}');
}

static void write_numbers(const char *name, const uint8_t *numbers, int count, struct text *text)
{
	text_add(text, name);
	for (int i = 0; i < count; i++) {
		text_add_char(text, i ? ',' : '[');
		text_add_number(text, numbers[i]);
	}
	text_add(text, count ? "]" : "[]");
}

static void write_nimber(int nimber, struct text *text)
{
	text_add(text, ",\"nimber\":");
	if (nimber == BOXES_NIMBER_LOONY)
		text_add(text, "\"loony\"");
	else if (nimber == BOXES_NIMBER_UNKNOWN)
		text_add(text, "null");
	else
		text_add_number(text, nimber);
}

static void write_board(const struct boxes_analysis *analysis, int edges, struct text *text)
{
	uint8_t numbers[BOXES_EDGES_MAX];
	int count = 0;

	for (int edge = 0; edge < edges; edge++)
		if (analysis->lines[edge].safe)
			numbers[count++] = (uint8_t)edge;
	write_numbers(",\"safe\":", numbers, count, text);
	count = 0;
	for (int box = 0; box < BOXES_MAX; box++)
		if (analysis->takeable >> box & 1)
			numbers[count++] = (uint8_t)box;
	write_numbers(",\"takeable\":", numbers, count, text);
}

static void write_string(const struct boxes_string_report *string, struct text *text)
{
	int border = string->loop ? 0 : 2 - string->ends_at_joints - string->ends_open;

	text_add(text, string->loop ? "{\"kind\":\"loop\"" : "{\"kind\":\"chain\"");
	write_number(",\"length\":", string->length, text);
	write_flag(",\"long\":", boxes_string_is_long(string), text);
	write_number(",\"ends\":{\"border\":", border, text);
	write_number(",\"joint\":", string->ends_at_joints, text);
	write_number(",\"open\":", string->ends_open, text);
	write_numbers("},\"boxes\":", string->boxes, string->length, text);
	write_numbers(",\"edges\":", string->lines, boxes_string_lines(string), text);
	text_add_char(text, '}');
}

static void write_line(const struct boxes_line_report *line, int edge, struct text *text)
{
	write_number("{\"edge\":", edge, text);
	write_bounds(",\"score\":", line->score, text);
	write_flag(",\"best\":", line->best, text);
	write_flag(",\"safe\":", line->safe, text);
	write_flag(",\"loony\":", line->loony, text);
	write_number(",\"boxes\":", line->boxes, text);
	text_add(text, ",\"reason\":");
	text_add_json(text, boxes_reason_code(line->reason));
	text_add(text, ",\"words\":\"");
	boxes_reason_write(line, text);
	text_add(text, "\"}");
}

void analysis_write_json(
	const struct boxes_analysis *analysis, struct boxes_grid grid, struct text *text)
{
	int edges = boxes_edge_count(grid);
	const char *between = "";

	write_bounds("{\"value\":", analysis->value, text);
	write_flag(",\"bestKnown\":", analysis->best_known, text);
	write_nimber(analysis->nimber, text);
	write_board(analysis, edges, text);
	text_add(text, ",\"strings\":[");
	for (int i = 0; i < analysis->strings; i++) {
		text_add(text, i ? "," : "");
		write_string(&analysis->string[i], text);
	}
	text_add(text, "],\"lines\":[");
	for (int edge = 0; edge < edges; edge++) {
		if (!analysis->lines[edge].free)
			continue;
		text_add(text, between);
		between = ",";
		write_line(&analysis->lines[edge], edge, text);
	}
	text_add(text, "]}");
}
