// SPDX-License-Identifier: MIT
/* The script of a Worker in browsers. It must listen at once, and so waits for nothing. */
import { fetchBytes } from '../core/module.ts';
import { type BoxesQuestion, boxesAnswerer } from './petits_carres_worker.ts';

const answer = boxesAnswerer(() =>
  fetchBytes(new URL('./petits-carres-engine.wasm', import.meta.url)),
);

addEventListener('message', ({ data }) => {
  void answer(data as BoxesQuestion).then((said) => postMessage(said));
});
