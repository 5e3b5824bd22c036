// SPDX-License-Identifier: MIT
/* The entry for Node. It waits for nothing, so that newer Nodes can `require` it, too. */
import { readFileSync } from 'node:fs';
import { install } from './installed.ts';

const bytes = readFileSync(new URL('./mini-shogi.wasm', import.meta.url));
install(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports);

export * from './mini_shogi.ts';
