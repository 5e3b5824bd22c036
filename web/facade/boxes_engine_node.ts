// SPDX-License-Identifier: MIT
/* The entry `komadai/petits-carres-engine` for Node, with the Workers of Node behind the same names. */
import { Worker } from 'node:worker_threads';
import './boxes_node.ts';
import type { BoxesEngine, BoxesEngineOptions } from './boxes_engine_api.ts';
import { type StartBoxesWorker, boxesEngineOf } from './petits_carres_engine.ts';

const startWorker: StartBoxesWorker = (hear) => {
  const worker = new Worker(new URL('./boxes_worker_node.js', import.meta.url));
  worker.on('message', hear);
  worker.on('error', ({ message }) => hear({ failed: message }));
  worker.on('exit', (code) => hear({ failed: `it ended with ${code}` }));
  return worker;
};

/** A player and an analyst, in a Worker that the first question starts, and that `close` ends. */
export function createBoxesEngine(options: BoxesEngineOptions = {}): BoxesEngine {
  return boxesEngineOf(startWorker, options);
}

export * from './boxes_engine_api.ts';
