// SPDX-License-Identifier: MIT
/* Writes a Mini Shogi state, as JSON has it, as SFEN. */

const HAND_TYPES = ['R', 'B', 'G', 'S', 'P'];

const cased = (letter, owner) => (owner === 0 ? letter : letter.toLowerCase());

export function sfenOf({ board, hands, player, moves }) {
  const rows = [];
  for (let row = 0; row < 5; row++) {
    let text = '';
    let empty = 0;
    for (const piece of board.slice(row * 5, row * 5 + 5)) {
      if (piece === null) {
        empty++;
        continue;
      }
      text += (empty || '') + (piece.promoted ? '+' : '') + cased(piece.type, piece.owner);
      empty = 0;
    }
    rows.push(text + (empty || ''));
  }
  const hand = [0, 1]
    .flatMap((owner) =>
      HAND_TYPES.map((type) => {
        const count = hands[owner][type];
        return count === 0 ? '' : (count > 1 ? count : '') + cased(type, owner);
      }),
    )
    .join('');
  return `${rows.join('/')} ${player === 0 ? 'b' : 'w'} ${hand || '-'} ${moves + 1}`;
}
