// SPDX-License-Identifier: MIT
/*
 * That bench/server measures what it says, in a small run: nothing here is judged by its time. The
 * generator is the one of the build that the server comes from.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary } from './harness.mjs';

const bench = fileURLToPath(new URL('../../bench/server.mjs', import.meta.url));
const build = dirname(dirname(dirname(realpathSync(binary))));
const web = mkdtempSync(join(tmpdir(), 'komadai-load-'));
writeFileSync(join(web, 'index.html'), '<!doctype html><title>page</title>');
writeFileSync(join(web, 'page-1234.js'), 'export {};');
after(() => rmSync(web, { recursive: true }));

/* Its exit status and all that it printed. */
async function runBench(...options) {
  const args = [bench, '--build', build, '--web', web, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, said };
}

test('moves, silent readers, a class and a flood are measured, and the peer', async () => {
  const sizes = ['--rooms', '30', '--lanes', '8', '--rooms-per-address', '2', '--seconds', '1'];
  const others = ['--silent', '6', '--flood', '2', '--rounds', '1', '--check'];
  const { status, said } = await runBench(...sizes, ...others);
  const rows = [...said.matchAll(/^(\S.*?|  \S.*?) {2,}(\d+) {2,}\d/gm)];
  const medians = [...said.matchAll(/^(\S.*?|  \S.*?) {2,}(\d+) moves\/s \(\2 to \2\), p50 /gm)];

  for (const list of [rows, medians]) {
    assert.deepEqual(
      list.map(([, name]) => name.trim()),
      ['komadai', '1,000 of the rooms', 'and silent readers', 'and a flood', 'peer, in memory'],
      said,
    );
    for (const [line, , rate] of list) assert.ok(Number(rate) > 0, line);
  }
  assert.match(said, /^komadai: 60 streams, .*: [1-9]\d+ bytes of the process a stream,/m);
  assert.match(said, /^6 readers that never read:/m);
  assert.match(said, /^class of 40 .* 1200 moves, .* 0 were answered 429, 0 failed$/m);
  assert.match(said, /^flood of 2 connections .*: [1-9]\d* answers a second/m);
  assert.match(said, /^missed {2}10,000 live streams$/m);
  assert.equal(status, 1, said);
});

test('options of the server go on to it', async () => {
  const { status, said } = await runBench('--no-peer', '--', '--no-such-option');

  assert.match(said, /no-such-option/);
  assert.equal(status, 2, said);
});

test('a data file in memory is refused', async () => {
  const { status, said } = await runBench('--data-folder', '/dev/shm');

  assert.match(said, /is in memory/);
  assert.equal(status, 2);
});
