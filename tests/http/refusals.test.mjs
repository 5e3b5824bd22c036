// SPDX-License-Identifier: MIT
/* Bodies and moves that are refused: what is said, and that nothing has happened. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NO_LIMITS, Server } from './harness.mjs';
import {
  assertRefused,
  assertUnchanged,
  drop,
  freshId,
  GAME,
  move,
  PAWN,
  readData,
  resign,
  ROOMS,
  Table,
} from './table.mjs';

const server = new Server(NO_LIMITS);
before(() => server.start());
after(() => server.remove());

/* Texts that are no body of any request. */
const noBodies = {
  nothing: '',
  blanks: ' \r\n ',
  'a word': 'play',
  'half an object': '{"rev":2',
  'two objects': '{}{}',
  'a trailing comma': '{"rev":2,}',
  'single quotes': "{'rev':2}",
  'a comment': '{/* */}',
  'an array': '[]',
  'a string': '"{}"',
  'a number': '7',
  null: 'null',
  'a member twice': '{"game":"mini-shogi","game":"mini-shogi","settings":{}}',
  'a zero byte': '{"game":"mini-shogi\0","settings":{}}',
  'an escaped zero': '{"game":"mini-shogi\\u0000","settings":{}}',
  'a lone surrogate': '{"game":"\\ud800","settings":{}}',
  'a number too large': '{"rev":1e999}',
  'a whole number too large': '{"rev":99999999999999999999}',
  NaN: '{"rev":NaN}',
  'a byte order mark': '\ufeff{}',
  'deep nesting': '['.repeat(8000),
};

