// SPDX-License-Identifier: MIT
/* Who is there, who is told of it, and what becomes of a game whose player stays away. */
import assert from 'node:assert/strict';
import { createServer, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { Server, sleep } from './harness.mjs';
import { assertRefused, PAWN, PAWN_REPLY, resign, Table } from './table.mjs';

const server = new Server();
/* Somebody is absent after one second here, and has two to come back. */
const hasty = new Server(['--present-seconds', '1', '--absence-seconds', '2']);
before(() => Promise.all([server.start(), hasty.start()]));
after(() => Promise.all([server.remove(), hasty.remove()]));

const bothThere = { host: 'present', guest: 'present', keptMs: null };

/* Waits for a presence of `stream`, from the one numbered `from` on, for which `holds` is true. */
async function presence(stream, what, holds, from = 0) {
  const found = () => stream.presences.slice(from).find(holds);
  await stream.until(what, () => found() !== undefined);
  return found();
}

const guestIs = (word) => (presence) => presence.guest === word;

test('a stream begins with who is there, and then the state', async () => {
  const table = await Table.create(server);
  const host = await table.listen('host');
  await host.next();
  assert.deepEqual(host.presences, [{ host: 'present', guest: 'empty', keptMs: null }]);
  await table.join();
  await presence(host, 'the guest', guestIs('present'));
  assert.deepEqual(host.presences.at(-1), bothThere);
  assert.deepEqual((await table.look()).presence, bothThere);
  host.close();
});

test('a reader that has the newest state is told who is there all the same', async () => {
  const table = await Table.createJoined(server);
  const first = await table.listen('guest');
  const { id } = await first.next();
  first.close();
  const second = await table.listen('guest', { lastEventId: id });
  await presence(second, 'who is there', guestIs('present'));
  assert.deepEqual(second.events, []);
  second.close();
});

test('absence suspends the game, and a sign of life takes it up again', async () => {
  const table = await Table.createJoined(hasty);
  const host = await table.listen('host');
  const { guest, keptMs } = await presence(host, 'the absence', guestIs('absent'));
  assert.equal(guest, 'absent');
  assert.ok(keptMs > 1000 && keptMs <= 2000, `${keptMs} ms`);
  const { rev } = await table.snapshot();
  assertRefused(await table.send('host', { rev, action: PAWN }), 409, 'suspended');
  assert.equal((await table.snapshot()).rev, rev);
  const returned = host.presences.length;
  await table.look('guest');
  await presence(host, 'the return', guestIs('present'), returned);
  await table.play(PAWN);
  host.close();
});

test('F78: who comes back sees at once who is there, and a move clears an absence', async () => {
  const table = await Table.createJoined(hasty);
  const first = await table.listen('host');
  await presence(first, 'the absence', guestIs('absent'));
  first.close();
  const guest = await table.listen('guest');
  const again = await table.listen('host');
  await again.next();
  assert.equal(again.presences[0].guest, 'present');
  guest.close();
  const { length } = again.presences;
  await presence(again, 'the absence', guestIs('absent'), length);
  await table.look('guest');
  await table.play(PAWN);
  await again.until('the move', () => again.events.at(-1).rev === 3);
  await table.play(PAWN_REPLY);
  assert.equal(again.presences.at(-1).guest, 'present');
  again.close();
});

test('F79: a player who thinks, or whose page is hidden, is there', async () => {
  const table = await Table.createJoined(hasty);
  const [host, guest] = [await table.listen('host'), await table.listen('guest')];
  await sleep(4000);
  assert.ok([...host.presences, ...guest.presences].every(guestIs('present')));
  await table.play(PAWN);
  host.close();
  guest.close();
});

test('the seat of a player who stays away is lost, and a fresh invitation opens it', async () => {
  const table = await Table.createJoined(hasty);
  const played = await table.play(PAWN);
  const host = await table.listen('host');
  await host.until('the end', () => host.events.at(-1)?.snapshot.phase === 'over');
  const { rev, seats, abandonedBy, state } = host.events.at(-1).snapshot;
  assert.deepEqual(
    { rev, seats, abandonedBy, state },
    { rev: 4, seats: { host: true, guest: false }, abandonedBy: 'guest', state: played.state },
  );
  await presence(host, 'the empty seat', guestIs('empty'));
  assert.deepEqual(host.presences.at(-1), { host: 'present', guest: 'empty', keptMs: null });
  assertRefused(await hasty.get(table.path, table.keys.guest), 403, 'forbidden', {
    reason: 'no-seat',
  });
  assertRefused(await table.send('host', { rev, action: PAWN_REPLY }), 409, 'over');
  const { status, body } = await table.send('host', { rev, op: 'invite' });
  assert.equal(status, 200);
  [, table.invite] = body.inviteUrl.split('#invite=');
  await table.join();
  const { games, starterRole, phase } = await table.snapshot();
  assert.deepEqual([games, starterRole, phase], [2, 'guest', 'playing']);
  host.close();
});

test('where both are away nobody loses anything', async () => {
  const table = await Table.createJoined(hasty);
  await table.play(PAWN);
  await sleep(4500);
  const { presence, snapshot } = await table.look('guest');
  assert.equal(snapshot.phase, 'playing');
  assert.equal(presence.host, 'absent');
  assert.ok(presence.keptMs > 1500, 'the time of the other begins when one returns');
});

test('a game that is over waits for everybody', async () => {
  const table = await Table.createJoined(hasty);
  await table.play(resign);
  const host = await table.listen('host');
  await presence(host, 'the absence', guestIs('absent'));
  assert.equal(host.presences.at(-1).keptMs, null);
  await sleep(3500);
  assert.deepEqual((await table.snapshot()).seats, { host: true, guest: true });
  host.close();
});

test('the time while no server runs counts for nobody', async () => {
  const own = new Server(['--present-seconds', '1', '--absence-seconds', '2']);
  await own.start();
  try {
    const table = await Table.createJoined(own);
    await own.stop('SIGKILL');
    await sleep(3500);
    await own.start();
    const host = await table.listen('host');
    await host.next();
    assert.equal(host.presences[0].guest, 'present');
    assert.equal((await table.play(PAWN)).rev, 3);
    host.close();
  } finally {
    await own.remove();
  }
});

test('who is there is counted, by seats', async () => {
  const own = new Server(['--present-seconds', '1']);
  await own.start();
  const counts = async () => (await own.get('/api/v1/rooms?game=mini-shogi')).body;
  const until = async (expected) => {
    const limit = Date.now() + 10_000;
    while (JSON.stringify(await counts()) !== JSON.stringify(expected) && Date.now() < limit)
      await sleep(100);
    assert.deepEqual(await counts(), expected);
  };
  try {
    const waiting = await Table.create(own);
    const playing = await Table.createJoined(own);
    assert.deepEqual(await counts(), { waiting: 1, playing: 1, people: 3 });
    await (await Table.createJoined(own)).play(resign);
    assert.deepEqual(await counts(), { waiting: 1, playing: 1, people: 5 });
    await until({ waiting: 0, playing: 0, people: 0 });
    const streams = await Promise.all(
      [
        [waiting, 'host'],
        [playing, 'host'],
        [playing, 'host'],
      ].map(([table, seat]) => table.listen(seat)),
    );
    await until({ waiting: 1, playing: 1, people: 2 });
    for (const stream of streams) stream.close();
    await until({ waiting: 0, playing: 0, people: 0 });
  } finally {
    await own.remove();
  }
});

/* A way to the server on which each piece of data is late. */
async function slowRoad(target, delay) {
  const pipe = (from, to) => {
    from.on('data', (data) => setTimeout(() => to.destroyed || to.write(data), delay));
    from.on('close', () => setTimeout(() => to.destroy(), delay));
    from.on('error', () => {});
  };
  const road = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    pipe(near, far);
    pipe(far, near);
  });
  await new Promise((resolve) => road.listen(0, '127.0.0.1', resolve));
  return road;
}

test('F96: a road on which everything is three seconds late makes nobody absent', async () => {
  const table = await Table.createJoined(server);
  const road = await slowRoad(new URL(server.url), 3000);
  const host = await table.listen('host');
  const late = Object.create(server, {
    url: { value: `http://127.0.0.1:${road.address().port}` },
  });
  const guest = await Server.prototype.listen.call(late, table.room, table.keys.guest);
  await guest.until('the pings', () => guest.pings >= 4, 60_000);
  assert.deepEqual(host.presences.at(-1), bothThere);
  assert.ok(host.presences.every(guestIs('present')));
  guest.close();
  host.close();
  road.close();
});
