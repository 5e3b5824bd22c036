// SPDX-License-Identifier: MIT
/* An orderly stop: streams are told, nothing that was answered is lost, and it ends in time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { NO_LIMITS, Server, sleep } from './harness.mjs';
import { freshId, PAWN, ROOMS, GAME, Table } from './table.mjs';

const STOP_MS = 6000; /* three seconds, and time for a build with sanitizers on a busy machine */

async function withServer(body, options = []) {
  const server = new Server(options);
  await server.start();
  try {
    await body(server);
  } finally {
    if (!server.alive) await server.start();
    await server.remove();
  }
}

test('each stream is told when to come back, at different times, and ends', () =>
  withServer(async (server) => {
    const tables = await Promise.all(Array.from({ length: 20 }, () => Table.createJoined(server)));
    const streams = await Promise.all(
      tables.flatMap((table) => [table.listen('host'), table.listen('guest')]),
    );
    for (const stream of streams) await stream.next();
    const begun = Date.now();
    assert.equal(await server.stop(), 0);
    assert.ok(Date.now() - begun < STOP_MS);
    const times = [];
    for (const stream of streams) {
      await stream.until('the end', () => stream.ended);
      assert.deepEqual(Object.keys(stream.bye), ['retryMs']);
      times.push(stream.bye.retryMs);
    }
    times.sort((a, b) => a - b);
    assert.ok(times[0] >= 500 && times.at(-1) <= 4500, String(times));
    /* 40 within four seconds: evenly, they are 100 ms apart. */
    for (let i = 1; i < times.length; i++) {
      const gap = times[i] - times[i - 1];
      assert.ok(gap >= 50 && gap <= 250, String(times));
    }
    assert.match(server.log, / event=stopping signal=SIGTERM connections=\d+\n.* event=stop\n$/);
  }));

test('SIGINT ends it in the same way, with nobody there at once', () =>
  withServer(async (server) => {
    assert.equal(await server.stop('SIGINT'), 0);
    assert.match(server.log, / event=stopping signal=SIGINT connections=0\n/);
  }));

test('requests that the stop meets are answered and kept, or not answered', () =>
  withServer(async (server) => {
    const tables = await Promise.all(Array.from({ length: 40 }, () => Table.createJoined(server)));
    let answered = 0;
    for (let round = 0; round < 4; round++) {
      const ask = round % 2 === 0 ? { op: 'ask', what: 'new-game' } : { op: 'withdraw' };
      const command = { rev: 2 + round, id: freshId(), ...ask };
      const sent = tables.map((table) => table.send('host', command).catch(() => null));
      const creating = server.post(ROOMS, { game: GAME, settings: {} }).catch(() => null);
      await sleep(5 * 2 ** round);
      server.signal('SIGTERM');
      const answers = await Promise.all(sent);
      const created = await creating;
      assert.equal(await server.ended(), 0);
      await server.start();

      for (const [index, table] of tables.entries()) {
        const status = answers[index]?.status ?? null;
        assert.ok([null, 200, 503].includes(status), `answered ${status}`);
        if (status === 200) {
          assert.equal((await table.snapshot()).rev, 3 + round);
          answered++;
        }
        /* Sent again, it is there once, whatever became of it. */
        assert.equal((await table.send('host', command)).status, 200);
        assert.equal((await table.snapshot()).rev, 3 + round);
      }
      if (created?.status === 201) await new Table(server, created.body).join();
    }
    assert.ok(answered > 0);
  }, NO_LIMITS));

test('a client in the middle of a request is told, and a silent one does not hold it up', () =>
  withServer(async (server) => {
    const { port, hostname } = new URL(server.url);
    const connect = async () => {
      const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    const [silent, half] = [await connect(), await connect()];
    half.write('GET / HTTP/1.1\r\nHost');
    await sleep(200);
    let said = '';
    half.setEncoding('latin1').on('data', (text) => (said += text));
    const begun = Date.now();
    assert.equal(await server.stop(), 0);
    assert.ok(Date.now() - begun < STOP_MS);
    assert.match(said, /^HTTP\/1\.1 503 .*"error":"stopping"/s);
    await assert.rejects(server.get('/health'));
    for (const socket of [silent, half]) socket.destroy();
  }));

test('a second signal ends it at once, and loses nothing that was answered', () =>
  withServer(async (server) => {
    const table = await Table.createJoined(server);
    const { port, hostname } = new URL(server.url);
    /* A reader that does not go: the stop would wait for it. */
    const reader = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    reader.on('error', () => {});
    const head = `GET ${table.path}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer`;
    reader.write(`${head} ${table.keys.guest}\r\n\r\n`);
    await once(reader, 'data');
    await table.play(PAWN);

    server.signal('SIGTERM');
    await sleep(300);
    assert.ok(server.alive);
    const begun = Date.now();
    assert.equal(await server.stop('SIGTERM'), 'SIGTERM');
    assert.ok(Date.now() - begun < 1000);
    reader.destroy();
    await server.start();
    assert.equal((await table.snapshot()).rev, 3);
  }));
