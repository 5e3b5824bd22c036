// SPDX-License-Identifier: MIT
/*
 * A `komadai serve` of a test's own, and what speaks HTTP to it. Everything that waits has a limit, so
 * that a server that hangs fails a test instead of holding it up.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const PAGE = '<!doctype html><title>page</title>';
export const SCRIPT = 'export {};';

const START_MS = 20_000;
const ANSWER_MS = 10_000;
const STOP_MS = 10_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
export const binary = process.env.KOMADAI_BIN ?? join(root, 'bin/komadai');

/* For tests that ask for more than any person does. */
export const NO_LIMITS = [
  ...['--requests-per-second', '0', '--rooms-per-minute', '0'],
  ...['--connections-per-address', '0', '--commands-per-second', '0'],
];

export function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing after ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* The server's data outlives it, until `remove`. A restart comes back to the same port. */
export class Server {
  #folder = mkdtempSync(join(tmpdir(), 'komadai-http-'));
  #options;
  #fileBlocks;
  #child = null;
  #agent = new http.Agent({ keepAlive: true });
  url = null;
  /* What it wrote to standard error since its last start: its log. */
  log = '';
  /* The same, with what it wrote to standard output. */
  output = '';

  /* With `fileBlocks`, no file of the server may grow beyond so many blocks of 512 bytes. */
  constructor(options = [], { fileBlocks = null } = {}) {
    if (!existsSync(binary)) throw new Error(`there is no ${binary}; KOMADAI_BIN names another`);
    this.#options = options;
    this.#fileBlocks = fileBlocks;
    mkdirSync(join(this.web, 'assets'), { recursive: true });
    writeFileSync(join(this.web, 'index.html'), PAGE);
    writeFileSync(join(this.web, 'assets', 'page-1234.js'), SCRIPT);
  }

