// SPDX-License-Identifier: MIT
/* The rules of Mini Shogi for scripts: one line of play in the wasm module. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../build/wasm/src/wasm/komadai.wasm', import.meta.url));

export class Rules {
  #wasm;

  /* KOMADAI_WASM names a module elsewhere than in build/. */
  static async load(path = process.env.KOMADAI_WASM ?? built) {
    const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
    return new Rules(instance.exports);
  }

  constructor(wasm) {
    this.#wasm = wasm;
    this.start();
  }

  start() {
    this.#wasm.start(0);
  }

  /* Plays a move or "resign"; returns null, or the word of the refusal. */
  play(usi) {
    const bytes = new TextEncoder().encode(usi);
    new Uint8Array(this.#wasm.memory.buffer).set(bytes, this.#wasm.input());
    const status = this.#wasm.play(bytes.length);
    return status === 0 ? null : this.#text(() => this.#wasm.status_word(status));
  }

  undo() {
    return this.#wasm.undo() !== 0;
  }

  /* The state as the interface shows it, without its records. */
  get state() {
    const { records: _, ...state } = JSON.parse(this.#text(() => this.#wasm.state()));
    return state;
  }

  /* [{usi, action}] */
  get legal() {
    return JSON.parse(this.#text(() => this.#wasm.legal()));
  }

  /* SFEN */
  get position() {
    return this.#text(() => this.#wasm.position());
  }

  get check() {
    return this.#wasm.check() !== 0;
  }

  #text(write) {
    write();
    const wasm = this.#wasm;
    return new TextDecoder().decode(
      new Uint8Array(wasm.memory.buffer, wasm.output(), wasm.output_length()),
    );
  }
}
