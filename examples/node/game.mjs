// SPDX-License-Identifier: MIT
// A game at random, its last board and its verdict: `npm install komadai`, then
// `node game.mjs [SEED]`.
import { initialMiniShogi, inCheck, legalMiniShogiMoves, playMiniShogi } from 'komadai';

let seed = Number(process.argv[2] ?? 1);

function below(bound) {
  seed = (seed * 48271) % 2147483647;
  return seed % bound;
}

function letters(piece) {
  if (piece === null) return ' .';
  const letter = piece.owner === 0 ? piece.type : piece.type.toLowerCase();
  return (piece.promoted ? '+' : ' ') + letter;
}

let state = initialMiniShogi();
while (!state.over) {
  const legal = legalMiniShogiMoves(state);
  state = playMiniShogi(state, legal[below(legal.length)]);
}

for (let row = 0; row < 5; row++) {
  console.log(
    state.board
      .slice(5 * row, 5 * row + 5)
      .map(letters)
      .join(''),
  );
}
console.log('hands', JSON.stringify(state.hands[0]), JSON.stringify(state.hands[1]));
const check = inCheck(state) ? ', in check' : '';
console.log(`after ${state.moves} moves: ${state.reason}, winner ${state.winner}${check}`);
