// SPDX-License-Identifier: MIT
/* Two people at one room. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const ROOMS = '/api/v1/rooms';
export const GAME = 'mini-shogi';
export const BOXES = 'petits-carres';

/* The address of each game's page. */
export const PAGES = {
  [GAME]: '/rubriques/jeux-mini-shogi',
  [BOXES]: '/rubriques/jeux-petits-carres',
};

let count = 0;

/* An id that no command has had. */
export const freshId = () => `t${process.pid}-${++count}`;

export const move = (from, to, promote = false) => ({ type: 'move', from, to, promote });
export const drop = (piece, to) => ({ type: 'drop', piece, to });
export const resign = { type: 'resign' };
export const line = (edge) => ({ type: 'line', edge });

/* Two moves with which any game may begin. */
export const PAWN = move(15, 10);
export const PAWN_REPLY = move(9, 14);

export const readData = (name) =>
  JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8'));

/* The rows of a table of cases, as objects by the names of its columns. */
export function readRows(name) {
  const text = readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'));
  const [names, ...cells] = rows.map((row) => row.split('\t'));
  return cells.map((row) => Object.fromEntries(names.map((each, index) => [each, row[index]])));
}

/* What may be played in any state of a game that goes on. */
const anyAction = {
  [GAME]: () => resign,
  [BOXES]: ({ edges }) => line(edges.indexOf(-1)),
};

/* A room with its host, and its guest once there is one. */
export class Table {
  static async create(server, game = GAME) {
    const { status, body } = await server.post(ROOMS, { game, settings: {} });
    assert.equal(status, 201);
    return new Table(server, body);
  }

  static async createJoined(server, game = GAME) {
    const table = await Table.create(server, game);
    await table.join();
    return table;
  }

  constructor(server, created) {
    this.server = server;
    this.room = created.room;
    this.game = created.snapshot.game;
    this.keys = { host: created.key };
    this.invite = created.inviteUrl.split('#invite=')[1];
  }

  get path() {
    return `${ROOMS}/${this.room}`;
  }

  requestJoin(body = {}) {
    return this.server.post(`${this.path}/join`, { invite: this.invite, game: this.game, ...body });
  }

  async join() {
    const { status, body } = await this.requestJoin();
    assert.equal(status, 201);
    this.keys.guest = body.key;
  }

  async look(seat = 'host') {
    const { status, body } = await this.server.get(this.path, this.keys[seat]);
    assert.equal(status, 200);
    const { presence, ...snapshot } = body;
    return { presence, snapshot };
  }

  /* The room as every answer and event shows it. */
  async snapshot(seat = 'host') {
    return (await this.look(seat)).snapshot;
  }

  /* A command as it is sent; the members of `command` go before the usual ones. */
  send(seat, command) {
    const body = { id: freshId(), op: 'play', ...command };
    return this.server.post(`${this.path}/commands`, body, this.keys[seat]);
  }

  /* What a seat does at the revision that the room has; returns the snapshot. */
  async act(seat, op, members = {}) {
    const { rev } = await this.snapshot();
    const { status, body } = await this.send(seat, { rev, op, ...members });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /* Plays for whoever is to move at the revision that the room has; returns the snapshot. */
  async play(action, before) {
    const { rev, state, players } = before ?? (await this.snapshot());
    const seat = players.host === state.player ? 'host' : 'guest';
    const { status, body } = await this.send(seat, { rev, action });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  async playAll(plies) {
    let snapshot = await this.snapshot();
    for (const { action } of plies) snapshot = await this.play(action, snapshot);
    return snapshot;
  }

  playAny(snapshot) {
    return this.play(anyAction[this.game](snapshot.state), snapshot);
  }

  listen(seat, options) {
    return this.server.listen(this.room, this.keys[seat], options);
  }
}

/*
 * Runs `attempt` beside two live streams: the room must stay as it is, and no seat may hear of
 * anything. A move that is played after it shows that the streams still spoke: its event is the next.
 */
export async function assertUnchanged(table, attempt) {
  const before = await table.snapshot();
  const seats = Object.keys(table.keys);
  const streams = await Promise.all(seats.map((seat) => table.listen(seat)));
  try {
    for (const stream of streams) assert.equal((await stream.next()).rev, before.rev);
    await attempt(before);
    for (const seat of seats) assert.deepEqual(await table.snapshot(seat), before);
    if (before.phase === 'playing') {
      const after = await table.playAny(before);
      for (const stream of streams) assert.deepEqual((await stream.next()).snapshot, after);
    }
    for (const stream of streams) {
      assert.equal(stream.events.length, before.phase === 'playing' ? 2 : 1);
    }
  } finally {
    for (const stream of streams) stream.close();
  }
}

/* An error answer in the one shape of all of them. */
export function assertRefused(answer, status, error, extra = {}) {
  const { message, ...rest } = answer.body ?? {};
  assert.deepEqual({ status: answer.status, ...rest }, { status, error, ...extra }, answer.text);
  assert.match(message, /^[A-Z].*\.$/s);
}
