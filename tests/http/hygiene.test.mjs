// SPDX-License-Identifier: MIT
/*
 * What the server says and keeps: never a key, an invitation, or who asked. The life of a room goes
 * through it, with refusals of every kind, a crash and a full disk; then its output and every byte of
 * its data are searched.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Server, sleep } from './harness.mjs';
import { sendRaw } from './raw.mjs';
import { GAME, PAWN, PAWN_REPLY, resign, ROOMS, Table } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const AGENT = 'Browser-of-a-pupil/1.0';
const FORWARDED = '203.0.113.77';
const COOKIE = 'session=of-another-application';

/* Everything of this room that is known to its players alone, and what says who they are. */
const secretsOf = (table) => [
  ...Object.values(table.keys),
  table.invite.split('.')[1],
  '127.0.0.1',
  '::ffff:7f00:1',
  AGENT,
  FORWARDED,
  COOKIE,
];

async function liveThrough(table) {
  const { host, guest } = table.keys;
  const told = { 'User-Agent': AGENT, 'X-Forwarded-For': FORWARDED, Cookie: COOKIE };
  const ask = (method, path, options = {}) =>
    server.request(method, path, { ...options, headers: told });
  const stream = await table.listen('guest');
  await table.playAll([{ action: PAWN }, { action: PAWN_REPLY }]);
  const { rev } = await table.snapshot();
  const commands = `${table.path}/commands`;
  const play = { rev, id: 'kept', op: 'play', action: PAWN };

  /* Refusals of every kind, keys in places where none belongs among them. */
  await ask('GET', `${table.path}?key=${host}`, { key: guest });
  await ask('GET', `/rubriques/jeux-mini-shogi?invite=${table.invite}`);
  await ask('GET', `/${host}`);
  await ask('GET', table.path, { key: `${host}x` });
  await ask('POST', commands, { body: { ...play, id: host }, key: guest });
  await ask('POST', commands, { body: { ...play, key: host }, key: host });
  await ask('POST', commands, { body: `{"${guest}`, key: host });
  await ask('POST', `${table.path}/join`, { body: { invite: table.invite, game: GAME } });
  await ask('POST', `${table.path}/join`, { body: { invite: `x.${host}`, game: GAME } });
  await ask('POST', ROOMS, { body: { game: GAME, settings: { [host]: 1 } } });
  await sendRaw(
    server,
    `GET /${host}\0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${host}\r\n\r\n`,
  );
  await sendRaw(server, `${host} ${table.invite}\r\n\r\n`);

  await table.act('host', 'ask', { what: 'undo' });
  await table.act('guest', 'answer', { accept: true });
  await table.play(resign);
  await table.act('host', 'ask', { what: 'new-game' });
  await table.act('guest', 'answer', { accept: true });
  await table.act('guest', 'leave');
  const { inviteUrl } = await table.act('host', 'invite');
  table.invite = inviteUrl.split('#invite=')[1];
  stream.close();
}

/* Lines in logfmt, each with its time, its level and its event first, and nothing else. */
function assertLog(text) {
  const value = '(?:[^\\s"=\\\\]+|"(?:[^"\\\\\\p{Cc}]|\\\\["\\\\]|\\\\u00[0-9a-f]{2})*")';
  const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
  const form = `^time=${time} level=(?:info|warn|error) event=[a-z_]+(?: [a-z_]+=${value})*$`;
  assert.ok(text.endsWith('\n'));
  for (const line of text.slice(0, -1).split('\n')) assert.match(line, new RegExp(form, 'u'));
}

/* Every byte of every file beside the data: the write-ahead log is one of them. */
function readAllData() {
  const folder = dirname(server.data);
  const names = readdirSync(folder).filter((name) => name.startsWith(basename(server.data)));
  assert.ok(names.length > 0);
  const files = names.map((name) => join(folder, name));
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o600, file);
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

test('no key, invitation or address is written anywhere', async () => {
  const table = await Table.createJoined(server);
  const earlier = { keys: { ...table.keys }, invite: table.invite };
  await liveThrough(table);
  const secrets = [...secretsOf(table), ...secretsOf(earlier)];

  const output = [server.output];
  const whileItRuns = readAllData();
  await server.crash();
  assert.ok((await table.snapshot()).rev > 2);
  output.push(server.output);
  await server.stop();
  const afterwards = readAllData();
  await server.start();

  /* So that this can fail: what the data does hold is found in the same way. */
  for (const data of [whileItRuns, afterwards]) assert.ok(data.includes(table.room));
  /* Its own address, which the operator chose, is the one that it says. */
  const own = `listening on ${server.url}\n`;
  for (const text of output) assert.ok(text.includes(own), text);
  const texts = output.map((text) => text.replace(own, ''));
  for (const text of texts) assertLog(text);
  assert.match(texts[0], / event=start /);
  for (const secret of secrets) {
    for (const data of [whileItRuns, afterwards]) assert.ok(!data.includes(secret), secret);
    for (const text of texts) assert.ok(!text.includes(secret), text);
  }
});

test('what it says of a full disk names nobody', async () => {
  const full = new Server([], { fileBlocks: 400 });
  await full.start();
  try {
    const tables = [];
    for (let i = 0; i < 400 && full.complaints === ''; i++) {
      const { status, body } = await full.post(ROOMS, { game: GAME, settings: {} });
      if (status === 201) tables.push(new Table(full, body));
    }
    assertLog(full.log);
    assert.match(
      full.complaints,
      /^time=\S+ level=error event=store_failing message="moves are refused until the data can be /,
    );
    assert.ok(tables.length > 0);
    for (const table of tables) {
      for (const secret of secretsOf(table)) assert.ok(!full.complaints.includes(secret));
    }
    await full.stop('SIGKILL');
    full.unlimit();
    await full.start();
  } finally {
    await full.remove();
  }
});

test('what it says of visitors who ask too much names nobody, and is a line in ten seconds', async () => {
  const limited = new Server([
    ...['--proxy', '127.0.0.1', '--requests-per-second', '1', '--commands-per-second', '1'],
    ...['--rooms-per-minute', '1'],
  ]);
  await limited.start();
  try {
    const { body } = await limited.post(ROOMS, { game: GAME, settings: {} });
    const table = new Table(limited, body);
    const visitor = (number) => ({ headers: { 'X-Forwarded-For': `203.0.113.${number}` } });
    const askTooMuch = async () => {
      for (let i = 0; i < 10; i++) {
        const make = { body: { game: GAME, settings: {} }, ...visitor(1) };
        const command = {
          body: { id: `a${i}`, op: 'leave', rev: 9 },
          key: body.key,
          ...visitor(2),
        };
        await limited.request('POST', ROOMS, make);
        await limited.request('POST', `${table.path}/commands`, command);
      }
      for (let i = 0; i < 50; i++)
        await limited.request('GET', `/${body.key}`, { headers: { 'X-Forwarded-For': FORWARDED } });
    };
    const lines = () => limited.complaints.trim().split('\n').sort();
    await askTooMuch();
    for (const limit = Date.now() + 5000; lines().length < 3 && Date.now() < limit;)
      await sleep(50);
    await askTooMuch();
    await sleep(2500);

    const found = lines().map(
      (line) => / event=limited .* kind=(\w+) refused=\d+$/.exec(line)?.[1],
    );
    assert.deepEqual(found.sort(), ['commands', 'requests', 'rooms'], limited.complaints);
    assertLog(limited.log);
    for (const secret of [...secretsOf(table), '203.0.113.', table.room])
      assert.ok(!limited.log.includes(secret), limited.log);
  } finally {
    await limited.remove();
  }
});
