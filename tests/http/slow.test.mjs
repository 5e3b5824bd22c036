// SPDX-License-Identifier: MIT
/*
 * Clients that are slow on purpose, many at once, against the deadlines that the server really has:
 * this file takes up to half a minute beside the others. Each deadline alone, with short ones, is
 * in tests/unit/test_http_limits.c and test_http_stream.c.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Server, sleep } from './harness.mjs';
import { connectRaw, statuses } from './raw.mjs';
import { readData, ROOMS, Table } from './table.mjs';

const EACH = 40; /* of every kind */
const DRIP_MS = 200;
const END_MS = 30_000; /* 10 s of deadline, for some twice, and what a busy machine may add */

const server = new Server();
before(async () => {
  /* More than all buffers between the server and one who does not read. */
  writeFileSync(join(server.web, 'assets', 'large-1.js'), Buffer.alloc(32 << 20, '/'));
  await server.start();
});
after(() => server.remove());

const head = (method, path) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`;

/* What it sends at once, and what it goes on sending bit by bit. */
const kinds = {
  'a byte of a method': { first: '', drip: 'G', statuses: [408] },
  'a byte of a header value': { first: `${head('GET', '/')}X: `, drip: 'x', statuses: [408] },
  'a header line': { first: head('GET', '/'), drip: 'X: y\r\n', statuses: [408] },
  'a byte of a body': {
    first: `${head('POST', ROOMS)}Content-Length: 16384\r\n\r\n`,
    drip: ' ',
    statuses: [408],
  },
  'a byte of a second request': {
    first: `${head('GET', '/health')}\r\n`,
    drip: 'G',
    statuses: [200, 408],
  },
  /* What it still sends shows it that the connection is gone, since it reads nothing. */
  'a request and reads no answer': {
    first: `${head('GET', '/assets/large-1.js')}\r\n`,
    drip: 'G',
    reads: false,
    statuses: [],
  },
};

/* A client of one kind; `answer` is what it has got, and `ended` whether the server has closed. */
async function dribble({ first, drip, reads = true }) {
  const socket = await connectRaw(server, 60_000);
  const client = { answer: '', ended: false, socket };
  if (reads) socket.setEncoding('utf8').on('data', (text) => (client.answer += text));
  else socket.pause();
  socket.on('error', () => {});
  for (const event of ['end', 'close']) socket.on(event, () => (client.ended = true));
  socket.write(first);
  client.timer = setInterval(() => {
    if (socket.writable && !client.ended) socket.write(drip);
  }, DRIP_MS);
  return client;
}

async function until(what, ready) {
  const limit = Date.now() + END_MS;
  while (!ready()) {
    if (Date.now() > limit) throw new Error(`${what}: not after ${END_MS} ms`);
    await sleep(50);
  }
}

test('many slow clients are ended, and meanwhile others play', async () => {
  const clients = [];
  const silent = [];
  try {
    for (let i = 0; i < EACH; i++) {
      for (const [name, kind] of Object.entries(kinds)) {
        clients.push({ name, kind, client: await dribble(kind) });
      }
      silent.push(await connectRaw(server, 60_000));
    }
    const table = await Table.createJoined(server);
    const stream = await table.listen('guest');
    const last = await table.playAll(readData('games.json')[0].plies.slice(0, 20));
    await stream.until('the last move', () => stream.events.at(-1)?.rev === last.rev);
    stream.close();
    /* They were there all the time. */
    for (const { name, client } of clients) assert.equal(client.ended, false, name);

    for (const { name, kind, client } of clients) {
      await until(`the end of who sends ${name}`, () => client.ended);
      assert.deepEqual(statuses(client.answer), kind.statuses, name);
    }
    for (const socket of silent) assert.equal(socket.readyState, 'open');
    assert.equal((await table.snapshot()).rev, last.rev);
  } finally {
    for (const { client } of clients) {
      clearInterval(client.timer);
      client.socket.destroy();
    }
    for (const socket of silent) socket.destroy();
  }
});

test('a header without an end is too large at once', async () => {
  const socket = await connectRaw(server);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => (answer += text));
  socket.on('error', () => {});
  socket.write(`${head('GET', '/')}X: `);
  let sent = 0;
  while (answer === '' && sent < 1 << 20) {
    socket.write('x'.repeat(1024));
    sent += 1024;
    await sleep(1);
  }
  assert.deepEqual(statuses(answer), [431]);
  socket.destroy();
});
