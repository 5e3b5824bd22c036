/* SPDX-License-Identifier: MIT */

/*
 * The search that both boards share: iterative deepening, alpha-beta, captures first, and captures
 * alone past the last ply. The board's own file defines, above this text, `board_value`,
 * `hand_value`, state_position(), state_judge(), state_ply_limit(), position_record(), key_hash().
 *
 * Scores are the side to move's. A game that ends `ply` plies below the root is worth
 * SCORE_END - ply to its winner.
 */
enum {
	SCORE_END = 30000,
	SCORE_INFINITE = SCORE_END + 1,
	PLY_MAX = ENGINE_LINE_MAX, /* below the root, captures included */
	SCORE_END_SEEN = SCORE_END - PLY_MAX,
};

/* Where moves stand in the order in which they are tried. */
enum {
	ORDER_QUIET_MAX = 1 << 18,
	ORDER_PROMOTION = 1 << 19,
	ORDER_CAPTURE = 1 << 20,
	ORDER_EXPECTED = 1 << 21
};

/* One ply below the root. */
struct frame {
	struct position position;
	struct move moves[MOVES_MAX];
	int order[MOVES_MAX];
	struct move line[PLY_MAX + 1]; /* what is expected from here on */
	size_t line_length;
	bool on_expected_line; /* the moves so far are those of the last iteration's line */
};

struct root_move {
	struct move move;
	bool ends; /* the game ends with it, by the rules and this game's own past */
	int score; /* when it does */
};

/*
 * `hashes` holds the game's positions, then the path's: that of frame `ply` is at `game_count - 1 +
 * ply`. `records` has room for as many; the path's are written only when the judge must be asked.
 */
struct search {
	const struct engine_limits *limits;
	const struct engine_host *host;
	const struct judge_rules *judge;
	uint64_t deadline_ms;
	uint64_t nodes;
	bool stopped;

	uint64_t *hashes;
	struct game_record *records;
	size_t capacity;
	size_t game_count;
	uint32_t plies_left; /* to the rules' limit; UINT32_MAX: none */

	struct root_move root[MOVES_MAX];
	size_t root_count;
	struct move expected[PLY_MAX + 1];
	size_t expected_length;
	int cutoffs[2][SQUARES + TYPES][SQUARES]; /* how often a quiet move refuted */
	struct frame frames[PLY_MAX + 1];
};

static int count_material(const struct position *pos, int color)
{
	bitboard own = pos->color[color];
	int sum = 0;

	for (int type = 0; type < TYPES; type++) {
		bitboard pieces = pos->type[type] & own;

		sum += board_value[type] * count_squares(pieces & ~pos->promoted) +
		       board_value[TYPES + 1 + type] * count_squares(pieces & pos->promoted) +
		       hand_value[type] * hand_count(pos, color, type);
	}
	return sum;
}

static int evaluate(const struct position *pos)
{
	return count_material(pos, pos->turn) - count_material(pos, !pos->turn);
}

static bool is_capture(const struct position *pos, struct move move)
{
	return position_occupied(pos) & square_bit(move_to(move));
}

/* Dear victims first, and of the takers the cheap ones; then promotions; then what refuted before.
 */
static int rate_move(const struct search *search, const struct position *pos, struct move move)
{
	if (is_capture(pos, move)) {
		int victim = type_on(pos, move_to(move));
		bool promoted = (pos->promoted & square_bit(move_to(move))) != 0;
		int gain = board_value[kind_of(victim, promoted)] + hand_value[victim];

		return ORDER_CAPTURE + 8 * gain - board_value[type_on(pos, move_from(move))];
	}
	if (move_promotes(move))
		return ORDER_PROMOTION;
	return search->cutoffs[pos->turn][move_from(move)][move_to(move)];
}

