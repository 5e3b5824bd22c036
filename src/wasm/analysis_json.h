/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/boxes_analysis.h"

/* More bytes than any takes: a line and a string each, and what stands before them. */
enum { ANALYSIS_JSON = 256 * BOXES_EDGES_MAX + 192 * BOXES_MAX + 1024 };

/* An analysis as the npm package publishes it: web/facade/npm/README.md. */
void analysis_write_json(
	const struct boxes_analysis *analysis, struct boxes_grid grid, struct text *text);
