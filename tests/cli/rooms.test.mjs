// SPDX-License-Identifier: MIT
/* `komadai rooms`, where no server runs; tests/http/rooms.test.mjs has the rest. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const komadai = process.env.KOMADAI_BIN ?? `${top}/bin/komadai`;
const folder = mkdtempSync(join(tmpdir(), 'komadai rooms '));
after(() => rmSync(folder, { recursive: true }));

let count = 0;
const freshName = () => join(folder, `data ${++count}`);

function rooms(words, { input = '', prefix = '' } = {}) {
  const shell = ['-c', `${prefix}exec "$0" "$@"`, komadai, 'rooms', ...words];
  const { status, stdout, stderr } = spawnSync('/bin/sh', shell, {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return { status, stdout, stderr };
}

function assertRefused(answer, ...words) {
  assert.equal(answer.status, 1, answer.stderr);
  for (const word of words) assert.ok(answer.stderr.includes(word), answer.stderr);
}

const HASH = '0123456789abcdef'.repeat(4);
const KEY = 'fedcba9876543210'.repeat(4);
const FIRST = 'komadai-rooms 1';
const BOXES = [
  `a created 1 1764530000000 petits-carres ${HASH} ${KEY}`,
  `a joined 2 1764530001000 ${KEY}`,
  'a played 3 1764530002000 host h-1 0',
  'a played 4 1764530003000 guest g-1 1',
];
const SHOGI = [
  `b created 1 1764530000000 mini-shogi ${HASH} ${KEY}`,
  `b joined 2 1764530001000 ${KEY}`,
  'b played 3 1764530002000 host h-1 5d5c',
  'b left 4 1764530003000 guest g-1',
  'b left 5 1764530004000 host h-2',
];
const textOf = (...lines) => [FIRST, ...lines, ''].join('\n');
const TEXT = textOf(...BOXES, ...SHOGI);

function importText(text) {
  const data = freshName();
  const answer = rooms(['import', '--data', data, '-'], { input: text });
  assert.equal(answer.status, 0, answer.stderr);
  return data;
}

/* Writes bytes into a file that nobody has open; `find` is what stands there now. */
function patch(file, find, replacement) {
  const bytes = readFileSync(file);
  const at = typeof find === 'number' ? find : bytes.indexOf(find);
  assert.ok(at >= 0 && (typeof find === 'number' || bytes.indexOf(find, at + 1) < 0));
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.from(replacement), 0, replacement.length, at);
  closeSync(fd);
}

test('rooms import makes a data file, and export prints the text again', () => {
  const data = freshName();
  const answer = rooms(['import', '--data', data], { input: TEXT });
  assert.deepEqual(answer, { status: 0, stdout: '2 rooms, 9 events\n', stderr: '' });
  assert.equal(statSync(data).mode & 0o7777, 0o600);
  assert.deepEqual(rooms(['export', '--data', data]), { status: 0, stdout: TEXT, stderr: '' });
  assert.equal(rooms(['export', '--data', data, '--room', 'a']).stdout, textOf(...BOXES));
  const check = rooms(['check', '--data', data]);
  assert.deepEqual(check, { status: 0, stdout: '2 rooms, 9 events, 0 damaged\n', stderr: '' });
});

test('rooms import reads a file too, and a text without rooms', () => {
  const text = freshName();
  const data = freshName();
  writeFileSync(text, textOf());
  assert.equal(rooms(['import', '--data', data, text]).stdout, '0 rooms, 0 events\n');
  assert.equal(rooms(['check', '--data', data]).stdout, '0 rooms, 0 events, 0 damaged\n');
  assert.equal(rooms(['export', '--data', data]).stdout, textOf());
});

test('rooms import puts its data over an empty file, and over no other', () => {
  const data = freshName();
  writeFileSync(data, '');
  assert.equal(rooms(['import', '--data', data], { input: TEXT }).status, 0);
  const before = readFileSync(data);
  const again = rooms(['import', '--data', data], { input: TEXT });
  assertRefused(again, 'The file exists already', data);
  assert.deepEqual(readFileSync(data), before);
});

test('rooms import and backup keep away from the journal of another data file', () => {
  const data = importText(TEXT);
  for (const ending of ['-wal', '-journal']) {
    const place = freshName();
    writeFileSync(place + ending, 'rows of a file that was moved away');
    const backup = rooms(['backup', '--data', data, place]);
    assertRefused(backup, 'A journal of another data file is in the way', place + ending);
    assertRefused(rooms(['import', '--data', place], { input: TEXT }), 'is in the way');
    assert.ok(!existsSync(place));
  }
});

