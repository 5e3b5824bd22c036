// SPDX-License-Identifier: MIT
/* The event streams of a room. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { PAWN, PAWN_REPLY, resign, Table } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const revs = (stream) => stream.events.map(({ rev }) => rev);

test('a stream begins with the room as it is', async () => {
  const table = await Table.create(server);
  const stream = await table.listen('host');
  assert.equal(stream.status, 200);
  assert.equal(stream.headers['content-type'], 'text/event-stream');
  assert.match(stream.headers['cache-control'], /no-(store|cache)/);
  assert.equal(stream.headers['x-accel-buffering'], 'no');
  const { event, rev, snapshot } = await stream.next();
  assert.deepEqual([event, rev], ['state', 1]);
  assert.deepEqual(snapshot, await table.snapshot());
  stream.close();
});

test('every accepted command, the join included, is one event for each seat', async () => {
  const table = await Table.create(server);
  const host = await table.listen('host');
  await table.join();
  const guest = await table.listen('guest');
  const snapshots = [await table.snapshot()];
  for (const action of [PAWN, PAWN_REPLY, resign]) snapshots.push(await table.play(action));
  for (const stream of [host, guest]) {
    await stream.until('the last event', () => stream.events.at(-1)?.rev === 5);
  }
  assert.deepEqual(revs(host), [1, 2, 3, 4, 5]);
  assert.deepEqual(revs(guest), [2, 3, 4, 5]);
  for (const stream of [host, guest]) {
    assert.deepEqual(
      stream.events.slice(-4).map(({ snapshot }) => snapshot),
      snapshots,
    );
    stream.close();
  }
});

test('F82: who moves and loads the page again is no hindrance to the other', async () => {
  const table = await Table.createJoined(server);
  const guest = await table.listen('guest');
  for (const action of [PAWN, PAWN_REPLY]) {
    const page = await table.listen('host');
    const played = await table.play(action);
    page.close();
    const again = await table.listen('host');
    assert.deepEqual((await again.next()).snapshot, played);
    again.close();
  }
  await guest.until('both moves', () => guest.events.at(-1)?.rev === 4);
  assert.equal((await table.play(resign)).phase, 'over');
  guest.close();
});

test('F94: after five returns a move is heard once', async () => {
  const table = await Table.createJoined(server);
  let stream = await table.listen('guest');
  const { id } = await stream.next();
  for (let i = 0; i < 5; i++) {
    stream.close();
    stream = await table.listen('guest', { lastEventId: id });
  }
  await table.play(PAWN);
  await table.play(PAWN_REPLY);
  await stream.until('both moves', () => stream.events.at(-1)?.rev === 4);
  assert.deepEqual(revs(stream), [3, 4]);
  stream.close();
});

test('two pages of one seat both see every move', async () => {
  const table = await Table.createJoined(server);
  const streams = [await table.listen('host'), await table.listen('host')];
  await table.play(PAWN);
  for (const stream of streams) {
    await stream.until('the move', () => stream.events.at(-1)?.rev === 3);
    assert.deepEqual(revs(stream), [2, 3]);
    stream.close();
  }
});

for (const how of ['field', 'query']) {
  const resume = (id) => (how === 'field' ? { lastEventId: id } : { query: `?lastEventId=${id}` });

  test(`a reader that has the newest event (${how}) hears nothing until the next`, async () => {
    const table = await Table.createJoined(server);
    const first = await table.listen('guest');
    const { id } = await first.next();
    first.close();
    const second = await table.listen('guest', resume(id));
    await table.play(PAWN);
    assert.equal((await second.next()).rev, 3);
    assert.deepEqual(revs(second), [3]);
    second.close();
  });

  test(`a reader that is behind (${how}) gets the newest state at once`, async () => {
    const table = await Table.createJoined(server);
    const first = await table.listen('guest');
    const { id, epoch } = await first.next();
    first.close();
    await table.play(PAWN);
    const now = await table.play(PAWN_REPLY);
    for (const last of [id, `${epoch}-9`, `${Number(epoch) - 1}-4`, 'nonsense', '']) {
      const stream = await table.listen('guest', resume(last));
      assert.deepEqual((await stream.next()).snapshot, now, last);
      stream.close();
    }
  });
}

test('HEAD gives the head of a stream and no more', async () => {
  const table = await Table.create(server);
  const { status, headers, text } = await server.request('HEAD', `${table.path}/events`, {
    key: table.keys.host,
  });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/event-stream');
  assert.equal(text, '');
});

test('a hundred readers, and those that leave disturb nobody', async () => {
  const table = await Table.createJoined(server);
  const streams = await Promise.all(
    Array.from({ length: 100 }, (_, index) => table.listen(index % 2 ? 'host' : 'guest')),
  );
  for (const stream of streams) await stream.next();
  for (const stream of streams.slice(0, 50)) stream.close();
  const after = await table.play(PAWN);
  for (const stream of streams.slice(50)) {
    assert.deepEqual((await stream.next()).snapshot, after);
    stream.close();
  }
});

test('streams end when the server stops', async () => {
  const own = new Server();
  await own.start();
  try {
    const stream = await (await Table.create(own)).listen('host');
    await stream.next();
    assert.equal(await own.stop(), 0);
    await stream.until('the end', () => stream.ended);
    await own.start();
  } finally {
    await own.remove();
  }
});
