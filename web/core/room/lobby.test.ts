// SPDX-License-Identifier: MIT
import { beforeEach, describe, expect, test } from 'vitest';
import { FakeServer, HOST, ROOM, SECRET, settle, snapshotOf } from '../fakes.ts';
import { RoomApi } from './api.ts';
import { parseInvitation, readSeat } from './contract.ts';
import { Lobby, type LobbyView } from './lobby.ts';
import { SEAT_KEY, SeatStorage } from './seat.ts';

const FRAGMENT = `#invite=${ROOM}.${SECRET}`;
const GUEST = { ...HOST, seat: 'guest', inviteUrl: null };

let server: FakeServer;
let kept: Map<string, string>;
let cleared: number;
let view: LobbyView;
let full: boolean;

function lobby(): Lobby {
  const box = {
    getItem: (key: string): string | null => kept.get(key) ?? null,
    setItem: (key: string, value: string): void => {
      if (full) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
    removeItem: (key: string): void => void kept.delete(key),
  };
  const made = new Lobby({
    api: new RoomApi(server.fetch),
    storage: new SeatStorage(() => box),
    game: 'mini-shogi',
    onChange: (next) => (view = next),
    clearFragment: () => cleared++,
    session: { wait: () => Promise.resolve() },
  });
  view = made.view;
  return made;
}

beforeEach(() => {
  server = new FakeServer();
  kept = new Map();
  cleared = 0;
  full = false;
});

describe('creating', () => {
  test('opens the room and keeps the seat', async () => {
    server.json(201, { ...HOST, rev: 1, snapshot: snapshotOf(1) });
    await lobby().create();
    expect(server.requests[0]?.body).toEqual({ game: 'mini-shogi', settings: {} });
    expect(view).toMatchObject({ place: 'room', kept: true, arrived: true });
    expect(view.session?.snapshot?.rev).toBe(1);
    expect(JSON.parse(kept.get(SEAT_KEY) ?? '')).toEqual(HOST);
  });

  test('tells that a reload would lose a seat that is not kept', async () => {
    full = true;
    server.json(201, { ...HOST, rev: 1, snapshot: snapshotOf(1) });
    await lobby().create();
    expect(view).toMatchObject({ place: 'room', kept: false });
  });

  test('that fails leaves the local game and says why', async () => {
    const made = lobby();
    server.cut();
    await made.create();
    expect(view).toMatchObject({ place: 'local', working: null, problem: { word: 'network' } });
    server.json(201, { ...HOST, key: 'short', snapshot: snapshotOf(1) });
    await made.create();
    expect(view).toMatchObject({ place: 'local', problem: { word: 'unknown' } });
    expect(kept.size).toBe(0);
  });

  test('refuses a link that would run a script', async () => {
    const inviteUrl = `javascript:alert(1)//${FRAGMENT}`;
    server.json(201, { ...HOST, inviteUrl, snapshot: snapshotOf(1) });
    await lobby().create();
    expect(view.place).toBe('local');
  });
});

describe('an invitation', () => {
  test('takes no seat until it is accepted', async () => {
    const made = lobby();
    made.enter(FRAGMENT);
    await settle();
    expect(view).toMatchObject({ place: 'invited', replaces: false });
    expect(server.requests).toHaveLength(0);
    expect(cleared).toBe(0);

    server.json(201, { ...GUEST, rev: 2, snapshot: snapshotOf(2) });
    await made.join();
    expect(server.requests[0]?.path).toBe(`/api/v1/rooms/${ROOM}/join`);
    expect(server.requests[0]?.body).toMatchObject({
      invite: `${ROOM}.${SECRET}`,
      game: 'mini-shogi',
    });
    expect(view.place).toBe('room');
    expect(cleared).toBe(1);
    expect(kept.has(SEAT_KEY)).toBe(true);
  });

  test('is accepted again with the same id after a lost answer, with another for another', async () => {
    const made = lobby();
    made.enter(FRAGMENT);
    server.cut().cut();
    await made.join();
    await made.join();
    made.enter(`#invite=zzzzzzzzzzzz.${SECRET}`);
    server.cut();
    await made.join();
    const ids = server.requests.map(({ body }) => (body as { id: string }).id);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('to the room of this tab finds its seat again', () => {
    kept.set(SEAT_KEY, JSON.stringify(GUEST));
    lobby().enter(FRAGMENT);
    expect(view).toMatchObject({ place: 'room', session: { seat: { seat: 'guest' } } });
    expect(cleared).toBe(1);
  });

  test('to another room asks first, and may be declined', () => {
    kept.set(SEAT_KEY, JSON.stringify({ ...GUEST, room: 'zzzzzzzzzzzz' }));
    const made = lobby();
    made.enter(FRAGMENT);
    expect(view).toMatchObject({ place: 'invited', replaces: true });
    made.decline();
    expect(view.place).toBe('room');
    expect(cleared).toBe(1);
  });

  test('that is damaged says so', () => {
    lobby().enter('#invite=abc');
    expect(view).toMatchObject({ place: 'local', problem: { word: 'invitation' } });
    expect(cleared).toBe(1);
  });

  test('is not taken from any other fragment', () => {
    lobby().enter('#content');
    expect(view).toMatchObject({ place: 'local', problem: null });
  });

  test.each([
    [409, { error: 'full' }, 'full'],
    [403, { error: 'forbidden' }, 'invitation'],
    [404, { error: 'not-found' }, 'gone'],
    [410, { error: 'gone' }, 'gone'],
    [429, { error: 'too-many' }, 'busy'],
    [500, { error: 'x' }, 'unknown'],
  ])('refused with %i %j says what to do', async (status, body, word) => {
    const made = lobby();
    made.enter(FRAGMENT);
    server.json(status, body);
    await made.join();
    expect(view).toMatchObject({ place: 'invited', working: null, problem: { word, page: null } });
    expect(kept.size).toBe(0);
  });

  test('to another game leads to its page, and to no other site', async () => {
    const made = lobby();
    made.enter(FRAGMENT);
    server.json(409, { error: 'wrong-game', page: '/rubriques/jeux-petits-carres' });
    await made.join();
    expect(view.problem).toEqual({
      word: 'wrong-game',
      page: `/rubriques/jeux-petits-carres${FRAGMENT}`,
    });
    server.json(409, { error: 'wrong-game', page: '//evil.example/rubriques/x' });
    await made.join();
    expect(view.problem).toEqual({ word: 'wrong-game', page: null });
  });
});

describe('a kept seat', () => {
  test('is found again after a reload', () => {
    kept.set(SEAT_KEY, JSON.stringify(HOST));
    lobby().enter('');
    expect(view).toMatchObject({ place: 'room', arrived: false });
    expect(view.session).toMatchObject({ seat: HOST, snapshot: null });
  });

  test.each(['', '{', 'null', '{"room":"x"}', JSON.stringify({ ...HOST, key: '"><script>' })])(
    'that is damaged is no seat: %s',
    (text) => {
      kept.set(SEAT_KEY, text);
      lobby().enter('');
      expect(view.place).toBe('local');
    },
  );

  test('of a room that is gone is forgotten', async () => {
    kept.set(SEAT_KEY, JSON.stringify(HOST));
    server.json(404, { error: 'not-found' });
    lobby().enter('');
    await settle();
    expect(view).toMatchObject({ place: 'local', session: null, problem: { word: 'gone' } });
    expect(kept.size).toBe(0);
  });

  test('is given up by leaving', () => {
    kept.set(SEAT_KEY, JSON.stringify(HOST));
    const made = lobby();
    made.enter('');
    made.leave();
    expect(view).toMatchObject({ place: 'local', session: null, problem: null });
    expect(kept.size).toBe(0);
  });
});

test('storage that the browser forbids is no error', () => {
  const storage = new SeatStorage(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  expect(storage.load()).toBeNull();
  expect(storage.save(HOST)).toBe(false);
  storage.forget();
});

test('parseInvitation takes exactly one form', () => {
  expect(parseInvitation(FRAGMENT)).toEqual({ room: ROOM, secret: SECRET });
  for (const bad of ['', FRAGMENT.slice(1), `${FRAGMENT}x`, `#invite=${ROOM}`, `${FRAGMENT}&a=1`]) {
    expect(parseInvitation(bad), bad).toBeNull();
  }
});

test('readSeat needs a key of the right length', () => {
  expect(() => readSeat({ ...HOST, key: 'x' }, 'seat')).toThrow('seat.key');
});
