// SPDX-License-Identifier: MIT
/*
 * Writes tests/data/browser_game.json: a game played at random by the wasm rules until one has all
 * that the browser run must show. The seed is fixed, so the same rules write the same file.
 *
 *   node tests/browser/make_game.mjs > tests/data/browser_game.json
 */
import { generator } from '../tools/random.mjs';
import { Rules } from '../tools/rules.mjs';
import { sfenOf } from './sfen.mjs';

const SEED = 20261130;
const LEAST_PLIES = 30;
const MOST_PLIES = 44;

const rules = await Rules.load();

function isCapture(state, { action }) {
  return action.type === 'move' && state.board[action.to] !== null;
}

/* A mate if there is one, else at random with captures, drops and promotions more often. */
function choose(random, state, legal, mayMate) {
  for (const candidate of legal) {
    rules.play(candidate.usi);
    const mates = rules.state.over;
    rules.undo();
    if (mates && mayMate) return candidate;
    candidate.weight = mates ? 0 : 1;
    if (isCapture(state, candidate)) candidate.weight *= 3;
    if (candidate.action.type === 'drop') candidate.weight *= 1.5;
    if (candidate.action.promote) candidate.weight *= 3;
  }
  let left = random() * legal.reduce((sum, { weight }) => sum + weight, 0);
  return legal.find(({ weight }) => (left -= weight) < 0) ?? legal[0];
}

function features() {
  return { captures: 0, drops: [0, 0], checks: 0, promoted: 0, kept: 0, forced: 0, recaptured: 0 };
}

/* The same move is legal with and without promotion. */
function isAsked(legal, { action }) {
  const twins = legal.filter(
    (other) =>
      other.action.type === 'move' &&
      other.action.from === action.from &&
      other.action.to === action.to,
  );
  return action.type === 'move' && twins.length === 2;
}

function note(seen, state, { action }, asked, check) {
  if (check) seen.checks++;
  if (action.type === 'drop') {
    seen.drops[state.player]++;
    return;
  }
  const captured = state.board[action.to];
  if (captured !== null) seen.captures++;
  if (captured?.promoted) seen.recaptured++;
  if (asked && action.promote) seen.promoted++;
  if (asked && !action.promote) seen.kept++;
  if (!asked && action.promote) seen.forced++;
}

function complete(seen) {
  return (
    seen.captures >= 6 &&
    seen.drops[0] >= 2 &&
    seen.drops[1] >= 2 &&
    seen.checks >= 3 &&
    seen.promoted >= 1 &&
    seen.kept >= 1 &&
    seen.forced >= 1 &&
    seen.recaptured >= 1
  );
}

const random = generator(SEED);
for (;;) {
  rules.start();
  const plies = [];
  const seen = features();
  let state = rules.state;
  while (!state.over && plies.length < MOST_PLIES) {
    const legal = rules.legal;
    const chosen = choose(random, state, legal, plies.length + 1 >= LEAST_PLIES);
    const before = state;
    rules.play(chosen.usi);
    state = rules.state;
    const check = rules.check;
    const asked = isAsked(legal, chosen);
    note(seen, before, chosen, asked, check);
    plies.push({ usi: chosen.usi, action: chosen.action, asked, sfen: sfenOf(state), check });
  }
  if (state.reason !== 'checkmate' || plies.length < LEAST_PLIES || !complete(seen)) continue;
  const { winner, reason } = state;
  const lines = plies.map((ply) => `    ${JSON.stringify(ply)}`).join(',\n');
  process.stdout.write(
    `{\n  "game": "mini-shogi",\n  "winner": ${winner},\n  "reason": "${reason}",\n` +
      `  "plies": [\n${lines}\n  ]\n}\n`,
  );
  break;
}
