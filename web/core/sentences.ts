// SPDX-License-Identifier: MIT
/* One sentence for each thing that a page shows or speaks, out of states and a dictionary. */
import { fileOf, rowOf } from './squares.ts';
import {
  type Action,
  type GameState,
  type HandType,
  opponent,
  type Piece,
  type PieceType,
  type Player,
} from './state.ts';
import type { GameView } from './view.ts';
import type { Who } from './words/parts.ts';
import type { Words } from './words/index.ts';

/* The sides that the person at this page plays: both on one device, one in a room. */
export type OwnSides = readonly Player[];

export function squareName(words: Words, square: number): string {
  return words.square(fileOf(square), words.ranks[rowOf(square)] ?? '');
}

export function sideName(words: Words, player: Player): string {
  return words.sides[player] ?? '';
}

export function pieceName(words: Words, type: PieceType, promoted: boolean): string {
  if (!promoted || type === 'K' || type === 'G') return words.pieces[type];
  return words.promoted[type];
}

function who(words: Words, own: OwnSides, player: Player): Who {
  return { name: sideName(words, player), you: own.length === 1 && own[0] === player };
}

function endSentence(words: Words, state: GameState, own: OwnSides): string {
  const { end } = words;
  if (state.winner === null) {
    if (state.reason === 'mutual-perpetual') return end.mutualPerpetual;
    if (state.reason === 'ply-limit') return end.plyLimit;
    if (state.reason === 'abandoned') return end.abandoned;
    return end.drawnRepetition;
  }
  const winner = who(words, own, state.winner);
  const loser = who(words, own, opponent(state.winner));
  switch (state.reason) {
    case 'no-legal-move':
      return end.noMove(winner, loser);
    case 'resignation':
      return end.resignation(winner, loser);
    case 'repetition':
      return end.repetition(winner, loser);
    case 'perpetual-check':
      return end.perpetualCheck(winner, loser);
    default:
      return end.checkmate(winner, loser);
  }
}

/* The sentence over the board: who plays, check, the end and why. */
export function stateSentence(words: Words, view: GameView, own: OwnSides): string {
  const { state, check } = view;
  if (state.over) return endSentence(words, state, own);
  const you = who(words, own, state.player).you;
  const turn = you ? words.state.yourTurn : words.state.turn(sideName(words, state.player));
  return words.state.join(turn, check ? (you ? words.state.yourCheck : words.state.check) : null);
}

/* The piece that `action` moved or dropped, as it was before. */
function moved(action: Action, after: GameState): { type: PieceType; promoted: boolean } | null {
  if (action.type === 'resign') return null;
  if (action.type === 'drop') return { type: action.piece, promoted: false };
  const piece = after.board[action.to];
  return piece ? { type: piece.type, promoted: piece.promoted && !action.promote } : null;
}

/* What is spoken when a board changes from `before` to `after`; null when there is nothing to say. */
export function changeSentence(
  words: Words,
  before: GameState,
  after: GameView,
  own: OwnSides,
): string | null {
  const { state } = after;
  const follows = state.moves === before.moves + 1;
  if (state.moves === before.moves && state.over === before.over) return null;
  const summary = stateSentence(words, after, own);
  if (state.moves < before.moves || (before.over && !state.over)) {
    const undone = state.moves + 1 === before.moves;
    return `${undone ? words.announce.undone : words.announce.restarted} ${summary}`;
  }
  const { last } = state;
  const piece = last === null ? null : moved(last, state);
  if (last === null || last.type === 'resign' || piece === null) return summary;

  const side = follows ? before.player : opponent(state.player);
  const captured: Piece | null = (follows ? before.board[last.to] : null) ?? null;
  const sentence = words.move({
    side: sideName(words, side),
    piece: pieceName(words, piece.type, piece.promoted),
    from: last.type === 'move' ? squareName(words, last.from) : null,
    to: squareName(words, last.to),
    captured: captured === null ? null : pieceName(words, captured.type, captured.promoted),
    promotes: last.type === 'move' && last.promote,
  });
  if (state.over) return `${sentence} ${summary}`;
  return after.check ? `${sentence} ${words.announce.check}` : sentence;
}

export function slotName(words: Words, type: HandType, count: number): string {
  const piece = words.pieces[type];
  return count === 0 ? words.board.emptySlot(piece) : words.board.slot(piece, count);
}
