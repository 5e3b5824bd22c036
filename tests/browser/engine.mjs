// SPDX-License-Identifier: MIT
/*
 * The computer player of the npm package in a page: served as its README says, under the content
 * security policy that it names. KOMADAI_PACKAGE names another folder than build/npm/komadai.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(process.env.KOMADAI_PACKAGE ?? join(top, 'build/npm/komadai'), 'dist');
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

const THINKING_MS = 1000;
/* What a person takes for at once. */
const AT_ONCE_MS = 200;
/* Chromium gives a Worker that computes two seconds to end by itself. */
const ENDED_MS = 10_000;

async function answer({ url }, response) {
  response.setHeader('Content-Security-Policy', POLICY);
  const path = normalize(new URL(url, 'http://localhost').pathname);
  if (path === '/') {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Engine</title><link rel="icon" href="data:," />');
    return;
  }
  try {
    const bytes = await readFile(join(dist, path));
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain');
    response.end(bytes);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}

/* Runs `body` with a page in which `engine` and what else the package offers are there by name. */
async function withEngine(open, body) {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const page = await open();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.evaluate(async () => {
      Object.assign(window, await import('/facade/boxes.js'));
      Object.assign(window, await import('/facade/boxes_engine.js'));
      window.engine = window.createBoxesEngine({ megabytes: 16, seed: 1 });
    });
    await body(page);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const tests = {
  'two levels play a game in the Worker': ({ open }) =>
    withEngine(open, async (page) => {
      assert.equal(page.workers().length, 0, 'no Worker before the first question');
      const { state, levels } = await page.evaluate(async () => {
        const { engine, drawEdge, initialBoxes, LEVELS } = window;
        let state = initialBoxes(3, 3);
        while (!state.over) {
          const level = state.player === 0 ? 'master' : 'taker';
          const { edge } = await engine.choose(state, { level, timeMs: 200 });
          state = drawEdge(state, edge);
        }
        return { state, levels: LEVELS };
      });
      assert.equal(page.workers().length, 1);
      assert.deepEqual([state.moves, state.winner], [24, 0], `scores ${state.scores}`);
      assert.equal(levels.length, 6);
    }),

  'a position is analysed': ({ open }) =>
    withEngine(open, async (page) => {
      const { value, lines, strings } = await page.evaluate(async () => {
        const { engine, drawEdge, initialBoxes } = window;
        return engine.analyse(drawEdge(initialBoxes(1, 3), 1));
      });
      assert.equal(lines.length, 9);
      assert.equal(value.low, value.high);
      assert.ok(lines.every(({ score }) => score.low === score.high));
      assert.deepEqual(
        strings.map(({ boxes }) => boxes),
        [],
      );
    }),

  'a question is given up at once, and the page stays quick meanwhile': ({ open }) =>
    withEngine(open, async (page) => {
      await page.evaluate(() => {
        const { engine, initialBoxes } = window;
        const control = new AbortController();
        const given = { level: 'master', timeMs: 60_000, signal: control.signal };
        window.ticks = [performance.now()];
        window.ticking = setInterval(() => window.ticks.push(performance.now()), 10);
        window.answered = engine.choose(initialBoxes(6, 7), given).then(
          () => 'answered',
          ({ name }) => name,
        );
        window.control = control;
      });
      await page.waitForTimeout(THINKING_MS);
      assert.equal(page.workers().length, 1);
      const { outcome, after, longest } = await page.evaluate(async () => {
        const { ticks, ticking, control } = window;
        clearInterval(ticking);
        ticks.push(performance.now());
        const began = performance.now();
        control.abort();
        const outcome = await window.answered;
        const gaps = ticks.slice(1).map((tick, index) => tick - ticks[index]);
        return { outcome, after: performance.now() - began, longest: Math.max(...gaps) };
      });
      assert.equal(outcome, 'AbortError');
      assert.ok(after < AT_ONCE_MS, `rejected after ${after} ms`);
      assert.ok(longest < AT_ONCE_MS, `the page stood still for ${longest} ms`);
      const { edge } = await page.evaluate(() =>
        window.engine.choose(window.initialBoxes(6, 7), { level: 'opener' }),
      );
      assert.ok(edge >= 0 && edge < 97);
      const until = Date.now() + ENDED_MS;
      while (page.workers().length > 1 && Date.now() < until) await page.waitForTimeout(50);
      assert.equal(page.workers().length, 1, 'the old Worker has ended');
    }),

  /* The number is that of the public reports in the project's list of bug cases. */
  'case 112: quick clicks and undo while it thinks give one move': ({ open }) =>
    withEngine(open, async (page) => {
      const outcomes = await page.evaluate(async () => {
        const { engine, initialBoxes } = window;
        const state = initialBoxes(6, 7);
        const outcomes = [];
        let control = new AbortController();
        for (let click = 0; click < 12; click++) {
          control.abort();
          control = new AbortController();
          const given = { level: 'master', timeMs: 300, signal: control.signal };
          outcomes.push(
            engine.choose(state, given).then(
              () => 'move',
              ({ name }) => name,
            ),
          );
          await new Promise((resolve) => setTimeout(resolve, click * 5));
        }
        return Promise.all(outcomes);
      });
      assert.deepEqual(outcomes, [...Array(11).fill('AbortError'), 'move']);
    }),

  'a Worker whose module is missing says so, and the next question works': ({ open }) =>
    withEngine(open, async (page) => {
      const isModule = /petits-carres-engine\.wasm$/;
      await page.context().route(isModule, (route) => route.fulfill({ status: 404 }));
      const choose = () =>
        page.evaluate(() =>
          window.engine.choose(window.initialBoxes(2, 2), { level: 'taker' }).then(
            ({ edge }) => (edge >= 0 ? 'move' : 'none'),
            ({ name, message }) => `${name}: ${message}`,
          ),
        );
      assert.match(await choose(), /^BoxesEngineFailure: the Worker failed: .*404/);
      await page.context().unroute(isModule);
      assert.equal(await choose(), 'move');
    }),

  'a Worker whose script is missing says so': ({ open }) =>
    withEngine(open, async (page) => {
      await page.context().route(/boxes_worker\.js$/, (route) => route.fulfill({ status: 404 }));
      const said = await page.evaluate(() =>
        window.engine.analyse(window.initialBoxes(2, 2)).catch(({ message }) => message),
      );
      assert.equal(said, 'the Worker failed: its script could not be loaded');
    }),
};
