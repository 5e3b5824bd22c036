// SPDX-License-Identifier: MIT
/* Stand-ins for the wasm module and for the server, for tests only. */
import type { Seat, Snapshot } from './room/contract.ts';
import type { GameState, HandType, LegalAction, Piece } from './state.ts';

export const START = 'rbsgk/4p/5/P4/KGSBR b - 1';

const EMPTY_HAND = { R: 0, B: 0, G: 0, S: 0, P: 0 };

/* The board of an SFEN's first field. */
export function boardOf(rows: string): (Piece | null)[] {
  const board: (Piece | null)[] = [];
  let promoted = false;
  for (const letter of rows) {
    if (letter === '/') continue;
    if (letter === '+') promoted = true;
    else if (/\d/.test(letter)) board.push(...Array<null>(Number(letter)).fill(null));
    else {
      const type = letter.toUpperCase() as HandType | 'K';
      board.push({ type, owner: letter === type ? 0 : 1, promoted });
      promoted = false;
    }
  }
  return board;
}

export function stateOf(part: Partial<GameState> = {}): GameState {
  return {
    board: boardOf('rbsgk/4p/5/P4/KGSBR'),
    hands: [EMPTY_HAND, EMPTY_HAND],
    player: 0,
    moves: 0,
    last: null,
    over: false,
    winner: null,
    reason: null,
    ...part,
  };
}

export function handOf(part: Partial<Record<HandType, number>>): Record<HandType, number> {
  return { ...EMPTY_HAND, ...part };
}

export const ROOM = 'abcdef012345';
export const SECRET = 'ABCDEFGHIJKLMNOPQRSTUV';

export const HOST: Seat = {
  room: ROOM,
  seat: 'host',
  key: 'abcdefghijklmnopqrstuv',
  inviteUrl: `http://school.example/rubriques/jeux-mini-shogi#invite=${ROOM}.${SECRET}`,
};

export function snapshotOf(rev: number, part: Partial<Snapshot> = {}): Snapshot {
  return {
    room: ROOM,
    game: 'mini-shogi',
    rev,
    phase: rev < 2 ? 'waiting' : 'playing',
    players: { host: 0, guest: 1 },
    state: stateOf({ moves: Math.max(rev - 2, 0) }),
    position: START,
    ...part,
  };
}

/* A module with the exports of src/wasm that answers from scripts, in a memory that grows. */
export class FakeWasm {
  readonly memory = new WebAssembly.Memory({ initial: 1 });
  readonly calls: string[] = [];
  refuse: string | null = null;
  check = 0;
  state: GameState = stateOf();
  legal: LegalAction[] = [];
  #answer = '';

  readonly exports = {
    memory: this.memory,
    input: (): number => 0,
    output: (): number => {
      const bytes = new TextEncoder().encode(this.#answer);
      /* Growing detaches every older view. */
      this.memory.grow(1);
      new Uint8Array(this.memory.buffer).set(bytes, 8192);
      return 8192;
    },
    output_length: (): number => new TextEncoder().encode(this.#answer).length,
    start: (length: number): number => this.#call('start', length),
    setup: (rules: number, text: number): number => this.#call(`setup ${rules}`, rules + text),
    play: (length: number): number => this.#call('play', length),
    undo: (): number => this.#call('undo', 0) + 1,
    state: (): void => void (this.#answer = JSON.stringify(this.state)),
    legal: (): void => void (this.#answer = JSON.stringify(this.legal)),
    check: (): number => this.check,
    status_word: (): void => void (this.#answer = this.refuse ?? ''),
  };

  #call(name: string, length: number): number {
    const text = new TextDecoder().decode(new Uint8Array(this.memory.buffer, 0, length));
    this.calls.push(text === '' ? name : `${name} ${text}`);
    return this.refuse === null ? 0 : 7;
  }
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/* `fetch`, answered by a script: each request takes the next answer. */
export class FakeServer {
  readonly requests: Request[] = [];
  readonly #answers: ((request: Request) => Response | Promise<Response>)[] = [];

  answer(answer: (request: Request) => Response | Promise<Response>): this {
    this.#answers.push(answer);
    return this;
  }

  json(status: number, body: unknown, headers: Record<string, string> = {}): this {
    return this.answer(() => new Response(JSON.stringify(body), { status, headers }));
  }

  cut(): this {
    return this.answer(() => {
      throw new TypeError('network');
    });
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request: Request = {
      method: init?.method ?? 'GET',
      path: String(input),
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
      signal: init?.signal ?? new AbortController().signal,
    };
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) return hang(request.signal);
    return answer(request);
  };
}

function hang(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

/* A live stream that the test writes. */
export class FakeStream {
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  cancelled = false;

  response(signal: AbortSignal): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        signal.addEventListener('abort', () => {
          this.cancelled = true;
          controller.error(new DOMException('aborted', 'AbortError'));
        });
      },
      cancel: () => {
        this.cancelled = true;
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  write(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }

  state(snapshot: Snapshot, id = `e-${snapshot.rev}`): void {
    this.write(`id: ${id}\nevent: state\ndata: ${JSON.stringify(snapshot)}\n\n`);
  }

  end(): void {
    this.#controller?.close();
  }
}

/* Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
