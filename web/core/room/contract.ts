// SPDX-License-Identifier: MIT
/* What the server and the page say to each other about rooms (docs: /api/v1/rooms). */
import {
  type Reader,
  readInteger,
  readMatch,
  readNullable,
  readObject,
  readOneOf,
  readString,
  Malformed,
} from '../parse.ts';
import { type Action, type GameState, type Player, readPlayer, readState } from '../state.ts';

export type SeatName = 'host' | 'guest';
export type Phase = 'waiting' | 'playing' | 'over' | 'closed';

export interface Snapshot {
  readonly room: string;
  readonly game: string;
  readonly rev: number;
  readonly phase: Phase;
  /* Which player each seat is in this game. */
  readonly players: Readonly<Record<SeatName, Player>>;
  readonly state: GameState;
  /* The same state as SFEN. */
  readonly position: string;
}

/* A place in a room. Whoever holds the key plays for it, so it is kept in this tab only. */
export interface Seat {
  readonly room: string;
  readonly seat: SeatName;
  readonly key: string;
  /* The link for the other player; the host's seat has one. */
  readonly inviteUrl: string | null;
}

export interface Invitation {
  readonly room: string;
  readonly secret: string;
}

export interface Entry {
  readonly seat: Seat;
  readonly snapshot: Snapshot;
}

export interface Command {
  readonly rev: number;
  /* The same id is applied once, however often it is sent. */
  readonly id: string;
  readonly op: 'play';
  readonly action: Action;
}

const readRoomId = readMatch(/^[0-9a-z]{12}$/);
const readSecret = readMatch(/^[A-Za-z0-9_-]{22}$/);
const readSeatName = readOneOf<SeatName>(['host', 'guest']);
const readPhase = readOneOf<Phase>(['waiting', 'playing', 'over', 'closed']);

/* A link that may be shown and followed: http(s) with an invitation in its fragment. */
const readInviteUrl: Reader<string> = (value, path) => {
  const text = readString(value, path);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || parseInvitation(url.hash) === null) {
    throw new Malformed(path, 'an invitation link');
  }
  return text;
};

export function readSnapshot(value: unknown, path: string): Snapshot {
  const members = readObject(value, path);
  const players = readObject(members['players'], `${path}.players`);
  const state = readState(members['state'], `${path}.state`);
  const left = readNullable(readSeatName)(members['abandonedBy'] ?? null, `${path}.abandonedBy`);
  return {
    room: readRoomId(members['room'], `${path}.room`),
    game: readString(members['game'], `${path}.game`),
    rev: readInteger(1)(members['rev'], `${path}.rev`),
    phase: readPhase(members['phase'], `${path}.phase`),
    players: {
      host: readPlayer(players['host'], `${path}.players.host`),
      guest: readPlayer(players['guest'], `${path}.players.guest`),
    },
    /* The rules know nothing of rooms: for them the game that was left goes on. */
    state: left === null ? state : { ...state, over: true, winner: null, reason: 'abandoned' },
    position: readString(members['position'], `${path}.position`),
  };
}

export function readSeat(value: unknown, path: string): Seat {
  const members = readObject(value, path);
  return {
    room: readRoomId(members['room'], `${path}.room`),
    seat: readSeatName(members['seat'], `${path}.seat`),
    key: readSecret(members['key'], `${path}.key`),
    inviteUrl: readNullable(readInviteUrl)(members['inviteUrl'] ?? null, `${path}.inviteUrl`),
  };
}

/* The answer to creating and to joining. */
export function readEntry(value: unknown, path: string): Entry {
  const members = readObject(value, path);
  return {
    seat: readSeat(value, path),
    snapshot: readSnapshot(members['snapshot'], `${path}.snapshot`),
  };
}

/* Longer than any server says. */
const MOST_RETRY_MS = 60_000;

/* The last event of a server that stops: when to come back. */
export function readBye(value: unknown, path: string): { readonly retryMs: number } {
  const members = readObject(value, path);
  return { retryMs: readInteger(0, MOST_RETRY_MS)(members['retryMs'], `${path}.retryMs`) };
}

/* "#invite=<room>.<secret>", as the fragment of an address; null where it is anything else. */
export function parseInvitation(fragment: string): Invitation | null {
  const match = /^#invite=([0-9a-z]{12})\.([A-Za-z0-9_-]{22})$/.exec(fragment);
  const [, room, secret] = match ?? [];
  return room === undefined || secret === undefined ? null : { room, secret };
}
