// SPDX-License-Identifier: MIT
import { en } from './en.ts';
import { fr, type Words } from './fr.ts';
import { ja } from './ja.ts';

export type { Words } from './fr.ts';

/* The dictionary of the first language tag that has one; French where none has. */
export function wordsFor(tags: readonly string[]): Words {
  for (const tag of tags) {
    const primary = tag.toLowerCase().split('-')[0];
    const found = [fr, en, ja].find((words) => words.language === primary);
    if (found !== undefined) return found;
  }
  return fr;
}

/* The text under `key` of a table whose keys are stable words, or that of "unknown". */
export function textOf<T extends { readonly unknown: string }>(table: T, key: string): string {
  const found = Object.entries(table).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : table.unknown;
}

/* A room has no new game to point to: there the words of the rules become those of the room. */
const IN_ROOM = new Map([
  ['game-over', 'over'],
  ['game-too-long', 'room-full'],
]);

/* Why something is refused, for the stable `word`. */
export function refusalText(words: Words, word: string, inRoom: boolean): string {
  return textOf(words.refusals, (inRoom ? IN_ROOM.get(word) : undefined) ?? word);
}
