// SPDX-License-Identifier: MIT
/* `komadai rooms` beside a server that runs and writes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { binary, NO_LIMITS, Server } from './harness.mjs';
import { freshId, PAWN, readData, resign, Table } from './table.mjs';

const server = new Server(NO_LIMITS);
const folder = mkdtempSync(join(tmpdir(), 'komadai-rooms-'));
before(() => server.start());
after(async () => {
  rmSync(folder, { recursive: true });
  await server.remove();
});

let count = 0;
const freshName = () => join(folder, `copy-${++count}`);

/* Does not hold up the tests, so that they can play meanwhile. */
function rooms(...words) {
  return new Promise((resolve) => {
    execFile(binary, ['rooms', ...words], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

async function output(...words) {
  const { status, stdout, stderr } = await rooms(...words);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

const { plies } = readData('games.json').find(({ name }) => name.startsWith('perpetual'));

/* Plays on several tables at once until told to stop; `answered` is what every table was told last. */
class Players {
  answered = new Map();
  #stop = false;

  async play(table) {
    let snapshot = await table.snapshot();
    for (let ply = 0; !this.#stop; ply++) {
      const { state } = snapshot;
      if (ply < plies.length && !state.over) {
        snapshot = await table.play(plies[ply].action, snapshot);
      } else {
        /* On and on: ask and withdraw. */
        const op = ply % 2 === 0 ? { op: 'ask', what: 'new-game' } : { op: 'withdraw' };
        const { status, body } = await table.send('host', { rev: snapshot.rev, ...op });
        if (status === 409) snapshot = await table.snapshot();
        else snapshot = body;
      }
      this.answered.set(table, snapshot);
    }
  }

  static async during(tables, work) {
    const players = new Players();
    const games = Promise.all(tables.map((table) => players.play(table)));
    try {
      await work(players.answered);
    } finally {
      players.#stop = true;
      await games;
    }
  }
}

/* Another server on a copy, where `look` finds the rooms of `tables` as they are there. */
async function serve(copy, look) {
  const other = new Server(['--data', copy]);
  await other.start();
  try {
    assert.equal(other.complaints, '');
    await look(other);
  } finally {
    await other.remove();
  }
}

test('a backup made while moves are played is whole, and has each move that was answered', async () => {
  const tables = [];
  for (let i = 0; i < 8; i++) tables.push(await Table.createJoined(server));
  const copies = [];
  await Players.during(tables, async (answered) => {
    for (let i = 0; i < 5; i++) {
      const copy = freshName();
      const told = new Map(answered);
      assert.equal(await output('backup', '--data', server.data, copy), '');
      copies.push({ copy, told });
    }
  });
  let moved = 0;
  for (const { copy, told } of copies) {
    assert.match(await output('check', '--data', copy), /, 0 damaged\n$/);
    await serve(copy, async (other) => {
      for (const [table, { rev }] of told) {
        const { status, body } = await other.get(table.path, table.keys.guest);
        assert.equal(status, 200);
        assert.ok(body.rev >= rev, `${body.rev} of ${rev}`);
        moved += body.rev - 2;
      }
    });
  }
  assert.ok(moved > 50, `${moved} moves`);

  /* At rest, the copy of the same is the same. */
  const copy = freshName();
  await output('backup', '--data', server.data, copy);
  await serve(copy, async (other) => {
    for (const table of tables) {
      const { presence, ...snapshot } = (await other.get(table.path, table.keys.host)).body;
      assert.deepEqual(snapshot, await table.snapshot());
      assert.equal(presence.host, 'present');
    }
  });
});

test('export and check while moves are played see rooms that are whole', async () => {
  const tables = [];
  for (let i = 0; i < 4; i++) tables.push(await Table.createJoined(server));
  await Players.during(tables, async (answered) => {
    for (let i = 0; i < 5; i++) {
      const told = new Map(answered);
      const text = freshName();
      writeFileSync(text, await output('export', '--data', server.data));
      assert.match(await output('check', '--data', server.data), /, 0 damaged\n$/);
      const copy = freshName();
      await output('import', '--data', copy, text);
      assert.equal(await output('export', '--data', copy), readFileSync(text, 'utf8'));
      const last = new Map();
      for (const [, room, rev] of readFileSync(text, 'utf8').matchAll(/^(\S+) \w+ (\d+) /gm)) {
        last.set(room, Number(rev));
      }
      for (const [table, { rev }] of told) assert.ok(last.get(table.room) >= rev);
    }
  });
});

test('a server on an imported text goes on where the exported one was', async () => {
  const table = await Table.createJoined(server);
  const snapshot = await table.play(PAWN);
  const id = freshId();
  const command = { rev: snapshot.rev, id, action: resign };
  const first = await table.send('guest', command);
  const text = freshName();
  writeFileSync(text, await output('export', '--data', server.data, '--room', table.room));
  const copy = freshName();
  assert.equal(await output('import', '--data', copy, text), '1 rooms, 4 events\n');
  await serve(copy, async (other) => {
    table.server = other;
    assert.deepEqual(await table.snapshot('guest'), first.body);
    assert.equal((await table.send('guest', command)).text, first.text);
  });
});

test('what a killed server left is checked, exported and copied as it is', async () => {
  const table = await Table.createJoined(server);
  const snapshot = await table.play(PAWN);
  await server.stop('SIGKILL');
  try {
    assert.match(await output('check', '--data', server.data), /, 0 damaged\n$/);
    const text = await output('export', '--data', server.data, '--room', table.room);
    assert.equal(text.split('\n').length, 2 + snapshot.rev);
    const copy = freshName();
    await output('backup', '--data', server.data, copy);
    assert.equal(await output('export', '--data', copy, '--room', table.room), text);
  } finally {
    await server.start();
  }
  assert.deepEqual(await table.snapshot(), snapshot);
});

test('where nothing can be written, the start is refused and the data is not changed', async () => {
  const copy = freshName();
  await output('backup', '--data', server.data, copy);
  const before = readFileSync(copy);
  /* Nothing is forbidden to root but to write beyond a limit, here of 0 bytes. */
  const other = new Server(['--data', copy], { fileBlocks: 0 });
  await assert.rejects(other.start(), /ended with 1: .*the data cannot be opened/s);
  assert.deepEqual(readFileSync(copy), before);
  await other.stop();
  other.unlimit();
  await other.start();
  assert.equal((await other.get('/health')).status, 200);
  await other.remove();
});
