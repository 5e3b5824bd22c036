// SPDX-License-Identifier: MIT
/* What the server is started with: standard streams that are closed, and few descriptors. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { binary, sleep } from './harness.mjs';
import { GAME, ROOMS } from './table.mjs';

const folder = mkdtempSync(join(tmpdir(), 'komadai-surroundings-'));
after(() => rmSync(folder, { recursive: true }));

let count = 0;

/* A port that nobody has, for servers that cannot say theirs. */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/* Runs `komadai serve` in a shell, with what stands before and after the command. */
async function serve(before, behind) {
  const port = await freePort();
  const words = ['serve', '--listen', `127.0.0.1:${port}`, '--data', join(folder, `${++count}`)];
  const child = spawn('/bin/sh', ['-c', `${before} exec "$0" "$@" ${behind}`, binary, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (child.said += text));
  return { child, port, ended: once(child, 'close') };
}

async function createRoom(port) {
  const body = JSON.stringify({ game: GAME, settings: {} });
  for (let tries = 0; ; tries++) {
    try {
      return await fetch(`http://127.0.0.1:${port}${ROOMS}`, { method: 'POST', body });
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

for (const behind of ['<&-', '2>&-', '<&- 2>&-']) {
  test(`started with ${behind} it serves and stops as ever`, async () => {
    const { child, port, ended } = await serve('', behind);
    for (let i = 0; i < 3; i++) assert.equal((await createRoom(port)).status, 201);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });
}

for (const behind of ['>&-', '<&- >&-', '>/dev/full']) {
  test(`started with ${behind} it says that it cannot say where it listens`, async () => {
    const { child, ended } = await serve('', behind);
    assert.deepEqual(await ended, [1, null]);
    assert.match(child.said, /standard output cannot be written/);
  });
}

test('started with no stream at all it ends, and nothing else comes of it', async () => {
  const { ended } = await serve('', '<&- >&- 2>&-');
  assert.deepEqual(await ended, [1, null]);
});

test('with few descriptors one connection too many is told so', async () => {
  const { child, port, ended } = await serve('ulimit -n 300;', '');
  assert.equal((await createRoom(port)).status, 201);
  const sockets = [];
  for (let i = 0; i < 190; i++) {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {});
    sockets.push(socket);
  }
  const last = sockets.at(-1);
  let answer = '';
  last.setEncoding('utf8').on('data', (text) => (answer += text));
  last.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(last, 'close');
  assert.match(answer, /^HTTP\/1\.1 503 /);
  assert.match(answer, /"error":"busy"/);
  assert.match(answer, /\r\nRetry-After: \d+\r\n/);
  for (const socket of sockets) socket.destroy();
  assert.equal((await createRoom(port)).status, 201);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
