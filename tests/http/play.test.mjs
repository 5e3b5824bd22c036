// SPDX-License-Identifier: MIT
/* `komadai play` at a real server, mostly two of them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { binary, Server, sleep } from './harness.mjs';
import { Between, Homes } from './play.mjs';
import { freshId, GAME, readData, ROOMS, Table } from './table.mjs';

const server = new Server();
const people = new Homes();
before(() => server.start());
after(async () => {
  await people.remove();
  await server.remove();
});

/* A host and a guest who see the first board. */
async function sitDown({ url = server.url, words = [] } = {}) {
  const homes = { host: people.fresh(), guest: people.fresh() };
  const host = people.start(homes.host, ...words, url);
  const [, link] = await host.until(/^invitation: (\S+)$/m);
  const guest = people.start(homes.guest, link);
  await guest.until("turn: the other player's");
  await host.until('turn: yours');
  const { room, key } = JSON.parse(readFileSync(people.seats(homes.host)[0], 'utf8'));
  return { host, guest, homes, link, room, key };
}

const look = async ({ room, key }) => (await server.get(`${ROOMS}/${room}`, key)).body;

test('two of them play a whole game, each move on both boards', async () => {
  const { host, guest, ...table } = await sitDown();
  const { plies, reason } = readData('browser_game.json');
  let [mover, other] = [host, guest];
  for (const { usi, sfen } of plies) {
    mover.type(usi);
    await mover.until(`played: ${usi} by you`);
    await other.until(`played: ${usi} by the other player`);
    for (const player of [mover, other]) await player.until(`sfen: ${sfen}`);
    [mover, other] = [other, mover];
  }
  const { state } = await look(table);
  assert.deepEqual([state.over, state.reason, state.moves], [true, reason, plies.length]);
  const winner = state.winner === 0 ? host : guest;
  for (const player of [host, guest]) {
    assert.match(
      player.output,
      new RegExp(`^over: ${reason}, you have ${player === winner ? 'won' : 'lost'}$`, 'm'),
    );
    await player.until("turn: nobody's, the game is over");
    assert.equal(await player.end(), 0);
    assert.equal(player.errors, '');
  }
});

test('a script plays with "wait", and its end is the end', async () => {
  const [home, away] = [people.fresh(), people.fresh()];
  const host = people.start(home, server.url);
  const ended = host.end('wait\n5d5c\nwait\nresign');
  const [, link] = await host.until(/^invitation: (\S+)$/m);
  const guest = people.start(away, link);
  assert.equal(await guest.end('wait\r\n  1b1c \r\n\r\nwait\r\n'), 0);
  assert.equal(await ended, 0);
  await host.until(/^played: resign by you\nover: resignation, you have lost$/m);
  await guest.until(/^played: resign by the other player\nover: resignation, you have won$/m);
});

test('Petits carrés: who closes a box draws again, and the board shows whose it is', async () => {
  const { host, guest, ...table } = await sitDown({ words: ['--game', 'petits-carres'] });
  assert.match(host.output, /^you: host, a$/m);
  assert.match(guest.output, /^you: guest, b$/m);
  for (const [mover, typed, edge, next] of [
    [host, '0', 0, guest],
    [guest, '7', 7, host],
    [host, 'A1L', 49, guest],
    [guest, 'a1r', 50, guest],
    [guest, '1', 1, null],
  ]) {
    mover.type(typed);
    await mover.until(`played: ${edge} by you`);
    await next?.until('turn: yours');
  }
  await host.until('played: 50 by the other player');
  const [top, middle, bottom] = ['---+', '   +', '---+'].map((first) => `  +${first}`);
  await host.until(`${top}${'   +'.repeat(6)}`);
  await host.until(/^1 \| b \|( {4}){5} {3}$/m);
  await host.until(`${bottom}${'   +'.repeat(6)}`);
  assert.ok(host.output.includes(`${middle}${'   +'.repeat(6)}`));
  await host.until('boxes: 0 of a, 1 of b');
  await host.until('turn: yours');
  host.type('0');
  await host.until(/^refused: line-taken: /m);
  host.type('resign');
  await host.until(/^refused: line-syntax: /m);
  assert.equal((await look(table)).state.moves, 5);
});

