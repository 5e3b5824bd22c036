// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LEVELS } from './boxes_engine_api.ts';
import { top } from './fixture.ts';
import { type BoxesQuestion, boxesAnswerer } from './petits_carres_worker.ts';

const load = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(top('build/wasm/src/wasm/komadai-boxes-engine.wasm')));

const question: BoxesQuestion = {
  ask: 'choose',
  text: '2x2',
  level: 'master',
  timeMs: 1000,
  megabytes: 2,
  seed: 1,
};

test('every level has its number in the module, and its choice is told', async () => {
  const answer = boxesAnswerer(load);
  for (const level of LEVELS) {
    const { said } = (await answer({ ...question, level })) as { said: string };
    expect(Object.keys(JSON.parse(said) as object)).toEqual(['edge', 'exact', 'value', 'nodes']);
  }
});

test('the module is loaded once', async () => {
  let loads = 0;
  const answer = boxesAnswerer(() => {
    loads++;
    return load();
  });
  await answer(question);
  await answer({ ...question, ask: 'analyse' });
  expect(loads).toBe(1);
});

test('what the module refuses has its word', async () => {
  const answer = boxesAnswerer(load);
  expect(await answer({ ...question, text: '1x1 1111' })).toEqual({ refused: 'game-over' });
  expect(await answer({ ...question, text: '0x1', ask: 'analyse' })).toEqual({
    refused: 'grid-size',
  });
});

test('what cannot go on says why', async () => {
  const failed = async (load: () => never, changes: object = {}): Promise<string> =>
    ((await boxesAnswerer(load)({ ...question, ...changes })) as { failed: string }).failed;
  const gone = (): never => {
    throw new Error('could not be fetched: 404');
  };
  expect(await failed(gone)).toBe('could not be fetched: 404');
  expect(await failed(load as () => never, { level: 'nobody' })).toBe('there is no level nobody');
  expect(await failed(load as () => never, { megabytes: 0 })).toMatch(/unreachable/);
});
