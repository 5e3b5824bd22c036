// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { FakeWasm, stateOf } from './fakes.ts';
import { LocalGame } from './local.ts';
import { RulesFailure, RulesModule } from './module.ts';
import { checkedKing, moverOf, viewOfSnapshot } from './view.ts';
import { Rules, rulesLoader } from './wasm.ts';

const rulesOf = (wasm: FakeWasm): Rules => new Rules(new RulesModule(wasm.exports));

describe('Rules', () => {
  test('reads answers from a memory that grows between calls', () => {
    const wasm = new FakeWasm();
    const rules = rulesOf(wasm);
    expect(rules.state()).toEqual(stateOf());
    expect(rules.state()).toEqual(stateOf());
    expect(rules.legal()).toEqual([]);
  });

  test('passes the ruleset and the position one after the other', () => {
    const wasm = new FakeWasm();
    expect(rulesOf(wasm).setup('4k/5/5/5/K4 b - 1', 'kawu')).toBeNull();
    expect(wasm.calls).toEqual(['setup 4 kawu4k/5/5/5/K4 b - 1']);
  });

  test('gives the word of a refusal', () => {
    const wasm = new FakeWasm();
    wasm.refuse = 'drop-two-pawns';
    expect(rulesOf(wasm).play('P*3c')).toBe('drop-two-pawns');
  });

  test('does not write past the input buffer', () => {
    const wasm = new FakeWasm();
    expect(rulesOf(wasm).play('x'.repeat(4097))).toBe('text-too-long');
    expect(wasm.calls).toEqual([]);
  });

  test('asks for the reason of a refusal without changing the line', () => {
    const wasm = new FakeWasm();
    const rules = rulesOf(wasm);
    expect(rules.refusal('5d5c')).toBeNull();
    expect(wasm.calls).toEqual(['play 5d5c', 'undo']);
    wasm.refuse = 'move-pinned';
    expect(rules.refusal('5d5c')).toBe('move-pinned');
    expect(wasm.calls).toEqual(['play 5d5c', 'undo', 'play 5d5c']);
  });

  test('refuses a module without one of the exports', () => {
    const { undo: _, ...exports } = new FakeWasm().exports;
    expect(() => new Rules(new RulesModule(exports))).toThrow(RulesFailure);
  });
});

test('rulesLoader fetches once, and again after a failure', async () => {
  let fetches = 0;
  const bytes = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const load = rulesLoader('/rules.wasm', () => {
    fetches++;
    return Promise.resolve(
      new Response(fetches === 1 ? null : bytes, { status: fetches === 1 ? 502 : 200 }),
    );
  });
  await expect(load()).rejects.toThrow('502');
  /* An empty module: it is fetched and compiled, then refused for what it lacks. */
  await expect(load()).rejects.toThrow('memory');
  expect(fetches).toBe(2);
});

test('a local game keeps its view when the rules refuse', () => {
  const wasm = new FakeWasm();
  const game = new LocalGame(rulesOf(wasm));
  const before = game.view;
  wasm.refuse = 'move-pattern';
  expect(game.play('5d5b')).toBe('move-pattern');
  expect(game.view).toBe(before);
  wasm.refuse = null;
  wasm.state = stateOf({ moves: 1, player: 1 });
  expect(game.play('5d5c')).toBeNull();
  expect(game.view.state.moves).toBe(1);
});

describe('a view', () => {
  test('of a snapshot offers no moves after an end that only the server knows', () => {
    const wasm = new FakeWasm();
    wasm.legal = [{ usi: '5d5c', action: { type: 'move', from: 15, to: 10, promote: false } }];
    const rules = rulesOf(wasm);
    const over = stateOf({ over: true, winner: 1, reason: 'repetition' });
    expect(viewOfSnapshot(rules, stateOf(), 'p').legal).toHaveLength(1);
    expect(viewOfSnapshot(rules, over, 'p').legal).toEqual([]);
  });

  test('knows the checked king and who may act', () => {
    const view = { state: stateOf({ player: 1 }), legal: [], check: true };
    expect(checkedKing(view)).toBe(4);
    expect(checkedKing({ ...view, check: false })).toBeNull();
    expect(moverOf(view, [0, 1])).toBe(1);
    expect(moverOf(view, [0])).toBeNull();
    expect(moverOf({ ...view, state: stateOf({ player: 1, over: true }) }, [0, 1])).toBeNull();
  });
});
