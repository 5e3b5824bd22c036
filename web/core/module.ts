// SPDX-License-Identifier: MIT
/*
 * The wasm module built from src/wasm as functions of numbers, and text through the two buffers in
 * its memory. It takes no imports. What may be asked of it is said in wasm.ts, and for programs in
 * the npm package's web/facade.
 */

/* The module cannot be used: not loaded, not ours, or broken. Not a refusal by the rules. */
export class RulesFailure extends Error {
  override readonly name = 'RulesFailure';
}

export const STATUS_OK = 0;

const INPUT_BYTES = 4096;

type NumberFunction = (...values: number[]) => number;

/* What `WebAssembly.Instance.exports` is, or a stand-in for it in tests. */
export type UncheckedExports = Readonly<Record<string, unknown>>;

export class RulesModule {
  readonly #exports: UncheckedExports;
  readonly #memory: WebAssembly.Memory;
  readonly #calls;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(exports: UncheckedExports) {
    const memory = exports['memory'];
    if (!(memory instanceof WebAssembly.Memory)) {
      throw new RulesFailure('the rules export no memory');
    }
    this.#exports = exports;
    this.#memory = memory;
    this.#calls = this.take('input', 'output', 'output_length', 'status_word');
  }

  /* The functions of these names, each of which must be there. */
  take<const Name extends string>(...names: Name[]): Readonly<Record<Name, NumberFunction>> {
    const functions = names.map((name) => [name, this.#function(name)] as const);
    return Object.fromEntries(functions) as Record<Name, NumberFunction>;
  }

  #function(name: string): NumberFunction {
    const exported = this.#exports[name];
    if (typeof exported !== 'function') throw new RulesFailure(`the rules export no ${name}`);
    return (...values) => {
      const result: unknown = Reflect.apply(exported, undefined, values);
      /* A C function that returns nothing. */
      if (result === undefined) return STATUS_OK;
      if (typeof result !== 'number') throw new RulesFailure(`${name} returned no number`);
      return result;
    };
  }

  /* Writes into the input; the bytes written, null where they are too many. */
  send(text: string): number | null {
    const bytes = this.#encoder.encode(text);
    if (bytes.length > INPUT_BYTES) return null;
    const at = this.#calls.input();
    new Uint8Array(this.#memory.buffer).set(bytes, at);
    return bytes.length;
  }

  /* The text that the last call wrote. */
  receive(): string {
    /* Any call may grow the memory, which detaches its buffer: so the buffer is taken last. */
    const at = this.#calls.output();
    const length = this.#calls.output_length();
    return this.#decoder.decode(new Uint8Array(this.#memory.buffer, at, length));
  }

  /* The stable word of a status. */
  word(status: number): string {
    this.#calls.status_word(status);
    return this.receive();
  }
}

export async function fetchBytes(
  url: string | URL,
  fetcher: typeof fetch = fetch,
): Promise<ArrayBuffer> {
  const response = await fetcher(url);
  if (!response.ok) throw new RulesFailure(`the rules could not be fetched: ${response.status}`);
  return response.arrayBuffer();
}
