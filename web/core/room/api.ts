// SPDX-License-Identifier: MIT
/*
 * The requests of a room, one function each. They throw `RoomError` for an answer that refuses,
 * `NetworkError` where no usable answer came: then nobody knows whether the command was applied,
 * and it is sent again with the same id.
 */
import { Malformed, type Reader, readObject, parseJson } from '../parse.ts';
import {
  type Command,
  type Entry,
  type Invitation,
  readEntry,
  readSnapshot,
  type Seat,
  type Snapshot,
} from './contract.ts';

const BASE = '/api/v1/rooms';
const ANSWER_TIMEOUT_MS = 10_000;

export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

export class RoomError extends Error {
  override readonly name = 'RoomError';
  readonly status: number;
  /* The stable word of the refusal: "full", "stale", "illegal" … */
  readonly code: string;
  /* Of "illegal": the word of the rules. */
  readonly reason: string | null;
  /* Of "wrong-game": the page of the right game. */
  readonly page: string | null;
  /* Of "stale": the room as it is now. */
  readonly snapshot: Snapshot | null;
  readonly retryAfterMs: number | null;

  constructor(status: number, body: unknown, retryAfter: string | null) {
    const members = isMembers(body) ? body : {};
    const text = (name: string): string | null => {
      const value = members[name];
      return typeof value === 'string' ? value : null;
    };
    super(text('message') ?? `the server answered ${status}`);
    this.status = status;
    this.code = text('error') ?? String(status);
    this.reason = text('reason');
    this.page = safePage(text('page'));
    this.snapshot = optionalSnapshot(members['snapshot']);
    const seconds = retryAfter === null ? NaN : Number(retryAfter);
    this.retryAfterMs = seconds >= 0 && seconds <= 3600 ? seconds * 1000 : null;
  }

  /* The same request may well succeed later. */
  get transient(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/* A path on this site: never another site, which "//host" would be. */
function safePage(page: string | null): string | null {
  return page !== null && /^\/rubriques\/[a-z0-9-]+$/.test(page) ? page : null;
}

function optionalSnapshot(value: unknown): Snapshot | null {
  try {
    return readSnapshot(value, 'snapshot');
  } catch {
    return null;
  }
}

async function failure(response: Response): Promise<RoomError> {
  let body: unknown = null;
  try {
    body = parseJson(await response.text(), readObject, 'error');
  } catch {
    /* A proxy's page, say: the status tells enough. */
  }
  return new RoomError(response.status, body, response.headers.get('Retry-After'));
}

export class RoomApi {
  readonly #fetch: typeof fetch;

  constructor(fetcher: typeof fetch = (...request) => fetch(...request)) {
    this.#fetch = fetcher;
  }

  create(game: string): Promise<Entry> {
    return this.#ask(BASE, readEntry, { body: { game, settings: {} } });
  }

  /* With the same random `id` the same seat is given again, should the first answer be lost. */
  join(invitation: Invitation, game: string, id: string): Promise<Entry> {
    const invite = `${invitation.room}.${invitation.secret}`;
    return this.#ask(`${BASE}/${invitation.room}/join`, readEntry, { body: { invite, game, id } });
  }

  send(seat: Seat, command: Command): Promise<Snapshot> {
    return this.#ask(`${BASE}/${seat.room}/commands`, readSnapshot, {
      body: command,
      key: seat.key,
    });
  }

  /* The live stream of a room. The caller reads its body, and ends it through `signal`. */
  async events(
    seat: Seat,
    lastEventId: string | null,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const headers = new Headers({
      Accept: 'text/event-stream',
      Authorization: `Bearer ${seat.key}`,
    });
    if (lastEventId !== null) headers.set('Last-Event-ID', lastEventId);
    let response: Response;
    try {
      response = await this.#fetch(`${BASE}/${seat.room}/events`, {
        headers,
        signal,
        cache: 'no-store',
      });
    } catch (error) {
      throw new NetworkError('the stream did not open', { cause: error });
    }
    if (!response.ok) throw await failure(response);
    if (response.body === null) throw new NetworkError('the stream has no body');
    return response.body;
  }

  async #ask<T>(
    path: string,
    reader: Reader<T>,
    request: { body: unknown; key?: string },
  ): Promise<T> {
    const headers = new Headers({ 'Content-Type': 'application/json' });
    if (request.key !== undefined) headers.set('Authorization', `Bearer ${request.key}`);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), ANSWER_TIMEOUT_MS);
    try {
      const response = await this.#fetch(path, {
        method: 'POST',
        headers,
        body: JSON.stringify(request.body),
        signal: abort.signal,
        cache: 'no-store',
      });
      if (!response.ok) throw await failure(response);
      return parseJson(await response.text(), reader, 'answer');
    } catch (error) {
      if (error instanceof RoomError || error instanceof Malformed) throw error;
      throw new NetworkError('no answer came', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}