for (const [what, lines, place, words] of [
  ['another first line', ['komadai-rooms 2', ...BOXES, ''], '1:1', 'The first line must be'],
  ['no text at all', [], '1:1', 'The first line must be'],
  ['an empty line', [FIRST, '', ''], '2:1', 'must begin with the name of a room'],
  ['a blank before', [FIRST, ` ${BOXES[0]}`, ''], '2:1', 'must begin with the name of a room'],
  ['a long name', [FIRST, `${'a'.repeat(24)} x`, ''], '2:1', 'must begin with the name'],
  ['a name of other signs', [FIRST, `ä${BOXES[0]}`, ''], '2:5', 'follow'],
  ['a name alone', [FIRST, 'a', ''], '2:2', 'An event must follow'],
  ['no event', [FIRST, 'a ', ''], '2:3', ''],
  ['a blank too many', [FIRST, BOXES[0].replace(' ', '  '), ''], '2:3', ''],
  ['a line that is too long', [FIRST, 'a'.repeat(5000), ''], '2:536', 'long'],
  ['a word too many', [FIRST, ...BOXES, 'a expired 5 1764530004000 x', ''], '6:26', ''],
  ['an event of another revision', [FIRST, BOXES[0], BOXES[2], ''], '3:10', ''],
  ['a hash of capitals', [FIRST, BOXES[0].replace('abcdef ', 'abcdeF '), ''], '2:104', ''],
  ['a move of no form', [FIRST, ...BOXES, 'a played 5 1764530004000 host h-2 99', ''], '6:35', ''],
  ['a move that is taken', [FIRST, ...BOXES, 'a played 5 1764530004000 host h-2 1', ''], '6:3', ''],
  ['a game that there is not', [FIRST, BOXES[0].replace('petits', 'grands'), ''], '2:3', ''],
  ['rooms out of order', [FIRST, ...SHOGI, ...BOXES, ''], '7:1', 'in the order of their names'],
  ['a room that comes twice', [FIRST, ...BOXES, ...BOXES, ''], '6:3', ''],
  ['a last line without its end', [FIRST, ...BOXES], '5:37', 'may not be whole'],
  ['an end of line of Windows', [FIRST, `${BOXES[0]}\r`, ''], '2:170', ''],
  ['a zero', [FIRST, `${BOXES[0]}\0`, ''], '2:170', ''],
]) {
  test(`rooms import refuses ${what}, names the place, and leaves nothing`, () => {
    const data = freshName();
    const answer = rooms(['import', '--data', data], { input: lines.join('\n') });
    const files = readdirSync(folder);
    assertRefused(answer, `standard input:${place}: `, words);
    assert.match(answer.stderr, /: [A-Z].*\.\n$/);
    assert.equal(answer.stdout, '');
    assert.deepEqual(
      files,
      files.filter((name) => !join(folder, name).startsWith(data)),
    );
  });
}

test('rooms import names the file that it reads', () => {
  const text = freshName();
  writeFileSync(text, textOf('a'));
  assertRefused(rooms(['import', '--data', freshName(), text]), `${text}:2:2: An event`);
  assertRefused(rooms(['import', '--data', freshName(), `${text}x`]), 'No such file');
  assertRefused(rooms(['import', '--data', freshName(), folder]), 'Is a directory');
});

test('rooms import says how far it is, every 100,000 events', () => {
  const lines = [];
  for (let room = 0; room < 10; room++) {
    const name = `r${room}`;
    lines.push(BOXES[0].replace('a', name), BOXES[1].replace('a', name));
    for (let rev = 3; rev < 10500; rev += 2) {
      lines.push(`${name} asked ${rev} 1764530002000 host h${rev} new-game`);
      lines.push(`${name} withdrawn ${rev + 1} 1764530002000 host h${rev + 1}`);
    }
  }
  const answer = rooms(['import', '--data', freshName()], { input: textOf(...lines) });
  assert.deepEqual([answer.status, answer.stdout], [0, `10 rooms, ${lines.length} events\n`]);
  const progress = 'komadai rooms import: 100000 events of 10 rooms so far\n';
  assert.equal(answer.stderr, progress);
});

test('rooms backup makes a copy that passes the check and is the same', () => {
  const data = importText(TEXT);
  const copy = freshName();
  const answer = rooms(['backup', '--data', data, copy]);
  assert.deepEqual(answer, { status: 0, stdout: '', stderr: '' });
  assert.equal(statSync(copy).mode & 0o7777, 0o600);
  assert.equal(rooms(['check', '--data', copy]).stdout, '2 rooms, 9 events, 0 damaged\n');
  assert.equal(rooms(['export', '--data', copy]).stdout, TEXT);
});

