// SPDX-License-Identifier: MIT
/*
 * The rules, typed. One instance holds one line of play, so the local game and the remote board each
 * load their own; the bytes are fetched once.
 *
 * An answer takes a few microseconds, so the rules run on the page's own thread. (A search would
 * not: it belongs in a Worker.)
 */
import { RulesModule, STATUS_OK, fetchBytes } from './module.ts';
import { parseJson, readList } from './parse.ts';
import { type GameState, type LegalAction, readLegalAction, readState } from './state.ts';

/* A game under the rules. Every method that can be refused returns the stable word, null for done. */
export class Rules {
  readonly #module: RulesModule;
  readonly #calls;

  constructor(module: RulesModule) {
    this.#module = module;
    this.#calls = module.take('start', 'setup', 'play', 'undo', 'state', 'legal', 'check');
  }

  static async load(bytes: BufferSource): Promise<Rules> {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Rules(new RulesModule(instance.exports));
  }

  /* A new line from the start; the ruleset's name, the default one where it is empty. */
  start(ruleset = ''): string | null {
    const length = this.#module.send(ruleset);
    return length === null ? 'text-too-long' : this.#word(this.#calls.start(length));
  }

  /* A new line from a position (SFEN). */
  setup(position: string, ruleset = ''): string | null {
    const rulesetLength = this.#module.send(ruleset);
    const length = this.#module.send(ruleset + position);
    if (rulesetLength === null || length === null) return 'text-too-long';
    return this.#word(this.#calls.setup(rulesetLength, length - rulesetLength));
  }

  /* Plays an action as text (USI) or "resign". */
  play(usi: string): string | null {
    const length = this.#module.send(usi);
    return length === null ? 'text-too-long' : this.#word(this.#calls.play(length));
  }

  /* Why `usi` would be refused, or null. The line is left as it was. */
  refusal(usi: string): string | null {
    const word = this.play(usi);
    if (word === null) this.undo();
    return word;
  }

  /* Takes back one ply; false at the start. */
  undo(): boolean {
    return this.#calls.undo() !== 0;
  }

  state(): GameState {
    this.#calls.state();
    return parseJson(this.#module.receive(), readState, 'state');
  }

  legal(): LegalAction[] {
    this.#calls.legal();
    return parseJson(this.#module.receive(), readList(readLegalAction), 'legal');
  }

  /* Whether the side to move is in check. */
  check(): boolean {
    return this.#calls.check() !== 0;
  }

  #word(status: number): string | null {
    return status === STATUS_OK ? null : this.#module.word(status);
  }
}

/* Fetches the module once and makes as many instances as are asked for. */
export function rulesLoader(url: string, fetcher: typeof fetch = fetch): () => Promise<Rules> {
  let bytes: Promise<ArrayBuffer> | null = null;
  return async () => {
    bytes ??= fetchBytes(url, fetcher);
    try {
      return await Rules.load(await bytes);
    } catch (error) {
      bytes = null;
      throw error;
    }
  };
}
