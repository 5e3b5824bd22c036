// SPDX-License-Identifier: MIT
/*
 * Names of squares and actions as text (USI): files 5 to 1 from the left as Sente sees them, ranks
 * a to e from the top.
 *
 *        5  4  3  2  1
 *        0  1  2  3  4   a
 *        5  6  7  8  9   b
 *       ...
 *       20 21 22 23 24   e
 */
import { type Action, BOARD_SIDE } from './state.ts';

export function rowOf(square: number): number {
  return Math.floor(square / BOARD_SIDE);
}

export function columnOf(square: number): number {
  return square % BOARD_SIDE;
}

/* 1 to 5. */
export function fileOf(square: number): number {
  return BOARD_SIDE - columnOf(square);
}

export function squareText(square: number): string {
  return `${fileOf(square)}${String.fromCharCode('a'.charCodeAt(0) + rowOf(square))}`;
}

export function actionText(action: Action): string {
  switch (action.type) {
    case 'move':
      return `${squareText(action.from)}${squareText(action.to)}${action.promote ? '+' : ''}`;
    case 'drop':
      return `${action.piece}*${squareText(action.to)}`;
    case 'resign':
      return 'resign';
  }
}
