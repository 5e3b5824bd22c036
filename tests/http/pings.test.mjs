// SPDX-License-Identifier: MIT
/* The pings of a stream, in real time: this file takes half a minute beside the others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { PAWN, Table } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const PINGS = 3;
const PINGS_MS = PINGS * 10_000 + 15_000;

/* The harness refuses any block that is neither exactly a ping nor an event with its id. */
test('F93: pings carry no id, and a reader goes on from the last state', async () => {
  const table = await Table.createJoined(server);
  const first = await table.listen('guest');
  const { id } = await first.next();
  await first.until('the pings', () => first.pings >= PINGS, PINGS_MS);
  assert.equal(first.events.length, 1);
  first.close();
  const second = await table.listen('guest', { lastEventId: id });
  const after = await table.play(PAWN);
  assert.deepEqual((await second.next()).snapshot, after);
  assert.equal(second.events.length, 1);
  second.close();
});
