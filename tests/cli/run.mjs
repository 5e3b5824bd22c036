// SPDX-License-Identifier: MIT
// The command line as a person or a script meets it: answers, messages, exit statuses.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

function boxes(command, ...words) {
  return call(command, '--game', 'petits-carres', ...words);
}

/* `convert`, its input as bytes on standard input or as a file; its output as bytes. */
function convertGame(game, from, to, input, ...words) {
  const { status, stdout, stderr } = spawnSync(
    komadai,
    ['convert', '--game', game, '--from', from, '--to', to, ...words],
    { input },
  );
  return { status, bytes: stdout, text: stdout.toString(), stderr: stderr.toString() };
}

function convert(from, to, input, ...words) {
  return convertGame('mini-shogi', from, to, input, ...words);
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
  const here = fileURLToPath(import.meta.url);
  run({ files: [here, here.replace('run.mjs', 'rooms.test.mjs')] })
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
      [['perft', '--depth', '1'], /--game is missing; there are: mini-shogi petits-carres/],
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
      [['serve', '--request-seconds', '0'], /--request-seconds/],
      [['serve', '--present-seconds', '3601'], /--present-seconds.* from 1 to 3600/],
      [['serve', '--absence-seconds', 'x'], /--absence-seconds/],
      [['serve', '--room-days', '3651'], /--room-days.* from 0 to 3650/],
      [['serve', '--requests-per-second', '-1'], /--requests-per-second .* from 0 to 1000000/],
      [['serve', '--rooms-per-minute', '1000001'], /--rooms-per-minute/],
      [['serve', '--connections-per-address', 'many'], /--connections-per-address .*"many"/],
      [['serve', '--commands-per-second', ''], /--commands-per-second/],
      [['serve', '--metrics', '9090'], /--metrics must be ADDRESS:PORT/],
      [['serve', '--proxy', 'localhost'], /--proxy .* in numbers.*"localhost"/],
      [['serve', '--proxy', '127.0.0.1:80'], /--proxy/],
      [['serve', ...Array(9).fill(['--proxy', '::1']).flat()], /--proxy may be given 8 times/],
      [['serve', '--proxy'], /"--proxy" is no option here, or its value is missing/],
    ];
    for (const [words, message] of wrong) {
      const { status, stdout, stderr } = call(...words);
      assert.equal(status, 2, words.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  test('petits-carres: perft counts orders of lines, on the public grid and on any other', () => {
    assert.equal(boxes('perft', '--depth', '2').last, 'Nodes searched: 9312');
    for (const [rows, cols, depth, nodes] of [
      [1, 1, 4, 24],
      [1, 1, 5, 0],
      [2, 2, 5, 95040],
      [8, 8, 1, 144],
    ]) {
      const size = ['--rows', String(rows), '--cols', String(cols)];
      const words = [...size, '--depth', String(depth)];
      assert.equal(boxes('perft', ...words).last, `Nodes searched: ${nodes}`);
      assert.equal(boxes('perft', ...words, '--no-bulk').last, `Nodes searched: ${nodes}`);
    }
    const split = boxes('perft', '--rows', '1', '--cols', '1', '--depth', '2', '--split').stdout;
    assert.equal(split, '0: 3\n1: 3\n2: 3\n3: 3\nNodes searched: 12\n');
  });

  test('petits-carres: legal lists the numbers of the free lines, sorted bytewise', () => {
    const lines = boxes('legal', '--rows', '2', '--cols', '2').stdout.trimEnd().split('\n');
    assert.deepEqual(lines, [...Array(12).keys()].map(String).sort());
    assert.equal(boxes('legal', '--sfen', '1x2 1110101').stdout, '3\n5\n');
    assert.equal(boxes('legal', '--sfen', '1x1 1111').stdout, '');
  });

  test('petits-carres: verdict tells the score, every row of the cases', () => {
    let games = 0;
    for (const [name, moves, , score, state] of rows('boxes_sequences.tsv')) {
      const { status, stdout } = boxes('verdict', '--moves', moves);
      assert.equal(status, 0, name);
      const verdict = JSON.parse(stdout);
      assert.equal(verdict.scores.join('-'), score, name);
      assert.equal(verdict.over ? 'over' : `player${verdict.player}`, state, name);
      assert.equal(verdict.ply, moves.split(' ').length);
      assert.equal(verdict.reason, null);
      games++;
    }
    assert.equal(games, 8);
  });

  test('petits-carres: verdict is one JSON object with exactly its members', () => {
    const size = ['--rows', '1', '--cols', '2'];
    const { status, stdout } = boxes('verdict', ...size, '--moves', '0 2 A1L 1 5 6 3');
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), {
      ply: 7,
      over: true,
      winner: null,
      reason: null,
      player: 1,
      scores: [1, 1],
      sfen: '1x2 abbbaaa 1 ab',
    });
  });

  test('petits-carres: verdict names the ply of a line that cannot be drawn, and why', () => {
    const size = ['--rows', '1', '--cols', '1', '--moves'];
    for (const [moves, message] of [
      ['0 1 0', /ply 3, "0": that line is drawn already/],
      ['0 1 4', /ply 3, "4": this grid has no line of that number/],
      ['-1', /ply 1, "-1": a line must be a number/],
      ['0 7.5', /ply 2, "7.5": there is more text/],
      ['0 B1T', /ply 2, "B1T": this grid has no such box/],
      ['0 1 2 3 0', /ply 5, "0": the game is over/],
      ['resign', /ply 1, "resign": a line must be/],
    ]) {
      const { status, stdout, stderr } = boxes('verdict', ...size, moves);
      assert.equal(status, 1, moves);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  test('--rows and --cols are for games with sizes, both at once, and instead of --sfen', () => {
    const one = ['--rows', '1', '--cols', '1'];
    for (const command of [['legal'], ['perft', '--depth', '1'], ['verdict', '--moves', '']]) {
      for (const [words, message] of [
        [['--rows', '2'], /--cols is missing/],
        [['--cols', '2'], /--rows is missing/],
        [['--rows', '0', '--cols', '2'], /--rows must be a whole number from 1 to 8, not "0"/],
        [['--rows', '2', '--cols', '9'], /--cols must be a whole number from 1 to 8, not "9"/],
        [['--rows', 'x', '--cols', '9'], /--rows .*"x"/],
        [[...one, '--sfen', '1x1'], /--sfen says the grid/],
        [['--rows'], /"--rows" is no option here, or its value is missing/],
      ]) {
        const { status, stdout, stderr } = boxes(...command, ...words);
        assert.equal(status, 2, words.join(' '));
        assert.equal(stdout, '');
        assert.match(stderr, message);
      }
      const { status, stderr } = mini(...command, ...one);
      assert.equal(status, 2);
      assert.match(stderr, /mini-shogi has one board/);
    }
    assert.equal(call('convert', ...one).status, 2);
  });

  test('petits-carres: convert writes a game in every format, and reads it again', () => {
    const game = '3x4 moves 0 1 17\n';
    for (const format of ['moves', 'json', 'bits']) {
      const written = convertGame('petits-carres', 'moves', format, game);
      assert.equal(written.status, 0, format + written.stderr);
      const again = convertGame('petits-carres', format, format, written.text);
      assert.equal(again.text, written.text, format);
    }
    const json = convertGame('petits-carres', 'moves', 'json', game).text;
    assert.equal(convertGame('petits-carres', 'json', 'moves', json).text, game);
    const { start, plies, state } = JSON.parse(json);
    assert.equal(start, '3x4');
    assert.deepEqual(plies[2], { move: '17', action: { type: 'line', edge: 17 } });
    assert.equal(state.moves, 3);
    assert.equal(convertGame('petits-carres', 'moves', 'moves', 'A1T b1l').text, '0 50\n');
    const bits = convertGame('petits-carres', 'moves', 'bits', '1x1 moves 0 3').text;
    assert.equal(bits, '1x1 1001\n');
    assert.equal(convertGame('petits-carres', 'bits', 'moves', bits).text, bits);
  });

  test('petits-carres: convert names line and column of what is wrong', () => {
    for (const [from, input, message] of [
      ['moves', '\n 0 7 0', '-:2:6: That line is drawn already.\n'],
      ['moves', '1x1 moves 0 A1X', '-:1:15: The side of a box must be T, R, B or L.\n'],
      ['bits', '1x1 000', '-:1:8: There are too few or too many lines for this grid.\n'],
      [
        'json',
        '{"game":"petits-carres",\n"plies":[{"move":"0"},{"move":"97"}]}',
        '-:2:32: This grid has no line of that number.\n',
      ],
      ['json', '{"game":"mini-shogi","plies":[]}', '-:1:9: The text is of another game.\n'],
    ]) {
      const { status, text, stderr } = convertGame('petits-carres', from, 'moves', input);
      assert.equal(status, 1);
      assert.equal(text, '');
      assert.equal(stderr, message);
    }
  });

  test('a bad position exits 1 and names the column', () => {
    const { status, stderr } = mini('legal', '--sfen', 'rbsgk/4p/5/P4/KGSBX b - 1');
    assert.equal(status, 1);
    assert.match(stderr, /komadai legal: --sfen, column 19: no piece/);
    const grid = boxes('legal', '--sfen', '2x2 10000110110x');
    assert.equal(grid.status, 1);
    assert.match(grid.stderr, /komadai legal: --sfen, column 16: a line must be 0, 1, a or b/);
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
    for (const where of ['>/dev/full', '>&-', '<&- >&-', '<&- >&- 2>&-']) {
      const shell = `"$0" legal --game mini-shogi ${where}`;
      assert.equal(spawnSync('sh', ['-c', shell, komadai]).status, 1, where);
    }
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
    const kawu = (text) => convert('usi', 'json', text, '--rules', 'kawu').text;
    assert.equal(JSON.parse(kawu('startpos')).rules, 'kawu');
    /* Which start that word names does not hang on the rules. */
    assert.match(JSON.parse(kawu('startpos')).start, /^rbsgk\/4p\//);
    assert.match(JSON.parse(kawu('sfen rbsgk/p4/5/4P/KGSBR b - 1')).start, /^rbsgk\/p4\//);
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
        assert.match(stderr, /^-:\d+:\d+: A text must not hold a zero byte\.\n$/);
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

  /* rows, columns, bits, value, free, method, optimal, tags */
  test('boxes value tells the value and every line that keeps it', () => {
    for (const [height, width, bits, value, , , optimal] of rows('boxes_values.tsv')) {
      const words = ['--rows', height, '--cols', width, '--bits', bits];
      const { status, stdout } = call('boxes', 'value', ...words);
      assert.equal(status, 0);
      assert.match(stdout, /^value -?\d+ optimal \S+ nodes \d+\n$/);
      assert.equal(stdout.slice(0, stdout.indexOf(' nodes')), `value ${value} optimal ${optimal}`);
      assert.match(
        call('boxes', 'value', ...words, '--value-only', '--threads', '2').stdout,
        new RegExp(`^value ${value} nodes \\d+\n$`),
      );
    }
  });

  /* The table of a large grid, which a test of limits need not wait for. */
  const little = ['--memory', '4'];
  const grid = (height, width) => ['--rows', `${height}`, '--cols', `${width}`];

  test('boxes solve begins from the empty board, and says what limits leave open', () => {
    assert.match(call('boxes', 'solve', ...grid(2, 3)).stdout, /^value -2 optimal .* nodes \d+\n$/);
    const { status, stdout, stderr } = call(
      'boxes',
      'solve',
      ...grid(4, 4),
      '--nodes',
      '5000',
      ...little,
    );
    assert.equal(status, 1);
    assert.match(stdout, /^value -\d+\.\.\d+ nodes \d+\n$/);
    assert.match(
      stderr,
      /^komadai boxes solve: not finished: the limit of nodes or time is reached/,
    );
    assert.equal(
      call('boxes', 'value', ...grid(1, 1), '--bits', '1111').stdout.slice(0, 18),
      'value 0 optimal - ',
    );
    assert.match(
      call('boxes', 'value', ...grid(6, 7), '--bits', '0'.repeat(97)).stderr,
      /not searched: more than 64 lines are free/,
    );
  });

  test('boxes visits as many nodes as it is told, and no more', () => {
    for (const nodes of [1, 2, 1000, 4097]) {
      const words = ['boxes', 'solve', ...grid(4, 4), '--nodes', `${nodes}`, ...little];
      const { status, stdout } = call(...words);
      assert.equal(status, 1);
      assert.match(stdout, new RegExp(`^value -\\d+\\.\\.\\d+ nodes ${nodes}\n$`));
      const [, all] = / nodes (\d+)\n$/.exec(call(...words, '--threads', '2').stdout);
      assert.ok(Number(all) >= 1 && Number(all) <= nodes, all);
    }
  });

  test('boxes says a value that is proven, and that its lines are missing', () => {
    const words = ['boxes', 'solve', ...grid(3, 3)];
    const valueOnly = call(...words, '--value-only').stdout;
    const nodes = Number(/^value -3 nodes (\d+)\n$/.exec(valueOnly)[1]);
    for (const question of [
      words,
      ['boxes', 'value', ...words.slice(2), '--bits', '0'.repeat(24)],
    ]) {
      const { status, stdout, stderr } = call(...question, '--nodes', `${nodes + 5000}`);
      assert.equal(status, 1);
      assert.match(stdout, /^value -3 nodes \d+\n$/);
      assert.match(
        stderr,
        /: the value is proven, the lines that keep it are not found: the limit/,
      );
    }
    const { status, stdout } = call(...words, '--nodes', `${nodes + 5000}`, '--value-only');
    assert.equal(status, 0);
    assert.equal(stdout, valueOnly);
  });

  test('boxes solve goes on from its checkpoint, and refuses one that is not its own', () => {
    withFile('checkpoint', '', (file) => {
      const words = ['boxes', 'solve', ...grid(3, 3), '--checkpoint', file];
      assert.match(call(...words).stderr, /this is no checkpoint of `boxes solve`/);
      rmSync(file);
      assert.equal(call(...words, '--nodes', '20000').status, 1);
      const resumed = call(...words, '--value-only');
      assert.match(resumed.stdout, /^value -3 nodes \d+\n$/);
      assert.match(resumed.stderr, /goes on from/);
      const bytes = readFileSync(file);
      assert.match(
        call('boxes', 'solve', ...grid(3, 4), '--checkpoint', file).stderr,
        /it is of the grid 3x3, not 3x4/,
      );
      for (const at of [0, 9, 20, 100, bytes.length - 1]) {
        const damaged = Buffer.from(bytes);
        damaged[at] ^= 1;
        writeFileSync(file, damaged);
        assert.equal(call(...words).status, 1, `byte ${at}`);
      }
      writeFileSync(file, bytes.subarray(0, bytes.length - 40));
      assert.match(call(...words).stderr, /the file is damaged/);
    });
  });

  /* Entries stand between a header of 48 bytes and an end of 48. */
  const entriesOf = (file) => (statSync(file).size - 96) / 16;

  test('boxes solve goes on with a table as large as the checkpoint has, or a larger one', () => {
    withFile('checkpoint', '', (file) => {
      rmSync(file);
      const words = ['boxes', 'solve', ...grid(3, 4), '--checkpoint', file];
      assert.equal(call(...words, '--memory', '5', '--nodes', '1500000').status, 1);
      const entries = entriesOf(file);
      assert.ok(entries > (2 << 20) / 16, `${entries} entries would fit a smaller table`);
      const bytes = readFileSync(file);
      const small = call(...words, '--memory', '3');
      assert.equal(small.status, 1);
      assert.equal(small.stdout, '');
      assert.match(small.stderr, /it needs a table of 4 MiB: --memory 4, or none/);
      assert.deepEqual(readFileSync(file), bytes);
      for (const memory of [[], ['--memory', '4'], ['--memory', '16']]) {
        writeFileSync(file, bytes);
        call(...words, ...memory, '--nodes', '1');
        assert.ok(entriesOf(file) >= entries, `${memory}: ${entriesOf(file)} of ${entries}`);
      }
      /* One that does not say it, as they were before: its entries do. */
      const old = Buffer.from(bytes);
      old[20] = 0;
      const hash = spawnSync('b2sum', ['-l', '256'], { input: old.subarray(0, -32) });
      Buffer.from(hash.stdout.toString().slice(0, 64), 'hex').copy(old, old.length - 32);
      writeFileSync(file, old);
      assert.match(call(...words, '--memory', '3').stderr, /it needs a table of 4 MiB/);
      assert.match(call(...words, '--value-only').stdout, /^value 0 nodes /);
    });
  });

  test('boxes solve leaves its checkpoint as it is until it has more, and alone has it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'komadai cli '));
    const file = join(folder, 'checkpoint');
    const words = ['boxes', 'solve', ...grid(3, 5), '--checkpoint', file];
    try {
      assert.equal(call(...words, '--memory', '4', '--nodes', '100000').status, 1);
      const bytes = readFileSync(file);
      const { ino } = statSync(file);
      writeFileSync(`${file}.new`, 'what a killed process left');
      const first = spawn(komadai, words);
      first.stderr.setEncoding('utf8');
      const [said] = await once(first.stderr, 'data');
      assert.match(said, /goes on from/);
      const second = call(...words);
      assert.equal(second.status, 1);
      assert.match(second.stderr, /another process is using it/);
      assert.equal(statSync(file).ino, ino);
      first.kill('SIGKILL');
      await once(first, 'close');
      assert.deepEqual(readFileSync(file), bytes);
      writeFileSync(`${file}.new`, 'what a killed process left');
      assert.match(call(...words, '--nodes', '1000').stderr, /goes on from/);
      assert.notEqual(statSync(file).ino, ino);
      assert.deepEqual(readdirSync(folder).toSorted(), ['checkpoint', 'checkpoint-lock']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('boxes solve keeps its old checkpoint where a new one cannot be written', () => {
    withFile('checkpoint', '', (file) => {
      rmSync(file);
      const words = ['boxes', 'solve', ...grid(3, 4), '--checkpoint', file];
      assert.equal(call(...words, '--nodes', '2000').status, 1);
      const bytes = readFileSync(file);
      const script = 'ulimit -f 64; exec "$0" "$@"';
      const limited = spawnSync('bash', ['-c', script, komadai, ...words, '--nodes', '400000'], {
        encoding: 'utf8',
      });
      assert.equal(limited.status, 1);
      assert.match(limited.stdout, /^value -?\d+\.\./);
      assert.match(limited.stderr, /the checkpoint could not be written: File too large/);
      assert.deepEqual(readFileSync(file), bytes);
      assert.deepEqual(readdirSync(join(file, '..')).toSorted(), ['checkpoint', 'checkpoint-lock']);
      mkdirSync(`${file}.new`);
      const { status, stdout, stderr } = call(...words);
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /the checkpoint could not be written: /);
    });
  });

  test('boxes solve refuses a checkpoint that is no ordinary file, before it searches', () => {
    withFile('ordinary', '', (file) => {
      rmSync(file);
      const [pipe, folder, link] = ['pipe', 'folder', 'link'].map((name) => join(file, '..', name));
      spawnSync('mkfifo', [pipe]);
      mkdirSync(folder);
      for (const path of [pipe, folder, '/dev/null', '/dev/full', '/dev/zero']) {
        const words = ['boxes', 'solve', ...grid(3, 5), '--checkpoint', path];
        const { status, stderr } = spawnSync(komadai, words, { encoding: 'utf8', timeout: 5000 });
        assert.equal(status, 1, path);
        assert.match(stderr, /a checkpoint is an ordinary file, and this is none/);
      }
      /* A link stays one. */
      const words = ['boxes', 'solve', ...grid(2, 2), '--checkpoint'];
      assert.equal(call(...words, file).status, 0);
      symlinkSync(file, link);
      assert.match(call(...words, link).stderr, /goes on from/);
      assert.deepEqual(readFileSync(link), readFileSync(file));
      rmSync(file);
      const { status, stderr } = call(...words, link);
      assert.equal(status, 1);
      assert.match(stderr, /No such file/);
    });
  });

  test('boxes analyse tells of every free line, of strings and of what is safe', () => {
    const words = ['boxes', 'analyse', ...grid(2, 3), '--bits', '11110111000000110'];
    const lines = call(...words)
      .stdout.trimEnd()
      .split('\n');
    assert.match(lines[0], /^value 4 optimal 4,13 nodes \d+$/);
    assert.deepEqual(lines.slice(1, 4), ['nimber 1', 'takeable 2 A2,B2', 'safe 0 -']);
    assert.equal(lines.filter((line) => line.startsWith('chain ')).length, 3);
    assert.equal(lines.filter((line) => line.startsWith('line ')).length, 8);
    assert.match(lines.join('\n'), /^line 4 B1B score 4 takes 1 optimal: /m);
  });

  const levels = ['taker', 'opener', 'greedy', 'counter', 'near-perfect', 'master', 'random-safe'];

  test('boxes choose draws a free line at every level, the last one without a mistake', () => {
    for (const level of levels) {
      const words = ['boxes', 'choose', ...grid(2, 3), '--bits', '11110111000000110'];
      const { status, stdout } = call(...words, '--level', level);
      assert.equal(status, 0, level);
      const [, line] = /^line (\d+) [A-C][12][TRBL] value -?\d+ (?:exact|about) nodes \d+\n$/.exec(
        stdout,
      );
      assert.equal('11110111000000110'[line], '0');
      assert.equal(call(...words, '--level', level).stdout, stdout);
    }
    for (const [height, width, bits, value, , , optimal] of rows('boxes_values.tsv').slice(0, 20)) {
      const words = ['--rows', height, '--cols', width, '--bits', bits, '--level', 'master'];
      const [, line, known] = /^line (\d+) \S+ value (-?\d+) exact/.exec(
        call('boxes', 'choose', ...words).stdout,
      );
      assert.equal(known, value);
      assert.ok(optimal.split(',').includes(line), `${bits}: ${line}`);
    }
    const over = call('boxes', 'choose', ...grid(1, 1), '--bits', '1111', '--level', 'master');
    assert.equal(over.status, 1);
    assert.match(over.stderr, /no line is free/);
  });

  test('boxes match counts pairs of games, and is repeated by its seed', () => {
    const words = ['boxes', 'match', ...grid(3, 3), '--level', 'counter', '--against', 'taker'];
    const { status, stdout } = call(...words, '--games', '10', '--seed', '3');
    assert.equal(status, 0);
    const [, won, lost, tied] = /^counter against taker: (\d+) won, (\d+) lost, (\d+) tied\n/.exec(
      stdout,
    );
    assert.equal(Number(won) + Number(lost) + Number(tied), 10);
    assert.ok(Number(won) > Number(lost));
    assert.match(stdout, /^points \d+\.\d% \(twice the standard error by pair: \d+\.\d\)$/m);
    assert.match(stdout, /^boxes a game [+-]\d+\.\d\d$/m);
    const again = call(...words, '--games', '10', '--seed', '3').stdout;
    assert.equal(again.split('\nslowest')[0], stdout.split('\nslowest')[0]);
    assert.equal(call(...words, '--bits', '1'.repeat(24)).status, 1);
  });

  test('boxes refuses what is no question, grid or line', () => {
    const position = [...grid(2, 2), '--bits', '100001101100'];
    for (const words of [
      [],
      ['values', ...position],
      ['value', ...grid(2, 2)],
      ['value', '--rows', '2', '--bits', '1'],
      ['value', '--rows', '9', '--cols', '2', '--bits', '1'],
      ['value', ...position, '--threads', '0'],
      ['value', ...position, '--memory', '-1'],
      ['value', ...position, '--checkpoint', 'x'],
      ['value', ...position, 'more'],
      ['solve', ...position],
      ['solve', ...grid(2, 2), '--interval', '5'],
      ['analyse', ...position, '--value-only'],
      ['choose', ...position],
      ['choose', ...position, '--level', 'Master'],
      ['choose', ...position, '--level', ''],
      ['choose', ...position, '--level', 'master', '--against', 'taker'],
      ['match', ...grid(2, 2), '--level', 'master'],
      ['match', ...grid(2, 2), '--level', 'master', '--against', 'taker', '--games', '0'],
      ['match', ...grid(2, 2), '--level', 'master', '--against', 'nobody'],
      ['value', ...position, '--level', 'master'],
    ]) {
      const { status, stdout, stderr } = call('boxes', ...words);
      assert.equal(status, 2, words.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /^komadai boxes/);
    }
    for (const bits of ['', '1', '1000011011000', '10000110110x', '10000110110-', ' 00001101100']) {
      const { status, stdout, stderr } = call('boxes', 'value', ...grid(2, 2), '--bits', bits);
      assert.equal(status, 1, bits);
      assert.equal(stdout, '');
      assert.match(stderr, /^komadai boxes value: --bits/);
    }
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
    assert.match(call('help').stdout, /petits-carres: standard; formats: moves bits json\n/);
    assert.match(call('--version').stdout, /^komadai \d+\.\d+\.\d+\n$/);
  });
}
