// SPDX-License-Identifier: MIT
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, FakeStream, HOST, snapshotOf, settle, stateOf } from '../fakes.ts';
import type { Action } from '../state.ts';
import { RoomApi } from './api.ts';
import { newRequestId, RoomSession, type SessionView, sideOf } from './session.ts';

const MOVE: Action = { type: 'move', from: 15, to: 10, promote: false };

let server: FakeServer;
let session: RoomSession;
let views: SessionView[];
let waits: number[];

beforeEach(() => {
  server = new FakeServer();
  views = [];
  waits = [];
  session = new RoomSession(new RoomApi(server.fetch), HOST, snapshotOf(2), {
    onChange: (view) => views.push(view),
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
});

afterEach(() => session.close());

describe('the stream', () => {
  test('carries the key in a header and never in the address', async () => {
    void session.open();
    await settle();
    const [request] = server.requests;
    expect(request?.path).toBe(`/api/v1/rooms/${HOST.room}/events`);
    expect(request?.headers.get('Authorization')).toBe(`Bearer ${HOST.key}`);
    expect(request?.headers.has('Last-Event-ID')).toBe(false);
  });

  test('brings newer snapshots and keeps the newest', async () => {
    const stream = new FakeStream();
    server.answer(({ signal }) => stream.response(signal));
    void session.open();
    await settle();
    stream.state(snapshotOf(4));
    stream.state(snapshotOf(3));
    stream.write(': ping\n\nevent: presence\ndata: {}\n\n');
    await settle();
    expect(session.view.connection).toBe('live');
    expect(session.view.snapshot?.rev).toBe(4);
    expect(sideOf(session.view)).toBe(0);
  });

  test('is opened again after its end, from the last event seen', async () => {
    const first = new FakeStream();
    const second = new FakeStream();
    server.answer(({ signal }) => first.response(signal));
    server.cut().json(503, { error: 'busy' }, { 'Retry-After': '3' });
    server.answer(({ signal }) => second.response(signal));
    void session.open();
    await settle();
    first.state(snapshotOf(3), 'e-3');
    await settle();
    first.end();
    await settle();
    expect(server.requests).toHaveLength(4);
    expect(server.requests[3]?.headers.get('Last-Event-ID')).toBe('e-3');
    expect(waits).toEqual([500, 1000, 3000]);
    expect(views.map(({ connection }) => connection)).toContain('cut');
    second.state(snapshotOf(5));
    await settle();
    expect(session.view).toMatchObject({ connection: 'live', snapshot: { rev: 5 } });
  });

  test('F94: that was opened five times more brings a move once', async () => {
    const streams = Array.from({ length: 6 }, () => new FakeStream());
    for (const each of streams) server.answer(({ signal }) => each.response(signal));
    void session.open();
    await settle();
    for (const each of streams.slice(0, 5)) {
      each.end();
      await settle();
    }
    const before = views.length;
    streams.at(-1)?.state(snapshotOf(3));
    await settle();
    expect(views.slice(before).map(({ snapshot }) => snapshot?.rev)).toEqual([3]);
  });

  test('that a server ends which stops is opened again when it says', async () => {
    const first = new FakeStream();
    const second = new FakeStream();
    server.answer(({ signal }) => first.response(signal));
    server.cut();
    server.answer(({ signal }) => second.response(signal));
    void session.open();
    await settle();
    first.state(snapshotOf(3), 'e-3');
    first.write('event: bye\ndata: {"retryMs":2300}\n\n');
    first.end();
    await settle();
    expect(waits).toEqual([2300, 4600]);
    expect(server.requests[2]?.headers.get('Last-Event-ID')).toBe('e-3');
    second.state(snapshotOf(4), 'f-4');
    second.end();
    await settle();
    expect(waits).toEqual([2300, 4600, 500]);
  });

  test('that is told 429 is opened again when the server says', async () => {
    const stream = new FakeStream();
    server.json(429, { error: 'too-many', reason: 'requests' }, { 'Retry-After': '7' });
    server.answer(({ signal }) => stream.response(signal));
    void session.open();
    await settle();
    expect(waits).toEqual([7000]);
    expect(session.view).toMatchObject({ connection: 'live', ending: null });
  });

  test('that opens again is live, though nothing new has happened meanwhile', async () => {
    const first = new FakeStream();
    const second = new FakeStream();
    server.answer(({ signal }) => first.response(signal));
    server.answer(({ signal }) => second.response(signal));
    void session.open();
    await settle();
    first.state(snapshotOf(3), 'e-3');
    await settle();
    first.end();
    await settle();
    expect(server.requests).toHaveLength(2);
    expect(session.view).toMatchObject({ connection: 'live', snapshot: { rev: 3 } });
  });

  test('with a broken event is opened again, the view as it was', async () => {
    const stream = new FakeStream();
    server.answer(({ signal }) => stream.response(signal));
    void session.open();
    await settle();
    stream.write('event: state\ndata: {"rev":9}\n\n');
    await settle();
    expect(session.view.snapshot?.rev).toBe(2);
    expect(stream.cancelled).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  test('of another room changes nothing', async () => {
    const stream = new FakeStream();
    server.answer(({ signal }) => stream.response(signal));
    void session.open();
    await settle();
    stream.state(snapshotOf(9, { room: 'zzzzzzzzzzzz' }));
    await settle();
    expect(session.view.snapshot?.rev).toBe(2);
  });

  test('that falls silent is given up', async () => {
    vi.useFakeTimers();
    try {
      const stream = new FakeStream();
      server.answer(({ signal }) => stream.response(signal));
      void session.open();
      await vi.advanceTimersByTimeAsync(20_000);
      stream.write(': ping\n\n');
      await vi.advanceTimersByTimeAsync(20_000);
      expect(stream.cancelled).toBe(false);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(stream.cancelled).toBe(true);
      expect(server.requests).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    [404, 'gone'],
    [410, 'gone'],
    [401, 'forbidden'],
    [403, 'forbidden'],
  ])('refused with %i ends the session', async (status, ending) => {
    server.json(status, { error: 'x', message: 'x' });
    await session.open();
    expect(views.at(-1)?.ending).toBe(ending);
    expect(server.requests).toHaveLength(1);
    expect(await session.play(MOVE)).toEqual({ kind: 'dropped' });
  });

  test('stops with the session, also while it waits', async () => {
    const slow = new RoomSession(new RoomApi(server.fetch), HOST, null, {
      onChange: () => undefined,
    });
    server.cut();
    const open = slow.open();
    await settle();
    slow.close();
    await open;
    expect(server.requests).toHaveLength(1);
  });

  test('is tried at once after a nudge', async () => {
    const slow = new RoomSession(new RoomApi(server.fetch), HOST, null, {
      onChange: () => undefined,
    });
    server.cut();
    void slow.open();
    await settle();
    expect(server.requests).toHaveLength(1);
    slow.nudge();
    await settle();
    expect(server.requests).toHaveLength(2);
    slow.close();
  });
});

describe('a command', () => {
  test('names the revision seen and takes the snapshot of the answer', async () => {
    server.json(200, snapshotOf(3));
    expect(await session.play(MOVE)).toEqual({ kind: 'played' });
    const [request] = server.requests;
    expect(request?.path).toBe(`/api/v1/rooms/${HOST.room}/commands`);
    expect(request?.body).toMatchObject({ rev: 2, op: 'play', action: MOVE });
    expect(session.view).toMatchObject({ sending: false, snapshot: { rev: 3 } });
  });

  test('F81: is sent again with the same id until an answer comes', async () => {
    server.cut().json(502, 'a proxy page').json(503, { error: 'busy' }, { 'Retry-After': '2' });
    server.json(200, snapshotOf(3));
    expect(await session.play(MOVE)).toEqual({ kind: 'played' });
    const ids = server.requests.map(({ body }) => (body as { id: string }).id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(1);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test('that is told 429 is sent again when the server says, with the same id', async () => {
    server.json(429, { error: 'too-many', reason: 'commands' }, { 'Retry-After': '2' });
    server.json(200, snapshotOf(3));
    expect(await session.play(MOVE)).toEqual({ kind: 'played' });
    const [first, second] = server.requests.map(({ body }) => (body as { id: string }).id);
    expect(second).toBe(first);
    expect(waits).toEqual([2000]);
  });

  test('F81: never shows a move before its answer, and is alone on its way', async () => {
    const playing = session.play(MOVE);
    expect(session.view).toMatchObject({ sending: true, snapshot: { rev: 2 } });
    expect(await session.play(MOVE)).toEqual({ kind: 'dropped' });
    session.close();
    server.json(200, snapshotOf(3));
    await Promise.race([playing, settle()]);
    expect(server.requests).toHaveLength(1);
  });

  test('with an old answer does not turn the room back', async () => {
    const stream = new FakeStream();
    server.answer(({ signal }) => stream.response(signal));
    void session.open();
    await settle();
    stream.state(snapshotOf(4));
    await settle();
    server.json(200, snapshotOf(3));
    await session.play(MOVE);
    expect(session.view.snapshot?.rev).toBe(4);
  });

  test('that came too late shows the room as it is now', async () => {
    const now = snapshotOf(5, { state: stateOf({ moves: 3, player: 1 }) });
    server.json(409, { error: 'stale', message: 'x', rev: 5, snapshot: now });
    expect(await session.play(MOVE)).toEqual({ kind: 'stale' });
    expect(session.view.snapshot).toEqual(now);
  });

  test.each([
    [422, { error: 'illegal', reason: 'drop-two-pawns' }, 'drop-two-pawns'],
    [409, { error: 'not-your-turn' }, 'not-your-turn'],
    [409, { error: 'suspended' }, 'suspended'],
    [400, 'not even an object', '400'],
  ])('refused with %i %j gives the word', async (status, body, word) => {
    server.json(status, body);
    expect(await session.play(MOVE)).toEqual({ kind: 'refused', word });
    expect(session.view).toMatchObject({ sending: false, snapshot: { rev: 2 } });
  });

  test('answered with nonsense is not sent again', async () => {
    server.json(200, { rev: 'three' });
    expect(await session.play(MOVE)).toEqual({ kind: 'refused', word: 'malformed' });
    expect(server.requests).toHaveLength(1);
  });
});

test('request ids are short, plain and different', () => {
  const ids = Array.from({ length: 50 }, newRequestId);
  expect(new Set(ids).size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});
