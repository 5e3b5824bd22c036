// SPDX-License-Identifier: MIT
/* Methods, addresses, sizes, and connections that live on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { sendRaw, statuses } from './raw.mjs';
import { assertRefused, assertUnchanged, GAME, PAWN, ROOMS, Table } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const MOST_BODY = 16_384;
const MOST_HEAD = 8192;

test('the health says ok and counts rooms', async () => {
  const { status, body } = await server.get('/health');
  assert.equal(status, 200);
  assert.equal(body.status, 'ok');
  assert.match(body.version, /^\d+\.\d+\.\d+/);
  assert.equal(typeof body.rooms, 'number');
});

test('HEAD answers with the head that GET has', async () => {
  const table = await Table.create(server);
  for (const [path, key] of [
    ['/health', undefined],
    [`${ROOMS}?game=${GAME}`, undefined],
    [table.path, table.keys.host],
    [table.path, undefined],
    ['/api/v1/nothing', undefined],
  ]) {
    const get = await server.get(path, key);
    const head = await server.request('HEAD', path, { key });
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, '');
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal(head.headers['content-type'], get.headers['content-type']);
  }
});

test('another method is refused with the ones there are', async () => {
  const table = await Table.createJoined(server);
  const { host } = table.keys;
  await assertUnchanged(table, async () => {
    for (const [method, path, allow] of [
      ['POST', '/health', 'GET, HEAD, OPTIONS'],
      ['POST', '/', 'GET, HEAD, OPTIONS'],
      ['POST', '/rubriques/jeux-mini-shogi', 'GET, HEAD, OPTIONS'],
      ['POST', table.path, 'GET, HEAD, OPTIONS'],
      ['POST', `${table.path}/events`, 'GET, HEAD, OPTIONS'],
      ['GET', `${table.path}/join`, 'POST, OPTIONS'],
      ['GET', `${table.path}/commands`, 'POST, OPTIONS'],
    ]) {
      const body = method === 'POST' ? {} : undefined;
      const answer = await server.request(method, path, { key: host, body });
      assertRefused(answer, 405, 'method');
      assert.equal(answer.headers.allow, allow);
      const options = await server.request('OPTIONS', path);
      assert.equal(options.status, 204);
      assert.equal(options.headers.allow, allow);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'QUERY']) {
      const answer = await sendRaw(server, `${method} ${table.path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.deepEqual(statuses(answer), [501]);
      assert.match(answer, /"error":"method"/);
    }
  });
});

test('OPTIONS of the server as a whole', async () => {
  const answer = await sendRaw(
    server,
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  assert.deepEqual(statuses(answer), [204]);
  assert.match(answer, /\r\nAllow: GET, HEAD, POST, OPTIONS\r\n/);
});

test('an address of nothing is not found', async () => {
  const table = await Table.create(server);
  for (const path of [
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/rooms',
    '/api/v1/rooms/',
    '/api/v1/room',
    `${table.path}/`,
    `${table.path}/moves`,
    `${table.path}/events/`,
    `${table.path}/join/x`,
  ]) {
    assertRefused(await server.get(path, table.keys.host), 404, 'not-found');
  }
});

test('a body of exactly the greatest size is read, one byte more is too large', async () => {
  const good = JSON.stringify({ game: GAME, settings: {} });
  const { status } = await server.post(ROOMS, good.padEnd(MOST_BODY));
  assert.equal(status, 201);
  const large = await server.post(ROOMS, good.padEnd(MOST_BODY + 1));
  assert.equal(large.status, 413);
  assert.equal(large.body.error, 'body-too-large');
});

test('a command that is too large changes nothing', async () => {
  const table = await Table.createJoined(server);
  await assertUnchanged(table, async ({ rev }) => {
    const body = JSON.stringify({ rev, id: 'large', op: 'play', action: PAWN });
    const path = `${table.path}/commands`;
    const answer = await server.post(path, body.padEnd(MOST_BODY + 1), table.keys.host);
    assert.equal(answer.status, 413);
  });
});

test('a head over the greatest size is too large', async () => {
  const line = (bytes) => `X: ${'x'.repeat(bytes)}\r\n`;
  const request = `GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const room = MOST_HEAD - request.length - line(0).length - 2;
  assert.deepEqual(statuses(await sendRaw(server, `${request}${line(room)}\r\n`)), [200]);
  assert.deepEqual(statuses(await sendRaw(server, `${request}${line(room + 1)}\r\n`)), [431]);
});

test('a Host that is no host enters no invitation', async () => {
  const body = JSON.stringify({ game: GAME, settings: {} });
  for (const host of ['a"b', 'a/b', 'a b', '<x>', 'é', 'a#b', 'a@b']) {
    const answer = await sendRaw(
      server,
      `POST ${ROOMS} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    assert.deepEqual(statuses(answer), [400], host);
  }
});

test('one connection serves many requests, refused ones too', async () => {
  const get = (path, rest = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`;
  const answer = await sendRaw(
    server,
    get('/health') + get('/api/nothing') + get(ROOMS) + get('/health', 'Connection: close\r\n'),
  );
  assert.deepEqual(statuses(answer), [200, 404, 400, 200]);
});

test('moves over one connection, in their order', async () => {
  const table = await Table.createJoined(server);
  const post = (key, command) => {
    const body = JSON.stringify({ op: 'play', ...command });
    return (
      `POST ${table.path}/commands HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const { host, guest } = table.keys;
  const answer = await sendRaw(
    server,
    post(host, { rev: 2, id: 'a', action: PAWN }) +
      post(guest, { rev: 3, id: 'a', action: { type: 'resign' } }) +
      post(host, { rev: 4, id: 'b', action: PAWN }) +
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  assert.deepEqual(statuses(answer), [200, 200, 409, 200]);
  assert.equal((await table.snapshot()).rev, 4);
});

test('a client that leaves in the middle of its request harms nobody', async () => {
  const { port } = new URL(server.url);
  for (const text of [
    'GET /hea',
    `POST ${ROOMS} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{`,
  ]) {
    const socket = net.connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.end(text);
    socket.resume();
    await once(socket, 'close');
  }
  const table = await Table.createJoined(server);
  await table.play(PAWN);
});
