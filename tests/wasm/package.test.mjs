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
  assert.equal(Object.keys(exports).length, 7);
  for (const target of Object.values(exports)) {
    for (const path of typeof target === 'string' ? [target] : Object.values(target)) {
      assert.ok(existsSync(join(home, path)), path);
    }
  }
  assert.deepEqual(readdirSync(home).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('each module is small', () => {
  for (const name of ['mini-shogi', 'petits-carres', 'petits-carres-engine']) {
    const { size } = statSync(join(folder, `node_modules/komadai/dist/facade/${name}.wasm`));
    assert.ok(size <= WASM_BYTES_MAX, `${name}: ${size} bytes`);
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

test('the player of Petits carrés thinks in a Worker of Node, and can be given up', () => {
  const script = `
    import assert from 'node:assert/strict';
    import { drawEdge, initialBoxes } from 'komadai/petits-carres';
    import { LEVELS, createBoxesEngine } from 'komadai/petits-carres-engine';
    const engine = createBoxesEngine({ megabytes: 4, seed: 1 });
    let state = initialBoxes(2, 2);
    while (!state.over) {
      const level = LEVELS[state.moves % LEVELS.length];
      state = drawEdge(state, (await engine.choose(state, { level, timeMs: 50 })).edge);
    }
    await assert.rejects(engine.choose(state, { level: 'taker' }), { code: 'game-over' });
    const { value, lines } = await engine.analyse(initialBoxes(2, 2));
    const long = { level: 'master', timeMs: 60000, signal: AbortSignal.timeout(300) };
    await assert.rejects(engine.choose(initialBoxes(6, 7), long), { name: 'TimeoutError' });
    const { edge } = await engine.choose(initialBoxes(6, 7), { level: 'opener' });
    engine.close();
    await assert.rejects(engine.analyse(initialBoxes(2, 2)), { name: 'BoxesEngineFailure' });
    console.log(state.scores[0] + state.scores[1], value.low, lines.length, edge >= 0);
  `;
  writeFileSync(join(folder, 'engine.mjs'), script);
  assert.equal(call('node', 'engine.mjs'), '4 2 12 true\n');
});

test('the examples of the README print what they say', () => {
  const readme = readFileSync(join(folder, 'node_modules/komadai/README.md'), 'utf8');
  const scripts = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, script]) => script);
  assert.equal(scripts.length, 2);
  for (const script of scripts) {
    const [, said] = /console\.log\(.*\/\/ (.*)\n/.exec(script);
    writeFileSync(join(folder, 'readme.mjs'), script);
    assert.equal(call('node', 'readme.mjs').trimEnd(), said);
  }
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

/* A program that has AbortSignal has the types of a browser, or of Node. */
const ENGINE_CONSUMER = `
import {
  BoxesEngineFailure, LEVELS, PetitsCarresError, createBoxesEngine,
  type BoxesAnalysis, type BoxesChoice, type BoxesEngine, type BoxesLevel, type BoxesReason,
} from 'komadai/petits-carres-engine';
import { initialBoxes } from 'komadai/petits-carres';

const engine: BoxesEngine = createBoxesEngine({ megabytes: 32 });
const level: BoxesLevel = LEVELS[5];
const control = new AbortController();
const choice: BoxesChoice = await engine.choose(initialBoxes(), { level, signal: control.signal });
const analysis: BoxesAnalysis = await engine.analyse(initialBoxes(), { timeMs: 100 });
const reasons: readonly BoxesReason[] = analysis.lines.map(({ reason }) => reason);
console.log(choice.edge, reasons, BoxesEngineFailure, PetitsCarresError);
// @ts-expect-error there is no such level
await engine.choose(initialBoxes(), { level: 'grandmaster' });
export {};
`;

for (const resolution of ['node16', 'bundler']) {
  test(`a program of TypeScript type-checks, with modules as ${resolution}`, () => {
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    writeFileSync(join(folder, 'engine.ts'), ENGINE_CONSUMER);
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
    const declared = resolution === 'bundler' ? ['engine.ts'] : ['console.d.ts'];
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

/* The names of what vite makes of a script, and the text of a script of them. */
function bundle(name, script) {
  mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, name, 'index.html'),
    '<!doctype html><script type="module" src="./main.js"></script>',
  );
  writeFileSync(join(folder, name, 'main.js'), script);
  call(join(top, 'web/node_modules/.bin/vite'), 'build', name, '--logLevel', 'warn');
  const assets = readdirSync(join(folder, name, 'dist/assets'));
  const read = (start) => {
    const found = assets.find((asset) => asset.startsWith(start) && asset.endsWith('.js'));
    return readFileSync(join(folder, name, 'dist/assets', found), 'utf8');
  };
  return { assets, read };
}

test('a bundler finds the module by itself', () => {
  const script = "import { initialMiniShogi } from 'komadai'; console.log(initialMiniShogi());";
  const { assets, read } = bundle('page', script);
  assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 1, assets.join(' '));
  assert.match(read('index'), /mini-shogi-[\w-]+\.wasm/);
  assert.doesNotMatch(read('index'), /node:fs/);
});

test('a bundler finds the Worker and its module by itself', () => {
  const script = `
    import { createBoxesEngine } from 'komadai/petits-carres-engine';
    console.log(createBoxesEngine());
  `;
  const { assets, read } = bundle('engine page', script);
  assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 2, assets.join(' '));
  assert.match(read('index'), /boxes_worker-[\w-]+\.js/);
  assert.match(read('boxes_worker'), /petits-carres-engine-[\w-]+\.wasm/);
  assert.doesNotMatch(read('index') + read('boxes_worker'), /node:/);
});
