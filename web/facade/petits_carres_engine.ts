// SPDX-License-Identifier: MIT
/*
 * The computer player and the analysis of Petits carrés, for a page that must stay quick: they think
 * in a Worker, which answers one question at a time. A question that is given up ends its Worker, and
 * the next one begins another; so what was given up is never answered, and nobody waits for it, though
 * Chromium lets a Worker that computes go on for two seconds.
 */
import {
  type AnalyseOptions,
  type BoxesAnalysis,
  type BoxesChoice,
  type BoxesEngine,
  BoxesEngineFailure,
  type BoxesEngineOptions,
  type BoxesLevel,
  type ChooseOptions,
  LEVELS,
} from './boxes_engine_api.ts';
import { type BoxesState, PetitsCarresError, enterState } from './boxes_state.ts';
import { freezeAll } from './data.ts';
import type { BoxesAnswer, BoxesQuestion } from './petits_carres_worker.ts';

/* A Worker of any kind, and how to start one: it tells its answers, and as a failure that it died. */
export interface BoxesWorker {
  postMessage(question: BoxesQuestion): void;
  terminate(): unknown;
}
export type StartBoxesWorker = (hear: (answer: BoxesAnswer) => void) => BoxesWorker;

const CHOOSE_MS = 1000;
const ANALYSE_MS = 5000;
/* A row of quick clicks may leave several Workers that are still ending, each with so much. */
const MEGABYTES = 32;
const MEGABYTES_MAX = 2048;
const NUMBER_MAX = 2 ** 31 - 1;

