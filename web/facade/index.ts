// SPDX-License-Identifier: MIT
/* The entry for browsers and bundlers: imported, the rules are there. */
import { fetchBytes } from '../core/module.ts';
import { install } from './installed.ts';

const bytes = await fetchBytes(new URL('./mini-shogi.wasm', import.meta.url));
const { instance } = await WebAssembly.instantiate(bytes, {});
install(instance.exports);

export * from './mini_shogi.ts';
