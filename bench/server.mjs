// SPDX-License-Identifier: MIT
/*
 * What the server of rooms carries: live streams, and moves a second that are on disk, answered and seen by
 * the opponent, against a small server in Node.js that does the same in memory, in one run and by the same
 * generator (bench/load). Beside it what readers that never read cost, what a flood from one address does to
 * the others, and whether a class behind one address is ever told that it asks too much.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

const usage = `usage: bench/server [OPTION]... [-- OPTION OF "komadai serve"...]
  --rooms N              with two streams each (5000)
  --lanes N              moves on their way at a time, at most (250)
  --rooms-per-address N  both seats of so many rooms come from one address of 127/8 (20)
  --seconds N            of each measurement (10)
  --rounds N             Komadai and the peer in turns, each with a new process and new data (3)
  --silent N             readers that never read, in 1,000 of the rooms (500; 0: not measured)
  --pupils N             of a class behind one address, even (40; 0)
  --flood N              connections of a flood from one address (100; 0)
  --no-peer              Komadai alone
  --check                status 1 when a bar is missed
  --data-folder DIR      on a disk, for the data file (build/)
  --build DIR            where the programs are (build/release)
  --web DIR              the page (build/web)`;

const BARS = {
  streams: 10_000,
  bytesPerStream: 20 * 1024,
  movesPerSecond: 10_000,
  p99: 100_000,
  silentBytes: 32 * 2 ** 20,
  flood429: 0.5,
};

const MEMORY_FILE_SYSTEMS = [0x01021994, 0x858458f6]; /* tmpfs, ramfs: linux/magic.h */

function fail(sentence) {
  console.error(`bench/server: ${sentence}`);
  process.exit(2);
}

function readOptions() {
  const text = (value) => ({ type: 'string', default: value });
  const flag = { type: 'boolean', default: false };
  const separator = process.argv.indexOf('--');
  const end = separator < 0 ? process.argv.length : separator;
  const { values } = parseArgs({
    args: process.argv.slice(2, end),
    options: {
      rooms: text('5000'),
      lanes: text('250'),
      'rooms-per-address': text('20'),
      seconds: text('10'),
      rounds: text('3'),
      silent: text('500'),
      pupils: text('40'),
      flood: text('100'),
      'no-peer': flag,
      check: flag,
      'data-folder': text(join(root, 'build')),
      build: text(join(root, 'build/release')),
      web: text(join(root, 'build/web')),
      help: flag,
    },
  });
  const zero = ['silent', 'pupils', 'flood'];
  for (const name of ['rooms', 'lanes', 'rooms-per-address', 'seconds', 'rounds', ...zero]) {
    const least = zero.includes(name) ? 0 : 1;
    values[name] = Number(values[name]);
    if (!Number.isInteger(values[name]) || values[name] < least)
      fail(`--${name} must be a whole number from ${least} on`);
  }
  if (values.pupils % 2) fail('--pupils must be even');
  return { ...values, serve: process.argv.slice(end + 1) };
}

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const komadai = join(options.build, 'src/cli/komadai');
const generator = join(options.build, 'bench/load/komadai-load');
for (const program of [komadai, generator])
  if (!existsSync(program)) fail(`there is no ${program}`);
if (!existsSync(join(options.web, 'index.html'))) fail(`there is no page in ${options.web}`);
if (MEMORY_FILE_SYSTEMS.includes(statfsSync(options['data-folder']).type))
  fail(`${options['data-folder']} is in memory: name a folder on a disk with --data-folder`);

const folder = mkdtempSync(join(options['data-folder'], 'bench-server-'));
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(2));

function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  child.on('close', () => children.delete(child));
  child.on('error', (error) => fail(`${program}: ${error.message}`));
  return child;
}

/* A server that says first where it listens. */
async function startServer(program, args) {
  const child = start(program, args);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  if (done) fail(`${program} ended at once`);
  return { child, port: new URL(value.replace('listening on ', '')).port };
}

async function stop({ child }) {
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  await gone;
}

/* Recorded games as the generator reads them. */
function writePlies() {
  const games = JSON.parse(readFileSync(join(root, 'tests/data/games.json'), 'utf8'));
  const file = join(folder, 'plies');
  const text = games.map(({ plies }) => plies.map(({ action }) => JSON.stringify(action)));
  writeFileSync(file, text.map((lines) => `${lines.join('\n')}\n\n`).join(''));
  return file;
}

