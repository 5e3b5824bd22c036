// SPDX-License-Identifier: MIT
/* `komadai play` at servers that are none, or not what they should be. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Server, sleep } from './harness.mjs';
import { Between, Homes } from './play.mjs';
import { PAWN, Table } from './table.mjs';

const server = new Server();
const people = new Homes();
before(() => server.start());
after(async () => {
  await people.remove();
  await server.remove();
});

describe('a server that is none', { concurrency: 4 }, () => {
  /* What `answer` does to each connection, as raw bytes. */
  async function withServer(answer, use) {
    const sockets = new Set();
    const listener = net.createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.once('data', (bytes) => answer(socket, bytes.toString()));
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    try {
      await use(`http://127.0.0.1:${listener.address().port}`);
    } finally {
      for (const socket of sockets) socket.destroy();
      listener.close();
    }
  }

  const head = (type, length) =>
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n` +
    (length === undefined ? '\r\n' : `Content-Length: ${length}\r\n\r\n`);
  const json = (text) => `${head('application/json', text.length)}${text}`;

  for (const [what, answer, message] of [
    ['says nothing', () => {}, /timed out/i],
    ['hangs up', (socket) => socket.destroy(), /reset|empty reply|recv failure/i],
    ['speaks no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n'), /HTTP\/0.9/],
    ['sends bytes', (socket) => socket.end(Buffer.alloc(3000, 0xfe)), /HTTP\/0.9/],
    ['sends a page', (socket) => socket.end(`${head('text/html', 6)}<html>`), /none of Komadai/],
    ['sends other JSON', (socket) => socket.end(json('{"room":[]}')), /none of Komadai/],
    ['sends broken JSON', (socket) => socket.end(json('{"room":')), /none of Komadai/],
    [
      'sends without end',
      (socket) => {
        socket.write(head('application/json'));
        const more = () => socket.write('x'.repeat(10_000), (error) => error ?? more());
        more();
      },
      /longer than any/,
    ],
    [
      'sends a head without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const more = () => socket.write(`X: ${'x'.repeat(5000)}\r\n`, (error) => error ?? more());
        more();
      },
      /longer than any|too large/i,
    ],
    [
      'leads to another',
      (socket) =>
        socket.end(`HTTP/1.1 302 Found\r\nLocation: ${server.url}/\r\nContent-Length: 0\r\n\r\n`),
      /\(302\) that is none of Komadai/,
    ],
    ['fails', (socket) => socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n'), /\(500\)/],
    [
      'has no room left',
      (socket) => {
        const text = '{"error":"unavailable","message":"There are as many as can be."}';
        const fields = `Retry-After: 30\r\nContent-Length: ${text.length}`;
        socket.end(`HTTP/1.1 503 Full\r\n${fields}\r\n\r\n${text}`);
      },
      /\(unavailable\): There are as many as can be\.$/m,
    ],
  ]) {
    test(`${what}: it is told, and the exit status is 1`, async () => {
      await withServer(answer, async (url) => {
        const home = people.fresh();
        for (const link of [url, `${url}/#invite=abc.def`]) {
          const player = people.start(home, '--timeout', '1', link);
          assert.equal(await player.exit(), 1);
          assert.match(player.errors, /^komadai play: .*\n$/);
          assert.match(player.errors, message);
          assert.equal(player.output, '');
        }
      });
    });
  }

  test('nobody listens, or there is no such name', async () => {
    for (const url of ['http://127.0.0.1:1', 'http://nowhere.invalid']) {
      const player = people.start(people.fresh(), '--timeout', '1', url);
      assert.equal(await player.exit(), 1);
      assert.match(player.errors, /connect|resolv/i);
    }
  });

  /* A server of one room, which says in each stream what `say` has for it. */
  async function withEvents(say, use) {
    const table = await Table.createJoined(server);
    const { body } = await server.get(table.path, table.keys.host);
    const entry = { room: table.room, seat: 'host', key: 'K'.repeat(22), inviteUrl: null };
    const fake = http.createServer((request, response) => {
      const isStream = request.method === 'GET';
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'Content-Type': type });
      response.flushHeaders();
      if (isStream) say(response);
      else response.end(JSON.stringify({ ...entry, snapshot: body }));
    });
    fake.listen(0, '127.0.0.1');
    await once(fake, 'listening');
    try {
      const url = `http://127.0.0.1:${fake.address().port}`;
      const player = people.start(people.fresh(), '--timeout', '1', url);
      await player.until('turn: yours');
      await use(player, { before: body, after: await table.play(PAWN) });
      assert.equal(await player.end(), 0);
    } finally {
      fake.close();
      fake.closeAllConnections();
    }
  }

  const state = (id, snapshot, rev) =>
    `id: ${id}\nevent: state\ndata: ${JSON.stringify({ ...snapshot, rev })}\n\n`;

  test('events that are nonsense end no game', async () => {
    const streams = [];
    const other = await Table.createJoined(server);
    const strange = [
      'id: 1-9\nevent: state\ndata: {"rev":9}\n\n',
      state('1-9', await other.play(PAWN), 9),
      `id: ${'9'.repeat(500)}\n`,
    ];
    const say = (stream) => {
      stream.write(strange[streams.length] ?? ': ping\n\n');
      streams.push(stream);
    };
    await withEvents(say, async (player, { after: played }) => {
      await player.until('lost: an event is none of a Komadai server; trying again');
      while (streams.length < 4) await sleep(50);
      assert.ok(!player.output.includes('played: '));
      streams[3].write(state('1-9', played, 9));
      await player.until('last: 5d5c');
      assert.ok(player.output.includes('found: connected again'));
    });
  });

  test('an older state counts in another run of the server alone, as after a backup', async () => {
    const streams = [];
    const say = (stream) => streams.push(stream);
    await withEvents(say, async (player, { before: fresh, after: played }) => {
      while (streams.length < 1) await sleep(20);
      streams[0].write(state('1-9', played, 9) + state('1-8', fresh, 8));
      await player.until('last: 5d5c');
      streams[0].end();
      while (streams.length < 2) await sleep(20);
      assert.ok(!player.output.includes('undone: '));
      streams[1].write(state('2-4', fresh, 4));
      await player.until('undone: -');
      await player.until('last: -');
    });
  });

  test('a stream that falls silent is opened again', async () => {
    let streams = 0;
    const say = () => streams++;
    await withEvents(say, async (player) => {
      await player.until('lost: the server says nothing; trying again', 45_000);
      await player.until('found: connected again');
      assert.equal(streams, 2);
    });
  });
});

