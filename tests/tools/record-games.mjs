// SPDX-License-Identifier: MIT
/*
 * Writes the two files of tests/data that the tests of tests/http play through the server:
 *
 *   games.json          ten whole games that together hold every kind of move and of end;
 *   refused_moves.json  for each refusal of the rules, a game from the start to a position where a
 *                       move meets it.
 *
 *   node tests/tools/record-games.mjs
 *
 * Most of it is found by chance, from a fixed seed: the same rules write the same files.
 */
import { writeFileSync } from 'node:fs';
import { generator } from './random.mjs';
import { Rules } from './rules.mjs';

const SEED = 20261130;
const rules = await Rules.load();

const random = generator(SEED);

/* One of `list`, each as likely as its weight says. */
function pick(list, weigh = () => 1) {
  const weights = list.map(weigh);
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  return list[weights.findIndex((weight) => (left -= weight) < 0)] ?? list.at(-1);
}

const resignation = { usi: 'resign', action: { type: 'resign' } };

/* A game as it grows, with what happened in it. */
class Game {
  plies = [];
  seen = new Set();

  constructor() {
    rules.start();
    this.state = rules.state;
  }

  play(move) {
    const legal = rules.legal;
    const before = this.state;
    const refusal = rules.play(move.usi);
    if (refusal !== null) throw new Error(`${move.usi}: ${refusal}`);
    this.state = rules.state;
    this.#note(before, legal, move.action);
    this.plies.push({ usi: move.usi, action: move.action, sfen: rules.position });
  }

  playUsi(text) {
    for (const usi of text.split(' ')) this.play(rules.legal.find((move) => move.usi === usi));
  }

  #note(before, legal, action) {
    if (action.type === 'resign') return;
    if (rules.check) this.seen.add('check');
    if (action.type === 'drop') {
      this.seen.add(`drop ${action.piece}`);
      return;
    }
    const { type } = before.board[action.from];
    const captured = before.board[action.to];
    const twins = legal.filter(({ action: a }) => a.from === action.from && a.to === action.to);
    if (captured !== null) this.seen.add(captured.promoted ? 'promoted captured' : 'captured');
    if (twins.length === 2) this.seen.add(action.promote ? `promoted ${type}` : `kept ${type}`);
    else if (action.promote) this.seen.add(`forced ${type}`);
  }

  record(name) {
    const { winner, reason } = this.state;
    return { name, winner, reason, plies: this.plies };
  }
}

/* The moves after which the game is over, and the others. */
function sortByEnd(legal) {
  const ends = [];
  const others = [];
  for (const move of legal) {
    rules.play(move.usi);
    const { over, reason, winner } = rules.state;
    if (over) ends.push({ ...move, reason, winner });
    else others.push(move);
    rules.undo();
  }
  return { ends, others };
}

/* Captures, drops and promotions more often than chance would have them. */
function liveliness(board) {
  return ({ action }) =>
    (action.type === 'drop' ? 1.5 : board[action.to] === null ? 1 : 3) * (action.promote ? 3 : 1);
}

/* `plies` plies in which the game does not end; null where it could not go on. */
function wander(plies) {
  const game = new Game();
  while (game.plies.length < plies) {
    const { others } = sortByEnd(rules.legal);
    if (others.length === 0) return null;
    game.play(pick(others, liveliness(game.state.board)));
  }
  return game;
}

/* Calls `attempt` until it returns a game that has all of `wanted`. */
function search(name, attempt, wanted = []) {
  for (;;) {
    const game = attempt();
    if (game?.state.over && wanted.every((feature) => game.seen.has(feature))) {
      return { game, record: game.record(name) };
    }
  }
}

function mateBy(winner, least, most) {
  const game = wander(least);
  while (game !== null && game.plies.length < most && !game.state.over) {
    const { ends, others } = sortByEnd(rules.legal);
    const mate = ends.find((end) => end.reason === 'checkmate' && end.winner === winner);
    if (mate) game.play(mate);
    else if (others.length === 0) return null;
    else game.play(pick(others, liveliness(game.state.board)));
  }
  return game;
}

function resignAfter(plies, { inCheck }) {
  const game = wander(plies);
  if (game === null || rules.check !== inCheck) return null;
  game.play(resignation);
  return game;
}

/* The position without its move number. */
const place = () => rules.position.replace(/ \d+$/, '');

/* Four plies that lead back to where they began, the first and third giving check; or null. */
function findCheckingCycle(home = place(), depth = 0) {
  if (depth === 4) return place() === home ? [] : null;
  for (const move of rules.legal) {
    if (move.action.type === 'drop') continue;
    rules.play(move.usi);
    const rest = depth % 2 === 0 && !rules.check ? null : findCheckingCycle(home, depth + 1);
    rules.undo();
    if (rest !== null) return [move, ...rest];
  }
  return null;
}

function perpetualCheckBy(player, plies) {
  const game = wander(plies);
  if (game === null) return null;
  const cycle = game.state.player === player ? findCheckingCycle() : null;
  for (let i = 0; cycle !== null && !game.state.over; i++) game.play(cycle[i % 4]);
  return game;
}

