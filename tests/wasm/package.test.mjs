// SPDX-License-Identifier: MIT
/*
 * The npm package as its users get it: packed, installed into an empty folder without a network, run
 * by the example, typed for a small program of TypeScript, loaded as a page loads it. KOMADAI_PACKAGE
 * names another folder than build/npm/komadai.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env.KOMADAI_PACKAGE ?? join(top, 'build/npm/komadai');
const WASM_BYTES_MAX = 80 * 1024;

let folder;
let version;

function call(command, ...words) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

const quiet = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier'];

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'komadai npm '));
  version = /^ {2}version: '(.*)',$/m.exec(readFileSync(join(top, 'meson.build'), 'utf8'))[1];
  call('npm', 'pack', built, ...quiet);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  call('npm', 'install', `./komadai-${version}.tgz`, ...quiet);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test('the package depends on nothing and holds what it names', () => {
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).sort(), [
    '.package-lock.json',
    'komadai',
  ]);
  const home = join(folder, 'node_modules/komadai');
  const { exports, ...rest } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  assert.equal(rest.version, version);
  assert.equal(rest.dependencies, undefined);
  assert.equal(Object.keys(exports).length, 5);
  for (const target of Object.values(exports)) {
    for (const path of typeof target === 'string' ? [target] : Object.values(target)) {
      assert.ok(existsSync(join(home, path)), path);
    }
  }
  assert.deepEqual(readdirSync(home).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('the module of one game is small', () => {
  for (const game of ['mini-shogi', 'petits-carres']) {
    const { size } = statSync(join(folder, `node_modules/komadai/dist/facade/${game}.wasm`));
    assert.ok(size <= WASM_BYTES_MAX, `${game}: ${size} bytes`);
  }
});

test('the example plays a game and says how it ended', () => {
  cpSync(join(top, 'examples/node/game.mjs'), join(folder, 'game.mjs'));
  const lines = call('node', 'game.mjs').trimEnd().split('\n');
  assert.equal(lines.length, 7);
  for (const row of lines.slice(0, 5)) assert.match(row, /^([ +][.KRBGSPkrbgsp]){5}$/);
  assert.match(lines[5], /^hands \{"R":\d.*\} \{"R":\d.*\}$/);
  assert.match(lines[6], /^after \d+ moves: [a-z-]+, winner (0|1|null)(, in check)?$/);
  assert.equal(call('node', 'game.mjs'), `${lines.join('\n')}\n`);
  assert.notEqual(call('node', 'game.mjs', '2'), `${lines.join('\n')}\n`);
});

test('Petits carrés has an entry of its own', () => {
  const script = `
    import { BOARD_COLS, BOARD_ROWS, drawEdge, initialBoxes } from 'komadai/petits-carres';
    const state = [0, 7, 49, 50].reduce(drawEdge, initialBoxes(BOARD_ROWS, BOARD_COLS));
    console.log(JSON.stringify([state.scores, state.player, state.moves]));
  `;
  writeFileSync(join(folder, 'boxes.mjs'), script);
  assert.equal(call('node', 'boxes.mjs'), '[[0,1],1,4]\n');
});

test('the example of the README prints what it says', () => {
  const readme = readFileSync(join(folder, 'node_modules/komadai/README.md'), 'utf8');
  const [, script] = /```js\n(.*?)```/s.exec(readme);
  const [, said] = /console\.log\(.*\/\/ (.*)\n/.exec(script);
  writeFileSync(join(folder, 'readme.mjs'), script);
  assert.equal(call('node', 'readme.mjs').trimEnd(), said);
});

const CONSUMER = `
import {
  HAND_TYPES, MiniShogiError, initialMiniShogi, inCheck, legalMiniShogiMoves, miniShogiEngine,
  miniShogiFromJson, miniShogiFromSfen, miniShogiToSfen, playMiniShogi, positionKey,
  type Action, type MiniShogiState, type Player,
} from 'komadai';

const start: MiniShogiState = initialMiniShogi('kawu');
const resign: Action = { type: 'resign' };
const moves: readonly Action[] = legalMiniShogiMoves(start);
const next: MiniShogiState = playMiniShogi(start, moves[0] ?? resign);
const winner: Player | null = next.winner;
const inHand: number = HAND_TYPES.reduce((sum, type) => sum + next.hands[0][type], 0);
const key: string = positionKey(miniShogiFromSfen(miniShogiToSfen(next)));
const back: MiniShogiState = miniShogiFromJson(JSON.parse(JSON.stringify(next)));
const check: boolean = inCheck(back, 1) || miniShogiEngine.enteringKing(back).eligible;
try {
  playMiniShogi(next, { type: 'drop', piece: 'P', to: 3 });
} catch (error) {
  if (error instanceof MiniShogiError) console.log(error.code, error.column, winner, inHand, key, check);
}
// @ts-expect-error a state is not to be written
next.player = 0;
// @ts-expect-error there is no such action
playMiniShogi(next, { type: 'declare' });
// @ts-expect-error there are no such rules
initialMiniShogi('fide');
`;

for (const resolution of ['node16', 'bundler']) {
  test(`a program of TypeScript type-checks, with modules as ${resolution}`, () => {
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    const options = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      lib: resolution === 'bundler' ? ['ES2022', 'DOM'] : ['ES2022'],
      module: resolution === 'bundler' ? 'ESNext' : resolution,
      moduleResolution: resolution,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: [],
    };
    const declared = resolution === 'bundler' ? [] : ['console.d.ts'];
    writeFileSync(
      join(folder, 'console.d.ts'),
      'declare const console: { log(...all: unknown[]): void };\n',
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['consumer.ts', ...declared] }),
    );
    call(join(top, 'web/node_modules/.bin/tsc'), '--project', '.');
  });
}

test('the entry of browsers fetches the module from beside itself', () => {
  const script = `
    const asked = [];
    globalThis.fetch = async (url) => {
      asked.push(String(url));
      const { readFile } = await import('node:fs/promises');
      return new Response(await readFile(new URL(url)));
    };
    const { initialMiniShogi, legalMiniShogiMoves } = await import('komadai');
    console.log(asked.length, asked[0].endsWith('/dist/facade/mini-shogi.wasm'));
    console.log(legalMiniShogiMoves(initialMiniShogi()).length);
  `;
  const home = join(folder, 'node_modules/komadai/dist/facade/index.js');
  const direct = script.replace("import('komadai')", `import(${JSON.stringify(home)})`);
  assert.equal(call('node', '--input-type=module', '--eval', direct), '1 true\n14\n');
});

test('a bundler finds the module by itself', () => {
  mkdirSync(join(folder, 'page'));
  writeFileSync(
    join(folder, 'page/index.html'),
    '<!doctype html><script type="module" src="./main.js"></script>',
  );
  writeFileSync(
    join(folder, 'page/main.js'),
    "import { initialMiniShogi } from 'komadai'; console.log(initialMiniShogi());",
  );
  call(join(top, 'web/node_modules/.bin/vite'), 'build', 'page', '--logLevel', 'warn');
  const assets = readdirSync(join(folder, 'page/dist/assets'));
  assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 1, assets.join(' '));
  const script = assets.find((name) => name.endsWith('.js'));
  const text = readFileSync(join(folder, 'page/dist/assets', script), 'utf8');
  assert.match(text, /mini-shogi-[\w-]+\.wasm/);
  assert.doesNotMatch(text, /node:fs/);
});
