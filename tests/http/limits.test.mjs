// SPDX-License-Identifier: MIT
/*
 * How much one visitor may ask for: past it 429, and the others play on. A class behind one address is
 * never told so.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { NO_LIMITS, Server, sleep } from './harness.mjs';
import { connectRaw, headersOf, sendRaw, statuses } from './raw.mjs';
import { assertRefused, freshId, GAME, PAWN, readData, ROOMS, Table } from './table.mjs';

const NEIGHBOUR = '127.0.0.2';
const MAKE = { game: GAME, settings: {} };
const AT_A_TIME = 20;
const REQUEST = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';

async function withServer(options, body) {
  const server = new Server(options);
  await server.start();
  try {
    await body(server);
  } finally {
    await server.remove();
  }
}

function assertTooMany(answer, reason) {
  assertRefused(answer, 429, 'too-many', { reason });
  assert.match(answer.headers['retry-after'], /^[1-9]\d*$/);
}

const count = (answers, status) => answers.filter((answer) => answer.status === status).length;

/* 40 plies of each, and more. */
const PLIES = readData('games.json').find(({ plies }) => plies.length >= 80).plies;

const repeat = (times, ask) => Promise.all(Array.from({ length: times }, (_, i) => ask(i)));

/* Requests without a pause on several connections from one address, until `stop` is called. */
function flood(server, from, connections) {
  const seen = { passed: 0, limited: 0, others: 0, sample: '' };
  const started = Date.now();
  const { port } = new URL(server.url);
  const sockets = Array.from({ length: connections }, () => {
    const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
    let waiting = AT_A_TIME;
    socket.on('error', () => {});
    socket.on('connect', () => socket.write(REQUEST.repeat(AT_A_TIME)));
    socket.setEncoding('latin1').on('data', (text) => {
      const answers = statuses(text);
      for (const status of answers) {
        if (status === 200) seen.passed++;
        else if (status === 429) seen.limited++;
        else seen.others++;
      }
      if (seen.sample === '' && answers.includes(429)) seen.sample = text;
      waiting -= answers.length;
      if (waiting > 0) return;
      waiting = AT_A_TIME;
      socket.write(REQUEST.repeat(AT_A_TIME));
    });
    return socket;
  });
  return {
    seen,
    stop() {
      for (const socket of sockets) socket.destroy();
      return (Date.now() - started) / 1000;
    },
  };
}

test('a flood from one address is limited, and others play on', () =>
  withServer([], async (server) => {
    const table = await Table.createJoined(server);
    const stream = await table.listen('guest');
    await stream.next();
    const { seen, stop } = flood(server, NEIGHBOUR, 8);
    let snapshot = await table.snapshot();
    for (let ply = 0; ply < 60 || seen.limited < 2000; ply++) {
      if (ply < 60) {
        snapshot = await table.play(PLIES[ply].action, snapshot);
        assert.deepEqual((await stream.next()).snapshot, snapshot);
      }
      assert.equal((await server.get('/')).status, 200);
      await sleep(10);
    }
    const seconds = stop();
    assert.ok(seen.passed >= 3900, `${seen.passed} passed`);
    assert.ok(seen.passed <= 4000 + 200 * (seconds + 1), `${seen.passed} in ${seconds} s`);
    assert.equal(seen.others, 0);
    assert.equal(
      headersOf(seen.sample.slice(seen.sample.indexOf('HTTP/1.1 429')))['retry-after'],
      '1',
    );
    stream.close();
  }));

test('connections that are made for nothing, or for no request, are a flood too', () =>
  withServer(['--requests-per-second', '5'], async (server) => {
    const answers = [];
    while (!answers.at(-1)?.startsWith('HTTP/1.1 429 ')) {
      assert.ok(answers.length < 200);
      answers.push(await sendRaw(server, 'GET / HTTP/1.1\r\n\r\n'));
    }
    assert.ok(answers.length > 100);
    for (const answer of answers.slice(0, -1)) assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answers.at(-1), /"error":"too-many"/);
    assert.match(headersOf(answers.at(-1))['retry-after'], /^\d+$/);
    assert.equal((await server.request('GET', '/health', { from: NEIGHBOUR })).status, 200);
  }));

