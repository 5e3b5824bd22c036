// SPDX-License-Identifier: MIT
/*
 * One seat of one room, held open: the newest snapshot, the live stream that brings the next, and
 * the commands of this player.
 *
 *   - A snapshot replaces the last one only when its revision is higher, whichever way it came.
 *   - The stream is opened again for as long as the session lives: at once after a sign of network
 *     (`nudge`), else after a growing delay, or the one that a server which stops has named (`bye`). A stream without a byte for SILENCE_MS is given up.
 *   - A command is sent again with the same id until an answer comes, so it is applied once.
 *   - Nothing is shown as played before the server has answered.
 */
import { parseJson } from '../parse.ts';
import type { Action, Player } from '../state.ts';
import { NetworkError, RoomError, type RoomApi } from './api.ts';
import { readBye, readSnapshot, type Seat, type Snapshot } from './contract.ts';
import { readEvents } from './stream.ts';

/* The server writes at least a ping every 10 s. */
const SILENCE_MS = 25_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

export type Connection = 'connecting' | 'live' | 'cut';

/* Why the seat is of no use any more. */
export type Ending = 'gone' | 'forbidden';

export interface SessionView {
  readonly seat: Seat;
  readonly snapshot: Snapshot | null;
  readonly connection: Connection;
  /* A command is on its way. */
  readonly sending: boolean;
  readonly ending: Ending | null;
}

export type PlayOutcome =
  | { readonly kind: 'played' }
  /* By the rules or the room; a stable word. */
  | { readonly kind: 'refused'; readonly word: string }
  /* The room had moved on: the view shows it as it is now. */
  | { readonly kind: 'stale' }
  /* Not sent: nothing to play on, another command on its way, or the session closed meanwhile. */
  | { readonly kind: 'dropped' };

export interface SessionOptions {
  readonly onChange: (view: SessionView) => void;
  /* Resolves after `ms`, or at once when `signal` aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newId?: () => string;
}

export function sideOf(view: SessionView): Player | null {
  return view.snapshot === null ? null : view.snapshot.players[view.seat.seat];
}

/* 16 random bytes; `crypto.randomUUID` is missing over plain http. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

export class RoomSession {
  readonly #api: RoomApi;
  readonly #onChange: (view: SessionView) => void;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #newId: () => string;
  readonly #life = new AbortController();
  /* Ends the pauses before a new try; replaced after each use. */
  #pause = new AbortController();
  #view: SessionView;
  #lastEventId: string | null = null;

  constructor(api: RoomApi, seat: Seat, snapshot: Snapshot | null, options: SessionOptions) {
    this.#api = api;
    this.#onChange = options.onChange;
    this.#wait = options.wait ?? waitFor;
    this.#newId = options.newId ?? newRequestId;
    this.#view = { seat, snapshot, connection: 'connecting', sending: false, ending: null };
  }

  get view(): SessionView {
    return this.#view;
  }

  /* Holds the stream open until `close`; resolves then. */
  async open(): Promise<void> {
    let delay = FIRST_DELAY_MS;
    while (!this.#closed) {
      try {
        await this.#listen((ms) => {
          delay = ms;
        });
      } catch (error) {
        if (this.#finish(error)) return;
        if (error instanceof RoomError) delay = Math.max(delay, error.retryAfterMs ?? 0);
      }
      if (this.#closed) return;
      this.#change({ connection: 'cut' });
      await this.#rest(delay);
      delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    }
  }

  close(): void {
    this.#life.abort();
    this.#pause.abort();
  }

  /* The network or the page came back: try again now. */
  nudge(): void {
    this.#pause.abort();
    this.#pause = new AbortController();
  }

  async play(action: Action): Promise<PlayOutcome> {
    const { snapshot, sending, seat } = this.#view;
    if (snapshot === null || sending || this.#closed) return { kind: 'dropped' };
    const command = { rev: snapshot.rev, id: this.#newId(), op: 'play', action } as const;
    this.#change({ sending: true });
    try {
      let delay = FIRST_DELAY_MS;
      while (!this.#closed) {
        try {
          this.#take(await this.#api.send(seat, command));
          return { kind: 'played' };
        } catch (error) {
          const outcome = this.#outcome(error);
          if (outcome !== null) return outcome;
          const asked = error instanceof RoomError ? (error.retryAfterMs ?? 0) : 0;
          await this.#rest(Math.max(delay, asked));
          delay = Math.min(delay * 2, LONGEST_DELAY_MS);
        }
      }
      return { kind: 'dropped' };
    } finally {
      this.#change({ sending: false });
    }
  }

  get #closed(): boolean {
    return this.#life.signal.aborted;
  }

  /* What a failed sending means; null: send it again. */
  #outcome(error: unknown): PlayOutcome | null {
    if (this.#finish(error)) return { kind: 'dropped' };
    if (!(error instanceof RoomError)) {
      if (error instanceof NetworkError) return null;
      return { kind: 'refused', word: 'malformed' };
    }
    if (error.transient) return null;
    if (error.code === 'stale') {
      if (error.snapshot !== null) this.#take(error.snapshot);
      return { kind: 'stale' };
    }
    return { kind: 'refused', word: error.reason ?? error.code };
  }

  /* `setDelay` is told how long to wait, once the stream has ended. */
  async #listen(setDelay: (ms: number) => void): Promise<void> {
    const stream = new AbortController();
    const stop = (): void => stream.abort();
    this.#life.signal.addEventListener('abort', stop);
    let timer = setTimeout(stop, SILENCE_MS);
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
    };
    try {
      const body = await this.#api.events(this.#view.seat, this.#lastEventId, stream.signal);
      /* A server that has nothing newer than the last event sends nothing before the next. */
      this.#change({ connection: 'live' });
      for await (const event of readEvents(body, alive)) {
        if (event.type === 'bye') setDelay(parseJson(event.data, readBye, 'event').retryMs);
        if (event.type !== 'state') continue;
        const snapshot = parseJson(event.data, readSnapshot, 'event');
        setDelay(FIRST_DELAY_MS);
        this.#lastEventId = event.id;
        this.#take(snapshot);
      }
    } finally {
      clearTimeout(timer);
      this.#life.signal.removeEventListener('abort', stop);
    }
  }

  /* Ends the session where the seat is of no use any more. */
  #finish(error: unknown): boolean {
    if (!(error instanceof RoomError)) return false;
    if (error.status === 404 || error.status === 410) this.#change({ ending: 'gone' });
    else if (error.status === 401 || error.status === 403) this.#change({ ending: 'forbidden' });
    else return false;
    this.close();
    return true;
  }

  #take(snapshot: Snapshot): void {
    const current = this.#view.snapshot;
    if (snapshot.room !== this.#view.seat.room) return;
    if (current === null || snapshot.rev > current.rev) this.#change({ snapshot });
  }

  async #rest(ms: number): Promise<void> {
    await this.#wait(ms, this.#pause.signal);
  }

  #change(part: Partial<SessionView>): void {
    const changed = Object.entries(part).some(
      ([name, value]) => this.#view[name as keyof SessionView] !== value,
    );
    if (!changed) return;
    this.#view = { ...this.#view, ...part };
    if (!this.#closed) this.#onChange(this.#view);
  }
}
