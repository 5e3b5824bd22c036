// SPDX-License-Identifier: MIT
// The tally of ./test: what counts as passed, and what as failed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const tally = fileURLToPath(new URL('../../tools/lib/tally.awk', import.meta.url));

/* What the tally says of `tap` when its printer ended with `code`: "PASSED FAILED". */
function count(tap, code = 0) {
  const { stdout, stderr } = spawnSync('awk', ['-v', `code=${code}`, '-f', tally], {
    input: tap,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return stdout.trim();
}

const nested = `TAP version 13
# Subtest: outer
    # Subtest: inner
        ok 1 - a
        not ok 2 - b
        1..2
    not ok 1 - inner
      ---
      error: |-
        ok 7 - this is what a test printed
        not ok 8 - and this
      ...
    ok 2 - c
    1..2
not ok 1 - outer
ok 2 - d
1..2
# fail 1
`;

const cases = {
  counts_flat_points: ['1..3\nok 1 - a\nnot ok 2 - b\nok 3\n', 1, '2 1'],
  counts_points_without_a_plan_or_numbers: ['ok - a\nok\n', 0, '2 0'],
  counts_leaves_only: [nested, 1, '3 1'],
  counts_a_parent_that_failed_alone: ['    ok 1 - a\n    1..1\nnot ok 1 - outer\n', 1, '1 1'],
  counts_no_parent_that_passed: ['    ok 1 - a\nok 1 - outer\n', 0, '1 0'],
  counts_a_point_after_a_parent_as_a_leaf: ['    ok 1\nok 1 - outer\nok 2 - leaf\n', 0, '2 0'],
  counts_leaves_whose_parent_never_came: ['    ok 1 - a\n    not ok 2 - b\n', 1, '1 1'],
  counts_a_skipped_point_as_failed: ['1..1\nok 1 - a # SKIP no browser\n', 0, '0 1'],
  counts_a_point_to_do_as_failed: ['1..1\nok 1 - a # TODO later\n', 0, '0 1'],
  reads_an_escaped_mark_as_part_of_the_name: ['ok 1 - a \\# skip\n', 0, '1 0'],
  counts_a_short_plan_as_one_failure: ['1..3\nok 1 - a\n', 0, '1 1'],
  counts_a_short_plan_inside_once: ['    1..3\n    ok 1 - a\nnot ok 1 - outer\n', 1, '1 1'],
  counts_a_long_plan_as_one_failure: ['1..1\nok 1\nok 2\n', 0, '2 1'],
  adds_the_plans_of_groups: ['1..1\nok 1\n1..2\nok 1\nok 2\n', 0, '3 0'],
  counts_bail_out_as_failed: ['ok 1\nBail out! no server\n', 1, '1 1'],
  counts_a_crash_without_a_failure_as_one: ['ok 1 - a\n', 134, '1 1'],
  counts_a_crash_after_a_failure_once: ['not ok 1 - a\n', 134, '0 1'],
  counts_a_suite_that_ran_nothing_as_failed: ['', 0, '0 1'],
  counts_an_empty_plan_as_failed: ['1..0 # skipped\n', 0, '0 1'],
  ignores_words_that_only_begin_alike: ['okay\nnot okay\nok 1 - a\n', 0, '1 0'],
};

for (const [name, [tap, code, expected]] of Object.entries(cases)) {
  test(`tally__${name}`, () => assert.equal(count(tap, code), expected));
}
