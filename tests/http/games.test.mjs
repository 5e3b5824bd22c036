// SPDX-License-Identifier: MIT
/* Whole games through the interface, as tests/tools/record-games.mjs recorded them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NO_LIMITS, Server } from './harness.mjs';
import { assertRefused, readData, resign, Table } from './table.mjs';

const server = new Server(NO_LIMITS);
before(() => server.start());
after(() => server.remove());

const games = readData('games.json');

async function replay(game) {
  const table = await Table.createJoined(server);
  const streams = [await table.listen('host'), await table.listen('guest')];
  let snapshot = await table.snapshot();
  for (const stream of streams) assert.deepEqual((await stream.next()).snapshot, snapshot);
  for (const { action, sfen } of game.plies) {
    assert.equal(snapshot.phase, 'playing');
    assert.equal(snapshot.state.over, false);
    const { rev } = snapshot;
    snapshot = await table.play(action, snapshot);
    assert.equal(snapshot.rev, rev + 1);
    assert.equal(snapshot.position, sfen);
    assert.deepEqual(snapshot.state.last, action);
    for (const stream of streams) assert.deepEqual((await stream.next()).snapshot, snapshot);
  }
  const { over, winner, reason } = snapshot.state;
  assert.deepEqual(
    { phase: snapshot.phase, over, winner, reason },
    { phase: 'over', over: true, winner: game.winner, reason: game.reason },
  );
  for (const seat of ['host', 'guest']) {
    assertRefused(await table.send(seat, { rev: snapshot.rev, action: resign }), 409, 'over');
  }
  assert.deepEqual(await table.snapshot('guest'), snapshot);
  for (const stream of streams) stream.close();
}

test('ten games hold every end, every drop and a win for each side', () => {
  const actions = games.flatMap(({ plies }) => plies.map(({ action }) => action));
  const sorted = (list) => [...new Set(list)].sort();
  assert.equal(games.length, 10);
  assert.deepEqual(sorted(games.map(({ winner, reason }) => `${reason} ${winner}`)), [
    'checkmate 0',
    'checkmate 1',
    'no-legal-move 0',
    'perpetual-check 0',
    'perpetual-check 1',
    'repetition 1',
    'resignation 0',
    'resignation 1',
  ]);
  assert.deepEqual(sorted(actions.flatMap(({ piece }) => piece ?? [])), ['B', 'G', 'P', 'R', 'S']);
  assert.ok(actions.filter(({ promote }) => promote).length >= 10);
});
for (const game of games) test(game.name, () => replay(game));
