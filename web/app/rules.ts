// SPDX-License-Identifier: MIT
import url from 'komadai.wasm?url';
import { rulesLoader } from '../core/wasm.ts';

/* One more instance of the rules at each call; the module is fetched once. */
export const loadRules = rulesLoader(url);
