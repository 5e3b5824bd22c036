// SPDX-License-Identifier: MIT
// The command line as a person or a script meets it: answers, messages, exit statuses.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { run, test } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const komadai = process.env.KOMADAI_BIN ?? `${top}/bin/komadai`;

function call(...words) {
  const { status, stdout, stderr } = spawnSync(komadai, words, { encoding: 'utf8' });
  return { status, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) };
}

function mini(command, ...words) {
  return call(command, '--game', 'mini-shogi', ...words);
}

const rows = (file) =>
  readFileSync(`${top}/tests/data/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .slice(1)
    .map((line) => line.split('\t'));

if (process.env.NODE_TEST_CONTEXT === undefined) {
  let failed = false;
  run({ files: [fileURLToPath(import.meta.url)] })
    .on('test:fail', () => (failed = true))
    .on('end', () => (process.exitCode = failed ? 1 : 0))
    .compose(tap)
    .pipe(process.stdout);
} else {
  test('perft counts the leaves from the start, and its last line says so', () => {
    assert.equal(mini('perft', '--depth', '5').last, 'Nodes searched: 533203');
    assert.equal(mini('perft', '--depth', '4', '--no-bulk').last, 'Nodes searched: 35401');
    assert.equal(mini('perft', '--depth', '0').last, 'Nodes searched: 1');
  });

  test('perft --split has one line a move, and they add up', () => {
    const lines = mini('perft', '--depth', '3', '--split').stdout.trimEnd().split('\n');
    const counts = lines.slice(0, -1).map((line) => /^\S+: (\d+)$/.exec(line));
    assert.equal(counts.length, 14);
    assert.equal(
      counts.reduce((sum, match) => sum + Number(match[1]), 0),
      2512,
    );
  });

  test('perft of a position and of the other ruleset', () => {
    const [sfen, d1, d2] = rows('mini_perft_wide.tsv')[0];
    assert.equal(mini('perft', '--sfen', sfen, '--depth', '1').last, `Nodes searched: ${d1}`);
    assert.equal(mini('perft', '--sfen', sfen, '--depth', '2').last, `Nodes searched: ${d2}`);
    assert.equal(mini('perft', '--rules', 'kawu', '--depth', '1').last, 'Nodes searched: 12');
  });

  test('legal lists USI moves, one a line, sorted bytewise', () => {
    const lines = mini('legal', '--sfen', '4k/5/4G/5/K2R1 b GP 1').stdout.trimEnd().split('\n');
    assert.deepEqual(lines, [...lines].sort());
    assert.ok(lines.includes('G*1b') && lines.includes('P*3b') && !lines.includes('P*1b'));
    assert.equal(mini('legal').stdout.trimEnd().split('\n').length, 14);
  });

  test('verdict is one JSON object with exactly its members', () => {
    const cycle = '1e1d 5a5b 1d1e 5b5a ';
    const { status, stdout } = mini('verdict', '--moves', cycle.repeat(3));
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), {
      ply: 12,
      over: true,
      winner: 1,
      reason: 'repetition',
      player: 0,
      scores: null,
      sfen: 'rbsgk/4p/5/P4/KGSBR b - 13',
    });
    assert.equal(JSON.parse(mini('verdict', '--moves', '').stdout).over, false);
  });

  test('verdict names the ply of an illegal move, and of a move after the end', () => {
    const illegal = mini('verdict', '--moves', '5d5c 5d5c');
    assert.equal(illegal.status, 1);
    assert.match(illegal.stderr, /ply 2, "5d5c": there is no piece on that square/);
    const late = mini('verdict', '--moves', '5d5c resign 5d5c');
    assert.equal(late.status, 1);
    assert.match(late.stderr, /ply 3.*the game is over/);
    assert.equal(illegal.stdout + late.stdout, '');
  });

  test('wrong usage exits 2, names what is wrong and says the next step', () => {
    const wrong = [
      [[], /Komadai/],
      [['nonsense'], /there is no command "nonsense"/],
      [['perft', '--depth', '1'], /--game is missing; there are: mini-shogi/],
      [['perft', '--game', 'go', '--depth', '1'], /no game "go"/],
      [['perft', '--game', 'mini-shogi'], /--depth is missing/],
      [['perft', '--game', 'mini-shogi', '--depth', 'two'], /"two"/],
      [['perft', '--game', 'mini-shogi', '--depth', '99'], /0 to 30/],
      [['perft', '--game', 'mini-shogi', '--depth', '1', '--rules', 'x'], /no ruleset "x"/],
      [['legal', '--game', 'mini-shogi', '--nonsense'], /--nonsense/],
      [['legal', '--game', 'mini-shogi', 'more'], /unexpected argument "more"/],
      [['verdict', '--game', 'mini-shogi'], /--moves is missing/],
      [['serve', '--listen', 'here'], /ADDRESS:PORT/],
      [['serve', '--listen', '127.0.0.1:70000'], /70000/],
      [['serve', '--listen', 'localhost:8080'], /in numbers.*"localhost:8080"/],
      [['serve', '--listen', '256.1.1.1:8080'], /in numbers/],
      [['serve', '--public-url', 'ftp://x'], /--public-url/],
      [['serve', '--public-url', 'https://.::::'], /--public-url/],
      [['serve', '--public-url', 'https://games.example/path'], /--public-url/],
      [['serve', '--public-url', 'https://games.example:123456'], /--public-url/],
      [['serve', '--rooms-max', '0'], /--rooms-max/],
    ];
    for (const [words, message] of wrong) {
      const { status, stdout, stderr } = call(...words);
      assert.equal(status, 2, words.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  test('a bad position exits 1 and names the column', () => {
    const { status, stderr } = mini('legal', '--sfen', 'rbsgk/4p/5/P4/KGSBX b - 1');
    assert.equal(status, 1);
    assert.match(stderr, /komadai legal: --sfen, column 19: no piece/);
  });

  test('a server that cannot start says why and exits 1', () => {
    const wrong = [
      [['--data', '/nonexistent/x.sqlite'], /folder of the data file does not exist/],
      [['--data', '/'], /folder/],
    ];
    for (const [words, message] of wrong) {
      const { status, stderr } = call('serve', '--listen', '127.0.0.1:0', ...words);
      assert.equal(status, 1);
      assert.match(stderr, message);
    }
  });

  test('an answer that cannot be written is no success', () => {
    const { status } = spawnSync('sh', ['-c', '"$0" legal --game mini-shogi >/dev/full', komadai]);
    assert.equal(status, 1);
  });

  test('words from outside are said back short and without control characters', () => {
    const escape = mini('verdict', '--moves', '\u001b[31mX');
    assert.match(escape.stderr, /ply 1, "\?\[31mX": /);
    const long = mini('verdict', '--moves', 'a'.repeat(60000));
    assert.equal(long.status, 1);
    assert.ok(long.stderr.length < 600);
    assert.ok(call('x'.repeat(5000)).stderr.length < 700);
  });

  test('bench prints one signature a game, the same each time', () => {
    const { status, stdout } = call('bench');
    assert.equal(status, 0);
    assert.match(stdout, /^mini-shogi: \d+\n$/);
    assert.equal(call('bench').stdout, stdout);
    assert.equal(call('bench', 'more').status, 2);
  });

  test('help and version', () => {
    assert.match(call('serve', '--help').stdout, /--public-url/);
    assert.match(call('help').stdout, /mini-shogi: uec kawu/);
    assert.match(call('--version').stdout, /^komadai \d+\.\d+\.\d+\n$/);
  });
}
