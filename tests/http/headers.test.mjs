// SPDX-License-Identifier: MIT
/* What every kind of answer says besides its content: all of its fields, and no other. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { headersOf, sendRaw } from './raw.mjs';
import { GAME, ROOMS, Table } from './table.mjs';

const server = new Server(['--rooms-max', '3']);
before(() => server.start());
after(() => server.remove());

/* Whatever the answer is: not guessed at, told to no other site, and of no use to one. */
const common = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/* What is no page: not kept, and nothing in it may run, load or be framed. */
const data = {
  ...common,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const json = { ...data, 'content-type': 'application/json' };

/* A page and its files: own scripts, styles, pictures and the rules in wasm; nothing inline. */
const file = {
  ...common,
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
    "img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};

const HTML = 'text/html; charset=utf-8';
const page = { ...file, 'content-type': HTML, 'cache-control': 'no-cache' };
const script = {
  ...file,
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
};

const stream = {
  ...data,
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
};

/* These differ from one answer to the next, or are the business of the protocol alone. */
const passing = ['connection', 'content-length', 'date', 'etag', 'keep-alive'];

function assertFields(name, headers, expected) {
  const said = { ...headers };
  for (const field of passing) delete said[field];
  assert.deepEqual(said, expected, name);
  assert.match(headers.date, / GMT$/, name);
}

const stale = { rev: 1, id: 'stale', op: 'play', action: { type: 'resign' } };

test('every kind of answer has its fields', async () => {
  const table = await Table.createJoined(server);
  const { host } = table.keys;
  const events = await table.listen('host');
  assertFields('an event stream', events.headers, stream);
  events.close();
  const etag = (await server.get('/')).headers.etag;
  const create = { game: GAME, settings: {} };
  const large = Buffer.alloc(16_385, ' ');
  for (const [name, method, path, options, status, expected] of [
    ['the home page', 'GET', '/', {}, 200, page],
    ['a rubrique', 'GET', '/rubriques/jeux-mini-shogi', {}, 200, page],
    ['the head of a page', 'HEAD', '/', {}, 200, page],
    ['an unchanged page', 'GET', '/', { headers: { 'If-None-Match': etag } }, 304, page],
    ['a page that is not there', 'GET', '/nothing', {}, 404, page],
    ['a file with a hash in its name', 'GET', '/assets/page-1234.js', {}, 200, script],
    ['a file that is not there', 'GET', '/assets/page-0.js', {}, 404, page],
    ['the health', 'GET', '/health', {}, 200, json],
    ['counts', 'GET', `${ROOMS}?game=${GAME}`, {}, 200, json],
    ['a snapshot', 'GET', table.path, { key: host }, 200, json],
    ['the head of a snapshot', 'HEAD', table.path, { key: host }, 200, json],
    ['a new room', 'POST', ROOMS, { body: create }, 201, json],
    ['a malformed body', 'POST', ROOMS, { body: '{' }, 400, json],
    ['no key', 'GET', table.path, {}, 401, json],
    ['the key of no seat', 'GET', table.path, { key: 'A'.repeat(22) }, 403, json],
    ['another site', 'POST', ROOMS, { headers: { Origin: 'null' }, body: create }, 403, json],
    ['an address of nothing', 'GET', '/api/v1/nothing', {}, 404, json],
    ['another method', 'POST', '/', {}, 405, { ...json, allow: 'GET, HEAD, OPTIONS' }],
    ['OPTIONS', 'OPTIONS', '/', {}, 204, { ...data, allow: 'GET, HEAD, OPTIONS' }],
    ['a stale command', 'POST', `${table.path}/commands`, { key: host, body: stale }, 409, json],
    ['a body that is too large', 'POST', ROOMS, { body: large }, 413, json],
    ['an unknown game', 'POST', ROOMS, { body: { ...create, game: 'go' } }, 422, json],
    ['the third room', 'POST', ROOMS, { body: create }, 201, json],
    ['a room too many', 'POST', ROOMS, { body: create }, 503, { ...json, 'retry-after': '5' }],
  ]) {
    const answer = await server.request(method, path, options);
    assert.equal(answer.status, status, name);
    assertFields(name, answer.headers, expected);
  }
});

test('so has what the parser refuses', async () => {
  for (const [status, request] of [
    [400, 'GET / HTTP/1.1\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(8192)}\r\n\r\n`],
    [501, 'PUT / HTTP/1.1\r\nHost: x\r\n\r\n'],
    [505, 'GET / HTTP/2.0\r\nHost: x\r\n\r\n'],
  ]) {
    const answer = await sendRaw(server, request);
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    assertFields(status, headersOf(answer), json);
  }
});
