// SPDX-License-Identifier: MIT
/*
 * The examples of docs/api.md: its blocks marked `sh run` are one script, in their order. What a block
 * prints must look like the block of `json` or `text` that stands right behind it, in which … is anything.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Server } from './harness.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const SCRIPT_MS = 30_000;
const SEPARATOR = '\x1e'; /* no byte of any answer */

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const examples = [
  ...page.matchAll(/^```sh run\n(.*?)^```\n(?:^```(json|text)\n(.*?)^```\n)?/gms),
].map(([, script, kind, shown]) => ({ script, kind, shown }));

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const pattern = (text) => new RegExp(`^${text.split('…').map(escape).join('.*')}$`);

/* `{…}` and `[…]` are any object and any list. */
function assertLike(actual, shown, path = 'answer') {
  if (typeof shown === 'string') {
    const [, mark, rest] = /^(object |list )?(.*)$/s.exec(shown);
    if (mark === 'list ') assert.ok(Array.isArray(actual), path);
    else if (mark === 'object ') assert.equal(typeof actual, 'object', path);
    else assert.match(String(actual), pattern(rest), path);
  } else if (shown === null || typeof shown !== 'object') {
    assert.equal(actual, shown, path);
  } else {
    assert.deepEqual(Object.keys(actual ?? {}).sort(), Object.keys(shown).sort(), path);
    for (const name of Object.keys(shown)) assertLike(actual[name], shown[name], `${path}.${name}`);
  }
}

/* JSON values one after the other, each on lines of its own. */
function assertJson(printed, shown) {
  const readable = shown
    .replaceAll('{…}', '"object "')
    .replaceAll('[…]', '"list "')
    .replaceAll(': …', ': "…"');
  const values = readable.split(/^(?=\{)/m).map((text) => JSON.parse(text));
  const answers = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(answers.length, values.length);
  values.forEach((value, index) => assertLike(answers[index], value));
}

function assertText(printed, shown) {
  const lines = printed.trim().split('\n');
  const patterns = shown.trim().split('\n').map(pattern);
  assert.equal(lines.length, patterns.length, printed);
  patterns.forEach((line, index) => assert.match(lines[index], line));
}

test('the examples of the interface print what is shown', async () => {
  assert.ok(examples.length >= 8);
  const script = examples.map(({ script }) => `${script}printf '${SEPARATOR}'\n`).join('');
  assert.ok(script.includes('http://127.0.0.1:8080'));
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', script.replace('http://127.0.0.1:8080', server.url)],
    { timeout: SCRIPT_MS },
  );
  const printed = stdout.split(SEPARATOR);
  examples.forEach(({ kind, shown }, index) => {
    if (kind === 'json') assertJson(printed[index], shown);
    else if (kind === 'text') assertText(printed[index], shown);
    else assert.equal(printed[index], '');
  });
});

test('the page names every reason that the tests of refusals meet', () => {
  const refused = JSON.parse(
    readFileSync(new URL('../data/refused_moves.json', import.meta.url), 'utf8'),
  );
  for (const { reason } of refused) assert.ok(page.includes(`\`${reason}\``), reason);
});