/* Rates the first `count` moves of the frame and keeps those to be tried; returns their number. */
static unsigned rate_moves(struct search *search, int ply, unsigned count, bool captures_only)
{
	struct frame *frame = &search->frames[ply];
	bool expected = frame->on_expected_line && (size_t)ply < search->expected_length;
	unsigned kept = 0;

	for (unsigned i = 0; i < count; i++) {
		struct move move = frame->moves[i];

		if (captures_only && !is_capture(&frame->position, move))
			continue;
		frame->moves[kept] = move;
		frame->order[kept] = expected && move.bits == search->expected[ply].bits
					     ? ORDER_EXPECTED
					     : rate_move(search, &frame->position, move);
		kept++;
	}
	return kept;
}

/* Brings the best of the moves from `i` on to `i`. Most lists are left after a few moves. */
static struct move pick_move(struct frame *frame, unsigned i, unsigned count)
{
	unsigned best = i;
	struct move move;
	int order;

	for (unsigned j = i + 1; j < count; j++)
		if (frame->order[j] > frame->order[best])
			best = j;
	move = frame->moves[best];
	order = frame->order[best];
	frame->moves[best] = frame->moves[i];
	frame->order[best] = frame->order[i];
	frame->moves[i] = move;
	frame->order[i] = order;
	return move;
}

static void make_move(struct search *search, int ply, struct move move)
{
	struct frame *frame = &search->frames[ply];
	struct frame *next = frame + 1;
	size_t current = search->game_count - 1 + (size_t)ply;

	position_play(&frame->position, move, &next->position);
	next->line_length = 0;
	next->on_expected_line = frame->on_expected_line && (size_t)ply < search->expected_length &&
				 search->expected[ply].bits == move.bits;
	search->hashes[current + 1] =
		position_hash_after(&frame->position, search->hashes[current], move);
}

/* The line of frame `ply` becomes `move` and then the line of the frame below. */
static void keep_line(struct search *search, int ply, struct move move)
{
	struct frame *frame = &search->frames[ply];
	const struct frame *next = frame + 1;

	frame->line[0] = move;
	memcpy(frame->line + 1, next->line, next->line_length * sizeof(*next->line));
	frame->line_length = next->line_length + 1;
}

static int score_end(int winner, int turn, int ply)
{
	if (winner < 0)
		return 0;
	return winner == turn ? SCORE_END - ply : ply - SCORE_END;
}

/*
 * Whether the rules end the game at frame `ply`, which has legal moves. Hashes only say when to ask
 * the judge; it compares whole positions.
 */
static bool path_ends(struct search *search, int ply, int *score)
{
	const struct position *pos = &search->frames[ply].position;
	size_t current = search->game_count - 1 + (size_t)ply;
	int occurrences = 1;

	for (size_t i = current; i >= 2; i -= 2)
		occurrences += search->hashes[i - 2] == search->hashes[current];
	if (occurrences >= REPETITION_OCCURRENCES) {
		struct game_history history = {search->records, current};
		struct judge_verdict verdict;

		for (int i = 1; i <= ply; i++) {
			const struct position *passed = &search->frames[i].position;

			search->records[search->game_count - 1 + (size_t)i] =
				position_record(passed, !passed->turn);
		}
		verdict = judge_repetition(search->judge, &history, &search->records[current]);
		if (verdict.over) {
			*score = score_end(verdict.winner, pos->turn, ply);
			return true;
		}
	}
	*score = 0;
	return (uint32_t)ply >= search->plies_left;
}

/* Asked before each node; true from the moment that the search must end. */
static bool search_must_stop(struct search *search)
{
	const struct engine_host *host = search->host;

	if (search->limits->nodes && search->nodes >= search->limits->nodes)
		search->stopped = true;
	if (!search->stopped && search->nodes % ENGINE_NODES_BETWEEN_CHECKS == 0)
		search->stopped = (host->should_stop && host->should_stop(host->context)) ||
				  (search->deadline_ms &&
					  host->clock_ms(host->context) >= search->deadline_ms);
	return search->stopped;
}

static void remember_cutoff(
	struct search *search, const struct position *pos, struct move move, int depth)
{
	int *cutoffs = &search->cutoffs[pos->turn][move_from(move)][move_to(move)];

