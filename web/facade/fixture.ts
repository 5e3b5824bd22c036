// SPDX-License-Identifier: MIT
/* The facade over the real rules, and games at random, for tests only. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RulesModule } from '../core/module.ts';
import type { Action } from '../core/state.ts';
import { Games } from './games.ts';
import { install } from './installed.ts';
import { legalMiniShogiMoves, playMiniShogi } from './mini_shogi.ts';
import type { MiniShogiState } from './state.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/* A file by its path from the root of the project. */
export const top = (path: string): string => `${here}../../${path}`;
const bytes = readFileSync(process.env['KOMADAI_WASM'] ?? top('build/wasm/src/wasm/komadai.wasm'));
const instantiate = (): WebAssembly.Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;

install(instantiate());

/* Games in a module of their own, which has seen no state. */
export function freshGames(): Games {
  return new Games(new RulesModule(instantiate()));
}

/* The rows of a table of cases, without its comments and its head. */
export function cases(file: string): string[][] {
  return readFileSync(top(`tests/data/${file}`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(1)
    .map((line) => line.split('\t'));
}

export function actionOf(usi: string): Action {
  if (usi === 'resign') return { type: 'resign' };
  const square = (at: number): number =>
    5 * (usi.charCodeAt(at + 1) - 'a'.charCodeAt(0)) + 5 - Number(usi[at]);
  const piece = (['R', 'B', 'G', 'S', 'P'] as const).find((letter) => usi.startsWith(`${letter}*`));
  if (piece !== undefined) return { type: 'drop', piece, to: square(2) };
  return { type: 'move', from: square(0), to: square(2), promote: usi.endsWith('+') };
}

/* Plays "a b x3(c d) e". */
export function playAll(state: MiniShogiState, moves: string): MiniShogiState {
  const plain = moves.replace(/x(\d)\(([^)]*)\)/g, (_, times: string, inside: string) =>
    `${inside} `.repeat(Number(times)),
  );
  const words = plain.split(' ').filter((word) => word !== '');
  return words.reduce((at, usi) => playMiniShogi(at, actionOf(usi)), state);
}

/* Numbers from 0 up to `bound` that a seed repeats: Mulberry32, of the public domain. */
export function randomBelow(seed: number): (bound: number) => number {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/*
 * The states of a game at random up to `plies`, the first included, or to its end. With `goOn` it has
 * no end before: where a move would end the game another is tried, and where all would, it goes back.
 */
export function wander(
  start: MiniShogiState,
  plies: number,
  below: (bound: number) => number,
  goOn = false,
): MiniShogiState[] {
  const states = [start];
  let dead = 0;
  for (let at = start; states.length <= plies && !at.over; at = states.at(-1) ?? start) {
    const legal = legalMiniShogiMoves(at);
    const action = legal[below(legal.length)];
    if (action === undefined) throw new Error('a game that is not over has a legal move');
    const next = playMiniShogi(at, action);
    if (!next.over || !goOn) states.push(next);
    else if (++dead % 50 === 0) states.length = Math.max(1, states.length - 10);
  }
  return states;
}
