// SPDX-License-Identifier: MIT
/* What the package offers of Petits carrés. Each function reads its arguments as values from outside. */
import { STATUS_OK } from '../core/module.ts';
import {
  type BoxesState,
  PetitsCarresError,
  calls,
  enterState,
  setUp,
  told,
  whole,
} from './boxes_state.ts';
import { ownValue } from './data.ts';
import { boxesRules } from './installed_boxes.ts';

export { PetitsCarresError, PetitsCarresStateError } from './boxes_state.ts';
export type { BoxesState, Owner } from './boxes_state.ts';

/** The public game: boxes down and across. */
export const BOARD_ROWS = 6;
export const BOARD_COLS = 7;

/** Where a line is: it begins at the dot of that row and column, and goes right or down from there. */
export interface EdgeGeometry {
  readonly horizontal: boolean;
  readonly row: number;
  readonly col: number;
}

const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/* The number of edges of a grid that there is. */
function countEdges(rows: unknown, cols: unknown): number {
  const count = calls(boxesRules()).edge_count(whole(rows), whole(cols));
  if (count < 0) throw new PetitsCarresError('grid-size');
  return count;
}

function requireEdge(rows: unknown, cols: unknown, id: unknown): void {
  const count = countEdges(rows, cols);
  const edge = whole(id);
  if (edge < 0 || edge >= count) throw new PetitsCarresError('line-number');
}

/** The start on a grid; with one number a square one, with none 6 x 6. */
export function initialBoxes(rows: number = BOARD_ROWS, cols: number = rows): BoxesState {
  countEdges(rows, cols);
  setUp(`${rows}x${cols}`);
  return told();
}

/** Where the line `id` is. */
export function edgeGeometry(rows: number, cols: number, id: number): EdgeGeometry {
  requireEdge(rows, cols, id);
  const { edge_row, edge_column, edge_is_horizontal } = calls(boxesRules());
  return {
    horizontal: edge_is_horizontal(rows, cols, id) === 1,
    row: edge_row(rows, cols, id),
    col: edge_column(rows, cols, id),
  };
}

/** The lines around a box: top, right, bottom, left. */
export function boxEdges(
  rows: number,
  cols: number,
  box: number,
): readonly [number, number, number, number] {
  countEdges(rows, cols);
  const { box_edge } = calls(boxesRules());
  const edge = (side: number): number => box_edge(rows, cols, whole(box), side);
  if (edge(0) < 0) throw new PetitsCarresError('line-box');
  return [edge(0), edge(1), edge(2), edge(3)];
}

/**
 * The state after the player whose turn it is draws the line `id`. `state` stays as it was.
 * @throws {PetitsCarresError} when the rules refuse it; `code` says why.
 */
export function drawEdge(state: BoxesState, id: number): BoxesState {
  const { moves } = enterState(state);
  const rules = boxesRules();
  if (!Number.isSafeInteger(id)) throw new PetitsCarresError('line-number');
  if (ownValue(state, 'over') === true) throw new PetitsCarresError('game-over');
  if (id < 0) throw new PetitsCarresError('line-number');
  const status = calls(rules).play(rules.send(String(id)) ?? 0);
  if (status !== STATUS_OK) throw new PetitsCarresError(rules.word(status));
  return told(moves);
}

/**
 * Where an arrow key leads from the line `id`: left and right along a row of segments, up and down to
 * the neighbouring row. At the border, and for any other key, it is `id` itself.
 */
export function nextEdge(rows: number, cols: number, id: number, key: string): number {
  requireEdge(rows, cols, id);
  const code = KEYS.indexOf(key);
  return code < 0 ? id : calls(boxesRules()).next_edge(rows, cols, id, code);
}
