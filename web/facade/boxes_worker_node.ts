// SPDX-License-Identifier: MIT
/* The script of a Worker in Node. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type BoxesQuestion, boxesAnswerer } from './petits_carres_worker.ts';

const answer = boxesAnswerer(() =>
  readFileSync(new URL('./petits-carres-engine.wasm', import.meta.url)),
);

parentPort?.on('message', (question: BoxesQuestion) => {
  void answer(question).then((said) => parentPort?.postMessage(said));
});
