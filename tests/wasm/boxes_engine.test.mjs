// SPDX-License-Identifier: MIT
/*
 * The module of the player and the analysis of Petits carrés. What they say is tested natively: here
 * that the module says it, on one thread, in the memory it is given and with no more than a clock.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generator } from '../tools/random.mjs';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const path = file('build/wasm/src/wasm/komadai-boxes-engine.wasm');
const compiled = new WebAssembly.Module(readFileSync(path));
const LEVELS = ['taker', 'opener', 'greedy', 'counter', 'near-perfect', 'master'];
const NODES = 2000;
const INPUT_BYTES = 4096;

function randomBelow(seed) {
  const random = generator(seed);
  return (bound) => Math.floor(random() * bound);
}

class Engine {
  #wasm;

  constructor({ megabytes = 2, seed = 1, now = () => 0 } = {}) {
    this.#wasm = new WebAssembly.Instance(compiled, { host: { clock_ms: now } }).exports;
    this.created = this.#word(this.#wasm.create(megabytes, seed));
  }

  /* What it answers, or the word of a refusal. */
  choose(text, level, { timeMs = 0, nodes = NODES } = {}) {
    const number = this.#wasm.level(this.#send(level));
    if (number < 0) return 'no such level';
    return this.#answer(this.#wasm.choose(this.#send(text), number, timeMs, nodes));
  }

  analyse(text, { timeMs = 0, nodes = 0 } = {}) {
    return this.#answer(this.#wasm.analyse(this.#send(text), timeMs, nodes));
  }

  get faultColumn() {
    return this.#wasm.fault_column();
  }

  get memoryBytes() {
    return this.#wasm.memory.buffer.byteLength;
  }

  #send(text) {
    const bytes = new TextEncoder().encode(text);
    const fitting = bytes.subarray(0, INPUT_BYTES);
    new Uint8Array(this.#wasm.memory.buffer).set(fitting, this.#wasm.input());
    return bytes.length;
  }

  #answer(status) {
    return this.#word(status) ?? JSON.parse(this.#output());
  }

  #word(status) {
    if (status === 0) return null;
    this.#wasm.status_word(status);
    return this.#output();
  }

  #output() {
    const wasm = this.#wasm;
    return new TextDecoder('utf-8', { fatal: true }).decode(
      new Uint8Array(wasm.memory.buffer, wasm.output(), wasm.output_length()),
    );
  }
}

/* A grid of up to 8x8 with lines drawn by chance, one free at least. */
function randomPosition(below) {
  const rows = 1 + below(8);
  const cols = 1 + below(8);
  const tenths = below(11);
  const bits = Array.from({ length: cols * (rows + 1) + rows * (cols + 1) }, () =>
    Number(below(10) < tenths),
  );
  bits[below(bits.length)] = 0;
  return { text: `${rows}x${cols} ${bits.join('')}`, bits };
}

const cases = readFileSync(file('tests/data/boxes_values.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([rows, cols, bits, value, free, , best]) => ({
    text: `${rows}x${cols} ${bits}`,
    value: Number(value),
    free: Number(free),
    best: best.split(',').map(Number),
  }));

test('it is small, imports a clock alone, and takes the memory it is given', () => {
  assert.deepEqual(WebAssembly.Module.imports(compiled), [
    { module: 'host', name: 'clock_ms', kind: 'function' },
  ]);
  const { size } = statSync(path);
  assert.ok(size <= 80 * 1024, `${size} bytes`);
  for (const megabytes of [1, 64]) {
    const { created, memoryBytes } = new Engine({ megabytes });
    assert.equal(created, null);
    assert.ok(memoryBytes <= (megabytes + 5) << 20, `${memoryBytes} bytes of ${megabytes} MB`);
  }
  assert.throws(() => new Engine({ megabytes: 0 }), WebAssembly.RuntimeError);
});

test('every level chooses a free line of any position, the same for a seed', () => {
  const below = randomBelow(11);
  const engines = [new Engine({ seed: 5 }), new Engine({ seed: 5 })];
  for (let round = 0; round < 60; round++) {
    const { text, bits } = randomPosition(below);
    for (const level of LEVELS) {
      const [choice, again] = engines.map((engine) => engine.choose(text, level));
      assert.equal(bits[choice.edge], 0, `${level} at ${text}: ${JSON.stringify(choice)}`);
      assert.deepEqual(again, choice, `${level} at ${text}`);
    }
  }
});

test('another seed makes other choices', () => {
  const edges = Array.from(
    { length: 20 },
    (_, seed) => new Engine({ seed }).choose('6x7', 'opener').edge,
  );
  assert.ok(new Set(edges).size > 5, edges.join());
});

test('master plays exactly where the solver finishes', () => {
  const engine = new Engine();
  for (const { text, value, best } of cases.filter(({ free }) => free <= 20)) {
    const choice = engine.choose(text, 'master', { nodes: 1 << 22 });
    assert.deepEqual([choice.exact, choice.value], [true, value], text);
    assert.ok(best.includes(choice.edge), text);
  }
});

