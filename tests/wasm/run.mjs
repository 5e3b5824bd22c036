// SPDX-License-Identifier: MIT
/*
 * Runs the tests of the browser's module and of the npm package, and prints TAP.
 *
 *   node tests/wasm/run.mjs                     10,000 positions
 *   node tests/wasm/run.mjs --count 1000000     as every night
 */
import { run } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { count } = parseArgs({ options: { count: { type: 'string', default: '10000' } } }).values;
if (!/^[1-9]\d{0,9}$/.test(count)) {
  console.error('usage: node tests/wasm/run.mjs [--count N]');
  process.exit(2);
}
process.env.KOMADAI_POSITIONS = count;

const files = ['native', 'boxes_engine', 'package'].map((name) =>
  fileURLToPath(new URL(`${name}.test.mjs`, import.meta.url)),
);
let passed = 0;
process.exitCode = 1;
let failed = 0;
run({ files })
  .on('test:pass', () => passed++)
  .on('test:fail', () => failed++)
  .on('end', () => (process.exitCode = passed > 0 && failed === 0 ? 0 : 1))
  .compose(tap)
  .pipe(process.stdout);