test('over TLS, with a certificate that is trusted or is not', async () => {
  const [key, certificate] = [
    join(people.scratch, 'key.pem'),
    join(people.scratch, 'certificate.pem'),
  ];
  const made = spawnSync(
    'openssl',
    ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
      .concat(['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'])
      .concat(['-keyout', key, '-out', certificate]),
  );
  assert.equal(made.status, 0, String(made.stderr));
  const files = { key: readFileSync(key), cert: readFileSync(certificate) };
  const between = new Between(server.url);
  await between.start((handle) => https.createServer(files, handle));
  try {
    const url = `https://localhost:${between.port}`;
    const trusting = people.start(people.fresh(), '--cacert', certificate, url);
    await trusting.until(/^invitation: /m);
    for (const [words, message] of [
      [[url], /certificate/i],
      [['--cacert', certificate, `https://127.0.0.1:${between.port}`], /certificate/i],
      [['--cacert', join(people.scratch, 'missing'), url], /missing/],
      [
        ['--cacert', certificate, `http://localhost:${between.port}`],
        /empty reply|HTTP\/0.9|reset/i,
      ],
      [['--cacert', certificate, server.url.replace('http:', 'https:')], /SSL|TLS/],
    ]) {
      const player = people.start(people.fresh(), ...words);
      assert.equal(await player.exit(), 1, words.join(' '));
      assert.match(player.errors, message);
      assert.equal(player.output, '');
    }
    assert.equal(between.posts.length, 1);
  } finally {
    between.stop();
  }
});
