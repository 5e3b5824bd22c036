// SPDX-License-Identifier: MIT
/* The games of the portal and their addresses. Their titles are in the dictionaries. */
export type GameName = 'mini-shogi';

export interface Entry {
  readonly game: GameName;
  readonly path: string;
}

export const CATALOGUE: readonly Entry[] = [
  { game: 'mini-shogi', path: '/rubriques/jeux-mini-shogi' },
];

export type Page =
  { readonly kind: 'home' | 'not-found' } | { readonly kind: 'game'; entry: Entry };

export function pageAt(path: string): Page {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  if (trimmed === '/' || trimmed === '/index.html') return { kind: 'home' };
  const entry = CATALOGUE.find((candidate) => candidate.path === trimmed);
  return entry === undefined ? { kind: 'not-found' } : { kind: 'game', entry };
}
