// SPDX-License-Identifier: MIT
/* Runs the browser tests one after the other and prints TAP. See README.md. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server } from './server.mjs';
import * as engine from './engine.mjs';
import * as local from './local.mjs';
import * as looks from './looks.mjs';
import * as room from './room.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fromWeb = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = fromWeb('playwright-core');

const TEST_MS = 300_000;
const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const work = mkdtempSync(join(tmpdir(), 'komadai-browser-'));
const shots = process.env.KOMADAI_SHOTS ?? join(work, 'shots');
const server = new Server(
  process.env.KOMADAI_BIN ?? join(root, 'bin/komadai'),
  join(work, 'data.sqlite'),
  join(root, 'build/web'),
);
const game = JSON.parse(readFileSync(join(root, 'tests/data/browser_game.json'), 'utf8'));
const axe = readFileSync(fromWeb.resolve('axe-core/axe.min.js'), 'utf8');

const wanted = process.argv.slice(2);
const files = Object.entries({ local, room, looks, engine }).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);

let browser;
let count = 0;
let failures = 0;

/* A page's own errors and whatever its security policy blocked fail the test that saw them. */
function watch(context, troubles) {
  context.on('page', (page) => {
    page.on('pageerror', (error) => troubles.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) troubles.push(message.text());
    });
  });
}

async function runTest(name, body) {
  const troubles = [];
  const contexts = [];
  const open = async (options = {}) => {
    const context = await browser.newContext({
      locale: 'fr-FR',
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.push(context);
    context.setDefaultTimeout(10_000);
    watch(context, troubles);
    return context.newPage();
  };
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${TEST_MS} ms`)), TEST_MS);
  });
  let failure = null;
  try {
    await Promise.race([body({ open, server, game, axe, shots }), late]);
    if (troubles.length > 0) throw new Error(troubles.join('; '));
  } catch (error) {
    failure = error;
  } finally {
    clearTimeout(timer);
    await Promise.all(contexts.map((context) => context.close()));
  }
  count++;
  console.log(`${failure === null ? 'ok' : 'not ok'} ${count} - ${name}`);
  if (failure !== null) {
    failures++;
    for (const line of String(failure.stack).split('\n')) console.log(`# ${line}`);
  }
}

try {
  await server.start();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: CHROMIUM_ARGUMENTS,
  });
  for (const [file, { tests }] of files) {
    for (const [name, body] of Object.entries(tests)) await runTest(`${file}: ${name}`, body);
  }
} catch (error) {
  console.log(`Bail out! ${error.message}`);
  failures++;
} finally {
  await browser?.close();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
console.log(`1..${count}`);
process.exitCode = failures === 0 && count > 0 ? 0 : 1;
