// SPDX-License-Identifier: MIT
/* The entry `komadai/petits-carres` for browsers and bundlers: imported, the rules are there. */
import { fetchBytes } from '../core/module.ts';
import { installBoxes } from './installed_boxes.ts';

const bytes = await fetchBytes(new URL('./petits-carres.wasm', import.meta.url));
const { instance } = await WebAssembly.instantiate(bytes, {});
installBoxes(instance.exports);

export * from './petits_carres.ts';