test('undo and a new game happen by consent alone', async () => {
  const { host, guest, ...table } = await sitDown();
  host.type('5d5c');
  await guest.until('turn: yours');
  guest.type('undo');
  await host.until('asked: undo 5d5c by the other player: accept or refuse?');
  await guest.until('asked: undo 5d5c by you, the other player may accept');
  guest.type('accept');
  await guest.until(/^refused: not-allowed: [A-Z].*\.$/m);
  host.type('refuse');
  for (const player of [host, guest]) await player.until('closed: the request is open no more');
  guest.type('undo');
  await host.until(/^asked: undo/m);
  host.type('accept');
  for (const player of [host, guest]) {
    await player.until('undone: 5d5c');
    await player.until('sfen: rbsgk/4p/5/P4/KGSBR b - 1');
  }
  host.type('new');
  await guest.until('asked: new-game by the other player: accept or refuse?');
  host.type('withdraw');
  await guest.until('closed: the request is open no more');
  host.type('withdraw');
  await host.until(/^refused: no-request: /m);
  guest.type('new');
  await host.until(/^asked: new-game/m);
  host.type('accept');
  await host.until('new: game 2, you are w');
  await guest.until('new: game 2, you are b');
  await guest.until('turn: yours');
  host.type('undo');
  await host.until(/^refused: no-ply: /m);
  assert.equal((await look(table)).games, 2);
  /* Refusals count where nobody is there to read them. */
  assert.equal(await host.end(), 1);
});

test('the server is killed in the middle of the game: both go on, and nothing happens twice', async () => {
  const { host, guest, ...table } = await sitDown();
  host.type('5d5c');
  await guest.until('turn: yours');
  await server.stop('SIGKILL');
  await Promise.all([host, guest].map((player) => player.until(/^lost: .+; trying again$/m)));
  guest.type('1b1c');
  await sleep(700);
  await server.start();
  await host.until('found: connected again');
  await host.until('played: 1b1c by the other player');
  await host.until('turn: yours');
  /* The answer to the move or the stream, whichever is there first. */
  await guest.until(/played: 1b1c by you[^]*found: |found: [^]*played: 1b1c by you/);
  const { rev, state } = await look(table);
  assert.deepEqual([rev, state.moves], [4, 2]);
  assert.equal(host.output.split('played: 5d5c by you\n').length, 2);
});

test('while the server cannot write, a move waits; then it is played once', async () => {
  const { host, guest, ...table } = await sitDown();
  server.limitFiles(0);
  try {
    host.type('5d5c');
    await host.until(/^lost: the server refuses \(unavailable\): .+; trying again$/m);
  } finally {
    server.limitFiles(null);
  }
  await guest.until('turn: yours');
  await host.until(/played: 5d5c by you[^]*found: |found: [^]*played: 5d5c by you/);
  const { rev, state } = await look(table);
  assert.deepEqual([rev, state.moves], [3, 1]);
});

test('an answer that is lost is asked for again, with the same id', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const { host, guest, ...table } = await sitDown(between);
    between.losesNext = 2;
    host.type('5d5c');
    await guest.until('played: 5d5c by the other player');
    await host.until('found: connected again');
    host.type('undo');
    await host.until(/^asked: undo/m);
    const sent = between.posts.filter(({ url }) => url.endsWith('/commands'));
    assert.deepEqual(
      sent.map(({ body }) => body.op),
      ['play', 'play', 'play', 'ask'],
    );
    assert.deepEqual(sent[1], sent[0]);
    assert.deepEqual(sent[2], sent[0]);
    assert.notEqual(sent[3].body.id, sent[0].body.id);
    assert.equal((await look(table)).rev, 4);
  } finally {
    between.stop();
  }
});

