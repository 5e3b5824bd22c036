// SPDX-License-Identifier: MIT
/* What the package offers. Each function reads its arguments as values from outside. */
import {
  HAND_TYPES,
  type Action,
  type DropAction,
  type HandType,
  type MoveAction,
  type Player,
} from '../core/state.ts';
import { readGivenAction } from './action.ts';
import { MiniShogiError, MiniShogiStateError } from './errors.ts';
import { games } from './installed.ts';
import { DEFAULT_RULESET, RULESETS, type MiniShogiState, type Ruleset } from './state.ts';

export { HAND_TYPES, MiniShogiError, MiniShogiStateError, RULESETS };
export type {
  Action,
  DropAction,
  Hand,
  HandType,
  MoveAction,
  Piece,
  PieceType,
  Player,
  Reason,
  ResignAction,
} from '../core/state.ts';
export type { MiniShogiState, PositionRecord, Ruleset } from './state.ts';

/** Whether a king's entry wins: in Mini Shogi it never does. */
export interface EnteringKing {
  readonly eligible: false;
}

/** The operations of one board as one object, for programs that know several. */
export interface MiniShogiEngine {
  readonly handTypes: readonly HandType[];
  readonly initial: typeof initialMiniShogi;
  readonly legalMoves: typeof legalMiniShogiMoves;
  readonly play: typeof playMiniShogi;
  readonly inCheck: typeof inCheck;
  readonly positionKey: typeof positionKey;
  readonly enteringKing: (state: MiniShogiState, player?: Player) => EnteringKing;
  readonly fromSfen: typeof miniShogiFromSfen;
  readonly toSfen: typeof miniShogiToSfen;
  readonly fromJson: typeof miniShogiFromJson;
}

/** The start of a game; `uec`, the default, or `kawu`. */
export function initialMiniShogi(rules: Ruleset = DEFAULT_RULESET): MiniShogiState {
  return games().begin(rules);
}

/** Every legal move and drop, in no order; none after the end. Resigning is always possible before. */
export function legalMiniShogiMoves(state: MiniShogiState): readonly (MoveAction | DropAction)[] {
  return games().legal(state);
}

/**
 * The state after `action` of the player whose turn it is. `state` stays as it was.
 * @throws {MiniShogiError} when the rules refuse the action; `code` says why.
 */
export function playMiniShogi(state: MiniShogiState, action: Action): MiniShogiState {
  return games().play(state, readGivenAction(action));
}

/** Whether the king of `player` is in check; without one, of the player whose turn it is. */
export function inCheck(state: MiniShogiState, player?: Player): boolean {
  const known = games().known(state);
  const asked = readPlayerOr(known.player, player);
  /* Nobody leaves the own king in check, and no game begins so: only who is to move can be. */
  return asked === known.player && known.records.at(-1)?.check === true;
}

/** The position as text without the number of the move: equal exactly when positions repeat. */
export function positionKey(state: MiniShogiState): string {
  return games().known(state).records.at(-1)?.key ?? '';
}

/**
 * A game that begins in a position. The number of the move in the text is read over.
 * @throws {MiniShogiError} with `code`, and `column` where the text is at fault.
 */
export function miniShogiFromSfen(sfen: string, rules: Ruleset = DEFAULT_RULESET): MiniShogiState {
  if (typeof sfen !== 'string') throw new TypeError('sfen must be text');
  return games().beginAt(sfen, rules);
}

/** The position as SFEN. Moves are counted from the beginning of this game. */
export function miniShogiToSfen(state: MiniShogiState): string {
  const known = games().known(state);
  return `${positionKey(known)} ${known.moves + 1}`;
}

/**
 * A state that was JSON, checked once; then the other functions need not check it again.
 * @throws {MiniShogiStateError} naming the member that no game could have.
 */
export function miniShogiFromJson(value: unknown): MiniShogiState {
  return games().known(value);
}

function enteringKing(state: MiniShogiState, player?: Player): EnteringKing {
  readPlayerOr(games().known(state).player, player);
  return Object.freeze({ eligible: false });
}

function readPlayerOr(otherwise: Player, player: unknown): Player {
  if (player === undefined) return otherwise;
  if (player !== 0 && player !== 1) throw new TypeError('player must be 0 or 1');
  return player;
}

export const miniShogiEngine: MiniShogiEngine = Object.freeze({
  handTypes: HAND_TYPES,
  initial: initialMiniShogi,
  legalMoves: legalMiniShogiMoves,
  play: playMiniShogi,
  inCheck,
  positionKey,
  enteringKing,
  fromSfen: miniShogiFromSfen,
  toSfen: miniShogiToSfen,
  fromJson: miniShogiFromJson,
});
