// SPDX-License-Identifier: MIT
/* What a board needs to be drawn and played on: a state and what the rules say of it. */
import type { GameState, LegalAction, Player } from './state.ts';
import type { Rules } from './wasm.ts';

export interface GameView {
  readonly state: GameState;
  readonly legal: readonly LegalAction[];
  /* The side to move is in check. */
  readonly check: boolean;
}

export function viewOf(rules: Rules): GameView {
  return { state: rules.state(), legal: rules.legal(), check: rules.check() };
}

/*
 * A state that the server judged. The rules are only asked what is legal next: they know neither
 * the repetitions nor a resignation, so an end stands as the server told it.
 */
export function viewOfSnapshot(rules: Rules, state: GameState, position: string): GameView {
  const word = rules.setup(position);
  if (word !== null) return { state, legal: [], check: false };
  return { state, legal: state.over ? [] : rules.legal(), check: rules.check() };
}

/* The square of the king that is in check, null when none is. */
export function checkedKing(view: GameView): number | null {
  if (!view.check) return null;
  const square = view.state.board.findIndex(
    (piece) => piece?.type === 'K' && piece.owner === view.state.player,
  );
  return square < 0 ? null : square;
}

/* Who may act on this board now: the player to move, where that is one of `own`. */
export function moverOf(view: GameView, own: readonly Player[]): Player | null {
  const { over, player } = view.state;
  return !over && own.includes(player) ? player : null;
}
