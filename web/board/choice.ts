// SPDX-License-Identifier: MIT
/*
 * What a press on a square or a hand slot means, given what is selected: pure, so that the whole
 * manner of playing is tested without a page. What is legal comes in from the rules.
 */
import {
  type DropAction,
  type HandType,
  type LegalAction,
  type MoveAction,
  type Player,
} from '../core/state.ts';
import type { GameView } from '../core/view.ts';

export type Source =
  | { readonly kind: 'square'; readonly square: number }
  | { readonly kind: 'hand'; readonly piece: HandType };

export type Target = Source;

export type Outcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'select'; readonly source: Source }
  | { readonly kind: 'clear' }
  | { readonly kind: 'play'; readonly action: MoveAction | DropAction }
  /* Both are legal: the same move with and without promotion. */
  | { readonly kind: 'ask'; readonly plain: MoveAction; readonly promoting: MoveAction }
  /* Refused before the rules are asked; a stable word. */
  | { readonly kind: 'refuse'; readonly word: string }
  /* Not legal: the rules know why. The selection stays. */
  | { readonly kind: 'illegal'; readonly action: MoveAction | DropAction };

/* The legal actions that start at `source`. */
export function actionsFrom(legal: readonly LegalAction[], source: Source): LegalAction[] {
  return legal.filter(({ action }) =>
    source.kind === 'square'
      ? action.type === 'move' && action.from === source.square
      : action.type === 'drop' && action.piece === source.piece,
  );
}

/* The squares that a selection may go to. */
export function targetsOf(legal: readonly LegalAction[], source: Source | null): Set<number> {
  if (source === null) return new Set();
  return new Set(actionsFrom(legal, source).map(({ action }) => action.to));
}

export function sameSource(one: Source | null, other: Source | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind === 'square') return other.kind === 'square' && one.square === other.square;
  return other.kind === 'hand' && one.piece === other.piece;
}

function ownsTarget(view: GameView, mover: Player, target: Target): boolean {
  return target.kind === 'hand'
    ? view.state.hands[mover][target.piece] > 0
    : view.state.board[target.square]?.owner === mover;
}

function pressOnSquare(view: GameView, source: Source, to: number): Outcome {
  const fitting = actionsFrom(view.legal, source)
    .map(({ action }) => action)
    .filter((action) => action.to === to);
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return { kind: 'play', action: first };

  const moves = fitting.filter((action) => action.type === 'move');
  const plain = moves.find((move) => !move.promote);
  const promoting = moves.find((move) => move.promote);
  if (plain !== undefined && promoting !== undefined) return { kind: 'ask', plain, promoting };

  return {
    kind: 'illegal',
    action:
      source.kind === 'square'
        ? { type: 'move', from: source.square, to, promote: false }
        : { type: 'drop', piece: source.piece, to },
  };
}

/*
 * `mover` is the player who may act at this page now, null when nobody may; `owner` says whose hand
 * a slot is in.
 */
export function press(
  view: GameView,
  mover: Player | null,
  source: Source | null,
  target: Target,
  owner: Player | null = null,
): Outcome {
  if (mover === null) {
    return { kind: 'refuse', word: view.state.over ? 'game-over' : 'not-your-turn' };
  }
  if (target.kind === 'hand' && owner !== mover) {
    return { kind: 'refuse', word: 'move-not-your-piece' };
  }
  if (sameSource(source, target)) return { kind: 'clear' };
  if (ownsTarget(view, mover, target)) return { kind: 'select', source: target };
  if (target.kind === 'hand') return { kind: 'nothing' };
  if (source !== null) return pressOnSquare(view, source, target.square);
  return view.state.board[target.square]
    ? { kind: 'refuse', word: 'move-not-your-piece' }
    : { kind: 'nothing' };
}
