// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cases, randomBelow, top } from './fixture.ts';
import { installBoxes } from './installed_boxes.ts';
import {
  BOARD_COLS,
  BOARD_ROWS,
  type BoxesState,
  PetitsCarresError,
  PetitsCarresStateError,
  boxEdges,
  drawEdge,
  edgeGeometry,
  initialBoxes,
  nextEdge,
} from './petits_carres.ts';

const module = top('build/wasm/src/wasm/komadai-boxes.wasm');

installBoxes(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module))).exports);

const start = (): BoxesState => initialBoxes(BOARD_ROWS, BOARD_COLS);
const playAll = (edges: readonly number[]): BoxesState => edges.reduce(drawEdge, start());

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof PetitsCarresError) return error.code;
    throw error;
  }
  return 'ok';
}

describe('the published shapes', () => {
  test('the public grid has 6 rows and 7 columns; the bare call is square', () => {
    expect(start()).toEqual({
      rows: 6,
      cols: 7,
      edges: Array(97).fill(-1),
      boxes: Array(42).fill(-1),
      scores: [0, 0],
      player: 0,
      moves: 0,
      last: null,
      captured: 0,
      over: false,
      winner: null,
    });
    expect(initialBoxes()).toMatchObject({ rows: 6, cols: 6 });
    expect(initialBoxes(2)).toMatchObject({ rows: 2, cols: 2 });
    for (const side of [0, 9, -1, 1.5, NaN, 1e12]) {
      expect(codeOf(() => initialBoxes(side))).toBe('grid-size');
    }
  });

  test('edges and boxes are numbered row by row, horizontal edges first', () => {
    expect(edgeGeometry(6, 7, 0)).toEqual({ horizontal: true, row: 0, col: 0 });
    expect(edgeGeometry(6, 7, 48)).toEqual({ horizontal: true, row: 6, col: 6 });
    expect(edgeGeometry(6, 7, 49)).toEqual({ horizontal: false, row: 0, col: 0 });
    expect(edgeGeometry(6, 7, 96)).toEqual({ horizontal: false, row: 5, col: 7 });
    expect(boxEdges(6, 7, 0)).toEqual([0, 50, 7, 49]);
    expect(boxEdges(6, 7, 41)).toEqual([41, 96, 48, 95]);
    expect(codeOf(() => boxEdges(6, 7, 42))).toBe('line-box');
    expect(codeOf(() => edgeGeometry(6, 7, 97))).toBe('line-number');
  });
});

describe('a game', () => {
  test('goes as in every row of the cases, and states before it stay', () => {
    for (const [name, moves, caps, score, state] of cases('boxes_sequences.tsv')) {
      const closed = (caps ?? '').split(' ').map(Number);
      let at = start();
      (moves ?? '').split(' ').forEach((edge, ply) => {
        const before = structuredClone(at);
        const next = drawEdge(at, Number(edge));
        expect(at, name).toEqual(before);
        expect(next.captured, name).toBe(closed[ply]);
        expect(next.last, name).toBe(Number(edge));
        expect(next.moves, name).toBe(ply + 1);
        at = next;
      });
      expect(at.scores.join('-'), name).toBe(score);
      expect(at.over ? 'over' : `player${at.player}`, name).toBe(state);
    }
  });

  test('at random on any grid ends with every box owned, and the most win', () => {
    const below = randomBelow(5);
    for (let round = 0; round < 40; round++) {
      let at = initialBoxes(1 + below(8), 1 + below(8));
      while (!at.over) {
        const free = at.edges.flatMap((owner, edge) => (owner < 0 ? [edge] : []));
        at = drawEdge(at, free[below(free.length)] ?? 0);
      }
      const [one, other] = at.scores;
      expect(one + other).toBe(at.boxes.length);
      expect(at.winner).toBe(one === other ? null : one > other ? 0 : 1);
      expect(codeOf(() => drawEdge(at, 0))).toBe('game-over');
    }
  });

  /* The number is that of the public reports in the project's list of bug cases. */
  test('case 111: refuses an edge that there is not or that is taken, and changes nothing', () => {
    const state = playAll([0, 7, 49]);
    const before = structuredClone(state);
    for (const edge of [-1, 97, 1e9, 7.5, NaN, '7', null, undefined, {}]) {
      expect(codeOf(() => Reflect.apply(drawEdge, undefined, [state, edge]) as unknown)).toBe(
        'line-number',
      );
    }
    expect(codeOf(() => drawEdge(state, 7))).toBe('line-taken');
    expect(state).toEqual(before);
  });
});

describe('a state from outside', () => {
  test('may come back from JSON, and is refused where it contradicts itself', () => {
    const state = playAll([0, 7, 49, 50]);
    const plain = JSON.parse(JSON.stringify(state)) as BoxesState;
    expect(drawEdge(plain, 1)).toEqual(drawEdge(state, 1));
    const wrong: [Partial<Record<keyof BoxesState, unknown>>, string][] = [
      [{ rows: 9 }, 'state.rows'],
      [{ edges: [] }, 'state.edges'],
      [{ edges: plain.edges.map((owner, edge) => (edge === 3 ? 2 : owner)) }, 'state.edges[3]'],
      [{ boxes: plain.boxes.map(() => -1) }, 'state'],
      [{ boxes: plain.boxes.map(() => 0) }, 'state'],
      [{ scores: [4, 4] }, 'state.scores'],
      [{ player: 2 }, 'state.player'],
      [{ over: true }, 'state.over'],
      [{ winner: 0 }, 'state.winner'],
      [{ moves: 9 }, 'state.moves'],
    ];
    for (const [change, member] of wrong) {
      const given = { ...plain, ...change } as BoxesState;
      expect(() => drawEdge(given, 1)).toThrow(PetitsCarresStateError);
      expect(() => drawEdge(given, 1)).toThrow(member);
    }
    for (const value of [null, 3, 'state', []]) {
      expect(() => Reflect.apply(drawEdge, undefined, [value, 1]) as unknown).toThrow(TypeError);
    }
  });
});

describe('the walk by keys', () => {
  const walk = (id: number, keys: string): number =>
    [...keys].reduce((at, key) => {
      const name = { l: 'ArrowLeft', r: 'ArrowRight', u: 'ArrowUp', d: 'ArrowDown' }[key] ?? key;
      return nextEdge(6, 7, at, name);
    }, id);

  test('goes along a row of segments, to the next row, and stops at the edges', () => {
    expect(walk(0, 'l')).toBe(0);
    expect(walk(0, 'u')).toBe(0);
    expect(walk(0, 'r')).toBe(1);
    expect(walk(0, 'd')).toBe(49);
    expect(walk(0, 'dr')).toBe(50);
    expect(walk(0, 'drd')).toBe(8);
    expect(walk(56, 'd')).toBe(13);
    expect(walk(48, 'rd')).toBe(48);
    expect(walk(5, 'x')).toBe(5);
  });

  test('reaches all 97 segments, the 48 vertical ones among them', () => {
    const seen = new Set([0]);
    for (const edge of seen) for (const key of 'lrud') seen.add(walk(edge, key));
    expect(seen.size).toBe(97);
    expect([...seen].filter((edge) => !edgeGeometry(6, 7, edge).horizontal).length).toBe(48);
  });
});
