// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { actionOf, cases, playAll, randomBelow, wander } from './fixture.ts';
import {
  type Action,
  HAND_TYPES,
  MiniShogiError,
  type MiniShogiState,
  RULESETS,
  type Ruleset,
  inCheck,
  initialMiniShogi,
  legalMiniShogiMoves,
  miniShogiEngine,
  miniShogiFromSfen,
  miniShogiToSfen,
  playMiniShogi,
  positionKey,
} from './mini_shogi.ts';

const START = 'rbsgk/4p/5/P4/KGSBR b - 1';

const isRuleset = (name: unknown): name is Ruleset => RULESETS.some((known) => known === name);

function begin(rules: string | undefined, sfen: string | undefined): MiniShogiState {
  if (!isRuleset(rules) || sfen === undefined) throw new Error('a row has rules and a position');
  return sfen === '-' ? initialMiniShogi(rules) : miniShogiFromSfen(sfen, rules);
}

function errorOf(call: () => unknown): MiniShogiError {
  try {
    call();
  } catch (error) {
    if (error instanceof MiniShogiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function pieces(state: MiniShogiState): number {
  const inHand = state.hands.flatMap((hand) => HAND_TYPES.map((type) => hand[type]));
  return state.board.filter((piece) => piece !== null).length + inHand.reduce((a, b) => a + b);
}

function isFrozenThroughout(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout);
}

describe('the published shape', () => {
  test('of the start', () => {
    const state = initialMiniShogi();
    expect(Object.keys(state)).toEqual(
      'board hands player moves last over winner reason records'.split(' '),
    );
    expect(state.board).toHaveLength(25);
    expect(state.board[0]).toEqual({ type: 'R', owner: 1, promoted: false });
    expect(state.board[15]).toEqual({ type: 'P', owner: 0, promoted: false });
    expect(state.board[12]).toBeNull();
    const empty = { R: 0, B: 0, G: 0, S: 0, P: 0 };
    expect({ ...state, board: [] }).toEqual({
      board: [],
      hands: [empty, empty],
      player: 0,
      moves: 0,
      last: null,
      over: false,
      winner: null,
      reason: null,
      records: [{ key: 'rbsgk/4p/5/P4/KGSBR b -', by: null, check: false }],
    });
  });

  test('of actions, the state after one, and the hands', () => {
    const start = initialMiniShogi();
    const action: Action = { type: 'move', from: 15, to: 10, promote: false };
    expect(legalMiniShogiMoves(start)).toHaveLength(14);
    expect(legalMiniShogiMoves(start)).toContainEqual(action);
    const next = playMiniShogi(start, action);
    expect(next).toMatchObject({ player: 1, moves: 1, last: action, over: false });
    expect(next.records.map(({ by }) => by)).toEqual([null, 0]);
    expect(HAND_TYPES).toEqual(['R', 'B', 'G', 'S', 'P']);
  });

  test('of a drop', () => {
    const state = miniShogiFromSfen('4k/5/5/5/K4 b B 1');
    const action: Action = { type: 'drop', piece: 'B', to: 12 };
    expect(legalMiniShogiMoves(state)).toContainEqual(action);
    expect(playMiniShogi(state, action).board[12]).toEqual({
      type: 'B',
      owner: 0,
      promoted: false,
    });
  });

  test('of a resignation, which is a ply but no move', () => {
    const state = playMiniShogi(playAll(initialMiniShogi(), '5d5c'), { type: 'resign' });
    expect(state).toMatchObject({ moves: 1, over: true, winner: 0, reason: 'resignation' });
    expect(state.last).toEqual({ type: 'resign' });
    expect(state.records).toHaveLength(2);
    expect(legalMiniShogiMoves(state)).toEqual([]);
  });

  test('of the engine, whose kings never win by entering', () => {
    const state = miniShogiEngine.fromSfen('K4/5/5/5/4k b - 1');
    expect(miniShogiEngine.enteringKing(state)).toEqual({ eligible: false });
    expect(miniShogiEngine.enteringKing(state, 1)).toEqual({ eligible: false });
    expect(miniShogiEngine.play(miniShogiEngine.initial(), actionOf('5d5c')).moves).toBe(1);
    expect(miniShogiEngine.handTypes).toBe(HAND_TYPES);
    expect(Object.isFrozen(miniShogiEngine) && Object.isFrozen(HAND_TYPES)).toBe(true);
  });

  test('of check: of the side to move, or of the player asked about', () => {
    const state = miniShogiFromSfen('4k/5/5/5/K3R w - 1');
    expect(inCheck(state)).toBe(true);
    expect([inCheck(state, 0), inCheck(state, 1)]).toEqual([false, true]);
    expect(inCheck(initialMiniShogi())).toBe(false);
    const other: unknown = 2;
    expect(() => Reflect.apply(inCheck, undefined, [state, other])).toThrow(TypeError);
  });

  test('of a key, which forgets the number of the move and nothing else', () => {
    const start = initialMiniShogi();
    const again = playAll(start, '1e1d 5a5b 1d1e 5b5a');
    expect(positionKey(again)).toBe(positionKey(start));
    expect(positionKey(miniShogiFromSfen('rbsgk/4p/5/P4/KGSBR b - 77'))).toBe(positionKey(start));
    expect(positionKey(miniShogiFromSfen('rbsgk/4p/5/P4/KGSBR w - 1'))).not.toBe(
      positionKey(start),
    );
    expect(positionKey(miniShogiFromSfen('4k/5/5/5/K4 b R 1'))).not.toBe(
      positionKey(miniShogiFromSfen('4k/5/5/5/K4 b r 1')),
    );
  });

  test('of SFEN, both ways', () => {
    expect(miniShogiToSfen(initialMiniShogi())).toBe(START);
    expect(miniShogiFromSfen(START)).toEqual(initialMiniShogi());
    expect(miniShogiToSfen(playAll(initialMiniShogi(), '5d5c resign'))).toBe(
      'rbsgk/4p/P4/5/KGSBR w - 2',
    );
    expect(miniShogiToSfen(miniShogiFromSfen('4k/5/5/5/K4 b pSRb 40'))).toBe(
      '4k/5/5/5/K4 b RSbp 1',
    );
  });
});

describe('a refusal', () => {
  const malformed: [string, unknown, string][] = [
    ['nothing', null, 'action-type'],
    ['text', '5d5c', 'action-type'],
    ['a list', [], 'action-member-missing'],
    ['no type', { from: 15, to: 10, promote: false }, 'action-member-missing'],
    ['declare', { type: 'declare' }, 'action-type'],
    ['a type that every object has', { type: 'constructor' }, 'action-type'],
    ['a move without promote', { type: 'move', from: 15, to: 10 }, 'action-member-missing'],
    [
      'a move of a piece',
      { type: 'move', from: 15, to: 10, promote: false, piece: 'P' },
      'action-member-unknown',
    ],
    ['a resignation from somewhere', { type: 'resign', from: 15 }, 'action-member-unknown'],
    ['square 25', { type: 'move', from: 25, to: 10, promote: false }, 'action-member-value'],
    ['square -1', { type: 'drop', piece: 'P', to: -1 }, 'action-member-value'],
    ['half a square', { type: 'drop', piece: 'P', to: 12.5 }, 'action-member-value'],
    ['a square as text', { type: 'drop', piece: 'P', to: '12' }, 'action-member-value'],
    [
      'a promotion that is 1',
      { type: 'move', from: 15, to: 10, promote: 1 },
      'action-member-value',
    ],
    [
      'a move to where it stands',
      { type: 'move', from: 15, to: 15, promote: false },
      'action-member-value',
    ],
    ['a knight', { type: 'drop', piece: 'N', to: 12 }, 'action-member-value'],
    ['a lance', { type: 'drop', piece: 'L', to: 12 }, 'action-member-value'],
    ['a king in hand', { type: 'drop', piece: 'K', to: 12 }, 'action-member-value'],
    ['a member by a symbol', { type: 'resign', [Symbol('x')]: 1 }, 'action-member-unknown'],
    ['members that are inherited', Object.create({ type: 'resign' }), 'action-member-missing'],
  ];
  test.each(malformed)('of %s', (_, action, code) => {
    const call = (): unknown =>
      Reflect.apply(playMiniShogi, undefined, [initialMiniShogi(), action]);
    expect(errorOf(call).code).toBe(code);
  });

  test('runs no getter of the action', () => {
    let ran = 0;
    const action = {
      get type(): string {
        ran++;
        return 'resign';
      },
    };
    const call = (): unknown =>
      Reflect.apply(playMiniShogi, undefined, [initialMiniShogi(), action]);
    expect(errorOf(call).code).toBe('action-member-missing');
    expect(ran).toBe(0);
  });

  test.each(cases('mini_refusals.tsv'))('%s', (_, sfen = '', usi = '', code) => {
    const state = miniShogiFromSfen(sfen);
    const before = structuredClone(state);
    if (code === 'ok') {
      expect(playMiniShogi(state, actionOf(usi)).moves).toBe(1);
    } else {
      expect(errorOf(() => playMiniShogi(state, actionOf(usi))).code).toBe(code);
    }
    expect(state).toEqual(before);
    /* The line stands where it stood. */
    expect(playMiniShogi(state, { type: 'resign' }).reason).toBe('resignation');
  });

  test('of a position names the column', () => {
    const error = errorOf(() => miniShogiFromSfen('rbsgk/4p/5/P4/KGSBX b - 1'));
    expect(error).toMatchObject({ code: 'sfen-piece', column: 19, name: 'MiniShogiError' });
    expect(error.message).toBe('refused: sfen-piece, column 19');
    expect(errorOf(() => miniShogiFromSfen('x'.repeat(5000)))).toMatchObject({
      code: 'text-too-long',
      column: null,
    });
    expect(() => Reflect.apply(miniShogiFromSfen, undefined, [{}])).toThrow(TypeError);
  });

  test('of a ruleset that there is not', () => {
    for (const name of ['', 'uec\0', 'UEC', 0, null, ['uec']]) {
      expect(errorOf(() => Reflect.apply(initialMiniShogi, undefined, [name])).code).toBe(
        'ruleset-unknown',
      );
    }
  });
});

describe('a transition', () => {
  test('changes nothing it was given, and gives what nobody can change', () => {
    const below = randomBelow(1);
    for (let game = 0; game < 10; game++) {
      const copies: MiniShogiState[] = [];
      const states = wander(initialMiniShogi(game % 2 ? 'kawu' : 'uec'), 80, below);
      for (const state of states) copies.push(structuredClone(state));
      for (const state of states) legalMiniShogiMoves(state);
      expect(states).toEqual(copies);
      expect(states.every(isFrozenThroughout)).toBe(true);
      expect(isFrozenThroughout(legalMiniShogiMoves(initialMiniShogi()))).toBe(true);
    }
  });

  test('keeps all twelve pieces', () => {
    const below = randomBelow(2);
    let captured = 0;
    let promoted = 0;
    for (let game = 0; game < 20; game++) {
      for (const state of wander(initialMiniShogi(), 100, below)) {
        expect(pieces(state)).toBe(12);
        captured += Number(state.board.filter((piece) => piece !== null).length < 12);
        promoted += Number(state.board.some((piece) => piece?.promoted));
      }
    }
    expect(captured > 100 && promoted > 100).toBe(true);
  });

  test('is undone by holding the old state, with its repetitions', () => {
    const before = playAll(initialMiniShogi(), 'x2(1e1d 5a5b 1d1e 5b5a) 1e1d 5a5b 1d1e');
    for (let times = 0; times < 3; times++) {
      const over = playAll(before, '5b5a');
      expect(over).toMatchObject({ moves: 12, over: true, winner: 1, reason: 'repetition' });
      expect(playAll(before, '5b5c').over).toBe(false);
      expect(playAll(before, 'resign').reason).toBe('resignation');
    }
  });

  test('goes on from any state of any game, in any order', () => {
    const below = randomBelow(3);
    const games = (['uec', 'kawu', 'uec'] as const).map((rules) =>
      wander(initialMiniShogi(rules), 60, below),
    );
    const states = games.flat();
    const told = states.map((state) => legalMiniShogiMoves(state));
    for (let step = 0; step < 400; step++) {
      const at = below(states.length);
      const state = states[at];
      const next = states[at + 1];
      if (state === undefined) continue;
      expect(legalMiniShogiMoves(state)).toEqual(told[at]);
      if (next?.last && next.moves === state.moves + 1) {
        expect(playMiniShogi(state, next.last)).toEqual(next);
      }
    }
  });
});

describe('the end of a game', () => {
  test.each(cases('mini_verdicts.tsv'))(
    '%s',
    (_, rules, sfen, moves = '', over, winner, reason) => {
      const state = playAll(begin(rules, sfen), moves);
      expect(String(state.over)).toBe(over);
      expect(String(state.winner ?? '-')).toBe(winner);
      expect(state.reason ?? '-').toBe(reason);
      if (!state.over) return;
      expect(legalMiniShogiMoves(state)).toEqual([]);
      expect(errorOf(() => playMiniShogi(state, { type: 'resign' })).code).toBe('game-over');
    },
  );

  test('under kawu is ply 300, a draw unless it mates; under uec no ply is the last', () => {
    const below = randomBelow(300);
    const reasons = new Set<string>();
    for (let game = 0; game < 40 && reasons.size < 2; game++) {
      const before = wander(initialMiniShogi('kawu'), 299, below, true).at(-1);
      if (before === undefined) continue;
      expect(before).toMatchObject({ moves: 299, over: false, rules: 'kawu' });
      for (const action of legalMiniShogiMoves(before)) {
        const { over, reason, winner } = playMiniShogi(before, action);
        expect(over).toBe(true);
        if (reason === 'ply-limit') expect(winner).toBeNull();
        if (reason === 'checkmate') expect(winner).toBe(1);
        if (reason === 'ply-limit' || reason === 'checkmate') reasons.add(reason);
      }
    }
    expect([...reasons].sort()).toEqual(['checkmate', 'ply-limit']);
    expect(wander(initialMiniShogi(), 320, below, true).at(-1)?.over).toBe(false);
  });

  test('differs by the ruleset, of which only the other than the default is told', () => {
    expect(initialMiniShogi('kawu').rules).toBe('kawu');
    expect('rules' in initialMiniShogi('uec')).toBe(false);
    expect(miniShogiToSfen(initialMiniShogi('kawu'))).toBe('rbsgk/p4/5/4P/KGSBR b - 1');
    const line = 'x3(5a4a 4e5e 4a5a 5e4e)';
    const checks = 'r3k/5/5/5/1K3 w - 1';
    expect(playAll(miniShogiFromSfen(checks), line)).toMatchObject({
      winner: 0,
      reason: 'perpetual-check',
    });
    expect(playAll(miniShogiFromSfen(checks, 'kawu'), line)).toMatchObject({
      winner: null,
      reason: 'repetition',
      rules: 'kawu',
    });
  });
});
