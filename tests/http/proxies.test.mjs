// SPDX-License-Identifier: MIT
/*
 * nginx and Caddy as dist/ configures them, before a real server: the files as they are, but for names,
 * ports and a certificate of this run's own. A proxy that is not installed is not tested, and a line of
 * the output says so.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { PAGE, Server, sleep } from './harness.mjs';
import { Homes } from './play.mjs';
import { statuses } from './raw.mjs';
import { freshId, GAME, PAWN, PAWN_REPLY, ROOMS } from './table.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const START_MS = 10_000;
const SOON_MS = 5000; /* long before the next ping */
const LONG_MS = 30_000; /* longer than the 25 s that nginx waits for a word */

const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
const has = (program, ...words) =>
  spawnSync(program, words, { env: { ...process.env, PATH: path } }).error === undefined;

let scratch;
before(() => {
  scratch = mkdtempSync(join(tmpdir(), 'komadai-proxies-'));
  chmodSync(scratch, 0o755);
});
after(() => rmSync(scratch, { recursive: true, force: true }));

const given = new Set(); // the system may name a port again that its owner has not taken yet

async function freePort() {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  await once(listener, 'close');
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}

/* A certificate for localhost that signs itself, the same for every proxy. */
let made = null;
function certify() {
  if (made !== null) return made;
  const [key, certificate] = [join(scratch, 'key.pem'), join(scratch, 'certificate.pem')];
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
      .concat(['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'])
      .concat(['-keyout', key, '-out', certificate]),
  );
  assert.equal(status, 0, String(stderr));
  made = { key, certificate };
  return made;
}

/* `text` with each of `changes` ([from, to]) made; a text that is not there is a fault. */
function change(text, changes) {
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), from);
    text = text.replaceAll(from, to);
  }
  return text;
}

function nginxFiles({ folder, upstream, port, plain, key, certificate }) {
  const site = change(readFileSync(join(dist, 'nginx/komadai.conf'), 'utf8'), [
    ['listen [::]:80;', ''],
    ['listen [::]:443 ssl http2;', ''],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['127.0.0.1:8080;', `127.0.0.1:${upstream};`],
    ['server_name games.example;', 'server_name localhost;'],
    ['https://games.example$', `https://localhost:${port}$`],
    ['/etc/letsencrypt/live/games.example/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/games.example/privkey.pem', key],
  ]);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const user = process.getuid() === 0 ? 'user root;' : '';
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
    events {} http { ${temporary.join(' ')} include ${folder}/site.conf; }`,
  );
  return ['nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']];
}

function caddyFiles({ folder, upstream, port, plain, key, certificate }) {
  const site = change(readFileSync(join(dist, 'caddy/Caddyfile'), 'utf8'), [
    ['{\n\tservers', `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${port}\n\tservers`],
    ['games.example {', `localhost {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ['127.0.0.1:8080 {', `127.0.0.1:${upstream} {`],
  ]);
  writeFileSync(join(folder, 'Caddyfile'), site);
  return ['caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']];
}

const proxies = {
  nginx: { files: nginxFiles, there: () => has('nginx', '-v') },
  Caddy: { files: caddyFiles, there: () => has('caddy', 'version') },
};

