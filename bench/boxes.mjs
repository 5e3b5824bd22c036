// SPDX-License-Identifier: MIT
/*
 * Seconds that the solver of Petits carrés takes: for empty grids, and for positions of 6x7 after random
 * safe play, in one run. A safe line gives no box its third side. Each figure is of a whole process, its
 * start included, with a table of the size that is stated.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const komadai = fileURLToPath(new URL('../build/release/src/cli/komadai', import.meta.url));

const usage = `usage: bench/boxes [--threads N] [--positions N] [--large]
  --threads N      of the solver (2)
  --positions N    of 6x7 with 12 and with 16 safe lines left (20)
  --large          3x5 and 4x4 too, a minute each`;

/* MiB of the table: room for most of what a search meets; more takes time to get from the system. */
const GRIDS = [
  { rows: 3, cols: 3, memory: 4 },
  { rows: 3, cols: 4, memory: 64 },
];
const LARGE_GRIDS = [
  { rows: 3, cols: 5, memory: 1024 },
  { rows: 4, cols: 4, memory: 1024 },
];
const POSITION_MEMORY = 512;

function fail(sentence) {
  console.error(`bench/boxes: ${sentence}`);
  process.exit(2);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      threads: { type: 'string', default: '2' },
      positions: { type: 'string', default: '20' },
      large: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  for (const name of ['threads', 'positions'])
    if (!/^[1-9]\d*$/.test(values[name])) fail(`--${name} must be a whole number from 1 on`);
  return values;
}

/* What `komadai boxes` says, and the seconds that it took. */
function solve(words, memory, options) {
  const begin = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(
    komadai,
    ['boxes', ...words, '--value-only', '--threads', options.threads, '--memory', `${memory}`],
    { encoding: 'utf8' },
  );
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  if (status !== 0) fail(`komadai boxes ${words.join(' ')}: ${stderr}`);
  const [, value, nodes] = /^value (-?\d+) nodes (\d+)/m.exec(stdout) ?? [];
  return { value, nodes: Number(nodes), seconds };
}

/* Numbers from 0 up to `bound` that a seed repeats: Mulberry32, of the public domain. */
function randomBelow(seed) {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

const ROWS = 6;
const COLS = 7;
const HORIZONTAL = COLS * (ROWS + 1);
const EDGES = HORIZONTAL + ROWS * (COLS + 1);

function sides(box) {
  const row = Math.floor(box / COLS);
  const left = HORIZONTAL + row * (COLS + 1) + (box % COLS);
  return [box, left + 1, box + COLS, left];
}

/* The bits of a position with at most `left` safe lines, drawn at random before. */
function playSafely(left, below) {
  const drawn = new Set();
  const boxes = Array.from({ length: ROWS * COLS }, (_, box) => sides(box));
  const gives = (edge) =>
    boxes.some(
      (edges) => edges.includes(edge) && edges.filter((other) => drawn.has(other)).length >= 2,
    );
  for (;;) {
    const safe = Array.from({ length: EDGES }, (_, edge) => edge).filter(
      (edge) => !drawn.has(edge) && !gives(edge),
    );
    if (safe.length <= left) break;
    drawn.add(safe[below(safe.length)]);
  }
  return Array.from({ length: EDGES }, (_, edge) => (drawn.has(edge) ? '1' : '0')).join('');
}

function benchGrids(options) {
  for (const { rows, cols, memory } of [...GRIDS, ...(options.large ? LARGE_GRIDS : [])]) {
    const words = ['solve', '--rows', `${rows}`, '--cols', `${cols}`];
    const found = solve(words, memory, options);
    console.log(
      `${rows}x${cols} empty, table ${memory} MiB: value ${found.value}, ${found.nodes} nodes, ` +
        `${found.seconds.toFixed(2)} s`,
    );
  }
}

function benchPositions(left, options) {
  const below = randomBelow(left);
  const times = Array.from({ length: Number(options.positions) }, () => {
    const words = ['value', '--rows', `${ROWS}`, '--cols', `${COLS}`];
    return solve([...words, '--bits', playSafely(left, below)], POSITION_MEMORY, options).seconds;
  }).sort((one, other) => one - other);
  const middle = times[Math.floor(times.length / 2)];
  console.log(
    `6x7, at most ${left} safe lines left, ${times.length} positions, ` +
      `table ${POSITION_MEMORY} MiB: ` +
      `median ${middle.toFixed(2)} s, slowest ${times.at(-1).toFixed(2)} s`,
  );
}

const options = readOptions();
if (options.help) {
  console.log(usage);
} else {
  if (!existsSync(komadai)) fail('build/release holds no komadai: run ./run --build-only first');
  console.log(`threads ${options.threads}`);
  benchGrids(options);
  for (const left of [12, 16]) benchPositions(left, options);
}
