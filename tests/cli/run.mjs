// SPDX-License-Identifier: MIT
// The command line as a person or a script meets it: answers, messages, exit statuses.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, test } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { generator } from '../tools/random.mjs';
import { Rules } from '../tools/rules.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const komadai = process.env.KOMADAI_BIN ?? `${top}/bin/komadai`;

function call(...words) {
  const { status, stdout, stderr } = spawnSync(komadai, words, { encoding: 'utf8' });
  return { status, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) };
}

function mini(command, ...words) {
  return call(command, '--game', 'mini-shogi', ...words);
}

/* `convert`, its input as bytes on standard input or as a file; its output as bytes. */
function convert(from, to, input, ...words) {
  const { status, stdout, stderr } = spawnSync(
    komadai,
    ['convert', '--game', 'mini-shogi', '--from', from, '--to', to, ...words],
    { input },
  );
  return { status, bytes: stdout, text: stdout.toString(), stderr: stderr.toString() };
}

/* Runs `use` with the path of a file that holds `bytes`. */
function withFile(name, bytes, use) {
  const folder = mkdtempSync(join(tmpdir(), 'komadai cli '));
  try {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
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

  /* The plies of a game under `kawu` that goes on until they are as many; then it may be over. */
  async function longGame(plies) {
    const rules = await Rules.load();
    const next = generator(300);
    const moves = [];
    rules.start('kawu');
    while (moves.length < plies) {
      const usis = rules.legal.map(({ usi }) => usi);
      const usi = usis[Math.floor(next() * usis.length)];
      rules.play(usi);
      moves.push(usi);
      if (!rules.state.over || moves.length === plies) continue;
      for (const _ of moves.splice(-Math.min(6, moves.length))) rules.undo();
    }
    return moves.join(' ');
  }

  test('verdict under kawu: the 300th ply draws, the 299th does not, and uec goes on', async () => {
    const moves = await longGame(300);
    const drawn = JSON.parse(mini('verdict', '--rules', 'kawu', '--moves', moves).stdout);
    assert.deepEqual(
      [drawn.over, drawn.winner, drawn.reason, drawn.ply],
      [true, null, 'ply-limit', 300],
    );
    const before = moves.slice(0, moves.lastIndexOf(' '));
    assert.equal(
      JSON.parse(mini('verdict', '--rules', 'kawu', '--moves', before).stdout).over,
      false,
    );
    const start = 'rbsgk/p4/5/4P/KGSBR b - 1';
    const uec = mini('verdict', '--rules', 'uec', '--sfen', start, '--moves', moves);
    assert.equal(JSON.parse(uec.stdout).over, false);
  });

  test('verdict under kawu: perpetual check is a repetition like any other, and draws', () => {
    const game = ['--sfen', 'r3k/5/5/5/1K3 w - 1', '--moves', '5a4a 4e5e 4a5a 5e4e '.repeat(3)];
    const kawu = JSON.parse(mini('verdict', '--rules', 'kawu', ...game).stdout);
    const uec = JSON.parse(mini('verdict', '--rules', 'uec', ...game).stdout);
    assert.deepEqual([kawu.ply, kawu.winner, kawu.reason], [12, null, 'repetition']);
    assert.deepEqual([uec.ply, uec.winner, uec.reason], [12, 0, 'perpetual-check']);
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
      [['convert', '--from', 'usi', '--to', 'kif'], /--game is missing/],
      [['convert', '--game', 'go', '--from', 'usi', '--to', 'kif'], /no game "go"/],
      [
        ['convert', '--game', 'mini-shogi', '--to', 'kif'],
        /--from is missing; there are: sfen usi/,
      ],
      [
        ['convert', '--game', 'mini-shogi', '--from', 'usi'],
        /--to is missing; there are: .* json\n/,
      ],
      [
        ['convert', '--game', 'mini-shogi', '--from', 'xls', '--to', 'usi'],
        /mini-shogi has no format "xls"; there are: sfen usi .*json/,
      ],
      [['convert', '--game', 'mini-shogi', '--from', 'usi', '--to', 'KIF'], /no format "KIF"/],
      [['convert', '--game', 'mini-shogi', '--encoding', 'latin1'], /"latin1"/],
      [
        ['convert', '--game', 'mini-shogi', '--from', 'usi', '--to', 'kif', '--rules', 'x'],
        /no ruleset "x"; there are: uec kawu/,
      ],
      [
        ['convert', '--game', 'mini-shogi', '--from', 'usi', '--to', 'kif', 'a', 'b'],
        /unexpected argument "b"/,
      ],
      [['convert', '--sfen', 'x'], /"--sfen" is no option here/],
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

  test('a reader that went away is told as an answer that could not be written', () => {
    const pipe = 'set -o pipefail; "$0" perft --game mini-shogi --depth 6 --split | true';
    const { status, stderr } = spawnSync('bash', ['-c', pipe, komadai], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /komadai perft: the answer could not be written: Broken pipe/);
  });

  const game = 'position startpos moves 5d5c 1b1c 5c5b 5a5b resign\n';
  const formats = ['sfen', 'usi', 'uci', 'kif', 'ki2', 'csa', 'pgn', 'json'];

  test('convert writes a game in every format, and reads it again', () => {
    for (const format of formats) {
      const written = convert('usi', format, game);
      assert.equal(written.status, 0, format + written.stderr);
      assert.match(written.text, /[^\n]\n$/);
      const again = convert(format, format, written.text);
      assert.equal(again.text, written.text, format);
      if (format === 'sfen') continue;
      assert.match(convert(format, 'usi', written.text).text, / moves 5d5c 1b1c 5c5b 5a5b/);
    }
  });

  test('convert keeps players, comments, times and the ruleset in JSON', () => {
    const record = {
      game: 'mini-shogi',
      rules: 'kawu',
      headers: { First: '先手', Second: 'b' },
      comment: 'one\ntwo',
      plies: [{ move: '1d1c', time: 61000, comment: '駒' }],
      end: 'interrupted',
    };
    const { start, state, ...rest } = JSON.parse(
      convert('json', 'json', JSON.stringify(record)).text,
    );
    assert.equal(start, 'rbsgk/p4/5/4P/KGSBR b - 1');
    assert.equal(state.moves, 1);
    assert.deepEqual(rest.plies.shift().action, { type: 'move', from: 19, to: 14, promote: false });
    assert.deepEqual(rest, { ...record, plies: [] });
    const kif = convert('json', 'kif', JSON.stringify(record)).text;
    for (const part of ['先手：先手', '*one', '*駒', '1:01', '中断']) assert.ok(kif.includes(part));
  });

  test('convert reads the ruleset that it is told, and refuses another', () => {
    assert.match(convert('usi', 'sfen', 'startpos', '--rules', 'kawu').text, /^rbsgk\/p4\//);
    const other = convert('json', 'usi', '{"game":"mini-shogi","rules":"uec","plies":[]}');
    assert.equal(other.status, 0);
    const { status, stderr } = convert(
      'json',
      'usi',
      '{"game":"mini-shogi",\n"rules":"uec","plies":[]}',
      '--rules',
      'kawu',
    );
    assert.equal(status, 1);
    assert.equal(stderr, '-:2:9: The text is of another ruleset.\n');
  });

  test('convert reads UTF-8 with and without a mark, Shift_JIS, and any end of line', () => {
    const kif = convert('usi', 'kif', game).text;
    const sjis = convert('usi', 'kif', game, '--encoding', 'shift_jis').bytes;
    assert.notDeepEqual(sjis, Buffer.from(kif));
    const inputs = [
      kif,
      `\ufeff${kif}`,
      kif.replaceAll('\n', '\r\n'),
      kif.replaceAll('\n', '\r'),
      kif.trimEnd(),
      sjis,
      Buffer.from(sjis.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
    ];
    for (const input of inputs) assert.equal(convert('kif', 'usi', input).text, game);
  });

  test('convert reads a file, or standard input as -', () => {
    withFile('a game.usi', game, (file) => {
      assert.equal(convert('usi', 'usi', '', file).text, game);
      assert.equal(convert('usi', 'usi', '', '--', file).text, game);
    });
    assert.equal(convert('usi', 'usi', game, '-').text, game);
  });

  test('convert names file, line and column of what is wrong', () => {
    withFile('bad\u001b.usi', '\n startpos moves 5d5c 5d5c\n', (file) => {
      const { status, text, stderr } = convert('usi', 'kif', '', file);
      assert.equal(status, 1);
      assert.equal(text, '');
      assert.equal(
        stderr,
        `${file.replace('\u001b', '?')}:2:22: There is no piece on that square.\n`,
      );
    });
    const wrong = [
      ['usi', '', /^-:1:1: There is nothing to read\.\n$/],
      ['json', '{"game":"mini-shogi",\n"plies":1}', /^-:2:9: A member of the record /],
      ['json', '{"game":"mini-shogi",\n"plies":[}', /^-:2:10: This is no JSON\.\n$/],
      ['kif', Buffer.from('手合割：5五将棋\n\xff\0', 'latin1'), /^-:\d:\d+: /],
    ];
    for (const [from, input, message] of wrong) {
      const { status, text, stderr } = convert(from, 'usi', input);
      assert.equal(status, 1);
      assert.equal(text, '');
      assert.match(stderr, message);
    }
  });

  test('convert refuses binary garbage in every format, at a place', () => {
    const garbage = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 151 + (i >> 3)) & 255));
    for (const format of formats) {
      for (const input of [garbage, garbage.subarray(1000), Buffer.alloc(100)]) {
        const { status, text, stderr } = convert(format, 'usi', input);
        assert.equal(status, 1, format);
        assert.equal(text, '');
        assert.match(stderr, /^-:\d+:\d+: The text is neither UTF-8 nor Shift_JIS\.\n$/);
      }
    }
  });

  test('convert refuses what is too long, and what is no file', () => {
    const long = convert('json', 'usi', Buffer.alloc(4 * 1024 * 1024 + 1, ' '));
    assert.equal(long.status, 1);
    assert.match(long.stderr, /^-:1:4194305: The text is too long\.\n$/);
    const wrong = [
      ['/nonexistent/game.kif', /^komadai convert: \/nonexistent\/game.kif: No such file/],
      [tmpdir(), /^komadai convert: .*: Is a directory\n$/],
      ['', /^komadai convert: : No such file/],
    ];
    for (const [file, message] of wrong) {
      const { status, stderr } = convert('kif', 'usi', '', file);
      assert.equal(status, 1);
      assert.match(stderr, message);
    }
  });

  test('convert says which character Shift_JIS lacks', () => {
    const record = '{"game":"mini-shogi","headers":{"First":"é"},"plies":[]}';
    const { status, text, stderr } = convert('json', 'json', record, '--encoding', 'shift_jis');
    assert.equal(status, 1);
    assert.equal(text, '');
    assert.match(stderr, /line 5, column 23 of the result: this character has no code/);
  });

  test('convert of an answer that cannot be written is no success', () => {
    for (const [end, message] of [
      ['>/dev/full', /No space left on device/],
      ['>&-', /Bad file descriptor/],
      ['| true', /Broken pipe/],
    ]) {
      /* The reader of the pipe is gone before the record begins. */
      const script = `set -o pipefail; (sleep 0.2; echo startpos) |
        "$0" convert --game mini-shogi --from usi --to kif ${end}`;
      const { status, stderr } = spawnSync('bash', ['-c', script, komadai], { encoding: 'utf8' });
      assert.equal(status, 1, end);
      assert.match(stderr, /^komadai convert: the answer could not be written: /);
      assert.match(stderr, message);
    }
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
