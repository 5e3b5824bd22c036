// SPDX-License-Identifier: MIT
/*
 * The browser's module and the native rules are one program: each position that native_positions
 * tells is reached in the module by the same steps, and must be the same in every answer.
 *
 * KOMADAI_WASM names another module, KOMADAI_NATIVE_POSITIONS another program, KOMADAI_POSITIONS how
 * many positions.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Rules } from '../tools/rules.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const program =
  process.env.KOMADAI_NATIVE_POSITIONS ?? `${top}/build/gcc/tests/wasm/native_positions`;
const count = Number(process.env.KOMADAI_POSITIONS ?? 10_000);
const built = `${top}/build/wasm/src/wasm`;
const modules =
  process.env.KOMADAI_WASM !== undefined
    ? [process.env.KOMADAI_WASM]
    : readdirSync(built)
        .filter((name) => /^komadai(-perft)?\.wasm$/.test(name))
        .map((name) => `${built}/${name}`);

/* Takes the step of a line; what is left of the line says what the native rules answered. */
function step(rules, [command, argument, ...rest]) {
  if (command === 'play') return [rules.play(argument), rest];
  if (command === 'start') return [rules.start(argument), rest];
  assert.equal(command, 'setup');
  const [sfen, ...facts] = rest;
  return [rules.setup(sfen, argument), facts];
}

function factsOf(rules, probe, leavesTold) {
  const usis = rules.legal.map(({ usi }) => usi);
  return [
    'ok',
    rules.position,
    rules.stateText,
    rules.recordText,
    rules.countsLeaves ? String(rules.perft(2)) : leavesTold,
    usis.sort().join(' '),
    probe,
    rules.refusal(probe) ?? 'ok',
  ];
}

/* What a run must have met, lest it prove nothing. */
class Tally {
  positions = 0;
  #met = new Set();

  add([command, argument], state, record) {
    this.positions++;
    const kings = state.board.filter((piece) => piece?.type === 'K').length;
    if (command === 'start') this.#met.add(`start ${argument}`);
    if (kings < 2) this.#met.add('a missing king');
    if (record.check) this.#met.add('check');
    if (state.last?.type === 'drop') this.#met.add('drop');
    if (state.last?.promote) this.#met.add('promotion');
    if (state.over) this.#met.add(state.reason);
  }

  assertWide() {
    const wanted = [
      'start uec',
      'start kawu',
      'a missing king',
      'check',
      'drop',
      'promotion',
      'checkmate',
      'no-legal-move',
      'resignation',
      'repetition',
      'ply-limit',
    ];
    assert.deepEqual(
      wanted.filter((name) => !this.#met.has(name)),
      [],
    );
  }
}

for (const path of modules) {
  test(`${path.split('/').at(-1)} needs no import, no shared memory and little of it (C43)`, async () => {
    const module = await WebAssembly.compile(readFileSync(path));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const { memory } = (await WebAssembly.instantiate(module, {})).exports;
    assert.equal(memory.buffer.constructor, ArrayBuffer);
    assert.ok(memory.buffer.byteLength <= 1 << 20);
  });

  test(`${path.split('/').at(-1)} and the native rules agree on ${count} positions`, async () => {
    const rules = await Rules.load(path);
    const child = spawn(program, [String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    const tally = new Tally();
    for await (const line of createInterface({ input: child.stdout })) {
      const words = line.split('\t');
      const [refusal, told] = step(rules, words);
      if (refusal !== null) {
        assert.deepEqual([refusal, String(rules.faultColumn)], told, line);
        continue;
      }
      assert.deepEqual(factsOf(rules, told.at(-2), told.at(-4)), told, line);
      const state = rules.state;
      const record = JSON.parse(rules.recordText);
      assert.equal(rules.check, record.check, line);
      tally.add(words, state, record);
    }
    assert.deepEqual(await ended, [0, null]);
    assert.equal(tally.positions, count);
    tally.assertWide();
  });

  test(`${path.split('/').at(-1)} counts leaves exactly, or not at all`, async () => {
    const rules = await Rules.load(path);
    assert.equal(rules.countsLeaves, path.endsWith('-perft.wasm'));
    if (!rules.countsLeaves) return;
    for (const bulk of [true, false]) {
      rules.start('uec');
      assert.equal(rules.perft(0, bulk), 1);
      assert.equal(rules.perft(5, bulk), 533_203);
      rules.setup('4k/5/5/5/K4 b RBGSP 1');
      assert.equal(rules.perft(1, bulk), rules.legal.length);
    }
    assert.throws(() => rules.perft(-1), WebAssembly.RuntimeError);
    assert.throws(() => rules.perft(31), WebAssembly.RuntimeError);
  });
}