const notUtf8 = Buffer.from([0x7b, 0x22, 0x67, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);

/* `body` with one member changed, or taken away where `value` is undefined. */
const withMember = (body, name, value) => ({ ...body, [name]: value });

test('a body that is not the JSON of an object is malformed, at every address', async () => {
  const table = await Table.createJoined(server);
  await assertUnchanged(table, async () => {
    for (const path of [ROOMS, `${table.path}/join`, `${table.path}/commands`]) {
      for (const [name, text] of Object.entries(noBodies)) {
        const answer = await server.post(path, text, table.keys.host);
        assert.equal(answer.status, 400, `${path}: ${name}`);
        assertRefused(answer, 400, 'malformed');
      }
      assertRefused(await server.post(path, notUtf8, table.keys.host), 400, 'malformed');
    }
  });
});

test('a body that is no JSON object says why', async () => {
  for (const [body, message] of [
    ['', /ends too early/],
    ['{"game":"mini-shogi"', /ends too early/],
    ['{game:1}', /not JSON: line 1, column \d/],
    ['null', /must be a JSON object/],
    ['[]', /must be a JSON object/],
    ['"x"', /must be a JSON object/],
    ['{"game":"mini-shogi","game":"mini-shogi","settings":{}}', /member twice/],
    [`{"game":1${'0'.repeat(30)}}`, /number that is too large/],
    ['{"game":"mini-shogi\\u0000","settings":{}}', /zero character/],
  ]) {
    const answer = await server.post(ROOMS, body);
    assertRefused(answer, 400, 'malformed');
    assert.match(answer.body.message, message);
  }
});

test('creation names the member at fault', async () => {
  const good = { game: GAME, settings: {} };
  for (const [name, value] of [
    ['game', undefined],
    ['game', 7],
    ['game', null],
    ['game', ''],
    ['game', 'x'.repeat(32)],
    ['settings', undefined],
    ['settings', null],
    ['settings', []],
    ['settings', 'none'],
    ['color', 'black'],
    ['id', 'a'],
  ]) {
    const answer = await server.post(ROOMS, withMember(good, name, value));
    assertRefused(answer, 400, 'malformed');
    assert.ok(answer.body.message.includes(`"${name}"`), answer.text);
  }
});

test('creation refuses every setting and every game that is not there', async () => {
  for (const settings of [{ clock: 10 }, { '': 0 }, { 'a"b\n': 1 }]) {
    const answer = await server.post(ROOMS, { game: GAME, settings });
    assertRefused(answer, 422, 'settings');
  }
  for (const game of ['shogi', 'Mini-Shogi', 'mini-shogi ', '駒台', '"<>&']) {
    const answer = await server.post(ROOMS, { game, settings: {} });
    assertRefused(answer, 422, 'game-unknown');
  }
});

test('a join names the member at fault', async () => {
  const table = await Table.create(server);
  const good = { invite: table.invite, game: GAME };
  const [room, secret] = table.invite.split('.');
  await assertUnchanged(table, async () => {
    for (const [name, value] of [
      ['invite', undefined],
      ['invite', 7],
      ['invite', ''],
      ['invite', room],
      ['invite', `${room}.`],
      ['invite', `.${secret}`],
      ['invite', `${room}${secret}`],
      ['invite', `${room}.${secret}.`],
      ['invite', `${room}.${secret.slice(1)}`],
      ['invite', `${room}.${secret.slice(0, 21)}=`],
      ['invite', `${room.toUpperCase()}.${secret}`],
      ['invite', `${room}.${'é'.repeat(11)}`],
      ['game', undefined],
      ['game', {}],
      ['id', ''],
      ['id', 'x'.repeat(65)],
      ['id', 'a b'],
      ['id', 'é'],
      ['id', 1],
      ['key', table.keys.host],
    ]) {
      const answer = await server.post(`${table.path}/join`, withMember(good, name, value));
      assertRefused(answer, 400, 'malformed');
      assert.ok(answer.body.message.includes(`"${name}"`), `${name} ${value}: ${answer.text}`);
    }
  });
  await table.join();
});

test('a command names the member at fault', async () => {
  const table = await Table.createJoined(server);
  const good = { rev: 2, id: 'never-used', op: 'play', action: PAWN };
  await assertUnchanged(table, async () => {
    for (const [name, value] of [
      ['rev', undefined],
      ['rev', 0],
      ['rev', -1],
      ['rev', 2.5],
      ['rev', '2'],
      ['rev', null],
      ['rev', true],
      ['id', undefined],
      ['id', ''],
      ['id', 'x'.repeat(65)],
      ['id', 'a b'],
      ['id', 'a\nb'],
      ['id', 'é'],
      ['id', 7],
      ['op', undefined],
      ['op', 'x'.repeat(32)],
      ['op', 1],
      ['action', undefined],
      ['action', null],
      ['action', '5d5c'],
      ['action', [PAWN]],
      ['seat', 'guest'],
    ]) {
      const body = withMember(good, name, value);
      const answer = await server.post(`${table.path}/commands`, body, table.keys.host);
      assertRefused(answer, 400, 'malformed');
      assert.ok(answer.body.message.includes(`"${name}"`), `${name} ${value}: ${answer.text}`);
    }
    for (const op of ['Play', 'undo', 'leave', 'ask', 'x"y']) {
      const answer = await table.send('host', { rev: 2, op, action: PAWN });
      assertRefused(answer, 400, 'malformed');
    }
  });
});

test('an id may have 1 to 64 of its characters', async () => {
  const table = await Table.createJoined(server);
  const id = 'Az09_-'.repeat(10) + '1234';
  assert.equal((await table.send('host', { rev: 2, id, action: PAWN })).status, 200);
  assert.equal((await table.send('guest', { rev: 3, id: '-', action: resign })).status, 200);
});

/* Actions whose form no rule can accept, with the reason. */
const strangeActions = [
  ['action-member-missing', {}],
  ['action-member-value', { type: 7 }],
  ['action-type', { type: 'declare' }],
  ['action-type', { type: 'pass' }],
  ['action-type', { type: '' }],
  ['action-type', { type: 'Move', from: 15, to: 10, promote: false }],
  ['action-member-unknown', { type: 'line', edge: 3 }],
  ['action-member-missing', { type: 'move', to: 10, promote: false }],
  ['action-member-missing', { type: 'move', from: 15, promote: false }],
  ['action-member-missing', { type: 'move', from: 15, to: 10 }],
  ['action-member-unknown', { ...PAWN, piece: 'P' }],
  ['action-member-unknown', { ...PAWN, drop: true }],
  ['action-member-unknown', { ...PAWN, 'a"b': 1 }],
  ['action-member-unknown', { type: 'drop', piece: 'P', to: 12, promote: false }],
  ['action-member-unknown', { type: 'drop', piece: 'P', to: 12, from: 15 }],
  ['action-member-unknown', { type: 'resign', from: 15 }],
  ['action-member-missing', { type: 'drop', piece: 'P' }],
  ['action-member-missing', { type: 'drop', to: 12 }],
  ...['N', 'L', 'K', 'r', '+R', 'PP', '', 'é', 1, null].map((piece) => [
    'action-member-value',
    drop(piece, 12),
  ]),
  ...[-1, 25, 26, 1e9, 2 ** 53, 10.5, '10', null, true, [10], {}].flatMap((square) => [
    ['action-member-value', move(square, 10)],
    ['action-member-value', move(15, square)],
    ['action-member-value', drop('P', square)],
  ]),
  ['action-member-value', move(15, 15)],
  ...['true', 1, null].map((promote) => ['action-member-value', move(15, 10, promote)]),
];

test('actions of no form that the game has', async () => {
  const table = await Table.createJoined(server);
  await assertUnchanged(table, async ({ rev }) => {
    for (const [reason, action] of strangeActions) {
      const answer = await table.send('host', { rev, action });
      assertRefused(answer, 422, 'illegal', { reason });
    }
    const many = Object.fromEntries('abcdefghi'.split('').map((name) => [name, 0]));
    assertRefused(await table.send('host', { rev, action: many }), 400, 'malformed');
  });
});

for (const { reason, plies, refused } of readData('refused_moves.json')) {
  const name = { 'drop-pawn-mate': 'B16, B18: ' }[reason] ?? '';
  test(`${name}${reason} is refused and the game goes on`, async () => {
    const table = await Table.createJoined(server);
    const { state } = await table.playAll(plies);
    const seat = ['host', 'guest'][state.player];
    await assertUnchanged(table, async ({ rev }) => {
      const answer = await table.send(seat, { rev, action: refused.action });
      assertRefused(answer, 422, 'illegal', { reason });
    });
  });
}

test('the id of a refused command is free for a better one', async () => {
  const table = await Table.createJoined(server);
  const id = freshId();
  const refused = await table.send('host', { rev: 2, id, action: move(15, 5) });
  assertRefused(refused, 422, 'illegal', { reason: 'move-pattern' });
  assert.equal((await table.send('host', { rev: 2, id, action: PAWN })).status, 200);
});
