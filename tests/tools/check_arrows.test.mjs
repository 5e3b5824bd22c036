// SPDX-License-Identifier: MIT
// tools/check-arrows on small trees made for it: a good one, then that tree with one fault each.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../tools/check-arrows', import.meta.url));

const good = {
  'include/komadai/README.md': '`include/komadai` -> nothing\n',
  'include/komadai/komadai.h': '#include <stddef.h>\n',
  'src/base/README.md': '`src/base` -> nothing\n\nText.\n',
  'src/base/text.h': '#pragma once\n#include <stdint.h>\n#include "base/status.h"\n',
  'src/game/README.md': '`src/game` -> `base`\n',
  'src/game/game.h': '#include "base/text.h"\n',
  'src/shogi/README.md': '`src/shogi` -> `game`\n',
  'src/shogi/mini.c':
    '#include <sys/types.h>\n#include "game/game.h"\n#include "base/text.h"\n#include "tables.h"\n',
  'src/shogi/tables.h':
    '/*\n#include "api/never.h"\n*/\n// #include "nowhere/never.h"\nstatic const char *s = "/*";\n',
  'src/api/README.md': '`src/api` -> `shogi`, `include/komadai`\n',
  'src/api/api.c': '#include <komadai/komadai.h>\n#include "shogi/mini.h"\n',
  'tools/train/README.md': '`tools/train` -> `shogi`\n',
  'tools/train/deep/train.c': '#include "base/text.h"\n#include "train/data.h"\n',
  'web/core/README.md': '`web/core` -> nothing\n',
  'web/core/state.ts':
    "// import x from '../app/page.ts';\nimport { y } from './other.ts';\nexport const z = 'http://a/b';\n",
  'web/board/README.md': '`web/board` -> `core`\n',
  'web/board/Board.svelte':
    "<!-- import '../app/a.ts' -->\n<script lang=\"ts\">\n  import {\n    a,\n    b,\n  } from '../core/state.ts';\n</script>\n",
  'web/app/README.md': '`web/app` -> `board`\n',
  'web/app/main.ts':
    "import { mount } from 'svelte';\nimport rules from 'komadai.wasm?url';\nimport Board from '../board/Board.svelte';\nexport * from '../core/state.ts';\n",
  'web/node_modules/x/index.js': "import '../../../elsewhere.js';\n",
  'web/public/robots.txt': '',
};

