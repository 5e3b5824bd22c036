// SPDX-License-Identifier: MIT
/* `komadai play` as a person or a script drives it, and what may stand between it and the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary, sleep, within } from './harness.mjs';

const SOON_MS = 20_000;

/* One run of the program; its output is read in order. */
export class Player {
  output = '';
  errors = '';
  #child;
  #closed;
  #read = 0;
  #wakes = [];

  /* `home` is where it keeps its seats. */
  constructor(home, ...words) {
    const env = { ...process.env, XDG_STATE_HOME: home };
    this.#child = spawn(binary, ['play', ...words], { env });
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      this.output += text;
      for (const wake of this.#wakes.splice(0)) wake();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.errors += text));
    this.#child.stdin.on('error', () => {});
    this.#closed = once(this.#child, 'close').then(([code, signal]) => code ?? signal);
    this.#closed.then(() => {
      for (const wake of this.#wakes.splice(0)) wake();
    });
  }

  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  type(line) {
    this.#child.stdin.write(typeof line === 'string' ? `${line}\n` : line);
  }

  /* Waits for the next match, behind the one before; a text is a whole line or more. */
  async until(what, ms = SOON_MS) {
    const limit = Date.now() + ms;
    for (;;) {
      const rest = this.output.slice(this.#read);
      const found = typeof what === 'string' ? { 0: what, index: rest.indexOf(`${what}\n`) } : null;
      const match = found ?? what.exec(rest);
      if (match !== null && match.index >= 0) {
        this.#read += match.index + match[0].length;
        return match;
      }
      const tell = () => `${what}, after:\n${this.output}\n${this.errors}`;
      if (!this.alive && this.#child.stdout.closed) throw new Error(`ended without ${tell()}`);
      await within(limit - Date.now(), tell(), new Promise((wake) => this.#wakes.push(wake)));
    }
  }

  /* The exit status, or the signal that ended it. */
  exit(ms = SOON_MS) {
    return within(ms, `the end, after:\n${this.output}`, this.#closed);
  }

  end(text = '') {
    this.#child.stdin.end(text);
    return this.exit();
  }

  kill() {
    this.#child.kill('SIGKILL');
    return this.#closed;
  }
}

/* The people of a file of tests, each at a machine of their own. */
export class Homes {
  scratch = mkdtempSync(join(tmpdir(), 'komadai-play-'));
  #count = 0;
  #players = [];

  fresh() {
    return join(this.scratch, `home ${++this.#count}`);
  }

  start(home, ...words) {
    const player = new Player(home, ...words);
    this.#players.push(player);
    return player;
  }

  /* The files of the seats that are kept there. */
  seats(home) {
    const folder = join(home, 'komadai/play');
    const names = readdirSync(folder).filter((name) => !name.endsWith('-lock'));
    return names.map((name) => join(folder, name));
  }

  async remove() {
    await Promise.all(this.#players.map((player) => player.kill()));
    rmSync(this.scratch, { recursive: true, force: true });
  }
}

/* Hands everything on to the server at `url`, and can lose an answer, hold events back or add some. */
export class Between {
  /* Each POST: its path and its body, in order. */
  posts = [];
  /* The heads of the event streams that were asked for. */
  streams = [];
  losesNext = 0;
  /* So late comes what is answered to a POST. */
  delayMs = 0;
  holdsEvents = false;
  #url;
  #server;
  #open = new Set();

  constructor(url) {
    this.#url = url;
  }

  async start(make = (handle) => http.createServer(handle)) {
    this.#server = make((request, response) => void this.#hand(request, response));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
  }

  stop() {
    this.cut();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /* Ends the open streams. */
  cut() {
    for (const response of this.#open) response.destroy();
  }

  /* Says this in every open stream. */
  inject(text) {
    for (const response of this.#open) response.write(text);
  }

  async #hand(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, url, headers } = request;
    let lost = false;
    if (method === 'POST') {
      this.posts.push({ url, body: JSON.parse(body) });
      lost = this.losesNext > 0;
      if (lost) this.losesNext--;
    }
    if (url.endsWith('/events')) this.streams.push(headers);
    const onward = http.request(new URL(url, this.#url), { method, headers, agent: false });
    onward.on('error', () => request.socket.destroy());
    onward.on('response', (answer) => {
      answer.on('error', () => request.socket.destroy());
      if (lost) answer.resume().on('end', () => request.socket.destroy());
      else if (method !== 'POST') this.#answer(answer, response);
      else void sleep(this.delayMs).then(() => this.#answer(answer, response));
    });
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  #answer(answer, response) {
    response.writeHead(answer.statusCode, answer.headers);
    if (answer.headers['content-type'] !== 'text/event-stream') {
      answer.pipe(response);
      return;
    }
    response.flushHeaders();
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    answer.on('data', (chunk) => this.holdsEvents || response.write(chunk));
    answer.on('close', () => response.destroy());
  }
}
