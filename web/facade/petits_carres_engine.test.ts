// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type BoxesChoice,
  type BoxesEngine,
  BoxesEngineFailure,
  type BoxesEngineOptions,
  LEVELS,
  PetitsCarresError,
  PetitsCarresStateError,
} from './boxes_engine_api.ts';
import { top } from './fixture.ts';
import { installBoxes } from './installed_boxes.ts';
import { drawEdge, initialBoxes } from './petits_carres.ts';
import { type BoxesWorker, boxesEngineOf } from './petits_carres_engine.ts';
import type { BoxesAnswer, BoxesQuestion } from './petits_carres_worker.ts';

const module = top('build/wasm/src/wasm/komadai-boxes.wasm');

installBoxes(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module))).exports);

const state = initialBoxes(3, 3);
const level = 'taker';

/* A Worker that answers when the test says so. */
class FakeWorker implements BoxesWorker {
  readonly questions: BoxesQuestion[] = [];
  readonly hear: (answer: BoxesAnswer) => void;
  ended = false;

  constructor(hear: (answer: BoxesAnswer) => void) {
    this.hear = hear;
  }

  postMessage(question: BoxesQuestion): void {
    this.questions.push(question);
  }

  terminate(): void {
    this.ended = true;
  }

  choose(edge: number): void {
    this.hear({ said: JSON.stringify({ edge, exact: false, value: 0, nodes: 0 }) });
  }
}

/* An engine, and all the Workers that it has had. */
function setUp(options?: BoxesEngineOptions): { engine: BoxesEngine; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const start = (hear: (answer: BoxesAnswer) => void): FakeWorker => {
    const worker = new FakeWorker(hear);
    workers.push(worker);
    return worker;
  };
  return { engine: boxesEngineOf(start, options), workers };
}

const asked = (workers: readonly FakeWorker[]): number[] =>
  workers.map(({ questions }) => questions.length);

/* All that can happen without a Worker has happened. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it was answered'),
    (reason: unknown) => reason,
  );
}

describe('the queue', () => {
  test('no Worker is started before the first question, and one serves them all', async () => {
    const { engine, workers } = setUp();
    expect(workers).toEqual([]);
    const first = engine.choose(state, { level });
    const second = engine.choose(drawEdge(state, 5), { level: 'master', timeMs: 70 });
    await settle();
    expect(asked(workers)).toEqual([1]);
    workers[0]?.choose(3);
    expect(await first).toEqual({ edge: 3, exact: false, value: 0, nodes: 0 });
    expect(asked(workers)).toEqual([2]);
    expect(workers[0]?.questions[1]).toMatchObject({
      ask: 'choose',
      text: `3x3 00000a${'0'.repeat(18)} 1 ${'0'.repeat(9)}`,
      level: 'master',
      timeMs: 70,
    });
    workers[0]?.choose(4);
    expect(await second).toMatchObject({ edge: 4 });
    expect(workers[0]?.ended).toBe(false);
  });

  test('an answer is frozen', async () => {
    const { engine, workers } = setUp();
    const analysis = engine.analyse(state);
    workers[0]?.hear({ said: '{"value":{"low":3,"high":3},"lines":[]}' });
    expect(Object.isFrozen((await analysis).value)).toBe(true);
  });

  test('a refusal has its word, and the Worker goes on', async () => {
    const { engine, workers } = setUp();
    const first = engine.analyse(state);
    const second = engine.choose(state, { level });
    workers[0]?.hear({ refused: 'game-over' });
    const refused = await reasonOf(first);
    expect(refused).toBeInstanceOf(PetitsCarresError);
    expect(refused).toMatchObject({ code: 'game-over' });
    workers[0]?.choose(1);
    await second;
    expect(asked(workers)).toEqual([2]);
  });
});

describe('a signal', () => {
  test('ends the question that is thought about, and its Worker', async () => {
    const { engine, workers } = setUp();
    const control = new AbortController();
    const first = engine.choose(state, { level, signal: control.signal });
    const second = engine.choose(state, { level });
    control.abort('a click');
    expect(await reasonOf(first)).toBe('a click');
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    expect(asked(workers)).toEqual([1, 1]);
    /* What the old one still says is not taken for an answer of the new one. */
    workers[0]?.choose(9);
    workers[0]?.hear({ failed: 'late' });
    workers[1]?.choose(2);
    expect(await second).toMatchObject({ edge: 2 });
  });

  test('takes a question that waits out of the queue, and disturbs no other', async () => {
    const { engine, workers } = setUp();
    const control = new AbortController();
    const first = engine.choose(state, { level });
    const second = engine.choose(state, { level, signal: control.signal });
    const third = engine.choose(state, { level });
    await settle();
    control.abort();
    expect(await reasonOf(second)).toBe(control.signal.reason);
    workers[0]?.choose(1);
    workers[0]?.choose(3);
    expect([(await first).edge, (await third).edge]).toEqual([1, 3]);
    expect(asked(workers)).toEqual([2]);
  });

  test('that has gone off before starts nothing', async () => {
    const { engine, workers } = setUp();
    const signal = AbortSignal.abort('before');
    expect(await reasonOf(engine.choose(state, { level, signal }))).toBe('before');
    expect(workers).toEqual([]);
  });

  test('that goes off together with the answer wins', async () => {
    const { engine, workers } = setUp();
    const control = new AbortController();
    const choice = engine.choose(state, { level, signal: control.signal });
    workers[0]?.choose(1);
    control.abort('undo');
    expect(await reasonOf(choice)).toBe('undo');
    expect(workers[0]?.ended).toBe(false);
  });

  test('that goes off after the answer ends no Worker', async () => {
    const { engine, workers } = setUp();
    const control = new AbortController();
    const choice = engine.choose(state, { level, signal: control.signal });
    workers[0]?.choose(1);
    await choice;
    const next = engine.choose(state, { level });
    control.abort();
    workers[0]?.choose(2);
    expect(await next).toMatchObject({ edge: 2 });
    expect(workers.length).toBe(1);
  });

  /* The number is that of the public reports in the project's list of bug cases. */
  test('case 112: quick clicks and undo during the thinking give one move, and no exception', async () => {
    const { engine, workers } = setUp();
    const moves: BoxesChoice[] = [];
    const reasons: unknown[] = [];
    let control = new AbortController();
    for (let click = 0; click < 50; click++) {
      control.abort(click);
      control = new AbortController();
      const { signal } = control;
      void engine.choose(state, { level, signal }).then(
        (choice) => moves.push(choice),
        (reason: unknown) => reasons.push(reason),
      );
      if (click % 3 === 0) await settle();
      for (const worker of workers.slice(0, -1)) worker.choose(0);
    }
    await settle();
    for (const worker of workers) worker.choose(7);
    for (const worker of workers) worker.choose(8);
    await settle();
    expect(moves.map(({ edge }) => edge)).toEqual([7]);
    expect(reasons).toEqual(Array.from({ length: 49 }, (_, click) => click + 1));
    expect(workers.filter(({ ended }) => !ended).length).toBe(1);
  });
});

