// SPDX-License-Identifier: MIT
/*
 * The rules: the wasm module built from src/wasm, typed. One instance holds one line of play, so the
 * local game and the remote board each load their own; the bytes are fetched once.
 *
 * The module takes no imports and answers at once, a few microseconds a call, so it runs on the
 * page's own thread. (A search would not: it belongs in a Worker.)
 */
import { parseJson, readList } from './parse.ts';
import { type GameState, type LegalAction, readLegalAction, readState } from './state.ts';

/* The module cannot be used: not loaded, not ours, or broken. Not a refusal by the rules. */
export class RulesFailure extends Error {
  override readonly name = 'RulesFailure';
}

const INPUT_BYTES = 4096;
const STATUS_OK = 0;

type NumberFunction = (...values: number[]) => number;

interface RulesExports {
  readonly memory: WebAssembly.Memory;
  readonly input: NumberFunction;
  readonly output: NumberFunction;
  readonly output_length: NumberFunction;
  readonly start: NumberFunction;
  readonly setup: NumberFunction;
  readonly play: NumberFunction;
  readonly undo: NumberFunction;
  readonly state: NumberFunction;
  readonly legal: NumberFunction;
  readonly check: NumberFunction;
  readonly status_word: NumberFunction;
}

/* What `WebAssembly.Instance.exports` is, or a stand-in for it in tests. */
export type UncheckedExports = Readonly<Record<string, unknown>>;

function checkExports(unchecked: UncheckedExports): RulesExports {
  const take = (name: string): NumberFunction => {
    const exported = unchecked[name];
    if (typeof exported !== 'function') throw new RulesFailure(`the rules export no ${name}`);
    return (...values) => {
      const result: unknown = Reflect.apply(exported, undefined, values);
      /* A C function that returns nothing. */
      if (result === undefined) return STATUS_OK;
      if (typeof result !== 'number') throw new RulesFailure(`${name} returned no number`);
      return result;
    };
  };
  const memory = unchecked['memory'];
  if (!(memory instanceof WebAssembly.Memory)) throw new RulesFailure('the rules export no memory');
  return {
    memory,
    input: take('input'),
    output: take('output'),
    output_length: take('output_length'),
    start: take('start'),
    setup: take('setup'),
    play: take('play'),
    undo: take('undo'),
    state: take('state'),
    legal: take('legal'),
    check: take('check'),
    status_word: take('status_word'),
  };
}

/* A game under the rules. Every method that can be refused returns the stable word, null for done. */
export class Rules {
  readonly #exports: RulesExports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(exports: UncheckedExports) {
    this.#exports = checkExports(exports);
  }

  static async load(bytes: BufferSource): Promise<Rules> {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Rules(instance.exports);
  }

  /* A new line from the start; the ruleset's name, the default one where it is empty. */
  start(ruleset = ''): string | null {
    const length = this.#write(ruleset);
    return length === null ? 'text-too-long' : this.#word(this.#exports.start(length));
  }

  /* A new line from a position (SFEN). */
  setup(position: string, ruleset = ''): string | null {
    const rulesetLength = this.#encoder.encode(ruleset).length;
    const length = this.#write(ruleset + position);
    if (length === null) return 'text-too-long';
    return this.#word(this.#exports.setup(rulesetLength, length - rulesetLength));
  }

  /* Plays an action as text (USI) or "resign". */
  play(usi: string): string | null {
    const length = this.#write(usi);
    return length === null ? 'text-too-long' : this.#word(this.#exports.play(length));
  }

  /* Why `usi` would be refused, or null. The line is left as it was. */
  refusal(usi: string): string | null {
    const word = this.play(usi);
    if (word === null) this.undo();
    return word;
  }

  /* Takes back one ply; false at the start. */
  undo(): boolean {
    return this.#exports.undo() !== 0;
  }

  state(): GameState {
    this.#exports.state();
    return parseJson(this.#read(), readState, 'state');
  }

  legal(): LegalAction[] {
    this.#exports.legal();
    return parseJson(this.#read(), readList(readLegalAction), 'legal');
  }

  /* Whether the side to move is in check. */
  check(): boolean {
    return this.#exports.check() !== 0;
  }

  #word(status: number): string | null {
    if (status === STATUS_OK) return null;
    this.#exports.status_word(status);
    return this.#read();
  }

  /* The bytes written, null where they are too many. */
  #write(text: string): number | null {
    const bytes = this.#encoder.encode(text);
    if (bytes.length > INPUT_BYTES) return null;
    const at = this.#exports.input();
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
    return bytes.length;
  }

  #read(): string {
    /* Any call may grow the memory, which detaches its buffer: so the buffer is taken last. */
    const at = this.#exports.output();
    const length = this.#exports.output_length();
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
  }
}

/* Fetches the module once and makes as many instances as are asked for. */
export function rulesLoader(url: string, fetcher: typeof fetch = fetch): () => Promise<Rules> {
  let bytes: Promise<ArrayBuffer> | null = null;
  const download = async (): Promise<ArrayBuffer> => {
    const response = await fetcher(url);
    if (!response.ok) throw new RulesFailure(`the rules could not be fetched: ${response.status}`);
    return response.arrayBuffer();
  };
  return async () => {
    bytes ??= download();
    try {
      return await Rules.load(await bytes);
    } catch (error) {
      bytes = null;
      throw error;
    }
  };
}
