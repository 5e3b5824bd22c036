// SPDX-License-Identifier: MIT
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/* The rules are built by Meson; this build only gives the file a hashed name. */
const rules = process.env['KOMADAI_WASM'] ?? here('../build/wasm/src/wasm/komadai.wasm');

export default defineConfig({
  root: here('.'),
  plugins: [svelte()],
  resolve: { alias: [{ find: /^komadai\.wasm(?=\?url$)/, replacement: rules }] },
  build: {
    outDir: here('../build/web'),
    emptyOutDir: true,
    target: 'es2022',
    /* Never a data: address: the content security policy lets nothing load from one. */
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { include: ['{core,facade,board,app}/**/*.test.ts'] },
});
