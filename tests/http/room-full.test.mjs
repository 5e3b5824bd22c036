// SPDX-License-Identifier: MIT
/* A room with as many changes as it can have: 20,000, and the two that filled its seats. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { binary, Server } from './harness.mjs';
import { assertRefused, PAWN, Table } from './table.mjs';

const CHANGES = 20_002;

/* A room is made in the first, and comes with a long past into the second. */
const source = new Server();
const server = new Server();
before(() => source.start());
after(() => Promise.all([source.remove(), server.remove()]));

const rooms = (words, input = '') =>
  String(execFileSync(binary, ['rooms', ...words], { input, maxBuffer: 1 << 26 }));

/* The host asks for a new game and withdraws, on and on. */
function addPast(log, room) {
  const lines = [];
  for (let rev = 3; rev < CHANGES; rev += 2) {
    lines.push(`${room} asked ${rev} 1 host a${rev} new-game`);
    lines.push(`${room} withdrawn ${rev + 1} 1 host w${rev}`);
  }
  return `${log}${lines.join('\n')}\n`;
}

test('room-full: what would be one change too many is refused, and leaving is not', async () => {
  const table = await Table.createJoined(source);
  const log = rooms(['export', '--data', source.data]);
  rooms(['import', '--data', server.data], addPast(log, table.room));
  await server.start();
  table.server = server;
  const before = await table.snapshot();
  const { rev } = before;
  assert.deepEqual([rev, before.phase], [CHANGES, 'playing']);
  const ask = { rev, op: 'ask', what: 'new-game' };
  assertRefused(await table.send('host', { rev, action: PAWN }), 422, 'room-full');
  assertRefused(await table.send('guest', ask), 422, 'room-full');
  assert.deepEqual(await table.snapshot(), before);
  for (const [i, seat] of ['guest', 'host'].entries()) {
    const { status } = await table.send(seat, { rev: rev + i, op: 'leave' });
    assert.equal(status, 200);
  }
  assertRefused(await server.get(table.path, table.keys.host), 410, 'closed');
});
