// SPDX-License-Identifier: MIT
/* The entry `komadai/petits-carres` for Node. It waits for nothing. */
import { readFileSync } from 'node:fs';
import { installBoxes } from './installed_boxes.ts';

const bytes = readFileSync(new URL('./petits-carres.wasm', import.meta.url));
installBoxes(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports);

export * from './petits_carres.ts';
