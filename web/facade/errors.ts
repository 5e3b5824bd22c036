// SPDX-License-Identifier: MIT

/** What the rules or a reader refuse. Nothing has changed: the state that was given still stands. */
export class MiniShogiError extends Error {
  override readonly name = 'MiniShogiError';
  /** The stable word of the refusal, such as `drop-two-pawns`. */
  readonly code: string;
  /** Where the text is at fault, from 1; null when it is not the text, or not a place in it. */
  readonly column: number | null;

  constructor(code: string, column: number | null = null) {
    super(column === null ? `refused: ${code}` : `refused: ${code}, column ${column}`);
    this.code = code;
    this.column = column;
  }
}

/** A value that is no state of Mini Shogi: a mistake of the program that gave it. */
export class MiniShogiStateError extends TypeError {
  override readonly name = 'MiniShogiStateError';
  /** The member at fault, such as `state.board[3].owner`. */
  readonly member: string;

  constructor(member: string, expected: string) {
    super(`${member} must be ${expected}`);
    this.member = member;
  }
}
