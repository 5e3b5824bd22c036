// SPDX-License-Identifier: MIT
/* The one instance of the rules, put here by the entry that loaded it: index.ts or index_node.ts. */
import { RulesFailure, RulesModule, type UncheckedExports } from '../core/module.ts';
import { Games } from './games.ts';

let installed: Games | null = null;

export function install(exports: UncheckedExports): void {
  installed = new Games(new RulesModule(exports));
}

export function games(): Games {
  if (installed === null) throw new RulesFailure('the rules are not loaded');
  return installed;
}
