// SPDX-License-Identifier: MIT
/*
 * Writes tests/data/boxes_games.tsv: whole games of Petits carrés on the public grid, in the columns of
 * boxes_sequences.tsv. They are found by chance, from a fixed seed, and refereed here by a count of the
 * sides of each box, so that no rule of ours has its say in what the tests expect of the rules.
 *
 *   node tests/tools/record-boxes-games.mjs
 */
import { writeFileSync } from 'node:fs';
import { generator } from './random.mjs';

const SEED = 20261207;
const ROWS = 6;
const COLUMNS = 7;
const HORIZONTAL = COLUMNS * (ROWS + 1);
const EDGES = HORIZONTAL + ROWS * (COLUMNS + 1);

const random = generator(SEED);
const oneOf = (list) => list[Math.floor(random() * list.length)];

/* The four edges of each box, row by row. */
const BOXES = Array.from({ length: ROWS * COLUMNS }, (_, box) => {
  const row = Math.floor(box / COLUMNS);
  const left = HORIZONTAL + box + row;
  return [box, box + COLUMNS, left, left + 1];
});

class Game {
  moves = [];
  caps = [];
  turns = [];
  score = [0, 0];
  player = 0;

  isFree(edge) {
    return !this.moves.includes(edge);
  }

  get free() {
    return Array.from({ length: EDGES }, (_, edge) => edge).filter((edge) => this.isFree(edge));
  }

  /* How many of the boxes beside this edge have `missing` edges that are free. */
  around(edge, missing) {
    return BOXES.filter(
      (edges) =>
        edges.includes(edge) && edges.filter((each) => this.isFree(each)).length === missing,
    ).length;
  }

  draw(edge) {
    const closed = this.around(edge, 1);
    this.moves.push(edge);
    this.caps.push(closed);
    this.turns.push(this.player);
    this.score[this.player] += closed;
    if (closed === 0) this.player = 1 - this.player;
  }

  get row() {
    return `${this.moves.join(' ')}\t${this.caps.join(' ')}\t${this.score.join('-')}\tover`;
  }

  /* The most boxes that one turn has closed. */
  get longest() {
    let run = 0;
    return Math.max(
      ...this.caps.map((closed, i) => {
        run = (i > 0 && this.turns[i] === this.turns[i - 1] ? run : 0) + closed;
        return run;
      }),
    );
  }
}

/* Draws what closes a box, as often as `greed` says, and gives none away while there is another line. */
function playWhole(greed) {
  const game = new Game();
  for (let free = game.free; free.length > 0; free = game.free) {
    const closing = free.filter((edge) => game.around(edge, 1) > 0);
    const safe = free.filter((edge) => game.around(edge, 2) === 0 && game.around(edge, 1) === 0);
    const careful = random() < greed;
    if (careful && closing.length > 0) game.draw(oneOf(closing));
    else game.draw(oneOf(careful && safe.length > 0 ? safe : free));
  }
  return game;
}

const WANTED = [
  ['first-wins', 'player 0 wins', 0.8, ({ score }) => score[0] > score[1]],
  ['second-wins', 'player 1 wins', 0.8, ({ score }) => score[1] > score[0]],
  ['tie', 'half of the boxes each', 0.8, ({ score }) => score[0] === score[1]],
  ['long-turn', '15 boxes or more in one turn', 1, ({ longest }) => longest >= 15],
  [
    'loser-draws-last',
    'player 0 draws the last line, which closes two boxes, and loses',
    0.8,
    ({ caps, turns, score }) => caps.at(-1) === 2 && turns.at(-1) === 0 && score[0] < score[1],
  ],
  ['declined', 'at random, so that boxes are left open', 0, ({ caps }) => caps.includes(2)],
];

const rows = WANTED.map(([name, note, greed, holds]) => {
  let game = playWhole(greed);
  while (!holds(game)) game = playWhole(greed);
  return `${name}\t${game.row}\t${note}\n`;
});

writeFileSync(
  new URL('../data/boxes_games.tsv', import.meta.url),
  '# Whole games on 6 rows x 7 columns, as tests/tools/record-boxes-games.mjs wrote them: the columns of\n' +
    '# boxes_sequences.tsv.\n' +
    'name\tmoves\tcaps\tscore\tstate\tnote\n' +
    rows.join(''),
);