/*
 * As a browser does, on six connections: the page itself, what it names, how the room stands, and its
 * stream.
 */
async function load(server, table, seat) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 5 });
  const get = (path, key) => server.request('GET', path, { key, agent });
  const answers = [await get('/')];
  answers.push(...(await repeat(32, () => get('/assets/page-1234.js'))));
  answers.push(await get(table.path, table.keys[seat]));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(34).fill(200),
  );
  const stream = await table.listen(seat);
  await stream.next();
  agent.destroy();
  return stream;
}

/* Faster than two children: twenty plies a second. */
async function playFast(table) {
  let snapshot = await table.snapshot();
  for (const { action } of PLIES.slice(0, 80)) {
    const [played] = await Promise.all([table.play(action, snapshot), sleep(50)]);
    snapshot = played;
  }
}

test('a class of 40 behind one address makes rooms, plays and reloads', () =>
  withServer([], async (server) => {
    const made = await repeat(20, () => server.post(ROOMS, MAKE));
    assert.equal(count(made, 201), 20);
    const tables = made.map(({ body }) => new Table(server, body));
    await Promise.all(tables.map((table) => table.join()));
    const pupils = tables.flatMap((table) => ['host', 'guest'].map((seat) => [table, seat]));
    const loadAll = () => Promise.all(pupils.map(([table, seat]) => load(server, table, seat)));

    const streams = await loadAll();
    await Promise.all(tables.map(playFast));
    for (const stream of streams) {
      await stream.until('the last ply', () => stream.events.at(-1).rev === 82);
      stream.close();
    }
    for (const stream of await loadAll()) {
      assert.equal(stream.events.at(-1).rev, 82);
      stream.close();
    }
  }));

test('the commands of a seat are limited, and those of the other are not', () =>
  withServer([], async (server) => {
    const table = await Table.createJoined(server);
    const stale = { rev: 1, action: PAWN };
    const answers = await repeat(80, () => table.send('host', stale));
    assert.ok(count(answers, 409) >= 40, `${count(answers, 409)} passed`);
    const limited = answers.filter(({ status }) => status === 429);
    assert.equal(count(answers, 409) + limited.length, 80);
    assert.ok(limited.length > 0);
    for (const answer of limited) assertTooMany(answer, 'commands');
    assert.equal((await table.send('guest', stale)).status, 409);
    assert.equal((await table.snapshot()).rev, 2);
    await sleep(Number(limited[0].headers['retry-after']) * 1000);
    await table.play(PAWN);
  }));

test('who has no key of the seat takes nothing from it', () =>
  withServer([], async (server) => {
    const table = await Table.createJoined(server);
    const other = await Table.createJoined(server);
    const body = { id: freshId(), op: 'play', rev: 2, action: PAWN };
    const path = `${table.path}/commands`;
    assert.equal(count(await repeat(60, () => server.post(path, body)), 401), 60);
    const strange = await repeat(60, () => server.post(path, body, other.keys.host));
    assert.equal(count(strange, 403), 60);
    await table.play(PAWN);
  }));

test('the rooms that an address makes are limited; it plays on, and others make rooms', () =>
  withServer(['--rooms-per-minute', '5'], async (server) => {
    const answers = await repeat(15, () => server.post(ROOMS, MAKE));
    const made = answers.filter(({ status }) => status === 201);
    const limited = answers.filter(({ status }) => status === 429);
    assert.equal(made.length, 10);
    assert.equal(limited.length, 5);
    for (const answer of limited) {
      assertTooMany(answer, 'rooms');
      assert.ok(Number(answer.headers['retry-after']) <= 12);
    }
    assert.equal((await server.get('/health')).body.rooms, 10);
    const table = new Table(server, made[0].body);
    await table.join();
    await table.play(PAWN);
    const other = await server.request('POST', ROOMS, { body: MAKE, from: NEIGHBOUR });
    assert.equal(other.status, 201);
  }));