  /* A small page of its own, so that no test depends on what was built. */
  get web() {
    return join(this.#folder, 'web');
  }

  get data() {
    return join(this.#folder, 'data.sqlite');
  }

  async start() {
    const listen = this.url === null ? '127.0.0.1:0' : new URL(this.url).host;
    const args = ['serve', '--listen', listen, '--data', this.data, '--web', this.web];
    args.push(...this.#options);
    const limit = this.#fileBlocks === null ? '' : `ulimit -f ${this.#fileBlocks}; `;
    const shell = ['-c', `${limit}exec "$0" "$@"`, binary, ...args];
    const child = spawn('/bin/sh', shell, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.log = '';
    this.output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.log += text;
      this.output += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      this.output += text;
    });
    const first = once(createInterface({ input: child.stdout }), 'line');
    const failed = once(child, 'close').then(([code, signal]) => {
      throw new Error(`the server ended with ${code ?? signal}: ${this.complaints}`);
    });
    failed.catch(() => {});
    const [line] = await within(START_MS, 'the start', Promise.race([first, failed]));
    const match = /^listening on (http:\/\/\S+)$/.exec(line);
    if (match === null) throw new Error(`the server's first line is: ${line}`);
    this.url = match[1];
  }

  /* Its log without what is in order. */
  get complaints() {
    return this.log.replace(/^time=\S+ level=info .*\n/gm, '');
  }

  /* Waits until it has said that: what it writes and what it answers come by different ways. */
  async untilSaid(text) {
    const limit = Date.now() + ANSWER_MS;
    while (!this.output.includes(text)) {
      if (Date.now() > limit) throw new Error(`"${text}" is not in ${this.output}`);
      await sleep(10);
    }
  }

  get alive() {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /* No file of the running server may grow beyond so many bytes; null: as they like. */
  limitFiles(bytes) {
    const limit = `--fsize=${bytes ?? 'unlimited'}:`;
    execFileSync('prlimit', ['--pid', String(this.#child.pid), limit]);
  }

  unlimit() {
    this.#fileBlocks = null;
  }

  /* Sends a signal, and does not wait. */
  signal(name) {
    this.#child.kill(name);
  }

  /* Waits for the end that a signal brings; returns the exit status. */
  async ended() {
    if (this.alive) await within(STOP_MS, 'the end', once(this.#child, 'close'));
    return this.#child.exitCode;
  }

  /* Returns the exit status, or the signal that ended it. */
  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    this.#agent.destroy();
    this.#agent = new http.Agent({ keepAlive: true });
    if (!this.alive) return child?.exitCode ?? child?.signalCode ?? null;
    const gone = once(child, 'close');
    child.kill(signal);
    try {
      const [code, by] = await within(STOP_MS, `the end after ${signal}`, gone);
      return code ?? by;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /* Dies without warning, and comes back. */
  async crash() {
    await this.stop('SIGKILL');
    await this.start();
  }

  /* At the end of a file of tests: the server must still be there, and end well. */
  async remove() {
    const alive = this.alive;
    try {
      const code = await this.stop();
      if (!alive || code !== 0)
        throw new Error(`the server ended with ${code}: ${this.complaints}`);
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /*
   * One request; `body` is sent as it is when it is text or bytes, else as JSON. `from` is an address
   * of this machine, 127.0.0.1 unless it is told; `agent` keeps the connections of one browser.
   */
  async request(method, path, { key, body, headers = {}, from, agent } = {}) {
    const text = isRaw(body) ? body : JSON.stringify(body);
    const sent = { ...headers };
    if (key !== undefined) sent.Authorization = `Bearer ${key}`;
    if (text !== undefined) sent['Content-Length'] = Buffer.byteLength(text);
    const request = http.request(new URL(path, this.url), {
      method,
      headers: sent,
      agent: agent ?? this.#agent,
      localAddress: from,
    });
    request.end(text);
    return within(ANSWER_MS, `${method} ${path}`, readAnswer(request)).finally(() => {
      if (!request.writableEnded || request.res?.complete !== true) request.destroy();
    });
  }

  get(path, key) {
    return this.request('GET', path, { key });
  }

  post(path, body, key) {
    return this.request('POST', path, { body, key });
  }

  /* An event stream, opened when the head of its answer is there. */
  async listen(room, key, { lastEventId, query = '' } = {}) {
    const headers = { Authorization: `Bearer ${key}` };
    if (lastEventId !== undefined) headers['Last-Event-ID'] = lastEventId;
    const request = http.request(new URL(`/api/v1/rooms/${room}/events${query}`, this.url), {
      headers,
      agent: false,
    });
    request.end();
    const [response] = await within(ANSWER_MS, 'the event stream', once(request, 'response'));
    return new Stream(request, response);
  }
}

const isRaw = (body) => typeof body === 'string' || Buffer.isBuffer(body);

async function readAnswer(request) {
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  const json = response.headers['content-type'] === 'application/json' && text !== '';
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: json ? JSON.parse(text) : null,
  };
}

/*
 * Server-sent events as they come: `events`, `presences` and `pings` hold all of them, and `next`
 * gives each of `events` once.
 */
export class Stream {
  events = [];
  presences = [];
  /* What the server said last, where it stops. */
  bye = null;
  pings = 0;
  ended = false;
  #request;
  #read = 0;
  #wakes = [];

  constructor(request, response) {
    this.#request = request;
    this.status = response.statusCode;
    this.headers = response.headers;
    request.on('error', () => {});
    response.on('error', () => {});
    response.on('close', () => {
      this.ended = true;
      this.#wake();
    });
    let rest = '';
    response.setEncoding('utf8').on('data', (chunk) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) this.#take(block);
    });
  }

  /* A block with another line than the ones that are promised is a fault. */
  #take(block) {
    if (block === ': ping') {
      this.pings++;
    } else if (block.startsWith('event: presence\n')) {
      const [, data] = /^event: presence\ndata: (.*)$/.exec(block);
      this.presences.push(JSON.parse(data));
    } else if (block.startsWith('event: bye\n')) {
      const [, data] = /^event: bye\ndata: (.*)$/.exec(block);
      this.bye = JSON.parse(data);
    } else {
      const match = /^id: ((\d+)-(\d+))\nevent: (\w+)\ndata: (.*)$/.exec(block);
      if (match === null) throw new Error(`an event that is none: ${block}`);
      const [, id, epoch, rev, event, data] = match;
      this.events.push({ id, epoch, rev: Number(rev), event, snapshot: JSON.parse(data) });
    }
    this.#wake();
  }

  #wake() {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /* Waits until `ready` holds. */
  async until(what, ready, ms = ANSWER_MS) {
    const limit = Date.now() + ms;
    while (!ready()) {
      await within(limit - Date.now(), what, new Promise((resolve) => this.#wakes.push(resolve)));
    }
  }

  async next() {
    await this.until('an event', () => this.events.length > this.#read || this.ended);
    if (this.events.length === this.#read) throw new Error('the stream ended before an event');
    return this.events[this.#read++];
  }

  close() {
    this.#request.destroy();
  }
}
