// SPDX-License-Identifier: MIT
/*
 * A state of Mini Shogi and the actions in it, as the rules write them and the server sends them.
 * Nothing here knows what is legal.
 */
import {
  readBoolean,
  readInteger,
  readList,
  readNullable,
  readObject,
  readOneOf,
  readString,
  Malformed,
} from './parse.ts';

export const BOARD_SIDE = 5;
export const SQUARES = BOARD_SIDE * BOARD_SIDE;

/* The order of the hands, on the page as in SFEN. */
export const HAND_TYPES = Object.freeze(['R', 'B', 'G', 'S', 'P'] as const);
export const PIECE_TYPES = ['K', ...HAND_TYPES] as const;

export const REASONS = [
  'checkmate',
  'no-legal-move',
  'resignation',
  'repetition',
  'perpetual-check',
  'mutual-perpetual',
  'ply-limit',
  'abandoned',
] as const;

/* 0 is Sente, who begins and moves towards row 0; 1 is Gote. */
export type Player = 0 | 1;
export type HandType = (typeof HAND_TYPES)[number];
export type PieceType = (typeof PIECE_TYPES)[number];
export type Reason = (typeof REASONS)[number];

export interface Piece {
  readonly type: PieceType;
  readonly owner: Player;
  readonly promoted: boolean;
}

export type Hand = Readonly<Record<HandType, number>>;

export interface MoveAction {
  readonly type: 'move';
  readonly from: number;
  readonly to: number;
  readonly promote: boolean;
}

export interface DropAction {
  readonly type: 'drop';
  readonly piece: HandType;
  readonly to: number;
}

export interface ResignAction {
  readonly type: 'resign';
}

export type Action = MoveAction | DropAction | ResignAction;

export interface GameState {
  /* 25 squares, index = row * 5 + column from the top left as Sente sees it. */
  readonly board: readonly (Piece | null)[];
  readonly hands: readonly [Hand, Hand];
  readonly player: Player;
  readonly moves: number;
  readonly last: Action | null;
  readonly over: boolean;
  readonly winner: Player | null;
  readonly reason: Reason | null;
}

export interface LegalAction {
  readonly usi: string;
  readonly action: MoveAction | DropAction;
}

export function opponent(player: Player): Player {
  return player === 0 ? 1 : 0;
}

export const readPlayer = readOneOf<Player>([0, 1]);
const readSquare = readInteger(0, SQUARES - 1);
const readCount = readInteger(0, 2);
const readPieceType = readOneOf(PIECE_TYPES);
const readHandType = readOneOf(HAND_TYPES);

function readPiece(value: unknown, path: string): Piece {
  const members = readObject(value, path);
  return {
    type: readPieceType(members['type'], `${path}.type`),
    owner: readPlayer(members['owner'], `${path}.owner`),
    promoted: readBoolean(members['promoted'], `${path}.promoted`),
  };
}

function readHand(value: unknown, path: string): Hand {
  const members = readObject(value, path);
  const count = (type: HandType): number => readCount(members[type], `${path}.${type}`);
  return { R: count('R'), B: count('B'), G: count('G'), S: count('S'), P: count('P') };
}

export function readAction(value: unknown, path: string): Action {
  const members = readObject(value, path);
  switch (members['type']) {
    case 'move':
      return {
        type: 'move',
        from: readSquare(members['from'], `${path}.from`),
        to: readSquare(members['to'], `${path}.to`),
        promote: readBoolean(members['promote'], `${path}.promote`),
      };
    case 'drop':
      return {
        type: 'drop',
        piece: readHandType(members['piece'], `${path}.piece`),
        to: readSquare(members['to'], `${path}.to`),
      };
    case 'resign':
      return { type: 'resign' };
    default:
      throw new Malformed(`${path}.type`, 'move, drop or resign');
  }
}

export function readState(value: unknown, path: string): GameState {
  const members = readObject(value, path);
  const [sente, gote] = readList(readHand, 2)(members['hands'], `${path}.hands`);
  if (sente === undefined || gote === undefined) throw new Malformed(`${path}.hands`, 'two hands');
  return {
    board: readList(readNullable(readPiece), SQUARES)(members['board'], `${path}.board`),
    hands: [sente, gote],
    player: readPlayer(members['player'], `${path}.player`),
    moves: readInteger(0)(members['moves'], `${path}.moves`),
    last: readNullable(readAction)(members['last'], `${path}.last`),
    over: readBoolean(members['over'], `${path}.over`),
    winner: readNullable(readPlayer)(members['winner'], `${path}.winner`),
    reason: readNullable(readOneOf(REASONS))(members['reason'], `${path}.reason`),
  };
}

export function readLegalAction(value: unknown, path: string): LegalAction {
  const members = readObject(value, path);
  const action = readAction(members['action'], `${path}.action`);
  if (action.type === 'resign') throw new Malformed(`${path}.action`, 'a move or a drop');
  return { usi: readString(members['usi'], `${path}.usi`), action };
}