test('rooms backup overwrites nothing, and says where it cannot write', () => {
  const data = importText(TEXT);
  const before = readFileSync(data);
  const empty = freshName();
  const link = freshName();
  writeFileSync(empty, '');
  symlinkSync('nowhere', link);
  for (const place of [data, empty, link, folder]) {
    assertRefused(rooms(['backup', '--data', data, place]), 'The file exists already', place);
  }
  assert.deepEqual(readFileSync(data), before);
  assert.equal(readFileSync(empty).length, 0);
  const missing = join(folder, 'missing', 'copy');
  assertRefused(
    rooms(['backup', '--data', data, missing]),
    'The folder of the file cannot be found (No such file or directory)',
    missing,
  );
  assertRefused(rooms(['backup', '--data', data, join(data, 'copy')]), '(Not a directory)');
  assertRefused(rooms(['backup', '--data', data, join(folder, 'x'.repeat(250))]), 'name too long');
  assertRefused(rooms(['backup', '--data', data, '/proc/copy']), 'cannot be made');
  assertRefused(rooms(['backup', '--data', data, `${folder}/`]), 'has no name');
});

test('rooms backup and import say that a file is larger than it may be, and leave nothing', () => {
  const lines = [];
  for (let room = 100; room < 400; room++) lines.push(BOXES[0].replace('a', `r${room}`));
  const data = importText(textOf(...lines));
  const prefix = 'ulimit -f 40; ';
  const place = freshName();
  const files = readdirSync(folder);
  const reason = 'cannot be written (File too large)';
  assertRefused(rooms(['backup', '--data', data, place], { prefix }), reason);
  const input = textOf(...lines);
  assertRefused(rooms(['import', '--data', place], { prefix, input }), reason);
  assert.deepEqual(
    readdirSync(folder).filter((name) => !/-(shm|wal)$/.test(name)),
    files.filter((name) => !/-(shm|wal)$/.test(name)),
  );
});

const renamed = (lines, room) =>
  lines.map((line) => line.replace(/^\w+/, room).replace(/ (host|guest) \w+/, ` $1 ${room}`));

test('rooms check names each damaged room once, with its place', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const text = textOf(...names.flatMap((name) => renamed(BOXES, name)));
  const data = importText(text);
  patch(data, 'host b-1 0', 'host b-1 x'); /* no move */
  patch(data, 'guest c-1 1', 'guest c-1 0'); /* a move that is taken */
  patch(data, 'guest d-1 1', 'guest d-1\n1'); /* not even a line */
  const answer = rooms(['check', '--data', data]);
  assert.deepEqual([answer.status, answer.stderr], [1, '']);
  const lines = answer.stdout.split('\n');
  assert.match(lines[0], /^room b, revision 3, column 34: [A-Z].*\.$/);
  assert.match(lines[1], /^room c, revision 4, column 1: [A-Z].*\.$/);
  assert.match(lines[2], /^room d, revision 4, column 33: [A-Z].*\.$/);
  assert.deepEqual(lines.slice(3), ['5 rooms, 20 events, 3 damaged', '']);

  /* What a text can hold is exported, so that the rest can be repaired. */
  const exported = rooms(['export', '--data', data]);
  assertRefused(exported, 'room d, revision 4 is left out');
  assert.equal(exported.stdout.split('\n').length, text.split('\n').length - 1);
  const whole = exported.stdout.split('\n').filter((line) => !/^[bcd] /.test(line));
  const repaired = importText(whole.join('\n'));
  assert.equal(rooms(['check', '--data', repaired]).stdout, '2 rooms, 8 events, 0 damaged\n');
});

test('rooms backup copies damaged rooms too, and says so', () => {
  const data = importText(textOf(...renamed(BOXES, 'a'), ...renamed(BOXES, 'b')));
  patch(data, 'guest b-1 1', 'guest b-1 0');
  const copy = freshName();
  const answer = rooms(['backup', '--data', data, copy]);
  assert.deepEqual([answer.status, answer.stdout], [0, '']);
  assert.match(answer.stderr, /^komadai rooms backup: the copy .* 1 of its 2 rooms are damaged;/);
  assert.match(
    rooms(['check', '--data', copy]).stdout,
    /^room b, .*\n2 rooms, 8 events, 1 damaged/,
  );

  /* A row that is none of a log, though SQLite finds nothing wrong with it. */
  const other = importText(textOf(...renamed(BOXES, 'a')));
  patch(other, 'guest a-1 1', 'guest a-1\0\x31');
  const second = freshName();
  const warned = rooms(['backup', '--data', other, second]);
  assert.equal(warned.status, 0);
  assert.match(warned.stderr, /: the copy is made, but not whole: The data file is damaged: row 4/);
  assert.equal(rooms(['check', '--data', second]).status, 1);
});

