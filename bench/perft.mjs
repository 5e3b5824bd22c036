// SPDX-License-Identifier: MIT
/*
 * Leaves a second of perft from the start of Mini Shogi, ours and a peer's in turns. Each figure is the
 * best of all runs, of which each round has as many as fill two seconds, or one that takes longer: what
 * disturbs a measurement only ever slows it down. The range is printed too.
 *
 * Ours is timed as a whole process, its start included; a peer from the moment it is told to go.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const komadai = `${root}build/release/src/cli/komadai`;
const wasm = `${root}build/wasm/src/wasm/komadai-perft.wasm`;

const ROUND_SECONDS = 2;

const usage = `usage: bench/perft [--depth N] [--rounds N] [--peer PROGRAM]... [--instructions]
  --depth N        plies (7)
  --rounds N       times that everything is measured, in turns (5)
  --peer PROGRAM   an engine that knows minishogi and "go perft" (fairy-stockfish, when installed)
  --instructions   instead, the instructions a leaf takes, counted by valgrind: they say on a noisy
                   machine what a change does`;

function fail(sentence) {
  console.error(`bench/perft: ${sentence}`);
  process.exit(2);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      depth: { type: 'string', default: '7' },
      rounds: { type: 'string', default: '5' },
      peer: { type: 'string', multiple: true },
      instructions: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name, most) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1 || value > most)
      fail(`--${name} must be a whole number from 1 to ${most}`);
    return value;
  };
  const usual = ['/usr/games/fairy-stockfish', '/usr/bin/fairy-stockfish'].filter(existsSync);
  return {
    ...values,
    depth: number('depth', 10),
    rounds: number('rounds', 1000),
    peers: values.peer ?? usual.slice(0, 1),
  };
}

function readNodes(text) {
  const found = /^Nodes searched: (\d+)/m.exec(text);
  if (!found) fail(`no "Nodes searched" in what was printed:\n${text}`);
  return Number(found[1]);
}

function runOurs(depth, flags, wrapper = []) {
  const [program, ...args] = [
    ...wrapper,
    ...[komadai, 'perft', '--game', 'mini-shogi', '--depth', String(depth), ...flags],
  ];
  const begin = performance.now();
  const run = spawnSync(program, args, { encoding: 'utf8' });
  if (run.status !== 0) fail(`${program} failed: ${run.error?.message ?? run.stderr}`);
  return { seconds: (performance.now() - begin) / 1000, nodes: readNodes(run.stdout), ...run };
}

/* `komadai perft` in the module of the browser, in this process. */
async function wasmRunner() {
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {});
  instance.exports.start(0);
  return (depth, bulk) => {
    const begin = performance.now();
    const nodes = instance.exports.perft(depth, bulk);
    return { seconds: (performance.now() - begin) / 1000, nodes };
  };
}

/* A UCI engine that answers one perft and is sent home. */
async function runPeer(program, depth) {
  const engine = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
  engine.on('error', (error) => fail(`${program}: ${error.message}`));
  const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const until = async (pattern) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) fail(`${program} stopped before it said ${pattern}`);
      if (pattern.test(value)) return value;
    }
  };
  engine.stdin.write('uci\n');
  await until(/^uciok/);
  engine.stdin.write('setoption name UCI_Variant value minishogi\nposition startpos\nisready\n');
  await until(/^readyok/);
  const begin = performance.now();
  engine.stdin.write(`go perft ${depth}\n`);
  const nodes = readNodes(await until(/^Nodes searched/));
  const seconds = (performance.now() - begin) / 1000;
  engine.stdin.end('quit\n');
  return { seconds, nodes };
}

/* Millions of leaves a second, best first. */
function rates(runs) {
  return runs.map(({ nodes, seconds }) => nodes / seconds / 1e6).sort((a, b) => b - a);
}

function row(name, figures, base) {
  const [best] = figures;
  const range = `${figures.at(-1).toFixed(1)} to ${best.toFixed(1)}`;
  const ratio = base ? `${(best / base).toFixed(1)}x` : '';
  console.log(`${name.padEnd(34)} ${best.toFixed(1).padStart(8)} ${range.padStart(16)} ${ratio}`);
}

async function measureSpeed({ depth, rounds, peers }) {
  const runWasm = await wasmRunner();
  const entries = [
    { name: 'komadai', run: () => runOurs(depth, []) },
    { name: 'komadai, every move made', run: () => runOurs(depth, ['--no-bulk']) },
    { name: 'komadai in wasm', run: () => runWasm(depth, 1) },
    { name: 'komadai in wasm, every move made', run: () => runWasm(depth, 0) },
    ...peers.map((peer) => ({ name: peer, peer: true, run: () => runPeer(peer, depth) })),
  ].map((entry) => ({ ...entry, runs: [] }));
  for (let round = 0; round < rounds; round++)
    for (const entry of entries)
      for (let seconds = 0; seconds < ROUND_SECONDS; seconds += entry.runs.at(-1).seconds)
        entry.runs.push(await entry.run());

  const own = entries[0].runs[0].nodes;
  console.log(`perft ${depth} from the start, ${own} leaves, ${rounds} rounds`);
  for (const { name, peer, runs } of entries) {
    const other = runs.find(({ nodes }) => nodes !== own);
    if (!other) continue;
    if (!peer) fail(`${name} counts ${other.nodes} leaves`);
    console.log(`${name} counts ${other.nodes}: docs/engine.md says why Fairy-Stockfish does`);
  }
  console.log(`${''.padEnd(34)} ${'M/s'.padStart(8)} ${'range'.padStart(16)} best against peer`);
  const measured = entries.map((entry) => ({ ...entry, figures: rates(entry.runs) }));
  if (peers.length === 0) {
    console.log('no peer: name one with --peer, or install the package fairy-stockfish');
    for (const { name, figures } of measured) row(name, figures);
  }
  for (const peer of measured.filter((entry) => entry.peer)) {
    row(peer.name, peer.figures);
    for (const { name, figures } of measured.filter((entry) => !entry.peer))
      row(`  ${name}`.slice(0, 34), figures, peer.figures[0]);
  }
}

/* Two depths, so that what the start of the process takes falls out. */
function measureInstructions({ depth }) {
  const shallow = Math.max(1, Math.min(depth, 6) - 1);
  const wrapper = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'];
  for (const [name, flags] of [
    ['last ply counted', []],
    ['every move made', ['--no-bulk']],
  ]) {
    const [a, b] = [shallow, shallow + 1].map((plies) => {
      const run = runOurs(plies, flags, wrapper);
      return { nodes: run.nodes, instructions: Number(/Collected : (\d+)/.exec(run.stderr)[1]) };
    });
    const each = (b.instructions - a.instructions) / (b.nodes - a.nodes);
    console.log(`${name}: ${each.toFixed(1)} instructions a leaf (depth ${shallow + 1})`);
  }
}

let options;
try {
  options = readOptions();
} catch (error) {
  fail(`${error.message}\n${usage}`);
}
if (options.help) console.log(usage);
else if (options.instructions) measureInstructions(options);
else await measureSpeed(options);