/* What a browser loads with the page: all there is beside it, of which none is compressed already. */
function listAssets() {
  return readdirSync(options.web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'index.html')
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(options.web.length))
    .filter((path) => !/\.(br|gz)$/.test(path));
}

const plies = writePlies();

/* Runs the generator on a server; returns what it says of each `what`. The peer only has moves. */
async function measure({ child, port }, isPeer) {
  const more = (name) => (isPeer ? 0 : options[name]);
  const load = start(generator, [
    ...['--port', port, '--process', child.pid, '--plies', plies],
    ...['--rooms', options.rooms, '--lanes', options.lanes, '--seconds', options.seconds],
    ...['--rooms-per-address', options['rooms-per-address']],
    ...['--silent', more('silent'), '--pupils', more('pupils'), '--flood', more('flood')],
    ...listAssets(),
  ]);
  const results = {};
  load.stdout.setEncoding('utf8');
  const ended = once(load, 'close');
  for await (const line of createInterface({ input: load.stdout })) {
    const result = JSON.parse(line);
    results[result.what] = result;
  }
  const [code] = await ended;
  if (code !== 0) fail(`the generator ended with ${code}`);
  return results;
}

async function measureKomadai(round) {
  const data = join(folder, `data-${round}.sqlite`);
  const args = ['serve', '--listen', '127.0.0.1:0', '--data', data, '--web', options.web];
  const server = await startServer(komadai, [...args, ...options.serve]);
  const results = await measure(server, false);
  await stop(server);
  return results;
}

async function measurePeer() {
  const server = await startServer('node', [join(root, 'bench/load/peer.mjs')]);
  const results = await measure(server, true);
  await stop(server);
  return results;
}

/* Tables. */

const rate = ({ moves, seconds }) => moves / seconds;
const ms = (microseconds) => (microseconds / 1000).toFixed(1);
const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function row(...cells) {
  const [name, ...rest] = cells;
  console.log(name.padEnd(24) + rest.map((cell) => `${cell}`.padStart(9)).join(''));
}

function printHead() {
  row('', 'moves/s', 'p50 ms', 'p95', 'p99', 'max', 'server', 'loader', 'disk', 'others', '429');
  row('', '', '', '', '', '', 'us/move', 'us/move', 'B/move', 'cores', '');
}

function printMoves(name, result) {
  const { p50, p95, p99, max, serverMicroseconds, ownMicroseconds, writtenBytes } = result;
  const each = [serverMicroseconds, ownMicroseconds, writtenBytes].map((n) => n.toFixed(0));
  const times = [p50, p95, p99, max].map(ms);
  const others = (result.elsewhere + result.stolen).toFixed(2);
  row(name, rate(result).toFixed(0), ...times, ...each, others, result.refused);
  if (result.failed) fail(`${result.failed} moves failed`);
}

/* With the rooms: what making them freed serves the streams, and by themselves they would look too cheap. */
const bytesPerStream = ({ streams, pssEmpty, pssAfter }) => (pssAfter - pssEmpty) / streams;

function printStreams(name, streams) {
  console.log(
    `${name}: ${streams.streams} streams, ${mib(streams.pssEmpty)} at first, ` +
      `${mib(streams.pssBefore)} with rooms, ${mib(streams.pssAfter)} with streams too ` +
      `(resident: ${mib(streams.rssAfter)}): ${bytesPerStream(streams).toFixed(0)} bytes of the ` +
      `process a stream, its half of a room included; all made in ${streams.seconds.toFixed(1)} s`,
  );
}

const silentBytes = ({ processGrowth, systemGrowth }) => processGrowth + systemGrowth;

function printOthers({ silent, class: pupils, flood }) {
  if (silent)
    console.log(
      `${silent.readers} readers that never read: the process grew by ` +
        `${mib(silent.processGrowth)}, the system's buffers by ${mib(silent.systemGrowth)}; ` +
        `${silent.letGo} were let go meanwhile`,
    );
  if (pupils)
    console.log(
      `class of ${pupils.pupils} behind one address: ${pupils.requests} requests, ` +
        `${pupils.moves} moves, everything in ${pupils.seconds.toFixed(1)} s; ` +
        `${pupils.limited} were answered 429, ${pupils.failed} failed`,
    );
  if (flood)
    console.log(
      `flood of ${flood.connections} connections from one address: ` +
        `${(flood.answered / flood.seconds).toFixed(0)} answers a second, ` +
        `${((100 * flood.limited) / Math.max(1, flood.answered)).toFixed(1)} % of them 429; ` +
        `${flood.closed} connections were closed`,
    );
}