test('rooms backup that is killed leaves what its name tells, and nothing in the place', async () => {
  const lines = [];
  for (let room = 1000; room < 4000; room++) lines.push(...renamed(BOXES, `r${room}`));
  const data = importText(textOf(...lines));
  const copy = freshName();
  const left = () =>
    readdirSync(folder).filter((name) => join(folder, name).startsWith(`${copy}-`));
  /* One that was too fast is not killed, and leaves its copy alone. */
  for (let tries = 0; tries < 50 && left().length === 0; tries++) {
    rmSync(copy, { force: true });
    const child = spawn(komadai, ['rooms', 'backup', '--data', data, copy]);
    const ended = once(child, 'close');
    while (left().length === 0 && child.exitCode === null) await setImmediate();
    child.kill('SIGKILL');
    await ended;
  }
  assert.ok(left().length > 0);
  for (const name of left()) assert.match(name, /^data \d+-[A-Za-z0-9]{6}(-journal)?$/);
  assert.ok(!existsSync(copy));
  assert.equal(rooms(['backup', '--data', data, copy]).status, 0);
});

test('rooms check finds an event that stands at another place than it says', () => {
  const data = importText(textOf(...renamed(BOXES, 'a')));
  patch(data, 'played 4 ', 'played 5 ');
  assert.match(rooms(['check', '--data', data]).stdout, /^room a, revision 4, column 8: /);
});

test('rooms check, export and backup find a damage of the database', () => {
  const lines = [];
  for (let room = 100; room < 400; room++) lines.push(...renamed(BOXES, `r${room}`));
  const whole = importText(textOf(...lines));
  const { size } = statSync(whole);
  for (const place of [4096, 8192, size / 2]) {
    const data = freshName();
    copyFileSync(whole, data);
    patch(data, place - (place % 4096), '\x7f'.repeat(64));
    const check = rooms(['check', '--data', data]);
    assertRefused(check, 'The data file');
    if (place === size / 2) assert.match(check.stdout, /^data file: .*\n/);
    assert.match(check.stdout, /\d+ rooms, \d+ events, \d+ damaged\n$/);
    const copy = freshName();
    assertRefused(rooms(['backup', '--data', data, copy]), 'SQLite');
    assert.ok(!existsSync(copy));
  }
});

test('rooms says what is wrong with the data file', () => {
  const whole = importText(TEXT);
  const missing = freshName();
  const text = freshName();
  writeFileSync(text, 'These are no data of a server.\n'.repeat(100));
  const empty = freshName();
  writeFileSync(empty, '');
  const short = freshName();
  writeFileSync(short, 'x');
  const newer = freshName();
  copyFileSync(whole, newer);
  patch(newer, 60, '\0\0\0c');
  const other = freshName();
  copyFileSync(whole, other);
  patch(other, 68, 'none');
  const cut = freshName();
  writeFileSync(cut, readFileSync(whole).subarray(0, 5000));
  mkdirSync(join(folder, 'a folder'));
  for (const [data, words] of [
    [missing, 'The data file cannot be found (No such file'],
    [join(folder, 'a folder'), 'The data file is a folder'],
    [text, 'not a data file of Komadai'],
    [short, 'not a data file of Komadai'],
    [empty, 'The data file is empty'],
    [newer, 'made by a newer release (schema 99'],
    [other, 'database of another program'],
    [cut, 'damaged'],
  ]) {
    const copy = freshName();
    for (const asked of [['check'], ['export'], ['backup', copy]]) {
      const answer = rooms([...asked, '--data', data]);
      assertRefused(answer, `komadai rooms ${asked[0]}: `, words);
    }
    assert.ok(!existsSync(copy));
  }
  assert.ok(!existsSync(missing));
});

test('rooms export of a room that there is not', () => {
  const answer = rooms(['export', '--data', importText(TEXT), '--room', 'c']);
  assertRefused(answer, 'there is no room "c"');
});

test('rooms export whose reader goes away says so', () => {
  const lines = [];
  for (let room = 1000; room < 4000; room++) lines.push(BOXES[0].replace('a', `r${room}`));
  const data = importText(textOf(...lines));
  const { stdout } = spawnSync(
    '/bin/sh',
    [
      '-c',
      '{ "$0" rooms export --data "$1"; echo "status $?" >&3; } 3>&1 >/dev/full',
      komadai,
      data,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(stdout, 'status 1\n');
});

test('wrong usage of rooms is status 2, with the next step', () => {
  for (const [words, message] of [
    [[], 'what to do must be one of: check export import backup'],
    [['repair'], 'what to do must be one of'],
    [['check', '--room', 'a'], '--room is not for it'],
    [['check', 'x'], 'unexpected argument "x"'],
    [['export', '--data'], '"--data" is no option here, or its value is missing'],
    [['import', 'x', 'y'], 'unexpected argument "y"'],
    [['backup'], 'the file of the copy is missing'],
  ]) {
    const { status, stderr } = rooms(words);
    assert.equal(status, 2, stderr);
    assert.ok(stderr.includes(message), stderr);
    assert.ok(stderr.includes('komadai help'));
  }
});