test('it looks at the clock, and keeps to the time', () => {
  let now = 0;
  const engine = new Engine({ now: () => (now += 10) });
  const { edge } = engine.choose('6x7', 'master', { timeMs: 1000, nodes: 0 });
  assert.ok(edge >= 0 && now >= 1000 && now < 1500, `${now} ms`);
  const { value } = engine.analyse('5x5', { timeMs: 1000 });
  assert.ok(value.low < value.high && now < 3000, `${now} ms`);
});

test('an analysis of 2x2 with every line free has its scores', () => {
  const { lines, strings, ...rest } = new Engine().analyse('2x2');
  assert.deepEqual(rest, {
    value: { low: 2, high: 2 },
    bestKnown: true,
    nimber: 0,
    safe: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    takeable: [],
  });
  assert.deepEqual(strings, []);
  /* The lines between two boxes are 2, 3, 7 and 10. */
  for (const { edge, score, best, ...line } of lines) {
    const value = [2, 3, 7, 10].includes(edge) ? 0 : 2;
    assert.deepEqual([score, best], [{ low: value, high: value }, value === 2], String(edge));
    assert.deepEqual(line, {
      safe: true,
      loony: false,
      boxes: 0,
      reason: 'safe',
      words: 'it gives no box a third side',
    });
  }
  assert.equal(lines.length, 12);
});

test('an analysis tells strings, their ends, and what a line gives away', () => {
  /* From the border to a box that can be taken. */
  const { nimber, takeable, safe, strings, lines } = new Engine().analyse('1x4 1111111100001');
  assert.deepEqual([nimber, takeable, safe], ['loony', [3], []]);
  assert.deepEqual(strings, [
    {
      kind: 'chain',
      length: 3,
      long: true,
      ends: { border: 1, joint: 0, open: 1 },
      boxes: [0, 1, 2],
      edges: [8, 9, 10, 11],
    },
  ]);
  assert.deepEqual(
    lines.map(({ edge, reason }) => [edge, reason]),
    [
      [8, 'declines'],
      [9, 'declines'],
      [10, 'declines'],
      [11, 'takes'],
    ],
  );
  assert.equal(lines[3].words, 'it closes 1 box, and its player goes on');
  const [left, middle] = new Engine().analyse('1x2 1111001').lines;
  assert.deepEqual([left.reason, left.loony, left.boxes], ['double-dealing', false, 2]);
  assert.deepEqual([middle.reason, middle.boxes], ['takes', 1]);
  const loop = new Engine().analyse('2x2 110011101101');
  assert.deepEqual(loop.strings, [
    {
      kind: 'loop',
      length: 4,
      long: true,
      ends: { border: 0, joint: 0, open: 0 },
      boxes: loop.strings[0].boxes,
      edges: loop.strings[0].edges,
    },
  ]);
  assert.deepEqual(
    loop.strings[0].edges.toSorted((one, other) => one - other),
    [2, 3, 7, 10],
  );
  assert.deepEqual(loop.value, { low: -4, high: -4 });
});

test('values and best lines are those of the exact positions', () => {
  const engine = new Engine({ megabytes: 8 });
  for (const { text, value, free, best } of cases.filter(({ free }) => free <= 20)) {
    const analysis = engine.analyse(text);
    assert.deepEqual(analysis.value, { low: value, high: value }, text);
    assert.equal(analysis.lines.length, free, text);
    assert.deepEqual(
      analysis.lines.flatMap(({ edge, best }) => (best ? [edge] : [])),
      best,
      text,
    );
  }
});

test('the longest analysis is told whole', () => {
  const { lines, value, bestKnown, nimber } = new Engine().analyse('8x8', { nodes: 1 });
  assert.equal(lines.length, 144);
  assert.deepEqual([value, bestKnown, nimber], [{ low: -64, high: 64 }, false, null]);
  const below = randomBelow(3);
  for (let round = 0; round < 30; round++) {
    const { text, bits } = randomPosition(below);
    const free = bits.filter((bit) => bit === 0).length;
    assert.equal(new Engine().analyse(text, { nodes: 1 }).lines.length, free, text);
  }
});

test('what cannot be answered is refused, and the next question is answered', () => {
  const engine = new Engine();
  const wrong = [
    ['', 'text-empty', 1],
    ['9x9', 'grid-size', 1],
    ['2x2 10x', 'grid-line', 7],
    ['2x2 111', 'grid-line-count', 8],
    ['2x2 111111111111', 'game-over', 0],
    ['2x2 '.padEnd(5000, '0'), 'text-too-long', 0],
  ];
  for (const [text, word, column] of wrong) {
    assert.equal(engine.choose(text, 'taker'), word);
    assert.equal(engine.faultColumn, column, word);
    assert.equal(engine.analyse(text), word);
    assert.equal(engine.faultColumn, column, word);
  }
  for (const level of ['', 'Master', 'master ', 'x'.repeat(5000)]) {
    assert.equal(engine.choose('2x2', level), 'no such level');
  }
  assert.equal(typeof engine.choose('2x2', 'taker').edge, 'number');
  assert.equal(engine.faultColumn, 0);
});
