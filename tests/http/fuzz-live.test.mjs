// SPDX-License-Identifier: MIT
/*
 * Commands and requests, bent at random, against the running server: it must go on, answer each with
 * something that it may say, complain of nothing (its sanitizers write to standard error), and leave
 * a room as it was unless it answered 200. What each case does follows from a seed and the number of
 * the case alone, but for names and keys:
 *
 *   KOMADAI_FUZZ_SEED      another seed than one drawn at random; a failure names it
 *   KOMADAI_FUZZ_SECONDS   how long each of the two goes on; 5
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { generator } from '../tools/random.mjs';
import { NO_LIMITS, Server } from './harness.mjs';
import { sendRaw, statuses } from './raw.mjs';
import {
  BOXES,
  drop,
  freshId,
  GAME,
  line,
  move,
  PAGES,
  PAWN,
  PAWN_REPLY,
  resign,
  ROOMS,
  Table,
} from './table.mjs';

const SEED = Number(process.env.KOMADAI_FUZZ_SEED ?? randomInt(2 ** 31));
const RUN_MS = 1000 * Number(process.env.KOMADAI_FUZZ_SECONDS ?? 5);
const CASES_MIN = 100; /* on a machine that is busy */

/* So that no request runs out in the middle of a case, which would change its room too. */
const server = new Server(['--request-seconds', '3600', ...NO_LIMITS]);
before(() => server.start());
after(() => server.remove());

/* What may be answered. 500, a damaged room or a full disk may not. */
const ANSWERS = new Set([
  200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 410, 413, 422, 431, 501, 505,
]);

/* Choices that the number of the case repeats. */
class Dice {
  constructor(number) {
    this.random = generator(SEED ^ Math.imul(number + 1, 0x9e3779b1));
  }

  below(count) {
    return Math.floor(this.random() * count);
  }

  of(list) {
    return list[this.below(list.length)];
  }
}

/* So many cases in a row are of one game, so that its room may grow. */
const CASES_OF_A_GAME = 25;

const gameOf = (number) =>
  Object.keys(PAGES)[Math.floor(number / CASES_OF_A_GAME) % Object.keys(PAGES).length];

/* After these there is something to take, to drop, or to close. */
const beginnings = {
  [GAME]: [PAWN, PAWN_REPLY],
  [BOXES]: [0, 7, 49, 8].map(line),
};

/* Two people in the middle of a game; a new room once that of the cases before is of no use. */
async function tableFor(game, previous) {
  if (previous?.game === game) {
    const { status, body } = await server.get(previous.path, previous.keys.host);
    if (status === 200 && body.phase === 'playing' && body.seats.guest) return previous;
  }
  const table = await Table.createJoined(server, game);
  await table.playAll(beginnings[game].map((action) => ({ action })));
  return table;
}

/* The room after a case: as before, unless one of `accepted` answers has changed it. */
async function assertKept(table, before, accepted) {
  const { status, body } = await server.get(table.path, table.keys.host);
  if (accepted > 0 && status !== 200) return; /* its host has left */
  assert.equal(status, 200);
  delete body.presence;
  if (accepted === 0) assert.deepEqual(body, before);
  else assert.ok(body.rev >= before.rev && body.rev <= before.rev + accepted);
}

/* Runs cases until the time is over, and says of a failure how to see it again. */
async function fuzz(context, runCase) {
  context.diagnostic(`KOMADAI_FUZZ_SEED=${SEED}`);
  const limit = Date.now() + RUN_MS;
  let table = null;
  let number = 0;
  for (; number < CASES_MIN || Date.now() < limit; number++) {
    const dice = new Dice(number);
    table = await tableFor(gameOf(number), table);
    const now = await table.snapshot();
    let shown = '';
    const show = (text) => (shown = text);
    try {
      const accepted = await runCase(dice, table, now, show);
      await assertKept(table, now, accepted);
      assert.equal(server.complaints, '');
    } catch (error) {
      error.message += `\nKOMADAI_FUZZ_SEED=${SEED}, case ${number}: ${JSON.stringify(shown)}`;
      throw error;
    }
  }
  context.diagnostic(`${number} cases`);
  assert.equal((await server.get('/health')).body.status, 'ok');
  const fresh = await tableFor(GAME, null);
  assert.equal((await fresh.play(resign)).phase, 'over');
}