	if (is_capture(pos, move))
		return;
	*cutoffs += depth * depth;
	if (*cutoffs > ORDER_QUIET_MAX)
		*cutoffs = ORDER_QUIET_MAX;
}

/*
 * The score of frame `ply`, exact between `alpha` and `beta`, else a bound; meaningless once the
 * search has stopped. From depth 0 on, captures alone are tried and the side to move may also stand
 * still: threats are not seen there, mates are.
 */
static int search_node(struct search *search, int ply, int depth, int alpha, int beta)
{
	struct frame *frame = &search->frames[ply];
	bool captures_only = depth <= 0 || ply == PLY_MAX;
	int best = -SCORE_INFINITE;
	int end;
	unsigned count;

	if (search_must_stop(search))
		return 0;
	search->nodes++;
	count = generate_moves(&frame->position, frame->moves);
	if (count == 0)
		return ply - SCORE_END;
	if (path_ends(search, ply, &end))
		return end;
	if (captures_only) {
		best = evaluate(&frame->position);
		if (best >= beta || ply == PLY_MAX)
			return best;
		if (best > alpha)
			alpha = best;
	}

	count = rate_moves(search, ply, count, captures_only);
	for (unsigned i = 0; i < count; i++) {
		struct move move = pick_move(frame, i, count);
		int score;

		make_move(search, ply, move);
		score = -search_node(search, ply + 1, depth - 1, -beta, -alpha);
		if (search->stopped)
			return 0;
		if (score <= best)
			continue;
		best = score;
		if (score <= alpha)
			continue;
		alpha = score;
		keep_line(search, ply, move);
		if (score >= beta) {
			remember_cutoff(search, &frame->position, move, depth);
			break;
		}
	}
	return best;
}

/* Root moves in the order of the first iteration: the ends won, the others rated, the ends lost. */
static int rate_root_move(const struct search *search, const struct root_move *root)
{
	if (root->ends)
		return root->score > 0 ? ORDER_EXPECTED : root->score < 0 ? -1 : 0;
	return 1 + rate_move(search, &search->frames[0].position, root->move);
}

static void add_root_move(struct search *search, const struct root_move *root)
{
	size_t i = search->root_count++;
	int order = rate_root_move(search, root);

	for (; i > 0 && rate_root_move(search, &search->root[i - 1]) < order; i--)
		search->root[i] = search->root[i - 1];
	search->root[i] = *root;
}

/* Lists the legal moves of the line's end; the rules themselves say which of them end the game. */
static void list_root_moves(struct search *search, const struct game_line *line)
{
	const struct game_ops *ops = game_line_ops(line);
	const struct game_state *state = game_line_state(line);
	struct game_history history = game_line_history(line);
	struct game_action actions[GAME_ACTIONS_MAX];
	size_t count = ops->legal(state, actions);
	int turn = search->frames[0].position.turn;

	search->root_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct game_state next;
		struct game_record record;
		struct root_move root = {.move = {(uint16_t)actions[i].code}};

		if (ops->play(state, &history, actions[i], &next, &record) == STATUS_OK) {
			struct game_summary summary = ops->summary(&next);

			root.ends = summary.over;
			root.score = score_end(summary.winner, turn, 1);
			add_root_move(search, &root);
		}
	}
}

/*
 * One iteration. The best move so far stands first in `root`, so that an iteration that is stopped
 * leaves a result: its first move was the last iteration's best.
 */
static int search_root(struct search *search, int depth)
{
	struct frame *frame = &search->frames[0];
	int best = -SCORE_INFINITE;

	for (size_t i = 0; i < search->root_count; i++) {
		struct root_move root = search->root[i];
		int score = root.score;

		make_move(search, 0, root.move);
		if (!root.ends)
			score = -search_node(search, 1, depth - 1, -SCORE_INFINITE, -best);
		if (search->stopped)
			break;
		if (score <= best)
			continue;
		best = score;
		keep_line(search, 0, root.move);
		memmove(search->root + 1, search->root, i * sizeof(*search->root));
		search->root[0] = root;
	}
	memcpy(search->expected, frame->line, frame->line_length * sizeof(*frame->line));
	search->expected_length = frame->line_length;
	return best;
}

