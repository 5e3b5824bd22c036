// SPDX-License-Identifier: MIT
/* The rules of Petits carrés, put here by the entry that loaded them: boxes.ts or boxes_node.ts. */
import { RulesFailure, RulesModule, type UncheckedExports } from '../core/module.ts';

let installed: RulesModule | null = null;

export function installBoxes(exports: UncheckedExports): void {
  installed = new RulesModule(exports);
}

export function boxesRules(): RulesModule {
  if (installed === null) throw new RulesFailure('the rules are not loaded');
  return installed;
}
