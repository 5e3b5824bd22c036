// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { PIECE_TYPES } from '../core/state.ts';
import { pentagon, screenOrder, screenRows, UNITS, walk } from './geometry.ts';

describe('walk', () => {
  test.each([
    [0, 12, [7, 17, 11, 13, 10, 14]],
    [1, 12, [17, 7, 13, 11, 14, 10]],
  ] as const)('follows the screen with player %i at the bottom', (bottom, from, expected) => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];
    expect(keys.map((key) => walk(from, key, bottom))).toEqual(expected);
  });

  test('never wraps round an edge', () => {
    for (const bottom of [0, 1] as const) {
      for (const row of screenRows(bottom)) {
        expect(walk(row[0] ?? -1, 'ArrowLeft', bottom)).toBe(row[0]);
        expect(walk(row[4] ?? -1, 'ArrowRight', bottom)).toBe(row[4]);
      }
      for (const square of screenRows(bottom)[0] ?? []) {
        expect(walk(square, 'ArrowUp', bottom)).toBe(square);
      }
      for (const square of screenRows(bottom)[4] ?? []) {
        expect(walk(square, 'ArrowDown', bottom)).toBe(square);
      }
    }
  });

  test('reaches every square from every other', () => {
    const reached = new Set([0]);
    for (const square of reached) {
      for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
        const next = walk(square, key, 1);
        if (next !== null) reached.add(next);
      }
    }
    expect(reached.size).toBe(25);
  });

  test('leaves other keys alone', () => {
    expect(walk(12, 'Enter', 0)).toBeNull();
    expect(walk(12, 'a', 0)).toBeNull();
  });
});

test('the board is laid out the other way round for Gote', () => {
  expect(screenOrder(0)[0]).toBe(0);
  expect(screenOrder(1)[0]).toBe(24);
  expect([...screenOrder(1)].reverse()).toEqual(screenOrder(0));
});

test('pieces fit their square, the king the widest and the pawn the narrowest', () => {
  const widths = PIECE_TYPES.map((type) => {
    const corners = pentagon(type)
      .points.split(' ')
      .map((corner) => corner.split(',').map(Number));
    for (const value of corners.flat()) {
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(UNITS);
    }
    const across = corners.map(([x]) => x ?? 0);
    return Math.max(...across) - Math.min(...across);
  });
  expect([...widths].sort((one, other) => other - one)).toEqual(widths);
  expect(widths[0]).toBeGreaterThan(widths.at(-1) ?? 0);
});