test('a join whose answer is lost takes the same seat, in this run or the next', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const [first, second] = [await Table.create(server), await Table.create(server)];
    const linkOf = ({ invite }) => `${between.url}/rubriques/jeux-mini-shogi#invite=${invite}`;
    between.losesNext = 1;
    const patient = people.start(people.fresh(), linkOf(first));
    await patient.until('you: guest, w');

    between.losesNext = 9;
    const home = people.fresh();
    const killed = people.start(home, linkOf(second));
    while (between.losesNext > 8) await sleep(20);
    await killed.kill();
    assert.equal((await second.snapshot()).seats.guest, true);
    between.losesNext = 0;
    const again = people.start(home, linkOf(second));
    await again.until('you: guest, w');
  } finally {
    between.stop();
  }
});

test('a stream that is cut goes on where it was, and a short cut shows nothing twice', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const { host, guest } = await sitDown(between);
    host.type('5d5c');
    await guest.until('turn: yours');
    await host.until(/^turn: the other/m);
    between.cut();
    for (const player of [host, guest]) {
      await player.until(/^lost: .+; trying again$/m);
      await player.until('found: connected again');
    }
    assert.match(between.streams.at(-1)['last-event-id'], /^\d+-3$/);
    guest.type('1b1c');
    await host.until('played: 1b1c by the other player');
    await guest.until('played: 1b1c by you');
    assert.equal(host.output.split('sfen: rbsgk/5/P3p/5/KGSBR b').length, 2);
    assert.equal(host.output.split('turn: yours').length, 3);
  } finally {
    between.stop();
  }
});

test('a move that comes too late for its revision, though nothing was played, is sent again', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const { host, guest, ...table } = await sitDown(between);
    host.type('5d5c');
    await guest.until('turn: yours');
    await host.until(/^turn: the other/m);
    between.holdsEvents = true;
    host.type('undo');
    await host.until(/^asked: undo/m);
    guest.type('1b1c');
    await guest.until('played: 1b1c by you');
    const { rev, state, request } = await look(table);
    assert.deepEqual([rev, state.moves, request], [5, 2, null]);
    /* The host has not heard of it: what comes of this is not what was meant. */
    host.type('undo');
    await host.until('played: 1b1c by the other player');
    await host.until(/^refused: stale: [A-Z].*\.$/m);
    assert.equal((await look(table)).request, null);
  } finally {
    between.stop();
  }
});

test('the same command again goes on; the seat is in a file for its owner alone', async () => {
  const { host, guest, homes, link, room } = await sitDown();
  host.type('5d5c');
  await guest.until('turn: yours');
  await Promise.all([host.kill(), guest.kill()]);
  const again = people.start(homes.guest, link);
  await again.until(`room: ${room}, mini-shogi`);
  await again.until('you: guest, w');
  await again.until('last: 5d5c');
  await again.until('turn: yours');
  again.type('1b1c');
  await again.until('played: 1b1c by you');
  const back = people.start(homes.host, server.url);
  await back.until(`room: ${room}, mini-shogi`);
  await back.until('last: 1b1c');
  for (const home of Object.values(homes)) {
    const files = people.seats(home);
    assert.equal(files.length, 1);
    assert.equal(statSync(files[0]).mode & 0o777, 0o600);
    const { key } = JSON.parse(readFileSync(files[0], 'utf8'));
    assert.match(key, /^[\w-]{22}$/);
    for (const { output, errors } of [host, guest, again, back]) {
      assert.ok(!`${output}${errors}`.includes(key));
    }
  }
  /* Another file is another seat. */
  const seat = join(people.scratch, 'elsewhere', 'seat.json');
  const other = people.start(homes.host, '--seat', seat, '--game', GAME, server.url);
  const [, fresh] = await other.until(/^room: (\S+), mini-shogi$/m);
  assert.notEqual(fresh, room);
  assert.equal(statSync(seat).mode & 0o777, 0o600);
});

