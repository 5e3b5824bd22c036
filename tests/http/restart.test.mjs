// SPDX-License-Identifier: MIT
/* What was answered is still there after kill -9; what is damaged on disk stays apart. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Server, sleep } from './harness.mjs';
import {
  assertRefused,
  freshId,
  GAME,
  PAWN,
  PAWN_REPLY,
  readData,
  resign,
  ROOMS,
  Table,
} from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

test('F91: killed right after the 201, the room, its host and its invitation are there', async () => {
  const table = await Table.create(server);
  await server.crash();
  assert.equal((await table.snapshot()).phase, 'waiting');
  await table.join();
  await server.crash();
  assert.deepEqual(await table.snapshot('guest'), await table.snapshot('host'));
  await table.play(PAWN);
});

test('F81: a move that is sent again and again while the server is away counts once', async () => {
  const table = await Table.createJoined(server);
  const { rev } = await table.snapshot();
  const command = { id: 'sent-until-answered', rev, action: PAWN };
  await server.stop('SIGKILL');
  const sent = (async () => {
    for (let tries = 0; ; tries++) {
      try {
        return { tries, answer: await table.send('host', command) };
      } catch {
        await sleep(50);
      }
    }
  })();
  await sleep(300);
  await server.start();
  const { tries, answer } = await sent;
  assert.ok(tries > 0, 'the server was not away');
  assert.deepEqual((await table.send('host', command)).body, answer.body);
  for (const seat of ['host', 'guest']) assert.deepEqual(await table.snapshot(seat), answer.body);
  assert.equal(answer.body.rev, rev + 1);
});

test('F88: killed after each answered move, the game goes on to its end', async () => {
  const table = await Table.createJoined(server);
  const { plies, winner, reason } = readData('games.json').find(({ name }) =>
    name.startsWith('perpetual'),
  );
  let snapshot = await table.snapshot();
  for (const { action, sfen } of plies) {
    snapshot = await table.play(action, snapshot);
    await server.crash();
    for (const seat of ['host', 'guest']) assert.deepEqual(await table.snapshot(seat), snapshot);
    assert.equal(snapshot.position, sfen);
  }
  const { state } = snapshot;
  assert.deepEqual([state.winner, state.reason], [winner, reason]);
  assertRefused(await table.send('host', { rev: snapshot.rev, action: resign }), 409, 'over');
});

test('a command whose answer was lost in a crash is answered when it comes again', async () => {
  const table = await Table.createJoined(server);
  const command = { rev: 2, id: freshId(), action: PAWN };
  const first = await table.send('host', command);
  await server.crash();
  const again = await table.send('host', command);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal((await table.snapshot()).rev, 3);
});

test('a join whose answer was lost in a crash is answered when it comes again', async () => {
  const table = await Table.create(server);
  const id = freshId();
  const first = await table.requestJoin({ id });
  await server.crash();
  const again = await table.requestJoin({ id });
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assertRefused(await table.requestJoin({ id: freshId() }), 409, 'full');
});

test('killed in the middle of a command: it happened wholly or not at all', async () => {
  const table = await Table.createJoined(server);
  const command = { rev: 2, id: freshId(), action: PAWN };
  const lost = table.send('host', command).catch(() => null);
  await server.crash();
  const answer = await lost;
  const { rev, position } = await table.snapshot();
  assert.ok(rev === 3 || (rev === 2 && answer === null), `revision ${rev}`);
  assert.equal(position.includes(' w '), rev === 3);
  assert.equal((await table.send('host', command)).status, 200);
  assert.equal((await table.snapshot()).rev, 3);
});

test('after a restart a reader gets the state, although it had that revision', async () => {
  const table = await Table.createJoined(server);
  const first = await table.listen('host');
  const { id, epoch } = await first.next();
  await server.crash();
  await first.until('the end', () => first.ended);
  const second = await table.listen('host', { lastEventId: id });
  const event = await second.next();
  assert.equal(event.rev, 2);
  assert.notEqual(event.epoch, epoch);
  const after = await table.play(PAWN);
  assert.deepEqual((await second.next()).snapshot, after);
  second.close();
});

/*
 * Changes the text of a row to another of its length, in the file of a server that was stopped in order
 * (so nothing is left in a log beside it). A row begins with the name of its room.
 */
function damage(room, from, to) {
  const bytes = readFileSync(server.data);
  const rows = [];
  for (let at = bytes.indexOf(room); at >= 0; at = bytes.indexOf(room, at + 1)) {
    const text = bytes.indexOf(from, at);
    if (text >= 0 && text - at < 40) rows.push(text);
  }
  assert.equal(rows.length, 1);
  bytes.write(to, rows[0]);
  writeFileSync(server.data, bytes);
}

