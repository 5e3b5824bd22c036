// SPDX-License-Identifier: MIT
/*
 * Shapes and places on the screen. Indices of squares never turn: a board seen by Gote only lays
 * them out the other way round.
 */
import { BOARD_SIDE, type PieceType, type Player, SQUARES } from '../core/state.ts';
import { columnOf, rowOf } from '../core/squares.ts';

/* Pieces are drawn in a square of this many units. */
export const UNITS = 100;

/* Width of the foot and height, by rank: the king is the widest, the pawn the narrowest. */
const SIZES: Readonly<Record<PieceType, readonly [width: number, height: number]>> = {
  K: [84, 90],
  R: [80, 87],
  B: [80, 87],
  G: [75, 83],
  S: [75, 83],
  P: [66, 77],
};

export interface Pentagon {
  /* For an SVG polygon: point, shoulders and foot of a piece that points up. */
  readonly points: string;
  /* Where the character stands: its baseline and size. */
  readonly baseline: number;
  readonly glyphSize: number;
  /* Where a letter ends in the corner right of the foot: its right edge and the middle of its height. */
  readonly corner: readonly [x: number, y: number];
}

export function pentagon(type: PieceType): Pentagon {
  const [width, height] = SIZES[type];
  const centre = UNITS / 2;
  const top = centre - height / 2;
  const foot = centre + height / 2;
  const shoulder = top + height * 0.2;
  const corners = [
    [centre, top],
    [centre + width * 0.39, shoulder],
    [centre + width / 2, foot],
    [centre - width / 2, foot],
    [centre - width * 0.39, shoulder],
  ];
  const glyphSize = width * 0.66;
  return {
    points: corners.map(([x, y]) => `${round(x)},${round(y)}`).join(' '),
    /* A CJK character fills its em square from 0.88 above its baseline to 0.12 below. */
    baseline: round(centre + height * 0.03 + glyphSize * 0.38),
    glyphSize: round(glyphSize),
    corner: [round(centre + width / 2 - 5), round(foot - 8.5)],
  };
}

function round(value = 0): number {
  return Math.round(value * 100) / 100;
}

/* The squares in reading order of the screen, with `bottom` at the bottom. */
export function screenOrder(bottom: Player): number[] {
  const order = Array.from({ length: SQUARES }, (_, square) => square);
  return bottom === 0 ? order : order.reverse();
}

export function screenRows(bottom: Player): number[][] {
  const order = screenOrder(bottom);
  return Array.from({ length: BOARD_SIDE }, (_, row) =>
    order.slice(row * BOARD_SIDE, (row + 1) * BOARD_SIDE),
  );
}

/*
 * Where a key leads from `square`: the neighbour on the screen, never past an edge; null for a key
 * that does not walk.
 */
export function walk(square: number, key: string, bottom: Player): number | null {
  const sign = bottom === 0 ? 1 : -1;
  const last = BOARD_SIDE - 1;
  const [left, right] = bottom === 0 ? [0, last] : [last, 0];
  const at = (row: number, column: number): number => clamp(row) * BOARD_SIDE + clamp(column);
  const row = rowOf(square);
  const column = columnOf(square);
  switch (key) {
    case 'ArrowUp':
      return at(row - sign, column);
    case 'ArrowDown':
      return at(row + sign, column);
    case 'ArrowLeft':
      return at(row, column - sign);
    case 'ArrowRight':
      return at(row, column + sign);
    case 'Home':
      return at(row, left);
    case 'End':
      return at(row, right);
    default:
      return null;
  }
}

function clamp(line: number): number {
  return Math.min(Math.max(line, 0), BOARD_SIDE - 1);
}