test('leaving gives the seat up for good; another comes by a new link', async () => {
  const { host, guest, homes, room } = await sitDown();
  host.type('5d5c');
  await guest.until('turn: yours');
  guest.type('leave');
  assert.equal(await guest.exit(), 0);
  assert.deepEqual(people.seats(homes.guest), []);
  await host.until('left: the other player, so the game is over and nobody has won');
  host.type('invite');
  const [, link] = await host.until(/^invitation: (\S+)$/m);
  assert.ok(link.includes(`#invite=${room}.`));
  const home = people.fresh();
  const third = people.start(home, link);
  await third.until('you: guest, b');
  await host.until('joined: the other player is here');
  await host.until('new: game 2, you are w');
  await third.kill();
  host.type('leave');
  assert.equal(await host.exit(), 0);
  /* The next run makes another room. */
  const next = people.start(homes.host, server.url);
  const [, fresh] = await next.until(/^room: (\S+),/m);
  assert.notEqual(fresh, room);
  const back = people.start(home, link);
  await back.until('left: the other player');
  back.type('leave');
  assert.equal(await back.exit(), 0);
});

test('who leaves hears of no loss, however late the answer comes', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const { host, guest } = await sitDown(between);
    for (const [player, delay] of [
      [guest, 100],
      [host, 2000],
    ]) {
      between.delayMs = delay;
      player.type('leave');
      assert.equal(await player.exit(), 0);
      assert.ok(!player.output.includes('lost: '), player.output);
      assert.equal(player.errors, '');
    }
    /* The server itself, without anything between. */
    const { guest: other } = await sitDown();
    other.type('leave');
    assert.equal(await other.exit(), 0);
    assert.ok(!other.output.includes('lost: '), other.output);
  } finally {
    between.stop();
  }
});

test('refused moves say why: by their form, by the rules, by the server', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const { host, guest, ...table } = await sitDown(between);
    const { rev } = await look(table);
    const seated = between.posts.length;
    for (const [typed, code] of [
      ['hello', 'usi-syntax'],
      ['9i9h', 'usi-square'],
      ['P*3c', 'drop-not-in-hand'],
      ['5d5b', 'move-pattern'],
      ['1b1c', 'move-not-your-piece'],
      ['x'.repeat(200), 'text-too-long'],
      ['5d5c 5d5c', 'usi-syntax|text-trailing'],
    ]) {
      host.type(typed);
      await host.until(new RegExp(`^refused: (${code}): [A-Z].*\\.$`, 'm'));
    }
    assert.equal(between.posts.length, seated); /* no server was needed for these */
    guest.type('1b1c');
    await guest.until(/^refused: not-your-turn: [A-Z].*\.$/m);
    host.type('invite');
    await host.until(/^refused: full: /m);
    host.type('board');
    await host.until('turn: yours');
    host.type('help');
    await host.until(/^ {2}withdraw /m);
    assert.equal((await look(table)).rev, rev);
    host.type('5d5c');
    await host.until('played: 5d5c by you');
    host.type('quit');
    assert.equal(await host.exit(), 1);
  } finally {
    between.stop();
  }
});

test('bytes that are no text, and lines without end, are refused like any other', async () => {
  const { host, ...table } = await sitDown();
  const { rev } = await look(table);
  for (const line of [
    Buffer.from([0xff, 0xfe, 0x80, 0x0a]),
    Buffer.from('5d\u00005c\n'),
    Buffer.from('\u001b[2J5d5c\n'),
    Buffer.from('五四歩\n'),
    Buffer.from([0x8c, 0xdc, 0x0a]),
    Buffer.from(`${'5d5c'.repeat(250_000)}\n`),
  ]) {
    host.type(line);
    await host.until(/^refused: [a-z-]+: [A-Z][ -~]*$/m);
  }
  assert.equal((await look(table)).rev, rev);
  host.type('5d5c');
  await host.until('played: 5d5c by you');
  assert.equal(host.output.split('\nrefused: ').length, 7);
});

