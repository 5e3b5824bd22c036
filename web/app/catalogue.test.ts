// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { CATALOGUE, pageAt } from './catalogue.ts';

test('every game has its page, with or without a slash at the end', () => {
  for (const entry of CATALOGUE) {
    expect(pageAt(entry.path)).toEqual({ kind: 'game', entry });
    expect(pageAt(`${entry.path}/`)).toEqual({ kind: 'game', entry });
  }
});

test('other addresses are home or not found', () => {
  expect(pageAt('/').kind).toBe('home');
  expect(pageAt('/index.html').kind).toBe('home');
  for (const path of ['/rubriques', '/rubriques/jeux-mini-shogi/x', '/constructor']) {
    expect(pageAt(path).kind, path).toBe('not-found');
  }
});

test('the address of a game that this page does not have says so', () => {
  for (const path of ['/rubriques/jeux-petits-carres', '/rubriques/jeux-petits-carres/']) {
    expect(pageAt(path).kind, path).toBe('not-shown');
  }
  for (const path of ['/rubriques/jeux-', '/rubriques/petits-carres', '/jeux-petits-carres']) {
    expect(pageAt(path).kind, path).toBe('not-found');
  }
});
