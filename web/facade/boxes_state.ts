// SPDX-License-Identifier: MIT
/* States of Petits carrés: what they are, and how one from outside gets into the module. */
import { type RulesModule, STATUS_OK } from '../core/module.ts';
import { ownValue } from './data.ts';
import { boxesRules } from './installed_boxes.ts';

/** Who drew a line or owns a box; -1: nobody yet. */
export type Owner = -1 | 0 | 1;

/** A state of a game: plain data, frozen. Lines and boxes have the numbers of the rules. */
export interface BoxesState {
  readonly rows: number;
  readonly cols: number;
  readonly edges: readonly Owner[];
  readonly boxes: readonly Owner[];
  readonly scores: readonly [number, number];
  readonly player: 0 | 1;
  /** Lines drawn so far. */
  readonly moves: number;
  /** The last line; null before the first. */
  readonly last: number | null;
  /** Boxes that the last line closed. */
  readonly captured: number;
  readonly over: boolean;
  /** null while the game goes on, and when it is a tie. */
  readonly winner: 0 | 1 | null;
}

/** What the rules refuse; `code` is the stable word, such as `line-taken`. Nothing has changed. */
export class PetitsCarresError extends Error {
  override readonly name = 'PetitsCarresError';
  readonly code: string;

  constructor(code: string) {
    super(`refused: ${code}`);
    this.code = code;
  }
}

/** A value that is no state of Petits carrés: a mistake of the program that gave it. */
export class PetitsCarresStateError extends TypeError {
  override readonly name = 'PetitsCarresStateError';
  readonly member: string;

  constructor(member: string, expected: string) {
    super(`${member} must be ${expected}`);
    this.member = member;
  }
}

const MARKS = ['0', 'a', 'b'];

/* The functions of the module; `ask` answers -1 for what there is not. */
export function calls(module: RulesModule) {
  return module.take(
    'setup',
    'play',
    'state',
    'edge_count',
    'box_edge',
    'edge_row',
    'edge_column',
    'edge_is_horizontal',
    'next_edge',
  );
}

export function whole(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31
    ? value
    : -1;
}

/* Puts the module there; what comes from a state has passed its reader. */
export function setUp(text: string): void {
  const rules = boxesRules();
  const status = calls(rules).setup(0, rules.send(text) ?? 0);
  if (status !== STATUS_OK)
    throw new PetitsCarresStateError('state', `possible: ${rules.word(status)}`);
}

/* The state of the module, in which `before` lines more were drawn than it knows of. */
export function told(before = 0): BoxesState {
  const rules = boxesRules();
  calls(rules).state();
  const state = JSON.parse(rules.receive()) as BoxesState;
  return freeze({ ...state, moves: state.moves + before });
}

function freeze(state: BoxesState): BoxesState {
  for (const list of [state.edges, state.boxes, state.scores]) Object.freeze(list);
  return Object.freeze(state);
}

function readOwners(state: object, name: string, count: number): number[] {
  const list = ownValue(state, name);
  const expected = `an array of ${count} numbers from -1 to 1`;
  if (!Array.isArray(list) || list.length !== count) {
    throw new PetitsCarresStateError(`state.${name}`, expected);
  }
  return Array.from({ length: count }, (_, index) => {
    const owner = ownValue(list, index);
    if (owner !== -1 && owner !== 0 && owner !== 1) {
      throw new PetitsCarresStateError(`state.${name}[${index}]`, 'a number from -1 to 1');
    }
    return owner;
  });
}

const marked = (owners: readonly number[]): string =>
  owners.map((owner) => MARKS[owner + 1]).join('');

/* The position as text, and how many lines were drawn in it. */
function readState(state: unknown): { text: string; moves: number } {
  if (typeof state !== 'object' || state === null) {
    throw new PetitsCarresStateError('state', 'an object');
  }
  const rows = whole(ownValue(state, 'rows'));
  const cols = whole(ownValue(state, 'cols'));
  const count = calls(boxesRules()).edge_count(rows, cols);
  if (count < 0) throw new PetitsCarresStateError('state.rows', 'a number from 1 to 8, as cols');
  const edges = readOwners(state, 'edges', count);
  const boxes = readOwners(state, 'boxes', rows * cols);
  const player = ownValue(state, 'player');
  if (player !== 0 && player !== 1) throw new PetitsCarresStateError('state.player', '0 or 1');
  return {
    text: `${rows}x${cols} ${marked(edges)} ${player} ${marked(boxes)}`,
    moves: edges.filter((owner) => owner >= 0).length,
  };
}

/* Everything that the position tells must be so in the state that was given. */
function requireSame(state: object, moves: number): void {
  const known = told(moves);
  const scores = ownValue(state, 'scores');
  for (const name of ['over', 'winner', 'moves'] as const) {
    if (ownValue(state, name) !== known[name]) {
      throw new PetitsCarresStateError(`state.${name}`, String(known[name]));
    }
  }
  if (
    !Array.isArray(scores) ||
    scores.length !== 2 ||
    scores.some((_, player) => ownValue(scores, player) !== known.scores[player])
  ) {
    throw new PetitsCarresStateError('state.scores', `[${known.scores.join(', ')}]`);
  }
}

/* Puts the module into a state from outside, which must be one that the rules can tell. */
export function enterState(state: BoxesState): { text: string; moves: number } {
  const position = readState(state);
  setUp(position.text);
  requireSame(state, position.moves);
  return position;
}
