// SPDX-License-Identifier: MIT
/* States that come back from outside. */
import { describe, expect, test } from 'vitest';
import { freshGames, playAll, randomBelow, wander } from './fixture.ts';
import {
  MiniShogiStateError,
  type MiniShogiState,
  inCheck,
  initialMiniShogi,
  legalMiniShogiMoves,
  miniShogiFromJson,
  miniShogiFromSfen,
  miniShogiToSfen,
  playMiniShogi,
  positionKey,
} from './mini_shogi.ts';

type Plain = Record<string, unknown>;

const parsed = (state: MiniShogiState): Plain => JSON.parse(JSON.stringify(state)) as Plain;

const game = (): MiniShogiState => playAll(initialMiniShogi(), '1e1d 5a5b 1d1e 5b5a 5d5c');

/* The member that is named when `value` is refused. */
function memberOf(value: unknown): string {
  try {
    miniShogiFromJson(value);
  } catch (error) {
    if (error instanceof MiniShogiStateError) return error.member;
    throw error;
  }
  throw new Error('the state was taken');
}

describe('a state that was JSON', () => {
  test('is the same state at every ply, to a module that never saw it', () => {
    const below = randomBelow(7);
    for (let round = 0; round < 6; round++) {
      const fresh = freshGames();
      for (const state of wander(initialMiniShogi(round % 2 ? 'kawu' : 'uec'), 70, below)) {
        expect(fresh.known(parsed(state))).toEqual(state);
      }
    }
  });

  test('of every kind of end comes back', () => {
    const ends = [
      playAll(game(), 'resign'),
      playAll(initialMiniShogi(), 'x3(1e1d 5a5b 1d1e 5b5a)'),
      playAll(initialMiniShogi('kawu'), 'x3(5e5d 1a1b 5d5e 1b1a)'),
      playAll(miniShogiFromSfen('r3k/5/5/5/1K3 w - 1'), 'x3(5a4a 4e5e 4a5a 5e4e)'),
      playAll(miniShogiFromSfen('4k/5/4G/5/K2R1 b P 1'), 'P*3b'),
      miniShogiFromSfen('4k/4G/4G/5/K4 w - 1'),
    ];
    for (const state of ends) {
      expect(state.over).toBe(true);
      expect(freshGames().known(parsed(state))).toEqual(state);
    }
  });

  test('may be used without being read first, and is not kept or changed', () => {
    const given = parsed(game());
    const copy = structuredClone(given);
    const state = game();
    const call = (operation: (...values: never[]) => unknown, ...more: unknown[]): unknown =>
      Reflect.apply(operation, undefined, [given, ...more]);
    expect(call(legalMiniShogiMoves)).toEqual(legalMiniShogiMoves(state));
    expect(call(inCheck)).toBe(false);
    expect(call(positionKey)).toBe(positionKey(state));
    expect(call(miniShogiToSfen)).toBe(miniShogiToSfen(state));
    expect(call(playMiniShogi, { type: 'resign' })).toEqual(playAll(state, 'resign'));
    expect(given).toEqual(copy);
    /* It is ours no more than before: what its owner changes is seen. */
    given['player'] = 0;
    expect(memberOf(given)).toBe('state.player');
  });

  test('may run code of its own that asks about another game', () => {
    const meddling = <T extends object>(target: T): T =>
      new Proxy(target, {
        ownKeys: (seen) => {
          playAll(initialMiniShogi('kawu'), '5e5d');
          return Reflect.ownKeys(seen);
        },
      });
    const state = game();
    const given = (): MiniShogiState =>
      meddling({ ...state, hands: meddling(structuredClone(state.hands)) });
    expect(legalMiniShogiMoves(given())).toEqual(legalMiniShogiMoves(state));
    expect(playMiniShogi(given(), { type: 'resign' })).toEqual(playAll(state, 'resign'));
    const [first] = legalMiniShogiMoves(state);
    if (first === undefined) throw new Error('the game goes on');
    expect(playMiniShogi(given(), first)).toEqual(playMiniShogi(state, first));
    expect(inCheck(given())).toBe(inCheck(state));
    expect(miniShogiToSfen(given())).toBe(miniShogiToSfen(state));
  });

  test('keeps its repetitions: the fourth occurrence is counted over the break', () => {
    const third = parsed(playAll(initialMiniShogi(), 'x2(1e1d 5a5b 1d1e 5b5a) 1e1d 5a5b 1d1e'));
    const over = playAll(freshGames().known(third), '5b5a');
    expect(over).toMatchObject({ over: true, winner: 1, reason: 'repetition' });
  });

  test('may be a structured clone', () => {
    expect(miniShogiFromJson(structuredClone(game()))).toEqual(game());
  });
});

