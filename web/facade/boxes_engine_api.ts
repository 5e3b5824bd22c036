// SPDX-License-Identifier: MIT
/* What is published of the computer player and the analysis of Petits carrés, but for how it is made. */
import type { BoxesState } from './boxes_state.ts';

export { PetitsCarresError, PetitsCarresStateError } from './boxes_state.ts';
export type { BoxesState, Owner } from './boxes_state.ts';

/** The levels of the computer player, each stronger than the one before. */
export const LEVELS = ['taker', 'opener', 'greedy', 'counter', 'near-perfect', 'master'] as const;

export type BoxesLevel = (typeof LEVELS)[number];

/** A line that a level chose. */
export interface BoxesChoice {
  readonly edge: number;
  /** No line is worth more, and `value` is what is to come under best play. */
  readonly exact: boolean;
  /**
   * Boxes still to come, those of who moves less those of the other, as the level expects them; 0 of a
   * level that does not reckon.
   */
  readonly value: number;
  /** Positions and trials that it took. */
  readonly nodes: number;
}

/** A number of boxes is not below one nor above the other; it is known when they are the same. */
export interface BoxesBounds {
  readonly low: number;
  readonly high: number;
}

/** Boxes with two free lines that hang together. */
export interface BoxesString {
  readonly kind: 'chain' | 'loop';
  readonly length: number;
  /** Of three boxes or more, so that it can be answered by a double-dealing move. */
  readonly long: boolean;
  /**
   * How many of a chain's two ends lead off the grid, to a box with three free lines or more, and to
   * a box that can be taken.
   */
  readonly ends: { readonly border: number; readonly joint: number; readonly open: number };
  /** From one end to the other, as `edges` are. */
  readonly boxes: readonly number[];
  readonly edges: readonly number[];
}

/** What a line does, as a word for programs and dictionaries. */
export type BoxesReason =
  | 'takes'
  | 'double-dealing'
  | 'declines'
  | 'safe'
  | 'hands-over'
  | 'hard-hearted'
  | 'half-hearted'
  | 'opens-chain'
  | 'opens-loop';

/** What there is to say of a free line. */
export interface BoxesLine {
  readonly edge: number;
  /** The value after it, seen by who moves now. */
  readonly score: BoxesBounds;
  /** Keeps the value of the position; of use where `bestKnown` is true. */
  readonly best: boolean;
  /** Gives no box a third side, and closes none. */
  readonly safe: boolean;
  /** The other may choose who goes on. */
  readonly loony: boolean;
  /** Closed by it; otherwise those that the other can take at once. */
  readonly boxes: number;
  readonly reason: BoxesReason;
  /** The reason as an English phrase. */
  readonly words: string;
}

/** What there is to say of a position. */
export interface BoxesAnalysis {
  /** Boxes still to come, those of who moves less those of the other, under best play. */
  readonly value: BoxesBounds;
  readonly bestKnown: boolean;
  /** Its value in Nimstring; null where that takes too long. */
  readonly nimber: number | 'loony' | null;
  /** The lines that give nothing away. */
  readonly safe: readonly number[];
  /** The boxes that one line closes. */
  readonly takeable: readonly number[];
  readonly strings: readonly BoxesString[];
  readonly lines: readonly BoxesLine[];
}

export interface AnalyseOptions {
  /** A whole number of milliseconds from 1 on, after which it says what it has found. */
  readonly timeMs?: number | undefined;
  /** Gives the question up. */
  readonly signal?: AbortSignal | undefined;
}

export interface ChooseOptions extends AnalyseOptions {
  readonly level: BoxesLevel;
}

export interface BoxesEngineOptions {
  /** For all that it remembers, 1 to 2048. */
  readonly megabytes?: number | undefined;
  /** Of its choices among lines that are alike to it, 0 to 2147483647; otherwise by chance. */
  readonly seed?: number | undefined;
}

/** Promises are rejected with the reason of their signal, and with what is said at each error. */
export interface BoxesEngine {
  /** A line for who moves. */
  choose(state: BoxesState, options: ChooseOptions): Promise<BoxesChoice>;
  analyse(state: BoxesState, options?: AnalyseOptions): Promise<BoxesAnalysis>;
  /** Ends the Worker; what is not answered yet is rejected, as is every later question. */
  close(): void;
}

/** The Worker died or could not be had, or the engine is closed. The next question has a new Worker. */
export class BoxesEngineFailure extends Error {
  override readonly name = 'BoxesEngineFailure';
}
