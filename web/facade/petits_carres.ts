// SPDX-License-Identifier: MIT
/* What the package offers of Petits carrés. Each function reads its arguments as values from outside. */
import { type RulesModule, STATUS_OK } from '../core/module.ts';
import { ownValue } from './data.ts';
import { boxesRules } from './installed_boxes.ts';

/** The public game: boxes down and across. */
export const BOARD_ROWS = 6;
export const BOARD_COLS = 7;

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

/** Where a line is: it begins at the dot of that row and column, and goes right or down from there. */
export interface EdgeGeometry {
  readonly horizontal: boolean;
  readonly row: number;
  readonly col: number;
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

const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const MARKS = ['0', 'a', 'b'];

/* The functions of the module; `ask` answers -1 for what there is not. */
function calls(module: RulesModule) {
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

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31
    ? value
    : -1;
}

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
  const { text, moves } = readState(state);
  setUp(text);
  requireSame(state, moves);
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

function setUp(text: string): void {
  const rules = boxesRules();
  const status = calls(rules).setup(0, rules.send(text) ?? 0);
  if (status !== STATUS_OK)
    throw new PetitsCarresStateError('state', `possible: ${rules.word(status)}`);
}

/* The state of the module, in which `before` lines more were drawn than it knows of. */
function told(before = 0): BoxesState {
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