function median(list, key) {
  const sorted = list.map(key).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/* The median of the rounds, and the least and the most. */
function spread(rounds, key, write) {
  const all = rounds.map(key);
  return [median(rounds, key), Math.min(...all), Math.max(...all)].map(write);
}

const MEASURED = [
  ['komadai', 'moves'],
  ['  1,000 of the rooms', 'unwatched'],
  ['  and silent readers', 'silent'],
  ['  and a flood', 'flood'],
];

function printMedians(name, rounds) {
  const [rates, p99s] = [
    spread(rounds, rate, (n) => n.toFixed(0)),
    spread(rounds, ({ p99 }) => p99, ms),
  ];
  console.log(
    `${name.padEnd(24)}${rates[0]} moves/s (${rates[1]} to ${rates[2]}), ` +
      `p50 ${ms(median(rounds, ({ p50 }) => p50))} ms, ` +
      `p99 ${p99s[0]} ms (${p99s[1]} to ${p99s[2]})`,
  );
}

function printComparison(ours, peers) {
  const moves = [ours, peers].map((rounds) => median(rounds, (round) => rate(round.moves)));
  const late = [ours, peers].map((rounds) => median(rounds, (round) => round.moves.p99));
  const bytes = [ours, peers].map((rounds) =>
    median(rounds, (round) => bytesPerStream(round.streams)),
  );
  const times = (pair) => (pair[0] / pair[1]).toFixed(2);
  console.log(
    `komadai to peer, by medians: ${times(moves)} times the moves, ${times(late)} times the p99, ` +
      `${times(bytes)} times the bytes a stream`,
  );
}

function judge(name, met) {
  console.log(`${met ? 'met   ' : 'missed'}  ${name}`);
  if (!met && options.check) process.exitCode = 1;
}

/* Time by medians, all else in each round. */
function printBars(ours) {
  const every = (what, holds) => ours.every((round) => holds(round[what]));
  const isInTime = (what) => median(ours, (round) => round[what].p99) <= BARS.p99;
  judge(
    '10,000 live streams',
    every('streams', ({ streams }) => streams >= BARS.streams),
  );
  judge(
    '20 KiB of the process a stream',
    every('streams', (streams) => bytesPerStream(streams) <= BARS.bytesPerStream),
  );
  judge('10,000 moves a second', median(ours, ({ moves }) => rate(moves)) >= BARS.movesPerSecond);
  judge('p99 within 100 ms', isInTime('moves'));
  if (options.silent) {
    judge(
      '32 MiB for readers that never read',
      every('silent', (silent) => silentBytes(silent) <= BARS.silentBytes),
    );
    judge('p99 within 100 ms beside them', isInTime('silent'));
  }
  if (options.pupils)
    judge(
      'no 429 for a class',
      every('class', ({ limited, failed }) => limited === 0 && failed === 0),
    );
  if (options.flood) {
    judge(
      'most of a flood is answered 429',
      every('flood', ({ limited, answered }) => limited / answered >= BARS.flood429),
    );
    judge('p99 within 100 ms beside it', isInTime('flood'));
  }
}

async function main() {
  const ours = [];
  const peers = [];
  console.log(
    `${options.rooms} rooms, at most ${options.lanes} moves on their way, ${options.seconds} s each`,
  );
  printHead();
  for (let round = 1; round <= options.rounds; round++) {
    const results = await measureKomadai(round);
    ours.push(results);
    for (const [name, what] of MEASURED) if (results[what]) printMoves(name, results[what]);
    if (options['no-peer']) continue;
    peers.push(await measurePeer());
    printMoves('peer, in memory', peers.at(-1).moves);
  }
  console.log('');
  for (const [name, what] of MEASURED)
    if (ours[0][what])
      printMedians(
        name,
        ours.map((round) => round[what]),
      );
  if (peers.length > 0)
    printMedians(
      'peer, in memory',
      peers.map(({ moves }) => moves),
    );
  console.log('');
  printStreams('komadai', ours[0].streams);
  if (peers.length > 0) printStreams('peer', peers[0].streams);
  for (const round of ours) printOthers(round);
  if (peers.length > 0) printComparison(ours, peers);
  console.log('');
  printBars(ours);
}

await main();