for (const [what, from, to] of [
  ['the first row', 'created 1', 'creatEd 1'],
  ['a row in the middle', 'joined 2', 'joined 3'],
  ['the last row', 'played 3', 'plaYed 3'],
]) {
  test(`a room with a damage in ${what} is set aside, the others live`, async () => {
    const broken = await Table.createJoined(server);
    const whole = await Table.createJoined(server);
    for (const table of [broken, whole]) await table.play(PAWN);
    assert.equal(await server.stop(), 0);
    damage(broken.room, from, to);
    await server.start();
    await server.untilSaid(broken.room);
    assert.ok(!server.complaints.includes(whole.room), server.complaints);
    const path = broken.path;
    const { host } = broken.keys;
    for (const answer of [
      await server.get(path, host),
      await server.get(`${path}/events`, host),
      await broken.send('guest', { rev: 3, action: PAWN_REPLY }),
      await broken.requestJoin(),
    ]) {
      assertRefused(answer, 503, 'damaged');
      assert.match(answer.headers['retry-after'], /^\d+$/);
    }
    await whole.play(PAWN_REPLY);
    assert.equal((await server.get(`${ROOMS}?game=${GAME}`)).status, 200);
    await Table.createJoined(server);
    await server.crash();
    assert.equal((await whole.snapshot()).rev, 4);
    assertRefused(await server.get(path, host), 503, 'damaged');
  });
}

test('a file that is no data file stops the start with a reason', async () => {
  const other = new Server();
  writeFileSync(other.data, 'These are no data of a server.\n'.repeat(100));
  await assert.rejects(other.start(), /ended with 1: .*not a data file/s);
  assert.equal(readFileSync(other.data, 'utf8').slice(0, 5), 'These');
  await other.stop();
});

test('a second server on the same file stops with a reason, and the first goes on', async () => {
  const table = await Table.createJoined(server);
  const second = new Server(['--data', server.data]);
  await assert.rejects(second.start(), /ended with 1: .*Another server is using the data file/s);
  await table.play(PAWN);
});

test('a full disk refuses what cannot be kept, says so, and loses nothing', async () => {
  const full = new Server([], { fileBlocks: 400 });
  await full.start();
  try {
    const rooms = [];
    let refused = null;
    for (let i = 0; i < 400 && refused === null; i++) {
      const answer = await full.post(ROOMS, { game: GAME, settings: {} });
      if (answer.status === 201) rooms.push(answer.body);
      else refused = answer;
    }
    assertRefused(refused, 503, 'unavailable', { reason: 'store-write' });
    assert.ok(rooms.length > 0);

    const health = await full.get('/health');
    assert.equal(health.status, 503);
    assert.equal(health.body.status, 'cannot-write');
    await full.untilSaid('moves are refused until the data can be written');
    const [first] = rooms;
    assert.equal((await full.get(`${ROOMS}/${first.room}`, first.key)).status, 200);

    await full.stop('SIGKILL');
    full.unlimit();
    await full.start();
    for (const { room, key } of rooms) {
      assert.equal((await full.get(`${ROOMS}/${room}`, key)).body.rev, 1);
    }
    assert.equal((await full.get('/health')).body.rooms, rooms.length);
    assert.equal((await full.post(ROOMS, { game: GAME, settings: {} })).status, 201);
  } finally {
    await full.remove();
  }
});

test('while nothing can be written, moves are refused and rooms are read; then it goes on', async () => {
  const table = await Table.createJoined(server);
  const before = await table.snapshot();
  const stream = await table.listen('guest');
  const { invite } = await Table.create(server);
  await stream.next();
  const command = { rev: 2, id: freshId(), action: PAWN };
  server.limitFiles(0);
  try {
    for (let i = 0; i < 3; i++) {
      const refused = await table.send('host', command);
      assertRefused(refused, 503, 'unavailable', { reason: 'store-write' });
      assert.match(refused.headers['retry-after'], /^\d+$/);
    }
    for (const answer of [
      await server.post(ROOMS, { game: GAME, settings: {} }),
      await server.post(`${ROOMS}/${invite.split('.')[0]}/join`, { invite, game: GAME }),
      await table.send('guest', { rev: 2, op: 'ask', what: 'new-game' }),
    ]) {
      assertRefused(answer, 503, 'unavailable', { reason: 'store-write' });
    }
    for (const seat of ['host', 'guest']) assert.deepEqual(await table.snapshot(seat), before);
    assert.equal((await server.get('/health')).body.status, 'cannot-write');
  } finally {
    server.limitFiles(null);
  }
  const { status, body } = await table.send('host', command);
  assert.equal(status, 200);
  assert.deepEqual((await stream.next()).snapshot, body);
  assert.equal((await server.get('/health')).status, 200);
  await server.untilSaid(' event=store_recovered ');
  /* Said once when it begins and once when it ends, however much is refused meanwhile. */
  const events = [...server.log.matchAll(/ event=(store_\w+) /g)].map(([, event]) => event);
  assert.deepEqual(events, ['store_failing', 'store_recovered']);
  stream.close();
  await server.crash();
  assert.deepEqual(await table.snapshot(), body);
});

test('what was refused because it could not be written is not there after a restart', async () => {
  const table = await Table.createJoined(server);
  const before = await table.play(PAWN);
  server.limitFiles(0);
  const command = { rev: before.rev, id: freshId(), action: PAWN_REPLY };
  assertRefused(await table.send('guest', command), 503, 'unavailable', { reason: 'store-write' });
  await server.crash();
  assert.deepEqual(await table.snapshot(), before);
  assert.equal((await table.send('guest', command)).status, 200);
});
