// SPDX-License-Identifier: MIT
import type { GameState, Player } from '../core/state.ts';

/** The names of the rulesets; the first is the default. */
export const RULESETS = Object.freeze(['uec', 'kawu'] as const);
export type Ruleset = (typeof RULESETS)[number];
export const DEFAULT_RULESET = RULESETS[0];

/** A position that occurred. */
export interface PositionRecord {
  /** Board, side to move and hands as in SFEN. Positions are the same exactly when these are. */
  readonly key: string;
  /** Who moved into it; null: the game began in it. */
  readonly by: Player | null;
  /** Whether the side to move is in check. */
  readonly check: boolean;
}

/**
 * A game of Mini Shogi as a plain, frozen object: it may be stored as JSON, cloned and sent, and is
 * the whole game. Square numbers are row * 5 + column from the top left as player 0 sees the board.
 */
export interface MiniShogiState extends GameState {
  /** One for each position, that of the beginning included: `moves + 1` of them. */
  readonly records: readonly PositionRecord[];
  /** Absent under the default rules. */
  readonly rules?: Exclude<Ruleset, 'uec'>;
}
