// SPDX-License-Identifier: MIT
/*
 * Addresses that climb out of where they begin. A path is compared as it was sent, byte by byte, with
 * names that were read at the start: nothing is decoded, no dots are resolved, no file is opened.
 */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PAGE, Server } from './harness.mjs';
import { sendRaw, statuses } from './raw.mjs';
import { GAME, ROOMS, Table } from './table.mjs';

const OUTSIDE = 'what no page may show';
const server = new Server();
before(async () => {
  writeFileSync(join(server.web, '..', 'outside.txt'), OUTSIDE);
  symlinkSync('../outside.txt', join(server.web, 'link.txt'));
  symlinkSync('..', join(server.web, 'up'));
  await server.start();
});
after(() => server.remove());

/* What stands for one folder up somewhere, or ends a name early. */
const climbs = {
  'dot segments': '../',
  'one dot': './',
  'dot segments after an empty one': '/../',
  'encoded dots': '%2e%2e/',
  'encoded dots in capitals': '%2E%2E/',
  'one encoded dot': '.%2e/',
  'encoded slashes': '..%2f',
  'all encoded': '%2e%2e%2f',
  'encoded twice': '%252e%252e%252f',
  'encoded three times': '%25252e%25252e%25252f',
  'encoded backslashes': '..%5c',
  'backslashes encoded twice': '..%255c',
  'overlong UTF-8': '%c0%ae%c0%ae%c0%af',
  'wide characters': '%u002e%u002e%u2215',
  'fullwidth dots': '%ef%bc%8e%ef%bc%8e/',
  'dots with a parameter': '..;/',
  'dots that a filter would make': '....//',
  'an encoded NUL': '..%00/',
  'an encoded line end': '..%0d%0a/',
  'broken escapes': '%2/%zz/%/',
};

const targets = ['outside.txt', 'data.sqlite', 'etc/passwd', 'web/index.html'];
const bases = ['/', '/assets/', '/rubriques/', '/health/', '/api/', `${ROOMS}/`];

const isData = (path) => path === '/api' || path.startsWith('/api/');

/* One answer to one GET of exactly these bytes. */
async function getExactly(path, fields = '') {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}Connection: close\r\n\r\n`;
  const answer = await sendRaw(server, Buffer.from(request, 'latin1'));
  const [status, ...others] = statuses(answer);
  assert.equal(others.length, 0);
  assert.ok(!answer.includes(OUTSIDE), path);
  return { status, text: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

async function assertNothingThere(path) {
  const { status, text } = await getExactly(path);
  assert.equal(status, 404, path);
  if (isData(path)) assert.equal(JSON.parse(text).error, 'not-found', path);
  else assert.equal(text, PAGE, path);
}

for (const [name, climb] of Object.entries(climbs)) {
  test(`no address leads out: ${name}`, async () => {
    for (const base of bases) {
      for (const target of targets) {
        for (const times of [1, 6]) await assertNothingThere(base + climb.repeat(times) + target);
      }
    }
  });
}

test('no address leads out by a link or a name of the system', async () => {
  for (const path of [
    '/link.txt',
    '/up/outside.txt',
    '/up/data.sqlite',
    '//etc/passwd',
    '/etc/passwd',
    '/proc/self/environ',
    '/assets//page-1234.js',
    '/assets/page-1234.js/',
    '/assets/page-1234.js%00.html',
    '/assets/page-1234.js;x',
    '/ASSETS/page-1234.js',
    '/assets/CON',
    '/assets/page-1234.js::$DATA',
    '/.git/config',
    '/file:/etc/passwd',
    '/http://y/health',
    '/index.html',
    '/rubriques',
    '/rubriques/',
    '/rubriques/jeux-mini-shogi/',
    '/rubriques/x',
    '/health/',
    '/assets/',
    '/assets/none.js',
    '//',
  ]) {
    await assertNothingThere(path);
  }
});

test('what an address must not hold is malformed', async () => {
  for (const [name, path] of Object.entries({
    backslashes: '/..\\..\\outside.txt',
    'a NUL': '/assets/page-1234.js\0.html',
    'a NUL at the end': '/\0',
    'a letter above ASCII': '/\xe9',
    'overlong UTF-8, not encoded': '/\xc0\xae\xc0\xae/outside.txt',
    'no slash': '../outside.txt',
    'a quotation mark': '/"',
    markup: '/<script>',
    'a line end': '/a\nb',
    'an escape of a terminal': '/\x1b[2J',
  })) {
    const { status, text } = await getExactly(path);
    assert.equal(status, 400, name);
    assert.equal(JSON.parse(text).error, 'malformed', name);
  }
});

test('a very long address is not found, or too large', async () => {
  for (const base of bases) {
    await assertNothingThere(base + 'a'.repeat(8000));
    await assertNothingThere(base + '../'.repeat(2600));
    assert.equal((await getExactly(base + 'a'.repeat(8192))).status, 431);
    assert.equal((await getExactly(base + '../'.repeat(4000))).status, 431);
  }
  assert.equal((await getExactly(`${ROOMS}?${'game=&'.repeat(1300)}`)).status, 400);
});

test('one address of a room does not stand for another', async () => {
  const table = await Table.createJoined(server);
  const other = await Table.createJoined(server);
  const key = `Authorization: Bearer ${table.keys.host}\r\n`;
  for (const path of [
    `${ROOMS}/../rooms/${table.room}`,
    `${ROOMS}/./${table.room}`,
    `${ROOMS}//${table.room}`,
    `${ROOMS}/${other.room}/../${table.room}`,
    `${ROOMS}/${table.room}/.`,
    `${ROOMS}/${table.room}/events/..`,
    `${ROOMS}/${table.room}%2fevents`,
    `${ROOMS}/${table.room}%00`,
    `${ROOMS}/${table.room.toUpperCase()}`,
    `${ROOMS}/${[...table.room].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}`,
    `${ROOMS}/${table.room};${other.room}`,
    `/api/v1/../v1/rooms/${table.room}`,
    `/api//v1/rooms/${table.room}`,
    `/api/v1/ROOMS/${table.room}`,
    `/API/v1/rooms/${table.room}`,
    `//api/v1/rooms/${table.room}`,
    `/./api/v1/rooms/${table.room}`,
    `/%61pi/v1/rooms/${table.room}`,
  ]) {
    const { status, text } = await getExactly(path, key);
    assert.equal(status, 404, path);
    if (isData(path)) assert.equal(JSON.parse(text).error, 'not-found', path);
    else assert.equal(text, PAGE, path);
  }
  assert.equal((await getExactly(`${ROOMS}/${other.room}`, key)).status, 403);
  assert.equal((await getExactly(`${ROOMS}/${table.room}?/../${other.room}`, key)).status, 200);
  assert.equal((await getExactly(`${ROOMS}?game=${GAME}&game=..%2f`)).status, 200);
});