/* A running proxy before the server at `upstream`. */
class Proxy {
  static async start(name, upstream, port) {
    const folder = mkdtempSync(join(scratch, `${name}-`));
    const { key, certificate } = certify();
    const plain = await freePort();
    const options = { folder, upstream, port, plain, key, certificate };
    const [program, words] = proxies[name].files(options);
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const child = spawn(program, words, {
      env: { ...process.env, ...home, PATH: path },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const proxy = new Proxy();
    Object.assign(proxy, { child, port, plain, ca: readFileSync(certificate), said: '' });
    child.stderr.setEncoding('utf8').on('data', (text) => (proxy.said += text));
    try {
      await proxy.#untilItListens();
    } catch (error) {
      await proxy.stop();
      throw error;
    }
    return proxy;
  }

  async #untilItListens() {
    for (const limit = Date.now() + START_MS; ; await sleep(50)) {
      if (this.child.exitCode !== null || Date.now() > limit) {
        throw new Error(`the proxy does not listen: ${this.said}`);
      }
      const socket = net.connect(this.port, '127.0.0.1');
      const up = await new Promise((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      socket.destroy();
      if (up) return;
    }
  }

  get origin() {
    return `https://localhost:${this.port}`;
  }

  /* `localAddress` is one of this machine's, for a visitor of its own. */
  async connect(localAddress) {
    const session = http2.connect(this.origin, { ca: this.ca, localAddress });
    session.on('error', () => {});
    await once(session, 'connect');
    return session;
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'close');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await gone;
    clearTimeout(timer);
  }
}

/* One request on a session of HTTP/2. */
async function ask(session, method, path, { key, body, headers = {} } = {}) {
  const fields = { ':method': method, ':path': path, ...headers };
  if (key !== undefined) fields.authorization = `Bearer ${key}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  if (text !== undefined) fields['content-length'] = Buffer.byteLength(text);
  const stream = session.request(fields, { endStream: text === undefined });
  if (text !== undefined) stream.end(text);
  const [answer] = await once(stream, 'response');
  let said = '';
  for await (const chunk of stream.setEncoding('utf8')) said += chunk;
  const json = answer['content-type'] === 'application/json' && said !== '';
  return {
    status: answer[':status'],
    headers: answer,
    text: said,
    body: json ? JSON.parse(said) : null,
  };
}

/* An event stream on a session of HTTP/2: the revisions, and how many pings. */
async function listen(session, room, key) {
  const stream = session.request({
    ':path': `${ROOMS}/${room}/events`,
    authorization: `Bearer ${key}`,
  });
  const reader = { stream, revs: [], pings: 0, ended: false };
  stream.on('error', () => {});
  stream.on('close', () => (reader.ended = true));
  stream.setEncoding('utf8').on('data', (text) => {
    for (const [, rev] of text.matchAll(/^id: \d+-(\d+)$/gm)) reader.revs.push(Number(rev));
    reader.pings += text.split(': ping\n\n').length - 1;
  });
  const [answer] = await once(stream, 'response');
  assert.equal(answer[':status'], 200);
  assert.equal(answer['content-type'], 'text/event-stream');
  return reader;
}

async function until(what, ready, ms = SOON_MS) {
  for (const limit = Date.now() + ms; !ready(); await sleep(10)) {
    if (Date.now() > limit) throw new Error(`${what}: not after ${ms} ms`);
  }
}

/* A server and the proxy before it, at the address that the server is told. */
async function startBoth(name, options = []) {
  const port = await freePort();
  const server = new Server(['--public-url', `https://localhost:${port}`, ...options]);
  await server.start();
  try {
    return { server, proxy: await Proxy.start(name, new URL(server.url).port, port) };
  } catch (error) {
    await server.remove();
    throw error;
  }
}

async function playThrough({ server, proxy }) {
  const session = await proxy.connect();
  assert.equal(session.alpnProtocol, 'h2');

  const page = await ask(session, 'GET', '/');
  assert.deepEqual([page.status, page.text], [200, PAGE]);
  assert.equal(page.headers['strict-transport-security'], 'max-age=31536000');
  const direct = (await server.get('/')).headers;
  for (const field of Object.keys(direct)) {
    if (['date', 'connection', 'keep-alive', 'content-length'].includes(field)) continue;
    assert.equal(page.headers[field], direct[field], field);
  }
  const small = await ask(session, 'GET', '/', { headers: { 'accept-encoding': 'gzip' } });
  const again = { 'accept-encoding': 'gzip', 'if-none-match': small.headers.etag };
  assert.equal((await ask(session, 'GET', '/', { headers: again })).status, 304);

  const make = { game: GAME, settings: {} };
  const foreign = { origin: 'https://evil.example' };
  assert.equal((await ask(session, 'POST', ROOMS, { body: make, headers: foreign })).status, 403);
  const own = { origin: proxy.origin, 'accept-encoding': 'gzip' };
  const made = await ask(session, 'POST', ROOMS, { body: make, headers: own });
  assert.equal(made.status, 201);
  assert.equal(made.headers['content-encoding'], undefined);
  const { room, key: host, inviteUrl } = made.body;
  assert.ok(inviteUrl.startsWith(`${proxy.origin}/rubriques/`), inviteUrl);
  const body = { invite: inviteUrl.split('#invite=')[1], game: GAME };
  const joined = await ask(session, 'POST', `${ROOMS}/${room}/join`, { body, headers: own });
  assert.equal(joined.status, 201);

  const reader = await listen(session, room, joined.body.key);
  await until('the first state', () => reader.revs.at(-1) === 2);
  const command = { rev: 2, id: freshId(), op: 'play', action: PAWN };
  const path = `${ROOMS}/${room}/commands`;
  const played = await ask(session, 'POST', path, { key: host, body: command, headers: own });
  assert.equal(played.status, 200);
  await until('the move', () => reader.revs.at(-1) === 3);
  assert.equal(reader.pings, 0);

  const large = { ...make, x: 'x'.repeat(17_000) };
  assert.equal((await ask(session, 'POST', ROOMS, { body: large })).status, 413);
  return { session, reader, room, host, guest: joined.body.key };
}

async function liveLong({ reader }) {
  await sleep(LONG_MS);
  assert.equal(reader.ended, false);
  assert.ok(reader.pings >= 2);
}

async function restart({ server }, { session, reader, room, host, guest }) {
  const path = `${ROOMS}/${room}`;
  await server.stop();
  await until('the end of the stream', () => reader.ended);
  assert.equal((await ask(session, 'GET', path, { key: host })).status, 502);
  await server.start();
  const { status, body } = await ask(session, 'GET', path, { key: host });
  assert.deepEqual([status, body?.rev], [200, 3]);
  const next = await listen(session, room, host);
  await until('the state', () => next.revs.at(-1) === 3);
  const command = { rev: 3, id: freshId(), op: 'play', action: PAWN_REPLY };
  const answer = await ask(session, 'POST', `${path}/commands`, { key: guest, body: command });
  assert.equal(answer.status, 200);
  await until('the move', () => next.revs.at(-1) === 4);
}

/* What a client of the proxy sends as it is, over TLS, and what comes back until the end. */
async function sendRaw(proxy, text) {
  const servername = 'localhost';
  const socket = tls.connect({ port: proxy.port, host: servername, servername, ca: proxy.ca });
  socket.on('error', () => {});
  socket.setTimeout(SOON_MS, () => socket.destroy());
  await once(socket, 'secureConnect');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(text);
  await closed;
  return answer;
}

/* Two of `komadai play`, over HTTP/2. */
async function playInTerminals({ server, proxy }, people) {
  const trust = ['--cacert', certify().certificate];
  const host = people.start(people.fresh(), ...trust, proxy.origin);
  const [, link] = await host.until(/^invitation: (\S+)$/m);
  assert.ok(link.startsWith(`${proxy.origin}/rubriques/`), link);
  const guest = people.start(people.fresh(), ...trust, link);
  await host.until('turn: yours');
  host.type('5d5c');
  await guest.until('turn: yours', SOON_MS);
  await server.stop();
  await guest.until(/^lost: /m);
  guest.type('1b1c');
  await server.start();
  await guest.until(/played: 1b1c by you[^]*found: |found: [^]*played: 1b1c by you/);
  await host.until('played: 1b1c by the other player');
  for (const player of [host, guest]) assert.equal(await player.end(), 0);
}

/* Two lengths or a length and chunks, with a request that would make a room behind or within. */
async function smuggle({ server, proxy }) {
  const make = JSON.stringify({ game: GAME, settings: {} });
  const hidden = `POST ${ROOMS} HTTP/1.1\r\nHost: x\r\nContent-Length: ${make.length}\r\n\r\n${make}`;
  const head = `POST /health HTTP/1.1\r\nHost: localhost:${proxy.port}\r\n`;
  const size = hidden.length.toString(16);
  const { rooms } = (await server.get('/health')).body;
  for (const rest of [
    `Content-Length: ${hidden.length}\r\nConnection: close\r\n\r\n${hidden}`,
    `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`,
    `Transfer-Encoding : chunked\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`,
    `Transfer-Encoding: xchunked\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`,
    `Transfer-Encoding:\x0bchunked\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`,
  ]) {
    const answer = await sendRaw(proxy, head + rest);
    assert.ok(!statuses(answer).includes(201), answer);
    assert.equal((await server.get('/health')).body.rooms, rooms, rest);
  }
}

/* What reaches the server of a client that says it is somebody else. */
async function forward(name) {
  const seen = [];
  const upstream = http.createServer((request, response) => {
    seen.push(request);
    response.end('{}');
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const proxy = await Proxy.start(name, upstream.address().port, await freePort());
  try {
    const session = await proxy.connect();
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    await ask(session, 'GET', '/health', { headers });
    session.destroy();
    assert.equal(seen[0].headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(seen[0].headers.host, `localhost:${proxy.port}`);
    assert.equal(seen[0].httpVersion, '1.1');
  } finally {
    await proxy.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}

/* Two visitors: what one asks too often, whoever it says it is, is not the other's. */
async function floodByOne({ proxy }) {
  const [flooder, visitor] = [await proxy.connect('127.0.0.2'), await proxy.connect()];
  try {
    const answers = [];
    const make = { game: GAME, settings: {} };
    for (let i = 0; i < 15; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` };
      const askOnce = () => ask(flooder, 'GET', '/health', { headers });
      answers.push(...(await Promise.all(Array.from({ length: 20 }, askOnce))));
      assert.equal((await ask(visitor, 'GET', '/')).status, 200);
      assert.equal((await ask(visitor, 'POST', ROOMS, { body: make })).status, 201);
    }
    const limited = answers.filter(({ status }) => status === 429);
    assert.ok(answers.slice(0, 100).every(({ status }) => status === 200));
    assert.ok(limited.length > 100, `${limited.length} of ${answers.length}`);
    for (const { headers, body } of limited) {
      assert.equal(headers['retry-after'], '1');
      assert.equal(body.error, 'too-many');
    }
  } finally {
    flooder.destroy();
    visitor.destroy();
  }
}

/* At the same time, since most of it is waiting. */
describe('before a server', { concurrency: true }, () => {
  for (const [name, { there }] of Object.entries(proxies)) {
    const withBoth = (what, body) =>
      test(`${name}: ${what}`, async (context) => {
        if (!there() || !has('openssl', 'version')) {
          context.diagnostic(`did not run: ${name} or openssl is not installed`);
          return;
        }
        await body();
      });

    withBoth('pages, moves and streams pass, for long, and a restart is got over', async () => {
      const both = await startBoth(name);
      let game = null;
      try {
        game = await playThrough(both);
        await smuggle(both);
        await liveLong(game);
        await restart(both, game);
      } finally {
        game?.session.destroy();
        await both.proxy.stop();
        await both.server.remove();
      }
    });

    withBoth('terminals play, also over a restart', async () => {
      const both = await startBoth(name);
      const people = new Homes();
      try {
        await playInTerminals(both, people);
      } finally {
        await people.remove();
        await both.proxy.stop();
        await both.server.remove();
      }
    });

    withBoth('the server is told the address that the proxy sees, and no other', () =>
      forward(name),
    );

    withBoth('a flood by one visitor is limited, and another plays on', async () => {
      const both = await startBoth(name, ['--proxy', '127.0.0.1', '--requests-per-second', '5']);
      try {
        await floodByOne(both);
      } finally {
        await both.proxy.stop();
        await both.server.remove();
      }
    });

    withBoth('plain HTTP leads to TLS', async () => {
      const proxy = await Proxy.start(name, await freePort(), await freePort());
      try {
        const request = http.get({
          port: proxy.plain,
          host: '127.0.0.1',
          path: '/x?y',
          agent: false,
          headers: { Host: 'localhost' },
        });
        const [response] = await once(request, 'response');
        response.resume();
        assert.equal(response.statusCode, 308);
        assert.match(response.headers.location, /^https:\/\/localhost(:\d+)?\/x\?y$/);
      } finally {
        await proxy.stop();
      }
    });
  }
});
