// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { boardOf, handOf, stateOf } from '../core/fakes.ts';
import type { LegalAction } from '../core/state.ts';
import { press, type Source, targetsOf } from './choice.ts';

const move = (from: number, to: number, promote = false): LegalAction => ({
  usi: '',
  action: { type: 'move', from, to, promote },
});

/*
 *  . . . . k     Sente: silver on 5 (may promote on 0), pawn on 8 (must on 3), a gold in hand
 *  S . . P .
 */
const view = {
  state: stateOf({
    board: boardOf('4k/S2P1/5/5/K4'),
    hands: [handOf({ G: 1 }), handOf({ R: 1 })],
  }),
  legal: [
    move(5, 0),
    move(5, 0, true),
    move(5, 1),
    move(8, 3, true),
    { usi: '', action: { type: 'drop', piece: 'G', to: 12 } } as const,
  ],
  check: false,
};

const square = (index: number): Source => ({ kind: 'square', square: index });
const gold: Source = { kind: 'hand', piece: 'G' };

describe('press', () => {
  test('selects a piece of the player to move, and clears it at the second press', () => {
    expect(press(view, 0, null, square(5))).toEqual({ kind: 'select', source: square(5) });
    expect(press(view, 0, square(5), square(5))).toEqual({ kind: 'clear' });
    expect(press(view, 0, null, gold, 0)).toEqual({ kind: 'select', source: gold });
    expect(press(view, 0, gold, gold, 0)).toEqual({ kind: 'clear' });
  });

  test('goes over from one own piece to another', () => {
    expect(press(view, 0, square(5), square(8))).toEqual({ kind: 'select', source: square(8) });
    expect(press(view, 0, square(5), gold, 0)).toEqual({ kind: 'select', source: gold });
    expect(press(view, 0, gold, square(5))).toEqual({ kind: 'select', source: square(5) });
  });

  test('plays a move and a drop', () => {
    expect(press(view, 0, square(5), square(1))).toEqual({
      kind: 'play',
      action: move(5, 1).action,
    });
    expect(press(view, 0, gold, square(12))).toEqual({
      kind: 'play',
      action: { type: 'drop', piece: 'G', to: 12 },
    });
  });

  test('asks where promotion is free, and not where it is forced', () => {
    expect(press(view, 0, square(5), square(0))).toEqual({
      kind: 'ask',
      plain: move(5, 0).action,
      promoting: move(5, 0, true).action,
    });
    expect(press(view, 0, square(8), square(3))).toEqual({
      kind: 'play',
      action: move(8, 3, true).action,
    });
  });

  test('hands what is not legal over to the rules', () => {
    expect(press(view, 0, square(5), square(20 - 8))).toEqual({
      kind: 'illegal',
      action: { type: 'move', from: 5, to: 12, promote: false },
    });
    expect(press(view, 0, gold, square(4))).toEqual({
      kind: 'illegal',
      action: { type: 'drop', piece: 'G', to: 4 },
    });
  });

  test('refuses the other side, on the board and in its hand', () => {
    const refused = { kind: 'refuse', word: 'move-not-your-piece' };
    expect(press(view, 0, null, square(4))).toEqual(refused);
    expect(press(view, 0, null, { kind: 'hand', piece: 'R' }, 1)).toEqual(refused);
    expect(press(view, 0, null, gold, 1)).toEqual(refused);
  });

  test('does nothing on an empty square or slot', () => {
    expect(press(view, 0, null, square(12))).toEqual({ kind: 'nothing' });
    expect(press(view, 0, null, { kind: 'hand', piece: 'P' }, 0)).toEqual({ kind: 'nothing' });
  });

  test('says why nobody may act', () => {
    expect(press(view, null, null, square(5))).toEqual({ kind: 'refuse', word: 'not-your-turn' });
    const over = { ...view, state: { ...view.state, over: true } };
    expect(press(over, null, null, square(5))).toEqual({ kind: 'refuse', word: 'game-over' });
  });
});

test('targetsOf names each square once', () => {
  expect([...targetsOf(view.legal, square(5))]).toEqual([0, 1]);
  expect([...targetsOf(view.legal, gold)]).toEqual([12]);
  expect([...targetsOf(view.legal, null)]).toEqual([]);
});