function readWhole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}`);
  }
  return value;
}

function readOptions<T>(options: T): T {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('options must be an object');
  }
  return options;
}

function readLevel(value: unknown): BoxesLevel {
  const level = LEVELS.find((name) => name === value);
  if (level === undefined) throw new RangeError(`level must be one of ${LEVELS.join(', ')}`);
  return level;
}

function readSignal(value: unknown): AbortSignal | null {
  if (value !== undefined && !(value instanceof AbortSignal)) {
    throw new TypeError('signal must be an AbortSignal');
  }
  return value ?? null;
}

interface Asked {
  readonly question: Omit<BoxesQuestion, 'megabytes' | 'seed'>;
  readonly signal: AbortSignal | null;
  readonly giveUp: () => void;
  readonly resolve: (said: string) => void;
  readonly reject: (reason: unknown) => void;
}

class WorkerEngine implements BoxesEngine {
  readonly #startWorker: StartBoxesWorker;
  readonly #megabytes: number;
  #seed: number;
  #worker: BoxesWorker | null = null;
  /* The question that the Worker has, and those that wait for it. */
  #current: Asked | null = null;
  readonly #waiting: Asked[] = [];
  #closed = false;

  constructor(startWorker: StartBoxesWorker, options: BoxesEngineOptions) {
    const { megabytes = MEGABYTES, seed = Math.floor(Math.random() * NUMBER_MAX) } =
      readOptions(options);
    this.#startWorker = startWorker;
    this.#megabytes = readWhole('megabytes', megabytes, 1, MEGABYTES_MAX);
    this.#seed = readWhole('seed', seed, 0, NUMBER_MAX);
  }

  async choose(state: BoxesState, options: ChooseOptions): Promise<BoxesChoice> {
    const { level, timeMs = CHOOSE_MS, signal } = readOptions(options);
    const said = await this.#ask('choose', state, readLevel(level), timeMs, readSignal(signal));
    return freezeAll(JSON.parse(said) as BoxesChoice);
  }

  async analyse(state: BoxesState, options: AnalyseOptions = {}): Promise<BoxesAnalysis> {
    const { timeMs = ANALYSE_MS, signal } = readOptions(options);
    const said = await this.#ask('analyse', state, '', timeMs, readSignal(signal));
    return freezeAll(JSON.parse(said) as BoxesAnalysis);
  }

  close(): void {
    this.#closed = true;
    this.#dropWorker();
    const open = [this.#current, ...this.#waiting.splice(0)];
    this.#current = null;
    for (const asked of open) {
      if (asked !== null) this.#reject(asked, new BoxesEngineFailure('the engine is closed'));
    }
  }

  async #ask(
    ask: BoxesQuestion['ask'],
    state: BoxesState,
    level: string,
    timeMs: unknown,
    signal: AbortSignal | null,
  ): Promise<string> {
    const { text } = enterState(state);
    const question = {
      ask,
      text,
      level,
      timeMs: readWhole('timeMs', timeMs, 1, NUMBER_MAX),
    };
    signal?.throwIfAborted();
    if (this.#closed) throw new BoxesEngineFailure('the engine is closed');
    const said = await new Promise<string>((resolve, reject) => {
      const asked: Asked = { question, signal, resolve, reject, giveUp: () => this.#giveUp(asked) };
      signal?.addEventListener('abort', asked.giveUp);
      this.#waiting.push(asked);
      this.#next();
    });
    /* Between the answer and here there may have been time to give it up. */
    signal?.throwIfAborted();
    return said;
  }

  #next(): void {
    while (this.#current === null) {
      const asked = this.#waiting.shift();
      if (asked === undefined) return;
      this.#current = asked;
      try {
        this.#worker ??= this.#start();
        const own = { megabytes: this.#megabytes, seed: this.#seed };
        this.#worker.postMessage({ ...asked.question, ...own });
      } catch (error) {
        this.#fail(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /* A Worker that was dropped may still speak, and is not heard. */
  #start(): BoxesWorker {
    const worker = this.#startWorker((answer) => {
      if (this.#worker !== worker) return;
      this.#hear(answer);
      this.#next();
    });
    return worker;
  }

  #hear(answer: BoxesAnswer): void {
    if ('failed' in answer) return this.#fail(answer.failed);
    const asked = this.#current;
    if (asked === null) return;
    this.#current = null;
    if ('refused' in answer) return this.#reject(asked, new PetitsCarresError(answer.refused));
    asked.signal?.removeEventListener('abort', asked.giveUp);
    asked.resolve(answer.said);
  }

  #fail(reason: string): void {
    const asked = this.#current;
    this.#dropWorker();
    this.#current = null;
    if (asked !== null) {
      this.#reject(asked, new BoxesEngineFailure(`the Worker failed: ${reason}`));
    }
  }

  #giveUp(asked: Asked): void {
    if (asked === this.#current) {
      this.#dropWorker();
      this.#current = null;
    } else {
      this.#waiting.splice(this.#waiting.indexOf(asked), 1);
    }
    this.#reject(asked, asked.signal?.reason);
    this.#next();
  }

  #reject(asked: Asked, reason: unknown): void {
    asked.signal?.removeEventListener('abort', asked.giveUp);
    asked.reject(reason);
  }

  /* Another Worker chooses by another seed, lest a move that was taken back comes again. */
  #dropWorker(): void {
    if (this.#worker === null) return;
    this.#worker.terminate();
    this.#worker = null;
    this.#seed = (this.#seed + 1) % NUMBER_MAX;
  }
}

/* An engine whose Workers are started so. The rules must be installed. */
export function boxesEngineOf(
  startWorker: StartBoxesWorker,
  options: BoxesEngineOptions = {},
): BoxesEngine {
  return new WorkerEngine(startWorker, options);
}

/* Workers of a browser, each of which runs boxesAnswerer of petits_carres_worker.ts. */
export function browserWorkers(make: () => Worker): StartBoxesWorker {
  return (hear) => {
    const worker = make();
    worker.onmessage = ({ data }) => hear(data as BoxesAnswer);
    worker.onerror = ({ message }) => hear({ failed: message || 'its script could not be loaded' });
    return worker;
  };
}
