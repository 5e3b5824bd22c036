// SPDX-License-Identifier: MIT
/* A browser says from which site a POST comes; only our own may. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { assertRefused, GAME, PAWN, ROOMS, Table } from './table.mjs';

const PUBLIC = 'https://games.example';
const server = new Server();
const proxied = new Server(['--public-url', PUBLIC]);
before(() => Promise.all([server.start(), proxied.start()]));
after(() => Promise.all([server.remove(), proxied.remove()]));

const create = (to, headers) =>
  to.request('POST', ROOMS, { body: { game: GAME, settings: {} }, headers });

test('a page of ours, and a program, may create a room', async () => {
  const { host } = new URL(server.url);
  for (const headers of [
    {},
    { Origin: `http://${host}` },
    { Origin: `https://${host}` },
    { Origin: 'http://school.example:81', Host: 'School.example:81' },
  ]) {
    assert.equal((await create(server, headers)).status, 201, JSON.stringify(headers));
  }
  assert.equal((await create(proxied, { Origin: PUBLIC, Host: 'inside:8080' })).status, 201);
});

test('a page of another site may not, whatever it asks for', async () => {
  const { host } = new URL(server.url);
  const table = await Table.createJoined(server);
  const now = await table.snapshot();
  for (const Origin of [
    'https://evil.example',
    'null',
    `http://${host}.evil.example`,
    `http://evil.example/${host}`,
    `ftp://${host}`,
    host,
    'http://',
    PUBLIC,
  ]) {
    assertRefused(await create(server, { Origin }), 403, 'forbidden', { reason: 'origin' });
    const command = await server.request('POST', `${table.path}/commands`, {
      body: { rev: now.rev, id: 'x', op: 'play', action: PAWN },
      key: table.keys.host,
      headers: { Origin },
    });
    assertRefused(command, 403, 'forbidden', { reason: 'origin' });
  }
  assert.deepEqual(await table.snapshot(), now);
});

test('where the address for people is known, a page of another is of another site', async () => {
  const { host } = new URL(proxied.url);
  for (const headers of [
    { Origin: `${PUBLIC}.evil.example` },
    { Origin: `http://${host}` },
    { Origin: 'http://evil.example', Host: 'evil.example' },
    { Origin: 'http://games.example', Host: 'games.example' },
  ])
    assertRefused(await create(proxied, headers), 403, 'forbidden', { reason: 'origin' });
});

test('what only reads is not asked where it comes from', async () => {
  const headers = { Origin: 'https://evil.example' };
  assert.equal((await server.request('GET', '/health', { headers })).status, 200);
});
