// SPDX-License-Identifier: MIT
/* What happens in a room by consent only: a move taken back, a new game. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import {
  assertRefused,
  assertUnchanged,
  freshId,
  move,
  PAWN,
  PAWN_REPLY,
  resign,
  Table,
} from './table.mjs';

const server = new Server();
const hasty = new Server(['--request-seconds', '1']);
before(() => Promise.all([server.start(), hasty.start()]));
after(() => Promise.all([server.remove(), hasty.remove()]));

test('F72: an undo takes back the move that it names, one at a time', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  const between = await table.snapshot();
  await table.play(PAWN_REPLY);
  const asked = await table.act('host', 'ask', { what: 'undo' });
  const { at, ...request } = asked.request;
  assert.deepEqual(request, { what: 'undo', by: 'host', ply: { by: 'guest', action: '1b1c' } });
  assert.ok(Math.abs(at - Date.now()) < 10_000);
  const undone = await table.act('guest', 'answer', { accept: true });
  assert.equal(undone.request, null);
  assert.deepEqual(undone.state, between.state);
  assert.equal(undone.rev, 6);
  await table.act('guest', 'ask', { what: 'undo' });
  assert.equal((await table.act('host', 'answer', { accept: true })).state.moves, 0);
});

test('an undo opens the game again after a resignation', async () => {
  const table = await Table.createJoined(server);
  const over = await table.play(resign);
  assert.equal(over.phase, 'over');
  await table.act('host', 'ask', { what: 'undo' });
  const { phase, state } = await table.act('guest', 'answer', { accept: true });
  assert.deepEqual([phase, state.over, state.reason], ['playing', false, null]);
  await table.play(PAWN);
});

/* A square as USI names it, "1e", as a number. */
const square = (name) => (name.charCodeAt(1) - 'a'.charCodeAt(0)) * 5 + 5 - Number(name[0]);

test('A13: a repetition is counted back with an undo, and forward again', async () => {
  const table = await Table.createJoined(server);
  const cycle = ['1e1d', '5a5b', '1d1e', '5b5a'];
  const ply = (i) => {
    const usi = cycle[i % 4];
    return move(square(usi.slice(0, 2)), square(usi.slice(2)));
  };
  for (let i = 0; i < 11; i++) assert.equal((await table.play(ply(i))).state.over, false);
  await table.act('guest', 'ask', { what: 'undo' });
  const undone = await table.act('host', 'answer', { accept: true });
  assert.deepEqual([undone.state.moves, undone.request], [10, null]);
  assert.equal((await table.play(ply(10))).state.over, false);
  const { state } = await table.play(ply(11));
  assert.deepEqual(
    [state.moves, state.over, state.winner, state.reason],
    [12, true, 1, 'repetition'],
  );
});

test('F73: a move while the request is open makes it void', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  const { rev } = await table.act('host', 'ask', { what: 'undo' });
  const moved = await table.play(PAWN_REPLY);
  assert.equal(moved.request, null);
  await assertUnchanged(table, async (now) => {
    const late = await table.send('guest', { rev, op: 'answer', accept: true });
    assertRefused(late, 409, 'stale', { rev: now.rev, snapshot: now });
    const fresh = await table.send('guest', { rev: now.rev, op: 'answer', accept: true });
    assertRefused(fresh, 409, 'no-request');
  });
});

test('F75: every request runs out by itself, and the streams hear of it', async () => {
  const table = await Table.createJoined(hasty);
  await table.play(PAWN);
  const stream = await table.listen('guest');
  for (const what of ['undo', 'new-game', 'undo']) {
    const { rev } = await table.act('guest', 'ask', { what });
    await stream.until('the end of the request', () => stream.events.at(-1)?.rev === rev + 1);
    const { snapshot } = stream.events.at(-1);
    assert.deepEqual([snapshot.request, snapshot.state.moves, snapshot.games], [null, 1, 1]);
  }
  stream.close();
});

test('F76: what was taken back stays so after a restart', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  await table.play(PAWN_REPLY);
  await table.act('host', 'ask', { what: 'undo' });
  await table.act('guest', 'answer', { accept: true });
  await table.play(PAWN_REPLY);
  await table.act('guest', 'ask', { what: 'new-game' });
  const before = await table.snapshot();
  await server.stop('SIGKILL');
  await server.start();
  assert.deepEqual(await table.snapshot(), before);
  const { games, starterRole } = await table.act('host', 'answer', { accept: true });
  assert.deepEqual([games, starterRole], [2, 'guest']);
  await table.play(PAWN);
});

