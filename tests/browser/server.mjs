// SPDX-License-Identifier: MIT
/* A `komadai serve` of our own, with the page of `web` and its data in a file that outlives it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

const START_MS = 20_000;

export class Server {
  #binary;
  #data;
  #web;
  #child = null;
  url = null;

  constructor(binary, data, web) {
    this.#binary = binary;
    this.#data = data;
    this.#web = web;
  }

  /* On a free port the first time, then always on that one: pages find it again. */
  async start() {
    const listen = this.url === null ? '127.0.0.1:0' : new URL(this.url).host;
    const options = ['--listen', listen, '--data', this.#data, '--web', this.#web];
    const child = spawn(this.#binary, ['serve', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server did not start')), START_MS);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      createInterface({ input: child.stdout }).once('line', (line) => {
        clearTimeout(timer);
        const match = /^listening on (http:\/\/\S+)$/.exec(line);
        if (match) resolve(match[1]);
        else reject(new Error(`the server's first line is: ${line}`));
      });
    });
  }

  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