/* The status of check-arrows on the good tree with `changes`, where null takes a file away, and its faults. */
function check(changes) {
  const root = mkdtempSync(join(tmpdir(), 'check arrows '));
  try {
    for (const [name, text] of Object.entries({ ...good, ...changes })) {
      if (text === null) continue;
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, root], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    return { status, faults: stdout.split('\n').filter((line) => line !== '') };
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('check_arrows__accepts_a_good_tree', () => {
  assert.deepEqual(check({}), { status: 0, faults: [] });
});

const refused = {
  an_include_against_the_arrow: [
    { 'src/base/text.h': '\n#include "game/game.h"\n' },
    /^src\/base\/text\.h:2: "game\/game\.h" is in src\/game; src\/base may use no other folder$/,
  ],
  an_include_of_a_folder_beside: [
    { 'src/boxes/README.md': '`src/boxes` -> `game`\n', 'src/shogi/a.h': '#include "boxes/b.h"\n' },
    /^src\/shogi\/a\.h:1: .* only src\/base, src\/game$/,
  ],
  an_include_of_the_installed_header: [
    { 'src/base/a.c': '#include "komadai/komadai.h"\n' },
    /^src\/base\/a\.c:1: .* is in include\/komadai;/,
  ],
  an_include_in_angle_brackets: [
    { 'src/base/a.c': '#include <game/game.h>\n' },
    /^src\/base\/a\.c:1: "game\/game\.h" is in src\/game;/,
  ],
  an_include_with_odd_spaces: [
    { 'src/base/a.c': '\\\n\n  # \t include\\\n"game/game.h" // why\n' },
    /^src\/base\/a\.c:3: "game\/game\.h" is in src\/game;/,
  ],
  an_include_after_a_comment: [
    { 'src/base/a.c': 'int c = \'"\'; /* \n */ /* x */ #include "game/game.h"\n' },
    /^src\/base\/a\.c:2: "game\/game\.h"/,
  ],
  an_include_in_a_folder_below: [
    { 'src/base/deep/a.c': '#include "game/game.h"\n' },
    /^src\/base\/deep\/a\.c:1: /,
  ],
  an_include_by_relative_path: [
    { 'src/game/a.c': '#include "../base/text.h"\n' },
    /^src\/game\/a\.c:1: "\.\.\/base\/text\.h" is a relative path/,
  ],
  an_include_by_a_way_round: [
    { 'src/base/a.c': '#include "base/../game/game.h"\n' },
    /^src\/base\/a\.c:1: .* is a relative path/,
  ],
  an_include_by_macro: [
    { 'src/base/a.c': '#include HEADER\n' },
    /^src\/base\/a\.c:1: #include HEADER names no file/,
  ],
  an_include_of_an_unknown_folder: [
    { 'src/base/a.c': '#include "nowhere/a.h"\n' },
    /^src\/base\/a\.c:1: "nowhere\/a\.h" is in no folder of src\/$/,
  ],
  an_include_of_an_unknown_file_beside: [
    { 'src/base/a.c': '#include "game.h"\n' },
    /^src\/base\/a\.c:1: "game\.h" is in no folder of src\/$/,
  ],
  an_include_in_the_trainer: [
    { 'tools/train/a.c': '#include "api/api.h"\n' },
    /^tools\/train\/a\.c:1: "api\/api\.h" is in src\/api;/,
  ],
  a_folder_of_src_without_an_arrow_line: [
    { 'src/new/a.c': '' },
    /^src\/new\/README\.md:1: is missing/,
  ],
  a_folder_of_web_without_an_arrow_line: [
    { 'web/new/a.ts': '' },
    /^web\/new\/README\.md:1: is missing/,
  ],
  a_readme_that_opens_otherwise: [
    { 'src/base/README.md': '# Base\n\n`src/base` -> nothing\n' },
    /^src\/base\/README\.md:1: the first line is no arrow line/,
  ],
  an_arrow_line_of_another_folder: [
    { 'src/base/README.md': '`src/game` -> nothing\n' },
    /^src\/base\/README\.md:1: the first line is no arrow line; write "`src\/base` -> /,
  ],
  an_arrow_to_an_unknown_folder: [
    { 'src/base/README.md': '`src/base` -> `nowhere`\n' },
    /^src\/base\/README\.md:1: the arrow leads to src\/nowhere, which is no folder/,
  ],
  an_import_against_the_arrow: [
    { 'web/core/a.ts': "\nimport { a } from '../app/main.ts';\n" },
    /^web\/core\/a\.ts:2: '\.\.\/app\/main\.ts' is in web\/app; web\/core may use no other folder$/,
  ],
  an_import_over_several_lines: [
    { 'web/core/a.ts': "import {\n  a,\n} from\n  '../app/main.ts';\n" },
    /^web\/core\/a\.ts:1: /,
  ],
  an_import_for_its_effect: [
    { 'web/core/a.ts': "import '../app/main.ts';\n" },
    /^web\/core\/a\.ts:1: /,
  ],
  an_import_of_types: [
    { 'web/core/a.ts': "import type { A } from '../board/a.ts';\n" },
    /^web\/core\/a\.ts:1: .* is in web\/board;/,
  ],
  an_import_on_demand: [
    { 'web/core/a.ts': "const page = await import('../app/main.ts');\n" },
    /^web\/core\/a\.ts:1: /,
  ],
  an_export_from_elsewhere: [
    { 'web/core/a.ts': "export { a } from '../app/main.ts';\n" },
    /^web\/core\/a\.ts:1: /,
  ],
  a_worker_from_elsewhere: [
    { 'web/core/a.ts': "new Worker(new URL('../app/worker.ts', import.meta.url));\n" },
    /^web\/core\/a\.ts:1: /,
  ],
  an_import_by_alias: [
    { 'web/core/a.ts': "import { a } from '$app/main.ts';\n" },
    /^web\/core\/a\.ts:1: '\$app\/main\.ts' is in web\/app;/,
  ],
  an_import_in_a_component: [
    {
      'web/board/A.svelte': "<p>l'été</p>\n<script>\nimport A from '../app/A.svelte';\n</script>\n",
    },
    /^web\/board\/A\.svelte:3: /,
  ],
  an_import_from_outside_the_page: [
    { 'web/core/a.ts': "import { a } from '../../tools/a.ts';\n" },
    /^web\/core\/a\.ts:1: .* is in no folder of web\/$/,
  ],
};

for (const [name, [changes, expected]] of Object.entries(refused)) {
  test(`check_arrows__refuses_${name}`, () => {
    const { status, faults } = check(changes);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0], expected);
    assert.equal(status, 1);
  });
}

test('check_arrows__refuses_a_circle', () => {
  const { status, faults } = check({ 'src/base/README.md': '`src/base` -> `shogi`\n' });
  assert.equal(status, 1);
  assert.ok(
    faults.includes(
      'src/base/README.md:1: the arrows go round in a circle: src/base -> src/shogi -> src/game -> src/base',
    ),
    faults.join('\n'),
  );
});

test('check_arrows__refuses_an_empty_tree', () => {
  const nothing = Object.fromEntries(Object.keys(good).map((name) => [name, null]));
  assert.equal(check(nothing).status, 1);
});

test('check_arrows__names_every_fault', () => {
  const { faults } = check({
    'src/base/a.c': '#include "game/a.h"\n#include "shogi/a.h"\n',
    'web/core/a.ts': "import '../app/a.ts';\n",
  });
  assert.equal(faults.length, 3);
});
