// SPDX-License-Identifier: MIT
/* The entry `komadai/petits-carres-engine` for browsers and bundlers, which find the Worker by its name. */
import './boxes.ts';
import type { BoxesEngine, BoxesEngineOptions } from './boxes_engine_api.ts';
import { boxesEngineOf, browserWorkers } from './petits_carres_engine.ts';

const workers = browserWorkers(
  () => new Worker(new URL('./boxes_worker.js', import.meta.url), { type: 'module' }),
);

/** A player and an analyst, in a Worker that the first question starts. */
export function createBoxesEngine(options: BoxesEngineOptions = {}): BoxesEngine {
  return boxesEngineOf(workers, options);
}

export * from './boxes_engine_api.ts';