static struct engine_score report_score(int score)
{
	struct engine_score reported = {.centipawns = score};

	if (score >= SCORE_END_SEEN)
		reported.mate_plies = SCORE_END - score;
	else if (score <= -SCORE_END_SEEN)
		reported.mate_plies = -SCORE_END - score;
	return reported;
}

static void report_info(const struct search *search, const struct engine_result *result)
{
	struct engine_info info = {
		.depth = result->depth,
		.nodes = search->nodes,
		.score = result->score,
	};

	if (!search->host->info)
		return;
	for (; info.line_length < search->expected_length && info.line_length < ENGINE_LINE_MAX;
		info.line_length++)
		info.line[info.line_length].code = search->expected[info.line_length].bits;
	search->host->info(search->host->context, &info);
}

/* Everything that a search knows before it begins. */
static void search_begin(struct search *search, const struct game_line *line,
	const struct engine_limits *limits, const struct engine_host *host)
{
	const struct game_state *state = game_line_state(line);
	struct game_history history = game_line_history(line);
	uint32_t ply_limit = state_ply_limit(state);

	assert(host->clock_ms || !limits->movetime_ms);
	search->limits = limits;
	search->host = host;
	search->judge = state_judge(state);
	search->deadline_ms =
		limits->movetime_ms ? host->clock_ms(host->context) + limits->movetime_ms : 0;
	search->nodes = 0;
	search->stopped = false;
	search->game_count = history.count;
	search->plies_left = ply_limit ? ply_limit - game_line_summary(line).moves : UINT32_MAX;
	search->expected_length = 0;
	memset(search->cutoffs, 0, sizeof(search->cutoffs));
	memcpy(search->records, history.records, history.count * sizeof(*history.records));
	for (size_t i = 0; i < history.count; i++)
		search->hashes[i] = key_hash(&history.records[i].key);
	search->frames[0].position = *state_position(state);
	search->frames[0].line_length = 0;
	search->frames[0].on_expected_line = true;
	list_root_moves(search, line);
}

static struct engine_result search_run(struct search *search, const struct game_line *line,
	const struct engine_limits *limits, const struct engine_host *host)
{
	struct engine_result result = {0};
	int last = limits->depth && limits->depth < ENGINE_DEPTH_MAX ? limits->depth
								     : ENGINE_DEPTH_MAX;

	search_begin(search, line, limits, host);
	if (search->root_count == 0)
		return result;
	for (int depth = 1; depth <= last; depth++) {
		int score = search_root(search, depth);

		if (search->stopped)
			break;
		result.depth = depth;
		result.score = report_score(score);
		report_info(search, &result);
		if (result.score.mate_plies && abs(result.score.mate_plies) <= depth)
			break;
	}
	result.move.code = search->root[0].move.bits;
	result.nodes = search->nodes;
	return result;
}

static void search_destroy(struct search *search)
{
	if (!search)
		return;
	free(search->hashes);
	free(search->records);
	free(search);
}

static enum status search_create(struct search **search)
{
	*search = calloc(1, sizeof(**search));
	return *search ? STATUS_OK : STATUS_NO_MEMORY;
}

/* On failure the search holds what it held. */
static enum status search_reserve(struct search *search, size_t plies)
{
	size_t capacity = plies + 1 + PLY_MAX + 1;
	struct game_record *records;
	uint64_t *hashes;

	if (capacity <= search->capacity)
		return STATUS_OK;
	records = realloc(search->records, capacity * sizeof(*records));
	if (!records)
		return STATUS_NO_MEMORY;
	search->records = records;
	hashes = realloc(search->hashes, capacity * sizeof(*hashes));
	if (!hashes)
		return STATUS_NO_MEMORY;
	search->hashes = hashes;
	search->capacity = capacity;
	return STATUS_OK;
}
