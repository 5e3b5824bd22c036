// SPDX-License-Identifier: MIT
/* Rooms of Petits carrés: whoever closes a box draws again, and no seat's turn follows from the other's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NO_LIMITS, Server } from './harness.mjs';
import {
  assertRefused,
  assertUnchanged,
  BOXES,
  freshId,
  GAME,
  line,
  PAGES,
  readRows,
  resign,
  ROOMS,
  Table,
} from './table.mjs';

const server = new Server(NO_LIMITS);
before(() => server.start());
after(() => server.remove());

const other = { host: 'guest', guest: 'host' };
const numbers = (list) => list.split(' ').map(Number);
const games = readRows('boxes_games.tsv');
const sequences = readRows('boxes_sequences.tsv');

const begin = () => Table.createJoined(server, BOXES);

async function beginWith(edges) {
  const table = await begin();
  for (const edge of edges) await table.play(line(edge));
  return table;
}

/* Draws for that seat, which must be the one to move. */
async function draw(table, seat, edge) {
  const { rev } = await table.snapshot();
  const { status, body } = await table.send(seat, { rev, action: line(edge) });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/* The seat to move, as a snapshot tells it. */
const seatToMove = ({ players, state }) => (players.host === state.player ? 'host' : 'guest');

/*
 * The rule of the game from outside: a seat that closes nothing hands over, one that closes a box or
 * two goes on. Both seats' streams say the same after each line, and the other seat is refused.
 */
async function playRow({ moves, caps, score, state }) {
  const table = await begin();
  const streams = [await table.listen('host'), await table.listen('guest')];
  for (const stream of streams) await stream.next();
  let snapshot = await table.snapshot();
  let seat = 'host';
  const captures = numbers(caps);
  for (const [index, edge] of numbers(moves).entries()) {
    const { rev } = snapshot;
    assert.equal(seatToMove(snapshot), seat);
    const early = await table.send(other[seat], { rev, action: line(edge) });
    assertRefused(early, 409, 'not-your-turn');
    const { status, body } = await table.send(seat, { rev, action: line(edge) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body.rev, body.state.last, body.state.captured, body.state.moves],
      [rev + 1, edge, captures[index], index + 1],
    );
    for (const stream of streams) assert.deepEqual((await stream.next()).snapshot, body);
    snapshot = body;
    if (captures[index] === 0) seat = other[seat];
  }
  const { over, scores, player } = snapshot.state;
  assert.equal(scores.join('-'), score);
  assert.equal(over ? 'over' : `player${player}`, state);
  for (const stream of streams) stream.close();
  return { table, snapshot };
}

for (const row of sequences) {
  test(`the sequence ${row.name}`, async () => {
    await playRow(row);
  });
}

for (const row of games) {
  test(`H118: the whole game ${row.name}, the same on both screens after each line`, async () => {
    const { table, snapshot } = await playRow(row);
    const [first, second] = snapshot.state.scores;
    assert.equal(snapshot.phase, 'over');
    assert.equal(snapshot.state.winner, first === second ? null : Number(second > first));
    assert.ok(!snapshot.state.boxes.includes(-1));
    for (const seat of ['host', 'guest']) {
      assert.deepEqual(await table.snapshot(seat), snapshot);
      for (const edge of [0, 96]) {
        const answer = await table.send(seat, { rev: snapshot.rev, action: line(edge) });
        assertRefused(answer, 409, 'over');
      }
    }
  });
}

test('the whole games hold a tie, a win for each side and double captures', () => {
  const results = games.map(({ score }) => Math.sign(score.split('-')[0] - score.split('-')[1]));
  assert.deepEqual([...new Set(results)].sort(), [-1, 0, 1]);
  assert.ok(games.every(({ state }) => state === 'over'));
  assert.ok(games.filter(({ caps }) => caps.includes('2')).length >= 3);
});

test('a room has the public grid, and no setting changes that', async () => {
  const { status, body } = await server.post(ROOMS, { game: BOXES, settings: {} });
  assert.equal(status, 201);
  const { game, state, position } = body.snapshot;
  assert.deepEqual([game, state.rows, state.cols, position], [BOXES, 6, 7, '6x7']);
  assert.deepEqual([state.edges, state.boxes], [Array(97).fill(-1), Array(42).fill(-1)]);
  assert.match(body.inviteUrl, /\/rubriques\/jeux-petits-carres#invite=/);
  for (const settings of [{ rows: 6, cols: 7 }, { rows: 3 }, { starter: 'guest' }]) {
    assertRefused(await server.post(ROOMS, { game: BOXES, settings }), 422, 'settings');
  }
  const table = await begin();
  assert.equal((await table.act('host', 'settings', { settings: {} })).state.cols, 7);
  await assertUnchanged(table, async ({ rev }) => {
    const answer = await table.send('host', { rev, op: 'settings', settings: { rows: 3 } });
    assertRefused(answer, 422, 'settings');
  });
});

test('H106: who closes a box draws again', async () => {
  const table = await beginWith([0, 7, 49]);
  const { state } = await draw(table, 'guest', 50);
  assert.deepEqual([state.boxes[0], state.scores, state.player], [1, [0, 1], 1]);
  assert.equal((await draw(table, 'guest', 96)).state.player, 0);
});

test('H108: two boxes at once give one more line only', async () => {
  const table = await beginWith([0, 7, 49, 1, 8, 51]);
  const { state } = await draw(table, 'host', 50);
  assert.deepEqual([state.captured, state.scores, state.player], [2, [2, 0], 0]);
  assert.equal((await draw(table, 'host', 90)).state.player, 1);
});

test('H109: a box with three sides stays open until its fourth is drawn', async () => {
  const table = await beginWith([0, 1, 2, 7, 8, 9, 49, 50]);
  const { state } = await table.snapshot();
  assert.deepEqual(
    state.boxes.map((owner, box) => (owner === -1 ? -1 : box)).filter((box) => box >= 0),
    [0],
  );
});

test('H111: a line that there is not, or is not free, is refused and nothing has happened', async () => {
  const table = await beginWith([0, 7, 49]);
  const bad = [
    ['-1', 'line-number'],
    ['97', 'line-number'],
    ['1000000000', 'line-number'],
    ['9223372036854775807', 'line-number'],
    ['0', 'line-taken'],
    ['49', 'line-taken'],
    ...['1e9', '50.0', '7.5', '"7"', '"A1R"', '"fifty"', 'null', 'true', '[7]', '{}'].map(
      (text) => [text, 'action-member-value'],
    ),
  ];
  const actions = [
    ...bad.map(([edge, reason]) => [`{"type":"line","edge":${edge}}`, reason]),
    ['{"type":"line"}', 'action-member-missing'],
    ['{"edge":50}', 'action-member-missing'],
    ['{"type":"line","edge":50,"promote":false}', 'action-member-unknown'],
    ['{"type":"move","from":15,"to":10,"promote":false}', 'action-member-unknown'],
    ['{"type":"drop","edge":50}', 'action-type'],
    ['{"type":7,"edge":50}', 'action-member-value'],
  ];
  await assertUnchanged(table, async ({ rev }) => {
    for (const [action, reason] of actions) {
      const body = `{"rev":${rev},"id":"${freshId()}","op":"play","action":${action}}`;
      const answer = await server.post(`${table.path}/commands`, body, table.keys.guest);
      assertRefused(answer, 422, 'illegal', { reason });
    }
    for (const action of [50, '50', [50], null]) {
      assertRefused(await table.send('guest', { rev, action }), 400, 'malformed');
    }
  });
});

test('nobody resigns: who gives up leaves, without a winner', async () => {
  const table = await beginWith([0, 7, 49, 50]);
  await assertUnchanged(table, async ({ rev }) => {
    for (const seat of ['host', 'guest']) {
      const answer = await table.send(seat, { rev, action: resign });
      assertRefused(answer, 422, 'illegal', { reason: 'action-type' });
    }
  });
  await table.act('guest', 'leave');
  const { phase, abandonedBy, state } = await table.snapshot('host');
  assert.deepEqual([phase, abandonedBy, state.scores], ['over', 'guest', [0, 1]]);
  assert.deepEqual([state.over, state.winner], [false, null]);
});

test('F72: an undo takes back one line and all that it closed, of a turn that goes on', async () => {
  const table = await beginWith([0, 7, 49, 1, 8, 51]);
  const before = await table.snapshot();
  const single = await table.play(line(50));
  await draw(table, 'host', 90);
  for (const [by, ply, then] of [
    ['guest', { by: 'host', action: '90' }, single],
    ['host', { by: 'host', action: '50' }, before],
    ['host', { by: 'guest', action: '51' }, null],
  ]) {
    const asked = await table.act(by, 'ask', { what: 'undo' });
    const { at, ...request } = asked.request;
    assert.ok(Number.isInteger(at));
    assert.deepEqual(request, { what: 'undo', by, ply });
    const own = await table.send(by, { rev: asked.rev, op: 'answer', accept: true });
    assertRefused(own, 403, 'forbidden', { reason: 'not-allowed' });
    const undone = await table.act(other[by], 'answer', { accept: true });
    assert.equal(undone.request, null);
    if (then !== null) assert.deepEqual(undone.state, then.state);
    else assert.equal(seatToMove(undone), 'guest');
  }
});

test('F73: a line of the same turn makes the request void', async () => {
  const table = await beginWith([0, 7, 49, 50]);
  const { rev } = await table.act('guest', 'ask', { what: 'undo' });
  assert.equal((await draw(table, 'guest', 90)).request, null);
  await assertUnchanged(table, async (now) => {
    const late = await table.send('host', { rev, op: 'answer', accept: true });
    assertRefused(late, 409, 'stale', { rev: now.rev, snapshot: now });
  });
});

test('F84: a page that is behind in its own turn gets the room as it is', async () => {
  const table = await beginWith([0, 7, 49]);
  const { rev } = await table.snapshot();
  const now = await draw(table, 'guest', 50);
  assert.equal(seatToMove(now), 'guest');
  const late = await table.send('guest', { rev, action: line(51) });
  assertRefused(late, 409, 'stale', { rev: now.rev, snapshot: now });
  await draw(table, 'guest', 51);
});

test('F85: a closing line that comes again is drawn once, and the turn is kept once', async () => {
  const table = await beginWith([0, 7, 49]);
  const { rev } = await table.snapshot();
  const command = { rev, id: freshId(), action: line(50) };
  const answers = await Promise.all(Array.from({ length: 10 }, () => table.send('guest', command)));
  for (const { status, text } of answers) assert.deepEqual([status, text], [200, answers[0].text]);
  await draw(table, 'guest', 96);
  const late = await table.send('guest', command);
  assert.deepEqual([late.status, late.text], [200, answers[0].text]);
  assert.equal((await table.snapshot()).state.moves, 5);
});

test('F90: an accepted new game reaches who asked for it when it comes back', async () => {
  const table = await beginWith([0, 7, 49, 50]);
  const stream = await table.listen('guest');
  const { id } = await stream.next();
  stream.close();
  await table.act('guest', 'ask', { what: 'new-game' });
  const fresh = await table.act('host', 'answer', { accept: true });
  const again = await table.listen('guest', { lastEventId: id });
  const { snapshot } = await again.next();
  assert.deepEqual(snapshot, fresh);
  assert.deepEqual([snapshot.state.moves, snapshot.state.scores], [0, [0, 0]]);
  again.close();
});

test('who begins alternates, whoever drew the last line or has won', async () => {
  const table = await begin();
  const starters = [];
  for (const [index, { moves }] of games.slice(0, 3).entries()) {
    const before = await table.snapshot();
    starters.push(before.starterRole);
    assert.equal(seatToMove(before), before.starterRole);
    assert.equal(before.players[before.starterRole], 0);
    const over = await table.playAll(numbers(moves).map((edge) => ({ action: line(edge) })));
    assert.equal(over.phase, 'over');
    assert.equal(over.starterRole, before.starterRole);
    const seat = index % 2 === 0 ? 'host' : 'guest';
    await table.act(seat, 'ask', { what: 'new-game' });
    await table.act(other[seat], 'answer', { accept: false });
    await table.act(other[seat], 'ask', { what: 'new-game' });
    await table.act(seat, 'answer', { accept: true });
  }
  assert.deepEqual(starters, ['host', 'guest', 'host']);
  assert.equal((await table.snapshot()).starterRole, 'guest');
});

test('an undo after the end opens the game again, the score as it was before', async () => {
  const { moves, score } = sequences.find(({ name }) => name === 'full-last-edge-double');
  const edges = numbers(moves);
  const table = await begin();
  const before = await table.playAll(edges.slice(0, -1).map((edge) => ({ action: line(edge) })));
  const over = await table.play(line(edges.at(-1)));
  assert.deepEqual([over.phase, over.state.captured], ['over', 2]);
  assert.equal(over.state.scores.join('-'), score);
  await table.act('guest', 'ask', { what: 'undo' });
  const undone = await table.act('host', 'answer', { accept: true });
  assert.deepEqual([undone.phase, undone.state], ['playing', before.state]);
  assert.deepEqual((await table.play(line(edges.at(-1)))).state, over.state);
});

test('F76, F88: killed in the middle of a turn, of a request and of an undo, the game goes on', async () => {
  const table = await beginWith([0, 7, 49, 1, 8, 51]);
  const kept = async () => {
    const before = await table.snapshot();
    await server.crash();
    for (const seat of ['host', 'guest']) assert.deepEqual(await table.snapshot(seat), before);
    return before;
  };
  await draw(table, 'host', 50);
  assert.equal(seatToMove(await kept()), 'host');
  await table.act('guest', 'ask', { what: 'undo' });
  assert.deepEqual((await kept()).request.ply, { by: 'host', action: '50' });
  await table.act('host', 'answer', { accept: true });
  assert.deepEqual((await kept()).state.scores, [0, 0]);
  await draw(table, 'host', 90);
  await draw(table, 'guest', 50);
  const { scores, player } = (await kept()).state;
  assert.deepEqual([scores, player], [[0, 2], 1]);
});

test('a whole game with a crash now and then ends as it should', async () => {
  const { moves, score } = games.find(({ name }) => name === 'tie');
  const table = await begin();
  for (const [index, edge] of numbers(moves).entries()) {
    const snapshot = await table.play(line(edge));
    if (index % 20 !== 19) continue;
    await server.crash();
    assert.deepEqual(await table.snapshot('guest'), snapshot);
  }
  const { phase, state } = await table.snapshot();
  assert.deepEqual([phase, state.scores.join('-'), state.winner], ['over', score, null]);
});

for (const [mine, theirs] of [
  [GAME, BOXES],
  [BOXES, GAME],
]) {
  test(`an invitation to ${mine} opens nothing on the page or in a room of ${theirs}`, async () => {
    const table = await Table.create(server, mine);
    const foreign = await Table.create(server, theirs);
    await assertUnchanged(table, async () => {
      assertRefused(await table.requestJoin({ game: theirs }), 409, 'wrong-game', {
        page: PAGES[mine],
      });
    });
    await assertUnchanged(foreign, async () => {
      for (const game of [mine, theirs]) {
        const answer = await foreign.requestJoin({ invite: table.invite, game });
        assertRefused(answer, 403, 'forbidden', { reason: 'invitation' });
      }
    });
    const { body } = await table.send('host', { rev: 1, op: 'invite' });
    assert.ok(body.inviteUrl.includes(`${PAGES[mine]}#invite=`), body.inviteUrl);
    const invite = body.inviteUrl.split('#invite=')[1];
    assertRefused(await table.requestJoin({ invite, game: theirs }), 409, 'wrong-game', {
      page: PAGES[mine],
    });
    assert.equal((await table.requestJoin({ invite })).status, 201);
    await foreign.join();
  });

  test(`an action of ${theirs} is none of ${mine}`, async () => {
    const table = await Table.createJoined(server, mine);
    const action = theirs === BOXES ? line(15) : { type: 'move', from: 15, to: 10, promote: false };
    await assertUnchanged(table, async ({ rev }) => {
      const answer = await table.send('host', { rev, action });
      assert.deepEqual([answer.status, answer.body.error], [422, 'illegal'], answer.text);
    });
  });
}

test('each game counts its own rooms and people', async () => {
  const fresh = new Server();
  await fresh.start();
  const counts = async (game) => Object.values((await fresh.get(`${ROOMS}?game=${game}`)).body);
  try {
    const waiting = await Table.create(fresh, BOXES);
    const playing = await Table.createJoined(fresh, BOXES);
    const elsewhere = await Table.create(fresh);
    const streams = [
      await waiting.listen('host'),
      await playing.listen('host'),
      await playing.listen('guest'),
      await elsewhere.listen('host'),
    ];
    assert.deepEqual(await counts(BOXES), [1, 1, 3]);
    assert.deepEqual(await counts(GAME), [1, 0, 1]);
    for (const stream of streams) stream.close();
  } finally {
    await fresh.remove();
  }
});
