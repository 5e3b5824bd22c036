// SPDX-License-Identifier: MIT
/*
 * Runs the tests of the running server and prints TAP.
 *
 *   node tests/http/run.mjs           every file
 *   node tests/http/run.mjs games     games.test.mjs only
 */
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const FILE_MS = 300_000;

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.test.mjs', '')))
  .map((name) => folder + name);

let passed = 0;
process.exitCode = 1;
const results = run({ files, concurrency: 2, timeout: FILE_MS });
results.on('test:pass', () => passed++);
let failed = 0;
results.on('test:fail', () => failed++);
results.on('end', () => {
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
});
results.compose(tap).pipe(process.stdout);
