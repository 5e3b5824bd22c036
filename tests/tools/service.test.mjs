// SPDX-License-Identifier: MIT
/* The unit of systemd, as systemd reads it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const unit = fileURLToPath(new URL('../../dist/systemd/komadai.service', import.meta.url));
const EXPOSURE = 0.9; /* docs/operations.md names it, and what is left */

/* What systemd-analyze says; null, and a line in the output of the tests, where it cannot be asked. */
function analyze(context, ...words) {
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', words, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (error?.code === 'ENOENT') {
    context.diagnostic('did not run: systemd-analyze is not installed');
    return null;
  }
  assert.equal(error, undefined);
  if (/unrecognized option '--offline/.test(stderr)) {
    context.diagnostic('did not run: this systemd-analyze is older than version 250');
    return null;
  }
  return { status, stdout, stderr };
}

test('the service is exposed no more than the operator is told', (context) => {
  const answer = analyze(context, 'security', '--offline=true', '--no-pager', unit);
  if (answer === null) return;
  assert.equal(answer.status, 0, answer.stderr);
  const match = /Overall exposure level for komadai\.service: ([\d.]+) /.exec(answer.stdout);
  assert.ok(match !== null, answer.stdout);
  assert.ok(Number(match[1]) <= EXPOSURE, answer.stdout);
});

test('systemd knows every line of the unit', (context) => {
  const answer = analyze(context, 'verify', '--man=no', unit);
  if (answer === null) return;
  /* The program need not be installed where the tests run. */
  const rest = answer.stderr.replace(/^.*Command komadai is not executable.*\n?/m, '');
  assert.equal(rest.trim(), '');
});

test('the documentation says the exposure, and the unit the options that the server has', () => {
  const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  assert.ok(operations.includes(`exposure of ${EXPOSURE}`));
  const page = readFileSync(new URL('../../docs/man/komadai.1', import.meta.url), 'utf8');
  const [start] = /^ExecStart=.*$/m.exec(readFileSync(unit, 'utf8'));
  for (const [, option] of start.matchAll(/ --([a-z-]+)/g)) {
    assert.ok(page.includes(`Fl -${option} `), option);
  }
});
