// SPDX-License-Identifier: MIT
/* Commands in an order that two people, two tabs and a bad line may bring about. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, sleep } from './harness.mjs';
import {
  assertRefused,
  assertUnchanged,
  drop,
  freshId,
  move,
  PAWN,
  PAWN_REPLY,
  readData,
  resign,
  Table,
} from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

/* A position in which the side to move may drop a piece, and that drop. */
function findDrop() {
  const { plies } = readData('games.json').find(({ name }) => name.includes('drops'));
  const ply = plies.findIndex(({ action }) => action.type === 'drop');
  return { plies: plies.slice(0, ply), action: plies[ply].action };
}

test('before the guest is there nobody can play', async () => {
  const table = await Table.create(server);
  await assertUnchanged(table, async () => {
    for (const action of [PAWN, resign]) {
      assertRefused(await table.send('host', { rev: 1, action }), 409, 'suspended');
    }
  });
});

test('the side that is not to move can neither play nor resign', async () => {
  const table = await Table.createJoined(server);
  await assertUnchanged(table, async () => {
    for (const action of [PAWN, PAWN_REPLY, resign]) {
      assertRefused(await table.send('guest', { rev: 2, action }), 409, 'not-your-turn');
    }
  });
});

test('F84: a page that is behind gets the room as it is, and may then play', async () => {
  const table = await Table.createJoined(server);
  const tabs = await table.snapshot();
  await table.play(PAWN, tabs);
  await table.play(PAWN_REPLY);
  await assertUnchanged(table, async (now) => {
    for (const rev of [1, 2, 3, 5, 2 ** 53, '9223372036854775807']) {
      const body = `{"rev":${rev},"id":"${freshId()}","op":"play","action":${JSON.stringify(PAWN)}}`;
      const answer = await server.post(`${table.path}/commands`, body, table.keys.host);
      assertRefused(answer, 409, 'stale', { rev: 4, snapshot: now });
    }
  });
});

test('after the end there is nothing to play', async () => {
  const table = await Table.createJoined(server);
  await table.play(resign);
  await assertUnchanged(table, async ({ rev }) => {
    for (const seat of ['host', 'guest']) {
      for (const action of [PAWN, PAWN_REPLY, resign]) {
        assertRefused(await table.send(seat, { rev, action }), 409, 'over');
      }
    }
  });
});

test('B28: two drops 5 ms apart, the second out of turn', async () => {
  const table = await Table.createJoined(server);
  const { plies, action } = findDrop();
  const { rev, state } = await table.playAll(plies);
  const seat = ['host', 'guest'][state.player];
  const other = state.board.findIndex((piece, to) => piece === null && to !== action.to);
  const first = table.send(seat, { rev, action });
  await sleep(5);
  const second = await table.send(seat, { rev, action: drop(action.piece, other) });
  assert.equal((await first).status, 200);
  assertRefused(second, 409, 'stale', { rev: rev + 1, snapshot: (await first).body });
  assert.equal((await table.snapshot()).state.over, false);
  const third = await table.send(seat, { rev: rev + 1, action: drop(action.piece, other) });
  assertRefused(third, 409, 'not-your-turn');
});

test('F85: a command that comes again is applied once and answered the same', async () => {
  const table = await Table.createJoined(server);
  const command = { rev: 2, id: freshId(), action: PAWN };
  const first = await table.send('host', command);
  assert.equal(first.status, 200);
  const again = await table.send('host', command);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  await table.play(PAWN_REPLY);
  const late = await table.send('host', command);
  assert.deepEqual([late.status, late.text], [200, first.text]);
  assert.equal((await table.snapshot()).rev, 4);
});

test('F85: twenty times at once it is applied once', async () => {
  const table = await Table.createJoined(server);
  const stream = await table.listen('guest');
  const command = { rev: 2, id: freshId(), action: PAWN };
  const answers = await Promise.all(Array.from({ length: 20 }, () => table.send('host', command)));
  for (const { status, text } of answers) {
    assert.deepEqual([status, text], [200, answers[0].text]);
  }
  const after = await table.play(resign);
  assert.equal(after.rev, 4);
  await stream.until('the last event', () => stream.events.at(-1)?.rev === 4);
  assert.deepEqual(
    stream.events.map(({ rev }) => rev),
    [2, 3, 4],
  );
  stream.close();
});

test('F85: a resignation that comes again finds its own answer, not the end of the game', async () => {
  const table = await Table.createJoined(server);
  const command = { rev: 2, id: freshId(), action: resign };
  const first = await table.send('host', command);
  const again = await table.send('host', command);
  assert.deepEqual([again.status, again.text], [200, first.text]);
});

test('an id belongs to its seat: the other one may use it too', async () => {
  const table = await Table.createJoined(server);
  const id = freshId();
  assert.equal((await table.send('host', { rev: 2, id, action: PAWN })).status, 200);
  const { status, body } = await table.send('guest', { rev: 3, id, action: PAWN_REPLY });
  assert.deepEqual([status, body.rev], [200, 4]);
});

test('of two moves at the same revision one is played and the other finds it stale', async () => {
  const table = await Table.createJoined(server);
  const answers = await Promise.all([
    table.send('host', { rev: 2, action: PAWN }),
    table.send('host', { rev: 2, action: move(24, 19) }),
    table.send('host', { rev: 2, action: resign }),
  ]);
  const played = answers.filter(({ status }) => status === 200);
  assert.equal(played.length, 1);
  for (const answer of answers) {
    if (answer === played[0]) continue;
    assertRefused(answer, 409, 'stale', { rev: 3, snapshot: played[0].body });
  }
});

test('rooms do not mix: moves of many games at once', async () => {
  const tables = await Promise.all(Array.from({ length: 20 }, () => Table.createJoined(server)));
  const games = readData('games.json');
  await Promise.all(
    tables.map(async (table, index) => {
      const { plies } = games[index % games.length];
      const { position } = await table.playAll(plies.slice(0, 10));
      assert.equal(position, plies[9].sfen);
    }),
  );
});
