// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { stateOf } from './fakes.ts';
import { Malformed, parseJson } from './parse.ts';
import { actionText, squareText } from './squares.ts';
import { readAction, readState } from './state.ts';

const read = (value: unknown): unknown => readState(JSON.parse(JSON.stringify(value)), 'state');

describe('readState', () => {
  test('gives back a state, without what nobody asked for', () => {
    expect(read({ ...stateOf(), records: [1, 2] })).toEqual(stateOf());
  });

  const board = stateOf().board;
  const broken: [string, unknown][] = [
    ['nothing', null],
    ['a list', []],
    ['24 squares', { ...stateOf(), board: board.slice(1) }],
    [
      'a knight',
      { ...stateOf(), board: [{ type: 'N', owner: 0, promoted: false }, ...board.slice(1)] },
    ],
    [
      'a third owner',
      { ...stateOf(), board: [{ type: 'K', owner: 2, promoted: false }, ...board.slice(1)] },
    ],
    [
      'a promoted that is 1',
      { ...stateOf(), board: [{ type: 'K', owner: 0, promoted: 1 }, ...board.slice(1)] },
    ],
    ['one hand', { ...stateOf(), hands: [stateOf().hands[0]] }],
    [
      'three rooks in hand',
      { ...stateOf(), hands: [{ ...stateOf().hands[0], R: 3 }, stateOf().hands[1]] },
    ],
    [
      'a hand without pawns',
      { ...stateOf(), hands: [{ R: 0, B: 0, G: 0, S: 0 }, stateOf().hands[1]] },
    ],
    ['half a move', { ...stateOf(), moves: 0.5 }],
    ['a last action off the board', { ...stateOf(), last: { type: 'drop', piece: 'P', to: 25 } }],
    ['an unknown reason', { ...stateOf(), reason: 'boredom' }],
    ['a winner by name', { ...stateOf(), winner: 'Sente' }],
  ];
  test.each(broken)('refuses %s', (_, value) => {
    expect(() => read(value)).toThrow(Malformed);
  });

  test('names the member that is wrong', () => {
    expect(() => read({ ...stateOf(), player: 3 })).toThrow('state.player must be one of 0, 1');
  });
});

test('readAction takes no member from another type', () => {
  expect(readAction({ type: 'resign', to: 3 }, 'action')).toEqual({ type: 'resign' });
  expect(() => readAction({ type: 'move', from: 1, to: 2 }, 'action')).toThrow('action.promote');
  expect(() => readAction({ type: 'declare' }, 'action')).toThrow('action.type');
});

test('parseJson tells text that is not JSON', () => {
  expect(() => parseJson('{', readState, 'state')).toThrow('state must be JSON');
});

test('squares and actions are written as USI', () => {
  expect([0, 4, 12, 20, 24].map(squareText)).toEqual(['5a', '1a', '3c', '5e', '1e']);
  expect(actionText({ type: 'move', from: 15, to: 10, promote: false })).toBe('5d5c');
  expect(actionText({ type: 'move', from: 5, to: 0, promote: true })).toBe('5b5a+');
  expect(actionText({ type: 'drop', piece: 'P', to: 12 })).toBe('P*3c');
  expect(actionText({ type: 'resign' })).toBe('resign');
});
