// SPDX-License-Identifier: MIT
/* The Worker's side of the computer player and the analysis: a question comes in, its answer goes out. */
import { RulesModule, STATUS_OK } from '../core/module.ts';

/* What the client posts. The position is text that its reader has made. */
export interface BoxesQuestion {
  readonly ask: 'choose' | 'analyse';
  readonly text: string;
  readonly level: string;
  readonly timeMs: number;
  /* For the first question to a Worker. */
  readonly megabytes: number;
  readonly seed: number;
}

/* What it hears: JSON, the word of a refusal, or why this Worker is of no more use. */
export type BoxesAnswer =
  { readonly said: string } | { readonly refused: string } | { readonly failed: string };

export type LoadBytes = () => BufferSource | Promise<BufferSource>;

class Desk {
  readonly #module: RulesModule;
  readonly #calls;

  constructor(exports: WebAssembly.Exports, { megabytes, seed }: BoxesQuestion) {
    this.#module = new RulesModule(exports);
    this.#calls = this.#module.take('create', 'level', 'choose', 'analyse');
    const status = this.#calls.create(megabytes, seed);
    if (status !== STATUS_OK) {
      throw new Error(`${this.#module.word(status)}, asked for ${megabytes} MB`);
    }
  }

  answer(question: BoxesQuestion): BoxesAnswer {
    const status = this.#ask(question);
    if (status !== STATUS_OK) return { refused: this.#module.word(status) };
    return { said: this.#module.receive() };
  }

  #ask({ ask, text, level, timeMs }: BoxesQuestion): number {
    const number = ask === 'choose' ? this.#calls.level(this.#send(level)) : 0;
    if (number < 0) throw new Error(`there is no level ${level}`);
    const length = this.#send(text);
    if (ask === 'analyse') return this.#calls.analyse(length, timeMs, 0);
    return this.#calls.choose(length, number, timeMs, 0);
  }

  /* No position and no level is longer than the input. */
  #send(text: string): number {
    return this.#module.send(text) ?? 0;
  }
}

async function openDesk(load: LoadBytes, question: BoxesQuestion): Promise<Desk> {
  const host = { clock_ms: (): number => performance.now() };
  const { instance } = await WebAssembly.instantiate(await load(), { host });
  return new Desk(instance.exports, question);
}

/* Answers questions that come one at a time, with a module that is loaded for the first. */
export function boxesAnswerer(load: LoadBytes): (question: BoxesQuestion) => Promise<BoxesAnswer> {
  let desk: Promise<Desk> | null = null;
  return async (question) => {
    try {
      desk ??= openDesk(load, question);
      return (await desk).answer(question);
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  };
}