test('who begins alternates from game to game, and nothing else changes that', async () => {
  const table = await Table.createJoined(server);
  const starters = [];
  for (let game = 0; game < 4; game++) {
    const first = game % 2 ? 'guest' : 'host';
    const second = game % 2 ? 'host' : 'guest';
    const { players, starterRole, rev } = await table.snapshot();
    starters.push(starterRole);
    assert.deepEqual(players, { [first]: 0, [second]: 1 });
    assertRefused(await table.send(second, { rev, action: PAWN }), 409, 'not-your-turn');
    await table.act(first, 'ask', { what: 'new-game' });
    await table.act(second, 'answer', { accept: false });
    await table.act(second, 'ask', { what: 'new-game' });
    await table.act(second, 'withdraw');
    if (game === 1) await table.play(resign);
    await table.act(second, 'ask', { what: 'new-game' });
    await table.act(first, 'answer', { accept: true });
  }
  assert.deepEqual(starters, ['host', 'guest', 'host', 'guest']);
});

test('each seat may say only what is its own', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  await table.act('host', 'ask', { what: 'undo' });
  await assertUnchanged(table, async ({ rev }) => {
    const own = { reason: 'not-allowed' };
    for (const accept of [true, false]) {
      assertRefused(await table.send('host', { rev, op: 'answer', accept }), 403, 'forbidden', own);
    }
    assertRefused(await table.send('guest', { rev, op: 'withdraw' }), 403, 'forbidden', own);
    for (const seat of ['host', 'guest']) {
      for (const what of ['undo', 'new-game']) {
        assertRefused(await table.send(seat, { rev, op: 'ask', what }), 409, 'pending');
      }
    }
  });
});

test('there is nothing to take back, to answer or to ask for', async () => {
  const alone = await Table.create(server);
  await assertUnchanged(alone, async ({ rev }) => {
    for (const what of ['undo', 'new-game']) {
      assertRefused(await alone.send('host', { rev, op: 'ask', what }), 409, 'suspended');
    }
  });
  const table = await Table.createJoined(server);
  await assertUnchanged(table, async ({ rev }) => {
    assertRefused(await table.send('host', { rev, op: 'ask', what: 'undo' }), 422, 'illegal', {
      reason: 'no-ply',
    });
    for (const seat of ['host', 'guest']) {
      assertRefused(await table.send(seat, { rev, op: 'withdraw' }), 409, 'no-request');
      const answer = await table.send(seat, { rev, op: 'answer', accept: true });
      assertRefused(answer, 409, 'no-request');
    }
  });
});

test('settings are the host’s, {} and before the first move', async () => {
  const table = await Table.createJoined(server);
  assert.equal((await table.act('host', 'settings', { settings: {} })).rev, 3);
  await assertUnchanged(table, async ({ rev }) => {
    assertRefused(
      await table.send('guest', { rev, op: 'settings', settings: {} }),
      403,
      'forbidden',
      {
        reason: 'not-allowed',
      },
    );
    const wrong = await table.send('host', { rev, op: 'settings', settings: { clock: 5 } });
    assertRefused(wrong, 422, 'settings');
  });
  const played = await Table.createJoined(server);
  const { rev } = await played.play(PAWN);
  assertRefused(await played.send('host', { rev, op: 'settings', settings: {} }), 409, 'begun');
});

test('F85: an answer that comes again undoes one move only', async () => {
  const table = await Table.createJoined(server);
  await table.play(PAWN);
  await table.play(PAWN_REPLY);
  const { rev } = await table.act('host', 'ask', { what: 'undo' });
  const command = { rev, id: freshId(), op: 'answer', accept: true };
  const answers = await Promise.all(Array.from({ length: 10 }, () => table.send('guest', command)));
  for (const { status, text } of answers) assert.deepEqual([status, text], [200, answers[0].text]);
  await table.play(PAWN_REPLY);
  const late = await table.send('guest', command);
  assert.deepEqual([late.status, late.text], [200, answers[0].text]);
  assert.equal((await table.snapshot()).state.moves, 2);
});

test('a command with what is not its own is named', async () => {
  const table = await Table.createJoined(server);
  const bad = [
    [{ op: 'ask' }, /"what" is missing/],
    [{ op: 'ask', what: 'draw' }, /"what" must be "undo" or "new-game"/],
    [{ op: 'ask', what: 3 }, /"what" must be a string/],
    [{ op: 'ask', what: 'undo', action: PAWN }, /no member "action"/],
    [{ op: 'answer' }, /"accept" is missing/],
    [{ op: 'answer', accept: 'yes' }, /"accept" must be true or false/],
    [{ op: 'answer', accept: 1 }, /"accept" must be true or false/],
    [{ op: 'withdraw', what: 'undo' }, /no member "what"/],
    [{ op: 'settings' }, /"settings" is missing/],
    [{ op: 'settings', settings: [] }, /"settings" must be an object/],
    [{ op: 'play', action: PAWN, accept: true }, /no member "accept"/],
    [{ op: 'leave-it' }, /no command "leave-it"/],
  ];
  await assertUnchanged(table, async ({ rev }) => {
    for (const [command, message] of bad) {
      const answer = await table.send('host', { rev, ...command });
      assertRefused(answer, 400, 'malformed');
      assert.match(answer.body.message, message);
    }
  });
});
