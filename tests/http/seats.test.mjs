// SPDX-License-Identifier: MIT
/* Who sits where: creation, invitations, keys. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { binary, Server } from './harness.mjs';
import {
  assertRefused,
  assertUnchanged,
  BOXES,
  freshId,
  GAME,
  PAGES,
  PAWN,
  PAWN_REPLY,
  resign,
  ROOMS,
  Table,
} from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const KEY = /^[A-Za-z0-9_-]{22}$/;
const START = 'rbsgk/4p/5/P4/KGSBR b - 1';

/* Another secret of the right form: the invitation of another room. */
async function foreignSecret() {
  const { invite } = await Table.create(server);
  return invite.split('.')[1];
}

test('creation gives a room that waits, the key of the host and an invitation', async () => {
  const { status, headers, body } = await server.post(ROOMS, { game: GAME, settings: {} });
  assert.equal(status, 201);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(body.room, /^[0-9a-z]{12}$/);
  assert.match(body.key, KEY);
  const [page, invite] = body.inviteUrl.split('#invite=');
  assert.equal(page, `${server.url}/rubriques/jeux-mini-shogi`);
  const [room, secret] = invite.split('.');
  assert.equal(room, body.room);
  assert.match(secret, KEY);
  assert.notEqual(secret, body.key);
  const { snapshot, ...rest } = body;
  assert.deepEqual(Object.keys(rest).sort(), ['inviteUrl', 'key', 'rev', 'room', 'seat']);
  assert.equal(rest.seat, 'host');
  assert.equal(rest.rev, 1);
  const { state, ...shown } = snapshot;
  assert.deepEqual(shown, {
    room,
    game: GAME,
    rev: 1,
    phase: 'waiting',
    seats: { host: true, guest: false },
    games: 1,
    starterRole: 'host',
    players: { host: 0, guest: 1 },
    abandonedBy: null,
    request: null,
    position: START,
  });
  const none = { R: 0, B: 0, G: 0, S: 0, P: 0 };
  const { board, ...others } = state;
  assert.deepEqual(others, {
    hands: [none, none],
    player: 0,
    moves: 0,
    last: null,
    over: false,
    winner: null,
    reason: null,
  });
  assert.equal(board.length, 25);
  assert.deepEqual(board[0], { type: 'R', owner: 1, promoted: false });
  assert.equal(board[1 + 5], null);
  assert.deepEqual(board[15], { type: 'P', owner: 0, promoted: false });
});

test('a room can be made of every game that the commands know, with an invitation to its page', async () => {
  const help = execFileSync(binary, ['help'], { encoding: 'utf8' });
  const games = [...help.matchAll(/^ *(\S+): .*; formats: /gm)].map(([, game]) => game);
  assert.deepEqual(games.sort(), Object.keys(PAGES).sort());
  for (const game of games) {
    const { status, body } = await server.post(ROOMS, { game, settings: {} });
    assert.deepEqual([status, body.snapshot.game], [201, game]);
    assert.equal(new URL(body.inviteUrl).pathname, PAGES[game]);
  }
});

test('the link of an invitation begins with the public address where there is one', async () => {
  const public_ = new Server(['--public-url', 'https://games.example']);
  await public_.start();
  try {
    const { body } = await public_.post(ROOMS, { game: GAME, settings: {} });
    assert.match(body.inviteUrl, /^https:\/\/games\.example\/rubriques\/jeux-mini-shogi#invite=/);
  } finally {
    await public_.remove();
  }
});

test('the invitation gives the second seat, and both seats see the same', async () => {
  const table = await Table.create(server);
  const { status, body } = await table.requestJoin();
  assert.equal(status, 201);
  assert.match(body.key, KEY);
  assert.notEqual(body.key, table.keys.host);
  const { snapshot, key, ...rest } = body;
  assert.deepEqual(rest, { room: table.room, seat: 'guest', inviteUrl: null, rev: 2 });
  assert.equal(snapshot.phase, 'playing');
  table.keys.guest = key;
  assert.deepEqual(await table.snapshot('host'), snapshot);
  assert.deepEqual(await table.snapshot('guest'), snapshot);
});

test('two people play, and one resigns', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  await table.play(PAWN_REPLY);
  const { phase, state } = await table.play(resign);
  assert.equal(phase, 'over');
  assert.deepEqual(
    { winner: state.winner, reason: state.reason, moves: state.moves, last: state.last },
    { winner: 1, reason: 'resignation', moves: 2, last: resign },
  );
});

test('F87: a GET takes no seat, and the second who joins finds the room full', async () => {
  const table = await Table.create(server);
  for (const [path, status] of [
    [`${table.path}/join`, 405],
    [`${table.path}/join?invite=${table.invite}&game=${GAME}`, 405],
    [table.path, 401],
    [`${table.path}?invite=${table.invite}`, 401],
  ]) {
    assert.equal((await server.get(path)).status, status, path);
  }
  await server.get(`/rubriques/jeux-mini-shogi?invite=${table.invite}`);
  assert.equal((await table.snapshot()).phase, 'waiting');
  await table.join();
  await assertUnchanged(table, async () => assertRefused(await table.requestJoin(), 409, 'full'));
});

test('two who join at once: one seat, one refusal', async () => {
  const table = await Table.create(server);
  const answers = await Promise.all([1, 2, 3, 4].map(() => table.requestJoin()));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  for (const answer of answers) if (answer.status === 409) assertRefused(answer, 409, 'full');
  assert.equal((await table.snapshot()).rev, 2);
});

