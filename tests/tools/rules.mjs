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

  /* Each returns null, or the word of the refusal. */
  start(ruleset = '') {
    return this.#word(this.#wasm.start(this.#send(ruleset)));
  }

  setup(sfen, ruleset = '') {
    const length = this.#send(ruleset + sfen);
    return this.#word(this.#wasm.setup(ruleset.length, length - ruleset.length));
  }

  /* A move or "resign". */
  play(usi) {
    return this.#word(this.#wasm.play(this.#send(usi)));
  }

  /* What `play` would answer. */
  refusal(usi) {
    const word = this.play(usi);
    if (word === null) this.undo();
    return word;
  }

  undo() {
    return this.#wasm.undo() !== 0;
  }

  /* Where the text of the latest `setup` is at fault, from 1; 0 when it is not. */
  get faultColumn() {
    return this.#wasm.fault_column();
  }

  /* The state as the interface shows it, without its records. */
  get state() {
    return JSON.parse(this.stateText);
  }

  get stateText() {
    return this.#text(() => this.#wasm.state());
  }

  /* The newest of the records, as JSON. */
  get recordText() {
    return this.#text(() => this.#wasm.record());
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

  /* Leaves of the tree of legal moves. */
  /* Only the module for measurements counts leaves. */
  get countsLeaves() {
    return this.#wasm.perft !== undefined;
  }

  perft(depth, bulk = true) {
    return this.#wasm.perft(depth, Number(bulk));
  }

  /* Bytes written into the input. */
  #send(text) {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.#wasm.memory.buffer).set(bytes, this.#wasm.input());
    return bytes.length;
  }

  #word(status) {
    return status === 0 ? null : this.#text(() => this.#wasm.status_word(status));
  }

  #text(write) {
    write();
    const wasm = this.#wasm;
    return new TextDecoder().decode(
      new Uint8Array(wasm.memory.buffer, wasm.output(), wasm.output_length()),
    );
  }
}