/* Bodies. */

const oddValues = [
  ...[null, true, false, '', 0, -1, 1, 2, 3, 4, 5, 24, 25, 0.5, 1e308, 2 ** 53, -(2 ** 63)],
  ...[[], {}, [[]], 'x'.repeat(65), 'x'.repeat(5000), '\0', '\ud800', '駒', '"', '\\', '\u2028'],
  ...['play', 'ask', 'undo', 'new-game', 'leave', 'invite', 'move', 'drop', 'P', 'K', GAME],
  ...['line', 'resign', 50, 96, 97, 144, BOXES],
];

const oddTexts = [
  ...['"', '\\', '{', '}', '[', ']', ':', ',', '\0', '\x1f', '\x7f', '\ufeff', '\\u0000', '/*'],
  ...['\\ud83d', '\\', 'e999', '-', '.', '1e', '00', 'NaN', 'nul', '\r\n', '[[[[', '"a":1,'],
  '['.repeat(3000),
  '9'.repeat(400),
];

const actions = {
  [GAME]: [move(24, 19), move(20, 15), drop('P', 12), resign],
  [BOXES]: [50, 51, 90, 7].map(line),
};

/* Copies, since they are going to be bent. */
const goodBodies = (table, { rev }) => {
  const id = freshId();
  return structuredClone([
    ...actions[table.game].map((action) => [
      table.path + '/commands',
      { rev, id, op: 'play', action },
    ]),
    [table.path + '/commands', { rev, id, op: 'ask', what: 'undo' }],
    [table.path + '/commands', { rev, id, op: 'ask', what: 'new-game' }],
    [table.path + '/commands', { rev, id, op: 'answer', accept: true }],
    [table.path + '/commands', { rev, id, op: 'withdraw' }],
    [table.path + '/commands', { rev, id, op: 'settings', settings: {} }],
    [table.path + '/commands', { rev, id, op: 'leave' }],
    [table.path + '/commands', { rev, id, op: 'invite' }],
    [table.path + '/join', { invite: table.invite, game: table.game, id }],
    [ROOMS, { game: table.game, settings: {} }],
  ]);
};

/* Every object within a value, itself included. */
const objectsIn = (value) =>
  value !== null && typeof value === 'object'
    ? [value, ...Object.values(value).flatMap(objectsIn)]
    : [];

function bendObject(dice, body) {
  const object = dice.of(objectsIn(body).filter((each) => !Array.isArray(each)));
  const names = Object.keys(object);
  const name = names.length === 0 ? 'x' : dice.of(names);
  switch (dice.below(5)) {
    case 0:
      delete object[name];
      break;
    case 1:
      object[dice.of(['x', '', 'rev', 'id', 'seat', 'key', '__proto__x'])] = structuredClone(
        dice.of(oddValues),
      );
      break;
    case 2:
      object[name] = { ...object };
      break;
    default:
      object[name] = structuredClone(dice.of(oddValues));
  }
}

function bendText(dice, text) {
  const at = dice.below(text.length + 1);
  switch (dice.below(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + dice.below(4));
    case 2:
      return text.slice(0, at) + text.slice(dice.below(text.length + 1));
    default:
      return text.slice(0, at) + dice.of(oddTexts) + text.slice(at);
  }
}

