// SPDX-License-Identifier: MIT
// Prints the log of `meson test` (testlog.json) as one TAP: what each program printed as its subtests,
// then a point for the program. A program that crashed or ran out of time fails even when the points it
// printed did not.
import { readFileSync } from 'node:fs';

const results = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

results.forEach(({ name, result, stdout = '', stderr = '' }, index) => {
  console.log(`# Subtest: ${name}`);
  for (const line of stdout.trimEnd().split('\n')) console.log(`    ${line}`);
  const good = result === 'OK';
  console.log(`${good ? 'ok' : 'not ok'} ${index + 1} - ${name}${good ? '' : `: ${result}`}`);
  if (!good) {
    const said = stderr.trimEnd().split('\n').slice(-60);
    console.log(['  ---', ...said.map((line) => `  ${line}`), '  ...'].join('\n'));
  }
});
console.log(`1..${results.length}`);