test('the end of the input is the end, when all that came before it is answered', async () => {
  const home = people.fresh();
  const empty = people.start(home, server.url);
  assert.equal(await empty.end(), 0);
  await empty.until("turn: nobody's, the other seat is empty");
  const { host, guest, homes, ...table } = await sitDown();
  assert.equal(await host.end('5d5c'), 0);
  await host.until('played: 5d5c by you');
  assert.equal((await look(table)).state.moves, 1);
  await guest.until('turn: yours');
  assert.equal(await guest.end('quit\n1b1c\n'), 0);
  assert.equal((await look(table)).state.moves, 1);
});

test('who stays away is told, and in the end loses the seat', async () => {
  const impatient = new Server(['--present-seconds', '1', '--absence-seconds', '4']);
  await impatient.start();
  try {
    const { host, guest, homes, link } = await sitDown(impatient);
    host.type('5d5c');
    await guest.until('turn: yours');
    await guest.kill();
    await host.until(/^away: The other player is away; the seat is kept [34] s\.$/m);
    const back = people.start(homes.guest, link);
    await back.until('turn: yours');
    await host.until('back: The other player is back.');
    await back.kill();
    await host.until(/^away: /m);
    await host.until('left: the other player, so the game is over and nobody has won');
    const late = people.start(homes.guest, link);
    assert.equal(await late.exit(), 1);
    assert.match(late.errors, /\(forbidden\).*kept no longer/);
    assert.deepEqual(people.seats(homes.guest), []);
    assert.equal(await host.end(), 0);
  } finally {
    await impatient.remove();
  }
});

test('who is there is told as the server tells it, and what it may say beside is read over', async () => {
  const between = new Between(server.url);
  await between.start();
  try {
    const { host } = await sitDown(between);
    const presence = (guest, keptMs) =>
      `event: presence\ndata: ${JSON.stringify({ host: 'present', guest, keptMs })}\n\n`;
    between.inject('event: weather\ndata: {"sun":true}\n\nevent: presence\ndata: nonsense\n\n');
    between.inject(presence('present', null));
    between.inject(presence('absent', 61_999) + presence('absent', 50_000));
    await host.until('away: The other player is away; the seat is kept 61 s.');
    between.inject(presence('present', null));
    await host.until('back: The other player is back.');
    host.type('5d5c');
    await host.until('played: 5d5c by you');
    assert.ok(!host.output.includes('lost:'));
    assert.equal(host.output.split('\naway: ').length, 2);
  } finally {
    between.stop();
  }
});

