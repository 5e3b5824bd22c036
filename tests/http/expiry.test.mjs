// SPDX-License-Identifier: MIT
/* Rooms that nobody uses any more. What only a clock can bring about is tried in test_hub_expiry. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { binary, Server, sleep } from './harness.mjs';
import { assertRefused, PAWN, Table } from './table.mjs';

const DAY_MS = 24 * 3600 * 1000;

/* Rooms are made in the first and come, as if they were older, into the second. */
const source = new Server();
const server = new Server(['--present-seconds', '2']);
before(() => source.start());
after(() => Promise.all([source.remove(), server.remove()]));

const rooms = (words, input = '') => execFileSync(binary, ['rooms', ...words], { input });

/* What `komadai rooms` exports, each room's events as many days earlier as `days` says. */
function exportEarlier(days) {
  const text = String(rooms(['export', '--data', source.data]));
  return text.replace(
    /^(\S+)( \w+ \d+ )(\d+)/gm,
    (_, room, words, at) => room + words + String(Number(at) - days.get(room) * DAY_MS),
  );
}

/* All bytes of the server's data. */
function dataOf({ data }) {
  const files = [data, `${data}-wal`].filter(existsSync);
  return files.map((file) => readFileSync(file, 'latin1')).join('');
}

test('30 days after its last event a room is archived and deleted, and no key stays', async () => {
  const expired = await Table.createJoined(source);
  const recent = await Table.createJoined(source);
  const unplayed = await Table.create(source);
  await expired.play(PAWN);
  await recent.play(PAWN);
  const days = new Map([
    [expired.room, 30],
    [recent.room, 29],
    [unplayed.room, 1],
  ]);
  const text = exportEarlier(days);
  rooms(['import', '--data', server.data], text);
  assert.match(dataOf(server), new RegExp(expired.room));

  await server.start();
  const kept = async () => (await server.get('/health')).body.rooms;
  assert.equal(await kept(), 3);
  const limit = Date.now() + 20_000;
  while ((await kept()) > 1 && Date.now() < limit) await sleep(100);
  assert.equal(await kept(), 1);
  for (const { path, keys } of [expired, unplayed])
    assertRefused(await server.get(path, keys.host), 404, 'not-found');
  assert.equal((await server.get(recent.path, recent.keys.guest)).status, 200);

  await server.stop();
  const data = dataOf(server);
  assert.match(data, /mini-shogi - unfinished 5d5c/);
  assert.match(data, new RegExp(recent.room));
  for (const line of text.split('\n').filter((line) => !line.startsWith(recent.room))) {
    const [room, ...words] = line.split(' ');
    for (const word of [room, ...words.filter((word) => word.length === 64)])
      assert.ok(!days.has(room) || !data.includes(word), `${word} is still in the file`);
  }
  await server.start();
  assertRefused(await server.get(expired.path, expired.keys.host), 404, 'not-found');
});