/* Gote gives away what it has and takes nothing; Sente takes, then stalks the bare king. */
function stalemate(most) {
  const game = new Game();
  while (game.plies.length < most && !game.state.over) {
    const { ends, others } = sortByEnd(rules.legal);
    const end = ends.find(({ reason }) => reason === 'no-legal-move');
    const { board, player } = game.state;
    const takes = ({ action }) => action.type === 'move' && board[action.to] !== null;
    const pieces = board.filter((piece) => piece?.owner === 1).length;
    const quiet = others.filter((move) => !takes(move));
    if (end) game.play(end);
    else if (player === 1 && quiet.length === 0) return null;
    else if (player === 1) game.play(pick(quiet));
    else if (others.length === 0) return null;
    else game.play(pick(others, (move) => (takes(move) ? 100 : pieces === 1 ? freedom(move) : 1)));
  }
  return game;
}

/* More for moves that leave the other side few replies. */
function freedom(move) {
  rules.play(move.usi);
  const replies = rules.legal.length;
  rules.undo();
  return 1 / replies ** 3;
}

function fixed(text) {
  const game = new Game();
  game.playUsi(text);
  return game;
}

const everyPiece = ['R', 'B', 'G', 'S', 'P'];

function recordGames() {
  const dance = '1e1d 5a5b 1d1e 5b5a';
  const found = [
    search('mate_by_sente', () => mateBy(0, 10, 40), ['captured', 'check']),
    search('mate_by_gote', () => mateBy(1, 10, 40), ['captured', 'check']),
    search('mate_after_drops_of_every_piece', () => mateBy(0, 50, 90), [
      ...everyPiece.map((type) => `drop ${type}`),
      'forced P',
      'promoted captured',
    ]),
    search('mate_after_every_promotion', () => mateBy(1, 50, 90), [
      ...['R', 'B', 'S'].flatMap((type) => [`promoted ${type}`, `kept ${type}`]),
      'forced P',
    ]),
    search('repetition_from_the_start', () => fixed([dance, dance, dance].join(' '))),
    search('perpetual_check_by_sente', () => perpetualCheckBy(0, 12 + Math.floor(random() * 20))),
    search('perpetual_check_by_gote', () => perpetualCheckBy(1, 12 + Math.floor(random() * 20))),
    search('no_legal_move', () => stalemate(80)),
    search('resignation_by_sente', () => resignAfter(16, { inCheck: false })),
    search('resignation_by_gote_in_check', () => resignAfter(19, { inCheck: true })),
  ];
  return found.map(({ record }) => record);
}

const FILES = '54321';
const RANKS = 'abcde';
const squareName = (square) => FILES[square % 5] + RANKS[Math.floor(square / 5)];

/* Every move that can be written at all. */
function* everyMove() {
  for (let to = 0; to < 25; to++) {
    for (const piece of everyPiece) {
      yield { usi: `${piece}*${squareName(to)}`, action: { type: 'drop', piece, to } };
    }
    for (let from = 0; from < 25; from++) {
      for (const promote of from === to ? [] : [false, true]) {
        const usi = squareName(from) + squareName(to) + (promote ? '+' : '');
        yield { usi, action: { type: 'move', from, to, promote } };
      }
    }
  }
}

const refusals = [
  'move-empty-square',
  'move-not-your-piece',
  'move-own-piece',
  'move-pattern',
  'move-blocked',
  'move-pinned',
  'move-in-check',
  'move-king-exposed',
  'move-must-promote',
  'move-cannot-promote',
  'drop-not-in-hand',
  'drop-occupied',
  'drop-dead',
  'drop-two-pawns',
  'drop-pawn-mate',
];

/* Notes each refusal of the current position that no game so short has met. */
function noteRefusals(game, shortest) {
  const isNew = (reason) => !(shortest.get(reason)?.plies.length <= game.plies.length);
  if (!refusals.some(isNew)) return;
  for (const move of everyMove()) {
    const reason = rules.play(move.usi);
    if (reason === null) rules.undo();
    else if (isNew(reason)) {
      shortest.set(reason, { reason, plies: game.plies.slice(), refused: move });
    }
  }
}

function recordRefusals() {
  const shortest = new Map();
  for (let tries = 0; tries < 300 || shortest.size < refusals.length; tries++) {
    const game = new Game();
    for (;;) {
      noteRefusals(game, shortest);
      const { others } = sortByEnd(rules.legal);
      if (game.plies.length >= 30 || others.length === 0) break;
      game.play(pick(others, liveliness(game.state.board)));
    }
  }
  return refusals.map((reason) => shortest.get(reason));
}

/* JSON with one ply a line. */
function write(name, list) {
  const lines = list.map(({ plies, ...rest }) => {
    const head = JSON.stringify(rest).slice(1, -1);
    const body = plies.map((ply) => `\n    ${JSON.stringify(ply)}`).join(',');
    return `  {${head},"plies":[${body}]}`;
  });
  writeFileSync(new URL(`../data/${name}`, import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
}

write('games.json', recordGames());
write('refused_moves.json', recordRefusals());