test('a room that is full, a room that is none, and links of no use', async () => {
  const { link, host, guest, homes } = await sitDown();
  for (const [words, message] of [
    [[link], /\(full\): Both seats/],
    [[link.replace(/#invite=\w+/, '#invite=zzzzzzzzzzzz')], /\(not-found\)/],
    [[link.replace(/\.[^.]+$/, '.AAAAAAAAAAAAAAAAAAAAAA')], /\(forbidden\)/],
    [['--game', 'petits-carres', link.replace(/#/, '?#')], /\(wrong-game|forbidden\)/],
  ]) {
    const home = people.fresh();
    const player = people.start(home, ...words);
    assert.equal(await player.exit(), 1, words.join(' '));
    assert.match(player.errors, message);
    assert.match(player.errors, /^komadai play: the server refuses/);
    assert.ok(!player.errors.includes('kept no longer'), player.errors);
    assert.equal(player.output, '');
    assert.deepEqual(people.seats(home), []);
  }
  /* The seat that was taken is as it was. */
  host.type('5d5c');
  await guest.until('turn: yours');
  assert.equal(people.seats(homes.guest).length, 1);
});

test('a seat that is no more ends the game and is forgotten', async () => {
  const { host, homes, room, key } = await sitDown();
  const { rev } = await look({ room, key });
  const left = await server.post(
    `${ROOMS}/${room}/commands`,
    { rev, id: freshId(), op: 'leave' },
    key,
  );
  assert.equal(left.status, 200);
  assert.equal(await host.exit(), 1);
  assert.match(host.errors, /\(forbidden\).*kept no longer/);
  assert.deepEqual(people.seats(homes.host), []);
});

test('wrong usage exits 2 and says what would be right', async () => {
  for (const [words, message] of [
    [[], /the link is missing/],
    [['nonsense'], /no address.*http:\/\/127.0.0.1:8080/],
    [['ftp://games.example'], /begin with http/],
    [['http://me:secret@games.example'], /no name of a user/],
    [['http://games.example/#other'], /no invitation/],
    [['http://games.example/#invite=abc'], /no invitation/],
    [['http://games.example/x/y'], /must be that of a server/],
    [['http://games.example/rubriques/jeux-go'], /no game is known of the page "jeux-go"/],
    [['--game', 'go', 'http://games.example'], /no game "go"/],
    [['--timeout', '0', 'http://games.example'], /--timeout/],
    [['--side', 'b', 'http://games.example'], /"--side" is no option here/],
    [['http://games.example', 'more'], /unexpected argument "more"/],
  ]) {
    const player = people.start(people.fresh(), ...words);
    assert.equal(await player.exit(), 2, words.join(' '));
    assert.match(player.errors, message);
    assert.equal(player.output, '');
  }
});

test('a file of the seat that is another, or nonsense, is left as it is', async () => {
  const { guest, homes, link } = await sitDown();
  await guest.kill();
  const [file] = people.seats(homes.guest);
  const other = await Table.create(server);
  const elsewhere = `${server.url}/rubriques/jeux-mini-shogi#invite=${other.invite}`;
  const text = readFileSync(file, 'utf8');
  const wrong = people.start(homes.guest, '--seat', file, elsewhere);
  assert.equal(await wrong.exit(), 1);
  assert.match(wrong.errors, /keeps the seat of another link/);
  assert.equal(readFileSync(file, 'utf8'), text);
  writeFileSync(file, '{}');
  const broken = people.start(homes.guest, link);
  assert.equal(await broken.exit(), 1);
  assert.match(broken.errors, /keeps no seat; remove it/);
  const folder = people.start(homes.guest, '--seat', people.scratch, link);
  assert.equal(await folder.exit(), 1);
  writeFileSync(join(people.scratch, 'a file'), '');
  const nowhere = people.start(homes.guest, '--seat', join(people.scratch, 'a file', 'seat'), link);
  assert.equal(await nowhere.exit(), 1);
  assert.match(nowhere.errors, /Not a directory/);
});

test('of several at once with one seat, one has it', async () => {
  const seat = join(people.scratch, 'one', 'seat.json');
  const home = people.fresh();
  const rooms = async () => (await server.get(`${ROOMS}?game=${GAME}`)).body.waiting;
  const before = await rooms();
  const players = [1, 2, 3, 4].map(() => people.start(home, '--seat', seat, server.url));
  const host = await Promise.any(
    players.map(async (player) => {
      await player.until(/^invitation: /m);
      return player;
    }),
  );
  for (const player of players.filter((one) => one !== host)) {
    assert.equal(await player.exit(), 1);
    assert.match(player.errors, /seat\.json: another `komadai play` has this seat; --seat names/);
    assert.equal(player.output, '');
  }
  assert.equal((await rooms()) - before, 1);
  assert.equal(await host.end(), 0);
  assert.equal(host.errors, '');
  assert.deepEqual(readdirSync(join(seat, '..')), ['seat.json']);
  /* Killed, it holds nothing up. */
  const next = people.start(home, '--seat', seat, server.url);
  await next.until(/^room: /m);
  await next.kill();
  const last = people.start(home, '--seat', seat, server.url);
  await last.until(/^room: /m);
  assert.equal(await last.end(), 0);
});

test('a program that lacks its other half says so', () => {
  const copy = join(people.scratch, 'alone');
  mkdirSync(copy);
  const komadai = join(copy, 'komadai');
  assert.equal(spawnSync('cp', [binary, komadai]).status, 0);
  const { status, stderr } = spawnSync(komadai, ['play', server.url], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^komadai play: .*komadai-play: No such file/);
});