describe('what goes wrong', () => {
  test('a Worker that dies rejects its question, and the next has a new one', async () => {
    const { engine, workers } = setUp({ seed: 7 });
    const first = engine.choose(state, { level });
    const second = engine.choose(state, { level });
    workers[0]?.hear({ failed: 'out of memory' });
    const failure = await reasonOf(first);
    expect(failure).toBeInstanceOf(BoxesEngineFailure);
    expect(failure).toMatchObject({ message: 'the Worker failed: out of memory' });
    expect(workers[0]?.ended).toBe(true);
    workers[1]?.choose(5);
    expect(await second).toMatchObject({ edge: 5 });
    expect(workers.map(({ questions }) => questions[0]?.seed)).toEqual([7, 8]);
  });

  test('a Worker that dies idle is replaced', async () => {
    const { engine, workers } = setUp();
    const first = engine.choose(state, { level });
    workers[0]?.choose(1);
    await first;
    workers[0]?.hear({ failed: 'killed' });
    const second = engine.choose(state, { level });
    workers[1]?.choose(2);
    expect(await second).toMatchObject({ edge: 2 });
  });

  test('a Worker that cannot be started fails each question by itself', async () => {
    let tries = 0;
    const engine = boxesEngineOf(() => {
      throw new Error(`no Worker ${++tries}`);
    });
    const reasons = [engine.analyse(state), engine.analyse(state)].map(reasonOf);
    expect(String(await reasons[0])).toContain('no Worker 1');
    expect(String(await reasons[1])).toContain('no Worker 2');
  });

  test('closed, it answers nothing more', async () => {
    const { engine, workers } = setUp();
    const open = [engine.choose(state, { level }), engine.analyse(state)].map(reasonOf);
    await settle();
    engine.close();
    engine.close();
    open.push(reasonOf(engine.choose(state, { level })));
    for (const reason of await Promise.all(open)) {
      expect(reason).toBeInstanceOf(BoxesEngineFailure);
      expect(String(reason)).toContain('the engine is closed');
    }
    expect(workers.map(({ ended }) => ended)).toEqual([true]);
  });

  test('a question that makes no sense is named, and disturbs nobody', async () => {
    const { engine, workers } = setUp();
    const wrong = (options: unknown): Promise<unknown> =>
      reasonOf(Reflect.apply(engine.choose, engine, [state, options]) as Promise<unknown>);
    for (const name of ['grandmaster', 'random-safe', 'Master', '', undefined, 3]) {
      const reason = await wrong({ level: name });
      expect(reason).toBeInstanceOf(RangeError);
      expect(String(reason)).toContain(`level must be one of ${LEVELS.join(', ')}`);
    }
    for (const timeMs of [0, -1, 1.5, NaN, Infinity, 2 ** 31, '100', null]) {
      const reason = await wrong({ level, timeMs });
      expect(reason).toBeInstanceOf(RangeError);
      expect(String(reason)).toContain('timeMs must be a whole number from 1 to 2147483647');
    }
    expect(String(await wrong({ level, signal: {} }))).toContain('signal must be an AbortSignal');
    for (const options of [undefined, null, 'master']) {
      expect(String(await wrong(options))).toBe('TypeError: options must be an object');
    }
    for (const given of [{ ...state, moves: 3 }, null, 'state']) {
      const reason = await reasonOf(
        Reflect.apply(engine.analyse, engine, [given]) as Promise<unknown>,
      );
      expect(reason).toBeInstanceOf(PetitsCarresStateError);
    }
    expect(workers).toEqual([]);
    for (const options of [{ megabytes: 0 }, { megabytes: 4096 }, { seed: -1 }, { seed: 0.5 }]) {
      expect(() => setUp(options)).toThrow(RangeError);
      expect(() => setUp(options)).toThrow(Object.keys(options)[0]);
    }
  });
});