test('bodies that are bent at random change nothing that is not answered 200', async (context) => {
  await fuzz(context, async (dice, table, now, show) => {
    const [path, body] = dice.of(goodBodies(table, now));
    for (let times = dice.below(3); times > 0; times--) bendObject(dice, body);
    let text = JSON.stringify(body);
    for (let times = dice.below(3); times > 0; times--) text = bendText(dice, text);
    const { host, guest } = table.keys;
    const key = dice.of([host, host, guest, guest, 'A'.repeat(22), undefined]);
    show(`${path} ${text}`);
    const answer = await server.post(path, text, key);
    assert.ok(ANSWERS.has(answer.status), answer.text);
    if (answer.status < 300) return 1;
    assert.match(answer.body.error, /^[a-z-]+$/);
    assert.match(answer.body.message, /^[A-Z].*\.$/s);
    return 0;
  });
});

/* Requests as bytes. */

/* Behind each case: more than any body, so that it ends the connection with a 400. (To say that no
 * more comes would do so too, but then a command that is on its way loses its answer.) */
const FILLING = '\0'.repeat(20_000);
const isStream = (answer) => answer.includes('text/event-stream');

const oddBytes = [
  ...['\0', '\r', '\n', '\r\n', '\r\n\r\n', ' ', '\t', ':', ',', '\x7f', '\xff', '/', '?', '%'],
  ...['\r\nTransfer-Encoding: chunked', '\r\nContent-Length: 5', '\r\nHost: y', '\r\n x'],
  ...['\r\nConnection: close', '\r\nExpect: 100-continue', '0\r\n\r\n', 'HTTP/1.0', 'POST / '],
  ...['99999999999999999999', '-1', '../', '%00', 'a'.repeat(9000), '\r\nX: y'.repeat(70)],
];

function goodRequests(dice, table, now) {
  const lines = (first, ...rest) => [first, 'Host: x', ...rest, '', ''].join('\r\n');
  const key = `Authorization: Bearer ${dice.of(Object.values(table.keys))}`;
  const [path, command] = dice.of(goodBodies(table, now));
  const body = JSON.stringify(command);
  return [
    lines(`GET ${table.path} HTTP/1.1`, key),
    lines(`GET ${table.path}/events?lastEventId=1-2 HTTP/1.1`, key, 'Last-Event-ID: 1-2'),
    lines(`GET ${ROOMS}?game=${table.game} HTTP/1.1`),
    lines('GET /assets/page-1234.js HTTP/1.1', 'If-None-Match: "x"'),
    lines(`OPTIONS ${table.path} HTTP/1.1`),
    lines('HEAD / HTTP/1.0', 'Connection: keep-alive'),
    ...Array(4).fill(lines(`POST ${path} HTTP/1.1`, key, `Content-Length: ${body.length}`) + body),
  ];
}

function bendBytes(dice, bytes, others) {
  const at = dice.below(bytes.length + 1);
  const length = 1 + dice.below(16);
  switch (dice.below(7)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return bytes.slice(0, at) + bytes.slice(at + length);
    case 2:
      return bytes.slice(0, at + length) + bytes.slice(at);
    case 3:
      return bytes.slice(0, at) + dice.of(others).slice(dice.below(100));
    case 4:
      return bytes.slice(0, at) + String.fromCharCode(dice.below(256)) + bytes.slice(at + 1);
    default:
      return bytes.slice(0, at) + dice.of(oddBytes) + bytes.slice(at);
  }
}

test('requests that are bent at random change nothing that is not answered 200', async (context) => {
  await fuzz(context, async (dice, table, now, show) => {
    const good = goodRequests(dice, table, now);
    let bytes = dice.of(good);
    for (let times = dice.below(4); times > 0; times--) bytes = bendBytes(dice, bytes, good);
    if (dice.below(4) === 0) bytes = dice.of(good) + bytes;
    show(bytes);
    const piece = dice.of([Infinity, Infinity, Infinity, 1000, 300]);
    const answer = await sendRaw(server, Buffer.from(bytes + FILLING, 'latin1'), {
      piece,
      enough: isStream,
    });
    const said = statuses(answer);
    for (const status of said) assert.ok(status === 100 || ANSWERS.has(status), answer);
    assert.match(answer, /^(HTTP\/1\.1 \d{3} |$)/);
    return said.filter((status) => status === 200 || status === 201).length;
  });
});