test('the connections of an address are limited, and those of others are not', () =>
  withServer(['--connections-per-address', '4'], async (server) => {
    const sockets = await repeat(4, () => connectRaw(server));
    for (const socket of sockets) {
      socket.write(REQUEST);
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
    }
    const refused = await sendRaw(server, '');
    assert.match(
      refused,
      /^HTTP\/1\.1 429 .*"error":"too-many","message":"There are too many con/s,
    );
    assert.match(headersOf(refused)['retry-after'], /^\d+$/);
    assert.equal((await server.request('GET', '/health', { from: NEIGHBOUR })).status, 200);

    const gone = once(sockets[0], 'close');
    sockets[0].destroy();
    await gone;
    await sleep(100);
    const again = await connectRaw(server);
    again.write(REQUEST);
    assert.match(String((await once(again, 'data'))[0]), /^HTTP\/1\.1 200 /);
    for (const socket of [again, ...sockets]) socket.destroy();
    await sleep(100);
  }));

const forwarded = (server, value, from) =>
  server.request('GET', '/health', { headers: { 'X-Forwarded-For': value }, from });

test('behind a proxy each visitor is an address, by the entry that the proxy adds', () =>
  withServer(['--requests-per-second', '1', '--proxy', '127.0.0.1'], async (server) => {
    const ask = (value) => forwarded(server, value);
    const flood = await repeat(40, (i) => ask(`203.0.113.${i}, 198.51.100.7`));
    assert.equal(count(flood, 200), 20);
    for (const answer of flood.filter(({ status }) => status !== 200))
      assertTooMany(answer, 'requests');
    for (const other of ['198.51.100.8', '203.0.113.1', '198.51.100.7, 198.51.100.9'])
      assert.equal((await ask(other)).status, 200);

    const network = await repeat(40, (i) => ask(`2001:db8:0:1::${i + 1}`));
    assert.equal(count(network, 200), 20);
    assert.equal((await ask('2001:db8:0:2::1')).status, 200);
    assert.equal((await ask('::ffff:198.51.100.7')).status, 429);

    const nobody = [...(await repeat(20, () => ask('unknown'))), await ask(''), await ask('1.2.3')];
    assert.equal(count(nobody, 429), 2);
  }));

test('a peer that is no proxy is itself, whatever it says', () =>
  withServer(['--requests-per-second', '1', '--proxy', '127.0.0.1'], async (server) => {
    const answers = await repeat(40, (i) => forwarded(server, `198.51.100.${i}`, NEIGHBOUR));
    assert.ok(count(answers, 200) <= 20);
    assert.ok(count(answers, 429) >= 20);
    assert.equal((await forwarded(server, '198.51.100.1')).status, 200);
  }));

test("a proxy's own connections are not counted", () =>
  withServer(['--connections-per-address', '2', '--proxy', '127.0.0.1'], async (server) => {
    const sockets = await repeat(10, () => connectRaw(server));
    for (const socket of sockets) {
      socket.write(REQUEST);
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
      socket.destroy();
    }
  }));

test('0 is no limit', () =>
  withServer(NO_LIMITS, async (server) => {
    assert.equal(count(await repeat(300, () => server.post(ROOMS, MAKE)), 201), 300);
    const table = await Table.createJoined(server);
    const stale = { rev: 1, action: PAWN };
    assert.equal(count(await repeat(300, () => table.send('host', stale)), 409), 300);
    const { seen, stop } = flood(server, NEIGHBOUR, 8);
    while (seen.passed < 6000) await sleep(10);
    stop();
    assert.equal(seen.limited, 0);
  }));
