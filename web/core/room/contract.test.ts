// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../fakes.ts';
import { readSnapshot } from './contract.ts';

const told = (members: object): unknown => ({ ...snapshotOf(4), ...members });

describe('a snapshot', () => {
  test('of a game that somebody left is one of a game that is over', () => {
    const { state, phase } = readSnapshot(told({ phase: 'over', abandonedBy: 'guest' }), 'it');
    expect(phase).toBe('over');
    expect([state.over, state.winner, state.reason]).toEqual([true, null, 'abandoned']);
  });

  test('of any other game has the state that the rules say', () => {
    for (const members of [{}, { abandonedBy: null }]) {
      expect(readSnapshot(told(members), 'it').state).toEqual(snapshotOf(4).state);
    }
  });

  test('is refused where it names no seat or no phase', () => {
    expect(() => readSnapshot(told({ abandonedBy: 'somebody' }), 'it')).toThrow('it.abandonedBy');
    expect(() => readSnapshot(told({ phase: 'done' }), 'it')).toThrow('it.phase');
  });
});
