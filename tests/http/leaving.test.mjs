// SPDX-License-Identifier: MIT
/* Who leaves a room, and who comes after. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { assertRefused, freshId, GAME, PAWN, PAWN_REPLY, resign, Table } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

/* Invites anew for that seat; the table's next join is by that link. */
async function invite(table, seat) {
  const { rev } = await table.snapshot(seat);
  const { status, body } = await table.send(seat, { rev, op: 'invite' });
  assert.equal(status, 200, JSON.stringify(body));
  [, table.invite] = body.inviteUrl.split('#invite=');
  return body;
}

async function leave(table, seat) {
  const { rev } = await table.snapshot(seat);
  const { status, body } = await table.send(seat, { rev, op: 'leave' });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('leaving ends the game without a winner, and the other hears of it', async () => {
  const table = await Table.createJoined(server);
  const played = await table.play(PAWN);
  const [host, guest] = await Promise.all(['host', 'guest'].map((seat) => table.listen(seat)));
  await Promise.all([host.next(), guest.next()]);
  const left = await leave(table, 'guest');
  assert.deepEqual((await host.next()).snapshot, left);
  assert.deepEqual((await guest.next()).snapshot, left);
  await guest.until('the end of the stream', () => guest.ended);
  const { phase, seats, abandonedBy, state } = left;
  assert.deepEqual(
    { phase, seats, abandonedBy, state },
    {
      phase: 'over',
      seats: { host: true, guest: false },
      abandonedBy: 'guest',
      state: played.state,
    },
  );
  assertRefused(await server.get(table.path, table.keys.guest), 403, 'forbidden', {
    reason: 'no-seat',
  });
  const { rev } = left;
  assertRefused(await table.send('host', { rev, action: PAWN }), 409, 'over');
  assertRefused(await table.send('host', { rev, op: 'ask', what: 'undo' }), 409, 'suspended');
  host.close();
});

test('after the end somebody who leaves changes no result', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  const over = await table.play(resign);
  const left = await leave(table, 'host');
  assert.deepEqual([left.abandonedBy, left.state], [null, over.state]);
});

test('only a fresh invitation opens a seat that was left, once', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  await leave(table, 'guest');
  assertRefused(await table.requestJoin(), 403, 'forbidden', { reason: 'invitation' });
  const invited = await invite(table, 'host');
  assert.match(invited.inviteUrl, /^http:\/\/.*\/rubriques\/jeux-mini-shogi#invite=/);
  assert.deepEqual(Object.keys(invited).sort(), ['inviteUrl', 'rev', 'room', 'snapshot']);
  assertRefused(await table.requestJoin({ game: 'chess' }), 409, 'wrong-game', {
    page: '/rubriques/jeux-mini-shogi',
  });
  await table.join();
  assertRefused(await table.requestJoin(), 409, 'full');
  const { games, starterRole, abandonedBy, state } = await table.snapshot('guest');
  assert.deepEqual([games, starterRole, abandonedBy, state.moves], [2, 'guest', null, 0]);
  await table.play(PAWN);
});

test('who takes the seat of the host has its rights', async () => {
  const table = await Table.createJoined(server);
  await leave(table, 'host');
  await invite(table, 'guest');
  const { status, body } = await table.requestJoin();
  assert.deepEqual([status, body.seat, body.snapshot.phase], [201, 'host', 'playing']);
  table.keys.host = body.key;
  await table.act('host', 'settings', { settings: {} });
});

test('an invitation that comes again is the same, and the one before is void', async () => {
  const table = await Table.create(server);
  const first = table.invite;
  const command = { rev: 1, id: freshId(), op: 'invite' };
  const answer = await table.send('host', command);
  const again = await table.send('host', command);
  assert.deepEqual([again.status, again.text], [200, answer.text]);
  assertRefused(await table.requestJoin(), 403, 'forbidden', { reason: 'invitation' });
  [, table.invite] = answer.body.inviteUrl.split('#invite=');
  assert.notEqual(table.invite, first);
  await table.join();
  const { rev } = await table.snapshot();
  assertRefused(await table.send('host', { rev, op: 'invite' }), 409, 'full');
});

test('a room that all have left is gone, after a restart too', async () => {
  const alone = await Table.create(server);
  const both = await Table.createJoined(server);
  await leave(alone, 'host');
  await leave(both, 'guest');
  assert.equal((await leave(both, 'host')).phase, 'closed');
  for (const restarted of [false, true]) {
    if (restarted) {
      await server.stop('SIGKILL');
      await server.start();
    }
    for (const table of [alone, both]) {
      assertRefused(await table.requestJoin(), 410, 'closed');
      for (const path of [table.path, `${table.path}/events`]) {
        assertRefused(await server.get(path, table.keys.host), 410, 'closed');
      }
      assertRefused(await table.send('host', { rev: 3, op: 'leave' }), 410, 'closed');
    }
  }
});

test('what was left and begun again is the same after a restart', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  await leave(table, 'guest');
  await invite(table, 'host');
  await table.join();
  await table.play(PAWN);
  await table.play(PAWN_REPLY);
  const now = await table.snapshot();
  await server.stop('SIGKILL');
  await server.start();
  assert.deepEqual(await table.snapshot('guest'), now);
});

test('F87: of two with one link the first takes the seat, and reading takes none', async () => {
  const table = await Table.create(server);
  await server.get(`/rubriques/jeux-mini-shogi?invite=${table.invite}`);
  assert.deepEqual((await table.snapshot()).seats, { host: true, guest: false });
  const answers = await Promise.all([table.requestJoin(), table.requestJoin()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.equal(answers.find(({ status }) => status === 409).body.error, 'full');
  assert.equal((await table.snapshot()).game, GAME);
});