test('a join that comes again under its id gets its seat again, under another id none', async () => {
  const table = await Table.create(server);
  const id = freshId();
  const first = await table.requestJoin({ id });
  const again = await table.requestJoin({ id });
  assert.equal(first.status, 201);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  table.keys.guest = first.body.key;
  await table.play(PAWN);
  const later = await table.requestJoin({ id });
  assert.equal(later.status, 201);
  assert.equal(later.body.key, first.body.key);
  assert.equal(later.body.rev, 3);
  await assertUnchanged(table, async () => {
    assertRefused(await table.requestJoin({ id: freshId() }), 409, 'full');
    assertRefused(await table.requestJoin(), 409, 'full');
  });
});

test('the same join twice at once is one guest', async () => {
  const table = await Table.create(server);
  const id = freshId();
  const answers = await Promise.all([1, 2, 3].map(() => table.requestJoin({ id })));
  for (const { status, body } of answers) {
    assert.deepEqual([status, body], [201, answers[0].body]);
  }
  assert.equal((await table.snapshot()).rev, 2);
});

test('an invitation of another room, or a wrong secret, is forbidden', async () => {
  const table = await Table.create(server);
  const other = await Table.create(server);
  await assertUnchanged(table, async () => {
    const reason = { reason: 'invitation' };
    assertRefused(await table.requestJoin({ invite: other.invite }), 403, 'forbidden', reason);
    const invite = `${table.room}.${await foreignSecret()}`;
    assertRefused(await table.requestJoin({ invite }), 403, 'forbidden', reason);
  });
  await table.join();
});

test('a guest from the page of another game learns the right page and takes no seat', async () => {
  const table = await Table.create(server);
  await assertUnchanged(table, async () => {
    for (const game of [BOXES, 'shogi', 'x']) {
      assertRefused(await table.requestJoin({ game }), 409, 'wrong-game', { page: PAGES[GAME] });
    }
  });
  await table.join();
});

test('what needs a seat refuses no key, a broken key and a key of nowhere', async () => {
  const table = await Table.createJoined(server);
  const other = await Table.createJoined(server);
  const command = { rev: 2, id: freshId(), op: 'play', action: PAWN };
  const requests = [
    (options) => server.request('GET', table.path, options),
    (options) => server.request('GET', `${table.path}/events`, options),
    (options) => server.request('POST', `${table.path}/commands`, { ...options, body: command }),
  ];
  await assertUnchanged(table, async () => {
    for (const request of requests) {
      assertRefused(await request({}), 401, 'no-key');
      for (const value of [
        'Bearer',
        'Bearer ',
        `Basic ${table.keys.host}`,
        `Bearer ${table.keys.host}x`,
        `Bearer ${table.keys.host.slice(1)}`,
        `Bearer ${table.keys.host.slice(0, 21)}!`,
        table.keys.host,
      ]) {
        assertRefused(await request({ headers: { Authorization: value } }), 401, 'no-key');
      }
      for (const key of [other.keys.host, other.keys.guest, table.invite.split('.')[1]]) {
        assertRefused(await request({ key }), 403, 'forbidden', { reason: 'no-seat' });
      }
    }
  });
});

test('the key may stand behind any number of blanks, and the scheme in any case', async () => {
  const table = await Table.create(server);
  for (const start of ['Bearer  ', 'bearer ', 'BEARER     ']) {
    const headers = { Authorization: `${start}${table.keys.host}` };
    assert.equal((await server.request('GET', table.path, { headers })).status, 200, start);
  }
});

test('the key is not read from the address', async () => {
  const table = await Table.create(server);
  const { host } = table.keys;
  for (const query of [
    `?key=${host}`,
    `?access_token=${host}`,
    `?Authorization=Bearer%20${host}`,
  ]) {
    assertRefused(await server.get(table.path + query), 401, 'no-key');
  }
});

test('a room that is not there is not found, whatever else is wrong', async () => {
  const table = await Table.create(server);
  const { host } = table.keys;
  const absent = '0'.repeat(12);
  for (const room of [absent, 'x', 'A'.repeat(12), '%30'.repeat(4), `${table.room}0`, '..']) {
    const path = `${ROOMS}/${room}`;
    if (room !== '..') assertRefused(await server.get(path, host), 404, 'not-found');
    assertRefused(await server.get(`${path}/events`, host), 404, 'not-found');
    assertRefused(await server.post(`${path}/commands`, {}, host), 404, 'not-found');
  }
  const secret = await foreignSecret();
  const join = { invite: `${absent}.${secret}`, game: GAME };
  assertRefused(await server.post(`${ROOMS}/${absent}/join`, join), 404, 'not-found');
});

test('there are no counts of a game that is not there', async () => {
  for (const query of ['', '?game=', '?game=shogi', '?game=mini', '?game=mini-shogi2', '?gam=x']) {
    const answer = await server.get(ROOMS + query);
    assertRefused(answer, 400, 'malformed');
    for (const game of Object.keys(PAGES)) assert.ok(answer.body.message.includes(game));
  }
});

test('a server that keeps no more rooms says so, and goes on with those it has', async () => {
  const small = new Server(['--rooms-max', '2']);
  await small.start();
  try {
    const table = await Table.createJoined(small);
    await Table.create(small);
    const answer = await small.post(ROOMS, { game: GAME, settings: {} });
    assertRefused(answer, 503, 'unavailable');
    assert.match(answer.headers['retry-after'], /^\d+$/);
    await table.play(PAWN);
  } finally {
    await small.remove();
  }
});