describe('a value that is no state', () => {
  const wrong: [string, unknown, string][] = [
    ['null', null, 'state'],
    ['undefined', undefined, 'state'],
    ['text', 'state', 'state'],
    ['a list', [], 'state.records'],
    ['an empty object', {}, 'state.records'],
    ['records that are an object', { records: { length: 1 } }, 'state.records'],
    ['no records', { records: [] }, 'state.records'],
    ['a list of a length only', { records: new Array(2 ** 32 - 1) }, 'state.records'],
    ['records with a hole', { last: null, records: new Array(3) }, 'state.records[0]'],
    ['a record that is text', { last: null, records: ['x'] }, 'state.records[0]'],
    ['a key that is a number', { last: null, records: [{ key: 1 }] }, 'state.records[0].key'],
    ['a key that is no position', { last: null, records: [{ key: 'x' }] }, 'state.records[0].key'],
    [
      'a key beyond the buffer',
      { last: null, records: [{ key: 'x'.repeat(1e6) }] },
      'state.records[0].key',
    ],
  ];
  test.each(wrong)('is refused: %s', (_, value, member) => {
    expect(memberOf(value)).toBe(member);
  });

  /* The path of every member, however deep. */
  function paths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      const here = [...path, name];
      return [here, ...paths(member, here)];
    });
  }

  /* A copy of `state` whose member at `path` is another. */
  function replaced(state: MiniShogiState, path: readonly string[], other: unknown): unknown {
    const copy = parsed(state);
    const parent = path.slice(0, -1).reduce((at, name) => at[name] as Plain, copy);
    const last = path.at(-1) ?? '';
    if (other === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = other;
    return copy;
  }

  const named = (path: readonly string[]): string =>
    path.reduce((text, name) => text + (/^\d+$/.test(name) ? `[${name}]` : `.${name}`), 'state');

  test('is refused and named, whichever member is another or missing', () => {
    const others = [undefined, null, 0, 1, 2, 77, -1, 0.5, '', 'R', 'uec', true, false, [], {}];
    const state = playAll(miniShogiFromSfen('2k1r/5/5/5/K4 b GP 1', 'kawu'), 'G*3b');
    let tried = 0;
    for (const path of paths(state)) {
      for (const other of others) {
        const given = replaced(state, path, other);
        if (JSON.stringify(given) === JSON.stringify(state)) continue;
        /* Without its ruleset the state is one of the default rules, and as true. */
        if (named(path) === 'state.rules' && other === undefined) continue;
        const member = memberOf(given);
        expect(named(path).startsWith(member) || member.startsWith(named(path))).toBe(true);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(900);
  });

  test('is refused for a member that no state has', () => {
    expect(memberOf({ ...game(), name: 'mine' })).toBe('state.name');
    expect(memberOf({ ...game(), rules: 'uec' })).toBe('state.rules');
    expect(memberOf({ ...game(), [Symbol.iterator]: 1 })).toBe('state.Symbol(Symbol.iterator)');
    const board = Object.assign([...game().board], { extra: 1 });
    expect(memberOf({ ...game(), board })).toBe('state.board[extra]');
  });

  test('is refused for a circle, a getter and a proxy that lies', () => {
    const circle: Plain = { ...game() };
    circle['board'] = circle;
    expect(memberOf(circle)).toBe('state.board');
    circle['board'] = [circle];
    expect(memberOf(circle)).toBe('state.board');

    let ran = 0;
    const getter = Object.defineProperty({ ...game() }, 'winner', {
      get: () => ran++,
      enumerable: true,
    });
    expect(memberOf(getter)).toBe('state.winner');
    expect(ran).toBe(0);

    const empty: unknown[] = [];
    const long = new Proxy(empty, { get: (_, name) => (name === 'length' ? 20_000 : 0) });
    expect(memberOf({ ...game(), records: long })).toBe('state.records[0]');
  });

  test('is refused when its positions do not follow from each other', () => {
    const state = game();
    const jump = parsed(state);
    jump['records'] = state.records.filter((_, index) => index !== 2);
    expect(memberOf(jump)).toBe('state.records[2].key');
    const past = parsed(playAll(initialMiniShogi(), 'x3(1e1d 5a5b 1d1e 5b5a)'));
    (past['records'] as unknown[]).push(state.records[1]);
    expect(memberOf(past)).toBe('state.records[13].key');
    const dead = parsed(miniShogiFromSfen('4k/4G/4G/5/K4 w - 1'));
    dead['last'] = { type: 'resign' };
    expect(memberOf(dead)).toBe('state.last');
  });

  test('leaves the others as they were', () => {
    const state = game();
    const legal = legalMiniShogiMoves(state);
    memberOf({ ...state, player: 0 });
    expect(legalMiniShogiMoves(state)).toEqual(legal);
    expect(playAll(state, '5a5b').moves).toBe(6);
  });
});
