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

/* 'not-shown' is the address of a game that the server may know, and this page does not. */
export type Page =
  { readonly kind: 'home' | 'not-found' | 'not-shown' } | { readonly kind: 'game'; entry: Entry };

export function pageAt(path: string): Page {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  if (trimmed === '/' || trimmed === '/index.html') return { kind: 'home' };
  const entry = CATALOGUE.find((candidate) => candidate.path === trimmed);
  if (entry !== undefined) return { kind: 'game', entry };
  return { kind: /^\/rubriques\/jeux-[a-z0-9-]+$/.test(trimmed) ? 'not-shown' : 'not-found' };
}
